"""How fast Atom becomes papers, beside what parsing alone takes.

    python -m tests.bench.sources

Prints ratios against floors of the same run: lxml alone, the arxiv package's own parser, and
pylatexenc for the LaTeX.
"""

import random
import statistics
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from arxiv import _feed
from lxml import etree
from pylatexenc.latex2text import LatexNodes2Text

from bot import text
from bot.sources import atom, documents
from tests.arxiv_server import Printed
from tests.arxiv_server import atom as written

PAPERS = 2_000
WORDS = """we study models that learn from sparse rewards and plan over long horizons with few
samples while their memory stays bounded and their errors remain calibrated on unseen tasks"""


def best(task: Callable[[], object], rounds: int = 5) -> float:
    """Median seconds of some rounds."""
    took = []
    for _ in range(rounds):
        began = time.perf_counter()
        task()
        took.append(time.perf_counter() - began)
    return statistics.median(took)


def page(latex: bool) -> bytes:
    """A page of invented papers of the usual length; with LaTeX in every abstract, or none."""
    chance = random.Random(7)
    first = datetime(2026, 11, 16, tzinfo=UTC)

    def sentence(words: int) -> str:
        plain = " ".join(chance.choices(WORDS.split(), k=words))
        formula = r" at rate $\tilde{O}(\epsilon^{-2}\log n)$ over $\mathcal{X}$, by 10\%"
        return plain + formula if latex else plain

    papers = [
        Printed(
            f"2611.{n:05d}",
            first + timedelta(seconds=30 * n),
            title=" ".join(chance.choices(WORDS.split(), k=9)).capitalize(),
            abstract=". ".join(sentence(24) for _ in range(8)),
            authors=tuple(f"Ada B. Author{n % 40}-{i}" for i in range(5)),
            categories=("cs.LG", "cs.CL"),
            comment="12 pages, 4 figures",
        )
        for n in range(PAPERS)
    ]
    return written(papers, PAPERS).encode()


def main() -> None:
    """Measure and print."""
    for name, body in (("no LaTeX", page(False)), ("LaTeX in every sentence", page(True))):
        ours = best(lambda body=body: atom.feed(documents.read(body, frozenset({"feed"})).root))
        lxml = best(lambda body=body: etree.fromstring(body))
        package = best(lambda body=body: _feed.parse(body))
        print(
            f"{name}: {PAPERS / ours:,.0f} papers/s ready to store "
            f"({ours / package:.2f} of the arxiv package's parse alone: {PAPERS / package:,.0f}/s; "
            f"lxml alone {PAPERS / lxml:,.0f}/s; {len(body) / 1e6:.1f} MB)"
        )
    formula = (
        r"Rates of $\tilde{O}(\epsilon^{-2}\log n)$ over $\mathcal{X}$ by M\"uller, 10\% less. "
    )
    long = formula * 8
    ours = best(lambda: [text.unicode_from_latex(long) for _ in range(100)]) / 100
    peer = best(lambda: LatexNodes2Text().latex_to_text(long))
    print(f"LaTeX of one abstract: {ours * 1e6:,.0f} µs, pylatexenc {peer * 1e6:,.0f} µs")


if __name__ == "__main__":
    main()
