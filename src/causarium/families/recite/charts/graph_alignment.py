"""An answer's graph put beside the document's, in the document's names, for whoever draws it."""

from collections.abc import Sequence
from dataclasses import dataclass

from causarium.contract.turn import Turn
from causarium.families.recite.config import ReciteRules
from causarium.families.recite.instance import ReciteInstance
from causarium.families.recite.mechanics.named_graphs import (
    CausalGraph,
    find_last_submission,
    true_graph,
)
from causarium.families.recite.scoring.match_nodes import Matching
from causarium.families.recite.scoring.rule_judge import match_by_rules
from causarium.scoring.graph_scores import Edge


@dataclass(frozen=True, slots=True)
class Beside:
    """Both graphs, and which nodes are taken for which."""

    true: CausalGraph
    proposed: CausalGraph | None
    """None where nothing was handed in."""
    matching: Matching

    @property
    def known_edges(self) -> frozenset[Edge]:
        """The answer's edges between nodes that were taken for true ones, in the true names."""
        if self.proposed is None:
            return frozenset()
        known = self.matching
        return frozenset(
            (known[a].true, known[b].true)
            for a, b in self.proposed.edges
            if a in known and b in known
        )

    @property
    def strangers(self) -> tuple[str, ...]:
        """The answer's nodes that were taken for no true one."""
        nodes = self.proposed.nodes if self.proposed else ()
        return tuple(name for name in nodes if name not in self.matching)


def align_graphs(instance: ReciteInstance, rules: ReciteRules, turns: Sequence[Turn]) -> Beside:
    """Put what was handed in beside the document's graph."""
    handed, true = find_last_submission(instance, turns), true_graph(instance.secret)
    if handed is None:
        return Beside(true, None, {})
    matching = match_by_rules(instance, rules, handed.graph)
    nodes = set(true.nodes)
    known = {name: match for name, match in matching.items() if match.true in nodes}
    return Beside(true, handed.graph, known)


def evidence_of(instance: ReciteInstance) -> dict[Edge, str]:
    """Return what states each true edge for which the document says it, by cause and effect."""
    secret = instance.secret
    return {
        pair: " … ".join(edge.evidence)
        for pair, edge in zip(secret.pairs, secret.edges, strict=True)
        if edge.evidence
    }
