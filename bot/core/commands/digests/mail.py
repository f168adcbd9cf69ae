"""Digests by mail: `email …`, and the yes of whoever reads an address."""

import hashlib
import re
from datetime import datetime, timedelta

from bot.addresses import mailbox_of, masked
from bot.core.commands.digests import destinations, moving
from bot.core.commands.digests.turning import on, turn_off, undo_of
from bot.core.commands.digests.wording import state_line
from bot.core.commands.errand import Errand, refused
from bot.core.commands.words.clauses import typed
from bot.core.consent import UNCONFIRMED, may_still_ask, objection
from bot.core.house import House
from bot.core.pipeline.deliveries.letters import has_stopped_all, put_letter
from bot.core.reply import Code, Line, Link, Reply, Strong, line, text_of
from bot.digest import Action
from bot.model import Destination, DestinationState, Identity
from bot.store import Outcome, Run

ONE_A_DAY = line("Not there soon? Look among the unwanted mail: no more than one goes out a day.")
"""Said when an address is typed again on the same day, and nothing is sent."""

ASKED_A_YEAR = 3
"""How often an address that never answered is asked, whoever typed it."""

A_SOURCE = 20
"""How many addresses a day one person, or one network, may type."""

_SHARE = 8
"""They may take at most an eighth of what is left of a day, so that latecomers find some."""

_BOTH = line(
    "It was asked for in Slack. Confirm only if that was you: whoever asked then sees and changes "
    "what is followed and saved at this address."
)
"""A yes joins who asked with who reads there, and a mail shows no face."""

_LED_IN = re.compile(r"^(?:(?:it|me|my|address|them|to|at|is|the|digests?)\s+)+(?=\S+@)", re.I)

_SHARED = line(
    "Someone else in Slack has a digest there too, and each keeps topics and mutes of their own. "
    "One for all of you: ", Code("follow TOPIC in #conversation"), ".",
)  # fmt: skip


_CONFIRM = "Confirm: research papers by mail"
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
    left = moving.to_be_left(errand, text, moved) if moved is not None else None
    with errand.house.store.write():
        destination = destinations.reach(errand, "email", text)
        if errand.actor.operator:
            return errand.reply(*_confirmed(errand, destination, "by the operator", left))
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
    typist = _key(str(errand.actor.identity))
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


def may_ask(errand: Errand, address: str) -> bool:
    """Whether an address may be asked to confirm, without having asked itself.

    Once a day for a mailbox with all its plus-tags, three times a year in all, and never after
    it stopped all mail.
    """
    if has_stopped_all(errand.house, "email", address):
        return False
    asked = _asked(errand, address, errand.now - timedelta(days=366))
    lately = [run for run in asked if run.at > errand.now - timedelta(days=1)]
    return len(asked) < ASKED_A_YEAR and not lately


def has_asked_enough(errand: Errand, where: str) -> bool:
    """Whether the day's limit of addresses typed there is reached; fewer, the more were asked."""
    day_ago = errand.now - timedelta(days=1)
    typed_there = len(errand.house.store.ledger.around("join", where, day_ago, errand.now))
    share = may_still_ask(errand.house, errand.now) // _SHARE
    return typed_there >= max(1, min(A_SOURCE, share))


def must_be_able_to_ask(errand: Errand, address: str) -> None:
    """Raises Refused where nobody at all can be asked to confirm now."""
    if not errand.house.links.base_url:
        raise refused(
            "Mail cannot be confirmed here: no web address is set. The operator can add you with ",
            Code(f'paperround do --as {errand.subject} "email {address}"'), ".",
        )  # fmt: skip
    if may_still_ask(errand.house, errand.now) <= 0:
        raise refused("Too many people joined today; try again tomorrow.", status=429)


def note_asked(errand: Errand, address: str) -> None:
    """Count one mail that was not asked for by its reader.  Raises Refused past the day's cap."""
    house = errand.house
    must_be_able_to_ask(errand, address)
    house.store.ledger.record("join", "all", errand.now, Outcome.ASKED)
    house.store.ledger.record("ask", _key(mailbox_of(address)), errand.now, Outcome.ASKED)


def forget_asked(house: House, address: str) -> None:
    """Count an address as never asked."""
    house.store.ledger.strike("ask", _key(mailbox_of(address)))


def _asked(errand: Errand, address: str, since: datetime) -> list[Run]:
    return errand.house.store.ledger.around("ask", _key(mailbox_of(address)), since, errand.now)


def _key(text: str) -> str:
    """A key to count by that names nobody: addresses that never answered are not stored."""
    return hashlib.sha256(text.encode()).hexdigest()[:24]


def ask_to_confirm(
    errand: Errand, destination: Destination, left: Destination | None = None
) -> None:
    """Queue the one mail a day that an unconfirmed address may get.  Inside a transaction.

    With `left`, it is to take the place of that one.
    """
    house = errand.house
    note_asked(errand, destination.address)
    link = house.links.url("confirm", destination.id, destination.epoch, moving.claim_of(left))
    if destination.state is DestinationState.OFF:
        house.store.people.start_afresh(destination.id)
        house.store.people.set_state(destination.id, DestinationState.PAUSED, UNCONFIRMED)
    here = f"instead of {masked(left.address)}" if left else "at this address"
    put_letter(
        house,
        destination,
        f"confirm.{errand.now:%Y%m%d}",
        "Confirm: your digest moves to this address" if left else _CONFIRM,
        (
            f"Someone, probably you, asked for a digest of new research papers {here}.",
            "Press Confirm to get it. If it was not you, do nothing: no more mail comes.",
            *(text_of(each, errand.zone) for each in warning(errand, destination)),
        ),
        errand.now,
        (Action("Confirm", "", link),),
    )


def warning(errand: Errand, destination: Destination) -> tuple[Line, ...]:
    """What to know before a yes where somebody known by more than the address asked for it."""
    return (_BOTH,) if _is_in_slack(errand, destination.subscriber_id) else ()


def confirm(errand: Errand, destination: Destination, claim: str = "") -> Reply:
    """The owner of an address said yes: digests come, and both subscribers are one person.

    `claim` is what the link says besides: which address it takes the place of.
    """
    with errand.house.store.write():
        left = moving.claimed(errand, destination, claim)
        return errand.reply(line("Confirmed. "), *_confirmed(errand, destination, "by link", left))


def _moved(errand: Errand, destination: Destination, left: Destination) -> tuple[Line, ...]:
    """How a digest stands that moves to an address of theirs that was confirmed before."""
    welcome = destinations.turn_on(errand, destination)
    return state_line(moving.moved(errand, left, welcome)), *moving.moved_lines(left)


def _confirmed(
    errand: Errand, destination: Destination, how: str, left: Destination | None = None
) -> tuple[Line, ...]:
    """How the destination stands once its owner said yes.  Inside a transaction."""
    subscriber, mailbox = destination.subscriber_id, Identity("email", "", destination.address)
    remarks = _unite(errand, subscriber, mailbox)
    # Joined, the older of two destinations at that address stays.
    oldest = destinations.standing(errand, subscriber, "email", destination.address)
    confirmed = destinations.confirm(errand, oldest or destination, how)
    fresh = moving.moved(errand, left, destinations.turn_on(errand, confirmed))
    return (state_line(fresh), *remarks, *moving.moved_lines(left))


def _unite(errand: Errand, subscriber: int, mailbox: Identity) -> tuple[Line, ...]:
    """Merge whoever reads a mailbox with whoever asked for it; never two people of Slack.

    Returns what to say: that the mailbox stays someone else's, or what both now leave out.
    """
    people = errand.house.store.people
    other = people.find(mailbox)
    if other in (None, subscriber):
        people.identify(subscriber, mailbox)
        return ()
    if _is_in_slack(errand, subscriber) and _is_in_slack(errand, other):
        return (_SHARED,)
    return tuple(
        line("You followed ", Strong(each.topic.name), " on both sides; what either left out "
             "stays out: ", Code(f"follow {typed(each)}"), ".")
        for each in people.join(subscriber, other)
    )  # fmt: skip


def _is_in_slack(errand: Errand, subscriber: int) -> bool:
    return any(each.kind == "slack" for each in errand.house.store.people.identities(subscriber))
