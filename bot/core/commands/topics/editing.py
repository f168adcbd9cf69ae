"""Edit: a new query for one's own topic, or for a copy of somebody else's."""

from dataclasses import replace

from bot.core.commands.errand import Errand, refused
from bot.core.commands.topics.following import follow_topic
from bot.core.commands.words.lookup import followed, make_own, must_know
from bot.core.naming import shown
from bot.core.reply import Code, Query, Reply, Strong, line
from bot.digest import Action
from bot.matching import QueryError
from bot.matching.kinds import in_a_query
from bot.model import Origin, Topic


def change_query(errand: Errand, text: str) -> Reply:
    """`edit T: QUERY`: a new version of one's own topic; nobody is told of old papers."""
    name, query = _parted(errand, text)
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


def _parted(errand: Errand, text: str) -> tuple[str, str]:
    """The name and the query behind its colon; a followed query has colons in its own name."""
    colons = [place for place, letter in enumerate(text) if letter == ":"]
    followed_at = (each for each in colons if followed(errand, text[:each]))
    end = next(followed_at, colons[0] if colons else len(text))
    return text[:end], text[end + 1 :]


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
