"""What is said to the bot in direct messages, beside a mention and in threads."""

import json

import pytest

from tests.slack_app.conftest import words


async def test_direct_messages_understand_the_same_words(ada, server):
    seen = await ada.write("follow “RL for LLM agents”")
    assert "Following" in words(seen)
    assert seen["channel"] == "D1"
    seen = await ada.write("/papers list", thread_ts="5.5")
    assert seen["thread_ts"] == "5.5"


async def test_the_bot_does_not_answer_itself_nor_edits_nor_joins(ada, server):
    for event in (
        {"bot_id": "B9"},
        {"subtype": "message_changed"},
        {"subtype": "channel_join"},
        {"channel_type": "channel"},
        {"user": ""},
    ):
        await ada.event("message", **{"channel": "D1", "channel_type": "im", "text": "x", **event})

    assert server.messages == []


@pytest.mark.parametrize("where", ["", " in <#C1>"])
async def test_a_query_that_begins_like_a_command_is_none(ada, where):
    seen = words(await ada.type(f"follow mute swans{where}"))

    assert "read as mute AND swans\nChange it with /papers edit mute swans" in seen


@pytest.mark.parametrize("event", [{"bot_id": "B9"}, {"user": ""}, {"edited": {"user": "U1"}}])
async def test_a_mention_by_a_bot_or_changed_later_is_no_request(ada, server, event):
    await ada.event(
        "app_mention", **{"channel": "C1", "text": "<@UBOT> list", "ts": "7.7", **event}
    )

    assert server.ephemerals == server.messages == []


async def test_a_mention_amid_a_sentence_is_a_request_too(ada, server):
    await ada.event("app_mention", channel="C1", text="hey <@UBOT>, follow world models", ts="7.7")

    assert words(server.ephemerals[-1]).startswith("Following World Models")


async def test_in_direct_messages_a_mention_is_no_part_of_the_words(ada):
    assert "You follow nothing yet" in words(await ada.write("<@UBOT> list"))


@pytest.mark.parametrize("verb", ["email", "digest", "topics cat:", "follow agents without"])
async def test_a_ping_that_was_typed_letter_by_letter_pings_nobody(ada, verb):
    answer = await ada.type(f"{verb} &lt;@U2&gt;")

    assert "@U2" in words(answer)
    assert "<@U2>" not in answer["text"]
    assert '"user_id"' not in json.dumps(answer)


async def test_a_mention_in_a_thread_is_answered_there_for_one_person(ada, server):
    await ada.event("app_mention", channel="C1", text="<@UBOT> list", ts="7.7", thread_ts="5.5")

    seen = server.ephemerals[-1]
    assert (seen["user"], seen["channel"], seen["thread_ts"]) == ("U1", "C1", "5.5")
    assert "You follow nothing yet" in words(seen)


async def test_what_cannot_be_said_beside_a_mention_comes_as_a_direct_message(ada, server):
    server.script("chat.postEphemeral", "user_not_in_channel")
    await ada.event("app_mention", channel="C1", text="<@UBOT> list", ts="1.1")

    assert server.messages[-1]["channel"] == "D1"
    assert "You follow nothing yet" in words(server.messages[-1])


async def test_a_press_in_a_thread_is_answered_there(ada):
    """What one person alone sees comes without its message, with its container."""
    where = {"type": "message", "channel_id": "C1", "is_ephemeral": True, "thread_ts": "7.7"}
    seen = await ada.press("list", container=where, message=None)

    assert seen["thread_ts"] == "7.7"


async def test_what_people_wrote_never_pings_when_it_is_said_back(ada):
    for text in (
        "follow <!channel> models",
        "topic <!here>",
        "<!everyone>",
        "folow *b* `c` <@U9|x>",
    ):
        seen = await ada.type(text)
        assert "<!" not in seen["text"]
        assert '"broadcast"' not in str(seen)
