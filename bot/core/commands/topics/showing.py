"""A topic as it stands now, and all of them in the order of what happens to them."""

import re

from bot.core.commands.errand import Errand, refused
from bot.core.commands.papers.entries import entries, newest
from bot.core.commands.papers.shelf import papers_named
from bot.core.commands.topics.card import card_of
from bot.core.commands.topics.ranking import NEEDS, ORDERS, Momenta, was_read
from bot.core.commands.words.clauses import topic_in
from bot.core.commands.words.lookup import must_know, of_papers
from bot.core.naming import near, shown
from bot.core.pipeline.silence import source_notes
from bot.core.reply import Code, Line, Reply, Strong, line
from bot.digest import Action
from bot.momentum import how_many, label, sentence
from bot.text import number
from bot.text.identifiers import only_ids

_CALLED = {"trending": "heating", "hot": "heating", "rising": "heating", "popular": "largest",
           "biggest": "largest", "new": "emerging", "falling": "cooling"}  # fmt: skip
_FIRST = {
    "largest": "the largest first",
    "heating": "those heating up most first",
    "emerging": "the largest of the emerging first",
    "cooling": "those cooling most first",
}
_FOR_ME = re.compile(r"^(?:me|us)\s+(?=\S)", re.IGNORECASE)


def show_topic(errand: Errand, text: str) -> Reply:
    """A topic's card: momentum, latest papers, related topics."""
    if not text:
        return errand.refuse(line("Which topic? ", Code("topic RL for LLM agents")))
    if only_ids(text):
        return _show_papers(errand, text)
    topic = must_know(errand, topic_in(errand.house, _FOR_ME.sub("", text)), "topic")
    card = card_of(errand, topic)
    follow = Action("Unfollow" if card.followed else "Follow",
                    f"{'unfollow' if card.followed else 'follow'} {topic.slug}")  # fmt: skip
    mute = Action("Mute for 2 weeks", f"mute {topic.slug} for 2w")
    return errand.reply(
        line(Strong(topic.name)),
        line(sentence(card.momentum)),
        card=card,
        papers=newest(errand, topic),
        buttons=(follow, mute) if card.followed else (follow,),
    )


def _show_papers(errand: Errand, text: str) -> Reply:
    """Papers named in place of a topic, and what can be done with them."""
    papers = papers_named(errand, text)
    offered = of_papers(errand, [paper.arxiv_id for paper in papers])
    return errand.reply(*offered.lines, papers=entries(errand, papers), buttons=offered.buttons)


def show_topics(errand: Errand, text: str) -> Reply:
    """Topics by size or change (`topics heating|emerging|cooling|largest`) or by words.

    `topics cat:cs.RO cs.AI` is the momentum of everything listed in some categories.
    """
    if text.casefold().startswith("cat:"):
        return _show_categories(errand, text)
    topics = errand.house.store.topics.all(own=False)
    momenta = errand.house.heat.of(topics)
    word = _CALLED.get(text.strip().casefold(), text.strip().casefold()) or "largest"
    ordered = ORDERS[word](topics, momenta) if word in ORDERS else near(errand.house, text, 10)
    lines = [
        line(Strong(t.name), f"  {how_many(momenta[t.id])}"
             + (f", {label(momenta[t.id])}" if label(momenta[t.id]) else ""))
        for t in ordered[:15] if t.id in momenta
    ]  # fmt: skip
    which = f", {_FIRST.get(word, 'the nearest names first')}" if lines else ""
    others = [order for order in ORDERS if order not in (word, "largest")]
    also = [span for order in others for span in (Code(f"topics {order}"), ", ")]
    count = line(f"{number(len(topics))} topics{which}. Also ", *also, Code("topics WORDS"))
    notes = map(line, source_notes(errand.house, errand.now))
    return errand.reply(count, *notes, *(lines or _none_of(word, momenta)))


def _none_of(word: str, momenta: Momenta) -> list[Line]:
    """Why no topic is heating, emerging or cooling, or has a name like those words."""
    if word not in ORDERS:
        return [line("No topic has a name like that.")]
    if word in NEEDS and not any(was_read(m, NEEDS[word]) for m in momenta.values()):
        weeks = f"{NEEDS[word]} whole weeks have to be read first."
        return [line(f"Nothing can be said of that yet: {weeks}")]
    return [line("None just now.")]


def _show_categories(errand: Errand, text: str) -> Reply:
    wanted = re.split(r"[\s,]+", re.sub("cat:", " ", text, flags=re.IGNORECASE).strip())
    known = {each.casefold(): each for each in errand.house.store.papers.categories()}
    missing = [shown(each) for each in wanted if each.casefold() not in known]
    if missing:
        raise refused(f"No stored paper is listed in {', '.join(missing)}. ",
                      Code("topics cat:cs.RO cs.AI"), status=404)  # fmt: skip
    categories = tuple(dict.fromkeys(known[each.casefold()] for each in wanted))
    momentum = errand.house.heat.of_categories(categories)
    return errand.reply(line(Strong(" ".join(categories))), line(sentence(momentum)))
