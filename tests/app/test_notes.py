"""What becomes of papers after they were matched, and what a digest says about its source."""

from dataclasses import replace
from datetime import timedelta
from email import message_from_bytes, policy

import pytest

from bot.app.service import alerts, vitals
from bot.config import Digest
from bot.core import Actor
from bot.model import Completeness, DeliveryState
from bot.sources import SourceFault
from tests.app.house import ADA, ByHand, about, follow, open_rooms, send, told


def seen(rooms, *papers, name="arxiv") -> None:
    source = ByHand(name)
    source.announce(*papers)
    rooms.core.ingest(source)


def seen_nothing(rooms) -> None:
    """arXiv does not answer."""
    failing = ByHand()
    failing.fail(SourceFault.TRANSIENT, "arXiv answered 503")
    rooms.core.ingest(failing)


def again(paper, clock, **more):
    return replace(paper, version=paper.version + 1, updated_at=clock(), **more)


async def test_a_withdrawn_paper_leaves_a_digest_that_waits(rooms, clock, mailbox):
    follow(rooms)
    one, two = about(1, clock()), about(2, clock())
    seen(rooms, one, two)
    clock.forward(days=7)
    rooms.core.prepare()
    seen(rooms, again(one, clock, withdrawn=True), name="oai")

    await send(rooms)

    (mail,) = mailbox.to(ADA.external_id)
    assert b"part 2" in mail
    assert b"part 1" not in mail


async def test_a_digest_of_only_withdrawn_papers_is_not_sent(rooms, clock, mailbox):
    follow(rooms)
    one = about(1, clock())
    seen(rooms, one)
    clock.forward(days=7)
    rooms.core.prepare()
    seen(rooms, again(one, clock, withdrawn=True))

    await send(rooms)

    assert not mailbox.arrived
    assert not rooms.store.outbox.queue([DeliveryState.PENDING, DeliveryState.HELD])


async def test_who_saved_a_paper_is_told_that_it_was_withdrawn(rooms, clock, mailbox):
    follow(rooms)
    one = about(1, clock())
    seen(rooms, one)
    clock.forward(days=7)
    await send(rooms)
    told(rooms, ADA, f"save {one.arxiv_id}")
    clock.forward(days=1)
    seen(rooms, again(one, clock, withdrawn=True), about(2, clock()))
    clock.forward(days=6)
    await send(rooms)

    assert b"which you saved, was withdrawn" in _plain(mailbox.to(ADA.external_id)[1])
    clock.forward(days=1)
    seen(rooms, about(3, clock()))
    clock.forward(days=6)
    await send(rooms)
    assert b"which you saved" not in _plain(mailbox.to(ADA.external_id)[2]), "once"


async def told_after(rooms, mailbox, clock, title) -> bytes:
    """What the second digest says once the paper of the first one has a new title."""
    follow(rooms)
    one = about(1, clock())
    seen(rooms, one)
    clock.forward(days=7)
    await send(rooms)
    clock.forward(days=1)
    seen(rooms, again(one, clock, title=title), about(2, clock()))
    clock.forward(days=6)
    await send(rooms)
    return _plain(mailbox.to(ADA.external_id)[1])


@pytest.mark.parametrize("wished", [True, False])
async def test_a_new_title_is_told_where_the_operator_wishes(tmp_path, clock, wished):
    rooms, mailbox = open_rooms(tmp_path / "d", clock, digest=Digest(revisions=wished))
    said = await told_after(rooms, mailbox, clock, "Quite another name")

    assert (b"Quite another name" in said) is wished
    rooms.close()


async def test_a_title_that_differs_in_commas_is_no_news(tmp_path, clock):
    rooms, mailbox = open_rooms(tmp_path / "d", clock, digest=Digest(revisions=True))
    said = await told_after(rooms, mailbox, clock, "World Models: part 1.")

    assert b"was revised" not in said
    rooms.close()


async def test_a_paper_held_for_24_days_reaches_the_next_digest(rooms, clock, mailbox):
    follow(rooms)
    seen(rooms, about(1, clock(), "Something else"))
    clock.forward(days=3)
    held = replace(about(9, clock()), submitted_at=clock() - timedelta(days=24))
    seen(rooms, held, name="oai")
    clock.forward(days=4)
    await send(rooms)

    assert len(mailbox.to(ADA.external_id)) == 1


async def test_a_late_cross_list_reaches_who_follows_that_category_once(rooms, clock, mailbox):
    told(rooms, ADA, "follow cat:cs.MA")
    one = about(1, clock(), "Something else", categories=("cs.LG",))
    seen(rooms, one)
    clock.forward(days=7)
    await send(rooms)
    assert not mailbox.arrived

    for name in ("oai", "arxiv", "rss"):
        seen(rooms, replace(one, categories=("cs.LG", "cs.MA")), name=name)
    for _ in range(3):
        clock.forward(days=7)
        await send(rooms)
    assert len(mailbox.to(ADA.external_id)) == 1


async def test_old_records_stamped_anew_reach_nobody(rooms, clock, mailbox):
    follow(rooms)
    old = clock() - timedelta(days=400)
    seen(rooms, *(about(n, clock(), submitted_at=old) for n in range(1, 300)), name="oai")
    clock.forward(days=7)
    await send(rooms)

    assert not mailbox.arrived
    assert rooms.store.papers.count() == 299


async def test_a_digest_says_when_its_source_was_incomplete(rooms, clock, mailbox):
    follow(rooms)
    seen(rooms, about(1, clock()))
    clock.forward(days=7)
    seen_nothing(rooms)
    await send(rooms)

    assert b"arXiv could not be read since 24 Nov" in _plain(mailbox.to(ADA.external_id)[0])


async def test_a_look_that_brought_only_a_part_is_said_too(rooms, clock, mailbox):
    follow(rooms)
    clock.forward(days=6, hours=20)
    partly = ByHand()
    partly.announce(about(1, clock()))
    partly.completeness = Completeness.PART
    rooms.core.ingest(partly)
    clock.forward(hours=5)
    await send(rooms)

    assert b"read only in part" in _plain(mailbox.to(ADA.external_id)[0])


async def test_one_source_that_heals_another_is_not_spoken_of(rooms, clock, mailbox):
    follow(rooms)
    clock.forward(days=6, hours=20)
    seen(rooms, about(1, clock()), name="oai")
    seen_nothing(rooms)
    clock.forward(hours=5)
    await send(rooms)

    assert b"arXiv could not" not in _plain(mailbox.to(ADA.external_id)[0])


def _plain(raw: bytes) -> bytes:
    body = message_from_bytes(raw, policy=policy.default).get_body(("plain",))
    return " ".join(body.get_content().split()).encode()


def test_silence_after_a_first_look_that_brought_the_past_alone_is_said_at_every_door(
    rooms, clock, arxiv
):
    follow(rooms)
    arxiv.announce(about(1, clock() - timedelta(days=3)))
    rooms.core.ingest(arxiv)
    rooms.core.ingest(arxiv)
    fresh = rooms.core.standing()
    assert "Up to date" in fresh.silence.sentence, "not that nothing was read"
    assert not fresh.troubles
    clock.forward(days=10)

    said = rooms.core.execute(Actor(ADA, operator=True), "status")
    trouble = rooms.core.standing().troubles[0]
    assert "announcements should have been seen by now" in trouble
    assert any(trouble in str(line) for line in said.lines)
    assert [each.key for each in alerts.concerns(rooms)][:1] == ["silence"]
    assert vitals.told(rooms.core.standing())["arxiv"]["silence"] == "overdue"
    assert "could not be read since" in rooms.core.preview(ADA).notes[0]
    topics = rooms.core.execute(Actor(ADA), "topics")
    assert "could not be read since" in str(topics.lines[1])


def test_a_few_quiet_days_where_few_papers_are_read_are_no_trouble(rooms, clock):
    follow(rooms)
    seen(rooms, about(1, clock()))
    clock.forward(days=3)
    for name in ("arxiv", "rss", "oai"):
        seen(rooms, name=name)

    standing = rooms.core.standing()
    assert "as happens where few papers are read" in standing.silence.sentence
    assert not standing.troubles
    assert not rooms.core.preview(ADA).notes


def test_a_month_without_a_single_paper_is_trouble_however_few_are_read(rooms, clock):
    follow(rooms)
    seen(rooms, about(1, clock()))
    for _ in range(5):
        clock.forward(days=7)
        seen(rooms)

    assert "announcements should have been seen by now" in rooms.core.standing().troubles[0]


def test_many_papers_a_day_and_then_none_are_trouble_though_arxiv_answers(rooms, clock):
    follow(rooms)
    seen(rooms, *(about(n, clock()) for n in range(1, 200)))
    clock.forward(days=3)
    seen(rooms)

    assert "announcements should have been seen by now" in rooms.core.standing().troubles[0]
    assert "arXiv has shown nothing new since" in rooms.core.preview(ADA).notes[0]


def test_a_few_papers_and_a_source_that_fails_are_trouble(rooms, clock):
    follow(rooms)
    seen(rooms, about(1, clock()))
    clock.forward(days=3)
    seen_nothing(rooms)

    assert "announcements should have been seen by now" in rooms.core.standing().troubles[0]
    assert "arXiv could not be read since" in rooms.core.preview(ADA).notes[0]
