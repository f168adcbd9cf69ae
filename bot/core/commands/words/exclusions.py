"""What a follow leaves out: "without survey", "but not by Jun Li"."""

import re
from collections.abc import Callable
from typing import NamedTuple, NoReturn

from bot.core.commands.errand import Errand, Refused, refused
from bot.core.commands.words.lookup import followed
from bot.core.commands.words.vocabulary import phrase
from bot.core.house import House
from bot.core.naming import known, shown
from bot.core.reply import Code
from bot.matching import Language
from bot.matching.spelling.folding import words as folded_words

_NO_QUOTES = r'(?=(?:[^"]*"[^"]*")*[^"]*$)'  # around the place
_WITHOUT = phrase(
    r"(?: |\s*,\s*)(?:(?:(?:but|and|or) )?(?:without|w/o|except(?: for)?|excluding|minus)"
    r"|other than|(?:(?:but|(?-i:and)) )?(?-i:not)|(?:(?<=,\s)|(?<=,)|(?:but|and) )no) "
    rf"{_NO_QUOTES}"
)
"""Words that begin what is left out; NOT in capitals is an operator, and stays in the query."""
_DANGLING = phrase(r" (?:without|w/o|but not|and not|excluding|minus|other than)\s*$")
_NOTHING = {"nothing", "exclusions"}
_LONGEST = 5  # words on either side of a "without" that is a part of a name
_HOW = (
    "backpropagation demonstrations forgetting gradients labels replay retraining rewards "
    "supervision"
)
_WAYS = frozenset(_HOW.split())
"""What is done without, which tells how and is no subject to leave out."""
_AUTHOR = re.compile(r'^author:\s*"?(.*?)"?$', re.IGNORECASE)
_CATEGORY = re.compile(r'^cat(?:egory)?:\s*"?(\S+?)"?$', re.IGNORECASE)
_ITEMS = re.compile(rf"\s*,\s*{_NO_QUOTES}")
_EACH = phrase(r"(?:\s*[,;]\s*| [/&+] |(?<=[a-z]{3})/(?=[a-z]{3})| (?:and|or|nor) )" + _NO_QUOTES)
_LEADING = phrase(r"^(?:(?:and|or|nor|not|no|any|the) )+(?=\S)")
_NO_WISH = (
    "am are be been can could did do does had has have if is may might must or shall should to "
    "was were when whether why will would"
)
_DENIES = frozenset(_NO_WISH.split())
"""Words before a "not" that is no wish: "attention is not explanation"."""
_NO_SUBJECT = "all always enough every everything just necessarily only to yet"
_ONLY = frozenset(_NO_SUBJECT.split())
"""Words behind such a "not"."""


class Exclusions(NamedTuple):
    """Words and authors that a follow leaves out."""

    words: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()


def exclusions_in(errand: Errand, text: str) -> tuple[str, Exclusions | None]:
    """Split off what a follow leaves out; None if the whole is the name of a followed topic."""
    if followed(errand, text) and not _DANGLING.search(text):
        return text, None
    return left_out_of(errand.house, text)


def left_out_of(house: House, text: str) -> tuple[str, Exclusions | None]:
    """Split what is left out from a text: the name before it, and the exclusions.

    A "without" that is part of a name stays: "learning without forgetting".  None if nothing is
    left out; empty exclusions, which clear present ones, for `without nothing`.  Raises Refused
    if nothing follows the "without".
    """
    return exclusions(house.language, text, lambda name: known(house, name) is not None)


def exclusions(
    language: Language, text: str, is_topic: Callable[[str], bool]
) -> tuple[str, Exclusions | None]:
    """As `left_out_of`, where `is_topic` says which names lead to one."""
    if dangling := _DANGLING.search(text):
        raise _without_what(text[: dangling.start()])

    def is_name(name: str) -> bool:
        return language.knows(name) or is_topic(name)

    clauses = [
        found for found in _WITHOUT.finditer(text)
        if not _is_inside_name(text, found, language.knows, is_topic)
    ]  # fmt: skip
    if not clauses or is_topic(text):
        return text, None
    name, listed = text[: clauses[0].start()], _between(text, clauses)
    if listed[0].strip().casefold() in _NOTHING:
        return name, Exclusions()
    words, authors = [], []
    left_out = _left_out(listed, is_name)
    if not left_out:
        raise _without_what(name)
    for item in left_out:
        if by := _AUTHOR.match(item):
            authors.append(by[1].strip() or _no_word(item))
        else:
            words.append(_to_leave_out(item.strip(' "')))
    return name, Exclusions(tuple(words), tuple(authors))


def _without_what(name: str) -> Refused:
    return refused("Without what? ", Code(f"follow {shown(name)} without survey"))


def _between(text: str, clauses: list[re.Match[str]]) -> list[str]:
    """The text after each word that begins a clause."""
    ends = [*(found.start() for found in clauses[1:]), len(text)]
    return [text[found.end() : end] for found, end in zip(clauses, ends, strict=True)]


def _left_out(listed: list[str], is_name: Callable[[str], bool]) -> list[str]:
    """The items between commas and "and"s; a name that contains one is not split."""
    found: list[str] = []
    for item in (each for clause in listed for each in items(clause)):
        found += [item] if is_name(item) else _EACH.split(item)
    wanted = [each if each.startswith('"') else _LEADING.sub("", each) for each in found]
    return [each.strip() for each in wanted if each.strip(' "')]


def _to_leave_out(text: str) -> str:
    """Words that a paper can contain.  Raises Refused for those that leave nothing out."""
    if category := _CATEGORY.match(text):
        raise refused("A follow leaves out words and authors. Silence a category for all: ",
                      Code(f"mute cat:{shown(category[1])}"))  # fmt: skip
    return text if folded_words(text) else _no_word(text)


def _no_word(text: str) -> NoReturn:
    raise refused(f"“{shown(text)}” has no word to look for. ",
                  Code("follow TOPIC without survey"))  # fmt: skip


def _is_inside_name(
    text: str, found: re.Match[str], knows: Callable[[str], bool], is_topic: Callable[[str], bool]
) -> bool:
    """Whether a "without" is part of a name together with the words on both sides."""
    name, rest = text[: found.start()], text[found.end() :]
    before, after = name.rsplit(maxsplit=_LONGEST), rest.split(maxsplit=_LONGEST)
    if name.count("(") > name.count(")") or _is_denial(found[0].split(), before, after):
        return True
    if _WITHOUT.split(rest, maxsplit=1)[0].casefold() in _WAYS and not is_topic(name):
        return True
    return any(
        knows(" ".join((*before[-n:], found[0].strip(), *after[:m])))
        for n in range(1, min(len(before), _LONGEST) + 1)
        for m in range(1, _LONGEST + 1)
    )


def _is_denial(said: list[str], before: list[str], after: list[str]) -> bool:
    """Whether a "not" denies something, as in "attention is not explanation"."""
    if said[-1].casefold() != "not" or "but" in said:
        return False
    return before[-1].casefold() in _DENIES or after[0].casefold() in _ONLY


def name_before(text: str) -> str:
    """The text before the first "without" or the like, whatever it means."""
    return _WITHOUT.split(text, maxsplit=1)[0].strip()


def items(text: str) -> list[str]:
    """The items between commas outside of quotes."""
    return _ITEMS.split(text)
