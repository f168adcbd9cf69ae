"""arXiv's OAI-PMH interface: everything that was changed since a day.

It alone shows papers that were held, cross-lists added later, new versions and withdrawals.
Source: arXiv's notes on OAI-PMH and the code of its server (2025).  Its resumption token holds
no state of the server's but the request itself and how far it is, `from` and `skip`; so we keep
these two, and build the token anew.
"""

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from datetime import UTC, date, datetime, timedelta
from email.utils import parsedate_to_datetime
from urllib.parse import parse_qs, quote, unquote, urlencode

from lxml import etree

from bot.model import Clock, Paper
from bot.sources import Completeness, Page, Sighting, SourceError, SourceFault, printed
from bot.sources.documents import OAI, RAW, text_of
from bot.sources.session import Session
from bot.text.identifiers import Identifier, parse

BASE_URL = "https://oaipmh.arxiv.org/oai"
EARLIEST = date(2005, 9, 16)
READ_TIMEOUT_S = 120.0  # a cold cache answers 503 or nothing for a minute
TRIES = 8

# Archives that are groups of their own; every other one belongs to physics.
_GROUPS = ("cs", "econ", "eess", "math", "q-bio", "q-fin", "stat")
_OVERLAP, _FIRST = timedelta(days=2), timedelta(days=7)
_WHOLE_ARCHIVE_FROM = 4  # that many leaves of an archive are one harvest of it, not four


@dataclass(frozen=True, slots=True)
class Position:
    """The watermark: harvested through `day`, or on the way.

    `began` is the day on which the harvest under way began; it becomes `day` at its end.
    """

    day: str = ""
    began: str = ""
    set: str = ""
    since: str = ""
    skip: int = 0

    @classmethod
    def read(cls, watermark: str | None) -> "Position":
        """From the stored text; a fresh one where it says nothing sensible."""
        with suppress(ValueError, TypeError):
            position = cls(**json.loads(watermark or "{}"))
            for written in filter(None, (position.day, position.began, position.since)):
                date.fromisoformat(written)
            return replace(position, skip=int(position.skip))
        return cls()

    def __str__(self) -> str:
        return json.dumps({k: v for k, v in asdict(self).items() if v}, sort_keys=True)


class OaiPmh:
    """Records of some categories by the day of their last change, in arXivRaw.

    The last two days are read again each time, for records that moved while they were read.  At
    most `max_pages` answers a run: a day on which arXiv re-stamps 50,000 old records is read over
    several nights.
    """

    name = "oai"

    def __init__(
        self,
        session: Session,
        *,
        categories: Sequence[str] = (),
        clock: Clock,
        base_url: str = BASE_URL,
    ) -> None:
        self.session = session
        self.categories = frozenset(categories)
        self.sets = sets_for(categories)
        self.clock = clock
        self.base_url = base_url
        self.max_pages = 60

    def pages(self, watermark: str | None) -> Iterator[Page]:
        """Records changed since the watermark, each answer with the position after it."""
        position = self._start(Position.read(watermark))
        for _ in range(self.max_pages):
            page, following = self._ask(position)
            position = following or self._next_set(position)
            done = len(self.sets) if not position.began else self.sets.index(position.set)
            yield replace(page, watermark=str(position), done=done, total=len(self.sets))
            if not position.began:
                return
        remark = "many records were changed; the rest comes next time"
        yield Page((), str(position), remark=remark, completeness=Completeness.PART)

    # ------------------------------------------------------------------ positions

    def _start(self, position: Position) -> Position:
        today = self.clock().date()
        # One that began in the future was begun by a clock that was ahead.
        if position.began and position.set in self.sets and position.began <= str(today):
            return position
        day = date.fromisoformat(position.day) if position.day else today - _FIRST
        since = max(min(day, today) - _OVERLAP, EARLIEST)
        return Position(position.day, str(today), self.sets[0], str(since))

    def _next_set(self, position: Position) -> Position:
        at = self.sets.index(position.set) + 1
        if at == len(self.sets):
            return Position(day=position.began)
        again = self._start(Position(position.day))
        return replace(again, began=position.began, set=self.sets[at])

    # ------------------------------------------------------------------ one answer

    def _ask(self, position: Position) -> tuple[Page, Position | None]:
        """An answer, and the position of the next one of this set; None after the last."""
        root = self._get(position)
        error = root.find(OAI + "error")
        if error is not None:
            return self._error(position, error)
        records = list(root.iterfind(f"{OAI}ListRecords/{OAI}record"))
        kept = [record for record in records if not _is_deleted(record)]
        found = printed.entries(kept, lambda record: Sighting(paper_from_record(record)))
        gone = len(records) - len(kept)
        remark = f"{gone} records were deleted at arXiv" if gone else ""
        token = text_of(root, f"{OAI}ListRecords/{OAI}resumptionToken").strip()
        wanted = tuple(filter(self._is_wanted, found.sightings))
        page = Page(wanted, None, found.rejected, remark=remark)
        return page, self._after(position, token) if token else None

    def _get(self, position: Position) -> etree._Element:
        request = {"verb": "ListRecords", "metadataPrefix": "arXivRaw", "from": position.since}
        if position.set:
            request["set"] = position.set
        if position.skip:
            token = quote(urlencode({**request, "skip": position.skip}))
            request = {"verb": "ListRecords", "resumptionToken": token}
        url = f"{self.base_url}?{urlencode(request)}"
        answer = self.session.get(url, "OAI-PMH", read_timeout=READ_TIMEOUT_S, tries=TRIES)
        return answer.document

    def _error(self, position: Position, error: etree._Element) -> tuple[Page, Position | None]:
        code, said = error.get("code", ""), " ".join((error.text or "").split())[:200]
        if code == "noRecordsMatch":
            return Page(()), None
        if code == "badResumptionToken" and position.skip:
            # arXiv has forgotten how tokens were made: that day again, from its first record.
            return Page((), remark="a resumption token was refused"), replace(position, skip=0)
        raise SourceError(f"arXiv's OAI-PMH refuses: {code}, {said}", SourceFault.PERMANENT)

    def _after(self, position: Position, token: str) -> Position:
        """Where the next answer begins.  Raises SourceError for a token that leads nowhere."""
        fields = {name: values[0] for name, values in parse_qs(unquote(token)).items()}
        since, skip = fields.get("from", position.since), fields.get("skip", "")
        with suppress(ValueError):
            following = replace(position, since=str(date.fromisoformat(since)), skip=int(skip))
            if (following.since, following.skip) > (position.since, position.skip):
                return following
        raise SourceError(
            f"arXiv's OAI-PMH gave a resumption token that leads nowhere: {token[:80]}"
        )

    def _is_wanted(self, sighting: Sighting) -> bool:
        return not self.categories or bool(self.categories & set(sighting.paper.categories))


def _is_deleted(record: etree._Element) -> bool:
    header = record.find(OAI + "header")
    return header is not None and header.get("status") == "deleted"


def paper_from_record(record: etree._Element) -> Paper:
    """A record in arXivRaw as a paper.  Raises ValueError saying what it lacks."""
    raw = record.find(f"{OAI}metadata/{RAW}arXivRaw")
    if raw is None:
        raise printed.Unusable("no arXivRaw in the record")
    identifier = parse(text_of(raw, RAW + "id"))
    versions = raw.findall(RAW + "version")
    if identifier is None or not versions:
        raise printed.Unusable("no identifier or no version in the record")
    newest = versions[-1]
    number = (newest.get("version") or "v1").lstrip("v")
    return printed.paper(
        Identifier(identifier.arxiv_id, int(number) if number.isdecimal() else len(versions)),
        title=text_of(raw, RAW + "title"),
        abstract=text_of(raw, RAW + "abstract"),
        authors=printed.authors_from_line(text_of(raw, RAW + "authors")),
        categories=text_of(raw, RAW + "categories").split(),
        submitted_at=_instant(versions[0]),
        updated_at=_instant(newest),
        comment=text_of(raw, RAW + "comments"),
        doi=text_of(raw, RAW + "doi"),
        journal_ref=text_of(raw, RAW + "journal-ref"),
        # "I" marks a version without any files: withdrawn.
        withdrawn="I" in text_of(newest, RAW + "source_type"),
    )


def _instant(version: etree._Element) -> datetime:
    written = text_of(version, RAW + "date")
    try:
        at = parsedate_to_datetime(written)
        return at.astimezone(UTC) if at.tzinfo else at.replace(tzinfo=UTC)
    except (ValueError, TypeError, OverflowError):
        raise printed.Unusable(f"“{written[:40]}” is no date of a version") from None


def sets_for(categories: Sequence[str]) -> tuple[str, ...]:
    """The sets to harvest: leaves, or a whole archive where many of its leaves are wanted.

    One empty name, everything, where no category is given.
    """
    leaves: dict[str, list[str]] = {}
    for category in sorted(set(categories)):
        leaves.setdefault(category.partition(".")[0], []).append(category)
    sets: list[str] = []
    for archive, wanted in leaves.items():
        whole = f"{archive if archive in _GROUPS else 'physics'}:{archive}"
        parts = [f"{whole}:{c.partition('.')[2]}" if "." in c else whole for c in wanted]
        sets += [whole] if whole in parts or len(parts) >= _WHOLE_ARCHIVE_FROM else parts
    return tuple(sets) or ("",)
