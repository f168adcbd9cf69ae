"""Digests by mail: `email …`."""

import re

from bot.core.commands.digests import destinations, moving
from bot.core.commands.digests.confirming import ask_to_confirm, confirmed
from bot.core.commands.digests.sign_ups import has_asked_enough, key_of, may_ask
from bot.core.commands.digests.turning import on, turn_off, undo_of
from bot.core.commands.digests.wording import state_line
from bot.core.commands.errand import Errand, refused
from bot.core.consent import UNCONFIRMED, objection
from bot.core.reply import Code, Line, Link, Reply, Strong, line
from bot.digest import Action
from bot.model import Destination, DestinationState
from bot.store import Outcome

ONE_A_DAY = line("Not there soon? Look among the unwanted mail: no more than one goes out a day.")
"""Said when an address is typed again on the same day, and nothing is sent."""
_LED_IN = re.compile(r"^(?:(?:it|me|my|address|them|to|at|is|the|digests?)\s+)+(?=\S+@)", re.I)
_UNTIL_THEN = "Until then nothing is sent there."
_HOW_TO_MOVE = line("To another address in its place: ", Code("email reader@example.org instead"))


def email(errand: Errand, text: str) -> Reply:
    """`email a@b.org`: the digest comes there too, once its owner has confirmed; `email off`.

    `email a@b.org instead`: there in place of the address it comes to now.
    """
    if errand.subject.is_conversation:
        raise refused("A conversation has its digest here; mail is for people. Type ",
                      Code("email a@b.org"), " for yourself.")  # fmt: skip
    if not text:
        return _email_lines(errand)
    if text.casefold() in ("off", "stop"):
        return _email_off(errand)
    text, moved = moving.instead(_LED_IN.sub("", text).rstrip(".,;:!"))
    _refuse_a_finder(errand, text)
    with errand.house.store.write():
        left = moving.to_be_left(errand, text, moved) if moved is not None else None
        destination = destinations.reach(errand, "email", text)
        if errand.actor.operator:
            return errand.reply(*confirmed(errand, destination, "by the operator", left))
        if objection(errand.house, destination) == UNCONFIRMED:
            return _asked_first(errand, destination, left)
        if left:
            return errand.reply(*_moved(errand, destination, left))
        if destination.state is DestinationState.ACTIVE:
            return errand.reply(state_line(destination))
        return on(errand, destination)


def _refuse_a_finder(errand: Errand, text: str) -> None:
    """Raises Refused where a link of a mail would add an address: whoever found that mail would
    get every digest from then on, also once its links were made anew."""
    theirs = destinations.standing(errand, errand.subscriber, "email", text)
    if errand.actor.by_link and (theirs is None or theirs.unconfirmed):
        raise refused("A link may have been passed on, so it adds no address. ",
                      Link("Sign up", f"{errand.house.links.base_url}/join"),
                      " with the other one.", status=403)  # fmt: skip


def _email_lines(errand: Errand) -> Reply:
    """How mail stands and how it moves, or how to begin with it."""
    mine = destinations.by_mail(errand)
    if not mine:
        return errand.refuse(line("Which address? ", Code("email reader@example.org")))
    may_move = any(not each.unconfirmed for each in mine)
    how = (_HOW_TO_MOVE,) if may_move else ()
    return errand.reply(*(state_line(each) for each in mine), *how)


def _email_off(errand: Errand) -> Reply:
    mine = destinations.by_mail(errand)
    if not mine:
        return errand.refuse(line("No e-mail address is set; nothing changed."), status=200)
    for each in mine:
        if each.state is not DestinationState.OFF:
            turn_off(errand, each)
    return errand.reply(
        line("No more mail to ", Strong(", ".join(d.address for d in mine)), "."),
        buttons=undo_of(mine),
    )


def _asked_first(errand: Errand, destination: Destination, left: Destination | None) -> Reply:
    """Its owner has to say yes, however often the address was typed.  Inside a transaction."""
    address = destination.address
    if not may_ask(errand, address):
        raise refused(
            f"{address} was asked before and has not answered; look for that mail, or let "
            "the operator add it."
        )
    typist = key_of(str(errand.actor.identity))
    if has_asked_enough(errand, typist):
        raise refused("You have named enough addresses for today; try again tomorrow.", status=429)
    errand.house.store.ledger.record("join", typist, errand.now, Outcome.ASKED)
    ask_to_confirm(errand, destination, left)
    moving.warn(errand, left, destination)
    until = f"Until then the digest comes to {left.address}." if left else _UNTIL_THEN
    return errand.reply(
        line("A mail is on its way to ", Strong(address), ". Press the button in it to confirm."),
        line(until),
        ONE_A_DAY,
        buttons=(Action("Undo", f"undo move {destination.id}"),) if left else (),
    )


def _moved(errand: Errand, destination: Destination, left: Destination) -> tuple[Line, ...]:
    """How a digest stands that moves to an address of theirs that was confirmed before."""
    welcome = destinations.turn_on(errand, destination)
    return state_line(moving.moved(errand, left, welcome)), *moving.moved_lines(left)
