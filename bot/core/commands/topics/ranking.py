"""Topics in the order of what happens to them: heating, emerging, cooling, largest."""

from collections.abc import Callable, Mapping, Sequence

from bot.model import Momentum, Topic
from bot.momentum import counted

FLOOR = 10  # papers in four weeks below which a change says little
YOUNG = 6  # weeks within which an emerging topic has four fifths of its papers

Momenta = Mapping[int, Momentum]


def heating(topics: Sequence[Topic], momenta: Momenta) -> list[Topic]:
    """Those that grow, the fastest first; tiny ones are left out."""
    return sorted(
        (t for t in topics if _change(momenta[t.id]) > 0), key=lambda t: -_change(momenta[t.id])
    )


def cooling(topics: Sequence[Topic], momenta: Momenta) -> list[Topic]:
    """Those that shrink, the fastest first; tiny ones are left out."""
    return sorted(
        (t for t in topics if _change(momenta[t.id]) < 0), key=lambda t: _change(momenta[t.id])
    )


def emerging(topics: Sequence[Topic], momenta: Momenta) -> list[Topic]:
    """Those that hardly existed before the last six complete weeks, the largest first.

    None where not all of these weeks were read: nobody knows what was there before.
    """
    return largest([t for t in topics if _began_lately(momenta[t.id])], momenta)


def largest(topics: Sequence[Topic], momenta: Momenta) -> list[Topic]:
    """Those with the most papers in the last four complete weeks, or in what was read of them."""
    return sorted(topics, key=lambda t: -counted(momenta[t.id]))


def _change(m: Momentum) -> float:
    return m.change if m.change is not None and max(m.current, m.previous) >= FLOOR else 0.0


def _began_lately(m: Momentum) -> bool:
    complete = [week.papers for week in m.weeks if week.complete]
    late, early = sum(complete[-YOUNG:]), sum(complete[:-YOUNG])
    return was_read(m, NEEDS["emerging"]) and late >= FLOOR / 2 and early <= late / 4


ORDERS: dict[str, Callable[[Sequence[Topic], Momenta], list[Topic]]] = {
    "heating": heating,
    "emerging": emerging,
    "cooling": cooling,
    "largest": largest,
}

NEEDS = {"heating": 8, "emerging": 12, "cooling": 8}
"""Complete weeks that must have been read before a topic can be told to be that."""


def was_read(m: Momentum, weeks: int) -> bool:
    """Whether all of the last `weeks` complete weeks were read."""
    complete = [week for week in m.weeks if week.complete]
    return all(week.observed for week in complete[-weeks:])
