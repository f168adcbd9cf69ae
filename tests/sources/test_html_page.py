"""Affiliations from arXiv's HTML pages, made here in the shapes that LaTeXML gives."""

from time import process_time

import pytest

from bot.model import Author
from bot.sources.html_page import HtmlPage, affiliated
from bot.sources.session import Refused, SourceFault
from tests.makers import paper

TWO = (Author("Ada Lovelace"), Author("Émilie du Châtelet"))


def page(*creators: str) -> bytes:
    authors = "".join(f'<span class="ltx_creator ltx_role_author">{c}</span>' for c in creators)
    return f'<html><body><div class="ltx_authors">{authors}</div></body></html>'.encode()


def test_affiliations_beside_each_name():
    body = page(
        '<span class="ltx_personname">Ada Lovelace</span><span class="ltx_author_notes">'
        '<span class="ltx_contact ltx_role_affiliation">Dept. of Engines, University of Nowhere'
        '</span><span class="ltx_contact ltx_role_email">ada@nowhere.edu</span></span>',
        '<span class="ltx_personname">Emilie du Chatelet</span>',
    )

    assert affiliated(body, TWO) == (Author("Ada Lovelace", ("University of Nowhere",)), TWO[1])


def test_one_block_with_raised_marks():
    body = page(
        '<span class="ltx_personname">Ada Lovelace<sup class="ltx_sup">1,2</sup>, Émilie du '
        'Châtelet<sup class="ltx_sup">2*</sup><br class="ltx_break"/><sup>1</sup>Example Labs '
        "<sup>2</sup>University of Nowhere<br/><sup>*</sup>Work done during an internship at Apple"
        "</span>"
    )
    ada, emilie = affiliated(body, TWO)

    assert ada.affiliations == ("Example Labs", "University of Nowhere")
    assert emilie.affiliations == ("University of Nowhere",)


def test_a_block_of_lines():
    body = page(
        '<span class="ltx_personname">Ada Lovelace<br/>Example Labs<br/>ada@example.org</span>'
    )

    assert affiliated(body, TWO)[0].affiliations == ("Example Labs",)


def test_what_arxiv_named_itself_stays():
    known = (Author("Ada Lovelace", ("Elsewhere College",)),)
    body = page('<span class="ltx_personname">Ada Lovelace<br/>Example Labs</span>')

    assert affiliated(body, known) == known


@pytest.mark.parametrize("filled", ["x" + ", " * 20_000, "x" * 200_000, "⟦" * 20_000])
def test_a_line_that_its_author_filled_with_signs_is_read_at_once(filled):
    names = f"Ada Lovelace<sup>1</sup><br/>{filled}<br/><sup>1</sup>Example Labs"
    body = page(f'<span class="ltx_personname">{names}</span>')
    began = process_time()

    assert affiliated(body, TWO)[0].affiliations == ("Example Labs",)
    assert process_time() - began < 5


@pytest.mark.parametrize("times", [1, 1_000])
def test_of_a_book_in_an_affiliations_place_only_its_beginning_is_read(times):
    book = f"<span class='ltx_role_affiliation'>Example Labs, {'of many words ' * 4_000}</span>"
    body = page(f'<span class="ltx_personname">Ada Lovelace</span>{book * times}')
    began = process_time()

    assert affiliated(body, TWO)[0].affiliations == ("Example Labs",)
    assert process_time() - began < 10


@pytest.mark.parametrize("body", [b"", b"<", b"\xff\x00", b"<html></html>", page("")])
def test_a_page_without_names_changes_nothing(body):
    assert affiliated(body, TWO) == TWO


class OneAnswer:
    """A session that has one page, or none."""

    def __init__(self, body: bytes = b"", status: int = 200) -> None:
        self.body, self.status, self.asked = body, status, []

    def page(self, url: str) -> bytes:
        self.asked.append(url)
        if self.status != 200:
            raise Refused("no", SourceFault.PERMANENT, self.status)
        return self.body


def test_the_page_of_a_paper_is_asked_for():
    session = OneAnswer(page('<span class="ltx_personname">Ada Lovelace<br/>Acme Inc.</span>'))
    authors = HtmlPage(session).authors(paper("2611.00001"))

    assert session.asked == ["https://arxiv.org/html/2611.00001"]
    assert authors[0].affiliations == ("Acme Inc",)


def test_a_paper_without_a_page_stays_as_it_is():
    asked = paper("2611.00001")

    assert HtmlPage(OneAnswer(status=404)).authors(asked) == asked.authors


def test_other_refusals_are_said():
    with pytest.raises(Refused):
        HtmlPage(OneAnswer(status=403)).authors(paper("2611.00001"))
