"""What somebody keeps is theirs to take along, as files behind links."""

import pytest

from bot.core.reply import Actor, Link
from tests.core.conftest import World, said
from tests.houses import ADA, core_over

PAGES = "https://papers.example.org"


def addresses(reply):
    return [span.url for each in reply.lines for span in each if isinstance(span, Link)]


@pytest.mark.parametrize(
    "typed", ["export", "export my saved papers", "bibtex", "download csv", "export all to Zotero"]
)
def test_saved_papers_are_taken_along(world: World, typed: str):
    ids = world.announce("The tide", "A gull")
    world.say(f"save {' '.join(ids)}")
    reply = world.say(typed)

    assert said(reply).startswith("2 saved papers to take along: BibTeX")
    files = addresses(reply)
    assert [each.partition("?")[0] for each in files] == [
        f"{PAGES}/saved.bib", f"{PAGES}/saved.ris", f"{PAGES}/saved.csv",
    ]  # fmt: skip
    assert set(files[0].partition("?ids=")[2].split(",")) == set(ids)


def test_more_than_one_address_holds_come_in_parts(world: World):
    ids = world.announce(*(f"The tide {n}" for n in range(201)))
    world.say(f"save {' '.join(ids[:120])}")
    world.say(f"save {' '.join(ids[120:])}")
    reply = world.say("export")

    assert [line[0] for line in reply.lines] == [
        "201 saved papers (1 to 200) to take along: ",
        "201 saved papers (201 to 201) to take along: ",
    ]
    assert max(map(len, addresses(reply))) < 3_000


def test_a_topic_and_a_paper_are_taken_along(world: World):
    (number,) = world.announce("The tide")

    files = addresses(world.say("export tides"))
    assert (files[0], files[-1]) == (f"{PAGES}/topics/tides.bib", f"{PAGES}/topics/tides.atom")
    assert addresses(world.say("RSS feed for tides")) == files
    assert addresses(world.say(f"bibtex of {number}"))[0] == f"{PAGES}/saved.bib?ids={number}"


def test_where_nothing_is_saved_or_there_are_no_pages_that_is_said(world: World):
    assert world.asks("export").startswith("No saved papers.")
    assert "I don’t know the topic quokkas" in world.asks("export quokkas")
    alone = core_over(world.store, world.clock)
    assert "none are set here" in said(alone.execute(Actor(ADA), "export"))
