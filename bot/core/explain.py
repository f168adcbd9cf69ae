"""Why a paper came, or did not: told from what was written down, never guessed."""

from datetime import timedelta

from bot.core.errand import Errand, refused
from bot.core.hearing import wants
from bot.core.heat import Heat
from bot.core.house import House
from bot.core.prepare import decide
from bot.core.reply import Actor, Code, Line, Reply, line
from bot.core.shelf import identifiers
from bot.core.when import clock_words, day_words
from bot.matching import cut
from bot.model import Destination, Follow, Identity, Match, Paper
from bot.text import day


def why(errand: Errand, text: str) -> Reply:
    """`why 2501.01234`: how a paper came to whoever asks, or why it did not."""
    ids = identifiers(text)
    if not ids:
        raise refused("Which paper? Give its arXiv number or link: ", Code("why 2501.01234"))
    if errand.known is None:
        raise refused("You follow nothing yet. Begin with ", Code("follow RL for LLM agents"), ".")
    return explain(errand.house, errand.heat, errand.subject, ids[0])


def explain(house: House, heat: Heat, identity: Identity, arxiv_id: str) -> Reply:
    """The way of one paper to one reader: stored, matched, followed, muted, told, delivered."""
    errand = Errand(house, heat, Actor(identity, operator=True), identity, house.clock())
    subscriber = errand.known
    if subscriber is None:
        return errand.refuse(line(f"{identity} is not known here; see paperround people ls."),
                             status=404)  # fmt: skip
    arxiv_id = next(iter(identifiers(arxiv_id)), arxiv_id.strip())
    paper = house.store.papers.get(arxiv_id)
    if paper is None:
        return errand.refuse(line(f"{arxiv_id} is not stored: {_never_seen(errand)}"), status=404)
    follows = house.store.people.follows(subscriber)
    matches = house.store.topics.of_papers([paper.seq]).get(paper.seq, [])
    lines = [_stored(errand, paper), *_matched(follows, matches, paper)]
    for destination in house.store.people.destinations(subscriber):
        lines += _at(errand, destination, paper, matches, follows)
    return errand.reply(*lines)


def _never_seen(errand: Errand) -> str:
    ledger = errand.house.store.ledger
    runs, days = ledger.runs("poll", limit=1), ledger.slices()
    if not runs and days:
        return f"only the past was read so far, {day(min(days))} to {day(max(days))}."
    if not runs:
        return "arXiv has not been read yet."
    return f"the last look was {clock_words(runs[0].at, errand.zone)} ({runs[0].outcome})."


def _stored(errand: Errand, paper: Paper) -> Line:
    assert paper.first_seen_at is not None
    announced = f" (announced {day(paper.announced_on)})" if paper.announced_on else ""
    withdrawn = " It was withdrawn." if paper.withdrawn else ""
    return line(
        f"Stored {clock_words(paper.first_seen_at, errand.zone)}{announced}, submitted "
        f"{day_words(paper.submitted_at, errand.zone)}.{withdrawn}"
    )


def _matched(follows: list[Follow], matches: list[Match], paper: Paper) -> list[Line]:
    followed = {f.topic.id: f for f in follows}
    lines = []
    for match in matches:
        if follow := followed.get(match.topic_id):
            live = (
                "" if match.live else " It was found in the past, and the past is told to nobody."
            )
            lines.append(
                line(f"Matches {follow.topic.name} ({match.score:.2f}: {match.reason}).{live}")
            )
            if not wants(follow, paper, match):
                lines.append(line(_left_out(follow, match)))
            elif match.number <= follow.since:
                lines.append(line("It matched before the follow began."))
    if not lines:
        lines.append(line("It matches none of the topics this reader follows."))
    return lines


def _left_out(follow: Follow, match: Match) -> str:
    if match.score < cut(follow.breadth):
        return f"The follow is {follow.breadth}: it takes papers from {cut(follow.breadth):.2f} up."
    return "The follow excludes a word or an author of it."


def _at(
    errand: Errand, destination: Destination, paper: Paper, matches: list[Match],
    follows: list[Follow],
) -> list[Line]:  # fmt: skip
    outbox = errand.house.store.outbox
    where = f"{destination.channel} {destination.address}"
    if told := outbox.told_by(destination.id, paper.seq):
        queued = outbox.line(told.id)
        when = clock_words(told.due_at, errand.zone)
        trouble = f": {told.error}" if told.error else ""
        sent = queued.sent_at if queued else None
        came = f"sent {clock_words(sent, errand.zone)}" if sent else f"{told.state}{trouble}"
        return [line(f"{where}: in the digest of {when}, {came}.")]
    if kept := outbox.withheld_why(destination.id, paper.seq):
        _, why, at = kept[0]
        return [line(f"{where}: not in the digest of {day_words(at, errand.zone)}: {why}.")]
    if destination.state != "active":
        return [line(f"{where}: {destination.state}: {destination.reason or 'turned off'}.")]
    waiting = decide(errand.house, destination, errand.now)
    if any(c.paper.seq == paper.seq for c, _ in waiting.told):
        due = clock_words(destination.next_due_at, errand.zone)
        return [line(f"{where}: it comes with the next digest, {due}.")]
    runs = errand.house.store.ledger.around(
        "prepare", f"d{destination.id}", errand.now - timedelta(days=8), errand.now
    )
    past = f" Its last digest was {runs[-1].outcome}: {runs[-1].reason}" if runs else ""
    return [line(f"{where}: not told.{past}")]
