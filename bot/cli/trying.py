"""`paperround try`: the main job once, with nothing set up."""

import asyncio
import secrets
import shlex
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import click
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.text import Text

from bot import config
from bot.app.coverage import USUAL, needed
from bot.app.wiring import Rooms, build
from bot.channels import Page
from bot.channels.email import Email
from bot.channels.email.folder import Folder
from bot.charts import weeks_line
from bot.cli.layout import put
from bot.cli.opening import Options, called, screen
from bot.cli.printing import paper_lines, show
from bot.cli.steps import wait_aloud
from bot.core import Actor, House
from bot.core.naming import known
from bot.digest import Digest
from bot.digest.reading import SAMPLE, listed
from bot.matching import Language
from bot.model import Identity, Part, Topic
from bot.momentum import sentence
from bot.sources.replay import Replay
from bot.store.sqlite import SqliteStore
from bot.text import plural

ME = Identity("console", "", "me")
FOLDER = Path("paperround-try")
FIRST_ANSWER_S = 10.0
SAMPLE_DAYS = 112
AT_MOST = 20  # papers of a topic on the screen; the mail has all of them
USUAL_TOPIC = "RL for LLM agents"
HELD = (USUAL_TOPIC, "diffusion models", "robot learning", "neutron stars")  # in the sample
NAMED = 5  # topics without a paper
ACTIVE = set('"$`\\!')  # what double quotes leave to the shell


@click.command()
@click.argument("topics", nargs=-1)
@click.option("--days", default=7, show_default=True, type=click.IntRange(1, 120),
              help="How many days of arXiv to read; the sample is always all of it.")  # fmt: skip
@click.option("--sample", is_flag=True, help="Don’t ask arXiv; use the invented papers.")
@click.pass_context
def try_(ctx: click.Context, topics: tuple[str, ...], days: int, sample: bool) -> None:
    """The main job once: poll the last days, match, and show a digest.

    Nothing is set up or sent.  The digest is also written as HTML and .eml into
    ./paperround-try.  Where arXiv does not answer within 10 s, invented papers take its place.
    """
    options = Options.of(ctx)
    rooms = build(options.settings(), options.clock(), store=SqliteStore())
    wanted = _meant(rooms, topics) or (USUAL_TOPIC,)
    out, me = screen(), called(options)
    if not _follow(rooms, wanted):
        raise click.exceptions.Exit(2)
    _retire_others(rooms)
    trouble = "" if sample else _read_arxiv(rooms, days)
    if trouble:
        out.print(f"{trouble}. Here is the sample of invented papers.")
    if sample or trouble:
        _take_sample(rooms)
    digest = rooms.core.preview(ME)
    assert digest is not None
    for line in summary(digest, rooms.core.house.language, rooms.store.topics.followed(), me):
        put(out, line)
    out.print(f"{plural(digest.count, 'paper')}. As a mail: {_write(rooms, digest)}")
    for said in _next(me, wanted[0]):
        put(out, Text(said))


def _next(me: str, topic: str) -> Iterator[str]:
    """How this becomes a digest of one's own."""
    follow = shlex.quote(f"follow {topic}") if set(topic) & ACTIVE else f'"follow {topic}"'
    yield f"Next: {me} do --as email:you@example.org {follow}"
    yield f"      {me} run    brings what is new from now on, every Monday"
    yield f"      {me} init   writes paperround.toml, for Slack and a mail server"


def _meant(rooms: Rooms, words: tuple[str, ...]) -> tuple[str, ...]:
    """Topics as quoted; without quotes the words are one topic, or each a known one."""
    house, whole = rooms.core.house, " ".join(words)
    are_parted = any(" " in word.strip() for word in words)
    if are_parted or (not known(house, whole) and all(_stands(house, word) for word in words)):
        return words
    return (whole,)


def _stands(house: House, word: str) -> bool:
    """Whether a word alone is a topic or a query."""
    return known(house, word) is not None or ":" in word


def summary(
    digest: Digest, language: Language, followed: Iterable[Topic], me: str
) -> Iterator[Text]:
    """The digest on a screen: momentum and the best papers of each topic, each with why it came.

    A followed topic without a paper is named first; `me` is what to type for Paperround.
    """
    if digest.sample:
        yield Text(SAMPLE, style="bold")
    if silent := _silent(digest, followed):
        yield Text(_nothing(me, listed(silent, NAMED), sample=digest.sample))
    number = 0
    for section in digest.sections:
        known_as = " · ".join(f"{a}: {b}" for a, b in language.glossary(section.tag.name))
        yield Text.assemble("\n", (section.tag.name, "bold"), f"    {known_as}")
        if section.momentum:
            yield Text(sentence(section.momentum))
            if weeks := weeks_line(section.momentum):
                yield Text(weeks, style="dim")
        for entry in section.entries[:AT_MOST]:
            number += 1
            yield Text("")
            mark = "sample" if digest.sample else ""
            yield from paper_lines(number, entry, mark, under=section.tag.slug)
        if len(section.entries) > AT_MOST:
            yield Text(f"\n{len(section.entries) - AT_MOST} more in the mail.", style="dim")
    yield Text("")


def _silent(digest: Digest, followed: Iterable[Topic]) -> list[str]:
    """The followed topics that no paper of the digest belongs to."""
    heard = {tag.slug for entry in digest.entries for tag in entry.tags}
    return [topic.name for topic in followed if topic.slug not in heard]


def _nothing(me: str, topics: str, *, sample: bool) -> str:
    """That there is no paper on some topics, and what to do about it."""
    if sample:
        return (f"None of them is on {topics}; there are some on {listed(HELD, len(HELD))}, say."
                f" With a network, {me} try asks arXiv itself.")  # fmt: skip
    return (f"No paper of these days is on {topics}. Fewer or other words may find some;"
            " arXiv’s papers are in English.")  # fmt: skip


def _follow(rooms: Rooms, topics: Sequence[str]) -> bool:
    """Follow each topic on the console; a query that cannot be read is answered, not raised."""
    for topic in topics:
        reply = rooms.core.execute(Actor(ME, operator=True), f"follow {topic}")
        if not reply.ok:
            show(reply, err=True)
            return False
    return True


def _read_arxiv(rooms: Rooms, days: int) -> str:
    """Read the last days from arXiv; return why it could not be begun, or ""."""
    core, session = rooms.core, rooms.reach().session
    session.timeout, session.back_off_s = (FIRST_ANSWER_S / 2, FIRST_ANSWER_S), ()
    session.deadline_s, session.tries = FIRST_ANSWER_S, 1
    source = rooms.reach().arxiv(_categories(rooms))
    today = core.house.clock().date()
    span = [today - timedelta(days=n) for n in range(days + 1)]
    papers = 0
    with _progress() as progress:
        wait_aloud(session, progress)
        task = progress.add_task(f"Asking arXiv for the last {days} days", total=len(span), n="")
        for day in span:
            outcome = core.read_day(source, day)
            if outcome.fault and not papers:
                return _unread(outcome.remark)
            if outcome.fault:
                progress.console.print(f"Read in part: {outcome.remark}")
                break
            session.timeout, session.deadline_s = (10.0, 60.0), 120.0
            session.back_off_s, session.tries = (3.0, 10.0), 3
            papers += outcome.papers
            progress.update(task, advance=1, n=plural(papers, "paper"))
    return "" if papers else _unread(outcome.remark)


def _unread(remark: str) -> str:
    """Why there is nothing of arXiv's to show: no answer, or one without papers."""
    if not remark:
        return "arXiv shows no paper of these days"
    said = remark.rstrip(".")
    empty = said.removeprefix("suspicious: ")
    return f"arXiv does not answer: {said}" if empty == said else f"arXiv answers with {empty}"


def _categories(rooms: Rooms) -> tuple[str, ...]:
    """What has to be read for these topics: what they need, else the usual categories."""
    if rooms.config.arxiv.categories:
        return rooms.polled()
    found = needed(rooms.store.topics.followed(), rooms.core.house.language)
    return tuple(sorted(found)) or USUAL


def _retire_others(rooms: Rooms) -> None:
    """Leave the catalogue at what is followed: reading papers compiles all that is in it."""
    with rooms.store.write():
        rooms.store.topics.retire((), rooms.core.house.clock())


def _take_sample(rooms: Rooms) -> None:
    """Read the invented papers, as if arXiv had been read on every day; all is marked as such."""
    house = rooms.core.house
    house = replace(house, wishes=replace(house.wishes, sample=True))
    rooms.core = type(rooms.core)(house)
    rooms.core.ingest(Replay(config.packaged("sample_papers.jsonl"), clock=house.clock))
    today = house.clock().date()
    for n in range(SAMPLE_DAYS):
        rooms.store.ledger.sliced(today - timedelta(days=n), 0, house.clock())


def _progress() -> Progress:
    return Progress(
        TextColumn("{task.description} …"),
        BarColumn(bar_width=24),
        TextColumn("{task.fields[n]}"),
        TimeElapsedColumn(),
        disable=not sys.stderr.isatty(),
        transient=False,
        console=screen(err=True),
    )


def _bare(digest: Digest) -> Digest:
    sections = tuple(
        replace(s, actions=(), entries=tuple(replace(e, actions=()) for e in s.entries))
        for s in digest.sections
    )
    return replace(digest, actions=(), sections=sections)


def _write(rooms: Rooms, digest: Digest) -> str:
    """digest.html and digest.eml, as the mail would be."""
    channel = Email(Folder(FOLDER), rooms.config.mail.sender, bounce_key=secrets.token_bytes(16))
    letter = _bare(replace(digest, channel="email", address="reader@example.org"))
    asyncio.run(channel.send(_part(channel.render(letter)[0], "digest")))
    return f"./{FOLDER}/digest.html, digest.eml"


def _part(page: Page, key: str) -> Part:
    return Part(0, 0, key, "reader@example.org", page.content)
