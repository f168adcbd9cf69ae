"""What the files know becomes topics in the store: the catalogue, and names read anew."""

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace

from bot.core.house import House
from bot.core.naming import folded
from bot.matching import QueryError
from bot.model import Origin, Topic


@dataclass(frozen=True, slots=True)
class Listed:
    """A topic as the catalogue lists it.  An empty query is derived from the name."""

    slug: str
    name: str
    description: str
    field: str
    query: str = ""
    aliases: tuple[str, ...] = ()


LEARNED = "catalogue"


def keep_up(house: House, listed: Callable[[], list[Listed]], mark: str = "") -> None:
    """Bring the store up to what is listed, and read people's names anew.

    `mark` stands for all that it depends on besides the store, "" for what nobody knows: where it
    is the same as the last time, nothing is done.
    """
    before = house.store.ledger.watermark(LEARNED) or ""
    if mark and mark == before:
        return
    topics = listed()
    learn(house, topics)
    read_anew(house)
    stored = {t.slug for t in house.store.topics.all(own=False)}
    settled = mark if stored <= {each.slug for each in topics} else ""  # else some are to go yet
    if settled != before:
        house.store.ledger.set_watermark(LEARNED, settled, house.clock())


def learn(house: House, listed: list[Listed]) -> int:
    """Store the topics that are new or changed; retire those that are listed no more.

    Nobody is told of old papers by it.  A topic whose query cannot be read is left out: the
    others go on.
    """
    known = {t.slug: t for t in house.store.topics.all(own=False)}
    changed = [
        (each, topic)
        for each in listed
        if (topic := _topic(house, each, known.get(each.slug))) is not None
        and _differs(known.get(each.slug), topic, _names(each))
    ]
    now = house.clock()
    with house.store.write():
        # First, so that another topic can take over a name: an old slug, an alias.
        if set(known) - {each.slug for each in listed}:
            house.store.topics.retire([each.slug for each in listed], now)
        for each, _ in changed:
            if old := known.get(each.slug):
                house.store.topics.leave_names(old.id, _names(each))
        for each, topic in changed:
            house.store.topics.put(topic, _names(each), now)
        house.store.topics.bring_back()  # whoever follows one hears of it
    return len(changed)


def read_anew(house: House) -> int:
    """Read anew, with today's thesaurus, people's own topics that were read from their names.

    Returns how many changed.  Nobody is told of old papers by it; an edited query stays.
    """
    language = house.language
    own = [t for t in house.store.topics.all() if t.derived and not language.is_query(t.name)]
    read = [replace(topic, query=language.derive(topic.name), weights="") for topic in own]
    changed = [new for new, old in zip(read, own, strict=True) if new.query != old.query]
    with house.store.write():
        for topic in changed:
            house.store.topics.put(topic, {}, house.clock())
    return len(changed)


def _topic(house: House, each: Listed, known: Topic | None) -> Topic | None:
    """The topic to store; None where its query cannot be read.  A stored query was read before."""
    try:
        query = each.query or house.language.derive(each.name)
        if known is None or known.query != query:
            house.language.check(query)
    except QueryError:
        return None
    return Topic(
        0, each.slug, each.name, query, each.description, each.aliases, each.field,
        Origin.CATALOGUE,
    )  # fmt: skip


def _names(each: Listed) -> dict[str, str]:
    """All that leads to a topic, as it is compared and as it is printed."""
    return {folded(name): name for name in (*each.aliases, each.slug, each.name)}


def _differs(known: Topic | None, wanted: Topic, names: Collection[str]) -> bool:
    if known is None:
        return True
    same = ("name", "query", "description", "field")
    led = {folded(name) for name in (*known.aliases, known.name)}
    return led != set(names) or any(getattr(known, name) != getattr(wanted, name) for name in same)
