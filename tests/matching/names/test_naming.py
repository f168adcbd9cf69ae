"""How a name with "and", "of" and "for" is understood."""

import pytest

from bot.matching import Language, Matcher
from bot.matching.concepts.thesaurus import Thesaurus
from bot.matching.names.alternatives import telling_of
from bot.matching.names.derived import query_of
from bot.matching.names.naming import read
from bot.matching.spelling.terms import Term
from tests.makers import paper

CONCEPTS = {
    "kettle": {},
    "tea pot": {"abbr": ["TP"]},
    "tea pot design": {"same": ["TP design"]},
    "samovar": {},
    "ladle": {},
    "tea": {},
    "hot drink": {},
    "drink": {},
    "kettle safety": {},
    "kettle model": {},
    "kettle security": {},
    "security": {},
}
SHARE = {
    "kettle": 900,
    "samovar": 400,
    "ladle": 150,
    "security": 7_000,
    "tea": 15_000,
    "drink": 30_000,
}


@pytest.fixture(scope="module")
def thesaurus() -> Thesaurus:
    company = {name: f"{share}; -300; 50 leaf" for name, share in SHARE.items()}
    return Thesaurus({"generic": ["model", "study"], "concepts": CONCEPTS}, company)


def readings(name: str, thesaurus: Thesaurus) -> set[str]:
    return {" + ".join(facet.label.lower() for facet in each) for each in read(name, thesaurus)}


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("Kettles and Samovars", {"kettles", "samovars"}),
        ("Kettle Safety and Security", {"kettle safety", "kettle security"}),
        ("Kettle Safety and Samovars", {"kettle safety", "samovars"}),
        ("Kettles and Tea", {"kettles + tea"}),
        ("Tea and Drinks", {"tea + drinks"}),
        ("Kettles and Security", {"kettles + security"}),
        ("Samovars/Security", {"samovars", "security"}),
        ("Samovars and/or Security", {"samovars", "security"}),
        ("Drinks or Tea", {"drinks + tea"}),
        ("Whistling and Hot Drinks", {"whistling", "hot drinks"}),
        ("Kettle (K) Safety", {"kettle safety"}),
        ("Tea Pots (TPs) for Samovars", {"tea pots + samovars"}),
        ("Bronze Urn Vessels (BUV) and Samovars", {"buv", "samovars"}),
        ("Kettles (copper)", {"kettles + copper + kettles copper"}),
        ("I am looking for new papers on kettles please", {"kettles"}),
        ("What is new in kettles?", {"kettles"}),
        ("Kettles vs Samovars", {"kettles + samovars"}),
        ("Samovars vs. Tea Pots", {"samovars + tea pots"}),
        ("Kettle's", {"kettle"}),
        ("Can Kettles Whistle?", {"kettles + whistle + kettles whistle"}),
        ("Will samovars have tea pots", {"samovars + tea pots"}),
        ("Samovars w/ Tea Pots", {"samovars + tea pots"}),
        ("Samovars w/o Tea Pots", {"samovars + tea pots"}),
        ("Samovar-Based Tea Pots", {"samovar + tea pots"}),
        ("Urn Study", {"urn + study"}),
        ("Samovar-Kettle Study", {"samovar + kettle + study + samovar-kettle"}),
        ("Samovar-to-Tea", {"samovar + tea + samovar-to-tea"}),
        ("Samovar-Centric Tea", {"samovar + tea + samovar-centric"}),
        ("Samovar-to-Samovar Tea", {"samovar-to-samovar + tea + samovar-to-samovar tea"}),
        ("Samovars (Kettle, Tea Pot)", {"samovars + kettle", "samovars + tea pot"}),
        ("Samovar-Free Tea", {"samovar-free + tea + samovar-free tea"}),
        ("Samovar-Generated Tea", {"samovar + tea"}),
        ("Tea and Drinks for Samovars", {"tea + samovars", "drinks + samovars"}),
        ("Kettle / Safety", {"kettle", "safety"}),
        ("Kettle, Safety, and Samovars", {"kettle", "safety", "samovars"}),
        ("Samovar-Urn Study", {"samovar-urn + study"}),
        ("Drink-Based Tea", {"drink + tea"}),
        ("Tea- and Kettle-Based Samovars", {"tea + samovars", "kettle + samovars"}),
        ("S&T of Samovars", {"s&t + samovars"}),
        ("I/O of Samovars", {"i/o + samovars"}),
        ("TCP/IP", {"tcp/ip"}),
        ("Samovars/TP", {"samovars", "tp"}),
        ("Urn 4 for Samovars", {"urn 4 + samovars"}),
        ("Models of Kettles", {"kettle model"}),
        ("Models and Kettles", {"kettles"}),
        ("Models and Tea", {"tea"}),
        ("Design of Tea Pots", {"tea pot design", "design + tea pots"}),
        ("Study of Tea", {"study + tea"}),
        (
            "Design of Tea Pots for Samovars",
            {"tea pot design + samovars", "design + tea pots + samovars"},
        ),
    ],
)
def test_a_name_is_read_as_a_reader_means_it(thesaurus, name, found):
    assert readings(name, thesaurus) == found


@pytest.mark.parametrize(
    "name",
    [
        "III. Kettles",
        "2.3 — Kettles",
        "S2 — Kettles",
        "Appendix B: Kettles",
        "Kettles (continued)",
    ],
)
def test_what_only_orders_the_headings_of_a_list_is_not_asked_for(thesaurus, name):
    assert readings(name, thesaurus) == {"kettles"}


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("Kettle4Urns", {"kettle + urns"}),
        ("Tea2Samovar", {"tea + samovar + tea-to-samovar"}),
        ("Urn4Kettles", {"urn4kettles"}),
        ("Kettles – Samovars", {"kettles + samovars"}),
    ],
)
def test_a_number_or_a_dash_may_stand_for_a_word(thesaurus, name, found):
    assert readings(name, thesaurus) == found


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("NeurIPS 2026 Workshop on Samovars", {"samovars"}),
        ("The 3rd International Workshop on Samovars", {"samovars"}),
        ("ICML Workshop on Samovars", {"samovars"}),
        ("2026 Challenge on Samovars", {"samovars"}),
        ("SemEval-2026 Task 5: Samovars", {"samovars"}),
        ("TREC 2026 Samovar Track", {"samovar"}),
        ("Samovars @ ICML", {"samovars"}),
        ("Samovars at ICML 2026", {"samovars"}),
        ("Samovar Workshop", {"samovar"}),
        ("Best Papers on Samovars", {"samovars"}),
        ("Our Reading List: Samovars", {"samovars"}),
        ("A Tutorial on Samovars", {"samovars"}),
        ("Open Problems in Samovars", {"samovars"}),
        ("State of the Art in Samovars", {"samovars"}),
        ("SOTA Samovars", {"samovars"}),
        ("Awesome Samovars", {"samovars"}),
        ("awesome-tea-pots", {"tea-pots", "tea pots"}),
        ("Kettles at Urn 4", {"kettles + urn 4"}),
        ("Samovars at CERN", {"samovars + cern"}),
        ("Competition of Samovars", {"competition + samovars"}),
        ("Race Track", {"race + track + race track"}),
        ("Workshop", {"workshop"}),
    ],
)
def test_the_event_or_the_list_that_a_thing_stands_in_is_not_asked_for(thesaurus, name, found):
    assert readings(name, thesaurus) <= found


@pytest.mark.parametrize(
    "name",
    [
        "LLMs for Tea",
        "Large Language Models in Tea",
        "Language Models of Tea",
        "AI and Tea",
        "Artificial Intelligence and Tea",
        "AI & Tea",
        "Wordings in AI",
    ],
)
def test_a_name_is_known_however_it_is_phrased(name):
    concepts = {"samovar": {"same": ["LLMs in tea", "AI and tea"], "narrower": ["wording for AI"]}}
    (facet,), *_ = read(name, Thesaurus({"concepts": concepts}, {}))

    assert facet.known
    assert (" samovar " in {term.needle for term in facet.terms}) is ("Wording" not in name)


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("Hot Tea Pots", {"hot tea + pots", "hot + tea pots"}),
        ("Hot Tea Cup", {"hot tea + cup"}),
        ("Hot Model Pots", {"hot model + pots"}),
        ("Tea Pots", {"tea pots"}),
    ],
)
def test_a_word_that_makes_a_name_with_the_next_is_read_with_either(name, found):
    concepts = {"hot tea": {}, "tea pot": {}, "hot model": {}, "model pot": {}}
    known = Thesaurus({"generic": ["model"], "concepts": concepts}, {})

    assert readings(name, known) == found


@pytest.mark.parametrize(
    ("name", "asked"),
    [
        ("Cookery for Samovars", {"Samovars"}),
        ("Cookery of Tea", {"Cookery", "Tea"}),
        ("Cookery", {"Cookery"}),
        ("Cookery and Samovars", {"Samovars"}),
    ],
)
def test_a_field_at_large_is_not_asked_for_beside_what_few_papers_are_about(name, asked):
    source = {"at_large": ["cookery"], "concepts": {"cookery": {}, "samovar": {}, "tea": {}}}
    company = {"cookery": "4200; -300; 50 leaf"}
    company |= {name: f"{share}; -300; 50 leaf" for name, share in SHARE.items()}
    known = read(name, Thesaurus(source, company))

    assert {facet.label for each in known for facet in each if not facet.generic} == asked


@pytest.mark.parametrize(
    ("name", "asked"),
    [
        ("Samovars Beyond Ladles", {"Samovars"}),
        ("Tea beyond Kettles", {"Tea", "Kettles"}),
        ("Samovars beyond the Tea Pots", {"Samovars", "beyond the Tea Pots", "Tea Pots"}),
        ("Beyond Samovars", {"Samovars"}),
    ],
)
def test_what_a_name_leaves_behind_only_tips_where_the_rest_tells_enough(name, asked):
    company = {name: f"{share}; -300; 50 leaf" for name, share in SHARE.items()}
    known = Thesaurus({"concepts": {**CONCEPTS, "beyond the tea pots": {}}}, company)
    asked_for = {f.label for each in read(name, known) for f in each if not f.generic}

    assert asked_for == asked


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("Copper Urn Lid", {"copper urn + lid", "copper + urn lid"}),
        ("Copper Urn: Lid", {"copper urn + lid"}),
        ("Copper Urn for a Lid", {"copper urn + lid"}),
    ],
)
def test_only_words_side_by_side_make_one_thing(name, found):
    known = Thesaurus({"concepts": {"copper urn": {}, "urn lid": {}, "lid": {}, "copper": {}}}, {})

    assert readings(name, known) == found


@pytest.mark.parametrize(
    ("name", "label", "piping"),
    [
        ("Whistling of Samovars", "Whistling", False),
        ("Whistling of Kettles", "Whistling", True),
        ("Steam Whistling of Samovars", "Steam Whistling", True),
    ],
)
def test_a_word_of_another_field_is_only_that_word_beside_what_the_field_knows(name, label, piping):
    concepts = {each: {"same": ["piping"]} for each in ("whistling", "steam whistling")}
    fields = {"hep-th": {"samovar": {}}}
    source = {"elsewhere": ["whistling"], "concepts": {"kettle": {}, **concepts}, "fields": fields}
    terms = [
        f.terms for each in read(name, Thesaurus(source, {})) for f in each if f.label == label
    ]

    assert [Term(" piping ") in each for each in terms] == [piping]


@pytest.mark.parametrize(
    ("name", "tips"),
    [
        ("From Fire to Steam: Samovars", {"Fire", "Steam"}),
        ("Samovars: Steam", set()),
        ("Samovars: Tea", set()),
        ("Drinks: Steam", set()),
    ],
)
def test_a_motto_beside_what_few_papers_are_about_only_tips(thesaurus, name, tips):
    last = read(name, thesaurus)[-1]

    assert {facet.label for facet in last if facet.generic} == tips


@pytest.mark.parametrize(
    ("name", "asked"),
    [
        ("Kettles: Whistles and Gardens", [{"Kettles"}]),
        ("Kettles in Kitchens: Whistles, Gardens", [{"Kettles", "Kitchens"}]),
        ("Kettles: Gardens and Urns", [{"Kettles", "Gardens"}, {"Kettles", "Urns"}]),
        ("Drinks: Tea and Gardens", [{"Drinks", "Tea"}, {"Drinks", "Gardens"}]),
    ],
)
def test_parts_that_a_name_lists_of_what_few_papers_are_about_only_tip(name, asked):
    source = {
        "kettle": {"kin": ["whistle"]}, "whistle": {}, "drink": {"kin": ["tea"]}, "tea": {},
        "garden": {}, "urn": {}, "kitchen": {},
    }  # fmt: skip
    shares = dict.fromkeys(source, "500; -700; 5 leaf") | {"drink": "1900; -700; 5 leaf"}
    found = read(name, Thesaurus({"concepts": source}, shares))

    assert [{facet.label for facet in each if not facet.generic} for each in found] == asked


@pytest.mark.parametrize(
    ("name", "found"),
    [
        (
            "Update Policy of Kettles",
            {"update policy + kettles", "update + policy + update policy + kettles"},
        ),
        ("Update Policy of Samovars", {"update policy + samovars"}),
        ("Update Policy", {"update policy"}),
        ("Policy Age of Kettles", {"policy age + kettles"}),
    ],
)
def test_another_name_in_a_far_field_is_read_by_its_words_too(name, found):
    far = {"policy age": {"same": ["update policy"]}, "samovar": {}}
    source = {"concepts": {"kettle": {}}, "fields": {"eess": far}}
    known = Thesaurus(source, {"~update": "900; -300; 5 leaf", "~policy": "900; -300; 5 leaf"})

    assert readings(name, known) == found


def test_another_name_of_one_telling_word_is_read_as_a_phrase():
    far = {"policy age": {"same": ["update model"]}}
    source = {"generic": ["model"], "concepts": {"kettle": {}}, "fields": {"eess": far}}
    known = Thesaurus(source, {"~update": "900; -300; 5 leaf"})
    _, (phrase, _) = read("Update Model of Kettles", known)

    assert [term.needle for term in phrase.terms] == [" update model "]


@pytest.mark.parametrize(
    ("name", "asked"),
    [
        ("Kettles in the Wild", ["Kettles"]),
        ("Foundations of Kettles", ["Kettles"]),
        ("Tea in the Wild", ["Tea", "Wild"]),
        ("Urns in the Wild", ["Urns"]),
        ("Efficient Ladles", ["Ladles"]),
        ("Lightweight Ladles", ["Ladles"]),
        ("Efficient Kettles", ["Efficient", "Kettles"]),
    ],
)
def test_a_vague_word_is_asked_of_a_wide_thing_alone(thesaurus, name, asked):
    (reading,) = read(name, thesaurus)

    assert [facet.label for facet in telling_of(reading)] == asked


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("Clay Pots + Kettles", {"clay pots", "clay + kettles + clay kettles"}),
        ("Pots + Kettles", {"pots kettles"}),
        ("Raw Pots + Kettles", {"raw + pots kettles"}),
    ],
)
def test_a_word_that_ends_a_name_does_not_begin_another(name, found):
    concepts = {"clay pot": {}, "raw pot": {}, "pot kettle": {}, "big old iron stove": {}}
    known = Thesaurus({"generic": ["raw"], "concepts": concepts}, {})

    assert readings(name, known) == found


def test_a_first_side_of_several_words_shares_the_last_word_where_both_are_known():
    known = Thesaurus({"concepts": {"iron stove": {}, "iron stove design": {}}}, {})

    assert readings("Iron Stoves and Urn Design", known) == {
        "iron stoves design",
        "urn + design + urn design",
    }
    assert "iron stoves" in readings("Iron Stoves and Urn Painting", known)


def test_words_that_say_little_each_are_looked_for_side_by_side():
    known = Thesaurus({"generic": ["data", "reading"]}, {"~": "9000 structured"})
    ((*_, beside),) = read("Structured Data Reading", known)

    assert beside.side_by_side
    assert {term.needle for term in beside.terms} == {" structured data ", " data reading "}


def test_a_concept_that_hardly_any_paper_names_is_read_by_its_words_too():
    company = {"kettle": "900; -300; 50 leaf", "kettle lid": "40; -300; 50 leaf"}
    known = Thesaurus({"concepts": {"kettle": {}, "kettle lid": {}}}, company)

    whole, apart = read("Kettle Lids", known)

    assert [facet.label for facet in whole] == ["Kettle Lids"]
    assert [facet.label for facet in apart] == ["Kettle", "Lids", "Kettle Lids"]
    assert all(facet.in_title for facet in apart)


def test_the_words_of_a_rare_concept_bring_a_paper_whose_title_has_them_all():
    company = {"kettle lid": "40; -300; 50 leaf", "~kettle": "900; -300; 50 hob",
               "~lid": "900; -300; 50 rim"}  # fmt: skip
    language = Language({"concepts": {"kettle lid": {}}}, company)
    lids = language.compile(language.derive("Kettle Lids"), name="Kettle Lids")
    far = "A kettle on the hob is one thing. The rim of any pot may want a lid."
    apart = paper("2608.00001", "Kettles on the hob", abstract=far)
    near = paper("2608.00002", "Lids for a kettle", abstract=far)

    assert [hit.paper for hit in Matcher({1: lids}).hits([apart, near])] == [near]
    assert [lids.judge(each) is not None for each in (apart, near)] == [False, True]
    assert lids.rank(apart) is not None


def test_a_concept_of_one_telling_word_is_not_read_by_that_word():
    company = {"ranked tea": "40; -300; 50 leaf"}
    known = Thesaurus({"generic": ["tea"], "concepts": {"ranked tea": {}}}, company)

    assert readings("Ranked Tea", known) == {"ranked tea"}


def test_a_name_of_generic_words_alone_still_has_a_reading(thesaurus):
    assert readings("Models", thesaurus) == {"models"}


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("Cup Models", {"cup models"}),
        ("Model Cups", {"model cups"}),
        ("Two-Cup Models", {"two-cup + models"}),
        ("Samovar Models", {"samovar + models"}),
        ("Cup Models of Urns", {"cup + models + urns"}),
    ],
)
def test_a_usual_word_is_asked_for_with_the_generic_one_that_makes_a_name_with_it(name, found):
    company = {"~cup": "300; -439; 50 leaf", "~two-cup": "300; -439; 50 leaf"}
    known = Thesaurus({"generic": ["model"], "concepts": {}}, company)

    assert readings(name, known) == found


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        (
            "My research interests include kettles, samovars, and cups.",
            "kettles, samovars and cups",
        ),
        ("Research interests: kettles", "kettles"),
        ("Topics of interest include (but are not limited to): kettles", "kettles"),
        ("Call for Papers: 3rd International Workshop on Kettles", "kettles"),
        ("ICLR 2026 Workshop on Kettles", "kettles"),
        ("Call for Papers: 2nd Shared Task on Kettles at ICML 2026", "kettles"),
        ("Topics of interest: best papers on kettles, e.g. samovars", "kettles, samovars"),
        ("Kettles (PhD thesis, 2021-2024)", "kettles"),
        ("kettles, e.g. samovars", "kettles, samovars"),
        ("kettles such as samovars", "kettles, samovars"),
        ("kettles, but only for urns", "kettles for urns"),
        ("• Kettles • Samovars", "kettles, samovars"),
    ],
)
def test_what_stands_around_a_name_in_a_cv_or_a_call_for_papers_is_no_part_of_it(
    thesaurus, name, meant
):
    assert readings(name, thesaurus) == readings(meant, thesaurus)


def test_semicolons_part_the_things_of_a_list(thesaurus):
    assert readings("kettles; samovars", thesaurus) == readings("kettles, samovars", thesaurus)


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("Type Theory", {"type theory"}),
        ("Type Models", {"type models"}),
        ("Type Theory of Urns", {"type theory + urns"}),
        ("Samovar Theory", {"samovar + theory"}),
        ("Type Theory Proofs", {"type + theory proofs"}),
    ],
)
def test_a_usual_word_is_a_name_only_with_the_one_behind_it(name, found):
    source = {
        "generic": ["theory", "model"],
        "naming": ["theory"],
        "concepts": {"theory proof": {}},
    }
    known = Thesaurus(source, {"~type": "1300; -439; 50 leaf", "theory proof": "90; -300; 5 leaf"})

    assert readings(name, known) == found


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("T.K.", {"tk"}),
        ("t.k.s in use", {"tk + use"}),
        ("U.S. Kettles", {"u.s + kettles + u.s kettles"}),
        ("TK (Tea Klatsch) for Urns", {"tea klatsch + urns"}),
        ("TK (Tea Kettle) for Urns", {"tk + urns"}),
        ("UBT (urn-based tea) of Samovars", {"ubt + samovars"}),
        ("the best way to samovars", {"samovars"}),
    ],
)
def test_an_abbreviation_is_known_with_full_stops_and_where_words_say_what_it_is(name, found):
    known = Thesaurus({"concepts": {"tea kettle": {"abbr": ["TK"]}, "tea klatsch": {}}}, {})

    assert readings(name, known) == found


def test_a_name_that_means_much_less_than_its_concept_is_about_that_alone():
    kettle = {"same": ["urn"], "narrower": ["teaspout", "TBS", "tea bag string"]}
    known = Thesaurus({"concepts": {"kettle": kettle}}, {"kettle": "900; -300; 50 leaf"})
    ((spout,),) = read("Teaspouts", known)
    ((urn,),) = read("Urns", known)

    assert [term.needle for term in spout.terms] == [" teaspout "]
    assert {" kettle ", " urn "} < {term.needle for term in spout.signs}
    assert " kettle " in {term.needle for term in urn.terms}
    for name, other in (("TBS", "tea bag string"), ("Tea Bag String", "TBS")):
        (string,), *_ = read(name, known)
        assert string.shown == (name, other)


def test_a_narrow_name_is_also_its_concept_with_the_words_that_it_adds():
    source = {
        "concepts": {
            "kettle": {"abbr": ["KTL"], "narrower": ["steel kettle", "kettle spout cleaning"]},
            "spout cleaning": {},
        }
    }
    passing = {"~": "9000 steel"}
    known = Thesaurus(source, passing)

    alone, within = read("Steel Kettles", known)
    assert [facet.label for facet in alone] == ["Steel Kettles"]
    assert [(facet.label, facet.in_title) for facet in within] == [
        ("kettle", False),
        ("Steel", True),
    ]
    assert query_of([alone, within]).startswith('"Steel Kettles" OR (("kettle" OR "KTL" OR')
    assert query_of([alone, within]).endswith(") AND title:Steel)")
    _, apart = read("Kettle Spout Cleaning", known)
    assert [facet.label for facet in apart] == ["Kettle", "Spout Cleaning"]


def test_what_is_narrower_for_one_concept_and_another_name_of_a_second_means_the_second():
    source = {"concepts": {"kettle": {"narrower": ["spout"]}, "nozzle": {"same": ["spout"]}}}
    ((spout,),) = read("Spouts", Thesaurus(source, {}))

    assert " nozzle " in {term.needle for term in spout.terms}


def test_one_thing_of_a_name_is_said_by_its_abbreviation_or_spelled_out(language):
    assert "deep reinforcement learning" in language.wordings("deep RL")
    assert "deep RL" in language.wordings("deep reinforcement learning")


def test_a_text_is_not_said_in_other_words(language):
    assert len(language.wordings("RL for agents " * 200)) == 1
