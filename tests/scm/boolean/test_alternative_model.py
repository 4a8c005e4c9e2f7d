"""Other models that fit, and the experiments that tell them apart."""

from random import Random

import pytest

from causarium.errors import ContractError
from causarium.scm.boolean.certify_model import (
    contexts_of,
    find_best_alternative,
    find_best_experiment,
    list_reachable_rows,
    prove,
)
from causarium.scm.boolean.row_evidence import Admissible
from tests.scm.boolean.listed import all_models, fits
from tests.scm.boolean.made import draw_evidence, draw_model, reach_with_one_target
from tests.scm.boolean.test_simplest_model import disclosures


@pytest.mark.parametrize("seed", range(12))
def test_an_alternative_exists_just_if_experiments_on_one_variable_are_not_determined(seed):
    rng = Random(seed)
    n = 6 + seed % 4
    scm = draw_model(rng, n)
    evidence = draw_evidence(rng, scm, worlds=(6, 20, 60)[seed % 3], rows=10)
    for admissible in disclosures(scm, 4)[:3]:
        found = find_best_alternative(scm, evidence, admissible)
        proof = prove(scm, evidence, [reach_with_one_target(scm)], admissible)
        assert (found is None) == (proof.open_query == 0)
        if found is None:
            continue
        assert fits(found, evidence)
        assert count_contexts(scm, found)
        for v in found.order:
            assert not found.parents[v] & ~admissible.allowed[v]
            assert found.parents[v].bit_count() <= 4


def count_contexts(one, other):
    """Return in how many contexts the best experiment tells two models apart."""
    found = find_best_experiment(one, other)
    return len(found[2]) if found else 0


def _mechanism(scm, v):
    return scm.parents[v], scm.tables[v]


@pytest.mark.parametrize("seed", range(5))
def test_no_model_with_one_other_mechanism_differs_in_more_contexts(seed):
    rng = Random(seed)
    scm = draw_model(rng, 5, roots=3, most=2)
    evidence = draw_evidence(rng, scm, worlds=2, rows=5)
    for admissible in disclosures(scm, 2)[:3]:
        found = find_best_alternative(scm, evidence, admissible)
        near = [
            model
            for model in all_models(admissible, evidence)
            if sum(_mechanism(scm, v) != _mechanism(model, v) for v in scm.order) == 1
        ]
        most = max((count_contexts(scm, model) for model in near), default=0)
        assert (0 if found is None else count_contexts(scm, found)) >= most


def test_where_every_row_was_seen_there_is_no_alternative():
    scm = draw_model(Random(2), 7)
    assert (
        find_best_alternative(scm, list_reachable_rows(scm), Admissible.from_roots(7, scm.roots))
        is None
    )


def test_contexts_are_all_values_of_the_roots():
    scm = draw_model(Random(2), 7)
    contexts = contexts_of(scm).tolist()
    assert len(set(contexts)) == 8
    assert all(not row & ~scm.roots for row in contexts)


def test_a_reference_that_does_not_fit_is_refused():
    rng = Random(1)
    scm, other = draw_model(rng, 6), draw_model(rng, 6)
    with pytest.raises(ContractError, match="does not fit"):
        find_best_alternative(
            other, draw_evidence(rng, scm, 4), Admissible.from_roots(6, other.roots)
        )
