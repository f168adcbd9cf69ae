"""One mail address in the place of another: `email a@b.org instead`."""

import re
from collections.abc import Sequence

from bot.addresses import identity_of, masked
from bot.core.commands.digests import destinations
from bot.core.commands.errand import Errand, refused
from bot.core.commands.words.vocabulary import phrase
from bot.core.pipeline.deliveries.letters import put_letter
from bot.core.reply import Line, Reply, Strong, line
from bot.digest import Action
from bot.model import Destination, DestinationState
from bot.store import Outcome

_BEFORE = phrase(
    r"^(?:chang|mov|switch|updat)(?:e|ed|ing)?(?: (?:it|me|my|the|address|e-?mails?|digests?))*"
    r"(?: to)? (?=\S+@)"
)
_BEHIND = phrase(r"[\s,]+(?:instead|in place|rather)(?: (?:of|than) (?P<left>\S+@\S+))?$")
_CLAIMED = re.compile(r"instead (\d{1,18})", re.ASCII)


def instead(text: str) -> tuple[str, str | None]:
    """The address in "a@b.org instead of c@d.org", and the one to be left: "" if none is named.

    None where the words ask for no move.
    """
    address = _BEFORE.sub("", text)
    found = _BEHIND.search(address)
    if found is None:
        return address, "" if address != text else None
    return address[: found.start()], found["left"] or ""


def to_be_left(errand: Errand, address: str, named: str) -> Destination | None:
    """Where mail comes to now, if not at this address already: the asker's own before others.

    Raises Refused to ask which.
    """
    mine = [each for each in destinations.by_mail(errand) if _comes(each)]
    others = [each for each in mine if not _is_at(each, address)]
    if named and not (others := [each for each in others if _is_at(each, named)]):
        raise refused(f"No digest comes to {named}; nothing changed.", status=404)
    if (own := destinations.own(errand)) in others:
        return own
    if len(others) > 1:
        raise refused("In place of which address?", buttons=_in_place_of(others, address))
    return others[0] if others else None


def _in_place_of(others: Sequence[Destination], address: str) -> tuple[Action, ...]:
    return tuple(
        Action(each.address, f"email {address} instead of {each.address}") for each in others
    )


def _is_at(destination: Destination, address: str) -> bool:
    return identity_of(destination.address) == identity_of(address)


def moved(errand: Errand, left: Destination | None, there: Destination) -> Destination:
    """The destination that came to `left` so far, now at the address of `there`, as one.

    Inside a transaction.
    """
    if left is None or left.id == there.id:
        return there
    people, ledger = errand.house.store.people, errand.house.store.ledger
    people.move(left.id, there.id)
    ledger.record("consent", f"d{left.id}", errand.now, Outcome.CONFIRMED, "moved")
    if left.state is DestinationState.PAUSED:  # the address that was left is why
        destinations.turn_on(errand, destinations.again(errand, left))
    return destinations.again(errand, left)


def moved_lines(left: Destination | None) -> tuple[Line, ...]:
    """What a move means for the address that was left; () where there is none."""
    if left is None:
        return ()
    return (
        line("Nothing more goes to ", Strong(left.address), ", and the links in mails sent there "
             "only stop the mail now."),
    )  # fmt: skip


def claim_of(left: Destination | None) -> str:
    """How the link that confirms an address remembers which one it is to replace."""
    return f"instead {left.id}" if left else ""


def claimed(errand: Errand, there: Destination, claim: str) -> Destination | None:
    """Which destination is to be left once `there` is confirmed, as its link says; if it stands."""
    found = _CLAIMED.fullmatch(claim)
    left = errand.house.store.people.destination(int(found[1])) if found else None
    if left is None or left.id == there.id or left.subscriber_id != there.subscriber_id:
        return None
    return left if _comes(left) else None


def warn(errand: Errand, left: Destination | None, there: Destination) -> None:
    """Tell whoever reads the old address, before anything moves.  Inside a transaction."""
    if left is None or left.state is not DestinationState.ACTIVE:
        return
    keep = f"undo move {there.id}"
    link = errand.house.links.url("act", left.id, left.epoch, keep)
    put_letter(
        errand.house,
        left,
        f"moving{there.id}.{errand.now:%Y%m%d}",
        "Your digest is to move to another address",
        (
            f"Someone, probably you, asked that it come to {masked(there.address)} instead of "
            "here. It moves once that is confirmed there.",
            "If it was not you, press Keep it here.",
        ),
        errand.now,
        (Action("Keep it here", keep, link),),
    )


def undo_move(errand: Errand, text: str) -> Reply:
    """`undo move 12`: an address that was not confirmed yet cannot be any more."""
    waiting = (each for each in destinations.by_mail(errand) if each.unconfirmed)
    there = next((each for each in waiting if str(each.id) == text), None)
    if there is None:
        raise refused("There is nothing to undo here.", status=404)
    with errand.house.store.write():
        errand.house.store.people.void_links(there.id)
        destinations.turn_off(errand, there, "turned off", by=errand.actor.identity.kind)
    return errand.reply(
        line("Taken back: nothing moves to ", Strong(there.address), "."),
        *destinations.next_digest(errand),
    )


def _comes(destination: Destination) -> bool:
    return destination.state is not DestinationState.OFF and not destination.unconfirmed
