"""The labels that a judge may give: what each is worth, and in which place it may stand.

The values are the published ones. Three of them surprise: a relation that has to be derived is
worth as much as one that is stated, a reversed edge keeps a quarter for its direction, and both
kinds of wrong abstraction are worth a half.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Pass = Literal["node_precision", "node_recall", "edge_precision", "edge_recall"]
"""One of the four questions that a judge answers, item by item."""

PASSES: tuple[Pass, ...] = ("node_precision", "node_recall", "edge_precision", "edge_recall")

NO_MATCH = "PRESENCE_NO_MATCH"

PRESENCE = {"PRESENCE_STRONG_MATCH": 1.0, "PRESENCE_WEAK_MATCH": 0.5, NO_MATCH: 0.0}
TEXT_PRESENCE = {
    "PRESENCE_GRAPH_ONLY": 1.0,
    "PRESENCE_EXPLICIT": 1.0,
    "PRESENCE_IMPLIED": 0.5,
    NO_MATCH: 0.0,
}
_CLOSE = {"SEMANTIC_STRONG": 1.0, "SEMANTIC_MODERATE": 0.5, "SEMANTIC_WEAK": 0.25}
_COVERED = {"SEMANTIC_COMPLETE": 1.0, "SEMANTIC_PARTIAL": 0.5, "SEMANTIC_MINIMAL": 0.25}
_NO_MEANING = {"SEMANTIC_NA": 0.0}
ABSTRACTION = {
    "ABSTRACTION_ALIGNED": 1.0,
    "ABSTRACTION_BROADER": 0.5,
    "ABSTRACTION_NARROWER": 0.5,
    "ABSTRACTION_NA": 0.0,
}
_DIRECTION = {"DIRECTION_CORRECT": 1.0, "DIRECTION_REVERSED": 0.25}
_INFERENCE = {
    "INFERENCE_DIRECT": 1.0,
    "INFERENCE_DERIVED": 1.0,
    "INFERENCE_STRETCHED": 0.25,
    "INFERENCE_NA": 0.0,
}
NODE_IMPORTANCE = {
    "IMPORTANCE_CORE": 1.0,
    "IMPORTANCE_INTERMEDIATE": 0.5,
    "IMPORTANCE_PERIPHERAL": 0.25,
}
EDGE_IMPORTANCE = {
    "IMPORTANCE_CENTRAL": 1.0,
    "IMPORTANCE_CONNECTING": 0.5,
    "IMPORTANCE_AUXILIARY": 0.25,
}

Legal = Mapping[str, Mapping[str, float]]
"""For each key of a block, the labels it may have and what they are worth."""


@dataclass(frozen=True, slots=True)
class Form:
    """What a judge writes for each item of one pass."""

    number: str
    """The key of the item's number."""
    blocks: Mapping[str, Legal]
    """The labels by block; the block called `` is the item itself."""


FORMS: Mapping[Pass, Form] = {
    "node_precision": Form(
        "node_number",
        {
            "graph_evaluation": {
                "presence_label": PRESENCE,
                "semantic_label": {**_CLOSE, **_NO_MEANING},
                "abstraction_label": ABSTRACTION,
            },
            "text_evaluation": {
                "presence_label": PRESENCE,
                "semantic_label": {**_CLOSE, **_NO_MEANING},
                "abstraction_label": ABSTRACTION,
            },
        },
    ),
    "node_recall": Form(
        "node_number",
        {
            "": {
                "importance_label": NODE_IMPORTANCE,
                "presence_label": PRESENCE,
                "semantic_label": {**_COVERED, **_NO_MEANING},
                "abstraction_label": ABSTRACTION,
            }
        },
    ),
    "edge_precision": Form(
        "edge_number",
        {
            "graph_evaluation": {
                "presence_label": PRESENCE,
                "directionality_label": {**_DIRECTION, "DIRECTION_NA": 0.0},
                "abstraction_label": ABSTRACTION,
            },
            "text_evaluation": {
                "presence_label": TEXT_PRESENCE,
                "inference_label": _INFERENCE,
                "abstraction_label": ABSTRACTION,
            },
        },
    ),
    "edge_recall": Form(
        "edge_number",
        {
            "": {
                "importance_label": EDGE_IMPORTANCE,
                "presence_label": PRESENCE,
                "directionality_label": {
                    **_DIRECTION,
                    "DIRECTION_UNCLEAR": 0.5,
                    "DIRECTION_MISSING": 0.0,
                },
                "abstraction_label": ABSTRACTION,
            }
        },
    ),
}
"""Every label in its place. A label anywhere else is refused."""


def _merge_labels(key: str) -> dict[str, float]:
    tables = [b[key] for form in FORMS.values() for b in form.blocks.values() if key in b]
    return {label: value for table in tables for label, value in table.items()}


VALUES: Mapping[str, Mapping[str, float]] = {
    key: _merge_labels(key)
    for key in (
        "presence_label",
        "semantic_label",
        "abstraction_label",
        "directionality_label",
        "inference_label",
        "importance_label",
    )
}
"""What the labels of each key are worth; a label under the key of another is worth nothing."""


def evaluations_key(asked: Pass) -> str:
    """Return the key under which a judge lists the items of a pass."""
    return f"{asked}_evaluations"
