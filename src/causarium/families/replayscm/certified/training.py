"""Training signals of a game: questions asked, systems left, and items settled."""

from collections.abc import Sequence

from causarium.contract.companions import Training
from causarium.contract.frozen import Numbers
from causarium.contract.turn import Turn
from .levels import ReplayRules
from .mechanics.case import (
    Case,
    Question,
    System,
    answer_items,
    list_systems,
    read_case,
    show_questions,
)
from .model import ACTIONS, ReplayInstance, ReplayPublic, ReplaySecret
from .play.world import ReplayWorld

_MOST = 2_000


def turn_numbers(
    instance: ReplayInstance, rules: ReplayRules, turns: Sequence[Turn]
) -> list[Numbers]:
    """Return after each turn the questions asked, the systems that still fit, and `settled`.

    `settled` is the share of rules, hands and what-ifs with one answer in all systems that still
    fit. Nothing secret is needed to count it: the readings are those that the agent was told.
    """
    world, public = ReplayWorld(instance, rules), instance.public
    case = read_case(public)
    left = list_systems(case, _MOST)
    numbers: list[Numbers] = []
    for turn in turns:
        before = world.spent
        seen = world.act(turn.move(ACTIONS))
        for asked in world.asked[before:]:
            setting = {public.names.index(v): value for v, value in asked.set.items()}
            question = Question(setting, public.names.index(asked.read))
            left = _keep(case, left, question, seen.data[asked.read])
        settled = _count_settled(case, left)
        numbers.append(
            {"questions": float(world.spent), "systems": float(len(left)), "settled": settled}
        )
    return numbers


def _keep(case: Case, systems: list[System], question: Question, value: object) -> list[System]:
    """Return the systems in which a question reads so."""
    if case.bench is None:
        return systems
    number = case.bench.find_number(question, case.law.size)
    shown = show_questions(case.bench, case.law, systems)
    pairs = zip(systems, shown, strict=True)
    return [one for one, column in pairs if column >> number & 1 == value]


def _count_settled(case: Case, systems: list[System]) -> float:
    answers = list(zip(*(answer_items(case, one) for one in systems), strict=True))
    return sum(len(set(said)) == 1 for said in answers) / len(answers)


def progress(instance: ReplayInstance, rules: ReplayRules, turns: Sequence[Turn]) -> float:
    """Return the share of items that the questions asked so far settle, from 0 to 1."""
    numbers = turn_numbers(instance, rules, turns)
    return numbers[-1]["settled"] if numbers else 0.0


TRAINING: Training[ReplayPublic, ReplaySecret, ReplayRules] = Training(
    progress=progress, turn_numbers=turn_numbers
)
