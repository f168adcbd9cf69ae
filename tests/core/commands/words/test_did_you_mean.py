"""What was perhaps meant, where the words as they are typed bring nothing."""

import pytest

from bot.core.pipeline.papers.catalogue import Listed
from tests.core.conftest import BEA, said
from tests.houses import CATALOGUE


@pytest.mark.parametrize(
    ("typed", "better"),
    [
        ("cs.LG", "follow cat:cs.LG"),
        ("math.pr", "follow cat:math.PR"),
        ("hep-th", "follow cat:hep-th"),
        ("cs.LG papers", "follow cat:cs.LG"),
        ("new papers in cs.LG", "follow cat:cs.LG"),
        ("2608.20314", "like 2608.20314"),
        ("https://arxiv.org/abs/2608.20314v2", "like 2608.20314"),
        ("papers citing 2608.20314", "like 2608.20314"),
        ("arXiv:2608.20314, 2608.20315", "like 2608.20314 2608.20315"),
    ],
)
def test_a_category_or_a_paper_is_no_name_of_a_topic(world, typed, better):
    world.announce("Strings", categories=("hep-th",))
    reply = world.say(f"follow {typed}")

    assert better in said(reply)
    assert reply.buttons[0].command == better
    assert world.store.people.everyone() == []


@pytest.mark.parametrize(
    ("typed", "complaint", "better"),
    [
        ("follow tide cat:cs.CLL", "is no category of arXiv.", "follow tide cat:cs.CL"),
        ("follow NOT gulls", "only excludes", "follow agents NOT survey"),
        ("follow comment:ICML", "is no field", "follow all:ICML"),
    ],
)
def test_a_query_that_could_bring_nothing_is_refused_with_a_better_one(
    world, typed, complaint, better
):
    reply = world.say(typed)

    assert not reply.ok
    assert complaint in said(reply)
    assert said(reply).endswith(better)
    assert world.store.people.everyone() == []


@pytest.mark.parametrize("query", ["title: tide", "cat:cs.LG,cs.AI", 'author:"Jun Li"'])
def test_a_followed_query_is_edited_by_its_name_though_that_holds_colons(world, query):
    world.say(f"follow {query}")

    assert "is read as title:tide AND moon from now on." in world.asks(
        f"edit {query}: title:tide AND moon"
    )


def test_an_edited_query_must_name_categories_that_there_are(world):
    world.say("follow rock pools")

    assert "For example: rock AND cat:cs.CL" in world.asks("edit rock pools: rock AND cat:cs.CLL")


def test_a_category_among_words_is_looked_up_as_one(world):
    world.say("follow tides in cs.CV")
    (heard, _) = world.announce(
        world.paper("The tide", categories=("cs.CV",)), world.paper("A tide", categories=("cs.LG",))
    )
    world.morning()

    assert world.got() == [heard]


def test_a_name_of_single_letters_is_asked_about_and_can_be_insisted_on(world):
    asked = world.say("follow AT&T")

    assert "holds no word of three letters" in said(asked)
    assert world.asks("list") == world.asks("list", BEA)
    followed = world.press(asked, "Follow it as it stands")
    assert said(followed).startswith('Following "AT&T".')


def test_a_misspelt_name_is_asked_about_and_can_be_insisted_on(world):
    world.announce("Reinforcement learning of gull calls")
    reply = world.say("follow reinforcment lerning without survey, focused")

    assert "Did you mean follow reinforcement learning without survey, focused?" in said(reply)
    assert world.store.people.everyone() == []
    world.press(reply, "As I wrote it")
    assert [f.topic.query for f in world.store.people.follows(1)] == ['"reinforcment" "lerning"']


def test_a_slip_that_some_paper_has_too_is_asked_about(world):
    world.announce(*(f"Learning {number}" for number in range(200)), "Lerning by doing")

    asked = world.asks("follow lerning by example")
    assert "Hardly any stored paper has these words so." in asked
    assert "Did you mean follow learning by example?" in asked
    assert world.say('follow "lerning" by example').ok


def test_half_a_correction_is_not_offered(world):
    world.announce("Intelligent gulls")

    assert world.say("follow Künstliche Intelligenz").ok


@pytest.mark.parametrize(
    "typed",
    [
        "everything", "all", "all papers", "every paper", "new papers", "all the topics",
        "any topic", "all of arXiv", "everything on arXiv", "arXiv",
    ],
)  # fmt: skip
def test_nobody_follows_every_paper_by_a_word(world, typed):
    assert "That would be every paper." in world.asks(f"follow {typed}")
    assert world.store.people.everyone() == []


@pytest.mark.parametrize("typed", ["mute all", "unfollow tides", "unsubscribe from tides"])
def test_another_request_is_no_topic(world, typed):
    reply = world.say(f"follow {typed}")

    assert said(reply) == f"That is a request of its own. Did you mean {typed}?"
    assert [b.command for b in reply.buttons] == [typed, f'follow "{typed}"']


@pytest.mark.parametrize("typed", ["cs.LG and cs.CV", "cs.LG or cs.CV", "cs.LG, cs.CV"])
def test_categories_side_by_side_are_either(world, typed):
    heard = world.announce(*(world.paper(each, categories=(each,)) for each in ("cs.LG", "cs.CV")))
    world.announce(world.paper("Another", categories=("cs.RO",)))

    assert len(world.say(f"follow {typed}").papers) == len(heard)


@pytest.mark.parametrize(
    "typed", ["papers on tides", "everything about tides", "all the latest research about tides"]
)
def test_what_is_said_of_any_topic_is_no_part_of_one(world, typed):
    assert world.asks(f"follow {typed}").startswith("Following Tides.")


def test_a_misspelt_name_of_the_catalogue_leads_to_it(world):
    world.announce("A gradient", "Diffusion")
    learned = Listed("gradients", "Gradient Diffusion", "…", "Coasts", "gradient")
    world.core.learn_catalogue([*CATALOGUE, learned])

    assert "Did you mean follow Gradient Diffusion?" in world.asks("follow gradeint difusion")


def test_of_two_words_as_near_the_more_usual_is_offered(world):
    world.announce("Leaning towers, and learning")

    assert "Did you mean follow deep learning?" in world.asks("follow deep lerning")


@pytest.mark.parametrize("typed", ["RuCl surfaces", r"$\alpha$-RuCl$_3$"])
def test_a_word_with_capitals_inside_is_not_taken_for_a_slip(world, typed):
    world.announce("RUL surfaces")

    assert world.say(f"follow {typed}").ok


def test_a_name_typed_in_latex_is_read_as_letters(world):
    world.say(r"follow $\alpha$-RuCl$_3$")

    assert [f.topic.name for f in world.store.people.follows(1)] == ["α-RuCl₃"]


@pytest.mark.parametrize("typed", ["reinforcement lerning", "Zorblax fields", "lerning"])
def test_words_that_papers_print_or_that_are_like_none_are_taken_as_they_are(world, typed):
    world.announce("Reinforcement learning, lerning in Old English")

    assert world.say(f"follow {typed}").ok
