"""Whose institutes are looked up, and what a digest is spared of it."""

import pytest

from bot.core import Actor
from bot.model import Author, Identity
from bot.sources import SourceError, SourceFault
from tests.web import invented
from tests.web.opened import fill, open_core


class Pages:
    """A page for every paper, that names one institute for its first author."""

    def __init__(self, trouble: SourceError | None = None) -> None:
        self.trouble = trouble
        self.asked: list[str] = []

    def authors(self, paper):
        self.asked.append(paper.arxiv_id)
        if self.trouble:
            raise self.trouble
        return (Author(paper.authors[0].name, ("Institute of Odds",)), *paper.authors[1:])


@pytest.fixture
def core():
    opened = open_core(None, lambda: invented.NOW)
    papers = [p for p in invented.papers() if p.arxiv_id > "2609"]
    fill(opened, invented.TOPICS, papers)
    yield opened
    opened.house.store.close()


@pytest.fixture
def followed(core):
    core.execute(Actor(Identity("console", "", "me")), "follow RL for LLM agents")
    return core


def test_nothing_is_asked_about_what_nobody_follows(core):
    pages = Pages()

    assert core.enrich(pages) is None
    assert pages.asked == []


def test_only_papers_without_institutes_and_each_once(followed):
    pages = Pages()
    while followed.enrich(pages):
        pass

    assert sorted(pages.asked) == ["2610.90001", "2610.90002", "2610.90003", "2610.90004"]
    found = followed.house.store.papers.get("2610.90001")
    assert found.authors[0].affiliations == ("Institute of Odds",)


def test_what_may_pass_is_asked_again(followed):
    assert followed.enrich(Pages(SourceError("silent"))) is None

    assert followed.enrich(Pages()) is not None


def test_what_is_refused_for_good_is_not_asked_again(followed):
    first = followed.enrich(Pages(SourceError("gone", SourceFault.PERMANENT)))
    second = followed.enrich(Pages())

    assert first != second
    assert followed.house.store.papers.get(first.arxiv_id).authors == first.authors
