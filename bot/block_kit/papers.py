"""How a paper looks in Slack: a title that leads to it, who and when, why it came."""

from bot.block_kit.build import Block, buttons, clean, link, quiet, rich, say
from bot.digest import Entry, Tag
from bot.digest.reading import authors_line
from bot.model import Paper
from bot.text import short_day

TITLE = 200
REASON = 200
TAG = 60
NAMED_AUTHORS = 3
NAMED_TAGS = 3


def paper_blocks(entry: Entry, *, under: Tag | None = None) -> list[Block]:
    """A paper in at most three blocks.  The tag it stands `under` is not said again."""
    title = link(title_of(entry.paper), entry.paper.url, bold=True)
    blocks = [rich([title], [say(byline(entry.paper))])]
    why = why_line(entry, under)
    if why:
        blocks.append(quiet(why))
    return blocks + buttons(entry.actions)


def title_of(paper: Paper) -> str:
    """The title in one line, and whether the paper was withdrawn."""
    title = clean(paper.title, TITLE) or "(no title)"
    return f"{title} (withdrawn)" if paper.withdrawn else title


def byline(paper: Paper) -> str:
    """Say "Ada Lovelace, Mary Somerville +4 · 30 Sep · cs.LG"."""
    names = clean(authors_line(paper, NAMED_AUTHORS), 250)
    parts = (names, short_day(paper.submitted_at.date()), clean(paper.primary, 40))
    return " · ".join(part for part in parts if part)


def why_line(entry: Entry, under: Tag | None = None) -> str:
    """The other topics it belongs to, and why it came."""
    others = [clean(tag.name, TAG) for tag in entry.tags if tag != under]
    named = " · ".join(others[:NAMED_TAGS])
    if len(others) > NAMED_TAGS:
        named += f" +{len(others) - NAMED_TAGS}"
    also = f"also {named}" if named and under else named
    reason = f"why: {clean(entry.reason, REASON)}" if entry.reason.strip() else ""
    return " — ".join(part for part in (also, reason) if part)


def plain_line(n: int, entry: Entry) -> str:
    """A paper in the plain reading: "1. A title https://arxiv.org/abs/2611.00001"."""
    return f"{n}. {title_of(entry.paper)} {entry.paper.url}"
