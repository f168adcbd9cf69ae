"""What a query says, as a tree."""

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Bare:
    """Neighbouring words as typed."""

    text: str


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words in quotation marks."""

    text: str


@dataclass(frozen=True, slots=True)
class Prefix:
    """The beginning of a word."""

    text: str


@dataclass(frozen=True, slots=True)
class In:
    """A tree that must hold in one field: title, abstract, author or cat."""

    field: str
    tree: "Tree"


@dataclass(frozen=True, slots=True)
class Not:
    """A tree that must not hold."""

    tree: "Tree"


@dataclass(frozen=True, slots=True)
class And:
    """Trees that must all hold."""

    trees: "tuple[Tree, ...]"


@dataclass(frozen=True, slots=True)
class Or:
    """Trees, one of which must hold."""

    trees: "tuple[Tree, ...]"


Tree = Bare | Phrase | Prefix | In | Not | And | Or


def beside_authors(tree: Tree) -> Iterator[str]:
    """The bare words of a query that stand beside an author: of author:"Jun Li" OR Ada Lovelace."""
    parts = tree.trees if isinstance(tree, And | Or) else ()
    is_by = any(isinstance(each, In) and each.field == "author" for each in parts)
    for each in parts:
        if is_by and isinstance(each, Bare):
            yield each.text
        yield from beside_authors(each)
