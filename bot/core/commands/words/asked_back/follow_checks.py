"""What is asked back before a follow whose words were hardly meant as a topic."""

from bot.core.commands.errand import Errand, Refused, rather, refused
from bot.core.commands.words.asked_back import people
from bot.core.commands.words.asked_back.no_topic import no_topic
from bot.core.commands.words.asked_back.slips import slip
from bot.core.commands.words.asked_back.unavailable import unavailable
from bot.core.commands.words.categories import categories_named
from bot.core.commands.words.lookup import followed
from bot.core.commands.words.readings import answered
from bot.core.commands.words.several import several
from bot.core.commands.words.vocabulary import ANY_PAPERS, phrase
from bot.core.naming import is_everything, known, says_nothing
from bot.core.reply import Code
from bot.digest import Action
from bot.text.categories import listed_at
from bot.text.identifiers import find_ids, only_ids

_OF_A_LIST = phrase(
    r"^(?:(?:all|any|anything|arxiv|category|every|everything|latest|new|of|papers?|preprints?"
    r"|recent|the|in|from|on) )+"
    r"| (?:articles?|category|listings?|papers?|preprints?|submissions?)$"
)
"""What people say of a category that they name: "new cs.CL papers"."""


_EVERY_PAPER = phrase(
    rf"(?:{ANY_PAPERS}|(?:all|any|every)(?: of)?(?: the)?"
    r"(?: (?:areas?|categor(?:y|ies)|fields?|subjects?|topics?))?|arxiv)"
    r"(?: (?:from |in |of |on )?arxiv)?"
)
"""What nobody means as the name of a topic: "all papers", "everything on arXiv"."""

_ANOTHER = phrase(r"(?:mute|snooze|unfollow|unmute|unsubscribe(?: from)?) (?P<name>\S.*)")


def ask_if_meant(errand: Errand, text: str) -> None:
    """Raises Refused, with a better request, for a paper, a category, an author or a slip."""
    answer = answered(_OF_ANY, errand, text)
    if not answer and not (followed(errand, text) or known(errand.house, text, errand.subscriber)):
        is_query = errand.house.language.is_query(text)
        readings = (*_OF_A_NEW_ONE, *(_OF_A_QUERY if is_query else _OF_WORDS))
        answer = answered(readings, errand, text)
    if answer:
        raise answer


def _papers(errand: Errand, text: str) -> Refused | None:
    if papers := only_ids(text):
        return _better("That is a paper. Follow what it is about: ", f"like {' '.join(papers)}")
    named = [each.arxiv_id for each in find_ids(text)]
    better = f"like {' '.join(named)}"
    return _better("That names a paper. Follow what it is about: ", better) if named else None


def _listing(errand: Errand, text: str) -> Refused | None:
    category = listed_at(text)
    better = f"follow cat:{category}"
    return _better("That is arXiv’s list of a category: ", better) if category else None


def _nothing(errand: Errand, text: str) -> Refused | None:
    if not says_nothing(text):
        return None
    return refused("Every paper says that. Which topic? ", Code("follow RL for LLM agents"))


def _everything(errand: Errand, text: str) -> Refused | None:
    if not _EVERY_PAPER.fullmatch(text.strip()):
        return None
    return refused("That would be every paper. All of a category: ", Code("follow cat:cs.LG"),
                   ", topics by name: ", Code("topics"))  # fmt: skip


def _request(errand: Errand, text: str) -> Refused | None:
    """Another request about what is a topic, typed where only that was asked for."""
    found = _ANOTHER.fullmatch(text)
    name = found["name"] if found else ""
    if not name or not (is_everything(name) or followed(errand, name) or known(errand.house, name)):
        return None
    words = Action("The words", f'follow "{text}"')
    return rather(text, "That is a request of its own.", others=(words,))


def _categories(errand: Errand, text: str) -> Refused | None:
    category = _category(errand, text)
    if not category:
        return None
    these = "These are categories" if "," in category else "That is a category"
    return _better(f"{these}: ", f"follow {errand.instead(text, f'cat:{category}')}")


def _better(why: str, command: str) -> Refused:
    return refused(why, Code(command), buttons=(Action("Do that", command),))


def _category(errand: Errand, text: str) -> str:
    """The categories that a text names, as arXiv writes them, or "" if they are read as words."""
    found = categories_named(errand, _OF_A_LIST.sub("", text))
    return found if "," not in found or any("." not in each for each in found.split(",")) else ""


_OF_ANY = (_papers, _listing)
_OF_A_NEW_ONE = (no_topic, _nothing, _everything, _categories)
_OF_A_QUERY = (people.beside_an_author,)
_OF_WORDS = (_request, unavailable, people.authors, several, people.author, people.which_author,
             people.by_an_author, slip)  # fmt: skip
