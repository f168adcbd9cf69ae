"""Digests of conversations: who may change them, from where, and what everyone there sees."""

import pytest

from tests.slack_app.conftest import labels, words
from tests.slack_server import LOSE, RATE


async def test_a_conversation_gets_its_own_digest_and_one_visible_line(ada, server):
    seen = await ada.type("follow world models in <#C1|vision-lab>")

    assert "in the conversation" in words(seen)
    line = server.messages[-1]
    assert line["channel"] == "C1"
    assert words(line).startswith(
        "<@U1> set a digest here (Monday 09:00 Europe/Berlin): World Models."
    )
    assert "/papers digest off" in words(line)
    assert labels(seen)["Undo"] == "unfollow world-models in <#C1>"
    assert labels(seen)["Daily instead"] == "digest daily in <#C1>"


async def test_a_button_about_a_conversation_never_changes_the_person(ada, core):
    await ada.type("follow diffusion models")
    seen = await ada.type("follow world models in <#C1>")
    await ada.press(labels(seen)["Daily instead"])

    mine = await ada.type("settings")
    assert "Monday 09:00" in words(mine)
    assert "every day 09:00" in words(await ada.type("settings in <#C1>"))


async def test_a_personal_button_in_a_conversation_never_changes_the_conversation(ada, server):
    await ada.type("follow world models in <#C1>")
    ada.channel = "C1"
    seen = await ada.type("follow diffusion models")
    before = len(server.messages)
    pressed = await ada.press(labels(seen)["Daily instead"])

    assert "every day 09:00" in words(pressed)
    assert len(server.messages) == before
    assert "Monday 09:00" in words(await ada.type("settings in <#C1>"))


async def test_lines_that_are_requests_of_their_own_are_offered_one_by_one(ada):
    seen = await ada.write("follow world models\nfollow diffusion models")

    assert "These are 2 requests" in words(seen)
    assert "follow diffusion models" in labels(seen).values()


async def test_where_we_are_not_a_member_the_words_say_how_to_invite(ada, server):
    server.conversations["C2"] = {"id": "C2", "is_member": False}
    server.conversations["C3"] = {"id": "C3", "is_member": True, "is_archived": True}
    server.members["C2"] = {"U1"}

    assert "/invite @Papers" in words(await ada.type("follow world models in <#C2>"))
    assert "/invite @Papers" in words(await ada.type("follow world models in <#C404>"))
    assert "archived" in words(await ada.type("follow world models in <#C3>"))


@pytest.mark.parametrize(
    "typed", ["unsubscribe world models", "snooze world models", "pause for 2w", "schedule off"]
)
async def test_letting_go_by_any_word_works_in_an_archived_conversation(ada, server, typed):
    await ada.type("follow world models in <#C1>")
    server.conversations["C1"]["is_archived"] = True

    assert "archived" not in words(await ada.type(f"{typed} in <#C1>"))


async def test_letting_go_works_where_a_conversation_is_lost(ada, server):
    await ada.type("follow world models in <#C1>")
    del server.conversations["C1"], server.members["C1"]
    server.script("conversations.members", "channel_not_found")

    seen = await ada.type("unfollow world models in <#C1>")
    assert "No longer following World Models" in words(seen)


@pytest.mark.parametrize("asked", ["list", "settings", "status", "resume", "unmute all"])
async def test_nobody_looks_into_a_conversation_that_is_lost(ada, server, asked):
    await ada.type("follow world models in <#C1>")
    del server.conversations["C1"], server.members["C1"]
    server.script("conversations.members", "channel_not_found")

    seen = words(await ada.type(f"{asked} in <#C1>"))
    assert "Slack does not say just now whether you are in" in seen
    assert "World Models" not in seen


async def test_only_members_of_a_conversation_change_its_digest(ada, server):
    server.members["C1"] = {"U2"}

    seen = await ada.type("follow world models in <#C1>")
    assert seen["text"] == "Only members of <#C1> can change its digests."


@pytest.mark.parametrize("words_typed", ["follow world models", "mute all", "list"])
@pytest.mark.parametrize("failure", [RATE, "internal_error", LOSE])
async def test_while_slack_does_not_say_who_is_a_member_nothing_happens(
    ada, server, store, words_typed, failure
):
    server.members["C1"] = {"U2"}
    server.script("conversations.members", failure, failure)  # aiohttp asks again by itself

    seen = await ada.type(f"{words_typed} in <#C1>")
    assert "Slack does not say just now whether you are in <#C1>" in words(seen)
    assert not store.people.at("slack", "T1:C1")


async def test_among_very_many_members_nobody_is_called_a_stranger(ada, server, monkeypatch):
    monkeypatch.setattr("bot.slack_app.permission.PAGES", 0)

    assert "type this in <#C1> itself" in words(await ada.type("follow world models in <#C1>"))
    seen = await ada.type("follow world models in <#C1>", channel_id="C1")
    assert "in the conversation" in words(seen)


async def test_only_what_stops_a_digest_is_letting_go(ada, server):
    server.conversations["C1"]["is_member"] = False

    seen = await ada.type("follow on and off policy learning in <#C1>")
    assert "/invite @Papers" in words(seen)


async def test_whose_standing_slack_does_not_say_is_asked_to_try_again(ada, server):
    server.script("users.info", RATE, RATE)
    await ada.type("follow world models in <#C1>")
    refused = words(server.answers[-1])
    elsewhere = words(await ada.type("digest", channel_id="C1"))

    assert "It is not known just now whether you are a full member" in refused
    assert "Only members" not in elsewhere
    assert "in the conversation" in words(await ada.type("follow world models in <#C1>"))


async def test_who_was_known_yesterday_is_known_while_slack_says_nothing(ada, server, clock):
    await ada.type("list")
    clock.forward(hours=25)
    server.script("users.info", RATE)

    assert "in the conversation" in words(await ada.type("follow world models in <#C1>"))


async def test_guests_read_for_themselves_but_change_no_conversation(app, server):
    from tests.slack_app.conftest import Person

    guest = Person(app, server, user="UGUEST")
    assert "Following" in words(await guest.type("follow world models"))
    refused = await guest.type("follow world models in <#C1>")
    assert "Only members of this workspace" in words(refused)


async def test_somebody_of_another_workspace_gets_a_polite_sentence(ada):
    pressed = await ada.press("save 2611.00001", user={"id": "U77", "team_id": "T2"})

    assert "You are in another workspace" in pressed["text"]


async def test_nor_does_one_whose_words_come_through_a_shared_conversation(ada, server, store):
    ada.user = "U9"
    server.users["U9"] = {"team_id": "T9", "is_stranger": True}
    await ada.event(
        "app_mention", channel="C1", text="<@UBOT> follow world models", ts="1.1", user_team="T9",
        envelope={"team_id": "T9", "is_ext_shared_channel": True,
                  "authorizations": [{"team_id": "T1", "is_enterprise_install": False}]},
    )  # fmt: skip

    assert "You are in another workspace" in words(server.ephemerals[-1])
    assert not store.people.at("slack", "T9:U9")


@pytest.mark.parametrize("here", [
    "in here", "here", "in this channel", "for this group", "in this thread",
])  # fmt: skip
async def test_here_is_the_conversation_it_is_typed_in(ada, store, here):
    seen = await ada.type(f"follow world models {here}, focused", channel_id="C1")

    assert "Following World Models" in words(seen)
    assert "in the conversation" in words(seen)
    assert store.people.at("slack", "T1:C1")


@pytest.mark.parametrize("here", ["in here", "here"])
async def test_among_ourselves_here_is_for_me(ada, store, here):
    assert "Following World Models" in words(await ada.type(f"follow world models {here}"))
    assert store.people.at("slack", "T1:U1")


async def test_a_channel_is_asked_for_where_there_is_none(ada):
    assert "Which conversation?" in words(await ada.type("follow world models in this channel"))


async def test_here_too_we_must_be_a_member(ada, server):
    server.conversations["C2"] = {"id": "C2", "is_member": False}
    seen = await ada.type("follow world models in here", channel_id="C2")

    assert "I'm not in <#C2>" in words(seen)


async def test_a_question_about_here_stays_whole(ada):
    seen = await ada.type("ask rl-for-llm-agents: what is studied here", channel_id="C1")

    assert "Name one conversation" not in words(seen)
    assert "Which" not in words(seen)
