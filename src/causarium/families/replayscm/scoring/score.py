"""The verdict on one problem, from the instance and the recorded turns alone.

What no answer changes is kept on a desk, so that many answers to one problem cost little each.
"""

from collections.abc import Iterable, Sequence
from math import nan
from typing import TypeVar

from causarium.contract.metric import SLIPS
from causarium.contract.texts.replies import excerpt
from causarium.contract.turn import Turn
from causarium.contract.verdict import Verdict
from causarium.families.replayscm.model.actions import ACTIONS, Answered, Extracted
from causarium.families.replayscm.model.config import ReplayRules
from causarium.families.replayscm.model.instance import ReplayInstance
from causarium.families.replayscm.play.compile_answer import STAGES, Refusal, Stage
from causarium.families.replayscm.play.read_units import read_unit_reply
from causarium.families.replayscm.play.replies import parse, read_plainly
from causarium.families.replayscm.play.world import ReplayWorld, UnitPlay
from causarium.families.replayscm.scoring.desk import (
    Desk,
    Evaluation,
    Separation,
    compare,
    compare_parents,
)
from causarium.families.replayscm.scoring.unit_score import UNIT_METRICS, score_units
from causarium.families.replayscm.scoring.verdict_numbers import (
    PAPER_METRICS,
    TABLE_FLOORS,
    Numbers,
    alternative_numbers,
    replay_numbers,
    root_numbers,
    size_numbers,
    stage_numbers,
    structure_numbers,
)

METRICS = {**PAPER_METRICS, **UNIT_METRICS}
"""Every number that a verdict of either edition can hold."""
_NOTHING = dict.fromkeys(PAPER_METRICS, nan)
_LIMIT = {1.0: "within the limit", 0.0: "beyond the limit"}


Played = TypeVar("Played", ReplayWorld, UnitPlay)


def play_again(world: Played, turns: Sequence[Turn]) -> Played:
    """Return a world after the turns that were recorded in it."""
    for turn in turns:
        if world.done:
            break
        world.act(turn.move(ACTIONS))
    return world


def score(instance: ReplayInstance, rules: ReplayRules, turns: Sequence[Turn]) -> Verdict:
    """Score one problem of either edition."""
    if instance.public.task is not None:
        return score_units(instance, play_again(UnitPlay(instance, rules), turns))
    played = play_again(ReplayWorld(instance, rules), turns)
    return _judge_play(Desk(instance, strict=rules.strict_form), rules, played)


def score_many(
    instance: ReplayInstance, replies: Iterable[str], rules: ReplayRules
) -> list[Verdict]:
    """Score many replies to one problem, each as if it were the only one.

    Args:
        instance: The problem. One in which worlds are asked for is left unscored, and it is said
            why: an answer counts for what was shown before it, and a lone reply shows nothing.
        replies: What was replied.
        rules: The rules of play; the interface is taken to be text.
    """
    if instance.public.budget:
        return [_leave_unscored(instance) for _ in replies]
    if instance.public.task is not None:
        return [_score_unit_reply(instance, reply, rules) for reply in replies]
    desk = Desk(instance, strict=rules.strict_form)
    return [_score_reply(desk, reply, rules) for reply in replies]


def _leave_unscored(instance: ReplayInstance) -> Verdict:
    reason = (
        f"{instance.id} asks for worlds before the answer, and a lone reply asks for none: "
        "play it, or rescore a log in which its questions stand"
    )
    return Verdict(
        numbers=dict.fromkeys(UNIT_METRICS, nan), labels={"outcome": "unscored"}, unscored=reason
    )


def _score_unit_reply(instance: ReplayInstance, reply: str, rules: ReplayRules) -> Verdict:
    play = UnitPlay(instance, rules)
    play.act(read_unit_reply(reply, play.allowed_actions))
    return score_units(instance, play)


def _score_reply(desk: Desk, reply: str, rules: ReplayRules) -> Verdict:
    plain = read_plainly(reply) if desk.reference is None else None
    if plain is not None:
        found = desk.evaluate(plain)
        asked_again = int(found.refusal is not None and not rules.strict_form)
        return _write_verdict(desk, found, found.refusal, strict=True, asked_again=asked_again)
    world = ReplayWorld(desk.instance, rules)
    world.act(parse(reply, world.allowed_actions, rules))
    return _judge_play(desk, rules, world)


def _judge_play(desk: Desk, rules: ReplayRules, played: ReplayWorld) -> Verdict:
    found = None if played.answer is None else desk.evaluate(played.answer)
    # Whether the reply was one JSON object alone; None where answers are no texts.
    strict = None if played.answer or rules.interface != "json" else False
    if isinstance(played.answer, Extracted):
        strict = played.answer.strict
    refusal = find_refusal(played, found)
    return _write_verdict(desk, found, refusal, strict=strict, asked_again=played.asked_again)


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
    asked_again: int,
) -> Verdict:
    silent = found is None and refusal is None
    public = desk.instance.public
    numbers = _NOTHING.copy()
    numbers.update(stage_numbers(refusal, strict=strict, silent=silent))
    numbers.update(_judge(desk, found))
    numbers["models_log2"], numbers["worlds"] = desk.models_log2, float(len(public.train))
    if floor := TABLE_FLOORS.get(public.setting):
        numbers["lift"] = (numbers["heldout_world"] - floor) / (1 - floor)
    slips = asked_again
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
        replay |= desk.edge_numbers(replayed.known.parents)
    return replay


def _judge_alternative(desk: Desk, found: Evaluation | None) -> Numbers:
    replayed = found.replayed if found else None
    reference, experiments = desk.reference, desk.experiments
    if found is None or replayed is None or reference is None or experiments is None:
        return alternative_numbers(None, None, None, nan)
    answer, strict = found.answer, desk.disclosure.strict
    experiment, claims = answer.experiment, None
    released = answer.released if isinstance(answer, Answered) else None
    if released is not None and strict:
        claims = released.differences
        if released.experiment_type != "hard_do":
            experiment = None
    apart = experiments.separation(replayed.model, experiment, answer.witness, claims)
    only = list((experiment or {}).items())
    if strict and len(only) == 1 and only[0][0] not in desk.variables and only[0][1] in (0, 1):
        # Published: to set what is no variable is an experiment that separates nothing.
        apart = Separation(experiment_valid=True, share=0.0, best=apart.best, witness=False)
    source = desk.instance.secret.source
    like = compare(replayed.known, reference, len(desk.roots))
    numbers = alternative_numbers(replayed, like, apart, source.disagreement if source else nan)
    edges = compare_parents(replayed.known.parents, reference.parents)
    return {**numbers, "reference_parent_f1": edges.f1}


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
