"""The yes of whoever reads an address: asked for by one mail, and what it leads to."""

from bot.addresses import masked
from bot.core.commands.digests import destinations, moving
from bot.core.commands.digests.sign_ups import note_asked
from bot.core.commands.digests.wording import state_line
from bot.core.commands.errand import Errand
from bot.core.commands.words.clauses import typed
from bot.core.consent import UNCONFIRMED
from bot.core.pipeline.deliveries.letters import put_letter
from bot.core.reply import Code, Line, Reply, Strong, line, text_of
from bot.digest import Action
from bot.model import Destination, DestinationState, Identity

_BOTH = line(
    "It was asked for in Slack. Confirm only if that was you: whoever asked then sees and changes "
    "what is followed and saved at this address."
)
"""A yes joins who asked with who reads there, and a mail shows no face."""
_SHARED = line(
    "Someone else in Slack has a digest there too, and each keeps topics and mutes of their own. "
    "One for all of you: ", Code("follow TOPIC in #conversation"), ".",
)  # fmt: skip
_CONFIRM = "Confirm: research papers by mail"


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
        return errand.reply(line("Confirmed. "), *confirmed(errand, destination, "by link", left))


def confirmed(
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
