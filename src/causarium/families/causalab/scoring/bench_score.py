"""The verdict on one episode at the bench, from the instance and the recorded turns alone.

Conventions:

* The headline counts questions with two holds or more that experiments settle. No answer is a wrong
  answer. One-hold questions, and those that whole numbers alone settle, are scored apart.
* Arrows are never rewarded. They are graded over the pairs that a full plan settles; without a list
  of arrows these numbers are nan.
"""

from collections.abc import Iterator, Sequence
from math import nan
from pathlib import Path
from statistics import fmean

from causarium.contract.turn import Turn
from causarium.contract.verdict import SLIPS, Verdict, read_metrics
from causarium.scm.dag import bits, mask_of
from causarium.scoring.graph_scores import compare_sets
from ..evidence.version_space import VersionSpace, list_whole_equations
from ..model.bench import BenchInstance, BenchPublic, Experiment, QuestionKind
from ..model.config import LabRules
from ..model.instance import FREQUENCY, fold_name, name_index
from ..play.bench_world import BenchWorld
from ..play.dialog import open_bench_again

TABLES = read_metrics(Path(__file__).parents[1] / "metrics.toml")
"""The numbers of either edition."""
BENCH_METRICS = TABLES["bench"]
"""Every number of a verdict on the bench, with a sentence on what it says."""


_KINDS: dict[str, QuestionKind] = {
    "answered": "held",
    "one_hold": "one hold",
    "whole_only": "whole",
}
"""Which questions a share of right answers is about."""


def replay_bench(instance: BenchInstance, rules: LabRules, turns: Sequence[Turn]) -> BenchWorld:
    """Play recorded turns again in a fresh world."""
    world = open_bench_again(instance, rules)
    for turn in turns:
        world.follow(turn)
    return world


def score_bench(instance: BenchInstance, rules: LabRules, turns: Sequence[Turn]) -> Verdict:
    """Score one episode."""
    world = replay_bench(instance, rules, turns)
    unread = sum(turn.unparsed is not None for turn in turns)
    numbers = {
        **{
            name: fmean(right) if (right := list_right(instance, world, kind)) else nan
            for name, kind in _KINDS.items()
        },
        **_judge_arrows(instance, world),
        "acts": float(world.spent),
        "settled": share_settled(instance, world.experiments),
        "refusals": float(sum(not turn.legal for turn in turns)),
        "unread": float(unread),
        SLIPS: float(unread + world.malformed),
        "asked": float(world.opened == "turns" or world.asks > 1),
    }
    said = None
    if world.answers is not None:
        said = ", ".join("-" if one is None else str(one) for one in world.answers)
    return Verdict(
        numbers=numbers,
        answer=said,
        explanation=f"Answered {said or 'nothing'}; right are "
        f"{', '.join(map(str, instance.secret.answers))}. "
        f"{world.spent} of {instance.public.budget} experiments were made.",
    )


def share_settled(instance: BenchInstance, rows: Sequence[Experiment]) -> float:
    """Return the share of the questions that count to which experiments leave one answer."""
    public = instance.public
    index = public.index
    space = list_whole_equations(rows, len(public.nodes), public.largest)
    return fmean(
        float(space.settles(mask_of(index[name] for name in one.holds), index[one.asked]))
        for one in instance.secret.questions
        if one.kind == "held"
    )


def list_right(instance: BenchInstance, world: BenchWorld, kind: QuestionKind) -> list[bool]:
    """Return of each question of one kind whether it was answered with the right number."""
    secret = instance.secret
    given = world.answers or (None,) * len(secret.questions)
    return [
        said == answer
        for question, answer, said in zip(secret.questions, secret.answers, given, strict=True)
        if question.kind == kind
    ]


def _judge_arrows(instance: BenchInstance, world: BenchWorld) -> dict[str, float]:
    if world.arrows is None:
        return {"arrow_j": nan, "arrows_exact": nan, "edge_f1": nan}
    public = instance.public
    # Names that nothing has stand for themselves: such an arrow is drawn, and wrong.
    drawn = {
        (public.index.get(cause, cause), public.index.get(effect, effect))
        for cause, effect in fold_arrows(public, world.arrows)
    }
    mechanism = instance.secret.mechanism(public.nodes)
    true = {(cause, node) for node, mask in enumerate(mechanism.parents) for cause in bits(mask)}
    rows = mechanism.push_each(public.index[name] for name in public.holdable)
    settled = set(find_settled_pairs(list_whole_equations(rows, len(public.nodes), public.largest)))
    further = {
        (first, node)
        for node, mask in enumerate(mechanism.parents)
        for cause in bits(mask)
        for first in bits(mechanism.dag.ancestors[cause])
    }
    arrows, others = settled & further & true, settled & further - true
    told = nan
    if arrows and others:
        told = len(drawn & arrows) / len(arrows) - len(drawn & others) / len(others)
    # The stated form settles these: the frequency causes nothing, and nothing causes itself.
    absurd = any(cause in (public.index[FREQUENCY], effect) for cause, effect in drawn)
    return {
        "arrow_j": told,
        "arrows_exact": float(drawn & settled == true & settled and not absurd),
        "edge_f1": compare_sets(drawn, true).f1,
    }


def fold_arrows(
    public: BenchPublic, arrows: Sequence[tuple[str, str]]
) -> tuple[tuple[str, str], ...]:
    """Return arrows in the names of the crystal; a name that nothing has stays as it is."""
    names = name_index(public.properties)
    return tuple((names.get(fold_name(a), a), names.get(fold_name(b), b)) for a, b in arrows)


def find_settled_pairs(space: VersionSpace) -> Iterator[tuple[int, int]]:
    """Yield every (cause, effect) for which all equations left agree whether there is an arrow."""
    for node, left in enumerate(space.equations):
        always = (1 << len(space.equations)) - 1
        for equation in left:
            always &= mask_of(cause for cause, _ in equation)
        for cause in range(len(space.equations) - 1):
            is_open = space.may_cause[node] >> cause & 1 and not always >> cause & 1
            if cause != node and not is_open:
                yield cause, node
