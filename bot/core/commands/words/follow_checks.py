"""What is asked back before a follow whose words were hardly meant as a topic."""

import re

from bot.core.commands.errand import Errand, Refused, rather, refused
from bot.core.commands.words.authors import (
    author_named,
    by_author,
    is_of_an_author,
    like,
    may_be_a_person,
    names_beside,
    without_lead,
)
from bot.core.commands.words.categories import categories_named
from bot.core.commands.words.lookup import followed
from bot.core.commands.words.no_topic import ask_if_no_topic
from bot.core.commands.words.several import ask_if_several
from bot.core.commands.words.unavailable import ask_if_unavailable
from bot.core.commands.words.vocabulary import ANY_PAPERS, SIDE_BY_SIDE, phrase
from bot.core.naming import is_everything, known, says_nothing, shown
from bot.core.reply import Code, Strong, joined
from bot.digest import Action
from bot.matching import QueryError, cut
from bot.matching.examples.likeness import misspelt
from bot.matching.spelling.folding import printed
from bot.matching.spelling.stems import stem
from bot.matching.spelling.terms import any_of, spellings
from bot.model import Breadth
from bot.text import is_group
from bot.text.categories import listed_at
from bot.text.identifiers import find_ids, only_ids

_LOOKED_AT = 500  # papers
_OF_A_LIST = phrase(
    r"^(?:(?:all|any|anything|arxiv|category|every|everything|latest|new|of|papers?|preprints?"
    r"|recent|the|in|from|on) )+"
    r"| (?:articles?|category|listings?|papers?|preprints?|submissions?)$"
)
"""What people say of a category that they name: "new cs.CL papers"."""
_SLIPS = 3  # papers: in so few a word may be the same slip
_SURELY = 200  # times as many papers print a word that was meant
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
_SHORT = 4  # letters: a shorter word may be any abbreviation


def ask_if_meant(errand: Errand, text: str) -> None:
    """Raises Refused, with a better request, for a paper, a category, an author or a slip."""
    if papers := only_ids(text):
        raise _better("That is a paper. Follow what it is about: ", f"like {' '.join(papers)}")
    if named := [each.arxiv_id for each in find_ids(text)]:
        raise _better("That names a paper. Follow what it is about: ", f"like {' '.join(named)}")
    if category := listed_at(text):
        raise _better("That is arXiv’s list of a category: ", f"follow cat:{category}")
    language = errand.house.language
    if followed(errand, text) or known(errand.house, text, errand.subscriber):
        return
    ask_if_no_topic(errand, text)
    if says_nothing(text):
        raise refused("Every paper says that. Which topic? ", Code("follow RL for LLM agents"))
    if is_everything(text):
        raise refused("That would be every paper. All of a category: ", Code("follow cat:cs.LG"),
                      ", topics by name: ", Code("topics"))  # fmt: skip
    if category := _category(errand, text):
        these = "These are categories" if "," in category else "That is a category"
        raise _better(f"{these}: ", f"follow {errand.instead(text, f'cat:{category}')}")
    if language.is_query(text):
        _ask_if_an_author(errand, text)
        return
    ask_if_unavailable(errand, text)
    _ask_if_authors(errand, text)
    ask_if_several(errand, text)
    if name := _author(errand, text):
        raise _rather_by(errand, text, name)
    _ask_which_author(errand, text)
    _ask_if_by(errand, text)
    right, seen = _spelled_right(errand, text)
    if right == text or language.knows(text):
        return
    topic = known(errand.house, right)
    better = f"follow {errand.instead(text, topic.name if topic else right)}"
    as_typed = f"follow {errand.instead(text, _insisting(text, right))}"
    why = f"{'Hardly any' if seen else 'No'} stored paper has these words so."
    raise rather(better, why, label="Follow that", others=(Action("As I wrote it", as_typed),))


def _better(why: str, command: str) -> Refused:
    return refused(why, Code(command), buttons=(Action("Do that", command),))


def _category(errand: Errand, text: str) -> str:
    """The categories that a text names, as arXiv writes them, or "" if they are read as words."""
    found = categories_named(errand, _OF_A_LIST.sub("", text))
    return found if "," not in found or any("." not in each for each in found.split(",")) else ""


def _author(errand: Errand, text: str) -> str:
    """The stored author that a text means, or "".

    Unless the text says so or is spelled as the author is printed, its words must bring no paper.
    """
    name = author_named(errand.house, text)
    if not name or is_of_an_author(text) or _is_printed_so(name, text):
        return name
    is_topic = errand.house.language.knows(text) or _brings(errand, text)
    return "" if is_topic else name


def _is_printed_so(name: str, text: str) -> bool:
    return name == text and may_be_a_person(text) and not is_group(text)


def _ask_if_an_author(errand: Errand, text: str) -> None:
    """Raises Refused if words beside an author are a name as well."""
    for words in names_beside(text):
        place = text.find(words)
        if place < 0 or not _is_a_person(errand, words):
            continue
        before, after = text[:place], text[place + len(words) :]
        either = re.sub(r"\s*[,;]\s*$", " OR ", before)
        better = f"follow {errand.instead(text, f'{either}{by_author(words)}{after}')}"
        insisting = f"({' AND '.join(printed(words))})"
        as_typed = f"follow {errand.instead(text, f'{before}{insisting}{after}')}"
        raise _by_author(better, words, " is read as words here.", Action("The words", as_typed))


def _is_a_person(errand: Errand, words: str) -> bool:
    """Whether a stored author is called so, or it looks like a name, and it brings no paper."""
    is_called_so = author_named(errand.house, words) or may_be_a_person(words)
    return bool(is_called_so) and not _brings(errand, words)


def _brings(errand: Errand, text: str) -> bool:
    """Whether one of the newest papers with its words would come by a topic of this name."""
    language, papers = errand.house.language, errand.house.store.papers
    try:
        topic = language.compile(language.derive(text), name=text)
    except QueryError:
        return False
    found = papers.candidates(topic.candidates, _LOOKED_AT) if topic.candidates else ()
    verdicts = (topic.judge(paper) for batch in found for paper in batch)
    return any(verdict and verdict.score >= cut(Breadth.BALANCED) for verdict in verdicts)


def _rather_by(errand: Errand, text: str, name: str) -> Refused:
    better = f"follow {errand.instead(text, by_author(name))}"
    as_typed = f"follow {errand.instead(text, ' AND '.join(printed(without_lead(text))))}"
    return _by_author(better, name, _AN_AUTHOR, Action("The words", as_typed))


def _ask_which_author(errand: Errand, text: str) -> None:
    """Raises Refused for "papers by" somebody of whom no paper is stored."""
    turned = _turned(errand, text)
    name = turned or without_lead(_OF_A_COLLABORATION.sub(r"\g<name>", text))
    is_one = turned or is_of_an_author(text) or _OF_A_COLLABORATION.fullmatch(text)
    if not is_one or len(name) < 2 or _SOMEBODY.match(name) or _is_a_topic(errand, text):
        return
    is_whole = may_be_a_person(name) or is_group(name)
    wanted = (
        [name] if is_group(name) else [*([name] if is_whole else []), *like(errand.house, name)]
    )
    codes = [Code(f"follow {errand.instead(text, by_author(each))}") for each in wanted]
    if not codes:
        return
    raise refused(
        "No stored paper is by ", Strong(shown(name)), " under that whole name. To follow an "
        "author: ", *joined(codes), ".",
        buttons=tuple(Action(f"By {shown(each, 40)}", code.text)
                      for each, code in zip(wanted, codes, strict=True)),
    )  # fmt: skip


def _is_a_topic(errand: Errand, text: str) -> bool:
    """Whether words that may name an author are a concept, or bring papers by themselves."""
    is_known = errand.house.language.knows(text)
    return is_known or (not is_of_an_author(text) and _brings(errand, text))


def _turned(errand: Errand, text: str) -> str:
    """ "Peter Scholze" of "Scholze, Peter", where neither is a topic; or ""."""
    found = _LAST_FIRST.fullmatch(without_lead(text))
    if not found or any(map(errand.house.language.knows, found.groups())):
        return ""
    return f"{found['first']} {found['last']}" if not _brings(errand, found["last"]) else ""


def _ask_if_authors(errand: Errand, text: str) -> None:
    """Raises Refused where several authors stand side by side: "papers by A and B"."""
    names = [each for each in SIDE_BY_SIDE.split(without_lead(text)) if each]
    stored = [author_named(errand.house, each) for each in names]
    are_people = all(map(may_be_a_person, names)) and any(stored)
    if len(names) < 2 or not (all(stored) or are_people):
        return
    if not is_of_an_author(text) and stored != names and _brings(errand, text):
        return
    found = [one or name for one, name in zip(stored, names, strict=True)]
    better = f"follow {errand.instead(text, ' OR '.join(map(by_author, found)))}"
    raise _by_author(better, " and ".join(found), " are authors.")


def _ask_if_by(errand: Errand, text: str) -> None:
    """Raises Refused where a stored author stands beside other words, and they bring no paper."""
    for found in (*_BY.finditer(text), *_CAPITALS.finditer(text)):
        name = author_named(errand.house, found["name"])
        rest = f"{text[: found.start()]} {text[found.end() :]}".strip(" ,")
        if not name or not rest or _brings(errand, text):
            continue
        words = "" if _OF_PAPERS.fullmatch(rest) else f" AND {rest}"
        better = f"follow {errand.instead(text, f'{by_author(name)}{words}')}"
        raise _by_author(better, name, _AN_AUTHOR)


def _by_author(better: str, name: str, why: str, *others: Action) -> Refused:
    return rather(better, Strong(name), why, label="Follow that", others=others)


def _spelled_right(errand: Errand, text: str) -> tuple[str, bool]:
    """The text with similar words in place of those that hardly any stored paper has.

    And whether each replaced word is in some paper as it was typed.
    """
    whole, seen = text, True
    for word in printed(text):
        is_plain = word.isalpha() and len(word) >= _SHORT and not _is_coined(word)
        if is_plain and (count := _printed_by(errand, word)) <= _SLIPS:
            right = _nearest(errand, word, count)
            if right == word and not count and stem(word) not in errand.house.language.vocabulary:
                return whole, True  # half a correction finds nothing either
            text = text.replace(word, right, 1)
            seen = seen and (bool(count) or right == word)
    return text, seen


def _is_coined(word: str) -> bool:
    """Whether capitals inside the word show that its spelling is on purpose: RuCl, DeePMD."""
    return not word.isupper() and any(map(str.isupper, word[1:]))


def _nearest(errand: Errand, word: str, count: int) -> str:
    """The known word that this one, which `count` papers print, misspells; or the word itself."""
    language = errand.house.language
    vocabulary = language.vocabulary
    if stem(word) in vocabulary:
        return word
    found = misspelt(stem(word), vocabulary, language.usual)
    near = (_in_its_number(vocabulary[each], word) for each in found)
    least = max(1, _SURELY * count)
    return next((each for each in near if _printed_by(errand, each) >= least), word)


def _in_its_number(known: str, word: str) -> str:
    """A known word in the singular if a singular was typed: "language", for "langauge"."""
    one = known.removesuffix("s")
    return one if not word.endswith("s") and stem(one) == stem(known) else known


def _printed_by(errand: Errand, word: str) -> int:
    """How many stored papers print a word."""
    return errand.house.store.papers.count_of(any_of(spellings(word)))


def _insisting(text: str, right: str) -> str:
    """The text with quotes around the words that would be corrected, so that they stand."""
    kept = {word.casefold() for word in printed(right)}
    odd = [word for word in printed(text) if word.casefold() not in kept]
    for word in odd:
        text = text.replace(word, f'"{word}"', 1)
    return text
