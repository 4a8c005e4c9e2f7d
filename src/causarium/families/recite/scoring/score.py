"""The verdict on one answer, from the instance and the recorded turns alone.

Where a text has a twin, the headline is `reading` (`twin_score.py`). `f1` is the F1 of directed
edges. Where names are given, sets of pairs are compared and nobody judges. Otherwise each name of
the answer is first taken for a node of the document or for none, by the rule judge
(`match_nodes.py`) or by the run's own; the label `judged` says by whom.

`paper_f1` is the published score of nodes and edges together, and is `f1` in the paper edition
where names are not given. `set_…` compares names as they are written; `legacy_…` is the published
name-assisted scale, which is not precision, recall and F1 at all.

Nothing handed in scores 0. Distances are nan where nothing was handed in: an agent that says
nothing is not close to a sparse graph.
"""

from collections.abc import Mapping, Sequence
from math import nan

from causarium.contract.turn import Turn
from causarium.contract.verdict import SLIPS, SLIPS_METRIC, Metric, Verdict
from causarium.families.recite.model.config import ReciteRules
from causarium.families.recite.model.graphs import (
    CUT_OFF,
    LOOPED,
    CausalGraph,
    SubmittedGraph,
    find_last_submission,
    graph_of,
    true_graph,
)
from causarium.families.recite.model.instance import ReciteInstance
from causarium.families.recite.scoring.label_scores import (
    Evaluations,
    composite,
    compute_shares,
    normalise_shd,
)
from causarium.families.recite.scoring.match_nodes import rename_matched
from causarium.families.recite.scoring.published_names import Agreement, compare, legacy_cdt
from causarium.families.recite.scoring.rule_judge import judge_by_rule, match_by_rules
from causarium.families.recite.scoring.twin_score import score_twin

KINDS = ("near", "far", "parity")
"""The kinds of slots; each has a contrast of its own."""
OF_TWINS = {
    "reading": Metric(
        "contrast x common_f1: 1 for what the text tells and no more, -1 for what its twin tells, "
        "0 for every answer that is given alike to both.",
        "higher",
        least=-1.0,
    ),
    "contrast": Metric("told_found less twin_taken, from -1 to 1.", "higher"),
    "told_found": Metric("The share found of the edges that only this text tells.", "higher"),
    "twin_taken": Metric("The share taken of the edges that only its twin tells.", "lower"),
    "turned_taken": Metric(
        "The share of the edges that only this text tells which were taken turned round.", "lower"
    ),
    "common_f1": Metric("The F1 of all other edges against those that both twins tell.", "higher"),
    "contrast_near": Metric("The contrast where the passage that names a pair decides.", "higher"),
    "contrast_far": Metric("The contrast where one passage elsewhere decides.", "higher"),
    "contrast_parity": Metric("The contrast where two passages decide together.", "higher"),
}
OF_EDGES = {
    "f1": Metric(
        "The F1 of directed edges; in the paper edition, where names are not given, `paper_f1`.",
        "higher",
    ),
    "edge_f1": Metric(
        "2|P∩T| / (|P|+|T|) over directed edges: one turned round is wrong, the true one missing. "
        "Where `f1` is `paper_f1`, this, its parts and those of nodes come from the same labels.",
        "higher",
    ),
    "edge_precision": Metric("The share of the answer's edges that hold.", "higher"),
    "edge_recall": Metric("The share of the true edges that were found.", "higher"),
    "edge_skill": Metric("Paper edition: (edge_f1 - chance) / (ceiling - chance).", "higher"),
    "chance": Metric("What as many random edges as there are true ones earn on average."),
    "ceiling": Metric("Paper edition: what whoever holds the wordings of a made document earns."),
    "node_f1": Metric(
        "The same F1 over nodes that are on an edge; never part of `edge_f1`.", "higher"
    ),
    "node_precision": Metric("The share of the answer's nodes that hold.", "higher"),
    "node_recall": Metric("The share of the true nodes that were found.", "higher"),
}
OF_LABELS = {
    "paper_f1": Metric("The published F1 of nodes and edges together, from labels.", "higher"),
    "precision": Metric("The precision that `paper_f1` is made of.", "higher"),
    "recall": Metric(
        "The recall that `paper_f1` is made of: nodes and edges weighed by how many there are.",
        "higher",
    ),
    "recall_pooled": Metric("Recall with every true item weighed by its importance.", "higher"),
    "f1_pooled": Metric("The published F1 with that recall.", "higher"),
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
OF_ERRORS = {
    "edges_matched": Metric(
        "The share of the answer's edges that the graph has, in either direction.", "higher"
    ),
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
OF_NAMES = {
    "set_node_precision": Metric("The share of the answer's names that are true ones.", "higher"),
    "set_node_recall": Metric("The share of the true names that the answer has.", "higher"),
    "set_node_f1": Metric("The F1 of names as they are written.", "higher"),
    "set_edge_precision": Metric("The same for edges between names.", "higher"),
    "set_edge_recall": Metric("The share of the true edges that the answer has.", "higher"),
    "set_edge_f1": Metric("The F1 of edges between names as they are written.", "higher"),
    "legacy_precision": Metric("The published name-assisted precision, which is an area."),
    "legacy_recall": Metric("The published name-assisted recall, which is a mean of coordinates."),
    "legacy_f1": Metric("The published name-assisted F1; about 0.81 is perfect."),
    "legacy_shd": Metric("The published name-assisted distance; reversed edges cost two.", "lower"),
    "legacy_shd_norm": Metric("The same over n(n-1), n being the union of names.", "lower"),
}
OF_ANSWERS = {
    "answered": Metric("1 if a graph was handed in.", "higher", share=True),
    "repaired": Metric("1 if it had to be repaired.", "lower", share=True),
    "cut_off": Metric("1 if it was broken or cut off and its whole items were kept.", share=True),
    "looped": Metric("1 if more than half of its relationships repeat an earlier one.", share=True),
    "unread": Metric("Replies in which no usable graph could be read.", "lower"),
    SLIPS: SLIPS_METRIC,
    "mended": Metric("Things in the answer that were mended on reading.", "lower"),
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
    "judge_1_f1": Metric("The first judge's published F1."),
    "judge_2_f1": Metric("The second judge's published F1."),
    "judge_3_f1": Metric("The third judge's published F1."),
    "judge_4_f1": Metric("The fourth judge's published F1."),
    "judge_spread": Metric("The highest less the lowest published F1 of the judges."),
    "rule_f1": Metric("The published F1 by the rule judge, beside that of the judges."),
}

METRICS = {**OF_TWINS, **OF_EDGES, **OF_LABELS, **OF_ERRORS, **OF_NAMES, **OF_ANSWERS, **OF_JUDGES}


__all__ = ["METRICS", "score"]

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
    numbers |= twin_numbers(instance, renamed)
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
    only_some_have = {*OF_TWINS, "ceiling", "edge_skill"}
    return {
        **{n: 0.0 if n in zero else nan for n in METRICS if n not in only_some_have},
        **bounds(instance, true, 0.0),
        **twin_numbers(instance, graph_of(())),
    }


def twin_numbers(instance: ReciteInstance, graph: CausalGraph) -> dict[str, float]:
    """Return how an answer in the document's names reads a text that has a twin; else nothing."""
    secret = instance.secret
    if secret.twin is None:
        return {}
    told, other = frozenset(secret.pairs), secret.name_edges(secret.twin.edges)
    found = score_twin(graph.edges, told, other)
    numbers = {name: float(getattr(found, name)) for name in OF_TWINS if hasattr(found, name)}
    for kind in KINDS:
        slots = [slot for slot in secret.twin.slots if slot.kind == kind]
        part = score_twin(
            graph.edges,
            secret.name_edges(edge for slot in slots for edge in slot.told),
            secret.name_edges(edge for slot in slots for edge in slot.twin_told),
        )
        numbers[f"contrast_{kind}"] = part.contrast if slots else nan
    return numbers


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
    """Return what chance earns on a document, and in the paper edition what reading earns.

    The skill is nan where the best reader earns no more than chance.
    """
    pairs, ceiling = len(true.nodes) * (len(true.nodes) - 1), instance.secret.ceiling
    chance = len(true.edges) / pairs if pairs and true.edges else nan
    if instance.secret.twin is not None:
        return {"chance": chance}
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
    if "reading" in numbers:
        return (
            f"{drawn}: reading {numbers['reading']:.2f}. "
            f"Of the edges that only this text tells {numbers['told_found']:.0%} were found, and "
            f"{numbers['twin_taken']:.0%} of those that only its twin tells were taken; common F1 "
            f"{numbers['common_f1']:.2f}, edge F1 {numbers['edge_f1']:.2f}.{mended}"
        )
    return (
        f"{things} {'thing' if things == 1 else 'things'} and {drawn}: edge F1 "
        f"{numbers['edge_f1']:.2f}, where chance has {numbers['chance']:.2f} and reading "
        f"{numbers['ceiling']:.2f}; {_count_arrows(numbers['shd'])} to mend.{mended}"
    )


def _count_arrows(count: float) -> str:
    return f"{count:g} {'arrow' if count == 1 else 'arrows'}"
