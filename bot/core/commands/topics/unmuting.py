"""The end of a silence: unmute and its Undo, and what passed meanwhile."""

import re
from dataclasses import replace
from datetime import datetime, timedelta

from bot.core.commands.digests import destinations
from bot.core.commands.digests.muted import named, silent
from bot.core.commands.errand import Errand
from bot.core.commands.papers.entries import entries
from bot.core.commands.topics.silencing import again, must_follow, mute
from bot.core.commands.words.exclusions import items
from bot.core.commands.words.lookup import followed, must_know
from bot.core.commands.words.mutes import general
from bot.core.dates import local_day
from bot.core.reply import Code, Reply, Strong, line
from bot.digest import Action
from bot.matching.queries.condition import category_key, is_same_name
from bot.matching.spelling.folding import words
from bot.model import FOREVER, Follow, Mute, MuteKind, Topic
from bot.text import plural
from bot.timetable import silence_until

SHOWN = 30  # passed papers in one answer
_COUNTED = re.compile(r"\s+(?:lately|(?P<by>d\d+\.\S+))$", re.IGNORECASE)


def unmute(errand: Errand, text: str) -> Reply:
    """End a silence; what passed meanwhile is counted, not delivered."""
    if not text:
        return _what_is_muted(errand)
    if (value := general(text)) and not followed(errand, text):
        return _unmute_general(errand, *value)
    people = errand.house.store.people
    topic = must_know(errand, text, "unmute")
    standing = must_follow(errand, topic, text, "unmute")
    if standing.muted_until is None or not standing.is_muted(errand.now):
        return errand.refuse(
            line(Strong(topic.name), " was not muted; nothing changed."), status=200
        )
    people.mute_follow(standing.id, None)
    passed = _passed(errand, topic)
    tail = f" {plural(passed, 'paper')} passed while it was muted." if passed else ""
    return errand.reply(
        line(Strong(topic.name), f" is heard again from now on.{tail}"),
        *destinations.next_digest(errand),
        buttons=(
            Action("Undo", f"mute {topic.slug}{_left(errand, standing.muted_until)}"),
            *((Action("Show", f"passed {topic.slug} lately"),) if passed else ()),
        ),
    )


def undo_unmute(errand: Errand, text: str) -> Reply:
    """Mute again what an unmute ended, each until its own end."""
    with errand.house.store.write():
        for each in items(text):
            mute(errand, each)
    return errand.reply(line("Silent again, as before."), *destinations.next_digest(errand))


def passed(errand: Errand, text: str) -> Reply:
    """The papers of a topic that a mute kept back: those that one digest counted, else all."""
    name, by = counted_in(text)
    topic = must_know(errand, name, "passed")
    outbox, subscriber = errand.house.store.outbox, errand.subscriber
    counted = outbox.withheld(subscriber, topic.id, by=by) if by is not None else []
    seqs = counted or outbox.withheld(subscriber, topic.id)
    if not seqs:
        return errand.reply(line("Nothing of ", Strong(topic.name), " passed while it was muted."))
    papers = errand.house.store.papers.some(seqs[:SHOWN])
    count = plural(len(seqs), "paper")
    newest = f" The newest {SHOWN}:" if len(seqs) > SHOWN else ""
    return errand.reply(
        line(f"{count} of " if counted else f"In all, {count} of ", Strong(topic.name),
             f" passed while it was muted.{newest}"),
        papers=entries(errand, papers[::-1], topic),
    )  # fmt: skip


def counted_in(text: str) -> tuple[str, str | None]:
    """Split a trailing digest key from a topic; `lately`, "", means not counted by any yet."""
    found = _COUNTED.search(text)
    return (text[: found.start()], found["by"] or "") if found else (text, None)


def _unmute_general(errand: Errand, kind: MuteKind, value: str) -> Reply:
    """End a mute that is not about one topic."""
    topics, mutes = silent(errand)
    if kind is MuteKind.ALL:
        return _unmute_all(errand, topics, mutes)
    ended = [m for m in mutes if m.kind is kind and _is_same(kind, m.value, value)]
    if not ended:
        # People quote a topic's name, too.
        if kind is MuteKind.PHRASE and (topic := followed(errand, value)):
            return unmute(errand, topic.slug)
        said = f"{named(kind, value)} was not muted; nothing changed."
        return errand.refuse(line(said), status=200)
    return _heard(errand, named(kind, ended[0].value), [], ended)


def _is_same(kind: MuteKind, one: str, other: str) -> bool:
    """Whether two values mute the same, as loosely as when papers are chosen."""
    if kind is MuteKind.AUTHOR:
        return is_same_name(one, other)
    if kind is MuteKind.CATEGORY:
        return category_key(one) == category_key(other)
    return words(one) == words(other)


def _unmute_all(errand: Errand, topics: list[Follow], mutes: list[Mute]) -> Reply:
    """End the mute of everything; if there is none, every other mute."""
    if not topics and not mutes:
        return errand.refuse(line("Nothing was muted; nothing changed."), status=200)
    everything = [m for m in mutes if m.kind is MuteKind.ALL]
    if not everything:
        return _heard(errand, "Everything", topics, mutes)
    reply = _heard(errand, "Everything", [], everything)
    kept = [f.topic.name for f in topics]
    kept += [named(m.kind, m.value) for m in mutes if m not in everything]
    if not kept:
        return reply
    still = line("Still muted: ", Strong(", ".join(kept)), ". ", Code("unmute"), " offers them.")
    return replace(reply, lines=(reply.lines[0], still, *reply.lines[1:]))


def _heard(errand: Errand, what: str, topics: list[Follow], mutes: list[Mute]) -> Reply:
    """End some mutes; one Undo brings them back with their ends."""
    people = errand.house.store.people
    with errand.house.store.write():
        for each in topics:
            people.mute_follow(each.id, None)
        for ended in mutes:
            people.unmute(ended.subscriber_id, ended.kind, ended.value)
    typed = [f"{f.topic.slug}{_left(errand, f.muted_until or FOREVER)}" for f in topics]
    typed += [f"{again(m.kind, m.value)}{_left(errand, m.until)}" for m in mutes]
    return errand.reply(
        line(f"{what} is heard again from now on."),
        *destinations.next_digest(errand),
        buttons=(Action("Undo", f"undo unmute {', '.join(typed)}"),),
    )


def _what_is_muted(errand: Errand) -> Reply:
    topics, mutes = silent(errand)
    if not topics and not mutes:
        return errand.refuse(line("Nothing is muted; nothing changed."), status=200)
    buttons = [Action(f.topic.name, f"unmute {f.topic.slug}") for f in topics]
    buttons += [Action(named(m.kind, m.value), f"unmute {again(m.kind, m.value)}") for m in mutes]
    return errand.refuse(
        line("What shall be heard again? ", Code(buttons[0].command)), buttons=tuple(buttons)
    )


def _left(errand: Errand, until: datetime) -> str:
    """The clause that mutes again until the same instant, or the hour after it."""
    if until >= FOREVER:
        return ""
    day = local_day(until, errand.zone)
    if silence_until(f"until {day}", errand.now - timedelta(days=1), errand.zone) == until:
        return f" until {day}"
    return f" for {-((errand.now - until) // timedelta(hours=1))}h"


def _passed(errand: Errand, topic: Topic) -> int:
    """How many papers of a topic its mute kept back since they were last counted."""
    counts = [
        passed.papers
        for destination in destinations.every(errand)
        for passed in errand.house.store.outbox.passed(destination.id)
        if passed.topic_id == topic.id
    ]
    return max(counts, default=0)
