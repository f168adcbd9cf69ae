"""Conversations and workspaces come and go; what people set stays."""

import pytest

from bot.model import DestinationState
from tests.slack_app.conftest import words


def state(store):
    (destination,) = store.people.at("slack", "T1:C1")
    return destination.state, destination.reason


@pytest.fixture
async def lab_digest(ada):
    await ada.type("follow world models in <#C1>")


@pytest.mark.parametrize(
    ("kind", "event", "why"),
    [
        ("channel_archive", {"channel": "C1"}, "the conversation is archived"),
        ("group_archive", {"channel": "C1"}, "the conversation is archived"),
        ("channel_deleted", {"channel": "C1"}, "the conversation was deleted"),
        ("member_left_channel", {"channel": "C1", "user": "UBOT"}, "Paperround was removed from"),
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


async def test_other_people_coming_and_going_change_nothing(ada, store, lab_digest):
    await ada.event("member_left_channel", channel="C1", user="U2")
    await ada.event("channel_rename", channel={"id": "C1", "name": "new-name"})

    assert state(store)[0] is DestinationState.ACTIVE


async def test_an_off_digest_is_not_turned_on_by_an_invitation(ada, store, lab_digest):
    await ada.type("digest off in <#C1>")
    await ada.event("member_joined_channel", channel="C1", user="UBOT")

    assert state(store)[0] is DestinationState.OFF


async def test_a_refusal_at_delivery_pauses_and_tells_who_set_it(
    ada, core, source, clock, server, store, lab_digest
):
    from tests.slack_app.conftest import NOW, some_papers

    source.waiting = some_papers(3, "world models", first=200)
    core.ingest(source)
    clock.set(NOW.replace(day=7, month=12, hour=8, minute=1))
    core.prepare()
    server.script("chat.postMessage", "not_in_channel")
    await core.deliver("slack")
    assert state(store)[0] is DestinationState.PAUSED
    await core.deliver("slack")
    letter = server.messages[-1]

    assert letter["channel"] == "D1"
    assert "/invite @Papers" in words(letter)


async def test_every_event_is_acknowledged(ada):
    for kind in ("reaction_added", "team_join", "channel_rename", "app_rate_limited"):
        assert (await ada.event(kind)).status == 200


async def test_a_workspace_that_removes_the_app_keeps_everything(core, store, clock, server, ada):
    from bot.slack_app import Workspaces, build
    from bot.store import Installation

    store.slack.install(Installation("", "T1", "Lab", "xoxb-1", "B1", "UBOT", "U1", clock()))
    workspaces = Workspaces(store.slack, clock, base_url=server.url)
    ada.app = build(core, store, workspaces, clock)
    await ada.type("follow world models")
    await ada.event("tokens_revoked", tokens={"oauth": ["U1"]})
    assert workspaces.token("T1") == "xoxb-1"
    await ada.event("app_uninstalled")

    assert workspaces.token("T1") is None
    assert store.slack.installation("T1").gone_why == "app_uninstalled"
    assert store.people.at("slack", "T1:U1")[0].state is DestinationState.ACTIVE
    await ada.dispatch(ada.command_body("list"))
    assert "not installed in your workspace" in server.answers[-1]["text"]
    await ada.app.finish()


async def test_an_organisation_speaks_for_its_workspaces(core, store, clock, server, ada):
    from bot.slack_app import Workspaces, build
    from bot.store import Installation

    store.slack.install(Installation("E1", "", "Org", "xoxb-org", "B1", "UBOT", "W1", clock()))
    ada.app = build(core, store, Workspaces(store.slack, clock, base_url=server.url), clock)
    ada.user = "W77"
    await ada.type("follow world models", enterprise_id="E1", is_enterprise_install="true")

    assert store.people.at("slack", "E1:W77")
    await ada.app.finish()


async def test_no_request_asks_slack_who_we_are(ada, server):
    for _ in range(5):
        await ada.type("list")

    assert len(server.called("auth.test")) == 1
    assert len(server.called("users.info")) == 1
