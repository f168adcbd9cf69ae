"""The promises of the README as plain code: what each reader is told and when, and what never.

It knows nothing of the product.  Whoever lets readers live says here what they did and what the
world showed; `complaints` is what contradicts a promise.
"""

from bisect import bisect_right
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from zoneinfo import ZoneInfo

EVERYTHING = ""
ALWAYS = datetime.min.replace(tzinfo=UTC)


@cache
def instant(day: date, at: time, zone: str) -> datetime:
    """When the clocks of a zone first show that time or later."""
    found, wall = (
        datetime.combine(day, time(), UTC) - timedelta(hours=15),
        datetime.combine(day, at),
    )
    while found.astimezone(ZoneInfo(zone)).replace(tzinfo=None) < wall:
        found += timedelta(minutes=15)
    return found


def next_due(cadence: str, zone: str, after: datetime) -> datetime:
    """A digest comes once on each of its days, at its hour by the clocks there."""
    day = after.astimezone(ZoneInfo(zone)).date() - timedelta(days=1)
    at = time.fromisoformat(cadence.split()[-1])
    while not _falls_on(cadence, day) or instant(day, at, zone) <= after:
        day += timedelta(days=1)
    return instant(day, at, zone)


def _falls_on(cadence: str, day: date) -> bool:
    kind, *days, _ = cadence.split()
    if kind == "daily":
        return True
    if kind == "weekdays":
        return day.weekday() < 5
    of_the_week = f"{day:%a}".lower() in days
    is_its_week = (day.toordinal() - 1) // 7 % 2 == 0 if kind == "fortnightly" else True
    return of_the_week and is_its_week and (kind != "monthly" or day.day <= 7)


@dataclass
class Paper:
    """What is known of a paper: when which topic showed it, and `marks` that silence it.

    Marks are its authors, its categories, and phrases in it.
    """

    number: str
    topics: dict[str, int]
    marks: set[str]
    withdrawn: bool = False


@dataclass(eq=False)
class Follow:
    """What was shown before `since` is no news.

    What it leaves out, another follow of the same topic may bring.
    """

    topic: str
    since: int
    without: str = ""  # a mark
    muted_until: datetime | None = None
    ended: bool = False
    undo: str = ""


@dataclass
class Reader:
    """Somebody with one digest; two of one person share what is followed, muted and disliked."""

    cadence: str
    zone: str
    due_at: datetime
    since: int
    read_to: int
    state: str = "active"
    most: int = 0  # papers shown in a digest; 0: all
    most_since: datetime = ALWAYS
    follows: list[Follow] = field(default_factory=list)
    left_at: dict[Follow, int] = field(default_factory=dict)  # how far it was read when it ended
    mutes: dict[str, datetime] = field(default_factory=dict)  # a mark, or everything
    disliked: set[str] = field(default_factory=set)
    told: set[str] = field(default_factory=set)
    awaited: dict[str, datetime] = field(default_factory=dict)  # on its way since then
    doubtful: set[str] = field(default_factory=set)  # silenced on its way: later, or never
    behind: set[str] = field(default_factory=set)  # a link of a full digest: counts as told
    kept_back: set[tuple[str, str]] = field(default_factory=set)
    fell_due: list[datetime] = field(default_factory=list)
    shown_in: dict[str, set[str]] = field(default_factory=dict)  # by the key of a digest

    def live(self) -> list[Follow]:
        return [follow for follow in self.follows if not follow.ended]

    def hears(self, paper: Paper, now: datetime) -> bool:
        """Whether anything brings this paper that is followed since before it, and not silent."""
        return self.hears_by(paper, set(paper.topics), now)

    def still_hears(self, paper: Paper, now: datetime) -> bool:
        """The same, but by no topic whose silence has kept this paper back before."""
        left = {each for each in paper.topics if (paper.number, each) not in self.kept_back}
        return self.hears_by(paper, left, now)

    def hears_by(self, paper: Paper, topics: set[str], now: datetime) -> bool:
        """The same, by some of its topics."""
        mutes = {what for what, until in self.mutes.items() if until > now}
        if paper.withdrawn or paper.number in self.disliked or mutes & {EVERYTHING, *paper.marks}:
            return False
        return any(
            f.topic in topics
            and paper.topics[f.topic] > f.since
            and (f.muted_until is None or f.muted_until <= now)
            and f.without not in paper.marks
            for f in self.live()
        )


class Oracle:
    """Who is to be told what, by the promises alone."""

    def __init__(self) -> None:
        self.readers: dict[str, Reader] = {}
        self.papers: dict[str, Paper] = {}
        self.complaints: list[str] = []
        self.shown = 0
        self._of: dict[str, tuple[list[int], list[str]]] = {}

    # ------------------------------------------------------------- the world

    def shows(self, number: str, topics: set[str], marks: set[str]) -> None:
        """A source showed a paper, or one listed in more categories now."""
        paper = self.papers.setdefault(number, Paper(number, {}, set()))
        for topic in sorted(topics - paper.topics.keys()):
            self.shown += 1
            paper.topics[topic] = self.shown
            when, which = self._of.setdefault(topic, ([], []))
            when.append(self.shown)
            which.append(number)
        paper.marks |= marks

    def time_comes(self, now: datetime) -> None:
        """Whatever fell due is decided once, however many dates have passed."""
        for reader in self.readers.values():
            if reader.state != "off" and reader.due_at <= now:
                reader.fell_due.append(reader.due_at)
                if reader.state == "active":
                    self.decide(reader, now)
                reader.due_at = next_due(reader.cadence, reader.zone, now)

    def decide(self, reader: Reader, now: datetime, *, early: bool = False) -> None:
        """What matches and is not silent is told; what is silent is kept back for ever.

        A digest that was asked for early keeps nothing back.
        """
        for number, topics in self._news(reader).items():
            if reader.hears_by(self.papers[number], topics, now):
                reader.awaited[number] = now
                reader.doubtful.discard(number)
            elif not early:
                marks = self.papers[number].marks
                wanted = {each.topic for each in reader.live() if each.without not in marks}
                reader.kept_back |= {(number, topic) for topic in topics & wanted}
        if not early:
            reader.read_to = self.shown
            for follow in reader.live():
                reader.left_at.pop(follow, None)

    def _news(self, reader: Reader) -> dict[str, set[str]]:
        found: dict[str, set[str]] = {}
        for follow in reader.live():
            read_to = reader.left_at.get(follow, reader.read_to)
            when, which = self._of.get(follow.topic, ([], []))
            for number in which[bisect_right(when, max(follow.since, reader.since, read_to)) :]:
                done = number in reader.told | reader.behind or number in reader.awaited
                kept_back = (number, follow.topic) in reader.kept_back
                if not (done or kept_back or self.papers[number].withdrawn):
                    found.setdefault(number, set()).add(follow.topic)
        return found

    # ----------------------------------------------------------- the readers

    def silenced(self, reader: Reader, now: datetime) -> None:
        """What is on its way and not to be heard any more may come later, or never."""
        stopped = reader.state != "active"
        gone = [n for n in reader.awaited if stopped or not reader.still_hears(self.papers[n], now)]
        for number in gone:
            del reader.awaited[number]
        reader.doubtful |= set(gone)

    def given_up(self, who: str) -> None:
        """What was refused for days is composed anew, with the next digest or a later one."""
        reader = self.readers[who]
        reader.doubtful |= reader.awaited.keys()
        reader.awaited.clear()

    def leaves(self, reader: Reader, follow: Follow, now: datetime) -> None:
        """The follow ends; its Undo restores it whole, though it ended twice before a digest."""
        follow.ended = True
        reader.left_at.setdefault(follow, reader.read_to)
        self.silenced(reader, now)

    def turns_on(self, reader: Reader, now: datetime, *, whole: bool) -> None:
        """What matched meanwhile comes where it was paused or undone, else not."""
        if reader.state == "off" and not whole:
            reader.since = reader.read_to = self.shown
            reader.doubtful.clear()
        if reader.state != "active" and reader.due_at <= now:
            reader.due_at = next_due(reader.cadence, reader.zone, now)
        reader.state = "active"

    # ---------------------------------------------------------- the promises

    def arrived(self, who: str, number: str, now: datetime, *, repeated: bool) -> None:
        """Nobody is told twice but by a repeat after an answer was lost; silence is kept."""
        reader, paper = self.readers[who], self.papers[number]
        if number in reader.told:
            self._unless(repeated, now, f"{who} was told twice of {number}")
            return
        self._unless(number in {*reader.awaited, *reader.doubtful, *reader.behind}, now,
                     f"{who} was told of {number} unasked")  # fmt: skip
        heard = reader.state == "active" and reader.hears(paper, now)
        self._unless(heard, now, f"{who} was told of {number} in spite of a silence")
        reader.awaited.pop(number, None)
        reader.doubtful.discard(number)
        reader.behind.discard(number)
        reader.told.add(number)

    def is_shown_in(self, who: str, key: str, numbers: tuple[str, ...], now: datetime) -> None:
        """No digest shows more papers than its reader wants; what stands behind counts as told."""
        reader = self.readers[who]
        shown = reader.shown_in.setdefault(key, set())
        shown |= set(numbers)
        decided = [at for n in numbers if (at := reader.awaited.get(n))]
        if reader.most and decided and min(decided) > reader.most_since:
            self._unless(len(shown) <= reader.most, now, f"{who} was shown {sorted(shown)}")

    def stands_behind(self, who: str, key: str) -> None:
        """Whatever a full digest left out can be asked for, and need not come."""
        reader = self.readers[who]
        if reader.most and len(reader.shown_in[key]) >= reader.most:
            reader.behind |= {*reader.awaited, *reader.doubtful}
            reader.awaited.clear()
            reader.doubtful.clear()

    def comes_anew(self, who: str, numbers: tuple[str, ...], now: datetime) -> None:
        """A digest that had to wait for days is composed anew: what is new by then comes in it."""
        reader = self.readers[who]
        if set(numbers) - reader.told - reader.doubtful - reader.behind - set(reader.awaited):
            self.decide(reader, now)

    def nothing_is_lost(self, who: str, now: datetime, patience: timedelta) -> None:
        """What matched and was not silent has come, where the way to its reader was open."""
        reader = self.readers[who]
        late = [n for n, since in reader.awaited.items() if now - since > patience]
        late = [number for number in late if not self.papers[number].withdrawn]
        self._unless(not late or reader.state != "active", now, f"{who} lost {late}")

    def nothing_is_silent(self, who: str, explained_at: datetime | None, now: datetime) -> None:
        """Every due digest leaves a line in the ledger."""
        due = self.readers[who].fell_due
        said = not due or (explained_at is not None and explained_at >= due[-1])
        self._unless(said, now, f"nothing says what became of {who}'s digest of {due[-1:]}")
        due.clear()

    def _unless(self, right: bool, now: datetime, complaint: str) -> None:
        if not right:
            self.complaints.append(f"{now:%Y-%m-%d %H:%M} {complaint}")
