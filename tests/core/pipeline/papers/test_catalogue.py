"""The catalogue of files in the store: learnt, changed, retired, never in anybody's way."""

from contextlib import contextmanager
from dataclasses import replace

from bot.core.pipeline.papers.catalogue import Listed
from bot.matching import Language
from tests.core.conftest import said
from tests.houses import CATALOGUE


def learn(world, *listed: Listed) -> int:
    return world.core.learn_catalogue(list(listed))


def test_learning_the_same_again_changes_nothing(world):
    stamp = world.store.topics.stamp()

    assert learn(world, *CATALOGUE) == 0
    assert world.store.topics.stamp() == stamp


def test_what_was_learnt_of_the_same_files_is_not_read_again(world):
    world.core.keep_up(lambda: CATALOGUE, "of monday")
    world.core.keep_up(list, "of monday")
    assert world.say("topic gulls").ok

    world.core.keep_up(lambda: CATALOGUE[:2], "of tuesday")
    assert world.say("topic gulls").status == 404


def test_files_without_a_mark_are_always_read(world):
    world.core.keep_up(lambda: CATALOGUE, "of monday")
    world.core.keep_up(lambda: CATALOGUE[:2])
    assert world.say("topic gulls").status == 404

    world.core.keep_up(lambda: CATALOGUE, "of monday")
    assert world.say("topic gulls").ok


def test_a_topic_that_stays_for_its_followers_goes_once_they_have_left(world):
    world.say("follow gulls")
    world.core.keep_up(lambda: CATALOGUE[:2], "of monday")
    world.say("unfollow gulls")
    world.core.keep_up(lambda: CATALOGUE[:2], "of monday")

    assert world.say("topic gulls").status == 404


def test_a_changed_query_tells_nobody_of_old_papers(world):
    world.say("follow tides")
    world.announce("The moon")
    learn(world, *CATALOGUE[:1], Listed("tides", "Tides", "…", "Coasts", '"tide" OR moon'))
    while world.core.rematch():
        pass
    new = world.announce("The moon again")
    world.morning()

    assert world.got() == new
    assert len(world.say("topic tides").papers) == 2


def test_a_topic_that_is_listed_no_more_is_shown_no_more(world):
    learn(world, *CATALOGUE[:2])

    assert world.say("topic gulls").status == 404
    assert world.asks("topics").startswith("2 topics, ")


def test_one_that_somebody_follows_stays(world):
    world.say("follow gulls")
    learn(world, *CATALOGUE[:2])
    ids = world.announce("A gull")
    world.morning()

    assert world.got() == ids


def test_a_renamed_topic_keeps_its_old_slug_as_a_name(world):
    renamed = Listed("sea-birds", "Sea Birds", "…", "Coasts", '"gull"', ("gulls",))
    learn(world, *CATALOGUE[:2], renamed)

    assert said(world.say("follow gulls")).startswith("Following Sea Birds.")
    assert said(world.say("follow Gull")).startswith("You already follow Sea Birds.")


def test_an_alias_that_is_listed_no_more_leads_nowhere(world):
    learn(world, *CATALOGUE[:1], replace(CATALOGUE[1], aliases=()), CATALOGUE[2])

    assert world.say("topic ebb and flow").status == 404
    assert world.say("topic tides").ok


def test_an_alias_may_move_from_one_topic_to_another(world):
    tides = replace(CATALOGUE[1], aliases=())
    learn(world, CATALOGUE[0], tides, replace(CATALOGUE[2], aliases=("ebb and flow",)))

    assert said(world.say("follow ebb and flow")).startswith("Following Gulls.")


def test_a_topic_that_is_listed_again_is_back(world):
    learn(world, *CATALOGUE[:2])
    learn(world, *CATALOGUE)

    assert said(world.say("follow gulls")).startswith("Following Gulls.")


def test_back_it_knows_the_papers_that_came_meanwhile(world):
    learn(world, *CATALOGUE[:2])
    ids = world.announce("A gull")
    learn(world, *CATALOGUE)
    while world.core.rematch():
        pass

    assert [each.paper.arxiv_id for each in world.say("topic gulls").papers] == ids


def test_taken_up_again_by_undo_its_papers_come(world):
    """Nobody else followed it, so an upgrade that lists it no more had retired it."""
    world.say("follow gulls")
    left = world.say("unfollow gulls")
    learn(world, *CATALOGUE[:2])
    world.press(left, "Undo")
    ids = world.announce("A gull")
    world.morning()

    assert world.got() == ids
    assert world.say("topic gulls").ok


def test_a_follow_of_one_that_was_retired_under_it_is_heard_again_after_a_start(world):
    world.say("follow gulls")
    world.store.engine.run("UPDATE topics SET retired_at = 1 WHERE slug = 'gulls'")
    learn(world, *CATALOGUE[:2])
    ids = world.announce("A gull")
    world.morning()

    assert world.got() == ids


def test_a_query_that_cannot_be_read_is_left_out_and_the_others_go_on(world):
    learn(
        world,
        *CATALOGUE,
        Listed("bad", "Bad", "…", "Coasts", "((("),
        Listed("crabs", "Crabs", "…", "Coasts", "crab*"),
    )

    assert world.say("topic bad").status == 404
    assert world.say("topic crabs").ok


def test_a_topic_made_before_the_catalogue_had_it_stays_its_makers(world):
    world.say("follow rock pools")
    (before,) = world.store.people.follows(1)
    learn(world, *CATALOGUE, Listed("rock-pools-at-sea", "Rock Pools", "…", "Coasts", "crab*"))

    assert world.store.people.follows(1)[0].topic.query == before.topic.query
    assert said(world.say("follow rock pools")).startswith("You already follow rock pools.")


@contextmanager
def before_any_word_was_learnt(world):
    """The house as it was when the thesaurus was empty."""
    house = world.core.house
    world.core.house = replace(house, language=Language({}))
    yield
    world.core.house = house


def test_a_followed_name_is_read_anew_when_words_are_learnt(world):
    with before_any_word_was_learnt(world):
        world.say("follow mixture of experts")
        old = world.announce("A sparse expert of the tides")

    assert world.core.read_anew() == 1
    assert world.core.read_anew() == 0
    while world.core.rematch():
        pass
    new = world.announce("Another sparse expert of the tides")
    world.morning()

    assert world.got() == new
    shown = world.say("topic mixture of experts").papers
    assert {e.paper.arxiv_id for e in shown} == {*old, *new}


def test_an_edited_query_and_one_typed_as_such_stay_as_they_are(world):
    with before_any_word_was_learnt(world):
        world.say("follow RL for tide pools")
        world.say("edit RL for tide pools: crab*")
        world.say('follow "RL" AND tide')
    (_, typed) = world.store.people.follows(1)
    world.store.topics.put(replace(typed.topic, derived=True), {}, world.clock())

    assert world.core.read_anew() == 0
