"""What a digest looks like, before there is any news to fill one."""

from dataclasses import replace
from datetime import datetime

from bot.core.filtering import listening
from bot.core.house import House
from bot.core.pipeline.digests.composing import PREVIEW, compose, or_why_not
from bot.core.pipeline.digests.deciding import Sorted
from bot.digest import Digest
from bot.matching import cut
from bot.model import Breadth, Destination, Match
from bot.store import Candidate

EACH = 10  # papers of each topic
SAID = "An example of the newest papers so far; none of them counts as told."


def example(house: House, destination: Destination, now: datetime) -> Digest:
    """A digest of the newest papers of what is followed, told before or not; nothing is recorded.

    Says of itself that it is one: the past is news to nobody.
    """
    chosen = _lately(house, destination, now)
    made = compose(house, replace(destination, next_due_at=now), chosen, PREVIEW)
    if made.sections:
        return replace(made, notes=(SAID, *made.notes))
    return or_why_not(made, chosen.listener, "No paper is stored so far")


def _lately(house: House, destination: Destination, now: datetime) -> Sorted:
    listener = listening(house, destination, now)
    matches: dict[int, list[Match]] = {}
    for topic_id in listener.follows:
        for match in house.store.topics.best(topic_id, cut(Breadth.BROAD), EACH):
            matches.setdefault(match.seq, []).append(match)
    chosen = Sorted(listener)
    for paper in house.store.papers.some(matches):
        if heard := listener.judge(paper, matches[paper.seq]).heard:
            chosen.told.append(Candidate(paper, tuple(heard)))
    return chosen
