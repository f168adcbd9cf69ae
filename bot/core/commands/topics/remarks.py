"""What is said of a follow beside its promise: what it leaves out, what may be meant instead."""

from collections import Counter
from contextlib import suppress

from bot.core.commands.errand import Errand
from bot.core.commands.topics import outlook
from bot.core.commands.words.authors import (
    author_named,
    by_author,
    may_be_a_person,
    rather_by,
)
from bot.core.naming import ENGLISH, near, shown
from bot.core.pipeline.papers.news import ALL, begun
from bot.core.reply import Code, Line, Strong, joined, line
from bot.digest import Action
from bot.matching import QueryError, cut
from bot.matching.queries.outside import Outside
from bot.model import Breadth, Follow, Momentum, Topic
from bot.text import percent, plural

TOO_MUCH = 0.05  # of all new papers
FEW = 4  # categories below which each is named, and not their archive


def in_force(standing: Follow, before: Follow | None) -> list[Line]:
    """What a follow leaves out and how close papers must be, unless that is as usual."""
    slug, out, lines = standing.topic.slug, _left_out(standing), []
    if out:
        lines.append(line("Left out: ", Strong(", ".join(out)), ". ",
                          Code(f"follow {slug} without nothing"), " clears that."))  # fmt: skip
    if gone := [each for each in (_left_out(before) if before else []) if each not in out]:
        lines.append(line("No longer left out: ", Strong(", ".join(gone)), "."))
    if standing.breadth is not Breadth.BALANCED:
        lines.append(line("Breadth: ", Strong(standing.breadth), ". ",
                          Code(f"follow {slug}, balanced"), " is as usual."))  # fmt: skip
    return lines


def idle(errand: Errand, standing: Follow) -> list[Line]:
    """Excluded words that no stored paper of the topic has: perhaps others were meant."""
    words = outlook.idle(errand, standing)
    if not words:
        return []
    takes = "takes" if len(words) == 1 else "take"
    return [line(" and ".join(f"“{shown(each)}”" for each in words),
                 f" {takes} no stored paper away.")]  # fmt: skip


def advice(errand: Errand, follow: Follow, momentum: Momentum) -> list[Line]:
    """What to do if a follow brings nothing, too much, or no more than a narrower one."""
    topic = follow.topic
    if unread := _unread(errand, topic):
        listed = ", ".join(sorted(unread if len(unread) < FEW else {_archive(u) for u in unread}))
        return [
            line(f"What arXiv lists in {listed} was not read so far. "
                 "It is from now on, and the weeks before come within the hour.")
        ]  # fmt: skip
    stored = errand.house.store.topics.count(topic.id, cut(Breadth.BALANCED))
    if not stored and errand.house.store.papers.count() and momentum.matched_after is None:
        return [_no_paper_yet(errand, topic), *_of_another_field(errand, topic)]
    if momentum.share is not None and momentum.share > TOO_MUCH:
        return [
            line(f"That is {percent(momentum.share)} of all new papers, which is a lot. ",
                 *_less(errand, follow))
        ]  # fmt: skip
    if outlook.adds_nothing(errand, follow):
        return [line("Its query decides by itself: broad brings what balanced does.")]
    return []


def others_go_on(count: int) -> str:
    """Say that other topics go on; "" if there are none."""
    if count < 1:
        return ""
    return f"The other {plural(count, 'topic')} go on." if count > 1 else "The other topic goes on."


def _less(errand: Errand, follow: Follow) -> Line:
    """How to make a follow bring less, but not nothing."""
    slug = follow.topic.slug
    if follow.breadth is not Breadth.FOCUSED and outlook.narrows(errand, follow.topic):
        return line(Code(f"follow {slug}, focused"), " brings the closest only.")
    if outlook.silences(errand, follow.topic):
        return line(Code(f"follow {narrower(follow.topic)}"), " brings those with that word.")
    return line(Code(f"follow {slug} without survey"), " leaves some out.")


def narrower(topic: Topic) -> str:
    """A query that brings less than a topic's own."""
    return f"({topic.query}) AND WORD"


def rather(errand: Errand, topic: Topic) -> tuple[Action, ...]:
    """Buttons for what may be meant instead of a new topic: similar authors or topics."""
    if asked := _authors_asked(errand, topic):
        names = rather_by(errand.house, asked)
        return tuple(Action(f"Rather {name}", f"follow {by_author(name)}") for name in names)
    name = author_named(errand.house, topic.name)
    author = (Action(f"Rather by {name}", f"follow {by_author(name)}"),) if name else ()
    found = _near(errand, topic, 2)
    return (*author, *(Action(f"Rather {t.name}", f"follow {t.slug}") for t in found))


def _near(errand: Errand, topic: Topic, limit: int = 3) -> list[Topic]:
    """Other topics with a similar name."""
    found = near(errand.house, topic.name, limit + 1)
    return [each for each in found if each.id != topic.id][:limit]


def _unread(errand: Errand, topic: Topic) -> set[str]:
    """The categories of its papers that nobody needed before; none before the first poll."""
    known = begun(errand.house)
    return _fields(errand, topic) - set(known) if known and ALL not in known else set()


def _fields(errand: Errand, topic: Topic) -> set[str]:
    """The categories that its query names and its words belong to."""
    with suppress(QueryError):
        return set(errand.house.language.categories(topic.query, name=topic.name))
    return set()


def _archive(category: str) -> str:
    return category.partition(".")[0]


def _no_paper_yet(errand: Errand, topic: Topic) -> Line:
    asked = _authors_asked(errand, topic)
    if asked and (names := rather_by(errand.house, asked)):
        offered = joined(Code(f"follow {by_author(name)}") for name in names)
        return line("No stored paper is by anybody of that whole name. There is ", *offered, ".")
    names = [] if asked else [t.name for t in _near(errand, topic)]
    is_rather_a_person = "." in topic.name or (topic.name.isascii() and not names)
    if may_be_a_person(topic.name) and is_rather_a_person:
        return line("No stored paper matches it yet. Where it is an author: ",
                    Code(f"follow {by_author(topic.name)}"), ".")  # fmt: skip
    hint = f" Near: {', '.join(names)}." if names else " Fewer or other words may find more."
    english = "" if names and topic.name.isascii() else ENGLISH
    return line(f"No stored paper matches it yet.{hint}{english}")


def _of_another_field(errand: Errand, topic: Topic) -> list[Line]:
    """Say that unread fields bring no papers, if nothing tells which field the topic is of."""
    read = sorted(begun(errand.house))
    if not read or ALL in read or _authors_asked(errand, topic) or _fields(errand, topic):
        return []
    of_archive = Counter(map(_archive, read))
    names = {_archive(each) if of_archive[_archive(each)] > 1 else each for each in read}
    is_query = errand.house.language.is_query(topic.name)
    name = f"({topic.query})" if is_query else shown(topic.name)
    return [
        line(f"Only {', '.join(sorted(names))} {'is' if len(names) == 1 else 'are'} read so far. "
             "Where it is of another field, name that, and it is read, too: ",
             Code(f"follow {name} cat:q-bio"), ".")
    ]  # fmt: skip


def _authors_asked(errand: Errand, topic: Topic) -> Outside | None:
    """The authors that a topic's query asks for, or None."""
    compiled = errand.house.compendium.compile(topic)
    asked = compiled.outside if compiled else None
    return asked if asked and asked.authors else None


def _left_out(follow: Follow) -> list[str]:
    return [*follow.without_words, *follow.without_authors]
