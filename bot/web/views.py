"""What the pages show, gathered from the core: topics, papers, momentum.  Only reads."""

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.core import Core
from bot.core.commands.topics.ranking import ORDERS
from bot.core.commands.words.asked_back.slips import spelled_right
from bot.core.commands.words.authors import author_named, by_author
from bot.core.naming import named, near
from bot.core.pipeline.silence import source_notes
from bot.digest import Tag
from bot.matching import cut
from bot.model import Breadth, Match, Momentum, Origin, Paper, Topic
from bot.momentum import counted, span
from bot.store import READ_TO_THE_END, Fed, Sought
from bot.text.identifiers import only_ids
from bot.web import searching
from bot.web.cache import Cache
from bot.web.rendering import Card, Row
from bot.web.searching import newest_of, proposed, understood
from bot.web.selection import PAGE, Selection

LEAST = cut(Breadth.BALANCED)
TAGS = 5  # topics named beside a paper, its closest ones
RELATED = 8  # topics beside a topic
BESIDE = 6  # papers beside a paper
FED = 50  # papers of a feed at least
FED_AT_MOST = 1_000  # papers of a feed, on the busiest days
TAKEN = 500  # papers of an export
FACETS = 12  # categories to filter by
GROUP = 8  # topics of a group on the index


@dataclass(frozen=True, slots=True)
class Listing:
    """A page of a topic's papers.  `categories` are those to filter by."""

    papers: tuple[Card, ...]
    total: int
    more: bool
    categories: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Results:
    """What a query found: papers newest first, and how it was understood."""

    papers: tuple[Card, ...]
    query: str
    more: bool
    looked_at: int = 0  # the newest papers that were looked at, where there may be older ones


class Library:
    """Views over one core.  Its methods block; they may be called from any thread."""

    def __init__(self, core: Core, *, stale_s: float = 0.0) -> None:
        self._house = core.house
        self._heat = core.house.heat
        self._facets = Cache[dict[str, int]](core.house.clock, stale_s=stale_s, most=5_000)
        self._near = Cache[list[int]](core.house.clock, most=5_000)

    @property
    def stamp(self) -> Hashable:
        """Changes whenever a page may look different."""
        return self._heat.stamp(), self.notes()

    def stamp_of(self, topic: Topic) -> Hashable:
        """Changes whenever a topic's papers do; related topics may be minutes old."""
        store, now = self._house.store, self._house.clock()
        minutes = now.replace(minute=now.minute // 10 * 10, second=0, microsecond=0)
        return store.reading.last_number(topic.id), store.topics.stamp(), minutes

    # -------------------------------------------------------------- source

    def notes(self) -> tuple[str, ...]:
        """That papers are missing because arXiv could not be read; () where all is here."""
        return source_notes(self._house, self._house.clock())

    def last_look(self) -> datetime | None:
        """When arXiv was last read to its end; None before that."""
        last = self._house.store.ledger.last("poll", outcomes=READ_TO_THE_END)
        return last.at if last else None

    # -------------------------------------------------------------- topics

    def topic(self, slug: str) -> Topic | None:
        """The topic of a slug, an older slug or a name; one of a person's own only if allowed."""
        found = named(self._house, slug) or named(self._house, slug.replace("-", " "))
        return found if found and self._house.has_page(found) else None

    def near(self, text: str, limit: int = 5) -> list[Tag]:
        """Topics whose names are like a text."""
        return [
            tag(t)
            for t in near(self._house, text.replace("-", " "), limit)
            if self._house.has_page(t)
        ]

    def rows(self) -> list[Row]:
        """Every topic with its momentum, by name."""
        topics = self._house.store.topics.all(own=self._house.wishes.own_topics)
        momenta = self._heat.of(topics)
        return [Row(topic, momenta[topic.id]) for topic in topics]

    def momentum(self, topic: Topic) -> Momentum:
        """Whether a topic heats up."""
        return self._heat.of_one(topic)

    def glossary(self, topic: Topic) -> tuple[tuple[str, str], ...]:
        """The abbreviations in a topic's name, spelled out."""
        return self._house.language.glossary(topic.name)

    def related(self, topic: Topic) -> list[tuple[Tag, Momentum]]:
        """Topics that share papers with one, closest first, with their own momentum."""
        store = self._house.store
        hour = self._house.clock().replace(minute=0, second=0, microsecond=0)
        ids = self._near.get(
            topic.id, (hour, topic.version), lambda: store.topics.related(topic.id, LEAST, RELATED)
        )
        known = self._house.compendium.topics()
        topics = [known[i] for i in ids if i in known and self._house.has_page(known[i])]
        momenta = self._heat.of(topics)
        return [(tag(t), momenta[t.id]) for t in topics]

    # -------------------------------------------------------------- papers

    def listing(self, topic: Topic, wanted: Selection, limit: int = PAGE) -> Listing:
        """A page of a topic's papers.  Raises store.TooBroad."""
        facets = self._facets_of(topic)
        total = -1 if wanted.narrowed else sum(facets.values())
        found = self._house.store.reading.find(
            Sought(
                topic.id, LEAST, wanted.category, wanted.words, wanted.title_only,
                wanted.sort == "score", limit, wanted.offset, total,
            )
        )  # fmt: skip
        return Listing(
            self.cards(found.papers, but=topic),
            found.total,
            wanted.offset + len(found.papers) < found.total,
            tuple(facets)[:FACETS],
        )

    def latest(self, topic: Topic) -> list[Paper]:
        """What a feed of a topic holds, in the order in which it came."""
        return self._house.store.reading.latest(topic.id, LEAST, self._fed())

    def _fed(self) -> Fed:
        """What a feed holds: everything of the last two announcements, and some papers always."""
        calendar, now = self._house.calendar, self._house.clock()
        before = calendar.last_mailing(calendar.last_mailing(now) - timedelta(seconds=1))
        return Fed(before, FED, FED_AT_MOST)

    def paper(self, arxiv_id: str) -> Paper | None:
        """The stored paper of that identifier."""
        return self._house.store.papers.get(arxiv_id)

    def papers(self, arxiv_ids: Sequence[str]) -> list[Paper]:
        """Stored papers in the order of their identifiers."""
        return self._house.store.reading.named(arxiv_ids)

    def reasons(self, paper: Paper) -> list[tuple[Tag, str]]:
        """The topics of a paper, best first, and why it belongs to each."""
        found = self._house.store.topics.of_papers([paper.seq]).get(paper.seq, [])
        topics = self._house.compendium.topics()
        return [
            (tag(topic), match.reason)
            for match in found
            if match.score >= LEAST
            and (topic := topics.get(match.topic_id))
            and self._house.has_page(topic)
        ]

    def beside(self, paper: Paper) -> list[Paper]:
        """Papers of the same months that share most topics with one."""
        return self._house.store.reading.beside(paper.seq, LEAST, BESIDE)

    def cards(self, papers: Sequence[Paper], but: Topic | None = None) -> tuple[Card, ...]:
        """Papers with their topics; the topic whose page it is comes last."""
        matches = self._house.store.topics.of_papers(p.seq for p in papers)
        topics = self._house.compendium.topics()
        return tuple(
            Card(paper, self._tags(matches.get(paper.seq, ()), topics, but)) for paper in papers
        )

    def search(self, text: str, limit: int) -> Results:
        """The newest stored papers that a topic of these words would bring, else by that author.

        Raises QueryError where they cannot be read or name a category that is none.
        """
        if named := only_ids(text):
            return Results(self.cards(self.papers(named)[:limit]), " ".join(named), more=False)
        found = self._search(text, limit)
        author = "" if found.papers else author_named(self._house, text)
        return self._search(by_author(author), limit) if author else found

    def meant(self, text: str) -> str:
        """The words of a search that found nothing, spelled as papers spell them; "" where no
        word looks misspelt."""
        right, _ = spelled_right(self._house, text)
        return right if right != text and not self._house.language.is_query(text) else ""

    def _search(self, text: str, limit: int) -> Results:
        query, compiled = understood(self._house, text)
        found: list[Paper] = []
        looked_at = 0
        for paper in proposed(self._house, compiled):
            looked_at += 1
            verdict = compiled.judge(paper)
            if verdict and verdict.score >= LEAST:
                found.append(paper)
            if len(found) > limit:
                break
        short = looked_at >= searching.SEARCHED and len(found) <= limit
        cards = self.cards(found[:limit])
        return Results(cards, query, len(found) > limit, searching.SEARCHED if short else 0)

    def fed(self, text: str) -> tuple[Card, ...]:
        """What a feed of a query holds, in the order in which it came; as `search` reads it."""
        found = newest_of(self._house, text, LEAST, self._fed())
        author = "" if found else author_named(self._house, text)
        if author:
            found = newest_of(self._house, by_author(author), LEAST, self._fed())
        return self.cards(found)

    # ------------------------------------------------------------- beneath

    def _tags(
        self, matches: Sequence[Match], topics: Mapping[int, Topic], but: Topic | None
    ) -> tuple[Tag, ...]:
        found = [
            topics[match.topic_id]
            for match in matches
            if match.score >= LEAST and match.topic_id in topics
        ]
        shown = [topic for topic in found if self._house.has_page(topic)]
        others = [topic for topic in shown if but is None or topic.id != but.id][:TAGS]
        own = [topic for topic in shown if but is not None and topic.id == but.id]
        return tuple(tag(topic) for topic in (*others, *own))

    def _facets_of(self, topic: Topic) -> dict[str, int]:
        store = self._house.store
        return self._facets.get(
            topic.id,
            (store.reading.last_number(topic.id), topic.version),
            lambda: store.reading.categories(topic.id, LEAST),
        )


def tag(topic: Topic) -> Tag:
    """A topic as a link within these pages."""
    return Tag(topic.name, topic.slug, f"/topics/{topic.slug}")


def groups(rows: Sequence[Row]) -> list[tuple[str, str, list[Row]]]:
    """Topics heating up, emerging, cooling and largest, where there are any."""
    topics, momenta = [row.topic for row in rows], {row.topic.id: row.momentum for row in rows}
    by_id = {row.topic.id: row for row in rows}
    # One without papers cools, perhaps; it is not among the largest.
    ordered = {
        name: [by_id[t.id] for t in of(topics, momenta)[:GROUP]] for name, of in ORDERS.items()
    }
    ordered["largest"] = [row for row in ordered["largest"] if counted(row.momentum)]
    made = [
        (name, what, ordered[order])
        for order, name, what in (
            ("heating", "Heating up", "on the four weeks before"),
            ("emerging", "Emerging", "hardly there six weeks ago"),
            ("cooling", "Cooling", "on the four weeks before"),
            ("largest", "Largest", f"papers {spanned(rows)}"),
        )
    ]
    return [(name, what, found) for name, what, found in made if found]


def spanned(rows: Sequence[Row], weeks: str = "in four weeks") -> str:
    """The time that most of the numbers beside topics cover."""
    told = Counter(span(row.momentum, weeks) for row in rows)
    return told.most_common(1)[0][0] if told else weeks


def fields(rows: Sequence[Row]) -> list[tuple[str, list[Row]]]:
    """Topics by field, people's own last."""
    found: dict[str, list[Row]] = {}
    for row in rows:
        own = row.topic.origin is Origin.OWN
        name = "People’s own" if own else row.topic.field.replace("-", " ").capitalize() or "Other"
        found.setdefault(name, []).append(row)
    return sorted(found.items(), key=lambda pair: (pair[0] == "People’s own", pair[0]))
