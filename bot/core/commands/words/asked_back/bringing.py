"""Whether words bring papers as they stand, which speaks for a topic."""

from bot.core.commands.errand import Errand
from bot.matching import QueryError, cut
from bot.model import Breadth

_LOOKED_AT = 500  # papers


def brings(errand: Errand, text: str) -> bool:
    """Whether one of the newest papers with its words would come by a topic of this name."""
    language, papers = errand.house.language, errand.house.store.papers
    try:
        topic = language.compile(language.derive(text), name=text)
    except QueryError:
        return False
    found = papers.candidates(topic.candidates, _LOOKED_AT) if topic.candidates else ()
    verdicts = (topic.judge(paper) for batch in found for paper in batch)
    return any(verdict and verdict.score >= cut(Breadth.BALANCED) for verdict in verdicts)
