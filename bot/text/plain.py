"""Text that is safe to store, show and send: no controls, one kind of space, cut at words."""

import re
import unicodedata

# Controls, soft hyphen, zero-width space, marks and overrides of direction, byte order marks,
# halves of surrogate pairs, non-characters.  Joiners stay: Persian and emoji need them.
_UNWANTED = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\xad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f"
    "\ufeff\ufff9-\ufffb\ufffe\uffff\ud800-\udfff]"
)


def clean(text: str) -> str:
    """The text on one line, in NFC, its white space single, its invisible characters gone."""
    if not text.isascii():
        if not unicodedata.is_normalized("NFC", text):
            text = unicodedata.normalize("NFC", text)
        text = _UNWANTED.sub("", text)
    elif not text.isprintable():
        text = _UNWANTED.sub("", text)
    return " ".join(text.split())


def cut(text: str, length: int) -> str:
    """At most `length` characters of the text, ending at a word and with "…" where it was cut.

    A single word that is too long is cut within, never between a letter and its marks.
    """
    if len(text) <= length:
        return text
    if length < 1:
        return ""
    kept = text[: length - 1]
    space = kept.rfind(" ")
    if text[length - 1 : length] != " " and space >= length // 2:
        kept = kept[:space]
    else:
        kept = _without_half_letter(kept, text)
    return kept.rstrip(" ,;:.–—-(“") + "…"


def _without_half_letter(kept: str, text: str) -> str:
    """Drop a last letter whose combining marks, joiners or modifiers were cut off."""
    while kept and _joins(text[len(kept) : len(kept) + 1]):
        kept = kept[:-1]
    while kept and kept[-1] == "\u200d":
        kept = kept[:-1]
    return kept


def _joins(char: str) -> bool:
    return bool(char) and (
        unicodedata.category(char) in ("Mn", "Me", "Mc")
        or char in "\u200c\u200d"
        or "\U0001f3fb" <= char <= "\U0001f3ff"
    )
