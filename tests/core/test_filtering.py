"""What a subscriber hears of: whether a paper mentions a phrase."""

from hypothesis import given
from hypothesis import strategies as st

from bot.core.filtering import mentions
from bot.matching.spelling.folding import words
from tests.makers import paper

LETTERS = st.text("ab s-.|$&é", max_size=12)


@given(LETTERS, LETTERS, LETTERS)
def test_a_phrase_is_mentioned_where_its_words_stand_in_a_row_in_title_or_abstract(
    title, abstract, phrase
):
    wanted, texts = words(phrase), [words(text) for text in (title, abstract)]
    in_a_row = any(wanted == text[n : n + len(wanted)] for text in texts for n in range(len(text)))

    assert mentions(paper(title=title, abstract=abstract), phrase) == (bool(wanted) and in_a_row)


def test_no_phrase_runs_on_from_the_title_into_the_abstract():
    tides = paper(title="The tide", abstract="and the gulls")

    assert not mentions(tides, "tide and")


def test_a_paper_is_read_once_however_many_phrases_are_silent():
    assert looks_at_an_abstract(phrases=20) == looks_at_an_abstract(phrases=1) > 0


def looks_at_an_abstract(phrases: int) -> int:
    """How often an abstract is asked what it is made of, while phrases are looked for in it."""
    read = []

    class Abstract(str):
        __slots__ = ()

        def isascii(self) -> bool:
            read.append(self)
            return super().isascii()

    tides = paper(title="The tide", abstract=Abstract(f"Gulls before {phrases} storms"))

    assert not any(mentions(tides, f"survey {n}") for n in range(phrases))
    return len(read)
