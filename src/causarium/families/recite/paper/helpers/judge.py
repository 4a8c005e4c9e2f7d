"""The judges' part in a verdict: their labels take the place of the rule's.

With several judges, numbers are the means of those who decided. A judge that left an item without
a usable label has not decided; where none has, the answer is unscored, and says so. Where names are
given nobody is asked, since sets decide; and nobody is asked about an answer without an edge.
"""

from collections.abc import Sequence
from math import isnan, nan
from statistics import fmean
from typing import Any

from causarium.contract.texts.role_questions import Consultation, Judge, Judgement
from causarium.contract.turn import Turn
from causarium.contract.verdict import Verdict
from ..levels import ReciteRules
from ..model.graphs import CausalGraph, SubmittedGraph, find_last_submission, true_graph
from ..model.instance import ReciteInstance, RecitePublic, ReciteSecret
from ..scoring.label_scores import (
    FORMS,
    NO_MATCH,
    PASSES,
    Evaluations,
    Item,
    compute_shares,
    error_pattern,
    normalise_shd,
)
from ..scoring.score import OF_JUDGES, bounds, explain_verdict, is_composed, label_numbers, score
from .judge_questions import JudgeReply, JudgeWords, consult_judge, our_words

MOST_NAMED = 4
"""So many judges have their own number in a verdict."""


def ask(
    instance: ReciteInstance,
    rules: ReciteRules,
    turns: Sequence[Turn],
    words: JudgeWords | None = None,
) -> Consultation[dict[str, Any]]:
    """Have one judge label what was handed in.

    Args:
        instance: The document.
        rules: How it was played.
        turns: What was done.
        words: What the judge reads; None: ours, or the texts of the rules' folder.
    """
    handed = find_last_submission(instance, turns)
    if handed is None or instance.public.task == "names":
        return JudgeReply().model_dump(mode="json")
    found = yield from consult_judge(
        instance.public.text,
        true_graph(instance.secret),
        handed.graph,
        words or our_words(rules.prompts),
    )
    return found


def score_judged(
    instance: ReciteInstance,
    rules: ReciteRules,
    turns: Sequence[Turn],
    judgements: Sequence[Judgement],
) -> Verdict:
    """Return the verdict with what the judges found."""
    plain = score(instance, rules, turns)
    handed = find_last_submission(instance, turns)
    asked = [
        (judgement.model, JudgeReply.model_validate(judgement.found)) for judgement in judgements
    ]
    asked = [(model, found) for model, found in asked if found.passes]
    if handed is None or not asked:
        return plain
    decided = sum(found.complete for _, found in asked)
    counts = {
        "judges": float(decided),
        "judges_undecided": float(len(asked) - decided),
        "judge_questions": float(sum(p.asked for _, f in asked for p in f.passes.values())),
        "judge_refused": float(
            sum(sum(p.refused.values()) for _, f in asked for p in f.passes.values())
        ),
        "judge_contradictions": float(sum(contradictions(found) for _, found in asked)),
        "rule_f1": plain.numbers["paper_f1"],
    }
    if not decided:
        problems = "; ".join(f"{model} lacks {found.problem}" for model, found in asked)
        return plain.model_copy(
            update={
                "numbers": {**plain.numbers, **counts},
                "labels": {**plain.labels, "judged": "undecided"},
                "unscored": f"no judge labelled every item: {problems}",
            }
        )
    composed = is_composed(instance, rules)
    return _verdict(plain, instance, handed, asked, counts, composed=composed)


def _verdict(
    plain: Verdict,
    instance: ReciteInstance,
    handed: SubmittedGraph,
    asked: Sequence[tuple[str, JudgeReply]],
    counts: dict[str, float],
    *,
    composed: bool,
) -> Verdict:
    true = true_graph(instance.secret)
    by_place = {
        place: compute_judged_numbers(found, handed.graph, true, composed=composed)
        for place, (_, found) in enumerate(asked, 1)
        if found.complete
    }
    each = list(by_place.values())
    f1s = [one["paper_f1"] for one in each]
    numbers = {
        **plain.numbers,
        **dict.fromkeys(OF_JUDGES, nan),
        **counts,
        **{name: _mean([one[name] for one in each]) for name in each[0]},
        **{f"judge_{n}_f1": one["paper_f1"] for n, one in by_place.items() if n <= MOST_NAMED},
        "judge_spread": max(f1s) - min(f1s) if len(f1s) > 1 else nan,
    }
    numbers |= bounds(instance, true, numbers["edge_f1"])
    named = {f"judge_{place}": model for place, (model, _) in enumerate(asked[:MOST_NAMED], 1)}
    return plain.model_copy(
        update={
            "numbers": numbers,
            "labels": {**plain.labels, "judged": "by judge", **named},
            "explanation": explain_verdict(numbers, handed),
        }
    )


def compute_judged_numbers(
    found: JudgeReply, proposed: CausalGraph, true: CausalGraph, *, composed: bool
) -> dict[str, float]:
    """Return the numbers by one judge's labels.

    Args:
        found: What came of asking the judge.
        proposed: The answer's graph.
        true: The document's graph.
        composed: Whether `f1` is the published score of nodes and edges together.
    """
    labels = with_unseen(found)
    matched = sum(_presence(item) != NO_MATCH for item in labels.get("node_precision", ()))
    together = len(proposed.nodes) + len(true.nodes) - min(matched, len(true.nodes))
    return {**_directed_numbers(labels, together), **label_numbers(labels, composed=composed)}


def _directed_numbers(labels: Evaluations, n: int) -> dict[str, float]:
    """Return what labels say of directed edges, and what became of the answer's."""
    shares, errors = compute_shares(labels, directed=True), error_pattern(labels)
    return {
        "f1": shares.edge_f1,
        "edge_f1": shares.edge_f1,
        "edge_precision": shares.edge_precision,
        "edge_recall": shares.edge_recall,
        "node_f1": shares.node_f1,
        "node_precision": shares.node_precision,
        "node_recall": shares.node_recall,
        "edges_matched": errors.share(errors.matched),
        "edges_correct": errors.share(errors.matched - errors.reversed),
        "edges_reversed": errors.share(errors.reversed),
        "edges_aligned": errors.share(errors.aligned),
        "edges_supported": errors.share(errors.supported),
        "shd": float(errors.shd_once),
        "shd_twice": float(errors.shd_twice),
        "shd_norm": normalise_shd(errors.shd_once, n),
        "shd_n": float(n),
    }


def with_unseen(found: JudgeReply) -> Evaluations:
    """Return a judge's labels, with what it was not shown counted as wrong."""
    return {
        name: [*one.items, *([_UNSEEN] * one.unseen)]
        for name in PASSES
        if (one := found.passes.get(name)) is not None
    }


def contradictions(found: JudgeReply) -> int:
    """Count the blocks of labels that do not go together; they are scored as they stand.

    Where nothing matches there is nothing to describe, and where something does there is.
    """
    count = 0
    for name, form in FORMS.items():
        for item in found.passes[name].items if name in found.passes else ():
            for block, legal in form.blocks.items():
                labels = item.get(block) if block else item
                if not isinstance(labels, dict) or not labels.keys() >= legal.keys():
                    continue
                others = [key for key in legal if key not in ("presence_label", "importance_label")]
                described = [not str(labels[key]).endswith(("_NA", "_MISSING")) for key in others]
                absent = labels["presence_label"] == NO_MATCH
                # An edge of the graph alone need not be in the text.
                only = labels["presence_label"] == "PRESENCE_GRAPH_ONLY"
                count += any(described) if absent else not (only or any(described))
    return count


_UNSEEN: Item = {"graph_evaluation": {"presence_label": NO_MATCH}}


def _presence(item: Item) -> str:
    block = item.get("graph_evaluation")
    return str(block.get("presence_label", NO_MATCH)) if isinstance(block, dict) else NO_MATCH


def _mean(values: Sequence[float]) -> float:
    kept = [value for value in values if not isnan(value)]
    return fmean(kept) if kept else nan


JUDGE: Judge[RecitePublic, ReciteSecret, ReciteRules] = Judge(ask=ask, score=score_judged)
