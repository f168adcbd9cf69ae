"""App Home: the next digest, topics, destinations, saved papers.  Pure.

Slack takes 100 blocks; the page holds twenty topics at a time and stays far below.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from bot.block_kit.build import (
    Block,
    buttons,
    divider,
    header,
    labelled,
    link,
    pressed,
    quiet,
    rich,
    say,
)
from bot.block_kit.papers import title_of
from bot.core.dates import instant_words
from bot.core.reply import Line, Overview
from bot.digest import Action
from bot.digest.reading import DISCLAIMER, THANKS
from bot.model import DestinationState
from bot.slack_app.looks.messages import line_leaves
from bot.slack_app.looks.settings import (
    destination_line,
    follow_line,
    mute_line,
)
from bot.text import small

TOPICS = 20
MUTES = 10
DESTINATIONS = 10
SAVED = 10

View = dict[str, Any]


def home_view(
    overview: Overview, zone: str, *, said: Sequence[Line] = (), undo: Sequence[Action] = (),
    first: int = 0,
) -> View:  # fmt: skip
    """The page: `said` is what the last press did, `undo` takes it back; topics from `first` on."""
    last_page = max(0, len(overview.follows) - 1) // TOPICS * TOPICS
    first = min(first, last_page)
    blocks = [
        *_flash(said, undo, zone),
        *_next_digest(overview),
        *_topics(overview, zone, first),
        *_destinations(overview),
        *_saved(overview),
        divider(),
        quiet("Type /papers help in any conversation, or write to me here. Times: " + zone),
        quiet(f"{THANKS} {DISCLAIMER}"),
    ]
    return {"type": "home", "callback_id": "home", "private_metadata": str(first),
            "blocks": blocks}  # fmt: skip


def first_of(view: Mapping[str, Any]) -> int:
    """From which topic on a page shows them."""
    return small(str(view.get("private_metadata") or ""))


def _flash(said: Sequence[Line], undo: Sequence[Action], zone: str) -> list[Block]:
    if not said:
        return []
    lines = [line_leaves(each, zone) for each in said[:5]]
    return [rich(*lines), *buttons(undo, most=3), divider()]


def _next_digest(overview: Overview) -> list[Block]:
    change = pressed("Change", "open:settings", "settings")
    due = [d for d in overview.destinations if d.state is DestinationState.ACTIVE]
    if not due or not overview.follows:
        return [header("Your digest"), labelled(_why_none(overview), "", change)]
    soon = min(due, key=lambda d: d.next_due_at)
    when = instant_words(soon.next_due_at, soon.zone, clock=True)
    return [header("Your digest"), labelled(f"Next {when}", soon.zone, change)]


def _why_none(overview: Overview) -> str:
    states = {destination.state for destination in overview.destinations}
    if not states or not overview.follows:
        return "No digest is set yet"
    paused = DestinationState.PAUSED in states
    return "Your digest is paused" if paused else "Your digest is off"


def _topics(overview: Overview, zone: str, first: int) -> list[Block]:
    follow = pressed("Follow a topic", "open:follow", "follow")
    count = len(overview.follows)
    shown = overview.follows[first : first + TOPICS]
    hint = [say("You follow nothing yet. For instance "), say("RL for LLM agents", code=True)]
    blocks = [header(f"Topics ({count})")] if count else [header("Topics"), rich(hint)]
    blocks += [follow_line(each, zone, until=True) for each in shown]
    blocks += [mute_line(each, zone) for each in overview.mutes[:MUTES]]
    if (hidden := len(overview.mutes) - MUTES) > 0:
        blocks.append(quiet(f"{hidden} more muted; /papers list shows everything."))
    row = [follow]
    if first > 0:
        row.append(pressed("Previous", "home:previous", str(max(0, first - TOPICS))))
    if first + TOPICS < count:
        left = min(TOPICS, count - first - TOPICS)
        row.append(pressed(f"Next {left}", "home:next", str(first + TOPICS)))
    return [*blocks, {"type": "actions", "elements": row}]


def _destinations(overview: Overview) -> list[Block]:
    if not overview.destinations:
        return []
    outcomes = {destination.id: words for destination, words in overview.deliveries}
    shown = overview.destinations[:DESTINATIONS]
    lines = [destination_line(each, outcomes.get(each.id, "")) for each in shown]
    return [header("Where digests go"), *lines]


def _saved(overview: Overview) -> list[Block]:
    if not overview.saved:
        return []
    items = [
        {"type": "rich_text_section", "elements": [link(title_of(e.paper), e.paper.url)]}
        for e in overview.saved[:SAVED]
    ]
    listed: Block = {
        "type": "rich_text",
        "elements": [{"type": "rich_text_list", "style": "bullet", "elements": items}],
    }
    every = pressed("All saved papers", "do:saved", "saved")
    return [header("Saved papers"), listed, {"type": "actions", "elements": [every]}]
