"""The part of a query that a paper meets or does not, and how full-text search proposes it."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import repeat

from bot.matching.concepts.facets import pieces
from bot.matching.concepts.thesaurus import Thesaurus
from bot.matching.evidence.seen import Seen
from bot.matching.queries.tree import Bare, In, Not, Or, Phrase, Prefix, Tree
from bot.matching.spelling.folding import words
from bot.matching.spelling.terms import Place, Term, any_of, plainly, spellings, term
from bot.text import latin

_PARTS = re.compile(r"[\s.\-‐‑]+(?=\S)")
_LATE = 2 / 3  # of an abstract: what is named there first is an outlook, or a use among others


@dataclass(frozen=True, slots=True)
class OneOf:
    """Any of these terms, in the title, in the abstract, or ("") anywhere."""

    terms: tuple[Term, ...]
    field: str = ""


Name = tuple[str, ...]
"""A person's name as it is compared; see `name_key`."""


@dataclass(frozen=True, slots=True)
class ByAuthor:
    """An author of this whole name, in one of the ways to sign with it."""

    names: tuple[Name, ...]


@dataclass(frozen=True, slots=True)
class Listed:
    """Listed in a category, or in an archive where no subject class is given."""

    category: str


@dataclass(frozen=True, slots=True)
class All:
    parts: "tuple[Condition, ...]"


@dataclass(frozen=True, slots=True)
class Any:
    parts: "tuple[Condition, ...]"


@dataclass(frozen=True, slots=True)
class Without:
    part: "Condition"


Condition = OneOf | ByAuthor | Listed | All | Any | Without


def build(tree: Tree, thesaurus: Thesaurus, field: str = "") -> Condition:
    """The condition of a tree; bare words are widened by the thesaurus, phrases stand."""
    if isinstance(tree, Bare):
        facets = [f for f in pieces(tree.text, thesaurus) if not f.side_by_side]
        found = dict.fromkeys(OneOf(tuple(facet.terms), field) for facet in facets)
        parts: tuple[Condition, ...] = tuple(found)
        if not parts:  # only small words, such as "in": they are meant as they stand
            parts = (OneOf(thesaurus.terms_of(tree.text), field),)
        return parts[0] if len(parts) == 1 else All(parts)
    if isinstance(tree, Phrase):
        return OneOf(_exact(tree.text, thesaurus), field)
    if isinstance(tree, Prefix):
        beginning = term(tree.text, prefix=True)
        return OneOf((beginning,) if beginning else (), field)
    if isinstance(tree, In):
        return _in_field(tree, thesaurus)
    if isinstance(tree, Not):
        return Without(build(tree.tree, thesaurus, field))
    parts_of = tree.trees if isinstance(tree, Or) else _telling(tree.trees, thesaurus)
    made = tuple(dict.fromkeys(build(part, thesaurus, field) for part in parts_of))
    return Any(made) if isinstance(tree, Or) else All(made) if len(made) > 1 else made[0]


def _telling(parts: Sequence[Tree], thesaurus: Thesaurus) -> Sequence[Tree]:
    """The parts without small words that only hold others together: “world models” for “robots”."""
    said = [p for p in parts if not isinstance(p, Bare) or pieces(p.text, thesaurus)]
    return said if not all(isinstance(p, Not) for p in said) else parts


def _exact(text: str, thesaurus: Thesaurus) -> tuple[Term, ...]:
    return spellings(text, cased=thesaurus.is_capital(text))


def _in_field(tree: In, thesaurus: Thesaurus) -> Condition:
    if isinstance(tree.tree, Phrase) and tree.field == "author":
        return ByAuthor(name_keys(tree.tree.text))
    if isinstance(tree.tree, Phrase) and tree.field == "cat":
        return Listed(category_key(tree.tree.text))
    return build(tree.tree, thesaurus, tree.field)


@lru_cache(1 << 13)  # of a name typed once, or of one paper's authors for many who ask
def name_key(name: str) -> Name:
    """A person's name for comparison: "Li, Jun" and arXiv's "Li_Jun" are "Jun Li", "Müller" is
    "Muller", and "Nießner" is "Niessner": many sign with either."""
    return tuple(words(latin(_in_order(name))))


@lru_cache(1 << 13)
def name_keys(name: str) -> tuple[Name, ...]:
    """The key of a name, and those of its other spellings: "Müller" is "Mueller" as well, and
    "Ming-Hsuan Yang" and "Ming Hsuan Yang" are "Minghsuan Yang"."""
    ways = (name, *(() if name.isascii() else plainly(name)))
    together = (_together(way) for way in ways)
    return tuple(dict.fromkeys(map(name_key, (*ways, *filter(None, together)))))


def _in_order(name: str) -> str:
    last, sign, first = name.partition("," if "," in name else "_")
    return f"{first} {last}" if sign else name


def _together(name: str) -> str:
    """A name of three words or more with all but the last as one; "" for any other.

    An initial behind a name is no part of it: "Jun S. Li" is nobody's "Jun Li".
    """
    *given, last = _PARTS.split(_in_order(name).strip())
    are_alike = len({len(each) == 1 for each in given}) == 1
    return f"{''.join(given)} {last}" if len(given) > 1 and are_alike else ""


def is_same_name(one: str, other: str) -> bool:
    """Whether two names may be one person's."""
    return not set(name_keys(one)).isdisjoint(name_keys(other))


def meets(condition: Condition, seen: Seen) -> bool:
    """Whether the paper meets the condition."""
    if isinstance(condition, OneOf):
        return _holds(condition, seen)
    if isinstance(condition, All):
        return all(map(meets, condition.parts, repeat(seen)))
    if isinstance(condition, Any):
        return any(map(meets, condition.parts, repeat(seen)))
    if isinstance(condition, Without):
        return not meets(condition.part, seen)
    if isinstance(condition, ByAuthor):
        return any(
            way in condition.names for each in seen.paper.authors for way in name_keys(each.name)
        )
    return any(within(category, condition.category) for category in seen.paper.categories)


def _holds(asked: OneOf, seen: Seen) -> bool:
    if not asked.field:
        return seen.holds_one_of(asked.terms)
    here = filter(seen.holds, asked.terms)
    return any(seen.find_in(each, asked.field) is not None for each in here)


def firmness(condition: Condition, seen: Seen) -> int:
    """0: not met; 1: met in passing, by what stands once and late in the abstract; 2: met."""
    if isinstance(condition, OneOf):
        places = [_place(each, condition.field, seen) for each in condition.terms]
        found = {place.start: place for place in places if place}
        return min(2, sum(1 if _is_aside(place) else 2 for place in found.values()))
    if isinstance(condition, All):
        return min((firmness(part, seen) for part in condition.parts), default=2)
    if isinstance(condition, Any):
        return min(2, sum(firmness(part, seen) for part in condition.parts))
    return 2 if meets(condition, seen) else 0


def _place(each: Term, field: str, seen: Seen) -> Place | None:
    return seen.find_in(each, field) if field else seen.find(each)


def _is_aside(place: Place) -> bool:
    return not place.in_title and not place.again and place.depth >= _LATE


def category_key(text: str) -> str:
    """A category or archive as typed ("cs.LG", "cs", "cs.*") in the form that `within` takes."""
    return text.lower().removesuffix("*").removesuffix(".")


def within(category: str, wanted: str) -> bool:
    """Whether a category is the one wanted, or a class of that archive."""
    low = category.lower()
    return low == wanted or low.startswith(wanted + ".")


def surrounding(category: str) -> list[str]:
    """Everything that a category is `within`: itself and its archive."""
    low = category.lower()
    return [low, *(low[:at] for at, sign in enumerate(low) if sign == ".")]


def groups(condition: Condition) -> Iterator[OneOf]:
    """What the condition looks for in the text, without what it excludes."""
    if isinstance(condition, OneOf):
        yield condition
    elif isinstance(condition, All | Any):
        for part in condition.parts:
            yield from groups(part)


def looks_outside(condition: Condition) -> bool:
    """Whether it looks for an author or a category."""
    if isinstance(condition, All | Any):
        return any(map(looks_outside, condition.parts))
    return isinstance(condition, ByAuthor | Listed)


def required(condition: Condition) -> tuple[Condition, ...]:
    """What every paper must meet whatever else speaks for it: exclusions, authors, categories."""
    if isinstance(condition, Without | ByAuthor | Listed):
        return (condition,)
    if isinstance(condition, All):
        return tuple(found for part in condition.parts for found in required(part))
    if isinstance(condition, Any) and not list(groups(condition)):
        return (condition,)
    return ()


def candidates(condition: Condition) -> str | None:
    """An FTS5 expression for a superset of the papers that meet it; None for every paper."""
    if isinstance(condition, OneOf):
        found = any_of(condition.terms)
        if not found:
            return None
        return f"{{{condition.field}}} : ({found})" if condition.field else f"({found})"
    if isinstance(condition, All):
        parts = [text for part in condition.parts if (text := candidates(part)) is not None]
        return "(" + " AND ".join(parts) + ")" if parts else None
    if isinstance(condition, Any):
        branches = [candidates(part) for part in condition.parts]
        known = [text for text in branches if text is not None]
        return "(" + " OR ".join(known) + ")" if len(known) == len(branches) else None
    return None


def keys(condition: Condition, share: Callable[[Term], float]) -> tuple[Term, ...] | None:
    """Terms, at least one of which is in every paper that meets the condition; None: unknown.

    Where there is a choice, those that the fewest papers hold; `share` says how many hold a term.
    """
    if isinstance(condition, OneOf):
        return condition.terms
    if isinstance(condition, All):
        known = [found for part in condition.parts if (found := keys(part, share)) is not None]
        if len(known) > 1:
            known.sort(key=lambda terms: sum(map(share, terms)))
        return known[0] if known else None
    if isinstance(condition, Any):
        branches = [keys(part, share) for part in condition.parts]
        if any(found is None for found in branches):
            return None
        return tuple(t for found in branches if found is not None for t in found)
    return None
