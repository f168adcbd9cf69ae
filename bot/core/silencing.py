"""Mute and unmute: silence with an end, for a topic, an author, a phrase, or everything."""

import re
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta

from bot.core.errand import Errand, refused
from bot.core.naming import followed, known, must_know, shown
from bot.core.prepare import is_muted
from bot.core.reply import Code, Line, Reply, Strong, line
from bot.core.when import local_day
from bot.digest import Action
from bot.model import FOREVER, Follow, MuteKind, Topic
from bot.text import plural
from bot.timetable import TimetableError, silence_until

_BORDERS = re.compile(r"\s+(?=(?:for|until|till)\s)", re.IGNORECASE)
_BARE = re.compile(r"\s+(?=\d+\s*(?:d|w|m|days?|weeks?|months?)\s*$)", re.IGNORECASE)
_DANGLING = re.compile(r"\s(?:for|until|till)$", re.IGNORECASE)
_TIMED = re.compile(r"^(?:(?:for|until|till)\s+)?-?\d+", re.IGNORECASE)
_AUTHOR = re.compile(r'^author:\s*"?([^"]+)"?$', re.IGNORECASE)
_CATEGORY = re.compile(r"^cat(?:egory)?:\s*([a-z-]+(?:\.[A-Za-z-]+)?)$", re.IGNORECASE)
_PHRASE = re.compile(r'^"([^"]+)"$')
_ALL = {"all", "everything"}

SHOWN = 30  # passed papers in one answer


def mute(errand: Errand, text: str) -> Reply:
    """Silence something until an instant; says when it ends and what goes on."""
    if not text:
        return errand.refuse(
            line("What shall be silent? ", Code("mute RL for LLM agents for 2w"), ", ",
                 Code("mute all until 14 Dec"), ", ", Code('mute author:"Jun Li"')),
        )  # fmt: skip
    name, until = timed(errand, text)
    if (value := _general(name)) and not followed(errand, name):
        return _mute_general(errand, *value, until)
    topic = must_know(errand, name, "mute")
    standing = _following(errand, topic, "mute")
    errand.house.store.people.mute_follow(standing.id, until)
    others = len(errand.house.store.people.follows(standing.subscriber_id)) - 1
    return errand.reply(
        _until_line(errand, Strong(topic.name), until, _go_on(others)),
        *errand.next_digest(),
        buttons=(Action("Unmute", f"unmute {topic.slug}"),),
        notice=_notice(errand, topic.name, until),
    )


def unmute(errand: Errand, text: str) -> Reply:
    """End a silence; what passed meanwhile is counted, not delivered."""
    if not text:
        return _what_is_muted(errand)
    if (value := _general(text)) and not followed(errand, text):
        return _unmute_general(errand, *value)
    people = errand.house.store.people
    topic = must_know(errand, text, "unmute")
    standing = _following(errand, topic, "unmute")
    if standing.muted_until is None or standing.muted_until <= errand.now:
        return errand.refuse(
            line(Strong(topic.name), " was not muted; nothing changed."), status=200
        )
    people.mute_follow(standing.id, None)
    passed = _passed(errand, topic)
    tail = f" {plural(passed, 'paper')} passed while it was muted." if passed else ""
    return errand.reply(
        line(Strong(topic.name), f" is heard again from now on.{tail}"),
        *errand.next_digest(),
        buttons=(
            Action("Undo", f"mute {topic.slug}{_left(errand, standing.muted_until)}"),
            *((Action("Show", f"passed {topic.slug}"),) if passed else ()),
        ),
        notice=line(Strong(topic.name), " is heard again here.")
        if errand.subject.is_conversation
        else None,
    )


def passed(errand: Errand, text: str) -> Reply:
    """What a mute kept back of a topic, to look at."""
    topic = must_know(errand, text, "passed")
    seqs = errand.house.store.outbox.withheld(errand.known or 0, topic.id)
    if not seqs:
        return errand.reply(line("Nothing of ", Strong(topic.name), " was kept back."))
    papers = errand.house.store.papers.some(seqs[:SHOWN])
    newest = f" The newest {SHOWN}:" if len(seqs) > SHOWN else ""
    return errand.reply(
        line(
            f"{plural(len(seqs), 'paper')} of ",
            Strong(topic.name),
            f" passed while it was muted.{newest}",
        ),
        papers=errand.entries(papers[::-1], topic),
    )


def timed(errand: Errand, text: str) -> tuple[str, datetime]:
    """What is muted and until when; the clause is read from the right, and only when valid.

    Raises Refused for a clause that was meant as a time and is none: "for 0d", "until 31 Feb".
    """
    if _is_topic(errand, text):
        return text, FOREVER
    trouble: TimetableError | None = None
    fallback: tuple[str, datetime] | None = None
    for name, clause in _splits(text):
        is_something = bool(_general(name)) or _is_topic(errand, name)
        try:
            until = silence_until(clause, errand.now, errand.zone)
        except TimetableError as error:
            meant = is_something or _TIMED.match(clause)
            trouble = trouble or (error if meant else None)
            continue
        if is_something:
            return name, until
        fallback = fallback or (name, until)
    if trouble and not _PHRASE.match(text):
        raise refused(str(trouble))
    return fallback or (text, FOREVER)


def _is_topic(errand: Errand, text: str) -> bool:
    return followed(errand, text) is not None or known(errand.house, text) is not None


def _splits(text: str) -> Iterator[tuple[str, str]]:
    """The text cut before each word that could begin a time, the last one first."""
    borders = [*_BORDERS.finditer(text), *_BARE.finditer(text)]
    for border in sorted(borders, key=lambda found: -found.start()):
        name = text[: border.start()].strip()
        if not _DANGLING.search(name):  # "X for | 2w" is cut before its "for" instead
            yield name, text[border.end() :].strip()
    words = text.split()
    if len(words) > 1 and (_TIMED.match(words[-1]) or words[-1].casefold() == "forever"):
        yield " ".join(words[:-1]), words[-1]


def _general(text: str) -> tuple[MuteKind, str] | None:
    """An author, a category, a phrase or everything, or None for a topic."""
    for pattern, kind in ((_AUTHOR, MuteKind.AUTHOR), (_CATEGORY, MuteKind.CATEGORY),
                          (_PHRASE, MuteKind.PHRASE)):  # fmt: skip
        if found := pattern.match(text.strip()):
            return kind, found[1].strip()
    return (MuteKind.ALL, "") if text.strip().casefold() in _ALL else None


def _mute_general(errand: Errand, kind: MuteKind, value: str, until: datetime) -> Reply:
    errand.house.store.people.mute(errand.enrolled(), kind, value, until)
    again = _again(kind, value)
    return errand.reply(
        _until_line(errand, Strong(_named(kind, value)), until, ""),
        *errand.next_digest(),
        buttons=(Action("Unmute", f"unmute {again}"),),
        notice=_notice(errand, _named(kind, value), until),
    )


def _left(errand: Errand, until: datetime) -> str:
    """The clause that mutes anew until the same instant, or the hour after it."""
    if until >= FOREVER:
        return ""
    day = local_day(until, errand.zone)
    if silence_until(f"until {day}", errand.now - timedelta(days=1), errand.zone) == until:
        return f" until {day}"
    return f" for {-((errand.now - until) // timedelta(hours=1))}h"


def _unmute_general(errand: Errand, kind: MuteKind, value: str) -> Reply:
    """End a mute that is not about one topic; "unmute all" ends every silence there is."""
    people, subscriber = errand.house.store.people, errand.known or 0
    standing = [m for m in people.mutes(subscriber) if m.until > errand.now]
    silent = [f for f in people.follows(subscriber) if is_muted(f, errand.now)]
    if kind is not MuteKind.ALL:
        standing, silent = [m for m in standing if (m.kind, m.value) == (kind, value)], []
    if not standing and not silent:
        said = "Nothing was" if kind is MuteKind.ALL else f"{_named(kind, value)} was not"
        return errand.refuse(line(f"{said} muted; nothing changed."), status=200)
    with errand.house.store.write():
        for mute in standing:
            people.unmute(subscriber, mute.kind, mute.value)
        for each in silent:
            people.mute_follow(each.id, None)
    return errand.reply(
        line(f"{_named(kind, value)} is heard again from now on."), *errand.next_digest()
    )


def _what_is_muted(errand: Errand) -> Reply:
    people, subscriber = errand.house.store.people, errand.known or 0
    topics = [f for f in people.follows(subscriber) if is_muted(f, errand.now)]
    mutes = [m for m in people.mutes(subscriber) if m.until > errand.now]
    if not topics and not mutes:
        return errand.refuse(line("Nothing is muted; nothing changed."), status=200)
    buttons = [Action(f.topic.name, f"unmute {f.topic.slug}") for f in topics]
    buttons += [Action(_named(m.kind, m.value), f"unmute {_again(m.kind, m.value)}") for m in mutes]
    return errand.refuse(
        line("What shall be heard again? ", Code(buttons[0].command)), buttons=tuple(buttons)
    )


def _passed(errand: Errand, topic: Topic) -> int:
    """How many papers of a topic its mute kept back since they were last spoken of."""
    outbox, people = errand.house.store.outbox, errand.house.store.people
    counts = [
        passed.papers
        for destination in people.destinations(errand.known or 0)
        for passed in outbox.passed(destination.id)
        if passed.topic_id == topic.id
    ]
    return max(counts, default=0)


def _again(kind: MuteKind, value: str) -> str:
    """How a mute is typed."""
    return {MuteKind.ALL: "all", MuteKind.AUTHOR: f'author:"{value}"',
             MuteKind.CATEGORY: f"cat:{value}"}.get(kind, f'"{value}"')  # fmt: skip


def _named(kind: MuteKind, value: str) -> str:
    names: dict[MuteKind, Callable[[str], str]] = {
        MuteKind.ALL: lambda _: "Everything",
        MuteKind.AUTHOR: lambda name: f"The author {name}",
        MuteKind.CATEGORY: lambda name: f"The category {name}",
        MuteKind.PHRASE: lambda phrase: f"“{phrase}”",
    }
    return names[kind](value)


def _following(errand: Errand, topic: Topic, verb: str) -> Follow:
    standing = errand.following(topic)
    if standing is None:
        raise refused(
            "You don’t follow ", Strong(topic.name), f", so there is nothing to {verb}.",
            buttons=(Action("Follow it", f"follow {topic.slug}"),),
        )  # fmt: skip
    return standing


def _until_line(errand: Errand, what: Strong, until: datetime, tail: str) -> Line:
    if until >= FOREVER:
        return line(what, f" is muted until you unmute it.{tail}")
    return line(what, " is muted until ", errand.day(until), f".{tail}")


def _go_on(others: int) -> str:
    if others < 1:
        return ""
    return (
        f" The other {plural(others, 'topic')} go on."
        if others > 1
        else " The other topic goes on."
    )


def _notice(errand: Errand, what: str, until: datetime) -> Line | None:
    if not errand.subject.is_conversation:
        return None
    end = line("until ", errand.day(until)) if until < FOREVER else line("until it is unmuted")
    who = f"<@{errand.actor.identity.external_id}> muted "
    return line(who, Strong(shown(what)), " here ", *end, ".")
