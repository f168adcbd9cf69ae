"""LaTeX, names, cutting, numbers and days."""

import gzip
import json
import time
import unicodedata
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot import text


@pytest.mark.parametrize(
    ("latex", "plain"),
    [
        (r"M\"uller and Garc\'{i}a", "Müller and García"),
        (r"Czerwi\'nski, Lazi\'c", "Czerwiński, Lazić"),
        (r"Ir\v{s}i\v{c}, Kara{\c c}ayl{\i}, {\'\i}", "Iršič, Karaçaylı, í"),
        (r"\L{}ukasz \AA ngstr\"om Erd\H{o}s", "Łukasz Ångström Erdős"),
        (r"$\mathcal{X}$-Armed Bandit", "𝒳-Armed Bandit"),
        ("$λ$-Returns and $k$ goods", "λ-Returns and k goods"),
        (r"360$^\circ$ in M$^2$ and T$^{n+1}$", "360° in M² and Tⁿ⁺¹"),
        (r"$O(n\log n)$, $\tilde{O}(\epsilon^{-2})$", "O(n log n), Õ(ϵ⁻²)"),
        (r"\sqrt{a}\,", "√a "),
        (r"$x \in \mathbb{R}^{d \times n}$", "x ∈ ℝ^(d × n)"),
        (r"$\frac{a+b}{2}$ of $q^{O(1)}$", "(a+b)/2 of q^(O(1))"),
        (r"Newton$\unicode{x2013}$Schulz", "Newton–Schulz"),
        (r"\textbf{Deep} {\em nets} \& 10\% of 1{,}000", "Deep nets & 10% of 1,000"),
        (r"DiM\textsuperscript{3}, p < 10^{-6}", "DiM³, p < 10⁻⁶"),
        (r"see \cite{knuth84}Fig.~3", "see Fig. 3"),
        (r"\href{https://example.org}{code}", "code"),
        (r"Fixed-\texorpdfstring{$δ$}{delta} Alignment", "Fixed-delta Alignment"),
        (r"\(x_{t+1}\) and \[y\]", "xₜ₊₁ and y"),
        (r"\k{appa}-LoRA, $\k{appa}$, \c{opyright}IEEE", "κ-LoRA, κ, ©IEEE"),
        (r"drops by $-$19.3 to $>$95% of $π$0.5", "drops by -19.3 to >95% of π0.5"),
        ("${D}^{3}${ETOR}: Appliqu{é} {à} un Jeu", "D³ETOR: Appliqué à un Jeu"),
        (r"$a \cdot b \bmod 113$, $x \not\equiv 2$", "a · b mod 113, x ≢ 2"),
        (
            r"(damage $\xrightarrow{\mathtt{by}}$ cause), 0.090 $\mathring{A}$",
            "(damage → cause), 0.090 Å",
        ),
        (
            r"\rev{painting tasks}, \enquote{online} at \hyperlink{u}{here}",
            "painting tasks, “online” at here",
        ),
        (
            "vision--language models -- a survey, 10%--20% ---or more",
            "vision–language models – a survey, 10%–20% ---or more",
        ),
        ("the ``Gas Card'' and ``two''--three", "the “Gas Card” and “two”–three"),
        (r"state---action and $x$--$y$ plots", "state—action and x–y plots"),
    ],
)
def test_latex_becomes_unicode(latex: str, plain: str):
    assert text.unicode_from_latex(latex) == plain


@pytest.mark.parametrize(
    "written",
    [
        "",
        "plain words, 10~20 and ~5",
        "from $5 to $10",
        "A Sub-$1,000 Arm",
        "snake_case and x^2",
        r"\method beats \ours",
        r"we show $\ours_{a}$ holds",
        r"\k{appas}-LoRA and \ours{a} here",
        "costs $5-$10, $2B-$10B",
        "the set {1, 2, 3}",
        "with --force, x-- and a----b",
        "5' 3'' tall, f''(x)",
        "```python and `code`",
        "see https://example.org/a--b and www.example.org/c--d",
        "a } b { c",
        "<b>bold</b> & <think>",
        "\\",
        "$",
    ],
)
def test_what_is_no_latex_or_not_understood_stays_as_written(written: str):
    assert text.unicode_from_latex(written) == written


@given(st.text(alphabet=st.sampled_from("ab1 \\{}$^_~'\"\ncfrqtsO(),[]"), max_size=60))
def test_no_latex_breaks_it(written: str):
    shown = text.unicode_from_latex(written)

    assert isinstance(shown, str)


@given(st.text())
def test_text_without_latex_is_untouched(written: str):
    without = written.translate({ord(c): None for c in "\\${"})

    assert text.unicode_from_latex(without) == without


@pytest.mark.parametrize(
    "hostile",
    ["{" * 20_000, "}" * 20_000, "$" * 20_001, "\\frac" * 5_000, "^{" * 9_000 + "}" * 9_000,
     "\\'" * 9_000, "$\\sqrt{" * 4_000, "\\textbf{" * 5_000 + "}" * 5_000],
    ids=["open", "close", "dollars", "fractions", "towers", "accents", "roots", "bold"],
)  # fmt: skip
def test_hostile_latex_takes_no_time(hostile: str):
    began = time.process_time()

    assert text.unicode_from_latex(hostile)
    assert time.process_time() - began < 5


def test_real_papers_leave_little_latex(shared: Path):
    with gzip.open(shared / "data" / "papers_2_weeks.jsonl.gz", "rt") as lines:
        papers = [json.loads(line) for line in lines]
    abstracts = [p["abstract"] for p in papers if "\\" in p["abstract"] or "$" in p["abstract"]]

    left = [a for a in map(text.unicode_from_latex, abstracts) if "\\" in a]

    assert len(left) < len(abstracts) * 0.07


@pytest.mark.parametrize(
    ("dirty", "clean"),
    [
        ("  two\n lines\t", "two lines"),
        ("nul\x00 bell\x07", "nul bell"),
        ("evil \u202egnp.exe", "evil gnp.exe"),
        ("half \ud83d surrogate", "half surrogate"),
        ("e\u0301", "é"),
        ("\ufeffmark\u200b", "mark"),
        ("a\u2028b", "a b"),
        ("👩‍🔬", "👩‍🔬"),
    ],
)
def test_what_cannot_be_stored_or_sent_is_cleaned_away(dirty: str, clean: str):
    assert text.clean(dirty) == clean


@given(st.text())
def test_clean_text_can_be_stored_and_sent(dirty: str):
    clean = text.clean(dirty)

    clean.encode("utf-8")
    assert text.clean(clean) == clean
    assert unicodedata.is_normalized("NFC", clean)
    assert "\x00" not in clean
    assert "\n" not in clean


@pytest.mark.parametrize(
    ("whole", "length", "shown"),
    [
        ("short", 5, "short"),
        ("several words here", 14, "several words…"),
        ("several words here", 13, "several…"),
        ("several, words", 9, "several…"),
        ("unbreakable", 6, "unbre…"),
        ("noël noël", 3, "no…"),
        ("cafe\u0301s and more", 5, "caf…"),
        ("👩‍🔬👩‍🔬", 3, "👩…"),
        ("a b", 0, ""),
    ],
)
def test_a_text_is_cut_at_a_word(whole: str, length: int, shown: str):
    assert text.cut(whole, length) == shown


@given(st.text(), st.integers(1, 80))
def test_a_cut_text_fits(whole: str, length: int):
    assert len(text.cut(whole, length)) <= length


@pytest.mark.parametrize(
    ("count", "shown"),
    [(0, ""), (1, "A1"), (3, "A1, A2, A3"), (4, "A1, A2, A3, A4"), (5, "A1, A2, A3 +2")],
)
def test_many_names_are_three_and_the_rest(count: int, shown: str):
    assert text.names([f"A{n + 1}" for n in range(count)]) == shown


def test_three_thousand_authors_are_three_and_the_rest():
    assert text.names(["A"] * 3303).endswith("A +3,300")


@pytest.mark.parametrize(
    ("printed", "people"),
    [
        (["Ada Lovelace", "Mary Somerville"], ("Ada Lovelace", "Mary Somerville")),
        (["The Ring Collaboration", ":", "A. Foo"], ("The Ring Collaboration", "A. Foo")),
        (["A. Foo and B. Bar"], ("A. Foo", "B. Bar")),
        (["Meng~Chang Chen", "Fu Wang*", "Ada\u2020"], ("Meng Chang Chen", "Fu Wang", "Ada")),
        (["Research and Development Group"], ("Research and Development Group",)),
        ([r"Paulo Andr\'e Lima de Castro"], ("Paulo André Lima de Castro",)),
        (["  Zoë\n Grün,"], ("Zoë Grün",)),
        (["et al.", "", ":"], ()),
        (["Grace Hopper et al."], ("Grace Hopper",)),
        (["Alexandra", "Anders Andersson"], ("Alexandra", "Anders Andersson")),
    ],
)
def test_people_are_told_from_groups_and_marks(printed: list[str], people: tuple[str, ...]):
    assert text.people(printed) == people


def test_numbers_are_parted_and_agree_with_their_nouns():
    assert text.plural(1, "paper") == "1 paper"
    assert text.plural(0, "paper") == "0 papers"
    assert text.plural(1902, "paper") == "1,902 papers"
    assert text.plural(2, "category", "categories") == "2 categories"
    assert text.number(1902) == "1,902"
    assert text.thin(1902) == "1\u2009902"
    assert text.thinned("1,234,902 of 5,1 and 2,0000") == "1\u2009234\u2009902 of 5,1 and 2,0000"


@pytest.mark.parametrize(
    ("fraction", "shown"),
    [
        (1.41, "141 %"),
        (0.007, "0.7 %"),
        (0.0, "0 %"),
        (0.0001, "under 0.1 %"),
        (0.05, "5 %"),
        (0.0996, "10 %"),
        (12.5, "1,250 %"),
    ],
)
def test_shares(fraction: float, shown: str):
    assert text.percent(fraction) == shown


def test_days_are_named_as_people_name_them():
    assert text.day(date(2026, 12, 14)) == "Mon 14 Dec"
    assert text.short_day(date(2026, 9, 30)) == "30 Sep"
