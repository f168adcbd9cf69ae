"""Where digests may go: to mail only where its owner said yes, and never where mail was refused."""

from dataclasses import replace
from datetime import datetime, timedelta

from bot.core.house import House
from bot.model import Destination, DestinationState

UNCONFIRMED = "waiting for its owner to confirm"
ONLY_NOTICES = "only for notices"
"""The reason of a place that only tells somebody what went wrong: no digest was set there."""


def objection(house: House, destination: Destination) -> str:
    """Why no digest may go there, "" where one may.  Only mail addresses object."""
    if destination.channel != "email":
        return ""
    if why := house.store.people.suppressed(destination.address):
        return f"refused mail before ({why})"
    return UNCONFIRMED if destination.unconfirmed else ""


def checked(house: House, destination: Destination) -> Destination:
    """The destination, paused with the reason if its address objects by now.

    Inside a transaction.
    """
    why = objection(house, destination)
    if destination.state is not DestinationState.ACTIVE or not why:
        return destination
    house.store.people.set_state(destination.id, DestinationState.PAUSED, why)
    return replace(destination, state=DestinationState.PAUSED, reason=why)


def may_still_ask(house: House, now: datetime) -> int:
    """How many more strangers' addresses may be asked to confirm today."""
    lately = house.store.ledger.around("join", "all", now - timedelta(days=1), now)
    return house.wishes.joins_a_day - len(lately)
