"""Why a paper came, or did not: told from what was written down, never guessed."""

from bot.core.commands.errand import NOTHING_FOLLOWED, Errand, Refused, refused
from bot.core.commands.papers.shelf import identifiers, titled
from bot.core.commands.words.subject import of_the_conversation
from bot.core.dates import clock_words, day_words
from bot.core.filtering import wants
from bot.core.house import House
from bot.core.pipeline.digests.deciding import decide
from bot.core.reply import Actor, Code, Line, Reply, line
from bot.matching import cut
from bot.model import Destination, DestinationState, Follow, Identity, Match, Paper
from bot.store import Outcome
from bot.text import day

_DECIDED = (Outcome.QUEUED, Outcome.EMPTY, Outcome.MUTED)


def why(errand: Errand, text: str) -> Reply:
    """`why 2501.01234`: how a paper came to whoever asks, or why it did not."""
    ids = identifiers(text) or [paper.arxiv_id for paper in titled(errand, text)]
    if not ids:
        raise refused("Which paper? Give its arXiv number or link: ", Code("why 2501.01234"))
    if not errand.subscriber:
        beside = of_the_conversation(errand, f"why {ids[0]}")
        raise Refused(NOTHING_FOLLOWED, *beside.lines, buttons=beside.buttons)
    return explain(errand.house, errand.subject, ids[0], own=True)


def explain(house: House, identity: Identity, arxiv_id: str, *, own: bool = False) -> Reply:
    """The way of one paper to one reader: stored, matched, followed, muted, told, delivered.

    `own` if the reader asks, who does not know a place in Slack by its id.
    """
    errand = Errand(house, Actor(identity, operator=True), identity, house.clock())
    subscriber = errand.subscriber
    if not subscriber:
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
        place = "Slack" if own and destination.channel == "slack" else _place(destination)
        lines.append(line(f"{place}: {_became(errand, destination, paper, follows, matches)}."))
    return errand.reply(*lines)


def _never_seen(errand: Errand) -> str:
    ledger = errand.house.store.ledger
    last, days = ledger.last("poll"), ledger.slices()
    if last is None and days:
        return f"only the past was read so far, {day(min(days))} to {day(max(days))}."
    if last is None:
        return "arXiv has not been read yet."
    return f"the last look was {clock_words(last.at, errand.zone)} ({last.outcome})."


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
        lines.append(line("It matches none of the followed topics."))
    return lines


def _left_out(follow: Follow, match: Match) -> str:
    if match.score < cut(follow.breadth):
        return f"The follow is {follow.breadth}: it takes papers from {cut(follow.breadth):.2f} up."
    return "The follow excludes a word or an author of it."


def _place(destination: Destination) -> str:
    return f"{destination.channel} {destination.address}"


def _became(
    errand: Errand, destination: Destination, paper: Paper, follows: list[Follow],
    matches: list[Match],
) -> str:  # fmt: skip
    """What became of a paper at a destination: the first answer that is known."""
    return (
        _told(errand, destination, paper)
        or _kept_back(errand, destination, paper)
        or _stopped(destination)
        or _ahead(errand, destination, paper)
        or _passed_over(errand, destination, paper, _wanted(follows, matches, paper))
    )


def _told(errand: Errand, destination: Destination, paper: Paper) -> str:
    outbox = errand.house.store.outbox
    told = outbox.told_by(destination.id, paper.seq)
    if told is None:
        return ""
    sent_at = outbox.arrived_at(destination.id, paper.seq)
    trouble = f": {told.error}" if told.error else ""
    came = f"sent {clock_words(sent_at, errand.zone)}" if sent_at else f"{told.state}{trouble}"
    return f"in the digest of {clock_words(told.due_at, errand.zone)}, {came}"


def _kept_back(errand: Errand, destination: Destination, paper: Paper) -> str:
    kept = errand.house.store.outbox.withheld_why(destination.id, paper.seq)
    return next(
        (f"not in the digest of {day_words(each.at, errand.zone)}: {each.why}" for each in kept), ""
    )


def _stopped(destination: Destination) -> str:
    if destination.state is DestinationState.ACTIVE:
        return ""
    return f"{destination.state}: {destination.reason or 'turned off'}"


def _ahead(errand: Errand, destination: Destination, paper: Paper) -> str:
    """What the next digest will do with it, as things stand."""
    due_at = max(errand.now, destination.next_due_at)
    waiting = decide(errand.house, destination, due_at)
    when = clock_words(destination.next_due_at, errand.zone)
    if any(each.paper.seq == paper.seq for each in waiting.told):
        return f"it comes with the next digest, {when}"
    kept = (each.why for each in waiting.withheld if each.wanted[0].seq == paper.seq)
    return next((f"not to come with the next digest, {when}: {why}" for why in kept), "")


def _wanted(follows: list[Follow], matches: list[Match], paper: Paper) -> list[Match]:
    """The live matches by which a paper would come, whatever was told or kept back."""
    followed = {follow.topic.id: follow for follow in follows}
    return [
        match
        for match in matches
        if match.live
        and (follow := followed.get(match.topic_id))
        and match.number > follow.since
        and wants(follow, paper, match)
    ]


def _passed_over(
    errand: Errand, destination: Destination, paper: Paper, wanted: list[Match]
) -> str:
    """Why a paper will not come if nothing was recorded about it."""
    if paper.withdrawn:
        return "not told: it was withdrawn before"
    if not wanted:
        return "not told"
    if all(match.number <= destination.since for match in wanted):
        return "not told: it matched before the digest here was turned on"
    assert paper.first_seen_at is not None
    subject = f"d{destination.id}"
    runs = errand.house.store.ledger.around("prepare", subject, paper.first_seen_at, errand.now)
    decided = next((run for run in runs if run.outcome in _DECIDED), None)
    which = f"the digest of {clock_words(decided.at, errand.zone)}" if decided else "a digest"
    return f"not told: {which} was decided without it, by what was followed and left out then"
