"""One-line makers of nouns, with defaults that make sense.  All papers are invented."""

from datetime import UTC, datetime
from typing import Any

from bot.digest import Action, Digest, Entry, Notice, Section, Tag
from bot.model import Author, Paper

MONDAY = datetime(2026, 11, 23, 12, 0, tzinfo=UTC)


def paper(arxiv_id: str = "2611.00001", title: str = "A paper", **more: Any) -> Paper:
    authors = more.pop("authors", ("Ada Lovelace", "Mary Somerville"))
    fields: dict[str, Any] = {
        "version": 1,
        "abstract": "An invented abstract of a paper that does not exist.",
        "categories": ("cs.LG",),
        "submitted_at": MONDAY,
        "updated_at": MONDAY,
        **more,
    }
    return Paper(
        arxiv_id=arxiv_id,
        title=title,
        authors=tuple(a if isinstance(a, Author) else Author(a) for a in authors),
        **fields,
    )


def entry(paper_: Paper | None = None, *topics: str, **more: Any) -> Entry:
    tags = tuple(Tag(name, name.lower().replace(" ", "-")) for name in topics or ("Attention",))
    fields: dict[str, Any] = {"reason": "title: “attention”", "score": 0.8, **more}
    return Entry(paper=paper_ or paper(), tags=tags, **fields)


def digest(*sections: Section, **more: Any) -> Digest:
    fields: dict[str, Any] = {
        "key": "d1.20261130.0",
        "title": "1 new: Attention",
        "preheader": "A paper",
        "channel": "email",
        "address": "ada@example.org",
        "due_at": datetime(2026, 11, 30, 8, 0, tzinfo=UTC),
        "zone": "Europe/Berlin",
        "cadence": "Monday 09:00",
        "list_id": "d1",
        **more,
    }
    return Digest(
        sections=sections or (Section(Tag("Attention", "attention"), (entry(),)),), **fields
    )


def notice(**more: Any) -> Notice:
    fields: dict[str, Any] = {
        "key": "confirm.1",
        "title": "Confirm your digest",
        "channel": "email",
        "address": "ada@example.org",
        "due_at": datetime(2026, 11, 30, 8, 0, tzinfo=UTC),
        "lines": ("Somebody, hopefully you, asked for papers at this address.",),
        "actions": (Action("Yes, send it", "confirm", "https://digest.example.org/l/x"),),
        **more,
    }
    return Notice(**fields)
