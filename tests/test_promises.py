"""Whatever happens, in whatever order: nothing is lost, nobody is told twice, silence is kept."""

import asyncio
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from bot.channels import ChannelError, Fault
from bot.core.pipeline.deliveries import queueing
from bot.core.pipeline.deliveries.claiming import claim
from bot.model import DeliveryState
from bot.sources import SourceError, SourceFault
from tests.fakes import ArxivByHand, FrozenClock, Inbox
from tests.houses import house, say
from tests.makers import paper

REFUSALS = (Fault.RETRY, Fault.RECIPIENT, Fault.CHANNEL)
TOPICS = ("lighthouses", "tides")
WORDS = {"lighthouses": "lighthouse", "tides": "tide"}


class Paperround(RuleBasedStateMachine):
    """One reader with a daily digest; arXiv, the channel and the process misbehave."""

    def __init__(self) -> None:
        super().__init__()
        self.clock = FrozenClock(datetime(2026, 11, 23, 6, 0, tzinfo=UTC))
        self.inbox, self.arxiv = Inbox(), ArxivByHand()
        self.core = house(self.clock, channels=(self.inbox,))
        self.store = self.core.house.store
        for topic in TOPICS:
            assert say(self.core, f"follow {topic}").ok
        assert say(self.core, "digest daily 07:00").ok
        self.muted: dict[str, datetime] = {}
        self.heard = 0  # what had arrived when something was last silenced
        self.served: dict[str, set[str]] = {}
        self.unknown = 0  # attempts whose outcome got lost
        self.let_go: set[int] = set()  # deliveries that the operator released

    # ------------------------------------------------------------ the world

    @rule(topics=st.sets(st.sampled_from(TOPICS), min_size=1))
    def arxiv_announces(self, topics: set[str]) -> None:
        number = f"2611.{len(self.served):05}"
        self.served[number] = topics
        words = " and ".join(WORDS[topic] for topic in sorted(topics))
        self.arxiv.announce(
            paper(number, f"On the {words}", submitted_at=self.clock(), updated_at=self.clock())
        )

    @rule()
    def arxiv_announces_a_second_version(self) -> None:
        if self.arxiv.sightings:
            old = self.arxiv.sightings[0].paper
            self.arxiv.announce(replace(old, version=old.version + 1), kind=None)

    @rule()
    def arxiv_breaks_off(self) -> None:
        self.arxiv.error = SourceError("cut off", SourceFault.TRANSIENT)

    @rule(fault=st.sampled_from(REFUSALS))
    def the_channel_refuses(self, fault: Fault) -> None:
        self.inbox.refusals = [ChannelError("not now", fault)]

    @rule()
    def an_answer_gets_lost(self) -> None:
        self.inbox.lost_answers = 1

    @rule(hours=st.integers(0, 30))
    def time_passes(self, hours: int) -> None:
        self.clock.forward(hours=hours)
        self.muted = {topic: end for topic, end in self.muted.items() if end > self.clock()}

    @rule()
    def the_process_dies_while_sending(self) -> None:
        if claim(self.core.house, "console"):
            self.unknown += 1

    # ------------------------------------------------------------- the work

    @rule(papers=st.lists(st.sets(st.sampled_from(TOPICS), min_size=1), max_size=5))
    def a_morning_comes(self, papers: list[set[str]]) -> None:
        """New papers, and a digest of them in the outbox: now anything may happen to it."""
        for topics in papers:
            self.arxiv_announces(topics)
        self.time_passes(25)
        self.ingest()
        self.prepare()

    @rule()
    def the_channel_is_closed_for_days(self) -> None:
        self.the_channel_refuses(Fault.CHANNEL)
        self.deliver()
        self.time_passes(50)
        self.deliver()

    @rule()
    def ingest(self) -> None:
        self.core.ingest(self.arxiv)

    @rule()
    def prepare(self) -> None:
        self.core.prepare()

    @rule()
    def deliver(self) -> None:
        before = self.inbox.lost_answers
        self.heard = len(self.inbox.arrived)
        asyncio.run(self.core.deliver("console", slots=1))
        self.unknown += before - self.inbox.lost_answers
        self.silence_is_kept()

    # --------------------------------------------------------- the operator

    @rule(deed=st.sampled_from(["hold", "give back"]), refused=st.sampled_from([None, *REFUSALS]))
    def the_operator_steps_in_while_a_message_is_in_the_air(
        self, deed: str, refused: Fault | None
    ) -> None:
        self.inbox.meanwhile = [lambda: self.step_in(deed)]
        self.inbox.refusals = [ChannelError("not now", refused)] if refused else []
        self.deliver()
        self.inbox.meanwhile = []

    def step_in(self, deed: str) -> None:
        if deed == "hold":
            queueing.hold(self.core.house)
        else:
            sending = self.store.outbox.queue([DeliveryState.SENDING])
            ids = [line.delivery.id for line in sending]
            queueing.cancel(self.core.house, ids, give_back=True)

    @rule()
    def the_operator_lets_go_what_is_held(self) -> None:
        held = [line.delivery.id for line in self.store.outbox.queue([DeliveryState.HELD])]
        if held:
            queueing.retry(self.core.house, held)
            self.let_go.update(held)

    # ----------------------------------------------------------- the reader

    @rule(topic=st.sampled_from(TOPICS), days=st.integers(1, 5))
    def reader_mutes(self, topic: str, days: int) -> None:
        assert say(self.core, f"mute {topic} for {days}d").ok
        self.muted[topic] = self.clock() + timedelta(days=days)

    @rule(topic=st.sampled_from(TOPICS))
    def reader_unmutes(self, topic: str) -> None:
        say(self.core, f"unmute {topic}")
        self.muted.pop(topic, None)

    @rule(topic=st.sampled_from(TOPICS))
    def reader_leaves_a_topic_for_a_morning_and_comes_back(self, topic: str) -> None:
        reply = say(self.core, f"unfollow {topic}")
        gone = {number for number, topics in self.served.items() if topics == {topic}}
        before = len(self.inbox.arrived)
        self.a_morning_comes([{topic}])
        self.deliver()
        arrived = {p for _, papers, _ in self.inbox.arrived[before:] for p in papers}
        assert not arrived & gone, "sent in spite of an unfollow"
        assert say(self.core, reply.buttons[0].command).ok

    @rule()
    def reader_stops_and_resumes(self) -> None:
        reply = say(self.core, "digest off")
        self.a_morning_comes([{"tides"}])
        before = len(self.inbox.arrived)
        self.deliver()
        assert len(self.inbox.arrived) == before, "sent in spite of a stop"
        assert say(self.core, reply.buttons[0].command).ok

    # -------------------------------------------------------- the promises

    @invariant()
    def nobody_is_told_twice(self) -> None:
        keys = Counter(key for _, _, key in self.inbox.arrived)
        assert sum(count - 1 for count in keys.values()) <= self.unknown
        once = {key: papers for _, papers, key in self.inbox.arrived}
        told = Counter(p for papers in once.values() for p in papers)
        assert all(count == 1 for count in told.values()), "told in two digests"

    @invariant()
    def one_digest_waits_at_most_beside_those_let_go(self) -> None:
        (place,) = self.store.people.at("console", "ada")
        waiting = {delivery.id for delivery in self.store.outbox.unbegun(place.id)}
        assert len(waiting - self.let_go) <= 1

    def silence_is_kept(self) -> None:
        silent = {topic for topic, end in self.muted.items() if end > self.clock()}
        for _, papers, _ in self.inbox.arrived[self.heard :]:
            for number in papers:
                assert not self.served[number] <= silent, "sent in spite of a mute"

    def teardown(self) -> None:
        self.inbox.refusals.clear()
        self.inbox.lost_answers = 0
        self.arxiv.error = None
        for _ in range(8):
            self.clock.forward(days=1)
            self.core.ingest(self.arxiv)
            self.core.prepare()
            asyncio.run(self.core.deliver("console", slots=1))
        told = {p for _, papers, _ in self.inbox.arrived for p in papers}
        lost = set(self.served) - told - self._withheld() - self._held()
        assert not lost, f"lost: {lost}"
        self.store.close()

    def _withheld(self) -> set[str]:
        rows = self.store.engine.rows("SELECT DISTINCT seq FROM withheld")
        return {p.arxiv_id for p in self.store.papers.some(row["seq"] for row in rows)}

    def _held(self) -> set[str]:
        """Deliveries whose outcome stayed unknown wait for a human, or did: recorded, not lost."""
        rows = self.store.engine.rows(
            "SELECT t.seq FROM told t JOIN deliveries v ON v.id = t.delivery_id"
            " WHERE v.state = 'held' OR v.state IN ('skipped', 'failed') AND v.unknown > 0"
        )
        return {p.arxiv_id for p in self.store.papers.some(row["seq"] for row in rows)}


TestPromises = Paperround.TestCase
TestPromises.settings = settings(max_examples=50, stateful_step_count=25, deadline=None)
