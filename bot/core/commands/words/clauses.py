"""Trailing clauses of a request, read from the right and only where they are valid."""

import re

from bot.core.commands.words.authors import by_author
from bot.core.commands.words.exclusions import name_before
from bot.core.commands.words.vocabulary import NEW, ON, PAPERS, phrase
from bot.core.house import House
from bot.core.naming import known
from bot.model import Breadth, Follow

_BREADTH = phrase(
    r"(?:(?:\s*,\s*| breadth )|(?P<open> ?\())(focused|balanced|broad)(?(open)\))\s*$"
)
_CHANNEL = phrase(r"\s*\bby (e-?mail|slack|console)\s*$")
_EMOJI = re.compile(r"(?<!\S):[a-z0-9_+'-]*[a-z][a-z0-9_+'-]*:(?!\S)")
_SAID_BEFORE = phrase(
    r"(?:[/@]papers[\s:,]+)?(?:papers )?(?:follow|subscribe(?: to)?) "
    r"(?!the (?!topic\b))(?=\S)|[/@]papers[\s:,]+(?=\S)"
)
_THE_TOPIC = phrase(r"the topic (?:of )?(?=\S)")
_PAPERS_ON = phrase(
    rf"(?:arxiv(?:'?s)? )?{NEW}(?:arxiv(?:'?s)? )?"
    rf"(?:listings?|submissions?|literature|news|anything|everything|stuff|{PAPERS}) {ON} (?=\S)"
)
"""What somebody says of every topic: "papers on", "everything about"."""
_BOLD = re.compile(r"^\*([^*]+)\*$")
"""As Slack writes what somebody made stand out."""
_BOTH = phrase(r"both (?=\S.* and \S)")
_ONLY = phrase(r" only(?= (?:from|in) [a-z-]+\.[a-z-]{2,})")
"""Said before a category, which narrows a topic without it."""
_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
_WHEN = (
    r"(?:daily|weekly|weekdays|monthly|fortnightly|(?:once|twice) a (?:week|month)"
    rf"|(?:on|every(?: other)?) (?:{_DAY}(?: and {_DAY})*|day|weekday|morning|week|month))"
)
_RHYTHM = phrase(
    r"(?:\s?,\s?| )(?:and (?:bring|deliver|e?mail|send) (?:it|me|them|these|this)(?: to me)? )?"
    rf"({_WHEN}(?:\s?,\s?{_WHEN}| {_WHEN})*(?: (?:at )?\d[\d:.]*\s*(?:[ap]m)?)?)$"
)


def channel_in(text: str) -> tuple[str, str]:
    """Split a trailing `by email`; "" where none is named."""
    found = _CHANNEL.search(text)
    if not found:
        return text, ""
    return text[: found.start()], found[1].casefold().replace("-", "")


def topic_in(house: House, text: str) -> str:
    """The name of a topic, without what people say around it.

    Removes emoji as Slack writes them, a leading "the topic of" or "papers on", and a command
    typed where only its topic was asked for.  Words of a known topic's name stay: "topic models",
    "follow the regularized leader".
    """
    text = " ".join(_EMOJI.sub(" ", text).split()) or text
    text = _BOLD.sub(r"\1", text)
    if (again := _SAID_BEFORE.match(text)) and not known(house, text):
        text = text[again.end() :]
    text = _ONLY.sub("", text)
    for led_in in (_THE_TOPIC, _PAPERS_ON, _BOTH):
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
    return text[: found.start()], Breadth(found[2].casefold())


def rhythm_in(house: House, text: str) -> tuple[str, str]:
    """Split a trailing `daily` or `weekly 9:00`, where no known topic is called so; "" for none."""
    found = _RHYTHM.search(text)
    if not found or known(house, text):
        return text, ""
    return text[: found.start()], found[1]


def bare(text: str) -> str:
    """The text before the clauses of a follow, whether or not it is a topic."""
    return name_before(breadth_in(text)[0])


def typed(follow: Follow) -> str:
    """A follow with all its wishes, as it would be typed."""
    out = [f'"{word}"' for word in follow.without_words]
    out += map(by_author, follow.without_authors)
    return f"{follow.topic.slug} without {', '.join(out) or 'nothing'}, {follow.breadth}"
