"""Whoever types an address is sent one mail, and strangers learn nothing."""

import re
from dataclasses import replace

import pytest
from starlette.testclient import TestClient

from bot.core.reply import Actor
from bot.links import Links
from bot.model import DeliveryState, DestinationState, Identity
from tests.web.people.reader import Desk, text


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


def test_a_topic_that_is_asked_about_is_chosen_by_a_button(empty):
    asked = join(empty, "ada@example.org", "World Models, daily")
    chosen = re.search(r'<button name="topic" value="([^"]+)">Follow it<', asked.text)

    assert asked.text.index(">Follow</button>") < chosen.start()  # as Enter presses the first
    assert chosen[1] == "World Models"
    assert join(empty, "ada@example.org", chosen[1]).status_code == 200


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
