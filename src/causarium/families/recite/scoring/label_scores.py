"""From labels to scores, by the published formulas, and what else the same labels tell.

Two readings of overall recall exist and are both here. The published code weighs node and edge
recall by how many nodes and edges there are (`recall`); the published words weigh every item by
its importance (`recall_pooled`). The main table's F1 is made of the first.

A label that is missing, unknown or of another dimension is worth nothing, also as a weight, as in
the published code: stored judgements are scored as they lie there. Where a block is null beside one
that matches, or a label is a list or a table, the published code gives the whole answer up, and so
does `MalformedJudgement`. Fresh judgements never have such labels, since `judge_replies.py` takes
none.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import nan
from typing import TypeAlias

from causarium.families.recite.scoring.judge_labels import NO_MATCH, PRESENCE, VALUES, Pass

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


def compute_directed_shares(found: Evaluations) -> Shares:
    """Return plain shares in which an edge holds only in its own direction.

    A node or an edge that the graph has in part holds, and nothing is credited to the text.
    """

    def share(asked: Pass, block: str) -> float:
        blocks = [_block(item, block) for item in found.get(asked, ())]
        return _mean(
            float(
                _presence(one) in _MATCHED
                and (
                    asked.startswith("node")
                    or one.get("directionality_label") == "DIRECTION_CORRECT"
                )
            )
            for one in blocks
        )

    return Shares(
        node_precision=share("node_precision", "graph_evaluation"),
        node_recall=share("node_recall", ""),
        edge_precision=share("edge_precision", "graph_evaluation"),
        edge_recall=share("edge_recall", ""),
    )


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


_BLOCKS = ("graph_evaluation", "text_evaluation")


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


def compute_unweighted_shares(found: Evaluations) -> Shares:
    """Return the published unweighted scores.

    Matches with the graph alone, each item counting once: strong and weak ones are the same.
    """

    def share(asked: Pass, block: str) -> float:
        return _mean(float(matches(item, block)) for item in found.get(asked, ()))

    return Shares(
        node_precision=share("node_precision", "graph_evaluation"),
        node_recall=share("node_recall", ""),
        edge_precision=share("edge_precision", "graph_evaluation"),
        edge_recall=share("edge_recall", ""),
    )


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
    true edge whose recall label is reversed is matched, and not missing.
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
