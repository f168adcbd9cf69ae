"""What the doctor looks at."""

import asyncio
import errno
import os
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from pydantic import SecretStr

from bot.app import backups
from bot.app.doctor import examination, machine
from bot.app.doctor.examination import examine
from bot.app.doctor.findings import Check, State
from bot.app.doctor.machine import filesystem
from bot.app.doctor.outside import clock_check
from bot.app.doctor.ownership import private
from bot.app.locks import only_service
from bot.channels import Fault as Refusal
from bot.config import Arxiv, Mail, Slack, Web, holding_secrets
from tests.app.house import ADA, ByHand, a_paper_came, follow, open_rooms, refused, send
from tests.arxiv_server import ArxivServer, Fault
from tests.channels.smtp_server import CLOSE, SmtpServer
from tests.slack_server import IN_ITS_PLACE, RATE, Failure, slack_server


def looked_at(rooms, *, outside: bool = False) -> dict[str, Check]:
    return {check.name: check for check in examine(rooms, others=outside)}


def test_a_new_installation_has_nothing_wrong(rooms):
    states = {check.state for check in looked_at(rooms).values()}

    assert State.BAD not in states


def test_a_service_that_does_not_run_is_warned_of_once_somebody_expects_a_digest(rooms):
    assert looked_at(rooms)["service"].state is State.SKIPPED

    follow(rooms)
    assert looked_at(rooms)["service"].state is State.WARN

    with only_service(rooms.config.data):
        assert looked_at(rooms)["service"].state is State.OK


@pytest.mark.parametrize(
    ("web", "state"),
    [
        (Web(), State.SKIPPED),
        (Web(address="https://papers.example.org"), State.OK),
        (Web(address="https://papers.example.org", host="0.0.0.0"), State.WARN),
        (
            Web(address="https://papers.example.org", host="0.0.0.0", proxies=("172.16.0.0/12",)),
            State.OK,
        ),
    ],
)
def test_a_proxy_that_nobody_named_is_asked_for(rooms, web, state):
    served = replace(rooms, config=rooms.config.model_copy(update={"web": web}))

    assert looked_at(served)["proxy"].state is state


@pytest.mark.parametrize("name", ["backups", "mail"])
def test_a_folder_that_the_service_cannot_write_is_named(rooms, name):
    (rooms.config.data / name).write_text("")
    found = looked_at(rooms)["folders"]

    assert found.state is State.BAD
    assert found.said.endswith(f"{name} cannot be written by this user")
    assert f"{name}    (the user of the service)" in found.advice


def test_what_the_environment_overrides_is_said(rooms):
    checks = examine(rooms, others=False, overridden={"mail.host": "PAPERROUND_MAIL__HOST"})

    assert "PAPERROUND_MAIL__HOST over mail.host" in {c.name: c for c in checks}["settings"].said


def test_a_service_that_stands_still_is_not_said_to_be_healed(rooms, clock, arxiv):
    rooms.core.ingest(arxiv)
    clock.forward(days=9)
    check = looked_at(rooms)["poll API"]

    assert check.state is State.WARN
    assert check.said.endswith("UTC"), "no colon without a reason"
    assert check.advice.startswith("is the service running?")


@pytest.mark.parametrize(
    ("days", "said"), [(1, "the other sources"), (9, "is the service running")]
)
def test_a_source_that_fails_is_made_up_for_by_one_that_was_read_lately(rooms, clock, days, said):
    rooms.core.ingest(ByHand("rss"))
    clock.forward(days=days)
    failing = ByHand("arxiv")
    failing.fail()
    rooms.core.ingest(failing)

    assert looked_at(rooms)["poll API"].advice.startswith(said)


def test_an_old_sqlite_is_named_with_its_remedy(rooms, monkeypatch):
    monkeypatch.setattr(type(rooms.store.engine), "sqlite_version", "3.46.1")

    check = looked_at(rooms)["sqlite"]
    assert check.state is State.WARN
    assert "pip install '.[sqlite]'" in check.advice


@pytest.mark.parametrize("kind", ["nfs4", "cifs", "9p", "fuse.sshfs"])
def test_a_database_over_a_network_is_bad(rooms, monkeypatch, kind):
    monkeypatch.setattr(machine, "filesystem", lambda path: kind)

    assert looked_at(rooms)["filesystem"].state is State.BAD


def test_the_filesystem_is_that_of_the_nearest_mount(tmp_path):
    mounts = tmp_path / "mounts"
    mounts.write_text(
        "/dev/sda1 / ext4 rw 0 0\n"
        f"server:/x {tmp_path} nfs4 rw 0 0\n"
        f"tmpfs {tmp_path}/inner tmpfs rw 0 0\n"
    )

    assert filesystem(tmp_path / "data", mounts) == "nfs4"
    assert filesystem(tmp_path / "inner" / "data", mounts) == "tmpfs"
    assert filesystem(tmp_path.parent, mounts) == "ext4"
    assert filesystem(tmp_path, tmp_path / "none") == ""


def test_a_folder_that_others_may_read_is_named(rooms):
    rooms.config.data.chmod(0o755)

    check = looked_at(rooms)["permissions"]
    assert check.state is State.WARN
    assert str(rooms.config.data) in check.said


def test_mail_that_others_may_read_is_named(rooms):
    folder = rooms.config.data / rooms.config.mail.folder
    folder.mkdir(mode=0o755)

    check = looked_at(rooms)["permissions"]
    assert check.state is State.WARN
    assert str(folder) in check.said


def test_a_file_with_a_secret_that_others_may_read_is_named(rooms, tmp_path):
    secret = tmp_path / "mail"
    secret.write_text("hush")
    secret.chmod(0o644)
    (check,) = private(rooms.config, [secret])
    assert check.state is State.WARN
    assert str(secret) in check.said

    secret.chmod(0o600)
    (check,) = private(rooms.config, [secret])
    assert check.state is State.OK


def test_files_with_secrets_are_known(tmp_path, monkeypatch):
    settings = tmp_path / "paperround.toml"
    settings.write_text('[mail]\nhost = "mail.example.org"\n')
    monkeypatch.setenv("PAPERROUND_MAIL__PASSWORD_FILE", "/run/secrets/mail")
    assert holding_secrets(settings) == [Path("/run/secrets/mail")]

    settings.write_text('[slack]\nbot_token = "xoxb-1"\n')
    assert holding_secrets(settings) == [Path("/run/secrets/mail"), settings]


def test_a_backup_is_good_only_when_it_restores(rooms, clock):
    assert looked_at(rooms)["backup"].state is State.WARN

    made = backups.make(rooms.store, rooms.config.data, clock())
    assert looked_at(rooms)["backup"].state is State.OK

    clock.forward(days=2)
    assert looked_at(rooms)["backup"].state is State.WARN

    (made.path / "paperround.db").write_bytes(b"scrambled")
    assert looked_at(rooms)["backup"].state is State.BAD


async def test_what_is_late_or_held_is_said(rooms, arxiv, clock, mailbox):
    a_paper_came(rooms, arxiv, clock, days=7)
    mailbox.closed_for = refused("535 the password is refused", Refusal.CHANNEL)
    await send(rooms)
    clock.forward(hours=3)

    check = looked_at(rooms)["queue"]
    assert check.state is State.WARN
    assert "535" in check.said
    assert ADA.external_id not in check.said


@pytest.mark.parametrize(("off_s", "said"), [(180, "+180 s"), (-180, "-180 s")])
def test_a_clock_that_is_off_is_noticed(off_s, said):
    now = datetime(2026, 11, 30, 8, 0, tzinfo=UTC)

    assert clock_check(now - timedelta(seconds=off_s / 36), now).state is State.OK
    off = clock_check(now - timedelta(seconds=off_s), now)
    assert off.state is State.WARN
    assert said in off.said


def test_a_check_that_breaks_is_a_finding(rooms, monkeypatch):
    def broken(_):
        raise RuntimeError("no such thing")
        yield

    broken.__name__ = "_disk"
    monkeypatch.setattr(examination, "_HERE", (broken,))

    assert looked_at(rooms)["disk"].state is State.BAD


def test_a_check_that_a_full_disk_breaks_says_to_make_room(rooms, monkeypatch):
    def unwritable(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(machine, "fsync_s", unwritable)
    found = looked_at(rooms)["disk"]

    assert found.state is State.BAD
    assert found.advice == machine.MAKE_ROOM


# ------------------------------------------------------------------ outside


def test_arxiv_is_asked_once_in_its_turn(tmp_path, clock):
    with ArxivServer([]) as server:
        rooms, _ = open_rooms(
            tmp_path / "d", clock, arxiv=Arxiv(api_url=f"{server.url}/api/query", delay_s=0)
        )
        found = looked_at(rooms, outside=True)
        asked = list(server.requests)
        rooms.close()

    assert found["arXiv"].state is State.OK
    assert found["clock"].state is State.OK
    assert found["contact"].state is State.WARN
    assert len(asked) == 1


def test_an_arxiv_that_is_down_is_a_warning(tmp_path, clock):
    with ArxivServer([]) as server:
        server.faults.append(Fault(status=503))
        rooms, _ = open_rooms(
            tmp_path / "d", clock, arxiv=Arxiv(api_url=f"{server.url}/api/query", delay_s=0)
        )
        found = looked_at(rooms, outside=True)
        rooms.close()

    assert found["arXiv"].state is State.WARN


NOWHERE = Arxiv(api_url="http://127.0.0.1:9/api/query", delay_s=0)


async def outside(tmp_path, clock, **more) -> dict[str, Check]:
    rooms, _ = open_rooms(tmp_path / "d", clock, arxiv=NOWHERE, **more)
    try:
        return await asyncio.to_thread(looked_at, rooms, outside=True)
    finally:
        rooms.close()


async def test_the_mail_server_is_greeted_and_sent_nothing(tmp_path, clock):
    async with SmtpServer() as server:
        mail = Mail(host="127.0.0.1", port=server.port, tls="none")
        found = await outside(tmp_path, clock, mail=mail)

    assert found["mail"].state is State.OK
    assert "10 MB" in found["mail"].said
    assert server.said[-3:] == ["RCPT TO:<paperround@localhost>", "RSET", "QUIT"]
    assert not server.bodies


@pytest.mark.parametrize(
    ("port", "tls", "advice"),
    [
        (465, "starttls", 'on port 465 most relays speak otherwise: set mail.tls = "implicit"'),
        (587, "implicit", 'on port 587 most relays speak otherwise: set mail.tls = "starttls"'),
        (465, "implicit", "mend mail.* and ask again; nothing is lost"),
    ],
)
async def test_a_port_that_speaks_another_tls_is_named(tmp_path, clock, port, tls, advice):
    mail = Mail(host="127.0.0.7", port=port, tls=tls)  # where nobody listens
    found = await outside(tmp_path, clock, mail=mail)

    assert found["mail"].state is State.BAD
    assert found["mail"].advice == advice


@pytest.mark.parametrize(
    ("script", "state"),
    [
        ({"MAIL": "501 mail from address must be same as authorization user"}, State.BAD),
        ({"RCPT": "553 5.7.1 <x@y>: Sender address rejected: not owned by user z@y"}, State.BAD),
        ({"RCPT": "550 5.1.1 nobody reads that mailbox"}, State.OK),
        ({"RCPT": "451 4.7.1 greylisted"}, State.OK),
        ({"RCPT": "421 too busy!"}, State.OK),
        ({"RCPT": CLOSE}, State.OK),
        ({"RSET": "500 what?"}, State.OK),
    ],
)
async def test_a_relay_that_does_not_let_us_write_says_so_before_any_mail(
    tmp_path, clock, script, state
):
    async with SmtpServer(script) as server:
        mail = Mail(host="127.0.0.1", port=server.port, tls="none")
        found = await outside(tmp_path, clock, mail=mail)

    assert found["mail"].state is state
    assert (state is State.BAD) is ("mail.own_returns" in found["mail"].said)


@pytest.mark.parametrize(
    ("mail", "is_found"),
    [
        (Mail(host="smtp.example.org"), True),
        (Mail(host="smtp.example.org", sender="Papers <papers@example.org>"), False),
        (Mail(host="localhost"), False),
        (Mail(), False),
    ],
)
def test_a_sender_that_nobody_else_knows_is_found(tmp_path, clock, mail, is_found):
    rooms, _ = open_rooms(tmp_path / "d", clock, mail=mail)

    assert ("sender" in looked_at(rooms)) is is_found
    rooms.close()


async def test_a_refused_password_is_bad_and_not_printed(tmp_path, clock):
    script = {"AUTH": "535 5.7.8 no"}
    async with SmtpServer(script, extensions=("AUTH PLAIN",)) as server:
        mail = Mail(host="127.0.0.1", port=server.port, tls="none", username="ada",
                    password=SecretStr("hush-hush"))  # fmt: skip
        found = await outside(tmp_path, clock, mail=mail)

    assert found["mail"].state is State.BAD
    assert "535" in found["mail"].said
    assert "hush" not in found["mail"].said


async def test_a_mail_server_that_is_not_there_is_bad(tmp_path, clock):
    found = await outside(tmp_path, clock, mail=Mail(host="127.0.0.1", port=9, tls="none"))

    assert found["mail"].state is State.BAD


async def test_slack_is_asked_who_we_are(tmp_path, clock):
    async with slack_server() as server:
        token = SecretStr("xoxb-1")
        slack = Slack(bot_token=token, app_token=SecretStr("xapp-1"), api_url=server.url)
        found = await outside(tmp_path, clock, slack=slack)
        assert found["slack"].state is State.OK

        server.script("auth.test", "invalid_auth")
        found = await outside(tmp_path, clock, slack=slack)
        assert found["slack"].state is State.BAD
        assert "invalid_auth" in found["slack"].said
        assert "chat.postMessage" not in {name for name, _ in server.calls}


@pytest.mark.parametrize("answer", [*IN_ITS_PLACE, RATE], ids=lambda each: repr(each.body))
async def test_whoever_answers_in_its_place_says_nothing_of_a_token(tmp_path, clock, answer):
    async with slack_server() as server:
        server.script("auth.test", answer)
        slack = Slack(bot_token=SecretStr("x"), app_token=SecretStr("x"), api_url=server.url)
        found = await outside(tmp_path, clock, slack=slack)

        assert found["slack"].state is State.WARN
        assert "install" not in found["slack"].advice


@pytest.mark.parametrize("scheme", ["http://", ""])
async def test_a_proxy_that_lets_nobody_through_to_slack_is_a_warning(
    tmp_path, clock, monkeypatch, scheme
):
    """Whether it is named with its scheme or, as many write it, without."""
    async with slack_server() as server:
        place = server.url.removesuffix("/api/").removeprefix("http://")  # it knows no CONNECT
        monkeypatch.setenv("HTTPS_PROXY", f"{scheme}{place}")
        api = "https://slack.example/api/"
        slack = Slack(bot_token=SecretStr("xoxb-1"), app_token=SecretStr("xapp-1"), api_url=api)
        found = await outside(tmp_path, clock, slack=slack)

    assert found["slack"].state is found["slack line"].state is State.WARN
    assert "Slack cannot be reached" in found["slack"].said
    assert "HTTPS_PROXY" in found["slack"].advice
    assert "HTTPS_PROXY" in found["slack line"].advice


async def test_slack_is_asked_whether_it_opens_a_line_to_us(tmp_path, clock):
    async with slack_server() as server:
        slack = Slack(bot_token=SecretStr("x"), app_token=SecretStr("x"), api_url=server.url)
        assert (await outside(tmp_path, clock, slack=slack))["slack line"].state is State.OK

        server.script("apps.connections.open", "not_allowed_token_type")
        found = await outside(tmp_path, clock, slack=slack)
        assert found["slack line"].state is State.BAD
        assert "slack.app_token" in found["slack line"].advice

        server.script("apps.connections.open", Failure(status=503))
        assert (await outside(tmp_path, clock, slack=slack))["slack line"].state is State.WARN
        assert not server.sockets


def test_a_zone_that_this_machine_does_not_know_is_named_with_what_to_do(rooms):
    follow(rooms)
    (destination,) = rooms.store.people.at("email", ADA.external_id)
    rooms.store.people.schedule(destination.id, destination.next_due_at, zone="Atlantis/Port")
    found = looked_at(rooms)["records"]

    assert "Atlantis/Port" in found.said
    assert found.advice == "pip install --upgrade tzdata"
