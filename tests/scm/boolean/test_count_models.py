"""Counting and drawing the models that fit, against a list of all of them."""

from collections import Counter
from random import Random

import pytest

from causarium.errors import UsageError
from causarium.scm.boolean.count_models import Count
from causarium.scm.boolean.row_evidence import Admissible, Evidence
from tests.scm.boolean.listed import all_models, fits
from tests.scm.boolean.made import draw_evidence, draw_model, draw_world
from tests.scm.boolean.test_simplest_model import disclosures


@pytest.mark.parametrize("seed", range(8))
def test_the_count_is_the_length_of_the_list(seed):
    rng = Random(seed)
    scm = draw_model(rng, 5, roots=3 if seed % 3 else 2, most=2)
    evidence = draw_evidence(rng, scm, worlds=3, rows=5)
    query = draw_world(rng, scm)
    for admissible in disclosures(scm, 2):
        models = all_models(admissible, evidence)
        assert Count.of(evidence, admissible).total == len(models)
        right = sum(fits(model, query) for model in models)
        assert Count.of(evidence + query, admissible).total == right


def test_the_count_is_right_without_any_filter_before_the_replay():
    rng = Random(1)
    scm = draw_model(rng, 5, roots=3, most=2)
    evidence = draw_evidence(rng, scm, worlds=1, rows=4)
    for admissible in disclosures(scm, 2)[:3]:
        models = all_models(admissible, evidence, filtered=False)
        assert Count.of(evidence, admissible).total == len(models) > 1


@pytest.mark.parametrize("seed", range(3))
def test_six_variables_with_three_parents_are_counted_right(seed):
    rng = Random(seed)
    scm = draw_model(rng, 6, roots=3, most=3)
    evidence = draw_evidence(rng, scm, worlds=7, rows=9)
    for admissible in disclosures(scm, 3)[:3]:
        assert Count.of(evidence, admissible).total == len(all_models(admissible, evidence))


@pytest.mark.parametrize("place", range(4))
def test_every_fitting_model_is_drawn_about_equally_often(place):
    rng = Random(10)
    scm = draw_model(rng, 5, roots=3, most=2)
    evidence = draw_evidence(rng, scm, worlds=2, rows=4)
    admissible = disclosures(scm, 2)[place]
    models = all_models(admissible, evidence)
    count = Count.of(evidence, admissible)
    drawn = Counter(count.draw(rng) for _ in range(60 * len(models)))
    assert 1 < len(models) < 200
    assert set(drawn) == set(models)
    assert min(drawn.values()) > 20
    assert max(drawn.values()) < 120


def test_a_drawn_model_of_ten_variables_fits():
    rng = Random(2)
    scm = draw_model(rng, 10)
    evidence = draw_evidence(rng, scm, worlds=8, rows=10)
    count = Count.of(evidence, Admissible.hidden_roots(10, 3))
    assert count.total > 2**20
    for _ in range(5):
        assert fits(count.draw(rng), evidence)


def test_where_nothing_fits_nothing_is_drawn():
    evidence = Evidence.of(2, [0b00, 0b10, 0b01], [0, 0, 0])
    admissible = Admissible.from_roots(2, 0b01)
    count = Count.of(evidence, admissible)
    assert count.total == 0
    with pytest.raises(UsageError, match="no admissible model fits"):
        count.draw(Random(0))
