"""Conversations and workspaces come and go; what people set stays."""

import pytest

from bot.model import DestinationState, Identity
from bot.slack_app import Workspaces, build
from bot.store import Installation
from tests.slack_app.conftest import NOW, labels, some_papers, words
from tests.slack_server import DROP, LOSE, RATE


def state(store):
    (destination,) = store.people.at("slack", "T1:C1")
    return destination.state, destination.reason


@pytest.fixture
async def lab_digest(ada):
    await ada.type("follow world models in <#C1>")


@pytest.fixture
def monday(core, source, clock):
    """Papers come, and on Monday the digests of them are composed."""

    def composed() -> None:
        source.waiting = some_papers(3, "world models", first=200)
        core.ingest(source)
        clock.set(NOW.replace(day=7, month=12, hour=8, minute=1))
        core.prepare()

    return composed


@pytest.mark.parametrize(
    ("kind", "event", "why"),
    [
        ("channel_archive", {"channel": "C1"}, "the conversation is archived"),
        ("group_archive", {"channel": "C1"}, "the conversation is archived"),
        ("channel_deleted", {"channel": "C1"}, "the conversation was deleted"),
        ("member_left_channel", {"channel": "C1", "user": "UBOT"}, "Paperround was removed from"),
        ("channel_left", {"channel": "C1"}, "Paperround was removed from"),
        ("group_left", {"channel": "C1"}, "Paperround was removed from"),
    ],
)
async def test_a_conversation_that_goes_pauses_its_digest_and_tells_who_set_it(
    ada, server, store, lab_digest, kind, event, why
):
    await ada.event(kind, **event)

    assert state(store)[0] is DestinationState.PAUSED
    assert why in state(store)[1]
    told = server.messages[-1]
    assert told["channel"] == "D1"
    assert "<#C1> is paused" in told["text"]


async def test_it_is_told_once(ada, server, lab_digest):
    for _ in range(2):
        await ada.event("channel_archive", channel="C1")

    assert sum("is paused" in m["text"] for m in server.messages) == 1


@pytest.mark.parametrize(
    ("kind", "event"),
    [
        ("channel_unarchive", {"channel": "C1"}),
        ("member_joined_channel", {"channel": "C1", "user": "UBOT"}),
    ],
)
async def test_one_that_comes_back_goes_on(ada, store, lab_digest, kind, event):
    await ada.event("channel_archive", channel="C1")
    await ada.event(kind, **event)

    assert state(store) == (DestinationState.ACTIVE, "")


async def test_a_departure_that_is_heard_of_after_the_return_changes_nothing(
    ada, clock, store, server, lab_digest
):
    left_at = int(clock().timestamp())
    clock.forward(minutes=5)
    await ada.event("member_joined_channel", channel="C1", user="UBOT")
    await ada.event("member_left_channel", channel="C1", user="UBOT", event_time=left_at)

    assert state(store) == (DestinationState.ACTIVE, "")
    assert "is paused" not in words(server.messages[-1])


@pytest.fixture
async def renumbered(ada, lab_digest):
    """The lab's private conversation, now shared with another workspace."""
    await ada.event("channel_id_changed", old_channel_id="C1", new_channel_id="C9")


async def test_a_conversation_that_gets_another_id_keeps_its_digest(
    core, server, store, renumbered, monday
):
    monday()
    await core.deliver("slack")

    assert store.people.at("slack", "T1:C1") == []
    assert server.messages[-1]["channel"] == "C9"
    assert store.people.find(Identity.in_slack("T1:C1")) is None
    follows = store.people.follows(store.people.find(Identity.in_slack("T1:C9")))
    assert [follow.topic.slug for follow in follows] == ["world-models"]


async def test_one_whose_old_id_was_refused_meanwhile_goes_on(ada, store, lab_digest):
    (destination,) = store.people.at("slack", "T1:C1")
    store.people.set_state(destination.id, DestinationState.PAUSED, "channel_not_found")
    await ada.event("channel_id_changed", old_channel_id="C1", new_channel_id="C9")

    (destination,) = store.people.at("slack", "T1:C9")
    assert destination.state is DestinationState.ACTIVE


async def test_what_was_set_under_the_new_id_before_slack_told_us_is_united(
    ada, server, store, lab_digest
):
    server.conversations["C2"] = server.conversations["C1"] | {"id": "C2"}
    server.members["C2"] = server.members["C1"]
    await ada.type("follow diffusion models in <#C2>")
    await ada.event("channel_id_changed", old_channel_id="C1", new_channel_id="C2")

    (destination,) = store.people.at("slack", "T1:C2")
    follows = store.people.follows(destination.subscriber_id)
    assert {follow.topic.slug for follow in follows} == {"world-models", "diffusion-models"}


async def test_an_id_that_nobody_set_anything_in_changes_nothing(ada, store, lab_digest):
    await ada.event("channel_id_changed", old_channel_id="C5", new_channel_id="C6")

    assert state(store)[0] is DestinationState.ACTIVE
    assert store.people.at("slack", "T1:C6") == []


async def test_other_people_coming_and_going_change_nothing(ada, store, lab_digest):
    await ada.event("member_left_channel", channel="C1", user="U2")
    await ada.event("channel_rename", channel={"id": "C1", "name": "new-name"})

    assert state(store)[0] is DestinationState.ACTIVE


async def test_an_off_digest_is_not_turned_on_by_an_invitation(ada, store, lab_digest):
    await ada.type("digest off in <#C1>")
    await ada.event("member_joined_channel", channel="C1", user="UBOT")

    assert state(store)[0] is DestinationState.OFF


async def test_a_refusal_at_delivery_pauses_and_tells_who_set_it(
    ada, core, server, store, lab_digest, monday
):
    monday()
    server.script("chat.postMessage", "not_in_channel")
    await core.deliver("slack")
    assert state(store)[0] is DestinationState.PAUSED
    await core.deliver("slack")
    letter = server.messages[-1]

    assert letter["channel"] == "D1"
    assert "could not be brought to <#C1>" in words(letter)
    assert "/invite @Papers" in words(letter)
    seen = await ada.press(labels(letter)["Resume"])
    assert "Digests come again in this conversation" in words(seen)
    assert state(store)[0] is DestinationState.ACTIVE


async def test_every_event_is_acknowledged(ada):
    for kind in ("reaction_added", "team_join", "channel_rename", "app_rate_limited"):
        assert (await ada.event(kind)).status == 200


@pytest.fixture
async def installed(core, store, clock, server, ada):
    """Paperround in several workspaces, of which T1 is one."""
    store.slack.install(installation(clock))
    workspaces = Workspaces(store.slack, clock, base_url=server.url)
    ada.app = build(core, store, workspaces, clock)
    await ada.type("digest daily 9")
    await ada.type("follow world models")
    yield workspaces
    await ada.app.finish()


def installation(clock, team="T1", token="xoxb-1"):
    return Installation("", team, "Lab", token, "B1", "UBOT", "U1", clock())


def own_state(store, address="T1:U1"):
    (destination,) = store.people.at("slack", address)
    return destination.state


def test_the_configured_token_speaks_wherever_it_is_asked_for(store, clock, installed):
    configured = Workspaces(store.slack, clock, token="xoxb-mine")

    assert [configured.token(team) for team in ("T1", "T9")] == ["xoxb-mine"] * 2
    assert installed.token("T9") is None


async def test_a_workspace_that_removes_the_app_keeps_everything(ada, store, server, installed):
    await ada.event("tokens_revoked", tokens={"oauth": ["U1"]})
    assert installed.token("T1") == "xoxb-1"
    await ada.event("app_uninstalled")

    assert installed.token("T1") is None
    assert store.slack.installation("T1").gone_why == "app_uninstalled"
    assert store.people.follows(store.people.at("slack", "T1:U1")[0].subscriber_id)
    await ada.dispatch(ada.command_body("list"))
    assert "not installed in your workspace" in server.answers[-1]["text"]


async def test_its_digests_pause_with_a_reason_until_it_installs_the_app_again(
    ada, clock, store, installed
):
    await ada.event("tokens_revoked", tokens={"bot": ["UBOT"]})
    await ada.event("app_uninstalled")
    (paused,) = store.people.at("slack", "T1:U1")
    clock.forward(days=6)
    store.slack.install(installation(clock, token="xoxb-2"))

    assert paused.state is DestinationState.PAUSED
    assert "install it there again" in paused.reason
    assert ("pause", "slack T1") in [(r.kind, r.subject) for r in store.ledger.runs("pause")]
    assert own_state(store) is DestinationState.ACTIVE


async def test_after_its_return_one_digest_comes_not_many(
    ada, core, source, clock, server, store, installed
):
    await ada.event("app_uninstalled")
    for day in range(6):
        source.waiting = some_papers(1, "world models", first=400 + day)
        core.ingest(source)
        core.prepare()
        await core.deliver("slack")
        clock.forward(days=1)
    server.messages.clear()
    store.slack.install(installation(clock))
    for _ in range(2):
        clock.forward(days=1)
        core.prepare()
        await core.deliver("slack")

    (digest,) = server.messages
    assert "6 new papers" in words(digest)


async def test_the_digests_of_other_workspaces_go_on(ada, clock, store, installed):
    store.slack.install(installation(clock, "T10"))
    ada.team, ada.server.users["U1"] = "T10", {"team_id": "T10"}
    await ada.type("follow world models")
    ada.team = "T1"
    await ada.event("app_uninstalled")

    assert own_state(store, "T10:U1") is DestinationState.ACTIVE


async def test_what_paused_for_another_reason_stays_paused(ada, clock, store, installed):
    await ada.type("follow world models in <#C1>")
    await ada.event("channel_archive", channel="C1")
    await ada.event("app_uninstalled")
    store.slack.install(installation(clock))

    assert state(store) == (DestinationState.PAUSED, "the conversation is archived")


async def test_a_removal_that_is_heard_of_after_the_return_changes_nothing(
    ada, clock, store, installed
):
    removed_at = int(clock().timestamp())
    clock.forward(minutes=5)
    store.slack.install(installation(clock, token="xoxb-2"))
    await ada.event("app_uninstalled", event_time=removed_at)

    assert installed.token("T1") == "xoxb-2"
    assert own_state(store) is DestinationState.ACTIVE


async def test_with_a_token_of_the_configuration_the_next_start_is_the_return(
    ada, core, store, clock, server
):
    await ada.type("follow world models")
    await ada.event("app_uninstalled")
    assert own_state(store) is DestinationState.PAUSED
    workspaces = Workspaces(store.slack, clock, token="xoxb-2", base_url=server.url)
    await build(core, store, workspaces, clock).finish()

    assert own_state(store) is DestinationState.ACTIVE


async def test_while_slack_does_not_say_who_we_are_people_are_served(ada, server):
    server.script("auth.test", RATE, LOSE)

    for _ in range(3):
        assert "You follow nothing yet" in words(await ada.type("list"))
    assert len(server.called("auth.test")) == 3


async def test_a_token_that_is_no_good_says_so(ada, server):
    server.script("auth.test", "invalid_auth")
    await ada.dispatch(ada.command_body("list"))

    assert "not installed in your workspace" in server.answers[-1]["text"]


async def test_no_request_asks_slack_who_we_are(ada, server):
    for _ in range(5):
        await ada.type("list")

    assert len(server.called("auth.test")) == 1
    assert len(server.called("users.info")) == 1


@pytest.fixture
def nobody_says_who_we_are(ada, server):
    """A new process, while Slack answers no question of ours; an event names us all the same."""
    ada.app.workspaces.forget()
    server.script("auth.test", *[RATE] * 9)
    us = {"team_id": "T1", "user_id": "UBOT", "is_bot": True, "is_enterprise_install": False}
    return {"authorizations": [us]}


async def test_a_return_is_noticed_while_slack_does_not_say_who_we_are(
    ada, store, lab_digest, nobody_says_who_we_are
):
    await ada.event("channel_archive", channel="C1")
    await ada.event("member_joined_channel", channel="C1", user="UBOT",
                    envelope=nobody_says_who_we_are)  # fmt: skip

    assert state(store)[0] is DestinationState.ACTIVE


async def test_and_a_mention_is_read_then(ada, server, nobody_says_who_we_are):
    await ada.event("app_mention", channel="C1", text="<@UBOT> follow world models", ts="1.1",
                    envelope=nobody_says_who_we_are)  # fmt: skip

    assert "Following World Models" in words(server.ephemerals[-1])


@pytest.fixture
async def a_digest_waits(ada, core, source, clock):
    await ada.type("follow rl for llm agents in <#C1>")
    source.waiting = some_papers(3, first=300)
    core.ingest(source)
    clock.set(NOW.replace(hour=8, minute=1))
    core.prepare()


def digests(server) -> int:
    return sum("3 new papers" in words(each) for each in server.messages)


async def test_an_hour_without_an_answer_from_slack_holds_no_digest(
    a_digest_waits, core, server, clock
):
    for method in ("chat.postMessage", "conversations.history"):
        server.script(method, *["internal_error"] * 60)
    for _ in range(60):
        await core.deliver("slack")
        clock.forward(minutes=1)
    assert core.standing().held == 0
    assert core.standing().waiting

    server.recover()
    clock.forward(hours=2)
    await core.deliver("slack")
    assert digests(server) == 1


async def test_before_a_hand_is_asked_for_slack_is_asked_whether_it_arrived(
    a_digest_waits, core, server, clock
):
    server.script("chat.postMessage", LOSE, LOSE, DROP)
    for _ in range(4):
        await core.deliver("slack")
        clock.forward(hours=1, minutes=1)

    assert core.standing().held == 0
    assert digests(server) == 1


async def test_while_slack_says_that_it_did_not_arrive_no_hand_is_asked_for(
    a_digest_waits, core, server, clock
):
    tries = [LOSE] * 9
    server.script("chat.postMessage", *tries)
    for _ in range(40):
        await core.deliver("slack")
        clock.forward(hours=1)
    assert core.standing().held == 0
    assert digests(server) == 1


async def test_and_slack_is_asked_less_and_less(a_digest_waits, core, server, clock):
    server.script("chat.postMessage", *[LOSE] * 99)
    for _ in range(24 * 60):
        await core.deliver("slack")
        clock.forward(minutes=1)

    assert len(server.called("chat.postMessage")) < 14


async def test_where_slack_cannot_tell_a_hand_is_asked_for_as_before(
    a_digest_waits, core, server, clock
):
    server.unreadable.add("C1")
    server.script("chat.postMessage", LOSE, LOSE, LOSE)
    for _ in range(5):
        await core.deliver("slack")
        clock.forward(hours=1, minutes=1)

    assert core.standing().held == 1
    assert digests(server) == 0
