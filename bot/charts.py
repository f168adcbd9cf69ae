"""Momentum as a picture: PNG, SVG, table bars, sparkline.  Pure."""

from functools import cache
from html import escape
from io import BytesIO
from typing import NamedTuple

from PIL import Image, ImageDraw, ImageFont

from bot.model import Momentum, Week
from bot.text import number, plural, short_day, thin

_BLOCKS = "▁▂▃▄▅▆▇█"


def sparkline(m: Momentum) -> str:
    """The complete weeks as block characters, oldest first: "▂▂▃▂▃▃▄▄▅▆▇█".

    The lowest block is a week without papers; a dot is a week that was not observed.
    """
    weeks = [week for week in m.weeks if week.complete]
    most = max((week.papers for week in weeks if week.observed), default=0)
    return "".join(_block(week, most) for week in weeks)


def weeks_line(m: Momentum) -> str:
    """The sparkline with the weeks that it begins and ends in: "▂▃▅█  13 Jul – 28 Sep".

    "" before a whole week was observed: a row of dots says nothing to anybody.
    """
    return f"{sparkline(m)}  {span(m)}" if is_drawable(m) else ""


def is_drawable(m: Momentum) -> bool:
    """Whether there is a whole week to draw."""
    return any(week.complete and week.observed for week in m.weeks)


def span(m: Momentum) -> str:
    """The first and last complete week of the bars: "13 Jul – 28 Sep"."""
    weeks = [week for week in m.weeks if week.complete]
    return f"{short_day(weeks[0].monday)} – {short_day(weeks[-1].monday)}" if weeks else ""


def _block(week: Week, most: int) -> str:
    if not week.observed:
        return "·"
    if not week.papers:
        return _BLOCKS[0]
    return _BLOCKS[max(1, round(week.papers / most * (len(_BLOCKS) - 1)))]


def bars(m: Momentum, height: int) -> tuple[int, ...]:
    """Heights in pixels, one for each of `m.weeks` (the running one too), the highest `height`.

    A week with papers is at least 1 px high, one without is 0.
    """
    most = _most(m)
    return tuple(
        max(1, round(week.papers / most * height)) if week.papers else 0 for week in m.weeks
    )


class Axis(NamedTuple):
    """What stands below the bars of some weeks; `now` is "" where the last of them is over."""

    first: str
    newest: str
    now: str


def axis(m: Momentum) -> Axis | None:
    """The first and the newest whole week in words; None where no week is whole."""
    complete = [week for week in m.weeks if week.complete]
    if not complete:
        return None
    running = "now" if len(m.weeks) > len(complete) and not m.read_to else ""
    return Axis(short_day(complete[0].monday), _week_of(complete[-1]), running)


def _week_of(week: Week) -> str:
    return f"Week of {short_day(week.monday)}"


def tooltip(week: Week) -> str:
    """A week in words: "Week of 28 Sep: 19 papers of 2,431", with what keeps it from counting."""
    papers = plural(week.papers, "paper")
    of = f" of {number(week.all_papers)}" if week.all_papers else ""
    remark = "" if week.complete else " so far"
    missing = "" if week.observed else ", not observed in full"
    return f"{_week_of(week)}: {papers}{of}{remark}{missing}"


def _whole(m: Momentum) -> int:
    return sum(week.complete for week in m.weeks)


def _most(m: Momentum) -> int:
    return max((week.papers for week in m.weeks), default=0) or 1


# ------------------------------------------------------------------ SVG

_STEP, _BAR, _HEIGHT, _FOOT = 28, 20, 108, 22
_OVER = 20  # over the highest bar, for its number


def svg(m: Momentum, *, title: str) -> str:
    """The weeks as inline SVG, each bar with a tooltip, the first and last week named.

    The highest week and the newest whole one bear their numbers, so that the height means something
    to whoever has no pointer to hover with.
    Colours come from the page's stylesheet through the classes ``bar``, ``current``,
    ``running`` and ``unobserved``; without one everything is drawn in the text's colour.
    """
    width = _STEP * max(len(m.weeks), 1)
    told = _told(m)
    drawn = "".join(
        _rect(n, week, high, current=_is_current(m, n), told=n in told)
        for n, (week, high) in enumerate(zip(m.weeks, bars(m, _HEIGHT - _OVER), strict=True))
    )
    return (
        f'<svg class="weeks" viewBox="0 0 {width} {_HEIGHT + _FOOT}" width="{width}" '
        f'height="{_HEIGHT + _FOOT}" role="img" aria-label="{escape(title)}">'
        f"{drawn}"
        f'<path class="baseline" d="M0 {_HEIGHT}.5H{width}" stroke="currentColor" fill="none"/>'
        f"{_axis(m, width)}</svg>"
    )


def _is_current(m: Momentum, n: int) -> bool:
    return m.weeks[n].complete and (n + 1 == len(m.weeks) or not m.weeks[n + 1].complete)


def _told(m: Momentum) -> set[int]:
    """The bars that bear their numbers: the newest whole week, and the first of the highest."""
    whole = [n for n, week in enumerate(m.weeks) if week.complete and week.observed and week.papers]
    highest = max(whole, key=lambda n: m.weeks[n].papers, default=-1)
    return {n for n in whole if n == highest or _is_current(m, n)}


def _rect(n: int, week: Week, high: int, *, current: bool, told: bool) -> str:
    kinds = ["bar"]
    if current:
        kinds.append("current")
    if not week.complete:
        kinds.append("running")
    if not week.observed:
        kinds.append("unobserved")
    hollow = not week.complete or not week.observed
    paint = 'fill="none" stroke="currentColor"' if hollow else 'fill="currentColor"'
    over = (
        f'<text x="{(n + 0.5) * _STEP:g}" y="{_HEIGHT - high - 6}" text-anchor="middle" '
        f'fill="currentColor">{thin(week.papers)}</text>'
    )
    # The unseen full-height rectangle lets a pointer find the tooltip of a very low bar.
    return (
        f'<g class="{" ".join(kinds)}"><title>{escape(tooltip(week))}</title>'
        f'<rect class="reach" x="{n * _STEP}" y="0" width="{_STEP}" height="{_HEIGHT}" '
        f'fill="none" pointer-events="all"/>'
        f'<rect class="mark" x="{n * _STEP + (_STEP - _BAR) / 2:g}" y="{_HEIGHT - high}" '
        f'width="{_BAR}" height="{high}" {paint}/>{over if told else ""}</g>'
    )


def _axis(m: Momentum, width: int) -> str:
    said = axis(m)
    if said is None:
        return ""
    end = _whole(m) * _STEP
    running = (
        f'<text x="{width}" y="{_HEIGHT + 16}" text-anchor="end" fill="currentColor">'
        f"{said.now}</text>"
        if said.now
        else ""
    )
    return (
        f'<text x="0" y="{_HEIGHT + 16}" fill="currentColor">{said.first}</text>'
        f'<text x="{end - (10 if running else 0)}" y="{_HEIGHT + 16}" text-anchor="end" '
        'fill="currentColor">'
        f"{said.newest}</text>{running}"
    )


# ------------------------------------------------------------------ PNG

_INK = {"paper": "#ffffff", "ink": "#1b1f24", "quiet": "#57606a", "line": "#d9dee3",
        "accent": "#0b5cad", "bar": "#b9cbe0"}  # fmt: skip

_WIDE, _HIGH, _EDGE, _TOP, _BASE = 1120, 400, 48, 108, 332


def png(m: Momentum, *, title: str) -> bytes:
    """The weeks as a PNG of 1120 × 400 px on an opaque ground, for Slack.

    The same momentum and title always give the same bytes.
    """
    image = Image.new("RGB", (_WIDE, _HIGH), _INK["paper"])
    draw = ImageDraw.Draw(image)
    draw.text((_EDGE, 36), _fitting(title, _WIDE - 2 * _EDGE), font=_font(36), fill=_INK["ink"])
    _draw_bars(draw, m)
    draw.line([(_EDGE, _BASE), (_WIDE - _EDGE, _BASE)], fill=_INK["line"], width=2)
    _draw_axis(draw, m)
    out = BytesIO()
    image.quantize(64).save(out, "PNG", optimize=True)
    return out.getvalue()


def _draw_bars(draw: ImageDraw.ImageDraw, m: Momentum) -> None:
    step = (_WIDE - 2 * _EDGE) / max(len(m.weeks), 1)
    for n, (week, high) in enumerate(zip(m.weeks, bars(m, _BASE - _TOP - 32), strict=True)):
        left = _EDGE + n * step + step * 0.14
        right = left + step * 0.72
        if high:
            box = (round(left), _BASE - high, round(right), _BASE)
            if week.complete and week.observed:
                draw.rectangle(box, fill=_INK["accent" if _is_current(m, n) else "bar"])
            else:
                draw.rectangle(box, outline=_INK["bar"], width=3)
        draw.text(
            ((left + right) / 2, _BASE - high - 8),
            str(week.papers) if week.observed else "–",
            font=_font(22),
            fill=_INK["ink" if _is_current(m, n) else "quiet"],
            anchor="ms",
        )


def _draw_axis(draw: ImageDraw.ImageDraw, m: Momentum) -> None:
    said = axis(m)
    if said is None:
        return
    end = _EDGE + (_WIDE - 2 * _EDGE) / len(m.weeks) * _whole(m)
    draw.text((_EDGE, _BASE + 14), said.first, font=_font(24), fill=_INK["quiet"])
    draw.text((end, _BASE + 14), said.newest, font=_font(24), fill=_INK["quiet"], anchor="ra")
    if said.now:
        right = (_WIDE - _EDGE, _BASE + 14)
        draw.text(right, said.now, font=_font(24), fill=_INK["quiet"], anchor="ra")


def _fitting(text: str, width: int) -> str:
    if _font(36).getlength(text) <= width:
        return text
    while text and _font(36).getlength(text + "…") > width:
        text = text[:-1]
    return text.rstrip() + "…"


@cache
def _font(size: int) -> ImageFont.ImageFont | ImageFont.FreeTypeFont:
    # Pillow's own typeface travels with it, so that every machine draws the same picture.
    return ImageFont.load_default(size)
