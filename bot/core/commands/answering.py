"""Words that answer what was said last: "yes", "no", "2", "both", "undo", "thanks", "save 2"."""

import re
from collections.abc import Callable, Sequence

from bot.core.commands.words.ordinals import number_in
from bot.core.commands.words.vocabulary import SIDE_BY_SIDE
from bot.core.offers import Offer
from bot.core.reply import Code, Line, Reply, line
from bot.digest import Action

Execute = Callable[[str], Reply]
_LONGEST = 100  # characters of an answer; patterns that end where a text does are slow on long ones
_YES = re.compile(
    r"yes|yep|yeah|yup|y|ok|okay|sure|correct|right|exactly|of course|do (?:it|that)|go ahead"
    r"|please do|sounds good|👍|✅|:(?:\+1|thumbsup|white_check_mark):|ja|oui|si"
)
_NO = re.compile(
    r"no|nope|n|(?:neither|none)(?: of (?:them|these))?|no (?:thanks|thank you)|never ?mind"
    r"|forget it|👎|:(?:-1|thumbsdown):|nein|non"
)
_VERBS = "save unsave not-for-me why like export star keep bookmark dislike bibtex ris cite"
OF_PAPERS = frozenset(_VERBS.split())
_THAT = frozenset(("it", "that", "this", "that one", "that paper", "this one", "this paper"))
_CANCEL = "cancel"
"""Where something is asked it is a no; else a request."""
_ALL = re.compile(r"(?:both|all|each)(?: of (?:them|these))?|all (?:three|four|five)|every one")
_UNDO = re.compile(r"undo(?: (?:it|that|this))?|take (?:it|that) back|revert")
_THANKS = re.compile(
    r"(?:many )?(?:thanks|thank (?:you|u)|thx|ty|cheers|merci|danke)"
    r"(?: (?:a lot|so much|very much|again|papers|paperround))*(?:[ ,.]+that['’]?s all)?"
    r"|that['’]?s all"
    r"|great|cool|nice|perfect|awesome|excellent|wonderful|lovely|got it|well done"
    r"|good (?:bot|job)|:(?:pray|tada|heart|raised_hands):|[🙏🎉❤🙌]\ufe0f?"
)
_AROUND = re.compile(
    r"^(?:please|just)\s+"
    r"|(?:[\s,.!]+(?:please|pls|thanks|thank you|:[\w+-]+:|[👍🙏🎉❤🙌🙂😀]\ufe0f?))+$"
)


def answer_to(offer: Offer, text: str, execute: Execute) -> Reply | None:
    """The reply to words that answer what was offered last; None for words that are a request."""
    if len(text) > _LONGEST:
        return None
    said = _AROUND.sub("", text.casefold().strip(" .,!()")).strip(" .,!()")
    if _THANKS.fullmatch(said):
        return _say("You’re welcome.")
    if _NO.fullmatch(said) or (said == _CANCEL and offer.is_question):
        return _say("All right, nothing was changed.")
    if _UNDO.fullmatch(said):
        taken_back = [each for each in offer.buttons if each.label.startswith(("Undo", "Unmute"))]
        return _together(taken_back, execute) if taken_back else None
    if _YES.fullmatch(said):
        return _agreed(offer, execute)
    if _ALL.fullmatch(said):
        return _together(offer.listed, execute) if offer.listed else _which(offer)
    return _numbered(said, offer, execute)


def with_papers(offer: Offer, text: str) -> str:
    """A request with the papers that were shown last in place of their numbers: "save 2".

    Any other text stays as it is.
    """
    verb, _, rest = text.partition(" ")
    if verb.casefold() not in OF_PAPERS or not 0 < len(rest) <= _LONGEST:
        return text
    shown = offer.papers
    if len(shown) == 1 and rest.casefold() in _THAT:
        return f"{verb} {shown[0]}"
    places = [number_in(each) for each in _apart(rest)]
    chosen = [shown[n - 1 if n > 0 else n] for n in places if n is not None and n <= len(shown)]
    return f"{verb} {' '.join(chosen)}" if shown and len(chosen) == len(places) else text


def _apart(places: str) -> list[str]:
    """Each of several places: "1 3", "the first and the last"."""
    if not re.search(r"[^\d\s,;&#]", places):
        return re.findall(r"\d+", places)
    return SIDE_BY_SIDE.split(places)


def _say(words: str) -> Reply:
    return Reply((line(words),))


def _agreed(offer: Offer, execute: Execute) -> Reply:
    if offer.listed or not offer.is_question:
        return _which(offer)
    return execute(offer.buttons[0].command)


def _numbered(said: str, offer: Offer, execute: Execute) -> Reply | None:
    number = number_in(said)
    if number is None:
        return None
    chosen = offer.buttons if offer.is_question else ()
    if not chosen or number > len(chosen):
        return _which(offer)
    return execute(chosen[number - 1 if number > 0 else number].command)


def _which(offer: Offer) -> Reply:
    """A question about which button is meant, or a note that there is none."""
    if not offer.is_question:
        none = line("There is nothing to choose just now. ", Code("help"),
                    " lists what you can say.")  # fmt: skip
        return Reply((none,), ok=False, status=400)
    last = len(offer.buttons)
    numbers = "1" if last == 1 else f"1 to {last}"
    all_of_them = ", or “all”" if offer.listed else ""
    said = line(f"Which one? Press a button, or answer {numbers}{all_of_them}.")
    return Reply((said,), ok=False, status=400, buttons=offer.buttons)


def _together(chosen: Sequence[Action], execute: Execute) -> Reply:
    """The outcome of each request in a line, and an Undo for each."""
    first, *others = replies = [execute(each.command) for each in chosen]
    if not others:
        return first
    ends = replies[-1].lines[1:][-1:] if all(each.ok for each in replies) else ()
    undone = [b.command for each in replies for b in each.buttons if b.label == "Undo"]
    return Reply(
        (*(each.lines[0] for each in replies), *ends),
        ok=any(each.ok for each in replies),
        status=max(each.status for each in replies),
        zone=first.zone,
        conversation=first.conversation,
        notice=_seen(replies),
        buttons=tuple(Action(f"Undo {n}", command) for n, command in enumerate(undone, start=1)),
    )


def _seen(replies: Sequence[Reply]) -> Line | None:
    """What everyone in the conversation sees of them all."""
    spans = [span for each in replies if each.notice for span in (" ", *each.notice)]
    return tuple(spans[1:]) or None
