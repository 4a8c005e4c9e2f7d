"""Labels to scores: the measured vectors of the published code, and what must always hold."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from causarium.families.recite.paper.scoring.label_scores import (
    FORMS,
    PASSES,
    VALUES,
    MalformedJudgement,
    composite,
    compute_shares,
    error_pattern,
    harmonic,
    normalise_shd,
)

_SHORT = {"S": "STRONG_MATCH", "W": "WEAK_MATCH", "N": "NO_MATCH"}


def block(third: str, presence: str, value: str, abstraction: str) -> dict[str, str]:
    """Write three labels in short."""
    prefix = {"semantic": "SEMANTIC", "directionality": "DIRECTION", "inference": "INFERENCE"}
    return {
        "presence_label": f"PRESENCE_{_SHORT.get(presence, presence)}",
        f"{third}_label": f"{prefix[third]}_{value}",
        "abstraction_label": f"ABSTRACTION_{abstraction}",
    }


def precision(graph: dict[str, str], text: dict[str, str]) -> dict[str, dict[str, str]]:
    return {"graph_evaluation": graph, "text_evaluation": text}


def recall(importance: str, labels: dict[str, str]) -> dict[str, str]:
    return {"importance_label": f"IMPORTANCE_{importance}", **labels}


NOWHERE = block("directionality", "N", "NA", "NA")
A = [
    precision(block("semantic", "S", "MODERATE", "NARROWER"), block("semantic", "W", "WEAK", "NA"))
]
B = [
    precision(
        block("directionality", "S", "REVERSED", "ALIGNED"),
        block("inference", "GRAPH_ONLY", "STRETCHED", "ALIGNED"),
    )
]
C = [
    precision(NOWHERE, block("inference", "EXPLICIT", "DIRECT", "ALIGNED")),
    precision(NOWHERE, block("inference", "N", "NA", "NA")),
]
D = [
    recall("CORE", block("semantic", "N", "NA", "NA")),
    recall("INTERMEDIATE", block("semantic", "W", "PARTIAL", "BROADER")),
    recall("PERIPHERAL", block("semantic", "S", "MINIMAL", "ALIGNED")),
]
E = [
    recall("CENTRAL", block("directionality", "S", "UNCLEAR", "ALIGNED")),
    recall("CONNECTING", block("directionality", "N", "MISSING", "NA")),
    recall("AUXILIARY", block("directionality", "W", "REVERSED", "NARROWER")),
]
F = [recall("TREMENDOUS", block("semantic", "S", "COMPLETE", "ALIGNED"))]


@pytest.mark.parametrize(
    ("asked", "items", "expected"),
    [
        ("node_precision", A, 0.666667),
        ("edge_precision", B, 0.75),
        ("edge_precision", C, 0.5),
        ("node_recall", D, 0.25),
        ("edge_recall", E, 0.535714),
        ("node_recall", F, 0.0),
    ],
    ids=list("abcdef"),
)
def test_measured_vectors(asked: str, items: list[object], expected: float) -> None:
    """Each was measured on the published code."""
    assert getattr(composite({asked: items}), asked) == pytest.approx(expected, abs=5e-7)


def test_measured_vector_g_has_all_of_them() -> None:
    """All together, and both readings of recall."""
    found = composite(
        {
            "node_precision": A,
            "node_recall": [*D, *F],
            "edge_precision": [*B, *C],
            "edge_recall": E,
        }
    )
    expected = {
        "node_precision": 0.666667,
        "node_recall": 0.25,
        "node_f1": 0.363636,
        "edge_precision": 0.583333,
        "edge_recall": 0.535714,
        "edge_f1": 0.558511,
        "precision": 0.604167,
        "recall": 0.372449,
        "f1": 0.460818,
        "recall_pooled": 0.392857,
    }
    for name, value in expected.items():
        assert getattr(found, name) == pytest.approx(value, abs=5e-7), name


def test_nothing_found_scores_nothing() -> None:
    """No items are no credit, and no error either."""
    found = composite({})
    assert (found.f1, found.node_f1, found.edge_f1, found.recall_pooled) == (0, 0, 0, 0)


def test_missing_blocks_and_labels_are_worth_nothing() -> None:
    """As stored judgements have them."""
    stored = [{"graph_evaluation": None, "text_evaluation": {}}, {}]
    assert composite({"edge_precision": stored}).edge_precision == 0
    half = [{"graph_evaluation": {"presence_label": "PRESENCE_STRONG_MATCH"}}]
    assert composite({"node_precision": half}).node_precision == pytest.approx(1 / 3)


def test_unweighted_scores_take_weak_for_strong_and_no_word_of_the_text() -> None:
    """Matches with the graph alone, whatever they are worth."""
    found = compute_shares({"edge_precision": [*B, *C], "node_recall": D, "edge_recall": E})
    assert found.edge_precision == pytest.approx(1 / 3)
    assert found.node_recall == pytest.approx(2 / 3)
    assert found.edge_recall == pytest.approx(2 / 3)
    assert found.edge_f1 == pytest.approx(harmonic(1 / 3, 2 / 3))


def test_reversals_count_once_or_twice() -> None:
    """Three edges proposed, one of them reversed and two not there; one true edge missing."""
    found = error_pattern({"edge_precision": [*B, *C], "edge_recall": E})
    assert (found.proposed, found.matched, found.reversed, found.missing) == (3, 1, 1, 1)
    assert found.supported == 2
    assert found.shd_once == 2 + 1 + 1
    assert found.shd_twice == found.shd_once + 1


def test_a_distance_is_normalised_by_ordered_pairs() -> None:
    """And is nothing where there are none."""
    assert normalise_shd(3, 4) == 0.25
    assert math.isnan(normalise_shd(0, 1))


def test_no_label_is_worth_two_things() -> None:
    """A label has one value in all of its places, and none in those of others."""
    for form in FORMS.values():
        for legal in form.blocks.values():
            for key, labels in legal.items():
                assert all(VALUES[key][label] == value for label, value in labels.items())
    assert "SEMANTIC_STRONG" not in VALUES["presence_label"]


@pytest.mark.parametrize(
    ("graph", "text", "score"),
    [
        # A label of another dimension is worth nothing in this one's place.
        (
            {"presence_label": "SEMANTIC_STRONG", "abstraction_label": "ABSTRACTION_ALIGNED"},
            {},
            1 / 3,
        ),
        (
            {"semantic_label": "DIRECTION_CORRECT", "presence_label": "PRESENCE_STRONG_MATCH"},
            {},
            1 / 3,
        ),
        # A block without a presence label is there; an empty one is not.
        ({"semantic_label": "SEMANTIC_STRONG"}, {}, 1 / 3),
        ({}, {}, 0.0),
        (None, None, 0.0),
        (None, {"presence_label": "PRESENCE_NO_MATCH"}, 0.0),
        ({"presence_label": 5, "semantic_label": None}, {}, 0.0),
        # The inference label goes before the directionality label, whatever stands in it.
        (
            {
                "presence_label": "PRESENCE_STRONG_MATCH",
                "inference_label": None,
                "directionality_label": "DIRECTION_CORRECT",
            },
            {},
            1 / 3,
        ),
    ],
)
def test_malformed_judgements_are_scored_as_published(graph, text, score) -> None:
    """Item by item, as the published code has it."""
    item = {"graph_evaluation": graph, "text_evaluation": text}
    assert composite({"node_precision": [item]}).node_precision == pytest.approx(score)


@pytest.mark.parametrize(
    "item",
    [
        {"graph_evaluation": {"presence_label": "PRESENCE_STRONG_MATCH"}, "text_evaluation": None},
        {"graph_evaluation": {"presence_label": ["PRESENCE_STRONG_MATCH"]}},
    ],
)
def test_what_the_published_code_gives_up_on_is_given_up(item) -> None:
    """A null block beside one that matches, and a label that is a list."""
    with pytest.raises(MalformedJudgement):
        composite({"edge_precision": [item]})


def items(asked: str) -> st.SearchStrategy[dict[str, object]]:
    """Draw an item with labels that are legal in their place."""
    form = FORMS[asked]  # type: ignore[index]
    blocks = {
        name: st.fixed_dictionaries({k: st.sampled_from(sorted(v)) for k, v in legal.items()})
        for name, legal in form.blocks.items()
    }
    return blocks[""] if "" in blocks else st.fixed_dictionaries(blocks)


@given(st.fixed_dictionaries({asked: st.lists(items(asked), max_size=6) for asked in PASSES}))
@settings(max_examples=60, deadline=None)
def test_all_scores_are_shares(found: dict[str, list[object]]) -> None:
    """Whatever a judge says legally, nothing leaves 0 to 1, and means lie between their parts."""
    scores = composite(found)  # type: ignore[arg-type]
    parts = (scores.node_precision, scores.edge_precision, scores.node_recall, scores.edge_recall)
    every = (*parts, scores.precision, scores.recall, scores.recall_pooled, scores.f1)
    assert all(0 <= value <= 1 + 1e-12 for value in every)
    if found["node_recall"] and found["edge_recall"]:
        low, high = sorted((scores.node_recall, scores.edge_recall))
        assert low - 1e-12 <= scores.recall <= high + 1e-12
        assert low - 1e-12 <= scores.recall_pooled <= high + 1e-12


WORTH = {
    "presence": {
        "STRONG_MATCH": 1,
        "WEAK_MATCH": 0.5,
        "NO_MATCH": 0,
        "GRAPH_ONLY": 1,
        "EXPLICIT": 1,
        "IMPLIED": 0.5,
    },
    "semantic": {
        "STRONG": 1,
        "MODERATE": 0.5,
        "WEAK": 0.25,
        "COMPLETE": 1,
        "PARTIAL": 0.5,
        "MINIMAL": 0.25,
        "NA": 0,
    },
    "abstraction": {"ALIGNED": 1, "BROADER": 0.5, "NARROWER": 0.5, "NA": 0},
    "direction": {"CORRECT": 1, "REVERSED": 0.25, "UNCLEAR": 0.5, "MISSING": 0, "NA": 0},
    "inference": {"DIRECT": 1, "DERIVED": 1, "STRETCHED": 0.25, "NA": 0},
    "importance": {
        "CORE": 1,
        "INTERMEDIATE": 0.5,
        "PERIPHERAL": 0.25,
        "CENTRAL": 1,
        "CONNECTING": 0.5,
        "AUXILIARY": 0.25,
    },
}


def test_labels_are_worth_what_is_published() -> None:
    said = {
        f"{kind.upper()}_{label}": worth
        for kind, labels in WORTH.items()
        for label, worth in labels.items()
    }
    found = {label: worth for labels in VALUES.values() for label, worth in labels.items()}
    assert found == said
