"""Authors in place of a topic, or beside one: asked for by name, where they are read as words."""

import re
from itertools import chain, islice

from bot.core.commands.errand import Errand, Refused, rather, refused
from bot.core.commands.words.asked_back.bringing import brings
from bot.core.commands.words.authors import (
    author_named,
    by_author,
    is_of_an_author,
    like,
    may_be_a_person,
    names_beside,
    without_lead,
)
from bot.core.commands.words.vocabulary import ANY_PAPERS, SIDE_BY_SIDE, phrase
from bot.core.naming import shown
from bot.core.reply import Code, Strong, joined
from bot.digest import Action
from bot.matching.spelling.folding import printed
from bot.text import is_group

_BY = phrase(r" (?:by|from|of) (?P<name>\S+(?: \S+){1,3})$")
_CAPITALS = re.compile(r"(?<!\S)(?P<name>[A-Z][\w.'’-]*(?:\s+[A-Z][\w.'’-]*){1,2})(?!\S)")
_OF_PAPERS = phrase(ANY_PAPERS)
_OF_A_COLLABORATION = phrase(
    r"(?:papers? (?:by|from|of) )?(?:the )?"
    r"(?P<name>(?-i:[A-Z])\S*(?: (?-i:[A-Z])\S*)? (?:collaboration|consortium))(?: papers?)?"
)
_LAST_FIRST = re.compile(
    r"(?P<last>[A-Z][\w'’-]+),\s*(?P<first>[A-Z][\w'’-]*\.?(?:\s+[A-Z][\w'’-]*\.?)?)"
)
_SOMEBODY = phrase(r"(?:a|an|any|her|his|my|our|that|the|their|these|this|those|your) ")
"""Words that begin no name."""
_AN_AUTHOR = " is an author."
_MOST = 12  # names that are looked up: each takes as long as all that a person types otherwise


def author(errand: Errand, text: str) -> Refused | None:
    """The question whether a text means a stored author, or its words."""
    name = _named(errand, text)
    if not name:
        return None
    better = f"follow {errand.instead(text, by_author(name))}"
    as_typed = f"follow {errand.instead(text, ' AND '.join(printed(without_lead(text))))}"
    return _by_author(better, name, _AN_AUTHOR, Action("The words", as_typed))


def _named(errand: Errand, text: str) -> str:
    """The stored author that a text means, or "".

    Unless the text says so or is spelled as the author is printed, its words must bring no paper.
    """
    name = author_named(errand.house, text)
    if not name or is_of_an_author(text) or _is_printed_so(name, text):
        return name
    is_topic = errand.house.language.knows(text) or brings(errand, text)
    return "" if is_topic else name


def _is_printed_so(name: str, text: str) -> bool:
    return name == text and may_be_a_person(text) and not is_group(text)


def beside_an_author(errand: Errand, text: str) -> Refused | None:
    """The question whether words beside an author in a query are a name as well."""
    for words in names_beside(text):
        place = text.find(words)
        if place < 0 or not _is_a_person(errand, words):
            continue
        before, after = text[:place], text[place + len(words) :]
        either = re.sub(r"\s*[,;]\s*$", " OR ", before)
        better = f"follow {errand.instead(text, f'{either}{by_author(words)}{after}')}"
        insisting = f"({' AND '.join(printed(words))})"
        as_typed = f"follow {errand.instead(text, f'{before}{insisting}{after}')}"
        return _by_author(better, words, " is read as words here.", Action("The words", as_typed))
    return None


def _is_a_person(errand: Errand, words: str) -> bool:
    """Whether a stored author is called so, or it looks like a name, and it brings no paper."""
    is_called_so = author_named(errand.house, words) or may_be_a_person(words)
    return bool(is_called_so) and not brings(errand, words)


def which_author(errand: Errand, text: str) -> Refused | None:
    """The question who is meant by "papers by" somebody of whom no paper is stored."""
    turned = _turned(errand, text)
    name = turned or without_lead(_OF_A_COLLABORATION.sub(r"\g<name>", text))
    is_one = turned or is_of_an_author(text) or _OF_A_COLLABORATION.fullmatch(text)
    if not is_one or len(name) < 2 or _SOMEBODY.match(name) or _is_a_topic(errand, text):
        return None
    is_whole = may_be_a_person(name) or is_group(name)
    wanted = (
        [name] if is_group(name) else [*([name] if is_whole else []), *like(errand.house, name)]
    )
    codes = [Code(f"follow {errand.instead(text, by_author(each))}") for each in wanted]
    if not codes:
        return None
    return refused(
        "No stored paper is by ", Strong(shown(name)), " under that whole name. To follow an "
        "author: ", *joined(codes), ".",
        buttons=tuple(Action(f"By {shown(each, 40)}", code.text)
                      for each, code in zip(wanted, codes, strict=True)),
    )  # fmt: skip


def _is_a_topic(errand: Errand, text: str) -> bool:
    """Whether words that may name an author are a concept, or bring papers by themselves."""
    is_known = errand.house.language.knows(text)
    return is_known or (not is_of_an_author(text) and brings(errand, text))


def _turned(errand: Errand, text: str) -> str:
    """ "Peter Scholze" of "Scholze, Peter", where neither is a topic; or ""."""
    found = _LAST_FIRST.fullmatch(without_lead(text))
    if not found or any(map(errand.house.language.knows, found.groups())):
        return ""
    return f"{found['first']} {found['last']}" if not brings(errand, found["last"]) else ""


def authors(errand: Errand, text: str) -> Refused | None:
    """The question whether several authors stand side by side: "papers by A and B"."""
    names = [each for each in SIDE_BY_SIDE.split(without_lead(text)) if each]
    if len(names) > _MOST:
        return None
    stored = [author_named(errand.house, each) for each in names]
    are_people = all(map(may_be_a_person, names)) and any(stored)
    if len(names) < 2 or not (all(stored) or are_people):
        return None
    if not is_of_an_author(text) and stored != names and brings(errand, text):
        return None
    found = [one or name for one, name in zip(stored, names, strict=True)]
    better = f"follow {errand.instead(text, ' OR '.join(map(by_author, found)))}"
    return _by_author(better, " and ".join(found), " are authors.")


def by_an_author(errand: Errand, text: str) -> Refused | None:
    """The question whether words by a stored author are meant, where they bring no paper."""
    for found in islice(chain(_BY.finditer(text), _CAPITALS.finditer(text)), _MOST):
        name = author_named(errand.house, found["name"])
        rest = f"{text[: found.start()]} {text[found.end() :]}".strip(" ,")
        if not name or not rest or brings(errand, text):
            continue
        words = "" if _OF_PAPERS.fullmatch(rest) else f" AND {rest}"
        better = f"follow {errand.instead(text, f'{by_author(name)}{words}')}"
        return _by_author(better, name, _AN_AUTHOR)
    return None


def _by_author(better: str, name: str, why: str, *others: Action) -> Refused:
    return rather(better, Strong(name), why, label="Follow that", others=others)
