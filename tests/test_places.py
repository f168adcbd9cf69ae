"""The institutes behind printed affiliations."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.text import places


@pytest.mark.parametrize(
    ("printed", "shown"),
    [
        (["University of Nowhere"], ("University of Nowhere",)),
        (["Work done during an internship at Apple"], ()),
        (["Work done while at Example Labs", "Example Labs"], ("Example Labs",)),
        (["Equal contribution", "Corresponding author: a@b.org"], ()),
        (
            ["Dept. of Computer Science, Univ. of Nowhere, Springfield, USA"],
            ("University of Nowhere",),
        ),
        (
            ["The Hong Kong Polytechnic University Hong Kong"],
            ("The Hong Kong Polytechnic University",),
        ),
        (["University of Hong Kong"], ("University of Hong Kong",)),
        (
            ["University of Nowhere", "UNIVERSITY OF NOWHERE", "The University of Nowhere, Spain"],
            ("University of Nowhere",),
        ),
        (
            ["Massachusetts Institute of Technology", "MIT"],
            ("Massachusetts Institute of Technology",),
        ),
        (["MIT"], ("MIT",)),
        (
            ["Technical University of Łódź", "Technical University of Lodz"],
            ("Technical University of Łódź",),
        ),
        (["1Example Labs", "2 Acme Inc."], ("Example Labs", "Acme Inc")),
        (["∗University of Nowhere †"], ("University of Nowhere",)),
        (["ada@nowhere.edu", "https://nowhere.edu"], ()),
        (["Universit\\'e de Nulle Part"], ("Université de Nulle Part",)),
        (["Example Labs; University of Nowhere"], ("Example Labs", "University of Nowhere")),
        (["School of Computing, Institute of Odds, Graz, Austria"], ("Institute of Odds",)),
        (["Department of Physics"], ()),
        (["Google DeepMind, London, UK"], ("Google DeepMind",)),
        (["Nowhere AI"], ("Nowhere AI",)),
        (["", "  ", "*", ","], ()),
        (["We thank everybody who helped us to do all of this work over many years " * 3], ()),
    ],
)
def test_of_what_is_printed_a_name_that_people_know_is_shown(printed, shown):
    assert places(printed) == shown


@given(st.lists(st.text(max_size=80), max_size=5))
def test_places_are_short_and_unlike(printed):
    found = places(printed)

    assert all(0 < len(place) <= 120 for place in found)
    assert len({place.casefold() for place in found}) == len(found)
