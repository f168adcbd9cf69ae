"""Follow, unfollow: from a name to papers, with a preview before anything is promised."""

import re
from dataclasses import replace

from bot.core.commands.digests import destinations
from bot.core.commands.digests.schedules import standing_words
from bot.core.commands.errand import Errand, Refused, refused
from bot.core.commands.topics import outlook, remarks
from bot.core.commands.topics.card import card_of
from bot.core.commands.words.clauses import breadth_in, channel_in, rhythm_in, topic_in, typed
from bot.core.commands.words.exclusions import Exclusions, exclusions_in
from bot.core.commands.words.follow_checks import ask_if_meant
from bot.core.commands.words.intents import shared
from bot.core.commands.words.lookup import followed_with, must_know, topic_for
from bot.core.commands.words.several import both_of
from bot.core.commands.words.subject import of_the_conversation
from bot.core.naming import is_everything, known, shown
from bot.core.reply import Code, Line, Query, Reply, Strong, joined, line
from bot.digest import Action
from bot.model import Breadth, Destination, DestinationState, Follow, Momentum, Topic
from bot.momentum import sentence
from bot.text import plural
from bot.timetable import Cadence

_FOR_SOMEBODY = re.compile(
    r"(?:\s+and\s+(?:forward|mail|send)\s+(?:it|them))?\s+(?:for|to|at|with)\s+"
    r"(?:(?P<mail>[^\s@]+@[^\s@]+\.\w+)|<?@\S+|every(?:body|one)|(?:my|our|the) (?:whole )?"
    r"(?:colleagues|group|lab|team))$",
    re.IGNORECASE,
)

_TO_SOMEBODY = re.compile(r"(?:[^\s@<]+@[^\s@]+\.\w+|<?@\S+)\s+(?:to|for)\s+(?=\S)", re.IGNORECASE)


def follow(errand: Errand, text: str) -> Reply:
    """Begin to follow a topic; shows what it would have brought, and when the digest comes."""
    if not text:
        return errand.refuse(
            line("Which topic? For instance ", Code("follow RL for LLM agents")),
            line("All of them: ", Code("topics")),
        )
    house = errand.house
    text = topic_in(house, text)
    _refuse_rhythm(*rhythm_in(house, text))
    _refuse_channel(errand, *channel_in(text))
    _refuse_somebody(errand, text)
    text, breadth = breadth_in(text)
    text, exclusions = exclusions_in(errand, text)
    ask_if_meant(errand, text)
    topic, is_new = topic_for(errand, text)
    return follow_topic(errand, topic, breadth, exclusions, is_new=is_new)


def follow_topic(
    errand: Errand, topic: Topic, breadth: Breadth | None = None,
    exclusions: Exclusions | None = None, *, is_new: bool = False,
) -> Reply:  # fmt: skip
    """Follow a given topic; breadth and exclusions that are not given stay as they were."""
    before = errand.following(topic)
    outlook.look_back(errand, topic)
    if breadth is Breadth.FOCUSED and outlook.silences(errand, topic):
        raise _decides_by_itself(topic)
    with errand.house.store.write():
        destination = destinations.reached(errand)
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


def _refuse_rhythm(name: str, rhythm: str) -> None:
    """A digest holds all topics, so when it comes is no part of a follow."""
    if rhythm:
        raise refused(
            "When it comes is said for all topics together: ", Code(f"follow {name}"), ", then ",
            Code(f"digest {rhythm}"), ".",
            buttons=(
                Action("Follow it", f"follow {name}"),
                Action(f"digest {rhythm}", f"digest {rhythm}"),
            ),
        )  # fmt: skip


def _refuse_channel(errand: Errand, name: str, channel: str) -> None:
    """A digest holds all topics, so where it comes is no part of a follow."""
    if not channel or known(errand.house, errand.said):
        return
    other = {"email": "email you@example.org"}.get(channel, f"digest weekly by {channel}")
    raise refused(
        "Where it comes is said for all topics together: ", Code(f"follow {name}"), ", then ",
        Code(other), ".",
        buttons=(
            Action("Follow it", f"follow {name}"),
            Action("The words", f'follow "{errand.said}"'),
        ),
    )  # fmt: skip


def _refuse_somebody(errand: Errand, text: str) -> None:
    """Raises Refused for a follow on behalf of somebody else: they have to ask themselves."""
    if addressed := _TO_SOMEBODY.match(text):
        raise shared(errand, text[addressed.end() :])
    found = _FOR_SOMEBODY.search(text)
    if found and not found["mail"]:
        raise shared(errand, text[: found.start()])
    if found:
        name, mail = text[: found.start()], f"email {found['mail']}"
        raise refused(
            "Everybody follows for themselves. For your own digest, which can come by mail too: ",
            Code(f"follow {name}"), ", then ", Code(mail), ".",
            buttons=(Action("Follow it", f"follow {name}"), Action(shown(mail, 40), mail)),
        )  # fmt: skip


def _decides_by_itself(topic: Topic) -> Refused:
    """A focused follow of a query that decides by itself would bring nothing."""
    wider = f"follow {topic.slug}, balanced"
    return refused(
        "Focused would bring none of its papers: its query decides by itself. Narrow that "
        "instead: ", Code(f"follow {remarks.narrower(topic)}"),
        buttons=(Action("Follow it as it is", wider),),
    )  # fmt: skip


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
    return line("Your digest comes ", Strong(words), f" ({destination.zone}) {where}.")


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
