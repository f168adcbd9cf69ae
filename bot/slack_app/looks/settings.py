"""What stands for somebody, a line each: follows, mutes, destinations.  Pure."""

from datetime import datetime

from bot.block_kit.build import Block, Leaf, clean, labelled, menu, rich, say
from bot.core.commands.digests.muted import named
from bot.core.commands.topics.silencing import again
from bot.core.conversations import conversation_of
from bot.core.dates import end_words, instant_words
from bot.core.reply import Overview
from bot.digest import Action
from bot.model import (
    FOREVER,
    Breadth,
    Destination,
    DestinationState,
    Follow,
    Mute,
)
from bot.timetable import Cadence, zone_words

UNTIL = "~until "
"""Before a topic's slug: not a command, but a wish to be asked for the end of a mute."""


def silence_words(until: datetime, zone: str) -> str:
    """Say "muted until Mon 14 Dec 2026", or "muted" where it has no end."""
    return "muted" if until >= FOREVER else f"muted until {end_words(until, zone)}"


def follow_line(follow: Follow, zone: str, *, until: bool = False, within: str = "") -> Block:
    """A followed topic with what can be done to it.

    `until` offers a mute with a chosen end; `within` names the conversation that follows it.
    """
    slug, words = follow.topic.slug, []
    if follow.muted_until:
        words.append(silence_words(follow.muted_until, zone))
        silences = [Action("Unmute", f"unmute {slug}{within}")]
    else:
        silences = [Action("Mute for 1 week", f"mute {slug} for 1w{within}")]
        silences += [Action("Mute until …", f"{UNTIL}{slug}")] if until else []
    if follow.breadth is not Breadth.BALANCED:
        words.append(follow.breadth.value)
    if without := (*follow.without_words, *follow.without_authors):
        words.append(f"without {', '.join(without)}")
    acts = [
        Action("Open", f"topic {slug}"),
        *silences,
        Action("Unfollow", f"unfollow {slug}{within}"),
    ]
    return labelled(follow.topic.name or "(topic removed)", " · ".join(words), menu(acts))


def mute_line(mute: Mute, zone: str, within: str = "") -> Block:
    """A mute that is not about one topic, with its end."""
    silence = silence_words(mute.until, zone)
    return labelled(
        named(mute.kind, clean(mute.value, 200)),
        silence,
        menu([Action("Unmute", f"unmute {again(mute.kind, mute.value)}{within}")]),
    )


def destination_line(destination: Destination, outcome: str = "") -> Block:
    """Where digests go, when, and what became of the last one."""
    where = where_leaf(destination)
    words = [f"{Cadence.parse(destination.cadence).words()} ({zone_words(destination.zone)})"]
    if destination.state is DestinationState.ACTIVE:
        words.append(f"next {instant_words(destination.next_due_at, destination.zone, clock=True)}")
    else:
        reason = f": {destination.reason}" if destination.reason else ""
        words.append(f"{destination.state.value}{reason}")
    if outcome:
        words.append(outcome)
    return rich([where, say(" " + clean(" · ".join(words), 600))])


def where_leaf(destination: Destination) -> Leaf:
    """A destination's place: a conversation, direct messages, or an address."""
    if destination.channel != "slack":
        return say(clean(destination.address, 200) or destination.channel, bold=True)
    if conversation := conversation_of(destination):
        return {"type": "channel", "channel_id": conversation.external_id}
    return say("Direct messages", bold=True)


def settings_lines(overview: Overview, zone: str, conversation: str = "") -> list[Block]:
    """What an overview holds, a line each; of a person, or of a conversation."""
    within = f" in <#{conversation}>" if conversation else ""
    outcomes = {destination.id: words for destination, words in overview.deliveries}
    return [
        *(follow_line(each, zone, within=within) for each in overview.follows),
        *(mute_line(each, zone, within) for each in overview.mutes),
        *(destination_line(each, outcomes.get(each.id, "")) for each in overview.destinations),
    ]
