"""When and where digests come: `digest …`, `email …`, pause and resume."""

import hashlib
import re
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime, timedelta

from bot.addresses import AddressError, mailbox_of, normalise_address
from bot.core.commands.clauses import channel_in, typed
from bot.core.commands.errand import Errand, refused
from bot.core.consent import UNCONFIRMED, objection
from bot.core.conversations import conversation_of
from bot.core.pipeline.deciding import Sorted, decide
from bot.core.pipeline.letters import has_stopped_all, put_letter
from bot.core.pipeline.prepare import put_digest
from bot.core.reply import Code, Instant, Line, Reply, Strong, line
from bot.core.when import local_day
from bot.digest import Action
from bot.model import Destination, DestinationState, Identity
from bot.store import Outcome, Run
from bot.text import plural
from bot.timetable import Cadence, TimetableError, canonical_zone, next_due

_ZONE = re.compile(r"\b(?:tz|zone|timezone)\s+(.+)$", re.IGNORECASE)
_TZ = re.compile(r"\b(?:tz|zone|timezone)\s*$", re.IGNORECASE)
_PLACE = re.compile(r"(?<!\S)[a-z]\w+(?:/[\w+-]+)+(?!\S)", re.IGNORECASE)

ASKED_A_YEAR = 3
"""So often an address that never answered is asked, whoever typed it."""


def digest(errand: Errand, text: str) -> Reply:
    """`digest daily 8:30`, `digest mon 9 by email`, `digest tz Europe/Kyiv`, `digest now|off`."""
    text, channel = channel_in(text)
    destination = _destination(errand, channel)
    word = text.strip().casefold()
    if not word:
        return errand.reply(state_line(destination), buttons=_other_times(destination))
    if word in ("off", "stop", "none"):
        return off(errand, destination)
    if word in ("on", "resume"):
        return on(errand, destination)
    if word == "now":
        return at_once(errand, destination)
    return _change(errand, destination, text)


def at_once(errand: Errand, destination: Destination) -> Reply:
    """What would come with the next digest comes now; the next one comes when it always does."""
    if destination.state is not DestinationState.ACTIVE:
        return errand.refuse(state_line(destination), buttons=_other_times(destination))
    house, period = errand.house, local_day(errand.now, destination.zone).isoformat()
    with house.store.write():
        chosen = decide(house, destination, errand.now)
        if chosen.told:
            put_digest(house, errand.heat, destination, errand.now, period, errand.now, early=True)
    kept = _kept_back(chosen)
    if not chosen.told:
        none = line("Nothing new for you since the last one.")
        return errand.reply(none, *kept, *errand.next_digest())
    return errand.reply(
        line("A digest is on its way ", _where(destination), "."), *kept, *errand.next_digest()
    )


def _kept_back(chosen: Sorted) -> tuple[Line, ...]:
    """What is silent now, which asking early neither brings nor gives up."""
    count = len(chosen.withheld)
    if not count:
        return ()
    why = "; ".join(dict.fromkeys(each.why for each in chosen.withheld))
    return (line(f"{plural(count, 'paper')} {'is' if count == 1 else 'are'} kept back: {why}."),)


def off(errand: Errand, destination: Destination) -> Reply:
    """No more digests there until someone turns them on."""
    errand.house.store.people.set_state(destination.id, DestinationState.OFF, "turned off")
    errand.house.tell("leave", errand.actor.identity.kind, destination=destination.id)
    return errand.reply(
        line("Stopped. No more digests ", _where(destination), "."),
        buttons=undo_of([destination]),
        notice=_notice(errand, "stopped the digest here."),
    )


def on(errand: Errand, destination: Destination) -> Reply:
    """Digests come again; what matched while it was turned off is not told later."""
    fresh = errand.turn_on(destination)
    return errand.reply(
        line("Digests come again ", _where(fresh), ", next ", _next(fresh), "."),
        *_late(errand, fresh),
        notice=_notice(errand, "turned the digest here on again."),
    )


def resume(errand: Errand, text: str) -> Reply:
    """Undo a pause or a stop whole: what matched meanwhile comes with the next digest.

    That one comes when it is next due, not for a date that has passed.  Without numbers,
    whatever is paused.
    """
    mine = _numbered(errand, text) if text else _paused(errand)
    with errand.house.store.write():
        for each in mine:
            errand.turn_on(each, whole=True)
    where = " and ".join(_where(each) for each in mine)
    return errand.reply(
        line(f"Digests come again {where}. Nothing was lost meanwhile."), *errand.next_digest()
    )


def email(errand: Errand, text: str) -> Reply:
    """`email a@b.org`: the digest comes there too, once its owner has confirmed; `email off`."""
    if errand.subject.is_conversation:
        raise refused("A conversation has its digest here; mail is for people. Type ",
                      Code("email a@b.org"), " for yourself.")  # fmt: skip
    if not text:
        return _email_lines(errand)
    if text.casefold() in ("off", "stop"):
        return _email_off(errand)
    try:
        address = normalise_address(text)
    except AddressError as error:
        raise refused(str(error)) from error
    with errand.house.store.write():
        destination = errand.reach("email", address)
        if errand.actor.operator:
            return errand.reply(*_confirmed(errand, destination, "by the operator"))
        if objection(errand.house, destination) == UNCONFIRMED:
            return _asked_first(errand, destination)
        if destination.state is DestinationState.ACTIVE:
            return errand.reply(state_line(destination))
        return on(errand, destination)


def _asked_first(errand: Errand, destination: Destination) -> Reply:
    """Its owner has to say yes, however often the address was typed.  Inside a transaction."""
    address = destination.address
    if not may_ask(errand, address):
        raise refused(
            f"{address} was asked before and has not answered; look for that mail, or let "
            "the operator add it."
        )
    ask_to_confirm(errand, destination)
    return errand.reply(
        line("A mail is on its way to ", Strong(address), ". Press the button in it to confirm."),
        line("Until then nothing is sent there."),
    )


def may_ask(errand: Errand, address: str) -> bool:
    """Whether an address that did not ask itself may be written to: once a day for a mailbox
    with all its plus-tags, no more than three times in all, and never once it stopped all mail."""
    if has_stopped_all(errand.house, "email", address):
        return False
    asked = _asked(errand, address, errand.now - timedelta(days=366))
    lately = [run for run in asked if run.at > errand.now - timedelta(days=1)]
    return len(asked) < ASKED_A_YEAR and not lately


def note_asked(errand: Errand, address: str) -> None:
    """Count one mail that was not asked for by its reader.  Raises Refused past the day's cap."""
    house = errand.house
    today = house.store.ledger.around("join", "all", errand.now - timedelta(days=1), errand.now)
    if len(today) >= house.wishes.joins_a_day:
        raise refused("Too many people joined today; try again tomorrow.", status=429)
    house.store.ledger.record("join", "all", errand.now, Outcome.ASKED)
    house.store.ledger.record("ask", _mailbox_key(address), errand.now, Outcome.ASKED)


def _asked(errand: Errand, address: str, since: datetime) -> list[Run]:
    return errand.house.store.ledger.around("ask", _mailbox_key(address), since, errand.now)


def _mailbox_key(address: str) -> str:
    """Counts, and names nobody: whoever never answered is not written down."""
    return hashlib.sha256(mailbox_of(address).encode()).hexdigest()[:24]


def ask_to_confirm(errand: Errand, destination: Destination) -> None:
    """Queue the one mail a day that an unconfirmed address may get.  Inside a transaction."""
    house = errand.house
    link = house.links.url("confirm", destination.id, destination.epoch)
    if not link:
        raise refused(
            "Mail cannot be confirmed here: no web address is set. The operator can add you with ",
            Code(f'paperround do --as {errand.subject} "email {destination.address}"'), ".",
        )  # fmt: skip
    note_asked(errand, destination.address)
    if destination.state is DestinationState.OFF:
        house.store.people.start_afresh(destination.id)
        house.store.people.set_state(destination.id, DestinationState.PAUSED, UNCONFIRMED)
    put_letter(
        house,
        destination,
        f"confirm.{errand.now:%Y%m%d}",
        "Confirm: research papers by mail",
        (
            "Someone, probably you, asked for a digest of new research papers at this address.",
            "Press Confirm to get it. If it was not you, do nothing: no more mail comes.",
        ),
        errand.now,
        (Action("Confirm", "", link),),
    )


def confirm(errand: Errand, destination: Destination) -> Reply:
    """The owner of an address said yes: digests come, and both subscribers are one person."""
    with errand.house.store.write():
        return errand.reply(line("Confirmed. "), *_confirmed(errand, destination, "by link"))


def _confirmed(errand: Errand, destination: Destination, how: str) -> tuple[Line, ...]:
    """How the destination stands once its owner said yes.  Inside a transaction."""
    subscriber, mailbox = destination.subscriber_id, Identity("email", "", destination.address)
    remarks = _unite(errand, subscriber, mailbox)
    # Joined, the older of two destinations at that address stays.
    standing = errand.standing(subscriber, "email", destination.address) or destination
    fresh = errand.turn_on(errand.confirm(standing, how))
    return (state_line(fresh), *remarks)


def _unite(errand: Errand, subscriber: int, mailbox: Identity) -> tuple[Line, ...]:
    """Whoever reads a mailbox and whoever asked for it are one person; two of Slack never are.

    What to say of it: that the mailbox stays someone else's, or what both now leave out.
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


_SHARED = line(
    "Someone else in Slack has a digest there too, and each keeps topics and mutes of their own. "
    "One for all of you: ", Code("follow TOPIC in #conversation"), ".",
)  # fmt: skip


def state_line(destination: Destination) -> Line:
    """How a destination stands, in a line."""
    words = Cadence.parse(destination.cadence).words()
    if destination.state is DestinationState.ACTIVE:
        return line(
            "The digest comes ", Strong(words), f" ({destination.zone}) ", _where(destination),
            ", next ", _next(destination), ".",
        )  # fmt: skip
    reason = f": {destination.reason}" if destination.reason else ""
    return line("The digest ", _where(destination), f" is {destination.state}{reason}.")


def _next(destination: Destination) -> Instant:
    return Instant(destination.next_due_at, clock=True, zone=destination.zone)


def _late(errand: Errand, destination: Destination) -> tuple[Line, ...]:
    """That a digest is still to come whose moment has passed; () where none is."""
    return (line("That one is late, and still comes."),) if _is_late(errand, destination) else ()


def _is_late(errand: Errand, destination: Destination) -> bool:
    is_active = destination.state is DestinationState.ACTIVE
    return is_active and destination.next_due_at <= errand.now


def _change(errand: Errand, destination: Destination, text: str) -> Reply:
    cadence, zone = _wanted(destination, text)
    before = f"{destination.cadence} tz {destination.zone}"
    people = errand.house.store.people
    with errand.house.store.write():
        late = _is_late(errand, destination)
        due = destination.next_due_at if late else next_due(cadence, zone, errand.now)
        people.schedule(destination.id, due, cadence=str(cadence), zone=zone)
        if zone != destination.zone:
            people.set_zone(destination.subscriber_id, zone)
    fresh = errand.again(destination)
    return errand.reply(
        *_changed(fresh),
        *_late(errand, fresh),
        buttons=(
            *_turn_on(fresh),
            Action("Undo", f"digest {before}{_by_words(destination)}"),
        ),
        notice=_notice(errand, f"set the digest here to {cadence.words()} ({zone})."),
    )


def _wanted(destination: Destination, text: str) -> tuple[Cadence, str]:
    """The cadence and zone that the words ask for; what they leave open stays.  Raises Refused."""
    try:
        text, zone = _zone_in(text)
        standing = Cadence.parse(destination.cadence)
        cadence = Cadence.parse(text, standing) if text.strip() else standing
    except TimetableError as error:
        raise refused(str(error)) from error
    return cadence, zone or destination.zone


def _zone_in(text: str) -> tuple[str, str]:
    """Split `tz New York`, or a name like Europe/Kyiv, from the words.  Raises TimetableError."""
    if place := _PLACE.search(text):
        before = _TZ.sub("", text[: place.start()])
        return f"{before} {text[place.end() :]}", canonical_zone(place[0])
    if found := _ZONE.search(text):
        rest, zone = _longest_zone(found[1].split())
        return f"{text[: found.start()]} {rest}", zone
    with suppress(TimetableError):
        return "", canonical_zone(text)
    return text, ""


def _longest_zone(words: list[str]) -> tuple[str, str]:
    """What follows the longest name of a zone that they begin with.  Raises TimetableError."""
    for count in range(len(words), 0, -1):
        with suppress(TimetableError):
            return " ".join(words[count:]), canonical_zone(" ".join(words[:count]))
    return "", canonical_zone(" ".join(words))


def _changed(destination: Destination) -> tuple[Line, ...]:
    """What a new schedule leads to; nothing where it does not come at all."""
    if destination.state is DestinationState.ACTIVE:
        return (state_line(destination),)
    words = Cadence.parse(destination.cadence).words()
    changed = line("Changed to ", Strong(words), f" ({destination.zone}).")
    return changed, state_line(destination)


def _email_lines(errand: Errand) -> Reply:
    """How mail stands, or how to begin with it."""
    mine = [d for d in _all(errand) if d.channel == "email"]
    if not mine:
        return errand.refuse(line("Which address? ", Code("email reader@example.org")))
    return errand.reply(*(state_line(each) for each in mine))


def _email_off(errand: Errand) -> Reply:
    mine = [d for d in _all(errand) if d.channel == "email"]
    if not mine:
        return errand.refuse(line("No e-mail address is set; nothing changed."), status=200)
    for each in mine:
        if each.state is not DestinationState.OFF:
            errand.house.store.people.set_state(each.id, DestinationState.OFF, "turned off")
            errand.house.tell("leave", errand.actor.identity.kind, destination=each.id)
    return errand.reply(
        line("No more mail to ", Strong(", ".join(d.address for d in mine)), "."),
        buttons=undo_of(mine),
    )


def undo_of(stopped: Sequence[Destination]) -> tuple[Action, ...]:
    """Turn them on again; what was never confirmed was never on."""
    ids = " ".join(str(each.id) for each in stopped if not each.unconfirmed)
    return (Action("Undo", f"resume {ids}"),) if ids else ()


def _destination(errand: Errand, channel: str) -> Destination:
    own = errand.own_destination()
    if not channel or (own and own.channel == channel):
        return errand.reached()
    found = [d for d in _all(errand) if d.channel == channel]
    if not found:
        hint = "email a@b.org" if channel == "email" else "digest"
        raise refused(f"You have no digest by {channel}; make one with ", Code(hint), ".")
    return found[0]


def _numbered(errand: Errand, text: str) -> list[Destination]:
    found = [each for each in _all(errand) if str(each.id) in text.split()]
    if not found:
        raise refused("There is nothing to resume here.", status=404)
    return found


def _paused(errand: Errand) -> list[Destination]:
    """What is paused and may go on; what may not, where that is all.  Raises Refused for none."""
    paused = [
        each
        for each in _all(errand)
        if each.state is DestinationState.PAUSED and not each.unconfirmed
    ]
    if not paused:
        raise refused("Nothing is paused here; nothing changed.", status=200)
    may = [d for d in paused if errand.actor.operator or not objection(errand.house, d)]
    return may or paused


def _all(errand: Errand) -> list[Destination]:
    return errand.house.store.people.destinations(errand.subscriber)


def _by_words(destination: Destination) -> str:
    return f" by {destination.channel}" if destination.channel == "email" else ""


def _where(destination: Destination) -> str:
    if destination.channel == "email":
        return f"to {destination.address}"
    return "in this conversation" if conversation_of(destination) else "here"


def _other_times(destination: Destination) -> tuple[Action, ...]:
    if destination.state is not DestinationState.ACTIVE:
        return _turn_on(destination)
    weekly, by = destination.cadence.startswith("weekly"), _by_words(destination)
    label, other = ("Daily instead", "daily") if weekly else ("Weekly", "weekly")
    return (Action(label, f"digest {other}{by}"), Action("Stop", f"digest off{by}"))


def _turn_on(destination: Destination) -> tuple[Action, ...]:
    """For what does not come but may; an unconfirmed address is asked by mail."""
    if destination.state is DestinationState.ACTIVE or destination.unconfirmed:
        return ()
    return (Action("Turn on", f"digest on{_by_words(destination)}"),)


def _notice(errand: Errand, what: str) -> Line | None:
    if not errand.subject.is_conversation:
        return None
    return line(f"<@{errand.actor.identity.external_id}> {what}")
