"""Titles of every kind, from a source to every channel, as they were meant."""

import asyncio
import io
import json
import re
from datetime import timedelta
from email import message_from_bytes, policy

import pytest

from bot.channels.console import Console
from bot.channels.email import Email
from bot.channels.email.folder import Folder
from bot.channels.slack import Slack
from bot.model import Identity
from bot.sources.replay import Replay
from tests.core.conftest import BEA, MONDAY, World
from tests.fakes import FrozenClock

TITLES = {
    "braces": ("The {tide} in {{curly}} braces", "The {tide} in {{curly}} braces"),
    "percent": ("The tide: 100 %s %(name)d %", "The tide: 100 %s %(name)d %"),
    "tags": ("The <b>tide</b> & <script>alert(1)</script>", None),
    "newlines": ("The tide\non two\r\nlines\x85and three\u2028more", "The tide on two lines"),
    "right-to-left": ("The \u202etide\u202c turns \u200fround", "The tide turns round"),
    "controls": ("The \x00tide\x07 with \x1b[31mred", "The tide with [31mred"),
    "surrogates": ("The tide \ud800 by halves", "The tide by halves"),
    "latex": (r"The $\alpha$-tide of Gr\"obner", "The α-tide of Gröbner"),
    "emoji": ("The tide 🌊 👩‍🔬 :smile:", "The tide 🌊 👩‍🔬 :smile:"),
    "markup": ("The [bold]tide[/bold] *and* _so_ ~on~ `x`", None),
    "mention": ("The tide <!channel> <@U1> <https://evil.example|x>", None),
    "long": ("The tide " + "and the moon " * 400, None),
    "persian": ("جزر و مد tide", "جزر و مد tide"),
}


@pytest.fixture(scope="module")
def morning(tmp_path_factory):
    """One digest with all of them, on each channel; read back as its reader gets it."""
    folder = tmp_path_factory.mktemp("odd")
    recorded = folder / "papers.jsonl"
    clock = FrozenClock(MONDAY - timedelta(days=3))
    recorded.write_text("".join(_line(n, title) for n, (title, _) in enumerate(TITLES.values())))
    world, stream = World(clock), io.StringIO()
    channels = world.core.house.channels
    channels["console"] = Console(stream)  # type: ignore[index]
    channels["email"] = Email(Folder(folder), "Papers <papers@example.org>")  # type: ignore[index]
    channels["slack"] = Slack(lambda team: "xoxb-1", base_url="http://127.0.0.1:9/")  # type: ignore[index]
    who = (Identity("console", "", "me"), BEA, Identity("slack", "T1", "U1"))
    for each in who:
        world.say("follow tides", each, operator=True)
    outcome = world.core.ingest(Replay(recorded, clock))
    assert (outcome.papers, outcome.rejected) == (len(TITLES), 0)
    world.prepare(MONDAY)
    for channel in ("console", "email"):
        asyncio.run(world.core.deliver(channel))
    (mail,) = (p for p in folder.glob("*.eml"))
    message = message_from_bytes(mail.read_bytes(), policy=policy.default)
    pages = world.store.engine.rows(
        "SELECT content FROM delivery_parts WHERE delivery_id = (SELECT max(id) FROM deliveries)"
    )
    yield {
        "console": stream.getvalue(),
        "text": message.get_body(("plain",)).get_content(),
        "html": message.get_body(("html",)).get_content(),
        "slack": "\n".join(bytes(page["content"]).decode() for page in pages),
        "stored": [paper.title for paper in world.store.papers.some(range(1, 100))],
    }
    world.store.close()


def _line(number: int, title: str) -> str:
    row = {
        "id": f"2611.{number:05}", "title": title, "abstract": f"On the tide. {title}",
        "authors": [f"Author {n}" for n in range(3303)] if number == 0 else ["Ada <b> & {Love}"],
        "categories": ["cs.LG"], "submitted": f"{MONDAY - timedelta(days=4):%Y-%m-%dT%H:%M:%SZ}",
    }  # fmt: skip
    return json.dumps(row) + "\n"


@pytest.mark.parametrize("kind", [kind for kind, (_, meant) in TITLES.items() if meant])
def test_what_is_stored_is_what_was_meant(morning, kind):
    number = list(TITLES).index(kind)

    assert morning["stored"][number].startswith(TITLES[kind][1])


@pytest.mark.parametrize("form", ["console", "text", "html", "slack"])
def test_every_paper_has_its_address_in_every_form(morning, form):
    addresses = [f"https://arxiv.org/abs/2611.{n:05}" for n in range(len(TITLES))]

    assert [each for each in addresses if each not in morning[form]] == []


@pytest.mark.parametrize("form", ["console", "text"])
def test_plain_text_says_titles_as_they_are(morning, form):
    one_line = " ".join(morning[form].split())

    for title in morning["stored"]:
        assert " ".join(title.split()[:5]) in one_line


def test_no_title_becomes_markup(morning):
    assert "<script" not in morning["html"]
    assert "<b>tide" not in morning["html"]
    for text in _read_as_markup([json.loads(page) for page in morning["slack"].splitlines()]):
        assert "<!channel>" not in text
        assert "<@U1>" not in text
        assert "<https://evil" not in text


def _read_as_markup(node):
    """What Slack reads for mentions and links: the fallback text and mrkdwn objects."""
    if isinstance(node, list):
        yield from (text for each in node for text in _read_as_markup(each))
    elif isinstance(node, dict):
        if isinstance(node.get("text"), str) and node.get("type") in (None, "mrkdwn"):
            yield node["text"]
        yield from (text for each in node.values() for text in _read_as_markup(each))


@pytest.mark.parametrize("form", ["console", "text", "html", "slack"])
def test_nothing_invisible_comes_through(morning, form):
    assert not set(morning[form]) & set("\x00\x07\x1b\u202e\u202c\u200f\ud800")


def test_a_crowd_of_authors_is_a_few_names_and_a_number(morning):
    found = re.search(r"Author 0, Author 1, Author 2(, Author \d)* \+3,\d{3}", morning["text"])

    assert found
    assert "Author 3302" not in morning["html"]
