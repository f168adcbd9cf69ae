"""Forty questions over eight topics of real papers: `python -m tests.bench.answers [-v]`.

Prints recall@5 of the paper that answers, beside a plain word-overlap ranking as the floor,
whether ten questions without an answer are refused, whether every quoted sentence stands in
its abstract, and how long an answer takes.  Needs `../shared/data`.
"""

import gzip
import json
import re
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

from bot.answers.extractive import Extractive
from bot.model import Author, Paper

HERE = Path(__file__).parent
DATA = HERE.parents[3] / "shared" / "data" / "papers_16_weeks.jsonl.gz"

# What belongs to a topic here: every pattern must be found in title or abstract.
POOLS = {
    "rl-llm-agents": (
        r"reinforcement learning|\bRL\b|policy optimization|GRPO",
        r"\bagents?\b|agentic",
        r"LLM|language model",
    ),
    "kv-cache": (r"KV[- ]cach",),
    "vla": (r"vision-language-action|\bVLAs?\b",),
    "jailbreak": (r"jailbreak|prompt injection",),
    "code-agents": (r"SWE-bench|issue resolution|coding agent|code agent",),
    "driving": (r"autonomous driving", r"world model|planning|perception"),
    "medical": (r"medical imag|radiolog|CT scan|MRI",),
    "privacy": (r"differential privacy|differentially private|federated",),
}


def real_papers(path: Path = DATA, wanted: re.Pattern[str] | None = None) -> Iterator[Paper]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            if wanted and not wanted.search(line):
                continue
            raw = json.loads(line)
            at = datetime.fromisoformat(raw["published"]).astimezone(UTC)
            yield Paper(
                raw["id"], 1, raw["title"], raw["abstract"], tuple(map(Author, raw["authors"])),
                tuple(raw["categories"]), at, at,
            )  # fmt: skip


def pools(papers: Sequence[Paper]) -> dict[str, list[Paper]]:
    """The papers of each topic, in the order of their ids."""
    return {
        name: [
            paper
            for paper in papers
            if all(re.search(p, f"{paper.title}\n{paper.abstract}") for p in patterns)
        ]
        for name, patterns in POOLS.items()
    }


def overlap(question: str, papers: Sequence[Paper]) -> list[str]:
    """The floor: the five papers that share most words with the question."""
    words = set(re.findall(r"\w{4,}", question.casefold()))

    def shared(paper: Paper) -> int:
        return len(words & set(re.findall(r"\w+", f"{paper.title} {paper.abstract}".casefold())))

    return [paper.arxiv_id for paper in sorted(papers, key=shared, reverse=True)[:5]]


def measured() -> dict[str, float]:
    """The figures, from the committed questions."""
    asked = json.loads((HERE / "questions.json").read_text(encoding="utf-8"))
    by_pool = pools(list(real_papers(wanted=re.compile("|".join(p[0] for p in POOLS.values())))))
    answerer, took = Extractive(), []
    hits = floor = invented = 0
    for item in asked["answerable"]:
        papers = by_pool[item["pool"]]
        began = time.perf_counter()
        answer = answerer.answer(item["question"], papers)
        took.append(time.perf_counter() - began)
        found = [paper.arxiv_id for paper, _ in answer.quotes]
        hit = bool(set(found) & set(item["papers"]))
        hits += hit
        floor += bool(set(overlap(item["question"], papers)) & set(item["papers"]))
        invented += sum(s not in p.abstract for p, quoted in answer.quotes for s in quoted)
        if "-v" in sys.argv:
            print("ok  " if hit else "MISS", item["question"], found)
            for paper, quoted in answer.quotes[:2]:
                print("      ", paper.title[:70], "|", quoted[0][:140])
    refused = 0
    for item in asked["unanswerable"]:
        answer = answerer.answer(item["question"], by_pool[item["pool"]])
        refused += not answer.found
        if "-v" in sys.argv and answer.found:
            print("ANSWERED", item["question"], answer.quotes[0][1])
    count = len(asked["answerable"])
    return {
        "recall@5": hits / count,
        "recall@5 of word overlap": floor / count,
        "refused of unanswerable": refused / len(asked["unanswerable"]),
        "sentences not in their abstract": invented,
        "median ms": statistics.median(took) * 1000,
        "slowest ms": max(took) * 1000,
    }


if __name__ == "__main__":
    for name, value in measured().items():
        print(f"{name:34} {value:8.2f}")
