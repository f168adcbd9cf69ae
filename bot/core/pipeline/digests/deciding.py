"""What a destination would be told: candidates judged by what its reader hears of."""

from dataclasses import dataclass, field
from datetime import datetime

from bot.core.filtering import Judgement, Listener, listening
from bot.core.house import House
from bot.core.pipeline.recovering import was_known
from bot.model import Destination
from bot.store import Candidate


@dataclass(slots=True)
class Sorted:
    """Candidates of one destination, sorted; those told keep the matches that are not muted."""

    listener: Listener
    told: list[Candidate] = field(default_factory=list)
    withheld: list[Judgement] = field(default_factory=list)
    highest: int = 0


def decide(
    house: House, destination: Destination, now: datetime, known_at: datetime | None = None
) -> Sorted:
    """What a destination would be told, what mutes keep back, what its follows leave out.

    With `known_at`, papers that nobody could know of by then are left for later.
    """
    listener = listening(house, destination, now)
    chosen = Sorted(listener, highest=house.store.topics.last_number())
    for candidate in house.store.outbox.candidates(destination):
        if known_at and not was_known(house, candidate.paper, known_at):
            chosen.highest = min(chosen.highest, *(m.number - 1 for m in candidate.matches))
            continue
        judged = listener.judge(candidate.paper, candidate.matches)
        if judged.why:
            chosen.withheld.append(judged)
        elif judged.heard:
            chosen.told.append(Candidate(candidate.paper, tuple(judged.heard)))
    return chosen
