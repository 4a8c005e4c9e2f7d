"""Mechanisms that no experiment can tell apart, where the frequency may be a cause."""

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from causarium.families.causalab.generation.published import draw_paper_instance as generate
from causarium.families.causalab.model.actions import Submit
from causarium.families.causalab.model.config import LabConfig, LabRules
from causarium.families.causalab.scoring.grade_hypothesis import list_parent_options, move_terms
from causarium.scm.dag import bits
from causarium.scm.mechanism import Mechanism, Specimen
from tests.families.causalab.made import F, believe, made, numbers_of, paper_rules, verdict_of

LOOP = {("density", F): 2, ("moisture", F): 1, (F, "ph"): 3}
"""density and moisture make the frequency, and the frequency makes ph."""


def member_edges(instance):
    nodes = instance.public.nodes
    for chosen in product(*list_parent_options(instance)):
        yield frozenset(
            (nodes[parent], nodes[node])
            for node, option in enumerate(chosen)
            for parent in bits(option.mask)
        )


def class_size(instance):
    return len(list(member_edges(instance)))


def test_a_frequency_that_is_told_to_cause_nothing_leaves_one_member():
    assert class_size(made({("density", F): 2, ("density", "ph"): 3})) == 1


def test_what_the_frequency_does_can_be_put_to_its_parents():
    members = set(member_edges(made(LOOP, frequency_may_cause=True)))
    into = {("density", F), ("moisture", F)}
    whole = {("density", "ph"), ("moisture", "ph")}
    assert members == {
        frozenset(into | {(F, "ph")}),
        frozenset(into | whole),
        # Half and half, in which no coefficient, one, or the other vanishes.
        frozenset(into | whole | {(F, "ph")}),
    }


def test_a_share_at_which_one_arrow_vanishes_is_a_member_of_its_own():
    # ph = 3 density + 1 moisture: with f = 2 density + moisture it is f + density, or 1.5 f - ...
    instance = made(
        {("density", F): 2, ("moisture", F): 1, ("density", "ph"): 3, ("moisture", "ph"): 1},
        frequency_may_cause=True,
    )
    found = {frozenset(e for e in member if e[1] == "ph") for member in member_edges(instance)}
    assert frozenset({(F, "ph"), ("density", "ph")}) in found
    assert frozenset({(F, "ph"), ("moisture", "ph")}) in found
    assert len(found) == 4


def test_squares_move_to_the_parents_with_the_rest():
    found = {frozenset(e for e in member if e[1] == "ph") for member in member_edges(QUADRATIC)}
    assert found == {
        frozenset({(F, "ph"), ("density", "ph")}),
        frozenset({("density", "ph"), ("moisture", "ph")}),
        frozenset({(F, "ph"), ("density", "ph"), ("moisture", "ph")}),
    }


def test_a_property_that_not_all_of_the_frequencys_causes_act_on_is_settled():
    instance = made(
        {("density", F): 2, ("moisture", F): 1, ("density", "ph"): 3}, frequency_may_cause=True
    )
    assert class_size(instance) == 1


def test_shifting_a_base_to_a_known_value_settles_everything():
    assert class_size(made(LOOP, frequency_may_cause=True, semantics="shift")) == 1


QUADRATIC = made(
    {("density", F): (0.5, 0.01), ("moisture", F): (-1.0, 0.02), (F, "ph"): (2.0, 0.0),
     ("density", "ph"): (0.0, 0.004)},
    frequency_may_cause=True,
)  # fmt: skip


def drawn(index):
    return generate(LabConfig(nodes=5, frequency_parent=True), 3, index)


@given(
    index=st.integers(0, 30),
    squares=st.booleans(),
    puts=st.lists(st.tuples(st.integers(0, 2), st.floats(-99, 99)), max_size=6),
    data=st.data(),
)
@settings(max_examples=30, deadline=None)
def test_every_member_answers_every_experiment_as_the_truth_does(index, squares, puts, data):
    instance = QUADRATIC if squares else drawn(index)
    public, secret = instance.public, instance.secret
    truth = Mechanism(secret.mechanism(public).terms, decimals=None)
    outcome = len(public.properties)
    chosen = [data.draw(st.sampled_from(options)) for options in list_parent_options(instance)]
    terms = tuple(
        move_terms(truth, node, outcome, one.moved) if one.moved else truth.terms[node]
        for node, one in enumerate(chosen)
    )
    member = Mechanism(terms, decimals=None)
    assert all(
        sum(1 << t.parent for t in terms[node]) == one.mask for node, one in enumerate(chosen)
    )
    base = secret.base_frequency
    bases = [*secret.manipulator_bases, base]
    moved = [b - one.moved * base for b, one in zip(bases, chosen, strict=True)]
    crystals = Specimen(truth, bases, "set"), Specimen(member, moved, "set")
    assert crystals[0].values == pytest.approx(crystals[1].values, rel=1e-6, abs=1e-6)
    for node, value in puts:
        seen = [crystal.put(node, value) for crystal in crystals]
        assert seen[0] == pytest.approx(seen[1], rel=1e-6, abs=1e-6)


@pytest.mark.parametrize("index", range(12))
def test_the_scorer_accepts_every_member_alike(index):
    instance = drawn(index)
    for member in member_edges(instance):
        claim = believe(*member, base=instance.secret.base_frequency)
        found = numbers_of(instance, Submit(value=0.0, hypothesis=claim))
        assert (found["edge_f1"], found["shd"], found["root_f1"]) == (1, 0, 1)
        assert found["freq_edge_f1"] == 1


def test_one_truth_is_what_the_published_scorer_knows():
    instance = made(LOOP, frequency_may_cause=True)
    claim = believe(("density", F), ("moisture", F), ("density", "ph"), ("moisture", "ph"), base=1)
    move = Submit(value=0.0, hypothesis=claim)
    assert numbers_of(instance, move)["shd"] == 0
    assert numbers_of(instance, move, rules=paper_rules())["shd"] == 3


def test_a_graph_outside_the_class_is_held_against_the_nearest_member():
    instance = made(LOOP, frequency_may_cause=True)
    claim = believe(("density", F), ("moisture", F), ("density", "ph"), base=1)
    found = numbers_of(instance, Submit(value=0.0, hypothesis=claim))
    assert (found["missing"], found["extra"], found["reversed"]) == (1, 0, 0)


def test_silence_is_as_far_from_the_truth_as_its_edges_whatever_the_class():
    instance = made(LOOP, frequency_may_cause=True)
    assert numbers_of(instance)["shd"] == len(LOOP)


def test_the_scientist_finds_a_member_of_every_class():
    for index in range(15):
        found = verdict_of("scientist", drawn(index), LabRules()).numbers
        assert (found["edge_f1"], found["shd"], found["prediction"]) == (1, 0, 1)
