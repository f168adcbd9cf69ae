"""Whether a topic is heating up: counts to windows, change and share.  Pure."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta

from bot.model import Momentum, Week
from bot.text import number, plural
from bot.text import percent as per_cent
from bot.text import thin as thinly

WEEK = timedelta(days=7)
SHOWN = 12  # complete weeks drawn
WINDOW = 4  # complete weeks counted, and as many before them
UNREAD = 2  # weeks that may run on: more, and arXiv has not been read for one at least
FEW = 5  # below this a percentage says nothing

Writing = Callable[[int], str]
"""How a number is written."""


def week_of(day: date) -> date:
    """The Monday of the week that holds `day`."""
    return day - timedelta(days=day.weekday())


def momentum(
    papers: Mapping[date, int],
    all_papers: Mapping[date, int],
    *,
    today: date,
    complete_before: date,
    observed_from: date | None,
    matched_after: date | None = None,
) -> Momentum:
    """Twelve complete weeks and the running one, with the last four against the four before.

    Counts are by Monday (UTC, submission of version 1); a missing Monday counts 0.  Weeks that
    start before `complete_before` are complete, never one that is not over.  Weeks that start
    before `observed_from` (None: nothing was read yet) were not observed, nor were those
    that papers up to `matched_after` fall into; a change is never made from one of those.
    Where arXiv was not read for weeks, the complete ones end where it was, and are not quiet.
    """
    running = week_of(today)
    last = min(week_of(complete_before - timedelta(days=1)), running - WEEK)
    # Until Monday's mailing is read, the week that just ended runs on beside the new one.
    behind = (running - last).days // 7
    is_long_unread = behind > UNREAD
    to_come = 1 if is_long_unread else behind
    mondays = [last + WEEK * n for n in range(1 - SHOWN, to_come + 1)]
    weeks = tuple(
        Week(
            monday,
            papers.get(monday, 0),
            all_papers.get(monday, 0),
            complete=monday <= last,
            observed=observed_from is not None
            and monday >= observed_from
            and (matched_after is None or monday > matched_after),
        )
        for monday in mondays
    )
    return replace(
        _judged(weeks),
        matched_after=matched_after,
        read_from=observed_from,
        read_to=last + WEEK - timedelta(days=1) if is_long_unread else None,
    )


def _judged(weeks: tuple[Week, ...]) -> Momentum:
    complete = [week for week in weeks if week.complete]
    now, before = complete[-WINDOW:], complete[-2 * WINDOW : -WINDOW]
    current, previous = _count(now), _count(before)
    everything = sum(week.all_papers for week in now)
    observed = all(week.observed for week in (*now, *before))
    telling = observed and min(current, previous) >= FEW
    return Momentum(
        weeks=weeks,
        current=current,
        previous=previous,
        change=current / previous - 1 if telling else None,
        share=current / everything if everything else None,
        observed=observed,
    )


def _count(weeks: Sequence[Week]) -> int:
    return sum(week.papers for week in weeks)


def counted(m: Momentum) -> int:
    """Papers of the last four complete weeks; where not all of these were read, of what was."""
    if _is_whole(m):
        return m.current
    since = counted_since(m)
    return _count([week for week in m.weeks if since and week.monday + WEEK > since])


def counted_since(m: Momentum) -> date | None:
    """From when on `counted` counts; None for four weeks, and where nothing was read."""
    if _is_whole(m):
        return None
    if m.matched_after is None and m.read_from and m.read_from > _window(m)[0].monday:
        return m.read_from
    gap = max((week.monday for week in m.weeks if not week.observed), default=date.min)
    return min((week.monday for week in m.weeks if week.monday > gap), default=None)


def _is_whole(m: Momentum) -> bool:
    return all(week.observed for week in _window(m))


def _window(m: Momentum) -> list[Week]:
    return [week for week in m.weeks if week.complete][-WINDOW:]


# ------------------------------------------------------------------ in words


def how_many(m: Momentum) -> str:
    """For lists: "70 papers in four weeks", or "28 papers since 23 November"."""
    return f"{plural(counted(m), 'paper')} {span(m)}"


def span(m: Momentum, weeks: str = "in four weeks") -> str:
    """What `counted` counts over: "in four weeks", "since 23 November"."""
    since = counted_since(m)
    if _is_whole(m):
        return f"in the {_four(m)}" if m.read_to else weeks
    return f"since {_day(since)}" if since else "so far"


def _four(m: Momentum, count: str = "four") -> str:
    """The weeks that are counted: the last ones, or those up to where arXiv was read."""
    return f"{count} weeks to {_day(m.read_to)}" if m.read_to else f"last {count} weeks"


def _day(day: date) -> str:
    return f"{day.day} {day:%B}"


def sentence(m: Momentum, *, thin: bool = False) -> str:
    """The momentum in one or two sentences of plain text.

    Thousands are parted by a comma, or by a narrow space where `thin` (pages).  Percentages are
    given only where both windows hold 5 papers and every week of them was observed.
    """
    written = thinly if thin else number
    if m.matched_after is not None and not m.observed:
        return _so_far(m, written)
    if not _is_whole(m):
        return _too_early(m, written)
    share = _share_sentence(m)
    if not m.observed:
        return (
            f"{_opening(m.current, written)} in the {_four(m)}.{share} "
            "The four weeks before were not observed in full, so there is no trend yet."
        )
    if not m.current and not m.previous:
        return f"Quiet: no papers in the {_four(m, 'eight')}{_since(m, written)}."
    lately = "" if m.current else _since(m, written)
    return (
        f"{_opening(m.current, written)} in the {_four(m)}, {_compared(m, written)}{lately}.{share}"
    )


def _since(m: Momentum, written: Writing) -> str:
    """What the weeks that still run hold: "none" would look wrong beside their papers."""
    running = [week for week in m.weeks if not week.complete]
    if not _count(running):
        return ""
    return f"; {written(_count(running))} since {_day(running[0].monday)}"


def _compared(m: Momentum, written: Writing) -> str:
    if not m.previous:
        return "none in the four weeks before: new"
    if m.change is None:
        return f"{written(m.previous)} in the four weeks before"
    if not percent(m.change):
        return "about as many as in the four weeks before"
    return f"{_direction(m.change)} on the four weeks before"


def _so_far(m: Momentum, written: Writing) -> str:
    """What can be said while papers of these weeks are still being matched with the topic."""
    seen = [week for week in m.weeks if week.observed]
    if not seen:
        return f"Its papers are still being counted.{_share_sentence(m)}"
    so_far = f"{_opening(_count(seen), written)} since {_day(seen[0].monday)}"
    return f"{so_far}; the weeks before are still being counted.{_share_sentence(m)}"


def _too_early(m: Momentum, written: Writing) -> str:
    """What can be said before four weeks have been read."""
    begun = [*_window(m), *(week for week in m.weeks if not week.complete)]
    whole = " whole" if sum(week.observed for week in begun) >= WINDOW else ""
    return f"{_opening(counted(m), written)} {span(m)}; four{whole} weeks are needed for a trend."


def label(m: Momentum) -> str:
    """The change in one or two words for lists: "up 141 %", "new", "quiet", "steady" or ""."""
    if not m.observed:
        return ""
    if not m.current and not m.previous:
        return "quiet"
    if not m.previous:
        return "new"
    if m.change is None:
        return ""
    return _direction(m.change) if percent(m.change) else "steady"


def share_label(m: Momentum) -> str:
    """The share of all new papers: "0.7 %", "under 0.1 %", or "" where there is none."""
    return per_cent(m.share) if m.share else ""


def papers(count: int) -> str:
    """Papers counted in words: "70 papers", "1 paper", "no papers"."""
    return plural(count, "paper") if count else "no papers"


def percent(change: float) -> int:
    """A change as whole percent without its sign, halves away from zero."""
    return int(abs(change) * 100 + 0.5)


def _opening(count: int, written: Writing) -> str:
    if not count:
        return "No papers"
    return "1 paper" if count == 1 else f"{written(count)} papers"


def _share_sentence(m: Momentum) -> str:
    share = share_label(m)
    return f" {share[0].upper()}{share[1:]} of all new papers." if share else ""


def _direction(change: float) -> str:
    return f"{'up' if change > 0 else 'down'} {percent(change)} %"
