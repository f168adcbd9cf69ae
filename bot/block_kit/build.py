"""Blocks, made so that nothing a person or an author wrote can become markup."""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from bot import text
from bot.block_kit.shapes import MESSAGE_BLOCKS, MESSAGE_JSON, MESSAGE_TEXT
from bot.digest import Action

Block = dict[str, Any]
Leaf = dict[str, Any]

BUTTON_VALUE = 2_000
OPTION_VALUE = 150
_MENTION = re.compile(r"<([#@])([A-Z0-9]{2,40})>")
_SIGILS = {"channel": ("#", "channel_id"), "user": ("@", "user_id")}
_MARKUP = re.compile(r"[*_~`]|:[\w+'-]+:")


def clean(words: str, most: int = 3_000) -> str:
    """One line without control or direction characters, cut at a word where it is too long."""
    return text.cut(text.clean(words), most)


def escape(words: str) -> str:
    """Words as they must be written in mrkdwn and in a message's ``text``."""
    return words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


# ------------------------------------------------------------------ leaves of rich text


def say(words: str, **style: bool) -> Leaf:
    """Words as they are; `style` is bold, italic, code …"""
    leaf: Leaf = {"type": "text", "text": words}
    return {**leaf, "style": style} if style else leaf


def link(words: str, url: str, **style: bool) -> Leaf:
    """Words that lead to a web address; only words where it is none."""
    if not url.startswith(("https://", "http://")) or any(c in url for c in " <>|\n"):
        return say(words, **style)
    leaf: Leaf = {"type": "link", "url": url, "text": words}
    return {**leaf, "style": style} if style else leaf


def mentions(words: str, kinds: str = "#@") -> list[Leaf]:
    """Our own words, in which ``<#C1>`` and ``<@U1>`` mean a conversation and a person.

    The latter is told of it; without "@" in `kinds` nobody is.
    """
    leaves: list[Leaf] = []
    at = 0
    for found in _MENTION.finditer(words):
        if found[1] not in kinds:
            continue
        leaves += _inline(words[at : found.start()])
        kind = "channel" if found[1] == "#" else "user"
        leaves.append({"type": kind, _SIGILS[kind][1]: found[2]})
        at = found.end()
    return leaves + _inline(words[at:])


def _inline(words: str) -> list[Leaf]:
    """Clean words that keep the spaces at their ends, which part them from the next span."""
    middle = clean(words)
    before = " " if words[:1].isspace() else ""
    after = " " if words[-1:].isspace() and middle else ""
    return [say(f"{before}{middle}{after}")] if middle or before else []


# ------------------------------------------------------------------ blocks


def plain(words: str) -> Leaf:
    """A plain_text object in which ``:x:`` stays ``:x:``."""
    return {"type": "plain_text", "text": words, "emoji": False}


def header(words: str) -> Block:
    """A heading."""
    return {"type": "header", "text": plain(clean(words, 150) or "…")}


def divider() -> Block:
    """A rule across."""
    return {"type": "divider"}


def rich(*lines: Sequence[Leaf]) -> Block:
    """A paragraph of lines of leaves."""
    leaves: list[Leaf] = []
    for n, line in enumerate(lines):
        leaves += ([say("\n")] if n else []) + [leaf for leaf in line if leaf.get("text") != ""]
    section = {"type": "rich_text_section", "elements": leaves or [say("…")]}
    return {"type": "rich_text", "elements": [section]}


def quiet(*words: str) -> Block:
    """Small grey words."""
    texts = [clean(each, 2_000) for each in words]
    return {"type": "context", "elements": [plain(each) for each in texts if each][:10]}


def labelled(name: str, rest: str = "", accessory: Leaf | None = None) -> Block:
    """A line that begins with a name, with something to press at its right end.

    The name is bold unless it holds characters that would change what mrkdwn makes of it; Slack
    knows no way to write those literally.
    """
    name, rest = clean(name, 1_000) or "…", clean(rest, 1_000)
    words = " · ".join(part for part in (name, rest) if part)
    if not _MARKUP.search(words):
        bold = " · ".join(part for part in (f"*{escape(name)}*", escape(rest)) if part)
        shown: Leaf = {"type": "mrkdwn", "text": bold, "verbatim": True}
    else:
        shown = plain(words)
    block: Block = {"type": "section", "text": shown}
    return {**block, "accessory": accessory} if accessory else block


def button(action: Action, n: int = 0) -> Leaf:
    """A button that means a command (or leads to an address where it has none)."""
    made: Leaf = {
        "type": "button",
        "action_id": f"do:{n}",
        "text": plain(clean(action.label, 75) or "…"),
    }
    command = text.clean(action.command)
    if command:
        made["value"] = command[:BUTTON_VALUE]
    elif action.url:
        made |= {"action_id": f"open:{n}", "url": action.url}
    return made


def pressed(label: str, action_id: str, value: str) -> Leaf:
    """A button that means something to the door itself."""
    return {
        "type": "button",
        "action_id": action_id,
        "text": plain(clean(label, 75)),
        "value": value[:BUTTON_VALUE],
    }


def buttons(actions: Iterable[Action], *, most: int = 5) -> list[Block]:
    """One row of buttons, or no block where there is nothing to press."""
    usable = [each for each in actions if _means_something(each)][:most]
    row = [button(each, n) for n, each in enumerate(usable)]
    return [{"type": "actions", "elements": row}] if row else []


def _means_something(action: Action) -> bool:
    return bool(text.clean(action.command) or action.url) and len(action.command) <= BUTTON_VALUE


def menu(actions: Iterable[Action]) -> Leaf | None:
    """What to press beside a line: one button, or a "…" menu of up to five; None for nothing.

    Slack allows a menu's commands 150 characters; longer ones are left out.
    """
    known = list(filter(_means_something, actions))
    if len(known) == 1:
        return button(known[0])
    options = [
        {"text": plain(clean(each.label, 75) or "…"), "value": text.clean(each.command)}
        for each in known
        if 0 < len(text.clean(each.command)) <= OPTION_VALUE
    ]
    if not options:
        return button(known[0]) if known else None
    return {"type": "overflow", "action_id": "menu:0", "options": options[:5]}


# ------------------------------------------------------------------ messages


def size(blocks: Sequence[Block]) -> int:
    """Characters of JSON, as Slack counts them (spaces between tokens aside)."""
    return len(json.dumps(blocks, ensure_ascii=False, separators=(",", ":")))


def fitting(groups: Sequence[Sequence[Block]], *, taken: Sequence[Block], most: int) -> int:
    """How many of the first groups fit into one message beside the blocks already `taken`."""
    room, count = MESSAGE_JSON - size(taken) - 2, MESSAGE_BLOCKS - len(taken)
    for n, group in enumerate(groups[:most]):
        room -= size(group) + 1
        count -= len(group)
        if room < 0 or count < 0:
            return n
    return min(len(groups), most)


def message(reading: str, blocks: Sequence[Block]) -> dict[str, Any]:
    """A message with its plain reading, which is escaped and cut here.

    Who and what the blocks mention, the reading mentions: a notification shows names, not ids.
    """
    words = "\n".join(clean(each) for each in reading.splitlines()).strip() or "…"
    shown = text.cut(escape(words), MESSAGE_TEXT - 50)
    for each in set(_mentioned(blocks)):
        shown = shown.replace(escape(each), each)
    return {"text": shown, "blocks": list(blocks)}


def _mentioned(parts: Iterable[Any]) -> Iterator[str]:
    """The mentions in blocks, as they are written in text."""
    for each in parts:
        if each.get("type") in _SIGILS:
            sigil, key = _SIGILS[each["type"]]
            yield f"<{sigil}{each[key]}>"
        elif isinstance(each.get("elements"), list):
            yield from _mentioned(each["elements"])
