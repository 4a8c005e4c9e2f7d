"""Which nodes are which, by rule; and what labels follow."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from causarium.families.recite.paper.helpers.judge_questions import read_evaluations
from causarium.families.recite.paper.model.graphs import graph_of
from causarium.families.recite.paper.model.names import strip_name
from causarium.families.recite.paper.scoring.label_scores import PASSES, composite, error_pattern
from causarium.families.recite.paper.scoring.match_nodes import (
    Match,
    match_nodes,
    rename_matched,
)
from causarium.families.recite.paper.scoring.rule_judge import judge_by_rule
from causarium.families.recite.paper.scoring.score import compare
from tests.families.recite.paper.papers import CHAIN, graph, written


@pytest.mark.parametrize(
    "said",
    ["fish stock", "Fish Stocks", "the stock of fish", "level of fish-stock", "ＦＩＳＨ stock"],
)
def test_wording_that_says_the_same_is_the_same(said: str) -> None:
    """Case, order, plural, fillers and measures say nothing."""
    assert match_nodes([said], ["Fish stock"], {}) == {said: Match("Fish stock", "same")}


def test_aliases_are_names() -> None:
    """What a document's list says is the same is the same."""
    found = match_nodes(["adult herring"], ["Stock"], {"Stock": ("Adult herring",)})
    assert found == {"adult herring": Match("Stock", "same")}


def test_shared_words_are_likeness() -> None:
    """Fewer words are broader, more are narrower, others are near."""
    found = match_nodes(
        ["income", "young people leaving town", "net damage by seals"],
        ["Skipper income", "Young people leaving", "Net damage by storms"],
        {},
    )
    assert {name: match.nearness for name, match in found.items()} == {
        "income": "broader",
        "young people leaving town": "narrower",
        "net damage by seals": "near",
    }


@pytest.mark.parametrize(
    ("said", "node"),
    [
        ("lack of trust", "trust"),
        ("distrust of the council", "trust in the council"),
        ("unpaid bills", "paid bills"),
        ("fall in house prices", "rise in house prices"),
    ],
)
def test_an_opposite_is_not_the_same(said: str, node: str) -> None:
    """It shares most of its words, and means the reverse."""
    assert match_nodes([said], [node], {}) == {}


def test_nothing_alike_matches_nothing() -> None:
    """Nor do names without a single word."""
    assert match_nodes(["rainfall", "?!", ""], ["Fleet size"], {"Fleet size": ("boats",)}) == {}


def test_each_name_is_judged_alone() -> None:
    """What else is said changes nothing; two names may be one node."""
    said = ["stock of fish", "fish stocks", "Fish stock", "cod stock"]
    together = match_nodes(said, ["Fish stock", "Boats"], {})
    for name in said:
        alone = match_nodes([name], ["Fish stock", "Boats"], {})
        assert alone.get(name) == together.get(name)
    assert together["stock of fish"] == together["Fish stock"] == Match("Fish stock", "same")


def test_what_is_near_two_nodes_is_near_none() -> None:
    """Where words do not tell them apart, nobody guesses."""
    assert (
        match_nodes(["damage by storms or seals"], ["Damage by storms", "Damage by seals"], {})
        == {}
    )


def test_a_name_goes_before_another_nodes_alias() -> None:
    """Even where the alias comes first."""
    found = match_nodes(["boats"], ["Boats", "Activity"], {"Activity": ("boats",)})
    assert found == {"boats": Match("Boats", "same")}


def test_a_judge_of_names_finds_what_words_do_not() -> None:
    """It is asked about what is no known word for a node, with all words for each node."""

    class Judge:
        def pick(self, names, nodes):
            assert list(names) == ["precipitation", "moon"]
            assert nodes == {"Rain": ("Rain", "drizzle"), "Floods": ("Floods",)}
            return {"precipitation": "Rain", "moon": None}

    said = ["precipitation", "Floods", "moon"]
    matching = match_nodes(said, ["Rain", "Floods"], {"Rain": ("drizzle",)}, Judge())
    assert matching == {"precipitation": Match("Rain", "near"), "Floods": Match("Floods", "same")}


def test_words_in_front_of_the_limit_are_read() -> None:
    """A name of a million words is read in no time."""
    assert len(strip_name("word " * 1_000_000)) == 1


NAMES = st.lists(st.text(st.characters(codec="utf-8"), max_size=12), min_size=1, max_size=8)


@given(NAMES, NAMES)
@settings(max_examples=80, deadline=None)
def test_names_match_true_ones_and_the_truth_matches_itself(
    proposed: list[str], true: list[str]
) -> None:
    """Whatever the names are."""
    targets = [match.true for match in match_nodes(proposed, true, {}).values()]
    assert set(targets) <= set(true)
    itself = match_nodes(true, true, {})
    assert itself == {name: Match(name, "same") for name in true}


EDGES = st.lists(
    st.tuples(st.sampled_from("abcdef"), st.sampled_from("abcdef")), min_size=1, max_size=14
)


@given(EDGES, EDGES)
@settings(max_examples=80, deadline=None)
def test_rule_and_sets_agree_where_names_are_the_same(
    proposed: list[tuple[str, str]], true: list[tuple[str, str]]
) -> None:
    """With equal names, labels and sets count the same edges; no graph beats the truth."""
    ours, theirs = graph_of(proposed), graph_of(true)
    labels = judge_by_rule(ours, theirs, match_nodes(ours.nodes, theirs.nodes, {}))
    pattern, sets = error_pattern(labels), compare(ours, theirs)
    assert pattern.matched - pattern.reversed == sets.edges.matched
    assert pattern.reversed == sets.reversed
    assert (pattern.shd_once, pattern.shd_twice) == (sets.shd_once, sets.shd_twice)
    score = composite(labels)
    assert score.f1 <= 1
    assert (score.f1 == 1) == (set(proposed) == set(true))
    assert score.node_f1 == pytest.approx(sets.nodes.f1)
    assert score.edge_f1 >= sets.edges.f1 - 1e-12


def test_both_directions_earn_no_more_than_the_right_one() -> None:
    """An edge beside its reverse is one right edge and one wrong one."""
    true = graph(*CHAIN)
    both = graph_of([*CHAIN, *((b, a) for a, b in CHAIN)])
    labels = judge_by_rule(both, true, match_nodes(both.nodes, true.nodes, {}))
    assert composite(labels).edge_precision == 0.5


def test_the_rules_labels_are_legal() -> None:
    """They pass the same check as a model's."""
    true = graph(*CHAIN)
    ours = graph(("Rain", "Floods"), ("Losses", "Floods"), ("the floods of May", "Storks"))
    labels = judge_by_rule(ours, true, match_nodes(ours.nodes, true.nodes, {}))
    for asked in PASSES:
        count = len(labels[asked])
        numbers = set(range(1, count + 1))
        reading = read_evaluations(written(asked, labels, numbers), asked, numbers)
        assert len(reading.taken) == count
        assert not reading.refused


def test_renaming_puts_true_names_in_the_place_of_others() -> None:
    """Strangers keep their own, and an edge that is said twice is one."""
    said = graph(("Fish stock", "x"), ("stock of fish", "x"), ("stock of fish", "y"))
    matching = {name: Match("Fish stock", "same") for name in ("Fish stock", "stock of fish")}
    assert rename_matched(said, matching).edges == (("Fish stock", "x"), ("Fish stock", "y"))
