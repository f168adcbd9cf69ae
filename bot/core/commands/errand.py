"""One request being carried out: who asks, when, and what every verb needs to look up."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.addresses import AddressError, identity_of, normalise_address
from bot.core.consent import ONLY_NOTICES, UNCONFIRMED, objection
from bot.core.heat import Heat
from bot.core.house import House
from bot.core.pipeline.composing import tag
from bot.core.reply import Actor, Code, Instant, Line, Reply, line
from bot.core.when import is_far
from bot.digest import Action, Entry
from bot.matching import cut
from bot.model import (
    Breadth,
    Destination,
    DestinationState,
    Follow,
    Identity,
    Match,
    Paper,
    Topic,
)
from bot.store import Outcome
from bot.timetable import Cadence, TimetableError, canonical_zone, next_due


@dataclass(frozen=True, slots=True)
class Errand:
    """Who asks, in whose name, at which instant."""

    house: House
    heat: Heat
    actor: Actor
    subject: Identity  # whose settings are meant: a person's, or a conversation's
    now: datetime
    said: str = ""  # what was typed after the verb, without whose settings are meant

    @property
    def zone(self) -> str:
        """The zone times are shown in: the subscriber's, the door's, the operator's."""
        known = self.house.store.people.zone(self.subscriber)
        return known or self._door_zone() or self.house.wishes.zone

    @property
    def subscriber(self) -> int:
        """The subscriber, 0 where there is none yet: read anew, since a request may make one."""
        return self.house.store.people.find(self.subject) or 0

    def enrolled(self) -> int:
        """The subscriber, made where there is none."""
        return self.house.store.people.enrol(self.subject, self._door_zone(), self.now)

    def _door_zone(self) -> str:
        """The zone that the door named, "" where it is none: a browser may say anything."""
        try:
            return canonical_zone(self.actor.zone) if self.actor.zone else ""
        except TimetableError:
            return ""

    def following(self, topic: Topic) -> Follow | None:
        """The subject's follow of a topic, where it stands."""
        return self.house.store.people.following(self.subscriber, topic.id)

    def instead(self, wrong: str, right: str) -> str:
        """What was typed with one name in it exchanged, all its clauses kept."""
        return self.said.replace(wrong, right, 1) if wrong and wrong in self.said else right

    def day(self, at: datetime) -> Instant:
        """A day as it is named now: with its year where that is not plain."""
        return Instant(at, year=is_far(at, self.now))

    # ------------------------------------------------------- destinations

    def own_destination(self) -> Destination | None:
        """Where the subject is reached by the door it speaks through, if it is."""
        is_own = self.subject == self.actor.identity
        mailbox = self.actor.mailbox if is_own else ""
        way = ("email", mailbox) if mailbox else address_of(self.subject)
        return self.standing(self.subscriber, *way)

    def standing(self, subscriber: int, channel: str, address: str) -> Destination | None:
        """The destination at this address, if any; case does not count in a mail address."""
        found = self.house.store.people.destinations(subscriber)
        same = identity_of(address) if channel == "email" else address
        return next(
            (
                d
                for d in found
                if d.channel == channel
                and (identity_of(d.address) if channel == "email" else d.address) == same
            ),
            None,
        )

    def reached(self) -> Destination:
        """The subject's own destination, made with the default cadence where there is none.

        A place that was only for notices counts as none.
        """
        known = self.own_destination()
        if known and known.reason != ONLY_NOTICES:
            return known
        begun = self._as_new(known) if known else self.reach(*address_of(self.subject))
        may = self.actor.operator or not objection(self.house, begun)
        return self.turn_on(begun) if may else begun

    def _as_new(self, destination: Destination) -> Destination:
        """A destination that nobody ever set, by the default cadence in the subject's zone."""
        self._plan(destination, self.house.wishes.cadence, self.zone)
        return self.again(destination)

    def _plan(self, destination: Destination, cadence: str, zone: str) -> None:
        due = next_due(Cadence.parse(cadence), zone, self.now)
        self.house.store.people.schedule(destination.id, due, cadence=cadence, zone=zone)

    def reach(self, channel: str, address: str) -> Destination:
        """A destination of the subject, by the default cadence in its zone.

        A new mail address waits for its owner to confirm.  Raises Refused for one that is none.
        """
        if channel == "email":
            try:
                address = normalise_address(address)
            except AddressError as error:
                raise refused(str(error)) from error
        subscriber = self.enrolled()
        if standing := self.standing(subscriber, channel, address):
            return standing
        cadence, waits = self.house.wishes.cadence, channel == "email"
        return self.house.store.people.reach(
            Destination(
                id=0,
                subscriber_id=subscriber,
                channel=channel,
                address=address,
                cadence=cadence,
                zone=self.zone,
                next_due_at=next_due(Cadence.parse(cadence), self.zone, self.now),
                state=DestinationState.PAUSED if waits else DestinationState.ACTIVE,
                reason=UNCONFIRMED if waits else "",
            ),
            self.house.store.topics.last_number(),
        )

    def turn_on(self, destination: Destination, *, whole: bool = False) -> Destination:
        """Digests come there from now on; `whole`: with what matched while it was off.

        The one way for words and links to make one active; a digest that is overdue already
        still comes.  Raises Refused for a mail address that was never confirmed or that refused
        mail; the operator speaks for its owner.
        """
        people = self.house.store.people
        with self.house.store.write():
            if self.actor.operator:
                destination = self.confirm(destination, "by the operator")
            self.must_welcome(destination)
            if destination.state is DestinationState.ACTIVE:
                return destination
            if destination.state is DestinationState.OFF and not whole:
                people.start_afresh(destination.id)
            people.set_state(destination.id, DestinationState.ACTIVE)
            if destination.next_due_at <= self.now:
                self._plan(destination, destination.cadence, destination.zone)
            return self.again(destination)

    def confirm(self, destination: Destination, how: str) -> Destination:
        """Somebody who may said yes to a mail address; no other needs that.

        It is not turned on by this.  Inside a transaction.
        """
        if destination.channel != "email":
            return destination
        store = self.house.store
        store.people.release(destination.address)
        if destination.unconfirmed:
            store.people.confirm(destination.id, self.now)
            store.ledger.record("consent", f"d{destination.id}", self.now, Outcome.CONFIRMED, how)
        return self.again(destination)

    def must_welcome(self, destination: Destination) -> None:
        """Raises Refused where a digest may not go to that mail address, and says what to do."""
        why = objection(self.house, destination)
        if why == UNCONFIRMED:
            raise refused("That address has not been confirmed yet; open the link in the mail.")
        if why:
            raise refused(
                f"{destination.address} {why}. The operator can release it with ",
                Code(f'paperround do --as {self.subject} "email {destination.address}"'), ".",
            )  # fmt: skip

    def again(self, destination: Destination) -> Destination:
        """A destination as it stands now."""
        return self.house.store.people.destination(destination.id) or destination

    def destinations(self) -> list[Destination]:
        """All ways to reach the subject, oldest first."""
        return self.house.store.people.destinations(self.subscriber)

    def coming(self) -> Destination | None:
        """The destination whose digest comes first, None where none is planned."""
        active = [d for d in self.destinations() if d.state is DestinationState.ACTIVE]
        return min(active, key=lambda d: d.next_due_at, default=None)

    def next_digest(self) -> tuple[Line, ...]:
        """When the next digest comes, in a line; () where none is planned."""
        first = self.coming()
        if first is None:
            return ()
        when = Instant(first.next_due_at, clock=True, zone=first.zone)
        return (line("The next digest comes ", when, "."),)

    # ------------------------------------------------------------- papers

    def entries(self, papers: Sequence[Paper], topic: Topic | None = None) -> tuple[Entry, ...]:
        """Papers as they are shown: with their topics, the asked one first, and why."""
        matches = self.house.store.topics.of_papers(p.seq for p in papers)
        topics = self.house.compendium.topics()
        return tuple(
            self._entry(paper, matches.get(paper.seq, []), topics, topic) for paper in papers
        )

    def _entry(
        self, paper: Paper, found: list[Match], topics: dict[int, Topic], topic: Topic | None
    ) -> Entry:
        shown = [m for m in found if m.score >= cut(Breadth.BALANCED) and m.topic_id in topics]
        shown.sort(key=lambda m: topic is None or m.topic_id != topic.id)
        asked = [m for m in found if topic and m.topic_id == topic.id]
        best = next(iter(asked or shown or found), None)
        return Entry(
            paper=paper,
            tags=tuple(tag(self.house, topics[m.topic_id]) for m in shown),
            reason=best.reason if best else "",
            score=best.score if best else 0.0,
            actions=(
                Action("Save", f"save {paper.arxiv_id}"),
                Action("Not for me", f"not-for-me {paper.arxiv_id}"),
            ),
        )

    def newest(self, topic: Topic, count: int = 5) -> tuple[Entry, ...]:
        """The newest papers of a topic."""
        found = self.house.store.topics.best(topic.id, cut(Breadth.BALANCED), count)
        by_seq = {p.seq: p for p in self.house.store.papers.some(m.seq for m in found)}
        return self.entries([by_seq[m.seq] for m in found], topic)

    # ------------------------------------------------------------ replies

    def reply(self, *lines: Line, **more: object) -> Reply:
        """A reply in the asker's zone."""
        return Reply(lines, zone=self.zone, **more)  # type: ignore[arg-type]

    def refuse(self, *lines: Line, status: int = 400, **more: object) -> Reply:
        """A reply where nothing was done."""
        return Reply(lines, ok=False, status=status, zone=self.zone, **more)  # type: ignore[arg-type]


def address_of(identity: Identity) -> tuple[str, str]:
    """The channel and address of an identity's own door."""
    if identity.kind == "slack":
        return "slack", f"{identity.workspace}:{identity.external_id}"
    return identity.kind, identity.external_id


class Refused(Exception):
    """A request that cannot be carried out; says what was wrong and what to do next."""

    def __init__(self, *lines: Line, buttons: tuple[Action, ...] = (), status: int = 400) -> None:
        super().__init__(lines)
        self.lines = lines
        self.buttons = buttons
        self.status = status


def refused(*spans: object, buttons: tuple[Action, ...] = (), status: int = 400) -> Refused:
    """A refusal of one line."""
    return Refused(line(*spans), buttons=buttons, status=status)  # type: ignore[arg-type]
