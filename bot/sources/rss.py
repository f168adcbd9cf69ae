"""arXiv's daily listing as RSS or Atom: what was announced, and how.

Source: arXiv's specifications of its feeds.  A feed holds one day.  It says new, cross, replace;
it does not say when a paper was submitted, so papers that we do not know yet are looked up in
the API.  Its own dates are those of its rendering and prove nothing: a feed may show
yesterday's batch under today's date, and what counts is whether it names papers unseen so far.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, fields, replace
from datetime import UTC, date, datetime, time, timedelta
from email.utils import parsedate_to_datetime

from lxml import etree

from bot.model import Announced, Clock, Paper
from bot.sources import Completeness, Page, Rejected, Sighting, SourceError, printed
from bot.sources.documents import ARXIV, ATOM, DUBLIN_CORE, text_of
from bot.sources.session import Refused, Session
from bot.text.identifiers import Identifier, number_of, parse
from bot.timetable import NEW_YORK

BASE_URL = "https://rss.arxiv.org/rss"
CATEGORIES_A_FEED = 6

# arXiv cuts a feed at 2,000 rows, and it is the new papers that fall off.
_FULL = 1_990
_LEAD = re.compile(r"^\s*arXiv:\S+\s+Announce Type:\s*\S+\s*Abstract:\s*", re.IGNORECASE)

Lookup = Callable[[Sequence[str]], Iterable[Page]]
Changes = Callable[[Sequence[Paper]], Sequence[Paper]]


@dataclass(slots=True)
class _Memory:
    """The watermark: what each feed was last time, and the newest identifier by category.

    `fresh` is the day of New York on which a feed last named papers unseen before: it holds that
    day's listing, and however often it is looked at again that day there is no other.
    """

    etags: dict[str, str] = field(default_factory=dict)
    newest: dict[str, str] = field(default_factory=dict)
    fresh: dict[str, str] = field(default_factory=dict)

    @classmethod
    def read(cls, watermark: str | None) -> "_Memory":
        with suppress(ValueError, TypeError, AttributeError):
            kept = json.loads(watermark or "{}")
            return cls(*(dict(kept.get(each.name, {})) for each in fields(cls)))
        return cls()

    def __str__(self) -> str:
        return json.dumps(asdict(self), sort_keys=True)

    def note(self, category: str, sightings: Sequence[Sighting]) -> bool:
        """Keep the newest identifier listed for a category; whether it was unseen."""
        ids = [s.paper.arxiv_id for s in sightings if category in s.paper.categories]
        newest = max(ids, key=number_of, default="")
        if number_of(newest) <= number_of(self.newest.get(category, "")):
            return False
        self.newest[category] = newest
        return True


class Rss:
    """Today's listing of some leaf categories, a few to a feed.

    `changes` picks the papers that would be news to the store, `lookup` finds them in the API;
    without the two, dates of submission are estimates.  The watermark never says that papers
    are complete: a feed that was missed is gone, and the other sources heal it.
    """

    name = "rss"

    def __init__(
        self,
        session: Session,
        *,
        categories: Sequence[str],
        clock: Clock,
        lookup: Lookup | None = None,
        changes: Changes | None = None,
        base_url: str = BASE_URL,
    ) -> None:
        self.session = session
        self.categories = tuple(sorted(set(categories)))
        self.clock = clock
        self.lookup = lookup
        self.changes = changes
        self.base_url = base_url.rstrip("/")

    def pages(self, watermark: str | None) -> Iterator[Page]:
        """One page for each feed.  A category that arXiv does not know costs only itself."""
        memory = _Memory.read(watermark)
        for at in range(0, len(self.categories), CATEGORIES_A_FEED):
            yield from self._feed(self.categories[at : at + CATEGORIES_A_FEED], memory)

    def _feed(self, wanted: Sequence[str], memory: _Memory) -> Iterator[Page]:
        spec = "+".join(wanted)
        url = f"{self.base_url}/{spec}"
        try:
            answer = self.session.get(url, "rss", "feed", etag=memory.etags.get(spec, ""))
        except Refused as refusal:
            if not refusal.is_for_the_question:
                raise
            yield from self._parted(wanted, memory, str(refusal))
            return
        today = str(self.clock().astimezone(NEW_YORK).date())
        if answer.root is None:
            is_stale = memory.fresh.get(spec) != today
            yield Page(
                (),
                str(memory),
                remark=f"unchanged: {spec}",
                completeness=Completeness.STALE if is_stale else Completeness.WHOLE,
            )
            return
        sightings, rejected, count = listing(answer.root)
        memory.etags[spec] = answer.etag
        stale = [c for c in wanted if not memory.note(c, sightings)]
        if len(stale) < len(wanted):
            memory.fresh[spec] = today
        completed, problem = self._completed(sightings)
        remark = "; ".join(filter(None, (_remark(count, stale, len(wanted)), problem)))
        completeness = _completeness(count, is_stale=memory.fresh.get(spec) != today)
        yield Page(completed, str(memory), rejected, remark=remark, completeness=completeness)

    def _parted(self, wanted: Sequence[str], memory: _Memory, problem: str) -> Iterator[Page]:
        if len(wanted) == 1:
            yield Page((), str(memory), remark=f"{wanted[0]} has no feed ({problem})")
            return
        for category in wanted:
            yield from self._feed((category,), memory)

    def _completed(self, sightings: tuple[Sighting, ...]) -> tuple[tuple[Sighting, ...], str]:
        """The sightings, news completed from the API; and why it could not be asked, or ""."""
        if self.lookup is None or not sightings:
            return sightings, ""
        papers = [s.paper for s in sightings]
        news = [p.arxiv_id for p in (self.changes(papers) if self.changes else papers)]
        try:
            found = {
                s.paper.arxiv_id: s.paper for page in self.lookup(news) for s in page.sightings
            }
        except SourceError as trouble:
            return sightings, f"dates of submission are estimates: {trouble}"
        return tuple(_with(s, found.get(s.paper.arxiv_id)) for s in sightings), ""


def listing(
    root: etree._Element,
) -> tuple[tuple[Sighting, ...], tuple[Rejected, ...], int]:
    """The rows of a feed of either flavour: as sightings, as rejected, and how many."""
    rows = [*root.iterfind("channel/item"), *root.iterfind(ATOM + "entry")]
    return *printed.entries(rows, _sighting), len(rows)


def _sighting(row: etree._Element) -> Sighting:
    spelt = text_of(row, "guid") or text_of(row, ATOM + "id") or text_of(row, "link")
    identifier = parse(spelt)
    if identifier is None:
        raise printed.Unusable(f"“{spelt[:80]}” is no identifier")
    day = _day(text_of(row, "pubDate"), text_of(row, ATOM + "published"))
    estimate = _submitted(identifier, day)
    paper = printed.paper(
        identifier,
        title=text_of(row, "title") or text_of(row, ATOM + "title"),
        abstract=_LEAD.sub("", text_of(row, "description") or text_of(row, ATOM + "summary")),
        authors=printed.authors_from_line(text_of(row, DUBLIN_CORE + "creator")),
        categories=_categories(row),
        submitted_at=estimate,
        updated_at=estimate,
        doi=text_of(row, ARXIV + "DOI"),
        journal_ref=text_of(row, ARXIV + "journal_reference"),
    )
    kind = text_of(row, ARXIV + "announce_type").strip()
    announced = Announced(kind) if kind in set(Announced) else None
    return Sighting(replace(paper, announced_on=day), announced)


def _categories(row: etree._Element) -> list[str]:
    plain = [c.text or "" for c in row.iterfind("category")]
    return plain or [c.get("term") or "" for c in row.iterfind(ATOM + "category")]


def _day(rss_date: str, atom_date: str) -> date:
    """The New York day of a row.  Raises Unusable."""
    try:
        at = parsedate_to_datetime(rss_date) if rss_date else datetime.fromisoformat(atom_date)
        return at.astimezone(NEW_YORK).date() if at.tzinfo else at.date()
    except (ValueError, TypeError, OverflowError):
        raise printed.Unusable(f"“{(rss_date or atom_date)[:40]}” is no date") from None


def _submitted(identifier: Identifier, day: date) -> datetime:
    """An estimate of when a listed paper was submitted: the noon before, or its number's month."""
    month, _ = number_of(identifier.arxiv_id)
    noon = datetime.combine(day - timedelta(days=1), time(12), UTC)
    if not month or month >= int(f"{day - timedelta(days=31):%y%m}"):
        return noon
    return datetime(2000 + month // 100, month % 100, 1, 12, tzinfo=UTC)


def _with(listed: Sighting, known: Paper | None) -> Sighting:
    """A listed paper as the API knows it, with the listing's day and kind of announcement."""
    if known is None or known.version < listed.paper.version:
        return listed
    day = listed.paper.announced_on
    return Sighting(replace(known, announced_on=day), listed.announced)


def _completeness(count: int, *, is_stale: bool) -> Completeness:
    """How complete a feed is: an empty one is stale, since nobody looks at the weekend."""
    if is_stale:
        return Completeness.STALE
    return Completeness.TRUNCATED if count >= _FULL else Completeness.WHOLE


def _remark(count: int, stale: list[str], wanted: int) -> str:
    if not count:
        return "no listing today"
    if count >= _FULL:
        return f"truncated: {count:,} rows, arXiv cuts at 2,000 and new papers fall off first"
    if len(stale) == wanted:
        return "stale: the listing names no paper unseen so far"
    return f"the listing names nothing unseen so far in {', '.join(stale)}" if stale else ""
