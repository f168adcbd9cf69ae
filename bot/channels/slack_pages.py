"""A digest as Slack messages.  Pure: same digest, same bytes.

The first message holds the five best papers; the others follow ten at a time, as replies in
the thread of a conversation, or behind a button in a direct message.  A message that would grow
past Slack's limits holds fewer papers, and the rest moves on to the next one.
"""

import json
from collections.abc import Iterator, Sequence
from zoneinfo import ZoneInfo

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

FIRST = 5
PAGE = 10
NAMED_TOPICS = 6
NOTES = 6

Placed = tuple[Section, Entry]


def pages(digest: Digest, *, conversation: bool) -> tuple[Page, ...]:
    """The messages of a digest, in order.  The first says what is inside."""
    placed = [(section, entry) for section in digest.sections for entry in section.entries]
    made: list[Page] = []
    start = 0
    while start < len(placed) or not made:
        blocks, taken = _page(digest, placed[start:], len(made), start, conversation=conversation)
        text = "\n".join(_reading(digest, placed[start : start + taken], len(made), start))
        told = tuple(entry.paper.arxiv_id for _, entry in placed[start : start + taken])
        made.append(_bytes(text, blocks, offered=bool(made) and not conversation, papers=told))
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
    digest: Digest, rest: Sequence[Placed], page: int, start: int, *, conversation: bool
) -> tuple[list[Block], int]:
    """The blocks of one page and how many of the papers that were left it holds."""
    head = _head(digest) if page == 0 else []
    # The foot is measured as if every paper were left to offer, which is its longest form.
    tail = _foot(digest, page, len(rest), conversation=conversation)
    most = FIRST if page == 0 else PAGE
    groups = list(_groups(rest[:most]))
    count = max(1, fitting(groups, taken=[*head, *tail], most=most)) if groups else 0
    shown = [block for group in groups[:count] for block in group]
    if page:
        total = len(digest.entries)
        head = [quiet(f"Papers {start + 1}–{start + count} of {total}")]
    foot = _foot(digest, page, len(rest) - count, conversation=conversation)
    return head + shown + foot, count


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
        f"{len(section.entries)} new{in_weeks}",
        menu(section.actions),
    )


def _head(digest: Digest) -> list[Block]:
    count = len(digest.entries)
    title = f"{count} new paper{'' if count == 1 else 's'}" if count else digest.title
    topics = [f"{clean(s.tag.name, 80)} {len(s.entries)}" for s in digest.sections[:NAMED_TOPICS]]
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


def _foot(digest: Digest, page: int, left: int, *, conversation: bool) -> list[Block]:
    blocks: list[Block] = []
    actions = list(digest.actions[:4]) if page == 0 else []
    if left and not conversation:
        count = min(left, PAGE)
        label = f"Next {count}" if count > 1 else "The last one"
        actions.insert(0, Action(label, f"more {digest.key} {page + 1}"))
    if actions:
        row = [button(each, n) for n, each in enumerate(actions)]
        blocks.append({"type": "actions", "elements": row})
    if page == 0:
        more = f" {left} more in the thread." if left and conversation else ""
        blocks.append(quiet(f"{clean(digest.cadence, 100)} ({digest.zone}).{more}"))
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
        due = digest.due_at.astimezone(ZoneInfo(digest.zone))
        yield f"{digest.cadence} ({digest.zone}), {due.day} {due:%b}"
