"""The words that requests begin with, and what each does."""

from collections.abc import Callable

from bot.core.commands import asking, looking
from bot.core.commands.digests import destinations, mail, moving, schedules, turning
from bot.core.commands.digests.muted import is_silent
from bot.core.commands.errand import Errand
from bot.core.commands.papers import explain, exporting, shelf
from bot.core.commands.topics import editing, following, liking, showing, silencing, unmuting
from bot.core.reply import Reply, line

Verb = Callable[[Errand, str], Reply]


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
    return turning.resume(errand, text)


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
    "topic": showing.show_topic,
    "topics": showing.show_topics,
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
