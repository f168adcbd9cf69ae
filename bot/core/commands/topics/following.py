"""Follow, unfollow: from a name to papers, with a preview before anything is promised."""

from dataclasses import replace

from bot.core.commands.digests import destinations
from bot.core.commands.digests.wording import by_clock, standing_words
from bot.core.commands.errand import Errand, refused
from bot.core.commands.topics import outlook, remarks
from bot.core.commands.topics.card import card_of
from bot.core.commands.topics.wish import decides_by_itself, wished
from bot.core.commands.words.clauses import typed
from bot.core.commands.words.exclusions import Exclusions
from bot.core.commands.words.lookup import followed_with, must_know, topic_for
from bot.core.commands.words.several import both_of
from bot.core.commands.words.subject import of_the_conversation
from bot.core.naming import is_everything, shown
from bot.core.reply import Code, Line, Query, Reply, Strong, joined, line
from bot.digest import Action
from bot.model import Breadth, Destination, DestinationState, Follow, Momentum, Topic
from bot.momentum import sentence
from bot.text import plural
from bot.timetable import Cadence


def follow(errand: Errand, text: str) -> Reply:
    """Begin to follow a topic; shows what it would have brought, and when the digest comes."""
    if not text:
        return errand.refuse(
            line("Which topic? For instance ", Code("follow RL for LLM agents")),
            line("All of them: ", Code("topics")),
        )
    wish = wished(errand, text)
    topic, is_new = topic_for(errand, wish.text)
    return follow_topic(errand, topic, wish.breadth, wish.exclusions, is_new=is_new)


def follow_topic(
    errand: Errand, topic: Topic, breadth: Breadth | None = None,
    exclusions: Exclusions | None = None, *, is_new: bool = False,
) -> Reply:  # fmt: skip
    """Follow a given topic; breadth and exclusions that are not given stay as they were."""
    outlook.look_back(errand, topic)
    if breadth is Breadth.FOCUSED and outlook.silences(errand, topic):
        raise decides_by_itself(topic)
    with errand.house.store.write():
        _must_stand(errand, topic)
        before, destination = errand.following(topic), destinations.reached(errand)
        standing = errand.house.store.people.follow(
            _wished(errand, before, topic, breadth, exclusions), errand.now
        )
    momentum = outlook.momentum_of(errand, standing)
    said = "You already follow " if before and before == standing else "Following "
    return errand.reply(
        line(said, Strong(topic.name), _stop(topic.name), " ", _would_have_brought(momentum)),
        *remarks.in_force(standing, before),
        *remarks.idle(errand, standing),
        *(_how_it_was_read(errand, topic) if is_new else ()),
        *remarks.advice(errand, standing, momentum),
        _when(errand, destination),
        papers=outlook.samples(errand, standing),
        buttons=(
            *_turn_on(destination),
            *_next_steps(errand, standing),
            *_undo(standing, before),
            *(_either(errand, topic) or remarks.rather(errand, topic) if is_new else ()),
        ),
        card=replace(card_of(errand, topic), momentum=momentum),
        notice=_notice(errand, destination, topic),
    )


def _must_stand(errand: Errand, topic: Topic) -> None:
    """Raises Refused for a topic that was forgotten, with whoever made it, while it was counted."""
    current = errand.house.store.topics.get(topic.id)
    if current is None or current.query != topic.query:
        raise refused(Strong(shown(topic.name)), " was changed by somebody at this moment; nothing "
                      "was changed for you. Type it once more.", status=409)  # fmt: skip


def _wished(
    errand: Errand, before: Follow | None, topic: Topic, breadth: Breadth | None,
    exclusions: Exclusions | None,
) -> Follow:  # fmt: skip
    """The follow as it will be: what was not given stays as it was."""
    last = errand.house.store.topics.last_number()
    wish = before or Follow(0, errand.enrolled(), topic, last)
    words, authors = exclusions or (wish.without_words, wish.without_authors)
    return replace(
        wish, breadth=breadth or wish.breadth, without_words=words, without_authors=authors
    )


def _notice(errand: Errand, destination: Destination, topic: Topic) -> Line | None:
    words = f"{Cadence.parse(destination.cadence).words()} {destination.zone}"
    return errand.notice(
        f"set a digest here ({words}): ", Strong(topic.name), ". ", Code("digest off"), " stops it."
    )


def unfollow(errand: Errand, text: str) -> Reply:
    """End a follow; Undo restores it whole."""
    if is_everything(text):
        return _unfollow_all(errand)
    topic = must_know(errand, text, "unfollow")
    standing = errand.following(topic)
    if standing is None:
        beside = of_the_conversation(errand, f"unfollow {topic.slug}", topic)
        return errand.refuse(
            line("You don’t follow ", Strong(topic.name), "; nothing changed."), *beside.lines,
            status=200,
            buttons=(*beside.buttons,
                     *(Action(f"Unfollow {shown(each.name, 40)}", f"unfollow {each.name}")
                       for each in followed_with(errand, text))),
        )  # fmt: skip
    errand.house.store.people.end_follow(standing.id, errand.now)
    left = len(errand.house.store.people.follows(standing.subscriber_id))
    return errand.reply(
        line(
            "No longer following ",
            Strong(topic.name),
            ". ",
            remarks.others_go_on(left) or "You follow nothing now.",
        ),
        *(destinations.next_digest(errand) if left else ()),
        buttons=(Action("Undo", f"undo unfollow {standing.id}"),),
    )


def undo_unfollow(errand: Errand, follow_id: int) -> Reply:
    """Restore a follow whole."""
    restored = errand.house.store.people.resume_follow(follow_id, errand.subscriber)
    if restored is None:
        raise refused("There is nothing to undo here.", status=404)
    return errand.reply(
        line("Following ", Strong(restored.topic.name), " again, as before."),
        *destinations.next_digest(errand),
    )


def which_undo(errand: Errand) -> Reply:
    """What a bare "undo" may mean: for instance, the topic unfollowed last."""
    last = errand.house.store.people.given_up(errand.subscriber)
    if last is None:
        raise refused("Undo what? Press Undo beside what you did.")
    again = f"undo unfollow {last.id}"
    return errand.refuse(
        line("Undo what? Press Undo beside it. To follow ", Strong(last.topic.name), " again: ",
             Code(again)),
        buttons=(Action(f"Follow {shown(last.topic.name, 40)} again", again),),
    )  # fmt: skip


def _unfollow_all(errand: Errand) -> Reply:
    follows = errand.house.store.people.follows(errand.subscriber)
    if not follows:
        return errand.refuse(line("You follow nothing; nothing changed."), status=200)
    with errand.house.store.write():
        for each in follows:
            errand.house.store.people.end_follow(each.id, errand.now)
    ids = " ".join(str(each.id) for each in follows)
    return errand.reply(
        line(f"No longer following anything ({plural(len(follows), 'topic')})."),
        buttons=(Action("Undo", f"undo unfollow {ids}"),),
    )


def _stop(name: str) -> str:
    """The full stop after a name, unless the name ends with one: R.A.G."""
    return "" if name.endswith((".", "!", "?", "…")) else "."


def _would_have_brought(momentum: Momentum) -> str:
    said = sentence(momentum)
    return f"It would have brought {said}" if said[0].isdigit() else said


def _how_it_was_read(errand: Errand, topic: Topic) -> list[Line]:
    each = [Code(f"follow {part}") for part in both_of(errand, topic)]
    return [
        line("Your own topic, read as ", Query(topic.query)),
        *(
            [line("Its papers are about both. For either: ", *joined(each, " and "), ".")]
            if each
            else ()
        ),
        line("Change it with ", Code(f"edit {topic.name}: …"), "."),
    ]


def _either(errand: Errand, topic: Topic) -> tuple[Action, ...]:
    return tuple(
        Action(f"Rather {shown(part, 40)}", f"follow {part}") for part in both_of(errand, topic)
    )


def _when(errand: Errand, destination: Destination) -> Line:
    words = Cadence.parse(destination.cadence).words()
    where = "in your direct messages" if errand.actor.conversation else "here"
    if errand.subject.is_conversation:
        where = "in the conversation"
    if destination.channel == "email":
        where = f"to {destination.address}"
    if destination.state is not DestinationState.ACTIVE:
        return line(f"The digest {where} is {standing_words(destination)}.")
    return line("Your digest comes ", Strong(words), by_clock(destination), f" {where}.")


def _turn_on(destination: Destination) -> tuple[Action, ...]:
    """Somebody who left and follows again probably wants the digest back."""
    is_off = destination.state is DestinationState.OFF
    return (Action("Turn it on", "digest on"),) if is_off else ()


def _next_steps(errand: Errand, standing: Follow) -> tuple[Action, ...]:
    daily, again = Action("Daily instead", "digest daily"), f"follow {standing.topic.slug}"
    if standing.breadth is Breadth.FOCUSED:
        return daily, Action("As usual", f"{again}, balanced")
    if outlook.narrows(errand, standing.topic):
        return daily, Action("Only the closest", f"{again}, focused")
    return (daily,)


def _undo(standing: Follow, before: Follow | None) -> tuple[Action, ...]:
    """Back to what was before this request: not followed, or followed with other wishes."""
    if before is None:
        return (Action("Undo", f"unfollow {standing.topic.slug}"),)
    return (Action("Undo", f"follow {typed(before)}"),) if before != standing else ()
