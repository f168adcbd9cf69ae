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
    kind_of,
    list_of,
    mrkdwn,
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
MARKDOWN_TOTAL = 12_000


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
    markdown = sum(len(str(b.get("text"))) for b in blocks if kind_of(b) == "markdown")
    if markdown > MARKDOWN_TOTAL:
        found.append(f"blocks: {markdown:,} characters of markdown, {MARKDOWN_TOTAL:,} at most")
    return tuple(found)


def fallback(value: Any, at: str) -> Iterator[str]:
    """The plain reading of a message, which notifications and screen readers use."""
    yield from text(MESSAGE_TEXT)(value, at)
    if isinstance(value, str):
        yield from quiet(value, at)


# ------------------------------------------------------------------ elements

_ID = text(255)
_CONFIRM = object_of(
    {"title": plain(100), "text": either(300), "confirm": plain(30), "deny": plain(30)},
    {"style": exactly("primary", "danger")},
)
_OPTION = object_of(
    {"text": either(75), "value": text(150)}, {"description": either(75), "url": url(3000)}
)
_PLAIN_OPTION = object_of(
    {"text": plain(75), "value": text(150)}, {"description": plain(75), "url": url(3000)}
)
_OPTIONS = list_of(1, 100, _PLAIN_OPTION)
_GROUP = object_of({"label": plain(75), "options": _OPTIONS})
_FEW_OPTIONS = list_of(1, 10, _OPTION)
_SLACK_FILE = object_of({}, {"id": text(255), "url": url(3000)})


def _options_or_groups(value: Mapping[str, Any], at: str) -> Iterator[str]:
    if ("options" in value) == ("option_groups" in value):
        yield f"{at}: needs options or option_groups, one of them"


def _one_source(value: Mapping[str, Any], at: str) -> Iterator[str]:
    if ("image_url" in value) == ("slack_file" in value):
        yield f"{at}: needs image_url or slack_file, one of them"


def _element(needed: Mapping[str, Rule], may: Mapping[str, Rule], *also: Rule) -> Rule:
    common = {"action_id": _ID, "confirm": _CONFIRM, "focus_on_load": boolean}
    return object_of({"type": anything, **needed}, {**common, **may}, *also)


_IMAGE_ELEMENT = object_of(
    {"type": anything, "alt_text": text(2000)},
    {"image_url": url(3000), "slack_file": _SLACK_FILE},
    _one_source,
)
_PLACEHOLDER: Mapping[str, Rule] = {"placeholder": plain(150)}
_SELECT = _element(
    {}, {**_PLACEHOLDER, "options": _OPTIONS, "option_groups": list_of(1, 100, _GROUP),
         "initial_option": _PLAIN_OPTION}, _options_or_groups,
)  # fmt: skip
_BUTTON = _element(
    {"text": plain(75), "action_id": _ID},
    {"value": text(2000), "url": url(3000), "style": exactly("primary", "danger"),
     "accessibility_label": text(75)},
)  # fmt: skip
_ELEMENTS: dict[str, Rule] = {
    "button": _BUTTON,
    "overflow": _element({"options": list_of(1, 5, _PLAIN_OPTION)}, {}),
    "static_select": _SELECT,
    "conversations_select": _element(
        {}, {**_PLACEHOLDER, "filter": anything, "initial_conversation": _ID,
             "default_to_current_conversation": boolean, "response_url_enabled": boolean},
    ),
    "datepicker": _element({}, {**_PLACEHOLDER, "initial_date": text(10)}),
    "timepicker": _element(
        {}, {**_PLACEHOLDER, "initial_time": text(5), "timezone": text(100)}
    ),
    "radio_buttons": _element({"options": _FEW_OPTIONS}, {"initial_option": _OPTION}),
    "checkboxes": _element(
        {"options": _FEW_OPTIONS}, {"initial_options": list_of(1, 10, _OPTION)}
    ),
}  # fmt: skip
_INPUTS: dict[str, Rule] = {
    key: _ELEMENTS[key]
    for key in ("static_select", "conversations_select", "datepicker", "timepicker",
                "radio_buttons", "checkboxes")
} | {
    "plain_text_input": _element(
        {}, {**_PLACEHOLDER, "multiline": boolean, "min_length": number, "max_length": number,
             "initial_value": text(3000)},
    ),
    "email_text_input": _element({}, {**_PLACEHOLDER, "initial_value": text(3000)}),
}  # fmt: skip

# ------------------------------------------------------------------ rich text

_STYLE = object_of(
    {}, dict.fromkeys(("bold", "italic", "strike", "code", "underline"), boolean)
)  # fmt: skip
_LEAVES: dict[str, Rule] = {
    # Broadcasts and user groups are left out on purpose: nothing we write pings a crowd.
    "text": object_of({"type": anything, "text": text(3000, blank=True)}, {"style": _STYLE}),
    "link": object_of(
        {"type": anything, "url": url(3000)},
        {"text": text(3000), "style": _STYLE, "unsafe": boolean},
    ),
    "user": object_of({"type": anything, "user_id": _ID}, {"style": _STYLE}),
    "channel": object_of({"type": anything, "channel_id": _ID}, {"style": _STYLE}),
    "emoji": object_of({"type": anything, "name": text(100)}, {"unicode": text(100)}),
    "date": object_of(
        {"type": anything, "timestamp": number, "format": text(200)},
        {"fallback": text(200), "url": url(3000)},
    ),
}
_SECTION = object_of({"type": anything, "elements": list_of(1, 500, one_of(_LEAVES))})
_QUOTE = object_of(
    {"type": anything, "elements": list_of(1, 500, one_of(_LEAVES))}, {"border": number}
)
_RICH: dict[str, Rule] = {
    "rich_text_section": _SECTION,
    "rich_text_quote": _QUOTE,
    "rich_text_preformatted": _QUOTE,
    "rich_text_list": object_of(
        {
            "type": anything,
            "style": exactly("bullet", "ordered"),
            "elements": list_of(1, 100, one_of({"rich_text_section": _SECTION})),
        },
        {"indent": number, "offset": number, "border": number},
    ),
}

# ------------------------------------------------------------------ blocks


def _says_something(value: Mapping[str, Any], at: str) -> Iterator[str]:
    if "text" not in value and "fields" not in value:
        yield f"{at}: needs text or fields"


def _block(needed: Mapping[str, Rule], may: Mapping[str, Rule] | None = None, *also: Rule) -> Rule:
    return object_of({"type": anything, **needed}, {"block_id": _ID, **(may or {})}, *also)


def _same_width(value: Any, at: str) -> Iterator[str]:
    yield from list_of(1, 100, list_of(1, 20, anything))(value, at)


def _series_fit(value: Mapping[str, Any], at: str) -> Iterator[str]:
    chart = value.get("chart")
    if isinstance(chart, Mapping):
        yield from list_of(1, 12, anything)(chart.get("series"), f"{at}.chart.series")
        yield from list_of(1, 20, text(20))(chart.get("categories"), f"{at}.chart.categories")


_CARD = _block(
    {"title": either(150)},
    {"subtitle": either(150), "body": either(200), "hero_image": anything, "icon": anything,
     "actions": list_of(1, 5, _BUTTON)},
)  # fmt: skip
_BLOCKS: dict[str, Rule] = {
    "header": _block({"text": plain(150)}),
    "divider": _block({}),
    "section": _block(
        {},
        {"text": either(3000), "fields": list_of(1, 10, either(2000)), "expand": boolean,
         "accessory": one_of({**_ELEMENTS, "image": _IMAGE_ELEMENT})},
        _says_something,
    ),
    "context": _block(
        {"elements": list_of(1, 10, one_of({"plain_text": plain(3000), "mrkdwn": mrkdwn(3000),
                                           "image": _IMAGE_ELEMENT}))}
    ),
    "actions": _block({"elements": list_of(1, 25, one_of(_ELEMENTS))}),
    "image": _block(
        {"alt_text": text(2000)},
        {"image_url": url(3000), "slack_file": _SLACK_FILE, "title": plain(2000)},
        _one_source,
    ),
    "rich_text": _block({"elements": list_of(1, 100, one_of(_RICH))}),
    "input": _block(
        {"label": plain(2000), "element": one_of(_INPUTS)},
        {"hint": plain(2000), "optional": boolean, "dispatch_action": boolean},
    ),
    "markdown": _block({"text": text(MARKDOWN_TOTAL)}),
    "table": _block({"rows": _same_width}, {"column_settings": anything}),
    "card": _CARD,
    "carousel": _block({"elements": list_of(1, 10, one_of({"card": _CARD}))}),
    "data_visualization": _block({"title": text(50), "chart": anything}, None, _series_fit),
}  # fmt: skip

_VIEW: Mapping[str, Rule] = {"type": anything, "blocks": anything}
_VIEW_MAY: Mapping[str, Rule] = {
    "callback_id": _ID, "private_metadata": text(3000, 0), "external_id": _ID,
}  # fmt: skip
_HOME = object_of(_VIEW, _VIEW_MAY)
_MODAL = object_of(
    {**_VIEW, "title": plain(24)},
    {**_VIEW_MAY, "submit": plain(24), "close": plain(24), "clear_on_close": boolean,
     "notify_on_close": boolean},
)  # fmt: skip
