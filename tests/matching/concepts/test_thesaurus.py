"""The packaged thesaurus, and what its entries do."""

import random
import re
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from ahocorasick_rs import AhoCorasick

from bot.matching import Language, cut
from bot.matching.concepts.thesaurus import PLAIN, Thesaurus
from bot.matching.spelling.folding import Folded, fold, words
from bot.matching.spelling.stems import stem
from bot.matching.spelling.terms import Term, any_of, full_text, term
from bot.model import Breadth
from tests.bench.shared_papers import records
from tests.makers import paper
from tests.matching.conftest import packaged

ABBREVIATIONS = (
    "RL LLM VLM VLA RAG RLVR GRPO PPO MoE SFT OPD GUI CoT NeRF 3DGS SLAM GNN PDE QEC DFT"
)


ELSEWHERE = 0.0003  # of the shared papers: a word of another field that they hold as well
SHARED_SUBJECTS = """
Bayesian framework; Bayesian inference; Ising model; LDPC codes; Markov process; auction;
augmented Lagrangian; average treatment effect; bilevel optimization; branch-and-bound;
chaotic system; combinatorial optimization; conditional value-at-risk; convex optimization;
cooperative game; coordinate descent; decision theory; domain decomposition; dynamic pricing;
error-correcting code; evidence synthesis; finite element method; fluid antenna;
global optimization; graph signal; insurance; integer programming; iterative solver;
labor market; labor markets; linear regression; lithium-ion battery; longitudinal data;
low-density parity-check; millimeter wave; mirror descent; missing value; mm-wave; modal logic;
multiple-input multiple-output; nonconvex optimization; optimal stopping; plasma; point process;
polymers; posterior inference; power grid; proper scoring rule; random matrices; random matrix;
reaction-diffusion; ridge regression; robust optimization; smart grid; social choice;
systemic risk; time series analysis; type theory; value-at-risk; voting rule; zero-sum game
"""
"""Of the words of other fields, those that mean the same in computer science."""

EVERYDAY = 0.001  # of the shared papers: a word that they hold for many things
SAID_FOR_ONE_THING = {
    "the field's own word, which others rarely use": (
        "subword drafter autoformalization factuality unfaithful truthfulness aleatoric "
        "miscalibration miscalibrated overconfidence overconfident reranking ontology monolingual "
        "chatbot debiasing stereotype jailbreak jailbreaking poisoned backdoor replanning "
        "autoresearch auction fuzzing spiking microcontroller disentanglement biometric odometry "
        "inpainting geospatial hyperspectral grasping quadruped drone quadrotor confounding cortex "
        "cortical pedagogical radiology radiograph histopathology transcriptomics transcriptomic "
        "meteorological precipitation beamforming abstention persuasion syntactic pragmatics "
        "grammatical scholarly qubit aerodynamic aerodynamics tomography cryptographic encryption "
        "oncology tumor tumour cybersecurity leaderboard retinal explainability explainable "
        "garment hiring missingness refactoring tax warehouse"
    ),
    "its papers are counted, and company tells them from others that hold the word": (
        "sparsification explanation persona refusal acceleration accelerate accelerating speedup "
        "lightweight debugging psychology accessibility classroom instructor court clinical "
        "healthcare patient depression atmospheric crop electricity modality political citation "
        "visual biases unsafe flood"
    ),
}


@pytest.fixture(scope="module")
def concepts() -> dict:
    thesaurus = packaged("thesaurus.toml")
    fields = thesaurus["fields"].values()
    return thesaurus["concepts"] | {name: each for field in fields for name, each in field.items()}


def test_several_hundred_concepts_are_known(concepts):
    assert len(concepts) >= 600


@pytest.mark.parametrize(
    "name",
    [
        *("generative AI", "GenAI", "AI and Law", "Large Language Models for Law"),
        *("software maintenance", "memory safety", "fault tolerance", "storage systems", "CUDA"),
        *(
            "computer architecture",
            "computer graphics",
            "cyber-physical systems",
            "reproducibility",
        ),
        *("imputation", "SAR", "saliency", "Shapley values", "random forests", "open-endedness"),
        *(
            "journalism",
            "fashion",
            "logistics",
            "pricing",
            "recruitment",
            "banking",
            "psychometrics",
        ),
        *("sepsis", "radiomics", "digital health", "assistive robotics", "older adults"),
        *("discourse parsing", "readability", "plagiarism", "spatial audio", "document QA"),
        *(
            "random walks",
            "phase transitions",
            "food security",
            "power transformers",
            "2D materials",
        ),
        *("contrast agents", "phylogenetics", "connectomics", "CFT", "ODE", "PIV", "JWST", "STM"),
        *("policy steering", "corrigibility", "cognitive biases", "failure modes of AI agents"),
    ],
)
def test_what_people_name_is_known(language, name):
    assert language.knows(name)


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("Genetics", "A Genetic Algorithm for Timetables"),
        ("Logistics", "Logistic Regression on Small Tables"),
        ("Compositionality", "Scans of the Lung at a Low Dose"),
        ("Sepsis", "Robots That Mimic a Teacher"),
        ("Filmmaking", "One Shot of Rotated Digits"),
        ("Retail", "Off-the-Shelf Detectors of Edges"),
        ("Semiconductor Lithography", "Assumptions That Yield a Tighter Bound"),
        ("Educational NLP", "A Teacher of Smaller Networks"),
        ("Democracy", "Voting among Noisy Sensors"),
        ("Convex Optimization", "Convergence Rates of Stochastic Gradient Descent"),
        ("Load Forecasting", "Long-Term Time Series Forecasting with PatchTST"),
        ("Chess", "Bluffing in Poker"),
        ("Remaining Useful Life", "Predictive Maintenance of Pumps"),
        ("Log Anomaly Detection", "AIOps for a Public Cloud"),
        ("Human Activity Recognition", "Skeleton-Based Action Recognition in Videos"),
        ("Streaming Video Understanding", "Autoregressive Generation of Streaming Video"),
        ("Streaming Video Understanding", "Long Video Generation with Frame Sinks"),
        ("Monte Carlo Tree Search", "Medium-Chain Triglycerides (MCT) in Rats"),
        ("Data Poisoning", "A Hidden Trigger as a Backdoor"),
        ("Stream Processing", "Event Streams of a Neuromorphic Camera"),
        ("Spatial Audio", "Beamforming for Massive MIMO"),
        ("Filmmaking", "Parking a Truck with a Trailer"),
        ("Fault Localization", "Patches by Program Repair"),
        ("Gaussian Processes", "Kernel Ridge Regression in an RKHS"),
        ("Transaction Processing", "Consistency Models of Images in One Step"),
        ("Streaming Algorithms", "Classifying Data Streams under Drift"),
        ("Operations Research", "Safe Gates of AND and OR"),
        ("Molecular Dynamics", "Brains under the Free Energy Principle"),
        ("Agriculture", "Greenhouse Gas Retrieval from Orbit"),
        ("Liquid Crystal Alignment", "RLHF for Liquid Crystals"),
    ],
)
def test_a_name_brings_neither_what_is_spelled_alike_nor_what_it_lies_within(language, name, title):
    topic = language.compile(language.derive(name), name=name)

    assert topic.judge(paper(title=title, abstract=f"{title}.")) is None


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("Human Activity Recognition", "Activities of Daily Living from Accelerometers"),
        ("Partially Observable Markov Decision Processes", "Planning in Belief Space"),
        ("Model Organisms of Misalignment", "An Auditing Game for Hidden Objectives"),
        ("Low-Code Development", "No-Code App Builders"),
        ("Security of AI-Generated Code", "Slopsquatting and Hallucinated Packages"),
        ("Camera-Controlled Video Generation", "Camera Motion in Text-to-Video Models"),
        ("Masked and Predictive Visual Pretraining", "A Joint-Embedding Predictive Architecture"),
        ("Social Simulation with LLM Agents", "A Simulated Society"),
        ("semantic ids", "Semantic IDs of Items"),
    ],
)
def test_a_name_finds_papers_that_speak_of_it_by_other_words(language, name, title):
    topic = language.compile(language.derive(name), name=name)

    assert topic.judge(paper(title=title, abstract=f"{title}.")) is not None


def test_company_is_kept_for_concepts_that_exist_and_for_plain_words(concepts):
    kept = {name for name in packaged("company.toml") if not name.startswith(PLAIN)}

    assert kept <= concepts.keys()


def test_fields_of_which_hardly_a_paper_was_counted_have_no_company():
    """What computer science writes beside "dark matter" would tell against astronomers."""
    fields = packaged("thesaurus.toml")["fields"]
    far = ("astro-ph", "gr-qc", "hep-th", "hep-ph", "hep-ex", "nucl-th", "nlin")

    assert {name for archive in far for name in fields[archive]} & set(
        packaged("company.toml")
    ) == set()


def test_a_plain_word_is_known_by_its_company_too():
    language = Language(
        {"families": ["brew brewing"]}, {PLAIN + "brew": "900; -300; 400 kettle; 300 leaf"}
    )
    topic = language.compile("brewing", name="brewing")
    close = "We brew a leaf in a kettle, and measure it with great care."

    said = topic.judge(paper(title="x", abstract="We brew ideas in a meeting, and measure it."))
    meant = topic.judge(paper(title="x", abstract=close))

    assert said is not None
    assert meant is not None
    assert said.score < meant.score


def test_what_makes_a_concept_up_is_a_concept():
    with pytest.raises(ValueError, match="“tea” is made up of “leaf”, which is no concept"):
        Thesaurus({"concepts": {"tea": {"both": ["leaf", "water"]}, "water": {}}}, {})


def test_a_concept_may_be_made_up_in_several_ways():
    both = [["leaf", "water"], ["bag", "kettle"]]
    others: dict[str, dict] = {name: {} for way in both for name in way}
    topic = Language({"concepts": {"tea": {"both": both}, **others}}).compile("tea", name="tea")
    about = [*both, ["leaf", "kettle"]]
    papers = [paper(title=" and ".join(way), abstract=f"A {way[0]}, a {way[1]}.") for way in about]

    assert [topic.judge(each) is not None for each in papers] == [True, True, False]


@pytest.mark.slow
def test_no_everyday_word_stands_for_a_thing_that_its_name_does_not_say(concepts, shared):
    """ "Disorder" is no many-body localization, and "transient" no supernova."""
    held, papers = _held(shared)
    allowed = {word for listed in SAID_FOR_ONE_THING.values() for word in listed.split()}

    everyday = [
        (name, word)
        for name, entry in concepts.items()
        for word in (*entry.get("same", ()), *entry.get("narrower", ()))
        if word.islower() and word.isalpha() and word not in allowed
        if held[stem(word)] > EVERYDAY * papers and not _akin(word, name)
    ]

    assert everyday == []


@pytest.mark.slow
def test_the_words_of_another_field_are_hardly_used_in_computer_science(shared):
    """ "Penguin", "SHiP" and "holonomy" say something else there.

    Counted are the shared papers that the field's archive does not list.
    """
    entries = packaged("thesaurus.toml")["fields"]
    of_fields = {
        (text, archive)
        for archive, concepts in entries.items()
        for entry in concepts.values()
        for key in ("same", "narrower", "kin")
        for text in entry.get(key, ())
    }
    held, papers = _held_outside(of_fields, shared)
    allowed = {text.strip() for text in SHARED_SUBJECTS.split(";")}

    usual = {text for text, archive in of_fields if held[text, archive] > ELSEWHERE * papers}

    assert usual - allowed == set()
    assert allowed - usual == set()


def _held_outside(
    of_fields: set[tuple[str, str]], shared: Path
) -> tuple[Counter[tuple[str, str]], int]:
    """How many papers that its archive does not list hold each text, and how many there are."""
    thesaurus = Thesaurus(packaged("thesaurus.toml"), {})
    meant: dict[Term, list[tuple[str, str]]] = {}
    for text, archive in of_fields:
        for each in thesaurus.terms_of(text):
            meant.setdefault(each, []).append((text, archive))
    scans = {cased: AhoCorasick([each.needle for each in meant if each.cased is cased])
             for cased in (False, True)}  # fmt: skip
    found: Counter[tuple[str, str]] = Counter()
    papers = list(records(shared / "data" / "papers_16_weeks.jsonl.gz"))
    for raw in papers:
        listed = {category.split(".")[0] for category in raw["categories"]}
        texts = {pair for each in _named(fold(raw["title"], raw["abstract"]), scans)
                 for pair in meant[each]}  # fmt: skip
        found.update(pair for pair in texts if pair[1] not in listed)
    return found, len(papers)


def _named(folded: Folded, scans: dict[bool, AhoCorasick]) -> set[Term]:
    """Those of the terms that a text holds."""
    return {
        Term(needle, cased)
        for cased, text in ((False, folded.plain), (True, folded.cased))
        for needle in scans[cased].find_matches_as_strings(text, overlapping=True)
    }


def _held(shared: Path) -> tuple[Counter[str], int]:
    """How many of the shared papers hold each word, by stem, and how many papers there are."""
    papers = [
        set(re.findall("[a-z]+", f"{raw['title']} {raw['abstract']}".lower()))
        for raw in records(shared / "data" / "papers_16_weeks.jsonl.gz")
    ]
    forms = Counter(word for each in papers for word in each)
    held: Counter[str] = Counter()
    for form, count in forms.items():
        held[stem(form)] = max(held[stem(form)], count)
    return held, len(papers)


def _akin(word: str, name: str) -> bool:
    """Whether the name says the word in another form: "explanation", "explainable"."""
    return any(part[:4] == stem(word)[:4] for part in words(name))


def test_a_concept_stands_under_one_field():
    with pytest.raises(ValueError, match="“tea” stands under two fields; keep it under one"):
        Thesaurus({"concepts": {"tea": {}}, "fields": {"q-bio": {"tea": {}}}}, {})


def test_what_two_concepts_are_called_means_that_of_the_papers_counted_and_then_the_narrower():
    source = {
        "concepts": {"drink": {"same": ["brew", "cup"]}},
        "fields": {
            "q-bio": {"plant": {"same": ["leaf", "herb", "cup"]}, "tea": {"same": ["leaf"]}}
        },
    }
    thesaurus = Thesaurus(source, {})

    named = {word: thesaurus.concept(word) for word in ("cup", "leaf")}

    assert {word: each.name for word, each in named.items() if each} == {
        "cup": "drink",
        "leaf": "tea",
    }


def test_what_two_concepts_are_called_means_the_one_that_is_named_by_it():
    source = {"concepts": {"green tea": {"same": ["tea", "leaf"]}, "plant": {"same": ["tea"]}}}
    counted = {"green tea": "900;0", "plant": "9;0"}

    meant = Thesaurus(source, counted).concept("tea")

    assert meant is not None
    assert meant.name == "green tea"


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("zero-shot", "zero-shot learning"),
        ("mcts", "Monte Carlo tree search"),
        ("poisoning attacks", "data poisoning"),
        ("model inversion", "model inversion"),
        ("emotional support conversations", "emotional support"),
        ("continual learning of LLMs", "continual learning for LLMs"),
        ("video moment retrieval", "temporal grounding"),
        ("jailbreak", "LLM jailbreak"),
        ("auction", "auction"),
        ("neuromorphic", "neuromorphic computing"),
        ("electronic structure", "electronic structure theory"),
    ],
)
def test_a_word_of_several_concepts_leads_to_the_one_that_it_names(language, word, meant):
    assert language.concept_of(word) == meant


@pytest.mark.parametrize("short", ABBREVIATIONS.split())
def test_common_abbreviations_are_spelled_out(language, short):
    assert dict(language.glossary(f"{short} today"))[short]


def test_every_name_of_the_thesaurus_makes_a_query_that_can_be_read(language, concepts):
    for name in concepts:
        language.check(language.derive(name))


def test_a_name_of_several_concepts_makes_a_query_that_can_be_read(language, concepts):
    chance = random.Random(7)
    for _ in range(400):
        some = chance.sample(sorted(concepts), 4)
        for name in ("{} for {}", "{} and {} in {}", "{}, {} and {} with {}"):
            language.check(language.derive(name.format(*some)))


def test_an_entry_with_an_unknown_part_is_refused():
    with pytest.raises(ValueError, match="sam"):
        Thesaurus({"concepts": {"teapot": {"sam": ["kettle"]}}}, {})


def test_families_capitals_and_kin_do_what_the_file_says():
    language = Language(
        {
            "capitals": ["POUR"],
            "families": ["brew brewing"],
            "generic": ["study"],
            "concepts": {"teapot": {"abbr": ["TP"], "same": ["tea pot"], "kin": ["samovar"]}},
        }
    )

    def finds(query: str, text: str) -> bool:
        return language.compile(query).judge(paper(title="x", abstract=text)) is not None

    assert finds("teapot", "a samovar")
    assert finds("tp", "the TP")
    assert not finds("teapot", "tp")
    assert finds("brew", "brewing")
    assert not finds("POUR", "pour")
    assert language.derive("A study of teapots") == '"teapots" OR "TP" OR "tea pot" OR "samovar"'


def test_one_look_is_enough_for_a_phrase_and_what_it_is_part_of():
    part, whole = term("tea pot"), term("iron tea pot")

    assert part is not None
    assert whole is not None
    assert any_of((whole, part)) == full_text(part)


def test_a_name_in_the_title_outweighs_some_of_its_kin():
    kin = ["samovar", "infuser"]  # in a text of the same length
    company = {"teapot": "900; -300; 400 kettle; 300 leaf"}
    language = Language({"concepts": {"teapot": {"kin": kin}}}, company)
    topic = language.compile(language.derive("teapot"), name="teapot")

    named = topic.judge(paper(title="A Teapot", abstract="Something else is told of here."))
    related = topic.judge(paper(title="A Tray", abstract="Samovar, infuser, told of here."))

    assert named is not None
    assert related is not None
    assert named.score > related.score


def test_a_name_that_others_say_in_passing_leads_to_its_concept_and_counts_as_kin():
    language = Language(
        {"concepts": {"tea making": {"same": ["tea", "brewing"], "kin": ["tea"]}}},
        {"tea making": "900; -300; 400 kettle; 300 leaf"},
    )
    topic = language.compile(language.derive("tea making"), name="tea making")

    def said(word: str, *, of: str = "kettle leaf") -> bool:
        text = f"Of many a thing this tells, at length and in turn, {word}, {of}."
        verdict = topic.judge(paper(title="A Tray", abstract=text))
        return verdict is not None and verdict.score >= cut(Breadth.BALANCED)

    assert language.concept_of("tea") == "tea making"
    assert said("brewing", of="cups")
    assert said("tea")
    assert not said("tea", of="cups")


def test_an_abbreviation_is_that_of_one_concept(concepts):
    said = Counter(short for entry in concepts.values() for short in entry.get("abbr", ()))

    assert [short for short, times in said.items() if times > 1] == []


def test_a_concept_is_no_kin_of_itself(concepts):
    """What counts as kin only is what else it is called, never the name itself."""
    assert [name for name, entry in concepts.items() if name in entry.get("kin", ())] == []


def test_files_are_read_once_and_only_when_they_are_asked_for():
    read = []
    files = {"concepts": {"tea": {"abbr": ["T42"]}}}
    language = Language.when_asked(lambda: read.append(1) or (files, {}))

    assert language.is_query('"tea"')
    assert read == []
    with ThreadPoolExecutor(8) as many:
        assert list(many.map(language.knows, ["T42"] * 8)) == [True] * 8
    assert read == [1]


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("Multi-Stage Training", "Multi-Stage Training of Robots"),
        ("multi stage training", "Multistage Training of Robots"),
        ("Cross-Domain Object Detection", "Cross-Domain Object Detection in Fog"),
        ("cross domain object detection", "Cross-Domain Object Detection in Fog"),
        ("Multi Object Navigation", "Multi-Object Navigation"),
        ("Non Human Primates", "Faces of Non-Human Primates"),
        ("Cross Validation", "Cross-Validation Revisited"),
    ],
)
def test_a_prefix_and_its_word_are_looked_for_as_one_as_papers_are_read(language, name, title):
    topic = language.compile(language.derive(name), name=name)

    assert topic.judge(paper(title=title, abstract=f"{title}.")) is not None
