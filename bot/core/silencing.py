"""Mute and unmute: silence with an end, for a topic, an author, a phrase, or everything."""

import re
from collections.abc import Callable, Iterator
from datetime import datetime

from bot.core.errand import Errand, refused
from bot.core.naming import known, must_know, shown
from bot.core.reply import Code, Instant, Line, Reply, Strong, line
from bot.digest import Action
from bot.model import FOREVER, Follow, MuteKind, Topic
from bot.text import plural
from bot.timetable import TimetableError, silence_until

_BORDERS = re.compile(r"\s+(?=(?:for|until|till)\s)", re.IGNORECASE)
_BARE = re.compile(r"\s+(?=\d+\s*(?:d|w|m|days?|weeks?|months?)\s*$)", re.IGNORECASE)
_DANGLING = re.compile(r"\s(?:for|until|till)$", re.IGNORECASE)
_TIMED = re.compile(r"^(?:for|until|till)\s|^-?\d+\s*[dwm]", re.IGNORECASE)
_AUTHOR = re.compile(r'^author:\s*"?([^"]+)"?$', re.IGNORECASE)
_CATEGORY = re.compile(r"^cat(?:egory)?:\s*([a-z-]+(?:\.[A-Za-z-]+)?)$", re.IGNORECASE)
_PHRASE = re.compile(r'^"([^"]+)"$')
_ALL = {"all", "everything"}


def mute(errand: Errand, text: str) -> Reply:
    """Silence something until an instant; says when it ends and what goes on."""
    if not text:
        return errand.refuse(
            line("What shall be silent? ", Code("mute RL for LLM agents for 2w"), ", ",
                 Code("mute all until 14 Dec"), ", ", Code('mute author:"Jun Li"')),
        )  # fmt: skip
    name, until = timed(errand, text)
    if value := _general(name):
        return _mute_general(errand, *value, until)
    topic = must_know(errand, name, "mute")
    standing = _following(errand, topic, "mute")
    errand.house.store.people.mute_follow(standing.id, until)
    others = len(errand.house.store.people.follows(standing.subscriber_id)) - 1
    return errand.reply(
        _until_line(Strong(topic.name), until, _go_on(others)),
        buttons=(Action("Unmute", f"unmute {topic.slug}"),),
        notice=_notice(errand, topic.name, until),
    )


def unmute(errand: Errand, text: str) -> Reply:
    """End a silence; what passed meanwhile is counted, not delivered."""
    people = errand.house.store.people
    if value := _general(text):
        ended = people.unmute(errand.known or 0, *value)
        if not ended:
            return errand.refuse(line(f"{_named(*value)} was not muted; nothing changed."))
        return errand.reply(line(f"{_named(*value)} is heard again from now on."))
    topic = must_know(errand, text, "unmute")
    standing = _following(errand, topic, "unmute")
    if standing.muted_until is None or standing.muted_until <= errand.now:
        return errand.refuse(line(Strong(topic.name), " was not muted; nothing changed."))
    people.mute_follow(standing.id, None)
    passed = len(errand.house.store.outbox.withheld(standing.subscriber_id, topic.id))
    tail = f" {plural(passed, 'paper')} passed while it was muted." if passed else ""
    back = f"mute {topic.slug} until {standing.muted_until:%Y-%m-%d}"
    forever = standing.muted_until >= FOREVER
    return errand.reply(
        line(Strong(topic.name), f" is heard again from now on.{tail}"),
        buttons=(
            Action("Undo", f"mute {topic.slug}" if forever else back),
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
    papers = errand.house.store.papers.some(seqs[:30])
    return errand.reply(
        line(
            f"{plural(len(seqs), 'paper')} of ", Strong(topic.name), " passed while it was muted."
        ),
        papers=errand.entries(papers[::-1], topic),
    )


def timed(errand: Errand, text: str) -> tuple[str, datetime]:
    """What is muted and until when; the clause is read from the right, and only when valid."""
    if known(errand.house, text) or _general(text):
        return text, FOREVER
    trouble: TimetableError | None = None
    fallback: tuple[str, datetime] | None = None
    for name, clause in _splits(text):
        is_something = bool(_general(name)) or known(errand.house, name) is not None
        try:
            until = silence_until(clause, errand.now, errand.zone)
        except TimetableError as error:
            trouble = trouble or (error if is_something else None)
            continue
        if is_something:
            return name, until
        fallback = fallback or (name, until)
    if trouble:
        raise refused(str(trouble))
    return fallback or (text, FOREVER)


def _splits(text: str) -> Iterator[tuple[str, str]]:
    """The text cut before each word that could begin a time, the last one first."""
    borders = [*_BORDERS.finditer(text), *_BARE.finditer(text)]
    for border in sorted(borders, key=lambda found: -found.start()):
        name = text[: border.start()].strip()
        if not _DANGLING.search(name):  # "X for | 2w" is cut before its "for" instead
            yield name, text[border.end() :].strip()
    words = text.split()
    if len(words) > 1 and _TIMED.match(words[-1]):
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
    again = {MuteKind.ALL: "all", MuteKind.AUTHOR: f'author:"{value}"',
             MuteKind.CATEGORY: f"cat:{value}"}.get(kind, f'"{value}"')  # fmt: skip
    return errand.reply(
        _until_line(Strong(_named(kind, value)), until, ""),
        buttons=(Action("Unmute", f"unmute {again}"),),
        notice=_notice(errand, _named(kind, value), until),
    )


def _named(kind: MuteKind, value: str) -> str:
    names: dict[MuteKind, Callable[[str], str]] = {
        MuteKind.ALL: lambda _: "Everything",
        MuteKind.AUTHOR: lambda name: f"The author {name}",
        MuteKind.CATEGORY: lambda name: f"The category {name}",
        MuteKind.PHRASE: lambda phrase: f"“{phrase}”",
    }
    return names[kind](value)


def _following(errand: Errand, topic: Topic, verb: str) -> Follow:
    standing = errand.house.store.people.following(errand.known or 0, topic.id)
    if standing is None:
        raise refused(
            "You don’t follow ", Strong(topic.name), f", so there is nothing to {verb}.",
            buttons=(Action("Follow it", f"follow {topic.slug}"),),
        )  # fmt: skip
    return standing


def _until_line(what: Strong, until: datetime, tail: str) -> Line:
    if until >= FOREVER:
        return line(what, f" is muted until you unmute it.{tail}")
    return line(what, " is muted until ", Instant(until), f".{tail}")


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
    end = line("until ", Instant(until)) if until < FOREVER else line("until it is unmuted")
    who = f"<@{errand.actor.identity.external_id}> muted "
    return line(who, Strong(shown(what)), " here ", *end, ".")
