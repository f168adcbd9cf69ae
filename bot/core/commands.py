"""What people can ask for, in their words: text in, one verb, a reply out."""

import unicodedata
from collections.abc import Callable

from rapidfuzz import fuzz, process

from bot.core import following, looking, schedules, shelf, silencing, unmuting
from bot.core.clauses import conversation_in
from bot.core.conversations import in_its_name
from bot.core.errand import Errand, Refused
from bot.core.heat import Heat
from bot.core.house import House
from bot.core.naming import near, shown
from bot.core.reply import Actor, Code, Reply, Strong, line
from bot.digest import Action
from bot.model import Identity

Verb = Callable[[Errand, str], Reply]

LONGEST = 8_000
MEMBERS_ONLY = "Only members of this workspace can change a conversation’s digests."


def undo(errand: Errand, text: str) -> Reply:
    """`undo unfollow 12 13`, `undo not-for-me ID`: what the Undo buttons say."""
    what, _, rest = text.partition(" ")
    if what == "not-for-me":
        return shelf.undo_not_for_me(errand, rest)
    if what == "unmute" and rest:
        return unmuting.undo_unmute(errand, rest)
    ids = [int(word) for word in rest.split() if word.isdecimal() and len(word) < 18]
    if what != "unfollow" or not ids:
        return errand.refuse(line("There is nothing to undo here."), status=404)
    replies = [following.undo_unfollow(errand, follow_id) for follow_id in ids]
    return errand.reply(*(each.lines[0] for each in replies), *errand.next_digest())


VERBS: dict[str, Verb] = {
    "follow": following.follow,
    "unfollow": following.unfollow,
    "like": following.like,
    "edit": following.change_query,
    "mute": silencing.mute,
    "unmute": unmuting.unmute,
    "passed": unmuting.passed,
    "list": looking.listing,
    "topic": looking.show_topic,
    "topics": looking.show_topics,
    "ask": looking.ask,
    "save": shelf.save,
    "unsave": shelf.unsave,
    "saved": shelf.saved,
    "not-for-me": shelf.not_for_me,
    "more": shelf.more,
    "digest": schedules.digest,
    "email": schedules.email,
    "resume": schedules.resume,
    "settings": looking.settings,
    "status": looking.status,
    "help": looking.show_help,
    "undo": undo,
}
ALIASES = {
    "subscribe": "follow", "unsubscribe": "unfollow", "snooze": "mute", "show": "topic",
    "bookmark": "save", "bookmarks": "saved", "e-mail": "email", "mail": "email", "?": "help",
    "ls": "list", "following": "list", "schedule": "digest", "search": "topics",
}  # fmt: skip
_QUOTES = str.maketrans("“”„‟«»‘’‚‛", '""""""' + "''''")


def execute(house: House, heat: Heat, actor: Actor, text: str) -> Reply:
    """Carry out what someone typed.  Never raises for odd input: the reply says what to do."""
    text = plain(text)
    word, _, rest = text.partition(" ")
    verb = ALIASES.get(word.casefold(), word.casefold())
    rest, conversation = conversation_in(rest, actor.identity.workspace)
    errand = Errand(house, heat, actor, _subject(house, actor, verb, conversation), house.clock())
    if len(text) > LONGEST:
        return errand.refuse(
            line(f"That is {len(text):,} characters, and {LONGEST:,} are read; keep the words that "
                 "decide.")
        )  # fmt: skip
    if not text:
        return looking.show_help(errand, "")
    if verb not in VERBS:
        return _unknown(errand, word, rest)
    if conversation and not conversation.workspace:
        return errand.refuse(line("Conversations can only be named in Slack."))
    if errand.subject.is_conversation and not actor.may_configure:
        return errand.refuse(line(MEMBERS_ONLY), status=403)
    try:
        reply = VERBS[verb](errand, rest.strip())
    except Refused as refusal:
        reply = errand.refuse(*refusal.lines, buttons=refusal.buttons, status=refusal.status)
    return in_its_name(reply, errand.subject)


def plain(text: str) -> str:
    """Text as it was meant: straight quotes, plain spaces, no invisible or control characters."""
    text = unicodedata.normalize("NFC", text.encode("utf-8", "replace").decode())
    kept = (" " if c.isspace() or unicodedata.category(c) == "Zs" else c for c in text)
    visible = (c for c in kept if c == " " or unicodedata.category(c) not in ("Cc", "Cf", "Cs"))
    return " ".join("".join(visible).translate(_QUOTES).split())


def _subject(house: House, actor: Actor, verb: str, conversation: Identity | None) -> Identity:
    """Whose settings are meant: those of the conversation named, or of the one it was typed in
    where that has a digest of its own and the words can only mean it."""
    if conversation:
        return conversation
    here = actor.conversation
    if here and verb == "digest" and house.store.people.find(here) is not None:
        return here
    return actor.identity


def _unknown(errand: Errand, word: str, rest: str) -> Reply:
    """Did you mean: the nearest verb, with the nearest topic where one was named."""
    found = process.extractOne(word.casefold(), [*VERBS, *ALIASES], scorer=fuzz.ratio,
                               score_cutoff=60)  # fmt: skip
    if not found:
        topics = near(errand.house, f"{word} {rest}", 1)
        command = f"follow {topics[0].name}" if topics else "help"
    else:
        verb = ALIASES.get(found[0], found[0])
        topics = near(errand.house, rest, 1) if rest and verb in _ABOUT_TOPICS else []
        command = f"{verb} {topics[0].name if topics else rest}".strip()
    label = "Follow it" if command.startswith("follow ") else shown(command, 40)
    return errand.refuse(
        line("I don’t know ", Strong(shown(word, 40)), ". Did you mean ", Code(command), "?"),
        buttons=(Action(label, command),),
        status=404,
    )


_ABOUT_TOPICS = {"follow", "unfollow", "mute", "unmute", "topic", "ask"}
