"""What a name leads to: the topic that is known by it, or those that are near."""

import re
import unicodedata
from itertools import islice

from bot.core.house import House
from bot.matching.examples.likeness import likest
from bot.matching.spelling.folding import words
from bot.model import Origin, Topic
from bot.text import latin
from bot.text.identifiers import opened

ENGLISH = " arXiv’s papers are in English."
"""What to say beside a name that finds nothing and may be in another language."""

_SMALL = (
    "a about an and are as at be by can for from has have how in into is it its of on or our so "
    "something such than that the their them these they this those to up use used using via was "
    "we were what when which who why will with you"
)
_LINK = re.compile(r"https?://\S*[^\s.,;:!?)\]\"']", re.IGNORECASE)
_A_PAGE = re.compile(r"/topics/([\w-]+)")
_IN_EVERY_PAPER = frozenset(_SMALL.split())


def says_nothing(text: str) -> bool:
    """Whether a text has only words that every paper contains: "for the"."""
    return all(word in _IN_EVERY_PAPER for word in text.casefold().split())


def named(house: House, text: str) -> Topic | None:
    """The topic that a slug, a name or an alias leads to, whoever made it, or None."""
    topics = house.store.topics
    if found := topics.by_slug(text.strip().casefold()) or topics.by_name(folded(text)):
        return found
    others = map(folded, house.language.wordings(text))  # R.A.G. is RAG, and deep RL what it says
    return next(filter(None, map(topics.by_name, others)), None)


def is_everything(text: str) -> bool:
    """Whether a text means everything that somebody follows."""
    return text.strip().casefold() in ("all", "everything")


def known(house: House, text: str, asker: int = 0) -> Topic | None:
    """The topic that a slug, a name or an alias leads to for `asker`, or None.

    Topics that others made do not count, so that they neither show nor change what words mean;
    if they are listed for everyone, their slug leads to them.
    """
    topic = named(house, text)
    if topic is None or topic.origin is Origin.CATALOGUE:
        return topic
    is_slug = text.strip().casefold() == topic.slug
    if not is_slug and not _may_mean(house, text, topic):
        return None
    is_listed = house.wishes.own_topics and is_slug
    return topic if is_listed or house.store.people.is_theirs(asker, topic.id) else None


def without_links(house: House, text: str, asker: int = 0) -> str:
    """The text with the slug of a topic in place of a link to its page, wherever the page is."""
    return _LINK.sub(lambda link: _slug_in(house, link[0], asker) or link[0], text)


def _slug_in(house: House, link: str, asker: int) -> str:
    page = _A_PAGE.search(opened(link))
    topic = known(house, page[1], asker) if page else None
    return topic.slug if topic else ""


def _may_mean(house: House, text: str, topic: Topic) -> bool:
    """Whether both are names or both queries: the words of a query alone mean something else."""
    return house.language.is_query(text) == house.language.is_query(topic.name)


def folded(text: str) -> str:
    """Names that differ in case, hyphens or number are one name."""
    return " ".join(words(text)) or text.strip().casefold()


def slug_of(text: str, english: str = "") -> str:
    """A name as part of a web address: ASCII letters, digits and hyphens.

    A name in another script is called as in `english`, if that is known.
    """
    return _latin(text) or _latin(english) or "topic"


def _latin(text: str) -> str:
    plain = unicodedata.normalize("NFKD", latin(text).casefold()).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:80].rstrip("-")


def near(house: House, text: str, limit: int = 3) -> list[Topic]:
    """Catalogue topics with a name that shares telling words with a text, best first."""
    names, text = house.store.topics.names(), house.language.written_out(text)
    found = likest(text, [name.printed for name in names], house.language.generic)
    ids = dict.fromkeys(names[place].topic_id for place in found)
    topics = (house.store.topics.get(topic_id) for topic_id in islice(ids, limit))
    return [topic for topic in topics if topic]


def shown(text: str, longest: int = 60) -> str:
    """What a person typed, short enough to say it back to them."""
    text = " ".join(text.split())
    return text if len(text) <= longest else text[: longest - 1].rstrip() + "…"
