"""Requests for what arXiv does not record of papers: where their authors work, where they are
accepted, how often they are cited, their class in MSC."""

from bot.core.commands.errand import Errand, Refused, refused
from bot.core.commands.words.authors import by_author, signs
from bot.core.commands.words.readings import answered
from bot.core.commands.words.vocabulary import PAPERS, SIDE_BY_SIDE, phrase
from bot.core.naming import shown
from bot.core.reply import Code, Span, Strong
from bot.digest import Action
from bot.text.institutes import is_institute

_LONGEST = 300  # characters: what is longer is a query, or no sentence of anybody's
_PRAISE = r"(?:(?:all|any|best|the|new|latest|recent|accepted) )*"
_TOPIC = r"(?P<rest>\S.*?)"  # what stands before a place, or behind it
_ON_A_TOPIC = r"(?: (?:about|for|in|of|on) (?P<on>\S.*))?"
_NAME = r"(?P<name>\S.*)"
_FROM = phrase(
    rf"{_PRAISE}(?:everything |{PAPERS} )?(?:coming |published )?(?:from|by|of|at|in) {_NAME}"
)
_THEIR = phrase(rf"(?P<name>.+?)(?:'s?)? {PAPERS}")
_BEHIND = phrase(rf"{_TOPIC}(?: {PAPERS})? (?:from|by|at) {_NAME}")
_VENUES = (
    r"(?:NeurIPS|NIPS|ICML|ICLR|CVPR|ICCV|ECCV|EMNLP|NAACL|AAAI|IJCAI|SIGGRAPH|ICRA|IROS|MICCAI"
    r"|ICASSP|AISTATS|INTERSPEECH|KDD|COLM|CoRL)(?:\s*'?(?:20)?\d\d)?"
)
_AT_A_VENUE = phrase(
    rf"{_PRAISE}(?:{PAPERS} (?:at|from|in|of) )?(?P<venue>{_VENUES})"
    rf"(?: (?:accepted|best|orals?|proceedings|{PAPERS}))*"
    rf"|(?:{_TOPIC} )??(?:{PAPERS} )?(?:accepted|published|presented|appearing) (?:at|by|in|to) "
    r"(?:the )?(?P<where>\S.*)"
)
_RANKED = phrase(
    r"(?:(?:the|most|highly|top|widely|well|often)[\s-]+)+"
    r"(?:cited|read|downloaded|popular|liked|viewed|influential)"
    rf" {PAPERS}(?: (?:about|in|of|on) (?P<on>\S.*))?"
)
_COUNTED = phrase(
    rf"(?:{_TOPIC} )?{PAPERS} with (?:(?:more|at|least|over|than|>|\d[\d,.]*\+?|many|most)\s*)+"
    r"(?:citations?|stars|likes|downloads)(?: (?:about|on) (?P<on>\S.*))?"
)
_CITING = phrase(
    rf"(?:{_PRAISE}{PAPERS} )?(?:citing|(?:that|which|who) cites?|cited by|citations (?:of|to)"
    rf"|referencing) {_NAME}"
)
_OTHERS = (
    r"(?:bio|chem|med|psy|socar|earth)[ar]?xiv|SSRN|OpenReview|PubMed(?: Central)?|Google Scholar"
    r"|Semantic Scholar|IACR(?: ePrint)?|ACL Anthology|IEEE Xplore|Web of Science|Scopus"
    r"|INSPIRE(?:-HEP)?|viXra|Research ?Gate|Nature \w+(?: \w+)?"
)
_OF_ANOTHER = phrase(
    rf"{_PRAISE}(?P<other>{_OTHERS})(?: (?:{PAPERS}|submissions?))*{_ON_A_TOPIC}"
    rf"|{_PRAISE}(?:{_TOPIC} )??(?:{PAPERS} )?(?:from|in|on) (?P<behind>{_OTHERS})"
)
"""Papers of another archive or a journal; what is called "Nature X" is one of its journals."""
_MSC = phrase(r"(?:MSC[\s:-]*(?:20\d\d)?[\s:-]*)?(?P<name>\d\d[A-Z](?:\d\d|xx))")

_OURS = phrase(r"(?:my|our) ")
_CLASSES = (
    "AC:13 AG:14 AP:35 AT:55 CA:26,28,33,34,39,40,41,42,44 CO:05 CT:18 CV:30,32 DG:53,58 DS:37 "
    "FA:46,47 GN:54 GR:20 GT:57 KT:19 LO:03 MG:51,52 NA:65 NT:11 OC:49,90,93 PR:60 RA:15,16,17 "
    "RT:22 ST:62"
)
_OF_MSC = {
    number: f"math.{name}"
    for name, _, numbers in (each.partition(":") for each in _CLASSES.split())
    for number in numbers.split(",")
} | {"81": "math-ph", "82": "math-ph", "83": "gr-qc", "94": "cs.IT"}
"""arXiv's category of the classes that begin with two digits, where there is a plain one."""


def unavailable(errand: Errand, text: str) -> Refused | None:
    """The alternatives to what arXiv does not record; or None."""
    if len(text) > _LONGEST or errand.house.language.knows(text):
        return None
    return answered(_READINGS, errand, text.strip(" .!?"))


def _of_an_institute(errand: Errand, text: str) -> Refused | None:
    """Of one institute or several, by themselves or behind a topic."""
    for form in (_FROM, _THEIR):
        found = form.fullmatch(text)
        if found and _are_institutes(found["name"], led_in=True):
            return _of_those_at(errand, text, found["name"], "")
    if _are_institutes(text, led_in=False):
        return _of_those_at(errand, text, text, "")
    found = _BEHIND.fullmatch(text)
    if found and _are_institutes(found["name"], led_in=True):
        return _of_those_at(errand, text, found["name"], found["rest"])
    return None


def _are_institutes(names: str, *, led_in: bool) -> bool:
    return all(is_institute(name, led_in=led_in) for name in _each(names))


def _each(names: str) -> list[str]:
    """The names that stand side by side, or the one name."""
    return [name for name in SIDE_BY_SIDE.split(names) if name] or [names]


def _of_those_at(errand: Errand, text: str, name: str, rest: str) -> Refused:
    signed = signs(errand.house, name)
    people: list[Span] = [" Its people can be followed: ", Code('follow author:"Jun Li"'), "."]
    if signed:
        people += [" Papers that it signs itself: ", _code(errand, text, by_author(signed)), "."]
    return _without(
        errand, text, rest, "" if _OURS.match(name) else name,
        "arXiv does not say where authors work, so papers from ", Strong(shown(name)),
        " cannot be picked out.", *people,
    )  # fmt: skip


def _at_a_venue(errand: Errand, text: str) -> Refused | None:
    found = _AT_A_VENUE.fullmatch(text)
    if not found:
        return None
    venue = found["venue"] or found["where"]
    return _without(
        errand, text, found["rest"] or "", venue,
        "Titles and abstracts are searched, and they seldom say where a paper was accepted, so "
        "those of ", Strong(shown(venue)), " cannot be picked out.",
    )  # fmt: skip


def _by_citations(errand: Errand, text: str) -> Refused | None:
    found = _RANKED.fullmatch(text) or _COUNTED.fullmatch(text)
    if not found:
        return None
    rest = found.groupdict().get("rest") or found["on"] or ""
    why = "arXiv counts no citations or readers, and new papers have none yet."
    if not rest:
        return refused(why, " What many new papers are about: ", Code("topics heating"),
                       buttons=(Action("What heats up", "topics heating"),))  # fmt: skip
    return _without(errand, text, rest, "", why)


def _citing(errand: Errand, text: str) -> Refused | None:
    found = _CITING.fullmatch(text)
    if not found:
        return None
    return _without(errand, text, "", found["name"].strip('" '),
                    "arXiv does not say what papers cite.")  # fmt: skip


def _of_a_class(errand: Errand, text: str) -> Refused | None:
    found = _MSC.fullmatch(text)
    if not found:
        return None
    category = _OF_MSC.get(found["name"][:2], "math.AG")
    better = f"follow cat:{category}"
    return refused(
        Strong(shown(found["name"])), " is a class of MSC, and those are not read. Follow its "
        "subject by name, or arXiv’s own category near it: ", Code(better), ".",
        buttons=(Action(better, better),),
    )  # fmt: skip


def _elsewhere(errand: Errand, text: str) -> Refused | None:
    found = _OF_ANOTHER.fullmatch(text)
    if not found:
        return None
    rest = found["on"] or found["rest"] or ""
    return _without(errand, text, rest, "", "Only arXiv is read here, and not ",
                    Strong(shown(found["other"] or found["behind"])), ".")  # fmt: skip


_READINGS = (
    _elsewhere, _at_a_venue, _by_citations, _citing, _of_a_class, _of_an_institute,
)  # fmt: skip


def _without(errand: Errand, text: str, rest: str, name: str, *why: Span) -> Refused:
    """The alternatives: the topic alone, and papers whose words contain the name."""
    ways = []
    if rest:
        ways.append(("The topic itself", rest))
    if name:
        named = " OR ".join(f'"{shown(each)}"' for each in _each(name))
        several = f"({named})" if " OR " in named else named
        ways.append(("Papers that name it", f"{rest} AND {several}" if rest else named))
    codes = [(said, Code(f"follow {errand.instead(text, query)}")) for said, query in ways]
    spans = [span for said, code in codes for span in (f" {said}: ", code, ".")]
    return refused(*why, *spans, buttons=tuple(Action(said, code.text) for said, code in codes))


def _code(errand: Errand, text: str, instead: str) -> Code:
    return Code(f"follow {errand.instead(text, instead)}")
