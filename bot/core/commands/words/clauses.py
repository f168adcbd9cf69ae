"""Trailing clauses of a request, read from the right and only where they are valid."""

import re

from bot.core.commands.words.authors import by_author
from bot.core.commands.words.exclusions import name_before
from bot.core.house import House
from bot.core.naming import known
from bot.model import Breadth, Follow

_BREADTH = re.compile(r"(?:\s*,\s*|\s+breadth\s+)(focused|balanced|broad)\s*$", re.IGNORECASE)
_CHANNEL = re.compile(r"\s*\bby\s+(e-?mail|slack|console)\s*$", re.IGNORECASE)
_EMOJI = re.compile(r"(?<!\S):[a-z0-9_+'-]*[a-z][a-z0-9_+'-]*:(?!\S)")
_SAID_BEFORE = re.compile(
    r"(?:[/@]papers[\s:,]+)?(?:papers\s+)?(?:follow|subscribe(?:\s+to)?)\s+"
    r"(?!the\s+(?!topic\b))(?=\S)|[/@]papers[\s:,]+(?=\S)",
    re.IGNORECASE,
)
_THE_TOPIC = re.compile(r"the\s+topic\s+(?:of\s+)?(?=\S)", re.IGNORECASE)
_PAPERS_ON = re.compile(
    r"(?:(?:all|any|arxiv['’]?s?|every|latest|more|new|newest|recent|the)\s+)*"
    r"(?:listings?|submissions?|anything|articles?|everything|literature|news|papers?|preprints?|publications?|research"
    r"|stuff|works?)\s+(?:on|about|around|concerning|regarding|related\s+to)\s+(?=\S)",
    re.IGNORECASE,
)
"""What somebody says of every topic: "papers on", "everything about"."""
_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
_RHYTHM = re.compile(
    r"(?: ?, ?| )((?:daily|weekly|weekdays|monthly|fortnightly|(?:once|twice)\s+a\s+(?:week|month)"
    rf"|(?:on|every(?:\s+other)?)\s+(?:{_DAY}(?:\s+and\s+{_DAY})*|day|weekday|morning|week|month))"
    r"(?:\s+(?:at\s+)?\d[\d:.]*\s*(?:[ap]m)?)?)$",
    re.IGNORECASE,
)


def channel_in(text: str) -> tuple[str, str]:
    """Split a trailing `by email`; "" where none is named."""
    found = _CHANNEL.search(text)
    if not found:
        return text, ""
    return text[: found.start()], found[1].casefold().replace("-", "")


def topic_in(house: House, text: str) -> str:
    """The name of a topic, without what people say around it.

    Taken away are emoji as Slack writes them, "the topic of" and "papers on" in front, and a
    command that was typed where only its topic was asked for.  Words that belong to the name of
    a known topic stay: "topic models", "follow the regularized leader".
    """
    text = " ".join(_EMOJI.sub(" ", text).split()) or text
    if (again := _SAID_BEFORE.match(text)) and not known(house, text):
        text = text[again.end() :]
    for led_in in (_THE_TOPIC, _PAPERS_ON):
        if (found := led_in.match(text)) and not known(house, text):
            return text[found.end() :]
    word, _, name = text.partition(" ")
    is_said_before = word.casefold() == "topic" and known(house, name) and not known(house, text)
    return name if is_said_before else text


def breadth_in(text: str) -> tuple[str, Breadth | None]:
    """Split a trailing `, focused` or `breadth focused`, where something stands before it."""
    found = _BREADTH.search(text)
    if not found or not text[: found.start()].strip():
        return text, None
    return text[: found.start()], Breadth(found[1].casefold())


def rhythm_in(house: House, text: str) -> tuple[str, str]:
    """Split a trailing `daily` or `weekly 9:00`, where no known topic is called so; "" for none."""
    found = _RHYTHM.search(text)
    if not found or known(house, text):
        return text, ""
    return text[: found.start()], found[1]


def bare(text: str) -> str:
    """What stands before the clauses of a follow, whether or not it is a topic."""
    return name_before(breadth_in(text)[0])


def typed(follow: Follow) -> str:
    """A follow with all its wishes, as it would be typed."""
    out = [f'"{word}"' for word in follow.without_words]
    out += map(by_author, follow.without_authors)
    return f"{follow.topic.slug} without {', '.join(out) or 'nothing'}, {follow.breadth}"
