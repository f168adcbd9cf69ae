"""Who follows what and where they are reached: the contract."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from bot.model import Destination, DestinationState, Follow, Identity, Mute, MuteKind, Topic
from bot.store.tally import Tally


@dataclass(frozen=True, slots=True)
class Became:
    """What a destination became that is one with another since.

    Links to it, no older than `since`, are as good as the other's of `epoch`.
    """

    destination_id: int
    since: int
    epoch: int


class People(Protocol):
    """Subscribers: identities, follows, mutes, saves, destinations."""

    def find(self, identity: Identity) -> int | None:
        """The subscriber of that identity, or None."""
        ...

    def enrol(self, identity: Identity, zone: str, now: datetime) -> int:
        """The subscriber of that identity, a new one if need be."""
        ...

    def identify(self, subscriber_id: int, identity: Identity) -> None:
        """A further identity of a subscriber; one that is somebody's already stays theirs."""
        ...

    def identities(self, subscriber_id: int) -> list[Identity]:
        """Everything a subscriber is known as."""
        ...

    def everyone(self) -> list[int]:
        """All subscribers, oldest first."""
        ...

    def zone(self, subscriber_id: int) -> str:
        """The subscriber's IANA zone, "" where nobody said."""
        ...

    def set_zone(self, subscriber_id: int, zone: str) -> None:
        """The zone that times are shown in."""
        ...

    def join(self, kept: int, other: int) -> list[Follow]:
        """Two subscribers are one person: follows, mutes, saves and destinations are united.

        The longer of two silences holds, and what either left out stays left out.  Returns the
        follows that both had with different wishes, as they are now.  What either was told stays
        told, because that is kept by destination, and destinations move along.  Of two at one
        address the older stays, with the hours of the one that its owner reads and all that the
        other had still to send.
        """
        ...

    def move(self, destination_id: int, there: int) -> None:
        """A destination is reached from now on where another of its subscriber was, as one.

        Its hours and what it was told stay, and what the other was told stays told.  What waits
        to be sent is composed anew for there; the old address is nobody's any more, and links
        sent to it stop working, those for leaving excepted.
        """
        ...

    def became(self, destination_id: int) -> Became | None:
        """Which destination one that is gone is one with since; None for any other."""
        ...

    def erase(self, subscriber_id: int) -> None:
        """Forget a subscriber wholly: ledger rows, suppressions and topics of their own as well.

        What others follow stays, and so do papers.  No page of the file remembers them.
        """
        ...

    def forget_unanswered(self, before: datetime) -> None:
        """Erase whoever was asked for a yes before then and gave none.

        Whoever said no stays, so that nobody asks again; so does whoever is reached elsewhere too.
        """
        ...

    def follow(self, follow: Follow, now: datetime) -> Follow:
        """Begin a follow; one that stands already keeps its beginning and takes the new wishes."""
        ...

    def following(self, subscriber_id: int, topic_id: int) -> Follow | None:
        """The follow of a topic by a subscriber, where not ended."""
        ...

    def is_theirs(self, subscriber_id: int, topic_id: int) -> bool:
        """Whether a subscriber made a topic, follows it, or did once."""
        ...

    def follows(self, subscriber_id: int) -> list[Follow]:
        """What a subscriber follows, oldest first."""
        ...

    def unfollowed(self, subscriber_id: int) -> list[Follow]:
        """The follows that a subscriber ended, oldest first; they are kept so that Undo works."""
        ...

    def topics_made(self, subscriber_id: int) -> list[Topic]:
        """The topics of a subscriber's own, oldest first."""
        ...

    def end_follow(self, follow_id: int, now: datetime) -> None:
        """Nothing of it is sent once this has committed; `resume_follow` restores it whole."""
        ...

    def given_up(self, subscriber_id: int) -> Follow | None:
        """The follow that a subscriber ended last and that does not stand again, or None."""
        ...

    def resume_follow(self, follow_id: int, subscriber_id: int) -> Follow | None:
        """Undo the end of a follow of this subscriber; None where nothing can be undone.

        What matched it meanwhile is considered like any news; what was considered before is not
        considered again, and no other follow of theirs is.
        """
        ...

    def mute_follow(self, follow_id: int, until: datetime | None) -> None:
        """Silence a topic for its follower until then; None ends the silence."""
        ...

    def followers(self, topic_id: int) -> int:
        """How many subscribers follow a topic."""
        ...

    def mute(self, subscriber_id: int, kind: MuteKind, value: str, until: datetime) -> None:
        """Silence an author, a phrase, a category or everything; a later end replaces it."""
        ...

    def unmute(self, subscriber_id: int, kind: MuteKind, value: str) -> bool:
        """End such a mute; False where there was none."""
        ...

    def mutes(self, subscriber_id: int) -> list[Mute]:
        """The mutes of a subscriber, those that have ended included."""
        ...

    def reach(self, destination: Destination, since: int) -> Destination:
        """A way to reach a subscriber; one that is known stays as it is.

        It hears of matches with a higher number than `since`.
        """
        ...

    def destination(self, destination_id: int) -> Destination | None:
        """The destination of that id, or None."""
        ...

    def destinations(self, subscriber_id: int) -> list[Destination]:
        """All ways to reach a subscriber, oldest first."""
        ...

    def at(self, channel: str, address: str) -> list[Destination]:
        """All destinations at an address: what a channel reports about it concerns them.

        A mailbox is one in upper and lower case.
        """
        ...

    def forgotten(self, destination_ids: Iterable[int]) -> set[int]:
        """The numbers that were somebody's and are nobody's now; not those still to be given."""
        ...

    def due(self, now: datetime, limit: int = 200) -> list[Destination]:
        """Destinations whose moment has come, paused ones too; the longest waiting first."""
        ...

    def coming(self, now: datetime, limit: int = 1000) -> list[Destination]:
        """Active destinations that are due after now, the soonest first."""
        ...

    def zones(self) -> list[str]:
        """The zones that digests come by, each once, in order."""
        ...

    def silent(self) -> list[Destination]:
        """Destinations that are paused or off."""
        ...

    def schedule(
        self, destination_id: int, next_due_at: datetime, *, cadence: str = "", zone: str = ""
    ) -> None:
        """When a destination is next due, and by which cadence and zone where those change."""
        ...

    def show_at_most(self, destination_id: int, papers: int) -> None:
        """So many papers are shown in a digest, the rest once it is asked for; 0: all of them."""
        ...

    def set_state(self, destination_id: int, state: DestinationState, reason: str = "") -> None:
        """Pause with a reason, resume, or turn off; nothing waiting is lost by any of them."""
        ...

    def confirm(self, destination_id: int, now: datetime) -> None:
        """Somebody who may has said yes to its address; the first yes stays."""
        ...

    def start_afresh(self, destination_id: int) -> None:
        """From now on only: what matched while it was off is not told later."""
        ...

    def perhaps_sent(self, destination_id: int, until: datetime | None) -> None:
        """Note when a digest was last due that was perhaps sent; None: that is settled."""
        ...

    def void_links(self, destination_id: int) -> None:
        """Links in mail sent so far stop working, except those for leaving."""
        ...

    def suppress(self, address: str, reason: str, now: datetime) -> None:
        """Never mail this address again until someone confirms it anew."""
        ...

    def release(self, address: str) -> None:
        """End a suppression."""
        ...

    def suppressed(self, address: str) -> str:
        """Why an address must not be mailed, or ""."""
        ...

    def suppressions(self) -> int:
        """How many addresses must not be mailed."""
        ...

    def census(self) -> list[Tally]:
        """How many destinations there are, by channel and state."""
        ...

    def save(self, subscriber_id: int, seqs: Iterable[int], now: datetime) -> None:
        """Keep papers for a subscriber; those kept already stay as they were."""
        ...

    def unsave(self, subscriber_id: int, seqs: Iterable[int]) -> None:
        """Keep them no longer."""
        ...

    def saved(self, subscriber_id: int) -> list[int]:
        """Numbers of the papers a subscriber saved, the latest first."""
        ...

    def offer(self, asker: str, place: str, text: str, now: datetime, until: datetime) -> None:
        """Keep what was offered to whoever asked there, in place of what was; "" for nothing."""
        ...

    def offered(self, asker: str, place: str, now: datetime) -> str:
        """What was offered last and may still be meant, or ""."""
        ...

    def judge(self, subscriber_id: int, seq: int, now: datetime, *, liked: bool | None) -> None:
        """What a subscriber thinks of a paper; None takes it back.

        One that is not liked is not sent once this has committed.
        """
        ...

    def opinions(self, topic_id: int) -> dict[int, bool]:
        """What followers of a topic saved (True) or did not want (False) of its papers."""
        ...

    def judged(self, subscriber_id: int) -> dict[int, bool]:
        """Papers a subscriber judged: number to liked."""
        ...
