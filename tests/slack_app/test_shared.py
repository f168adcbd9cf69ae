"""Conversations that several companies share (Slack Connect): everybody's own team decides."""

import pytest

from bot.model import DestinationState
from bot.slack_app import Workspaces, build
from bot.store import Installation
from tests.slack_app.conftest import Person, words

OUTSIDE = "You are in another workspace"
SEEN_BY_US = {"is_ext_shared_channel": True, "authorizations": [{"team_id": "T1"}]}


@pytest.fixture
async def both(core, store, clock, server):
    """The app, installed by two companies that share the conversation C1."""
    for team in ("T1", "T2"):
        store.slack.install(
            Installation("", team, team, f"xoxb-{team}", f"B{team}", f"UBOT{team}", "U1", clock())
        )
    server.tokens.update({"xoxb-T1": "T1", "xoxb-T2": "T2"})
    built = build(core, store, Workspaces(store.slack, clock, base_url=server.url), clock)
    yield built
    await built.finish()


@pytest.fixture
def theo(both, server):
    """Somebody of the second company."""
    server.users["U9"] = {"team_id": "T2"}
    return Person(both, server, user="U9", team="T2")


async def mention(person, words_, named=SEEN_BY_US, **event):
    await person.event("app_mention", channel="C1", text=words_, ts="1.1", envelope=named, **event)


@pytest.mark.parametrize("event", [{"user_team": "T2"}, {"team": "T2"}])
async def test_a_mention_counts_for_the_team_of_who_wrote_it(theo, server, store, event):
    await mention(theo, "<@UBOTT2> follow world models", **event)

    assert "Following World Models" in words(server.ephemerals[-1])
    assert store.people.at("slack", "T2:U9")
    assert not store.people.at("slack", "T1:U9")


async def test_so_does_a_button_of_the_other_companys_message(theo, store):
    seen = await theo.press("save 2611.00001", message={"ts": "1.1", "team": "T1"})

    assert OUTSIDE not in words(seen)
    assert "Saved" in words(seen)


async def test_the_first_company_is_served_by_its_own_whichever_slack_names(both, server, store):
    ada = Person(both, server)
    theirs = {"is_ext_shared_channel": True, "authorizations": [{"team_id": "T2"}]}
    await mention(ada, "<@UBOTT1> follow world models", theirs, team="T1")

    assert store.people.at("slack", "T1:U1")


async def test_a_return_of_ours_is_noticed_whichever_slack_names(both, server, store):
    ada = Person(both, server)
    await ada.type("follow world models in <#C1>")
    await ada.event("channel_archive", channel="C1")
    theirs = {"is_ext_shared_channel": True, "authorizations": [{"team_id": "T2"}]}
    await ada.event("member_joined_channel", channel="C1", user="UBOTT1", team="T1",
                    envelope=theirs)  # fmt: skip

    (destination,) = store.people.at("slack", "T1:C1")
    assert destination.state is DestinationState.ACTIVE


async def test_whose_company_has_removed_it_is_told_so(theo, server, store, clock):
    store.slack.gone("T2", "", "app_uninstalled", clock())
    await mention(theo, "<@UBOTT1> follow world models", user_team="T2")

    assert OUTSIDE in words(server.ephemerals[-1])
    assert not store.people.at("slack", "T2:U9")


# ------------------------------------------------------------------ organisations


OF_ORGANISATION = {"is_ext_shared_channel": True,
                   "authorizations": [{"team_id": "T1", "enterprise_id": "E1"}]}  # fmt: skip
FOR_ALL = {"is_ext_shared_channel": True, "authorizations": [
    {"team_id": "T1", "enterprise_id": "E1", "is_enterprise_install": True}]}  # fmt: skip
STRANGERS = [
    {"team_id": "T9"},
    {"team_id": "T9", "enterprise_user": {"enterprise_id": "E9"}},
    {"team_id": "E9", "enterprise_user": {"enterprise_id": "E9"}},
]


@pytest.mark.parametrize("stranger", STRANGERS, ids=str)
@pytest.mark.parametrize("named", [OF_ORGANISATION, FOR_ALL, SEEN_BY_US], ids=str)
async def test_a_stranger_of_an_organisations_conversation_is_one(
    ada, server, store, named, stranger
):
    ada.user = "U9"
    server.users["U9"] = stranger
    await mention(ada, "<@UBOT> follow world models", named, user_team=stranger["team_id"])

    assert OUTSIDE in words(server.ephemerals[-1])
    assert not any(store.people.at("slack", f"{scope}:U9") for scope in ("T1", "E1", "T9", "E9"))


async def test_nor_is_whoever_works_in_that_workspace_too(ada, server):
    server.users["U1"] = {"team_id": "T5", "enterprise_user": {"teams": ["T5", "T1"]}}

    assert "Following World Models" in words(await ada.type("follow world models"))


@pytest.mark.parametrize("home", ["T1", "T5", "E1"])
@pytest.mark.parametrize("named", [OF_ORGANISATION, FOR_ALL], ids=str)
async def test_whoever_belongs_to_the_organisation_is_none(ada, server, named, home):
    ada.user = "W9"
    server.users["W9"] = {"team_id": home, "enterprise_user": {"enterprise_id": "E1"}}
    await mention(ada, "<@UBOT> follow world models", named, user_team=home)

    assert "Following World Models" in words(server.ephemerals[-1])
