"""A reply comes once and is seen, whatever happens on its way."""

import pytest

from tests.slack_app.conftest import words
from tests.slack_server import IN_ITS_PLACE


async def test_another_command_of_the_manifest_is_acknowledged(ada):
    answer = await ada.dispatch({**ada.command_body("x"), "command": "/other"})

    assert "I only know /papers" in answer.body


async def test_what_is_delivered_twice_is_done_once(ada, server):
    body = ada.command_body("follow world models")
    for _ in range(3):
        await ada.dispatch(body)
    await ada.settle()
    assert len(server.answers) == 1
    await ada.event("message", "Ev9", channel="D1", channel_type="im", text="list")
    await ada.event("message", "Ev9", channel="D1", channel_type="im", text="list")
    assert len(server.messages) == 1


async def test_a_repeat_after_a_restart_is_known_from_the_database(
    ada, core, store, clock, server, app
):
    from bot.slack_app import Workspaces, build

    body = ada.command_body("follow world models")
    await ada.dispatch(body)
    await ada.settle()
    workspaces = Workspaces(store.slack, clock, token="xoxb-1", base_url=server.url)
    ada.app = build(core, store, workspaces, clock)
    await ada.dispatch(body)
    await ada.settle()
    await ada.app.finish()

    assert len(server.answers) == 1


async def test_our_failure_is_told_with_a_reference_and_changes_nothing(ada, core, monkeypatch):
    def fails(actor, text):
        raise ZeroDivisionError("a fault of ours")

    monkeypatch.setattr(core, "execute", fails)
    seen = await ada.type("list")

    assert seen["text"].startswith("Something broke (ref ")
    assert seen["text"].endswith("Nothing was changed.")
    assert "ZeroDivision" not in str(seen)


async def test_a_used_up_response_url_becomes_a_direct_message(ada, server):
    body = ada.command_body("list")
    server.uses[body["trigger_id"]] = 5
    await ada.dispatch(body)
    await ada.settle()

    assert server.messages[-1]["channel"] == "D1"


async def test_a_slow_answer_is_announced(ada, core, monkeypatch, server):
    import time

    from bot.slack_app import desk

    execute = core.execute

    def slowly(actor, text):
        time.sleep(0.05)
        return execute(actor, text)

    monkeypatch.setattr(core, "execute", slowly)
    monkeypatch.setattr(desk, "LATE_S", 0.01)
    await ada.type("list")

    assert server.answers[0]["text"] == "Looking …"
    assert len(server.answers) == 2


async def test_a_person_with_too_much_under_way_is_asked_to_wait(ada, core, monkeypatch, server):
    import threading

    gate = threading.Event()
    execute = core.execute

    def held(actor, text):
        gate.wait(60)
        return execute(actor, text)

    monkeypatch.setattr(core, "execute", held)
    for _ in range(12):
        await ada.dispatch(ada.command_body("list"))
    await server.wait(lambda: len(server.answers) == 2)
    gate.set()
    await ada.settle()

    assert sum("One moment" in each["text"] for each in server.answers) == 2
    assert len(server.answers) == 12


async def test_a_reply_that_cannot_be_shown_is_no_silence(ada, monkeypatch):
    from bot.slack_app import door

    def fails(*args, **more):
        raise KeyError("a fault of ours")

    monkeypatch.setattr(door, "reply_message", fails)

    assert "It was done, but cannot be shown" in (await ada.type("list"))["text"]


async def test_what_is_typed_in_a_conversation_comes_to_the_person(ada):
    seen = await ada.type("follow world models", channel_id="C1")

    assert "Your digest comes Monday 09:00 (Europe/Berlin) in your direct messages." in words(seen)


async def test_the_door_never_posts_twice_by_itself_either(ada, server):
    from tests.slack_server import DROP

    server.script("chat.postMessage", DROP)
    await ada.event("message", channel="D1", channel_type="im", text="list")

    assert len(server.called("chat.postMessage")) == 1


@pytest.mark.parametrize("method", [
    "users.info", "conversations.info", "conversations.members", "chat.postEphemeral",
])  # fmt: skip
@pytest.mark.parametrize("answer", IN_ITS_PLACE, ids=lambda each: repr(each.body))
async def test_whoever_answers_in_slacks_place_keeps_nobody_from_a_reply(
    ada, server, method, answer
):
    server.script(method, answer)
    await ada.event("app_mention", channel="C9", ts="1.1",
                    text="<@UBOT> follow world models in <#C1>")  # fmt: skip

    assert server.ephemerals or server.messages


async def test_nor_does_one_who_answers_that_question_of_who_we_are(ada, server):
    server.script("auth.test", IN_ITS_PLACE[0])

    assert "You follow nothing" in words(await ada.type("list"))
