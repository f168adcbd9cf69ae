"""`paperround match`: a line for each scored paper, for measuring."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from bot.app.wiring import language
from bot.config import ConfigError
from bot.core.commands.errand import Refused
from bot.core.commands.words.exclusions import Exclusions, exclusions
from bot.core.filtering import is_by, mentions
from bot.matching import Compiled, Language, Matcher, QueryError, cut, taught, untaught
from bot.matching.evidence.seen import Seen
from bot.model import Author, Breadth, Paper
from bot.text import clean, unicode_from_latex

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@click.command()
@click.option("--input", "source", type=click.Path(path_type=Path, dir_okay=False), required=True,
              help="JSON lines with arxiv_id, title, abstract, authors, categories.")  # fmt: skip
@click.option("--format", "form", type=click.Choice(["jsonl"]), default="jsonl",
              help="How papers are read and scores written: JSON, one object a line.")  # fmt: skip
@click.option("--learn/--no-learn", default=True, show_default=True,
              help="Let each name learn its words from its best papers in the file.")  # fmt: skip
@click.argument("names", nargs=-1, required=True)
@click.pass_context
def match(
    ctx: click.Context, source: Path, form: str, names: tuple[str, ...], *, learn: bool
) -> None:
    """Score the papers of a file against topic names or queries.

    One JSON object a line: arxiv_id, topic as given, score above 0, match, reason.  Papers that
    would be ranked and not brought, or left out by a “without”, have "match": false.  From a
    thousand papers on a name learns its own words, as a followed topic does from what is stored;
    nothing of it is kept.
    """
    known, papers = language(), list(_papers(source))
    asked = [_Asked(typed, *_parted(ctx, known, typed)) for typed in names]
    topics = {each.name: _compiled(ctx, known, each.name) for each in asked}
    if learn:
        topics = taught(known, topics, papers)
    matcher = Matcher(dict(enumerate(topics.values())))
    for paper in papers:
        seen = matcher.sight(paper)
        for each in asked:
            for line in _scored(seen, each, topics[each.name]):
                click.echo(json.dumps(line))


@dataclass(frozen=True, slots=True)
class _Asked:
    """A name as typed, and apart from what it leaves out."""

    typed: str
    name: str
    left_out: Exclusions

    def leaves_out(self, paper: Paper) -> bool:
        said = any(mentions(paper, each) for each in self.left_out.words)
        return said or any(is_by(paper, each) for each in self.left_out.authors)


def _parted(ctx: click.Context, known: Language, typed: str) -> tuple[str, Exclusions]:
    try:
        name, left_out = exclusions(known, typed, known.knows)
    except Refused:
        click.echo(f"Error: “{typed}” leaves out no words; try “agents without survey”", err=True)
        ctx.exit(2)
    return name, left_out or Exclusions()


def _compiled(ctx: click.Context, known: Language, name: str) -> Compiled:
    try:
        return untaught(known, name)
    except QueryError as error:
        click.echo(f"Error: {error}", err=True)
        ctx.exit(2)


def _scored(seen: Seen, asked: _Asked, compiled: Compiled) -> Iterator[dict[str, Any]]:
    if verdict := compiled.rank(seen):
        is_near = verdict.score >= cut(Breadth.BALANCED)
        yield {
            "arxiv_id": seen.paper.arxiv_id,
            "topic": asked.typed,
            "score": round(verdict.score, 6),
            "match": is_near and not asked.leaves_out(seen.paper),
            "reason": verdict.reason,
        }


def _papers(source: Path) -> Iterator[Paper]:
    for raw in _records(source):
        yield Paper(
            arxiv_id=clean(str(raw.get("arxiv_id") or raw.get("id") or "")),
            version=1,
            title=unicode_from_latex(clean(str(raw.get("title", "")))),
            abstract=unicode_from_latex(clean(str(raw.get("abstract", "")))),
            authors=tuple(Author(clean(str(name))) for name in _several(raw.get("authors"), ",")),
            categories=tuple(map(str, _several(raw.get("categories"), None))),
            submitted_at=EPOCH,
            updated_at=EPOCH,
        )


def _several(value: object, between: str | None) -> list[object]:
    """A list, or the parts of a text: arXiv's own dumps write categories in one string."""
    if isinstance(value, str):
        return list(value.split(between))
    return value if isinstance(value, list) else []


def _records(source: Path) -> Iterator[dict[str, Any]]:
    try:
        # Some editors begin a file with a mark of its encoding; U+2028 may stand in a title.
        lines = source.read_text(encoding="utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not in UTF-8"
        raise ConfigError(f"{source} cannot be read ({why}); name another file") from None
    found = False
    for number, text in enumerate(lines, 1):
        try:
            record = json.loads(text) if text.strip() else None
        except ValueError as error:
            raise ConfigError(
                f"{source}, line {number}: {error}; each line is one JSON object"
            ) from None
        if isinstance(record, dict):
            found = True
            yield record
    if not found and any(map(str.strip, lines)):
        raise ConfigError(f"{source} holds no paper; each line is one JSON object")
