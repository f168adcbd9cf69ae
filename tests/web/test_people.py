"""Pages behind the links in mail: they ask on GET, act on POST, and everything can be undone."""

import asyncio
import re
from dataclasses import dataclass, replace
from datetime import timedelta
from email import message_from_bytes
from email.policy import default
from functools import cache
from html import unescape

import pytest
from lxml import html
from starlette.testclient import TestClient

from bot import web
from bot.channels.email import Email
from bot.channels.email.folder import Folder
from bot.core import Core
from bot.core.reply import Actor, Code, Strong, line, text_of
from bot.links import PURPOSES, Links
from bot.model import DeliveryState, Destination, DestinationState, Follow, Identity, Paper
from bot.store.sqlite import SqliteStore
from bot.web import people
from bot.web.people import spoken
from tests.databases import copy_into
from tests.fakes import ArxivByHand, FrozenClock
from tests.web import invented
from tests.web.opened import fill, open_core

ADA = Identity("email", "", "ada@example.org")
WEB = "https://digest.example.org"


@dataclass
class Desk:
    """One reader with a weekly digest by mail, and the pages they reach."""

    core: Core
    client: TestClient
    clock: FrozenClock

    @property
    def destination(self) -> Destination:
        return self.destinations[0]

    @property
    def destinations(self) -> list[Destination]:
        return self.store.people.destinations(self.subscriber)

    @property
    def subscriber(self) -> int:
        return self.store.people.find(ADA) or 0

    @property
    def store(self):
        return self.core.house.store

    @property
    def follows(self) -> dict[str, Follow]:
        return {f.topic.slug: f for f in self.store.people.follows(self.subscriber)}

    def link(self, purpose: str, command: str = "") -> str:
        d = self.destination
        return f"/l/{self.core.house.links.token(purpose, d.id, d.epoch, command)}"

    def press(self, page: str, label: str) -> str:
        """Press the button of that label on a page; the next page."""
        found = re.search(
            rf'action="([^"]+)">(?:<input type="hidden" name="do" value="([^"]*)">)?'
            rf"<button[^>]*>{re.escape(label)}<",
            page,
        )
        assert found, f"no button “{label}” in {page}"
        fields = {"do": unescape(found[2])} if found[2] else None
        answer = self.client.post(found[1], data=fields)
        assert answer.status_code == 200
        return answer.text

    def everything(self) -> object:
        return self.core.export(ADA), self.store.people.destinations(self.subscriber)


@cache
def some_weeks() -> SqliteStore:
    core = open_core(None, lambda: invented.NOW)
    fill(core, invented.TOPICS, list(invented.papers())[:60])
    return core.house.store


@pytest.fixture
def empty(tmp_path, clock) -> Desk:
    clock.set(invented.NOW)
    core = open_core(None, clock)
    copy_into(core.house.store, some_weeks())
    mail = Email(Folder(tmp_path / "mail"), "Digest <digest@d.example>", bounce_key=b"invented")
    house = replace(
        core.house,
        channels={"email": mail},
        links=Links(WEB, b"k" * 32),
    )
    core = Core(house)
    app = web.create(core, routes=people.routes(core), follow_by_mail="/join")
    yield Desk(core, TestClient(app, raise_server_exceptions=True, follow_redirects=False), clock)
    core.house.store.close()


@pytest.fixture
def desk(empty) -> Desk:
    operator = Actor(ADA, zone="Europe/Berlin", operator=True)
    empty.core.execute(operator, "email ada@example.org")
    empty.core.execute(operator, "follow RL for LLM Agents")
    empty.core.execute(operator, "follow KV-Cache Compression")
    assert empty.destination.state is DestinationState.ACTIVE
    return empty


def text(page: str) -> str:
    return unescape(re.sub(r"<[^>]+>", "", page.partition("<main")[2].partition("</main>")[0]))


# ------------------------------------------------------------------ GET and HEAD

COMMANDS = ("mute rl-for-llm-agents for 2w", "unfollow rl-for-llm-agents", "mute all for 2w")


@pytest.mark.parametrize(("method", "times"), [("GET", 20), ("HEAD", 5)])
def test_opening_every_link_again_and_again_changes_nothing(desk, method, times):
    links = [desk.link(purpose) for purpose in PURPOSES if purpose != "act"]
    links += [desk.link("act", command) for command in COMMANDS]
    before = desk.everything()
    for link in links:
        for _ in range(times):
            assert desk.client.request(method, link).status_code == 200

    assert desk.everything() == before


@pytest.mark.parametrize("method", ["PUT", "DELETE", "OPTIONS", "PATCH"])
def test_no_other_method_does_anything(desk, method):
    before = desk.everything()

    assert desk.client.request(method, desk.link("leave")).status_code == 405
    assert desk.everything() == before


def test_pages_are_private_and_need_no_script(desk):
    answer = desk.client.get(desk.link("person"))

    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert "noindex" in answer.headers["X-Robots-Tag"]
    assert "set-cookie" not in answer.headers


# ------------------------------------------------------------------ leaving


def test_leaving_asks_stops_and_can_be_undone(desk):
    asked = desk.client.get(desk.link("leave")).text
    assert "Stop the digest to a…@example.org?" in text(asked)

    stopped = desk.press(asked, "Stop it")
    assert "Stopped. No more mail." in text(stopped)
    assert desk.destination.state is DestinationState.OFF

    desk.press(stopped, "Undo")
    assert desk.destination.state is DestinationState.ACTIVE


@pytest.mark.parametrize(
    "body",
    [
        pytest.param({"data": {"List-Unsubscribe": "One-Click"}}, id="form"),
        pytest.param({"files": {"List-Unsubscribe": (None, "One-Click")}}, id="multipart"),
        pytest.param({}, id="empty"),
        pytest.param({"content": b"\xff\xfe", "headers": {"Content-Type": "x/y"}}, id="nonsense"),
        pytest.param(
            {"content": b"--", "headers": {"Content-Type": "multipart/form-data"}}, id="broken"
        ),
    ],
)
def test_one_click_needs_no_cookie_and_takes_any_body(desk, body):
    desk.client.cookies.clear()
    answer = desk.client.post(desk.link("one-click"), **body)

    assert answer.status_code == 200
    assert desk.destination.state is DestinationState.OFF


def test_one_click_stops_this_destination_only(desk):
    desk.core.execute(Actor(ADA, operator=True), "email ada@elsewhere.example")
    desk.client.post(desk.link("one-click"))
    states = {d.address: d.state for d in desk.destinations}

    assert states == {
        "ada@example.org": DestinationState.OFF,
        "ada@elsewhere.example": DestinationState.ACTIVE,
    }


def test_stop_all_ends_all_mail_and_undo_brings_it_back(desk):
    desk.core.execute(Actor(ADA, operator=True), "email ada@elsewhere.example")
    stopped = desk.press(desk.client.get(desk.link("stop-all")).text, "Stop all mail")
    assert {d.state for d in desk.destinations} == {DestinationState.OFF}

    desk.press(stopped, "Undo")
    assert {d.state for d in desk.destinations} == {DestinationState.ACTIVE}


def test_leaving_works_for_ever_and_twice(desk):
    link = desk.link("leave")
    desk.store.people.void_links(desk.destination.id)
    desk.clock.forward(days=4000)
    for _ in range(2):
        assert desk.client.post(link).status_code == 200

    assert desk.destination.state is DestinationState.OFF


def test_leaving_after_being_forgotten_is_answered_as_done(desk):
    link = desk.link("one-click")
    desk.core.erase(ADA)
    answer = desk.client.post(link)

    assert answer.status_code == 200
    assert "Stopped" in answer.text


# ------------------------------------------------------------------ deeds


@pytest.mark.parametrize(("label", "days"), [("Mute", 14), ("For 1 week", 7), ("For 1 month", 31)])
def test_a_topic_is_muted_for_as_long_as_pressed(desk, label, days):
    asked = desk.client.get(desk.link("act", "mute rl-for-llm-agents for 2w")).text
    assert "Mute RL for LLM Agents until Thu 22 Oct?" in text(asked)

    muted = desk.press(asked, label)
    until = desk.follows["rl-for-llm-agents"].muted_until
    assert abs(until - desk.clock() - timedelta(days=days)) < timedelta(days=1)
    assert "The other topic goes on." in text(muted)

    desk.press(muted, "Unmute")
    assert desk.follows["rl-for-llm-agents"].muted_until is None


def test_everything_can_be_muted(desk):
    asked = desk.client.get(desk.link("act", "mute all for 2w")).text
    assert "Mute everything until" in text(asked)
    desk.press(asked, "Mute")

    assert len(desk.store.people.mutes(desk.subscriber)) == 1


def test_the_personal_page_links_no_topic_that_the_web_refuses(desk):
    desk.core.execute(Actor(ADA), "follow harbour lamps")
    page = desk.client.get(desk.link("person")).text
    topics = re.findall(r'href="(/topics/[^"]+)"', page)

    assert "harbour lamps" in page
    assert len(topics) == 2
    assert all(desk.client.get(topic).status_code == 200 for topic in topics)


def test_unfollowing_asks_acts_and_can_be_undone(desk):
    asked = desk.client.get(desk.link("act", "unfollow kv-cache-compression")).text
    assert "Unfollow KV-Cache Compression?" in text(asked)
    ended = desk.press(asked, "Unfollow")
    assert "kv-cache-compression" not in desk.follows

    desk.press(ended, "Undo")
    assert "kv-cache-compression" in desk.follows


def test_saving_names_the_paper_and_can_be_undone(desk):
    paper = next(iter(desk.store.papers.some([1])))
    asked = desk.client.get(desk.link("act", f"save {paper.arxiv_id}")).text
    assert paper.title in text(asked)
    saved = desk.press(asked, "Save")
    assert desk.store.people.saved(desk.subscriber) == [paper.seq]

    desk.press(saved, "Undo")
    assert desk.store.people.saved(desk.subscriber) == []


def test_a_page_asks_nobody_to_type_commands(desk):
    paper = next(iter(desk.store.papers.some([1])))
    saved = desk.press(desk.client.get(desk.link("act", f"save {paper.arxiv_id}")).text, "Save")

    assert f"Saved “{paper.title}”." in text(saved)
    assert "All of them" not in saved


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (line("Saved “A. B”. All of them: ", Code("saved")), "Saved “A. B”."),
        (line("Which paper? Give its number: ", Code("save 1")), "Which paper?"),
        (line("Write ", Code("ask TOPIC: QUESTION"), "."), "Write ask TOPIC: QUESTION."),
        (line("Until ", Strong("Mon"), ". Change it: ", Code("digest")), "Until Mon."),
        (line("Nothing to type."), "Nothing to type."),
    ],
)
def test_what_would_be_typed_is_left_out_where_the_rest_stands_alone(words, said):
    assert text_of(spoken.said(words), "UTC") == said


def test_what_passed_is_asked_for_by_its_topic_alone(desk):
    asked = desk.client.get(desk.link("act", "passed kv-cache-compression d1.20261123.0")).text

    assert "Show what passed of KV-Cache Compression?" in text(asked)
    assert "d1.20261123.0?" not in text(asked)


def test_an_undo_opened_anew_asks_in_words(desk):
    asked = desk.client.get(desk.link("act", "undo unfollow 1")).text

    assert "Take that back?" in text(asked)
    assert "Do this" not in asked


def test_not_for_me_can_be_taken_back(desk):
    paper = next(iter(desk.store.papers.some([1])))
    judged = desk.press(
        desk.client.get(desk.link("act", f"not-for-me {paper.arxiv_id}")).text, "Not for me"
    )
    assert desk.store.people.judged(desk.subscriber) == {paper.seq: False}

    desk.press(judged, "Undo")
    assert desk.store.people.judged(desk.subscriber) == {}


def test_pressing_twice_is_pressing_once(desk):
    link = desk.link("act", "unfollow kv-cache-compression")
    first, second = desk.client.post(link), desk.client.post(link)

    assert (first.status_code, second.status_code < 500) == (200, True)
    assert list(desk.follows) == ["rl-for-llm-agents"]


# ------------------------------------------------------------------ bad links


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize(
    "token", ["x", "a.b", "lMS4wLg.AAAAAAAAAAAAAAAAAAAAAAAAAAA", "%00", "é", "p" * 3000]
)
def test_a_forged_link_gets_a_page_and_nothing_else(desk, method, token):
    before = desk.everything()
    answer = desk.client.request(method, f"/l/{token}")

    assert answer.status_code in (400, 404)
    assert "open it again from the mail" in answer.text or answer.status_code == 404
    assert desk.everything() == before


def test_a_voided_link_acts_no_more(desk):
    link = desk.link("act", "unfollow kv-cache-compression")
    desk.store.people.void_links(desk.destination.id)

    assert desk.client.post(link).status_code == 400
    assert "kv-cache-compression" in desk.follows


def test_a_link_to_one_s_settings_is_not_any_other_link(desk):
    other = desk.link("leave").removeprefix("/l/")

    assert desk.client.get(f"/l/{other}/export").status_code == 400
    assert desk.client.post(f"/l/{other}", data={"do": "erase for good"}).status_code == 200
    assert desk.subscriber  # it left, as its link says; nothing was erased


# ------------------------------------------------------------------ joining


def mails(desk: Desk) -> list[str]:
    return [line.key for line in desk.store.outbox.queue([DeliveryState.PENDING])]


def join(desk: Desk, address: str, topic: str = "World Models"):
    return desk.client.post("/join", data={"address": address, "topic": topic})


def test_joining_sends_one_mail_and_follows_once_confirmed(empty):
    answer = join(empty, "ada@example.org")
    assert answer.status_code == 200
    assert "A mail is on its way to ada@example.org" in text(answer.text)
    assert len(mails(empty)) == 1
    assert empty.destination.state is DestinationState.PAUSED

    asked = empty.client.get(empty.link("confirm")).text
    assert empty.destination.state is DestinationState.PAUSED
    empty.press(asked, "Confirm")
    assert empty.destination.state is DestinationState.ACTIVE
    assert list(empty.follows) == ["world-models"]


@pytest.mark.parametrize(
    "address", ["", "ada", "a@x.org, b@y.org", "a@x.org\r\nBcc: v@x.org", "<b>@x.org", "x" * 400]
)
def test_a_bad_address_gets_its_form_back_with_what_to_write(empty, address):
    answer = join(empty, address)

    assert answer.status_code == 400
    assert "write it like reader@example.org" in answer.text
    assert mails(empty) == []


@pytest.mark.parametrize("name", ["address", "topic", "other"])
@pytest.mark.parametrize("charset", ["utf-7", "idna", "undefined", "unicode_escape", "no-such"])
def test_a_form_in_any_charset_is_answered_and_no_fault_of_ours(empty, charset, name):
    kind = f"multipart/form-data; boundary=b; charset={charset}"
    part = f'--b\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n%s\r\n--b--\r\n'
    for value in (b"+2AA-@b.org", b"\\ud800@b.org", b"\xff@b.org", b"." * 70):
        body = part.encode() % value
        answer = empty.client.post("/join", content=body, headers={"Content-Type": kind})

        assert answer.status_code in (200, 400)


def test_a_form_that_does_not_say_how_long_it_is_may_not_be_longer(empty):
    parts = [f"f{n}={'a' * 30_000}&".encode() for n in range(3)]
    headers = {"Content-Type": "application/x-www-form-urlencoded"}

    assert empty.client.post("/join", content=iter(parts[:2]), headers=headers).status_code == 400
    assert empty.client.post("/join", content=iter(parts), headers=headers).status_code == 413


def test_a_topic_that_cannot_be_read_sends_nothing(empty):
    answer = join(empty, "ada@example.org", '"unclosed AND (')

    assert answer.status_code == 400
    assert mails(empty) == []


def test_a_thousand_sign_ups_for_one_victim_send_one_mail(empty):
    for n in range(1000):
        tag = f"+{n}" if n % 2 else ""
        empty.core.join(f"ada{tag}@example.org", "World Models", "", f"192.0.2.{n % 250}")

    assert len(mails(empty)) == 1


def test_nobody_follows_for_somebody_else(desk):
    before = set(desk.follows)
    for _ in range(5):
        assert join(desk, "ada@example.org").status_code == 200
    assert set(desk.follows) == before
    assert len(mails(desk)) == 1

    asked = desk.client.get(desk.link("act", "follow World Models")).text
    desk.press(asked, "Follow")
    assert "world-models" in desk.follows


def test_one_source_cannot_sign_up_everybody(empty):
    codes = [join(empty, f"reader{n}@example.org").status_code for n in range(30)]

    assert codes.count(200) == 20
    assert codes[-1] == 429


def test_nor_can_one_whose_network_has_addresses_without_number(empty):
    app, codes = empty.client.app, []
    for n in range(30):
        near = replace(empty, client=TestClient(app, client=(f"2001:db8:1:2::{n:x}", 1)))
        codes.append(join(near, f"reader{n}@example.org").status_code)

    assert codes.count(200) == 20


def test_an_address_is_asked_three_times_and_then_no_more(empty):
    for _ in range(6):
        join(empty, "ada@example.org")
        empty.clock.forward(days=2)

    assert len(mails(empty)) == 3


def test_a_stranger_learns_nothing_about_an_address(desk):
    known, unknown = join(desk, "ada@example.org"), join(desk, "eve@example.org")

    assert text(known.text).replace("ada@", "eve@") == text(unknown.text)


@pytest.mark.parametrize(
    "topic",
    ["(((", "x", "cat:zz.QQ", "for the", "a" * 900, "World Models daily", "World Models by slack",
     "World Models for bob@example.org", '"world models", focused', "2501.01234"],
)  # fmt: skip
def test_nor_by_a_topic_that_nobody_can_follow(desk, topic):
    known, unknown = join(desk, "ada@example.org", topic), join(desk, "eve@example.org", topic)

    assert known.status_code == unknown.status_code == 400
    assert text(known.text).replace("ada@", "eve@") == text(unknown.text)


def test_nor_on_a_day_on_which_too_many_have_joined(desk):
    desk.core.house = replace(
        desk.core.house, wishes=replace(desk.core.house.wishes, joins_a_day=0)
    )

    assert {join(desk, f"{who}@example.org", "").status_code for who in ("ada", "eve")} == {429}


def test_nor_where_no_link_can_be_sent(desk):
    desk.core.house = replace(desk.core.house, links=Links("", b"k" * 32))

    assert {join(desk, f"{who}@example.org").status_code for who in ("ada", "eve")} == {400}


def test_a_stranger_puts_nothing_invisible_into_a_topic(empty):
    join(empty, "ada@example.org", "zebra \x1b]0;took over\x07 \u202efusion\x04 reactors")

    (follow,) = empty.follows.values()
    assert follow.topic.name == "zebra ]0;took over fusion reactors"
    assert follow.topic.query.isprintable()


def test_an_address_is_one_whatever_its_case_and_is_written_to_as_it_was_typed(empty):
    join(empty, "Ada@Example.org")
    join(empty, "ada@example.ORG", "KV-Cache Compression")
    empty.press(empty.client.get(empty.link("confirm")).text, "Confirm")

    assert [d.address for d in empty.destinations] == ["Ada@example.org"]
    assert set(empty.follows) == {"world-models", "kv-cache-compression"}
    page = empty.client.get(empty.link("person")).text
    assert "A…@example.org" in text(page)
    assert 'name="day"' in page


@pytest.mark.parametrize(("told", "kept"), [("Asia/Tokyo", "Asia/Tokyo"), ("Mars/Olympus", "UTC")])
def test_the_browsers_zone_is_kept_where_it_is_one(empty, told, kept):
    fields = {"address": "ada@example.org", "topic": "World Models", "zone": told}

    assert empty.client.post("/join", data=fields).status_code == 200
    assert empty.destination.zone == kept


def test_an_operator_cannot_add_what_is_no_address(empty):
    odd = Actor(Identity("email", "", "a@x.org, b@y.org"), operator=True)
    reply = empty.core.execute(odd, "follow World Models")

    assert not reply.ok
    assert empty.store.people.everyone() == []


def test_the_form_takes_its_topic_from_the_address_and_escapes_it(empty):
    page = empty.client.get("/join", params={"topic": '"><script>alert(1)</script>'}).text

    assert "<script>alert" not in page
    assert "&lt;script&gt;" in page


# ------------------------------------------------------------------ one's settings


def test_whoever_passed_a_mail_on_makes_its_links_new_by_themselves(desk):
    old, leave = desk.link("person"), desk.link("leave")
    asked = desk.press(desk.client.get(old).text, "New links")
    assert desk.client.get(old).status_code == 200, "nothing is done before the second button"

    assert "The next digest has new ones" in text(desk.press(asked, "Yes, make new ones"))
    assert desk.client.get(old).status_code == 400
    assert desk.client.get(desk.link("person")).status_code == 200
    assert desk.client.post(leave).status_code == 200


def test_the_personal_page_shows_everything_that_was_set(desk):
    desk.core.execute(Actor(ADA), 'mute author:"Jun Li" for 1w')
    desk.core.execute(Actor(ADA), "mute kv-cache-compression for 1w")
    page = text(desk.client.get(desk.link("person")).text)

    assert "a…@example.org" in page
    assert "E-mail: active" in page
    assert "RL for LLM Agents" in page
    assert "KV-Cache Compression muted until" in page
    assert "The author Jun Li" in page
    assert "Europe/Berlin" in page


def test_the_personal_page_says_until_which_hour_something_is_silent(desk):
    desk.core.execute(Actor(ADA), "mute kv-cache-compression until fri 5pm")
    page = text(desk.client.get(desk.link("person")).text)

    assert re.search(r"KV-Cache Compression muted until Fri \d+ \w+ 17:00", page)


def test_the_personal_page_names_a_day_of_these_months_without_its_year(desk):
    desk.core.execute(Actor(ADA), "mute kv-cache-compression for 4 weeks")
    desk.core.execute(Actor(ADA), 'mute author:"Jun Li" for 1 year')
    page = text(desk.client.get(desk.link("person")).text)

    assert re.search(r"KV-Cache Compression muted until \w{3} \d+ \w{3}\s+Unmute", page)
    assert re.search(r"The author Jun Li muted until \w{3} \d+ \w{3} \d{4}", page)


def test_a_mute_that_has_ended_offers_mutes_again(desk, clock):
    desk.core.execute(Actor(ADA), "mute kv-cache-compression for 1w")
    clock.forward(days=10)
    page = desk.client.get(desk.link("person")).text

    assert "muted until" not in text(page)
    assert "Unmute" not in text(page)


def test_a_topic_is_muted_and_unmuted_there(desk):
    page = desk.client.get(desk.link("person")).text
    page = desk.press(page, "Mute 1 week")
    assert "is muted until" in text(page)

    desk.press(page, "Unmute")
    assert all(follow.muted_until is None for follow in desk.follows.values())


def test_the_day_is_changed_and_the_change_undone(desk):
    before = desk.destination
    page = desk.client.post(
        desk.link("person"), data={"day": "weekly fri", "time": "07:30", "zone": "Asia/Tokyo"}
    ).text
    changed = desk.destination
    assert (changed.cadence, changed.zone) == ("weekly fri 07:30", "Asia/Tokyo")
    assert "Friday 07:30" in text(page)

    desk.press(page, "Undo")
    assert (desk.destination.cadence, desk.destination.zone) == (before.cadence, before.zone)


def test_of_several_addresses_the_page_says_which_is_which(desk):
    desk.core.execute(Actor(ADA, operator=True), "email ada@home.example")

    page = text(desk.client.get(desk.link("person")).text)
    assert "E-mail to a…@example.org: active" in page
    assert "E-mail to a…@home.example: active" in page


def test_how_many_papers_come_is_chosen_there(desk):
    when = {"day": "weekly mon", "time": "09:00", "zone": "UTC"}
    desk.client.post(desk.link("person"), data={**when, "most": "20"})
    page = desk.client.get(desk.link("person")).text
    assert desk.destination.most == 20
    assert '<option value="20" selected>at most 20' in page

    desk.client.post(desk.link("person"), data=when)
    assert desk.destination.most == 20, "a page that was opened before knows nothing of it"
    desk.client.post(desk.link("person"), data={**when, "most": "0"})
    assert desk.destination.most == 0


def test_a_short_digest_leads_to_the_papers_that_it_does_not_show(desk):
    desk.core.execute(Actor(ADA), "digest at most 2")
    arxiv = ArxivByHand()
    arxiv.announce(*list(invented.papers())[60:90])
    desk.core.ingest(arxiv)
    desk.clock.forward(days=8)
    desk.core.prepare()
    asyncio.run(desk.core.deliver("email"))
    sent = desk.store.outbox.last(desk.destination.id)
    told = desk.store.papers.some(desk.store.outbox.contents(sent.delivery).papers)
    mail = message_from_bytes(desk.store.outbox.page(sent.key, 0, desk.subscriber), policy=default)
    plain = mail.get_body(("plain",)).get_content()
    doors = re.findall(rf"\d+ more +{WEB}(/l/\S+)", plain)
    pages = [html.fromstring(desk.client.get(each).text) for each in doors]
    behind = [a.get("href") for page in pages for a in page.xpath("//ol[@class='rows']//a")]

    shown = [paper.url for paper in told if paper.url in plain]
    assert f"The best 2 of {len(told)} papers." in plain
    assert len(shown) == len(doors) == 2
    assert sorted(behind + shown) == sorted(paper.url for paper in told)


def test_the_page_keeps_several_days_where_only_the_hour_is_changed(desk):
    desk.client.post(desk.link("person"), data={"do": "digest mon and thu 9"})
    page = desk.client.get(desk.link("person")).text
    (chosen,) = re.findall(r'<option value="([^"]+)" selected>Monday and Thursday<', page)
    desk.client.post(desk.link("person"), data={"day": chosen, "time": "07:30", "zone": "UTC"})

    assert desk.destination.cadence == "weekly mon thu 07:30"


def test_the_page_of_a_shared_mailbox_is_about_its_own_digest(desk):
    """The mailbox is Ada's, and a colleague in Slack has a digest of their own in it."""
    bob = Identity("slack", "T1", "U2")
    desk.core.execute(
        Actor(Identity("slack", "T1", "U1"), operator=True), f"email {ADA.external_id}"
    )
    desk.core.execute(Actor(bob), "follow lighthouses")
    desk.core.execute(Actor(bob, operator=True), "email other@example.org")
    desk.core.execute(Actor(bob, operator=True), f"email {ADA.external_id}")
    here, other, theirs = desk.store.people.destinations(desk.store.people.find(bob))
    assert theirs.subscriber_id != desk.subscriber
    page = f"/l/{desk.core.house.links.token('person', theirs.id, theirs.epoch)}"
    changed = desk.client.post(page, data={"day": "daily", "time": "06:30"}).text

    assert "a…@example.org" in changed
    assert [desk.store.people.destination(d.id).cadence for d in (here, other, theirs)] == [
        "weekly mon 09:00", "weekly mon 09:00", "daily 06:30",
    ]  # fmt: skip
    desk.press(changed, "Undo")
    assert desk.store.people.destination(theirs.id).cadence == "weekly mon 09:00"


def test_a_paused_digest_is_resumed_there_and_brings_what_was_missed(desk):
    due = desk.destination.next_due_at
    desk.store.people.set_state(
        desk.destination.id, DestinationState.PAUSED, "550 5.2.1 mailbox disabled"
    )
    page = desk.client.get(desk.link("person")).text
    assert "Stop the digest" in page

    resumed = desk.press(page, "Turn the digest on")
    assert "Nothing was lost meanwhile" in text(resumed)
    assert desk.destination.state is DestinationState.ACTIVE
    assert desk.destination.next_due_at == due
    assert "Turn the digest on" not in resumed


def test_a_stopped_digest_is_turned_on_there(desk):
    stopped = desk.press(desk.client.get(desk.link("person")).text, "Stop the digest")
    desk.press(stopped, "Turn the digest on")

    assert desk.destination.state is DestinationState.ACTIVE


def test_a_zone_that_is_none_is_refused_in_words(desk):
    answer = desk.client.post(
        desk.link("person"), data={"day": "daily", "time": "07:30", "zone": "Mars/Olympus"}
    )

    assert answer.status_code == 400
    assert "Mars/Olympus" in text(answer.text)
    assert desk.destination.cadence == "weekly mon 09:00"


def test_a_topic_is_followed_there(desk):
    desk.client.post(desk.link("person"), data={"topic": "World Models"})

    assert "world-models" in desk.follows


def test_saved_papers_are_listed_and_removed(desk):
    paper = next(iter(desk.store.papers.some([1])))
    desk.core.execute(Actor(ADA), f"save {paper.arxiv_id}")
    page = desk.client.get(desk.link("person")).text
    assert paper.title in text(page)

    desk.press(page, "Remove")
    assert desk.store.people.saved(desk.subscriber) == []


def test_no_form_stands_where_only_words_may(desk):
    """What HTML forbids, browsers mend in their own ways: a form within a span."""
    desk.core.execute(Actor(ADA), 'mute "round robin" for 2w')
    save_all(desk)
    page = html.fromstring(desk.client.get(desk.link("person")).text)

    assert len(page.xpath("//li//form")) > 10
    assert not page.xpath("//span//form") + page.xpath("//p//form")
    assert all(page.xpath("//li//*[@class='doors']/@aria-label"))


def save_all(desk) -> list[Paper]:
    """Everything that is stored, saved one a minute; the latest saved first."""
    papers = desk.store.papers.some(range(1, 1001))
    for paper in papers:
        desk.clock.forward(minutes=1)
        desk.core.execute(Actor(ADA), f"save {paper.arxiv_id}")
    return papers[::-1]


def test_everything_that_was_saved_is_counted_and_found_page_by_page(desk):
    saved = save_all(desk)
    own = desk.link("person")
    first, last = desk.client.get(own).text, desk.client.get(f"{own}?page=2").text

    assert len(saved) == 60
    assert "Saved papers 60" in text(first)
    assert "1–50 of 60" in text(first)
    assert saved[0].title in text(first)
    assert f'href="{own}?page=2#saved"' in first
    assert "51–60 of 60" in text(last)
    assert saved[-1].title in text(last)
    assert "51–60 of 60" in text(desk.client.get(f"{own}?page=99").text), "the nearest page"


def test_a_paper_saved_long_ago_is_removed_where_it_is_seen(desk):
    oldest = save_all(desk)[-1]
    page = desk.client.get(f"{desk.link('person')}?page=2").text

    answer = desk.client.post(
        f"{desk.link('person')}?page=2", data={"do": f"unsave {oldest.arxiv_id}"}
    )
    assert f'action="{desk.link("person")}?page=2"' in page
    assert "51–59 of 59" in text(answer.text)
    assert oldest.seq not in desk.store.people.saved(desk.subscriber)


@pytest.mark.parametrize(("kind", "mark"), [("bib", "@misc"), ("ris", "TY  -"), ("csv", "/abs/")])
def test_everything_that_was_saved_is_taken_along(desk, kind, mark):
    save_all(desk)
    answer = desk.client.get(f"{desk.link('person')}/saved.{kind}")

    assert answer.text.count(mark) == 60
    assert answer.headers["Content-Disposition"] == f'attachment; filename="saved.{kind}"'
    assert answer.headers["Cache-Control"] == "no-store"
    assert f"{desk.link('person')}/saved.{kind}" in desk.client.get(desk.link("person")).text


def test_who_asks_in_words_to_be_forgotten_hears_of_the_button_of_their_page(desk):
    reply = desk.core.execute(Actor(ADA, operator=True), "erase")
    page = text(desk.client.get(desk.link("person")).text)

    assert "“Forget everything”" in text_of(reply.lines[1], "UTC")
    assert "Forget everything" in page


@pytest.mark.parametrize("path", ["pforged/saved.bib", "{own}/saved.exe"])
def test_saved_papers_are_for_their_reader_and_in_known_forms(desk, path):
    own = desk.link("person").removeprefix("/l/")
    assert desk.client.get("/l/" + path.format(own=own)).status_code in (400, 404)


def test_everything_kept_can_be_taken_along(desk):
    answer = desk.client.get(f"{desk.link('person')}/export")

    assert answer.headers["Content-Disposition"].startswith("attachment")
    assert answer.json()["identities"] == ["email:ada@example.org"]


def test_erasing_asks_first_and_forgets_wholly(desk):
    link = desk.link("person")
    asked = desk.press(desk.client.get(link).text, "Forget everything")
    assert desk.subscriber

    forgotten = desk.press(asked, "Yes, forget everything")
    assert "forgotten" in text(forgotten)
    assert desk.subscriber == 0
    assert desk.client.get(link).status_code == 400


def test_a_huge_form_is_refused(desk):
    answer = desk.client.post(desk.link("person"), data={"topic": "x" * 100_000})

    assert answer.status_code == 413


def test_what_was_typed_is_never_markup(desk):
    answer = desk.client.post(desk.link("person"), data={"topic": "<script>alert(1)</script>"})

    assert "<script>alert" not in answer.text


@pytest.mark.parametrize("mark", [".", ",", ")", ">", "%3E", "%20", "%0D%0A", ".)"])
def test_a_mark_that_a_mail_program_took_for_a_part_of_the_link_does_no_harm(desk, mark):
    assert desk.client.get(desk.link("leave") + mark).status_code == 200
