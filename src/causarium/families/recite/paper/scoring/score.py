"""The verdict on one answer, from the instance and the recorded turns alone.

`f1` is the F1 of directed edges. Where names are given, sets of pairs are compared and nobody
judges. Otherwise each name of the answer is first taken for a node of the document or for none, by
the rule judge (`match_nodes.py`) or by the run's own; the label `judged` says by whom.

`paper_f1` is the published score of nodes and edges together, and is `f1` under the quirk
`composite_f1` where names are not given. `set_…` compares names as they are written; `legacy_…` is
the published name-assisted scale, which is not precision, recall and F1 at all.

Nothing handed in scores 0. Distances are nan where nothing was handed in: an agent that says
nothing is not close to a sparse graph.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import nan
from pathlib import Path

from causarium.contract.turn import Turn
from causarium.contract.verdict import SLIPS, Verdict, read_metrics
from causarium.scoring.graph_scores import (
    Edge,
    EdgeAgreement,
    SetAgreement,
    compare_edges,
    compare_sets,
)
from ..levels import ReciteRules
from ..model.graphs import (
    CUT_OFF,
    LOOPED,
    CausalGraph,
    SubmittedGraph,
    find_last_submission,
    true_graph,
)
from ..model.instance import ReciteInstance
from .label_scores import Evaluations, composite, compute_shares, harmonic, normalise_shd
from .match_nodes import rename_matched
from .rule_judge import judge_by_rule, match_by_rules


@dataclass(frozen=True, slots=True)
class Agreement:
    """How two graphs agree."""

    nodes: SetAgreement
    edges: SetAgreement
    """Directed edges and self-loops; a reversed edge is one missing and one extra."""
    reversed: int
    """True edges that are there in the wrong direction only."""
    n: int
    """How many nodes the two graphs have together; what a distance is normalised with."""

    @property
    def shd_twice(self) -> int:
        """Edges to take out or put in until the graphs are the same."""
        return self.edges.missing + self.edges.extra

    @property
    def shd_once(self) -> int:
        """The same, where turning an edge round is one edit."""
        return self.shd_twice - self.reversed


def compare(proposed: CausalGraph, true: CausalGraph) -> Agreement:
    """Return how a proposed graph agrees with the true one.

    Example:
        >>> from causarium.families.recite.paper.model.graphs import graph_of
        >>> found = compare(graph_of([("b", "a")]), graph_of([("a", "b")]))
        >>> found.shd_once, found.shd_twice, found.edges.f1
        (1, 2, 0.0)
    """
    names = {*proposed.nodes, *true.nodes}
    straight: EdgeAgreement = compare_edges(
        _drop_self_loops(proposed.edges), _drop_self_loops(true.edges), variables=names
    )
    return Agreement(
        nodes=compare_sets(proposed.nodes, true.nodes),
        edges=compare_sets(proposed.edges, true.edges),
        reversed=straight.reversed,
        n=len(names),
    )


def _drop_self_loops(edges: tuple[Edge, ...]) -> list[Edge]:
    return [edge for edge in edges if edge[0] != edge[1]]


@dataclass(frozen=True, slots=True)
class LegacyCdt:
    """The published name-assisted numbers of one answer.

    The precision is an area and the recall a mean of coordinates, so that about 0.81 is perfect.
    """

    precision: float
    recall: float
    shd: int
    """Reversed edges cost two."""
    shd_norm: float
    """Over n(n-1) of the nodes of both graphs together."""

    @property
    def f1(self) -> float:
        """The harmonic mean of the two."""
        return harmonic(self.precision, self.recall)


def legacy_cdt(proposed: CausalGraph, true: CausalGraph) -> LegacyCdt:
    """Return the published numbers; those of two empty graphs are nan, as they were an error."""
    found = compare(proposed, true)
    distance, n = found.shd_twice, found.n
    if not n:
        return LegacyCdt(nan, nan, distance, nan)
    q = len(true.edges) / n**2
    # With none of the n by n pairs proposed, or with all, self-loops too, the curve has two points.
    if len(proposed.edges) in {0, n**2}:
        curve = (1 + q) / 2, (2 + q) / 4
    else:
        p = found.edges.matched / len(proposed.edges)
        r = found.edges.matched / len(true.edges) if true.edges else 1.0
        curve = r * (1 + p) / 2 + (1 - r) * (p + q) / 2, (2 + q + p + r) / 6
    return LegacyCdt(*curve, distance, normalise_shd(distance, n) if n > 1 else 0.0)


_TABLES = read_metrics(Path(__file__).parents[1] / "metrics.toml")
OF_EDGES = _TABLES["edges"]
OF_LABELS = _TABLES["labels"]
OF_ANSWERS = _TABLES["answers"]
OF_JUDGES = _TABLES["judges"]

METRICS = {name: metric for table in _TABLES.values() for name, metric in table.items()}

BY_NAMES, BY_RULE, BY_RULE_AND_VECTORS = "by names", "by rule", "by rule and encoder"
"""How an answer was scored without a judge, as the label `judged` says it."""
_PUBLISHED = tuple(
    f"{kind}_{part}" for kind in ("node", "edge") for part in ("precision", "recall", "f1")
)
"""What the published scores of labels also have, under the same names."""


def score(instance: ReciteInstance, rules: ReciteRules, turns: Sequence[Turn]) -> Verdict:
    """Score one answer without a judge."""
    handed = find_last_submission(instance, turns)
    true = true_graph(instance.secret)
    shared = {**answer_numbers(true, handed, turns), **dict.fromkeys(OF_JUDGES, nan)}
    if handed is None:
        return Verdict(
            numbers={**make_empty_numbers(instance, true), **shared},
            labels={"judged": "nothing handed in", "reading": describe_unusable_reply(turns)},
            explanation="No graph was handed in.",
        )
    matching = match_by_rules(instance, rules, handed.graph)
    renamed = rename_matched(handed.graph, matching)
    numbers = {
        **shared,
        **name_numbers(handed.graph, true),
        **edge_numbers(compare(renamed, true)),
        **label_numbers(
            judge_by_rule(handed.graph, true, matching), composed=is_composed(instance, rules)
        ),
    }
    numbers |= bounds(instance, true, numbers["edge_f1"])
    judged = BY_NAMES if instance.public.task == "names" else BY_RULE
    if judged == BY_RULE and rules.embeddings != "none":
        judged = BY_RULE_AND_VECTORS
    return Verdict(
        numbers=numbers,
        labels={
            "judged": judged,
            "repair": handed.repaired or "none",
            "reading": "; ".join(sorted(handed.slips)) or "as asked",
        },
        answer=f"{len(handed.graph.nodes)} nodes, {len(handed.graph.edges)} edges",
        explanation=explain_verdict(numbers, handed)
        + (f" Nodes were matched {judged}, which is approximate." if judged != BY_NAMES else ""),
    )


def is_composed(instance: ReciteInstance, rules: ReciteRules) -> bool:
    """Say whether `f1` is the published score of nodes and edges together."""
    return rules.composite_f1 and instance.public.task != "names"


def make_empty_numbers(instance: ReciteInstance, true: CausalGraph) -> dict[str, float]:
    """Return the numbers of an answer that was never given."""
    zero = [*OF_EDGES, *OF_LABELS, *(name for name in METRICS if name.startswith("set_"))]
    return {
        **{n: 0.0 if n in zero else nan for n in METRICS},
        **bounds(instance, true, 0.0),
    }


def edge_numbers(found: Agreement) -> dict[str, float]:
    """Return what comparing two graphs in the document's names says."""
    nodes, edges = found.nodes, found.edges
    proposed = edges.matched + edges.extra
    share = 1 / proposed if proposed else nan
    return {
        "f1": edges.f1,
        "edge_f1": edges.f1,
        "edge_precision": edges.precision,
        "edge_recall": edges.recall,
        "node_f1": nodes.f1,
        "node_precision": nodes.precision,
        "node_recall": nodes.recall,
        "edges_matched": (edges.matched + found.reversed) * share,
        "edges_correct": edges.matched * share,
        "edges_reversed": found.reversed * share,
        "edges_aligned": nan,
        "edges_supported": nan,
        "shd": float(found.shd_once),
        "shd_twice": float(found.shd_twice),
        "shd_norm": normalise_shd(found.shd_once, found.n),
        "shd_n": float(found.n),
    }


def label_numbers(found: Evaluations, *, composed: bool) -> dict[str, float]:
    """Return the published scores of labels.

    Args:
        found: The labels of all four passes.
        composed: Whether they are also `f1` and its parts, as in the paper edition.
    """
    scores, plain = composite(found), compute_shares(found)
    numbers = {
        "paper_f1": scores.f1,
        "precision": scores.precision,
        "recall": scores.recall,
        "recall_pooled": scores.recall_pooled,
        "f1_pooled": scores.f1_pooled,
        **{f"unweighted_{name}": float(getattr(plain, name)) for name in _PUBLISHED},
    }
    if composed:
        numbers["f1"] = scores.f1
        numbers |= {name: float(getattr(scores, name)) for name in _PUBLISHED}
    return numbers


def bounds(instance: ReciteInstance, true: CausalGraph, edge_f1: float) -> dict[str, float]:
    """Return what chance earns on a document, and what reading earns.

    The skill is nan where the best reader earns no more than chance.
    """
    pairs, ceiling = len(true.nodes) * (len(true.nodes) - 1), instance.secret.ceiling
    chance = len(true.edges) / pairs if pairs and true.edges else nan
    skill = (edge_f1 - chance) / (ceiling - chance) if ceiling > chance else nan
    return {"chance": chance, "ceiling": ceiling, "edge_skill": skill}


def name_numbers(proposed: CausalGraph, true: CausalGraph) -> dict[str, float]:
    """Return what comparing names as they are written says, the published scale included."""
    found, legacy = compare(proposed, true), legacy_cdt(proposed, true)
    return {
        "set_node_precision": found.nodes.precision,
        "set_node_recall": found.nodes.recall,
        "set_node_f1": found.nodes.f1,
        "set_edge_precision": found.edges.precision,
        "set_edge_recall": found.edges.recall,
        "set_edge_f1": found.edges.f1,
        "legacy_precision": legacy.precision,
        "legacy_recall": legacy.recall,
        "legacy_f1": legacy.f1,
        "legacy_shd": float(legacy.shd),
        "legacy_shd_norm": legacy.shd_norm,
    }


def answer_numbers(
    true: CausalGraph, handed: SubmittedGraph | None, turns: Sequence[Turn]
) -> dict[str, float]:
    """Return what is to be said of the answer itself."""
    unread = sum(not turn.legal for turn in turns)
    if handed is None:
        return {
            **dict.fromkeys(OF_ANSWERS, nan),
            "answered": 0.0,
            "unread": float(unread),
            SLIPS: float(unread),
        }
    nodes = len(handed.graph.nodes)
    return {
        "answered": 1.0,
        "repaired": float(bool(handed.repaired)),
        "cut_off": float(CUT_OFF in handed.slips),
        "looped": float(LOOPED in handed.slips),
        "unread": float(unread),
        SLIPS: float(unread + bool(handed.form_slips)),
        "mended": float(sum(handed.slips.values())),
        "nodes_proposed": float(nodes),
        "edges_proposed": float(len(handed.graph.edges)),
        "nodes_off": float(abs(nodes - len(true.nodes))),
    }


def describe_unusable_reply(turns: Sequence[Turn]) -> str:
    """Name what was wrong with the last reply, where nothing was handed in."""
    if not turns:
        return "no reply"
    unread = turns[-1].unparsed
    return "refused" if unread is None else unread.mode


def explain_verdict(numbers: Mapping[str, float], handed: SubmittedGraph) -> str:
    """Say in a sentence what a verdict rests on."""
    slips = ", ".join(f"{count} {name}" for name, count in sorted(handed.slips.items()))
    mended = f" On reading: {slips}." if slips else ""
    things, drawn = len(handed.graph.nodes), _count_arrows(len(handed.graph.edges))
    return (
        f"{things} {'thing' if things == 1 else 'things'} and {drawn}: edge F1 "
        f"{numbers['edge_f1']:.2f}, where chance has {numbers['chance']:.2f} and reading "
        f"{numbers['ceiling']:.2f}; {_count_arrows(numbers['shd'])} to mend.{mended}"
    )


def _count_arrows(count: float) -> str:
    return f"{count:g} {'arrow' if count == 1 else 'arrows'}"
