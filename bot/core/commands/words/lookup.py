"""Which topic a request means: a followed one, a known one, else one made of its words."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from bot.core.commands.errand import Errand, Refused, rather, refused
from bot.core.commands.words.authors import author_named, by_author
from bot.core.commands.words.categories import called_so, categories_named
from bot.core.commands.words.ordinals import number_in
from bot.core.commands.words.several import which_of
from bot.core.commands.words.vocabulary import phrase
from bot.core.house import House
from bot.core.naming import ENGLISH, folded, known, near, says_nothing, shown, slug_of
from bot.core.reply import Code, Link, Span, Strong
from bot.digest import Action
from bot.matching import QueryError
from bot.matching.names.kinds import in_a_query
from bot.model import Origin, Topic
from bot.text.identifiers import only_ids

LONGEST_NAME = 120
_AROUND = phrase(r"^(?:the )?topic (?=\S)|(?<=\S) (?:papers|topic)$")
_BEFORE_A_TOPIC = phrase(r"(?<=\S) (?:about|for|in|of|on|to|with) (?=\S)")
_LONGEST_TOPIC = 8  # words
_ALL_BUT = phrase(
    r"(?:all|everything) (?:but|except(?: for)?|other than|apart from|besides) (?P<name>\S.*)"
)
_SILENCING = ("mute", "unmute")


def must_know(errand: Errand, text: str, verb: str) -> Topic:
    """The topic of that name, a followed one first.

    Raises Refused with near names: the request as it was typed, with only the name exchanged.
    """
    topic = (
        followed(errand, text)
        or known(errand.house, text, errand.subscriber)
        or _followed_like(errand, text)
    )
    if topic:
        return topic
    if (bare := _AROUND.sub("", text)) != text:
        return must_know(errand, bare, verb)
    raise (
        _no_name(errand, text, verb)
        or _a_paper(errand, text)
        or _that_one(errand, text, verb)
        or _all_but(errand, text, verb)
        or which_of(errand, text, verb)
        or _a_category(errand, text, verb)
        or _an_author(errand, text, verb)
        or _near(errand, text, verb)
        or _unknown(errand, text, verb)
    )


def _a_paper(errand: Errand, text: str) -> Refused | None:
    papers = only_ids(text)
    return of_papers(errand, papers, "That is a paper, not a topic.") if papers else None


def _that_one(errand: Errand, text: str, verb: str) -> Refused | None:
    """The topic at that place of the list: "unfollow 2"."""
    follows, number = errand.house.store.people.follows(errand.subscriber), number_in(text)
    if number is None or number > len(follows):
        return None
    topic = follows[number - 1 if number > 0 else number].topic
    return rather(f"{verb} {errand.instead(text, topic.name)}", status=404)


def _all_but(errand: Errand, text: str, verb: str) -> Refused | None:
    """The followed topics but the one that is to stay: "unfollow everything but tides"."""
    found = _ALL_BUT.fullmatch(text)
    kept = followed(errand, found["name"]) if found else None
    if kept is None:
        return None
    others = (f.topic for f in errand.house.store.people.follows(errand.subscriber))
    commands = [f"{verb} {errand.instead(text, t.slug)}" for t in others if t.id != kept.id]
    return refused(
        "That is said of each topic by itself.",
        buttons=tuple(Action(shown(each, 40), each) for each in commands),
    )


def _near(errand: Errand, text: str, verb: str) -> Refused | None:
    found = near(errand.house, text)
    if not found:
        return None
    return refused(
        *_unknown_is(text), " Did you mean ",
        Code(f"{verb} {errand.instead(text, found[0].name)}"), "?",
        buttons=tuple(Action(t.name, f"{verb} {errand.instead(text, t.slug)}") for t in found),
        status=404,
    )  # fmt: skip


def _unknown(errand: Errand, text: str, verb: str) -> Refused:
    """What to do about a name like no topic's; its words can be muted themselves."""
    if verb != "mute":
        return refused(*_unknown_is(text), " See ", Code("topics"), ", or make it yours with ",
                       Code(f"follow {shown(text)}"), ".", status=404)  # fmt: skip
    quoted = f'"{shown(text)}"'
    better = f"mute {errand.instead(text, quoted)}"
    return refused(
        *_unknown_is(text), " To hear of no paper with these words: ", Code(better), ".",
        buttons=(Action(shown(better, 40), better),), status=404,
    )  # fmt: skip


def _unknown_is(text: str) -> tuple[Span, ...]:
    return "I don’t know the topic ", Strong(shown(text)), "."


def _no_name(errand: Errand, text: str, verb: str) -> Refused | None:
    """A question which topic is meant; somebody who ends something may mean everything."""
    if text.strip():
        return None
    asked = ("Which topic? ", Code(f"{verb} {_example(errand)}"))
    if verb != "unfollow":
        return refused(*asked)
    return refused(*asked, ". To get no more digests at all: ", Code("digest off"), ".",
                   buttons=(Action("Stop the digest", "digest off"),))  # fmt: skip


def of_papers(errand: Errand, papers: Sequence[str], said: str = "What about it?") -> Refused:
    """What can be done with papers that somebody names or pastes links to."""
    ids = " ".join(papers)
    save, like, why = f"save {ids}", f"like {ids}", f"why {papers[0]}"
    return refused(
        f"{said} ", Code(save), " keeps it, ", Code(why), " tells how it came, ",
        Code(like), " finds others like it.", *_where_cited(errand, papers[0]),
        buttons=(Action("Save", save), Action("Why", why), Action("Others like it", like)),
    )  # fmt: skip


def _where_cited(errand: Errand, paper: str) -> tuple[Span, ...]:
    base = errand.house.links.base_url
    return (" BibTeX and RIS: ", Link("its page", f"{base}/papers/{paper}"), ".") if base else ()


def _a_category(errand: Errand, text: str, verb: str) -> Refused | None:
    """What to say of "mute hep-ph"; of several categories one at a time is silent."""
    category = categories_named(errand, text)
    one = category.partition(",")[0] if verb in _SILENCING else category
    better = _silenced_or_followed(errand, text, f"cat:{one}", verb)
    return rather(better, Strong(shown(text)), " is a category.", status=404) if one else None


def _an_author(errand: Errand, text: str, verb: str) -> Refused | None:
    name = author_named(errand.house, text)
    better = _silenced_or_followed(errand, text, by_author(name), verb)
    return rather(better, Strong(name), " is an author.", status=404) if name else None


def _silenced_or_followed(errand: Errand, text: str, query: str, verb: str) -> str:
    """The request that a name which is no topic can be meant by."""
    return f"{verb} {errand.instead(text, query)}" if verb in _SILENCING else f"follow {query}"


def topic_at_end(house: House, question: str) -> str:
    """The known topic that a question ends with: RAG in "how big are chunks in RAG?"; or ""."""
    ends = (question[each.end() :].rstrip("?!. ") for each in _BEFORE_A_TOPIC.finditer(question))
    names = (end for end in ends if len(end.split()) <= _LONGEST_TOPIC)
    return next((name for name in names if known(house, name)), "")


def followed(errand: Errand, text: str) -> Topic | None:
    """The followed topic with exactly that slug, name or query; None for another topic's slug."""
    follows = errand.house.store.people.follows(errand.subscriber)
    found = [each.topic for each in follows if _is_called(errand.house, each.topic, text)]
    slug = errand.house.store.topics.by_slug(text.strip().casefold())
    if slug and known(errand.house, text, errand.subscriber) == slug:
        found = [topic for topic in found if topic.id == slug.id]
    return next(iter(found), None)


def _is_called(house: House, topic: Topic, text: str) -> bool:
    wanted = text.strip().casefold()
    if wanted in (topic.slug, topic.query.casefold(), topic.name.casefold()):
        return True
    is_query = house.language.is_query(text) or house.language.is_query(topic.name)
    return not is_query and folded(text) == folded(topic.name)


def followed_with(errand: Errand, text: str) -> list[Topic]:
    """Followed topics with these words in a row in their names, queries among them."""
    follows, wanted = errand.house.store.people.follows(errand.subscriber), f" {folded(text)} "
    return [each.topic for each in follows if wanted in f" {folded(each.topic.name)} "]


def _example(errand: Errand) -> str:
    follows = errand.house.store.people.follows(errand.subscriber)
    return follows[0].topic.name if follows else "RL for LLM agents"


def _followed_like(errand: Errand, text: str) -> Topic | None:
    """The one followed topic whose name holds these words in a row, if they say anything."""
    fits = [] if says_nothing(text) else followed_with(errand, text)
    return fits[0] if len(fits) == 1 else None


def topic_for(errand: Errand, text: str) -> tuple[Topic, bool]:
    """The topic to follow: a known one, or one of the subscriber's own, and whether it is new.

    A name means the catalogue's topic, and somebody else's own one only where it reads the same.
    Raises Refused for a text that cannot be read.
    """
    if found := standing_topic(errand, text):
        return found, False
    own = own_words(errand, text)
    return make_own(errand, own.name, own.query, derived=own.derived), True


def standing_topic(errand: Errand, text: str) -> Topic | None:
    """The topic to follow where it need not be made: a followed one, or one that is known."""
    if mine := followed(errand, text):
        return mine
    is_query = errand.house.language.is_query(text)
    found = None if is_query else known(errand.house, text, errand.subscriber)
    if found and (found.origin is Origin.CATALOGUE or text.strip().casefold() == found.slug):
        return found
    return None


class OwnWords(NamedTuple):
    """A topic of one's own as its words say it: what it is called, and its query; `derived` says
    that the query was made of the name."""

    name: str
    query: str
    derived: bool


def own_words(errand: Errand, text: str) -> OwnWords:
    """How a text is read that leads to no known topic.

    Text with quotes or operators is a query as it stands.  Raises Refused for one that cannot
    be read, with the place and a corrected example.
    """
    language = errand.house.language
    is_query = language.is_query(text)
    try:
        query = in_a_query(text) if is_query else language.derive(text)
        language.check(query, errand.house.store.papers.categories())
    except QueryError as error:
        said = str(error).removesuffix(error.suggestion)
        example = (Code(f"follow {error.suggestion}"),) if error.suggestion else ()
        raise refused(said, *example) from error
    if not is_query and language.is_vague(text):
        raise _too_vague(text)
    name = shown(text, LONGEST_NAME)
    is_whole = name == " ".join(text.split())
    return OwnWords(name, query, derived=is_whole and not is_query)


def _too_vague(text: str) -> Refused:
    """A question whether a name such as "R&D" is meant letter by letter."""
    quoted, category = f'follow "{shown(text)}"', called_so(text)
    whole = f"follow cat:{category}"
    return refused(
        Strong(shown(text)), " holds no word of three letters and would find much else; add one, "
        "or have it as it stands: ", Code(quoted), "" if text.isascii() else f".{ENGLISH}",
        *((". All of the category: ", Code(whole)) if category else ()),
        buttons=(Action("Follow it as it stands", quoted),
                 *((Action(whole, whole),) if category else ())),
    )  # fmt: skip


def make_own(errand: Errand, name: str, query: str, *, derived: bool = False) -> Topic:
    """A topic of the subscriber's own under a free slug, or the one there with the same query."""
    topics = errand.house.store.topics
    for candidate in _slugs(slug_of(name, errand.house.language.written_out(name))):
        taken = topics.by_slug(candidate) or _of_the_catalogue(errand.house, candidate)
        if taken is None:
            break
        if taken.query == query and taken.slug == candidate:
            return taken
    wanted = Topic(0, candidate, name, query, origin=Origin.OWN, derived=derived)
    return topics.put(wanted, {folded(name): name}, errand.now, errand.enrolled())


def _of_the_catalogue(house: House, slug: str) -> Topic | None:
    """The catalogue's topic that a slug's words lead to: no other topic may take them."""
    found = house.store.topics.by_name(folded(slug))
    return found if found and found.origin is Origin.CATALOGUE else None


def _slugs(slug: str) -> Iterable[str]:
    yield slug
    number = 2
    while True:
        yield f"{slug}-{number}"
        number += 1
