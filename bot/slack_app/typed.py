"""What people type into Slack, as the plain words they meant.  Pure.

Slack sends mentions, links and addresses as ``<…|…>``, ``&``, ``<``, ``>`` as entities, the
quotes and dashes that a phone made of what was typed, and marks for bold and the like, which come
along where words are copied from our own answers.  Afterwards a conversation stands as
``<#C1>``, everything else as lines of plain text.  Nothing here knows a verb.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import unquote, urlsplit

from bot.core.commands.requests import KNOWN
from bot.text.identifiers import find_ids

LONGEST = 8_000  # what Slack lets people type

_TOKEN = re.compile(r"<([@#!]?)([^<>|]{0,4000})(?:\|([^<>]{0,4000}))?>")
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_ID = re.compile(r"[A-Z0-9]{1,40}\Z")
_MENTIONED = re.compile(r"<#([CGD][A-Z0-9]+)>")
_LINK = re.compile(r"<(https?:[^<>|]+)")
_LED_IN = re.compile(r"^(?:[>•] )+")
# Bold, italic, struck out, code: Slack sets them at the borders of words, in pairs.  A star alone
# is a prefix of ours ("agent*").
_OPENS, _CLOSES = r"(?<![^\s(\[\"'*_~`])", r"(?![^\s)\]\"'*_~`.,:;!?])"
_MARKED = [
    re.compile(rf"{_OPENS}[{mark}](?=\S)([^{mark}\n]+)(?<=\S)[{mark}]{_CLOSES}") for mark in "*_~`"
]
_COMMAND = re.compile(r"/papers\b\s*", re.IGNORECASE)
_SAME = str.maketrans(
    {
        **dict.fromkeys("“”„‟«»″〝〞＂", '"'),
        **dict.fromkeys("‘’‚‛′‹›＇", "'"),
        **dict.fromkeys("‐‑‒–−﹣－", "-"),
        **dict.fromkeys("—―", "--"),
        "\u2026": "...",
    }
)
_ENTITIES = {"&lt;": "<", "&gt;": ">", "&amp;": "&"}
_ENTITY = re.compile("|".join(_ENTITIES))


def plain(raw: str) -> str:
    """The words as they were meant, line by line."""
    words = _TOKEN.sub(_unwrapped, raw[:LONGEST])
    words = _ENTITY.sub(lambda found: _ENTITIES[found.group()], words)
    words = unicodedata.normalize("NFC", words).translate(_SAME)
    lines = (" ".join("".join(map(_visible, line)).split()) for line in words.splitlines())
    return _bare("\n".join(filter(None, map(_unmarked, lines))))


def said_to(raw: str, bot_user: str) -> str:
    """The words of a message that may mention the bot, without the first mention.

    In the middle of a sentence ("hey @Papers, follow …") the words after the mention count, if
    they are a request and the sentence is none.
    """
    mention = re.compile(rf"(?:<@{re.escape(bot_user)}(?:\|[^<>]*)?>[\s:,]*)+")
    before, *after = mention.split(raw, maxsplit=1)
    behind = plain("".join(after))
    amid = _is_request(behind) and not _is_request(plain(before))
    return behind if amid else plain(" ".join((before, *after)))


def _is_request(words: str) -> bool:
    return words.partition(" ")[0].casefold() in KNOWN


def mentioned(words: str) -> tuple[str, ...]:
    """The conversations that plain words name, in order."""
    return tuple(dict.fromkeys(_MENTIONED.findall(words)))


def texts(written: object) -> Iterator[str]:
    """Every text of what Slack sent, however deep: of a message, its blocks and attachments."""
    if isinstance(written, str):
        yield written
    elif isinstance(written, Mapping):
        yield from texts(list(written.values()))
    elif isinstance(written, list):
        for each in written:
            yield from texts(each)


def papers(message: Mapping[str, Any]) -> tuple[str, ...]:
    """The arXiv identifiers that a message links to or names, each once, in order."""
    found = find_ids("\n".join(texts(message)))
    return tuple(dict.fromkeys(each.arxiv_id for each in found))


def other_links(message: Mapping[str, Any]) -> int:
    """How many links a message's writer put there that name no paper."""
    links = set(_LINK.findall(str(message.get("text") or "")))
    return sum(not find_ids(link) for link in links)


def _unwrapped(token: re.Match[str]) -> str:
    sigil, target, label = token.group(1), token.group(2), token.group(3) or ""
    if sigil == "#":
        return f"<#{target}>" if _ID.match(target) else f"#{label or target}"
    if sigil == "@":
        return f"@{label or target}"
    if sigil == "!":
        return _special(target, label)
    return _link(target, label) if _SCHEME.match(target) else token.group()


def _special(target: str, label: str) -> str:
    """A ping or a date, as words that ping nobody."""
    if target.startswith("date^"):
        return label
    words = label or target.partition("^")[0]
    return words if words.startswith("@") else f"@{words}"


def _link(target: str, label: str) -> str:
    """An address as typed: the label where Slack made the link itself ("Node.js"), else the URL."""
    if target.startswith("mailto:"):
        return unquote(target.removeprefix("mailto:").partition("?")[0])
    if target.startswith("tel:"):
        return label or target.removeprefix("tel:")
    host = _host(target)
    if label and host != "arxiv.org" and not host.endswith(".arxiv.org"):
        return label
    return target


def _host(url: str) -> str:
    try:
        return (urlsplit(url).hostname or "").lower()
    except ValueError:
        return ""


def _visible(character: str) -> str:
    category = unicodedata.category(character)
    if category in ("Cf", "Cs", "Co"):
        return ""
    return " " if category in ("Cc", "Zs", "Zl", "Zp") else character


def _unmarked(line: str) -> str:
    """A line without the marks of bold, italic, struck out, code, quotation or list."""
    line = _LED_IN.sub("", line).replace("```", "")
    for pair in _MARKED:
        line = pair.sub(r"\1", line)
    return line


def _bare(words: str) -> str:
    """Without code marks around the whole, and without the command where it was typed as text."""
    if len(words) > 1 and words[0] == words[-1] == "`":
        words = words.strip("` ")
    return _COMMAND.sub("", words, count=1) if _COMMAND.match(words) else words
