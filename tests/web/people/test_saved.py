"""What one saved is counted, found page by page, and taken along."""

import pytest

from bot.core.reply import Actor
from tests.web.people.reader import ADA, save_all, text


def test_saved_papers_are_listed_and_removed(desk):
    paper = next(iter(desk.store.papers.some([1])))
    desk.core.execute(Actor(ADA), f"save {paper.arxiv_id}")
    page = desk.client.get(desk.link("person")).text
    assert paper.title in text(page)

    desk.press(page, "Remove")
    assert desk.store.people.saved(desk.subscriber) == []


def test_everything_that_was_saved_is_counted_and_found_page_by_page(desk):
    saved = save_all(desk)
    own = desk.link("person")
    first, last = desk.client.get(own).text, desk.client.get(f"{own}?page=2").text

    assert len(saved) == 60
    assert "Saved papers 60" in text(first)
    assert "1–50 of 60" in text(first)
    assert saved[0].title in text(first)
    assert f'href="{own}?page=2#saved"' in first
    assert "51–60 of 60" in text(last)
    assert saved[-1].title in text(last)
    assert "51–60 of 60" in text(desk.client.get(f"{own}?page=99").text), "the nearest page"


def test_a_paper_saved_long_ago_is_removed_where_it_is_seen(desk):
    oldest = save_all(desk)[-1]
    page = desk.client.get(f"{desk.link('person')}?page=2").text

    answer = desk.client.post(
        f"{desk.link('person')}?page=2", data={"do": f"unsave {oldest.arxiv_id}"}
    )
    assert f'action="{desk.link("person")}?page=2"' in page
    assert "51–59 of 59" in text(answer.text)
    assert oldest.seq not in desk.store.people.saved(desk.subscriber)


@pytest.mark.parametrize(("kind", "mark"), [("bib", "@misc"), ("ris", "TY  -"), ("csv", "/abs/")])
def test_everything_that_was_saved_is_taken_along(desk, kind, mark):
    save_all(desk)
    answer = desk.client.get(f"{desk.link('person')}/saved.{kind}")

    assert answer.text.count(mark) == 60
    assert answer.headers["Content-Disposition"] == f'attachment; filename="saved.{kind}"'
    assert answer.headers["Cache-Control"] == "no-store"
    assert f"{desk.link('person')}/saved.{kind}" in desk.client.get(desk.link("person")).text


@pytest.mark.parametrize("path", ["pforged/saved.bib", "{own}/saved.exe"])
def test_saved_papers_are_for_their_reader_and_in_known_forms(desk, path):
    own = desk.link("person").removeprefix("/l/")
    assert desk.client.get("/l/" + path.format(own=own)).status_code in (400, 404)
