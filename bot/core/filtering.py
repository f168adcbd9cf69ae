"""What a subscriber hears of: breadth, exclusions, mutes and judgements, wherever it is asked."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.core.dates import until_words
from bot.core.house import House
from bot.matching import cut
from bot.matching.queries.condition import category_key, is_same_name, within
from bot.matching.spelling.folding import fold, words
from bot.model import Destination, Follow, Match, Mute, MuteKind, Paper


@dataclass(frozen=True, slots=True)
class Judgement:
    """The matches that bring a paper; `why` it does not come, if it was wanted but muted.

    `to_be_said` if it is counted once the mute is over.
    """

    wanted: list[Match]
    heard: list[Match]
    why: str = ""
    to_be_said: bool = False


@dataclass(frozen=True, slots=True)
class Listener:
    """What a subscriber follows, silences and does not want, at an instant."""

    follows: Mapping[int, Follow]  # by topic
    mutes: Sequence[Mute]
    disliked: frozenset[int]
    zone: str
    now: datetime

    @property
    def topics(self) -> set[int]:
        """The topics that are followed and not muted."""
        return {i for i, follow in self.follows.items() if not follow.is_muted(self.now)}

    def judge(self, paper: Paper, matches: Iterable[Match]) -> Judgement:
        """What becomes of a paper with these matches to followed topics."""
        wanted = [m for m in matches if wants(self.follows[m.topic_id], paper, m)]
        heard = [m for m in wanted if not self.follows[m.topic_id].is_muted(self.now)]
        if not wanted:
            return Judgement([], [])
        if why := self._silenced(paper):
            is_all = any(mute.kind is MuteKind.ALL for mute in self.mutes)
            return Judgement(wanted, [], why, to_be_said=is_all)
        if not heard:
            why = muted_why(self.follows[wanted[0].topic_id], self.zone, self.now)
            return Judgement(wanted, [], why, to_be_said=True)
        return Judgement(wanted, heard)

    def bears(self, paper: Paper, matches: Sequence[Match]) -> bool:
        """Whether a paper that was chosen before may still come: its reader has not silenced it.

        That includes papers that no longer match because their topic has learned since.
        """
        judged = self.judge(paper, matches)
        return bool(judged.heard) or not (matches or self._silenced(paper))

    def _silenced(self, paper: Paper) -> str:
        """Why a paper is silent whatever its topics, or ""."""
        why = withheld_by(paper, self.mutes, self.zone, self.now)
        return why or ("it was marked as not for you" if paper.seq in self.disliked else "")


def listening(house: House, destination: Destination, now: datetime) -> Listener:
    """Whoever is reached at a destination, with what they have said so far."""
    people, subscriber = house.store.people, destination.subscriber_id
    return Listener(
        follows={follow.topic.id: follow for follow in people.follows(subscriber)},
        mutes=[mute for mute in people.mutes(subscriber) if mute.holds(now)],
        disliked=frozenset(seq for seq, liked in people.judged(subscriber).items() if not liked),
        zone=destination.zone,
        now=now,
    )


def wants(follow: Follow, paper: Paper, match: Match) -> bool:
    """Whether a match is close enough for this follow and none of its exclusions speaks against."""
    if match.score < cut(follow.breadth):
        return False
    if any(mentions(paper, phrase) for phrase in follow.without_words):
        return False
    return not any(is_by(paper, name) for name in follow.without_authors)


def mentions(paper: Paper, phrase: str) -> bool:
    """Whether title or abstract holds the phrase at word borders, whatever case and number."""
    wanted = words(phrase)
    return bool(wanted) and f" {' '.join(wanted)} " in fold(paper.title, paper.abstract).plain


def is_by(paper: Paper, name: str) -> bool:
    """Whether somebody of that whole name is among the authors; "Li, Jun" is "Jun Li"."""
    return any(is_same_name(author.name, name) for author in paper.authors)


def withheld_by(paper: Paper, mutes: Sequence[Mute], zone: str, now: datetime) -> str:
    """The mute that silences a paper whatever its topics, in words, or ""."""
    for mute in mutes:
        if _silences(mute, paper):
            said = mute_words(mute.kind, mute.value)
            return f"{said} was muted {until_words(mute.until, zone, now)}"
    return ""


def mute_words(kind: MuteKind, value: str) -> str:
    """What a mute silences: "everything", "the author Jun Li", "the category cs.CV", "“survey”"."""
    named = {MuteKind.ALL: "everything", MuteKind.PHRASE: f"“{value}”"}
    return named.get(kind, f"the {kind} {value}")


def _silences(mute: Mute, paper: Paper) -> bool:
    match mute.kind:
        case MuteKind.AUTHOR:
            return is_by(paper, mute.value)
        case MuteKind.CATEGORY:
            return any(within(each, category_key(mute.value)) for each in paper.categories)
        case MuteKind.PHRASE:
            return mentions(paper, mute.value)
    return True


def muted_why(follow: Follow, zone: str, now: datetime) -> str:
    """The mute that silences a followed topic, in words."""
    assert follow.muted_until is not None
    return f"{follow.topic.name} was muted {until_words(follow.muted_until, zone, now)}"
