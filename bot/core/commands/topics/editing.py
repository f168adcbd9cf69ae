"""Edit: a new query for one's own topic, or for a copy of somebody else's, and another name."""

import re
from dataclasses import replace
from itertools import islice

from bot.core.commands.errand import Errand, refused
from bot.core.commands.topics.following import follow_topic
from bot.core.commands.words.lookup import LONGEST_NAME, followed, make_own, must_know
from bot.core.naming import folded, known, shown
from bot.core.reply import Code, Query, Reply, Strong, line
from bot.digest import Action
from bot.matching import QueryError
from bot.matching.names.kinds import in_a_query
from bot.model import Origin, Topic

_COLON = re.compile(":")
_SIGNS = 20  # in a name and a query: more are tried for nobody
_BETWEEN = re.compile(r"\s+(?:to|as|into)\s+|\s*:\s*|\"\s+(?=\")", re.IGNORECASE)


def change_query(errand: Errand, text: str) -> Reply:
    """`edit T: QUERY`: a new version of one's own topic; nobody is told of old papers."""
    name, query = _parted(errand, text, _COLON)
    topic = must_know(errand, name, "edit") if query else None
    if topic is None or not query.strip():
        raise refused("Write ", Code("edit NAME: QUERY"), ".")
    query = in_a_query(query.strip())
    try:
        errand.house.language.check(query, errand.house.store.papers.categories())
    except QueryError as error:
        raise refused(str(error)) from error
    edited = _edited(errand, topic, query)
    reply = follow_topic(errand, edited)
    said = line(Strong(edited.name), " is read as ", Query(edited.query), " from now on.")
    if edited.id == topic.id or errand.following(topic) is None:
        return replace(reply, lines=(said, *reply.lines))
    end = f"unfollow {topic.name}"
    kept = line(Strong(topic.name), " goes on beside it; ", Code(end), " ends that.")
    button = Action(f"Unfollow {shown(topic.name, 40)}", f"unfollow {topic.slug}")
    return replace(reply, lines=(said, kept, *reply.lines), buttons=(*reply.buttons, button))


def rename(errand: Errand, text: str) -> Reply:
    """`rename T to NAME`: one's own topic is called otherwise, and brings what it brought."""
    old, name = _parted(errand, text, _BETWEEN)
    name = shown(_bare(name.strip(" .")), LONGEST_NAME)
    topic = must_know(errand, old, "rename") if name else None
    if topic is None:
        raise refused("Write ", Code("rename NAME to OTHER NAME"), ".")
    _refuse_name(errand, topic, name)
    named = replace(topic, name=name)
    errand.house.store.topics.put(named, {folded(name): name}, errand.now)
    back = f"rename {name} to {topic.name}"
    return errand.reply(
        line("Called ", Strong(name), " from now on. It is read as before: ", Query(topic.query)),
        buttons=(Action("Undo", back),),
    )


def _bare(name: str) -> str:
    """A name without the quotation marks around it."""
    return name.strip('"') if name.count('"') == 2 and name[0] == name[-1] == '"' else name


def _refuse_name(errand: Errand, topic: Topic, name: str) -> None:
    """Raises Refused where a topic has to keep its name, or may not have this one."""
    if not _is_theirs_alone(errand, topic):
        raise refused(Strong(topic.name), " is not yours alone and keeps its name. A copy of your "
                      "own: ", Code(f"edit {topic.name}: …"))  # fmt: skip
    if topic.derived:
        raise refused(
            Strong(topic.name), " is found by its name, so another one brings other papers: ",
            Code(f"follow {name}"), ", then ", Code(f"unfollow {topic.name}"),
        )  # fmt: skip
    if errand.house.language.is_query(name) and name != topic.query:
        raise refused(Strong(shown(name)), " reads as a query; a name is plain words.")
    taken = known(errand.house, name, errand.subscriber)
    if taken and taken.id != topic.id:
        raise refused(Strong(name), " is the name of another topic. Choose another one.")


def _parted(errand: Errand, text: str, between: re.Pattern[str]) -> tuple[str, str]:
    """The name of a topic, and what stands behind the sign: a followed name may hold some."""
    places = list(islice(between.finditer(text), _SIGNS))
    of_mine = (each for each in places if followed(errand, text[: each.start()]))
    place = next(of_mine, places[0] if places else None)
    return (text[: place.start()], text[place.end() :]) if place else (text, "")


def _edited(errand: Errand, topic: Topic, query: str) -> Topic:
    """The topic with the new query if it is theirs alone, else their own copy."""
    name = f"{topic.name} (mine)"
    for own in (topic, followed(errand, name)):
        if own and _is_theirs_alone(errand, own):
            changed = replace(own, query=query, weights="", derived=False)
            return errand.house.store.topics.put(changed, {}, errand.now)
    return make_own(errand, name, query)


def _is_theirs_alone(errand: Errand, topic: Topic) -> bool:
    """Whether nobody else would notice a change to it."""
    followers = errand.house.store.people.followers(topic.id)
    return topic.origin is Origin.OWN and followers == 1 and errand.following(topic) is not None
