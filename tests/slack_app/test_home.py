"""App Home and the windows."""

from datetime import UTC, datetime

import pytest

from bot.core import Actor
from bot.model import DestinationState, Identity
from tests.slack_app.conftest import labels, words
from tests.slack_server import RATE

ADA = Identity("slack", "T1", "U1")


def home(server, user="U1") -> str:
    return words(server.homes[user])


def action_id_of(label, view):
    elements = [e for block in view["blocks"] for e in block.get("elements", ())]
    return next(e["action_id"] for e in elements if e.get("text", {}).get("text") == label)


async def open_home(person) -> None:
    await person.event("app_home_opened", tab="home", channel="D1")


async def test_an_empty_home_says_how_to_begin(ada, server):
    await open_home(ada)

    assert "You follow nothing yet." in home(server)
    assert "Follow a topic" in labels(server.homes["U1"])


async def test_what_is_muted_is_shown_to_who_follows_nothing_too(ada, server):
    await ada.type('mute author:"Jun Li" for 2w')
    await open_home(ada)

    assert "Jun Li" in home(server)
    assert 'unmute author:"Jun Li"' in labels(server.homes["U1"]).values()


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


async def test_a_mute_that_has_ended_is_not_shown_and_offers_a_mute_again(ada, server, clock):
    await ada.type("follow world models")
    await ada.type("mute world models for 1w")
    clock.forward(days=10)
    await open_home(ada)

    assert "muted until" not in home(server)
    assert {"Mute for 1 week", "Unmute"} & labels(server.homes["U1"]).keys() == {"Mute for 1 week"}


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


async def test_every_saved_paper_is_a_press_away(ada, server):
    await ada.type("save 2611.00002")
    await open_home(ada)
    await ada.press_at_home("saved", action_id_of("All saved papers", server.homes["U1"]))

    assert "1 saved paper" in words(server.views[-1])


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


async def test_settings_say_how_many_papers_a_digest_shows(ada, server, store):
    await ada.type("follow world models")
    entered = {"days": "weekly mon", "at": "09:00", "zone": "Europe/Berlin", "breadth": "keep"}
    for most in ("20", "20", "0"):
        await ada.submit(await settings_window(ada, server), **entered, most=most)
        (own,) = store.people.at("slack", "T1:U1")
        assert own.most == int(most)


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


@pytest.fixture
def soon(monkeypatch):
    """Slack asks for patience, and it is short."""
    monkeypatch.setattr("bot.slack_app.trouble.LONGEST_PAUSE_S", 0.01)


async def test_where_slack_asks_for_patience_home_is_shown_after_the_pause(ada, server, soon):
    await ada.type("follow world models")
    await open_home(ada)
    server.script("views.publish", RATE)
    await ada.press_at_home("unfollow world-models")

    assert "No longer following World Models" in home(server)


async def test_nor_does_a_window_stay_at_one_moment(ada, server, soon):
    server.script("views.update", RATE)
    await ada.press("settings", "open:settings")
    window = server.views[-1]
    assert "When the digest comes" in words(window)
    server.script("views.update", RATE)
    await ada.submit(window, days="daily", at="08:00", zone="Europe/Berlin", breadth="keep")

    assert "The digest comes every day 08:00" in words(server.views[-1])


async def test_settings_of_a_paused_digest_turn_it_on_and_not_off(ada, server, store):
    await ada.type("follow world models")
    (own,) = store.people.at("slack", "T1:U1")
    store.people.set_state(own.id, DestinationState.PAUSED, "restricted_action")
    await ada.press("settings", "open:settings")
    (days,) = [each for each in server.views[-1]["blocks"] if each["block_id"] == "days"]
    shown = days["element"]["initial_option"]["value"]
    await ada.submit(server.views[-1], days=shown, at="09:00", zone="Europe/Berlin", breadth="keep")

    assert shown == "weekly mon"
    assert store.people.at("slack", "T1:U1")[0].state is DestinationState.ACTIVE


@pytest.mark.parametrize("state", [DestinationState.PAUSED, DestinationState.OFF])
async def test_home_says_that_a_digest_is_stopped_and_not_that_there_is_none(
    ada, server, store, state
):
    await ada.type("follow world models")
    (own,) = store.people.at("slack", "T1:U1")
    store.people.set_state(own.id, state, "restricted_action")
    await open_home(ada)

    assert f"Your digest is {state.value}" in home(server)
    assert "No digest is set yet" not in home(server)


async def test_what_windows_tell_to_type_can_be_typed_in_slack(ada, server):
    await open_home(ada)
    await ada.press("follow", "open:follow")
    await ada.submit(server.views[-1], topic="glass harmonica")

    assert "Change it with /papers edit glass harmonica" in words(server.views[-1])


@pytest.fixture
async def much(ada, server, core):
    """Ada follows 45 topics and has silenced twelve authors; she looks at the third page."""
    await ada.type('follow "gadget number 0"')
    others = [f'follow "gadget number {n}"' for n in range(1, 45)]
    for said in (*others, *(f'mute author:"Jun Li{n}"' for n in range(12))):
        assert core.execute(Actor(ADA), said).ok
    await open_home(ada)
    await ada.press_at_home("40", "home:next")
    return server


async def test_a_press_on_a_later_page_leaves_it_open(ada, much):
    await ada.press_at_home("unfollow gadget-number-42")

    assert "No longer following" in home(much)
    assert "gadget number 43" in home(much)
    assert "gadget number 0" not in home(much)


async def test_the_page_before_comes_where_the_last_topic_of_one_goes(ada, much):
    for n in range(40, 45):
        await ada.press_at_home(f"unfollow gadget-number-{n}")

    assert "gadget number 39" in home(much)


async def test_home_says_that_it_does_not_show_every_mute(ada, much):
    assert "2 more muted; /papers list shows everything." in home(much)


async def open_mute(person, server, name="World Models"):
    """Choose *Mute until …* beside a topic at home; the window that opens."""
    await open_home(person)
    blocks = [{**each, "block_id": str(n)} for n, each in enumerate(server.homes["U1"]["blocks"])]
    body = person.press_body("", "menu:0")
    body["view"] = {"id": "VH", "type": "home", "blocks": blocks}
    (action,) = body["actions"]
    action["selected_option"] = {"value": labels(server.homes["U1"])["Mute until …"]}
    action["block_id"] = next(each["block_id"] for each in blocks if name in str(each))
    await person.dispatch(body)
    await person.settle()
    return server.views[-1]


async def test_mute_until_asks_for_a_day_to_come(ada, server):
    await ada.type("follow world models")
    window = await open_mute(ada, server)
    assert "World Models" in words(window)

    late = await ada.submit(window, until="2026-11-30")
    assert "Choose a day to come." in late.body
    await ada.submit(window, until="2026-12-24")
    assert "is muted until Thu 24 Dec" in words(server.views[-1])
    assert "muted until Thu 24 Dec" in home(server)


@pytest.mark.parametrize(
    ("zone", "utc", "today", "tomorrow"),
    [
        ("America/Los_Angeles", "2026-12-01 04:00", "2026-11-30", "2026-12-01"),
        ("Pacific/Auckland", "2026-11-30 20:00", "2026-12-01", "2026-12-02"),
    ],
)
async def test_a_day_to_come_is_one_where_the_person_is(
    ada, server, clock, zone, utc, today, tomorrow
):
    server.users["U1"] = {"tz": zone}
    clock.set(datetime.fromisoformat(utc).replace(tzinfo=UTC))
    await ada.type("follow world models")
    window = await open_mute(ada, server)

    assert "Choose a day to come." in (await ada.submit(window, until=today)).body
    assert not (await ada.submit(window, until=tomorrow)).body.count("Choose")
    assert "is muted until" in words(server.views[-1])


async def test_a_window_changes_no_conversation(ada, server, store):
    """Nobody there would see it, and nobody would have asked whether the person is a member."""
    server.members["C1"] = {"U2"}
    await open_home(ada)
    await ada.press("follow", "open:follow")
    await ada.submit(server.views[-1], topic="world models in <#C1>")

    assert "type that in the conversation itself" in words(server.views[-1])
    assert not store.people.at("slack", "T1:C1")


@pytest.mark.parametrize(("value", "action"), [
    ("settings", "open:settings"), ("follow", "open:follow"), ("world-models", "ask:0"),
])  # fmt: skip
async def test_somebody_of_another_workspace_gets_no_window(ada, server, value, action):
    seen = await ada.press(value, action, user={"id": "U9", "team_id": "T9"})

    assert "You are in another workspace" in words(seen)
    assert server.views == []


async def test_nor_does_a_window_of_theirs_change_anything(ada, server, store):
    await ada.press("follow", "open:follow")
    await ada.submit({**server.views[-1], "app_installed_team_id": "T1"}, team="T9",
                     topic="world models")  # fmt: skip

    assert "You are in another workspace" in words(server.views[-1])
    assert not store.people.at("slack", "T9:U1")


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


@pytest.mark.parametrize(
    ("value", "action"), [("topic rl-for-llm-agents", "menu:0"), ("follow", "open:follow")]
)
async def test_at_home_it_is_said_there(ada, server, value, action):
    await open_home(ada)
    server.script("views.open", "expired_trigger_id")
    await ada.press_at_home(value, action)

    assert "That took too long to open; press it again." in home(server)


async def test_of_many_changes_each_is_said_in_a_line(ada, server):
    for n in range(20):
        await ada.type(f'follow "gadget number {n}"')
    await ada.press("settings", "open:settings")
    await ada.submit(
        server.views[-1], days="weekly mon", at="09:00", zone="Europe/Berlin", breadth="focused"
    )

    said = words(server.views[-1]).splitlines()
    assert len(said) == 13
    assert said[-1] == "And 8 more."


@pytest.mark.parametrize("callback", ["settings_v0", ""])
async def test_an_unknown_window_is_acknowledged(ada, callback):
    answer = await ada.submit({"type": "modal", "callback_id": callback, "blocks": []})

    assert answer.status == 200


@pytest.mark.parametrize("typed", ["follow world models", "/papers follow world models here"])
async def test_a_command_in_the_window_for_a_topic_means_the_topic(ada, server, typed):
    await ada.press("follow", "open:follow")
    await ada.submit(server.views[-1], topic=typed)

    assert "Following World Models" in words(server.views[-1])
