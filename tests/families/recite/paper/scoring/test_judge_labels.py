"""The published labels, value by value and place by place."""

import pytest

from causarium.families.recite.paper.scoring.label_scores import FORMS, VALUES

WORTH = {
    1.0: """PRESENCE_STRONG_MATCH PRESENCE_GRAPH_ONLY PRESENCE_EXPLICIT SEMANTIC_STRONG
        SEMANTIC_COMPLETE ABSTRACTION_ALIGNED DIRECTION_CORRECT INFERENCE_DIRECT INFERENCE_DERIVED
        IMPORTANCE_CORE IMPORTANCE_CENTRAL""",
    0.5: """PRESENCE_WEAK_MATCH PRESENCE_IMPLIED SEMANTIC_MODERATE SEMANTIC_PARTIAL
        ABSTRACTION_BROADER ABSTRACTION_NARROWER DIRECTION_UNCLEAR IMPORTANCE_INTERMEDIATE
        IMPORTANCE_CONNECTING""",
    0.25: """SEMANTIC_WEAK SEMANTIC_MINIMAL DIRECTION_REVERSED INFERENCE_STRETCHED
        IMPORTANCE_PERIPHERAL IMPORTANCE_AUXILIARY""",
    0.0: """PRESENCE_NO_MATCH SEMANTIC_NA ABSTRACTION_NA DIRECTION_MISSING DIRECTION_NA
        INFERENCE_NA""",
}


def test_every_label_has_its_published_value() -> None:
    """All of them, and no other."""
    worth = {label: value for value, some in WORTH.items() for label in some.split()}
    assert {label: value for one in VALUES.values() for label, value in one.items()} == worth
    assert sum(map(len, VALUES.values())) == len(worth)


@pytest.mark.parametrize(
    ("asked", "block", "key", "strange"),
    [
        ("edge_precision", "text_evaluation", "presence_label", "PRESENCE_STRONG_MATCH"),
        ("edge_precision", "graph_evaluation", "presence_label", "PRESENCE_EXPLICIT"),
        ("edge_precision", "graph_evaluation", "directionality_label", "DIRECTION_UNCLEAR"),
        ("edge_precision", "graph_evaluation", "directionality_label", "DIRECTION_MISSING"),
        ("edge_recall", "", "directionality_label", "DIRECTION_NA"),
        ("edge_recall", "", "importance_label", "IMPORTANCE_CORE"),
        ("node_recall", "", "importance_label", "IMPORTANCE_CENTRAL"),
        ("node_recall", "", "semantic_label", "SEMANTIC_STRONG"),
        ("node_precision", "text_evaluation", "semantic_label", "SEMANTIC_COMPLETE"),
    ],
)
def test_labels_are_refused_out_of_their_place(
    asked: str, block: str, key: str, strange: str
) -> None:
    """A label of another pass is none."""
    assert strange in VALUES[key]
    assert strange not in FORMS[asked].blocks[block][key]  # type: ignore[index]
