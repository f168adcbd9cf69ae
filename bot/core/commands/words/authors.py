"""Authors that a person names: looked for among the authors of stored papers."""

import re

from bot.core.commands.words.vocabulary import ANY_PAPERS, NEW, PAPERS, phrase
from bot.core.house import House
from bot.matching import QueryError
from bot.matching.queries import grammar
from bot.matching.queries.condition import Name, name_key, name_keys
from bot.matching.queries.outside import Outside
from bot.matching.queries.tree import beside_authors

SHOWN = 3
_LONGEST = 4  # words of a name that may stand for an author
_BY = phrase(
    rf"(?:{ANY_PAPERS} (?:(?:co-?)?(?:authored|published|written) )?)?by "
    rf"|{NEW}(?:papers?|publications?|work) (?:from|of) |(?:the )?authors? "
)
_THEIRS = phrase(rf"(?<=\w)'s? (?:(?:latest|new|recent) )?(?:group|lab|team|{PAPERS})$")
_CAPITALISED = r"(?:Mc|Mac|Le|La|De|Di|Du|Van|Fitz|[OD]['’])?[^\W\d_a-z][^\W\d_A-Z]+"
_PART = rf"(?:[A-Z]\.(?:-?[A-Z]\.)*|[A-Z]|{_CAPITALISED}(?:[-’'][^\W\d_]+)*)"
_PERSON = re.compile(
    rf"{_PART}(?:\s+(?:{_PART}|de|da|di|du|del|dos|van|von|der|den|la|le|ben|bin)){{0,2}}\s+{_CAPITALISED}"
    r"(?:[-’'][^\W\d_]+)*"
)


def author_named(house: House, text: str) -> str:
    """The author of stored papers whose whole name `text` is, or ""; "papers by" may lead it in."""
    name = without_lead(text)
    return signs(house, name) if len(name_key(name)) > 1 else ""


def signs(house: House, text: str) -> str:
    """The author of stored papers with exactly this name, also a group or company; or ""."""
    ways = name_keys(text)
    found = _printed(house, ways) if 0 < len(ways[0]) <= _LONGEST else []
    theirs = filter(Outside(authors=(ways,)).is_author, found)
    return min(theirs, key=lambda name: name_key(name) != ways[0], default="")


def without_lead(text: str) -> str:
    """The name after "papers by" or before "'s papers"; else the whole text."""
    text = text.strip()
    name = _BY.sub("", text, count=1) if _BY.match(text) else text
    return _THEIRS.sub("", name)


def names_beside(text: str) -> tuple[str, ...]:
    """The words beside an author in a query, which may be another author; () if it is no query."""
    try:
        return tuple(beside_authors(grammar.parse(text)))
    except QueryError:  # it will be refused in words when it is followed
        return ()


def is_of_an_author(text: str) -> bool:
    """Whether a text says that it means an author: "papers by Jun Li"."""
    return without_lead(text) != text.strip()


def may_be_a_person(text: str) -> bool:
    """Whether a text is written as people are: "E. Witten", "Ingrid van der Berg"."""
    return _PERSON.fullmatch(text.strip()) is not None


def by_author(name: str) -> str:
    """How an author is typed, in a query and where something is muted."""
    return f'author:"{name}"'


def like(house: House, name: str) -> list[str]:
    """Authors of stored papers with names like this one, which nobody has; best first."""
    key = name_key(name)
    asked = Outside(authors=(name_keys(name),))
    found = rather_by(house, asked) if 0 < len(key) <= _LONGEST else []
    return [each for each in found if len(key) == 1 or _may_be(key, name_key(each))]


def _may_be(key: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether a name may be another way to write the same: "J. Li", "Jun Q. Li"."""
    if key[-1] != other[-1]:
        return False
    first, theirs = key[0], other[0]
    return first == theirs or (1 in (len(first), len(theirs)) and first[0] == theirs[0])


def rather_by(house: House, asked: Outside) -> list[str]:
    """Stored authors with names similar to those asked for that nobody has."""
    strange = [way for way in asked.authors if not any(map(asked.is_author, _printed(house, way)))]
    found = (name for ways in strange for name in _namesakes(house, ways[0]))
    return list(dict.fromkeys(found))[:SHOWN]


def _namesakes(house: House, key: tuple[str, ...]) -> list[str]:
    """Stored names with the same family name, else with another of its words; most alike first."""
    for word in reversed(key):
        names = {name: name_key(name) for name in _printed(house, ((word,),))}
        same = [name for name, theirs in names.items() if word in theirs]
        if same:
            return sorted(same, key=lambda name: (-_alike(key, names[name]), name))
    return []


def _alike(key: tuple[str, ...], other: tuple[str, ...]) -> int:
    """Words that two names share count twice, the same initial once."""
    return 2 * len({*key} & {*other}) + (key[0][:1] == other[0][:1])


def _printed(house: House, ways: tuple[Name, ...]) -> list[str]:
    """Names of stored authors that may have these words, in one of these ways."""
    beginnings = Outside(authors=(ways,)).beginnings
    found = (name for words in beginnings for name in house.store.reading.authors(words))
    return list(dict.fromkeys(found))
