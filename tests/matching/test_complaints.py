"""What readers of other services complained of, as they would meet it here."""

import pytest

from tests.makers import paper


def brings(language, query: str, text: str, **more) -> bool:
    found = paper(title="Untitled", abstract=text, **more)
    return language.compile(query).judge(found) is not None


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("transformers -survey", "A survey of transformers"),
        ("transformers -cat:cs.CV", "Transformers"),
        ("transformers NOT author:“Jun Li”", "Transformers"),
    ],
)
def test_words_categories_and_authors_can_be_excluded(language, query, text):
    more = {"categories": ("cs.CV",), "authors": ("Jun Li",)}

    assert not brings(language, query, text, **more)


def test_a_niche_topic_finds_its_papers_by_its_name(language):
    name = "shape correspondence"
    topic = language.compile(language.derive(name), name=name)
    near = paper(title="Dense Shape Correspondence by Maps", abstract="We match shapes.")
    far = paper(title="A Correspondence of Letters", abstract="They took shape slowly.")

    ranked = [topic.rank(each) for each in (near, far)]
    assert ranked[0] is not None
    assert ranked[1] is None or ranked[0].score > ranked[1].score


@pytest.mark.parametrize("name", ["Uwe Zimmer", "Zimmerman", "U. Zimmerman", "Uwe"])
def test_an_author_alert_is_for_one_whole_name(language, name):
    assert not brings(language, f'author:"{name}"', "x", authors=("Uwe Zimmerman",))


@pytest.mark.parametrize(
    ("typed", "printed"),
    [
        ("Matthias Niessner", "Matthias Nießner"),
        ("Lukasz Kaiser", "Łukasz Kaiser"),
        ("Søren Ørsted", "Soren Orsted"),
        ("Magnus Kjær", "Magnus Kjaer"),
        ("Taskin Padir", "Taşkın Padır"),
        ("ÐORÐE ÞÓR", "Dorde Thor"),
        ("Daniel Rückert", "Daniel Rueckert"),
        ("Daniel Rückert", "Daniel Ruckert"),
        ("Gauß, Jörg", "Joerg Gauss"),
        ("Bjørn Bråten", "Bjoern Braaten"),
    ],
)
def test_an_author_is_one_with_marks_or_without(language, typed, printed):
    """Many sign with either: of some, half of the papers."""
    assert brings(language, f'author:"{typed}"', "x", authors=(printed,))
    assert brings(language, f'author:"{printed}"', "x", authors=(typed,))


@pytest.mark.parametrize(
    ("typed", "printed"),
    [
        ("Yuefeng Ji", "Yufeng Ji"),
        ("Michael Nowak", "Michał Nowak"),
        ("Daniel Rueckert", "Daniel Ruckert"),
        ("Özge Yue", "Özge Yu"),
    ],
)
def test_names_that_only_look_alike_are_of_two_people(language, typed, printed):
    assert not brings(language, f'author:"{typed}"', "x", authors=(printed,))


@pytest.mark.parametrize(
    ("word", "text"),
    [("ai", "maintain"), ("rat", "generate"), ("RL", "URL"), ("RL", "early"), ("cat", "category")],
)
def test_short_words_do_not_match_inside_others(language, word, text):
    assert not brings(language, f'"{word}"', text)


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("C++", "written in C++"),
        ("GPT-4 (vision)", "GPT-4 and its vision"),
        ("C#", "C# and F#"),
        ("what? why* (how)", "what: whys and hows"),
    ],
)
def test_marks_in_a_query_are_no_patterns(language, query, text):
    assert brings(language, query, text)


@pytest.mark.parametrize("name", ["A* search", "A* planning"])
def test_a_letter_with_a_star_proposes_no_more_than_its_neighbour(language, full_text, name):
    papers = [paper(title="A tray", abstract="A lid."), paper(title="Search", abstract="Plan A*.")]
    topic = language.compile(language.derive(name), name=name)

    assert full_text(papers).find(topic.candidates) == {1}


@pytest.mark.parametrize(
    ("name", "about", "another"),
    [
        ("Kähler manifolds", "compact Kaehler manifolds", "Ricci curvature from below"),
        ("CRISPR", "gene editing with Cas9", "the kinetics of ligand binding"),
        ("OCT", "optical coherence tomography", "fundus images of glaucoma"),
        ("fMRI", "functional MRI of readers", "spikes in the hippocampus"),
        ("metasurfaces", "a metalens of silicon", "the aerodynamic design of wings"),
        ("solar wind", "the solar wind near Earth", "a solar flare"),
        ("B-modes", "B-modes of the microwave sky", "an ultrasound probe"),
        ("operating systems of robots", "an OS kernel for a robot", "operating robots"),
        ("file systems in userspace", "a filesystem in userspace", "a file in userspace"),
        ("N=4 SYM", "planar $N=4$ super Yang-Mills", "supersymmetric dark matter"),
        ("Ly-alpha", "the Lyα line", "an alpha particle"),
        ("Lyα emitters", "Lyman-alpha emitters", "emitters of light"),
        ("Schroedinger equation", "the Schrödinger equation", "a Schrödinger bridge"),
    ],
)
def test_a_name_of_another_field_finds_what_it_says_in_its_spellings(
    language, name, about, another
):
    topic = language.compile(language.derive(name), name=name)

    found = [topic.judge(paper(title="Untitled", abstract=text)) for text in (about, another)]
    assert [each is not None for each in found] == [True, False]


def test_a_letter_is_not_a_language(language):
    assert not brings(language, "C++", "C is a language")
