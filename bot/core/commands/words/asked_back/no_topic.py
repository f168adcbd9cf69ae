"""What stands where a topic should and is none: a place, a person, a web address, a time."""

from bot.core.commands.errand import Errand, Refused, refused
from bot.core.commands.words.readings import spans_of
from bot.core.commands.words.vocabulary import ANY_PAPERS, phrase
from bot.core.naming import known
from bot.core.reply import Code
from bot.digest import Action

_NONE = (
    (r"(?:in )?(?:this|our|the) (?:channel|conversation|group|thread)",
     "Which topic? For a digest in this conversation: `follow TOPIC in this channel`."),
    (r"(?:(?:the|all) )*(?:same|topics|everything)(?: topics)? (?:as|of|that) (?:[@<#]\S+|my .*)",
     "Nobody is told what others follow. Ask them for their `list`, and follow what you like."),
    (rf"(?:(?:{ANY_PAPERS} )?(?:by|from|of) )?(?:me|myself|(?:my|our)(?: own)? (?:advisors?|authors"
     r"|colleagues|co-?authors|collaborators|friends|labmates|papers|publications|students"
     r"|supervisors?|works?))",
     "Say who it is: `follow author:\"Jun Li\"`, or several: `follow author:\"Jun Li\" OR "
     "author:\"Ada Lovelace\"`."),
    (r"(?:https?://)?(?:www\.)?arxiv\.org/a/\S+|(?:https?://)?(?:www\.)?orcid\.org/\S+|@[\w.-]+",
     "Authors are followed by their names as papers print them: `follow author:\"Jun Li\"`."),
    (r"(?:https?://|www\.)\S+",
     "That is a web address. Follow what papers are about, by its name: `follow world models`, or "
     "what some papers share: `like 2501.01234 2502.00001`."),
)  # fmt: skip
_ANSWERS = tuple((phrase(said), answer) for said, answer in _NONE)
_ONLY_FOR = phrase(
    r"(?P<name>\S.*?) (?:(?:for|over|during) (?:the )?(?:next |coming )?"
    r"(?:(?:\d+|a|one|two|three) )?(?:days?|weeks?|months?|year)|until \S.*"
    r"|(?:since|from|after) (?:\w+ )?(?:19|20)\d\d(?: on(?:wards?)?)?)"
)


def no_topic(errand: Errand, text: str) -> Refused | None:
    """What to type instead of what is no topic, or one with an end; or None."""
    for said, answer in _ANSWERS:
        if said.fullmatch(text):
            return refused(*spans_of(answer))
    found = _ONLY_FOR.fullmatch(text)
    if found and (errand.house.language.knows(found["name"]) or known(errand.house, found["name"])):
        return _without_end(errand, text, found["name"])
    return None


def _without_end(errand: Errand, text: str, name: str) -> Refused:
    better = f"follow {errand.instead(text, name)}"
    return refused(
        "A follow brings what is announced from now on, until you end it: ", Code(better),
        ", and one day ", Code(f"unfollow {name}"), ".",
        buttons=(Action("Follow it", better),),
    )  # fmt: skip
