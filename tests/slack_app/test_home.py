"""App Home and the windows."""

import pytest

from tests.slack_app.conftest import labels, words


def home(server, user="U1") -> str:
    return words(server.homes[user])


async def open_home(person) -> None:
    await person.event("app_home_opened", tab="home", channel="D1")


async def test_an_empty_home_says_how_to_begin(ada, server):
    await open_home(ada)

    assert "You follow nothing yet." in home(server)
    assert "Follow a topic" in labels(server.homes["U1"])


async def test_home_shows_next_digest_topics_destinations_and_saved_papers(ada, server):
    await ada.type("follow world models")
    await ada.type("follow rl for llm agents")
    await ada.type("mute world models for 2w")
    await ada.type("save 2611.00002")
    await open_home(ada)

    seen = home(server)
    assert "*Next Mon 30 Nov 09:00* · Europe/Berlin" in seen
    assert "Topics (2)" in seen
    assert "*World Models* · muted until Mon 14 Dec" in seen
    assert "Direct messages Monday 09:00 (Europe/Berlin)" in seen
    assert "Rl for llm agents, part 2" in seen
    assert "Thank you to arXiv" in seen


async def test_the_messages_tab_is_no_home(ada, server):
    await ada.event("app_home_opened", tab="messages", channel="D1")

    assert server.homes == {}


async def test_home_follows_what_is_typed_once_it_was_opened(ada, server):
    await ada.type("follow world models")
    assert server.homes == {}
    await open_home(ada)
    await ada.type("mute world models for 1w")

    assert "muted until Mon 7 Dec" in home(server)


async def test_a_press_at_home_changes_it_and_can_be_undone(ada, server):
    await ada.type("follow world models")
    await open_home(ada)
    menu = labels(server.homes["U1"])
    await ada.press_at_home(menu["Unfollow"])

    assert "No longer following World Models" in home(server)
    await ada.press_at_home(labels(server.homes["U1"])["Undo"])
    assert "*World Models*" in home(server)


async def test_open_at_home_shows_the_card_in_a_window(ada, server):
    await ada.type("follow rl for llm agents")
    await open_home(ada)
    await ada.press_at_home(labels(server.homes["U1"])["Open"], "menu:0")

    assert "RL for LLM Agents" in words(server.views[-1])


async def test_a_home_that_slack_refuses_is_logged_and_no_more(ada, server):
    server.script("views.publish", "hash_conflict")
    await open_home(ada)

    assert server.homes == {}
    assert "Following" in words(await ada.type("follow world models"))


# ------------------------------------------------------------------ windows


async def test_settings_open_at_once_and_are_filled_afterwards(ada, server):
    await ada.type("follow world models")
    await ada.press("settings", "open:settings")

    loading, filled = server.views[-2:]
    assert "One moment" in words(loading)
    assert "Europe/Berlin" in str(filled)
    assert filled["callback_id"] == "settings"


async def settings_window(person, server):
    await person.press("settings", "open:settings")
    return server.views[-1]


async def test_settings_change_what_was_entered(ada, server):
    await ada.type("follow world models")
    window = await settings_window(ada, server)
    answer = await ada.submit(
        window, days="weekly fri", at="17:30", zone="Europe/Kyiv", breadth="focused", email=""
    )

    assert '"response_action": "update"' in answer.body
    assert "Friday 17:30" in words(server.views[-1])
    listed = words(await ada.type("list"))
    assert "Friday 17:30 (Europe/Kyiv)" in listed
    assert "focused" in listed


async def test_settings_left_as_they_are_change_nothing(ada, server):
    await ada.type("follow world models")
    window = await settings_window(ada, server)
    await ada.submit(window, days="weekly mon", at="09:00", zone="Europe/Berlin", breadth="keep")

    assert "Nothing was changed." in words(server.views[-1])


async def test_a_wrong_zone_is_said_beside_its_field(ada, server):
    await ada.type("follow world models")
    window = await settings_window(ada, server)
    answer = await ada.submit(window, days="daily", at="09:00", zone="CEST", breadth="keep")

    assert '"response_action": "errors"' in answer.body
    assert "zone" in answer.body


async def test_never_turns_the_digest_off_and_a_day_turns_it_on(ada, server):
    await ada.type("follow world models")
    window = await settings_window(ada, server)
    await ada.submit(window, days="off", at="09:00", zone="Europe/Berlin", breadth="keep")
    assert "off" in words(await ada.type("list"))
    window = await settings_window(ada, server)
    await ada.submit(window, days="daily", at="08:00", zone="Europe/Berlin", breadth="keep")
    assert "next Tue 1 Dec 08:00" in words(await ada.type("list"))


async def test_mute_until_asks_for_a_day_to_come(ada, server):
    await ada.type("follow world models")
    await open_home(ada)
    value = labels(server.homes["U1"])["Mute until …"]
    body = ada.press_body("", "menu:0")
    body["actions"][0]["selected_option"] = {"value": value}
    body["view"] = {
        "id": "VH",
        "type": "home",
        "blocks": [{**each, "block_id": str(n)}
                   for n, each in enumerate(server.homes["U1"]["blocks"])],
    }  # fmt: skip
    body["actions"][0]["block_id"] = next(
        each["block_id"] for each in body["view"]["blocks"] if "World Models" in str(each)
    )
    await ada.dispatch(body)
    await ada.settle()
    window = server.views[-1]
    assert "World Models" in words(window)

    late = await ada.submit(window, until="2026-11-30")
    assert "Choose a day to come." in late.body
    await ada.submit(window, until="2026-12-24")
    assert "is muted until Thu 24 Dec" in words(server.views[-1])
    assert "muted until Thu 24 Dec" in home(server)


async def test_a_question_is_answered_in_its_window(ada, server):
    await ada.press("rl-for-llm-agents", "ask:0")
    await ada.submit(server.views[-1], question="Does reinforcement learning pay off?")

    assert "Reinforcement learning of LLM agents pays off" in words(server.views[-1])


async def test_a_topic_is_followed_from_a_window(ada, server):
    await open_home(ada)
    await ada.press("follow", "open:follow")
    await ada.submit(server.views[-1], topic="world models")

    assert "Following World Models" in words(server.views[-1])
    assert "Topics (1)" in home(server)


async def test_a_window_that_came_too_late_is_said(ada, server):
    server.script("views.open", "expired_trigger_id")
    seen = await ada.press("settings", "open:settings")

    assert seen["text"] == "That took too long to open; press it again."


@pytest.mark.parametrize("callback", ["settings_v0", ""])
async def test_an_unknown_window_is_acknowledged(ada, callback):
    answer = await ada.submit({"type": "modal", "callback_id": callback, "blocks": []})

    assert answer.status == 200
