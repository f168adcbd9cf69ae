"""Windows that ask for more than a button can say, and the commands that their answers mean.

Pure.  A window holds the conversation it was opened in as its metadata, and nothing secret.
"""

import json
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Any

from bot.block_kit.build import Block, clean, plain, rich, say
from bot.core.commands.words.cadences import limit_words, limits
from bot.core.conversations import conversation_of
from bot.core.reply import Overview
from bot.model import Breadth, Destination, DestinationState
from bot.timetable import Cadence, TimetableError, canonical_zone

View = dict[str, Any]

_DAYS = (
    ("daily", "Every day"),
    ("weekdays", "Monday to Friday"),
    ("weekly mon", "Mondays"),
    ("weekly tue", "Tuesdays"),
    ("weekly wed", "Wednesdays"),
    ("weekly thu", "Thursdays"),
    ("weekly fri", "Fridays"),
    ("weekly sat", "Saturdays"),
    ("weekly sun", "Sundays"),
    ("off", "Never"),
)
_BREADTHS = (
    (Breadth.FOCUSED, "Only the closest papers"),
    (Breadth.BALANCED, "As usual"),
    (Breadth.BROAD, "Everything near it"),
)
KEEP = "keep"


def loading(title: str) -> View:
    """An empty window, shown at once: the permission to open one lasts three seconds."""
    return _window(title, [rich([say("One moment …")])])


def result(title: str, blocks: Sequence[Block]) -> View:
    """A window that shows what came of a window's answer."""
    return _window(title, list(blocks)[:100] or [rich([say("Done.")])])


def settings(overview: Overview, zone: str, context: Mapping[str, str]) -> View:
    """The window for when the digest comes, how close papers must be, and the mail address."""
    own = slack_destination(overview)
    cadence = Cadence.parse(own.cadence) if own else Cadence()
    off = own is not None and own.state is DestinationState.OFF
    kind = "off" if off else cadence.rhythm
    blocks = [
        _select("days", "When the digest comes", _capitalised(cadence.among(_DAYS)), kind),
        _select(
            "most",
            "Papers it shows",
            _capitalised(limits(own.most if own else 0)),
            str(own.most if own else 0),
        ),
        _input("at", "At", {"type": "timepicker", "initial_time": f"{cadence.at:%H:%M}"}),
        _input(
            "zone",
            "Time zone",
            {
                "type": "plain_text_input",
                "initial_value": own.zone if own else zone,
                "max_length": 60,
            },
            hint="An IANA name: Europe/Berlin",
        ),
        _select(
            "breadth",
            "How close papers must be",
            ((KEEP, "Leave each topic as it is"), *((b.value, words) for b, words in _BREADTHS)),
            KEEP,
        ),
        _input(
            "email",
            "Also by mail to",
            {"type": "email_text_input"},
            optional=True,
            hint=_MAIL_HINT + (_MAIL_INSTEAD if has_mail(overview) else ""),
        ),
    ]
    return _window("Settings", blocks, "settings", "Save", context)


_MAIL_HINT = "You confirm the address by a mail. Leave empty to change nothing."
_MAIL_INSTEAD = " In place of the present one: /papers email a@b.org instead"


def _capitalised(offered: Sequence[tuple[str, str]]) -> Sequence[tuple[str, str]]:
    return [(value, f"{said[:1].upper()}{said[1:]}") for value, said in offered]


def mute_until(slug: str, name: str, today: date, context: Mapping[str, str]) -> View:
    """The window for the end of a mute."""
    picker = {"type": "datepicker", "initial_date": (today + timedelta(days=14)).isoformat()}
    return _window(
        "Mute",
        [rich([say(clean(name, 200), bold=True)]), _input("until", "Silent until", picker)],
        "mute_until",
        "Mute",
        {**context, "slug": slug},
    )


def ask(subject: str, context: Mapping[str, str]) -> View:
    """The window for a question about a topic or a paper."""
    field = {"type": "plain_text_input", "multiline": True, "max_length": 500}
    return _window(
        "Ask",
        [_input("question", "What would you like to know?", field)],
        "ask",
        "Ask",
        {**context, "subject": subject},
    )


def follow(context: Mapping[str, str]) -> View:
    """The window for a topic to follow."""
    field = {"type": "plain_text_input", "max_length": 300}
    hint = "Plain words, or a query: (GRPO OR “reward model”) AND LLM NOT survey"
    return _window(
        "Follow a topic", [_input("topic", "Topic", field, hint=hint)], "follow", "Follow", context
    )


# ------------------------------------------------------------------ answers


def values(view: Mapping[str, Any]) -> dict[str, str]:
    """What was entered, by field."""
    found: dict[str, str] = {}
    for block_id, fields in ((view.get("state") or {}).get("values") or {}).items():
        for field in fields.values():
            option = field.get("selected_option") or {}
            found[block_id] = str(
                option.get("value")
                or field.get("value")
                or field.get("selected_time")
                or field.get("selected_date")
                or ""
            )
    return found


def context_of(view: Mapping[str, Any]) -> dict[str, str]:
    """What the window was opened with."""
    try:
        kept = json.loads(view.get("private_metadata") or "{}")
    except ValueError:
        return {}
    return {str(k): str(v) for k, v in kept.items()} if isinstance(kept, dict) else {}


def settings_errors(entered: Mapping[str, str]) -> dict[str, str]:
    """What cannot be as it was entered, by field: shown beside it, nothing is changed."""
    errors: dict[str, str] = {}
    try:
        canonical_zone(entered.get("zone", ""))
    except TimetableError as exc:
        errors["zone"] = str(exc)[:140]
    if not entered.get("at"):
        errors["at"] = "Choose an hour."
    return errors


def settings_commands(entered: Mapping[str, str], overview: Overview) -> list[str]:
    """The commands that bring about what was entered, and only that."""
    own = slack_destination(overview)
    wanted: list[str] = []
    if entered.get("days") == "off":
        wanted += ["digest off"] if own and own.state is not DestinationState.OFF else []
    else:
        when = f"{entered.get('days', 'weekly mon')} {entered['at']}"
        zone = canonical_zone(entered["zone"])
        most = entered.get("most", "")
        limit = limit_words(most) if most != str(own.most if own else 0) else ""
        if own is None or str(Cadence.parse(own.cadence)) != when or own.zone != zone or limit:
            wanted.append(" ".join(f"digest {when} {limit} tz {zone}".split()))
        if own and own.state is not DestinationState.ACTIVE:
            wanted.append("digest on")
    breadth = entered.get("breadth", KEEP)
    if breadth != KEEP:
        wanted += [
            f"follow {each.topic.slug}, {breadth}"
            for each in overview.follows
            if each.breadth.value != breadth
        ]
    if entered.get("email"):
        wanted.append(f"email {entered['email']}")
    return wanted


def has_mail(overview: Overview) -> bool:
    """Whether a person's digest comes by mail already."""
    return any(d.channel == "email" and not d.unconfirmed for d in overview.destinations)


def slack_destination(overview: Overview) -> Destination | None:
    """The person's own digest in Slack, where there is one."""
    mine = (d for d in overview.destinations if d.channel == "slack")
    return next((d for d in mine if conversation_of(d) is None), None)


# ------------------------------------------------------------------ private


def _window(
    title: str,
    blocks: list[Block],
    callback: str = "",
    submit: str = "",
    context: Mapping[str, str] | None = None,
) -> View:
    view: View = {
        "type": "modal",
        "title": plain(clean(title, 24) or "Papers"),
        "close": plain("Close"),
        "blocks": blocks,
    }
    if callback:
        view |= {"callback_id": callback, "submit": plain(submit)}
        view["private_metadata"] = json.dumps(dict(context or {}))[:3_000]
    return view


def _input(
    name: str, label: str, element: dict[str, Any], *, hint: str = "", optional: bool = False
) -> Block:
    block: Block = {
        "type": "input",
        "block_id": name,
        "label": plain(label),
        "element": {**element, "action_id": "v"},
        "optional": optional,
    }
    return {**block, "hint": plain(hint)} if hint else block


def _select(name: str, label: str, choices: Sequence[tuple[str, str]], chosen: str) -> Block:
    options = [{"text": plain(words), "value": value} for value, words in choices]
    initial = next((o for o in options if o["value"] == chosen), options[0])
    return _input(
        name, label, {"type": "static_select", "options": options, "initial_option": initial}
    )
