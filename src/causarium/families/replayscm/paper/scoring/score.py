"""The verdict on one problem, from the instance and the recorded turns alone.

What no answer changes is kept on a desk, so that many answers to one problem cost little each. A
number that does not apply is nan. Conditional rates are numbers too: `heldout_exact_given_…` is nan
wherever the condition fails, so that its mean over rows is the rate given the condition.
"""

from collections.abc import Iterable, Sequence
from math import nan
from pathlib import Path

from causarium.contract.texts.replies import excerpt
from causarium.contract.turn import Turn
from causarium.contract.verdict import SLIPS, Verdict, read_metrics
from ..levels import ReplayRules
from ..model.actions import ACTIONS, Answered, Extracted
from ..model.instance import ReplayInstance
from ..play.examine_answer import STAGES, Refusal, Stage
from ..play.replies import parse, read_plainly
from ..play.world import ReplayWorld
from .desk import Desk, Evaluation, Likeness, ModelRun, Separation, compare, compare_parents

Numbers = dict[str, float]

_PASSED = ("extracted", "schema", "keys", "parse", "legal", "acyclic")
"""What passing each of the stages is called."""
METRICS = read_metrics(Path(__file__).parents[1] / "metrics.toml")["paper"]
"""Every number of a verdict, with a sentence on what it says."""
_NOTHING = dict.fromkeys(METRICS, nan)
_LIMIT = {1.0: "within the limit", 0.0: "beyond the limit"}


def play_again(world: ReplayWorld, turns: Sequence[Turn]) -> ReplayWorld:
    """Return a world after the turns that were recorded in it."""
    for turn in turns:
        if world.done:
            break
        world.act(turn.move(ACTIONS))
    return world


def score(instance: ReplayInstance, rules: ReplayRules, turns: Sequence[Turn]) -> Verdict:
    """Score one problem."""
    desk = Desk(instance, strict=rules.strict_form)
    played = play_again(ReplayWorld(instance, rules, desk.read), turns)
    return _judge_play(desk, rules, played)


def score_many(
    instance: ReplayInstance, replies: Iterable[str], rules: ReplayRules
) -> list[Verdict]:
    """Score many replies to one problem, each as if it were the only one.

    Those that are the same to the letter, as they often are in training, share a verdict.

    Args:
        instance: The problem.
        replies: What was replied.
        rules: The rules of play; the interface is taken to be text.
    """
    given = list(replies)
    desk = Desk(instance, strict=rules.strict_form)
    found = {one: _score_reply(desk, one, rules) for one in set(given)}
    return [found[one] for one in given]


def _score_reply(desk: Desk, reply: str, rules: ReplayRules) -> Verdict:
    plain = read_plainly(reply) if desk.reference is None else None
    if plain is not None:
        found = desk.evaluate(plain)
        slips = int(found.refusal is not None and not rules.strict_form)
        return _write_verdict(desk, found, found.refusal, strict=True, slips=slips)
    world = ReplayWorld(desk.instance, rules, desk.read)
    world.act(parse(reply, world.allowed_actions, rules))
    return _judge_play(desk, rules, world)


def _judge_play(desk: Desk, rules: ReplayRules, played: ReplayWorld) -> Verdict:
    found = None if played.answer is None else desk.evaluate(played.answer)
    # Whether the reply was one JSON object alone; None where answers are no texts.
    strict = None if played.answer or rules.interface != "json" else False
    if isinstance(played.answer, Extracted):
        strict = played.answer.strict
    refusal = find_refusal(played, found)
    return _write_verdict(desk, found, refusal, strict=strict, slips=played.slips)


def find_refusal(played: ReplayWorld, found: Evaluation | None) -> Refusal | None:
    """Return why what was handed in cannot be executed; None if it can, or if nothing was."""
    unparsed = played.unparsed
    if found or unparsed is None:
        return found.refusal if found else None
    # The mode of a reply in which no answer was found names the stage.
    stage, _, fault = unparsed.mode.partition(": ")
    for known in STAGES:
        if stage == known:
            return Refusal(known, fault, unparsed.detail)
    # The engine's own words: a tool call that does not fit is at least a call.
    called: Stage = "schema" if unparsed.mode == "invalid action" else "extraction"
    return Refusal(called, unparsed.mode, unparsed.detail)


def _write_verdict(
    desk: Desk,
    found: Evaluation | None,
    refusal: Refusal | None,
    *,
    strict: bool | None,
    slips: int,
) -> Verdict:
    silent = found is None and refusal is None
    numbers = _NOTHING.copy()
    numbers.update(stage_numbers(refusal, strict=strict, silent=silent))
    numbers.update(_judge(desk, found))
    numbers["worlds"] = float(len(desk.instance.public.train))
    if found is not None:
        slips += found.slips + (found.answer.slips if isinstance(found.answer, Extracted) else 0)
    numbers[SLIPS] = float(slips)
    numbers["strict_valid"] = float(numbers["valid"] == 1 and not slips)
    labels = {
        "stage": "none" if silent else refusal.stage if refusal else "valid",
        "fault": refusal.fault if refusal else "none",
        "outcome": _name_outcome(numbers),
        "parents": _LIMIT.get(numbers["within_parent_limit"], "unknown"),
    }
    if (source := desk.instance.secret.source) is not None:
        # Who found the second model that a task was made with, so that they can be left out.
        labels["found_by"] = ", ".join(source.found_by) or "nobody"
    answer = None
    if found is not None:
        texts = found.answer.mechanisms.items()
        answer = excerpt("; ".join([f"{name} = {text}" for name, text in texts]))
    # Everything is of its kind already; checking it again takes longer than the rest.
    return Verdict.model_construct(
        numbers=numbers,
        labels=labels,
        answer=answer,
        explanation=_explain(desk, found, refusal),
        unscored=None,
    )


def _judge(desk: Desk, found: Evaluation | None) -> Numbers:
    replayed = found.replayed if found else None
    replay = replay_numbers(replayed)
    replay |= size_numbers(desk, replayed)
    if desk.reference is not None:
        # What a second model does in worlds that were not shown is nobody's mistake.
        kept = {k: v for k, v in replay.items() if not k.startswith(("heldout", "retention"))}
        return {**kept, **_judge_alternative(desk, found)}
    if desk.disclosure.roots is None:
        replay |= root_numbers(desk, found, replay)
    if replayed is not None and sorted(replayed.model.roots) == sorted(desk.roots):
        like = compare(replayed.known, desk.gold, len(desk.roots))
        replay |= structure_numbers(replayed, like)
        edges = compare_parents(replayed.known.parents, desk.gold.parents)
        arrows, shd = edges.directed, float(edges.distance)
        replay |= {"parent_recall": arrows.recall, "parent_f1": arrows.f1, "parent_shd": shd}
    return replay


def _judge_alternative(desk: Desk, found: Evaluation | None) -> Numbers:
    replayed = found.replayed if found else None
    reference = desk.reference
    if found is None or replayed is None or reference is None:
        return _NO_ALTERNATIVE.copy()
    answer, strict = found.answer, desk.disclosure.strict
    experiment, claims = answer.experiment, None
    released = answer.released if isinstance(answer, Answered) else None
    if released is not None and strict:
        claims = released.differences
        if released.experiment_type != "hard_do":
            experiment = None
    apart = desk.separate(replayed.known, experiment, answer.witness, claims)
    only = list((experiment or {}).items())
    if strict and len(only) == 1 and only[0][0] not in desk.variables and only[0][1] in (0, 1):
        # Published: to set what is no variable is an experiment that separates nothing.
        apart = Separation(experiment_valid=True, share=0.0, best=apart.best, witness=False)
    source = desk.instance.secret.source
    like = compare(replayed.known, reference, len(desk.roots))
    distinct = like.same_rule < like.of
    fits = distinct and replayed.train.all_exact
    separates = fits and apart.share > 0
    one = like.of - like.same_rule == 1
    same_parents = like.same_parents == like.of
    reach = apart.share / source.disagreement if source and source.disagreement else nan
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
        "separation_reach": reach if separates else nan,
        "reference_parent_f1": compare_parents(replayed.known.parents, reference.parents).f1,
        "reference_parent_map_exact": float(same_parents),
        "reference_local_match": like.same_rule / like.of,
        "one_variable_edit": float(one) if fits else nan,
        "same_parent_edit": float(one and same_parents) if fits else nan,
        "changed_parent_edit": float(one and not same_parents) if fits else nan,
    }


_NO_ALTERNATIVE: Numbers = dict.fromkeys(
    (
        *("alternative_joint", "alternative_train_exact", "distinct", "experiment_valid"),
        *("separates", "witness", "train_exact"),
    ),
    0.0,
)


def _name_outcome(numbers: Numbers) -> str:
    if not numbers["valid"]:
        return "not executable"
    if numbers["alternative_joint"] == 1:
        return "alternative found and shown"
    if numbers["heldout_exact"] == 1:
        return "held-out exact"
    return "train exact" if numbers["train_exact"] else "executable"


def _explain(desk: Desk, found: Evaluation | None, refusal: Refusal | None) -> str:
    if refusal is not None:
        return f"Refused at {refusal.stage} ({refusal.fault}): {refusal.detail}."
    if found is None or found.replayed is None:
        return "No answer was given."
    train, heldout = found.replayed.train, found.replayed.heldout
    said = f"{train.exact} of {train.of} training worlds are replayed exactly"
    if desk.reference is None:
        said += f", and {heldout.exact} of {heldout.of} held-out ones"
    return f"{said}; {train.wrong_cells} of {train.cells} training cells are wrong."


def stage_numbers(refusal: Refusal | None, *, strict: bool | None, silent: bool) -> Numbers:
    """Say which stages an answer passed; without an answer it passed none."""
    passed = 0 if silent else STAGES.index(refusal.stage) if refusal else len(STAGES)
    place = refusal.position if refusal else None
    return {
        **{name: float(stage < passed) for stage, name in enumerate(_PASSED)},
        "valid": float(passed == len(STAGES)),
        "fault_position": nan if place is None else float(place),
        "strict_json": nan if strict is None else float(strict),
    }


def replay_numbers(replayed: ModelRun | None) -> Numbers:
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


def structure_numbers(replayed: ModelRun, like: Likeness) -> Numbers:
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


def size_numbers(desk: Desk, replayed: ModelRun | None) -> Numbers:
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
