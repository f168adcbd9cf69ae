"""The topic language, from what people type to a verdict."""

from time import process_time

import pytest

from bot.matching import QueryError, cut
from bot.model import Breadth
from tests.makers import paper


@pytest.fixture
def matches(language):
    """Whether a query brings a paper of this abstract."""

    def check(query: str, text: str, **more) -> bool:
        found = paper(title="Untitled", abstract=text, **more)
        return language.compile(query).judge(found) is not None

    return check


# ------------------------------------------------------------ words and their borders


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("RL", "RL."),
        ("RL", "an RL-based controller"),
        ("Møller scattering", "Moller scattering of electrons"),
        ("Møller scattering", "Moeller scattering of electrons"),
        ('"Łukasiewicz logic"', "in Lukasiewicz logic"),
        ('"Lukasiewicz logic"', "in Łukasiewicz logic"),
        ("Lojasiewicz inequality", "the Polyak–Łojasiewicz inequality"),
        ("Gauss", "Carl Gauß"),
        ("Löwner order", "the Loewner order"),
        ("Erdos-Renyi graphs", "Erdős–Rényi graphs"),
        ("RL", "(RL)"),
        ("RL", "many RLs"),
        ("rl", "deep RL"),
        ("RL", "reinforcement learning"),
        ('"C++"', "ported from C++ to Rust"),
        ("C++", "C++, Java"),
        ("GPT-4 (vision)", "We ask GPT-4 with vision."),
        ("3D", "a 3D scene"),
        ('"τ-bench"', "on τ-bench and others"),
        ("τ-bench", "On τ-Bench."),
        ("o1", "OpenAI o1 answers"),
        ("ACT", "the ACT policy"),
        ('"world model"', "World-models"),
        ('"multi-agent"', "multi agent systems"),
        ('"multi-agent"', "multiagent systems"),
        ('"pre-training"', "pretraining helps"),
        ('"optimisation"', "optimization"),
        ('"policy"', "policies"),
        ('"cache"', "caches"),
        ('"loss"', "losses"),
        ('"naïve Bayes"', "naive Bayes"),
        ('"Schrodinger bridge"', "Schrödinger bridges"),
        ('"ﬁne tuning"', "fine-tuning"),
        ("agent*", "agentic"),
        ("vector database", "vector databases in practice"),
        ('"optimisers"', "an optimizer"),
        ('"characterised"', "characterized"),
        ('"crisis"', "crises"),
        ("Llama 3", "a Llama3 model"),
        ("Llama3", "Llama 3.1"),
        ("21cm", "at 21 cm"),
        ("21 cm", "the 21cm line"),
        ("Wi-Fi 6", "WiFi6"),
        ("GPs", "GPs as priors"),
        ("gpu", "on GPUs"),
        ("gpus", "on a GPU"),
        ("APIs", "an API"),
        ("PSUs", "a PSU"),
        ("psu", "many PSUs"),
        ("5G", "5Gs of all kinds"),
        ("R&D", "in R&D"),
        ("A* search", "a search by A*"),
        ("C* algebra", "C*-algebras"),
        ("(A* OR D*) AND grid", "D* on a grid"),
        ('"world models" for "robots"', "robots with world models"),
        ("of", "a model of the world"),
        ("γ-ray", "gamma-ray"),
        ('"gamma-ray bursts"', "a γ-ray burst"),
        ('"β-VAE"', "beta-VAE"),
        ("π0", "the pi_0 policy"),
        ("pi0.5", "π0.5"),
    ],
)
def test_a_query_finds_its_words(matches, query, text):
    assert matches(query, text)


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ('"RL"', "a URL in early work, curl"),
        ("RL", "a URL in early work, curl"),
        ('"RL"', "rl"),
        ("ACT", "agents act early"),
        ('"C++"', "vitamin C"),
        ('"C"', "C++"),
        ('"rat"', "generate"),
        ('"AI"', "maintain"),
        ('"world model"', "a model of the world"),
        ('"3D"', "a 3DGS scene"),
        ('"o1"', "o11"),
        ("Llama 3", "Llama with 3 heads"),
        ("GPs", "GPS receivers"),
        ("viru", "a virus"),
        ("AT&T", "at $t$"),
        ("GPT-5 evaluation", "an evaluation"),
        ("A* search", "a search"),
        ('"C"', "C*-algebras"),
        ("γ-ray", "X-ray"),
    ],
)
def test_a_query_finds_no_parts_of_words(matches, query, text):
    assert not matches(query, text)


def test_a_phrase_does_not_run_from_the_title_into_the_abstract(language):
    topic = language.compile('"credit assignment"')

    assert topic.judge(paper(title="On Credit", abstract="Assignment of blame.")) is None


# ------------------------------------------------------------ operators and fields


@pytest.mark.parametrize(
    ("query", "text", "found"),
    [
        ('(GRPO OR "reward model") AND LLM NOT survey', "GRPO trains an LLM", True),
        ('(GRPO OR "reward model") AND LLM NOT survey', "a survey of GRPO for LLMs", False),
        ("memory -survey", "a memory", True),
        ("memory -survey", "a survey of memory", False),
        ('memory -"working memory"', "working memory", False),
        ("“credit assignment”", "credit assignment", True),
        ("cats OR dogs AND mice", "cats", True),
        ("(cats OR dogs) AND mice", "cats", False),
        ("title:memory", "memory", False),
        ("abstract:memory", "memory", True),
        ("memory cat:cs.LG", "memory", True),
        ("memory cat:cs", "memory", True),
        ("memory -cat:cs.LG", "memory", False),
        ("memory cat:cs.L", "memory", False),
        ("cat:cs.CV", "memory", False),
    ],
)
def test_operators_and_fields_mean_what_they_say(matches, query, text, found):
    assert matches(query, text) is found


@pytest.mark.parametrize(
    ("query", "same"),
    [
        ("title: world models", 'title:"world" title:models'),
        ("agents abs: credit OR memory", "(agents abstract:credit) OR memory"),
        ("author:Jun Li", 'author:"Jun Li"'),
        ("author: Jun Li", 'author:"Jun Li"'),
        ("au:Li, Jun", 'author:"Jun Li"'),
        ("author:Jun Li, credit", 'author:"Jun Li" AND credit'),
        ("credit, author:Jun Li AND memory", 'credit AND author:"Jun Li" AND memory'),
        ("author:Jun Li title:credit", 'author:"Jun Li" title:credit'),
        ("author:(Jun Li OR Ada Lovelace)", 'author:"Jun Li" OR author:"Ada Lovelace"'),
        ("cat: cs.LG", "cat:cs.LG"),
        ("cat:cs.LG,cs.AI", "cat:cs.LG OR cat:cs.AI"),
        ("cat:cs.LG, cs.AI credit", "(cat:cs.LG OR cat:cs.AI) credit"),
        ("cat:cs.LG; cat:stat.ML", "cat:cs.LG OR cat:stat.ML"),
        ("cat:cs.LG+cat:cs.AI", "cat:cs.LG OR cat:cs.AI"),
        ("cat:cs.LG OR cs.AI", "cat:cs.LG OR cat:cs.AI"),
        ("cat:(cs.LG OR cs.AI)", "cat:cs.LG OR cat:cs.AI"),
        ("credit -cat:cs.LG,cs.AI", "credit NOT (cat:cs.LG OR cat:cs.AI)"),
        ("credit in cs.LG", "credit cat:cs.LG"),
        ("credit (cs.lg)", "credit cat:cs.LG"),
        ("all:credit", "credit"),
        ('all:"credit assignment" ANDNOT memory', '"credit assignment" NOT memory'),
        ("credit | memory", "credit OR memory"),
        ("credit|memory", "credit OR memory"),
        ("credit || memory", "credit OR memory"),
        ("title:LLM+robotics", "title:LLM robotics"),
        ('"credit assig*"', "credit AND assig*"),
        ('"credit" or memory', "credit OR memory"),
        ('"credit" and memory', "credit AND memory"),
        ('"credit" not memory', "credit NOT memory"),
        ('"credit" and not "memory"', "credit NOT memory"),
    ],
)
def test_other_ways_to_write_a_query_are_read_as_meant(language, query, same):
    texts = ("credit assignment", "memory", "credit in memory", "world", "world models", "LLM", "x")
    lists = (("cs.LG",), ("cs.AI", "cs.CV"), ("stat.ML", "cs.LG"), ("math.PR",))
    papers = [
        paper(title=title, abstract=abstract, categories=categories, authors=authors)
        for title in (*texts, "LLM robotics")
        for abstract in (*texts, "robotics")
        for categories in lists
        for authors in (("Jun Li",), ("Ada Lovelace", "Jun"), ("Li",))
    ]
    first, second = (language.compile(each) for each in (query, same))

    brought = [each for each in papers if first.judge(each)]
    assert language.is_query(query)
    assert brought == [each for each in papers if second.judge(each)]
    assert 0 < len(brought) < len(papers)


@pytest.mark.parametrize(
    ("query", "suggestion"),
    [
        ("cat:cs.XX", "cat:cs.AI"),
        ("agents cat:cs.LG,cs.CLL", "agents cat:cs.LG,cs.CL"),
        ('agents NOT category:"LG"', 'agents NOT category:"cs.LG"'),
        ("cat:robots", "cat:cs.LG"),
    ],
)
def test_what_is_checked_must_name_categories_that_there_are(language, query, suggestion):
    with pytest.raises(QueryError, match="is no category of arXiv") as caught:
        language.check(query)

    assert caught.value.suggestion == suggestion
    assert language.compile(query)


def test_categories_of_stored_papers_are_categories_too(language):
    language.check("cat:cmp-lg", ["cmp-lg"])


@pytest.mark.parametrize(
    ("name", "found"),
    [("Jun Li", True), ("jun li", True), ("Li, Jun", True), ("Jun Lin", False), ("Li", False)],
)
def test_an_author_is_a_whole_name(matches, name, found):
    assert matches(f'author:"{name}"', "anything", authors=("Jun Li", "Uwe Zimmerman")) is found


def test_the_beginning_of_an_authors_name_is_another_author(matches):
    assert not matches('author:"Uwe Zimmer"', "anything", authors=("Uwe Zimmerman",))


@pytest.mark.parametrize(
    ("query", "place", "suggestion"),
    [
        ('agents AND ("credit" OR memory', 11, 'agents AND ("credit" OR memory)'),
        ('"credit assignment', 0, '"credit assignment"'),
        ("agents)", 6, "agents"),
        ("agents AND", 7, "agents AND memory"),
        ("OR agents", 0, "agents AND memory"),
        ("ag*", 0, "agent*"),
        ("author:", 0, 'title:"world models"'),
        ("-survey", 0, "agents NOT survey"),
        ("NOT NOT agents", 0, "agents NOT survey"),
        ('agents"', 6, "agents"),
        ("comment:ICML", 0, "all:ICML"),
        ('"policy optimization"~3', 21, '"policy optimization"'),
        ("agents^2", 0, "agents"),
        ("agent*s", 0, "agent*"),
        ("", 0, '"world models"'),
        ("?!", 0, '"world models"'),
    ],
)
def test_a_query_that_cannot_be_read_names_the_place_and_shows_a_good_one(
    language, query, place, suggestion
):
    with pytest.raises(QueryError) as caught:
        language.check(query)

    assert (caught.value.place, caught.value.suggestion) == (place, suggestion)
    if place:
        quoted = f"“{query[place : place + 30]}” (at character {place + 1})"
        assert str(caught.value).startswith(quoted)
    assert str(caught.value).endswith(suggestion)
    language.check(caught.value.suggestion)


@pytest.mark.parametrize("query", ['"', "!a)", "world OR OR)", ") cat:", "NOT )", '("', 'x ( "'])
def test_what_is_suggested_can_always_be_read(language, query):
    with pytest.raises(QueryError) as caught:
        language.check(query)

    language.check(caught.value.suggestion)
    assert str(caught.value).endswith(f"For example: {caught.value.suggestion}")


@pytest.mark.parametrize(
    ("within", "beyond"),
    [
        ("tide".ljust(4_000), "tide".ljust(4_001)),
        ("(" * 25 + "tide" + ")" * 25, "(" * 26 + "tide" + ")" * 26),
        ("tide OR NOT gull AND sea", "NOT tide OR NOT gull"),
    ],
)
def test_what_is_just_within_a_limit_is_read_and_what_is_just_beyond_is_not(
    language, within, beyond
):
    language.check(within)
    with pytest.raises(QueryError):
        language.check(beyond)


@pytest.mark.parametrize("query", ["word " * 900, '"a b" ' * 400])
def test_a_query_that_is_too_long_says_what_the_limit_is(language, query):
    with pytest.raises(QueryError, match=r"may have (4,000|300)"):
        language.check(query)


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("RL for LLM agents", False),
        ("GUI / Computer-Use Agents", False),
        ("C++", False),
        ("Context?: Rethinking", False),
        ("pre- and post-training", False),
        ("GPT-4 (vision)", False),
        ("agents AND memory", True),
        ("agent*", True),
        ("-survey", True),
        ("title:memory", True),
        ("“world models”", True),
        ("author: Jun Li", True),
        ("cat: cs.RO", True),
        ("agents | memory", True),
        ("agents in cs.LG", True),
        ("agents ANDNOT memory", True),
        ("comment:ICML", True),
        ("Schrödinger's cat: a review", False),
        ("One for all: federated learning", False),
        ("multi-author: a study", False),
        ("LLM+robotics", False),
        ("p(x|y)", False),
        ("math.js", False),
        ("A*STAR", False),
        ("R^2 and L^2", False),
        ("Attention is not explanation", False),
    ],
)
def test_a_bare_name_is_told_from_a_query(language, text, query):
    assert language.is_query(text) is query


# ------------------------------------------------------------ names


def test_a_plus_between_words_parts_them(language):
    assert language.derive("LLM+robotics") == language.derive("LLM + robotics")
    assert "C++11" in language.derive("C++11 templates")


def test_what_a_title_has_to_hold_is_shown_whole(language):
    assert "title:item AND title:(response theory)" in language.derive("item response theory")


@pytest.mark.parametrize(
    ("name", "title", "abstract"),
    [
        ("RL for LLM Agents", "Policy Optimization for Patient Helpers", "LLM agents use GRPO."),
        ("Prompt and Context Compression", "Context Compression Made Plain", "Fewer tokens."),
        ("Code Agents and Issue Resolution", "Resolving GitHub Issues", "A coding agent patches."),
        ("Mixture of Experts", "Routing Experts", "We study MoE routing. MoEs are sparse."),
        ("KV-Cache Optimisation", "Evicting Keys", "KV cache eviction shrinks the KV cache."),
        ("Runtime Enforcement for AI Agents", "Runtime Policy Enforcement for Agents", "Rules."),
    ],
)
def test_a_name_finds_papers_that_say_it_differently(language, name, title, abstract):
    topic = language.compile(language.derive(name), name=name)
    verdict = topic.judge(paper(title=title, abstract=abstract))

    assert verdict is not None
    assert verdict.score >= cut(Breadth.BALANCED)


def test_a_word_beside_a_dull_one_is_found_as_well_as_alone(language):
    alone, beside = (language.compile(name, name=name) for name in ("GPT-5", "GPT-5 evaluation"))
    found = paper(title="What GPT-5 Knows", abstract="We ask it.")

    assert beside.rank(found).score > 0.9 * alone.rank(found).score


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("directors", "directly"),
        ("proposals", "we propose"),
        ("achievements", "we achieve"),
        ("imagination", "imaging"),
        ("containers", "contains"),
        ("characterisation", "a characteristic"),
        ("optimism", "optimizers"),
    ],
)
def test_a_word_that_only_begins_like_it_is_another(matches, name, other):
    assert not matches(name, other)


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("fragmentation", "fragmentations"),
        ("discretisation", "discretized"),
        ("stratification", "stratified"),
        ("institutions", "institutional"),
        ("privilege", "privileged"),
        ("measuring", "measurement"),
        ("auditability", "auditable"),
        ("geography", "geographical"),
        ("RIS-assisted links", "a link by RIS"),
    ],
)
def test_a_word_is_found_in_its_other_forms(matches, name, other):
    assert matches(name, other)


@pytest.mark.parametrize("name", ["a/b/c/d " * 150, "memory " * 41])
def test_a_name_of_many_words_is_refused_at_once(language, name):
    with pytest.raises(QueryError, match="300 characters and 40 words"):
        language.derive(name)


@pytest.mark.parametrize("name", ["AT&T", "Q&A systems", "S&P 500", "R", "3D", "I/O"])
def test_a_name_without_a_word_of_three_letters_is_vague(language, name):
    assert language.is_vague(name)


@pytest.mark.parametrize("name", ["RL", "5G", "Wi-Fi 6", "R&D of kettles", "AI/ML agents", "C++"])
def test_a_name_that_says_something_is_not_vague(language, name):
    assert not language.is_vague(name)


@pytest.mark.parametrize("name", ["RL for LLM Agents", "World Models", "Prompt Injection"])
def test_a_name_stays_quiet_about_the_rest(language, name):
    topic = language.compile(language.derive(name), name=name)

    assert topic.judge(paper(title="Soil Moisture in Alpine Meadows", abstract="We dig.")) is None


def test_the_reason_names_what_matched_where_in_the_words_of_the_text(language):
    name = "RL for LLM agents"
    topic = language.compile(language.derive(name), name=name)
    verdict = topic.judge(
        paper(title="Policy Optimization for Helpers", abstract="LLM agents that learn by GRPO.")
    )

    assert verdict is not None
    assert verdict.reason == "title: Policy Optimization; abstract: GRPO, LLM agents"


@pytest.mark.parametrize(
    ("abstract", "said"),
    [
        ("A key-value (KV) cache that forgets.", "abstract: KV cache"),
        ("What a KV cache (KV-cache) forgets.", "abstract: KV cache"),
        ("What we evict (KV cache).", "abstract: KV cache"),
    ],
)
def test_the_reason_leaves_out_a_bracket_whose_other_half_it_leaves_out(language, abstract, said):
    verdict = language.compile('"KV cache"').judge(paper(title="Less", abstract=abstract))

    assert verdict is not None
    assert verdict.reason == said


@pytest.mark.parametrize(
    "name", ["RL for LLM agents", "Mixture of Experts", "C++", "Memory", "Graphs and Trees"]
)
def test_what_a_name_derives_can_be_read_back(language, name):
    language.check(language.derive(name))


def test_an_edited_query_is_taken_at_its_word(language):
    topic = language.compile('"reward model" AND robots', name="RL for LLM agents")

    assert topic.judge(paper(title="RL for LLM Agents", abstract="Policy optimization.")) is None
    assert topic.judge(paper(title="Reward Models", abstract="Robots learn.")) is not None


def test_the_glossary_spells_out_the_abbreviations_of_a_name(language):
    assert language.glossary("RL for LLM Agents") == (
        ("RL", "Reinforcement Learning"),
        ("LLM", "Large Language Model"),
    )
    assert language.glossary("MoEs")[0] == ("MoE", "Mixture of Experts")
    assert language.glossary("World Models") == ()


@pytest.mark.parametrize("name", ["semantic IDs", "GPS", "kettles or samovars"])
def test_what_only_looks_like_an_abbreviation_is_not_spelled_out(language, name):
    assert language.glossary(name) == ()


def test_a_wider_breadth_has_a_lower_cut():
    assert cut(Breadth.BROAD) < cut(Breadth.BALANCED) < cut(Breadth.FOCUSED) < 1


@pytest.mark.parametrize("word", ["REINFORCEMENT", "AND", "ACM", "The", "ICML2026"])
def test_a_name_in_capitals_takes_no_time_however_long(language, word):
    began = process_time()
    language.wordings(f"{word} " * 300 + "for robots")

    assert process_time() - began < 1


@pytest.mark.parametrize("sign", ["• ", "，", "-", "("])
def test_a_row_of_signs_takes_no_time_however_long(language, sign):
    began = process_time()
    language.wordings(f"{sign * 8000}robots")

    assert process_time() - began < 1


@pytest.mark.parametrize("query", ["cat:AND", "CAT:OR", "(cat:AND)", "agents cat:OR"])
def test_an_operator_is_no_category(language, query):
    with pytest.raises(QueryError, match="names no category"):
        language.check(query)
