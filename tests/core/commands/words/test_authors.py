"""Names of people: asked about, and followed as authors."""

import pytest

from tests.core.conftest import said


@pytest.fixture
def authored(world):
    by = {"The tide": ("Yang Liu", "Chang Liu"), "Gulls": ("Paul Erdős",), "Sand": ("Jun Li",),
          "Changes": ("Physical Team",), "A physical team": ("Ada Lovelace",)}  # fmt: skip
    world.announce(*(world.paper(title, authors=names) for title, names in by.items()))
    return world


@pytest.mark.parametrize(
    ("typed", "better"),
    [
        ("follow Yang Liu", 'follow author:"Yang Liu"'),
        ("follow chang liu without survey", 'follow author:"Chang Liu" without survey'),
        ("follow papers by Paul Erdos", 'follow author:"Paul Erdős"'),
        ("follow by Ada Lovelace", 'follow author:"Ada Lovelace"'),
        ("papers by Chang Liu", 'follow author:"Chang Liu"'),
        ("follow all papers written by Chang Liu", 'follow author:"Chang Liu"'),
        ("follow everything by Jun Li", 'follow author:"Jun Li"'),
        ("follow Jun Li’s latest papers", 'follow author:"Jun Li"'),
        ("follow papers from Jun Li's group", 'follow author:"Jun Li"'),
        ("follow papers by Jun Li and Yang Liu", 'follow author:"Jun Li" OR author:"Yang Liu"'),
        ("follow Jun Li, yang liu", 'follow author:"Jun Li" OR author:"Yang Liu"'),
        ("follow Jun Li, Mary Q. Nobody", 'follow author:"Jun Li" OR author:"Mary Q. Nobody"'),
        ("mute Yang Liu for 2w", 'mute author:"Yang Liu" for 2w'),
        ("topic Yang Liu", 'follow author:"Yang Liu"'),
    ],
)
def test_an_author_is_offered_by_name(authored, typed, better):
    reply = authored.say(typed)

    assert f"Did you mean {better}?" in said(reply)
    assert reply.buttons[0].command == better
    assert authored.store.people.everyone() == []
    assert authored.say(better).ok


def test_an_authors_name_can_be_insisted_on_as_words(authored):
    authored.press(authored.say("follow papers by Yang Liu"), "The words")

    assert [f.topic.query for f in authored.store.people.follows(1)] == ["Yang AND Liu"]


@pytest.mark.parametrize(
    ("typed", "better"),
    [
        ("author:Jun Li OR Yang Liu", 'author:Jun Li OR author:"Yang Liu"'),
        ('author:"Jun Li" or Yang Liu', 'author:"Jun Li" or author:"Yang Liu"'),
        ("author:Jun Li, Yang Liu", 'author:Jun Li OR author:"Yang Liu"'),
        ("author:Jun Li OR Mary Q. Nobody", 'author:Jun Li OR author:"Mary Q. Nobody"'),
        ("author:Jun Li OR Yang Liu without survey",
         'author:Jun Li OR author:"Yang Liu" without survey'),
    ],
)  # fmt: skip
def test_a_name_beside_an_author_is_asked_about(authored, typed, better):
    reply = authored.say(f"follow {typed}")

    assert f"is read as words here. Did you mean follow {better}?" in said(reply)
    assert authored.store.people.everyone() == []
    assert authored.say(reply.buttons[0].command).ok
    assert authored.press(reply, "The words").ok


@pytest.mark.parametrize("typed", ["author:Jun Li OR sand", "author:Jun Li OR Physical Team"])
def test_words_beside_an_author_that_papers_have_are_words(authored, typed):
    assert "Did you mean" not in authored.asks(f"follow {typed}")


@pytest.mark.parametrize(
    ("typed", "better"),
    [
        ("gulls by Jun Li", 'author:"Jun Li" AND gulls'),
        ("gulls by jun li without survey", 'author:"Jun Li" AND gulls without survey'),
        ("Jun Li gulls", 'author:"Jun Li" AND gulls'),
        ("gulls from Paul Erdos", 'author:"Paul Erdős" AND gulls'),
        ("latest work from Jun Li", 'author:"Jun Li"'),
        ("author Jun Li", 'author:"Jun Li"'),
    ],
)
def test_an_author_beside_other_words_is_offered_with_them(authored, typed, better):
    reply = authored.say(f"follow {typed}")

    assert f"Did you mean follow {better}?" in said(reply)
    assert authored.store.people.everyone() == []
    assert authored.press(reply, reply.buttons[0].label).ok


def test_an_author_whom_some_abstract_names_is_asked_about_all_the_same(authored):
    authored.announce(authored.paper("A shore", abstract="We go on from the sand of Jun Li."))

    assert 'Did you mean follow author:"Jun Li"?' in authored.asks("follow Jun Li")


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("papers by Ingrid Nobody", ["Ingrid Nobody"]),
        ("papers by Liu", ["Yang Liu", "Chang Liu"]),
        ("Nobody, Ingrid", ["Ingrid Nobody"]),
        ("Erdos' papers", ["Paul Erdős"]),
        ("papers by the ATLAS collaboration", ["ATLAS collaboration"]),
        ("the ATLAS Collaboration", ["ATLAS Collaboration"]),
    ],
)
def test_an_author_by_whose_whole_name_nothing_is_stored_is_no_topic(authored, typed, offered):
    reply = authored.say(f"follow {typed}")

    assert "No stored paper is by" in said(reply)
    wanted = [f'follow author:"{name}"' for name in offered]
    assert sorted(b.command for b in reply.buttons) == sorted(wanted)
    assert authored.store.people.everyone() == []
    assert authored.press(reply, reply.buttons[0].label).ok


@pytest.mark.parametrize("typed", ["by " * 900, "papers by " + "Ada " * 900, "papers by !!"])
def test_a_row_of_words_is_no_author(world, typed):
    assert "No stored paper is by" not in world.asks(f"follow {typed}")


@pytest.mark.parametrize(
    "typed", ["papers by my colleagues", "human-AI collaboration", "tide papers"]
)
def test_other_papers_are_a_topic(authored, typed):
    assert "No stored paper is by" not in authored.asks(f"follow {typed}")


def test_whoever_is_named_by_papers_too_is_offered_as_an_author(authored):
    buttons = authored.say("follow Physical Team").buttons

    assert 'follow author:"Physical Team"' in [each.command for each in buttons]


def test_all_papers_of_an_author_are_counted_at_once_however_many_others_there_are(authored):
    authored.announce(*(f"Sea and weather {number}" for number in range(4_500)))
    reply = authored.say("follow author:Jun Li")

    assert [e.paper.title for e in reply.papers] == ["Sand"]
    assert "still being counted" not in said(reply)


def test_a_name_that_papers_have_as_words_is_a_topic(authored):
    assert "Did you mean" not in authored.asks("follow Physical Team")


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ('author:"Erdos"', 'follow author:"Paul Erdős"'),
        ("author:P. Erdős", 'follow author:"Paul Erdős"'),
        ("author:J. Li", 'follow author:"Jun Li"'),
        ("au:Li_J", 'follow author:"Jun Li"'),
        ("gulls AND author:Y Liu", 'follow author:"Yang Liu"'),
        ("author:Yang Liu gulls", 'follow author:"Yang Liu"'),
    ],
)
def test_where_nobody_has_a_name_others_of_that_name_are_offered(authored, typed, offered):
    reply = authored.say(f"follow {typed}")

    assert f"No stored paper is by anybody of that whole name. There is {offered}" in said(reply)
    assert offered in [b.command for b in reply.buttons]
    assert "Near:" not in said(reply)


@pytest.mark.parametrize("typed", ["author:Björn Köhler", "author:Koehler, Björn"])
def test_an_author_who_signs_in_two_ways_is_followed_in_both(authored, typed):
    authored.announce(
        authored.paper("Dunes", authors=("Bjoern Koehler",)),
        authored.paper("Dikes", authors=("Björn Köhler",)),
    )
    reply = authored.say(f"follow {typed}")

    assert {e.paper.title for e in reply.papers} == {"Dunes", "Dikes"}
    assert "Did you mean" not in said(reply)


@pytest.mark.parametrize("typed", ["author:Jun Li", "author:Li, Jun", "sand, author:Jun Li"])
def test_an_author_is_followed_by_the_whole_name_without_quotes(authored, typed):
    reply = authored.say(f"follow {typed}")

    assert [e.paper.title for e in reply.papers] == ["Sand"]
