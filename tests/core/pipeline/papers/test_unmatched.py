"""A paper or topic that makes trouble fails alone, and what it would have brought comes later."""

import re
from datetime import timedelta

import pytest

from bot.matching import Language
from bot.matching.compiled import Compiled
from bot.matching.evidence import seen
from bot.model import Identity
from tests.core.conftest import MONDAY, NEXT_MONDAY, World
from tests.houses import CATALOGUE

BOB = Identity("console", "", "bob")


class Trouble:
    """Stands in for a fault of our own making: a pattern of texts that nothing can judge."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.patch = monkeypatch

    def judging(self, titles: str, *, of: str) -> None:
        """Topics whose query holds `of` raise at papers of such a title."""
        judged, compiled = Compiled.judge, Language.compile

        def compile(language, query, **more):
            made = compiled(language, query, **more)
            made.asks_for = query
            return made

        def judge(topic, paper):
            if of in topic.asks_for and re.search(titles, seen.as_seen(paper).paper.title):
                raise RuntimeError("a fault")
            return judged(topic, paper)

        self.patch.setattr(Compiled, "judge", judge)
        self.patch.setattr(Language, "compile", compile)

    def looking(self, titles: str) -> None:
        """Nobody can so much as read papers of such a title."""
        fold = seen.fold

        def broken(title: str, abstract: str):
            if re.search(titles, title):
                raise RuntimeError("a fault")
            return fold(title, abstract)

        self.patch.setattr(seen, "fold", broken)

    def compiling(self, query: str) -> None:
        """Topics whose query holds these words cannot be made ready."""
        compiled = Language.compile

        def compile(language, text, **more):
            if query in text:
                raise RuntimeError("a fault")
            return compiled(language, text, **more)

        self.patch.setattr(Language, "compile", compile)

    def ends(self) -> None:
        self.patch.undo()


@pytest.fixture
def trouble(monkeypatch) -> Trouble:
    return Trouble(monkeypatch)


@pytest.fixture
def readers(world: World) -> World:
    for topic in ("tides", "gulls"):
        world.say(f"follow {topic}")
    return world


def failures(world: World) -> list[str]:
    return [run.subject for run in world.store.ledger.runs("match")]


def restarted(world: World) -> None:
    """Another version is installed, and compiles all anew."""
    compendium = world.core.house.compendium
    compendium._compiled, compendium._matcher = {}, ("", compendium._matcher[1])


@pytest.mark.parametrize("how", ["one topic", "the paper"])
def test_a_paper_that_cannot_be_matched_stands_in_no_others_way_and_comes_later(
    readers, trouble, how
):
    if how == "the paper":
        trouble.looking("odd")
    else:
        trouble.judging("odd", of="tide")
    odd, *others = readers.announce("An odd tide", "A gull", "The tide")
    readers.morning()
    assert set(readers.got()) == set(others)
    assert failures(readers) == [odd]
    [said] = readers.core.standing().unmatched
    assert said == f"{odd} could not be matched: RuntimeError('a fault')."
    assert said in readers.core.standing().troubles

    trouble.ends()
    readers.clock.forward(hours=7)
    readers.ingest()
    readers.morning(NEXT_MONDAY)
    assert len(readers.got()) == 3
    assert readers.got()[-1] == odd
    assert readers.core.standing().unmatched == ()


def test_a_paper_that_one_topic_cannot_judge_comes_by_another_and_once(readers, trouble):
    trouble.judging("odd", of="tide")
    ids = readers.announce("An odd tide and a gull")
    readers.morning()
    trouble.ends()
    readers.clock.forward(hours=7)
    readers.ingest()
    readers.morning(NEXT_MONDAY)

    assert readers.got() == ids
    assert [each.paper.arxiv_id for each in readers.say("topic tides").papers] == ids


def test_a_paper_of_the_past_that_cannot_be_matched_at_first_is_no_news_later(readers, trouble):
    trouble.looking("odd")
    readers.backfill(readers.paper("An odd tide"))
    trouble.ends()
    readers.clock.forward(hours=7)
    readers.ingest()
    readers.morning()

    assert readers.got() == []
    assert len(readers.say("topic tides").papers) == 1


def test_a_topic_that_cannot_be_made_ready_leaves_the_others_their_papers(readers, trouble):
    trouble.compiling("tide")
    restarted(readers)
    tide, gull = readers.announce("The tide", "A gull")
    readers.morning()
    assert readers.got() == [gull]

    assert readers.core.rematch() is not None, "it is tried"
    assert readers.core.rematch() is None, "and put off"
    assert len(failures(readers)) == 1
    [said] = readers.core.standing().unmatched
    assert said.startswith("“Tides”: it could not be matched")

    trouble.ends()
    restarted(readers)
    readers.clock.forward(hours=7)
    readers.core.rematch()
    readers.morning(NEXT_MONDAY)
    assert readers.got() == [gull, tide]
    assert readers.core.standing().unmatched == ()


def test_of_many_that_cannot_be_matched_a_few_are_named(readers, trouble):
    trouble.looking("odd")
    readers.announce(*(f"An odd tide, part {n}" for n in range(5)))

    *named, rest = readers.core.standing().unmatched
    assert len(named) == 3
    assert rest == "2 papers or topics more could not be matched."


def test_who_begins_to_follow_a_topic_that_was_not_ready_is_told_nothing_older(readers, trouble):
    trouble.compiling("tide")
    restarted(readers)
    readers.backfill(readers.paper("A past tide", submitted_at=MONDAY - timedelta(days=60)))
    (tide,) = readers.announce("The tide")
    trouble.ends()
    restarted(readers)
    readers.say("follow tides", BOB)
    readers.clock.forward(hours=7)
    readers.core.rematch()
    readers.morning()

    assert readers.got() == [tide]
    assert readers.got(BOB) == []


def test_a_topic_whose_past_cannot_be_matched_stands_in_no_others_way(readers, trouble):
    readers.announce("An odd tide", "The tide", "A gull")
    for slug in ("tides", "gulls"):
        readers.store.engine.run("UPDATE topics SET rematch_from = 9 WHERE slug = ?", (slug,))
    trouble.compiling("tide")

    tried = [topic.slug for topic in iter(readers.core.rematch, None)]
    assert sorted(tried) == ["gulls", "tides"]
    assert [t.slug for t in readers.store.topics.stale()] == ["tides"]

    trouble.ends()
    readers.clock.forward(hours=7)
    assert readers.core.rematch().slug == "tides"
    assert readers.store.topics.stale() == []


def test_a_topic_that_cannot_learn_is_tried_the_next_day_and_the_others_learn(readers, monkeypatch):
    learn = Language.learn
    monkeypatch.setattr(Language, "learn", lambda *_, **__: 1 / 0)
    assert readers.core.learn() is not None
    monkeypatch.setattr(Language, "learn", learn)

    assert readers.core.learn() is not None, "the other one"
    assert readers.core.learn() is None
    readers.clock.forward(days=1, seconds=1)
    assert readers.core.learn() is not None
    assert readers.core.learn() is None


# ------------------------------------------------------------ topics that were retired


def test_what_came_while_a_topic_was_retired_is_told_when_its_follow_is_taken_up_again(world):
    world.say("follow gulls")
    left = world.say("unfollow gulls")
    (before,) = world.announce("A gull of before")
    world.core.learn_catalogue(CATALOGUE[:2])
    (meanwhile,) = world.announce("A gull")
    world.press(left, "Undo")
    while world.core.rematch():
        pass
    world.morning()

    assert world.got() == [before, meanwhile]


def test_whoever_follows_a_retired_topic_anew_is_told_nothing_old(world):
    world.say("follow gulls", BOB)
    world.say("unfollow gulls", BOB)
    world.core.learn_catalogue(CATALOGUE[:2])
    world.announce("A gull")
    world.core.learn_catalogue(CATALOGUE)
    world.say("follow gulls")
    while world.core.rematch():
        pass
    world.morning()

    assert world.got() == []


def test_who_takes_a_follow_up_again_after_another_began_one_is_told_what_came_meanwhile(world):
    world.say("follow gulls")
    left = world.say("unfollow gulls")
    world.core.learn_catalogue(CATALOGUE[:2])
    (meanwhile,) = world.announce("A gull")
    world.core.learn_catalogue(CATALOGUE)
    world.say("follow gulls", BOB)
    world.press(left, "Undo")
    while world.core.rematch():
        pass
    world.morning()

    assert world.got() == [meanwhile]
    assert world.got(BOB) == []
