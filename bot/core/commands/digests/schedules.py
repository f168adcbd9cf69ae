"""When digests come: `digest …`."""

import re

from bot.core.commands.digests import destinations
from bot.core.commands.digests.at_once import at_once
from bot.core.commands.digests.turning import off, on
from bot.core.commands.digests.wording import (
    by_clock,
    by_words,
    has_fallen_due,
    late_line,
    limit,
    limited,
    other_times,
    state_line,
    turn_on_buttons,
)
from bot.core.commands.errand import Errand, refused
from bot.core.commands.words.cadences import cadence_in, limit_in
from bot.core.commands.words.clauses import channel_in
from bot.core.reply import Code, Line, Reply, Strong, line
from bot.digest import Action
from bot.model import Destination, DestinationState
from bot.timetable import Cadence, next_due

_PLEASE = re.compile(r"\s*(?:please|pls)?[.!]*$")


def digest(errand: Errand, text: str) -> Reply:
    """`digest daily 8:30`, `digest mon 9 by email`, `digest at most 20`, `digest now|off`."""
    text, channel = channel_in(text)
    destination = _destination(errand, channel)
    word = _PLEASE.sub("", text.strip().casefold())
    if not word:
        return errand.reply(state_line(destination), buttons=other_times(destination))
    if word in ("off", "stop", "none", "never"):
        return off(errand, destination)
    if word in ("on", "resume", "start"):
        return on(errand, destination)
    if word == "now":
        return at_once(errand, destination)
    return _change(errand, destination, text)


def _change(errand: Errand, destination: Destination, text: str) -> Reply:
    text, most = limit_in(text)
    cadence, zone = cadence_in(text, destination)
    before = f"{destination.cadence} {limit(destination) or 'no limit'} tz {destination.zone}"
    people = errand.house.store.people
    with errand.house.store.write():
        due = destination.next_due_at
        if not has_fallen_due(errand, destination):
            due = next_due(cadence, zone, errand.now)
        people.schedule(destination.id, due, cadence=str(cadence), zone=zone)
        if most is not None:
            people.show_at_most(destination.id, most)
        if zone != destination.zone:
            people.set_zone(destination.subscriber_id, zone)
    fresh = destinations.again(errand, destination)
    return errand.reply(
        *_changed(fresh),
        *late_line(errand, fresh),
        buttons=(
            *turn_on_buttons(fresh),
            Action("Undo", f"digest {before}{by_words(destination)}"),
        ),
        notice=errand.notice(
            f"set the digest here to {cadence.words()} ({zone})", *limited(fresh), "."
        ),
    )


def _changed(destination: Destination) -> tuple[Line, ...]:
    """What a new schedule leads to; nothing where it does not come at all."""
    if destination.state is DestinationState.ACTIVE:
        return (state_line(destination),)
    words = Cadence.parse(destination.cadence).words()
    changed = line(
        "Changed to ",
        Strong(words),
        by_clock(destination),
        *limited(destination),
        ".",
    )
    return changed, state_line(destination)


def _destination(errand: Errand, channel: str) -> Destination:
    own = destinations.own(errand)
    if not channel or (own and own.channel == channel):
        return destinations.reached(errand)
    found = [d for d in destinations.every(errand) if d.channel == channel]
    if not found:
        hint = "email a@b.org" if channel == "email" else "digest"
        raise refused(f"You have no digest by {channel}; make one with ", Code(hint), ".")
    return found[0]
