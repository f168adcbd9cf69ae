"""What is silent now, and until when."""

from datetime import datetime

from bot.core.commands.errand import Errand
from bot.core.filtering import mute_words
from bot.core.reply import Line, Strong, line
from bot.model import FOREVER, Follow, Mute, MuteKind


def silent(errand: Errand) -> tuple[list[Follow], list[Mute]]:
    """Topics and everything else that is muted now."""
    people, subscriber = errand.house.store.people, errand.subscriber
    topics = [f for f in people.follows(subscriber) if f.is_muted(errand.now)]
    return topics, [m for m in people.mutes(subscriber) if m.holds(errand.now)]


def is_silent(errand: Errand) -> bool:
    """Whether everything is muted now, as by "pause for 2w"."""
    return any(each.kind is MuteKind.ALL for each in silent(errand)[1])


def why_nothing(errand: Errand) -> tuple[Line, ...]:
    """What is muted now, to explain why nothing came; () if nothing is."""
    topics, mutes = silent(errand)
    whole = next((each for each in mutes if each.kind is MuteKind.ALL), None)
    if whole:
        return (until_line(errand, Strong(named(whole.kind, "")), whole.until),)
    said = [*(each.topic.name for each in topics), *(mute_words(m.kind, m.value) for m in mutes)]
    return (line("Muted now: ", Strong(", ".join(said)), "."),) if said else ()


def named(kind: MuteKind, value: str) -> str:
    """A mute in words, capitalised to begin a sentence."""
    said = mute_words(kind, value)
    return said[0].upper() + said[1:]


def until_line(errand: Errand, what: Strong, until: datetime, tail: str = "") -> Line:
    """What is muted, and until when."""
    if until >= FOREVER:
        return line(what, f" is muted until you unmute it. {tail}".rstrip())
    return line(what, " is muted until ", errand.day(until), f". {tail}".rstrip())
