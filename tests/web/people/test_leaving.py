"""Leaving by a link asks, stops, and can be undone; for ever, and with one click."""

import pytest

from bot.core.reply import Actor
from bot.model import DestinationState
from tests.web.people.reader import ADA, text


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
