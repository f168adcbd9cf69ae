"""Count the words in company anew: config/company.toml from the texts of the shared papers.

    pip install numpy scipy
    python -m tests.bench.company [--papers FILE] [--out FILE]

For each concept of the thesaurus, and for each plain word that many titles hold, the papers that
name it surely stand against a sample of the others.  From the words and pairs that the first hold
more often, a logistic regression with weights from zero up chooses some sixty.  No label is read:
a paper counts for a concept because it uses the concept's own names.  A concept that stands under
a field is learned only from papers that this field's archive lists: what computer science writes
beside "supernova" or "disorder" is not what astronomers and physicists write.  Run it after the
thesaurus has changed; the same papers give the same file.
"""

import argparse
import json
import re
import sys
import tomllib
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from ahocorasick_rs import AhoCorasick
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

from bot.matching.concepts.facets import LINKS, of_word
from bot.matching.concepts.thesaurus import PLAIN, Thesaurus
from bot.matching.evidence.scoring import faded, standing
from bot.matching.examples.bags import bag
from bot.matching.spelling.folding import fold, words
from bot.matching.spelling.stems import stem
from bot.matching.spelling.terms import Term
from bot.model import Paper
from bot.text import clean, unicode_from_latex
from tests.bench.shared_papers import SHARED, records
from tests.makers import paper

ROOT = Path(__file__).parent.parent.parent
HEAD = """\
# Words in company: for each concept of the thesaurus, and for plain words ("~") that many titles
# hold, the words that papers about it use more often than other papers do, counted over the titles
# and abstracts of {size:,} papers by `python -m tests.bench.company`.
#
# Form: papers in 100,000 that name it, and of a hundred of these those that name language models;
# log-odds without any of the words; then weight and word, the most telling first.  Log-odds and
# weights are in hundredths, words as matching folds them.
# "~" alone: what many papers say and few are about, after the papers in 100,000 that hold it.
"""
SURE, UNSURE = 1.3, 0.6  # evidence from which a paper names a concept surely, and at all
LEAST, MOST, OTHERS = 25, 2_000, 6_000  # papers to learn one concept from
TRIED, KEPT = 250, 60  # words
PRIOR = 0.04  # the share of papers that a concept is given, so that all have the same cut
SPARSE = 0.002
MODELS = "large language model"  # named in so many papers that it is asked for by what it is beside
TITLES, COMMON = 60, 0.06  # a plain word: titles that hold it at least, share of papers at most
OFTEN = 47  # said in passing: papers that hold it at least
ABOUT, ABOUT_BOTH = 0.12, 0.25  # and fewer of them hold a word, or a pair, in the title
_HYPHENED = re.compile(r"[A-Za-z]{2,}(?:-[A-Za-z]{2,})+")


@dataclass(frozen=True, slots=True)
class Corpus:
    """Papers as rows of words and pairs, with what each counts."""

    papers: list[Paper]
    words: np.ndarray
    rows: csr_matrix
    rarity: np.ndarray
    others: np.ndarray  # a fixed sample of rows


def _paper(raw: Mapping[str, Any]) -> Paper:
    title, abstract = (unicode_from_latex(clean(raw[key])) for key in ("title", "abstract"))
    return paper(raw["id"], title, abstract=abstract, categories=tuple(raw["categories"]))


def corpus(papers: list[Paper]) -> Corpus:
    """The papers with all words that some, and not most, of them hold."""
    bags = [bag(each).counts for each in papers]
    count = Counter(word for bag in bags for word in bag)
    kept = sorted(w for w, n in count.items() if 8 <= n < 0.35 * len(papers))
    at = {word: index for index, word in enumerate(kept)}
    held = [[(at[w], value) for w, value in bag.items() if w in at] for bag in bags]
    ends = np.cumsum([0, *map(len, held)])
    flat = [pair for row in held for pair in row]
    columns, values = zip(*flat, strict=True)
    rows = csr_matrix((np.float32(values), columns, ends), shape=(len(papers), len(kept)))
    holders = np.array([count[word] for word in kept])
    rarity = np.clip(np.log((len(papers) + 10) / (holders + 1)) / 6, 0.05, None)
    others = np.sort(np.random.default_rng(7).permutation(len(papers))[:OTHERS])
    return Corpus(papers, np.array(kept), rows, rarity, others)


def evidence(papers: list[Paper], terms: Iterable[Term]) -> dict[Term, dict[int, float]]:
    """For each term the papers that hold it, with what it counts at its first place."""
    found: dict[Term, dict[int, float]] = defaultdict(dict)
    every = list(dict.fromkeys(terms))
    for cased in (False, True):
        chosen = [term for term in every if term.cased is cased]
        scan = AhoCorasick([term.needle for term in chosen])
        for number, each in enumerate(papers):
            folded = fold(each.title, each.abstract)
            text = folded.cased if cased else folded.plain
            matches = scan.find_matches_as_indexes(text, overlapping=True)
            for index in dict.fromkeys(index for index, _, _ in matches):
                place = chosen[index].locate(folded)
                if place is not None:
                    found[chosen[index]][number] = standing(place)
    return found


def named(
    terms: Mapping[Term, float], found: Mapping[Term, Mapping[int, float]]
) -> dict[int, float]:
    """How surely each paper names what the terms stand for."""
    values: dict[int, list[float]] = defaultdict(list)
    for term, strength in terms.items():
        for number, value in found.get(term, {}).items():
            values[number].append(strength * value)
    return {number: faded(sorted(each, reverse=True)) for number, each in values.items()}


def company(
    known: Corpus, terms: Mapping[Term, float], sure: Mapping[int, float], archive: str = ""
) -> str:
    """The line of one concept; "" where too few papers, of its archive if it has one, name it."""
    good = np.array(sorted(n for n, value in sure.items() if value >= SURE), dtype=int)
    share = len(good) / len(known.papers)
    good = _listed(known, good, archive)
    if len(good) < LEAST:
        good = _listed(known, np.array(sorted(sure), dtype=int), archive)
    if len(good) < LEAST:
        return ""
    good = np.random.default_rng(7).permutation(good)[:MOST]
    bad = np.array([n for n in known.others if sure.get(n, 0.0) < UNSURE])
    tried = _telling(known, terms, good, bad)
    rows = known.rows[np.concatenate([good, bad])]
    labels = np.repeat([1.0, 0.0], [len(good), len(bad)])
    weights, _ = _fit(rows[:, tried].multiply(known.rarity[tried]).tocsr(), labels)
    spread = np.sqrt(np.asarray((rows[:, tried] > 0).mean(axis=0)).ravel())
    best = np.argsort(-weights * spread, kind="stable")[:KEPT]
    chosen = tried[best[weights[best] > 0.001]]
    weights, bias = _fit(rows[:, chosen].multiply(known.rarity[chosen]).tocsr(), labels)
    told = sorted(
        (-round(100 * weight * known.rarity[n]), str(known.words[n]))
        for weight, n in zip(weights, chosen, strict=True)
    )
    parts = [f"{-weight} {word}" for weight, word in told if weight <= -8]
    return "; ".join([f"{round(100_000 * share)}; {round(100 * bias)}", *parts])


def counted(line: str, sure: Mapping[int, float], models: Collection[int]) -> str:
    """The line of a concept, with how many of a hundred of its papers name language models."""
    good = [n for n, value in sure.items() if value >= SURE] or list(sure)
    share, _, rest = line.partition(";")
    return (
        f"{share} {round(100 * sum(n in models for n in good) / len(good))};{rest}" if line else ""
    )


def _listed(known: Corpus, papers: np.ndarray, archive: str) -> np.ndarray:
    """Those of the papers that an archive lists; all of them for ""."""
    if not archive:
        return papers
    archives = [{c.partition(".")[0] for c in known.papers[n].categories} for n in papers]
    return papers[[archive in each for each in archives]]


def _telling(
    known: Corpus, terms: Mapping[Term, float], good: np.ndarray, bad: np.ndarray
) -> np.ndarray:
    """The words that most tell the good from the bad, without the concept's own names."""
    inside = np.asarray((known.rows[good] > 0).mean(axis=0)).ravel()
    outside = np.asarray((known.rows[bad] > 0).mean(axis=0)).ravel()
    difference = (inside - outside) * known.rarity
    difference[inside * len(good) < 3] = 0
    own = {term.needle.strip().lower() for term in terms}
    phrases = [f" {name} " for name in own if " " in name]
    chosen = []
    for n in np.argsort(-difference, kind="stable")[: 2 * TRIED]:
        word = known.words[n]
        if word not in own and not any(phrase in f" {word} " for phrase in phrases):
            chosen.append(n)
    return np.array(chosen[:TRIED])


def _fit(rows: csr_matrix, labels: np.ndarray) -> tuple[np.ndarray, float]:
    """Weights from zero up, and the bias, for papers of which PRIOR are good."""
    good = labels.sum()
    share = np.where(labels > 0, 0.5 / good, 0.5 * (1 / PRIOR - 1) / (len(labels) - good))
    turned = rows.T.tocsr()

    def loss(point: np.ndarray) -> tuple[float, np.ndarray]:
        weights, bias = point[:-1], point[-1]
        odds = rows @ weights + bias
        error = share * (1 / (1 + np.exp(-odds)) - labels)
        value = share @ (np.logaddexp(0, odds) - labels * odds)
        value += SPARSE * weights.sum() + 1e-4 * weights @ weights
        return value, np.append(turned @ error + SPARSE + 2e-4 * weights, error.sum())

    start = np.append(np.full(rows.shape[1], 0.01), -4.0)
    bounds = [(0, None)] * rows.shape[1] + [(None, None)]
    found = minimize(
        loss, start, jac=True, method="L-BFGS-B", bounds=bounds, options={"maxiter": 60}
    )
    return found.x[:-1], float(found.x[-1])


def plain_words(papers: list[Paper], thesaurus: Thesaurus) -> dict[str, Mapping[Term, float]]:
    """Words that many titles hold and that are no concepts, by stem, with their terms."""
    holders = Counter(word for each in papers for word in set(_title(each)))
    spelled = _usual_spelling(papers)
    return {
        word: of_word(spelled[word], thesaurus).terms
        for word, count in sorted(holders.items())
        if count >= TITLES
        and word.isalpha()
        and len(word) > 2
        and word not in thesaurus.generic
        and spelled[word] not in LINKS
        and thesaurus.concept(spelled[word]) is None
    }


def in_passing(papers: list[Paper], thesaurus: Thesaurus) -> dict[str, int]:
    """Words, and pairs that are written with a hyphen, that are said in passing, with their papers.

    So many papers hold them that they have no company, or far fewer titles than abstracts do.
    """
    everywhere, titles = (_held_by(papers, part) for part in (_words, _title))
    hyphened = {" ".join(words(h)) for each in papers for h in _HYPHENED.findall(each.abstract)}
    said = {
        word: count
        for word, count in everywhere.items()
        if (count > COMMON * len(papers) and " " not in word)
        or (count >= OFTEN and titles[word] < count * (ABOUT_BOTH if " " in word else ABOUT))
    }
    return {
        word: count
        for word, count in said.items()
        if (word in hyphened if " " in word else _is_word(word, thesaurus))
    }


def _is_word(word: str, thesaurus: Thesaurus) -> bool:
    return word.isalpha() and len(word) > 1 and word not in thesaurus.generic


def _held_by(papers: list[Paper], part: Callable[[Paper], list[str]]) -> Counter[str]:
    """How many papers hold each word and each pair of neighbours in a part of their text."""
    held: Counter[str] = Counter()
    for each in papers:
        found = part(each)
        held.update({*found, *(f"{a} {b}" for a, b in pairwise(found))})
    return held


def _words(each: Paper) -> list[str]:
    return fold(each.title, each.abstract).plain.split()


def _title(each: Paper) -> list[str]:
    return fold(each.title, each.abstract).plain.partition("|")[0].split()


def _usual_spelling(papers: list[Paper]) -> dict[str, str]:
    """The spelling in which each stem is met most often in titles."""
    met = Counter(word for each in papers for word in each.title.lower().split() if word.isalpha())
    found: dict[str, str] = {}
    for word, _ in met.most_common():
        found.setdefault(stem(word), word)
    return defaultdict(str, found)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--papers", type=Path, default=SHARED)
    options.add_argument("--out", type=Path, default=ROOT / "config" / "company.toml")
    options.add_argument("--thesaurus", type=Path, default=ROOT / "config" / "thesaurus.toml")
    chosen = options.parse_args()
    if not chosen.papers.is_file():
        sys.exit(f"{chosen.papers} is absent; name a file of papers with --papers")
    source = tomllib.loads(chosen.thesaurus.read_text("utf-8"))
    thesaurus = Thesaurus(source, {})
    papers = [_paper(raw) for raw in records(chosen.papers)]
    asked = {name: concept.terms for name, concept in thesaurus.concepts.items()}
    archives = {name: concept.archive for name, concept in thesaurus.concepts.items()}
    asked |= {PLAIN + word: terms for word, terms in plain_words(papers, thesaurus).items()}
    found = evidence(papers, (term for terms in asked.values() for term in terms))
    known = corpus(papers)
    passing = in_passing(papers, thesaurus)
    common = {PLAIN + word for word, count in passing.items() if count > COMMON * len(papers)}
    lines = {
        name: company(known, terms, named(terms, found), archives.get(name, ""))
        for name, terms in asked.items()
        if name not in common
    }
    models = named(asked[MODELS], found)
    for name, line in lines.items():
        lines[name] = counted(line, named(asked[name], found), models)
    lines[PLAIN] = "; ".join(
        f"{round(100_000 * count / len(papers))} {word}"
        for word, count in sorted(passing.items())
        if not lines.get(PLAIN + word)
    )
    text = [
        f"{json.dumps(n, ensure_ascii=False)} = {json.dumps(line, ensure_ascii=False)}"
        for n, line in sorted(lines.items())
        if line
    ]
    chosen.out.write_text(HEAD.format(size=len(papers)) + "\n" + "\n".join(text) + "\n", "utf-8")
    print(f"{len(text)} lines, {sum(line.count(';') - 1 for line in text):,} words")


if __name__ == "__main__":
    main()
