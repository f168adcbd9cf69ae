"""What people can ask for, in their words: text in, one verb, a reply out."""

import re
import unicodedata
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from bot.core import offers
from bot.core.commands import asking, looking
from bot.core.commands.answering import answer_to, with_papers
from bot.core.commands.digests import destinations, mail, moving, schedules
from bot.core.commands.digests.muted import is_silent
from bot.core.commands.errand import Errand, Refused, refused
from bot.core.commands.papers import explain, exporting, shelf
from bot.core.commands.topics import editing, following, liking, silencing, unmuting
from bot.core.commands.words.clauses import channel_in
from bot.core.commands.words.did_you_mean import did_you_mean, nearest, papers_to_show
from bot.core.commands.words.intents import asked_for, is_said, is_saying
from bot.core.commands.words.mutes import is_only_time
from bot.core.commands.words.several import one_by_one
from bot.core.commands.words.subject import FREE, subject_in
from bot.core.commands.words.vocabulary import HELLO, PLEASE, THANKS, phrase
from bot.core.conversations import in_its_name, seen_by_all
from bot.core.house import House
from bot.core.naming import is_everything, known
from bot.core.reply import Actor, Reply, line
from bot.model import Identity
from bot.text import unicode_from_latex

Verb = Callable[[Errand, str], Reply]

LONGEST = 8_000
MEMBERS_ONLY = "Only members of this workspace can change a conversation’s digests."
UNKNOWN = (
    "It is not known just now whether you are a full member of this workspace. Nothing was "
    "changed; try again in a minute."
)


def undo(errand: Errand, text: str) -> Reply:
    """`undo unfollow 12 13`, `undo not-for-me ID`: what the Undo buttons say."""
    what, _, rest = text.partition(" ")
    if what == "not-for-me":
        return shelf.undo_not_for_me(errand, rest)
    if what == "unmute" and rest:
        return unmuting.undo_unmute(errand, rest)
    if what == "move":
        return moving.undo_move(errand, rest.strip())
    if not what:
        return following.which_undo(errand)
    ids = [int(word) for word in rest.split() if word.isdecimal() and len(word) < 18]
    if what != "unfollow" or not ids:
        return errand.refuse(line("There is nothing to undo here."), status=404)
    replies = [following.undo_unfollow(errand, follow_id) for follow_id in ids]
    return errand.reply(*(each.lines[0] for each in replies), *destinations.next_digest(errand))


def digest(errand: Errand, text: str) -> Reply:
    """When digests come, or, of `digest last`, the papers of the one before."""
    is_about_last = text.strip(" .!?").casefold() in ("last", "previous", "again", "last again")
    return shelf.of_the_last_digest(errand) if is_about_last else schedules.digest(errand, text)


def resume(errand: Errand, text: str) -> Reply:
    """End a pause: of digests, or, where none is paused, the silence of "pause for 2w"."""
    if not text and is_silent(errand) and not destinations.paused(errand):
        return unmuting.unmute(errand, "all")
    return schedules.resume(errand, text)


VERBS: dict[str, Verb] = {
    "follow": following.follow,
    "unfollow": following.unfollow,
    "like": liking.like,
    "edit": editing.change_query,
    "rename": editing.rename,
    "mute": silencing.mute,
    "unmute": unmuting.unmute,
    "passed": unmuting.passed,
    "list": looking.listing,
    "topic": looking.show_topic,
    "topics": looking.show_topics,
    "ask": asking.ask,
    "save": shelf.save,
    "unsave": shelf.unsave,
    "saved": shelf.saved,
    "export": exporting.export,
    "not-for-me": shelf.not_for_me,
    "more": shelf.more,
    "why": explain.why,
    "digest": digest,
    "email": mail.email,
    "resume": resume,
    "settings": looking.settings,
    "status": looking.status,
    "help": looking.show_help,
    "erase": looking.how_to_erase,
    "undo": undo,
}
ALIASES = {
    "subscribe": "follow", "unsubscribe": "unfollow", "snooze": "mute", "show": "topic",
    "bookmark": "save", "bookmarks": "saved", "e-mail": "email", "mail": "email", "?": "help",
    "ls": "list", "following": "list", "schedule": "digest", "search": "topics",
    "stop": "unfollow", "pause": "mute", "vacation": "mute", "holiday": "mute", "quiet": "mute",
    "silence": "mute", "daily": "digest", "weekly": "digest", "weekdays": "digest",
    "monthly": "digest", "fortnightly": "digest", "biweekly": "digest",
    "remove": "unfollow", "track": "follow", "watch": "follow", "monitor": "follow",
    "drop": "unfollow", "delete": "unfollow", "find": "topics",
    "unsnooze": "unmute", "unsilence": "unmute", "unpause": "resume", "back": "resume",
    "resubscribe": "resume", "restart": "resume",
    "bibtex": "export", "ris": "export", "csv": "export", "download": "export", "cite": "export",
    "star": "save", "keep": "save", "favorite": "save", "favourite": "save", "favorites": "saved",
    "dislike": "not-for-me", "irrelevant": "not-for-me", "muted": "list", "mutes": "list",
    "block": "mute", "ignore": "mute", "hide": "mute", "exclude": "mute", "preferences": "settings",
    "rss": "export",
    "explain": "why", "hi": "help", "hello": "help",
}  # fmt: skip
_KNOWN = {*VERBS, *ALIASES}
_VERB = rf"(?:{'|'.join(map(re.escape, _KNOWN))})(?=\s|$)"
_BORDER = re.compile(rf"[;\n][ \t]*(?={_VERB})", re.IGNORECASE)
_LISTED = {"follow", "unfollow", "subscribe"}
"""What is asked of each topic where several stand one below the other."""
_MARK = r"(?:[-*•–·>]|\(?\d{1,2}[.)])"
_BULLET = re.compile(rf"^\s*{_MARK}\s+")
_GOES_ON = re.compile(
    r"^[ \t]*(?:AND|OR|NOT|ANDNOT|without|but|in|into|for|by|focused|balanced|broad|\))(?!\w)"
    r"|(?:\b(?:AND|OR|NOT|ANDNOT)|[(,])[ \t]*\n",
    re.MULTILINE,
)
"""Lines that are one request."""
_COMMAND = re.compile(rf"^(?:[/@]papers(?:[\s:,]+|$)|papers[\s:,]+(?={_VERB}))", re.IGNORECASE)
_LED_UP_TO = phrase(
    rf"^(?:{_MARK} )?(?:(?:{HELLO}|{PLEASE}|just|kindly|now|ok|okay|so)[\s,.!:]+)*(?={_VERB})"
)
"""The sign of a list, and courtesy, before a verb: "- follow T", "please mute T"."""
_THANKED = phrase(
    rf"(?<![\s,;.!])(?:[\s,;.!]+(?:{PLEASE}|{THANKS})"
    r"(?: (?:a lot|again|in advance|so much|very much))?)+[\s.!]*$"
)
_SUBSCRIBED = phrase(
    r"^((?:un)?subscribe|monitor|track|watch)(?: (?:me|us))?(?: out)? (?:for|from|to) "
)
_ENDS = {"stop", "unsubscribe", "unfollow"}
_OF_DIGESTS = phrase(
    r"(?:(?:my|the|all|these|this|your) )*"
    r"(?:digests?|e-?mails?|mails?|messages?|posting|posts)(?!\S)"
)
_QUIET = {"pause", "vacation", "holiday", "quiet", "silence"}
_FORGET = phrase(
    r"(?:erase|delete|forget|remove) (?:me|(?:all )?my (?:data|account)|everything about me)\W*"
)
_OF_PAPERS = {"star", "keep", "favorite", "favourite", "dislike", "irrelevant", "bookmark"}
"""Other words for what is done with papers, which are those of topics as well."""
_RHYTHMS = {"daily", "weekly", "weekdays", "monthly", "fortnightly", "biweekly"}
_PING = re.compile(r"<(@[A-Z0-9]+)>")
_QUOTES = str.maketrans("“”„‟«»‘’‚‛", '""""""' + "''''")


def said_by_people(word: str) -> bool:
    """Whether a word begins a request."""
    return word.casefold() in _KNOWN


def execute(house: House, actor: Actor, text: str) -> Reply:
    """Carry out what someone typed.  Never raises for odd input: the reply says what to do.

    Words that only answer what was offered last ("yes", "2", "undo") are what they choose.
    """
    now, carry_out = house.clock(), partial(_carry_out, house, actor)
    typed = plain(text)
    named = with_papers(house, actor, typed, now)
    reply = answer_to(house, actor, typed, now, carry_out)
    reply = reply or carry_out(text if named == typed else named)
    offers.keep(house.store, actor, reply, now)
    return reply


def _carry_out(house: House, actor: Actor, text: str) -> Reply:
    errand = Errand(house, actor, actor.identity, house.clock())
    requests = [plain(each) for each in _requests(text)]
    if len(requests) > 1:
        offer = one_by_one(requests, "requests")
        return errand.refuse(*offer.lines, buttons=offer.buttons)
    text, verb = requests[0], ""
    try:
        if len(text) > LONGEST:
            raise refused(f"That is {len(text):,} characters, and {LONGEST:,} are read; keep the "
                          "words that decide.")  # fmt: skip
        word, _, rest = _spelled(text).partition(" ")
        rest, named = subject_in(rest, actor)
        verb, rest = meant(word.casefold(), rest.strip())
        is_name = _is_a_name(errand, word.casefold(), rest)
        if is_unknown := verb not in VERBS or is_name or is_said(word, rest):
            is_guessed = not is_name and not is_saying(f"{word} {rest}")
            guess = nearest(verb, [*VERBS, *ALIASES]) if is_guessed else ""
            verb, rest = meant(guess, rest) if guess else ("", rest)
        errand = replace(errand, subject=_subject(errand, verb, rest, named), said=rest)
        _allow(errand)
        reply = _otherwise(errand, word, verb) if is_unknown else VERBS[verb](errand, rest)
    except Refused as refusal:
        reply = errand.refuse(*refusal.lines, buttons=refusal.buttons, status=refusal.status)
    return seen_by_all(in_its_name(reply, errand.subject), verb, actor, errand.subject)


def _otherwise(errand: Errand, word: str, guess: str) -> Reply:
    """Papers that are named in no request of ours are shown; else raises Refused, which asks."""
    if papers := papers_to_show(errand, word, guess):
        return looking.show_topic(errand, " ".join(papers))
    raise did_you_mean(errand, word, guess)


def _is_a_name(errand: Errand, word: str, rest: str) -> bool:
    """Whether another word for a verb begins the name of a topic instead: "star formation"."""
    if word not in ALIASES or not rest:
        return False
    if word in _OF_PAPERS:
        return not shelf.is_of_papers(errand, rest)
    text, language = f"{word} {rest}", errand.house.language
    return language.knows(text) or known(errand.house, text) is not None


def _requests(text: str) -> list[str]:
    """The requests in a text: lines that each begin with a verb, or a list behind one verb."""
    first = next(iter(text.split(None, 1)), "").casefold()
    if first in FREE or first not in _KNOWN:
        return [text]
    requests = _BORDER.split(text)
    if len(requests) > 1 or first not in _LISTED or _GOES_ON.search(text):
        return requests
    lines = [_BULLET.sub("", each).strip() for each in text.strip()[len(first) :].splitlines()]
    names = [each for each in lines if each]
    return [f"{first} {name}" for name in names] if len(names) > 1 else requests


def meant(word: str, rest: str) -> tuple[str, str]:
    """The verb and what it is about: "pause for 2 weeks" is `mute all for 2 weeks`."""
    if not word:
        return "help", ""
    if word == "stop" and (is_everything(rest) or not rest):
        return "digest", "off"
    if found := _OF_DIGESTS.match(rest):
        after = rest[found.end() :].strip()
        if word in _ENDS and not after:
            return ("email" if "mail" in found[0].casefold() else "digest"), "off"
        rest = after if word in _QUIET and is_only_time(after) else rest
    if word in _RHYTHMS:
        return "digest", f"{word} {rest}".strip()
    if word in _QUIET and is_only_time(rest):
        return "mute", f"all {rest}".strip()
    return ALIASES.get(word, word), rest


def _spelled(text: str) -> str:
    """A request in its usual spelling: no command of Slack's, courtesy or verb in two words."""
    text = _COMMAND.sub("", _LED_UP_TO.sub("", text), count=1)
    if text.partition(" ")[0].casefold() not in FREE:
        text = _THANKED.sub("", text)
    if text.casefold().startswith("stop ") and (ended := asked_for(text)):
        return ended.command
    if text.casefold().startswith("not for me"):
        return f"not-for-me{text[len('not for me') :]}"
    if _FORGET.fullmatch(text):
        return "erase"
    return _SUBSCRIBED.sub(r"\1 ", text, count=1)


def plain(text: str) -> str:
    """Text as it was meant: straight quotes, plain spaces, letters for LaTeX, no invisible
    or control characters.  What would ping somebody of Slack where it is said again pings nobody.
    """
    text = unicode_from_latex(text.encode("utf-8", "replace").decode())
    text = unicodedata.normalize("NFC", text)
    kept = (" " if c.isspace() or unicodedata.category(c) == "Zs" else c for c in text)
    visible = (c for c in kept if c == " " or unicodedata.category(c) not in ("Cc", "Cf", "Cs"))
    return _PING.sub(r"\1", " ".join("".join(visible).translate(_QUOTES).split()))


def _subject(errand: Errand, verb: str, rest: str, named: Identity | None) -> Identity:
    """Whose settings are meant: those that were named, or those of the conversation it was typed
    in where that has a digest of its own and the words can only mean it."""
    if named:
        return named
    here = errand.actor.conversation
    is_about_place = verb == "digest" and not channel_in(rest)[1]
    if here and is_about_place and errand.house.store.people.find(here) is not None:
        return here
    return errand.actor.identity


def _allow(errand: Errand) -> None:
    """Raises Refused for a conversation outside Slack, or one that the actor may not change."""
    if not errand.subject.is_conversation:
        return
    if not errand.subject.workspace:
        raise refused("Conversations can only be named in Slack.")
    if not errand.actor.may_configure:
        raise refused(UNKNOWN if errand.actor.unknown else MEMBERS_ONLY, status=403)
