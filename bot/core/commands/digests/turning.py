"""Digests that end, and come again: `digest off`, `digest on`, `resume`."""

from collections.abc import Sequence

from bot.core.commands.digests import destinations
from bot.core.commands.digests.wording import late_line, next_one, turn_on_buttons, where
from bot.core.commands.errand import Errand, Refused, refused
from bot.core.consent import objection
from bot.core.reply import Code, Reply, line
from bot.digest import Action
from bot.model import Destination, DestinationState


def off(errand: Errand, destination: Destination) -> Reply:
    """No more digests there until someone turns them on."""
    turn_off(errand, destination)
    return errand.reply(
        line("Stopped. No more digests ", where(destination), "."),
        buttons=undo_of([destination]),
        notice=errand.notice("stopped the digest here."),
    )


def turn_off(errand: Errand, destination: Destination) -> None:
    """As `off`, without a reply."""
    destinations.turn_off(errand, destination, "turned off", by=errand.actor.identity.kind)


def on(errand: Errand, destination: Destination) -> Reply:
    """Digests come again; what matched while it was turned off is not told later."""
    fresh = destinations.turn_on(errand, destination)
    return errand.reply(
        line("Digests come again ", where(fresh), ", next ", next_one(fresh), "."),
        *late_line(errand, fresh),
        notice=errand.notice("turned the digest here on again."),
    )


def resume(errand: Errand, text: str) -> Reply:
    """Undo a pause or a stop whole: what matched meanwhile comes with the next digest.

    That one comes when it is next due, not for a date that has passed.  Without numbers,
    whatever is paused.
    """
    mine = _numbered(errand, text) if text else _paused(errand)
    with errand.house.store.write():
        for each in mine:
            destinations.turn_on(errand, each, whole=True)
    places = " and ".join(map(where, mine))
    return errand.reply(
        line(f"Digests come again {places}. Nothing was lost meanwhile."),
        *destinations.next_digest(errand),
    )


def undo_of(stopped: Sequence[Destination]) -> tuple[Action, ...]:
    """Turn them on again; what was never confirmed was never on."""
    ids = " ".join(str(each.id) for each in stopped if not each.unconfirmed)
    return (Action("Undo", f"resume {ids}"),) if ids else ()


def _numbered(errand: Errand, text: str) -> list[Destination]:
    found = [each for each in destinations.every(errand) if str(each.id) in text.split()]
    if not found:
        raise refused("There is nothing to resume here.", status=404)
    return found


def _paused(errand: Errand) -> list[Destination]:
    """What is paused and may go on; what may not, where that is all.  Raises Refused for none."""
    paused = destinations.paused(errand)
    if not paused:
        raise _nothing_paused(errand)
    may = [d for d in paused if errand.actor.operator or not objection(errand.house, d)]
    return may or paused


def _nothing_paused(errand: Errand) -> Refused:
    """Say that nothing is paused, and how to turn on what is off."""
    every = destinations.every(errand)
    off = [d for d in every if d.state is DestinationState.OFF and not d.unconfirmed]
    if not off:
        return refused("Nothing is paused here; nothing changed.", status=200)
    places = " and ".join(map(where, off))
    ways = tuple(dict.fromkeys(way for each in off for way in turn_on_buttons(each)))
    return refused(
        f"Nothing is paused here, but the digest {places} is turned off. To have it again: ",
        Code(ways[0].command), buttons=ways, status=200,
    )  # fmt: skip
