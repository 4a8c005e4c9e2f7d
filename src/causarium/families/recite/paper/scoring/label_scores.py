"""The published labels, which of them are legal where, and the scores that follow from them.

Every item of the answer and of the truth gets one label in each of a few kinds, from a model in the
role `judge` or from rules; the scores are weighted shares of items by their labels.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import nan
from typing import Literal, TypeAlias

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


_BLOCKS = ("graph_evaluation", "text_evaluation")
FORMS: Mapping[Pass, Form] = {
    "node_precision": Form(
        "node_number",
        {
            block: {
                "presence_label": PRESENCE,
                "semantic_label": {**_CLOSE, **_NO_MEANING},
                "abstraction_label": ABSTRACTION,
            }
            for block in _BLOCKS
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


Block: TypeAlias = Mapping[str, object]
"""Labels by key, such as `presence_label`; what is no label is worth nothing."""
Item: TypeAlias = Mapping[str, object]
"""What a judge says of one node or edge."""
Evaluations: TypeAlias = Mapping[Pass, Sequence[Item]]
"""What a judge says in each of the four passes."""

_THIRDS = ("inference_label", "directionality_label", "semantic_label")
"""What stands between presence and abstraction; the first that a block has."""


class MalformedJudgement(ValueError):
    """A stored judgement that the published code gives up on."""


_MATCHED = {label for label in PRESENCE if label != NO_MATCH}
_SUPPORTED = {"PRESENCE_GRAPH_ONLY", "PRESENCE_EXPLICIT", "PRESENCE_IMPLIED"}


@dataclass(frozen=True, slots=True)
class Shares:
    """Precision and recall of nodes and of edges."""

    node_precision: float
    node_recall: float
    edge_precision: float
    edge_recall: float

    @property
    def node_f1(self) -> float:
        """The harmonic mean of node precision and recall."""
        return harmonic(self.node_precision, self.node_recall)

    @property
    def edge_f1(self) -> float:
        """The harmonic mean of edge precision and recall."""
        return harmonic(self.edge_precision, self.edge_recall)


@dataclass(frozen=True, slots=True)
class Composite(Shares):
    """The published scores of one answer."""

    precision: float
    """Over all items of the answer, nodes and edges."""
    recall: float
    """Node and edge recall, weighed by how many true nodes and edges there are."""
    recall_pooled: float
    """Over all true items, each weighed by its importance."""

    @property
    def f1(self) -> float:
        """The F1 of the published main table."""
        return harmonic(self.precision, self.recall)

    @property
    def f1_pooled(self) -> float:
        """The same with the pooled recall."""
        return harmonic(self.precision, self.recall_pooled)


def harmonic(one: float, other: float) -> float:
    """Return the harmonic mean of two shares, 0 where both are.

    Example:
        >>> harmonic(1.0, 0.5)
        0.6666666666666666
    """
    return 2 * one * other / (one + other) if one + other else 0.0


def composite(found: Evaluations) -> Composite:
    """Return the published scores of what a judge found."""
    node_p, edge_p = (_precisions(found.get(p, ())) for p in ("node_precision", "edge_precision"))
    node_r, edge_r = (_recalls(found.get(p, ())) for p in ("node_recall", "edge_recall"))
    shares = (_weighted_mean(node_r), _weighted_mean(edge_r))
    return Composite(
        node_precision=_mean(node_p),
        node_recall=shares[0],
        edge_precision=_mean(edge_p),
        edge_recall=shares[1],
        precision=_mean([*node_p, *edge_p]),
        recall=_weighted_mean(
            list(zip(shares, (float(len(node_r)), float(len(edge_r))), strict=True))
        ),
        recall_pooled=_weighted_mean([*node_r, *edge_r]),
    )


def block_score(block: Block) -> float:
    """Return the mean of a block's three labels.

    Example:
        >>> block_score({"presence_label": "PRESENCE_STRONG_MATCH",
        ...     "directionality_label": "DIRECTION_REVERSED",
        ...     "abstraction_label": "ABSTRACTION_ALIGNED"})
        0.75
    """
    third = next((key for key in _THIRDS if key in block), "semantic_label")
    outer = _value(block, "presence_label") + _value(block, "abstraction_label")
    return (outer + _value(block, third)) / 3


def compute_shares(found: Evaluations, *, directed: bool = False) -> Shares:
    """Return plain shares of items that the graph has, each counting once: strong ones or weak.

    Args:
        found: What a judge says.
        directed: Whether an edge holds only in its own direction; as published, in either.
    """

    def share(asked: Pass) -> float:
        block = "graph_evaluation" if asked.endswith("precision") else ""
        either_way = not directed or asked.startswith("node")
        return _mean(
            float(
                matches(item, block)
                and (
                    either_way
                    or _block(item, block).get("directionality_label") == "DIRECTION_CORRECT"
                )
            )
            for item in found.get(asked, ())
        )

    return Shares(*map(share, PASSES))


def _precisions(items: Iterable[Item]) -> list[float]:
    """Return the score of each item of an answer: the better of what graph and text say."""
    scores = []
    for item in items:
        blocks = [item.get("graph_evaluation", {}), item.get("text_evaluation", {})]
        if not any(map(_says_something, blocks)):
            scores.append(0.0)
            continue
        if not all(isinstance(block, Mapping) for block in blocks):
            raise MalformedJudgement("a block of labels is null or no table")
        scores.append(max(block_score(_block(item, name)) for name in _BLOCKS))
    return scores


def _says_something(block: object) -> bool:
    """Say whether a block is there and does not say that nothing matches."""
    if not block:
        return False
    return not isinstance(block, Mapping) or block.get("presence_label") != NO_MATCH


def _recalls(items: Iterable[Item]) -> list[tuple[float, float]]:
    """Return the score and the weight of each true item."""
    found = []
    for item in items:
        block = _block(item, "")
        score = 0.0 if _presence(block) == NO_MATCH else block_score(block)
        found.append((score, _value(block, "importance_label")))
    return found


@dataclass(frozen=True, slots=True)
class ErrorPattern:
    """What became of the edges of an answer, as counts."""

    proposed: int
    matched: int
    """Proposed edges that the graph has, in either direction."""
    reversed: int
    """Those of them that run the other way."""
    supported: int
    """Proposed edges that graph or text support, by the text's own label."""
    aligned: int
    """Matched edges at the right level of abstraction."""
    missing: int
    """True edges that the answer has in neither direction."""

    @property
    def shd_once(self) -> int:
        """Edits from the answer to the graph, where turning an edge round is one."""
        return (self.proposed - self.matched) + self.missing + self.reversed

    @property
    def shd_twice(self) -> int:
        """The same, where turning an edge round is taking one out and putting one in."""
        return self.shd_once + self.reversed

    def share(self, count: int) -> float:
        """Return a count as a share of the proposed edges; nan where there are none."""
        return count / self.proposed if self.proposed else nan


def error_pattern(found: Evaluations) -> ErrorPattern:
    """Return what became of the edges of an answer.

    Direction is read from the labels of precision, so that a reversed edge is counted once: a
    true edge with a reversed recall label is matched, and not missing.
    """
    proposed = [_block(item, "graph_evaluation") for item in found.get("edge_precision", ())]
    matched = [block for block in proposed if _presence(block) in _MATCHED]
    texts = [_block(item, "text_evaluation") for item in found.get("edge_precision", ())]
    return ErrorPattern(
        proposed=len(proposed),
        matched=len(matched),
        reversed=sum(b.get("directionality_label") == "DIRECTION_REVERSED" for b in matched),
        supported=sum(_presence(block) in _SUPPORTED for block in texts),
        aligned=sum(b.get("abstraction_label") == "ABSTRACTION_ALIGNED" for b in matched),
        missing=sum(not matches(item, "") for item in found.get("edge_recall", ())),
    )


def matches(item: Item, block: str) -> bool:
    """Say whether the graph has an item, wholly or in part."""
    return _presence(_block(item, block)) in _MATCHED


def normalise_shd(distance: int, n: int) -> float:
    """Return a distance as a share of the n(n-1) possible edges; nan below two nodes."""
    return distance / (n * (n - 1)) if n > 1 else nan


def _block(item: Item, name: str) -> Block:
    found = item.get(name) if name else item
    return found if isinstance(found, dict | Mapping) else {}


def _presence(block: Block) -> str:
    found = block.get("presence_label", "")
    return found if isinstance(found, str) else ""


def _value(block: Block, key: str) -> float:
    label = block.get(key) or ""
    if isinstance(label, list | dict):
        raise MalformedJudgement(f"{key} is no label")
    return VALUES[key].get(str(label), 0.0)


def _mean(values: Iterable[float]) -> float:
    found = list(values)
    return sum(found) / len(found) if found else 0.0


def _weighted_mean(values: Sequence[tuple[float, float]]) -> float:
    total = sum(weight for _, weight in values)
    return sum(value * weight for value, weight in values) / total if total else 0.0
