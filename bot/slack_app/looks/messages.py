"""A reply of the core as a Slack message.  Pure.

What a reply says comes first, then a topic's card, papers, quotes and settings, then what can be
pressed.  Where a message would grow past Slack's limits, papers are left out from the end and the
message says how many.
"""

from collections.abc import Sequence
from typing import Any

from bot import charts, momentum
from bot.block_kit.build import (
    Block,
    Leaf,
    buttons,
    clean,
    fitting,
    header,
    link,
    mentions,
    message,
    pressed,
    quiet,
    rich,
    say,
)
from bot.block_kit.papers import byline, paper_blocks, plain_line, title_of
from bot.core.commands.requests import KNOWN
from bot.core.dates import instant_words
from bot.core.reply import (
    Code,
    Instant,
    Line,
    Link,
    Query,
    Quote,
    Reply,
    Span,
    Strong,
    TopicCard,
    text_of,
)
from bot.digest import Action, Entry
from bot.model import Momentum
from bot.slack_app.looks.settings import settings_lines, silence_words
from bot.text import cut, plural

LINES = 30
PAPERS = 10
RELATED = 5
BUTTONS = 10


def reply_message(
    reply: Reply,
    *,
    words: str = "",
    share: bool = False,
    first: int = 0,
    chart: str = "",
    by: Line = (),
) -> dict[str, Any]:
    """The reply to some `words`, its papers (or settings) from the `first` on.

    With `words` a button offers what does not fit, and with `share` one to show it to everyone;
    `by` says above it who did.  `chart` is the id of a picture in Slack.  Requests to type are
    shown with ``/papers``.
    """
    shown = _Shown(reply)
    head = [rich(line_leaves(by, reply.zone))] if by else []
    head += shown.said()
    preview = bool(reply.card) and not is_face(reply)
    if reply.card:
        head += _card(reply.card, chart, reply.zone, brief=preview)
    tail = [] if preview else _related(reply.card)
    groups = shown.groups(preview=preview)[first:]
    own = shown.own_buttons(words if share else "", preview=preview)
    offer = _next(words, first + 100, 100) if groups else []
    taken = [*head, *tail, *shown.row([*own, *offer])]
    count = fitting(groups, taken=taken, most=PAPERS if reply.papers else len(groups))
    left = len(groups) - count
    body = [block for group in groups[:count] for block in group]
    offer = _next(words, first + count, left) if left else []
    blocks = [*head, *body, *tail, *shown.row([*own, *offer])]
    return message(shown.reading(first), blocks or [rich([say("Done.")])])


def is_face(reply: Reply) -> bool:
    """Whether a reply is a topic's card, and not the short preview of a follow, whose papers have
    no buttons."""
    card, lines = reply.card, reply.lines
    return card is not None and (not lines or lines[0] == (Strong(card.topic.name),))


def line_leaves(line: Line, zone: str) -> list[Leaf]:
    """A line as leaves of rich text."""
    return [leaf for span in line for leaf in _leaves(span, zone)]


def quote_blocks(quote: Quote) -> list[Block]:
    """A paper with its sentences that bear on a question, word for word."""
    title = link(title_of(quote.paper.paper), quote.paper.paper.url, bold=True)
    block = rich([title], [say(byline(quote.paper.paper))])
    words = " … ".join(clean(each, 600) for each in quote.sentences[:4] if each.strip())
    if words:
        block["elements"].append({"type": "rich_text_quote", "elements": [say(cut(words, 1_500))]})
    return [block]


# ------------------------------------------------------------------ private


def _short(entry: Entry) -> list[Block]:
    title = link(title_of(entry.paper), entry.paper.url)
    return [rich([title], [say(byline(entry.paper))])]


class _Shown:
    """The parts of a message that come from the reply's own words."""

    def __init__(self, reply: Reply) -> None:
        self.reply = reply

    def said(self) -> list[Block]:
        """The reply's own lines as a paragraph, or no block."""
        lines = [line_leaves(each, self.reply.zone) for each in self._lines()]
        return [rich(*lines)] if lines else []

    def _lines(self) -> tuple[Line, ...]:
        """The lines to show, unless a card or a list of settings says it better."""
        lines, overview = self.reply.lines, self.reply.overview
        if is_face(self.reply):
            return ()
        if overview and (overview.follows or overview.mutes):
            return ()
        return lines[:LINES]

    def groups(self, *, preview: bool) -> list[list[Block]]:
        """The parts that may be left out, from the end, each with its blocks."""
        reply = self.reply
        papers = map(_short if preview else self._paper, reply.papers)
        groups = [*papers, *map(quote_blocks, reply.quotes)]
        if reply.overview and not reply.papers:
            where = reply.conversation.external_id if reply.conversation else ""
            groups += [[each] for each in settings_lines(reply.overview, reply.zone, where)]
        return groups

    def _paper(self, entry: Entry) -> list[Block]:
        """A paper; on a topic's card, without that topic among its others."""
        own = self.reply.card.topic.slug if self.reply.card else ""
        return paper_blocks(entry, under=next((t for t in entry.tags if t.slug == own), None))

    def own_buttons(self, share: str, *, preview: bool) -> list[Leaf]:
        """The buttons that the door adds to what the core offers."""
        reply, row = self.reply, []
        if reply.card and not preview:
            row.append(pressed("Ask", "ask:0", reply.card.topic.slug))
        if reply.overview and not reply.papers and not reply.conversation:
            row.append(pressed("Change settings", "open:settings", "settings"))
        if clean(share) and reply.ok and not preview:
            row.append(pressed("Share", "share:0", clean(share, 2_000)))
        return row

    def row(self, own: Sequence[Leaf]) -> list[Block]:
        """One row of everything to press, or no block."""
        blocks = buttons(self.reply.buttons, most=BUTTONS)
        if not own:
            return blocks
        offered = blocks[0]["elements"] if blocks else []
        return [{"type": "actions", "elements": [*offered, *own]}]

    def reading(self, first: int) -> str:
        """The plain reading."""
        lines = [text_of(each, self.reply.zone) for each in self.reply.lines]
        papers = self.reply.papers[first : first + PAPERS]
        lines += [plain_line(n, each) for n, each in enumerate(papers, first + 1)]
        for quote in self.reply.quotes:
            lines += [title_of(quote.paper.paper), *quote.sentences[:2]]
        return "\n".join(lines)


def _next(words: str, first: int, left: int) -> list[Leaf]:
    """The button that shows what did not fit."""
    if not clean(words):
        return []
    label = f"Next {min(left, PAPERS)} of {left} more" if left > PAPERS else f"{left} more"
    return [pressed(label, "next:0", f"{first} {clean(words, 1_900)}")]


def _card(card: TopicCard, chart: str, zone: str, *, brief: bool) -> list[Block]:
    """A topic's card; only its chart if `brief`, when the reply says the rest."""
    if brief:
        return _chart(card, chart)
    blocks = [header(card.topic.name)]
    glossary = " · ".join(f"{clean(a, 40)}: {clean(b, 80)}" for a, b in card.glossary[:6])
    if glossary:
        blocks.append(quiet(glossary))
    if card.topic.description.strip():
        blocks.append(rich([say(clean(card.topic.description, 600))]))
    blocks += [_numbers(card.momentum), *_chart(card, chart)]
    if card.muted_until:
        blocks.append(quiet(f"{silence_words(card.muted_until, zone).capitalize()}."))
    return blocks


def _numbers(m: Momentum) -> Block:
    """The four numbers of momentum, or the sentence that says why there are none yet."""
    if m.change is None or not m.observed or m.read_to:
        return rich([say(momentum.sentence(m))])
    numbers = (
        (plural(m.current, "paper"), "last four weeks"),
        (plural(m.previous, "paper"), "four weeks before"),
        (momentum.label(m) or "steady", "change"),
        (momentum.share_label(m) or "none", "of all new papers"),
    )
    fields = [{"type": "mrkdwn", "text": f"*{figure}*\n{what}"} for figure, what in numbers]
    return {"type": "section", "fields": fields}


def _chart(card: TopicCard, chart: str) -> list[Block]:
    """The weeks as a picture or as a line of bars; nothing before a whole week was observed."""
    if not charts.is_drawable(card.momentum):
        return []
    if chart:
        words = clean(momentum.sentence(card.momentum), 1_900)
        return [{"type": "image", "slack_file": {"id": chart}, "alt_text": words}]
    return [quiet(charts.weeks_line(card.momentum))]


def _related(card: TopicCard | None) -> list[Block]:
    if card is None or not card.related:
        return []
    near = [Action(tag.name, f"topic {tag.slug}") for tag, _ in card.related[:RELATED]]
    return [quiet("Related"), *buttons(near, most=RELATED)]


def _leaves(span: Span, zone: str) -> list[Leaf]:
    match span:
        case Strong(words):
            return [say(clean(words), bold=True)] if words.strip() else []
        case Code(words):
            typed = clean(words)
            verb = typed.partition(" ")[0]
            return [say(f"/papers {typed}" if verb in KNOWN else typed or "…", code=True)]
        case Query(words):
            return [say(clean(words) or "…", code=True)]
        case Link(words, url):
            return [link(clean(words) or "link", url)]
        case Instant(at, clock, own, year):
            return [say(instant_words(at, own or zone, clock=clock, year=year), bold=True)]
        case str():
            return mentions(span)
