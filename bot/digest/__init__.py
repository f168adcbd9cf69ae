"""What goes in a digest and in which order.  Pure."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from bot.model import Momentum, Paper


@dataclass(frozen=True, slots=True)
class Action:
    """Something a reader can do: the words to type, and a signed link where there is one."""

    label: str
    command: str
    url: str = ""


@dataclass(frozen=True, slots=True)
class Tag:
    """A topic as it is named beside a paper.  `url` is its page, "" where no web address is set."""

    name: str
    slug: str
    url: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """A paper in a digest: once, with every followed topic it belongs to and why it came."""

    paper: Paper
    tags: tuple[Tag, ...]
    reason: str
    score: float
    actions: tuple[Action, ...] = ()  # Save, Not for me


@dataclass(frozen=True, slots=True)
class Section:
    """One topic of a digest, its papers best first.

    Where its reader wants few, `rest` are those that are only shown once `behind` is asked for.
    """

    tag: Tag
    entries: tuple[Entry, ...]
    momentum: Momentum | None = None
    actions: tuple[Action, ...] = ()  # Mute, Unfollow
    rest: tuple[Entry, ...] = ()
    behind: Action | None = None

    @property
    def count(self) -> int:
        """How many papers there are, shown or not."""
        return len(self.entries) + len(self.rest)

    @property
    def is_kept(self) -> bool:
        """Whether the rest can be asked for by a link; else it is read where there is room."""
        return bool(self.rest and self.behind and self.behind.url)


@dataclass(frozen=True, slots=True)
class Digest:
    """The immutable content for one destination at one time.

    `key` is the same for every attempt and unlike any other digest's (letters, digits, ``.-``).
    `title` says what is inside ("12 new: RL for LLM Agents +2").  `due_at` is the promised
    instant (UTC), shown in `zone`; `composed_at` is when it was made, None for just then.
    `notes` are sentences above the papers ("World Models is back. 31 passed while it was
    muted."), `asides` what can be done about them (Show); `muted` names what is silent and until
    when.
    """

    key: str
    title: str
    preheader: str
    channel: str
    address: str
    due_at: datetime
    zone: str
    cadence: str  # in words: "Monday 09:00"
    sections: tuple[Section, ...]
    notes: tuple[str, ...] = ()
    asides: tuple[Action, ...] = ()
    muted: tuple[str, ...] = ()
    actions: tuple[Action, ...] = ()  # Change, Mute, Leave
    list_id: str = ""  # stable per destination: "d42"
    sample: bool = False
    composed_at: datetime | None = None

    @property
    def entries(self) -> tuple[Entry, ...]:
        """All papers that are shown, in reading order."""
        return tuple(entry for section in self.sections for entry in section.entries)

    @property
    def count(self) -> int:
        """How many papers there are, shown or not."""
        return sum(section.count for section in self.sections)


@dataclass(frozen=True, slots=True)
class Notice:
    """A short letter that is not a digest: a confirmation, a pause explained, an alert.

    Travels through the outbox like a digest, with the same promises.  `stop_url` ends all mail;
    "" where it is no mail, or has no links.
    """

    key: str
    title: str
    channel: str
    address: str
    due_at: datetime
    lines: tuple[str, ...]
    actions: tuple[Action, ...] = ()
    zone: str = "UTC"
    stop_url: str = ""


def arrange(
    entries: Sequence[Entry],
    order: Sequence[Tag],
    momentum: Mapping[str, Momentum],
    actions: Mapping[str, tuple[Action, ...]],
) -> tuple[Section, ...]:
    """Each paper once, under the first topic of its tags; sections in `order`, best papers first.

    `momentum` and `actions` are by slug.  Ties are broken by arXiv id, newest first, so that
    the same papers always read in the same order.
    """
    under: dict[str, list[Entry]] = {tag.slug: [] for tag in order}
    for entry in entries:
        under[entry.tags[0].slug].append(entry)
    return tuple(
        Section(
            tag,
            tuple(sorted(under[tag.slug], key=_best_first)),
            momentum.get(tag.slug),
            actions.get(tag.slug, ()),
        )
        for tag in order
        if under[tag.slug]
    )


def shortened(
    sections: Sequence[Section], most: int, behind: Callable[[int, int], Action]
) -> tuple[Section, ...]:
    """At most so many papers, of each topic the best; 0: all of them.

    `behind` is what asks for the rest of a topic, by its number and how many papers that are.
    """
    if not most or most >= sum(map(_length, sections)):
        return tuple(sections)
    shown = shared(most, [*map(_length, sections)])
    numbers = iter(range(1, len(sections) + 1))
    return tuple(
        section
        if n >= len(section.entries)
        else replace(
            section,
            entries=section.entries[:n],
            rest=section.entries[n:],
            behind=behind(next(numbers), len(section.entries) - n),
        )
        for section, n in zip(sections, shown, strict=True)
    )


def shared(room: int, sizes: Sequence[int], had: Sequence[int] = ()) -> list[int]:
    """How many places each topic gets of `room`: evenly, the first ones first, at most its size.

    Topics that `had` places already come after those that had fewer.
    """
    level = list(had) or [0] * len(sizes)
    begun, room = list(level), min(room, sum(sizes))
    while room:
        open_ = [n for n, size in enumerate(sizes) if level[n] - begun[n] < size]
        lowest = min(level[n] for n in open_)
        for n in [n for n in open_ if level[n] == lowest][:room]:
            level[n] += 1
            room -= 1
    return [now - before for now, before in zip(level, begun, strict=True)]


def _length(section: Section) -> int:
    return len(section.entries)


def title(sections: Sequence[Section], *, topics: int = 2) -> str:
    """What is inside, in one line: "12 new: RL for LLM Agents, KV-Cache Compression +2"."""
    count = sum(section.count for section in sections)
    largest = sorted(sections, key=lambda section: -section.count)
    names = ", ".join(section.tag.name for section in largest[:topics])
    more = f" +{len(sections) - topics}" if len(sections) > topics else ""
    return f"{count} new: {names}{more}"


def preheader(sections: Sequence[Section]) -> str:
    """The first paper's title and how many follow, for the line beside the subject."""
    first = next(entry.paper.title for section in sections for entry in section.entries)
    count = sum(section.count for section in sections)
    return f"{first}, and {count - 1} more" if count > 1 else first


def _best_first(entry: Entry) -> tuple[float, float, str]:
    submitted = entry.paper.submitted_at.timestamp()
    return (-entry.score, -submitted, entry.paper.arxiv_id)
