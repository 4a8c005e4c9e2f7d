"""The simplest model that fits, against all models that fit."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from causarium.scm.boolean.certify_model import find_simplest_known
from causarium.scm.boolean.row_evidence import Admissible, Evidence, ModelFacts
from causarium.scm.boolean.shortest_formulas import minimal_size
from tests.scm.boolean.listed import all_models, fits
from tests.scm.boolean.made import draw_evidence, draw_model, few

seeds = st.integers(0, 10_000)


def find_simplest(evidence, admissible):
    return find_simplest_known(ModelFacts.of(evidence, admissible))


def cost_of(scm):
    sizes = [minimal_size(scm.tables[v], scm.parents[v].bit_count()) for v in scm.order]
    return sum(mask.bit_count() for mask in scm.parents), sum(sizes)


def disclosures(scm, most):
    roots = scm.roots.bit_count()
    pairs = [list(scm.order[i : i + 2]) for i in range(0, len(scm.order), 2)]
    return [
        Admissible.from_order(scm.n, scm.roots, scm.order, most),
        Admissible.blocks(scm.n, scm.roots, pairs, most),
        Admissible.from_roots(scm.n, scm.roots, most),
        Admissible.hidden_roots(scm.n, roots, most),
    ]


@few
@given(seeds, st.integers(6, 10))
def test_a_fitting_model_is_always_found_and_it_is_no_less_simple_than_the_true_one(seed, n):
    rng = Random(seed)
    scm = draw_model(rng, n)
    evidence = draw_evidence(rng, scm, worlds=9, rows=11)
    for admissible in disclosures(scm, 4):
        found = find_simplest(evidence, admissible)
        assert found is not None
        assert fits(found, evidence)
        assert cost_of(found) <= cost_of(scm)
        assert found.canonical() == found
        for v in found.order:
            assert not found.parents[v] & ~admissible.allowed[v]


@pytest.mark.parametrize("seed", range(6))
def test_no_fitting_model_is_simpler(seed):
    rng = Random(seed)
    scm = draw_model(rng, 5, roots=3 if seed % 3 else 2, most=2)
    evidence = draw_evidence(rng, scm, worlds=3, rows=5)
    for admissible in disclosures(scm, 2):
        models = all_models(admissible, evidence)
        found = find_simplest(evidence, admissible)
        assert found is not None
        assert cost_of(found) == min(map(cost_of, models))


def test_rows_that_nothing_explains_have_no_model():
    evidence = Evidence.of(2, [0b00, 0b10, 0b01], [0, 0, 0])
    assert find_simplest(evidence, Admissible.from_roots(2, 0b01)) is None


def test_a_variable_that_never_changes_needs_no_parents():
    evidence = Evidence.of(3, [0b100, 0b101, 0b111, 0b110], [0] * 4)
    found = find_simplest(evidence, Admissible.from_roots(3, 0b011))
    assert found is not None
    assert (found.parents, found.tables) == ((0, 0, 0), (0, 0, 1))
