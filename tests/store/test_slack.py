"""What the Slack door remembers."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from bot.store import Installation
from bot.store.sqlite import SqliteStore

NOW = datetime(2026, 11, 30, 8, 0, tzinfo=UTC)
DAY = timedelta(days=1)


@pytest.fixture
def store():
    opened = SqliteStore()
    yield opened
    opened.close()


def installation(team: str = "T1", enterprise: str = "", token: str = "xoxb-1") -> Installation:
    return Installation(enterprise, team, "Lab", token, "B1", "UBOT", "U1", NOW)


def test_a_request_is_new_once(store):
    assert [store.slack.seen("event:Ev1", NOW) for _ in range(3)] == [False, True, True]
    assert store.slack.seen("event:Ev2", NOW) is False


def test_tidying_forgets_requests_of_the_day_before(store):
    store.slack.seen("event:Ev1", NOW)
    store.tidy(NOW + timedelta(hours=23))
    assert store.slack.seen("event:Ev1", NOW)
    store.tidy(NOW + timedelta(hours=25))

    assert store.slack.seen("event:Ev1", NOW) is False


def test_an_installation_comes_back_as_it_was_put(store):
    store.slack.install(installation())

    assert store.slack.installation("T1") == installation()
    assert store.slack.installation("T2") is None
    assert store.slack.installation("") is None


def test_a_workspace_without_its_own_is_served_by_its_organisation(store):
    store.slack.install(installation("", "E1", "xoxb-org"))

    assert store.slack.installation("T5", "E1").token == "xoxb-org"
    assert store.slack.installation("T5", "E2") is None
    assert store.slack.installation("T5") is None


def test_one_that_is_gone_is_kept_and_comes_back_with_the_next_installation(store):
    store.slack.install(installation())
    store.slack.gone("T1", "", "app_uninstalled", NOW)

    gone = store.slack.installation("T1")
    assert (gone.gone_at, gone.gone_why) == (NOW, "app_uninstalled")
    store.slack.install(installation(token="xoxb-2"))
    assert store.slack.installation("T1").gone_at is None
    assert [each.token for each in store.slack.installations()] == ["xoxb-2"]


def test_where_both_are_installed_a_workspace_goes_without_its_organisation(store):
    store.slack.install(installation("T1", "E1"))
    store.slack.install(installation("", "E1", "xoxb-org"))
    for why in ("tokens_revoked", "app_uninstalled"):
        store.slack.gone("T1", "E1", why, NOW)

    assert store.slack.installation("T1", "E1").token == "xoxb-org"


def test_a_workspace_that_joined_an_organisation_since_is_the_same(store):
    store.slack.install(installation("T1"))
    store.slack.gone("T1", "E1", "app_uninstalled", NOW)

    assert store.slack.installation("T1", "E1").gone_at == NOW


def test_of_two_installations_the_latest_speaks(store):
    store.slack.install(installation("T1", "E1", "xoxb-old"))
    store.slack.install(replace(installation("T1", "", "xoxb-new"), installed_at=NOW + DAY))

    assert store.slack.installation("T1").token == "xoxb-new"
