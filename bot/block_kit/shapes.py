"""What Slack refuses, found before it does.

Slack publishes no schema; the numbers come from its block reference, slack_sdk's models and
issue threads (the total of about 13,200 characters is undocumented: slackapi/bolt-js#2509).
`faults` names every breach with its place: ``blocks[2].text: 3,001 characters, 3,000 at most``.
Some rules are ours: they keep a message quiet (no pings) and within a margin of the real limits.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from bot.block_kit.rules import (
    Rule,
    anything,
    boolean,
    either,
    exactly,
    list_of,
    number,
    object_of,
    one_of,
    plain,
    quiet,
    text,
    twice,
    url,
)

MESSAGE_BLOCKS = 45  # Slack's own limit is 50
VIEW_BLOCKS = 100
MESSAGE_JSON = 10_000  # characters of all blocks; Slack breaks near 13,200
MESSAGE_TEXT = 4_000


def message_faults(message: Mapping[str, Any]) -> tuple[str, ...]:
    """Everything Slack would refuse, or we would regret, in a message's ``text`` and ``blocks``."""
    found = list(fallback(message.get("text"), "text"))
    blocks = message.get("blocks")
    if blocks is not None:
        found += faults(blocks, most=MESSAGE_BLOCKS)
        size = len(json.dumps(blocks, ensure_ascii=False, separators=(",", ":")))
        if size > MESSAGE_JSON:
            found.append(f"blocks: {size:,} characters of JSON, {MESSAGE_JSON:,} at most")
    return tuple(found)


def view_faults(view: Mapping[str, Any]) -> tuple[str, ...]:
    """Everything Slack would refuse in a modal or an App Home."""
    kind = view.get("type")
    if kind == "modal":
        found = list(_MODAL(view, "view"))
        inputs = any(block.get("type") == "input" for block in view.get("blocks", ()))
        if inputs and "submit" not in view:
            found.append("view: a modal with inputs needs a submit button")
    elif kind == "home":
        found = list(_HOME(view, "view"))
    else:
        return (f"view.type: {kind!r} is neither modal nor home",)
    found += faults(view.get("blocks"), most=VIEW_BLOCKS)
    return tuple(found)


def faults(blocks: Any, *, most: int = VIEW_BLOCKS) -> tuple[str, ...]:
    """Everything Slack would refuse in a list of blocks, at most `most` of them."""
    if not isinstance(blocks, (list, tuple)):
        return ("blocks: not a list",)
    found = []
    if not 1 <= len(blocks) <= most:
        found.append(f"blocks: {len(blocks)}, from 1 to {most}")
    for n, block in enumerate(blocks):
        found += one_of(_BLOCKS)(block, f"blocks[{n}]")
    found += twice([b.get("block_id") for b in blocks if isinstance(b, dict)], "block_id")
    return tuple(found)


def fallback(value: Any, at: str) -> Iterator[str]:
    """The plain reading of a message, which notifications and screen readers use."""
    yield from text(MESSAGE_TEXT)(value, at)
    if isinstance(value, str):
        yield from quiet(value, at)


# ------------------------------------------------------------------ elements

# Only what we build: anything else that Slack knows would be a slip of ours.
_ID = text(255)
_OPTION = object_of({"text": plain(75), "value": text(150)})
_STYLE = object_of({}, {"bold": boolean, "code": boolean})


def _typed(needed: Mapping[str, Rule], may: Mapping[str, Rule] | None = None, *also: Rule) -> Rule:
    """An object whose ``type`` has chosen this rule."""
    return object_of({"type": anything, **needed}, may, *also)


def _element(may: Mapping[str, Rule], **needed: Rule) -> Rule:
    return _typed(needed, {"action_id": _ID, **may})


_ELEMENTS: dict[str, Rule] = {
    "button": _element({"value": text(2000), "url": url(3000)}, text=plain(75), action_id=_ID),
    "overflow": _element({}, options=list_of(5, _OPTION)),
    "static_select": _element({"initial_option": _OPTION}, options=list_of(100, _OPTION)),
    "datepicker": _element({"initial_date": text(10)}),
    "timepicker": _element({"initial_time": text(5)}),
}
_INPUTS: dict[str, Rule] = {
    **{kind: _ELEMENTS[kind] for kind in ("static_select", "datepicker", "timepicker")},
    "plain_text_input": _element(
        {"multiline": boolean, "max_length": number, "initial_value": text(3000)}
    ),
    "email_text_input": _element({}),
}

# ------------------------------------------------------------------ rich text

_LEAVES: dict[str, Rule] = {
    # Broadcasts and user groups are left out on purpose: nothing we write pings a crowd.
    "text": _typed({"text": text(3000, blank=True)}, {"style": _STYLE}),
    "link": _typed({"url": url(3000)}, {"text": text(3000), "style": _STYLE}),
    "user": _typed({"user_id": _ID}),
    "channel": _typed({"channel_id": _ID}),
}
_SECTION = _typed({"elements": list_of(500, one_of(_LEAVES))})
_RICH: dict[str, Rule] = {
    "rich_text_section": _SECTION,
    "rich_text_quote": _SECTION,
    "rich_text_list": _typed(
        {
            "style": exactly("bullet"),
            "elements": list_of(100, one_of({"rich_text_section": _SECTION})),
        }
    ),
}

# ------------------------------------------------------------------ blocks


def _says_something(value: Mapping[str, Any], at: str) -> Iterator[str]:
    if "text" not in value and "fields" not in value:
        yield f"{at}: needs text or fields"


def _block(may: Mapping[str, Rule], *also: Rule, **needed: Rule) -> Rule:
    return _typed(needed, {"block_id": _ID, **may}, *also)


_BLOCKS: dict[str, Rule] = {
    "header": _block({}, text=plain(150)),
    "divider": _block({}),
    "section": _block(
        {"text": either(3000), "fields": list_of(10, either(2000)), "accessory": one_of(_ELEMENTS)},
        _says_something,
    ),
    "context": _block({}, elements=list_of(10, either(3000))),
    "actions": _block({}, elements=list_of(25, one_of(_ELEMENTS))),
    "image": _block({}, alt_text=text(2000), slack_file=object_of({"id": text(255)})),
    "rich_text": _block({}, elements=list_of(100, one_of(_RICH))),
    "input": _block(
        {"hint": plain(2000), "optional": boolean}, label=plain(2000), element=one_of(_INPUTS)
    ),
}

_VIEW: Mapping[str, Rule] = {"type": anything, "blocks": anything}
_VIEW_MAY: Mapping[str, Rule] = {"callback_id": _ID, "private_metadata": text(3000, 0)}
_HOME = object_of(_VIEW, _VIEW_MAY)
_MODAL = object_of(
    {**_VIEW, "title": plain(24)}, {**_VIEW_MAY, "submit": plain(24), "close": plain(24)}
)
