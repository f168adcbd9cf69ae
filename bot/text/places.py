"""The institutes behind printed affiliations: notes dropped, one spelling each."""

import re
import unicodedata
from collections.abc import Iterable
from itertools import islice

from bot.text.latex import unicode_from_latex
from bot.text.names import latin
from bot.text.plain import clean

_NOTE = re.compile(
    r"\b(?:equal|contribut\w*|correspond\w*|internship|intern at|work (?:was )?(?:done|conducted|"
    r"performed|completed)|while at|during (?:an?|his|her|their)|present address|"
    r"currently (?:at|with)|project lead\w*|supported by|funded by|thanks?|e-?mail|orcid|"
    r"student member|senior member|"
    r"fellow,? ieee|first authors?|co-?first|lead authors?|advis\w+|independent researcher\w*|"
    r"manuscript|preprint|accepted|copyright)\b",
    re.IGNORECASE,
)  # fmt: skip
_CONTACT = re.compile(
    r"\{?[\w.,+ -]*\}?@[\w.-]+|https?://\S+|www\.\S+|\b\d{4}-\d{4}-\d{4}-\d{3}[\dX]\b"
)
_MARK = re.compile(r"^[\s\d*†‡§¶∗⋆♠♡♢♣,.;:()\[\]a-h]{1,4}(?=[A-ZÀ-Þ\d])|[\s*†‡§¶∗⋆]+$")
_HOUSE = re.compile(
    r"universit|institut|college|laborator|\blabs?\b|hospital|clinic|academ|school of (?!comp|eng|"
    r"info|math|sci|elec|art|mech|data)|polytechnic|research (?:center|centre|institute|council)|"
    r"ecole|école|politecnico|hochschule|eth z|epfl|kaist|cnrs|inria|max planck|foundation|google|"
    r"microsoft|meta\b|apple|amazon|nvidia|ibm|deepmind|openai|anthropic|huawei|tencent|alibaba|"
    r"bytedance|baidu|samsung|intel\b|adobe|salesforce|\binc\b|\bltd\b|\bllc\b|gmbh|corporation|company",
    re.IGNORECASE,
)  # fmt: skip
_PART = re.compile(
    r"^(?:the )?(?:department|dept|school|faculty|division|section|chair|group|team|unit|program|"
    r"key lab\w*|state key|college of (?:comp|eng|info|sci|elec|art|soft|cyber|intell))\b",
    re.IGNORECASE,
)
_SHORT = (
    (re.compile(r"\bUniv\b\.?", re.IGNORECASE), "University"),
    (re.compile(r"\bInst\b\.?", re.IGNORECASE), "Institute"),
    (re.compile(r"\bTech(?:nol)?\.", re.IGNORECASE), "Technology"),
    (re.compile(r"\s*&\s*"), " and "),
)
_LANDS = (
    "usa|u\\.s\\.a\\.?|united states(?: of america)?|uk|u\\.k\\.?|united kingdom|england|scotland|"
    "china|p\\.? ?r\\.? china|hong kong|hong kong sar|taiwan|japan|south korea|korea|"
    "republic of korea|singapore|india|germany|france|italy|spain|portugal|switzerland|austria|"
    "netherlands|"
    "the netherlands|belgium|denmark|sweden|norway|finland|poland|czech republic|greece|turkey|"
    "israel|iran|canada|australia|new zealand|brazil|mexico|russia|uae|saudi arabia|egypt|vietnam"
)
_LAND_BEHIND = re.compile(rf"(?<=\w)(?<!\bof)(?<!\bin)[\s,]+(?:{_LANDS})\.?$", re.IGNORECASE)
_LONGEST = 90  # characters: more is a sentence, not a place
_READ = 1_000  # characters of an affiliation, and
_MOST = 50  # affiliations of one author: whoever writes a page may put a book there


def places(printed: Iterable[str]) -> tuple[str, ...]:
    """The institutes in some printed affiliations, in their order, each once.

    "Dept. of CS, Univ. of X, City, Country" is "University of X"; "Work done during an internship
    at Apple" is no place; spellings that differ in case, marks, "The" or a country behind are one.
    """
    found: dict[str, str] = {}
    for text in islice(printed, _MOST):
        for place in _institutes(text[:_READ]):
            found.setdefault(_key(place), place)
    return _without_initials(found)


def _institutes(text: str) -> list[str]:
    text = _CONTACT.sub(" ", clean(unicode_from_latex(text)))
    for short, long in _SHORT:
        text = short.sub(long, text)
    kept = []
    for piece in re.split(r"[;|\n]|(?<=[a-z])\.(?=\s+[A-Z])", text):
        plain = _MARK.sub("", piece.strip(" ,.;:")).strip(" ,.;:")
        if not plain or _NOTE.search(plain):
            continue
        parts = [part.strip(" .") for part in plain.split(",") if part.strip(" .")]
        houses = [part for part in parts if _HOUSE.search(part) and not _PART.search(part)]
        # A place of no known kind is believed where it stands alone.
        chosen = houses or ([parts[0]] if len(parts) <= 2 and not _PART.search(parts[0]) else [])
        kept += [_spelled(part) for part in chosen if 2 < len(part) <= _LONGEST]
    return kept


def _spelled(place: str) -> str:
    place = _LAND_BEHIND.sub("", place) if len(place.split()) > 2 else place
    return " ".join(place.split()).strip(" ,.;:*")


def _key(place: str) -> str:
    plain = unicodedata.normalize("NFKD", latin(place).casefold())
    words = re.findall(r"[a-z0-9]+", "".join(c for c in plain if not unicodedata.combining(c)))
    return " ".join(word for word in words if word not in ("the", "of", "at", "and", "inc", "ltd"))


def _without_initials(found: dict[str, str]) -> tuple[str, ...]:
    """Without "MIT" where "Massachusetts Institute of Technology" stands beside it."""
    spelled = {"".join(word[0] for word in key.split()): key for key in found if " " in key}
    return tuple(
        place
        for key, place in found.items()
        if not (place.isupper() and spelled.get(key, key) != key)
    )
