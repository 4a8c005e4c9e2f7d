"""Every number of a verdict, with a sentence on what it says."""

from causarium.contract.metric import SLIPS, SLIPS_METRIC, Metric

KINDS = ("near", "far", "parity")
"""The kinds of slots, each of which has a contrast of its own."""
OF_TWINS = {
    "reading": Metric(
        "contrast x common_f1: 1 for what the text tells and no more, -1 for what its twin tells, "
        "0 for every answer that is given alike to both.",
        "higher",
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
        "2|P∩T| / (|P|+|T|) over directed edges: one turned round is wrong, the true one missing.",
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
    "rule_f1": Metric("The published F1 by the judge without a key, beside that of the judges."),
}

METRICS = {**OF_TWINS, **OF_EDGES, **OF_LABELS, **OF_ERRORS, **OF_NAMES, **OF_ANSWERS, **OF_JUDGES}
