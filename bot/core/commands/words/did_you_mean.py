"""Did you mean: the request as it was typed, with only what is wrong in it exchanged."""

from collections.abc import Callable, Iterable

from rapidfuzz import fuzz, process
from rapidfuzz.distance import OSA

from bot.core.commands.errand import Errand, Refused, rather, refused
from bot.core.commands.words import clauses
from bot.core.commands.words.authors import author_named, by_author
from bot.core.commands.words.cadences import is_schedule
from bot.core.commands.words.categories import categories_named
from bot.core.commands.words.intents import is_not_liked, is_question, is_said, meant_by, wish_in
from bot.core.commands.words.lookup import followed, topic_at_end
from bot.core.commands.words.mutes import general, timed
from bot.core.commands.words.often_asked import often_asked
from bot.core.commands.words.vocabulary import phrase
from bot.core.naming import is_everything, known, near, shown
from bot.core.reply import Code, Strong
from bot.matching.examples.likeness import shared
from bot.text.identifiers import find_ids, only_ids

LIKE = 75  # of 100: how alike a verb must be to be meant
SHORT = 5  # letters: a shorter word lies in too many verbs to be a part of one
_LED_IN = (
    "a also am and be bot can could dear do going hello hey hi i i'd i'll i'm id just kindly let "
    "like love me need now ok okay on paperround papers please pls to us want we will wish would "
    "yes you"
)
_ASIDES = frozenset(_LED_IN.split())
"""Words before a verb that only lead up to it: "could you please mute …"."""
_WHAT_IS = phrase(
    r"(?:(?:what|who)(?:'s| is| are| does)|define|explain|tell me (?:all )?about)"
    r" (?:(?:a|an|the) )?(?P<name>\S.*?)(?: (?:mean|stand for))?[?!. ]*"
)
_ALIKE = 0.5  # of the words of a sentence without a verb: what a topic's name must have of them
SLIP = 1  # letters that may be wrong in a shorter one


def nearest(word: str, verbs: Iterable[str]) -> str:
    """The verb that was misspelt, or ""."""
    if is_question(word):
        return ""
    if len(word) < SHORT:
        return next((v for v in verbs if OSA.distance(word, v) <= SLIP < len(word) - 1), "")
    found = process.extractOne(word, list(verbs), scorer=fuzz.ratio, score_cutoff=LIKE)
    return found[0] if found else ""


def papers_to_show(errand: Errand, word: str, verb: str) -> list[str]:
    """The papers that somebody names in no request of ours, and neither rejects nor shares."""
    whole = f"{word} {errand.said}".strip()
    return [] if wish_in(whole) or is_not_liked(whole) else _papers_in(errand, word, verb)


def _papers_in(errand: Errand, word: str, verb: str) -> list[str]:
    whole = f"{word} {errand.said}".strip()
    papers = [each.arxiv_id for each in find_ids(whole)] or only_ids(errand.said if verb else whole)
    return list(papers) if not verb or is_said(word, errand.said) else []


def did_you_mean(errand: Errand, word: str, verb: str) -> Refused:
    """The answer to an unknown verb: the nearest one, with everything typed after it.

    Without a `verb` the words may be papers, or the name of a topic, to follow.
    """
    whole = f"{word} {errand.said}".strip()
    rest = errand.said if verb else whole
    if wish := wish_in(whole):
        return wish(errand)
    if saying := meant_by(whole):
        return _meant("", saying.command, saying.label)
    if is_not_liked(whole) and (papers := _papers_in(errand, word, verb)):
        return _meant("", f"not-for-me {' '.join(papers)}", "Not for me")
    if answer := often_asked(whole):
        return answer
    if not verb and is_not_liked(whole):
        return refused("Which paper? Press “Not for me” beside it, or write ",
                       Code("not-for-me 2501.01234"), ".")  # fmt: skip
    if not verb and is_schedule(whole):
        return _meant(word, f"digest {whole}", "Change it")
    if verb in ("", "help") and (said := _behind_asides(whole)):
        return _meant("", said, shown(said, 40))
    if not verb and (asked := _named_in_a_question(errand, whole)):
        return asked
    name = _NAMES.get(verb or "follow", _none)(errand, rest)
    offered = _corrected(errand, name, rest, least=0.0 if verb else _ALIKE)
    author = "" if verb else author_named(errand.house, rest)
    if author:
        command = f"follow {by_author(author)}"
    elif verb or offered != rest or _is_known(errand, name):
        command = f"{verb or 'follow'} {offered}".strip()
    else:
        command = "help"
    command = command if verb == "ask" else command.rstrip("?!")
    label = "Follow it" if command.startswith("follow ") else shown(command, 40)
    return _meant(word, command, label)


def _named_in_a_question(errand: Errand, text: str) -> Refused | None:
    """What a question may be about: a topic, an author, a bare category; or None."""
    found = _WHAT_IS.fullmatch(text)
    name = found["name"] if found else text
    if category := categories_named(errand, name):
        return _meant("", f"follow cat:{category}", f"follow cat:{category}")
    if found and (topic := known(errand.house, name)):
        return _meant("", f"topic {topic.name}", shown(topic.name, 40))
    if text.endswith("?") and (topic_name := topic_at_end(errand.house, text)):
        return _meant("", f"ask {topic_name}: {text}", f"Ask {shown(topic_name, 36)}")
    author = author_named(errand.house, name) if found else ""
    return _meant("", f"follow {by_author(author)}", "Follow it") if author else None


def _behind_asides(text: str) -> str:
    """The request in a polite sentence: "mute tides" of "could you please mute tides"; or ""."""
    said = text.split()
    for place, word in enumerate(said):
        name = word.casefold().strip(",.:;!?")
        if place and name in _SPOKEN:
            return " ".join((name, *said[place + 1 :])).rstrip("?!. ")
        if name not in _ASIDES:
            return ""
    return ""


def _meant(word: str, command: str, label: str) -> Refused:
    unknown = ("I don’t know ", Strong(shown(word, 40)), ".") if word else ()
    return rather(command, *unknown, label=label, status=404)


def _corrected(errand: Errand, name: str, rest: str, *, least: float) -> str:
    """The rest of the request, an unknown topic in it replaced by the nearest one.

    At least that share of the typed words must be in its name.
    """
    topic = followed(errand, name)
    is_fine = not name or topic or errand.house.language.is_query(name)
    if not is_fine and not is_everything(name):
        close = (each for each in near(errand.house, name, 1) if shared(name, each.name) >= least)
        topic = known(errand.house, name) or next(close, None)
    return rest.replace(name, topic.name, 1) if topic else rest


def _is_known(errand: Errand, name: str) -> bool:
    return errand.house.language.knows(name) or known(errand.house, name) is not None


def _muted(errand: Errand, rest: str) -> str:
    try:
        name, _ = timed(errand, rest)
    except Refused:  # it will be refused in words when it is done
        return ""
    return "" if general(name) else name


def _none(errand: Errand, rest: str) -> str:
    return ""


_NAMES: dict[str, Callable[[Errand, str], str]] = {
    "follow": lambda _, rest: clauses.bare(rest),
    "unfollow": lambda _, rest: rest,
    "mute": _muted,
    "unmute": _muted,
    "topic": lambda _, rest: rest,
    "passed": lambda _, rest: rest,
    "ask": lambda _, rest: rest.partition(":")[0],
    "edit": lambda _, rest: rest.partition(":")[0],
}
"""Where the name of a topic stands in what is typed after a verb."""
_MORE = (
    "save digest list settings status help subscribe unsubscribe vacation holiday pause snooze "
    "resume email"
)
_SPOKEN = frozenset((*_NAMES, *_MORE.split()))
"""What a sentence may lead up to."""
