"""The line that Slack speaks to us by: the service sees it, and writes down when it is lost.

Everyone else, `status` and the doctor, are processes of their own and read the ledger.
"""

from bot.core.house import House
from bot.store import Outcome


def note(house: House, trouble: str) -> None:
    """Record that the line is lost and why, or back (""); nothing if that is known already."""
    if bool(trouble) == bool(lost(house)):
        return
    outcome = Outcome.FAILED if trouble else Outcome.DONE
    house.store.ledger.record("line", "slack", house.clock(), outcome, trouble)


def lost(house: House) -> str:
    """Since when and why the line is lost, in a sentence; "" where it is not."""
    last = house.store.ledger.last("line", "slack")
    return last.reason if last and last.outcome == Outcome.FAILED else ""
