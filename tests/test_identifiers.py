"""Every spelling of an identifier, one key.  Rows 37 and 38 of the list of arXiv's faults."""

from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.text.identifiers import Identifier, find_ids, number_of, only_ids, parse

SPELLINGS = [
    ("https://www.semanticscholar.org/arxiv/2611.00001", "2611.00001", 0),
    ("https://scirate.com/arxiv/2611.00001v2", "2611.00001", 2),
    ("https://www.emergentmind.com/papers/2611.00001", "2611.00001", 0),
    ("https://ui.adsabs.harvard.edu/abs/2026arXiv261100001S/abstract", "2611.00001", 0),
    ("2008arXiv0801.1234S", "0801.1234", 0),
    ("http://127.0.0.1:8460/papers/2611.00001", "2611.00001", 0),
    ("https://papers.example.org/papers/math/0611800.bib", "math/0611800", 0),
    ("https://papers.example.org/topics/world-models/papers/2611.00001?page=2", "2611.00001", 0),
    ("https://inspirehep.net/api/arxiv/2611.00001", "2611.00001", 0),
    ("https://arxiv.org/ftp/arxiv/papers/2611/2611.00001.pdf", "2611.00001", 0),
    ("https://www.google.com/url?q=https://arxiv.org/abs/2611.00001&sa=D", "2611.00001", 0),
    ("https://eur02.safelinks.protection.outlook.com/?url=https%3A%2F%2Farxiv.org%2Fabs%2F"
     "2611.00001v2&data=05%7C02%7C" + 600 * "0", "2611.00001", 2),
    ("https://l.example/?u=https%253A%252F%252Farxiv.org%252Fabs%252F2611.00001", "2611.00001", 0),
    ("https://urldefense.com/v3/__https://arxiv.org/abs/2611.00001__;!!a!b$", "2611.00001", 0),
    ("https://urldefense.proofpoint.com/v2/url?u=https-3A__arxiv.org_abs_2611.00001&d=DwMFaQ",
     "2611.00001", 0),
    ("2611.00001", "2611.00001", 0),
    ("2611.00001v2", "2611.00001", 2),
    ("2611.00001v10", "2611.00001", 10),
    ("0704.0156", "0704.0156", 0),
    ("arXiv:2611.00001", "2611.00001", 0),
    ("ARXIV: 2611.00001V3", "2611.00001", 3),
    ("oai:arXiv.org:2611.00001v1", "2611.00001", 1),
    ("http://arxiv.org/abs/2611.00001v1", "2611.00001", 1),
    ("https://arxiv.org/abs/2611.00001", "2611.00001", 0),
    ("https://www.arxiv.org/abs/2611.00001/", "2611.00001", 0),
    ("export.arxiv.org/abs/2611.00001", "2611.00001", 0),
    ("https://arxiv.org/pdf/2611.00001v2.pdf", "2611.00001", 2),
    ("https://arxiv.org/html/2611.00001v1#S3", "2611.00001", 1),
    ("https://arxiv.org/abs/2611.00001?context=cs.LG", "2611.00001", 0),
    ("https://de.arxiv.org/abs/hep-th/9901001", "hep-th/9901001", 0),
    ("http://xxx.lanl.gov/abs/hep-th/9901001", "hep-th/9901001", 0),
    ("https://ar5iv.org/html/2611.00001", "2611.00001", 0),
    ("https://huggingface.co/papers/2611.00001", "2611.00001", 0),
    ("https://doi.org/10.48550/arXiv.2611.00001", "2611.00001", 0),
    ("10.48550/arXiv.2611.00001", "2611.00001", 0),
    ("math/0309136v1", "math/0309136", 1),
    ("math.CA/0611800v2", "math/0611800", 2),
    ("MATH.ca/0611800", "math/0611800", 0),
    ("cond-mat.mes-hall/0411174", "cond-mat/0411174", 0),
    ("hep-th/9901001", "hep-th/9901001", 0),
    ("https://arxiv.org/abs/math%2F0611800", "math/0611800", 0),
    ("oai:arXiv.org:astro-ph/0601001", "astro-ph/0601001", 0),
    ("  2611.00001\n", "2611.00001", 0),
    ("sample/2611001", "sample/2611001", 0),
]  # fmt: skip


@pytest.mark.parametrize(("spelt", "arxiv_id", "version"), SPELLINGS)
def test_a_spelling_is_read(spelt: str, arxiv_id: str, version: int):
    assert parse(spelt) == Identifier(arxiv_id, version)


@pytest.mark.parametrize(
    "text",
    ["", "2613.00001", "2600.00001", "2611.000001", "2611.001", "2611.00001v0", "attention",
     "abc/0611800", "math/06118", "https://example.org/2611.00001",
     "https://x.org/abs/2611.00001/abs/2611.00002", "2611.00001 and more",
     "https://arxiv.org/api/errors#incorrect_id", "https://arxiv.org/list/cs.LG", "x" * 9000,
     "２６１１.00001x", "math/0699800"],
)  # fmt: skip
def test_anything_else_is_none(text: str):
    assert parse(text) is None


@given(
    yymm=st.builds("{:02}{:02}".format, st.integers(7, 99), st.integers(1, 12)),
    number=st.integers(0, 99999),
    version=st.integers(0, 200),
    around=st.sampled_from(["{}", "arXiv:{}", "oai:arXiv.org:{}", "http://arxiv.org/abs/{}",
                            "https://export.arxiv.org/pdf/{}.pdf", "arxiv.org/abs/{}?x=1"]),
)  # fmt: skip
def test_every_identifier_is_found_in_every_wrapping(
    yymm: str, number: int, version: int, around: str
):
    arxiv_id = f"{yymm}.{number:05d}"
    spelt = arxiv_id + (f"v{version}" if version else "")

    assert parse(around.format(spelt)) == Identifier(arxiv_id, version)
    assert str(parse(spelt)) == spelt


@given(st.text(max_size=200))
def test_no_text_breaks_it(text: str):
    for found in find_ids(text):
        assert parse(str(found)) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("see https://ui.adsabs.harvard.edu/abs/2026arXiv261100001S.", ["2611.00001"]),
        ("save 2611.00001 and https://arxiv.org/abs/2611.00002v2.", ["2611.00001", "2611.00002v2"]),
        ("<https://arxiv.org/pdf/2611.00003.pdf|a paper>", ["2611.00003"]),
        ("see arXiv:math/0611800, arXiv:0704.0156 (twice: arXiv:0704.0156)",
         ["math/0611800", "0704.0156"]),
        ("hep-th/9901001 is old", ["hep-th/9901001"]),
        ("(2611.00001)", ["2611.00001"]),
        ("2611.00001/2611.00002/2611.00003v2",
         ["2611.00001", "2611.00002", "2611.00003v2"]),
        ("2611.00001v2/2611.00002", ["2611.00001v2", "2611.00002"]),
        ("10.1000/2611.00001, 2611.00001/2026", []),
        ("it took 2611.0001 seconds, 0704.0156 dollars", []),
        ("version 2611.00001.2 of http://example.org/2611.00001", []),
        ("call 12611.00001 or 2611.000012", []),
        ("", []),
    ],
)  # fmt: skip
def test_papers_named_in_a_text(text: str, found: list[str]):
    assert [str(each) for each in find_ids(text)] == found


@pytest.mark.parametrize("between", [" ", ", ", ";", "/", "\n"])
def test_a_text_may_consist_of_papers_alone(between: str):
    assert only_ids(f"2611.00001{between}2611.00002v3") == ("2611.00001", "2611.00002")
    assert only_ids(f"2611.00001{between}and one more") == ()


def test_identifiers_sort_as_arxiv_gave_them():
    assert number_of("2609.99999") < number_of("2611.00001") < number_of("2611.12345")
    assert number_of("hep-th/9901001") == (0, 0) < number_of("0704.0001")


@pytest.mark.parametrize("sign", ["A.", "1.", "-", "a", "https://", "2026arXiv"])
def test_a_long_row_of_signs_is_read_at_once(sign):
    long, began = sign * (40_000 // len(sign)), process_time()

    assert find_ids(f"{long} 2026arXiv, and https://arxiv.org/abs/2611.00001v2") == (
        Identifier("2611.00001", 2),
    )
    assert process_time() - began < 5


def test_a_link_is_found_right_behind_words_of_another_script():
    assert find_ids("见论文arxiv.org/abs/2611.00001") == (Identifier("2611.00001"),)
