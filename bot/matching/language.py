"""The topic language with its thesaurus: names to queries, queries to compiled topics."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from itertools import chain
from threading import Lock
from typing import Any

from bot.matching.compiled import Compiled
from bot.matching.concepts.commonness import share_of
from bot.matching.concepts.facets import JOINTS, Facet, Reading
from bot.matching.concepts.thesaurus import Concept, Thesaurus
from bot.matching.examples import learning
from bot.matching.examples.bags import bag
from bot.matching.examples.concepts import (
    concepts_of,
    covering,
    either,
    narrow,
    narrowed,
    nearly_shared,
)
from bot.matching.examples.words import shared_words
from bot.matching.names.derived import query_of, quoted
from bot.matching.names.kinds import wanted
from bot.matching.names.naming import read, titled
from bot.matching.names.wording import said_otherwise, written_out
from bot.matching.queries import grammar, tokens
from bot.matching.queries.categories import names_of
from bot.matching.queries.condition import build, groups
from bot.matching.queries.outside import listings
from bot.matching.spelling.folding import printed
from bot.matching.spelling.stems import stem
from bot.matching.spelling.terms import any_of, spellings
from bot.matching.verdicts import QueryError
from bot.model import Paper
from bot.text.categories import leaves

Files = Callable[[], tuple[Mapping[str, Any], Mapping[str, str]]]
"""What reads the thesaurus and the words in company."""

_GLUED = re.compile(r"(?<=\w\w)\+(?=\w\w)")  # LLM+robotics, but not C++11
_BY_CHANCE, _SURELY = 0.02, 0.002  # words that strangers may share by accident; beside a concept
_WORDS_OF_A_PAPER = 150
_MANY = 4  # papers: of so many not all need to share a word
_LONGEST, _MOST_WORDS = 300, 40  # characters and words of a name
_SAYING = re.compile(r"(?=[\w+#-]*[^\W\d_])(?:[\w+#][-.]?){3,}")  # a word of three letters


class Language:
    """The compiled thesaurus.  Pure; made once from the parsed TOML.

    `company` holds, for each concept, the words that papers about it use more than others do
    (config/company.toml); without it only the thesaurus speaks.
    """

    def __init__(
        self, thesaurus: Mapping[str, Any], company: Mapping[str, str] | None = None
    ) -> None:
        self._known: Thesaurus | None = Thesaurus(thesaurus, company or {})
        self._read_files: Files = lambda: ({}, {})
        self._lock = Lock()

    @classmethod
    def when_asked(cls, files: Files) -> "Language":
        """A language that reads and compiles its files when it is first asked what it knows."""
        language = cls({})
        language._known, language._read_files = None, files
        return language

    @property
    def _thesaurus(self) -> Thesaurus:
        return self._known or self.make_ready()

    def make_ready(self) -> Thesaurus:
        """Read and compile what is not compiled yet, so that nobody waits for it later."""
        with self._lock:  # of two that ask at once one compiles
            if self._known is None:
                self._known = Thesaurus(*self._read_files())
            return self._known

    def is_query(self, text: str) -> bool:
        """Whether the text has quotes, operators, fields or categories: taken as it stands."""
        return tokens.is_query(text)

    @property
    def generic(self) -> frozenset[str]:
        """The stems of words that say too little by themselves: model, learning, data."""
        return self._thesaurus.generic

    @cached_property
    def vocabulary(self) -> Mapping[str, str]:
        """The words of all names in the thesaurus as they are written, by stem."""
        return {stem(word): word for word in sorted(self._printed)}  # small letters last: they stay

    @cached_property
    def usual(self) -> Mapping[str, int]:
        """How many names in the thesaurus hold a word, by stem."""
        counts: Counter[str] = Counter()
        for word, count in self._printed.items():
            counts[stem(word)] += count
        return counts

    @cached_property
    def _printed(self) -> Counter[str]:
        every = self._thesaurus.concepts.values()
        names = (name for c in every for name in (c.name, *c.same, *c.narrower))
        return Counter(word for name in names for word in printed(name))

    def written_out(self, name: str) -> str:
        """The name in plain English: "RAG" for "R.A.G."."""
        return written_out(name, self._thesaurus)

    def wordings(self, name: str) -> tuple[str, ...]:
        """The name written out, then with and without its abbreviations."""
        plain = self.written_out(name)
        return plain, *said_otherwise(plain, self._thesaurus)

    def knows(self, name: str) -> bool:
        """Whether the thesaurus has the whole name as one concept, in whatever language."""
        return self._thesaurus.concept(self._thesaurus.english.of(name)) is not None

    def derive(self, name: str) -> str:
        """The query for a bare name, to be shown and edited.

        Raises QueryError where the name holds no word to look for, or too many.
        """
        _refuse_a_text(name)
        readings = self._read(name)
        if not readings:
            grammar.parse(name)
            return name.strip()
        return query_of(readings, wanted(name, self._thesaurus).kind)

    def _read(self, name: str) -> tuple[Reading, ...]:
        """The readings of what a name is about, whatever kind of paper it asks for."""
        return read(_GLUED.sub(" + ", wanted(name, self._thesaurus).name), self._thesaurus)

    def is_vague(self, name: str) -> bool:
        """Whether the thesaurus knows nothing of a name and no word has three letters: "R&D"."""
        facets = [facet for reading in self._read(name) for facet in reading]
        telling = [facet for facet in facets if not facet.generic] or facets
        return not any(facet.known or _SAYING.search(facet.label) for facet in telling)

    def check(self, query: str, stored: Iterable[str] = ()) -> None:
        """Raises QueryError where the query cannot be read or is too long; says what to do.

        The same for a category that is neither arXiv's nor one of `stored` papers.
        """
        grammar.parse(query, names_of(stored))

    def compile(
        self, query: str, *, name: str = "", weights: str = "", without: str = ""
    ) -> Compiled:
        """The topic ready to judge, less what `without` excludes: `NOT survey`.  Raises QueryError.

        Where the query is the one derived from `name` (or the name itself), the facets of the
        name decide, with the words in their company, among papers of the kind it asks for.  Any
        other query is taken at its word: what meets it matches, less what only mentions a name
        beside it, once words were learned.
        """
        tree = grammar.parse(f"({query}) {without}" if without else query)
        condition = build(tree, self._thesaurus)
        is_name = not self.is_query(name) and not _is_a_text(name)
        readings = self._read(name) if is_name else ()
        explicit = not readings or query.strip() not in (name.strip(), self.derive(name))
        every = (*readings, own) if explicit and (own := _facets(condition)) else readings
        learned, beside = learning.load(weights), explicit and bool(readings)
        kind = "" if explicit else wanted(name, self._thesaurus).kind
        only = build(grammar.parse(kind), self._thesaurus) if kind else None
        share = partial(share_of, thesaurus=self._thesaurus)
        return Compiled(
            condition, every, learned, share, explicit=explicit, written_for=beside, only=only
        )

    def categories(self, query: str, *, name: str = "") -> frozenset[str]:
        """Where arXiv lists the papers of a topic, as far as its query or its words tell.

        Archives stand as all their classes.  Raises QueryError.
        """
        known = names_of()
        named = listings(build(grammar.parse(query), self._thesaurus))
        for concept in self._concepts_of(name):
            named |= {concept.archive, *concept.listed} - {""}
        return frozenset(leaf for key in named for leaf in leaves(known.get(key, key)))

    def concept_of(self, name: str) -> str:
        """The concept that the whole name is, as the thesaurus calls it, or ""."""
        concept = self._thesaurus.concept(name)
        return concept.name if concept else ""

    def concepts_in(self, name: str) -> frozenset[str]:
        """The concepts that a name holds, as the thesaurus calls them; none in a query."""
        return frozenset(concept.name for concept in self._concepts_of(name))

    def _concepts_of(self, name: str) -> Iterator[Concept]:
        """What the thesaurus knows of a name, however it may be read."""
        for facet in chain.from_iterable(() if self.is_query(name) else self._read(name)):
            concept = self._thesaurus.concept(facet.label)
            if concept is not None:
                yield concept

    def glossary(self, name: str) -> tuple[tuple[str, str], ...]:
        """The abbreviations in a name, spelled out: (("RL", "Reinforcement Learning"), …)."""
        found: dict[str, str] = {}
        for part in re.split(r"[\s,;:/()]+", name):
            concept = self._thesaurus.concept(part) if part and part not in JOINTS else None
            for short in concept.abbreviations if concept else ():
                if short.casefold() in (part.casefold(), part.casefold().removesuffix("s")):
                    found[short] = titled(concept.name) if concept else ""
        return tuple(found.items())

    def learn(
        self,
        best: Mapping[Paper, float],
        others: Sequence[Paper],
        *,
        liked: Sequence[Paper] = (),
        disliked: Sequence[Paper] = (),
    ) -> str:
        """What a topic's best papers share and others lack, as opaque text for `compile`.

        `best` come with their scores.  "" where there are too few papers.
        """
        good = [learning.Example(bag(paper), score) for paper, score in best.items()]
        rest, wanted, unwanted = ([bag(p) for p in papers] for papers in (others, liked, disliked))
        return learning.learn(good, rest, liked=wanted, disliked=unwanted)

    def from_examples(
        self, papers: Sequence[Paper], background: Sequence[Paper],
        usual: Callable[[str], float] = lambda _: 0.0,
    ) -> str:  # fmt: skip
        """A query that all the papers meet: what they are about, or else the words they share.

        `usual` says of a full-text expression which share of all papers it finds: what many hold
        is shared by chance.  Raises QueryError where they share nothing.
        """
        for query in filter(None, self._of_examples(papers, background, usual)):
            topic = self.compile(query)
            if all(topic.judge(paper) for paper in papers):
                return query
        raise QueryError(
            "These papers share no words that other papers lack; add one that is closer.",
            suggestion='"credit assignment" AND agents',
        )

    def _of_examples(
        self, papers: Sequence[Paper], background: Sequence[Paper], usual: Callable[[str], float]
    ) -> Iterator[str]:
        """Queries to try, the closest first: by what all hold, else of many by what most do."""
        count = len(papers)
        found = concepts_of(papers, self._thesaurus)
        names = [each for each in found if len(each.papers) == count and self.knows(each.name)]
        words = self._telling_words(papers, background, usual, _SURELY if names else _BY_CHANCE)
        if names:
            yield from narrowed(names, map(quoted, words if count > 1 else ()), count)
        elif words:
            yield narrow(list(map(quoted, words)))
        yield either(list(covering(found, count, 1 + count // 3)))
        if count >= _MANY:
            most = shared_words(papers, background, least=(count + 1) // 2, is_name=self.knows)
            if most:
                yield " OR ".join(map(quoted, most))
        yield from nearly_shared(papers, self._thesaurus)
        yield either(list(covering(found, count, count)))

    def _telling_words(
        self, papers: Sequence[Paper], background: Sequence[Paper],
        usual: Callable[[str], float], chance: float,
    ) -> list[str]:  # fmt: skip
        """Words that all the papers hold, so rare that strangers hardly share one by `chance`."""
        found = shared_words(papers, background, least=len(papers), is_name=self.knows)
        most = (chance / _WORDS_OF_A_PAPER) ** (1 / len(papers))
        return [text for text in found if usual(any_of(spellings(text))) <= most]


def _is_a_text(name: str) -> bool:
    return len(name) > _LONGEST or len(name.split()) > _MOST_WORDS


def _refuse_a_text(name: str) -> None:
    if _is_a_text(name):
        raise QueryError(
            f"A name may have {_LONGEST} characters and {_MOST_WORDS} words; "
            "keep the words that decide.",
            place=_LONGEST,
            suggestion="credit assignment for agents",
        )


def _facets(condition: Any) -> Reading:
    return tuple(
        Facet(str(number), (), dict.fromkeys(group.terms, 1.0))
        for number, group in enumerate(groups(condition))
        if group.terms
    )
