"""What is earned without inference, setting by setting, and how the reference asker does."""

from collections.abc import Iterator
from math import isnan
from statistics import fmean

from bench.measure import Measurement
from causarium.contract.episode import play
from causarium.contract.family import AnyInstance
from causarium.families.replayscm import FAMILY
from causarium.families.replayscm.scoring.verdict_numbers import TABLE_FLOORS

PROBLEMS, ASKED, SEED = 60, 25, 23
LEVELS = ("ordered", "block", "hidden", "roots", "hidden-12")
FLOORS = ("tables-2", "tables-3", "tables-4", "observer", "constant", "random")


def measure_floors() -> Iterator[Measurement]:
    """Yield train_exact and heldout_world of the players that infer nothing, on fresh problems."""
    for level in LEVELS:
        count = PROBLEMS if level != "hidden-12" else PROBLEMS // 3
        problems = [FAMILY.generate(FAMILY.level(level), SEED, index) for index in range(count)]
        public = problems[0].public
        for player in FLOORS:
            exact, world = (
                _mean(problems, player, metric) for metric in ("train_exact", "heldout_world")
            )
            known = TABLE_FLOORS.get((public.setting, len(public.variables) > 10))
            stated = f"about {known:g}" if player == "tables-4" and known is not None else ""
            yield Measurement(f"{level}, {player}: train_exact", "", exact)
            yield Measurement(f"{level}, {player}: heldout_world", "", world, None, stated)


def measure_asking() -> Iterator[Measurement]:
    """Yield what the reference asker needs, against the plan that knows the answer."""
    pars, plans, ratios, unsettled = [], [], [], 0
    for level in ("ask-ordered", "ask-block", "ask-hidden", "ask-roots"):
        for index in range(ASKED):
            problem = FAMILY.generate(FAMILY.level(level), SEED, index)
            numbers = (
                play(FAMILY, problem, FAMILY.rules_for("certified"), "simplest").score().numbers
            )
            unsettled += numbers["settled"] != 1 or numbers["heldout_exact"] != 1
            pars.append(problem.secret.par or 0)
            plans.append(len(problem.secret.plan or ()))
            ratios.append(pars[-1] / plans[-1])
    yield Measurement(
        f"worlds that the reference asker needs, mean of {len(pars)} fresh problems; the plan's",
        "worlds",
        fmean(pars),
        fmean(plans),
    )
    yield Measurement("mean of par against the sighted plan", "", fmean(ratios), None, "<= 1.2")
    yield Measurement("problems left unsettled or wrong", "", unsettled, None, "0")


def _mean(problems: list[AnyInstance], player: str, metric: str) -> float:
    rules = FAMILY.rules_for("certified")
    numbers = (play(FAMILY, one, rules, player).score().numbers[metric] for one in problems)
    return fmean(number for number in numbers if not isnan(number))
