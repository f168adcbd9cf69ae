"""What is typed, as requests in their usual spelling: each a verb, and what it is about."""

import re
import unicodedata

from bot.core.commands.errand import Errand
from bot.core.commands.verbs import ALIASES, VERBS
from bot.core.commands.words.cadences import is_rhythm
from bot.core.commands.words.mutes import is_only_time
from bot.core.commands.words.sentences.meaning import request_in
from bot.core.commands.words.subject import FREE
from bot.core.commands.words.vocabulary import HELLO, PLEASE, THANKS, phrase
from bot.core.naming import is_everything
from bot.text import unicode_from_latex
from bot.text.identifiers import find_ids

KNOWN = (*VERBS, *ALIASES)
"""The words that begin requests."""
_VERB = rf"(?:{'|'.join(map(re.escape, KNOWN))})(?=\s|$)"
_BORDER = re.compile(rf"[;\n][ \t]*(?={_VERB})", re.IGNORECASE)
_LISTED = {"follow", "unfollow", "subscribe"}
"""What is asked of each topic where several stand one below the other."""
_MARK = r"(?:[-*•–·>]|\(?\d{1,2}[.)])"
_BULLET = re.compile(rf"^\s*{_MARK}\s+")
_GOES_ON = re.compile(
    r"^[ \t]*(?:AND|OR|NOT|ANDNOT|without|but|in|into|for|by|focused|balanced|broad|\))(?!\w)"
    r"|(?:\b(?:AND|OR|NOT|ANDNOT)|[(,])[ \t]*\n",
    re.MULTILINE,
)
"""Lines that are one request."""
_COMMAND = re.compile(
    rf"^(?:[/@]paper(?:s|round)(?:[\s:,]+|$)|papers[\s:,]+(?={_VERB})|[/!](?={_VERB}))",
    re.IGNORECASE,
)
_POINTED = re.compile(rf"^({'|'.join(map(re.escape, KNOWN))}):\s*", re.IGNORECASE)
"""A verb with a colon behind it: "follow: world models"."""
_WRAPPED = re.compile(rf"([`*_\"]{{1,3}})(?P<said>{_VERB}[^`*_\"]*)\1", re.IGNORECASE)
"""A whole request as an answer shows it: `follow world models`, with its marks."""
_LED_UP_TO = phrase(
    rf"^(?:{_MARK} )?(?:(?:{HELLO}|{PLEASE}|just|kindly|now|ok|okay|so(?! quiet))[\s,.!:]+)*"
    rf"(?={_VERB})"
)
"""The sign of a list, and courtesy, before a verb: "- follow T", "please mute T"."""
_THANKED = phrase(
    rf"(?<![\s,;.!])(?:[\s,;.!]+(?:{PLEASE}|{THANKS})"
    r"(?: (?:a lot|again|in advance|so much|very much))?)+[\s.!]*$"
)
_SUBSCRIBED = phrase(
    r"^((?:un)?subscribe|monitor|track|watch)(?: (?:me|us|(?:my|our) \w+))?(?: out)?"
    r" (?:for|from|to) "
)
_ENDS = {"stop", "unsubscribe", "unfollow"}
_OF_DIGESTS = phrase(
    r"(?:(?:my|the|all|these|this|your) )*"
    r"(?:digests?|e-?mails?|mails?|messages?|posting|posts)(?!\S)"
)
_QUIET = {"pause", "vacation", "holiday", "quiet", "silence"}
_HELPS = {"help", "--help", "-h", "?"}
_SILENCES = _QUIET | {"mute", "snooze"}
_MAILS = {"email", "e-mail", "mail"}
_BEGINS = {"on", "resume", "start"}
_FORGET = phrase(
    r"(?:erase|delete|forget|remove) (?:me|(?:all )?my (?:data|account)|everything about me)\W*"
)
_RHYTHMS = {"daily", "weekly", "weekdays", "monthly", "fortnightly", "biweekly"}
_PING = re.compile(r"<(@[A-Z0-9]+)>")
_ADDRESS = re.compile(r"((?<!\S)(?=\S*(?:@|://))\S+)")
"""What is no LaTeX, whatever is in it: ada@xn--mller-kva.de."""
_QUOTES = str.maketrans("“”„‟«»‘’‚‛", '""""""' + "''''")


def requests_in(text: str) -> list[str]:
    """The requests in a text: lines that each begin with a verb, or a list behind one verb."""
    first = next(iter(text.split(None, 1)), "").casefold()
    if first in FREE or first not in KNOWN:
        return [text]
    requests = _BORDER.split(text)
    if len(requests) > 1 or first not in _LISTED or _GOES_ON.search(text):
        return requests
    lines = [_BULLET.sub("", each).strip() for each in text.strip()[len(first) :].splitlines()]
    names = [each for each in lines if each]
    return [f"{first} {name}" for name in names] if len(names) > 1 else requests


def meant(word: str, rest: str) -> tuple[str, str]:
    """The verb and what it is about: "pause for 2 weeks" is `mute all for 2 weeks`."""
    if not word:
        return "help", ""
    if rest.casefold() in _HELPS and word in KNOWN:
        return "help", ALIASES.get(word, word)
    if word == "more" and (papers := find_ids(rest)):  # "more like 2501.01234"
        return "topic", " ".join(each.arxiv_id for each in papers)
    if word == "stop" and (is_everything(rest) or not rest):
        return "digest", "off"
    if found := _OF_DIGESTS.match(rest):
        after = rest[found.end() :].strip()
        if word in _ENDS and not after:
            return ("email" if "mail" in found[0].casefold() else "digest"), "off"
        rest = after if word in _QUIET and is_only_time(after) else rest
    if word in _RHYTHMS:
        return "digest", f"{word} {rest}".strip()
    if word in _QUIET and is_only_time(rest):
        return "mute", f"all {rest}".strip()
    first, _, after = rest.partition(" ")
    if word == "digest" and first.casefold() in _SILENCES and is_only_time(after):
        return "mute", f"all {after}".strip()
    if word in _MAILS and (first.casefold() in _BEGINS or is_rhythm(rest)):
        rhythm = "on" if first.casefold() in _BEGINS else rest
        return "digest", f"{rhythm} by email"
    return ALIASES.get(word, word), rest


def spelled(errand: Errand, text: str) -> str:
    """A request in its usual spelling: no command of Slack's, courtesy or verb in two words."""
    if wrapped := _WRAPPED.fullmatch(text):
        text = wrapped["said"]
    text = _POINTED.sub(r"\1 ", _COMMAND.sub("", _LED_UP_TO.sub("", text), count=1))
    if text.partition(" ")[0].casefold() not in FREE:
        text = _THANKED.sub("", text)
    if text.casefold().startswith("stop ") and (ended := request_in(errand, text)):
        return ended
    if text.casefold().startswith("not for me"):
        return f"not-for-me{text[len('not for me') :]}"
    if _FORGET.fullmatch(text):
        return "erase"
    return _SUBSCRIBED.sub(r"\1 ", text, count=1)


def plain(text: str) -> str:
    """Text as it was meant: straight quotes, plain spaces, letters for LaTeX, no invisible
    or control characters; addresses as they are.  What would ping somebody of Slack where it is
    said again pings nobody.
    """
    parts = _ADDRESS.split(text.encode("utf-8", "replace").decode())
    parts[::2] = map(unicode_from_latex, parts[::2])
    text = unicodedata.normalize("NFC", "".join(parts))
    kept = (" " if c.isspace() or unicodedata.category(c) == "Zs" else c for c in text)
    visible = (c for c in kept if c == " " or unicodedata.category(c) not in ("Cc", "Cf", "Cs"))
    return _PING.sub(r"\1", " ".join("".join(visible).translate(_QUOTES).split()))
