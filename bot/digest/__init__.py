"""What goes in a digest and in which order.  Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
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
    """One topic of a digest, its papers best first."""

    tag: Tag
    entries: tuple[Entry, ...]
    momentum: Momentum | None = None
    actions: tuple[Action, ...] = ()  # Mute, Unfollow


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
        """All papers in reading order."""
        return tuple(entry for section in self.sections for entry in section.entries)


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


def title(sections: Sequence[Section], *, topics: int = 2) -> str:
    """What is inside, in one line: "12 new: RL for LLM Agents, KV-Cache Compression +2"."""
    count = sum(len(section.entries) for section in sections)
    largest = sorted(sections, key=lambda section: -len(section.entries))
    names = ", ".join(section.tag.name for section in largest[:topics])
    more = f" +{len(sections) - topics}" if len(sections) > topics else ""
    return f"{count} new: {names}{more}"


def preheader(sections: Sequence[Section]) -> str:
    """The first paper's title and how many follow, for the line beside the subject."""
    entries = [entry for section in sections for entry in section.entries]
    first = entries[0].paper.title
    return f"{first}, and {len(entries) - 1} more" if len(entries) > 1 else first


def _best_first(entry: Entry) -> tuple[float, float, str]:
    submitted = entry.paper.submitted_at.timestamp()
    return (-entry.score, -submitted, entry.paper.arxiv_id)
