"""Follow and unfollow: what is promised in the reply is what comes on Monday."""

from datetime import timedelta

import pytest

from bot.core.pipeline.papers.catalogue import Listed
from bot.core.pipeline.papers.news import begin
from bot.core.reply import Actor
from tests.core.conftest import said
from tests.houses import ADA, CATALOGUE
from tests.makers import paper


def test_the_reply_says_what_it_would_have_brought_and_when_the_digest_comes(world):
    reply = world.say("follow lighthouses")

    assert said(reply).startswith("Following Lighthouses. ")
    assert "Your digest comes Monday 09:00 (UTC) here." in said(reply)
    assert [b.label for b in reply.buttons[:3]] == ["Daily instead", "Only the closest", "Undo"]


def test_the_zone_of_the_door_is_the_zone_of_the_digest(world):
    actor = Actor(ADA, zone="Europe/Berlin")
    reply = world.core.execute(actor, "follow tides")

    assert "Monday 09:00 (Europe/Berlin)" in said(reply)


def test_a_zone_that_is_none_is_passed_over(world):
    reply = world.core.execute(Actor(ADA, zone="Mars/Olympus"), "follow tides")

    assert "Monday 09:00 (UTC)" in said(reply)


def test_a_name_that_ends_with_a_full_stop_gets_no_second(world):
    assert "Following R.A.G. " in world.asks("follow R.A.G.")


def test_an_abbreviation_with_full_stops_leads_to_the_topic_of_the_catalogue(world):
    listed = Listed("rag", "Retrieval of Shells", "…", "Coasts", "shell", ("RAG",))
    world.core.learn_catalogue([*CATALOGUE, listed])

    assert "Following Retrieval of Shells." in world.asks("follow R.A.G.")


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("deep RL", "Deep Reinforcement Learning"),
        ("Deep rl", "Deep Reinforcement Learning"),
        ("deep reinforcement learning", "Deep RL"),
        ("BCIs", "BCI"),
        ("brain-computer interfaces", "BCIs"),
    ],
)
def test_an_abbreviation_and_what_it_stands_for_lead_to_one_topic(world, typed, name):
    world.core.learn_catalogue([*CATALOGUE, Listed("shells", name, "…", "Coasts", "shell")])

    assert f"Following {name}." in world.asks(f"follow {typed}")


def test_another_name_of_a_thing_is_not_taken_for_its_topic(world):
    listed = Listed("shells", "Reinforcement Learning", "…", "Coasts", "shell")
    world.core.learn_catalogue([*CATALOGUE, listed])

    assert "Your own topic" in world.asks("follow policy gradient")


def test_words_of_a_query_are_not_exchanged_for_a_topic(world):
    listed = Listed("shells", "Reinforcement Learning", "…", "Coasts", "shell")
    world.core.learn_catalogue([*CATALOGUE, listed])

    assert "Your own topic" in world.asks('follow "RL"')


@pytest.mark.parametrize("around", ["awesome {}", "best papers on {}", "ICML 2026 Workshop on {}"])
def test_what_stands_around_a_name_leads_to_the_topic_of_the_catalogue(world, around):
    assert "Following Lighthouses." in world.asks(f"follow {around.format('lighthouses')}")


@pytest.mark.parametrize(
    "typed", ["Gezeitenlernen", "l’apprentissage par renforcement", "强化学习"]
)
def test_a_name_of_another_language_leads_to_the_topic_of_the_catalogue(world, typed):
    listed = Listed("rl", "Reinforcement Learning", "…", "Coasts", "reward")
    world.core.learn_catalogue([*CATALOGUE, listed])
    is_known = typed != "Gezeitenlernen"

    assert ("Following Reinforcement Learning." in world.asks(f"follow {typed}")) is is_known


@pytest.mark.parametrize(
    ("typed", "slug"),
    [
        ("强化学习", "reinforcement-learning"),
        ("海洋潮汐", "topic"),
        ("Møller theory", "moller-theory"),
    ],
)
def test_a_topic_in_other_letters_has_the_address_of_its_english_name(world, typed, slug):
    world.say(f"follow {typed}")

    assert [follow.topic.slug for follow in world.store.people.follows(1)] == [slug]


def test_a_kind_of_paper_on_a_topic_brings_only_papers_that_say_so(world):
    world.announce("A survey of the tide", "The tide")
    reply = world.say("follow survey papers on tides")

    assert [entry.paper.title for entry in reply.papers] == ["A survey of the tide"]
    assert "Your own topic, read as (tides) AND (title:(survey OR" in said(reply)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("quant-ph and cond-mat.supr-con", "quant-ph,cond-mat.supr-con"),
     ("hep-th hep-ph", "hep-th,hep-ph"),
     ("new papers in hep-th, gr-qc", "hep-th,gr-qc")],
)  # fmt: skip
def test_categories_in_a_row_are_asked_for_as_such(world, typed, meant):
    reply = world.say(f"follow {typed}")

    assert [button.command for button in reply.buttons] == [f"follow cat:{meant}"]
    assert world.press(reply, "Do that").ok


def test_everything_in_a_category_keeps_what_is_left_out(world):
    reply = world.say("follow everything in cs.DL except surveys")

    assert [b.command for b in reply.buttons] == ["follow cat:cs.DL except surveys"]


def test_nobody_follows_for_an_address(world):
    reply = world.say("follow tides for bea@example.org")

    assert said(reply).startswith("Everybody follows for themselves.")
    assert [b.command for b in reply.buttons] == ["follow tides", "email bea@example.org"]


def test_categories_that_are_read_as_such_are_followed_at_once(world):
    assert world.asks("follow cs.LG and cs.CV").startswith("Following cs.LG and cs.CV")


def test_a_topic_that_brings_nothing_yet_is_not_near_itself(world):
    world.core.learn_catalogue([*CATALOGUE, Listed("ebb", "Ebb of Tides", "…", "Coasts", "ebb")])
    world.announce("A hat")

    assert "No stored paper matches it yet. Near: Ebb of Tides." in world.asks("follow tides")


@pytest.mark.parametrize(
    "name",
    [
        "E. Witten",
        "Grace Hopper",
        "J.-P. Serre",
        "Ingrid van der Berg",
        "Yann LeCun",
        "Mary J. O'Neill",
    ],
)
def test_a_name_as_of_a_person_that_brings_nothing_may_be_an_author(world, name):
    world.announce("A hat")

    assert f'Where it is an author: follow author:"{name}".' in world.asks(f"follow {name}")


@pytest.mark.parametrize("name", ["grace hopper", "UNIVAC", "Tide Tables of FORTRAN"])
def test_other_names_that_bring_nothing_are_no_authors(world, name):
    world.announce("A hat")

    assert "Where it is an author" not in world.asks(f"follow {name}")


def test_following_twice_says_so_and_changes_nothing(world):
    world.say("follow tides")
    reply = world.say("follow Tides")

    assert said(reply).startswith("You already follow Tides.")
    assert len(world.store.people.follows(1)) == 1


def test_papers_shown_in_the_reply_still_come_with_the_digest_if_they_match_later(world):
    old = world.announce("A lighthouse of old")
    reply = world.say("follow lighthouses")
    new = world.announce("A lighthouse, lately")
    world.morning()

    assert [e.paper.arxiv_id for e in reply.papers] == old
    assert world.got() == new


def test_a_preview_shows_the_closest_papers_of_the_last_weeks(world):
    now = world.clock()
    told = ["A lighthouse " + "of stone " * n for n in range(4)]
    old = paper("2609.00001", "Lighthouses, lighthouses", submitted_at=now - timedelta(weeks=9))
    close = world.announce(*told, submitted_at=now - timedelta(weeks=2))
    for _ in range(5):
        world.announce("A coast", abstract="There is a lighthouse.", submitted_at=now)
    world.announce(old)

    shown = [each.paper.arxiv_id for each in world.say("follow lighthouses").papers]

    assert set(close) < set(shown)
    assert old.arxiv_id not in shown


def test_where_few_papers_came_lately_a_preview_shows_the_newest(world):
    old = world.announce("A lighthouse", submitted_at=world.clock() - timedelta(weeks=9))
    new = world.announce("A coast", abstract="There is a lighthouse.")

    shown = [each.paper.arxiv_id for each in world.say("follow lighthouses").papers]

    assert set(shown) == {*old, *new}


@pytest.mark.parametrize(
    ("typed", "topic"),
    [
        ("lighthouses", "Lighthouses"),
        ("Lighthouse", "Lighthouses"),
        ("LIGHTHOUSES", "Lighthouses"),
        ("ebb and flow", "Tides"),
        ("ebb-and-flow", "Tides"),
        ("gulls", "Gulls"),
    ],
)
def test_a_name_or_alias_leads_to_the_catalogue(world, typed, topic):
    assert said(world.say(f"follow {typed}")).startswith(f"Following {topic}.")


@pytest.mark.parametrize(
    "typed",
    [
        "follow follow lighthouses",
        "follow subscribe to lighthouses",
        "follow /papers follow lighthouses",
        "follow @Papers: follow the topic lighthouses",
        "follow papers follow lighthouses",
        "follow /papers lighthouses",
        "/papers follow lighthouses",
        "papers follow lighthouses",
        "Papers: follow lighthouses",
        "/follow lighthouses",
        "!follow lighthouses",
        "@Paperround follow lighthouses",
        "Follow: lighthouses",
        "`follow lighthouses`",
        "*follow lighthouses*",
        "“follow lighthouses”",
    ],
)
def test_a_whole_command_where_a_topic_was_asked_for_means_the_topic(world, typed):
    assert said(world.say(typed)).startswith("Following Lighthouses.")


@pytest.mark.parametrize("name", ["follow the regularized leader", "papers with lighthouses"])
def test_a_name_that_begins_like_one_stays_whole(world, name):
    assert said(world.say(f"follow {name}")).startswith(f"Following {name}.")


def test_the_bare_command_asks_for_help(world):
    assert world.asks("/papers") == world.asks("help")


def test_ending_a_topic_that_is_not_followed_offers_the_query_of_those_words(world):
    world.say('follow "tides"')
    reply = world.say("unfollow tides")

    assert "You don’t follow Tides; nothing changed." in said(reply)
    assert world.press(reply, 'Unfollow "tides"').ok
    assert world.store.people.follows(1) == []


def wishes(world):
    (follow,) = world.store.people.follows(1)
    return (follow.breadth.value, follow.without_words, follow.without_authors)


def test_a_follow_that_stood_already_offers_no_undo(world):
    world.say("follow tides")

    assert "Undo" not in [b.label for b in world.say("follow tides").buttons]


@pytest.mark.parametrize(
    "changed", ["tides, focused", "tides without nothing", 'tides without "a, b"', "tides, broad"]
)
def test_undoing_a_change_of_wishes_brings_the_former_ones_back(world, changed):
    world.say('follow tides without survey, "neap, ebb", author:"Jun Li", focused')
    before = wishes(world)
    reply = world.say(f"follow {changed}")
    if wishes(world) != before:
        world.press(reply, "Undo")

    assert wishes(world) == before
    assert before == ("focused", ("survey", "neap, ebb"), ("Jun Li",))


def test_the_reply_says_what_is_left_out_and_how_that_is_cleared(world):
    world.say('follow tides without survey, author:"Jun Li"')
    kept = world.asks("follow tides")
    changed = world.asks("follow tides without benchmark, focused")
    cleared = world.asks("follow tides without nothing")

    assert "Left out: survey, Jun Li. follow tides without nothing clears that." in kept
    assert "Left out: benchmark." in changed
    assert "No longer left out: survey, Jun Li." in changed
    assert "Breadth: focused. follow tides, balanced is as usual." in changed
    assert "No longer left out: benchmark." in cleared
    assert wishes(world) == ("focused", (), ())


@pytest.mark.parametrize(
    "typed",
    ["tides daily", "tides, weekly", "rock pools daily at 8:30", "tides every monday",
     "tides on mondays and thursdays at 8", "tides, twice a week", "rock pools monthly"],
)  # fmt: skip
def test_when_a_digest_comes_is_no_part_of_a_topic(world, typed):
    reply = world.say(f"follow {typed}")

    assert reply.status == 400
    assert [b.command.partition(" ")[0] for b in reply.buttons] == ["follow", "digest"]
    assert world.store.people.everyone() == []


@pytest.mark.parametrize("words", ["for", "of the", "In", "them", "something"])
def test_a_word_that_stands_in_every_paper_is_no_topic(world, words):
    assert "Every paper says that." in world.asks(f"follow {words}")
    assert not world.store.people.follows(1)


@pytest.mark.parametrize("typed", ["author:", "cat:", "abstract: ", "tides title:"])
def test_a_field_without_its_word_is_refused(world, typed):
    assert "names a field and no word to look for in it" in world.asks(f"follow {typed}")
    assert not world.store.people.follows(1)


@pytest.mark.parametrize(
    "link",
    [
        "http://127.0.0.1:8460/topics/lighthouses",
        "https://papers.example.org/topics/lighthouses?page=2#latest",
        "https://papers.example.org/topics/lighthouses.atom",
        "https://eur02.safelinks.protection.outlook.com/?url=https%3A%2F%2Fpapers.example.org"
        "%2Ftopics%2Flighthouses&data=05%7C02",
    ],
)
def test_a_link_to_the_page_of_a_topic_is_that_topic(world, link):
    assert "Following Lighthouses." in world.asks(f"follow {link}, without survey")
    assert "Lighthouses is muted until" in world.asks(f"mute {link} for 2w")
    assert world.asks(f"topic {link}").startswith("Lighthouses")


def test_a_link_to_the_page_of_a_paper_is_that_paper(world):
    (paper_id,) = world.announce("A lighthouse of shells")
    page = f"https://papers.example.org/papers/{paper_id}"

    assert world.asks(f"save {page}").startswith("Saved “A lighthouse of shells”")
    assert f"like {paper_id}" in world.asks(f"follow {page}")


def test_a_link_to_a_topic_that_nobody_has_stays_a_link(world):
    assert "That is a web address." in world.asks("follow https://github.com/topics/knitting")


@pytest.mark.parametrize(
    "link", ["https://arxiv.org/list/cs.LG/recent", "rss.arxiv.org/atom/cs.lg"]
)
def test_a_list_of_arxivs_is_the_category(world, link):
    assert "follow cat:cs.LG" in world.asks(f"follow {link}")


@pytest.mark.parametrize("text", ["tides in #vision-lab", "tides in #x, focused"])
def test_a_conversation_named_outside_of_slack_is_not_taken_for_a_word(world, text):
    assert "Conversations are Slack’s" in world.asks(f"follow {text}")
    assert not world.store.people.follows(1)


def test_a_bare_undo_offers_what_was_given_up_last(world):
    assert world.asks("undo") == "Undo what? Press Undo beside what you did."
    world.say("follow tides")
    world.say("unfollow tides")
    world.clock.forward(seconds=7200)  # the buttons are out of sight
    world.say("list")
    reply = world.say("undo")

    assert "To follow Tides again: undo unfollow 1" in said(reply)
    assert world.press(reply, "Follow Tides again").ok
    assert [f.topic.slug for f in world.store.people.follows(1)] == ["tides"]


@pytest.mark.parametrize("verb", ["remove", "drop", "delete"])
def test_other_words_for_unfollow(world, verb):
    world.say("follow tides")

    assert "No longer following Tides." in world.asks(f"{verb} tides")


@pytest.mark.parametrize(
    ("typed", "listed"),
    [("cat:hep-th AND strings", "hep-th"), ("cat:astro-ph AND halos", "astro-ph")],
)
def test_what_was_not_read_so_far_is_said_to_be_and_not_that_there_is_nothing(world, typed, listed):
    begin(world.core.house, ["cs.LG"])
    reply = said(world.say(f"follow {typed}"))

    assert f"What arXiv lists in {listed} was not read so far. It is from now on" in reply
    assert "No stored paper" not in reply


def test_where_nothing_tells_the_field_it_is_said_which_are_read(world):
    begin(world.core.house, ["cs.LG", "cs.CL", "stat.ML"])
    world.announce("Another")

    reply = said(world.say("follow spike sorting"))
    assert "Only cs, stat.ML are read so far." in reply
    assert "follow spike sorting cat:q-bio." in reply
    assert "follow (spike OR sorting) cat:q-bio." in said(world.say("follow spike OR sorting"))
    assert "Only cs" not in said(world.say("follow spike sorting cat:cs.LG"))


def test_where_all_of_arxiv_is_read_no_field_is_asked_for(world):
    begin(world.core.house, ["all"])
    world.announce("Another")

    assert "so far" not in said(world.say("follow spike sorting")).partition("\n")[2]


def test_of_what_was_read_nothing_of_the_kind_is_said(world):
    begin(world.core.house, ["cs.LG", "hep-th"])

    assert "was not read so far" not in said(world.say("follow cat:hep-th AND strings"))


@pytest.mark.parametrize("name", ["Verstärkendes Lernen", "강화 학습", "maschinelle Uhrwerke"])
def test_a_name_in_another_language_finds_nothing_and_hears_why(world, name):
    world.announce("The tide")
    heard = said(world.say(f"follow {name}"))

    assert "No stored paper matches it yet." in heard or "no word of three letters" in heard
    assert "arXiv’s papers are in English." in heard
