"""What a mail is made of, to the byte."""

import quopri
import re
from dataclasses import replace
from email import message_from_bytes, policy
from email.header import decode_header, make_header
from email.message import EmailMessage
from email.utils import formataddr

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bot.channels.email import Email
from bot.channels.email.folder import Folder
from bot.channels.email.html import LIMIT
from bot.channels.email.message import quoted_printable, unfolded
from bot.channels.email.pieces import Pieces
from bot.digest import Action, Digest, Section
from bot.digest.reading import as_text
from bot.model import Part
from tests.channels import days
from tests.channels.decoded import digest_html
from tests.makers import digest, notice

DAYS = {
    "ordinary": days.ordinary(),
    "ugly": days.ugly(),
    "flood": days.flood(),
    "single": days.single(),
}


class Nowhere:
    async def carry(self, name: str, sender: str, recipient: str, raw: bytes) -> str:
        raise AssertionError("rendering sends nothing")

    async def close(self) -> None:
        pass


def email(sender: str = "Paper Digest <digest@digest.example.org>", **more) -> Email:
    return Email(Nowhere(), sender, "digest.example.org", b"an invented bounce key", **more)


def raw(digest: Digest) -> bytes:
    [page] = email().render(digest)
    return page.content


def read(content: bytes) -> EmailMessage:
    message = message_from_bytes(content, policy=policy.default)
    assert isinstance(message, EmailMessage)
    return message


def lines(part: EmailMessage) -> list[str]:
    return part.get_content().replace("\r\n", "\n").rstrip("\n").split("\n")


@pytest.fixture(params=DAYS)
def any_day(request) -> Digest:
    return DAYS[request.param]


def test_the_same_digest_is_the_same_bytes(any_day):
    assert raw(any_day) == raw(any_day)


def test_on_the_wire_all_is_ascii_in_short_lines(any_day):
    wire = raw(any_day).split(b"\r\n")

    assert all(line.isascii() and b"\n" not in line and b"\r" not in line for line in wire)
    long = [line for line in wire if len(line) > 76 and not line.startswith(b"List-")]
    assert long == []


def test_text_comes_before_html_and_both_arrive_whole(any_day):
    message = read(raw(any_day))
    text, html = message.iter_parts()

    assert message.get_content_type() == "multipart/alternative"
    assert message.defects == []
    assert lines(text) == as_text(any_day).splitlines()
    assert lines(html) == digest_html(any_day).splitlines()


def test_html_never_outgrows_its_limit(any_day):
    assert len(quoted_printable(digest_html(any_day))) <= LIMIT


def shown(section: Section, html: str) -> list[str]:
    """The papers of a topic that stand in a mail."""
    return [entry.paper.url for entry in section.entries if entry.paper.url in html]


@pytest.mark.parametrize(("papers", "topics"), [(200, 8), (1000, 5), (60, 30), (300, 60)])
def test_however_much_there_is_every_topic_keeps_its_heading_its_link_and_some_titles(
    papers, topics
):
    flood = days.flood(papers, topics)
    html, text = digest_html(flood), as_text(flood)

    for section in flood.sections:
        left = len(section.entries) - len(shown(section, html))
        assert f">{section.tag.name}</h2>" in html
        assert f'href="{section.tag.url}"' in html
        assert shown(section, html)
        assert not left or f">{left} more on its page</a>" in html
    assert len(quoted_printable(html)) <= LIMIT
    assert all(entry.paper.url in text for entry in flood.entries)


def test_a_large_topic_takes_nothing_from_a_small_one():
    large = days.section("Zorbs", [days.invented(n) for n in range(80)], m=days.momentum())
    small = days.section("Tides", [days.invented(n) for n in range(100, 106)], m=days.momentum())
    html = digest_html(days.day(large, small))
    tides = html[html.index(">Tides</h2>") :]

    assert len(shown(large, html)) == 80
    assert len(shown(small, html)) == tides.count("<h3") == 6


def test_a_topic_without_a_page_says_where_the_rest_is():
    lone = replace(days.section("Zorbs", [days.invented(n) for n in range(400)]), actions=())
    html = digest_html(days.day(replace(lone, tag=replace(lone.tag, url=""))))

    assert f">{400 - len(shown(lone, html))} more in the text part of this mail</p>" in html
    assert "All papers" not in html


def test_of_hundreds_of_topics_the_last_are_named():
    flood = days.flood(400, 400)
    html = digest_html(flood)

    assert len(quoted_printable(html)) <= LIMIT
    assert all(section.tag.name in html for section in flood.sections)


@pytest.mark.parametrize("limit", [12_000, 30_000, 60_000])
def test_even_a_small_limit_is_kept(limit):
    html = digest_html(DAYS["flood"], limit)

    assert len(quoted_printable(html)) <= limit
    assert all(f">{section.tag.name}</h2>" in html for section in DAYS["flood"].sections)


@pytest.mark.parametrize("papers", [36, 45, 80, 200])
def test_a_page_of_just_the_limit_is_shown_and_a_byte_less_shows_less(papers):
    """It is found by weighing: what it is said to weigh is what it weighs, to the byte."""
    flood = days.flood(papers, 4)
    most = digest_html(flood)
    weight = len(quoted_printable(most))

    assert digest_html(flood, weight) == most
    assert len(quoted_printable(digest_html(flood, weight - 1))) < weight


def test_however_often_a_mail_is_measured_a_paper_is_drawn_once():
    flood = days.flood(50, 4)
    pieces = Pieces(flood)

    assert all(pieces.card(entry) is pieces.card(entry) for entry in flood.entries)


def test_headers_say_who_and_what_and_how_to_leave():
    message = read(raw(DAYS["ordinary"]))

    assert message["From"] == "Paper Digest <digest@digest.example.org>"
    assert message["To"] == "ada@example.org"
    assert message["Subject"] == "12 new: RL for LLM Agents, KV-Cache Compression"
    assert message["Date"] == "Mon, 30 Nov 2026 08:00:00 +0000"
    assert message["List-Id"] == '"Paper Digest" <d42.digest.example.org>'
    assert message["List-Unsubscribe"] == f"<{days.DOORS[3].url}>"
    assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert message["Auto-Submitted"] == "auto-generated"
    assert message["X-Auto-Response-Suppress"] == "All"
    assert message["Message-ID"].startswith("<d42.20261130.0.")
    assert message["References"] is None


def test_one_click_is_promised_only_over_https():
    plain = days.day(
        *DAYS["ordinary"].sections,
        actions=(Action("one-click", "leave", "http://digest.example.org/l/x"),),
    )
    message = read(raw(plain))

    assert message["List-Unsubscribe"] == "<http://digest.example.org/l/x>"
    assert message["List-Unsubscribe-Post"] is None


def test_a_long_link_stays_whole_in_its_header():
    url = f"https://digest.example.org/l/{'x' * 400}"
    content = raw(days.day(*DAYS["ordinary"].sections, actions=(Action("one-click", "", url),)))

    assert f"List-Unsubscribe: <{url}>\r\n".encode() in content


@pytest.mark.parametrize(
    "title",
    [
        "a\r\nBcc: v@example.org",
        "a\nBcc: v@example.org",
        "a\rBcc: v@example.org",
        "a\x0bBcc: v@example.org",
        "a\x85Bcc: v@example.org",
        "a\u2028Bcc: v@example.org",
        "a\x00Bcc: v@example.org",
        "Ends with a line\n",
        "=?utf-8?q?Bcc=3A?=",
        "half \ud800",
        "R&D <b>",
        "ünïcödé " * 40,
        "x" * 3000,
    ],
)
def test_no_title_breaks_out_of_the_subject(title):
    message = read(raw(digest(title=title)))

    assert message["Bcc"] is None
    assert message.defects == []
    assert message["Subject"] == unfolded(title)
    assert len(message["Subject"]) <= 120


def test_a_mail_always_has_a_subject():
    assert read(raw(digest(title="\n")))["Subject"] == "Paper digest"


@pytest.mark.parametrize(
    "name",
    ["Paper, Digest", "Ünser Dïgest", 'The "Paper" Digest', "Paper Digest (weekly)", ""],
)
def test_any_sender_name_reads_back(name):
    sender = formataddr((name, "digest@example.org"))
    [page] = email(sender).render(DAYS["single"])
    [address] = read(page.content)["From"].addresses

    assert (address.display_name, address.addr_spec) == (name, "digest@example.org")


@pytest.mark.parametrize(
    "sender",
    ["", "Paper Digest", "Paper, Digest <digest@lab.example>", "a@lab.example, b@lab.example"],
)
def test_a_sender_without_an_address_is_refused_with_what_to_write(sender):
    with pytest.raises(ValueError, match="write it like Paper Digest"):
        email(sender)


def test_a_sender_that_only_some_servers_take_is_refused():
    with pytest.raises(ValueError, match="plain letters before the @"):
        email("Jörg <jörg@lab.example>")


def written(name: str, address: str) -> str:
    """As an operator writes it: in quotes, in whatever script."""
    quoted = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{quoted}" <{address}>'


names = st.text(st.characters(exclude_categories=["Cc", "Cs"]), max_size=80)


@given(
    names,
    names,
    st.sampled_from(["digest@lab.example", "digest@exämple.org", "o'neil+x@例え.jp"]),
    st.sampled_from(["", "https://lab.example/l/x", "https://exämple.org:8443/lä/x?y=ü"]),
)
def test_no_header_holds_a_byte_that_some_server_refuses(name, other, address, url):
    doors = tuple(Action(label, "", url) for label in ("one-click", "Change") if url)
    channel = email(written(name, address), reply_to=written(other, address))
    [page] = channel.render(days.day(*DAYS["single"].sections, actions=doors, title=name))
    head = page.content.partition(b"\r\n\r\n")[0]
    message = read(page.content)

    assert head.isascii()
    assert message.defects == []
    assert message["List-Id"].endswith("<d42.digest.example.org>")
    assert re.fullmatch(r"<(https|mailto):[!-;=?-~]+>", message["List-Unsubscribe"])


def test_answers_go_where_the_operator_wishes():
    channel = email(reply_to="Lab Tëam <lab@exämple.org>")
    message = read(channel.render(days.day(*DAYS["single"].sections, actions=()))[0].content)
    [mailbox] = message["Reply-To"].addresses

    assert (mailbox.display_name, mailbox.addr_spec) == ("Lab Tëam", "lab@xn--exmple-cua.org")
    assert (
        message["List-Unsubscribe"] == "<mailto:lab@xn--exmple-cua.org?subject=unsubscribe%20d42>"
    )


def test_a_link_in_any_script_leads_where_it_did():
    leave = Action("one-click", "", "https://exämple.org:8443/lä/x?y=ü")
    [page] = email().render(days.day(*DAYS["single"].sections, actions=(leave,)))

    assert read(page.content)["List-Unsubscribe"] == (
        "<https://xn--exmple-cua.org:8443/l%C3%A4/x?y=%C3%BC>"
    )


def test_a_list_is_named_in_any_script():
    [page] = email('"Päper, Round Täm 研究" <digest@lab.example>').render(DAYS["ordinary"])
    header = read(page.content)["List-Id"]
    words = make_header(decode_header(header.partition(" <")[0]))

    assert str(words) == "Päper, Round Täm 研究"


def test_nothing_in_a_paper_becomes_markup(any_day):
    html = digest_html(any_day)

    assert "<script" not in html
    assert "<img" not in html
    assert "onerror=alert" not in html.replace("&lt;img src=x onerror=alert", "")
    assert 'href="javascript' not in html


def test_links_stand_apart_where_no_style_is_drawn(any_day):
    html = digest_html(any_day)

    assert "</a><a" not in html


def test_a_week_that_was_not_observed_is_read_aloud_as_such():
    unwatched = replace(days.ordinary().sections[0], momentum=days.momentum(observed=False))
    html = digest_html(replace(days.ordinary(), sections=(unwatched,)))

    assert 'aria-label="Papers a week, 7 Sep – 23 Nov: 10 weeks not observed, 18, 21"' in html


def test_there_is_nothing_to_load_and_nothing_that_tracks(any_day):
    html = digest_html(any_day)

    assert "src=" not in html.replace("&lt;img src=x", "")
    assert "url(" not in html
    assert "@import" not in html


@given(st.text())
@example("x" * 74 + " \nmore")  # a blank at the end of a line that is full
@example("é" * 12 + "xx\t\nmore")
def test_quoted_printable_reads_back(text):
    wire = quoted_printable(text)
    back = quopri.decodestring(wire).decode().replace("\r\n", "\n")

    assert back == text.replace("\r\n", "\n").replace("\r", "\n").rstrip("\n") + "\n"
    assert wire.isascii()
    assert all(len(line) <= 76 for line in wire.split(b"\r\n"))
    assert b"\n" not in wire.replace(b"\r\n", b"")


def test_a_return_address_names_its_delivery():
    address = email().envelope_sender(17)

    assert re.fullmatch(r"digest\+17\.[0-9a-f]{16}@digest\.example\.org", address)
    assert address != email().envelope_sender(18)


def test_a_sender_beyond_ascii_is_written_so_that_every_server_takes_it():
    assert (
        email("Digest <digest@bücher.example>")
        .envelope_sender(1)
        .endswith("@xn--bcher-kva.example")
    )


@pytest.mark.parametrize("letters", [26, 27, 44, 45, 64])
def test_a_return_address_is_never_too_long_and_never_anothers(letters):
    sender = f"{'x' * letters}@digest.example.org"
    address = email(sender).envelope_sender(17)
    local, _, domain = address.partition("@")

    assert len(local) <= 64
    assert local.partition("+")[0] == "x" * letters
    assert domain == "digest.example.org"
    assert ("+17." in local) is (letters <= 44)


@pytest.mark.parametrize(
    "channel",
    [
        pytest.param(Email(Nowhere(), "digest@example.org"), id="without a key"),
        pytest.param(email("digest@example.org", own_returns=False), id="turned off"),
    ],
)
def test_where_nothing_else_may_pass_mails_come_from_the_sender(channel):
    assert channel.envelope_sender(17) == "digest@example.org"


def test_a_notice_is_a_mail_too():
    asked = notice(stop_url="https://digest.example.org/l/stop")
    page = email().letter(asked)
    message = read(page.content)
    text, html = message.iter_parts()

    assert page == email().letter(asked)
    assert message["Subject"] == "Confirm your digest"
    assert message["List-Unsubscribe"] is None
    assert "https://digest.example.org/l/x" in text.get_content()
    assert 'href="https://digest.example.org/l/x"' in html.get_content()
    assert lines(text)[-2:] == ["Stop all mail:", "https://digest.example.org/l/stop"]
    assert 'href="https://digest.example.org/l/stop"' in html.get_content()


async def test_a_folder_holds_each_mail_as_two_files(tmp_path):
    channel = Email(Folder(tmp_path / "mail"), "digest@example.org")
    [page] = channel.render(DAYS["ordinary"])
    part = Part(1, 0, "d42.20261130.0", "ada@example.org", page.content)
    first, second = await channel.send(part), await channel.send(part)

    assert first == second == str(tmp_path / "mail" / "d42.20261130.0.eml")
    assert (tmp_path / "mail" / "d42.20261130.0.eml").read_bytes() == page.content
    assert "<h1" in (tmp_path / "mail" / "d42.20261130.0.html").read_text()
    assert len(list((tmp_path / "mail").iterdir())) == 2
    assert (tmp_path / "mail").stat().st_mode & 0o077 == 0, "its links are for one reader"


@pytest.mark.parametrize("name", ["ordinary", "ugly", "single"])
def test_the_mail_is_as_accepted(name, golden):
    golden(f"mail/{name}.eml", raw(DAYS[name]))
    golden(f"mail/{name}.html", digest_html(DAYS[name]).encode("utf-8", "replace"))


def test_only_the_address_of_a_mailbox_beyond_ascii_is_not_ascii():
    lines = raw(digest(address="ádá@example.org")).split(b"\r\n")

    assert [line for line in lines if not line.isascii()] == ["To: ádá@example.org".encode()]


def test_without_a_web_address_leaving_is_asked_for_by_mail():
    message = read(raw(digest(actions=())))

    assert (
        message["List-Unsubscribe"] == "<mailto:digest@digest.example.org?subject=unsubscribe%20d1>"
    )
    assert message["List-Unsubscribe-Post"] is None


def test_a_number_stays_with_its_sign_on_a_narrow_screen():
    html = digest_html(days.ordinary())

    assert "up 141\N{NO-BREAK SPACE}% on" in html
    assert "0.7\N{NO-BREAK SPACE}% of" in html
