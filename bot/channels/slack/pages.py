"""A digest as Slack messages.  Pure: same digest, same bytes.

The first message holds the five best papers; the others follow ten at a time, as replies in
the thread of a conversation, or behind a button in a direct message.  More than its readers want
to see is behind a button in either.  A message that would grow past Slack's limits holds fewer
papers, and the rest moves on to the next one.
"""

import json
from collections.abc import Iterator, Sequence

from bot import momentum
from bot.block_kit.build import (
    Block,
    button,
    buttons,
    clean,
    divider,
    fitting,
    header,
    labelled,
    mentions,
    menu,
    message,
    quiet,
    rich,
    say,
)
from bot.block_kit.papers import paper_blocks, plain_line
from bot.channels import Page
from bot.digest import Action, Digest, Entry, Notice, Section
from bot.timetable import zone_of, zone_words

FIRST = 5
PAGE = 10
NAMED_TOPICS = 6
NOTES = 6

Placed = tuple[Section, Entry]


def pages(digest: Digest, *, conversation: bool) -> tuple[Page, ...]:
    """The messages of a digest, in order.  The first says what is inside."""
    placed = [(section, entry) for section in digest.sections for entry in section.entries]
    shown = len(placed) if conversation else 0
    placed += [(section, entry) for section in digest.sections for entry in section.rest]
    made: list[Page] = []
    start = 0
    while start < len(placed) or not made:
        blocks, taken = _page(digest, placed, len(made), start, shown)
        text = "\n".join(_reading(digest, placed[start : start + taken], len(made), start))
        told = tuple(entry.paper.arxiv_id for _, entry in placed[start : start + taken])
        made.append(_bytes(text, blocks, offered=bool(made) and start >= shown, papers=told))
        start += taken
    return tuple(made)


def letter(notice: Notice) -> Page:
    """A notice as one message."""
    lines = [clean(each) for each in notice.lines if each.strip()][:20]
    blocks = [header(notice.title)]
    if lines:
        blocks.append(rich(*(mentions(each, "#") for each in lines)))
    return _bytes("\n".join((notice.title, *lines)), blocks + buttons(notice.actions))


def _bytes(
    text: str, blocks: Sequence[Block], *, offered: bool = False, papers: tuple[str, ...] = ()
) -> Page:
    content = json.dumps(message(text, blocks), ensure_ascii=False, separators=(",", ":"))
    return Page(content.encode(), offered, papers)


def _page(
    digest: Digest, placed: Sequence[Placed], page: int, start: int, shown: int
) -> tuple[list[Block], int]:
    """The blocks of one page and how many of the papers that were left it holds.

    Up to `shown` they are all sent, and what lies behind is offered.
    """
    begun = start < len(digest.entries) and (shown or not page)
    rest = placed[start : len(digest.entries) if begun else None]
    head = _head(digest) if page == 0 else []
    left = len(placed) - start
    # The foot is measured as if every paper were left to offer, which is its longest form.
    tail = _foot(digest, page, left, left)
    most = FIRST if page == 0 else PAGE
    groups = list(_groups(rest[:most]))
    count = max(1, fitting(groups, taken=[*head, *tail], most=most)) if groups else 0
    blocks = [block for group in groups[:count] for block in group]
    if page:
        head = [quiet(f"Papers {start + 1}–{start + count} of {digest.count}")]
    threaded = max(0, shown - start - count)
    foot = _foot(digest, page, 0 if threaded else left - count, threaded)
    return head + blocks + foot, count


def _groups(rest: Sequence[Placed]) -> Iterator[list[Block]]:
    """The blocks of each paper; the first of a topic brings the topic's heading."""
    above: Section | None = None
    for section, entry in rest:
        rule = [divider()] if above else []
        heading = [*rule, _heading(section)] if section is not above else []
        above = section
        yield heading + paper_blocks(entry, under=section.tag)


def _heading(section: Section) -> Block:
    trend = momentum.label(section.momentum) if section.momentum else ""
    in_weeks = f" · {trend} in four weeks" if trend.startswith(("up", "down")) else ""
    return labelled(
        clean(section.tag.name, 150),
        f"{section.count} new{in_weeks}",
        menu(section.actions),
    )


def _head(digest: Digest) -> list[Block]:
    count = digest.count
    title = f"{count} new paper{'' if count == 1 else 's'}" if count else digest.title
    topics = [f"{clean(s.tag.name, 80)} {s.count}" for s in digest.sections[:NAMED_TOPICS]]
    if len(digest.sections) > NAMED_TOPICS:
        topics.append(f"+{len(digest.sections) - NAMED_TOPICS} topics")
    summary = " · ".join((*topics, *(clean(each, 100) for each in digest.muted[:NAMED_TOPICS])))
    blocks = [header(title)]
    if summary:
        blocks.append(quiet(summary))
    if digest.sample:
        blocks.append(quiet("Sample: these papers are invented."))
    notes = [clean(each, 300) for each in digest.notes if each.strip()][:NOTES]
    if notes:
        blocks.append(rich(*([say(each)] for each in notes)))
    return blocks + buttons(digest.asides)


def _foot(digest: Digest, page: int, offered: int, threaded: int) -> list[Block]:
    """What can be done below a page: papers behind it are `offered`, or come in the thread."""
    blocks: list[Block] = []
    actions = list(digest.actions[:4]) if page == 0 else []
    if offered:
        count = min(offered, PAGE)
        label = f"Next {count}" if count > 1 else "The last one"
        actions.insert(0, Action(label, f"more {digest.key} {page + 1}"))
    if actions:
        row = [button(each, n) for n, each in enumerate(actions)]
        blocks.append({"type": "actions", "elements": row})
    if page == 0:
        more = f" {threaded} more in the thread." if threaded else ""
        blocks.append(quiet(f"{clean(digest.cadence, 100)} ({zone_words(digest.zone)}).{more}"))
    return blocks


def _reading(digest: Digest, placed: Sequence[Placed], page: int, start: int) -> Iterator[str]:
    """The plain reading of one page, complete."""
    if page == 0:
        yield digest.title
        yield from digest.notes[:NOTES]
        yield from digest.muted[:NAMED_TOPICS]
    above: Section | None = None
    for n, (section, entry) in enumerate(placed, start + 1):
        if section is not above:
            yield section.tag.name
        above = section
        yield plain_line(n, entry)
    if page == 0:
        due = digest.due_at.astimezone(zone_of(digest.zone))
        yield f"{digest.cadence} ({due.tzinfo}), {due.day} {due:%b}"
