"""Words misspelt: hardly any stored paper has them, and many have some that are near."""

from bot.core.commands.errand import Errand, Refused, rather
from bot.core.house import House
from bot.core.naming import known
from bot.digest import Action
from bot.matching.examples.likeness import misspelt
from bot.matching.spelling.folding import printed
from bot.matching.spelling.stems import stem
from bot.matching.spelling.terms import any_of, spellings

_SLIPS = 3  # papers: in so few a word may be the same slip
_SURELY = 200  # times as many papers print a word that was meant
_SHORT = 4  # letters: a shorter word may be any abbreviation


def slip(errand: Errand, text: str) -> Refused | None:
    """The question whether a text is misspelt; it can be followed as it stands."""
    right, seen = spelled_right(errand.house, text)
    if right == text or errand.house.language.knows(text):
        return None
    topic = known(errand.house, right)
    better = f"follow {errand.instead(text, topic.name if topic else right)}"
    as_typed = f"follow {errand.instead(text, _insisting(text, right))}"
    why = f"{'Hardly any' if seen else 'No'} stored paper has these words so."
    return rather(better, why, label="Follow that", others=(Action("As I wrote it", as_typed),))


def spelled_right(house: House, text: str) -> tuple[str, bool]:
    """A text with similar words in place of those that hardly any stored paper has.

    And whether each replaced word is in some paper as it was typed.
    """
    whole, seen = text, True
    for word in printed(text):
        is_plain = word.isalpha() and len(word) >= _SHORT and not _is_coined(word)
        if is_plain and (count := _printed_by(house, word)) <= _SLIPS:
            right = _nearest(house, word, count)
            if right == word and not count and stem(word) not in house.language.vocabulary:
                return whole, True  # half a correction finds nothing either
            text = text.replace(word, right, 1)
            seen = seen and (bool(count) or right == word)
    return text, seen


def _is_coined(word: str) -> bool:
    """Whether capitals inside the word show that its spelling is on purpose: RuCl, DeePMD."""
    return not word.isupper() and any(map(str.isupper, word[1:]))


def _nearest(house: House, word: str, count: int) -> str:
    """The known word that this one, which `count` papers print, misspells; or the word itself."""
    language = house.language
    vocabulary = language.vocabulary
    if stem(word) in vocabulary:
        return word
    found = misspelt(stem(word), vocabulary, language.usual)
    near = (_in_its_number(vocabulary[each], word) for each in found)
    least = max(1, _SURELY * count)
    return next((each for each in near if _printed_by(house, each) >= least), word)


def _in_its_number(known: str, word: str) -> str:
    """A known word in the singular if a singular was typed: "language", for "langauge"."""
    one = known.removesuffix("s")
    return one if not word.endswith("s") and stem(one) == stem(known) else known


def _printed_by(house: House, word: str) -> int:
    """How many stored papers print a word."""
    return house.store.papers.count_of(any_of(spellings(word)))


def _insisting(text: str, right: str) -> str:
    """The text with quotes around the words that would be corrected, so that they stand."""
    kept = {word.casefold() for word in printed(right)}
    odd = [word for word in printed(text) if word.casefold() not in kept]
    for word in odd:
        text = text.replace(word, f'"{word}"', 1)
    return text
