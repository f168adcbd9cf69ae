"""What an operator does with deliveries by hand."""

from bot.channels import Fault
from bot.core.pipeline.deliveries import queueing
from bot.model import DeliveryState
from tests.app.house import a_paper_came, refused, send


async def a_held_digest(rooms, arxiv, clock, mailbox) -> int:
    a_paper_came(rooms, arxiv, clock, days=7)
    mailbox.refusals = [refused("552 too big", Fault.CONTENT)]
    await send(rooms)
    (line,) = rooms.store.outbox.queue([DeliveryState.HELD])
    return line.delivery.id


async def test_a_held_delivery_goes_when_it_is_retried(rooms, arxiv, clock, mailbox):
    held = await a_held_digest(rooms, arxiv, clock, mailbox)
    assert await send(rooms) == 0

    assert queueing.retry(rooms.core.house, [held]) == 1
    assert await send(rooms) == 1
    assert len(mailbox.arrived) == 1


async def test_a_cancelled_one_is_never_sent_and_its_papers_count_as_told(
    rooms, arxiv, clock, mailbox
):
    held = await a_held_digest(rooms, arxiv, clock, mailbox)
    assert queueing.cancel(rooms.core.house, [held], give_back=False).at_once == 1
    clock.forward(days=7)

    assert await send(rooms) == 0


async def test_given_back_its_papers_come_with_the_next_digest(rooms, arxiv, clock, mailbox):
    held = await a_held_digest(rooms, arxiv, clock, mailbox)
    queueing.cancel(rooms.core.house, [held], give_back=True)
    clock.forward(days=7)

    assert await send(rooms) == 1
    assert b"part 1" in mailbox.arrived[0][1]


async def test_what_waits_can_be_held_and_let_go(rooms, arxiv, clock, mailbox):
    a_paper_came(rooms, arxiv, clock, days=7)
    rooms.core.prepare()

    assert queueing.hold(rooms.core.house).at_once == 1
    assert await send(rooms) == 0
    (line,) = rooms.store.outbox.queue([DeliveryState.HELD])
    queueing.retry(rooms.core.house, [line.delivery.id])
    assert await send(rooms) == 1


async def test_retrying_all_ends_a_wait(rooms, arxiv, clock, mailbox):
    a_paper_came(rooms, arxiv, clock, days=7)
    mailbox.refusals = [refused("535 password", Fault.CHANNEL)]
    await send(rooms)
    assert await send(rooms) == 0

    queueing.retry(rooms.core.house)

    assert await send(rooms) == 1


async def test_a_failed_digest_is_composed_anew_of_what_is_untold(rooms, arxiv, clock, mailbox):
    a_paper_came(rooms, arxiv, clock, days=7)
    mailbox.refusals = [refused("451 later", Fault.RETRY)] * 50
    for _ in range(20):
        await send(rooms)
        clock.forward(hours=5)
    (failed,) = rooms.store.outbox.queue([DeliveryState.FAILED])
    mailbox.refusals = []

    assert queueing.retry(rooms.core.house, [failed.delivery.id]) == 1
    assert await send(rooms) == 1
    assert b"part 1" in mailbox.arrived[0][1]


async def test_a_digest_that_is_composed_days_late_is_not_given_up_at_its_first_refusal(
    rooms, arxiv, clock, mailbox
):
    a_paper_came(rooms, arxiv, clock, days=7)
    clock.forward(days=4)  # nobody served
    mailbox.refusals = [refused("451 greylisted", Fault.RETRY)]
    await send(rooms)
    assert not rooms.store.outbox.queue([DeliveryState.FAILED])

    clock.forward(hours=1)
    assert await send(rooms) == 1


async def test_deeds_are_written_down(rooms, arxiv, clock, mailbox):
    held = await a_held_digest(rooms, arxiv, clock, mailbox)
    queueing.cancel(rooms.core.house, [held], give_back=False)

    (row,) = rooms.store.ledger.runs("queue")
    assert (row.outcome, row.reason) == ("cancelled", str(held))
    assert queueing.papers(rooms.core.house, rooms.store.outbox.line(held).delivery)
    assert queueing.tries(rooms.core.house, rooms.store.outbox.line(held))[0].outcome == "content"
