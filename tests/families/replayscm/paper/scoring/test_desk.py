"""Stages, replay and comparison: by hand, against a row-by-row evaluator, and as properties."""

import time
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.replayscm_rows import evaluate_rows
from causarium.families.replayscm.paper.model.actions import Answered, Extracted, Submit
from causarium.families.replayscm.paper.play.examine_answer import (
    Disclosure,
    Executable,
    examine_answer,
)
from causarium.families.replayscm.paper.scoring.desk import (
    Desk,
    compare,
    compare_parents,
)
from causarium.scm.boolean.certify_model import run_experiments
from causarium.scm.boolean.formula import parse_formula, run_words
from causarium.scm.boolean.model import BooleanScm
from causarium.scoring.graph_scores import compare_edges
from tests.families.replayscm.paper.problems import (
    FORMULAS,
    NAMES,
    alternative_problem,
    problem,
    random_mechanisms,
)

GOLD = Submit(mechanisms=FORMULAS)


def evaluate(instance, answer):
    return Desk(instance).evaluate(answer)


def refusal(mechanisms, *, strict=False, **public):
    roots = public.pop("answered", None)
    disclosure = Disclosure.of(problem(**public).public, strict=strict)
    found = examine_answer(Submit(mechanisms=mechanisms, roots=roots), disclosure)
    return None if isinstance(found, Executable) else found


def changed(**formulas):
    return {**FORMULAS, **formulas}


@pytest.mark.parametrize(
    ("mechanisms", "stage", "fault", "position"),
    [
        ({}, "keys", "missing key", None),
        ({"X4": "X1", "X5": "X1"}, "keys", "missing key", None),
        (changed(X7="X1"), "keys", "unknown key", None),
        (changed(X1="X2"), "keys", "mechanism for a root", None),
        (changed(X4="(and X1 X2"), "parse", "syntax", 10),
        (changed(X4="(and X1 X2))"), "parse", "syntax", 11),
        (changed(X4="(nand X1 X2)"), "parse", "operator", 1),
        (changed(X4="(and X1 1)"), "parse", "constant", 8),
        (changed(X4="(and X1 true)"), "parse", "constant", 8),
        (changed(X4="(and X1)"), "parse", "arity", 7),
        (changed(X4="(not X1 X2)"), "parse", "arity", 10),
        (changed(X4="X1 X2"), "parse", "syntax", None),
        (changed(X4=""), "parse", "syntax", None),
        (changed(X4="(" * 10_000 + ")" * 10_000), "parse", None, None),
        (changed(X4="(not " * 30 + "X1" + ")" * 30), "parse", "depth", None),
        (changed(X4="(and " + "X1 " * 500 + ")"), "parse", "size", None),
        (changed(X4="x" * 10_000_000), "parse", "size", None),
        (changed(X4="(and X1 Y2)"), "legality", "unknown name", 8),
        (changed(X4="(and X1 X4)"), "legality", "self-reference", 8),
        (changed(X4="(and X1 X5)"), "acyclicity", "cycle", None),
    ],
)
def test_each_fault_stops_at_its_stage(mechanisms, stage, fault, position):
    begun = time.process_time()
    found = refusal(mechanisms)
    assert time.process_time() - begun < 1
    assert found.stage == stage
    assert found.fault == (fault or found.fault)
    assert position is None or found.position == position
    assert 0 < len(found.detail) < 300


def test_a_formula_that_cannot_be_read_comes_before_one_that_is_not_allowed():
    assert refusal(changed(X4="(and X1 Y)", X6="(or X1")).stage == "parse"
    assert refusal(changed(X4="(and X1 Y)", X6="X6")).fault == "unknown name"


def test_the_message_names_the_mechanism_and_the_place():
    assert refusal(changed(X5="(nor X1 X2)")).detail.startswith("X5: unknown operator 'nor' at")
    assert refusal(changed(X4="(and X1 X6)")).detail == "a cycle: X4 -> X5 -> X6 -> X4"


def test_a_disclosed_order_and_disclosed_blocks_limit_what_may_be_used():
    order = ("X1", "X2", "X3", "X4", "X5", "X6")
    assert refusal(FORMULAS, order=order) is None
    late = refusal(FORMULAS, order=("X1", "X2", "X3", "X5", "X4", "X6"))
    assert (late.fault, FORMULAS["X5"][late.position :][:2]) == ("later variable", "X4")
    blocks = (("X1", "X2", "X3"), ("X5", "X4"), ("X6",))
    assert refusal(FORMULAS, blocks=blocks) is None
    assert refusal(changed(X4="X6", X6="X1"), blocks=blocks).stage == "legality"


def test_what_is_written_decides_legality_and_cycles_even_if_it_does_not_matter():
    unused = "(or (and X1 X2) (and X5 (not X5)))"
    assert refusal(changed(X4=unused)).stage == "acyclicity"


def test_hidden_roots_are_counted_and_known():
    hidden = {"roots": None, "setting": "hidden_roots"}
    assert refusal(FORMULAS, **hidden).fault == "no roots"
    assert refusal(FORMULAS, answered=("X1", "X2"), **hidden).fault == "root count"
    assert refusal(FORMULAS, answered=("X1", "X2", "X2"), **hidden).fault == "root count"
    assert refusal(FORMULAS, answered=("X1", "X2", "Y"), **hidden).fault == "unknown root"
    assert refusal(FORMULAS, answered=("X1", "X2", "X4"), **hidden).stage == "keys"
    assert refusal(FORMULAS, answered=("X3", "X2", "X1"), **hidden) is None


def test_the_truth_replays_everything():
    found = evaluate(problem(), GOLD).replayed
    assert found.train.all_exact
    assert found.heldout.all_exact
    assert not found.train.wrong_cells + found.heldout.wrong_cells
    like = compare(found.known, Desk(problem()).gold, 3)
    assert (like.same_rule, like.same_parents, like.of) == (3, 3, 3)


def test_cells_that_were_set_from_outside_are_not_scored():
    found = evaluate(problem(), GOLD).replayed
    # Three mechanisms in 8 rows: worlds set none, one (X4) and one (X5) of them.
    assert found.train.cells == 8 * (3 + 2 + 2)
    assert found.heldout.cells == 8 * (2 + 2)


def test_a_wrong_mechanism_spoils_only_worlds_in_which_it_shows():
    wrong = Submit(mechanisms=changed(X4="(or X1 X2)"))
    found = evaluate(problem(), wrong).replayed
    assert not found.train.all_exact
    # X4 is set in the second training world, and X5 (which reads it) is free there.
    assert found.train.exact == 1


def test_iff_of_three_says_that_all_are_equal():
    formulas = {"X4": "(iff X1 X2 X3)", "X5": "X4", "X6": "X5"}
    packed = problem(formulas, n_rows=16)
    folded = evaluate(packed, Submit(mechanisms={**formulas, "X4": "(iff (iff X1 X2) X3)"}))
    assert evaluate(packed, Submit(mechanisms=formulas)).replayed.train.all_exact
    assert not folded.replayed.train.all_exact


def test_parents_are_what_matters_and_not_what_is_written():
    gold = Desk(problem()).gold
    padded = evaluate(problem(), Submit(mechanisms=changed(X4="(and X1 X2 (or X3 (not X3)))")))
    assert compare(padded.replayed.known, gold, 3).same_parents == 3
    constant = evaluate(problem(), Submit(mechanisms=changed(X4="(xor X1 X1)")))
    assert constant.replayed.known.parents[3] == 0


def test_names_that_stand_within_others_are_told_apart():
    names = tuple(f"X{i}" for i in range(1, 13))
    formulas = {"X11": "(and X10 X12)", "X1": "(or X11 X2)"}
    instance = problem(formulas, names=names, train=((), ("X11",)), heldout=((),))
    found = evaluate(instance, Submit(mechanisms=formulas)).replayed
    assert found.model.written["X11"].names == {"X10", "X12"}
    assert found.train.all_exact


def test_the_first_candidate_that_can_be_executed_counts():
    bad, gold = Answered(mechanisms={"X4": "X1"}), Answered(mechanisms=FORMULAS)
    answer = Extracted(mechanisms={"X4": "("}, others=(bad, gold))
    found = evaluate(problem(), answer)
    assert found.answer == gold
    assert found.replayed.heldout.all_exact
    none = evaluate(problem(), Extracted(mechanisms={"X4": "("}, others=(bad,)))
    assert none.refusal.stage == "keys"
    assert none.answer.mechanisms == {"X4": "("}


@given(st.integers(0, 10**6))
@settings(max_examples=60)
def test_packed_and_row_by_row_evaluation_agree(seed):
    rng = Random(seed)
    instance = problem(random_mechanisms(rng, NAMES, 3), seed=seed, n_rows=5)
    answer = Submit(mechanisms=random_mechanisms(rng, NAMES, 3))
    if rng.random() < 0.3:
        broken = rng.choice(["(and X1", "X6", "(xor X5 X5)", "(nor X1 X2)"])
        answer = Submit(mechanisms={**answer.mechanisms, "X5": broken})
    desk = Desk(instance)
    found, rows = desk.evaluate(answer), evaluate_rows(instance, answer)
    assert (found.refusal is None) == rows.valid
    if found.replayed is not None:
        like = compare(found.replayed.known, desk.gold, len(desk.roots))
        assert (found.replayed.train.exact, found.replayed.heldout.exact) == (
            rows.train_worlds,
            rows.heldout_worlds,
        )
        assert found.replayed.train.wrong_cells == rows.wrong_train_cells
        assert found.replayed.heldout.wrong_cells == rows.wrong_heldout_cells
        assert (like.same_rule, like.same_parents) == (rows.same_rule, rows.same_parents)


@given(st.lists(st.integers(0, 63), min_size=6, max_size=6), st.data())
@settings(max_examples=60)
def test_masks_and_edges_are_compared_alike(true, data):
    proposed = data.draw(st.lists(st.integers(0, 63), min_size=6, max_size=6))
    masks = [[mask & ~(1 << i) for i, mask in enumerate(given_)] for given_ in (proposed, true)]
    edges = [
        [(NAMES[j], NAMES[i]) for i, mask in enumerate(given_) for j in range(6) if mask >> j & 1]
        for given_ in masks
    ]
    # Both directions at once cannot be in acyclic graphs, and the two count them differently.
    if any((b, a) in set(graph) for graph in edges for a, b in graph):
        masks = [[mask & ((1 << i) - 1) for i, mask in enumerate(given_)] for given_ in masks]
        edges = [
            [(NAMES[j], NAMES[i]) for i, m in enumerate(given_) for j in range(6) if m >> j & 1]
            for given_ in masks
        ]
    assert compare_parents(*masks) == compare_edges(*edges, variables=NAMES)


def test_an_experiment_separates_where_the_models_differ():
    instance = alternative_problem()
    desk = Desk(instance)
    answer = Submit(mechanisms={"X4": "(or X1 X2)", "X5": "X1"})
    other = desk.evaluate(answer).replayed.known
    # They differ where X1 is 1 and X4 is held at 0: half of the contexts.
    apart = desk.separate(other, {"X4": 0}, {"X1": 1, "X2": 0, "X3": 0})
    assert (apart.experiment_valid, apart.share, apart.best, apart.witness) == (
        True,
        0.5,
        0.5,
        True,
    )
    missed = desk.separate(other, {"X4": 0}, {"X1": 0, "X2": 0, "X3": 0})
    assert not missed.witness
    useless = desk.separate(other, {"X2": 1}, {"X1": 1, "X2": 0, "X3": 0})
    assert (useless.share, useless.witness) == (0, False)
    for bad in (None, {}, {"X4": 0, "X1": 1}, {"X4": 2}, {"Y": 1}):
        assert not desk.separate(other, bad, None).experiment_valid
    for bad in (None, {"X1": 1}, {"X1": 1, "X2": 0, "X3": 2}, {"X1": 1, "X2": 0, "Y": 0}):
        assert not desk.separate(other, {"X4": 0}, bad).witness


def _differ(ours, theirs, name, bit):
    """Return the contexts in which two models differ, one run each, as a mask."""
    found = 0
    for context in range(1 << len(theirs.roots)):
        rows = []
        for model in (ours, theirs):
            row = {root: context >> j & 1 for j, root in enumerate(theirs.roots)}
            if name in row:
                row[name] = bit
            for variable, written in model.written.items():
                value = run_words(written.words, row, 1)
                row[variable] = bit if variable == name else value
            rows.append(row)
        found |= (rows[0] != rows[1]) << context
    return found


@given(st.integers(0, 10**6))
@settings(max_examples=40)
def test_all_experiments_side_by_side_are_those_made_one_by_one(seed):
    rng = Random(seed)
    disclosure = Disclosure.of(problem().public)
    ours, theirs = (
        examine_answer(Submit(mechanisms=random_mechanisms(rng, NAMES, 3)), disclosure)
        for _ in range(2)
    )
    scms = [
        BooleanScm.of(
            NAMES, ours.roots, {v: parse_formula(" ".join(w.words), NAMES) for v, w in one}
        )
        for one in (ours.written.items(), theirs.written.items())
    ]
    differ = run_experiments(scms[0]) != run_experiments(scms[1])
    for number, contexts in enumerate(differ.tolist()):
        mask = sum(one << context for context, one in enumerate(contexts))
        assert mask == _differ(ours, theirs, NAMES[number // 2], number % 2)


def test_formulas_are_remembered_and_the_memory_is_bounded(monkeypatch):
    monkeypatch.setattr("causarium.families.replayscm.paper.scoring.desk.KEPT_FORMULAS", 5)
    desk = Desk(problem())
    for text in ("X1", "X2", "(not X1)", "(and X1 X2)", "(or X1 X2)", "x" * 500):
        desk.evaluate(Submit(mechanisms=changed(X4=text)))
    assert 0 < len(desk.kept) <= 5
    assert all(len(text) <= 400 for _, text in desk.kept)


def test_published_reading_knows_no_limits_and_forgives_nothing():
    deep = "(not " * 3_000 + "X1" + ")" * 3_000
    assert refusal(changed(X4=deep), strict=True) is None
    assert (
        Desk(problem(), strict=True)
        .evaluate(Submit(mechanisms=changed(X4=deep)))
        .replayed.known.parents[3]
        == 1
    )
    assert refusal(changed(X4="(and (X1) X2)"), strict=True) is None
    for text in ("(and X1\tX2)", "(and X1\nX2)", "and X1 X2", "(AND X1 X2)", "X1 and X2"):
        assert refusal(changed(X4=text), strict=True).stage == "parse"
        assert refusal(changed(X4=text)) is None
