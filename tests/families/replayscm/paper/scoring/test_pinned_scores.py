"""Verdicts on answers made by hand: all their numbers are pinned, some are derived."""

import pytest

from causarium.contract.frozen import canonical_json, digest
from causarium.families.replayscm.paper.levels import ReplayRules
from causarium.families.replayscm.paper.model.actions import (
    Difference,
    Extracted,
    Released,
    Submit,
)
from causarium.families.replayscm.paper.scoring.desk import compare_parents
from causarium.families.replayscm.paper.scoring.score import score
from tests.families.replayscm.paper.problems import FORMULAS, alternative_problem, problem, turn


def pin(verdict):
    """Return a digest of a verdict's numbers, labels and answer."""
    numbers = {
        name: None if value != value else float(f"{value:.9g}")
        for name, value in verdict.numbers.items()
    }
    said = [numbers, verdict.labels, verdict.answer]
    return digest(canonical_json(said))[7:19]


def changed(**formulas):
    return {**FORMULAS, **formulas}


PAPER = {
    "the truth": (FORMULAS, "6fc4a925ce5a"),
    "one wrong": (changed(X4="(or X1 X2)"), "fa0505e5badc"),
    "the last wrong": (changed(X6="X1"), "f090a1c70854"),
    "other parents": (changed(X5="(xor X4 X1)"), "961ff359a09f"),
    "the same by other words": (changed(X6="(or X1 (not X5) (and X2 (not X2)))"), "0ab51e4a235c"),
    "turned round": ({"X4": "(and X1 X5)", "X5": "X3", "X6": "(and X4 X2)"}, "6b50d6d182ba"),
    "all parents": (changed(X6="(xor X1 X2 X3 X4 X5)"), "9ff7da0d0c58"),
    "a cycle": (changed(X4="X6"), "dabf90985671"),
    "no formula": (changed(X5="(nor X4 X3)"), "7819e4079830"),
}
OTHER = {"X4": "(or X1 X2)", "X5": "X1"}
WITNESS = {"X1": 1, "X2": 0, "X3": 0}
ALTERNATIVE = {
    "whole": ({"mechanisms": OTHER, "experiment": {"X4": 0}, "witness": WITNESS}, "207f93d945c3"),
    "a weak experiment": (
        {"mechanisms": OTHER, "experiment": {"X2": 0}, "witness": WITNESS},
        "fcdca9eb2457",
    ),
    "set high": (
        {"mechanisms": OTHER, "experiment": {"X4": 1}, "witness": WITNESS},
        "fcdca9eb2457",
    ),
    "set to 2": (
        {"mechanisms": OTHER, "experiment": {"X4": 2}, "witness": WITNESS},
        "175a74a81b85",
    ),
    "no variable": (
        {"mechanisms": OTHER, "experiment": {"Z": 1}, "witness": WITNESS},
        "f4aec2c5367c",
    ),
    "two set": (
        {"mechanisms": OTHER, "experiment": {"X4": 0, "X1": 1}, "witness": WITNESS},
        "175a74a81b85",
    ),
    "no witness": ({"mechanisms": OTHER, "experiment": {"X4": 0}}, "17fed04a0f24"),
    "half a witness": (
        {"mechanisms": OTHER, "experiment": {"X4": 0}, "witness": {"X1": 1}},
        "17fed04a0f24",
    ),
    "an odd witness": (
        {"mechanisms": OTHER, "experiment": {"X4": 0}, "witness": {**WITNESS, "X3": 2}},
        "17fed04a0f24",
    ),
    "two changed": (
        {"mechanisms": {"X4": "(or X2 X1 (and X3 X1))", "X5": "(and X1 (or X1 X3))"}},
        "416d67dd683c",
    ),
    "the same parents": (
        {"mechanisms": {**OTHER, "X5": "(or X1 (and X4 (not X4)))"}, "experiment": {"X4": 0}},
        "f51c696de8c9",
    ),
    "more parents": (
        {"mechanisms": {**OTHER, "X5": "(and X1 (or X4 X3))"}, "experiment": {"X4": 0}},
        "c3df67214187",
    ),
    "refused": ({"mechanisms": {**OTHER, "X5": "("}, "experiment": {"X4": 0}}, "bbc7b6844978"),
    "unfit": ({"mechanisms": {**OTHER, "X5": "X2"}, "experiment": {"X4": 0}}, "2b4ca5f9d2b9"),
}


@pytest.mark.parametrize("name", PAPER)
def test_verdicts_on_answers_stay_what_they_were(name):
    mechanisms, pinned = PAPER[name]
    moves = (
        (problem(), Submit(mechanisms=mechanisms)),
        (problem(), Extracted(mechanisms=mechanisms, strict=True, slips=2)),
        (
            problem(roots=None, setting="hidden_roots"),
            Submit(mechanisms=mechanisms, roots=("X3", "X1", "X2")),
        ),
        (problem(heldout=()), Submit(mechanisms=mechanisms)),
    )
    found = [score(instance, ReplayRules(), [turn(move)]) for instance, move in moves]
    assert digest(*map(pin, found))[7:19] == pinned


@pytest.mark.parametrize("name", ALTERNATIVE)
def test_verdicts_on_second_models_stay_what_they_were(name):
    given, pinned = ALTERNATIVE[name]
    found = [
        score(alternative_problem(), rules, [turn(Submit(**given))])
        for rules in (ReplayRules(), ReplayRules(strict_form=True))
    ]
    assert digest(*map(pin, found))[7:19] == pinned


@pytest.mark.parametrize(
    ("proposed", "true", "counts"),
    [
        # In order: matched, reversed, missing, extra.
        ((0b000, 0b001, 0b011), (0b000, 0b001, 0b011), (3, 0, 0, 0)),
        ((0b010, 0b000, 0b000), (0b000, 0b001, 0b000), (0, 1, 0, 0)),
        ((0b110, 0b000, 0b000), (0b000, 0b001, 0b010), (0, 1, 1, 1)),
        ((0b100, 0b001, 0b000), (0b000, 0b001, 0b001), (1, 1, 0, 0)),
    ],
)
def test_parents_are_compared_as_edges(proposed, true, counts):
    found = compare_parents(proposed, true)
    assert (found.matched, found.reversed, found.missing, found.extra) == counts


@pytest.mark.parametrize(
    ("kind", "claim", "witness"),
    [
        ("hard_do", {}, 1),
        ("hard_do", {"reference": 1, "alternative": 0}, 0),
        ("hard_do", {"reference": 1, "alternative": 1}, 0),
        ("hard_do", {"variable": "X4"}, 0),
        ("hard_do", {"variable": "X1", "reference": 1, "alternative": 1}, 0),
        ("soft", {}, 0),
    ],
)
def test_released_answers_have_to_name_what_differs(kind, claim, witness):
    said = Difference(**{"variable": "X5", "reference": 0, "alternative": 1, **claim})
    move = Extracted(
        **ALTERNATIVE["whole"][0], released=Released(experiment_type=kind, differences=(said,))
    )
    strict, lenient = (
        score(alternative_problem(), ReplayRules(strict_form=form), [turn(move)]).numbers
        for form in (True, False)
    )
    assert strict["witness"] == strict["alternative_joint"] == witness
    assert strict["experiment_valid"] == (kind == "hard_do")
    assert lenient["witness"] == lenient["experiment_valid"] == 1
