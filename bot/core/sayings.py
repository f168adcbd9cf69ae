"""What people say in words of their own, by the most similar of the examples they are known by."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import log
from typing import Any, NamedTuple

SIMILAR = 0.7  # of 1, for a sentence that speaks to somebody
SAME = 0.95  # for any other words: they may be the name of a topic
LONGEST = 24  # words: more are no saying
_SMALL = 0.8  # what a word like "the" counts
_UNKNOWN = 2.5  # what a word of no example counts: half of a telling one
_SLOT = re.compile(r"\{(\w+)\}")
_MENTION = re.compile(r"^<?@.*")  # whoever it is

Kinds = Mapping[str, Callable[[str], str]]
"""By the name of a slot what of some words can stand in it, "" where they cannot."""


class Meaning(NamedTuple):
    """What is offered: a request and what its button is called, or an answer in words."""

    request: str = ""
    label: str = ""
    answer: str = ""


class Saying(NamedTuple):
    """The meaning of a sentence, its slot filled; `likeness` is a fraction, 1 for an example."""

    meaning: Meaning
    likeness: float


class _Word(NamedTuple):
    name: str  # that of all words that are the same here
    place: int  # of the word that was typed


class _Example(NamedTuple):
    before: tuple[str, ...]
    slot: str
    after: tuple[str, ...]
    meaning: Meaning


class Sayings:
    """Sentences by example, as config/sayings.toml writes them down."""

    def __init__(self, table: Mapping[str, Any]) -> None:
        """From the parsed file; its head says what stands in it."""
        groups = [group.split() for group in table["alike"]]
        self._name = {word: group[0] for group in groups for word in group}
        self._whole = {short: whole.split() for short, whole in table["short"].items()}
        self._small = self._named(table["small"])
        self._speaking = self._named(table["speaking"])
        self._examples = [
            self._example(text, Meaning(each.get("means", ""), each.get("label", ""),
                                        each.get("answer", "")))
            for each in table["saying"]
            for text in each["said"]
        ]  # fmt: skip
        self._weight = self._weights()

    def meant(self, text: str, kinds: Kinds, *, least: float = SIMILAR) -> Saying | None:
        """What a text means, or None where no example is at `least` so like it (a fraction).

        Words that do not speak to anybody have to be an example's.
        """
        words = self._words(text)
        least = least if self._speaks(words) else SAME
        if len(words) > LONGEST:
            return None
        found = sorted(self._likest(text, words, least), key=lambda each: each[:2])
        sayings = (_filled(example, about, kinds, -unlike) for unlike, _, example, about in found)
        return next((saying for saying in sayings if saying), None)

    def speaks(self, text: str) -> bool:
        """Whether a text is said to somebody, and is no name of a topic: "when do you …"."""
        return self._speaks(self._words(text))

    def _likest(
        self, text: str, words: Sequence[_Word], least: float
    ) -> Iterator[tuple[float, int, _Example, str]]:
        """Examples like enough: minus their likeness, the words in the slot, and these."""
        typed, names = text.split(), [word.name for word in words]
        for example in self._examples:
            for start, end in _slots(names, example):
                likeness = self._likeness(names[:start] + names[end:], example)
                if likeness >= least:
                    about = _between(typed, words, start, end)
                    yield -likeness, end - start, example, about

    def _likeness(self, names: Sequence[str], example: _Example) -> float:
        """The share of the weight of both that is in both."""
        said, known = Counter(names), Counter(example.before + example.after)
        both = self._sum(said) + self._sum(known)
        return 2 * self._sum(said & known) / both if both else 1.0

    def _sum(self, names: Counter[str]) -> float:
        return sum(self._weight.get(name, _UNKNOWN) * often for name, often in names.items())

    def _weights(self) -> dict[str, float]:
        """A word counts the more the fewer examples have it."""
        having = Counter(name for each in self._examples for name in {*each.before, *each.after})
        telling = {name: log(1 + len(self._examples) / often) for name, often in having.items()}
        return telling | dict.fromkeys(self._small, _SMALL)

    def _example(self, text: str, meaning: Meaning) -> _Example:
        before, *slot = _SLOT.split(text, maxsplit=1)
        name, after = slot or ("", "")
        return _Example(self._names(before), name, self._names(after), meaning)

    def _names(self, text: str) -> tuple[str, ...]:
        return tuple(word.name for word in self._words(text))

    def _named(self, words: str) -> frozenset[str]:
        return frozenset(self._name.get(word, word) for word in words.split())

    def _speaks(self, words: Sequence[_Word]) -> bool:
        return any(word.name in self._speaking for word in words)

    def _words(self, text: str) -> list[_Word]:
        """The words of a text by name, "I'm" as two."""
        return [
            _Word(self._name.get(word, word), place)
            for place, typed in enumerate(text.casefold().replace("’", "'").split())
            if (plain := _MENTION.sub("@", typed).strip('.,:;!?"()'))
            for word in self._whole.get(plain, [plain])
        ]


def _slots(names: Sequence[str], example: _Example) -> Iterator[tuple[int, int]]:
    """Where the slot of an example can stand among words: behind its last word, before its next."""
    if not example.slot:
        yield len(names), len(names)
        return
    before, after = example.before[-1:], example.after[:1]
    starts = [n + 1 for n, name in enumerate(names) if (name,) == before] if before else [0]
    ends = [n for n, name in enumerate(names) if (name,) == after] if after else [len(names)]
    yield from ((start, end) for start in starts for end in ends if start < end)


def _between(typed: Sequence[str], words: Sequence[_Word], start: int, end: int) -> str:
    """What was typed in a slot."""
    if start == end:
        return ""
    about = typed[words[start].place : words[end - 1].place + 1]
    return " ".join(about).strip(" .,:;!?")


def _filled(example: _Example, about: str, kinds: Kinds, likeness: float) -> Saying | None:
    """What an example means of these words; None where they cannot stand in its slot."""
    if not example.slot:
        return Saying(example.meaning, likeness)
    fits = kinds[example.slot](about)
    request = example.meaning.request.replace(f"{{{example.slot}}}", fits)
    return Saying(example.meaning._replace(request=request), likeness) if fits else None
