"""Answers in the papers' own sentences.  Needs no key, no network and no model."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from bot.answers import MAX_QUESTION, Answer, nothing
from bot.answers.question import Question, abbreviations, read
from bot.answers.sentences import sentences
from bot.model import Paper

_SHOWN = 5  # papers
_EACH = 2  # sentences of one paper
_READ = 60  # papers whose sentences are weighed
_ENOUGH = 0.58  # of the question's weight: below, nothing answers it
_TITLE, _ELSEWHERE = 0.85, 0.7  # what a term counts that the sentence takes from its surroundings
_NUMBER = re.compile(r"\d")


@dataclass(frozen=True, slots=True)
class _Weighed:
    """A paper, the strength of each term in its title and anywhere in it."""

    paper: Paper
    title: tuple[float, ...]
    anywhere: tuple[float, ...]


class _Sentence(NamedTuple):
    """A sentence of an abstract, and how well it bears on a question (0 to 1)."""

    text: str
    score: float


class Extractive:
    """Quotes the best-supported sentences word for word, grouped by paper.

    A term weighs the more the fewer of the asked papers hold it.  Where the best paper misses
    too much of what was asked, or the very name asked for, the answer is that there is none.
    """

    def answer(
        self, question: str, papers: Sequence[Paper], *, of_a_stranger: bool = False
    ) -> Answer:
        """Say what `papers` hold on `question`, in at most five papers' sentences."""
        asked, remark = question[:MAX_QUESTION], ""
        if len(question) > MAX_QUESTION:
            remark = f"Only the first {MAX_QUESTION} characters of the question were read."
        known = abbreviations((paper.abstract for paper in papers), asked)
        wanted = read(asked, known)
        if not papers:
            return nothing(0)
        if not wanted.terms:
            return (
                _gist(papers[0])
                if len(papers) == 1
                else Answer((), len(papers), remark="Ask with the words that an answer would hold.")
            )
        quotes = _quotes(wanted, papers)
        return Answer(quotes, len(papers), remark=remark) if quotes else nothing(len(papers))


def rank(question: str, papers: Sequence[Paper], *, limit: int) -> tuple[Paper, ...]:
    """The papers that bear most on a question, whether or not they answer it."""
    wanted = read(question[:MAX_QUESTION], abbreviations((p.abstract for p in papers), question))
    if not wanted.terms:
        return tuple(papers[:limit])
    weighed, weights = _weigh(wanted, papers)
    return tuple(each.paper for each in _best(weighed, weights, limit))


def _quotes(wanted: Question, papers: Sequence[Paper]) -> tuple[tuple[Paper, tuple[str, ...]], ...]:
    weighed, weights = _weigh(wanted, papers)
    scored = [
        (paper, found)
        for paper in _best(weighed, weights, _READ)
        if (found := _sentences(wanted, weights, paper))
    ]
    scored.sort(key=lambda pair: -pair[1][0].score)
    enough = _ENOUGH if len(papers) > 1 else _ENOUGH - 0.12
    best = [pair for pair in scored if pair[1][0].score >= enough]
    if not best:
        return ()
    floor = max(enough, 0.8 * best[0][1][0].score)
    return tuple(
        (each.paper, _shown(found)) for each, found in best[:_SHOWN] if found[0].score >= floor
    )


def _weigh(wanted: Question, papers: Sequence[Paper]) -> tuple[list[_Weighed], tuple[float, ...]]:
    weighed = []
    for paper in papers:
        title, whole = paper.title, f"{paper.title}\n{paper.abstract}"
        folded_title, folded = title.casefold(), whole.casefold()
        anywhere = tuple(term.strength(whole, folded) for term in wanted.terms)
        in_title = tuple(
            term.strength(title, folded_title) if hit else 0.0
            for term, hit in zip(wanted.terms, anywhere, strict=True)
        )
        weighed.append(_Weighed(paper, in_title, anywhere))
    weights = tuple(
        term.weight * _rarity(sum(each.anywhere[n] > 0 for each in weighed), len(papers))
        for n, term in enumerate(wanted.terms)
    )
    return weighed, weights


def _rarity(holding: int, total: int) -> float:
    """How distinctive a word of `holding` of `total` papers is; among few papers, every word is."""
    return 0.3 + math.log(1 + (total + 1) / (holding + 0.5)) / math.log(2 + 2 * total)


def _best(weighed: list[_Weighed], weights: tuple[float, ...], limit: int) -> list[_Weighed]:
    def score(each: _Weighed) -> tuple[float, str]:
        found = sum(
            weight * (anywhere + 0.2 * title)
            for weight, anywhere, title in zip(weights, each.anywhere, each.title, strict=True)
        )
        return found, each.paper.arxiv_id

    return [each for each in sorted(weighed, key=score, reverse=True)[:limit] if any(each.anywhere)]


def _sentences(wanted: Question, weights: tuple[float, ...], each: _Weighed) -> list[_Sentence]:
    """This paper's sentences that hold something asked for, best first."""
    if any(
        term.entity and not anywhere
        for term, anywhere in zip(wanted.terms, each.anywhere, strict=True)
    ):
        return []  # another name's answer is no answer
    found = []
    for text in sentences(each.paper.abstract):
        here = tuple(term.strength(text, text.casefold()) for term in wanted.terms)
        if any(here):
            score = _score(wanted, weights, each, here, number=bool(_NUMBER.search(text)))
            found.append(_Sentence(text, score))
    return sorted(found, key=lambda sentence: -sentence.score)


def _score(
    wanted: Question,
    weights: tuple[float, ...],
    each: _Weighed,
    here: tuple[float, ...],
    *,
    number: bool,
) -> float:
    covered = sum(
        weight * max(in_sentence, _TITLE * in_title, _ELSEWHERE * anywhere)
        for weight, in_sentence, in_title, anywhere in zip(
            weights, here, each.title, each.anywhere, strict=True
        )
    ) / sum(weights)
    pairs = sum(1 for a, b in wanted.pairs if here[a] and here[b])
    score = covered + 0.04 * min(pairs, 3)
    if wanted.numeric:
        score += 0.08 if number else -0.08
    return score


def _shown(found: list[_Sentence]) -> tuple[str, ...]:
    floor = 0.85 * found[0].score
    return tuple(sentence.text for sentence in found[:_EACH] if sentence.score >= floor)


def _gist(paper: Paper) -> Answer:
    """The first and last sentence, for "what is this about?"."""
    all_of_it = sentences(paper.abstract)
    ends = all_of_it if len(all_of_it) < 3 else (all_of_it[0], all_of_it[-1])
    return Answer(((paper, tuple(ends)),), 1)
