"""Silence is kept, counted, and ends when it was said to end."""

from datetime import UTC, datetime, timedelta

import pytest

from bot.model import FOREVER
from bot.store import Scored
from tests.core.conftest import MONDAY, NEXT_MONDAY, said


@pytest.mark.parametrize("typed", ["mute quokkas for 2w", "ignore papers about quokkas for 2w"])
def test_words_that_are_no_topic_may_be_muted_as_such(world, typed):
    reply = world.say(typed)

    assert 'no paper with these words: mute "quokkas" for 2w.' in said(reply)
    world.press(reply, reply.buttons[0].label)
    assert "“quokkas”" in world.asks("list") or world.store.people.mutes(1)


# -------------------------------------------------------------- what is said


def test_a_mute_says_its_end_what_goes_on_and_when_the_next_digest_comes(follower):
    reply = follower.say("mute tides for 2w")

    assert said(reply).splitlines() == [
        "Tides is muted until Tue 8 Dec. The other 2 topics go on.",
        "The next digest comes Mon 30 Nov 09:00.",
    ]
    assert [b.label for b in reply.buttons] == ["Unmute"]


@pytest.mark.parametrize(
    ("typed", "until"),
    [
        ("mute tides for 7d", datetime(2026, 12, 1, 7, tzinfo=UTC)),
        ("mute tides 7d", datetime(2026, 12, 1, 7, tzinfo=UTC)),
        ("mute tides for a month", datetime(2026, 12, 24, 7, tzinfo=UTC)),
        ("mute tides until 14 Dec", datetime(2026, 12, 14, tzinfo=UTC)),
        ("snooze ebb and flow till friday", datetime(2026, 11, 27, tzinfo=UTC)),
        ("mute tides", FOREVER),
        ("mute tides forever", FOREVER),
        ("mute tides two weeks", datetime(2026, 12, 8, 7, tzinfo=UTC)),
        ("mute tides til friday", datetime(2026, 11, 27, tzinfo=UTC)),
        ("mute tides (2 hours)", datetime(2026, 11, 24, 9, tzinfo=UTC)),
        ("mute tides this week", datetime(2026, 11, 30, tzinfo=UTC)),
        ("mute tides over the weekend", datetime(2026, 11, 30, tzinfo=UTC)),
        ("mute tides until 5pm", datetime(2026, 11, 24, 17, tzinfo=UTC)),
    ],
)
def test_the_time_is_read_from_the_right(follower, typed, until):
    assert follower.say(typed).ok

    assert follower.store.people.follows(1)[0].muted_until == until


def test_an_end_far_away_is_said_with_its_year(follower):
    far = "Tides is muted until Wed 24 Nov 2027."

    assert follower.asks("mute tides for 1 year").startswith(far)
    assert "muted until Wed 24 Nov 2027" in follower.asks("list")
    assert follower.digest().muted == ("muted until Wed 24 Nov 2027: Tides",)
    assert "until Thu 14 Jan." in follower.asks("mute gulls until 14 Jan")


def test_an_end_that_is_near_is_said_with_its_hour(follower):
    assert follower.asks("mute tides for 2h").startswith("Tides is muted until Tue 24 Nov 09:00.")
    friday = "muted until Fri 27 Nov 17:00"
    assert follower.asks("mute tides until fri 5pm").startswith(f"Tides is {friday}.")
    assert friday in follower.asks("list")
    assert follower.digest().muted == (f"{friday}: Tides",)
    assert "until Wed 25 Nov." in follower.asks("mute gulls until tomorrow")


@pytest.mark.parametrize("typed", ["mute for 2w", "mute 2w", "mute this week", "mute for"])
def test_who_says_only_how_long_is_asked_what(follower, typed):
    follower.say("follow buoys for sailors")

    assert follower.asks(typed).startswith("What shall be silent?")
    assert all(each.muted_until is None for each in follower.store.people.follows(1))


@pytest.mark.parametrize(
    "typed", ["mute i", "mute house", "mute gull s", "unfollow ight", "mute of"]
)
def test_a_piece_of_a_word_is_no_shortened_name(follower, typed):
    assert follower.say(typed).status == 404
    assert [each.muted_until for each in follower.store.people.follows(1)] == [None] * 3


def test_a_whole_word_is_a_shortened_name(follower):
    follower.say("follow buoys for sailors")

    assert follower.asks("mute sailors for 2d").startswith("buoys for sailors is muted")


def test_a_day_that_has_just_passed_is_a_slip_and_not_a_year_of_silence(follower):
    reply = follower.say("mute tides until 24 Nov")

    assert said(reply) == (
        "“until 24 Nov” has already passed; name a day from tomorrow on, or write until 24 Nov 2027"
    )
    assert follower.store.people.follows(1)[0].muted_until is None


def test_for_belongs_to_the_name_where_it_is_no_time(follower):
    follower.say("follow buoys for sailors")
    follower.say("mute buoys for sailors for 7d")

    last = follower.store.people.follows(1)[-1]
    assert (last.topic.name, last.muted_until) == (
        "buoys for sailors",
        datetime(2026, 12, 1, 7, tzinfo=UTC),
    )


@pytest.mark.parametrize(
    ("typed", "complaint"),
    [
        ("mute tides for 0d", "“for 0d” is no time at all"),
        ("mute tides for -3d", "no time at all"),
        ("mute tides until 31 Feb", "“until 31 Feb” is not a day; February has 28"),
        ("mute x for 0d", "“for 0d” is no time at all"),
        ("mute x until 31 Feb", "is not a day"),
        ("mute tides until 2020-01-01", "has already passed"),
        ("mute tides for 99999d", "too long"),
        ("mute", "What shall be silent?"),
    ],
)
def test_a_time_that_is_none_is_refused_and_nothing_is_muted(follower, typed, complaint):
    reply = follower.say(typed)

    assert reply.status == 400
    assert complaint in said(reply)
    assert not any(f.muted_until for f in follower.store.people.follows(1))


def test_what_is_not_followed_cannot_be_muted(world):
    reply = world.say("mute tides")

    assert "You don’t follow Tides" in said(reply)
    assert [b.command for b in reply.buttons] == ["follow tides"]


@pytest.mark.parametrize(
    ("typed", "what"),
    [
        ('mute author:"Jun Li" for 2w', "The author Jun Li"),
        ("mute author:Jun Li for 2w", "The author Jun Li"),
        ("mute author:Jun Li 2w", "The author Jun Li"),
        ("mute cat:cs.cv for 2w", "The category cs.CV"),
        ('mute category:"CS.*" 2w', "The category cs"),
        ('mute "for two weeks" for 2w', "“for two weeks”"),
        ("mute all for 2w", "Everything"),
    ],
)
def test_authors_categories_phrases_and_everything(world, typed, what):
    assert world.asks(typed).splitlines()[0] == f"{what} is muted until Tue 8 Dec."


def test_a_phrase_that_looks_like_a_time_is_a_phrase(world):
    assert world.asks('mute "valid until 31 Feb"').startswith("“valid until 31 Feb” is muted until")


@pytest.mark.parametrize("what", ["tides", "all"])
def test_a_mute_that_no_digest_falls_into_says_so(follower, what):
    reply = follower.say(f"mute {what} for 5d")

    assert said(reply).splitlines()[1] == (
        "No digest comes before that, so nothing is kept back: the next one comes Mon 30 Nov 09:00."
    )
    follower.press(reply, "Keep it out of that one")
    follower.announce("The tide")
    follower.morning()
    assert follower.got() == []


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("pause", "mute all"),
        ("pause for 2 weeks", "mute all for 2 weeks"),
        ("Vacation until 14 Dec", "mute all until 14 Dec"),
        ("quiet 2w", "mute all 2w"),
        ("pause tides for 2w", "mute tides for 2w"),
        ("digest pause until 14 Dec", "mute all until 14 Dec"),
        ("digest snooze for 2w", "mute all for 2w"),
    ],
)
def test_people_who_go_away_are_understood(follower, typed, meant):
    assert follower.asks(typed) == follower.asks(meant)


# -------------------------------------------------------------- what comes


def test_what_a_mute_withheld_is_counted_and_never_comes(follower):
    follower.say("mute tides until 2026-12-01")
    passed = follower.announce("The tide", "Another tide")
    gull = follower.announce("A gull")
    follower.morning()
    new = follower.announce("The tide is back")
    back = follower.digest()
    follower.morning(NEXT_MONDAY)
    follower.announce("One more tide")
    follower.morning(NEXT_MONDAY + timedelta(days=7))

    assert back.notes == ("No new paper so far on Gulls and Lighthouses.",)  # the mute holds still
    assert not set(passed) & set(follower.got())
    assert follower.got()[:2] == [*gull, *new]


def test_the_first_digest_after_a_mute_says_how_many_passed_once(follower):
    follower.say("mute tides until 2026-12-01")
    follower.announce("The tide", "Another tide", "A gull")
    follower.morning()
    follower.clock.set(NEXT_MONDAY)
    follower.announce("The tide is back")

    assert follower.digest().notes == ("Tides is back. 2 passed while it was muted.",)
    follower.morning(NEXT_MONDAY)
    follower.announce("One more gull")
    assert follower.digest().notes == ()


def test_a_digest_composed_anew_says_it_again(follower):
    follower.say("mute tides until 2026-12-01")
    follower.announce("The tide", "A gull")
    follower.morning()
    follower.clock.set(NEXT_MONDAY)
    follower.announce("The tide is back", "A gull too")
    follower.prepare()
    follower.say("mute gulls")
    follower.deliver()

    gulls = follower.store.topics.by_slug("gulls")
    assert [each.topic_id for each in follower.store.outbox.passed(1)] == [gulls.id]
    assert follower.states() == ["sent", "skipped", "sent"]
    said_in = follower.store.engine.value("SELECT said FROM withheld ORDER BY number LIMIT 1")
    assert said_in == 3


def test_muted_papers_by_an_author_make_no_topic_come_back(follower):
    """An author is silent, the topic never was: there is nothing to be back."""
    follower.say('mute author:"Jun Li"')
    hushed = follower.announce("The tide by Jun Li", authors=("Jun Li", "Ada Lovelace"))
    heard = follower.announce("The tide by Jun Lin", authors=("Jun Lin",))
    follower.morning()
    follower.announce("Another tide")

    assert follower.got() == heard
    assert follower.digest().notes == ()
    assert follower.store.outbox.withheld_why(1, 1)[0].why == (
        "the author Jun Li was muted without an end"
    )
    assert hushed == ["2611.00001"]


def test_mute_beats_follow_but_a_paper_of_a_topic_that_is_heard_comes(follower):
    follower.say("mute tides")
    both = follower.announce("Gulls at the tide")
    only = follower.announce("The tide")
    follower.morning()

    assert follower.got() == both
    assert only[0] not in follower.got()


def test_a_paper_that_comes_in_spite_of_a_mute_does_not_name_the_muted_topic(follower):
    follower.say("mute tides until 2026-12-24")
    follower.announce("Gulls at the tide")
    digest = follower.digest()

    assert [tag.name for tag in digest.entries[0].tags] == ["Gulls"]
    assert digest.muted == ("muted until Thu 24 Dec: Tides",)


def test_a_general_mute_beats_every_topic(follower):
    follower.say("mute cat:CS.lg")
    follower.announce("Gulls at the tide", categories=("cs.CV", "cs.LG"))
    heard = follower.announce("The tide", categories=("cs.CV",))
    follower.morning()

    assert follower.got() == heard
    assert follower.digest().muted == ("muted without an end: the category cs.LG",)


@pytest.mark.parametrize("typed", ["cs", "CS", "cs.*", "cs*", '"cs"'])
def test_an_archive_is_muted_with_all_its_classes_as_a_query_reads_it(follower, typed):
    follower.say(f"mute cat:{typed}")
    follower.announce("Gulls at the tide", categories=("math.ST", "cs.LG"))
    heard = follower.announce("The tide", categories=("math.ST",))
    follower.morning()

    assert follower.got() == heard


def test_a_category_is_one_silence_however_it_is_typed(follower):
    follower.say("mute cat:cs.lg")
    follower.say("mute cat:CS.LG for 2w")

    (mute,) = follower.store.people.mutes(1)
    assert (mute.value, mute.until) == ("cs.LG", MONDAY.replace(day=8, month=12, hour=7))
    assert follower.asks("unmute cat:Cs.Lg").startswith("The category cs.LG is heard again")


@pytest.mark.parametrize(
    ("typed", "complaint", "offered"),
    [
        (
            "mute cat:cs.CLL for 2w",
            "arXiv has no category cs.CLL. Did you mean mute cat:cs.CL for 2w?",
            ["mute cat:cs.CL for 2w"],
        ),
        ("mute cat:LG", "Did you mean mute cat:cs.LG?", ["mute cat:cs.LG"]),
        ("mute cat:css", "Did you mean mute cat:cs?", ["mute cat:cs"]),
        ("mute cat:robots 1w", "has no category robots. They look like mute cat:cs.CV.", []),
        ('mute "…" for 2w', "“…” has no word to look for.", []),
        ('mute author:"-"', "“-” has no word to look for.", []),
    ],
)
def test_what_could_never_silence_anything_is_refused(follower, typed, complaint, offered):
    reply = follower.say(typed)

    assert not reply.ok
    assert complaint in said(reply)
    assert [button.command for button in reply.buttons] == offered
    assert follower.store.people.mutes(1) == []


def test_a_category_that_only_stored_papers_know_is_one(follower):
    follower.announce("The tide", categories=("cmp-lg",))

    assert follower.say("mute cat:cmp-lg").ok


def test_a_phrase_is_silent_at_word_borders_in_any_number(follower):
    follower.say('mute "neap tide"')
    follower.announce("On neap tides", "A NEAP TIDE")
    heard = follower.announce("The neap and the tide")
    follower.morning()

    assert follower.got() == heard


def test_muting_all_brings_nothing_and_says_why_in_the_ledger(follower):
    follower.say("mute all until 2026-12-01")
    follower.announce("The tide", "A gull")
    follower.morning()

    assert follower.got() == []
    (run,) = follower.store.ledger.runs("prepare")
    assert (run.outcome, run.reason) == ("muted", "2 papers passed while muted")


def test_a_mute_after_composing_holds_too(follower):
    follower.say("mute gulls")
    follower.announce("The tide", "A lighthouse")
    follower.prepare(MONDAY)
    follower.say("mute tides")
    follower.deliver()

    assert follower.got() == ["2611.00002"]
    assert follower.store.outbox.withheld(1, follower.store.topics.by_slug("tides").id) == [1]


@pytest.mark.parametrize(
    "deed",
    [
        "mute tides",
        'mute "survey"',
        "mute cat:stat",
        "follow tides without survey",
        "follow tides without author:Ada Lovelace",
        "follow tides, focused",
        "not-for-me 2611.00001",
        "unfollow tides",
    ],
)
def test_whatever_is_left_out_after_composing_is_not_sent(follower, deed):
    survey = follower.paper(
        "A survey of harbours", abstract="Also of the tide.", categories=("stat.ML",),
        authors=("Ada Lovelace",),
    )  # fmt: skip
    follower.announce(survey)
    tides = follower.store.topics.by_slug("tides").id
    follower.store.topics.add_matches([Scored(tides, 1, 0.55, "abstract: tide", 1)], live=True)
    (heard,) = follower.announce("A lighthouse", categories=("cs.CV",), authors=("Jun Li",))
    follower.prepare(MONDAY)
    follower.say(deed)
    follower.deliver()

    assert follower.got() == [heard]


def test_what_is_said_of_a_page_that_came_leaves_the_next_one_as_it_is(follower, half):
    ids = follower.announce("The tide", "A gull", "A lighthouse", "The tide again")
    follower.morning()
    arrived = follower.got()
    assert len(arrived) == 3

    follower.say(f"not-for-me {arrived[0]}")
    half.is_open = True
    follower.clock.forward(hours=1)
    follower.deliver()

    assert sorted(follower.got()) == ids
    assert follower.states() == ["sent"]


@pytest.mark.parametrize("deed", ["follow gulls", "follow tides", "save 2611.00001"])
def test_what_leaves_nothing_out_lets_a_waiting_digest_go_as_it_is(follower, deed):
    follower.announce("The tide")
    follower.prepare(MONDAY)
    follower.say(deed)
    follower.deliver()

    assert follower.states() == ["sent"]


def test_a_mute_that_ended_before_the_digest_withholds_nothing(follower):
    follower.say("mute tides for 2d")
    tide = follower.announce("The tide")
    follower.morning()

    assert follower.got() == tide


# -------------------------------------------------------------- a beginning to come


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("mute tides from 1 Dec to 14 Dec", "mute tides until 14 Dec"),
        ("pause from 1 Dec until 14 Dec", "mute all until 14 Dec"),
        ("vacation starting on 1 Dec for 2 weeks", "mute all for 2 weeks"),
        ("vacation 1 Dec - 14 Dec", "mute all until 14 Dec"),
        ("mute all 1-14 dec", "mute all until 14 dec"),
        ("mute tides between 1 and 14 dec", "mute tides until 14 dec"),
        ("mute tides 1 Dec to 14 Dec", "mute tides until 14 Dec"),
        ("mute tides starting monday", "mute tides"),
        ("vacation from 20 Dec", "mute all"),
        ("mute all in December", "mute all"),
        ("mute tides in two weeks", "mute tides"),
    ],
)
def test_a_silence_that_would_begin_later_is_offered_from_now_on(world, typed, offered):
    world.say("follow tides")
    reply = world.say(typed)

    assert said(reply).startswith("A silence begins at once. Say it on that day, or ")
    assert [button.command for button in reply.buttons] == [offered]
    assert world.say(offered).ok


@pytest.mark.parametrize("verb", ["mute", "unmute"])
def test_a_category_without_its_sign_is_asked_about(world, verb):
    world.say("follow tides")
    reply = world.say(f"{verb} hep-ph")

    assert [button.command for button in reply.buttons] == [f"{verb} cat:hep-ph"]


def test_the_next_digest_is_the_first_behind_a_silence_about_everything(follower):
    said_all = follower.asks("mute all until 2026-12-24")
    said_tides = follower.asks("mute tides until 2026-12-24")

    assert "The next digest comes Mon 28 Dec 09:00." in said_all
    assert "The next digest comes Mon 30 Nov 09:00." in said_tides
    assert "The next digest" not in follower.asks("mute all")


def test_a_silence_that_begins_today_begins(world):
    world.say("follow tides")

    assert world.asks("mute tides from today until 14 Dec").startswith("Tides is muted until ")
    assert world.asks("mute tides from today").startswith("Tides is muted until you unmute it.")
