"""Compose due digests into the outbox: decide, write it down, send nothing."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from bot.core.conversations import shared
from bot.core.hearing import listening, mute_words
from bot.core.heat import Heat
from bot.core.house import House
from bot.core.pipeline.recovering import (
    PERHAPS_SENT,
    last_perhaps_sent,
    waits_for_a_look,
    was_known,
)
from bot.core.pipeline.stillness import silence_of
from bot.core.pipeline.tidings import tidings
from bot.core.when import local_day, until_words
from bot.digest import Action, Digest, Entry, Tag, arrange, preheader, title
from bot.model import (
    DeliveryState,
    Destination,
    DestinationState,
    Follow,
    Match,
    Page,
    Paper,
    Topic,
)
from bot.store import Candidate, GiveBack, Outcome, Told
from bot.text import plural
from bot.timetable import Cadence, canonical_zone, next_due

PREVIEW = "preview"  # the key of what is never sent


@dataclass(frozen=True, slots=True)
class Prepared:
    """What one round of composing did."""

    queued: int = 0
    empty: int = 0
    failed: int = 0
    more: bool = False


@dataclass(slots=True)
class Sorted:
    """Candidates of one destination, decided."""

    told: list[tuple[Candidate, list[Match]]] = field(default_factory=list)
    withheld: list[tuple[list[Match], str, bool]] = field(default_factory=list)
    highest: int = 0


@dataclass(frozen=True, slots=True)
class _Acts:
    """Makes actions of one destination, with signed links where it is reached by mail."""

    house: House
    destination: Destination

    def __call__(self, label: str, command: str) -> Action:
        if self.destination.channel != "email":
            return Action(label, command)
        url = self.house.links.url("act", self.destination.id, self.destination.epoch, command)
        return Action(label, command, url)

    def page(self, label: str, purpose: str) -> Action:
        if self.destination.channel != "email":
            return Action(label, "settings")
        url = self.house.links.url(purpose, self.destination.id, self.destination.epoch)
        return Action(label, "", url)


def prepare(house: House, heat: Heat, limit: int = 200) -> Prepared:
    """Compose a digest for every destination whose moment has come, at most `limit` of them.

    Each is one transaction: what it tells, what mutes kept back, and when it is next due.  One
    that cannot be composed is put off an hour with its reason and stands in nobody's way.
    """
    now = house.clock()
    if waits_for_a_look(house):
        return Prepared()
    due = house.store.people.due(now, limit)
    counts = Counter[str]()
    for destination in due:
        try:
            with house.store.write():
                outcome = _prepare_one(house, heat, destination.id, now)
        except Exception as error:  # whatever it is, the others' digests go on
            outcome = _put_off(house, destination, now, error)
        counts[outcome] += 1
    return Prepared(
        counts[Outcome.QUEUED], counts[Outcome.EMPTY], counts[Outcome.FAILED], len(due) == limit
    )


def compose(
    house: House, heat: Heat, destination: Destination, chosen: Sorted, now: datetime, key: str
) -> Digest:
    """The digest of some decided candidates, as it would be sent."""
    follows = {f.topic.id: f for f in house.store.people.follows(destination.subscriber_id)}
    topics = [f.topic for f in follows.values()]
    act = _Acts(house, destination)
    entries = [
        _entry(house, candidate.paper, [(follows[m.topic_id].topic, m) for m in matches], act)
        for candidate, matches in chosen.told
    ]
    counted = "lately" if key == PREVIEW else key
    named = [topic for topic in topics if any(e.tags[0].slug == topic.slug for e in entries)]
    momenta = heat.of(named)
    sections = arrange(
        entries,
        [tag(house, topic) for topic in named],
        {topic.slug: momenta[topic.id] for topic in named},
        {topic.slug: _topic_actions(topic, act) for topic in named},
    )
    return Digest(
        key=key,
        title=title(sections) if sections else "Nothing new",
        preheader=preheader(sections) if sections else "",
        channel=destination.channel,
        address=destination.address,
        due_at=destination.next_due_at,
        zone=destination.zone,
        cadence=Cadence.parse(destination.cadence).words(),
        sections=sections,
        notes=(*_notes(house, destination, follows, now), *tidings(house, destination, now)),
        asides=tuple(
            shared(act(f"Show {topic.name}", f"passed {topic.slug} {counted}"), destination)
            for topic, _ in _back(house, destination, follows, now)
        ),
        muted=_muted(house, destination, list(follows.values()), now),
        actions=_digest_actions(house, destination),
        list_id=f"d{destination.id}",
        sample=house.wishes.sample,
    )


def decide(
    house: House, destination: Destination, now: datetime, known_at: datetime | None = None
) -> Sorted:
    """What a destination would be told, what mutes keep back, what its follows leave out.

    With `known_at`, papers that nobody could know of by then are left for later.
    """
    listener = listening(house, destination, now)
    chosen = Sorted(highest=house.store.topics.last_number())
    for candidate in house.store.outbox.candidates(destination):
        if known_at and not was_known(house, candidate.paper, known_at):
            chosen.highest = min(chosen.highest, *(m.number - 1 for m in candidate.matches))
            continue
        verdict = listener.judge(candidate.paper, candidate.matches)
        if verdict.why:
            chosen.withheld.append((verdict.wanted, verdict.why, verdict.to_be_said))
        elif verdict.heard:
            chosen.told.append((candidate, verdict.heard))
    return chosen


def tag(house: House, topic: Topic) -> Tag:
    """A topic as it is named beside a paper, with its page where it has one."""
    base = house.wishes.base_url if house.has_page(topic) else ""
    return Tag(topic.name, topic.slug, f"{base}/topics/{topic.slug}" if base else "")


def put_digest(
    house: House,
    heat: Heat,
    destination: Destination,
    now: datetime,
    period: str,
    due_at: datetime | None = None,
    *,
    early: bool = False,
) -> str:
    """Decide, compose and queue one digest; "queued" or "empty".  Inside a transaction.

    `due_at` is the instant it was promised for, where that is not the destination's next one.
    An `early` one, asked for between two due dates, marks nothing as considered or withheld.
    News take over what still waits there unbegun: after a silence one digest comes, not many.
    """
    destination = replace(destination, next_due_at=due_at or destination.next_due_at)
    outbox = house.store.outbox
    held_until = last_perhaps_sent(house, destination) if due_at is None else None
    chosen, awaited_since = _with_what_waits(house, destination, now, held_until)
    if early:
        chosen = Sorted(chosen.told)
    for matches, why, to_be_said in chosen.withheld:
        outbox.withhold(destination.id, matches, why, now, to_be_said=to_be_said)
    if chosen.told:
        edition = outbox.next_edition(destination.id, period)
        key = f"d{destination.id}.{period.replace('-', '')}.{edition}"
        digest = compose(house, heat, destination, chosen, now, key)
        pages = house.channels[destination.channel].render(digest)
        delivery = outbox.put(
            destination.id, key, pages, now, period=period, edition=edition,
            due_at=awaited_since, stale_at=now + house.wishes.stale_after,
            topics={m.topic_id for _, matches in chosen.told for m in matches},
            told=_on_pages(chosen, pages),
        )  # fmt: skip
        _said(house, destination, delivery, now)
        if held_until:
            outbox.hold(PERHAPS_SENT, [delivery])
    if not early:
        outbox.considered(destination.id, chosen.highest)
    _leave_word(house, destination, chosen, now)
    return Outcome.QUEUED if chosen.told else Outcome.EMPTY


def _with_what_waits(
    house: House, destination: Destination, now: datetime, known_at: datetime | None
) -> tuple[Sorted, datetime]:
    """What is to be told, and since when its reader waits for some of it.

    Where there is news, it takes over what still waits there unbegun.
    """
    chosen = decide(house, destination, now, known_at)
    waiting = house.store.outbox.unbegun(destination.id) if chosen.told else []
    for each in waiting:
        house.store.outbox.finish(each, DeliveryState.SKIPPED, "superseded", GiveBack.UNSENT)
    since = min((destination.next_due_at, *(each.due_at for each in waiting)))
    return decide(house, destination, now, known_at) if waiting else chosen, since


def _prepare_one(house: House, heat: Heat, destination_id: int, now: datetime) -> str:
    """Inside the transaction everything is read again: someone may have left a moment ago."""
    destination = house.store.people.destination(destination_id)
    if (
        destination is None
        or destination.state is DestinationState.OFF
        or destination.next_due_at > now
    ):
        return "gone"
    zone = canonical_zone(destination.zone)
    if destination.state is DestinationState.PAUSED:
        outcome: str = Outcome.PAUSED
        house.store.ledger.record("prepare", f"d{destination.id}", now, outcome, destination.reason)
    else:
        period = local_day(destination.next_due_at, zone).isoformat()
        outcome = put_digest(house, heat, destination, now, period)
    cadence = Cadence.parse(destination.cadence)
    house.store.people.schedule(destination.id, next_due(cadence, zone, now))
    return outcome


def _put_off(house: House, destination: Destination, now: datetime, error: Exception) -> str:
    reason = f"could not be composed: {error!r:.300}"
    with house.store.write():
        house.store.people.schedule(destination.id, now + timedelta(hours=1))
        house.store.ledger.record("prepare", f"d{destination.id}", now, Outcome.FAILED, reason)
    house.tell("digest", Outcome.FAILED, destination=destination.id, papers=0, remark=reason,
               cadence=destination.cadence.partition(" ")[0])  # fmt: skip
    return Outcome.FAILED


def _leave_word(house: House, destination: Destination, chosen: Sorted, now: datetime) -> None:
    """The ledger's row of a due destination: what came of it, and why if nothing did."""
    kept = len(chosen.withheld)
    passed = f"{plural(kept, 'paper')} passed while muted" if kept else ""
    if chosen.told:
        outcome, reason = Outcome.QUEUED, passed
    elif kept:
        outcome, reason = Outcome.MUTED, passed
    else:
        outcome, reason = Outcome.EMPTY, f"no new paper matched. {silence_of(house, now).sentence}"
    house.store.ledger.record(
        "prepare", f"d{destination.id}", now, outcome, reason, len(chosen.told)
    )
    house.tell(
        "digest", outcome, destination=destination.id, papers=len(chosen.told),
        cadence=destination.cadence.partition(" ")[0],
    )  # fmt: skip


def _on_pages(chosen: Sorted, pages: Sequence[Page]) -> list[Told]:
    at = {arxiv_id: n for n, page in enumerate(pages) for arxiv_id in page.papers}
    return [Told(c.paper.seq, at.get(c.paper.arxiv_id, 0)) for c, _ in chosen.told]


def _entry(house: House, paper: Paper, found: list[tuple[Topic, Match]], act: _Acts) -> Entry:
    best = found[0][1]
    return Entry(
        paper=paper,
        tags=tuple(tag(house, topic) for topic, _ in found),
        reason=best.reason,
        score=best.score,
        actions=(
            act("Save", f"save {paper.arxiv_id}"),
            act("Not for me", f"not-for-me {paper.arxiv_id}"),
        ),
    )


def _topic_actions(topic: Topic, act: _Acts) -> tuple[Action, ...]:
    actions = (
        act("Mute for 2 weeks", f"mute {topic.slug} for 2w"),
        act("Unfollow", f"unfollow {topic.slug}"),
    )
    return tuple(shared(action, act.destination) for action in actions)


def _digest_actions(house: House, destination: Destination) -> tuple[Action, ...]:
    act = _Acts(house, destination)
    if destination.channel != "email":
        mute_all = act("Mute everything for 2 weeks", "mute all for 2w")
        return (shared(Action("Settings", "settings"), destination), shared(mute_all, destination))
    return (
        act.page("Change", "person"),
        act("Mute", "mute all for 2w"),
        act.page("Leave", "leave"),
        act.page("one-click", "one-click"),
        act.page("Stop all mail", "stop-all"),
    )


def _muted(
    house: House, destination: Destination, follows: list[Follow], now: datetime
) -> tuple[str, ...]:
    """What is silent and until when: "muted until Mon 14 Dec: World Models"."""
    silent = [(f.muted_until, f.topic.name) for f in follows if f.muted_until and f.is_muted(now)]
    silent += [
        (mute.until, mute_words(mute.kind, mute.value))
        for mute in house.store.people.mutes(destination.subscriber_id)
        if mute.holds(now)
    ]
    zone = destination.zone
    return tuple(f"muted {until_words(until, zone, now)}: {what}" for until, what in silent)


def _back(
    house: House, destination: Destination, follows: dict[int, Follow], now: datetime
) -> list[tuple[Topic, int]]:
    """Topics whose mute has ended, with how many papers passed meanwhile."""
    return [
        (follows[passed.topic_id].topic, passed.papers)
        for passed in house.store.outbox.passed(destination.id)
        if passed.topic_id in follows and not follows[passed.topic_id].is_muted(now)
    ]


def _notes(
    house: House, destination: Destination, follows: dict[int, Follow], now: datetime
) -> tuple[str, ...]:
    return tuple(
        f"{topic.name} is back. {papers} passed while it was muted."
        for topic, papers in _back(house, destination, follows, now)
    )


def _said(house: House, destination: Destination, delivery: int, now: datetime) -> None:
    follows = {f.topic.id: f for f in house.store.people.follows(destination.subscriber_id)}
    back = _back(house, destination, follows, now)
    house.store.outbox.said(destination.id, [topic.id for topic, _ in back], delivery)


def preview(house: House, heat: Heat, destination: Destination, now: datetime) -> Digest:
    """The digest as it would be now; nothing is recorded."""
    chosen = decide(house, destination, now)
    return compose(house, heat, replace(destination, next_due_at=now), chosen, now, PREVIEW)
