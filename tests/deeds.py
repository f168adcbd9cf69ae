"""What readers do all year, close to their digests or not: each deed told to product and oracle."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from bot.model import Identity, Paper
from tests.oracle import EVERYTHING, Follow, Reader, instant, next_due

if TYPE_CHECKING:
    from tests.year import Year

WORDS = {"lighthouses": "lighthouse", "tides": "tide", "gulls": "gull"}
LATE = "cat:cs.MA"  # the category that papers are listed in later
AUTHORS = ("Ada Lovelace", "Mary Somerville", "Emmy Noether", "Grace Hopper")
PHRASES = ("the gull and", "and the tide", "the sea", "on the lighthouse")
ZONES = ("UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu",
         "Pacific/Apia", "Antarctica/Troll", "Pacific/Chatham", "America/Havana")  # fmt: skip
CADENCES = {
    "daily 2:30": "daily 02:30", "daily 0:00": "daily 00:00", "weekdays 7": "weekdays 07:00",
    "mon and thu 9": "weekly mon thu 09:00", "sun 23:45": "weekly sun 23:45",
    "every other fri 17:00": "fortnightly fri 17:00", "monthly wed 2:15": "monthly wed 02:15",
}  # fmt: skip

Deed = Callable[["Year", Identity, Reader], None]


def topics_of(shown: Paper) -> set[str]:
    named = {topic for topic, word in WORDS.items() if word in shown.title}
    return named | ({LATE} if "cs.MA" in shown.categories else set())


def marks_of(shown: Paper) -> set[str]:
    """What a mute or a `without` can name of a paper."""
    phrases = {phrase for phrase in PHRASES if phrase in shown.title.casefold()}
    return phrases | {author.name for author in shown.authors} | set(shown.categories)


def do_something(year: "Year", who: Identity) -> None:
    """Whoever is not known begins; whoever is does what comes to mind."""
    if str(who) not in year.places:
        begin(year, who)
    else:
        deed = year.random.choices(list(DEEDS), list(DEEDS.values()))[0]
        deed(year, who, year.oracle.readers[str(who)])


def begin(year: "Year", who: Identity) -> None:
    shown, due = year.oracle.shown, next_due("weekly mon 09:00", "UTC", year.clock())
    reader = Reader("weekly mon 09:00", "UTC", due, shown, shown)
    year.oracle.readers[str(who)] = reader
    for topic in year.random.sample(sorted(WORDS), 2):
        _follow(year, who, reader, topic)
    people = year.rooms.store.people
    (place,) = people.destinations(people.find(who) or 0)
    year.places[str(who)] = place.id
    choose_a_cadence(year, who, reader)


def follow(year: "Year", who: Identity, reader: Reader) -> None:
    topic = year.random.choice([*WORDS, LATE])
    if topic not in {each.topic for each in reader.live()}:
        _follow(year, who, reader, topic)


def _follow(year: "Year", who: Identity, reader: Reader, topic: str) -> None:
    year.say(who, f"follow {topic}")
    reader.follows.append(Follow(topic, year.oracle.shown))


def leave_something_out(year: "Year", who: Identity, reader: Reader) -> None:
    """`follow T without …` of what is followed, or, as often, an end of that."""
    named = [each for each in reader.live() if each.topic in WORDS]
    if named:
        chosen = year.random.choice(named)
        phrase = year.random.choice(["", *PHRASES])
        left_out = f'"{phrase}"' if phrase else "nothing"
        year.say(who, f"follow {chosen.topic} without {left_out}")
        chosen.without = phrase
        _silenced(year, who)


def unfollow(year: "Year", who: Identity, reader: Reader) -> None:
    if reader.live():
        chosen = year.random.choice(reader.live())
        chosen.undo = year.say(who, f"unfollow {chosen.topic}").buttons[0].command
        for each in year.both(who):
            year.oracle.leaves(each, chosen, year.clock())


def undo(year: "Year", who: Identity, reader: Reader) -> None:
    """Press Undo beside an old answer: it may be months later."""
    ended = [each for each in reader.follows if each.ended]
    if ended:
        chosen = year.random.choice(ended[-3:])
        year.say(who, chosen.undo)
        chosen.ended = chosen.topic in {each.topic for each in reader.live()}


def mute_a_topic(year: "Year", who: Identity, reader: Reader) -> None:
    if reader.live():
        chosen, days = year.random.choice(reader.live()), year.random.choice([1, 3, 14, 30])
        year.say(who, f"mute {chosen.topic} for {days}d")
        chosen.muted_until = _after(year.clock(), days, reader.zone)
        _silenced(year, who)


def unmute_a_topic(year: "Year", who: Identity, reader: Reader) -> None:
    muted = [f for f in reader.live() if f.muted_until and f.muted_until > year.clock()]
    if muted:
        chosen = year.random.choice(muted)
        year.say(who, f"unmute {chosen.topic}")
        chosen.muted_until = None


def mute_an_author(year: "Year", who: Identity, reader: Reader) -> None:
    _mute(year, who, reader, name := year.random.choice(AUTHORS), f'author:"{name}"')


def mute_a_phrase(year: "Year", who: Identity, reader: Reader) -> None:
    _mute(year, who, reader, phrase := year.random.choice(PHRASES), f'"{phrase}"')


def mute_a_category(year: "Year", who: Identity, reader: Reader) -> None:
    """One that a paper may be listed in only later; where it is followed, that is a topic."""
    if LATE not in {each.topic for each in reader.live()}:
        _mute(year, who, reader, "cs.MA", "cat:cs.MA")


def unmute_all(year: "Year", who: Identity, reader: Reader) -> None:
    """Of everything where everything is silent, else of all there is."""
    now = year.clock()
    topics = [each for each in reader.live() if each.muted_until and each.muted_until > now]
    mutes = [what for what, until in reader.mutes.items() if until > now]
    if topics or mutes:
        year.say(who, "unmute all")
        for what in [EVERYTHING] if EVERYTHING in mutes else mutes:
            del reader.mutes[what]
        for each in [] if EVERYTHING in mutes else topics:
            each.muted_until = None


def mute_everything(year: "Year", who: Identity, reader: Reader) -> None:
    _mute(year, who, reader, EVERYTHING, "all")


def _mute(year: "Year", who: Identity, reader: Reader, what: str, typed: str) -> None:
    days = year.random.choice([1, 4, 14])
    year.say(who, f"mute {typed} for {days}d")
    reader.mutes[what] = _after(year.clock(), days, reader.zone)
    _silenced(year, who)


def _silenced(year: "Year", who: Identity) -> None:
    for each in year.both(who):
        year.oracle.silenced(each, year.clock())


def _after(now: datetime, days: int, zone: str) -> datetime:
    """So many days later by the clocks there."""
    later = now.astimezone(ZoneInfo(zone)).replace(tzinfo=None) + timedelta(days=days)
    return instant(later.date(), later.time(), zone)


def turn_off(year: "Year", who: Identity, reader: Reader) -> None:
    year.say(who, "digest off")
    reader.state = "off"
    year.oracle.silenced(reader, year.clock())


def turn_on(year: "Year", who: Identity, reader: Reader) -> None:
    year.say(who, "digest on")
    year.oracle.turns_on(reader, year.clock(), whole=False)


def undo_turning_off(year: "Year", who: Identity, reader: Reader) -> None:
    year.say(who, f"resume {year.places[str(who)]}")
    year.oracle.turns_on(reader, year.clock(), whole=True)


def ask_for_it_at_once(year: "Year", who: Identity, reader: Reader) -> None:
    if reader.state == "active" and reader.live():
        year.say(who, "digest now")
        year.oracle.decide(reader, year.clock(), early=True)


def choose_a_cadence(year: "Year", who: Identity, reader: Reader, where: str = "") -> None:
    """What is overdue still comes, or it is said why not."""
    typed, zone = year.random.choice(list(CADENCES)), year.random.choice(ZONES)
    year.say(who, f"digest {typed} tz {zone}{where}")
    reader.cadence, reader.zone = CADENCES[typed], zone
    if reader.state == "off" or reader.due_at > year.clock():
        reader.due_at = next_due(reader.cadence, zone, year.clock())


def have_it_by_mail_too(year: "Year", who: Identity, reader: Reader) -> None:
    """A second digest of the same follows, with an hour, a limit and a past of its own."""
    if who.kind != "slack":
        return
    if str(who) not in year.by_mail:
        _begin_by_mail(year, who, reader)
    by_mail = year.both(who)[1]
    match year.random.randrange(4):
        case 0:
            year.say(who, "digest off by email")
            by_mail.state = "off"
            year.oracle.silenced(by_mail, year.clock())
        case 1:
            year.say(who, "digest on by email")
            year.oracle.turns_on(by_mail, year.clock(), whole=False)
        case 2:
            year.say(who, f"resume {year.places[year.by_mail[str(who)]]}")
            year.oracle.turns_on(by_mail, year.clock(), whole=True)
    choose_a_cadence(year, who, by_mail, " by email")


def _begin_by_mail(year: "Year", who: Identity, reader: Reader) -> None:
    there, shown = Identity("email", "", f"{who.external_id}@example.org"), year.oracle.shown
    year.say(who, f"email {there.external_id}")
    due = next_due("weekly mon 09:00", "UTC", year.clock())
    year.oracle.readers[str(there)] = Reader(
        "weekly mon 09:00", "UTC", due, shown, shown,
        follows=reader.follows, mutes=reader.mutes, disliked=reader.disliked,
        left_at={each: shown for each in reader.follows if each.ended},
    )  # fmt: skip
    year.by_mail[str(who)] = str(there)
    people = year.rooms.store.people
    year.places[str(there)] = people.destinations(people.find(who) or 0)[-1].id


def say_that_it_was_not_meant(year: "Year", who: Identity, reader: Reader) -> None:
    if reader.told:
        number = year.random.choice(sorted({*reader.told, *reader.awaited}))
        year.say(who, f"not-for-me {number}")
        reader.disliked.add(number)
        _silenced(year, who)


def take_that_back(year: "Year", who: Identity, reader: Reader) -> None:
    if reader.disliked:
        number = year.random.choice(sorted(reader.disliked))
        year.say(who, f"undo not-for-me {number}")
        reader.disliked.discard(number)


def limit_it(year: "Year", who: Identity, reader: Reader) -> None:
    reader.most, reader.most_since = year.random.choice([0, 0, 1, 2, 5]), year.clock()
    year.say(who, f"digest at most {reader.most}" if reader.most else "digest no limit")


def read_the_last_one_again(year: "Year", who: Identity, reader: Reader) -> None:
    """It changes nothing."""
    year.say(who, "digest last")


def move_away(year: "Year", who: Identity, reader: Reader) -> None:
    """To another mail address: all that was told moves along, and a pause was of the old one."""
    if who.kind == "email" and reader.state != "off":
        name, _, count = who.external_id.partition("@")[0].partition(".")
        there = Identity("email", "", f"{name}.{int(count or 0) + 1}@example.org")
        year.say(who, f"email {there.external_id} instead")
        year.people[year.people.index(who)] = there
        for kept in (year.places, year.oracle.readers):
            kept[str(there)] = kept.pop(str(who))  # type: ignore[attr-defined, index]
        year.oracle.turns_on(reader, year.clock(), whole=True)


def forget_and_be_forgotten(year: "Year", who: Identity, reader: Reader) -> None:
    assert year.rooms.core.erase(who)
    for name in {str(who), year.by_mail.pop(str(who), str(who))}:
        del year.oracle.readers[name], year.places[name]


DEEDS: dict[Deed, float] = {
    follow: 4, unfollow: 3, undo: 3, mute_a_topic: 4, unmute_a_topic: 2, mute_an_author: 2,
    mute_everything: 1, turn_off: 2, turn_on: 3, undo_turning_off: 4, ask_for_it_at_once: 2,
    choose_a_cadence: 4, say_that_it_was_not_meant: 2, forget_and_be_forgotten: 0.3,
    leave_something_out: 3, mute_a_phrase: 2, mute_a_category: 1, unmute_all: 1, take_that_back: 1,
    limit_it: 2, read_the_last_one_again: 1, move_away: 2,
    have_it_by_mail_too: 3,
}  # fmt: skip
