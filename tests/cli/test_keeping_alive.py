"""backup, restore, doctor, healthcheck, queue, person: what they print, and their exit codes."""

import io
import json
from datetime import UTC, datetime

import pytest
from rich.console import Console

from bot.app.locks import only_service
from bot.app.wiring import build
from bot.config import Config
from bot.core.consent import UNCONFIRMED
from bot.model import DestinationState
from tests.app.house import ByHand, about, follow, open_rooms
from tests.cli.typed import typed
from tests.fakes import FrozenClock

ADA = "email:ada@example.org"


@pytest.fixture
def a_digest_waits(here) -> int:
    """A digest in the outbox of the data folder; its number."""
    clock = FrozenClock()
    rooms, _ = open_rooms(here / "paperround-data", clock)
    follow(rooms)
    source = ByHand()
    source.announce(about(1, clock()))
    rooms.core.ingest(source)
    clock.forward(days=7)
    rooms.core.prepare()
    number = rooms.store.outbox.history(1)[0].delivery.id
    rooms.close()
    return number


def test_a_backup_is_named_and_counted(here):
    said = typed("backup")

    assert said.code == 0
    assert "the copy is whole" in said.out
    assert len(list((here / "paperround-data" / "backups").iterdir())) == 1


def test_a_backup_as_json_for_machines(here):
    said = json.loads(typed("backup --json --to copies").out)

    assert said["papers"] == 0
    assert said["path"].startswith("copies/")


def test_restoring_what_is_not_there_is_asked_wrongly(here):
    said = typed("restore yesterday")

    assert said.code == 2
    assert "there is no backup “yesterday”" in said.err
    assert typed("restore latest").code == 2


def test_restoring_something_damaged_fails_in_one_sentence(here):
    typed("backup")
    (backup,) = (here / "paperround-data" / "backups").iterdir()
    (backup / "paperround.db").write_bytes(b"nothing of the kind, and long enough to be read")

    said = typed("restore latest")
    assert said.code == 1
    assert "Traceback" not in said.all
    assert said.err.startswith("Error: ")


def test_nothing_is_restored_under_a_running_service(here):
    from bot.app.locks import only_service

    typed("backup")
    with only_service(here / "paperround-data"):
        said = typed("restore latest")

    assert said.code == 1
    assert "stop it first" in said.err


def test_the_doctor_ends_with_0_where_nothing_is_wrong(here):
    said = typed("doctor --offline")

    assert said.code == 0
    assert "SQLite" in said.out
    assert "warning" in said.out


def test_the_doctor_ends_with_1_where_something_is(here, monkeypatch):
    monkeypatch.setattr("bot.app.doctor.machine.filesystem", lambda path: "nfs4")

    said = typed("doctor --offline --json")
    assert said.code == 1
    assert {"name", "state", "said", "advice"} == set(json.loads(said.out)[0])


def test_no_service_no_health(here, monkeypatch):
    monkeypatch.setenv("PAPERROUND_WEB__PORT", "9")

    said = typed("healthcheck --timeout 0.5")
    assert said.code == 1
    assert "does not answer" in said.err


def test_the_queue_is_listed_shown_held_retried_and_cancelled(a_digest_waits):
    number = a_digest_waits
    assert "pending" in typed("queue ls").out
    assert [row["id"] for row in json.loads(typed("queue ls --json").out)] == [number]
    shown = typed(f"queue show {number}").out
    assert "World models, part 1" in shown

    assert "1 delivery is held" in typed("queue hold").out
    assert "held" in typed("queue ls --held").out
    assert "1 delivery is tried now" in typed("queue retry --held").out
    assert "1 delivery is cancelled" in typed(f"queue cancel {number}").out
    assert typed("queue ls").out == "Nothing waits.\n"


@pytest.mark.parametrize("deed", ["retry", "hold", "cancel"])
def test_a_finished_delivery_is_said_to_be_finished(a_digest_waits, deed):
    number = a_digest_waits
    typed(f"queue cancel {number}")

    said = typed(f"queue {deed} {number}")
    assert (said.code, said.out) == (1, "")
    assert said.err == f"Delivery {number} is finished: skipped, cancelled by the operator.\n"


def test_a_next_try_is_named_only_where_there_will_be_one(a_digest_waits):
    show = f"queue show {a_digest_waits}"
    assert ", next try " in typed(show).out

    typed("queue hold")
    assert "next try" not in typed(show).out
    assert "1 page left" in typed(show).out

    typed(f"queue cancel {a_digest_waits}")
    assert "next try" not in typed(show).out
    assert "left" not in typed(show).out


def test_a_delivery_on_a_narrow_terminal_goes_on_below_its_own_words(a_digest_waits, monkeypatch):
    narrow = Console(file=io.StringIO(), width=32)
    monkeypatch.setattr("bot.cli.queueing.screen", lambda: narrow)
    typed(f"queue show {a_digest_waits}")

    lines = narrow.file.getvalue().splitlines()
    assert max(map(len, lines)) <= 32
    assert any(line.startswith(" " * 8) for line in lines)


@pytest.mark.parametrize("deed", ["hold", "cancel", "cancel --give-back"])
def test_of_what_is_being_sent_nothing_is_said_that_is_not_known_yet(here, a_digest_waits, deed):
    rooms, _ = open_rooms(here / "paperround-data", FrozenClock())
    with rooms.store.write():
        rooms.store.outbox.claim("email", datetime(2027, 1, 1, tzinfo=UTC), 900)
    rooms.close()
    said = typed(f"queue {deed} {a_digest_waits}").out
    outcome = "held" if deed == "hold" else "cancelled"

    assert said == (
        f"1 delivery is being sent at this moment: {outcome} if not accepted; "
        "see paperround queue ls\n"
    )
    assert f"{outcome} by the operator unless it arrives" in typed("queue ls").out


def test_a_delivery_that_is_not_there_is_asked_wrongly(here):
    for line in ("queue show 7", "queue retry 7", "queue cancel 7", "queue cancel"):
        said = typed(line)
        assert said.code == 2, line
        assert said.err.splitlines()[-1].startswith("Error: "), line


def test_a_person_is_exported_and_erased_after_a_question(a_digest_waits, here):
    kept = json.loads(typed(f"person export {ADA}").out)
    assert kept["follows"][0]["topic"] == "World Models"
    (here / "ada.json").touch(mode=0o666)
    (here / "ada.json").chmod(0o666)
    assert typed(f"person export {ADA} --to ada.json").code == 0
    assert (here / "ada.json").stat().st_mode & 0o077 == 0

    assert typed(f"person erase {ADA}", answer="n\n").code == 1
    assert typed(f"person erase {ADA}", answer="y\n").code == 0
    assert typed(f"person export {ADA}").code == 1


def test_links_sent_so_far_are_made_void_and_leaving_goes_on(a_digest_waits, here):
    said = typed(f"person new-links {ADA}")

    assert said.code == 0
    assert "only stop the mail now" in said.out
    assert typed("person new-links email:nobody@example.org").code == 1


def test_whoever_is_unknown_cannot_be_erased(here):
    said = typed("person erase email:nobody@example.org --yes")

    assert said.code == 1
    assert "is not known here" in said.err


def test_mails_that_an_erasure_did_not_come_to_go_when_it_is_asked_for_again(a_digest_waits, here):
    mail = here / "paperround-data" / "mail" / "d1.20261130.0.0.eml"
    mail.parent.mkdir()
    mail.write_bytes(b"To: ada@example.org\r\n\r\n")
    rooms, _ = open_rooms(here / "paperround-data", FrozenClock())
    rooms.store.people.erase(1)  # killed here
    rooms.close()

    assert typed(f"person erase {ADA} --yes").code == 1
    assert not mail.exists()


def test_a_data_folder_of_a_newer_paperround_is_refused_in_one_sentence(here):
    rooms = build(Config(data=here / "paperround-data"))
    rooms.store.engine.run(
        "INSERT INTO _sqlite_migrations (migration_set, name, applied_at) VALUES ('x', 'm9', '')"
    )
    rooms.close()

    said = typed("status")
    assert said.code == 1
    assert "newer Paperround" in said.err


# ------------------------------------------------------------------ status


def silenced(here, state: DestinationState, reason: str) -> None:
    rooms, _ = open_rooms(here / "paperround-data", FrozenClock())
    for each in rooms.store.people.destinations(1):
        rooms.store.people.set_state(each.id, state, reason)
    rooms.close()


def test_a_service_that_does_not_run_is_said(here):
    assert "service   not running" in typed("status").out
    assert '"running": false' in typed("status --json").out

    with only_service(here / "paperround-data"):
        assert "service   running" in typed("status").out


def test_before_anybody_follows_none_is_planned(here):
    assert "nobody follows anything yet" in typed("status").out


def test_where_every_digest_is_refused_that_is_said_and_is_trouble(here, a_digest_waits):
    silenced(here, DestinationState.PAUSED, "550 no such user")
    said = typed("status")

    assert "none is planned; of 1 destination 1 paused" in said.out
    assert "nobody follows" not in said.out
    assert said.code == 1
    assert "Nobody gets a digest" in typed("status --json").out


@pytest.mark.parametrize(
    ("state", "reason", "words"),
    [
        (DestinationState.OFF, "stopped by its reader", "1 turned off"),
        (DestinationState.PAUSED, UNCONFIRMED, "1 not confirmed yet"),
    ],
)
def test_what_people_chose_is_said_and_no_trouble(here, a_digest_waits, state, reason, words):
    silenced(here, state, reason)
    said = typed("status --json")

    assert f"of 1 destination {words}" in typed("status").out
    assert "Nobody gets a digest" not in said.out


def test_addresses_that_strangers_typed_are_counted_and_not_listed(here, a_digest_waits):
    silenced(here, DestinationState.PAUSED, UNCONFIRMED)

    said = typed("status").out

    assert "sign-ups  1 address not confirmed yet" in said
    assert "example.org" not in said


def test_a_digest_that_is_due_is_planned(here):
    clock = FrozenClock()
    rooms, _ = open_rooms(here / "paperround-data", clock)
    follow(rooms)
    rooms.store.people.schedule(1, datetime(2026, 1, 1, tzinfo=UTC))
    rooms.close()

    assert "1 destination due now" in typed("status").out


def test_each_reason_why_mail_is_held_or_failed_is_a_line_of_its_own(here, a_digest_waits):
    rooms, _ = open_rooms(here / "paperround-data", FrozenClock())
    rooms.store.outbox.hold("552 too large", [a_digest_waits])
    rooms.close()
    said = typed("status").out

    assert "1 held; paperround queue ls" in said
    assert "1 held, email: 552 too large" in " ".join(said.split())
