"""How often an address may be asked for a yes, and how many addresses somebody may type."""

import hashlib
from datetime import datetime, timedelta

from bot.addresses import mailbox_of
from bot.core.commands.errand import Errand, refused
from bot.core.consent import may_still_ask
from bot.core.house import House
from bot.core.pipeline.deliveries.letters import has_stopped_all
from bot.core.reply import Code
from bot.store import Outcome, Run

ASKED_A_YEAR = 3
"""How often an address that never answered is asked, whoever typed it."""
A_SOURCE = 20
"""How many addresses a day one person, or one network, may type."""
_SHARE = 8
"""They may take at most an eighth of what is left of a day, so that latecomers find some."""


def may_ask(errand: Errand, address: str) -> bool:
    """Whether an address may be asked to confirm, without having asked itself.

    Once a day for a mailbox with all its plus-tags, three times a year in all, and never after
    it stopped all mail.
    """
    if has_stopped_all(errand.house, "email", address):
        return False
    asked = _asked(errand, address, errand.now - timedelta(days=366))
    lately = [run for run in asked if run.at > errand.now - timedelta(days=1)]
    return len(asked) < ASKED_A_YEAR and not lately


def has_asked_enough(errand: Errand, where: str) -> bool:
    """Whether the day's limit of addresses typed there is reached; fewer, the more were asked."""
    day_ago = errand.now - timedelta(days=1)
    typed_there = len(errand.house.store.ledger.around("join", where, day_ago, errand.now))
    share = may_still_ask(errand.house, errand.now) // _SHARE
    return typed_there >= max(1, min(A_SOURCE, share))


def must_be_able_to_ask(errand: Errand, address: str) -> None:
    """Raises Refused where nobody at all can be asked to confirm now."""
    if not errand.house.links.base_url:
        raise refused(
            "Mail cannot be confirmed here: no web address is set. The operator can add you with ",
            Code(f'paperround do --as {errand.subject} "email {address}"'), ".",
        )  # fmt: skip
    if may_still_ask(errand.house, errand.now) <= 0:
        raise refused("Too many people joined today; try again tomorrow.", status=429)


def note_asked(errand: Errand, address: str) -> None:
    """Count one mail that was not asked for by its reader.  Raises Refused past the day's cap."""
    house = errand.house
    must_be_able_to_ask(errand, address)
    house.store.ledger.record("join", "all", errand.now, Outcome.ASKED)
    house.store.ledger.record("ask", key_of(mailbox_of(address)), errand.now, Outcome.ASKED)


def forget_asked(house: House, address: str) -> None:
    """Count an address as never asked."""
    house.store.ledger.strike("ask", key_of(mailbox_of(address)))


def _asked(errand: Errand, address: str, since: datetime) -> list[Run]:
    return errand.house.store.ledger.around("ask", key_of(mailbox_of(address)), since, errand.now)


def key_of(text: str) -> str:
    """A key to count by that names nobody: addresses that never answered are not stored."""
    return hashlib.sha256(text.encode()).hexdigest()[:24]
