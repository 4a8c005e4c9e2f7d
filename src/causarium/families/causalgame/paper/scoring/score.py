"""Paper edition: the verdict on one session, from the instance and the recorded turns alone.

Conventions:

* `survival` is what the fleet of the session did; `expected` what fleets of that design do on
  average, and `gain` is taken of it, so that luck does not enter. Gain runs from 0, the standard
  design, to 1, the best one; what is worse than the standard design is below 0.
* Nothing submitted means that nobody survived: survival, win and expected are 0.
* Claims are judged as they stand in the end; those that are `open` or `unclear` count neither way.
* Rubric numbers are nan unless a judge was asked and decided.
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import nan
from pathlib import Path
from statistics import fmean

from causarium.contract.turn import Turn, count_forgiven
from causarium.contract.verdict import SLIPS, Verdict, read_metrics
from causarium.scoring.intervals import wilson_interval
from ..model.actions import ACTIONS, Claim
from ..model.game import Design, Game
from ..model.instance import GameInstance
from ..model.paper_games import NAMES, paper_game
from ..model.rules import GameRules
from ..play.game_session import Batch, Result, Session
from ..play.world import GameWorld
from .claims import (
    Belief,
    Truth,
    beliefs,
    distance,
    draw_luck,
    ideas,
    states,
    truth,
)

FLEET = 20_000
"""How many drones measure a design: the standard error is a third of a point at most."""
LEAST_SPAN = 0.01
"""Where the optimum is nearer to the standard design than this, there is nothing to gain."""
_SEED = 1


@dataclass(frozen=True, slots=True)
class Landmarks:
    """The designs that every other one is compared with, by their survival."""

    default: float
    trap: float
    best: float

    def scale_survival(self, survival: float) -> float:
        """Return a survival on the scale on which the standard design is 0 and the best one 1.

        What is as good as the best known design, or better, is 1. It is nan in a game in which no
        design makes a difference.
        """
        span = self.best - self.default
        if span < LEAST_SPAN:
            return math.nan
        return min(1.0, (survival - self.default) / span)


def landmarks(game: Game) -> Landmarks:
    """Return a game's landmarks."""
    designs = (Design(), game.trap, game.best)
    return Landmarks(*(compute_survival(game, design) for design in designs))


def compute_survival(game: Game, design: Design) -> float:
    """Return the share of drones of a design that survive the evaluation."""
    return _simulate_survival(game.flown, design)


@lru_cache(maxsize=1_000)  # 20,000 flights take 5 ms, and every verdict asks for three designs
def _simulate_survival(game: Game, design: Design) -> float:
    from ..mechanics import fly_on

    return float(fly_on(game, design, draw_luck(_SEED, FLEET), 2)["survived"].mean())


@dataclass(frozen=True, slots=True)
class Recalled:
    """One session, after the fact."""

    session: Session
    batches: tuple[tuple[int, Batch], ...]
    """Every deployment, with the number of its turn (from 1)."""
    result: Result | None
    """How the fleet fared; None if nothing was submitted."""
    submitted_at: int | None
    """The number of the submission's turn."""
    thoughts: tuple[tuple[int, str], ...]
    """What was said before acting, by turn."""
    report: str
    """The final report, empty if there is none."""
    beliefs: tuple[Belief, ...]
    """The claims held after each turn."""
    refusals: int
    unread: int
    forgiven: int

    @property
    def belief(self) -> Belief:
        """The claims held in the end."""
        return self.beliefs[-1] if self.beliefs else ()


def recall(instance: GameInstance, rules: GameRules, turns: Sequence[Turn]) -> Recalled:
    """Play the recorded turns again and keep what scoring needs."""
    world = GameWorld(instance, rules)
    session = world.session
    batches: list[tuple[int, Batch]] = []
    submitted_at = None
    for number, turn in enumerate(turns, 1):
        world.act(turn.move(ACTIONS))
        if len(session.batches) > len(batches):
            batches.append((number, session.batches[-1]))
        if session.result is not None and submitted_at is None:
            submitted_at = number
    said = [(n, (turn.action or {}).get("thought")) for n, turn in enumerate(turns, 1)]
    done = [turn.action for turn in turns if turn.legal and turn.action]
    reports = [action.get("text") for action in done if action.get("kind") == "report"]
    return Recalled(
        session=session,
        batches=tuple(batches),
        result=session.result,
        submitted_at=submitted_at,
        thoughts=tuple((n, thought) for n, thought in said if isinstance(thought, str) and thought),
        report=str(reports[-1]) if reports else "",
        beliefs=tuple(beliefs(turns)),
        refusals=sum(not turn.legal for turn in turns),
        unread=sum(turn.unparsed is not None for turn in turns),
        forgiven=count_forgiven(turns),
    )


TABLES = read_metrics(Path(__file__).parents[1] / "metrics.toml")
METRICS = {name: metric for table in TABLES.values() for name, metric in table.items()}
"""Every number of a verdict."""


def score_session(instance: GameInstance, rules: GameRules, turns: Sequence[Turn]) -> Verdict:
    """Score one session, without a judge."""
    recalled = recall(instance, rules, turns)
    game = instance.secret.game
    numbers = {**_fleet(game, recalled), **_effort(game, recalled)}
    numbers |= (
        claim_numbers(game, recalled.beliefs)
        if rules.claims
        else dict.fromkeys(TABLES["claims"], nan)
    )
    result = recalled.result
    outcome = "nothing submitted" if result is None else "won" if result.won else "lost"
    return Verdict(
        numbers={**numbers, **dict.fromkeys(TABLES["rubric"], nan)},
        labels={"outcome": outcome},
        answer=describe_design(game, result.design) if result else None,
        explanation=_explain(game, recalled),
    )


def _fleet(game: Game, recalled: Recalled) -> dict[str, float]:
    result, marks = recalled.result, landmarks(game)
    if result is None:
        scale = {"gain": marks.scale_survival(0.0), "margin": -game.threshold}
        ends = dict.fromkeys(("survival_low", "survival_high"), nan)
        return {**dict.fromkeys(TABLES["fleets"], 0.0), **ends, **scale}
    share = wilson_interval(result.survived, result.fleet)
    usual = compute_survival(game, result.design)
    return {
        "survival": share.value,
        "survival_low": share.low,
        "survival_high": share.high,
        "win": float(result.won),
        "gain": marks.scale_survival(usual),
        "expected": usual,
        "margin": share.value - game.threshold,
    }


def _effort(game: Game, recalled: Recalled) -> dict[str, float]:
    session = recalled.session
    tried = {batch.design.model_dump_json() for _, batch in recalled.batches}
    return {
        "drones": float(session.drones_used),
        "effort": session.drones_used / game.budget.drones,
        "deployments": float(len(recalled.batches)),
        "designs": float(len(tried)),
        "queries": float(session.queries_used),
        "refusals": float(recalled.refusals),
        "unread": float(recalled.unread),
        SLIPS: float(recalled.unread + recalled.forgiven),
    }


def claim_numbers(game: Game, held: Sequence[Belief]) -> dict[str, float]:
    """Return what is to be said of the claims held after each turn."""
    final = held[-1] if held else ()
    truths = [truth(game, claim) for claim in final]
    found: Counter[Truth] = Counter(truths)
    decided = found["true"] + found["false"]
    told = [
        (one == "true", _weigh_claim(claim))
        for claim, one in zip(final, truths, strict=True)
        if one in {"true", "false"}
    ]
    weight = sum(weight for _, weight in told)
    golden = [states(game, final, idea) for idea in ideas(game) if idea.golden]
    planted = [states(game, final, idea) for idea in ideas(game) if not idea.golden]
    return {
        "claims": float(len(final)),
        "claims_true": float(found["true"]),
        "claims_false": float(found["false"]),
        "claims_trivial": float(sum(one == 0 for _, one in told)),
        "claims_undecided": float(found["open"] + found["unclear"]),
        "claim_accuracy": found["true"] / decided if decided else nan,
        "claim_accuracy_weighted": sum(is_true * one for is_true, one in told) / weight
        if weight
        else nan,
        "golden_found": fmean(golden) if golden else nan,
        "distractors_held": fmean(planted) if planted else nan,
        "claim_distance": float(distance(game, final)),
        "claim_distance_mean": fmean(distances(game, held)) if held else float(distance(game, ())),
    }


def _weigh_claim(claim: Claim) -> float:
    """Return the share of the fourteen games in which a claim is not true.

    A claim that holds in all of them tells nothing of any; a fixed list of such claims would be all
    true in every session.
    """
    return 1 - fmean(truth(paper_game(name), claim) == "true" for name in NAMES)


def distances(game: Game, held: Sequence[Belief]) -> list[int]:
    """Return the distance from the truth after each turn."""
    found: list[int] = []
    for number, belief in enumerate(held):
        unchanged = number > 0 and belief == held[number - 1]
        found.append(found[-1] if unchanged else distance(game, belief))
    return found


def describe_design(game: Game, design: Design) -> str:
    """Return a design in one line: what differs from the standard one."""
    changed = [
        f"{name} {points}"
        for name, points in design.armour.items()
        if points != game.default.get(name)
    ]
    fitted = [f"{slot}={option}" for slot, option in sorted(design.equipment.items())]
    return ", ".join((*changed, *fitted)) or "the standard design"


def _explain(game: Game, recalled: Recalled) -> str:
    marks, result = landmarks(game), recalled.result
    scale = f"the standard design has {marks.default:.1%}, the best one {marks.best:.1%}"
    if result is None:
        return f"Nothing was submitted; {scale}."
    how = "won" if result.won else "lost"
    return (
        f"{result.survived} of {result.fleet} drones survived, {how} at a threshold of "
        f"{game.threshold:.0%}; {scale}. {recalled.session.drones_used} test drones were flown."
    )
