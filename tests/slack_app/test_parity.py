"""A hundred requests through Slack, the command line and a signed web link: the same effect."""

from contextlib import contextmanager
from types import SimpleNamespace

import pytest
from click.testing import CliRunner
from starlette.applications import Starlette
from starlette.testclient import TestClient

from bot.cli import asking
from bot.core import Core
from bot.model import Identity
from bot.slack_app import Workspaces, build
from bot.store.sqlite import SqliteStore
from bot.web import people
from tests.slack_app.conftest import ByHand, Person, make_core, some_papers, words

ADA = Identity("slack", "T1", "U1")
NAMES = ("rl for llm agents", "KV-Cache Compression", "world-models", "Diffusion Models")
REQUESTS = [
    *(f"follow {name}" for name in NAMES),
    *(f"follow {name}" for name in NAMES),
    *(f"mute {name} for {n}w" for n, name in enumerate(NAMES, 1)),
    *(f"topic {name}" for name in NAMES),
    *(f"unmute {name}" for name in NAMES[:2]),
    *(f"save 2611.{n:05d}" for n in range(1, 8)),
    *(f"unsave 2611.{n:05d}" for n in (1, 3)),
    *(f"not-for-me 2611.{n:05d}" for n in (2, 4)),
    "undo not-for-me 2611.00004",
    "save https://arxiv.org/abs/2611.00001v3",
    "save 2611.99999", "save", "saved", "saved agents",
    "list", "status", "settings", "help", "topics", "topics heating", "topics zzz",
    "digest daily 8:30", "digest fri 17:00", "digest tz Europe/Kyiv", "digest 9am", "digest",
    "digest 24:00", "digest tz CEST", "digest off", "digest on", "digest weekly mon 09:00",
    "mute all until 24 Dec", "unmute all", "unmute all",
    'mute author:"Jun Li" for 1w', 'mute "catastrophic forgetting"', "mute cat:cs.CR until 2 Jan",
    'unmute author:"Jun Li"', 'unmute "catastrophic forgetting"',
    "mute world-models for 0d", "mute world-models until 31 Feb", "mute nothing like it",
    "follow “policy optimization”", "follow (GRPO OR “reward model”) AND LLM NOT survey",
    "follow speculative decoding without survey, author:Li", "follow C++ agents",
    "follow RL-for-LLM agents breadth focused", "follow world-models breadth broad",
    "edit speculative decoding: speculative AND decoding", "follow (a OR", "follow",
    "unfollow Diffusion Models", "undo unfollow 4", "unfollow Diffusion Models",
    "unfollow Diffusion Models", "unfollow nobody knows it", "unfollow C++ agents",
    "ask rl for llm agents: does it pay off?", "ask 2611.00001: what is studied?", "ask x", "ask",
    "passed kv-cache-compression", "like 2611.00001 2611.00002", "like 1",
    "more x 1", "more", "undo", "undo unfollow 9999", "resume 9999", "folow kv cach", "zzzzzz", "?",
    "subscribe World Models", "snooze World Models for 3d", "show World Models", "ls",
    "why 2611.00001", "why 2611.99999", "pause for 3d", "unmute all", "follow World Models daily",
    "mutte World Modls for 2w", "follow World Models\nmute World Models", "unfollow World Models",
    "undo unmute World-Models for 3h", "unsubscribe World Models", "unfollow all", "list",
]  # fmt: skip


def a_core(clock) -> Core:
    core = make_core(SqliteStore(), clock)
    source = ByHand()
    source.waiting = some_papers(7)
    core.ingest(source)
    return core


def effect(core: Core) -> dict:
    """Everything kept about the person, and when digests come."""
    store = core.house.store
    due = [str(d.next_due_at) for d in store.people.destinations(store.people.find(ADA) or 0)]
    return {**core.export(ADA), "due": due}


@pytest.fixture
def terminal(clock, monkeypatch):
    core = a_core(clock)

    @contextmanager
    def opened(ctx):
        yield SimpleNamespace(core=core)

    monkeypatch.setattr(asking, "opened", opened)
    yield core
    core.house.store.close()


@pytest.fixture
def website(clock):
    core = a_core(clock)
    with TestClient(Starlette(routes=people.routes(core))) as client:
        yield core, client
    core.house.store.close()


def typed_in_a_terminal(text: str) -> str:
    done = CliRunner().invoke(asking.do, ["--as", str(ADA), text], obj={})
    assert not isinstance(done.exception, Exception) or isinstance(done.exception, SystemExit)
    return done.output


def posted(core: Core, client: TestClient, text: str) -> str:
    """The button of a link that was signed for these words."""
    store = core.house.store
    (mine,) = store.people.destinations(store.people.find(ADA) or 0)
    answer = client.post(f"/l/{core.house.links.token('act', mine.id, mine.epoch, text)}")
    assert answer.status_code < 500
    return answer.text


async def test_a_hundred_requests_have_the_same_effect(clock, server, terminal, website):
    slack = a_core(clock)
    workspaces = Workspaces(slack.house.store.slack, clock, token="xoxb-1", base_url=server.url)
    app = build(slack, slack.house.store, workspaces, clock)
    ada = Person(app, server)
    web, browser = website
    for core in (slack, terminal, web):  # a link is signed for somebody who is known
        core.execute(actor(), "follow diffusion models")

    assert len(REQUESTS) >= 100
    for text in REQUESTS:
        seen = words(await ada.type(text))
        printed = typed_in_a_terminal(text)
        posted(web, browser, text)

        assert effect(slack) == effect(terminal) == effect(web), text
        assert seen.strip() or printed == "", text
    await app.finish()
    slack.house.store.close()


def actor():
    from bot.core.reply import Actor

    return Actor(ADA, zone="Europe/Berlin")
