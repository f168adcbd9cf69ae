"""What strangers and holders of a signed link can do: join, confirm, act, leave."""

from bot.addresses import AddressError, identity_of, normalise_address
from bot.core.commands import destinations, mail, schedules, verbs
from bot.core.commands.deeds import question
from bot.core.commands.errand import Errand, Refused
from bot.core.commands.following import follow
from bot.core.commands.looking import overview_of
from bot.core.house import House
from bot.core.naming import known
from bot.core.pipeline.letters import STOPPED_ALL, put_letter
from bot.core.reply import Actor, Reply, Strong, line
from bot.digest import Action
from bot.links import BadLink, Claim
from bot.model import Destination, DestinationState, Identity, Origin
from bot.store import Outcome

FOR_LEAVING = ("leave", "one-click", "stop-all")


def join(house: House, address: str, topic: str, zone: str, where: str) -> Reply:
    """Queue the one mail that asks an address to confirm, and remember what it asked for.

    The reply is the same whether the address is known or not; `where` is the asker's network
    address, for the cap.
    """
    try:
        mailbox = normalise_address(address)
    except AddressError as error:
        return Reply((line(str(error)),), ok=False, status=400)
    identity = Identity("email", "", mailbox)
    errand = Errand(house, Actor(identity, zone=zone), identity, house.clock())
    if mail.has_asked_enough(errand, where):
        return Reply((line("Too many sign-ups from here today; try again tomorrow."),),
                     ok=False, status=429)  # fmt: skip
    answer = Reply(
        (line("A mail is on its way to ", Strong(mailbox), ". Press the button in it."),)
    )
    try:
        with house.store.write():
            house.store.ledger.record("join", where, errand.now, Outcome.ASKED)
            return _joined(errand, mailbox, topic, answer)
    except Refused as refusal:
        return Reply(refusal.lines, ok=False, status=refusal.status)


def redeem(house: House, token: str, *, act: bool) -> Reply:
    """What a signed link stands for: said where not `act`, done where `act`.

    Raises links.BadLink for one that is not ours or was voided.  Leaving works for ever; a link
    to someone who was erased is answered as done.
    """
    claim = house.links.read(token)
    destination = house.store.people.destination(claim.destination_id)
    if destination is None:
        if claim.purpose in FOR_LEAVING:
            return Reply((line("Stopped. No more mail."),))
        raise BadLink
    if claim.epoch < destination.epoch and claim.purpose not in FOR_LEAVING:
        raise BadLink
    errand = errand_of(house, destination)
    return (
        _DO[claim.purpose](errand, claim, destination) if act else _ask(errand, claim, destination)
    )


def holder(house: House, token: str) -> Actor:
    """Whose personal page a link opens.  Raises links.BadLink for any other link."""
    claim = house.links.read(token)
    destination = house.store.people.destination(claim.destination_id)
    if claim.purpose != "person" or destination is None or claim.epoch < destination.epoch:
        raise BadLink
    return errand_of(house, destination).actor


def errand_of(house: House, destination: Destination) -> Errand:
    """The errand of whoever is reached at a destination."""
    identities = house.store.people.identities(destination.subscriber_id)
    mailbox = Identity("email", "", identity_of(destination.address))
    if mailbox in identities or not identities:
        actor = Actor(mailbox, zone=destination.zone)
    else:  # a mailbox that several have their digests in, or one that waits to be confirmed
        actor = Actor(identities[0], zone=destination.zone, mailbox=destination.address)
    return Errand(house, actor, actor.identity, house.clock())


def _joined(errand: Errand, mailbox: str, topic: str, answer: Reply) -> Reply:
    """Prepare what its owner has to say yes to.  A stranger learns nothing about an address."""
    people = errand.house.store.people
    if people.suppressed(mailbox):
        return answer
    standing = destinations.own(errand)
    if standing and not standing.unconfirmed:
        has_left = standing.state is DestinationState.OFF
        if not has_left or mail.may_ask(errand, mailbox):
            _ask_to_follow(errand, standing, topic)
        return answer
    if not standing and not mail.may_ask(errand, mailbox):
        return answer
    destination = destinations.reach(errand, "email", mailbox)
    if topic:
        wanted = follow(errand, topic)
        if not wanted.ok:
            raise Refused(*wanted.lines, status=wanted.status)
    if mail.may_ask(errand, mailbox):
        mail.ask_to_confirm(errand, destination)
    return answer


def _ask_to_follow(errand: Errand, destination: Destination, text: str) -> None:
    """Anyone can type a reader's address, so the reader is asked; once a day, in our words only."""
    link = errand.house.links.url(
        "act", destination.id, destination.epoch, f"follow {text}" if text else "resume"
    )
    topic = known(errand.house, text)
    what = topic.name if topic and topic.origin is Origin.CATALOGUE else "one more topic"
    key = f"follow.{errand.now:%Y%m%d}"
    if (
        not link
        or not text
        or errand.house.store.outbox.next_edition(destination.id, f"letter {key}")
    ):
        return
    mail.note_asked(errand, destination.address)
    put_letter(
        errand.house,
        destination,
        key,
        f"Follow {what}?",
        (
            f"Someone, probably you, asked to add {what} to your digest.",
            "Press Follow to add it. If it was not you, do nothing.",
        ),
        errand.now,
        (Action("Follow", f"follow {text}", link),),
    )


def _ask(errand: Errand, claim: Claim, destination: Destination) -> Reply:
    """What pressing the button will do, in words."""
    words, buttons = question(errand, claim.purpose, claim.command, destination)
    overview = overview_of(errand) if claim.purpose == "person" else None
    return errand.reply(words, buttons=buttons, overview=overview)


def _leave(errand: Errand, claim: Claim, destination: Destination) -> Reply:
    destinations.turn_off(errand, destination, "stopped by its reader", by="link")
    return errand.reply(line("Stopped. No more mail."), buttons=schedules.undo_of([destination]))


def _stop_all(errand: Errand, claim: Claim, destination: Destination) -> Reply:
    people = errand.house.store.people
    places = [d for d in people.destinations(destination.subscriber_id) if d.channel == "email"]
    for each in places:
        destinations.turn_off(errand, each, STOPPED_ALL, by="link")
    were_on = [each for each in places if each.state is not DestinationState.OFF]
    return errand.reply(
        line("Stopped. No more mail of any kind."), buttons=schedules.undo_of(were_on)
    )


def _act(errand: Errand, claim: Claim, destination: Destination) -> Reply:
    return verbs.execute(errand.house, errand.actor, claim.command)


def _confirm(errand: Errand, claim: Claim, destination: Destination) -> Reply:
    return mail.confirm(errand, destination)


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
