"""One installation for all workspaces of an organisation: who somebody is, wherever they are."""

import pytest

from bot.model import DestinationState
from bot.slack_app import Workspaces, build
from bot.store import Installation
from tests.slack_app.conftest import words

IN_ORGANISATION = {
    "authorizations": [{"enterprise_id": "E1", "team_id": "T1", "is_enterprise_install": True}]
}


def state(store, address):
    (destination,) = store.people.at("slack", address)
    return destination.state


@pytest.fixture
async def wally(core, store, clock, server, ada):
    """Somebody of an organisation that installed the app for all its workspaces."""
    store.slack.install(Installation("E1", "", "Org", "xoxb-org", "B1", "UBOT", "W1", clock()))
    ada.app = build(core, store, Workspaces(store.slack, clock, base_url=server.url), clock)
    ada.user = "W77"
    await ada.type("follow world models", enterprise_id="E1", is_enterprise_install="true")
    yield ada
    await ada.app.finish()


async def test_what_somebody_of_it_writes_means_the_same_person(wally, store):
    answer = await wally.write("list", envelope=IN_ORGANISATION)

    assert "World Models" in words(answer)
    assert not store.people.at("slack", "T1:W77")


async def test_a_conversation_of_it_pauses_too(wally, server, store):
    server.members["C1"].add("W77")
    await wally.type("follow world models in <#C1>", enterprise_id="E1",
                     is_enterprise_install="true")  # fmt: skip
    await wally.event("channel_archive", channel="C1", envelope=IN_ORGANISATION)

    assert state(store, "E1:C1") is DestinationState.PAUSED


async def test_an_organisation_that_removes_the_app_pauses_in_all_its_workspaces(wally, store):
    await wally.event("app_uninstalled", envelope={"enterprise_id": "E1"})

    assert store.slack.installation("", "E1").gone_why == "app_uninstalled"
    assert state(store, "E1:W77") is DestinationState.PAUSED
