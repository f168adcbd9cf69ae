"""Everything that is logged is JSON, one object a line, and names neither secret nor person."""

import io
import json
import logging
import os
from collections.abc import Iterator
from time import process_time
from typing import Any

import pytest
import structlog
from pydantic import SecretStr

from bot.app.journal import Redactor, open_journal, write_down
from bot.channels import Fault
from bot.config import Ask, Mail
from bot.config import Slack as SlackSettings
from bot.core import Event
from tests.app.house import ADA, about, follow, open_rooms, refused, send, settings

KEY = b"0123456789abcdef0123456789abcdef"
SECRETS = {
    "mail": Mail(password=SecretStr("p4ssw0rd&more")),
    "slack": SlackSettings(bot_token=SecretStr("xoxb-1-abcdef"), app_token=SecretStr("xapp-9-z")),
    "ask": Ask(key=SecretStr("sk-of-a-model")),
}


@pytest.fixture
def written(tmp_path) -> Iterator[io.StringIO]:
    stream, root = io.StringIO(), logging.getLogger()
    before, level = list(root.handlers), root.level
    open_journal(settings(tmp_path, **SECRETS), KEY, stream)
    yield stream
    root.handlers[:] = before
    root.setLevel(level)
    structlog.reset_defaults()


def lines(stream: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def test_what_strangers_send_amiss_is_no_line(written):
    logging.getLogger("python_multipart.multipart").warning("Expected boundary character 45")

    assert lines(written) == []


def test_a_line_is_one_object_with_instant_level_and_event(written):
    logging.getLogger("bot.somewhere").warning("the tick %s failed", "poll")

    (line,) = lines(written)
    assert line["event"] == "the tick poll failed"
    assert line["level"] == "warning"
    assert line["logger"] == "bot.somewhere"
    assert line["ts"].endswith("Z")


def test_an_event_carries_its_facts(written):
    write_down(Event("delivery", "sent", {"delivery": 7, "channel": "email", "attempt": 1}))

    (line,) = lines(written)
    assert (line["event"], line["outcome"], line["delivery"]) == ("delivery", "sent", 7)


def test_what_only_counts_is_not_written(written):
    write_down(Event("match", "done", {"took_s": 0.1}))

    assert not lines(written)


def test_structlog_of_the_doors_goes_the_same_way(written):
    structlog.get_logger().warning("slack_answer_lost", user="U0AB12CD34")

    (line,) = lines(written)
    assert line["event"] == "slack_answer_lost"
    assert line["user"].startswith("slack-")


@pytest.mark.parametrize(
    "said",
    [
        "535 for ada.lovelace+papers@example.org",
        "password p4ssw0rd&more was refused",
        "GET /?password=p4ssw0rd%26more",
        "Authorization: Bearer abcdefghijklm",
        "token xoxb-1-abcdef of xapp-9-z",
        "a key sk-of-a-model",
        "GET /l/aMTIuMC4.abcdefghijklmnopqrstuvwxyz",
        'headers {"authorization": "Basic dXNlcjpwYXNz"}',
        "Ada <ада@пример.рф> wrote",
        "<@U0AB12CD34> pressed",
        "550 see https://relay.example/?a=lovelace%40example.org&why=full",
        "550 see https://relay.example/?a=https%3A%2F%2Fx%2F%3Fa%3Dlovelace%2540example.org",
        "550 o'lovelace@example.org is unknown",
        "lovelace&#64;example.org",
        *(f"{word}=abcdefghijklm" for word in ("password", "Secret", "token", "api_key", "apikey")),
    ],
)
def test_no_secret_and_no_person_is_written(written, said):
    logging.getLogger("x").error(said)

    text = written.getvalue()
    for secret in ("p4ssw0rd", "lovelace", "xoxb", "xapp-9", "sk-of", "abcdefghijklm", "dXNlc",
                   "aMTIuMC4", "пример", "U0AB12CD34"):  # fmt: skip
        assert secret not in text


def test_a_traceback_is_redacted_too(written):
    try:
        raise RuntimeError("login of ada@example.org with p4ssw0rd&more failed")
    except RuntimeError:
        logging.getLogger("x").exception("it failed")

    (line,) = lines(written)
    assert "RuntimeError" in line["exception"]
    assert "ada@" not in line["exception"]
    assert "p4ssw0rd" not in line["exception"]


def test_a_person_is_recognised_from_line_to_line_and_not_by_another_key():
    here, there = Redactor([], KEY), Redactor([], b"another key of 32 bytes, as it is")

    assert here("to ada@example.org") == here("to Ada@Example.org")
    assert here("to ada@example.org") != there("to ada@example.org")


@pytest.mark.parametrize(
    "spelled",
    ["Ada@example.org", "'ada@example.org'", "<ada@example.org>", "?a=ada%40example.org&b=c",
     "ada%2540example.org", "mailto:ada@example.org?subject=x"],
)  # fmt: skip
def test_a_person_has_one_mark_however_the_address_is_spelled(spelled):
    here = Redactor([], KEY)

    assert here("ada@example.org") in here(spelled)


@pytest.mark.parametrize("sign", ["a", "%", "%40", "/l/a"])
def test_a_long_word_is_looked_through_at_once(sign):
    redacted, began = Redactor((), b"k" * 32), process_time()
    said = redacted(f"{sign * (60_000 // len(sign))} ada@example.org")

    assert "ada@" not in said
    assert process_time() - began < 10


def test_a_log_that_nobody_takes_stops_nothing_and_shows_nothing(tmp_path, capsys):
    root = logging.getLogger()
    before, level = list(root.handlers), root.level
    read, write = os.pipe()
    os.close(read)
    stream = os.fdopen(write, "w", buffering=1)
    open_journal(settings(tmp_path), KEY, stream)
    logging.getLogger("x").error("to %s", "ada@example.org")
    root.handlers[:] = before
    root.setLevel(level)
    structlog.reset_defaults()

    assert capsys.readouterr().err == ""
    with pytest.raises(BrokenPipeError):
        stream.close()


async def test_a_run_full_of_errors_names_nobody(written, tmp_path, clock):
    rooms, mailbox = open_rooms(tmp_path / "d", clock, write_down, **SECRETS)
    follow(rooms)
    rooms.core.ingest(_announcing(about(1, clock())))
    for fault in (Fault.RETRY, Fault.UNKNOWN, Fault.CHANNEL, Fault.CONTENT):
        mailbox.refusals.append(refused(f"450 {ADA.external_id} and p4ssw0rd&more", fault))
    for _ in range(6):
        clock.forward(days=7)
        await send(rooms)
    rooms.close()

    text = written.getvalue()
    assert {line["event"] for line in lines(written)} >= {"poll", "digest", "delivery"}
    assert "ada@" not in text
    assert "p4ssw0rd" not in text


def _announcing(paper):
    from tests.app.house import ByHand

    source = ByHand()
    source.announce(paper)
    return source
