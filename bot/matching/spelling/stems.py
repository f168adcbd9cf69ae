"""One spelling for the forms of a word: "Agents" and "agent", "modelling" and "modeling"."""

import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache

from bot.text.names import latin

_APART = re.compile(r"[^0-9A-Za-z+#*]")  # between a prefix and its word
_RAISED = frozenset("⁰¹²³⁴⁵⁶⁷⁸⁹")
_LETTERS = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma "
    "tau upsilon phi chi psi omega"
)
GREEK = dict(zip("αβγδεζηθικλμνξοπρστυφχψω", _LETTERS.split(), strict=True))
_SYMBOL = re.compile(rf"([{''.join(GREEK)}])(\d*)")
"""A Greek letter that is a word by itself, in "γ-ray" or "π0": written "gamma" and "pi" as well."""

_IRREGULAR = {
    "matrices": "matrix", "indices": "index", "vertices": "vertex", "appendices": "appendix",
    "corpora": "corpus", "criteria": "criterion", "phenomena": "phenomenon",
    "children": "child", "indexes": "index",
    "genetics": "genetics", "logistics": "logistics",  # not what is genetic or logistic
    **{f"{short}s": short for short in ["api", "bci", "cpu", "gpu", "gui", "npu", "roi", "tpu"]},
}  # fmt: skip
_SPELLING = (
    ("isation", "ization"), ("alyze", "alyse"), ("aviour", "avior"),
    ("colour", "color"), ("neighbour", "neighbor"), ("modelling", "modeling"),
    ("labelling", "labeling"), ("labelled", "labeled"), ("centre", "center"),
    ("defence", "defense"), ("favour", "favor"), ("signalling", "signaling"),
    ("programme", "program"), ("fibre", "fiber"), ("tumour", "tumor"),
    ("cancell", "cancel"), ("travell", "travel"), ("artefact", "artifact"),
    ("schroedinger", "schrodinger"), ("kaehler", "kahler"), ("goedel", "godel"),
)  # fmt: skip
_ISE = re.compile(r"(\w[aeiouy][^aeiouy\W\d]+(?<!e[cmvw])i)s(e[drs]?|ers|ing|able)$")
"""British "optimise", "characterisers"; not "crises", nor words such as "precise", "premise"."""
_REMEMBERED = 200_000
_SIBILANT = ("s", "x", "z", "ch", "sh")


def bare(word: str) -> str:
    """Lower case, without accents or compatibility forms; "ł" is "l"."""
    if word.isascii():
        return word.lower() if word.isalnum() else _APART.sub("", word).lower()
    if not _RAISED.isdisjoint(word):  # 10² is not 102
        word = "".join(c if c in _RAISED else unicodedata.normalize("NFKC", c) for c in word)
        parts = unicodedata.normalize("NFD", word)
    else:
        parts = unicodedata.normalize("NFKD", word)
    kept = latin("".join(c for c in parts if c.isalnum() or c in "+#*"))
    low = unicodedata.normalize("NFC", kept).lower().replace("ς", "σ")
    symbol = _SYMBOL.fullmatch(low)
    return GREEK[symbol[1]] + symbol[2] if symbol else low


def _singular(word: str) -> str:
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith("ie"):
        return word[:-2] + "y"
    if len(word) > 4 and word.endswith("es") and word[:-2].endswith(_SIBILANT):
        return word[:-2]
    if len(word) > 3 and word.endswith("e") and word[:-1].endswith(_SIBILANT):
        return word[:-1]
    if len(word) > 5 and word.endswith("sis"):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def _spelled(word: str) -> str:
    if len(word) > 5:
        for british, american in _SPELLING:
            if british in word:
                word = word.replace(british, american)
        word = _ISE.sub(r"\1z\2", word)
    return word


def _stem(word: str) -> str:
    low = bare(word)
    if len(low) > 2 and word.endswith("s") and word[:-1].isupper():
        return low[:-1]  # LMs, GPUs, APIs; but not GPS, and not the "us" of a virus
    return _singular(_spelled(low)) or low


def _kept(word: str) -> str:
    if sum(map(str.isupper, word)) < 2 or not word.rstrip("+#*").isalnum():
        return stem(word)
    return word[:-1] if word.endswith("s") and len(word) > 2 else word


class _Table(dict[str, str]):
    """What a function says of words, remembered; emptied when the words become too many."""

    def __init__(self, function: Callable[[str], str]) -> None:
        self._function = function

    def __missing__(self, word: str) -> str:
        if len(self) > _REMEMBERED:
            self.clear()
        found = self[word] = self._function(word)
        return found


STEMS, KEPT = _Table(_stem), _Table(_kept)


def stem(word: str) -> str:
    """The form under which a word as printed is compared."""
    return STEMS[word]


def kept(word: str) -> str:
    """The form for terms that care about capitals: as printed where two are capital."""
    return KEPT[word]


@lru_cache(maxsize=1 << 14)
def surfaces(folded: str) -> tuple[str, ...]:
    """Lower-case spellings that fold to this stem, for a full-text index that folds nothing."""
    tries = [folded + ending for ending in ("", "s", "es", "e", "is")]
    if folded.endswith("y"):
        tries += [folded[:-1] + "ies", folded[:-1] + "ie"]
    tries += [odd for odd, regular in _IRREGULAR.items() if regular == folded]
    for spelled, american in _SPELLING:
        tries += [w.replace(american, spelled) for w in tries if american in w]
    tries += [re.sub(r"z(e[drs]?|ers|ing|able)$", r"s\1", w) for w in tries]
    kept = [w for w in tries if w == folded or _singular(_spelled(w)) == folded]
    return tuple(dict.fromkeys((*kept, folded + "s")))  # of GPUs, too


def beginning(prefix: str) -> str:
    """The part of a prefix that every printed word has whose stem begins with it."""
    turned = any(american[:4] in prefix for _, american in _SPELLING) or "z" in prefix
    odd = any(regular.startswith(prefix) for regular in _IRREGULAR.values())
    return prefix[:3] if turned or odd else prefix.removesuffix("y")
