"""Problems as published: filters, shortcuts, the rungs of support and the audit."""

from random import Random

import pytest

from causarium.families.replayscm.paper.generation.problems import (
    admissible_of,
    audit_problem,
    extra,
    find_other_models,
    generate_covered,
)
from causarium.families.replayscm.paper.generation.published_problems import (
    HELDOUT,
    MOST_ADDED,
    TRAIN,
    Laboratory,
    Problem,
    acceptable,
    generate_original,
    rivals,
    rule_outs,
)
from causarium.families.replayscm.paper.generation.true_models import draw_latent
from causarium.families.replayscm.paper.mechanics import coverage, panel_evidence
from causarium.scm.boolean.formula import parse_formula, truth_table
from causarium.scm.boolean.row_evidence import ModelFacts
from causarium.scm.dag import bits

PROBLEMS = range(12)


@pytest.mark.parametrize("index", PROBLEMS)
def test_problems_pass_their_filters_and_have_the_published_sizes(index: int) -> None:
    problem = generate_original(0, index)
    assert acceptable(problem)
    assert TRAIN <= len(problem.train) <= TRAIN + MOST_ADDED
    assert len(problem.heldout) == HELDOUT
    assert problem.train[0].mode == "none"


@pytest.mark.parametrize("index", PROBLEMS)
def test_no_training_world_at_any_rung_does_what_a_heldout_world_does(index: int) -> None:
    problem = generate_covered(0, index)
    audit = audit_problem(problem, admissible_of("hidden_order", problem.latent), Random(index))
    assert not problem.reserved & {panel.signature for panel in audit.train}


@pytest.mark.parametrize("index", PROBLEMS)
def test_each_rung_keeps_the_worlds_below_it_and_shows_more(index: int) -> None:
    first, second, third = (rung(0, index) for rung in (generate_original, extra, generate_covered))
    assert second.train[: len(first.train)] == first.train
    assert third.train[: len(second.train)] == second.train
    assert first.heldout == second.heldout == third.heldout
    assert 3 <= len(second.train) - len(first.train) <= 4
    assert all(panel.targets.bit_count() <= 1 for panel in second.train[len(first.train) :])
    shares = [coverage(one.train, one.latent.windows) for one in (first, second, third)]
    assert shares == sorted(shares)
    assert shares[-1] == 1


@pytest.mark.parametrize("index", [0, 3, 7])
@pytest.mark.parametrize("setting", ["ordered", "hidden_order"])
def test_after_the_audit_its_own_search_finds_no_other_model(index: int, setting: str) -> None:
    problem = generate_covered(0, index)
    admissible = admissible_of(setting, problem.latent)  # type: ignore[arg-type]
    audit = audit_problem(problem, admissible, Random(1))
    known = ModelFacts.of(panel_evidence(audit.train, audit.latent.n), admissible)
    assert not find_other_models(known, audit.latent.scm, Random(1))


@pytest.mark.parametrize("index", [1, 4])
def test_the_audit_finds_only_models_that_fit(index: int) -> None:
    problem = generate_original(0, index)
    admissible = admissible_of("hidden_order", problem.latent)
    known = ModelFacts.of(panel_evidence(problem.train, problem.latent.n), admissible)
    for scm in find_other_models(known, problem.latent.scm, Random(0)):
        assert scm != problem.latent.scm
        for panel in problem.train:
            assert all(scm.run(row, panel.targets) == row for row in panel.rows)


def _small_problem() -> Problem:
    latent = draw_latent(0, 0, 0)
    lab = Laboratory.draw(latent.scm, 11, {1: 4, 2: 46, 3: 50}, 0.22, Random(0))
    return Problem(latent, lab, (lab.observe(),), ())


def test_shortcuts_fit_the_rows_and_are_not_the_truth() -> None:
    problem = _small_problem()
    latent = problem.latent
    found = rivals(latent, problem.train, dict.fromkeys(latent.endogenous, 5), 2)
    assert found
    for rival in found:
        for table in rival.tables.tolist():
            for row in problem.train[0].rows:
                pattern = sum((row >> i & 1) << j for j, i in enumerate(rival.inputs))
                assert table >> pattern & 1 == row >> rival.variable & 1


def test_a_world_rules_out_just_the_functions_that_its_rows_contradict() -> None:
    problem = _small_problem()
    latent, rng = problem.latent, Random(5)
    found = rivals(latent, problem.train, dict.fromkeys(latent.endogenous, 5), 2)[:20]
    worlds = [problem.lab.world("hard_assigned", 1 << i, rng) for i in range(latent.n)]
    ruled = rule_outs(found, worlds)
    line = 0
    for rival in found:
        for table in rival.tables.tolist():
            for w, panel in enumerate(worlds):
                wrong = any(
                    table >> sum((row >> i & 1) << j for j, i in enumerate(rival.inputs)) & 1
                    != row >> rival.variable & 1
                    for row in panel.rows
                    if not panel.targets >> rival.variable & 1
                )
                assert ruled[line, w] == wrong
            line += 1
    assert line == len(ruled)


def test_the_truth_is_never_among_its_rivals() -> None:
    problem = _small_problem()
    latent = problem.latent
    found = rivals(latent, problem.train, dict.fromkeys(latent.endogenous, 14), 4)
    for rival in found:
        if rival.inputs == tuple(bits(latent.scm.parents[rival.variable])):
            assert latent.scm.tables[rival.variable] not in rival.tables.tolist()


def test_a_formula_and_its_stored_table_agree() -> None:
    latent = draw_latent(0, 2, 0)
    for variable, formula in latent.formulas.items():
        names = [latent.variables[i] for i in bits(latent.scm.parents[variable])]
        assert truth_table(parse_formula(str(formula), names), names) == latent.scm.tables[variable]
