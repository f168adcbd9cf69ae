"""What somebody types is carried out: text in, one verb, a reply out."""

from dataclasses import replace
from functools import partial
from typing import NamedTuple

from bot.core import offers
from bot.core.commands.answering import OF_PAPERS, answer_to, with_papers
from bot.core.commands.errand import Errand, Refused, refused
from bot.core.commands.papers import shelf
from bot.core.commands.requests import KNOWN, meant, plain, requests_in, spelled
from bot.core.commands.topics import showing
from bot.core.commands.verbs import ALIASES, VERBS
from bot.core.commands.words.clauses import channel_in
from bot.core.commands.words.readings import Answer, Reading, answered
from bot.core.commands.words.sentences.about_papers import not_for_me, papers_in
from bot.core.commands.words.sentences.did_you_mean import (
    corrected,
    is_a_word,
    nearest,
    without_a_verb,
)
from bot.core.commands.words.sentences.meaning import (
    meaning,
    meaning_of_the_very_words,
)
from bot.core.commands.words.sentences.wishes import for_somebody_else, more_or_less
from bot.core.commands.words.several import one_by_one
from bot.core.commands.words.subject import subject_in
from bot.core.conversations import in_its_name, seen_by_all
from bot.core.house import House
from bot.core.naming import known, without_links
from bot.core.reply import Actor, Reply
from bot.model import Identity

LONGEST = 8_000
MEMBERS_ONLY = "Only members of this workspace can change a conversation’s digests."
UNKNOWN = (
    "It is not known just now whether you are a full member of this workspace. Nothing was "
    "changed; try again in a minute."
)
_OF_PAPERS = {"star", "keep", "favorite", "favourite", "dislike", "irrelevant", "bookmark"}
"""Other words for what is done with papers, which are those of topics as well."""


class _Task(NamedTuple):
    """What is to be carried out: a verb, or the answer to a sentence without one."""

    errand: Errand
    verb: str
    answer: Answer | None = None


def execute(house: House, actor: Actor, text: str) -> Reply:
    """Carry out what someone typed.  Never raises for odd input: the reply says what to do.

    Words that only answer what was offered last ("yes", "2", "undo") are what they choose.
    """
    now, carry_out = house.clock(), partial(_carry_out, house, actor)
    typed, offer = plain(text), offers.last(house.store, actor, now)
    named = with_papers(offer, typed)
    reply = answer_to(offer, typed, carry_out)
    reply = reply or carry_out(text if named == typed else named)
    offers.keep(house.store, actor, reply, offer.papers, now)
    return reply


def _carry_out(house: House, actor: Actor, text: str) -> Reply:
    errand = Errand(house, actor, actor.identity, house.clock())
    requests = [plain(each) for each in requests_in(text)]
    if len(requests) > 1:
        offer = one_by_one(requests, "requests")
        return errand.refuse(*offer.lines, buttons=offer.buttons)
    verb = ""
    try:
        errand, verb, answer = _read(errand, requests[0])
        _allow(errand)
        reply = _given(answer) if answer else VERBS[verb](errand, errand.said)
    except Refused as refusal:
        reply = errand.refuse(*refusal.lines, buttons=refusal.buttons, status=refusal.status)
    return seen_by_all(in_its_name(reply, errand.subject), verb, actor, errand.subject)


def _read(errand: Errand, text: str) -> _Task:
    """What a request asks for.  Raises Refused for one that cannot be read."""
    if len(text) > LONGEST:
        raise refused(f"That is {len(text):,} characters, and {LONGEST:,} are read; keep the words "
                      "that decide.")  # fmt: skip
    text = without_links(errand.house, text, errand.subscriber)
    word, _, rest = spelled(errand, text).partition(" ")
    rest, named = subject_in(rest, errand.actor)
    whole = f"{word} {rest}".strip()
    verb, rest = meant(word.casefold(), rest.strip())
    errand = replace(errand, subject=named or errand.subject, said=rest)
    is_name = _is_a_name(errand, word.casefold(), rest)
    if verb in VERBS and not is_name and (task := _of_a_verb(errand, verb, whole)):
        return task._replace(errand=_placed(task.errand, verb, named))
    if answer := answered(_SAYINGS, errand, whole):
        return _Task(errand, "", answer)
    guess = "" if is_name else nearest(verb, KNOWN)
    if guess and not is_a_word(errand, word, guess):
        verb, rest = meant(guess, rest)
        errand = _placed(replace(errand, said=rest), verb, named)
        return _Task(errand, "", corrected(errand, word, verb))
    return _Task(errand, "", without_a_verb(errand, whole))


def _of_a_verb(errand: Errand, verb: str, text: str) -> _Task | None:
    """What a request with a verb of ours asks for; None for a saying that it only begins.

    One that means a look at something is that look, as it changes nothing: "show me papers on
    tides" is `topic tides`, and "list my topics" is `list`.
    """
    saying = _begun_by(errand, text)
    if not saying or _is_only(text, saying):
        return _Task(errand, verb)
    offered = [each.command for each in saying.buttons]
    meant_by_it, _, rest = (offered[0] if len(offered) == 1 else "").partition(" ")
    if meant_by_it in _LOOKS or (meant_by_it == verb and not rest):
        return _Task(replace(errand, said=rest), meant_by_it)
    return None


def _given(answer: Answer) -> Reply:
    if isinstance(answer, Refused):
        raise answer
    return answer


def _begun_by(errand: Errand, text: str) -> Answer | None:
    """The answer to a saying that a verb of ours begins: "why nothing?", "find me …"; or None."""
    verb, _, rest = text.casefold().partition(" ")
    is_address = "@" in rest and verb in _MAIL  # whatever stands around it
    is_request = not rest or is_address or papers_in(rest)
    readings = () if is_request else _BEHIND_A_VERB.get(verb, ())
    return answered(readings, errand, text)


def _is_only(request: str, answer: Answer) -> bool:
    """Whether an answer offers just what was typed, so that it can as well be done."""
    offered = [each.command for each in answer.buttons]
    return offered == [request.casefold()]


def _papers_shown(errand: Errand, text: str) -> Reply | None:
    """Papers that are named in no request of ours, a misspelt one neither; or None."""
    papers, word = papers_in(text), text.partition(" ")[0].casefold()
    if not papers or nearest(word, OF_PAPERS) not in ("", word):
        return None
    return showing.show_topic(errand, " ".join(papers))


def _is_a_name(errand: Errand, word: str, rest: str) -> bool:
    """Whether another word for a verb begins the name of a topic instead: "star formation"."""
    if word not in ALIASES or not rest:
        return False
    if word in _OF_PAPERS:
        return not shelf.is_of_papers(errand, rest)
    text, language = f"{word} {rest}", errand.house.language
    return language.knows(text) or known(errand.house, text) is not None


def _placed(errand: Errand, verb: str, named: Identity | None) -> Errand:
    """The errand about the conversation it was typed in, where that has a digest of its own and
    the words can only mean it."""
    here = errand.actor.conversation
    is_about_place = verb == "digest" and not named and not channel_in(errand.said)[1]
    if here and is_about_place and errand.house.store.people.find(here) is not None:
        return replace(errand, subject=here)
    return errand


def _allow(errand: Errand) -> None:
    """Raises Refused for a conversation outside Slack, or one that the actor may not change."""
    if not errand.subject.is_conversation:
        return
    if not errand.subject.workspace:
        raise refused("Conversations can only be named in Slack.")
    if not errand.actor.may_configure:
        raise refused(UNKNOWN if errand.actor.unknown else MEMBERS_ONLY, status=403)


_SAYINGS: tuple[Reading, ...] = (
    meaning_of_the_very_words,
    for_somebody_else,
    not_for_me,
    _papers_shown,
    more_or_less,
    meaning,
)
"""How a sentence is read that is no request of ours."""
_OTHERWISE = (
    "back daily delete digest drop edit email explain find follow help holiday keep list mail mute "
    "pause remove restart schedule search show stop track undo vacation weekly"
)
_BEHIND_A_VERB: dict[str, tuple[Reading, ...]] = {
    **dict.fromkeys(("why", "more"), (more_or_less, meaning)),
    **dict.fromkeys(_OTHERWISE.split(), (meaning_of_the_very_words,)),
}
"""Verbs that also begin what is none of their requests: "remove my old address"."""
_LOOKS = ("help", "list", "saved", "settings", "status", "topic", "topics")
"""Verbs that change nothing."""
_MAIL = ("email", "mail")
