"""Counting the models that fit, against a list of all of them."""

from random import Random

import pytest

from causarium.scm.boolean.certify_model import count_models
from causarium.scm.boolean.row_evidence import Admissible, Evidence, ModelFacts
from tests.scm.boolean.listed import all_models, fits
from tests.scm.boolean.made import draw_evidence, draw_model, draw_world, join
from tests.scm.boolean.test_simplest_model import disclosures


def count(evidence, admissible):
    return sum(count_models(ModelFacts.of(evidence, admissible)).values())


@pytest.mark.parametrize("seed", range(8))
def test_the_count_is_the_length_of_the_list(seed):
    rng = Random(seed)
    scm = draw_model(rng, 5, roots=3 if seed % 3 else 2, most=2)
    evidence = draw_evidence(rng, scm, worlds=3, rows=5)
    query = draw_world(rng, scm)
    for admissible in disclosures(scm, 2):
        models = all_models(admissible, evidence)
        assert count(evidence, admissible) == len(models)
        right = sum(fits(model, query) for model in models)
        assert count(join(evidence, query), admissible) == right


def test_the_count_is_right_without_any_filter_before_the_replay():
    rng = Random(1)
    scm = draw_model(rng, 5, roots=3, most=2)
    evidence = draw_evidence(rng, scm, worlds=1, rows=4)
    for admissible in disclosures(scm, 2)[:3]:
        models = all_models(admissible, evidence, filtered=False)
        assert count(evidence, admissible) == len(models) > 1


@pytest.mark.parametrize("seed", range(3))
def test_six_variables_with_three_parents_are_counted_right(seed):
    rng = Random(seed)
    scm = draw_model(rng, 6, roots=3, most=3)
    evidence = draw_evidence(rng, scm, worlds=7, rows=9)
    for admissible in disclosures(scm, 3)[:3]:
        assert count(evidence, admissible) == len(all_models(admissible, evidence))


def test_where_nothing_fits_there_is_nothing_to_count():
    evidence = Evidence.of(2, [0b00, 0b10, 0b01], [0, 0, 0])
    assert count(evidence, Admissible.from_roots(2, 0b01)) == 0
