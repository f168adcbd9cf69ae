"""What whoever holds a signed link can do: confirm, act, leave, see their own page."""

from dataclasses import replace

from bot.addresses import identity_of
from bot.core.commands import executing
from bot.core.commands.digests import confirming, destinations, turning
from bot.core.commands.errand import Errand
from bot.core.commands.links.deeds import question
from bot.core.commands.looking import overview_of
from bot.core.house import House
from bot.core.pipeline.deliveries.letters import STOPPED_ALL
from bot.core.reply import Actor, Reply, line
from bot.links import BadLink, Claim
from bot.model import Destination, DestinationState, Identity

FOR_LEAVING = ("leave", "one-click", "stop-all")


def redeem(house: House, token: str, *, act: bool) -> Reply:
    """Do what a signed link stands for, or only say it unless `act`.

    Raises links.BadLink for one that is not ours or was voided.  Leaving works for ever; a link
    to someone who was erased is answered as done, and a yes from there as too late.
    """
    claim, destination = claimed(house, token)
    if destination is None:
        if claim.purpose in FOR_LEAVING:
            return Reply((line("Stopped. No more mail."),))
        if claim.purpose == "confirm":
            return Reply((line("Too late: this address was forgotten. Ask for a digest anew."),),
                         ok=False, status=410)  # fmt: skip
        raise BadLink
    if claim.epoch < destination.epoch and claim.purpose not in FOR_LEAVING:
        raise BadLink
    errand = errand_of(house, destination)
    return (
        _DO[claim.purpose](errand, claim, destination) if act else _ask(errand, claim, destination)
    )


def claimed(house: House, token: str) -> tuple[Claim, Destination | None]:
    """What a link says, and the destination it is about, None where that was forgotten.

    A destination that became one with another is that other one.  Raises links.BadLink.
    """
    claim = house.links.read(token)
    if since := house.store.people.became(claim.destination_id):
        epoch = since.epoch if claim.epoch >= since.since else -1
        claim = replace(claim, destination_id=since.destination_id, epoch=epoch)
    return claim, house.store.people.destination(claim.destination_id)


def holder(house: House, token: str) -> Actor:
    """Whose personal page a link opens.  Raises links.BadLink for any other link."""
    claim, destination = claimed(house, token)
    if claim.purpose != "person" or destination is None or claim.epoch < destination.epoch:
        raise BadLink
    return errand_of(house, destination).actor


def errand_of(house: House, destination: Destination) -> Errand:
    """The errand of whoever is reached at a destination."""
    identities = house.store.people.identities(destination.subscriber_id)
    mailbox = Identity("email", "", identity_of(destination.address))
    if mailbox in identities or not identities:
        actor = Actor(mailbox, zone=destination.zone, by_link=True)
    else:  # a mailbox that several have their digests in, or one that waits to be confirmed
        actor = Actor(
            identities[0], zone=destination.zone, mailbox=destination.address, by_link=True
        )
    return Errand(house, actor, actor.identity, house.clock())


def _ask(errand: Errand, claim: Claim, destination: Destination) -> Reply:
    """What pressing the button will do, in words; further papers, which change nothing, at once."""
    if claim.command.startswith("more "):
        return _act(errand, claim, destination)
    words, buttons = question(errand, claim.purpose, claim.command, destination)
    overview = overview_of(errand) if claim.purpose == "person" else None
    warning = confirming.warning(errand, destination) if claim.purpose == "confirm" else ()
    return errand.reply(words, *warning, buttons=buttons, overview=overview)


def _leave(errand: Errand, claim: Claim, destination: Destination) -> Reply:
    destinations.turn_off(errand, destination, "stopped by its reader", by="link")
    return errand.reply(line("Stopped. No more mail."), buttons=turning.undo_of([destination]))


def _stop_all(errand: Errand, claim: Claim, destination: Destination) -> Reply:
    people = errand.house.store.people
    places = [d for d in people.destinations(destination.subscriber_id) if d.channel == "email"]
    for each in places:
        destinations.turn_off(errand, each, STOPPED_ALL, by="link")
    were_on = [each for each in places if each.state is not DestinationState.OFF]
    return errand.reply(
        line("Stopped. No more mail of any kind."), buttons=turning.undo_of(were_on)
    )


def _act(errand: Errand, claim: Claim, destination: Destination) -> Reply:
    return executing.execute(errand.house, errand.actor, claim.command)


def _confirm(errand: Errand, claim: Claim, destination: Destination) -> Reply:
    return confirming.confirm(errand, destination, claim.command)


def _person(errand: Errand, claim: Claim, destination: Destination) -> Reply:
    return errand.reply(line("Your settings"), overview=overview_of(errand))


_DO = {
    "leave": _leave,
    "one-click": _leave,
    "stop-all": _stop_all,
    "act": _act,
    "confirm": _confirm,
    "person": _person,
}
