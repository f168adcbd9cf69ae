"""How a stranger joins by mail: one mail asks the owner of an address, who has to say yes."""

from bot.addresses import AddressError, normalise_address
from bot.core.commands.digests import confirming, destinations, mail, sign_ups
from bot.core.commands.errand import Errand, Refused
from bot.core.commands.requests import plain
from bot.core.commands.topics.following import follow
from bot.core.commands.topics.wish import must_be_readable
from bot.core.house import House
from bot.core.naming import known
from bot.core.pipeline.deliveries.letters import put_letter
from bot.core.reply import Actor, Reply, Strong, line
from bot.digest import Action
from bot.model import Destination, DestinationState, Identity, Origin
from bot.store import Outcome


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
    if sign_ups.has_asked_enough(errand, where):
        return Reply((line("Too many sign-ups from here today; try again tomorrow."),),
                     ok=False, status=429)  # fmt: skip
    answer = Reply(
        (
            line("A mail is on its way to ", Strong(mailbox), ". Press the button in it."),
            mail.ONE_A_DAY,
        )
    )
    topic = plain(topic)
    try:
        _judge(errand, mailbox, topic)
        with house.store.write():
            house.store.ledger.record("join", where, errand.now, Outcome.ASKED)
            return _joined(errand, mailbox, topic, answer)
    except Refused as refusal:
        return Reply(refusal.lines, buttons=refusal.buttons, ok=False, status=refusal.status)


def _judge(errand: Errand, mailbox: str, topic: str) -> None:
    """Raises Refused for what nobody could be asked, before the address is looked up: else a
    refusal would tell who is known here."""
    sign_ups.must_be_able_to_ask(errand, mailbox)
    if topic:
        anyone = Identity("email", "", "")
        must_be_readable(Errand(errand.house, Actor(anyone), anyone, errand.now, topic), topic)


def _joined(errand: Errand, mailbox: str, topic: str, answer: Reply) -> Reply:
    """Prepare what its owner has to say yes to.  A stranger learns nothing about an address."""
    people = errand.house.store.people
    if people.suppressed(mailbox):
        return answer
    standing = destinations.own(errand)
    if standing and not standing.unconfirmed:
        has_left = standing.state is DestinationState.OFF
        if not has_left or sign_ups.may_ask(errand, mailbox):
            _ask_to_follow(errand, standing, topic)
        return answer
    if not standing and not sign_ups.may_ask(errand, mailbox):
        return answer
    destination = destinations.reach(errand, "email", mailbox)
    if topic:
        wanted = follow(errand, topic)
        if not wanted.ok:
            raise Refused(*wanted.lines, status=wanted.status)
    if sign_ups.may_ask(errand, mailbox):
        confirming.ask_to_confirm(errand, destination)
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
    sign_ups.note_asked(errand, destination.address)
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
