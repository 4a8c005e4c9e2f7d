"""What is proven of a problem of the paper edition, on small problems by hand."""

import math

import pytest

from causarium.families.replayscm.paper.mechanics import true_model
from causarium.families.replayscm.paper.model.instance import Source
from causarium.families.replayscm.paper.proofs import certify, novel_cells
from tests.families.replayscm.paper.problems import alternative_problem, problem, simulate

FULL = {"train": ((), ("X4",), ("X5",), ("X4", "X5"), ("X1",), ("X4", "X1")), "n_rows": 40}
"""So many rows of so many worlds leave one model."""


def tell(instance):
    return [proof.holds for proof in certify(instance).proofs]


def test_a_problem_with_one_model_is_proven_whole():
    found = certify(problem(**FULL, heldout=(("X6", "X5"), ("X2",))))
    assert all(proof.holds for proof in found.proofs)
    assert found.optimum == 0
    assert found.extra["models"] == "1"
    assert (found.extra["log2_models"], found.extra["open_obligations"]) == (0, 0)
    assert found.extra["chance_heldout_exact"] == found.extra["chance_heldout_world"] == 1


def test_a_problem_with_many_models_says_how_many():
    found = certify(problem())
    assert tell(problem()) == [True, True, False, False, False]
    assert found.optimum is None
    assert found.extra == {
        "models": "39936",
        "log2_models": pytest.approx(math.log2(39_936)),
        "unique": False,
        "heldout_determined": False,
        "chance_heldout_exact": pytest.approx(48 / 39_936),
        "chance_heldout_world": pytest.approx(0.13341346153846154),
        "feasible_roots": [["X1", "X2", "X3"]],
        "open_obligations": 25,
        "max_parents": 4,
        "heldout_novel_cells": 0.5,
        "par": None,
        "worlds": 3,
    }


def test_without_held_out_worlds_nothing_can_be_wrong_there():
    found = certify(problem(heldout=()))
    assert [proof.holds for proof in found.proofs] == [True, True, False, False, True]
    assert found.extra["chance_heldout_world"] == 0
    assert math.isnan(found.extra["heldout_novel_cells"])


def test_a_world_that_is_shown_is_not_held_out():
    assert tell(problem(heldout=((),)))[1]
    shown = problem()
    repeated = shown.secret.model_copy(update={"heldout": shown.public.train[1:]})
    assert not tell(shown.model_copy(update={"secret": repeated}))[1]


def test_novel_cells_are_those_of_mechanisms_in_rows_never_shown():
    shown = problem(heldout=())
    names, scm = shown.public.variables, true_model(shown)
    seen = simulate(scm, names, "t", (), [0b000111])
    known = simulate(scm, names, "h0", ("X5",), [0b010111, 0b000000])
    other = simulate(scm, names, "h1", (), [0b000111, 0b000000, 0b111111])
    instance = shown.model_copy(
        update={
            "public": shown.public.model_copy(update={"train": (seen,)}),
            "secret": shown.secret.model_copy(update={"heldout": (known, other)}),
        }
    )

    def rows(world):
        return list(zip(*(world.columns[name] for name in names), strict=True))

    novel = [sum(row not in rows(seen) for row in rows(world)) for world in (known, other)]
    # X4 and X6 are scored where X5 is set, and all three mechanisms where nothing is.
    assert novel_cells(instance) == (2 * novel[0] + 3 * novel[1]) / (2 * 2 + 3 * 3)
    assert 0 < novel[1] < 3


def alternate(**changes):
    """Return a problem with a second model, in which X5 is X1; setting X4 to 0 tells them apart."""
    source = {
        "reference": "gold",
        "other": {"X5": "X1"},
        "found_by": (),
        "experiment": {"X4": 0},
        "witness": {"X1": 1, "X2": 0, "X3": 0},
        "disagreement": 0.5,
    }
    instance = alternative_problem()
    secret = instance.secret.model_copy(update={"source": Source(**{**source, **changes})})
    return instance.model_copy(update={"secret": secret})


@pytest.mark.parametrize(
    ("changes", "holds"),
    [
        ({}, [True, True, True]),
        ({"other": {}}, [True, False, False]),
        ({"other": {"X5": "X2"}}, [False, True, False]),
        ({"other": {"X5": "(xor X1 X2)"}}, [False, True, True]),
        ({"experiment": {"X4": 1}}, [True, True, False]),
        ({"experiment": {"X4": 0, "X2": 1}}, [True, True, False]),
        ({"experiment": {}}, [True, True, False]),
        ({"experiment": {"X3": 0}}, [True, True, False]),
        ({"witness": {"X1": 0, "X2": 1, "X3": 1}}, [True, True, False]),
        ({"witness": {"X1": 1, "X2": 1, "X3": 1}}, [True, True, True]),
        ({"experiment": {"X1": 1}, "witness": {"X1": 0, "X2": 0, "X3": 0}}, [True, True, False]),
    ],
)
def test_a_second_model_fits_differs_and_is_told_apart(changes, holds):
    instance = alternate(**changes)
    found = certify(instance)
    assert [proof.holds for proof in found.proofs] == [True, True, *holds]
    assert found.optimum == 0
