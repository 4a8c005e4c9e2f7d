"""Names by their words: singulars, roots, opposites, and the nearest node worked out plainly."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from causarium.families.recite.paper.model.names import strip_name
from causarium.families.recite.paper.scoring.match_nodes import (
    Match,
    _Words,
    are_opposites,
    find_root,
    find_words,
    is_undone,
    match_nodes,
)


def test_words_are_read_without_case_and_number():
    assert find_words("Gas LOSSES, boats; glass") == {"gas", "losse", "boat", "glass"}
    assert find_words("x" * 499 + " yy") == {"x" * 499}


@pytest.mark.parametrize(
    ("word", "root"),
    [
        ("heating", "heat"),
        ("baking", "baking"),
        ("payment", "payment"),
        ("treatment", "treat"),
        ("kindness", "kind"),
        ("trust", "trust"),
        ("state", "stat"),
        ("rate", "rate"),
    ],
)
def test_a_root_has_four_letters_or_more(word, root):
    assert find_root(word) == root


@pytest.mark.parametrize(
    ("word", "root", "undone"),
    [
        ("unheated", "heat", True),
        ("distrust", "trust", True),
        ("reheated", "heat", False),
        ("heatless", "heat", True),
        ("heater", "heat", False),
        ("unpay", "pay", False),
        ("unpaid", "paid", True),
        ("regardlessness", "regardless", False),
        ("lessless", "less", False),
    ],
)
def test_a_root_is_undone_in_front_or_behind(word, root, undone):
    assert is_undone(word, root) == undone


@pytest.mark.parametrize(
    ("name", "form", "opposite"),
    [
        ("low pay", "pay", True),
        ("no lack of pay", "pay", False),
        ("high cost", "low cost", True),
        ("more boats", "fewer boats", True),
        ("no more boats", "fewer boats", False),
        ("unheated flats", "heating of flats", True),
        ("rise", "rise", False),
    ],
)
def test_two_turns_undo_each_other(name, form, opposite):
    assert are_opposites(name, form) == are_opposites(form, name) == opposite


def find_plainly(name, true):
    """Return the match of one name by looking at every node; no name here is an opposite."""
    sets = {node: strip_name(node) for node in true}
    words = strip_name(name)

    def weigh(some):
        counts = {word: sum(word in one for one in sets.values()) for word in some}
        return sum(1 / count if count else 1.0 for count in counts.values())

    shared = {
        node: round(weigh(words & one) / weigh(words | one), 9)
        for node, one in sets.items()
        if words & one
    }
    ranked = sorted(shared, key=lambda node: (-shared[node], node))
    if not ranked or shared[ranked[0]] < 0.5:
        return None
    if len(ranked) > 1 and shared[ranked[0]] - shared[ranked[1]] < 0.1:
        return None
    best = sets[ranked[0]]
    nearness = "broader" if words < best else "narrower" if words > best else "near"
    return Match(ranked[0], nearness)


WORDS = ("boat", "crew", "dock", "farm", "lake", "mill", "road", "seal")
names = st.sets(st.sampled_from(WORDS), min_size=1, max_size=5).map(
    lambda words: " ".join(sorted(words))
)


@given(names, st.lists(names, min_size=1, max_size=6, unique=True))
@settings(max_examples=300)
def test_the_nearest_node_is_the_one_found_plainly(name, true):
    if name in true:
        return
    assert match_nodes([name], true, {}).get(name) == find_plainly(name, true)


@pytest.mark.parametrize(("said", "weighed"), [("aa bb lake", {}), ("aa bb cc lake mill", {0: 2})])
def test_a_node_is_weighed_if_it_may_share_two_fifths(said, weighed):
    true = _Words([("lake mill", strip_name("lake mill"), "Lake")])
    words = strip_name(said)
    assert true._weigh_shared_words(words, len(words)) == weighed


@pytest.mark.parametrize(
    ("said", "true", "found"),
    [
        ("boat", ("boat crew",), "boat crew"),
        ("boat dock", ("boat crew",), None),
        ("boat crew dock", ("boat crew farm lake", "boat crew"), "boat crew"),
        ("boat crew", ("boat dock", "crew dock"), None),
        (
            "boat crew dock farm",
            ("boat crew dock lake", "boat mill road seal"),
            "boat crew dock lake",
        ),
    ],
)
def test_half_the_words_are_enough_with_a_clear_lead(said, true, found):
    match = match_nodes([said], true, {}).get(said)
    assert (None if match is None else match.true) == found
