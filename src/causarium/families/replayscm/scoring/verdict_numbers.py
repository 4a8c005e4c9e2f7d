"""The numbers of a verdict: what each says, and how it follows from an evaluation.

A number that does not apply is nan. Conditional rates are numbers too: `heldout_exact_given_…` is
nan wherever the condition fails, so that its mean over rows is the rate given the condition.
"""

from math import nan

from causarium.contract.metric import SLIPS, SLIPS_METRIC, Better, Metric
from causarium.families.replayscm.play.compile_answer import STAGES, Refusal
from causarium.families.replayscm.scoring.desk import (
    Desk,
    Evaluation,
    Likeness,
    Replayed,
    Separation,
)

Numbers = dict[str, float]

_PASSED = ("extracted", "schema", "keys", "parse", "legal", "acyclic")
"""What passing each of the stages is called."""


def _share(about: str, better: Better = "higher") -> Metric:
    return Metric(about, better, share=True)


PAPER_METRICS: dict[str, Metric] = {
    "train_exact": _share(
        "1 if the answer replays every scored cell of every training world. Where a model is given "
        "and another one asked for, repeating the given one does not count; where worlds are asked "
        "for, the held-out ones have to be replayed too, so that asking for little earns nothing."
    ),
    "heldout_world": Metric("The share of held-out worlds that are replayed exactly.", "higher"),
    "heldout_exact": _share("1 if all training and all held-out worlds are replayed exactly."),
    "train_world": Metric("The share of training worlds that are replayed exactly.", "higher"),
    "train_cells": Metric("The share of scored training cells that are right.", "higher"),
    "heldout_cells": Metric("The share of scored held-out cells that are right.", "higher"),
    "retention": Metric("Held-out worlds replayed for each training world replayed, as shares."),
    "heldout_world_given_train_exact": Metric(
        "The share of held-out worlds replayed, where all training worlds are.", "higher"
    ),
    "heldout_exact_given_train_exact": _share(
        "1 if all held-out worlds are replayed, where all training worlds are."
    ),
    "strict_json": _share("1 if the reply was one JSON object and nothing else."),
    "extracted": _share("1 if an answer object was found in the reply."),
    "schema": _share("1 if the object had the fields that are asked for, of the right kinds."),
    "keys": _share("1 if there was a mechanism for exactly the variables that need one."),
    "parse": _share("1 if every mechanism was a formula."),
    "legal": _share("1 if every mechanism used only what it may."),
    "acyclic": _share("1 if no variable depended on itself by way of others."),
    "valid": _share("1 if the answer could be executed."),
    "fault_position": Metric("At which character of a formula an answer was refused."),
    "parent_recall": Metric("The share of true parents that were found.", "higher"),
    "parent_f1": Metric("The F1 of parents, by what really matters in the formulas.", "higher"),
    "parent_shd": Metric("How many edges have to change; a reversal is one change.", "lower"),
    "parents_exact": Metric("The share of variables whose parents are exactly right.", "higher"),
    "parent_map_exact": _share("1 if all parents are exactly right."),
    "local_match": Metric("The share of mechanisms that are the true function.", "higher"),
    "full_local_match": _share("1 if every mechanism is the true function."),
    "train_exact_given_parent_map": _share("Training replay where all parents are right."),
    "heldout_exact_given_parent_map": _share("Held-out replay where all parents are right."),
    "alternative_found": _share(
        "1 if the answer replays all training worlds and yet is not the true model.", "neither"
    ),
    "alternative_given_train_exact": _share(
        "The same, where all training worlds are replayed.", "neither"
    ),
    "root_exact": _share("1 if exactly the true roots were named."),
    "task_correct": _share("1 if the roots are right and all training worlds are replayed."),
    "train_exact_given_root_exact": _share("Training replay where the roots are right."),
    "heldout_world_given_root_exact": Metric(
        "Held-out worlds where the roots are right.", "higher"
    ),
    "heldout_exact_given_root_exact": _share("Held-out replay where the roots are right."),
    "within_parent_limit": _share(
        "1 if no mechanism of an executable answer depends on more variables than is said.",
        "neither",
    ),
    "most_parents": Metric("On how many variables the widest mechanism depends."),
    "ast_size": Metric("How many operators and names the formulas have together."),
    "ast_excess": Metric("How many more than the shortest formulas of the true model."),
    "alternative_joint": _share(
        "1 if another model that fits was given, with an experiment and a witness that hold."
    ),
    "alternative_train_exact": _share("1 if another model was given that fits all worlds."),
    "distinct": _share("1 if some mechanism is another function than the given one."),
    "experiment_valid": _share("1 if the experiment sets exactly one variable to 0 or 1."),
    "separates": _share("1 if the experiment tells a fitting alternative from the given model."),
    "witness": _share("1 if it does so at the values of the roots that were given."),
    "separation_share": Metric(
        "In which share of root values the experiment tells the models apart.", "higher"
    ),
    "separation_optimality": Metric(
        "That share against the best experiment for these two models.", "higher"
    ),
    "separation_reach": Metric(
        "That share against the one of the second model that the task was made with; above 1 means "
        "that the answer is told apart in more contexts.",
        "higher",
    ),
    "reference_parent_f1": Metric("The F1 of parents against the given model."),
    "reference_parent_map_exact": _share("1 if all parents are those given.", "neither"),
    "reference_local_match": Metric("The share of mechanisms that are the given function."),
    "one_variable_edit": _share("1 if a fitting alternative changes one mechanism.", "neither"),
    "same_parent_edit": _share("1 if it changes one, and not its parents.", "neither"),
    "changed_parent_edit": _share("1 if it changes one, and its parents.", "neither"),
    "models_log2": Metric(
        "The binary logarithm of how many admissible models fit the worlds that were shown."
    ),
    "worlds": Metric("How many worlds were shown, those that were asked for included."),
    "asked": Metric("How many worlds were asked for."),
    "settled": _share(
        "1 if one model was left when the answer was given, where worlds are asked for."
    ),
    "effort": Metric(
        "Worlds asked for, for each one of the reference asker, which sees what an agent sees; to "
        "be read beside `settled`."
    ),
    "effort_sighted": Metric(
        "Worlds asked for, for each one of a plan that was made with the true model in hand."
    ),
    "lift": Metric(
        "How far `heldout_world` is on the way from what a table search scores in this setting, "
        "at 0, to 1; nan where tables alone solve it.",
        "higher",
    ),
    "strict_valid": _share("1 if the answer could be executed and no form had to be forgiven."),
    SLIPS: SLIPS_METRIC,
}
"""Every number of a verdict, with a sentence on what it says."""

TABLE_FLOORS = {"block_order": 0.64, "hidden_order": 0.26, "hidden_roots": 0.04}
"""What the player `tables-4` scored in `heldout_world`, by setting; of what is ordered, all."""


def stage_numbers(refusal: Refusal | None, *, strict: bool | None, silent: bool) -> Numbers:
    """Say which stages an answer passed; without an answer it passed none."""
    passed = 0 if silent else STAGES.index(refusal.stage) if refusal else len(STAGES)
    numbers = _STAGES_PASSED[passed].copy()
    numbers["strict_json"] = nan if strict is None else float(strict)
    if refusal is not None and refusal.position is not None:
        numbers["fault_position"] = float(refusal.position)
    return numbers


_STAGES_PASSED: list[Numbers] = [
    {
        **{name: float(place < passed) for place, name in enumerate(_PASSED)},
        "valid": float(passed == len(STAGES)),
        "fault_position": nan,
    }
    for passed in range(len(STAGES) + 1)
]


def replay_numbers(replayed: Replayed | None) -> Numbers:
    """Say how an answer replays the worlds; one that cannot be executed replays nothing."""
    if replayed is None:
        return _NOTHING_REPLAYED.copy()
    train, heldout = replayed.train, replayed.heldout
    train_world, heldout_world = _ratio(train.exact, train.of), _ratio(heldout.exact, heldout.of)
    fits = train.all_exact
    exact = float(fits and heldout.all_exact)
    return {
        "train_exact": float(fits),
        "heldout_world": heldout_world,
        "heldout_exact": exact,
        "train_world": train_world,
        "train_cells": 1 - _ratio(train.wrong_cells, train.cells),
        "heldout_cells": 1 - _ratio(heldout.wrong_cells, heldout.cells),
        "retention": heldout_world / train_world if train_world else nan,
        "heldout_world_given_train_exact": heldout_world if fits else nan,
        "heldout_exact_given_train_exact": exact if fits else nan,
    }


_REPLAY = ("train_exact", "heldout_world", "heldout_exact", "train_world", "train_cells")
_NOTHING_REPLAYED: Numbers = {
    **dict.fromkeys((*_REPLAY, "heldout_cells"), 0.0),
    "retention": nan,
    "heldout_world_given_train_exact": nan,
    "heldout_exact_given_train_exact": nan,
}


def _ratio(part: int, whole: int) -> float:
    return part / whole if whole else nan


def structure_numbers(replayed: Replayed, like: Likeness) -> Numbers:
    """Say how far the mechanisms of an answer with the right roots are the true ones."""
    train, heldout = replayed.train.all_exact, replayed.heldout.all_exact
    mapped, same = like.same_parents == like.of, like.same_rule == like.of
    return {
        "parents_exact": like.same_parents / like.of,
        "parent_map_exact": float(mapped),
        "local_match": like.same_rule / like.of,
        "full_local_match": float(same),
        "train_exact_given_parent_map": float(train) if mapped else nan,
        "heldout_exact_given_parent_map": float(train and heldout) if mapped else nan,
        "alternative_found": float(train and not same),
        "alternative_given_train_exact": float(not same) if train else nan,
    }


def root_numbers(desk: Desk, evaluation: Evaluation | None, replay: Numbers) -> Numbers:
    """Say whether the roots were found; roots may be right where the mechanisms are not."""
    named = evaluation.answer.roots if evaluation else None
    right = named is not None and sorted(named) == sorted(desk.roots)
    return {
        "root_exact": float(right),
        "task_correct": float(right and replay["train_exact"] == 1),
        **{f"{name}_given_root_exact": replay[name] if right else nan for name in _REPLAY[:3]},
    }


def size_numbers(desk: Desk, replayed: Replayed | None) -> Numbers:
    """Say how large an executable answer is."""
    if replayed is None:
        return {}
    most = max([mask.bit_count() for mask in replayed.known.parents])
    size = replayed.model.size
    return {
        "within_parent_limit": float(most <= desk.instance.public.limits.max_parents),
        "most_parents": float(most),
        "ast_size": float(size),
        "ast_excess": float(size - desk.gold_size),
    }


def alternative_numbers(
    replayed: Replayed | None, like: Likeness | None, apart: Separation | None, known_best: float
) -> Numbers:
    """Judge a second model; `like` compares it with the first and `apart` tells them apart."""
    names = ("alternative_joint", "alternative_train_exact", "distinct", "experiment_valid")
    if replayed is None or like is None or apart is None:
        return dict.fromkeys((*names, "separates", "witness", "train_exact"), 0.0)
    distinct = like.same_rule < like.of
    fits = distinct and replayed.train.all_exact
    separates = fits and apart.share > 0
    one = fits and like.of - like.same_rule == 1
    same_parents = like.same_parents == like.of
    return {
        "train_exact": float(fits),
        "alternative_joint": float(separates and apart.witness),
        "alternative_train_exact": float(fits),
        "distinct": float(distinct),
        "experiment_valid": float(apart.experiment_valid),
        "separates": float(separates),
        "witness": float(separates and apart.witness),
        "separation_share": apart.share if fits else nan,
        "separation_optimality": apart.share / apart.best if separates else nan,
        "separation_reach": apart.share / known_best if separates and known_best else nan,
        "reference_parent_map_exact": float(same_parents),
        "reference_local_match": like.same_rule / like.of,
        "one_variable_edit": float(one) if fits else nan,
        "same_parent_edit": float(one and same_parents) if fits else nan,
        "changed_parent_edit": float(one and not same_parents) if fits else nan,
    }
