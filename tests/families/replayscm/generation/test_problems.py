"""Problems as drawn: one model in all settings, certified ones proven, second models second."""

import pytest

from causarium.families.replayscm import FAMILY
from causarium.families.replayscm.certify import certify, novel_cells
from causarium.families.replayscm.evidence.boolean_view import admissible, evidence, panel_evidence
from causarium.families.replayscm.generation.certified_problems import (
    everything_hidden,
    generate_certified,
    list_considered_worlds,
)
from causarium.families.replayscm.generation.published_problems import generate_original
from causarium.families.replayscm.generation.second_model import find_best_experiment
from causarium.families.replayscm.model.instance import ReplayInstance, gold_formulas, true_roots
from causarium.families.replayscm.mechanics.asked_worlds import true_model
from causarium.scm.boolean.certify_model import is_unique
from causarium.scm.boolean.count_models import Count
from causarium.scm.boolean.formula import parse_formula, truth_table
from causarium.scm.boolean.shortest_formulas import minimal_size
from causarium.scm.boolean.simplest_model import find_simplest

SETTINGS = ("ordered", "block", "hidden", "roots")
MODELS = range(5)


def _drawn(level: str, index: int = 0, seed: int = 0) -> ReplayInstance:
    return FAMILY.generate(FAMILY.level(level), seed, index)


@pytest.mark.parametrize("index", [0, 1])
@pytest.mark.parametrize("pool", ["core", "second", "published"])
def test_all_levels_of_a_pool_ask_about_the_same_model(index: int, pool: str) -> None:
    levels = [name for name, config in FAMILY.levels.items() if config.pool == pool]
    first, *rest = [true_model(_drawn(level, index)) for level in levels]
    assert all(other == first for other in rest)
    assert len({_drawn(level, index).secret.latent for level in levels}) == 1


def test_another_seed_draws_another_model_under_another_id() -> None:
    one, other = _drawn("hidden"), _drawn("hidden", seed=1)
    assert one.id != other.id
    assert true_model(one) != true_model(other)


@pytest.mark.parametrize("edition", ["", "paper-"])
def test_settings_share_their_worlds(edition: str) -> None:
    first, *rest = [_drawn(edition + level, 1) for level in SETTINGS]
    for other in rest:
        assert other.public.train == first.public.train
        assert other.secret.heldout == first.secret.heldout


@pytest.mark.parametrize("index", MODELS)
def test_certified_worlds_leave_one_model_when_nothing_is_told(index: int) -> None:
    problem = generate_certified("core", 0, index)
    rows = panel_evidence(problem.train, problem.latent.n)
    assert is_unique(problem.latent.scm, rows, everything_hidden(problem.latent.scm))


@pytest.mark.parametrize("level", [*SETTINGS, "hidden-extra", "ordered-audited"])
def test_certified_problems_are_certified_twice(level: str) -> None:
    found = certify(_drawn(level, 2))
    assert all(proof.holds for proof in found.proofs)
    methods = [proof.method for proof in found.proofs if "exactly one" in proof.claim]
    assert len(methods) == len(set(methods)) == 2
    assert found.extra["models"] == "1"
    assert found.extra["chance_heldout_exact"] == 1


@pytest.mark.parametrize("index", MODELS)
def test_the_certified_count_falls_apart_without_a_world(index: int) -> None:
    """Every chosen world is needed: without it the proof fails."""
    problem = generate_certified("core", 0, index)
    goal = everything_hidden(problem.latent.scm)
    for left_out in range(1, len(problem.train)):
        rest = problem.train[:left_out] + problem.train[left_out + 1 :]
        known = Count.of(panel_evidence(rest, problem.latent.n), goal)
        assert known.total > 1


def test_longer_problems_have_more_worlds_and_the_same_proof() -> None:
    short, longer, longest = (
        _drawn(level, 3) for level in ("hidden", "hidden-extra", "hidden-audited")
    )
    assert longer.public.train[: len(short.public.train)] == short.public.train
    assert len(longer.public.train) == len(short.public.train) + 3
    assert len(longest.public.train) == len(short.public.train) + 5
    assert short.secret.heldout == longer.secret.heldout == longest.secret.heldout


def test_certified_held_out_worlds_are_mostly_new() -> None:
    certified_ones = [novel_cells(_drawn("hidden", index)) for index in range(8)]
    published = [novel_cells(_drawn("paper-hidden", index)) for index in range(8)]
    assert sum(certified_ones) / 8 > 0.8 > 0.6 > sum(published) / 8


@pytest.mark.parametrize("index", MODELS)
def test_paper_problems_say_how_many_models_fit(index: int) -> None:
    instance = _drawn("paper-hidden", index)
    found = certify(instance)
    rows = evidence(instance.public.train, instance.public.variables)
    models = Count.of(rows, admissible(instance.public)).total
    assert found.extra["models"] == str(models)
    assert 0 < found.extra["chance_heldout_exact"] <= 1
    assert found.extra["unique"] == (models == 1)


@pytest.mark.parametrize("index", MODELS)
def test_gold_is_stored_as_drawn_as_a_table_and_at_its_shortest(index: int) -> None:
    for one in _drawn("hidden", index).secret.gold.values():
        table = int(one.table, 16)
        assert truth_table(parse_formula(one.formula, one.parents), one.parents) == table
        shortest = parse_formula(one.minimal, one.parents)
        assert truth_table(shortest, one.parents) == table
        assert shortest.size == minimal_size(table, len(one.parents))


@pytest.mark.parametrize("level", ["alt-ordered", "paper-alt-hidden"])
@pytest.mark.parametrize("index", MODELS)
def test_a_second_model_fits_is_another_and_can_be_told_apart(level: str, index: int) -> None:
    instance = _drawn(level, index)
    assert all(proof.holds for proof in certify(instance).proofs)
    source, reference = instance.secret.source, instance.public.reference
    assert source
    assert reference
    assert source.found_by
    assert not {text for text in source.other.values() if text in reference.values()}
    assert set(gold_formulas(instance)) == set(reference)


def test_the_best_experiment_is_the_best() -> None:
    instance = _drawn("alt-hidden", 1)
    assert instance.secret.source
    one = true_model(instance)
    rows = evidence(instance.public.train, instance.public.variables)
    assert find_best_experiment(one, one) is None
    found = find_simplest(rows, admissible(instance.public))
    assert found
    for other in (found.scm,):
        best = find_best_experiment(one, other)
        assert (best is None) == (one == other)


def test_blocks_are_in_causal_order_and_name_every_variable_once() -> None:
    for index in range(10):
        instance = _drawn("block", index)
        ordered = _drawn("ordered", index)
        blocks, order = instance.public.blocks or (), ordered.public.order or ()
        assert sorted(name for block in blocks for name in block) == sorted(order)
        assert blocks[0] == true_roots(instance)
        places = [sorted(order.index(name) for name in block) for block in blocks]
        assert [place for block in places for place in block] == list(range(len(order)))
        assert len(blocks) in (3, 4)


@pytest.mark.parametrize("level", ["ask-ordered", "ask-roots"])
@pytest.mark.parametrize("index", range(3))
def test_the_plan_of_questions_is_proven_and_within_the_budget(level: str, index: int) -> None:
    instance = _drawn(level, index)
    found = certify(instance)
    assert all(proof.holds for proof in found.proofs)
    assert found.optimum == len(instance.secret.plan or ())
    assert found.extra["par"] == instance.secret.par
    assert instance.secret.par is not None
    assert instance.secret.par <= instance.public.budget == 2 * len(instance.public.variables) + 4
    assert len(instance.public.train) == 1


def test_certificates_say_how_few_of_the_worlds_considered_could_suffice() -> None:
    for index in MODELS:
        extra = certify(_drawn("roots", index)).extra
        assert 1 < extra["at_least"] <= extra["worlds"] == len(_drawn("roots", index).public.train)
        assert extra["pool"] >= 400
    assert "at_least" not in certify(_drawn("paper-roots")).extra
    assert list_considered_worlds("second/0/1") is None


def test_facets_say_what_instances_share_and_what_tables_solve() -> None:
    hidden, roots, ordered = (_drawn(level).facets for level in ("hidden", "roots", "ordered"))
    assert hidden["mechanism"] == roots["mechanism"] == "core/0/0"
    assert (ordered["use"], hidden["use"], _drawn("ask-ordered").facets["use"]) == (
        "practice",
        "graded",
        "graded",
    )
    assert ordered["search"] < hidden["search"] < roots["search"]


def test_original_problems_do_not_depend_on_what_was_drawn_before() -> None:
    first = generate_original("second", 0, 3)
    generate_original.cache_clear()
    generate_original("second", 0, 9)
    assert generate_original("second", 0, 3) == first
