"""Momentum as a picture."""

from datetime import date, timedelta
from io import BytesIO
from xml.etree import ElementTree

from PIL import Image

from bot import charts
from bot.model import Momentum, Week

FIRST = date(2026, 7, 13)


def weeks(*papers: int, running: int | None = 11, unobserved: int = 0) -> Momentum:
    """Complete weeks from FIRST on, the first `unobserved` of them unread, and a running one."""
    made = [
        Week(FIRST + timedelta(weeks=n), count, 2500, observed=n >= unobserved)
        for n, count in enumerate(papers)
    ]
    if running is not None:
        monday = FIRST + timedelta(weeks=len(papers))
        made.append(Week(monday, running, 900, complete=False))
    return Momentum(tuple(made), sum(papers[-4:]), sum(papers[-8:-4]), None, None)


RISING = weeks(4, 5, 6, 5, 7, 7, 8, 9, 11, 14, 17, 19)


def test_sparkline_rises():
    assert charts.sparkline(RISING) == "▂▃▃▃▄▄▄▄▅▆▇█"


def test_sparkline_of_nothing_lies_flat():
    assert charts.sparkline(weeks(*[0] * 12)) == "▁" * 12


def test_sparkline_dots_what_nobody_read():
    assert charts.sparkline(weeks(*[5] * 12, unobserved=3)) == "···█████████"


def test_a_line_of_weeks_says_where_it_begins_and_ends():
    assert charts.weeks_line(RISING) == "▂▃▃▃▄▄▄▄▅▆▇█  13 Jul – 28 Sep"


def test_no_line_is_drawn_before_a_whole_week_was_read():
    assert charts.weeks_line(weeks(*[0] * 11, 7, unobserved=12)) == ""


def test_bars_end_at_the_height_asked_for():
    heights = charts.bars(weeks(0, 1, 1000, 500), 40)

    assert heights == (0, 1, 40, 20, 1)


def test_svg_names_the_first_and_the_last_week():
    drawing = charts.svg(RISING, title="Papers a week")

    assert ">13 Jul<" in drawing
    assert ">Week of 28 Sep<" in drawing


def said(m: Momentum) -> list[str | None]:
    drawn = ElementTree.fromstring(charts.svg(m, title="Papers a week"))
    return [element.text for element in drawn.iter("text")]


def test_svg_numbers_its_highest_week_and_the_newest_whole_one():
    assert said(weeks(4, 31, 6, 1_019)) == ["1\u2009019", "13 Jul", "Week of 3 Aug", "now"]
    assert said(weeks(4, 31, 6, 31, 19))[:2] == ["31", "19"]


def test_svg_numbers_no_week_without_papers_or_unread():
    assert said(weeks(*[0] * 4)) == ["13 Jul", "Week of 3 Aug", "now"]
    assert said(weeks(9, 5, unobserved=1))[:1] == ["5"]


def test_svg_has_a_tooltip_a_bar():
    tooltips = [
        element.text
        for element in ElementTree.fromstring(charts.svg(RISING, title="Papers a week")).iter(
            "title"
        )
    ]

    assert len(tooltips) == 13
    assert tooltips[-2] == "Week of 28 Sep: 19 papers of 2,500"
    assert tooltips[-1] == "Week of 5 Oct: 11 papers of 900 so far"


def test_svg_marks_running_and_unobserved_weeks():
    drawing = charts.svg(weeks(3, 4, 5, unobserved=1), title="Papers a week")

    assert drawing.count('class="bar unobserved"') == 1
    assert drawing.count('class="bar current"') == 1
    assert drawing.count('class="bar running"') == 1
    assert "not observed in full" in drawing


def test_svg_escapes_its_title_and_holds_no_style():
    drawing = charts.svg(RISING, title='"><script>')

    assert ElementTree.fromstring(drawing).get("aria-label") == '"><script>'
    assert "style" not in drawing


def test_svg_of_no_weeks_is_still_a_picture():
    assert ElementTree.fromstring(charts.svg(Momentum((), 0, 0, None, None), title="Nothing yet"))


def test_png_is_opaque_and_always_the_same():
    first = charts.png(RISING, title="RL for LLM Agents")
    image = Image.open(BytesIO(first))

    assert charts.png(RISING, title="RL for LLM Agents") == first
    assert image.size == (1120, 400)
    assert "A" not in image.convert("RGB").mode
    assert image.convert("RGB").getpixel((2, 2)) == (255, 255, 255)
    assert len(first) < 30_000


def test_png_bears_a_very_long_title_and_no_weeks():
    assert charts.png(Momentum((), 0, 0, None, None), title="A title " * 60)
