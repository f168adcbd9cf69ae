"""All topics, compiled once and kept; one that changes is compiled anew alone."""

import threading

from bot.matching import Compiled, Language, Matcher, QueryError
from bot.model import Origin, Topic
from bot.store import Store


class Compendium:
    """All topics, and all of them compiled.  One that changes is read and compiled anew alone.

    Compiling a thousand topics takes seconds, so only those who match papers wait for it.
    """

    def __init__(self, store: Store, language: Language) -> None:
        self._store = store
        self._language = language
        self._lock = threading.Lock()
        self._topics: tuple[str, dict[int, Topic]] = ("", {})
        self._compiled: dict[int, tuple[Topic, Compiled | None]] = {}
        self._matcher: tuple[str, Matcher] = ("", Matcher({}))
        self.unread: frozenset[int] = frozenset()  # topics that the matcher had to leave out

    def topics(self) -> dict[int, Topic]:
        """The topics by id."""
        return self._read()[1]

    def current(self) -> tuple[Matcher, dict[int, Topic], str]:
        """The matcher of all topics, the topics by id, and the stamp that both are true for."""
        with self._lock:
            stamp, topics = self._read()
            if self._matcher[0] != stamp:
                self._compiled = {t.id: self._kept(t) for t in topics.values()}
                ready = {i: c for i, (_, c) in self._compiled.items() if c}
                self.unread = frozenset(topics.keys() - ready.keys())
                self._matcher = (stamp, Matcher(ready))
            return self._matcher[1], topics, stamp

    def compile(self, topic: Topic) -> Compiled | None:
        """The topic ready to judge; None where its query cannot be read any more."""
        try:
            name = topic.name if self._means_its_name(topic) else ""
            return self._language.compile(topic.query, name=name, weights=topic.weights)
        except QueryError:
            return None

    def _means_its_name(self, topic: Topic) -> bool:
        """Whether the name's words count as well: not once somebody has put a query in their place.

        The catalogue's queries were written for its names.
        """
        if topic.origin is Origin.CATALOGUE or self._language.is_query(topic.name):
            return topic.origin is Origin.CATALOGUE
        return self._language.derive(topic.name) == topic.query

    def _read(self) -> tuple[str, dict[int, Topic]]:
        stamp = self._store.topics.stamp()
        if stamp != self._topics[0]:
            self._topics = (stamp, {topic.id: topic for topic in self._store.topics.all()})
        return self._topics

    def _kept(self, topic: Topic) -> tuple[Topic, Compiled | None]:
        known = self._compiled.get(topic.id)
        if known and known[0] == topic:
            return known
        try:
            return topic, self.compile(topic)
        except Exception:  # whatever it is, the other topics are matched
            return topic, None
