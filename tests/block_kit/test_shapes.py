"""The strict validator finds what Slack refuses, and nothing else."""

from typing import Any

import pytest

from bot.block_kit.shapes import faults, message_faults, view_faults


def plain(text: str = "x") -> dict[str, Any]:
    return {"type": "plain_text", "text": text}


def mrkdwn(text: str = "x") -> dict[str, Any]:
    return {"type": "mrkdwn", "text": text}


def button(n: int = 1, **more: Any) -> dict[str, Any]:
    return {"type": "button", "action_id": f"a{n}", "text": plain(), **more}


def option(n: int = 1, text: str = "x") -> dict[str, Any]:
    return {"text": plain(text), "value": str(n)}


def actions(*elements: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"type": "actions", "elements": list(elements)}]


def select(**more: Any) -> list[dict[str, Any]]:
    return actions({"type": "static_select", "action_id": "a", "options": [option()], **more})


def rich(*leaves: dict[str, Any]) -> list[dict[str, Any]]:
    section = {"type": "rich_text_section", "elements": list(leaves)}
    return [{"type": "rich_text", "elements": [section]}]


def section(**more: Any) -> list[dict[str, Any]]:
    return [{"type": "section", **more}]


GOOD = {
    "section": section(text=mrkdwn()),
    "a literal section": section(text=plain("*not bold*")),
    "fields": section(fields=[mrkdwn()] * 10),
    "header": [{"type": "header", "text": {**plain("x" * 150), "emoji": False}}],
    "buttons": actions(*(button(n) for n in range(25))),
    "select": select(),
    "overflow": section(
        text=mrkdwn(),
        accessory={"type": "overflow", "action_id": "a", "options": [option(n) for n in range(5)]},
    ),
    "rich text": rich(
        {"type": "text", "text": "a <b> & *c*", "style": {"bold": True}},
        {"type": "link", "url": "https://arxiv.org/abs/2611.00001", "text": "t"},
        {"type": "user", "user_id": "U1"},
        {"type": "channel", "channel_id": "C1"},
    ),
    "image of ours": [{"type": "image", "slack_file": {"id": "F1"}, "alt_text": "twelve weeks"}],
    "context": [{"type": "context", "elements": [plain(), mrkdwn()]}],
}
BAD = {
    "section 3,001": section(text=mrkdwn("x" * 3001)),
    "section empty text": section(text=mrkdwn("")),
    "section only spaces": section(text=mrkdwn("  \n")),
    "section no text or fields": section(),
    "11 fields": section(fields=[mrkdwn()] * 11),
    "field 2,001": section(fields=[mrkdwn("x" * 2001)]),
    "header 151": [{"type": "header", "text": plain("x" * 151)}],
    "header mrkdwn": [{"type": "header", "text": mrkdwn()}],
    "context 11": [{"type": "context", "elements": [mrkdwn()] * 11}],
    "context none": [{"type": "context", "elements": []}],
    "actions 26": actions(*(button(n) for n in range(26))),
    "button text 76": actions(button(text=plain("x" * 76))),
    "button text empty": actions(button(text=plain(""))),
    "button value 2,001": actions(button(value="x" * 2001)),
    "button mrkdwn text": actions(button(text=mrkdwn())),
    "button without action_id": actions({"type": "button", "text": plain()}),
    "button to javascript": actions(button(url="javascript:alert(1)")),
    "action_id twice in a block": actions(button(), button()),
    "block_id twice": [{"type": "divider", "block_id": "b"}, {"type": "divider", "block_id": "b"}],
    "block_id 256": [{"type": "divider", "block_id": "b" * 256}],
    "action_id 256": actions(button(action_id="a" * 256)),
    "image without alt": [{"type": "image", "slack_file": {"id": "F1"}}],
    "image without source": [{"type": "image", "alt_text": "a"}],
    "101 options": select(options=[option(n) for n in range(101)]),
    "option text 76": select(options=[option(1, "x" * 76)]),
    "option value 151": select(options=[{"text": plain(), "value": "x" * 151}]),
    "overflow 6": section(
        text=mrkdwn(),
        accessory={"type": "overflow", "action_id": "a", "options": [option(n) for n in range(6)]},
    ),
    "unknown block": [{"type": "nonsense"}],
    "a block that is never built": [{"type": "markdown", "text": "x"}],
    "styled button": actions(button(style="danger")),
    "unknown key": section(text=mrkdwn(), colour="red"),
    "101 blocks": [{"type": "divider"}] * 101,
    "no blocks": [],
    "not a block": ["divider"],
    "input in actions": actions({"type": "plain_text_input", "action_id": "a"}),
    "rich text empty": rich({"type": "text", "text": ""}),
    "rich text broadcast": rich({"type": "broadcast", "range": "channel"}),
    "rich text link without address": rich({"type": "link", "url": "arxiv.org", "text": "t"}),
    "ping in mrkdwn": section(text=mrkdwn("hello <!channel>")),
    "group ping in mrkdwn": section(text=mrkdwn("hello <!subteam^S1>")),
    "NUL": section(text=plain("a\x00b")),
}


@pytest.mark.parametrize("blocks", GOOD.values(), ids=GOOD)
def test_in_blocks_that_slack_takes_no_fault_is_found(blocks):
    assert faults(blocks) == ()


@pytest.mark.parametrize("blocks", BAD.values(), ids=BAD)
def test_what_slack_refuses_in_a_block_is_found(blocks):
    assert faults(blocks)


def test_a_message_needs_text_and_stays_within_the_undocumented_total():
    paragraph = section(text=mrkdwn("x" * 2_900))

    assert message_faults({"blocks": paragraph}) == ("text: not text",)
    assert message_faults({"text": "x", "blocks": paragraph}) == ()
    assert "10,000 at most" in message_faults({"text": "x", "blocks": paragraph * 4})[0]
    assert message_faults({"text": "x", "blocks": [{"type": "divider"}] * 46}) == (
        "blocks: 46, from 1 to 45",
    )


def test_the_fallback_pings_nobody():
    assert message_faults({"text": "hi <!here>"}) == ("text: pings a whole conversation",)


MODAL = {"type": "modal", "title": plain(), "callback_id": "c", "blocks": section(text=plain())}
INPUT = {"type": "input", "label": plain(), "element": {"type": "plain_text_input"}}


@pytest.mark.parametrize(
    "view",
    [
        pytest.param({**MODAL, "title": plain("x" * 25)}, id="title 25"),
        pytest.param({**MODAL, "submit": plain("x" * 25)}, id="submit 25"),
        pytest.param({**MODAL, "close": plain("x" * 25)}, id="close 25"),
        pytest.param({**MODAL, "private_metadata": "x" * 3001}, id="metadata 3,001"),
        pytest.param({**MODAL, "blocks": [INPUT]}, id="input without submit"),
        pytest.param({**MODAL, "blocks": [{"type": "divider"}] * 101}, id="modal 101"),
        pytest.param({"type": "home", "blocks": [{"type": "divider"}] * 101}, id="home 101"),
        pytest.param({"type": "home", "title": plain(), "blocks": GOOD["header"]}, id="home title"),
        pytest.param({"type": "window", "blocks": GOOD["header"]}, id="neither"),
    ],
)
def test_what_slack_refuses_in_a_window_is_found(view):
    assert view_faults(view)


def test_in_windows_that_slack_takes_no_fault_is_found():
    assert view_faults(MODAL) == ()
    assert view_faults({**MODAL, "submit": plain("Save"), "blocks": [INPUT]}) == ()
    assert view_faults({"type": "home", "blocks": [{"type": "divider"}] * 100}) == ()
