"""Lines on a terminal and in a pipe."""

import io

import pytest
from rich.console import Console
from rich.text import Text

from bot.cli import opening, printing
from bot.cli.layout import put, put_rows
from bot.core.reply import Code, Reply, Strong, TopicCard, line
from bot.digest import Action, Entry, Tag
from bot.model import Momentum, Topic
from tests.makers import paper

LONG = "Segment-level credit assignment for agents that act for many hours"


def screen(width: int) -> Console:
    """A terminal of that width; 0 is a pipe."""
    return Console(
        file=io.StringIO(), width=width or 80, soft_wrap=not width, highlight=False, markup=False
    )


def printed(out: Console) -> list[str]:
    assert isinstance(out.file, io.StringIO)
    return out.file.getvalue().splitlines()


@pytest.mark.parametrize(
    ("words", "hang", "then"),
    [
        (f" 1  {LONG}", None, "    "),
        (f"12  {LONG}", None, "    "),
        (f"    Why: {LONG}", None, "    "),
        (f"papers    {LONG}", 10, " " * 10),
        (LONG, None, ""),
    ],
)
def test_what_does_not_fit_goes_on_below_its_own_text(words, hang, then):
    out = screen(40)
    put(out, Text(words), hang)
    first, *others = printed(out)

    assert words.startswith(first)
    assert others
    assert all(each.startswith(then) and each[len(then)] != " " for each in others)
    assert all(len(each) <= 40 for each in (first, *others))
    assert " ".join(" ".join((first, *others)).split()) == " ".join(words.split())


def test_rows_stand_below_one_another_and_numbers_by_their_last_digit():
    out = screen(60)
    put_rows(
        out,
        [(Text("Tides"), Text("9 papers, up 4 %")), (Text("Lighthouses"), Text("1,019 papers"))],
    )

    assert printed(out) == [
        "Tides            9 papers, up 4 %",
        "Lighthouses  1,019 papers",
    ]


def test_a_name_that_is_too_long_for_the_column_stands_above_what_is_said_of_it():
    out = screen(44)
    put_rows(out, [(Text("Tides"), Text("9 papers")), (Text(LONG[:40]), Text("12 papers"))])

    assert printed(out) == ["Tides   9 papers", LONG[:40].rstrip(), "       12 papers"]


def test_a_pipe_gets_one_thing_a_line_and_nothing_lined_up():
    out = screen(0)
    put(out, Text(f" 1  {LONG}, {LONG}"))
    put_rows(out, [(Text("Tides"), Text("9 papers")), (Text("Lighthouses"), Text("19 papers"))])

    assert printed(out) == [f" 1  {LONG}, {LONG}", "Tides  9 papers", "Lighthouses  19 papers"]


def shown(monkeypatch, reply: Reply, width: int) -> list[str]:
    out = screen(width)
    monkeypatch.setattr(printing, "screen", lambda *, err: out)
    printing.show(reply)
    return printed(out)


def test_a_reply_lines_up_its_rows_and_offers_one_thing_a_line(monkeypatch):
    reply = Reply(
        (line("2 topics."), line(Strong("Tides"), "  9 papers"), line(Code("list"), "  all")),
        buttons=(Action("Daily instead", "digest daily"), Action("Undo", "unfollow tides")),
    )

    assert shown(monkeypatch, reply, 80) == [
        "2 topics.",
        "Tides  9 papers",
        "list   all",
        "Daily instead  digest daily",
        "Undo           unfollow tides",
    ]
    assert shown(monkeypatch, reply, 0)[-1] == (
        "Daily instead: digest daily   Undo: unfollow tides"
    )


def test_what_is_offered_by_its_own_words_is_said_once(monkeypatch):
    follow = Action("follow tides", "follow tides")

    assert (
        shown(monkeypatch, Reply((line("2 topics."),), buttons=(follow,)), 0)[-1] == follow.command
    )


def test_a_card_does_not_name_its_own_topic_beside_every_paper(monkeypatch):
    tides, gulls = Tag("Tides", "tides"), Tag("Gulls", "gulls")
    card = TopicCard(Topic(1, "tides", "Tides", "tide"), (), Momentum((), 0, 0, None, None))
    reply = Reply((line("Tides"),), card=card, papers=(Entry(paper(), (tides, gulls), "", 1.0),))
    [where] = [each for each in shown(monkeypatch, reply, 80) if "Gulls" in each]

    assert "Tides" not in where


@pytest.mark.parametrize("columns", ["0", "", "-1", "wide"])
def test_a_shell_that_says_there_is_no_room_sees_every_line(monkeypatch, capsys, columns):
    monkeypatch.setenv("COLUMNS", columns)
    out = opening.screen()
    put(out, Text(LONG))

    assert out.width == 80
    assert capsys.readouterr().out == f"{LONG}\n"
