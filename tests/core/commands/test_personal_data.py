"""Everything about somebody can be taken along, and forgotten."""

from bot.model import Identity
from bot.store.sqlite import open_store
from tests.core.commands.links.letters import MAIL, join
from tests.core.conftest import BEA, World


def test_an_export_holds_everything_that_was_set(world):
    world.announce("The tide")
    for text in ("follow tides without survey", "mute gull*", 'mute author:"Jun Li"',
                 "save 2611.00001", "not-for-me 2611.00001"):  # fmt: skip
        world.say(text, MAIL, operator=True)
    export = world.core.export(MAIL)

    assert export["identities"] == ["email:ada@example.org"]
    assert export["follows"][0]["without"] == ["survey"]
    assert export["saved"] == ["https://arxiv.org/abs/2611.00001"]
    assert export["judged"] == {"https://arxiv.org/abs/2611.00001": False}
    assert world.core.export(Identity("email", "", "nobody@example.org")) == {}


def test_an_export_holds_what_was_given_up_made_and_decided_too(world):
    mallory = Identity("slack", "T1", "U1")
    world.say("follow tides", mallory)
    world.say("follow moonlit tides", mallory)
    world.say("email ada@example.org", mallory, operator=True)
    world.store.people.suppress("ada@example.org", "550 unknown", world.clock())
    world.store.slack.keep("T1", "C1", "U1", world.clock())
    for topic in ("tides", "moonlit tides"):
        world.say(f"unfollow {topic}", mallory)
    world.morning()
    export = world.core.export(mallory)

    assert [each["topic"] for each in export["unfollowed"]] == ["Tides", "moonlit tides"]
    assert all(each["ended_at"] for each in export["unfollowed"])
    assert list(export["topics"]) == ["moonlit tides"]
    assert export["refused"] == {"ada@example.org": "550 unknown"}
    assert export["set_up_for"] == ["T1:C1"]
    assert "consent" in {each["what"] for each in export["ledger"]}
    bea = world.core.export(BEA)
    assert not any(bea.get(key) for key in ("unfollowed", "topics", "refused", "set_up_for"))


def test_the_forgotten_leave_no_trace_in_any_file_and_others_stay(clock, tmp_path):
    world = World(clock, store=open_store(tmp_path))
    for who in (MAIL, BEA):
        world.say("follow tides", who, operator=True)
    world.say("follow secret moonlit project", MAIL, operator=True)
    world.announce("The tide")
    world.morning()
    before = world.core.export(BEA)
    world.core.erase(MAIL)
    everything = b"".join(each.read_bytes() for each in tmp_path.iterdir() if each.is_file())

    assert b"bea@example.org" in everything
    assert b"ada@example.org" not in everything
    assert b"moonlit" not in everything
    assert world.core.export(BEA) == before
    assert not world.core.erase(MAIL)
    world.store.close()


def test_nor_is_it_kept_how_often_the_forgotten_were_asked(world):
    for who in ("ada", "bea"):
        join(world, f"{who}@example.org")
    world.core.erase(MAIL)

    assert len(world.store.ledger.runs("ask")) == 1


def test_where_somebody_signed_up_from_is_forgotten_within_days(world):
    join(world, where="192.0.2.1")
    world.clock.forward(days=3)
    world.store.tidy(world.clock())

    assert world.store.ledger.runs("join") == []
    assert len(world.store.ledger.runs("ask")) == 1, "asked at most three times a year"
