"""What the fields call things: abbreviations, near-synonyms, word families, words in company."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from bot.matching.concepts.english import English
from bot.matching.concepts.phrasing import LONGER, Key, by_phrasing, phrased
from bot.matching.spelling.folding import words
from bot.matching.spelling.terms import Term, spellings

PLAIN = "~"  # before a word that is no concept, among the words in company
SAME, KIN, HINT, NARROWER = 1.0, 0.7, 0.35, 0.6
"""How strongly a word of a concept stands for it: another name; a part or kind of it; a sign; in
proportion, where the concept was called by a narrower name."""

_KEYS = {"abbr", "same", "narrower", "kin", "both", "hint", "listed"}
NARROWS_NOTHING = frozenset(words("LLM large language model AI based driven powered"))


@dataclass(frozen=True)
class Concept:
    """One thing that papers are about, and the words they use for it."""

    name: str  # spelled out: "reinforcement learning"
    abbreviations: tuple[str, ...]
    same: tuple[str, ...]
    kin: tuple[str, ...]
    hints: tuple[str, ...]
    spell: Callable[[str], tuple[Term, ...]]  # a word or phrase as it is looked for
    both: tuple[tuple[str, ...], ...] = ()  # concepts that make it up together, in several ways
    counted: str = ""  # its line of words in company
    archive: str = ""  # of the field that it belongs to; "" for those of the papers counted
    listed: tuple[str, ...] = ()  # where arXiv lists its papers besides
    narrower: tuple[str, ...] = ()  # names of what lies within it: each stands for that alone

    @cached_property
    def terms(self) -> Mapping[Term, float]:
        """What is looked for, SAME and KIN; spelled once, since few concepts are ever asked for.

        A name that stands among the kin as well is what many other papers say too.
        """
        names = (self.name, *self.abbreviations, *self.same, *self.narrower)
        return {**self._spelled(names, SAME), **self._spelled(self.kin, KIN)}

    @cached_property
    def signs(self) -> Mapping[Term, float]:
        """Words that only hint at it."""
        return self._spelled(self.hints, HINT)

    @property
    def share(self) -> float:
        """The share of all papers that name it; 0 where they were not counted."""
        return int(self.counted.partition(";")[0].split()[0]) / 100_000 if self.counted else 0.0

    @cached_property
    def company(self) -> "Company | None":
        """The words in its company; None where nobody counted them."""
        return company(self.counted) if self.counted else None

    def _spelled(self, texts: Iterable[str], strength: float) -> dict[Term, float]:
        return {found: strength for text in texts for found in self.spell(text)}


@dataclass(frozen=True, slots=True)
class Company:
    """The words that papers about one thing use more than others do, as a linear model.

    Weights and bias are log-odds in hundredths.
    """

    weights: Mapping[Term, int]
    bias: int
    share: float = 0.0  # of all papers, those that name the thing
    with_models: float = 1.0  # of these, those that name language models
    words: Mapping[str, int] = field(init=False, repr=False, compare=False)  # by needle
    needles: frozenset[str] = field(init=False, repr=False, compare=False)  # asked the soonest

    def __post_init__(self) -> None:
        words = {term.needle: weight for term, weight in self.weights.items()}
        object.__setattr__(self, "words", words)
        object.__setattr__(self, "needles", frozenset(words))


def company(text: str) -> Company:
    """Read `papers in 100,000 with models; bias; weight words …`, in hundredths but the first."""
    counted, bias, *parts = text.split(";")
    share, _, with_models = counted.partition(" ")
    said = (part.strip().partition(" ") for part in parts)
    weights = {Term(f" {spelled} "): int(weight) for weight, _, spelled in said}
    return Company(weights, int(bias), int(share) / 100_000, int(with_models or 100) / 100)


class Thesaurus:
    """The parsed thesaurus.  Raises ValueError for an entry that is not of the documented form."""

    def __init__(self, source: Mapping[str, Any], company: Mapping[str, str]) -> None:
        self._company = company
        self._of_words: dict[str, Company] = {}
        self._as_typed: dict[tuple[str, tuple[str, ...]], Mapping[Term, float]] = {}
        self.english = English(source.get("english", {}))
        self._capitals = frozenset(source.get("capitals", ()))
        self._words_too = frozenset(text.lower() for text in self._capitals)
        self._families: dict[str, tuple[str, ...]] = {}
        for line in source.get("families", ()):
            members = tuple(str(line).split())
            for member in members:
                self._families[_key(member)] = (*self._families.get(_key(member), ()), *members)
        self.generic = frozenset(w for text in source.get("generic", ()) for w in words(text))
        self.naming = frozenset(w for text in source.get("naming", ()) for w in words(text))
        self.at_large = frozenset(source.get("at_large", ()))
        self.elsewhere = frozenset(w for text in source.get("elsewhere", ()) for w in words(text))
        self._by_key: dict[tuple[str, ...], Concept] = {}
        self._by_abbreviation: dict[str, Concept] = {}
        self.concepts = {n: self._concept(n, e, archive) for n, e, archive in _entries(source)}
        self._check_both()
        for concept in self.concepts.values():  # own names first, whatever others call parts
            self._add(concept)
        self._add_others(self.concepts.values())
        self.longest = max(map(len, self._by_key), default=1) + LONGER

    def is_capital(self, text: str) -> bool:
        """Whether a spelling counts only when printed in capitals: "RL", "ACT".

        So does "MCTS", as in small letters it would be several of an "mct".
        """
        if text == text.lower():
            return False
        if len(text.split()) > 1:
            return any(map(self.is_capital, text.split()))
        letters = "".join(filter(str.isalpha, text))
        plain = re.sub(r"[/&]", "", text)  # AT&T
        short = 2 <= len(re.sub("(?<=...)S$", "", plain)) <= 3 and len(letters) == len(plain)
        return text in self._capitals or (short and letters.isupper())

    def terms_of(self, text: str) -> tuple[Term, ...]:
        """The terms for one spelling, with the case rule that goes for it."""
        return spellings(text, cased=self.is_capital(text))

    def family(self, word: str) -> tuple[Term, ...]:
        """A word and its relatives: agent, agents, agentic."""
        members = self._families.get(_key(word), ())
        found = [*self.terms_of(word), *(t for m in members for t in self.terms_of(m))]
        return tuple(dict.fromkeys(found))

    def relatives(self, word: str) -> tuple[str, ...]:
        """The words of one family with a word."""
        return self._families.get(_key(word), ())

    def company_of(self, word: str) -> "Company | None":
        """The words in company of a plain word or of one of its family; None: not counted.

        No words for one that is said in passing: many papers hold it, and few are about it.
        """
        family = [*map(_key, (word, *self.relatives(word)))]
        key = next((each for each in family if PLAIN + each in self._company), None)
        key = key or next((each for each in family if each in self._passing), None)
        if key is None:
            return None
        if key not in self._of_words:
            counted = self._company.get(PLAIN + key)
            said = company(counted) if counted else Company({}, 0, self._passing[key])
            self._of_words[key] = said
        return self._of_words[key]

    def is_narrower(self, typed: str) -> bool:
        """Whether a name means much less than its concept: oversmoothing is not all of GNNs."""
        return self._known_as(typed) in self._narrower

    @cached_property
    def _passing(self) -> Mapping[str, float]:
        """Words and pairs that are said in passing, with the share of papers that hold them."""
        parts = (part.strip().partition(" ") for part in self._company.get(PLAIN, "").split(";"))
        return {words: int(papers) / 100_000 for papers, _, words in parts if words}

    def terms_as_typed(self, typed: str, concept: Concept) -> Mapping[Term, float]:
        """The terms of a concept, weaker where it is called by a narrower name than its own.

        "Oversmoothing" stands for graph neural networks, which are not all about it.
        """
        telling = set(words(typed)) - self.generic - NARROWS_NOTHING
        if telling <= set(words(concept.name)) or typed.removesuffix("s") in concept.abbreviations:
            return concept.terms
        key = (concept.name, tuple(words(typed)))
        if key not in self._as_typed:
            weaker = {term: NARROWER * strength for term, strength in concept.terms.items()}
            own = dict.fromkeys(self.terms_of(typed), SAME)
            self._as_typed[key] = {**weaker, **own}
        return self._as_typed[key]

    def concept(self, text: str) -> Concept | None:
        """The concept that a word or phrase names, as abbreviation, name or other name."""
        text = text.strip()
        for short in (text, text.removesuffix("s")):
            if found := self._by_abbreviation.get(short):
                return found
        low = text.lower()
        typed_low = text == low and low not in self._words_too
        if typed_low and (found := self._by_abbreviation.get("/" + low)):
            return found
        return self._by_key.get(self._known_as(text))

    def _known_as(self, text: str) -> Key:
        """The key under which the thesaurus has a name, however that is phrased."""
        key = tuple(words(text))
        if key in self._by_key:
            return key
        other = phrased(key)
        return other if other in self._by_key else self._by_phrasing.get(other, key)

    @cached_property
    def _by_phrasing(self) -> Mapping[Key, Key]:
        return by_phrasing(self._by_key)

    def _concept(self, name: str, entry: Mapping[str, Any], archive: str) -> Concept:
        unknown = set(entry) - _KEYS
        if unknown:
            raise ValueError(f"thesaurus: “{name}” has “{sorted(unknown)[0]}”, which means nothing")
        abbreviations, same, kin, hints = (
            tuple(map(str, entry.get(key, ()))) for key in ("abbr", "same", "kin", "hint")
        )
        return Concept(
            name, abbreviations, same, kin, hints, self.terms_of,
            _ways(entry.get("both", ())), self._company.get(name, ""), archive,
            tuple(entry.get("listed", ())), tuple(entry.get("narrower", ())),
        )  # fmt: skip

    def _check_both(self) -> None:
        for concept in self.concepts.values():
            if any(len(way) < 2 for way in concept.both):
                raise ValueError(f"thesaurus: it takes two concepts to make up “{concept.name}”")
            for other in (name for way in concept.both for name in way):
                if other not in self.concepts:
                    raise ValueError(
                        f"thesaurus: “{concept.name}” is made up of “{other}”, which is no concept"
                    )

    def _add(self, concept: Concept) -> None:
        for key in _keys((concept.name, *concept.abbreviations)):
            self._by_key.setdefault(key, concept)
        for text in concept.abbreviations:
            self._by_abbreviation.setdefault(text, concept)
            self._by_abbreviation.setdefault("/" + text.lower(), concept)

    def _add_others(self, concepts: Iterable[Concept]) -> None:
        """Their other names, and then the names of what lies within them."""
        self._by_key = _called(concepts, lambda concept: concept.same) | self._by_key
        within = _called(concepts, lambda concept: concept.narrower)
        self._narrower = within.keys() - self._by_key.keys()
        self._by_key = within | self._by_key


def _called(
    concepts: Iterable[Concept], names: Callable[[Concept], tuple[str, ...]]
) -> dict[tuple[str, ...], Concept]:
    """The concept that each name leads to; where two claim it, the better one by `_is_rather`."""
    found: dict[tuple[str, ...], Concept] = {}
    for concept in concepts:
        for key in _keys(names(concept)):
            other = found.setdefault(key, concept)
            if other is not concept and _is_rather(key, concept, other):
                found[key] = concept
    return found


def _entries(source: Mapping[str, Any]) -> list[tuple[str, Mapping[str, Any], str]]:
    """Each concept's name and entry, and the archive of the field it is listed under."""
    found = [(name, entry, "") for name, entry in source.get("concepts", {}).items()]
    for archive, entries in source.get("fields", {}).items():
        found += [(name, entry, archive) for name, entry in entries.items()]
    twice = [name for name, count in Counter(name for name, _, _ in found).items() if count > 1]
    if twice:
        raise ValueError(f"thesaurus: “{twice[0]}” stands under two fields; keep it under one")
    return found


def _is_rather(key: Key, one: Concept, other: Concept) -> bool:
    """Whether a name rather means the first: it is in that one's name, or fewer papers name it."""
    by = [(not {*key} <= {*words(c.name)}, bool(c.archive), c.share) for c in (one, other)]
    if by[0] != by[1]:
        return by[0] < by[1]
    return len(one.terms) < len(other.terms)


def _ways(both: Sequence[str | Sequence[str]]) -> tuple[tuple[str, ...], ...]:
    """One way to make a concept up, `["a", "b"]`, or several, `[["a", "b"], ["c", "d"]]`."""
    if all(isinstance(each, str) for each in both):
        return (tuple(map(str, both)),) if both else ()
    return tuple(tuple(map(str, way)) for way in both)


def _keys(texts: Iterable[str]) -> Iterator[tuple[str, ...]]:
    return (each.words for text in texts for each in spellings(text))


def _key(word: str) -> str:
    return " ".join(words(word))
