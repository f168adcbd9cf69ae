"""What people say that is no command, and the request that it means."""

import re
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from bot.core.commands.errand import Errand, Refused, refused
from bot.core.commands.words.cadences import is_rhythm
from bot.core.naming import shown
from bot.core.reply import Code, Link
from bot.digest import Action
from bot.text.identifiers import find_ids

MANY = 3  # topics of which each gets a button


class Meant(NamedTuple):
    """A request, and what its button is called."""

    command: str
    label: str


_QUESTION = re.compile(r"(?:how|who|whose|whom|what|when|where|which)(?:['’]s)?")
_REST = r"[\s!?.]*"
_SAID: tuple[tuple[str, str, str], ...] = (
    (r"what(?:['’]?s| is) (?:new|up)|(?:what )?did i miss(?: (?:anything|something|it))?"
     r"|(?:the )?(?:latest|newest|new)(?: papers)?", "digest now", "Digest now"),
    (r"(?:(?:show|list)\W+(?:me\W+)?)?(?:what(?:['’]?s| is| do| am) i\W+(?:follow|following)"
     r"|my (?:topics|follows|subscriptions|list))", "list", "List"),
    (r"(?:what(?:['’]?s| is| are) )?(?:hot|trending|heating(?: up)?|trends|popular)"
     r"(?: (?:topics?|papers?|now|today|right now))*", "topics heating", "What heats up"),
    (r"(?:why (?:is it so quiet|did i get nothing|(?:is there )?nothing(?: new)?)|so quiet"
     r"|nothing(?: new)?|no (?:new )?papers(?: today)?|where (?:is|are) my (?:digests?|papers))",
     "status", "Status"),
    (r"(?:leave|quit|good ?bye|bye(?: bye)?|cancel|unregister)", "digest off", "Stop the digest"),
    (r"(?:i['’]?m|i am|am)? ?back(?: again| now)?|come back|start(?: again)?|continue|unpause",
     "resume", "Resume"),
    (r"(?:how (?:can|do) i )(?:export|download|cite)\b.*|citations?", "export", "Export"),
    (r"(?:what|which) (?:data|information) .*|(?:privacy|data protection|gdpr|dsgvo)(?: policy)?"
     r"|(?:delete|erase|forget) (?:all|everything|my account)", "erase", "What is kept"),
    (r"(?:what|who) are you|what (?:can|do) (?:i|you) (?:do|say)(?: here)?|what is this|commands"
     r"|hilfe|aide|ayuda|usage|man|options|menu", "help", "Help"),
    (r"(?:(?:show|what(?:['’]?s| is| are)) )?(?:(?:is|me|my|the) )*(?:muted|mutes|silenced)",
     "list", "List"),
    (r"(?:show )?(?:me )?(?:my |the )?(?:settings|preferences)", "settings", "Settings"),
    (r"when (?:is|does|do|will|comes?) (?:it|(?:my |the )?(?:next )?(?:digest|papers?|one))"
     r"(?: come)?|(?:my |the )?next (?:digest|one)|(?:show )?my digest", "digest", "When it comes"),
    (r"(?:show )?(?:me )?(?:my )?(?:library|reading list|saved(?: papers)?|bookmarks)", "saved",
     "Saved papers"),
    (r"(?:show|list)(?: me)? (?:all |the )+topics|catalog(?:ue)?|(?:recommend|suggest)(?: me)?"
     r" (?:something|some topics|topics|a topic)|what (?:can|should|could) i follow", "topics",
     "Topics"),
    (r"how (?:can|do|does|should|to|would)\b.*", "help", "Help"),
)  # fmt: skip
_KNOWN = tuple(
    (re.compile(f"(?:{said}){_REST}", re.IGNORECASE), Meant(command, label))
    for said, command, label in _SAID
)
_POLITE = (
    r"(?:(?:hi|hello|hey|please|pls|ok|so|now|papers|paperround)[\s,!.]+)*"
    r"(?:(?:can|could|would|will)\s+you\s+(?:(?:please|kindly)\s+)?)?(?:please\s+)?"
)
_MAIL = re.compile(
    r"(?:(?:change|set|update)\s+)?my\s+(?:e-?mail|mail)(?:\s+address)?(?:\s+(?:is|to)|:)?\s+(?P<rest>[^\s@]+@[^\s@]+?)[.!]*",
    re.IGNORECASE,
)
_ZONE = re.compile(
    r"(?:(?:set|change)\s+)?(?:my\s+)?(?:time\s?zone|tz)\s+(?:is\s+|to\s+)?(?P<rest>\S.*)",
    re.IGNORECASE,
)
_TIME = re.compile(
    r"(?:set|change|move)\s+(?:(?:my|the)\s+)?(?:digest|hour|time|day)s?\s+(?:is\s+|to\s+)?"
    r"(?P<rest>\S.*)",
    re.IGNORECASE,
)
_MOVED = re.compile(
    r"(?:change|make|move|send|set|switch)\s+(?:(?:digests?|it|papers|that|the|them)\s+)*(?:(?:at|on|to)\s+)?"
    r"(?P<rest>\S.*?)(?:\s+instead)?[.!]*",
    re.IGNORECASE,
)
_LESS = re.compile(
    r"(?:(?:that(?:['’]s| is)|it(?:['’]s| is)|way|far|i get|get)\s+)*"
    r"(?:too (?:much|many)|less|fewer|only the best"
    r"|(?:at most|limit(?: \w+)? to|max(?:imum)?|no more than|only)\s+\d+)(?:\s.*)?" + _REST,
    re.IGNORECASE,
)
_MORE = re.compile(
    r"(?:(?:that(?:['’]s| is)|it(?:['’]s| is)|way|far|i get|get)\s+)*"
    r"too (?:little|few)(?:\s.*)?" + _REST + r"|more papers(?: please)?" + _REST,
    re.IGNORECASE,
)


_PAPERS = (
    r"(?:(?:all|any|every|latest|more|new|newest|recent|the)\s+)*"
    r"(?:articles?|anything|everything|papers?|preprints?|publications?|research|stuff|works?)"
)
_ABOUT = r"(?:about|concerning|for|in|of|on|regarding|related\s+to)"
_WE = r"(?:i['’]?m|i\s+am|we['’]?re|we\s+are)"
_ASKED_FOR = (
    rf"{_WE}\s+(?:(?:also|mainly|mostly|really|very)\s+)*(?:interested\s+in|working\s+on|researching"
    r"|studying)\s+(?P<rest>\S.*)",
    rf"(?:{_WE}\s+looking\s+for|i\s+(?:need|want)|(?:i|we)(?:['’]d|\s+would)\s+like(?:\s+to\s+(?:get"
    rf"|have|hear|read|receive|see))?|(?:bring|email|fetch|find|get|give|mail|send)\s+(?:me|us))\s+"
    rf"{_PAPERS}\s+(?P<rest>(?:{_ABOUT}|by)\s+\S.*)",
    rf"(?:alert|inform|notify|tell|update)\s+(?:me|us)\s+{_ABOUT}\s+(?P<rest>\S.*)",
    rf"(?:alert|notify|tell)\s+(?:me|us)\s+(?:if|when(?:ever)?)\s+(?:there\s+(?:are|is)|you\s+(?:find|see))\s+"
    rf"(?:a\s+)?{_PAPERS}\s+(?P<rest>(?:{_ABOUT}|by)\s+\S.*)",
    rf"keep\s+(?:me|us)\s+(?:informed|posted|updated|up\s+to\s+date)\s+(?:{_ABOUT}|with)\s+(?P<rest>\S.*)",
)
_NOT_ASKED_FOR = (
    r"(?:do\s+not|don['’]?t|stop)\s+(?:follow|following)\s+(?P<rest>\S.*)",
    rf"(?:do\s+not|don['’]?t|stop)\s+(?:bring|bringing|send|sending)\s+(?:me\s+)?"
    rf"(?:{_PAPERS}\s+{_ABOUT}\s+)?(?P<rest>\S.*)",
    r"(?:i\s+(?:do\s+not|don['’]?t)\s+want|i\s+no\s+longer\s+want|no\s+more|enough(?:\s+of)?)\s+"
    rf"(?:{_PAPERS}\s+{_ABOUT}\s+)?(?P<rest>\S.*)",
)
_NEWS_OF = (
    rf"(?:what(?:['’]?s|\s+is)|is\s+there\s+anything|anything|any\s+news)(?:\s+new)?\s+{_ABOUT}\s+(?P<rest>\S.*)",
)
_WANTED = tuple(
    (re.compile(f"{_POLITE}{form}", re.IGNORECASE), verb)
    for verb, forms in (("follow", _ASKED_FOR), ("unfollow", _NOT_ASKED_FOR), ("topic", _NEWS_OF))
    for form in forms
)
_SHARED = re.compile(
    rf"{_POLITE}(?:forward|recommend|send|share|show)\s+(?:(?:papers|my|the|topic)\s+)*(?:{_ABOUT}\s+)?"
    r"(?P<rest>\S.*?)\s+(?:to|with)\s+(?:@\S+|[^\s@]+@[^\s@]+|(?:a|my|our)\s+\w+(?:\s+\w+)?)[.!]*",
    re.IGNORECASE,
)
_INVITED = re.compile(
    r"(?:add|invite|register|sign\s+up)\s+(?:[^\s@]+@[^\s@]+|@\S+|(?:a|my|our)\s+\w+)(?:\s.*)?"
    r"|how\s+(?:can|do)\s+(?:i|we)\s+(?:add|invite|register)\b.*",
    re.IGNORECASE,
)
_WHAT_COMES = re.compile(
    r"(?:(?:any|more|my|the|these|this|your)\s+)*(?:digests?|e-?mails?|mails?|messages?|notifications?)",
    re.IGNORECASE,
)
_ANY_MORE = re.compile(r"\s+(?:any\s?more|any\s+longer|from\s+now\s+on)$", re.IGNORECASE)
_IN_FRONT = re.compile(rf"^{_ABOUT}\s+", re.IGNORECASE)


def is_question(word: str) -> bool:
    """Whether a word begins a question, and is no verb misspelt."""
    return _QUESTION.fullmatch(word) is not None


_NOT_LIKED = re.compile(
    r"\b(?:irrelevant|not?\s+(?:\w+\s+)?(?:for me|interested|interesting|relevant|useful)"
    r"|thumbs\s+down|wrong)\b",
    re.IGNORECASE,
)


def is_not_liked(text: str) -> bool:
    """Whether words beside a paper say that it was not meant: "not relevant", "thumbs down"."""
    return _NOT_LIKED.search(text) is not None


def asked_for(text: str) -> Meant | None:
    """What a sentence asks for: "keep me posted on RAG", "no more RAG", "stop sending me mails"."""
    plain = _ANY_MORE.sub("", text.strip().rstrip("?!. "))
    for form, verb in _WANTED:
        if found := form.fullmatch(plain):
            name = _IN_FRONT.sub("", found["rest"])
            command = f"{verb} {name}" if verb != "unfollow" else _ended(name)
            return Meant(command, shown(command, 40))
    return None


def _ended(name: str) -> str:
    """The request that ends something: a topic, mail, or all digests."""
    if found := _WHAT_COMES.fullmatch(name):
        return "email off" if "mail" in found[0].casefold() else "digest off"
    return f"unfollow {name}"


def is_said(word: str, rest: str) -> bool:
    """Whether a verb and what stands behind it are a saying: "why nothing?", "more papers"."""
    text = f"{word} {rest}"
    if word.casefold() == "more" and find_ids(rest):  # "more like 2501.01234"
        return True
    if word.casefold() in ("email", "find", "keep", "mail"):
        return asked_for(text) is not None
    if word.casefold() == "show" and meant_by(text.strip()):
        return True
    return word.casefold() in ("why", "more") and is_saying(text)


def is_saying(text: str) -> bool:
    """Whether it is known what a text that is no command means."""
    return bool(meant_by(text.strip()) or wish_in(text.strip()))


def meant_by(text: str) -> Meant | None:
    """The request that a saying means, None for one that is not known."""
    if found := next((meant for said, meant in _KNOWN if said.fullmatch(text)), None):
        return found
    if zone := _ZONE.fullmatch(text):
        return Meant(f"digest tz {zone['rest'].rstrip('.!?')}", "Change it")
    if time := _TIME.fullmatch(text):
        return Meant(f"digest {time['rest'].rstrip('.!?')}", "Change it")
    if (moved := _MOVED.fullmatch(text)) and is_rhythm(moved["rest"]):
        return Meant(f"digest {moved['rest']}", "Change it")
    if mail := _MAIL.fullmatch(text):
        return Meant(f"email {mail['rest']}", "Send it there")
    return asked_for(text)


def wish_in(text: str) -> Callable[[Errand], Refused] | None:
    """How less or more may come, where a text says that it is too much or too little."""
    if _INVITED.fullmatch(text):
        return partial(shared, name="TOPIC")
    if found := _SHARED.fullmatch(text):
        return partial(shared, name=found["rest"])
    if _LESS.fullmatch(text):
        return _of_less
    return _of_more if _MORE.fullmatch(text) else None


def shared(errand: Errand, name: str) -> Refused:
    """What to say to whoever wants a topic to come to somebody else."""
    follow, base = f"follow {shown(name)}", errand.house.links.base_url
    page = (", or to sign up on ", Link("this page", f"{base}/join")) if base else ()
    return refused(
        "Everybody follows for themselves; tell them to type ", Code(follow), *page, ". A channel "
        "can follow it together: ", Code(f"{follow} in #channel"), ".",
        buttons=(Action("Follow it myself", follow),),
    )  # fmt: skip


def _of_less(errand: Errand) -> Refused:
    return refused(
        "Less of a topic: ", Code("follow TOPIC, focused"), " brings the closest only, ",
        Code("follow TOPIC without WORDS"), " leaves some out, ", Code("mute TOPIC for 2w"),
        " is silent for a while, and ", Code("not-for-me ID"), " teaches it.",
        buttons=_each(errand, "focused", "Closest of"),
    )  # fmt: skip


def _of_more(errand: Errand) -> Refused:
    return refused(
        "More of a topic: ", Code("follow TOPIC, broad"), " brings what is near it, too. ",
        Code("digest daily"), " comes more often, and ", Code("status"), " tells what was read.",
        buttons=_each(errand, "broad", "More of"),
    )  # fmt: skip


def _each(errand: Errand, breadth: str, label: str) -> tuple[Action, ...]:
    follows = errand.house.store.people.follows(errand.subscriber)
    return tuple(
        Action(shown(f"{label} {each.topic.name}", 40), f"follow {each.topic.slug}, {breadth}")
        for each in follows[:MANY]
        if each.breadth != breadth
    )
