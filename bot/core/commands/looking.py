"""Questions that change nothing: list, settings, status, help, and how to be forgotten."""

from datetime import datetime

from bot.core.commands.digests.wording import state_line
from bot.core.commands.errand import NOTHING_FOLLOWED, Errand
from bot.core.commands.papers.entries import entries
from bot.core.commands.words.subject import of_the_conversation
from bot.core.dates import clock_words
from bot.core.filtering import mute_words
from bot.core.pipeline.digests.deciding import decide
from bot.core.pipeline.silence import silence_of
from bot.core.reply import Code, Instant, Line, Overview, Reply, Span, Strong, line
from bot.model import FOREVER, Breadth, Destination, DestinationState, Follow
from bot.momentum import how_many
from bot.store import Outcome
from bot.text import plural

SAVED_SHOWN = 20  # saved papers of an overview
_CAME_TO: dict[str, str] = {
    Outcome.EMPTY: "brought nothing",
    Outcome.MUTED: "was silent",
    Outcome.FAILED: "failed",
}

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
