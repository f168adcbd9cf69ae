"""Did you mean: the request as it was typed, with only what is wrong in it exchanged."""

from collections.abc import Callable, Iterable

from rapidfuzz import fuzz, process
from rapidfuzz.distance import OSA

from bot.core.commands.errand import Errand, Refused, rather
from bot.core.commands.words import clauses
from bot.core.commands.words.authors import author_named, by_author
from bot.core.commands.words.cadences import is_schedule
from bot.core.commands.words.categories import categories_named
from bot.core.commands.words.lookup import followed, topic_at_end
from bot.core.commands.words.mutes import general, timed
from bot.core.commands.words.readings import answered
from bot.core.commands.words.sentences.about_papers import which_paper
from bot.core.commands.words.sentences.meaning import nearest_meaning
from bot.core.commands.words.sentences.not_understood import not_understood
from bot.core.commands.words.vocabulary import NEW, PAPERS, phrase
from bot.core.naming import is_everything, known, near, shown
from bot.core.reply import Strong
from bot.digest import Action
from bot.matching.examples.likeness import shared
from bot.matching.spelling.folding import printed
from bot.matching.spelling.stems import stem
from bot.matching.spelling.terms import any_of, spellings

LIKE = 75  # of 100: how alike a verb must be to be meant
SHORT = 5  # letters: a shorter word lies in too many verbs to be a part of one
_LED_IN = (
    "a also am and be bot can could dear do going hello hey hi i i'd i'll i'm id just kindly let "
    "like love me need now ok okay on paperround papers please pls to us want we will wish would "
    "yes you"
)
_FOR_ME = phrase(r" for (?:me|us)$")
_ASIDES = frozenset(_LED_IN.split())
"""Words before a verb that only lead up to it: "could you please mute …"."""
_QUESTION = phrase(r"(?:how|who|whose|whom|what|when|where|which)(?:'s)?")
_WHAT_IS = phrase(
    r"(?:(?:what|who)(?:'s| is| are| does)|define|explain|tell me (?:all )?about)"
    r" (?:(?:a|an|the) )?(?P<name>\S.*?)(?: (?:mean|stand for))?[?!. ]*"
)
_THEIRS = phrase(
    rf"(?!\S*(?:day|week|month|year)'s)\S+(?: (?!week|month|year)\S+)?'s? {NEW}{PAPERS}[.!]*"
)
_ALIKE = 0.5  # of the words of a sentence without a verb: what a topic's name must have of them
_SHORTEST = 4  # letters of a word that may not be taken for a slip: shorter ones are abbreviations
_USUAL = 20  # papers that print a word
SLIP = 1  # letters that may be wrong in a shorter one


def nearest(word: str, verbs: Iterable[str]) -> str:
    """The verb that was misspelt, or ""."""
    if _QUESTION.fullmatch(word):  # it is no verb misspelt
        return ""
    if len(word) < SHORT:
        return next((v for v in verbs if OSA.distance(word, v) <= SLIP < len(word) - 1), "")
    found = process.extractOne(word, list(verbs), scorer=fuzz.ratio, score_cutoff=LIKE)
    return found[0] if found else ""


def is_a_word(errand: Errand, word: str, guess: str) -> bool:
    """Whether a word is one of the fields, or of many papers, and no other form of a verb.

    "deep" is no slip of "keep", nor "last" one of "list", nor "MoE" of "more"; "follows" is a form
    of "follow".
    """
    if any(map(str.isupper, word[1:])) and len(word) < SHORT:
        return True
    word = word.casefold()
    if len(word) < _SHORTEST or word.startswith(guess.rstrip("e")):
        return False
    if stem(word) in errand.house.language.vocabulary:
        return True
    return errand.house.store.papers.count_of(any_of(spellings(word))) >= _USUAL


def corrected(errand: Errand, word: str, verb: str) -> Refused:
    """Did you mean: the request as it was typed, with a verb in place of the word that misspells
    it, and the nearest topic in place of an unknown one."""
    whole = f"{word} {errand.said}".strip()
    if verb == "help" and (led_up_to := _behind_asides(errand, whole)):
        return led_up_to
    name = _NAMES.get(verb, _none)(errand, errand.said)
    command = f"{verb} {_with_the_nearest(errand, name, errand.said, least=0.0)}".strip()
    return _rather(word, command if verb == "ask" else command.rstrip("?!"))


def without_a_verb(errand: Errand, text: str) -> Refused:
    """What is asked back where no word begins a request: a topic's name, a question."""
    return answered(_READINGS, errand, text) or not_understood(errand, text)


def _a_schedule(errand: Errand, text: str) -> Refused | None:
    return _rather(_first(text), f"digest {text}", "Change it") if is_schedule(text) else None


def _of_somebody(errand: Errand, text: str) -> Refused | None:
    """The papers of somebody, by a single name too: "Ada's new papers"."""
    is_theirs = _THEIRS.fullmatch(text) is not None
    return _rather("", f"follow {text}", shown(f"follow {text}", 40)) if is_theirs else None


def _a_topic(errand: Errand, text: str) -> Refused | None:
    """An author, or a topic that is known or has most of the words."""
    if author := author_named(errand.house, text):
        return _rather(_first(text), f"follow {by_author(author)}".rstrip("?!"))
    name = clauses.bare(text)
    if topic := known(errand.house, name):
        look = Action("Look at it", f"topic {topic.name}")
        return rather(f"follow {topic.name}", label="Follow it", others=(look,), status=404)
    if errand.house.sayings().speaks(text):  # its words are no name
        return None
    is_right = _is_of_the_fields(errand, name)
    offered = text if is_right else _with_the_nearest(errand, name, text, least=_ALIKE)
    is_one = is_right or offered != text or _is_known(errand, name)
    unknown = "" if is_right else _first(text)
    return _rather(unknown, f"follow {offered}".rstrip("?!")) if is_one else None


def _named_in_a_question(errand: Errand, text: str) -> Refused | None:
    """What a question may be about: a topic, an author, a bare category; or None."""
    found = _WHAT_IS.fullmatch(text)
    name = found["name"] if found else text
    if category := categories_named(errand, name):
        return _rather("", f"follow cat:{category}", f"follow cat:{category}")
    if found and (topic := known(errand.house, name)):
        return _rather("", f"topic {topic.name}", shown(topic.name, 40))
    if text.endswith("?") and (topic_name := topic_at_end(errand.house, text)):
        return _rather("", f"ask {topic_name}: {text}", f"Ask {shown(topic_name, 36)}")
    author = author_named(errand.house, name) if found else ""
    return _rather("", f"follow {by_author(author)}", "Follow it") if author else None


def _is_of_the_fields(errand: Errand, text: str) -> bool:
    """Whether a name of several words, said to nobody, is made of words of the fields alone."""
    words = printed(text)
    is_said = len(words) < 2 or errand.house.sayings().speaks(text)
    return not is_said and all(stem(each) in errand.house.language.vocabulary for each in words)


def _ends_with_a_topic(errand: Errand, text: str) -> Refused | None:
    """The topic that a sentence to somebody ends with: "has anything come out about RAG"."""
    name = topic_at_end(errand.house, text) if errand.house.sayings().speaks(text) else ""
    follow = Action("Follow it", f"follow {name}")
    return rather(f"topic {name}", others=(follow,), status=404) if name else None


def _behind_asides(errand: Errand, text: str) -> Refused | None:
    """The request in a polite sentence: "mute tides" of "could you please mute tides"; or None."""
    said = text.split()
    for place, word in enumerate(said):
        name = word.casefold().strip(",.:;!?")
        if place and name in _SPOKEN:
            request = _FOR_ME.sub("", " ".join((name, *said[place + 1 :])).rstrip("?!. "))
            return _rather("", request, shown(request, 40))
        if name not in _ASIDES:
            return None
    return None


def _first(text: str) -> str:
    return text.partition(" ")[0]


def _rather(word: str, command: str, label: str = "") -> Refused:
    unknown = ("I don’t know ", Strong(shown(word, 40)), ".") if word else ()
    label = label or ("Follow it" if command.startswith("follow ") else shown(command, 40))
    return rather(command, *unknown, label=label, status=404)


def _with_the_nearest(errand: Errand, name: str, rest: str, *, least: float) -> str:
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
_READINGS = (
    which_paper, _a_schedule, _behind_asides, _named_in_a_question, _of_somebody, _a_topic,
    _ends_with_a_topic,
    nearest_meaning,
)  # fmt: skip
