"""What people often ask for in no words of ours, told by a few words that stand for it."""

import re
from collections.abc import Iterable
from typing import NamedTuple

from bot.core.commands.errand import Errand, Refused, refused
from bot.core.commands.words.sentences.readings import spans_of
from bot.core.naming import shown
from bot.core.reply import Code
from bot.digest import Action

_LONGEST = 12  # words: more are no question of these
_LAST = "The papers of the last digest once more: `digest last`."
_SO_FAR = (
    "What has come for you since the last digest: `digest now`. What was read of arXiv, and when: "
    "`status`."
)
_DAILY = (
    "arXiv announces once a day, so the most that can come is one digest a day: `digest daily`. "
    "What has come since the last one, at any time: `digest now`."
)
_OFTEN = (
    ("resend again previous last deleted lost yesterday's week week's & "
     "digest digests mail email message", _LAST),
    ("best top important interesting recommend suggest surprise random & paper papers me read",
     "Papers come in the order in which they fit your topics: `digest now`. What many new ones "
     "are about: `topics heating`."),
    ("today today's yesterday yesterday's tonight week week's weeks month days recently since & "
     "paper papers came come anything something much many news new", _SO_FAR),
    ("today yesterday tonight", _SO_FAR),
    ("who whose colleagues people others everyone everybody somebody same copy & "
     "follow follows following follower followers subscribed MENTION ADDRESS",
     "Nobody is told what others follow. A conversation in Slack can follow something together: "
     "`follow TOPIC in #channel`."),
    ("skip & digest one week time today tomorrow this next",
     "Silence with an end: `mute all for 1w`, or `mute all until tomorrow`. What passes "
     "meanwhile is counted, and can be looked at later."),
    ("hourly hour immediate immediately instant instantly realtime real-time twice asap", _DAILY),
    ("soon & appear appears announced out posted published", _DAILY),
    ("language languages german deutsch french français spanish español chinese japanese korean "
     "italian portuguese russian dutch polish",
     "Paperround speaks English, as arXiv’s papers do. Fields can be named in some other "
     "languages, too: “maschinelles Lernen”."),
    ("timezone tz zone",
     "`settings` says in which zone your times are; `digest tz Europe/Berlin` changes it."),
    ("remove delete drop old wrong & email emails e-mail mail mails address ADDRESS",
     "Mail ends by `email off`. To have it elsewhere: `email you@example.org`, once its owner "
     "has confirmed."),
    ("slack email e-mail mail & only instead just both",
     "By mail: `email you@example.org`, and no more: `email off`. In Slack: `/papers follow "
     "TOPIC` there, and no more: `digest off`."),
    ("import upload copy backup opml & topics list follows subscriptions",
     "`list` shows what you follow. To follow several, write one a line in one message, each "
     "behind “follow”."),
    ("zotero mendeley endnote jabref notion obsidian readwise paperpile",
     "What you saved, as BibTeX, RIS and CSV, which such programs read: `export`."),
    ("feed feeds atom json api",
     "The page of each topic has an Atom feed, and its papers as JSON, BibTeX, RIS and CSV: "
     "`topic TOPIC` leads there."),
    ("ping alive test online awake", "Here. What was read and what comes next: `status`."),
    ("version about",
     "Paperround follows research topics for you. What you can say: `help`; what was read and "
     "what comes next: `status`."),
    ("category categories",
     "All of a category: `follow cat:cs.CL`. How many papers it has: `topics cat:cs.CL`."),
    ("clear delete remove & saved bookmarks library",
     "`saved` shows what you keep; `unsave 2501.01234` lets go of one, or of several side by "
     "side."),
    ("bug problem broken contact feedback support operator admin works",
     "Tell whoever runs Paperround here. What was read and what comes next: `status`; why a "
     "paper came or did not: `why 2501.01234`."),
)  # fmt: skip
"""The words that tell, one of each group, and what to answer.

Of a single group the other words have to be small ones: "api", "your api", not "API misuse".
"""
_SMALL = (
    "a add am an and any are as at can change do does every for from get give got have how i in "
    "is it me my nothing of on or our please report send set show so some speak that the there "
    "this time to use want we what where which with you your alert alerts daily digest digests "
    "help notifications notify papers update updates"
)
_BESIDE = frozenset(_SMALL.split())


class _Matter(NamedTuple):
    told_by: tuple[frozenset[str], ...]
    answer: str

    def fits(self, words: frozenset[str]) -> bool:
        if len(self.told_by) > 1:
            return all(words & group for group in self.told_by)
        (group,) = self.told_by
        return bool(words & group) and words - group <= _BESIDE


_MATTERS = tuple(
    _Matter(tuple(frozenset(group.split()) for group in told_by.split("&")), answer)
    for told_by, answer in _OFTEN
)
_PLACEHOLDER = re.compile(r"\b[A-Z]{2,}\b|#|example|2501\.|/papers")


def often_asked(errand: Errand, text: str) -> Refused | None:
    """The answer to a text that is no request of ours, where what it wants is plain; or None."""
    said = text.casefold().replace("’", "'").split()
    if len(said) > _LONGEST:
        return None
    words = frozenset(_told(said))
    answer = next((each.answer for each in _MATTERS if each.fits(words)), "")
    return _answered(answer) if answer else None


def _told(said: Iterable[str]) -> Iterable[str]:
    for word in said:
        plain = word.strip(".,:;!?\"'()")
        if plain.startswith(("@", "#", "<@")):
            yield "MENTION"
        yield "ADDRESS" if "@" in plain[1:] else plain


def _answered(answer: str) -> Refused:
    """An answer, with a button for each request in it that can be pressed as it is."""
    spans = spans_of(answer)
    typed = [each.text for each in spans if isinstance(each, Code)]
    ready = [each for each in typed if not _PLACEHOLDER.search(each)]
    return refused(*spans, buttons=tuple(Action(shown(each, 40), each) for each in ready))
