"""Papers recorded in a file, one JSON object a line, in the order of their announcement."""

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import Any

from bot.model import Announced, Clock
from bot.sources import Page, Rejected, Sighting, SourceError, SourceFault, printed
from bot.text.identifiers import parse
from bot.timetable import NEW_YORK


class Replay:
    """Recorded papers, told as time goes by.

    A line has `id`, `title`, `abstract`, `authors`, `categories`, and `submitted` (an instant) or
    `days_ago` (before now, for papers that are never old); optionally `version`, `updated`,
    `comment`, `announced` (the day of the listing: not told before 20:00 New York the evening
    before) and `announce_type`.  The watermark counts lines.
    """

    name = "replay"

    def __init__(self, path: Path, clock: Clock, batch: int = 200) -> None:
        self.path = path
        self.clock = clock
        self.batch = batch

    def pages(self, watermark: str | None) -> Iterator[Page]:
        """The lines after the watermark that have been announced by now."""
        start = int(watermark) if watermark and watermark.isdecimal() else 0
        lines = self._lines()
        end = start
        sightings: list[Sighting] = []
        rejected: list[Rejected] = []
        for line in lines[start:]:
            try:
                sighting, told_at = self._read(line)
            except (ValueError, KeyError, TypeError, AttributeError) as problem:
                rejected.append(Rejected(line[:20_000], f"{type(problem).__name__}: {problem}"))
            else:
                if told_at > self.clock():
                    break
                sightings.append(sighting)
            end += 1
            if len(sightings) + len(rejected) >= self.batch:
                yield Page(tuple(sightings), str(end), tuple(rejected), end, len(lines))
                sightings, rejected = [], []
        if sightings or rejected or end == start:
            yield Page(tuple(sightings), str(end), tuple(rejected), end, len(lines))

    def slice(self, day: date) -> Iterator[Page]:
        """The papers submitted on one day (UTC), once they have been announced."""
        found = []
        for line in self._lines():
            try:
                sighting, told_at = self._read(line)
            except (ValueError, KeyError, TypeError, AttributeError):
                continue
            if sighting.paper.submitted_at.date() == day and told_at <= self.clock():
                found.append(sighting)
        yield Page(tuple(found), day.isoformat(), (), len(found), len(found))

    def _lines(self) -> list[str]:
        try:
            text = self.path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as problem:
            raise SourceError(
                f"{self.path} cannot be read ({problem}); name a file with one JSON object a line",
                SourceFault.PERMANENT,
            ) from None
        return [line for line in text.splitlines() if line.strip()]

    def _read(self, line: str) -> tuple[Sighting, datetime]:
        """A line's paper, and from when on it is told.  Raises ValueError and its kin."""
        row: dict[str, Any] = json.loads(line)
        identifier = parse(str(row["id"]))
        if identifier is None:
            raise printed.Unusable(f"“{row['id']}” is no identifier")
        submitted = self._submitted(row)
        paper = printed.paper(
            replace(identifier, version=int(row.get("version", identifier.version or 1))),
            title=row["title"],
            abstract=row["abstract"],
            authors=[_author(a) for a in row["authors"]],
            categories=[*filter(None, [row.get("primary")]), *row["categories"]],
            submitted_at=submitted,
            updated_at=_instant(row["updated"]) if row.get("updated") else submitted,
            comment=row.get("comment") or "",
            doi=row.get("doi") or "",
            journal_ref=row.get("journal_ref") or "",
        )
        listed = date.fromisoformat(row["announced"]) if row.get("announced") else None
        kind = row.get("announce_type")
        sighting = Sighting(replace(paper, announced_on=listed), Announced(kind) if kind else None)
        return sighting, _told_at(listed) if listed else submitted

    def _submitted(self, row: dict[str, Any]) -> datetime:
        if "days_ago" not in row:
            return _instant(row.get("submitted") or row["published"])
        ago = self.clock() - timedelta(days=float(row["days_ago"]))
        return ago.replace(second=0, microsecond=0)


def _told_at(listed: date) -> datetime:
    evening = datetime.combine(listed - timedelta(days=1), time(20), NEW_YORK)
    return evening.astimezone(UTC)


def _instant(written: str) -> datetime:
    return printed.instant(written, "submission")


def _author(written: Any) -> tuple[str, tuple[str, ...]]:
    if isinstance(written, str):
        return written, ()
    return str(written["name"]), tuple(written.get("affiliations", ()))
