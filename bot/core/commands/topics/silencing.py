"""Mute: silence with an end, for a topic, an author, a phrase, or everything."""

from dataclasses import replace
from datetime import datetime, timedelta

from bot.core.commands.digests import destinations
from bot.core.commands.digests.muted import named, until_line
from bot.core.commands.errand import Errand, Refused, refused
from bot.core.commands.topics import remarks
from bot.core.commands.words.authors import by_author
from bot.core.commands.words.categories import must_be_listed
from bot.core.commands.words.clauses import topic_in
from bot.core.commands.words.lookup import followed, followed_with, must_know
from bot.core.commands.words.mutes import general, timed
from bot.core.commands.words.subject import of_the_conversation
from bot.core.dates import local_day
from bot.core.naming import shown
from bot.core.reply import Code, Instant, Reply, Strong, line
from bot.digest import Action
from bot.matching.spelling.folding import words
from bot.model import FOREVER, Follow, MuteKind, Topic


def mute(errand: Errand, text: str) -> Reply:
    """Silence something until an instant; says when it ends and what goes on."""
    if not text:
        return errand.refuse(
            line("What shall be silent? ", Code("mute RL for LLM agents for 2w"), ", ",
                 Code("mute all until 14 Dec"), ", ", Code('mute author:"Jun Li"')),
        )  # fmt: skip
    name, until = timed(errand, text)
    if not name:
        raise _what_is_silent(text)
    bare = topic_in(errand.house, name)
    errand, name = replace(errand, said=errand.instead(name, bare)), bare
    if (value := general(name)) and not followed(errand, name):
        return _mute_general(errand, *value, until)
    topic = must_know(errand, name, "mute")
    standing = must_follow(errand, topic, name, "mute")
    errand.house.store.people.mute_follow(standing.id, until)
    others = len(errand.house.store.people.follows(standing.subscriber_id)) - 1
    return _muted(errand, topic.name, topic.slug, until, remarks.others_go_on(others))


def _what_is_silent(when: str) -> Refused:
    """What to ask somebody who only said for how long."""
    everything = f"mute all {when}"
    return refused(
        "What shall be silent? All of it: ", Code(everything), ", one topic: ",
        Code(f"mute TOPIC {when}"), ".",
        buttons=(Action(shown(everything, 40), everything),),
    )  # fmt: skip


def _mute_general(errand: Errand, kind: MuteKind, value: str, until: datetime) -> Reply:
    value = _must_mean_something(errand, kind, value)
    errand.house.store.people.mute(errand.enrolled(), kind, value, until)
    return _muted(errand, named(kind, value), again(kind, value), until, "")


def _must_mean_something(errand: Errand, kind: MuteKind, value: str) -> str:
    """The value as it is written.  Raises Refused if it would never silence anything."""
    if kind is MuteKind.CATEGORY:
        return must_be_listed(errand, value)
    if kind is not MuteKind.ALL and not words(value):
        raise refused(f"“{shown(value)}” has no word to look for. ",
                      Code('mute "catastrophic forgetting"'))  # fmt: skip
    return value


def _muted(errand: Errand, name: str, typed: str, until: datetime, tail: str) -> Reply:
    """The reply once something is muted, including that no digest falls into the silence."""
    unmute = Action("Unmute", f"unmute {typed}")
    said = until_line(errand, Strong(name), until, tail)
    end = line("until ", errand.day(until)) if until < FOREVER else line("until it is unmuted")
    notice = errand.notice(
        "muted ", Strong(shown(name) if name != "Everything" else "everything"), " here ", *end, "."
    )
    first = destinations.coming(errand)
    if first is None or first.next_due_at < until:
        silent = until if typed == again(MuteKind.ALL, "") else None
        after = destinations.next_digest(errand, silent)
        return errand.reply(said, *after, buttons=(unmute,), notice=notice)
    day = local_day(first.next_due_at, errand.zone) + timedelta(days=1)
    return errand.reply(
        said,
        line("No digest comes before that, so nothing is kept back: the next one comes ",
             Instant(first.next_due_at, clock=True, zone=first.zone), "."),
        buttons=(Action("Keep it out of that one", f"mute {typed} until {day}"), unmute),
        notice=notice,
    )  # fmt: skip


def again(kind: MuteKind, value: str) -> str:
    """How a mute is typed."""
    return {MuteKind.ALL: "all", MuteKind.AUTHOR: by_author(value),
             MuteKind.CATEGORY: f"cat:{value}"}.get(kind, f'"{value}"')  # fmt: skip


def must_follow(errand: Errand, topic: Topic, name: str, verb: str) -> Follow:
    """The follow of the topic that a name led to.

    Raises Refused where there is none, with those that have its words in their names.
    """
    standing = errand.following(topic)
    if standing is None:
        beside = of_the_conversation(errand, f"{verb} {errand.said}", topic)
        raise Refused(
            line("You don’t follow ", Strong(topic.name), f", so there is nothing to {verb}."),
            *beside.lines,
            buttons=(
                *beside.buttons,
                *(
                    Action(shown(each.name, 40), f"{verb} {errand.instead(name, each.name)}")
                    for each in followed_with(errand, name)
                ),
                Action("Follow it", f"follow {topic.slug}"),
            ),
        )
    return standing
