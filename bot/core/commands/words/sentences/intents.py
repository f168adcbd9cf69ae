"""Sentences that are no command, and the request that each means."""

from typing import NamedTuple

from bot.core.commands.errand import Errand, Refused, rather
from bot.core.commands.words.cadences import is_rhythm
from bot.core.commands.words.vocabulary import ABOUT, ANY_PAPERS, POLITE, phrase
from bot.core.naming import shown


class Intent(NamedTuple):
    """A request, and what its button is called."""

    command: str
    label: str


_WHAT_IS = r"what(?:'?s| is| are)"
_WE = r"(?:i'?m|i am|we'?re|we are)"
_ME = r"(?:me|us)"
_MY = r"(?:(?:all|any|me|more|my|the|these|this|your) )*"
_MAILED = r"(?:(?:address|digests?|e-?mails?|it|mails?|me)[ :]+)*"
_DO_NOT = r"(?:do not|don'?t)"
_REST = r"(?P<rest>\S.*?)"
_WHEN = r"(?: (?:since .*|(?:from )?(?:last|this) (?:month|week)|today|yesterday))?"
_SAID = (
    (rf"{_WHAT_IS} (?:new|up)|(?:what )?did i miss(?: (?:anything|something|it))?"
     r"|(?:the )?(?:latest|newest|new)(?: papers)?", "digest now", "Digest now"),
    (r"(?:(?:show|list)\W+(?:me\W+)?)?(?:what(?:'?s| is| do| am) i\W+(?:follow|following)"
     r"|my (?:topics|follows|subscriptions|list)"
     r"|what (?:are we following|do we follow|does this (?:channel|conversation|group) follow))",
     "list", "List"),
    (rf"(?:(?:{_WHAT_IS}|show|list) (?:me )?(?:the )?)?"
     r"(?:hot|trending|heating(?: up)?|trends|popular|top(?= topics))"
     r"(?: (?:topics?|papers?|now|today|right now))*(?: in \S.*)?", "topics heating",
     "What heats up"),
    (rf"(?:list|show)(?: me)? topics (?:about|for|in|on) {_REST}", "topics {rest}", "Topics"),
    (r"(?:vacation|holiday) mode|ooo|out of (?:the )?office|do not disturb|dnd|away", "mute all",
     "Mute all"),
    (r"(?:ooo|out of (?:the )?office|do not disturb|dnd|away) (?P<rest>(?:for|till|until) .+)",
     "mute all {rest}", "Mute all"),
    (r"why (?:is it so quiet|did i get nothing|(?:is there )?nothing(?: new)?)|so quiet"
     r"|nothing(?: new)?|no (?:new )?papers(?: today)?|where (?:is|are) my (?:digests?|papers)",
     "status", "Status"),
    (r"when will i get .*|did (?:my|the) (?:digest|mail) .*"
     r"|why (?:is there |was there |did i get )?(?:no|nothing)\b.*"
     r"|(?:do|does|is|when do|when does|when is) (?:the )?arxiv\b.*", "status", "Status"),
    (r"leave|quit|good ?bye|bye(?: bye)?|cancel|unregister|end", "digest off", "Stop the digest"),
    (r"(?:(?:digests?|mails?|mute|no|not|nothing|papers|pause|skip|without) )+"
     r"(?:(?:at|during|for|on|over|the) )*weekends?", "digest weekdays", "On weekdays"),
    (r"(?:show me |what was in )?(?:my |the )?(?:last|previous) (?:digest|mail|one)(?: again)?"
     r"|resend(?: it)?", "digest last", "The last digest"),
    (r"good (?:morning|day|afternoon|evening)", "help", "Help"),
    (r"(?:i'?m|i am|am)? ?back(?: again| now)?|come back|start(?: again)?|continue|unpause",
     "resume", "Resume"),
    (r"how (?:can|do) i (?:export|download|cite)\b.*|citations?", "export", "Export"),
    (r"(?:what|which) (?:data|information) .*|(?:privacy|data protection|gdpr|dsgvo)(?: policy)?"
     r"|(?:delete|erase|forget) (?:all|everything|my account)", "erase", "What is kept"),
    (r"(?:what|who) are you|what (?:can|do) (?:i|you) (?:do|say)(?: here)?|what is this|commands"
     r"|hilfe|aide|ayuda|usage|man|options|menu", "help", "Help"),
    (rf"(?:(?:show|{_WHAT_IS}) )?(?:(?:am|anything|i|is|me|my|the) )*(?:muted|mutes|silenced)",
     "list", "List"),
    (r"(?:show )?(?:me )?(?:my |the )?(?:settings|preferences)", "settings", "Settings"),
    (r"when (?:is|does|do|will|comes?) (?:it|(?:my |the )?(?:next )?(?:digest|papers?|one))"
     r"(?: come)?|(?:my |the )?next (?:digest|one)|(?:show )?my digest", "digest", "When it comes"),
    (r"(?:show )?(?:me )?(?:my )?(?:library|reading list|saved(?: papers)?|bookmarks)", "saved",
     "Saved papers"),
    (r"(?:(?:list|show|what|which)(?: are| me)? )?(?:(?:all|the|your) )*topics"
     r"(?: (?:are there|do you (?:have|know)|exist|can i follow))?|catalog(?:ue)?"
     r"|(?:recommend|suggest)(?: me)? (?:something|some topics|topics|a topic)"
     r"|what (?:can|should|could) i follow", "topics", "Topics"),
    (rf"(?:(?:can|could|how (?:can|do)) i )?(?:change|move|switch|update) {_MY}"
     r"(?:e-?mail|mail|address)(?: address)?|(?:i have )?(?:a|my) new (?:e-?mail |mail )?address"
     r"|new address|change of address", "email", "Where mail comes"),
    (r"how (?:can|do|does|should|to|would)\b.*", "help", "Help"),
    (rf"(?:(?:set|change) )?(?:my )?(?:time ?zone|tz) (?:is |to )?{_REST}", "digest tz {rest}",
     "Change it"),
    (rf"(?:(?:change|move|set|switch|update) {_MY}{_MAILED}(?:to )?"
     rf"|{_MY}new {_MAILED}(?:is )?|(?:i|i've|i have|we) (?:have )?moved to )"
     r"(?P<rest>[^\s@]+@[^\s@]+?)(?: instead)?", "email {rest} instead", "Send it there instead"),
    (rf"(?:set|change|move) (?:(?:my|the) )?(?:digest|hour|time|day)s? (?:is |to )?{_REST}",
     "digest {rest}", "Change it"),
    (r"my (?:e-?mail|mail)(?: address)?(?: is|:)? (?P<rest>[^\s@]+@[^\s@]+?)", "email {rest}",
     "Send it there"),
)  # fmt: skip
"""Sentences, the request that each means, and what its button is called."""
_KNOWN = [(phrase(rf"(?:{said})[\s!?.]*"), Intent(*meant)) for said, *meant in _SAID]
_MOVED = phrase(
    rf"{POLITE}(?:(?:i|we)(?:'d| would)? (?:like|need|prefer|want)|change|deliver|get|have|make"
    r"|move|send|set|switch) "
    r"(?:(?:digests?|it|mails?|me|my|our|papers|that|the|them|to (?:get|have|receive)) )*"
    rf"(?:(?:at|on|to) )?{_REST}(?: instead)?[.!?]*"
)
_ASKED_FOR = (
    ("follow", rf"(?:add|sign) {_ME} (?:up )?(?:for|to) {_REST}"),
    ("follow", rf"(?:add(?! to )|new)(?: (?:a|the))?(?: new)?(?: topic)?:? {_REST}"
     r" to (?:my|our|the) (?:list|topics)"),
    ("follow", r"(?:(?:add|new) (?:(?:a|new|the) )*topic:?|(?:begin|start) (?:following|to follow))"
     rf" {_REST}"),
    ("follow", rf"add (?!to ){_REST}"),
    ("follow", rf"{_WE} (?:(?:also|mainly|mostly|really|very) )*"
     rf"(?:interested in|working on|researching|studying) {_REST}"),
    ("follow", rf"(?:{_WE} looking for|i (?:need|want)|(?:i|we)(?:'d| would) like"
     rf"(?: to (?:get|have|hear|read|receive|see))?"
     rf"|(?:bring|email|fetch|find|get|give|mail|send) {_ME}) "
     rf"{ANY_PAPERS} (?P<rest>(?:{ABOUT}|by) \S.*)"),
    ("follow", rf"(?:alert|inform|notify|tell|update) {_ME} {ABOUT} {_REST}"),
    ("follow", rf"(?:alert|notify|tell) {_ME} (?:if|when(?:ever)?) "
     rf"(?:there (?:are|is)|you (?:find|see)) (?:a )?{ANY_PAPERS} "
     rf"(?P<rest>(?:{ABOUT}|by) \S.*)"),
    ("follow", rf"keep {_ME} (?:informed|posted|updated|up to date) (?:{ABOUT}|with) {_REST}"),
    ("unfollow", rf"(?:{_DO_NOT}|stop) (?:follow|following) {_REST}"),
    ("unfollow", rf"(?:(?:{_DO_NOT}|stop) (?:bring|bringing|send|sending)(?: me)?"
     rf"|i {_DO_NOT} want|i no longer want|no more|enough(?: of)?) "
     rf"(?:{ANY_PAPERS} {ABOUT} )?{_REST}"),
    ("topic", rf"(?:what(?:'?s| is)|is there anything|anything|(?:(?:any|the|latest) )*news)"
     rf"(?: new)? {ABOUT} {_REST}"),
    ("topic", rf"(?:the )?(?:latest|newest|new|recent) (?:{ANY_PAPERS} )?{ABOUT} {_REST}{_WHEN}"),
    ("topic", rf"papers {ABOUT} {_REST}{_WHEN}"),
    ("follow", r"(?!\S*(?:day|week|month|year)'s)"
     r"(?P<rest>\S+(?: (?!week|month|year)\S+)?'s? (?:(?:latest|new|newest|recent) )*papers)"),
)  # fmt: skip
"""What is asked for, with the verb that brings it."""
_WANTED = [(phrase(f"{POLITE}{said}"), verb) for verb, said in _ASKED_FOR]
_WHAT_COMES = phrase(
    rf"(?:to )?{_MY}(?:old )?"
    r"(?:digests?|e-?mails?(?: address)?|mails?|mail address|address|messages?|notifications?)"
)
_ANY_MORE = phrase(r" (?:any ?more|any longer|from now on)$")
_IN_FRONT = phrase(rf"^{ABOUT} ")


def intent_in(errand: Errand, text: str) -> Refused | None:
    """The question whether a sentence means one request of ours; or None."""
    found = meant_by(text)
    return rather(found.command, label=found.label, status=404) if found else None


def meant_by(text: str) -> Intent | None:
    """The request that a sentence means, or None."""
    for said, meant in _KNOWN:
        if found := said.fullmatch(text):
            return meant._replace(command=meant.command.format(**found.groupdict()))
    if (moved := _MOVED.fullmatch(text)) and is_rhythm(moved["rest"]):
        return Intent(f"digest {moved['rest']}", "Change it")
    return asked_for(text)


def asked_for(text: str) -> Intent | None:
    """What a sentence asks for: "keep me posted on RAG", "no more RAG", "stop sending me mails"."""
    plain = _ANY_MORE.sub("", text.strip().rstrip("?!. "))
    for form, verb in _WANTED:
        if found := form.fullmatch(plain):
            name = _IN_FRONT.sub("", found["rest"])
            command = f"{verb} {name}" if verb != "unfollow" else _ended(name)
            return Intent(command, shown(command, 40))
    return None


def _ended(name: str) -> str:
    """The request that ends something: a topic, mail, or all digests."""
    if found := _WHAT_COMES.fullmatch(name):
        return "email off" if "mail" in found[0].casefold() else "digest off"
    return f"unfollow {name}"
