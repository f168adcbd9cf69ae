"""Questions that change nothing: list, topic, topics, ask, status, settings, help."""

import re
from datetime import datetime

from bot.core.commands.digests.wording import state_line
from bot.core.commands.errand import NOTHING_FOLLOWED, Errand, refused
from bot.core.commands.papers.entries import entries, newest
from bot.core.commands.papers.shelf import papers_named
from bot.core.commands.topics.card import card_of
from bot.core.commands.topics.ranking import NEEDS, ORDERS, Momenta, was_read
from bot.core.commands.words.clauses import topic_in
from bot.core.commands.words.lookup import must_know, of_papers
from bot.core.commands.words.subject import of_the_conversation
from bot.core.dates import clock_words
from bot.core.filtering import mute_words
from bot.core.naming import near, shown
from bot.core.pipeline.digests.deciding import decide
from bot.core.pipeline.silence import silence_of, source_notes
from bot.core.reply import Code, Instant, Line, Overview, Reply, Span, Strong, line
from bot.digest import Action
from bot.model import FOREVER, Breadth, Destination, DestinationState, Follow
from bot.momentum import how_many, label, sentence
from bot.store import Outcome
from bot.text import number, plural
from bot.text.identifiers import only_ids

SAVED_SHOWN = 20  # saved papers of an overview

_CALLED = {"trending": "heating", "hot": "heating", "rising": "heating", "popular": "largest",
           "biggest": "largest", "new": "emerging", "falling": "cooling"}  # fmt: skip
_FOR_ME = re.compile(r"^(?:me|us)\s+(?=\S)", re.IGNORECASE)

HELP = (
    ("follow TOPIC", "its papers come with your digest; also follow T without survey"),
    ("unfollow TOPIC", "they come no more"),
    ("mute TOPIC for 2w", "silence with an end; also mute all until 14 Dec"),
    ("unmute TOPIC", "hear it again"),
    ("list", "what you follow, what is muted, when the digest comes"),
    ("topic TOPIC", "is it heating up, its latest papers, what lies next to it"),
    ("topics", "all topics; topics heating, topics emerging, topics cat:cs.RO"),
    ("ask TOPIC: QUESTION", "what its papers say; also ask 2501.01234: QUESTION"),
    ("save 2501.01234", "keep a paper; saved shows them"),
    ("export", "what you saved as BibTeX, RIS and CSV; also export TOPIC"),
    ("not-for-me 2501.01234", "it comes no more"),
    ("why 2501.01234", "how it came to you, or why it did not"),
    ("digest daily 8:30", "when it comes; also digest mon 9 tz Europe/Kyiv, digest off"),
    ("digest at most 20", "the best of each topic, the rest when you ask; also digest no limit"),
    ("digest now", "what has come since the last one, at once"),
    ("email a@b.org", "the digest by mail too; also email a@b.org instead, email off"),
    ("status", "what was read, what comes next"),
    ("erase", "how everything kept about you is forgotten"),
)  # fmt: skip


def show_help(errand: Errand, text: str) -> Reply:
    """Every command with what it does, or the lines about one verb."""
    asked = text.partition(" ")[0].casefold()
    of_one = [each for each in HELP if each[0].partition(" ")[0] == asked]
    return errand.reply(*(line(Code(words), f"  {meaning}") for words, meaning in of_one or HELP))


def how_to_erase(errand: Errand, text: str) -> Reply:
    """How to have everything stored about the asker erased.  Erases nothing."""
    asking = errand.actor.identity
    people = errand.house.store.people
    known = people.find(asking)
    if known is None:
        return errand.reply(line("Nothing is kept about you here."))
    lines = [
        line("Whoever runs Paperround here can forget everything kept about you; ask them for ",
             Code(f"paperround person erase {asking}"), "."),
    ]  # fmt: skip
    by_mail = any(each.channel == "email" for each in people.destinations(known))
    if by_mail and errand.house.links.base_url:
        page = "The page behind “Change” in your mails does it at once: “Forget everything”."
        lines.append(line(page))
    return errand.reply(*lines, line("To end only what comes: ", Code("digest off"), "."))


def listing(errand: Errand, text: str) -> Reply:
    """What is followed and muted, and when the digest comes."""
    overview = overview_of(errand)
    if not overview.follows:
        beside = of_the_conversation(errand, "list")
        return errand.reply(
            NOTHING_FOLLOWED, *beside.lines, overview=overview, buttons=beside.buttons
        )
    lines = [_follow_line(errand, each) for each in overview.follows]
    lines += [
        line("Muted ", *_end(errand, mute.until), f": {mute_words(mute.kind, mute.value)}")
        for mute in overview.mutes
    ]
    lines += [state_line(each) for each in overview.destinations]
    return errand.reply(*lines, overview=overview)


def overview_of(errand: Errand) -> Overview:
    """Everything the subscriber has set; mutes that have ended are left out."""
    people = errand.house.store.people
    subscriber = errand.subscriber
    destinations = tuple(people.destinations(subscriber))
    saved = people.saved(subscriber)
    return Overview(
        follows=tuple(each.at(errand.now) for each in people.follows(subscriber)),
        mutes=tuple(m for m in people.mutes(subscriber) if m.holds(errand.now)),
        destinations=destinations,
        saved=entries(errand, errand.house.papers(saved[:SAVED_SHOWN])),
        deliveries=tuple((each, last_word(errand, each)) for each in destinations),
    )


def last_word(errand: Errand, destination: Destination) -> str:
    """The latest outcome at a destination, in words."""
    latest = errand.house.store.outbox.last(destination.id)
    if latest is None:
        return "nothing sent yet"
    if latest.sent_at:
        return f"last sent {clock_words(latest.sent_at, errand.zone)}"
    trouble = f": {latest.delivery.error}" if latest.delivery.error else ""
    return f"{latest.delivery.state}{trouble}"


def settings(errand: Errand, text: str) -> Reply:
    """Destinations with their schedule and latest outcome."""
    overview = overview_of(errand)
    lines = [line(*state_line(each), " ", _sentence(said)) for each, said in overview.deliveries]
    none = line("No digest is set yet; it begins with the first ", Code("follow TOPIC"), ".")
    return errand.reply(
        *(lines or [none]),
        line("Times are shown in ", Strong(errand.zone), "; change it: ", Code("digest tz ZONE")),
        overview=overview,
    )


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:].rstrip('.')}."


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


_FIRST = {
    "largest": "the largest first",
    "heating": "those heating up most first",
    "emerging": "the largest of the emerging first",
    "cooling": "those cooling most first",
}


def _none_of(word: str, momenta: Momenta) -> list[Line]:
    """Why no topic is heating, emerging or cooling, or has a name like those words."""
    if word not in ORDERS:
        return [line("No topic has a name like that.")]
    if word in NEEDS and not any(was_read(m, NEEDS[word]) for m in momenta.values()):
        return [line(f"None is known to be {word}: {NEEDS[word]} whole weeks must have been read.")]
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


_CAME_TO: dict[str, str] = {
    Outcome.EMPTY: "brought nothing",
    Outcome.MUTED: "was silent",
    Outcome.FAILED: "failed",
}


def status(errand: Errand, text: str) -> Reply:
    """What was read last, what silence means, and when the next digest comes."""
    house = errand.house
    lines = [_last_look(errand)]
    subscriber = errand.subscriber
    for each in house.store.people.destinations(subscriber):
        lines.append(state_line(each))
        lines += _waiting(errand, each)
        last = house.store.ledger.last("prepare", f"d{each.id}")
        if last and (word := _CAME_TO.get(last.outcome)):
            when = clock_words(last.at, errand.zone)
            lines.append(line(f"The last one, {when}, {word}: {last.reason.rstrip('.')}."))
    return errand.reply(*lines)


def _waiting(errand: Errand, destination: Destination) -> list[Line]:
    """What is waiting for the next digest so far."""
    if destination.state is not DestinationState.ACTIVE:
        return []
    count = len(decide(errand.house, destination, errand.now).told)
    verb = "waits" if count == 1 else "wait"
    return [line(f"{plural(count, 'paper')} {verb} for it.")] if count else []


def _last_look(errand: Errand) -> Line:
    last = errand.house.store.ledger.last("poll")
    if last is None:
        return line("arXiv has not been read yet.")
    said = f"{plural(last.papers, 'new paper')}" if last.outcome == Outcome.NEW else last.outcome
    trouble = f" ({last.reason})" if last.reason else ""
    return line("Last look at arXiv ", Instant(last.at, clock=True), f", {said}{trouble}. ",
                silence_of(errand.house, errand.now).sentence)  # fmt: skip


def _follow_line(errand: Errand, follow: Follow) -> Line:
    spans: list[Span] = [Strong(follow.topic.name)]
    m = errand.house.heat.of_one(follow.topic)
    spans.append(f"  {how_many(m)}")
    if follow.breadth is not Breadth.BALANCED:
        spans.append(f", {follow.breadth}")
    if follow.without_words or follow.without_authors:
        spans.append(f", without {', '.join((*follow.without_words, *follow.without_authors))}")
    if follow.muted_until:
        spans += [", muted ", *_end(errand, follow.muted_until)]
    return tuple(spans)


def _end(errand: Errand, until: datetime) -> Line:
    return line("without an end") if until >= FOREVER else line("until ", errand.day(until))
