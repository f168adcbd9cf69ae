"""Whoever is erased leaves no trace: not in the database, its log or free pages, not in mails."""

from datetime import timedelta

import pytest

from bot.app import persons
from bot.channels.email.folder import Folder
from bot.config import Web
from bot.core import Actor
from bot.model import Destination, Identity
from tests.app.house import ByHand, about, follow, open_rooms, refused, send, told

MARKER = "zzmarkerzz"
MARKED = Identity("email", "", f"{MARKER}@example.org")
SLACK = Identity("slack", "T0000MARK", f"U{MARKER.upper()}")


def traces(folder) -> list[str]:
    """Every file that holds the marker in any case."""
    small = MARKER.encode()
    return [
        str(path.relative_to(folder))
        for path in folder.rglob("*")
        if path.is_file() and (small in path.read_bytes().lower() or MARKER in path.name)
    ]


async def a_long_life(rooms, clock) -> None:
    """Follows, own topics, mutes, saves, digests, refusals: all with the marker in it."""
    arxiv = ByHand()
    follow(rooms, MARKED)
    told(rooms, MARKED, f'follow "{MARKER} of mine"')
    told(rooms, MARKED, f'mute author:"{MARKER} Person" for 2w')
    told(rooms, SLACK, "follow kv cache compression")
    for week in range(3):
        for n in range(6):
            arxiv.announce(about(10 * week + n, clock(), f"World models {MARKER if n > 4 else ''}"))
        rooms.core.ingest(arxiv)
        clock.forward(days=7)
        await send(rooms)
    rooms.store.people.suppress(MARKED.external_id, f"550 no {MARKER}", clock())
    rooms.store.ledger.record("alert", "x", clock(), "raised", f"mail to {MARKED.external_id}")


async def test_no_trace_is_left(tmp_path, clock):
    rooms, mailbox = open_rooms(tmp_path / "data", clock)
    mailbox.refusals = [refused(f"451 <{MARKED.external_id}> later")]
    rooms.core.house.channels["email"]._transport = Folder(tmp_path / "data" / "mail")
    await a_long_life(rooms, clock)
    assert traces(tmp_path), "the marker was there"
    seen = rooms.store.papers.count()

    erased = persons.erase(rooms, MARKED)
    persons.erase(rooms, SLACK)

    papers = [p for p in rooms.store.papers.some(range(1, 101)) if MARKER in p.title]
    rooms.close()
    assert erased
    assert erased.mails >= 1
    assert seen == 18
    assert papers, "papers are the world's, and stay"
    left = [name for name in traces(tmp_path) if "paperround.db" not in name]
    assert not left


async def test_no_trace_is_left_in_the_database(tmp_path, clock):
    rooms, _ = open_rooms(tmp_path / "data", clock)
    arxiv = ByHand()
    follow(rooms, MARKED)
    told(rooms, MARKED, f'follow "{MARKER} of mine"')
    told(rooms, MARKED, f'mute author:"{MARKER} Person" for 2w')
    arxiv.announce(*(about(n, clock()) for n in range(40)))
    rooms.core.ingest(arxiv)
    clock.forward(days=7)
    await send(rooms)
    rooms.store.people.suppress(MARKED.external_id, f"550 no {MARKER}", clock())
    assert traces(tmp_path)

    persons.erase(rooms, MARKED)

    assert traces(tmp_path) == [], "the database is still open, with its log beside it"
    rooms.close()
    assert traces(tmp_path) == []


@pytest.mark.parametrize("first", [MARKED, SLACK])
def test_no_trace_is_left_of_two_who_were_one_person(tmp_path, clock, first):
    """The words were theirs by either name."""
    rooms, _ = open_rooms(tmp_path / "data", clock)
    second = SLACK if first == MARKED else MARKED
    told(rooms, first, f'follow "{MARKER} of mine" OR diffusion')
    told(rooms, second, "follow world models")
    told(rooms, SLACK, f"email {MARKED.external_id}")
    assert rooms.store.people.find(SLACK) == rooms.store.people.find(MARKED)

    persons.erase(rooms, MARKED)

    assert traces(tmp_path) == []
    rooms.close()


def test_words_that_two_people_followed_go_with_the_second(tmp_path, clock):
    rooms, _ = open_rooms(tmp_path / "data", clock)
    other = Identity("email", "", "other@example.org")
    told(rooms, MARKED, f'follow "{MARKER} of ours"')
    told(rooms, other, f'follow "{MARKER} of ours"')
    persons.erase(rooms, MARKED)
    assert traces(tmp_path), "somebody follows it still"

    persons.erase(rooms, other)

    assert traces(tmp_path) == []
    rooms.close()


async def test_what_others_follow_stays(tmp_path, clock):
    rooms, mailbox = open_rooms(tmp_path / "data", clock)
    arxiv = ByHand()
    other = Identity("email", "", "other@example.org")
    told(rooms, MARKED, 'follow "shared words"')
    told(rooms, other, 'follow "shared words"')
    persons.erase(rooms, MARKED)

    arxiv.announce(about(1, clock(), "Shared words"))
    rooms.core.ingest(arxiv)
    clock.forward(days=7)
    await send(rooms)

    assert [who for who, _ in mailbox.arrived] == ["other@example.org"]
    rooms.close()


async def test_a_new_topic_after_an_erasure_is_matched(tmp_path, clock):
    rooms, mailbox = open_rooms(tmp_path / "data", clock)
    arxiv = ByHand()
    other = Identity("email", "", "other@example.org")
    told(rooms, MARKED, 'follow "words of mine"')
    rooms.core.house.compendium.current()
    persons.erase(rooms, MARKED)
    told(rooms, other, 'follow "later words"')

    arxiv.announce(about(1, clock(), "Later words"))
    rooms.core.ingest(arxiv)
    clock.forward(days=7)
    await send(rooms)

    assert len(mailbox.arrived) == 1
    rooms.close()


async def test_an_export_holds_everything(rooms, arxiv, clock):
    follow(rooms)
    arxiv.announce(about(1, clock() + timedelta(0)))
    rooms.core.ingest(arxiv)
    clock.forward(days=7)
    await send(rooms)
    told(rooms, Identity("email", "", "ada@example.org"), "save 2611.00001")

    kept = rooms.core.export(Identity("email", "", "ada@example.org"))

    assert kept["identities"] == ["email:ada@example.org"]
    assert kept["follows"][0]["topic"] == "World Models"
    assert kept["saved"] == ["https://arxiv.org/abs/2611.00001"]
    assert kept["deliveries"][0]["state"] == "sent"
    assert kept["deliveries"][0]["papers"] == ["2611.00001"]


def test_backups_that_cannot_be_looked_at_do_not_undo_an_erasure(rooms, monkeypatch):
    follow(rooms, MARKED)

    def refused_(_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(persons, "_holding", refused_)
    erased = persons.erase(rooms, MARKED)

    assert erased
    assert erased.unseen == rooms.config.data / "backups"
    assert rooms.store.people.find(MARKED) is None


def test_nobody_unknown_is_erased(rooms):
    assert persons.erase(rooms, MARKED) is None
    assert rooms.core.export(MARKED) == {}
    assert not rooms.core.execute(Actor(MARKED), "no such verb").ok


async def typed_in(rooms, address: str, topic: str = "world models") -> Destination:
    """Somebody typed an address on a page, and its owner was asked."""
    assert rooms.core.join(address, topic, "", "192.0.2.1").ok
    await send(rooms)
    (place,) = rooms.store.people.at("email", address)
    return place


@pytest.fixture
def public(tmp_path, clock):
    rooms, _ = open_rooms(tmp_path / "data", clock, web=Web(address="https://papers.example.org"))
    rooms.core.house.channels["email"]._transport = Folder(tmp_path / "data" / "mail")
    yield rooms
    rooms.close()


async def test_an_address_that_gives_no_answer_is_forgotten(public, tmp_path, clock):
    place = await typed_in(public, MARKED.external_id, f"{MARKER} models")
    yes = public.core.house.links.url("confirm", place.id, place.epoch).rpartition("/")[2]
    clock.forward(days=29)
    persons.forget_unanswered(public)
    assert public.store.people.find(MARKED)

    clock.forward(days=2)
    persons.forget_unanswered(public)
    persons.remove_mails(public)

    assert public.store.people.find(MARKED) is None
    assert traces(tmp_path) == []
    late = public.core.redeem(yes, act=True)
    assert (late.ok, late.status) == (False, 410)


async def test_who_was_asked_again_has_as_long_to_answer(public, clock):
    await typed_in(public, MARKED.external_id)
    clock.forward(days=20)
    await typed_in(public, MARKED.external_id)
    clock.forward(days=20)

    persons.forget_unanswered(public)

    assert public.store.people.find(MARKED)


@pytest.mark.parametrize("answer", ["confirm", "stop-all"])
async def test_an_answer_is_kept(public, clock, answer):
    place = await typed_in(public, MARKED.external_id)
    link = public.core.house.links.url(answer, place.id, place.epoch)
    public.core.redeem(link.rpartition("/")[2], act=True)
    clock.forward(days=400)

    persons.forget_unanswered(public)

    assert public.store.people.find(MARKED)


async def test_who_is_reached_elsewhere_too_is_kept(public, clock):
    told(public, SLACK, "follow world models")
    subscriber = public.store.people.find(SLACK)
    public.core.execute(Actor(SLACK), f"email {MARKED.external_id}")
    clock.forward(days=400)

    persons.forget_unanswered(public)

    assert len(public.store.people.destinations(subscriber)) == 2


async def with_a_digest(rooms, clock, who: Identity) -> None:
    """Somebody follows, a paper comes, and its mail is written into the folder."""
    arxiv = ByHand()
    follow(rooms, who)
    arxiv.announce(about(1, clock()))
    rooms.core.ingest(arxiv)
    clock.forward(days=7)
    await send(rooms)


async def test_mails_of_who_forgot_everything_on_their_own_page_go_too(public, tmp_path, clock):
    await with_a_digest(public, clock, MARKED)

    public.core.erase(MARKED)
    assert persons.remove_mails(public) == 1

    assert traces(tmp_path) == []


async def test_an_erasure_killed_before_it_came_to_the_mails_is_finished(public, tmp_path, clock):
    await with_a_digest(public, clock, MARKED)
    (page,) = (tmp_path / "data" / "mail").glob("*.html")
    (page.with_name(f".{page.name}.new")).write_bytes(page.read_bytes())  # of a killed delivery
    public.core.erase(MARKED)

    assert persons.erase(public, MARKED) is None

    assert list((tmp_path / "data" / "mail").iterdir()) == []


async def test_mails_of_who_is_known_stay(public, tmp_path, clock):
    await with_a_digest(public, clock, MARKED)
    other = tmp_path / "data" / "mail" / "d9.20261130.0.0.eml"  # after the backup restored since
    other.write_bytes(b"To: other@example.org\r\n\r\n")

    assert persons.remove_mails(public) == 0

    assert other.exists()
    assert len(list(other.parent.iterdir())) == 3


async def test_mails_of_two_who_became_one_go_with_them_and_not_before(public, tmp_path, clock):
    told(public, SLACK, "follow kv cache compression")
    told(public, SLACK, f"email {MARKED.external_id}")
    place = await typed_in(public, "somebody@example.org")
    mail = tmp_path / "data" / "mail" / f"d{place.id}.20261130.0.0.eml"
    mail.write_bytes(f"To: {MARKED.external_id}\r\n\r\n".encode())  # when it was a second one
    persons.erase(public, Identity("email", "", "somebody@example.org"))
    assert mail.exists()

    persons.erase(public, MARKED)

    assert not mail.exists()
