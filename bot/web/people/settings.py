"""One person's settings as their page shows them: what is set, and the buttons that fit."""

from collections.abc import Mapping
from datetime import datetime

from bot.core import House
from bot.core.commands.digests.muted import named
from bot.core.commands.topics.silencing import again
from bot.core.commands.words.cadences import limit_words, limits
from bot.core.consent import UNCONFIRMED
from bot.core.dates import until_words
from bot.core.reply import Instant, Reply
from bot.digest import Action
from bot.model import FOREVER, Destination, DestinationState, Follow, Mute
from bot.timetable import Cadence
from bot.timetable.words import WEEKDAY_NAMES
from bot.web.rendering import line_to_html

DAYS = (
    ("daily", "every day"),
    ("weekdays", "Monday to Friday"),
    *((f"weekly {name[:3].lower()}", name) for name in WEEKDAY_NAMES),
)

_FOLLOW = "follow "
_BESIDE_DEEDS = ("Undo", "Keep it out of that one")


def command_of(fields: Mapping[str, str]) -> str:
    """The command that a form of the personal page stands for, or ""."""
    if "day" in fields:
        zone = fields.get("zone", "").strip()
        most = limit_words(fields.get("most", ""))
        when = " ".join(f"digest {fields['day']} {fields.get('time', '')} {most}".split())
        return f"{when} tz {zone}" if zone else when
    if "topic" in fields:
        return f"{_FOLLOW}{fields['topic']}"
    return fields.get("do", "")


def switches(own: Destination) -> tuple[tuple[str, str], ...]:
    """The buttons that turn a digest on or off, as its state allows."""
    stop = ("Stop the digest", "digest off")
    match own.state:
        case DestinationState.ACTIVE:
            return (stop,)
        case DestinationState.OFF:
            return (("Turn the digest on", "digest on"),)
    # Whoever has not confirmed says yes by the link in that mail, and nowhere else.
    waits = own.reason == UNCONFIRMED
    return (stop,) if waits else (("Turn the digest on", f"resume {own.id}"), stop)


def offers(said: Reply) -> tuple[Action, ...]:
    """The buttons of an answer that the page shows: all of a question; of what is done, those
    for which the page has none of its own."""
    kept = said.buttons if not said.ok else (b for b in said.buttons if b.label in _BESIDE_DEEDS)
    return tuple(button for button in kept if button.command)


def follows(asked: Reply) -> tuple[tuple[str, str], ...]:
    """The topics that a question offers to follow: what their buttons say, and their words."""
    ours = [button for button in asked.buttons if button.command.startswith(_FOLLOW)]
    return tuple((button.label, button.command.removeprefix(_FOLLOW)) for button in ours)


def digest(own: Destination | None, zone: str) -> dict[str, object]:
    """When the digest of a page's own mailbox comes, and what can be chosen; with `zone` where
    nothing goes there."""
    if own is None:
        nothing = {"own": None, "due": "", "switches": (), "limits": (), "zone": zone}
        return {**nothing, "cadence": Cadence(), "days": Cadence().among(DAYS)}
    cadence = Cadence.parse(own.cadence)
    return {
        "own": own,
        "due": line_to_html((Instant(own.next_due_at, clock=True),), own.zone),
        "switches": switches(own),
        "limits": limits(own.most),
        "zone": own.zone,
        "cadence": cadence,
        "days": cadence.among(DAYS),
    }


def followed(house: House, follow: Follow, zone: str) -> dict[str, object]:
    """A followed topic as it stands now as the page shows it, with the buttons that fit."""
    slug, until = follow.topic.slug, follow.muted_until
    mutes = [("Mute 1 week", "1w"), ("2 weeks", "2w"), ("1 month", "1 month")]
    doors = (
        [("Unmute", f"unmute {slug}")]
        if until
        else [(label, f"mute {slug} for {code}") for label, code in mutes]
    )
    return {
        "name": follow.topic.name,
        "slug": slug if house.has_page(follow.topic) else "",
        "silent": _end(house, until, zone) if until else "",
        "doors": [*doors, ("Unfollow", f"unfollow {slug}")],
    }


def muted(house: House, mute: Mute, zone: str) -> dict[str, str]:
    """A mute as the page shows it, with the command that ends it."""
    return {
        "name": named(mute.kind, mute.value),
        "silent": _end(house, mute.until, zone),
        "command": f"unmute {again(mute.kind, mute.value)}",
    }


def _end(house: House, until: datetime, zone: str) -> str:
    if until >= FOREVER:
        return "muted until you unmute it"
    return f"muted {until_words(until, zone, house.clock())}"
