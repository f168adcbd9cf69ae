"""`paperround doctor`: everything that could be wrong, looked at and not changed.

Sends no message to anyone; asks arXiv once, in its turn.
"""

import errno
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from types import MappingProxyType

from bot.addresses import masked
from bot.app import backups
from bot.app.backups import restoring
from bot.app.doctor import machine, outside, postal
from bot.app.doctor.findings import Check, State
from bot.app.doctor.ownership import private, writable
from bot.app.locks import is_served
from bot.app.rotation import OLD
from bot.app.wiring import Rooms
from bot.core.commands.digests.destinations import address_of
from bot.core.house import House
from bot.core.pipeline.deliveries.letters import STOPPED_ALL, has_stopped_all
from bot.core.pipeline.standing import CALLED, LATE
from bot.model import DeliveryState, Identity
from bot.store import READ_TO_THE_END, Ledger, StoreError

OLD_POLL = timedelta(days=4)


def examine(
    rooms: Rooms,
    *,
    others: bool = True,
    secrets: Sequence[Path] = (),
    overridden: Mapping[str, str] = MappingProxyType({}),
) -> Iterator[Check]:
    """Every check, each as it is done.

    `others` asks arXiv, the mail server and Slack too; `secrets` are files that hold one;
    `overridden` are keys of the configuration file with the variable that wins over each.
    """
    yield from private(rooms.config, secrets)
    yield from writable(rooms.config)
    yield from _settings(overridden)
    for look in (*_HERE, *(_OUTSIDE if others else ())):
        try:
            yield from look(rooms)
        except Exception as error:  # a check that breaks is a finding, not the end
            name = look.__name__.strip("_")
            yield Check(name, State.BAD, f"could not be looked at: {error}", _advice(error))


def _advice(error: Exception) -> str:
    full = isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT)
    return machine.MAKE_ROOM if full else "see the log"


# ------------------------------------------------------------------ what is here


def _settings(overridden: Mapping[str, str]) -> Iterator[Check]:
    """Said and not warned of: the image and the unit do it on purpose."""
    if overridden:
        won = ", ".join(f"{variable} over {key}" for key, variable in overridden.items())
        yield Check("settings", State.OK, f"the environment wins over the file: {won}")


def _service(rooms: Rooms) -> Iterator[Check]:
    """Whether somebody who expects a digest has a service to bring it."""
    if is_served(rooms.config.data):
        yield Check("service", State.OK, "running")
        return
    expected = bool(rooms.core.standing().next_due_at)
    yield Check("service", State.WARN if expected else State.SKIPPED,
                "not running: nothing is read or sent by itself", "paperround run")  # fmt: skip


def _backup(rooms: Rooms) -> Iterator[Check]:
    try:
        found = backups.kept(rooms.config.data)
    except StoreError as error:
        yield Check("backup", State.BAD, str(error), "the service can make no backup there")
        return
    if not found:
        off = rooms.config.operator.backups == 0
        yield Check("backup", State.SKIPPED if off else State.WARN, "there is none",
                    "operator.backups is 0: make them yourself" if off
                    else "paperround backup; the service makes one a day")  # fmt: skip
        return
    try:
        newest = restoring.try_out(found[0], rooms.config.data)
    except StoreError as error:
        yield Check("backup", State.BAD, str(error), "paperround backup")
        return
    age = rooms.core.house.clock() - newest.made_at
    old = age > OLD
    yield Check("backup", State.WARN if old else State.OK,
                f"{found[0].name} restores ({newest.papers:,} papers), {_hours(age)} old",
                "paperround backup" if old else "")  # fmt: skip


def _sources(rooms: Rooms) -> Iterator[Check]:
    ledger, now = rooms.store.ledger, rooms.core.house.clock()
    for name, called in (("arxiv", "API"), ("rss", "listing"), ("oai", "OAI-PMH")):
        last = ledger.last("poll", name)
        good = ledger.last("poll", name, outcomes=READ_TO_THE_END)
        if not last:
            yield Check(f"poll {called}", State.SKIPPED, "not read yet",
                        f"paperround poll --source {name}")  # fmt: skip
        elif not good or now - good.at > OLD_POLL:
            said = f"not read to the end since {_since(good.at if good else None)}"
            why = f": {last.reason}" if last.reason else ""
            yield Check(f"poll {called}", State.WARN, f"{said}{why}", _healed(ledger, name, now))
        else:
            said = f"{last.outcome}, {_hours(now - last.at)} ago"
            yield Check(f"poll {called}", State.OK, said)


def _healed(ledger: Ledger, name: str, now: datetime) -> str:
    """What to do about a source that is not read: nothing, where another one is."""
    others = (ledger.last("poll", other, outcomes=READ_TO_THE_END)
              for other in CALLED if other != name)  # fmt: skip
    if any(run and now - run.at <= OLD_POLL for run in others):
        return "the other sources bring what it misses"
    return f"is the service running?  paperround poll --source {name}"


def _records(rooms: Rooms) -> Iterator[Check]:
    standing = rooms.core.standing()
    if said := standing.clock:
        yield Check("records", State.WARN, said, "set the time of this machine by NTP")
    if said := standing.zones:
        yield Check("records", State.WARN, said, "pip install --upgrade tzdata")


def _line(rooms: Rooms) -> Iterator[Check]:
    """Silent where Slack calls us, or was never to speak to us."""
    if said := rooms.core.standing().line:
        yield Check("slack line", State.WARN, said.removeprefix("Slack: "),
                    "paperround doctor without --offline asks Slack for a new one")  # fmt: skip


def _matching(rooms: Rooms) -> Iterator[Check]:
    for each in rooms.core.standing().unmatched:
        yield Check("matching", State.WARN, each,
                    "please report it; it is tried every 6 hours, and told then")  # fmt: skip


def _queue(rooms: Rooms) -> Iterator[Check]:
    standing = rooms.core.standing()
    now = standing.now
    late = [each for each in standing.waiting if now - each.oldest_due_at > LATE]
    for each in late:
        yield Check("queue", State.WARN, f"{each.channel}: {each.deliveries} wait, the oldest "
                    f"{_hours(now - each.oldest_due_at)}. {each.error}",
                    "paperround queue ls")  # fmt: skip
    if standing.held:
        yield Check("queue", State.WARN, f"{standing.held} held", "paperround queue ls --held")
    if standing.overdue:
        yield Check("queue", State.WARN, f"{standing.overdue} digests are late",
                    "is the service running?")  # fmt: skip
    if standing.uncomposed:
        yield Check("queue", State.WARN, standing.uncomposed, "see the log")
    if not (late or standing.held or standing.overdue or standing.uncomposed):
        yield Check("queue", State.OK, "nothing is late")


def _links(rooms: Rooms) -> Iterator[Check]:
    web = rooms.config.web
    if not web.address:
        yield Check("links", State.WARN, "web.address is not set: mail has no unsubscribe link",
                    "set web.address to where people reach the pages")  # fmt: skip
    elif not web.address.startswith("https:") and web.public:
        yield Check("links", State.WARN, f"{web.address} is not https",
                    "put a proxy with TLS before it")  # fmt: skip
    else:
        yield Check("links", State.OK, web.address)


def _proxy(rooms: Rooms) -> Iterator[Check]:
    """Whether a proxy on another machine, or outside of the container, is known as one."""
    web = rooms.config.web
    elsewhere = web.address.startswith("https:") and not web.listens_here
    if not web.serves_others:
        yield Check("proxy", State.SKIPPED, "the pages are for this machine")
    elif elsewhere and not web.proxies:
        yield Check("proxy", State.WARN, "web.proxies is not set: all readers count as one address",
                    "name where the proxy connects from; let it send X-Forwarded-For")  # fmt: skip
    else:
        yield Check("proxy", State.OK, f"believed from {', '.join(web.trusted_proxies)}")


def _alerts(rooms: Rooms) -> Iterator[Check]:
    """Whether whoever is to hear of trouble can be told."""
    if not rooms.config.operator.alert:
        return
    channel, address = address_of(Identity.parse(rooms.config.operator.alert))
    shown = masked(address) if channel == "email" else address
    if why := _deaf(rooms.core.house, channel, address):
        yield Check("alerts", State.BAD, f"{shown} gets none: {why}",
                    "set operator.alert to somebody who is reached")  # fmt: skip
    else:
        yield Check("alerts", State.OK, f"go to {shown}")


def _deaf(house: House, channel: str, address: str) -> str:
    if has_stopped_all(house, channel, address):
        return STOPPED_ALL
    if channel == "email" and (why := house.store.people.suppressed(address)):
        return why
    outbox, there = house.store.outbox, house.store.people.at(channel, address)
    latest = [past[-1].delivery for each in there if (past := outbox.history(each.id))]
    return next((each.error for each in latest if each.state is DeliveryState.FAILED), "")


def _hours(age: timedelta) -> str:
    hours = age.total_seconds() / 3600
    return (
        f"{hours / 24:.0f} days" if hours >= 48 else f"{hours:.0f} h" if hours >= 1 else "under 1 h"
    )


def _since(at: datetime | None) -> str:
    return f"{at:%Y-%m-%d %H:%M} UTC" if at else "the start"


_HERE: tuple[Callable[[Rooms], Iterator[Check]], ...] = (
    machine.python, machine.sqlite, machine.database, machine.disk,
    _service, _backup, _sources, _records, _line, _matching, _queue,
    _links, _proxy, postal.sender, _alerts,
)  # fmt: skip
_OUTSIDE: tuple[Callable[[Rooms], Iterator[Check]], ...] = (
    outside.arxiv,
    postal.relay,
    outside.slack,
    outside.slack_line,
)
