"""From what somebody searches for to the stored papers that may fit, newest first."""

from collections.abc import Collection, Iterator
from itertools import islice

from bot.core import House
from bot.core.commands.errand import Refused
from bot.core.commands.words.authors import author_named, by_author, names_beside
from bot.core.commands.words.exclusions import Exclusions, left_out_of
from bot.core.pipeline.papers import rematching
from bot.matching import Compiled, QueryError
from bot.matching.names.kinds import in_a_query
from bot.model import Paper
from bot.store import Fed
from bot.text.categories import listed_at

SEARCHED = 4_000  # candidates of a query that are judged, the newest ones


def understood(house: House, text: str) -> tuple[str, Compiled]:
    """The query that a text stands for, arXiv's own lists too.

    Raises QueryError where it cannot be read or names a category that is none.
    """
    language, category = house.language, listed_at(text)
    text, without = _parted(house, f"cat:{category}" if category else text)
    text = _with_authors(house, text)
    query = in_a_query(text) if language.is_query(text) else language.derive(text)
    whole = f"({query}) {without}" if without else query
    language.check(whole, house.store.papers.categories())
    name = "" if language.is_query(text) else text
    return whole, language.compile(query, name=name, without=without)


def _with_authors(house: House, text: str) -> str:
    """A query with each stored author who stands as words beside another: author:"A" OR B."""
    for words in names_beside(text):
        if name := author_named(house, words):
            text = text.replace(words, by_author(name), 1)
    return text


def _parted(house: House, text: str) -> tuple[str, str]:
    """A text without its "without …", and that as a query says it."""
    try:
        text, excluded = left_out_of(house, text)
    except Refused as error:
        raise QueryError(
            f"“{text}” leaves out what “without” cannot; write it as a query.",
            suggestion="agents NOT cat:cs.CV",
        ) from error
    excluded = excluded or Exclusions()
    out = [f'"{each}"' for each in excluded.words] + list(map(by_author, excluded.authors))
    return text, " ".join(f"NOT {each}" for each in out)


def proposed(house: House, compiled: Compiled) -> Iterator[Paper]:
    """The newest papers that may fit."""
    batches = rematching.proposed(house, compiled, SEARCHED)
    return islice((paper for batch in batches for paper in batch), SEARCHED)


def newest_of(house: House, text: str, least: float, fed: Fed) -> list[Paper]:
    """The papers of a feed of a query: what arrived since, latest first; then the newest.

    Raises QueryError as `understood` does.
    """
    news: list[Paper] = []
    others: list[Paper] = []
    _, compiled = understood(house, text)
    arrived = dict.fromkeys(house.store.reading.arrived(fed.since))
    for paper in _newest_and_held(house, compiled, arrived):
        kept = news if paper.seq in arrived else others
        if len(news) >= fed.most:
            break
        if kept is others and len(news) + len(others) >= fed.fewest:
            continue  # one that was held for long may still come
        if (verdict := compiled.judge(paper)) and verdict.score >= least:
            kept.append(paper)
    news.sort(key=lambda paper: -paper.seq)
    return news + others[: max(0, fed.fewest - len(news))]


def _newest_and_held(house: House, compiled: Compiled, arrived: Collection[int]) -> Iterator[Paper]:
    """The newest papers that may fit; then what arrived, if the newest leave no room for it.

    A paper that arXiv held for weeks is older than thousands that a broad query is about.
    """
    seen = set()
    for paper in proposed(house, compiled):
        seen.add(paper.seq)
        yield paper
    if len(seen) >= SEARCHED:
        yield from house.store.papers.some([seq for seq in arrived if seq not in seen][:SEARCHED])
