"""Ten announcement days over three faulty interfaces, with real papers where they are at hand."""

import pytest

from tests.bench.completeness import Corpus, live


@pytest.mark.slow
async def test_nothing_is_lost_in_ten_announcement_days(shared, tmp_path):
    corpus = Corpus.read(shared / "data/papers_16_weeks.jsonl.gz")

    result = await live(corpus, tmp_path)

    assert len(result.days) == 10
    assert list(result.table())[-1] == "lost 0, told twice 0, cross-lists not told 0"
