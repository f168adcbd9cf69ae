"""Where the subject of a request is reached: found, made, turned on and off."""

from datetime import datetime

from bot.addresses import AddressError, identity_of, normalise_address
from bot.core.commands.errand import Errand, refused
from bot.core.consent import ONLY_NOTICES, UNCONFIRMED, objection
from bot.core.pipeline.digests.prepare import passed_by
from bot.core.reply import Code, Instant, Line, line
from bot.model import FOREVER, Destination, DestinationState, Identity
from bot.store import Outcome
from bot.timetable import Cadence, next_due


def address_of(identity: Identity) -> tuple[str, str]:
    """The channel and address of an identity's own door."""
    if identity.kind == "slack":
        return "slack", f"{identity.workspace}:{identity.external_id}"
    return identity.kind, identity.external_id


# -------------------------------------------------------------------- found


def every(errand: Errand) -> list[Destination]:
    """All ways to reach the subject, oldest first."""
    return errand.house.store.people.destinations(errand.subscriber)


def by_mail(errand: Errand) -> list[Destination]:
    """Those of them that are mail addresses."""
    return [each for each in every(errand) if each.channel == "email"]


def paused(errand: Errand) -> list[Destination]:
    """Those of them that are paused, and only wait for somebody to resume them."""
    still = (d for d in every(errand) if d.state is DestinationState.PAUSED)
    return [each for each in still if not each.unconfirmed]


def own(errand: Errand) -> Destination | None:
    """Where the subject is reached by the door it speaks through, if it is."""
    is_own = errand.subject == errand.actor.identity
    mailbox = errand.actor.mailbox if is_own else ""
    way = ("email", mailbox) if mailbox else address_of(errand.subject)
    return standing(errand, errand.subscriber, *way)


def standing(errand: Errand, subscriber: int, channel: str, address: str) -> Destination | None:
    """The destination at this address, if any; case does not count in a mail address."""
    wanted = _compared(channel, address)
    found = errand.house.store.people.destinations(subscriber)
    return next((d for d in found if _compared(d.channel, d.address) == wanted), None)


def _compared(channel: str, address: str) -> tuple[str, str]:
    return channel, identity_of(address) if channel == "email" else address


def again(errand: Errand, destination: Destination) -> Destination:
    """A destination as it stands now."""
    return errand.house.store.people.destination(destination.id) or destination


def coming(errand: Errand) -> Destination | None:
    """The destination whose digest comes first, None where none is planned."""
    active = [d for d in every(errand) if d.state is DestinationState.ACTIVE]
    return min(active, key=lambda d: d.next_due_at, default=None)


def next_digest(errand: Errand, silent: datetime | None = None) -> tuple[Line, ...]:
    """When the next digest comes, in a line; () where none is planned.

    Where everything is `silent` until then, it is the first one behind that.
    """
    if silent == FOREVER:
        return ()
    active = [d for d in every(errand) if d.state is DestinationState.ACTIVE]
    due = [(_due(each, silent), each.zone) for each in active]
    return tuple(
        line("The next digest comes ", Instant(at, clock=True, zone=zone), ".")
        for at, zone in sorted(due)[:1]
    )


def _due(place: Destination, silent: datetime | None) -> datetime:
    if silent is None or place.next_due_at >= silent:
        return place.next_due_at
    return next_due(Cadence.parse(place.cadence), place.zone, silent)


# --------------------------------------------------------------------- made


def reached(errand: Errand) -> Destination:
    """The subject's own destination, created with the default cadence if there is none.

    A place that only got notices counts as none.
    """
    known = own(errand)
    if known and known.reason != ONLY_NOTICES:
        return known
    begun = _as_new(errand, known) if known else reach(errand, *address_of(errand.subject))
    may = errand.actor.operator or not objection(errand.house, begun)
    return turn_on(errand, begun) if may else begun


def reach(errand: Errand, channel: str, address: str) -> Destination:
    """A destination of the subject, by the default cadence in its zone.

    A new mail address waits for its owner to confirm.  Raises Refused if it is not an address.
    """
    if channel == "email":
        try:
            address = normalise_address(address)
        except AddressError as error:
            raise refused(str(error)) from error
    subscriber = errand.enrolled()
    known = standing(errand, subscriber, channel, address)
    return known or _begin(errand, subscriber, channel, address)


def _begin(errand: Errand, subscriber: int, channel: str, address: str) -> Destination:
    cadence, waits = errand.house.wishes.cadence, channel == "email"
    return errand.house.store.people.reach(
        Destination(
            id=0,
            subscriber_id=subscriber,
            channel=channel,
            address=address,
            cadence=cadence,
            zone=errand.zone,
            next_due_at=next_due(Cadence.parse(cadence), errand.zone, errand.now),
            state=DestinationState.PAUSED if waits else DestinationState.ACTIVE,
            reason=UNCONFIRMED if waits else "",
        ),
        errand.house.store.topics.last_number(),
    )


def _as_new(errand: Errand, destination: Destination) -> Destination:
    """A destination that nobody ever set, by the default cadence in the subject's zone."""
    _plan(errand, destination, errand.house.wishes.cadence, errand.zone)
    return again(errand, destination)


def _plan(errand: Errand, destination: Destination, cadence: str, zone: str) -> None:
    due = next_due(Cadence.parse(cadence), zone, errand.now)
    errand.house.store.people.schedule(destination.id, due, cadence=cadence, zone=zone)


# -------------------------------------------------------- turned on and off


def turn_on(errand: Errand, destination: Destination, *, whole: bool = False) -> Destination:
    """Digests come there from now on; `whole`: with what matched while it was off.

    The only way that words and links activate one.  A digest that is already overdue still
    comes.  Raises Refused for a mail address that was never confirmed or that refused
    mail; the operator speaks for its owner.
    """
    people = errand.house.store.people
    with errand.house.store.write():
        if errand.actor.operator:
            destination = confirm(errand, destination, "by the operator")
        _must_welcome(errand, destination)
        if destination.state is DestinationState.ACTIVE:
            return destination
        if destination.state is DestinationState.OFF and not whole:
            people.start_afresh(destination.id)
        people.set_state(destination.id, DestinationState.ACTIVE)
        if destination.next_due_at <= errand.now:
            if destination.state is DestinationState.PAUSED:
                passed_by(errand.house, destination, errand.now)
            _plan(errand, destination, destination.cadence, destination.zone)
        return again(errand, destination)


def confirm(errand: Errand, destination: Destination, how: str) -> Destination:
    """Note that somebody entitled said yes to a mail address; other channels need no yes.

    Does not turn it on.  Inside a transaction.
    """
    if destination.channel != "email":
        return destination
    store = errand.house.store
    store.people.release(destination.address)
    if destination.unconfirmed:
        store.people.confirm(destination.id, errand.now)
        store.ledger.record("consent", f"d{destination.id}", errand.now, Outcome.CONFIRMED, how)
    return again(errand, destination)


def _must_welcome(errand: Errand, destination: Destination) -> None:
    """Raises Refused, with what to do, if no digest may go to that mail address."""
    why = objection(errand.house, destination)
    if why == UNCONFIRMED:
        raise refused("That address has not been confirmed yet; open the link in the mail.")
    if why:
        raise refused(
            f"{destination.address} {why}. The operator can release it with ",
            Code(f'paperround do --as {errand.subject} "email {destination.address}"'), ".",
        )  # fmt: skip


def turn_off(errand: Errand, destination: Destination, why: str, by: str) -> None:
    """No more digests there until someone turns them on; `by` says through which door."""
    errand.house.store.people.set_state(destination.id, DestinationState.OFF, why)
    errand.house.tell("leave", by, destination=destination.id)
