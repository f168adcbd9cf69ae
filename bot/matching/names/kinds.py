"""A kind of paper that a name asks for: "survey papers on RAG", "theory of RAG", "RAG (surveys)".

A paper is of a kind where its title or abstract says so.
"""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from bot.matching.concepts.thesaurus import Thesaurus

_SURVEY = (
    'title:(survey OR overview OR "a review" OR "review of" OR "systematic review"'
    ' OR "literature review") OR "this survey" OR "we survey" OR "this review"'
    ' OR "comprehensive survey" OR "survey paper" OR "review paper" OR "review article"'
)
_BENCHMARK = (
    'title:(benchmark* OR bench) OR "new benchmark" OR "first benchmark" OR "benchmark designed"'
)
_DATASET = 'title:(dataset OR corpus) OR "new dataset" OR "first dataset" OR "novel dataset"'
_TUTORIAL = (
    'title:(tutorial OR primer OR "introduction to" OR "lecture notes") OR "this tutorial"'
    ' OR "this primer" OR "lecture notes"'
)
_POSITION = '"position paper" OR "perspective paper" OR title:"a perspective"'
_CODE = (
    'github OR gitlab OR "code is available" OR "code is publicly" OR "code available"'
    ' OR "code and data" OR "code and models" OR "source code" OR "open-source implementation"'
)
_THEORY = (
    'title:(theory OR theories OR theoretical OR theorem OR provable OR provably) OR "we prove"'
    ' OR "theoretical analysis" OR "theoretical guarantee" OR "theoretical understanding"'
    ' OR "theoretical foundation" OR "convergence rate" OR "sample complexity"'
    ' OR "generalization bound" OR "learning theory"'
)
_QUERIES: Mapping[str, str] = {
    "survey": _SURVEY, "review": _SURVEY, "overview": _SURVEY, "benchmark": _BENCHMARK,
    "dataset": _DATASET, "tutorial": _TUTORIAL, "position": _POSITION, "perspective": _POSITION,
    "theory": _THEORY, "theoretical": _THEORY, "code": _CODE,
}  # fmt: skip
_PAPERS = r"(?:papers?|articles?|preprints?|works?)"
_PRAISE = r"^(?:(?:all|any|best|good|latest|more|new|newest|only|recent|the)\s+)*"
_ABOUT = r"\s+(?:about|for|in|of|on|to)\s+(?P<rest>\S.*)$"
_RESULTS = r"(?:analys[ei]s|aspects|foundations?|guarantees|results|understanding)"
_MANY = r"(?P<kind>survey|overview|tutorial)s"
_CALLED = (
    rf"(?P<kind>survey|review|overview|benchmark|dataset|tutorial|position|perspective)\s+{_PAPERS}"
)


def _forms() -> Iterator[re.Pattern[str]]:
    for form in (
        rf"{_PRAISE}{_CALLED}{_ABOUT}",
        rf"{_PRAISE}(?P<kind>survey|tutorial)s{_ABOUT}",
        rf"{_PRAISE}(?:literature|systematic)\s+(?P<kind>review)s{_ABOUT}",
        rf"{_PRAISE}(?P<kind>theory)(?:\s+{_PAPERS})?{_ABOUT}",
        rf"{_PRAISE}(?P<kind>theoretical)\s+{_RESULTS}{_ABOUT}",
        rf"^(?P<rest>\S.*?)\s*[(:,]\s*(?:only\s+)?{_MANY}(?:\s+only)?\s*\)?$",
        rf"^(?P<rest>\S.*?)\s+{_MANY}\s+only$",
        rf"{_PRAISE}{_PAPERS}\s+with\s+(?P<kind>code){_ABOUT}",
        rf"^(?P<rest>\S.*?)\s+{_CALLED}$",
        rf"^(?P<rest>\S.*?)(?:\s+{_PAPERS}|\s*,)\s+with\s+(?P<kind>code)$",
    ):
        yield re.compile(form, re.IGNORECASE)


_FORMS = tuple(_forms())


_BEHIND_A_QUERY = re.compile(
    rf"^(?P<rest>\S.*?)(?:\s+{_PAPERS}|\s*,)?\s+with\s+(?P<kind>code)$", re.IGNORECASE
)
_BUT_ONLY = re.compile(r",?\s+but\s+only\s+(?:(?:about|in|on)\s+)?", re.IGNORECASE)


def in_a_query(query: str) -> str:
    """A query with what people add to one in words: "… with code", "… but only …"."""
    if found := _BEHIND_A_QUERY.match(query.strip()):
        return f"({in_a_query(found['rest'])}) AND ({_QUERIES['code']})"
    first, *others = _BUT_ONLY.split(query)
    return f"({first}) AND ({' '.join(others)})" if first and others else query


class Wanted(NamedTuple):
    """What a name is about, and the query that papers of the kind it asks for meet; "" for any."""

    name: str
    kind: str


def wanted(name: str, thesaurus: Thesaurus) -> Wanted:
    """A name apart from the kind of paper that it asks for: "theory of mind" asks for none."""
    if thesaurus.concept(thesaurus.english.of(name)) is not None:
        return Wanted(name, "")
    for form in _FORMS:
        if found := form.match(name.strip()):
            rest, query = found["rest"], _QUERIES[found["kind"].lower()]
            if query is not _THEORY or _has_theory(rest, thesaurus):
                return Wanted(rest, query)
    return Wanted(name, "")


def _has_theory(rest: str, thesaurus: Thesaurus) -> bool:
    """Whether papers on it say that they are theory: not where a field is all theory, in physics,
    and not of any word, "theory of change"."""
    concept = thesaurus.concept(rest)
    return concept is not None and not concept.archive
