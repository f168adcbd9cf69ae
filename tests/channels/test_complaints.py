"""What people complained of elsewhere, as tests of ours, by the number it has in our notes.

 1-6    killed, restarted, throttled: test_kill9, test_smtp (26th), below
 7-20   twice, never, to the wrong one: below, tests/core
21-28   links that scanners press: tests/web/people/test_links
29      signatures are the relay's; the headers it must sign are in test_email_bytes
30-33   long links, odd titles, long lines: test_email_bytes
34-39   ugly text, clipped mails, the dark: below, test_email_bytes, test_look
40-41   empty digests, mute against follow: below
42-44   returned mails are not read yet; who one belonged to is provable: test_email_bytes
45-47   what a refusal means: below, test_smtp
48-50   weeks and zones: tests/timetable
51-53   sessions: below, test_smtp
"""

import asyncio
from collections import Counter
from datetime import timedelta

import pytest

from bot.channels import ChannelError, Fault
from bot.channels.email import Email
from bot.channels.email.pace import Pace
from bot.channels.email.smtp import Smtp
from bot.core import Core
from bot.core.reply import Actor
from bot.digest.reading import as_text
from bot.model import DeliveryState, DestinationState, Identity, Part
from tests.channels import days
from tests.channels.decoded import digest_html
from tests.channels.inlining import TEMPLATES
from tests.channels.postman import announce, enrol, fill_outbox, make_due, open_post_office
from tests.channels.smtp_server import CLOSE, SmtpServer
from tests.channels.test_email_bytes import email, raw, read

READER = Identity("email", "", "reader0@example.org")
OPERATOR = Actor(READER, operator=True)


@pytest.fixture
async def server():
    async with SmtpServer() as running:
        yield running


@pytest.fixture
async def core(server, clock):
    clock.set(days.DUE)
    opened = open_post_office(None, server.port, clock)
    yield opened
    await opened.house.channels["email"].close()
    opened.house.store.close()


def states(core: Core) -> Counter[str]:
    return Counter(line.delivery.state for line in core.house.store.outbox.queue(DeliveryState))


# ------------------------------------------------------------------ queue, crash, repeats


async def test_2_cancelled_while_it_waits_for_its_turn_nothing_is_sent_and_the_turn_is_free(server):
    pace = Pace(per_second=0, per_domain=0.01, burst=1, clock=lambda: 0.0)
    transport = Smtp("127.0.0.1", server.port, tls="none", pace=pace)
    await transport.carry("d1", "b@d.example", "a@example.org", b"x\r\n")
    waiting = asyncio.create_task(transport.carry("d2", "b@d.example", "b@example.org", b"x\r\n"))
    await asyncio.sleep(0.01)
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    await transport.close()

    assert server.recipients == ["a@example.org"]
    assert pace.reserve("example.org") == 100


async def test_7_a_digest_gone_stale_is_composed_anew_and_not_sent_as_it_was(core, clock, server):
    fill_outbox(core, 1)
    clock.forward(hours=60)
    announce(core, 5)
    await core.deliver("email")

    [body] = server.bodies
    assert b"8 new" in body  # the three it held, given back, and five since
    assert states(core) == {DeliveryState.SKIPPED: 1, DeliveryState.SENT: 1}


async def test_8_four_who_send_at_once_send_each_mail_once(core, server):
    fill_outbox(core, 60)
    await asyncio.gather(*(core.deliver("email", slots=4) for _ in range(4)))

    assert Counter(Counter(server.recipients).values()) == {1: 60}


async def test_11_what_waits_for_an_address_that_was_just_found_dead_is_not_sent(core, server):
    fill_outbox(core, 1)
    server.script = {"RCPT": ["550 5.1.1 no such user"]}
    await core.deliver("email")
    announce(core, 6)
    make_due(core)
    core.prepare()
    await core.deliver("email")

    assert server.bodies == []
    [own] = core.house.store.people.destinations(core.house.store.people.find(READER))
    assert own.state is DestinationState.PAUSED
    assert core.house.store.people.suppressed("reader0@example.org")


async def test_13_prepared_twice_is_sent_once(core, server):
    fill_outbox(core, 3)
    make_due(core)
    core.prepare()
    await core.deliver("email")
    await core.deliver("email")

    assert sorted(server.recipients) == [f"reader{n}@example.org" for n in range(3)]


@pytest.mark.parametrize("answer", ["250", "250 ", "250 \xff odd \x00", "251 will forward"])
async def test_14_any_yes_is_a_yes_whatever_its_words(core, server, answer):
    fill_outbox(core, 1)
    server.script = {"DOT": answer}
    await core.deliver("email")
    await core.deliver("email")

    assert len(server.bodies) == 1
    assert states(core) == {DeliveryState.SENT: 1}


async def test_16_one_refused_address_stops_nobody_else(core, server):
    fill_outbox(core, 5)
    server.script = {"RCPT": [None, "550 5.1.1 no such user"]}
    await core.deliver("email", slots=1)

    assert len(server.bodies) == 4


async def test_18_who_leaves_between_composing_and_sending_gets_nothing(core, server):
    fill_outbox(core, 2)
    people, links = core.house.store.people, core.house.links
    [own] = people.destinations(people.find(READER))
    core.redeem(links.token("one-click", own.id, own.epoch), act=True)
    await core.deliver("email")

    assert server.recipients == ["reader1@example.org"]


async def test_20_who_has_not_confirmed_gets_one_question_and_no_digest(core, server):
    enrol(core, 0)
    core.join("reader0@example.org", "Language Agents", "", "192.0.2.1")
    announce(core)
    make_due(core)
    core.prepare()
    await core.deliver("email")

    [body] = server.bodies
    assert b"Subject: Confirm" in body


async def test_3_a_relay_that_hangs_up_now_and_then_gets_each_mail_once(core, server, clock):
    fill_outbox(core, 40)
    server.script = {"RCPT": lambda count: "421 4.7.0 enough!" if count % 9 == 0 else None}
    for _ in range(12):
        await core.deliver("email", slots=2)
        clock.forward(minutes=20)

    assert Counter(Counter(server.recipients).values()) == {1: 40}
    assert states(core) == {DeliveryState.SENT: 40}


# ------------------------------------------------------------------ content


def test_34_the_text_part_is_prose_without_styles_or_pictures():
    text = as_text(days.ordinary())

    assert not any(word in text for word in ("{", "font-", "<td", ".png", "&nbsp;", "&amp;"))


def test_36_mails_of_two_weeks_share_no_thread():
    first, second = (
        read(raw(days.day(*days.ordinary().sections, key=key))) for key in ("d1.1.0", "d1.2.0")
    )

    assert first["Message-ID"] != second["Message-ID"]
    assert first["References"] is second["In-Reply-To"] is None


def test_38_what_only_some_programs_read_survives_the_inlining():
    template = (TEMPLATES / "digest.html.inlined.j2").read_text()

    assert "@media (prefers-color-scheme: dark)" in template
    assert "<!--[if mso]>" in template
    assert "<style>" in template


def test_39_an_ampersand_in_a_subject_stays_one():
    assert "R&D <b>" in read(raw(days.ugly()))["Subject"]
    assert "R&amp;D" in digest_html(days.ugly())


async def test_40_nothing_new_is_no_mail(core, server):
    enrol(core, 2)
    make_due(core)
    prepared = core.prepare()
    await core.deliver("email")

    assert (prepared.queued, prepared.empty) == (0, 2)
    assert server.bodies == []


async def test_41_a_mute_beats_a_follow(core, server):
    enrol(core, 1)
    core.execute(OPERATOR, "mute Language Agents for 2w")
    announce(core)
    make_due(core)
    core.prepare()
    await core.deliver("email")

    assert server.bodies == []


# ------------------------------------------------------------------ refusals


async def test_45_an_unknown_user_is_tried_once(core, server, clock):
    fill_outbox(core, 1)
    server.script = {"RCPT": "550 5.1.1 no such user"}
    for _ in range(5):
        await core.deliver("email")
        clock.forward(hours=6)

    assert sum(said.startswith("RCPT") for said in server.said) == 1


async def test_46_a_refusal_of_our_name_suppresses_nobody(core, server):
    fill_outbox(core, 3)
    server.script = {"RCPT": "550 5.7.1 refused for its name"}
    await core.deliver("email")

    for n in range(3):
        assert core.house.store.people.suppressed(f"reader{n}@example.org") == ""


def test_47_no_machine_is_asked_to_answer():
    message = read(raw(days.ordinary()))

    assert message["Auto-Submitted"] == "auto-generated"
    assert message["X-Auto-Response-Suppress"] == "All"


@pytest.mark.parametrize(
    ("script", "line"),
    [
        pytest.param({"CONNECT": "421 busy!"}, "is busy", id="relay down"),
        pytest.param({"RCPT": "452 4.2.2 mailbox full"}, "4.2.2", id="full mailbox"),
        pytest.param({"RCPT": "450 4.7.1 greylisted"}, "4.7.1", id="greylisting"),
        pytest.param({"MAIL": "552 5.3.4 too large"}, "too large", id="too large"),
        pytest.param({"DOT": CLOSE}, "broke off", id="hangs up after the body"),
    ],
)
async def test_every_trouble_says_what_it_is_and_loses_nothing(core, server, clock, script, line):
    fill_outbox(core, 1)
    server.script = script
    await core.deliver("email")
    [waiting] = core.house.store.outbox.queue(DeliveryState)
    assert line in waiting.delivery.error

    held = waiting.delivery.state is DeliveryState.HELD
    server.script = {}
    clock.forward(hours=1)
    await core.deliver("email")
    assert held or states(core) == {DeliveryState.SENT: 1}


async def test_a_relay_out_of_order_is_tried_once_for_all_and_then_all_arrives(core, server, clock):
    fill_outbox(core, 20)
    server.script = {"CONNECT": "421 busy!"}
    await core.deliver("email", slots=1)
    assert server.connections == 1
    assert states(core) == {DeliveryState.PENDING: 20}

    server.script = {}
    clock.forward(hours=1)
    await core.deliver("email")
    assert states(core) == {DeliveryState.SENT: 20}
    assert len(server.bodies) == 20


async def test_a_repeat_after_an_unknown_end_is_the_same_mail(core, server, clock):
    fill_outbox(core, 1)
    server.script = {"DOT": [CLOSE]}
    await core.deliver("email")
    clock.forward(hours=1)
    await core.deliver("email")
    first, second = server.bodies

    assert first == second


# ------------------------------------------------------------------ sessions


async def test_52_many_tasks_share_a_transport_and_each_gets_its_own_answer(server):
    server.script = {
        "RCPT": lambda count: "550 5.1.1 no" if count % 2 else None,
    }
    transport = Smtp("127.0.0.1", server.port, tls="none", pace=Pace(0, 0), connections=3)
    channel = Email(transport, "digest@d.example")
    parts = [Part(n, 0, f"d{n}", f"r{n}@example.org", b"x\r\n") for n in range(40)]
    answers = await asyncio.gather(*(channel.send(p) for p in parts), return_exceptions=True)
    await channel.close()
    taken = {p.address for p, a in zip(parts, answers, strict=True) if isinstance(a, str)}
    refused = [a for a in answers if isinstance(a, ChannelError)]

    assert taken == set(server.recipients)
    assert {error.fault for error in refused} == {Fault.ADDRESS}
    assert len(taken) + len(refused) == 40


async def test_53_one_recipient_a_mail(core, server):
    fill_outbox(core, 4)
    await core.deliver("email")
    verbs = [said.partition(":")[0] for said in server.said if said[:4] in ("MAIL", "RCPT")]

    assert verbs.count("RCPT TO") == verbs.count("MAIL FROM") == 4


def test_12_a_domain_that_asks_for_patience_gets_half_and_recovers():
    now = [0.0]
    pace = Pace(0, 4, burst=1, clock=lambda: now[0])
    pace.ease("slow.example")
    waits = [pace.reserve("slow.example") for _ in range(3)]
    for _ in range(40):
        pace.recover("slow.example")
    now[0] += 100
    later = [pace.reserve("slow.example") for _ in range(3)]

    assert waits == [0.5, 1.0, 1.5]
    assert later == [0.0, 0.25, 0.5]
    assert pace.reserve("other.example") == 0.0


def test_a_transport_of_mails_never_names_another_reader():
    content = raw(days.ordinary())
    assert content.count(b"@example.org") == content.count(b"ada@example.org")
    assert email().envelope_sender(1) != email().envelope_sender(2)


def test_a_pace_gives_a_week_of_patience_no_more_than_it_has():
    pace = Pace(0, 1, burst=5, clock=lambda: 0.0)
    waits = [pace.reserve("a.example") for _ in range(7)]

    assert waits == [0, 0, 0, 0, 0, 1, 2]
    assert timedelta(seconds=waits[-1]) < timedelta(minutes=1)
