"""Verdicts: full marks for the truth, none for silence, and each number by hand."""

import math
from itertools import permutations
from statistics import fmean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from causarium.contract.turn import Turn
from causarium.contract.world import Unparsed
from causarium.errors import UsageError
from causarium.families.recite.paper.levels import ReciteRules
from causarium.families.recite.paper.model.graphs import graph_of
from causarium.families.recite.paper.scoring import rule_judge
from causarium.families.recite.paper.scoring.score import (
    BY_NAMES,
    BY_RULE,
    METRICS,
    bounds,
    compare,
    score,
)
from causarium.seeds import stream
from tests.families.recite.paper.papers import CHAIN, graph, handed_in, paper

RULES = ReciteRules()
PAPER = ReciteRules(composite_f1=True)


@pytest.mark.parametrize("task", ["given_count", "no_count", "names"])
def test_the_truth_scores_one_and_silence_nothing(task) -> None:
    """In every task and in every number that has a best."""
    verdict = score(paper(task=task), RULES, handed_in(CHAIN))
    for name in ("f1", "node_f1", "edge_f1", "edge_skill", "paper_f1", "f1_pooled", "set_edge_f1"):
        assert verdict.numbers[name] == 1, name
    assert verdict.numbers["shd"] == verdict.numbers["shd_twice"] == 0
    assert verdict.labels["judged"] == (BY_NAMES if task == "names" else BY_RULE)
    silence = score(paper(task=task), RULES, [])
    for name in ("f1", "node_f1", "edge_f1", "set_node_f1", "answered"):
        assert silence.numbers[name] == 0, name
    assert math.isnan(silence.numbers["shd"])


@pytest.mark.parametrize("edges", [CHAIN, CHAIN[:1], [("x", "y")], []])
@pytest.mark.parametrize("task", ["no_count", "names"])
def test_a_verdict_holds_just_the_numbers_it_describes(task, edges) -> None:
    """Every one of them, whatever was handed in."""
    described = set(METRICS)
    assert set(score(paper(task=task), RULES, handed_in(edges)).numbers) == described
    assert set(score(paper(task=task), RULES, []).numbers) == described


def test_an_empty_graph_scores_nothing() -> None:
    """Though it was handed in, and is close to any sparse graph."""
    for task in ("no_count", "names"):
        numbers = score(paper(task=task), RULES, handed_in([])).numbers
        assert (numbers["f1"], numbers["node_f1"], numbers["edge_f1"]) == (0, 0, 0)
        assert numbers["answered"] == 1
        assert numbers["shd"] == 4
        assert numbers["legacy_f1"] > 0.5


def test_ids_are_read_as_names() -> None:
    """Ascending names, counted from 1; what names no node stays, and is wrong."""
    given = paper(task="names")
    assert given.public.names == ("Dykes", "Floods", "Losses", "Rain")
    turns = handed_in([(4, 2), (2, 3), (3, 1), (1, 2), (7, 0)])
    numbers = score(given, RULES, turns).numbers
    assert numbers["edge_recall"] == 1
    assert numbers["edge_precision"] == 0.8
    assert numbers["node_precision"] == pytest.approx(4 / 6)
    assert numbers["shd_n"] == 6


def test_names_alone_make_no_f1_where_they_were_given() -> None:
    """All nodes and no right edge is nothing found."""
    numbers = score(paper(task="names"), RULES, handed_in([(1, 3), (3, 4)])).numbers
    assert numbers["f1"] == 0
    assert numbers["node_recall"] == 0.75


def test_a_reversed_edge_is_one_or_two_edits_and_no_match_in_sets() -> None:
    """And keeps three quarters on the published scale of labels, in the paper edition alone."""
    turned = [*CHAIN[1:], ("Floods", "Rain")]
    numbers = score(paper(), RULES, handed_in(turned)).numbers
    assert (numbers["shd"], numbers["shd_twice"]) == (1, 2)
    assert numbers["shd_norm"] == pytest.approx(1 / 12)
    assert numbers["shd_n"] == 4
    assert numbers["set_edge_f1"] == 0.75
    assert numbers["f1"] == numbers["edge_f1"] == 0.75
    assert numbers["edges_reversed"] == 0.25
    published = score(paper(), PAPER, handed_in(turned)).numbers
    assert published["edge_f1"] == pytest.approx(3.75 / 4)
    assert published["f1"] == published["paper_f1"] == numbers["paper_f1"]
    assert math.isnan(numbers["edges_supported"])


def test_other_words_count_by_rule_and_not_in_sets() -> None:
    """Aliases are names for the judge without a key."""
    instance = paper(Rain=["Heavy downpours"])
    edges = [("heavy downpours", "the floods"), *CHAIN[1:]]
    numbers = score(instance, RULES, handed_in(edges)).numbers
    assert numbers["set_edge_recall"] == 0.75
    assert numbers["node_recall"] == 1
    # Two names stand for Floods, and every edge with either is an edge with Floods.
    assert numbers["edge_recall"] == 1
    assert numbers["nodes_off"] == 1


def test_an_answer_never_given_has_the_numbers_of_one_that_is_empty() -> None:
    given_none, empty = (score(paper(), RULES, turns).numbers for turns in ([], handed_in([])))
    assert given_none.keys() == empty.keys()


def test_self_loops_and_repetitions_are_scored_as_what_they_are() -> None:
    """A self-loop is a wrong edge, an edge said twice is one."""
    numbers = score(paper(), RULES, handed_in([*CHAIN, *CHAIN, ("Rain", "Rain")])).numbers
    assert numbers["edges_proposed"] == 5
    assert numbers["edge_precision"] == 0.8
    assert numbers["shd"] == 1


def test_unread_replies_and_slips_are_counted() -> None:
    """And the last graph handed in counts."""
    unread = Turn(
        unparsed=Unparsed(mode="no_json", detail="?"), observation="?", legal=False, cost=1
    )
    turns = [unread, *handed_in(CHAIN, slips={"target_for_sink": 3}, repaired="rule")]
    verdict = score(paper(), RULES, turns)
    assert verdict.numbers["unread"] == 1
    assert verdict.numbers["mended"] == 3
    assert verdict.numbers["slips"] == 2
    assert verdict.numbers["repaired"] == 1
    assert verdict.labels["repair"] == "rule"
    assert "3 target_for_sink" in verdict.explanation


def test_slips_are_told_where_there_are_any() -> None:
    slipped = score(paper(), RULES, handed_in([], slips={"target_for_sink": 3})).explanation
    plain = score(paper(), RULES, handed_in([])).explanation
    assert slipped.replace(" On reading: 3 target_for_sink.", "") == plain != slipped


NAMES = st.sampled_from([f"Thing {letter}" for letter in "abcdefgh"])
EDGES = st.lists(st.tuples(NAMES, NAMES), min_size=1, max_size=20)


@given(EDGES, EDGES)
@settings(max_examples=60, deadline=None)
def test_no_graph_scores_above_the_truth(true, proposed) -> None:
    """Not in any headline number, by rule or by names."""
    true = [edge for edge in true if edge[0] != edge[1]] or [("Thing a", "Thing b")]
    for task in ("no_count", "names"):
        numbers = score(paper(true, task), RULES, handed_in(proposed)).numbers
        best = score(paper(true, task), RULES, handed_in(true)).numbers
        for name in ("f1", "node_f1", "edge_f1"):
            assert 0 <= numbers[name] <= best[name] == 1


def test_chance_is_what_random_edges_earn() -> None:
    """The closed form against many draws, and what lies between it and the ceiling."""
    nodes = sorted({name for edge in CHAIN for name in edge})
    every = list(permutations(nodes, 2))
    rng = stream(0, "chance")
    draws = [compare(graph(*rng.sample(every, 4)), graph(*CHAIN)).edges.f1 for _ in range(4_000)]
    numbers = score(paper(), RULES, handed_in(every)).numbers
    assert fmean(draws) == pytest.approx(numbers["chance"], abs=0.01)
    assert numbers["chance"] == pytest.approx(4 / 12)
    assert numbers["f1"] == 0.5
    assert numbers["edge_skill"] == pytest.approx((0.5 - 1 / 3) / (1 - 1 / 3))


def test_without_true_edges_chance_has_no_share() -> None:
    """Nor with a single node."""
    for nodes in (["a", "b"], ["a"]):
        assert math.isnan(bounds(paper(), graph_of([], nodes), 0.0)["chance"])


def test_the_worked_example() -> None:
    """Of two edges one right and its reverse, both right, and both turned round."""
    instance = paper((("a", "b"), ("b", "c")), "names")
    for edges, f1, skill in (
        ([(1, 2), (2, 1)], 0.5, 0.25),
        ([(1, 2), (2, 1), (2, 3)], 0.8, 0.7),
        ([(2, 1), (3, 2)], 0.0, -0.5),
    ):
        numbers = score(instance, RULES, handed_in(edges)).numbers
        assert numbers["f1"] == pytest.approx(f1)
        assert numbers["edge_skill"] == pytest.approx(skill)


def test_a_ceiling_that_is_no_higher_than_chance_leaves_no_skill() -> None:
    """Nothing can be said between the two."""
    instance = paper(task="names")
    low = instance.model_copy(
        update={"secret": instance.secret.model_copy(update={"ceiling": 0.3})}
    )
    assert math.isnan(score(low, RULES, handed_in(CHAIN)).numbers["edge_skill"])


SAID = st.sampled_from(
    ["Thing a", "thing A", "the thing b", "Thing c", "thing d", "moon", "a moon"]
)
SAID_EDGES = st.lists(st.tuples(SAID, SAID), max_size=8)


CASES = given(SAID_EDGES, st.tuples(SAID, SAID), st.sampled_from(["no_count", "names"]))


@CASES
@settings(max_examples=150, deadline=None)
def test_a_right_edge_never_lowers_and_a_wrong_one_never_raises(said, more, task) -> None:
    """Whatever else was said, under whatever name, with names given or not."""
    _check_monotone(said, more, task)


@pytest.mark.long
@CASES
@settings(max_examples=5_000, deadline=None)
def test_so_it_is_in_five_thousand_cases(said, more, task) -> None:
    """The same, many times over."""
    _check_monotone(said, more, task)


def _check_monotone(said, more, task) -> None:
    true = (("Thing a", "Thing b"), ("Thing b", "Thing c"), ("Thing c", "Thing d"))
    instance = paper(true, task)
    before = score(instance, RULES, handed_in(said)).numbers["f1"]
    after = score(instance, RULES, handed_in([*said, more])).numbers["f1"]
    right = _plain(more, task) in {_plain(edge, task) for edge in true}
    assert after >= before if right else after <= before


def _plain(edge, task):
    if task == "names":
        return edge
    return tuple(name.casefold().removeprefix("the ").removeprefix("a ") for name in edge)


def test_arrows_backwards_earn_nothing() -> None:
    """In the headline; on the published scale they earn most of what there is."""
    true = (("a", "b"), ("b", "c"), ("c", "d"))
    numbers = score(paper(true), RULES, handed_in([(b, a) for a, b in true])).numbers
    assert numbers["f1"] == 0
    assert numbers["paper_f1"] > 0.8


def test_graphs_without_anything_agree() -> None:
    """Two empty graphs are the same graph."""
    found = compare(graph(), graph())
    assert (found.edges.f1, found.shd_once, found.n) == (1, 0, 0)


def test_an_encoder_is_only_looked_for_where_the_rules_ask(monkeypatch) -> None:
    """Without the package that has it, the message says what to install."""
    monkeypatch.setattr(rule_judge, "_ENCODER_JUDGE", "causarium_recite_nowhere")
    turns = handed_in([("precipitation", "flooding")])
    assert score(paper(), RULES, turns).numbers["f1"] == 0
    with pytest.raises(UsageError, match="needs the package causarium-recite-lab"):
        score(paper(), ReciteRules(embeddings="minilm"), turns)
