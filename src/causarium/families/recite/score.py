"""The verdict on one answer, from the instance and the recorded turns alone.

Three ways of scoring stand side by side:

* `f1`, `node_f1`, `edge_f1` and their parts: where names are given, sets are compared, edges alone
  making `f1`; otherwise labels are scored by the published formulas, a judge's if the run has one
  and those of the judge without a key if not. The label `judged` says which it was.
* `set_…`: names compared as they are written, in every task.
* `legacy_…`: the published name-assisted scale, which is not precision, recall and F1 at all.

Nothing handed in scores 0. Distances are nan where nothing was handed in: an agent that says
nothing is not close to a sparse graph.
"""

from collections.abc import Mapping, Sequence
from math import nan

from causarium.contract.metric import Metric
from causarium.contract.turn import Turn
from causarium.contract.verdict import Verdict
from causarium.families.recite.config import ReciteRules
from causarium.families.recite.instance import ReciteInstance
from causarium.families.recite.mechanics.named_graphs import (
    CausalGraph,
    Submitted,
    submitted,
    true_graph,
)
from causarium.families.recite.scoring.label_scores import (
    Evaluations,
    composite,
    error_pattern,
    normalised_shd,
    unweighted,
)
from causarium.families.recite.scoring.legacy_cdt import legacy_cdt
from causarium.families.recite.scoring.match_nodes import match_nodes
from causarium.families.recite.scoring.name_match import Agreement, compare
from causarium.families.recite.scoring.rule_judge import judge_by_rule
from causarium.families.recite.scoring.word_embeddings import similarity_of

_OF_LABELS = {
    "f1": Metric("The F1 of nodes and edges together; of edges where names are given.", "higher"),
    "node_f1": Metric("The F1 of nodes.", "higher"),
    "edge_f1": Metric("The F1 of edges.", "higher"),
    "precision": Metric("The precision that `f1` is made of.", "higher"),
    "recall": Metric(
        "The recall that `f1` is made of: nodes and edges weighed by how many there are.", "higher"
    ),
    "recall_pooled": Metric("Recall with every true item weighed by its importance.", "higher"),
    "f1_pooled": Metric("The F1 with that recall.", "higher"),
    "node_precision": Metric("The share of the answer's nodes that hold.", "higher"),
    "node_recall": Metric("The share of the true nodes that were found.", "higher"),
    "edge_precision": Metric("The share of the answer's edges that hold.", "higher"),
    "edge_recall": Metric("The share of the true edges that were found.", "higher"),
    "unweighted_node_precision": Metric(
        "The share of the answer's nodes that the graph has, wholly or in part.", "higher"
    ),
    "unweighted_node_recall": Metric("The share of the true nodes met at all.", "higher"),
    "unweighted_node_f1": Metric("The F1 of the two.", "higher"),
    "unweighted_edge_precision": Metric(
        "The share of the answer's edges that the graph has, in either direction.", "higher"
    ),
    "unweighted_edge_recall": Metric("The share of the true edges met at all.", "higher"),
    "unweighted_edge_f1": Metric("The F1 of the two.", "higher"),
}
_OF_ERRORS = {
    "edges_matched": Metric("The share of the answer's edges that the graph has.", "higher"),
    "edges_correct": Metric("The share of the answer's edges that it has as they are.", "higher"),
    "edges_reversed": Metric("The share of the answer's edges that it has reversed.", "lower"),
    "edges_aligned": Metric("The share of the answer's edges that it has as particular."),
    "edges_supported": Metric(
        "The share of the answer's edges that the text supports; only a judge can say.", "higher"
    ),
    "shd": Metric("Edges to mend, where turning one round is one edit.", "lower"),
    "shd_twice": Metric("Edges to mend, where turning one round is two edits.", "lower"),
    "shd_norm": Metric("`shd` over n(n-1).", "lower"),
    "shd_n": Metric("That n: the nodes of answer and document together, matched ones once."),
}
_OF_SETS = {
    "set_node_precision": Metric("The share of the answer's names that are true ones.", "higher"),
    "set_node_recall": Metric("The share of the true names that the answer has.", "higher"),
    "set_node_f1": Metric("The F1 of names as they are written.", "higher"),
    "set_edge_precision": Metric("The same for edges between names.", "higher"),
    "set_edge_recall": Metric("The share of the true edges that the answer has.", "higher"),
    "set_edge_f1": Metric("The F1 of edges between names as they are written.", "higher"),
    "chance_edge_f1": Metric("What as many edges at random between true nodes earn on average."),
    "complete_edge_f1": Metric("What every possible edge between true nodes earns."),
    "legacy_precision": Metric("The published name-assisted precision, which is an area."),
    "legacy_recall": Metric("The published name-assisted recall, which is a mean of coordinates."),
    "legacy_f1": Metric("The published name-assisted F1; about 0.81 is perfect."),
    "legacy_shd": Metric("The published name-assisted distance; reversed edges cost two.", "lower"),
    "legacy_shd_norm": Metric("The same over n(n-1), n being the union of names.", "lower"),
}
_OF_ANSWERS = {
    "answered": Metric("1 if a graph was handed in.", "higher", share=True),
    "repaired": Metric("1 if it had to be repaired.", "lower", share=True),
    "unread": Metric("Replies in which no usable graph could be read.", "lower"),
    "slips": Metric("Things in the answer that were mended on reading.", "lower"),
    "nodes_proposed": Metric("Nodes in the answer."),
    "edges_proposed": Metric("Edges in the answer, repeated ones once."),
    "nodes_off": Metric("How many nodes the answer has too many, or too few, of.", "lower"),
}
OF_JUDGES = {
    "judges": Metric("How many judges decided."),
    "judges_undecided": Metric("How many judges left items without a usable label.", "lower"),
    "judge_questions": Metric("Questions put to judges, repeated ones included."),
    "judge_refused": Metric("Labels of judges that were not taken.", "lower"),
    "judge_contradictions": Metric(
        "Items that a judge finds absent and yet describes, or present and does not.", "lower"
    ),
    "judge_1_f1": Metric("The first judge's F1."),
    "judge_2_f1": Metric("The second judge's F1."),
    "judge_3_f1": Metric("The third judge's F1."),
    "judge_4_f1": Metric("The fourth judge's F1."),
    "judge_spread": Metric("The highest less the lowest F1 of the judges."),
    "rule_f1": Metric("The F1 by the judge without a key, beside that of the judges."),
}
BY_NAMES, BY_RULE, BY_RULE_AND_VECTORS = "by names", "by rule", "by rule and vectors"
"""How an answer was scored without a judge, as the label `judged` says it."""

METRICS = {**_OF_LABELS, **_OF_ERRORS, **_OF_SETS, **_OF_ANSWERS, **OF_JUDGES}
"""Every number of a verdict, with a sentence on what it says."""


def score(instance: ReciteInstance, rules: ReciteRules, turns: Sequence[Turn]) -> Verdict:
    """Score one answer without a judge."""
    handed = submitted(instance, turns)
    shared = {**answer_numbers(instance, handed, turns), **dict.fromkeys(OF_JUDGES, nan)}
    if handed is None:
        return Verdict(
            numbers={**nothing_found(), **shared},
            labels={"judged": "nothing handed in", "reading": unusable(turns)},
            explanation="No graph was handed in.",
        )
    true = true_graph(instance.secret)
    numbers = {**shared, **set_numbers(handed.graph, true)}
    if instance.public.task == "names":
        numbers |= by_names(compare(handed.graph, true))
        judged = BY_NAMES
    else:
        numbers |= by_rule(instance, rules, handed.graph)
        judged = BY_RULE_AND_VECTORS if rules.embeddings else BY_RULE
    return Verdict(
        numbers=numbers,
        labels={
            "judged": judged,
            "repair": handed.repaired or "none",
            "reading": "; ".join(sorted(handed.slips)) or "as asked",
        },
        answer=described(handed.graph),
        explanation=explained(numbers, handed)
        + (f" Nodes were matched {judged}, which is approximate." if judged != BY_NAMES else ""),
    )


def nothing_found() -> dict[str, float]:
    """Return the numbers of an answer that was never given."""
    zero = {
        name: 0.0 for name in (*_OF_LABELS, *_OF_SETS) if name.startswith(("set_", *_OF_LABELS))
    }
    return {**dict.fromkeys(METRICS, nan), **zero}


def by_rule(
    instance: ReciteInstance, rules: ReciteRules, proposed: CausalGraph
) -> dict[str, float]:
    """Return the numbers by the judge without a key."""
    true = true_graph(instance.secret)
    matching = match_nodes(
        proposed.nodes, true.nodes, instance.secret.aliases, similarity_of(rules)
    )
    together = len(proposed.nodes) + len(true.nodes) - len(matching)
    found = label_numbers(judge_by_rule(proposed, true, matching), together)
    return {**found, "edges_supported": nan}


def label_numbers(found: Evaluations, n: int) -> dict[str, float]:
    """Return the numbers that follow from labels.

    Args:
        found: The labels of all four passes.
        n: How many nodes answer and document have together.
    """
    scores, plain, errors = composite(found), unweighted(found), error_pattern(found)
    numbers = {
        name: float(getattr(scores, name))
        for name in _OF_LABELS
        if not name.startswith("unweighted")
    }
    numbers |= {
        name: float(getattr(plain, name.removeprefix("unweighted_")))
        for name in _OF_LABELS
        if name.startswith("unweighted")
    }
    return {
        **numbers,
        "edges_matched": errors.share(errors.matched),
        "edges_correct": errors.share(errors.matched - errors.reversed),
        "edges_reversed": errors.share(errors.reversed),
        "edges_aligned": errors.share(errors.aligned),
        "edges_supported": errors.share(errors.supported),
        "shd": float(errors.shd_once),
        "shd_twice": float(errors.shd_twice),
        "shd_norm": normalised_shd(errors.shd_once, n),
        "shd_n": float(n),
    }


def by_names(found: Agreement) -> dict[str, float]:
    """Return the numbers of an answer whose names were given: sets, compared."""
    nodes, edges = found.nodes, found.edges
    numbers = {
        "f1": edges.f1,
        "precision": edges.precision,
        "recall": edges.recall,
        "recall_pooled": edges.recall,
        "f1_pooled": edges.f1,
        "shd": float(found.shd_once),
        "shd_twice": float(found.shd_twice),
        "shd_norm": normalised_shd(found.shd_once, found.n),
        "shd_n": float(found.n),
    }
    for prefix in ("", "unweighted_"):
        for kind, agreed in (("node", nodes), ("edge", edges)):
            numbers[f"{prefix}{kind}_precision"] = agreed.precision
            numbers[f"{prefix}{kind}_recall"] = agreed.recall
            numbers[f"{prefix}{kind}_f1"] = agreed.f1
    proposed = edges.matched + edges.extra
    share = 1 / proposed if proposed else nan
    return {
        **numbers,
        "edges_matched": (edges.matched + found.reversed) * share,
        "edges_correct": edges.matched * share,
        "edges_reversed": found.reversed * share,
        "edges_aligned": nan,
        "edges_supported": nan,
    }


def set_numbers(proposed: CausalGraph, true: CausalGraph) -> dict[str, float]:
    """Return what comparing names as they are written says, the published scale included."""
    found, legacy = compare(proposed, true), legacy_cdt(proposed, true)
    return {
        **chance(len(true.nodes), len(true.edges), len(proposed.edges)),
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


def chance(nodes: int, true: int, proposed: int) -> dict[str, float]:
    """Return the edge F1 of random and of all edges between the true nodes, self-loops left out.

    Example:
        >>> chance(nodes=3, true=2, proposed=2)
        {'chance_edge_f1': 0.3333333333333333, 'complete_edge_f1': 0.5}
    """
    pairs = nodes * (nodes - 1)
    if not pairs or not true:
        return {"chance_edge_f1": nan, "complete_edge_f1": nan}
    drawn = min(proposed, pairs)
    # The sum of both sizes is fixed, so the mean of F1 is the F1 of the mean of matches.
    return {
        "chance_edge_f1": 2 * drawn * true / pairs / (drawn + true),
        "complete_edge_f1": 2 * true / (pairs + true),
    }


def answer_numbers(
    instance: ReciteInstance, handed: Submitted | None, turns: Sequence[Turn]
) -> dict[str, float]:
    """Return what is to be said of the answer itself."""
    unread = float(sum(not turn.legal for turn in turns))
    if handed is None:
        return {**dict.fromkeys(_OF_ANSWERS, nan), "answered": 0.0, "unread": unread}
    nodes = len(handed.graph.nodes)
    return {
        "answered": 1.0,
        "repaired": float(bool(handed.repaired)),
        "unread": unread,
        "slips": float(sum(handed.slips.values())),
        "nodes_proposed": float(nodes),
        "edges_proposed": float(len(handed.graph.edges)),
        "nodes_off": float(abs(nodes - len(true_graph(instance.secret).nodes))),
    }


def unusable(turns: Sequence[Turn]) -> str:
    """Name what was wrong with the last reply, where nothing was handed in."""
    if not turns:
        return "no reply"
    unread = turns[-1].unparsed
    return "refused" if unread is None else unread.mode


def described(graph: CausalGraph) -> str:
    """Return a graph in one line."""
    return f"{len(graph.nodes)} nodes, {len(graph.edges)} edges"


def explained(numbers: Mapping[str, float], handed: Submitted) -> str:
    """Say in a sentence what a verdict rests on."""
    slips = ", ".join(f"{count} {name}" for name, count in sorted(handed.slips.items()))
    return (
        f"{described(handed.graph)}; {numbers['node_f1']:.3f} of nodes and "
        f"{numbers['edge_f1']:.3f} of edges by F1, {numbers['shd']:g} edges to mend."
        + (f" On reading: {slips}." if slips else "")
    )
