"""A digest of what was decided, with what can be done about it; nothing is recorded."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from bot.core.conversations import shared
from bot.core.dates import until_words
from bot.core.filtering import Listener, mute_words
from bot.core.house import House
from bot.core.pipeline.digests.deciding import Sorted, decide
from bot.core.pipeline.digests.notes import notes
from bot.digest import Action, Digest, Entry, Section, Tag, arrange, preheader, shortened, title
from bot.digest.reading import listed
from bot.model import Destination, Follow, Topic
from bot.store import Candidate
from bot.text import number
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
    made = compose(house, replace(destination, next_due_at=now), chosen, PREVIEW)
    return or_why_not(made, chosen.listener, "No new paper so far")


def or_why_not(made: Digest, listener: Listener, said: str) -> Digest:
    """The digest; if it has no paper, with `said` about everything followed and not muted."""
    if made.sections:
        return made
    if not listener.follows:
        return replace(made, notes=(*made.notes, "Nothing is followed."))
    heard = [each for each in listener.follows.values() if not each.is_muted(listener.now)]
    why = (f"{said} on {listed([each.topic.name for each in heard], 5)}.",) if heard else ()
    return replace(made, notes=(*made.notes, *why))


def compose(house: House, destination: Destination, chosen: Sorted, key: str) -> Digest:
    """The digest of some decided candidates, as it would be sent."""
    listener = chosen.listener
    act = _Acts(house, destination)
    whole = _sections(house, chosen.told, listener.follows, act)
    sections = shortened(whole, destination.most, partial(_behind, act, key))
    returned = back(house, destination, listener)
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
        notes=(*_few(sections), *map(_note, returned), *notes(house, destination, listener.now)),
        asides=tuple(
            shared(act(f"Show {each.topic.name}", f"passed {each.topic.slug} {counted}"),
                   destination)
            for each in returned
        ),
        muted=_muted(listener),
        actions=_digest_actions(act),
        list_id=f"d{destination.id}",
        sample=house.wishes.sample,
        composed_at=listener.now,
    )  # fmt: skip


def _sections(
    house: House, told: Sequence[Candidate], follows: Mapping[int, Follow], act: _Acts
) -> tuple[Section, ...]:
    tags = {topic_id: tag(house, follow.topic) for topic_id, follow in follows.items()}
    entries = [_entry(candidate, tags, act) for candidate in told]
    leading = {candidate.matches[0].topic_id for candidate in told}
    named = [follow.topic for topic_id, follow in follows.items() if topic_id in leading]
    momenta = house.heat.of(named)
    return arrange(
        entries,
        [tags[topic.id] for topic in named],
        {topic.slug: momenta[topic.id] for topic in named},
        {topic.slug: _topic_actions(topic, act) for topic in named},
    )


def _behind(act: _Acts, key: str, number: int, papers: int) -> Action:
    """What shows the rest of a topic; of a preview nothing is kept to be shown."""
    asked = Action(f"{papers} more", f"more {key} {number}")
    return asked if key == PREVIEW else act(asked.label, asked.command)


def tag(house: House, topic: Topic) -> Tag:
    """A topic as it is named beside a paper, with its page where it has one."""
    base = house.links.base_url if house.has_page(topic) else ""
    return Tag(topic.name, topic.slug, f"{base}/topics/{topic.slug}" if base else "")


def _entry(candidate: Candidate, tags: Mapping[int, Tag], act: _Acts) -> Entry:
    best, arxiv_id = candidate.matches[0], candidate.paper.arxiv_id
    return Entry(
        paper=candidate.paper,
        tags=tuple(tags[match.topic_id] for match in candidate.matches),
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


def _muted(listener: Listener) -> tuple[str, ...]:
    """What is silent and until when: "muted until Mon 14 Dec: World Models"."""
    now, zone = listener.now, listener.zone
    follows = listener.follows.values()
    silent = [(f.muted_until, f.topic.name) for f in follows if f.muted_until and f.is_muted(now)]
    silent += [(mute.until, mute_words(mute.kind, mute.value)) for mute in listener.mutes]
    return tuple(f"muted {until_words(until, zone, now)}: {what}" for until, what in silent)


def back(house: House, destination: Destination, listener: Listener) -> list[Returned]:
    """Topics whose mute has ended, which a digest mentions first; see `Outbox.said`."""
    heard = listener.topics
    return [
        Returned(listener.follows[passed.topic_id].topic, passed.papers)
        for passed in house.store.outbox.passed(destination.id)
        if passed.topic_id in heard
    ]


def _few(sections: Sequence[Section]) -> tuple[str, ...]:
    """How many papers are shown of how many, where its reader wants few."""
    count, papers = sum(each.count for each in sections), sum(len(s.entries) for s in sections)
    return (f"The best {papers} of {number(count)} papers.",) if papers < count else ()


def _note(returned: Returned) -> str:
    return f"{returned.topic.name} is back. {returned.papers} passed while it was muted."
