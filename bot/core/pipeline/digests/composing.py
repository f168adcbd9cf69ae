"""A digest of what was decided, with what can be done about it; nothing is recorded."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from bot.core.conversations import shared
from bot.core.hearing import mute_words
from bot.core.house import House
from bot.core.pipeline.digests.deciding import Sorted, decide
from bot.core.pipeline.digests.tidings import tidings
from bot.core.when import until_words
from bot.digest import Action, Digest, Entry, Section, Tag, arrange, preheader, title
from bot.model import Destination, Follow, Topic
from bot.store import Candidate
from bot.timetable import Cadence

PREVIEW = "preview"  # the key of what is never sent


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


@dataclass(frozen=True, slots=True)
class Returned:
    """A followed topic whose mute has ended, and how many papers passed meanwhile."""

    topic: Topic
    papers: int


def preview(house: House, destination: Destination, now: datetime) -> Digest:
    """The digest as it would be now; nothing is recorded."""
    chosen = decide(house, destination, now)
    return compose(house, replace(destination, next_due_at=now), chosen, now, PREVIEW)


def compose(
    house: House, destination: Destination, chosen: Sorted, now: datetime, key: str
) -> Digest:
    """The digest of some decided candidates, as it would be sent."""
    follows = house.store.people.follows(destination.subscriber_id)
    act = _Acts(house, destination)
    sections = _sections(house, chosen, [follow.topic for follow in follows], act)
    returned = back(house, destination, now)
    counted = "lately" if key == PREVIEW else key
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
        notes=(*map(_note, returned), *tidings(house, destination, now)),
        asides=tuple(
            shared(act(f"Show {each.topic.name}", f"passed {each.topic.slug} {counted}"),
                   destination)
            for each in returned
        ),
        muted=_muted(house, destination, follows, now),
        actions=_digest_actions(act),
        list_id=f"d{destination.id}",
        sample=house.wishes.sample,
    )  # fmt: skip


def _sections(
    house: House, chosen: Sorted, followed: list[Topic], act: _Acts
) -> tuple[Section, ...]:
    topics = {topic.id: topic for topic in followed}
    entries = [_entry(house, candidate, topics, act) for candidate in chosen.told]
    leading = {entry.tags[0].slug for entry in entries}
    named = [topic for topic in followed if topic.slug in leading]
    momenta = house.heat.of(named)
    return arrange(
        entries,
        [tag(house, topic) for topic in named],
        {topic.slug: momenta[topic.id] for topic in named},
        {topic.slug: _topic_actions(topic, act) for topic in named},
    )


def tag(house: House, topic: Topic) -> Tag:
    """A topic as it is named beside a paper, with its page where it has one."""
    base = house.links.base_url if house.has_page(topic) else ""
    return Tag(topic.name, topic.slug, f"{base}/topics/{topic.slug}" if base else "")


def _entry(house: House, candidate: Candidate, topics: Mapping[int, Topic], act: _Acts) -> Entry:
    best, arxiv_id = candidate.matches[0], candidate.paper.arxiv_id
    return Entry(
        paper=candidate.paper,
        tags=tuple(tag(house, topics[match.topic_id]) for match in candidate.matches),
        reason=best.reason,
        score=best.score,
        actions=(act("Save", f"save {arxiv_id}"), act("Not for me", f"not-for-me {arxiv_id}")),
    )


def _topic_actions(topic: Topic, act: _Acts) -> tuple[Action, ...]:
    actions = (
        act("Mute for 2 weeks", f"mute {topic.slug} for 2w"),
        act("Unfollow", f"unfollow {topic.slug}"),
    )
    return tuple(shared(action, act.destination) for action in actions)


def _digest_actions(act: _Acts) -> tuple[Action, ...]:
    destination = act.destination
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


def back(house: House, destination: Destination, now: datetime) -> list[Returned]:
    """What a digest says first of topics that are silent no more; see `Outbox.said`."""
    follows = {f.topic.id: f for f in house.store.people.follows(destination.subscriber_id)}
    return [
        Returned(follows[passed.topic_id].topic, passed.papers)
        for passed in house.store.outbox.passed(destination.id)
        if passed.topic_id in follows and not follows[passed.topic_id].is_muted(now)
    ]


def _note(returned: Returned) -> str:
    return f"{returned.topic.name} is back. {returned.papers} passed while it was muted."
