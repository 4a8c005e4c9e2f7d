"""Choosing the one run of a case with a log: exact inference, and everything that does with less.

Each rule returns a background: which others move. The suspect asked about is moved, the other one
held, and the answer is yes if the target moves. So a rule differs from another in the background
alone, and earns in expectation the share of the fitting worlds in which it is decisive. What a
rule's docstring says is what people read of its player.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, reduce
from itertools import chain
from operator import and_
from random import Random
from typing import cast

import numpy as np

from causarium.contract.player import Moves
from causarium.families.causallink.generation.draw_log import draw_logs
from causarium.families.causallink.mechanics import LogCase, Machine, Row
from causarium.families.causallink.model.instance import Answer, LinkPublic, Run
from causarium.seeds import stream

Rule = Callable[[LogCase, Random], int]


def play_rule(public: LinkPublic, rule: Rule, rng: Random, *, why: bool = False) -> Moves:
    """Make the run that a rule chooses, and answer by what the target does.

    Args:
        public: What is shown of a case with a log.
        rule: How the background is chosen.
        rng: Where chance comes from.
        why: Whether to say why this run was chosen.
    """
    case = LogCase.of(public)
    background = rule(case, rng)
    named = {public.cause, *case.list_names(background)}
    move = tuple(name for name in public.shapes if name in named)
    reasoning = explain_run(public, case, background) if why else None
    seen = yield Run(move=move, reasoning=reasoning)
    moves = public.effect in cast("list[str]", seen.data.get("moving", []))
    yield Answer(answer="yes" if moves else "no")


def explain_run(public: LinkPublic, case: LogCase, background: int) -> str:
    """Say why a background is chosen: what the log leaves open, and what the run does about it.

    Args:
        public: What is shown of the case.
        case: The same as numbers.
        background: The chosen background.
    """
    worlds = list(case.machine.list_fitting(case.left))
    share = case.machine.share(case.left, background)
    held = case.list_names(~background & ((1 << len(case.others)) - 1))

    def name_common(masks: Iterable[int]) -> str:
        return ", ".join(case.list_names(reduce(and_, masks))) or "nobody for certain"

    return (
        f"{len(worlds)} {'worlds fit' if len(worlds) > 1 else 'world fits'} the log. In all of "
        f"these the rivals are {name_common(world.rivals for world in worlds)}, the guards are "
        f"{name_common(world.guards for world in worlds)} and the helpers are "
        f"{name_common(world.helpers for world in worlds)}. With {', '.join(held) or 'nobody'} "
        "held and all others moved, guards and helpers do what they must, and the rivals do not, "
        f"in {share:.0%} of these worlds. {public.cause} moves alone, so the target moves exactly "
        f"if {public.cause} is live."
    )


def choose_exactly(case: LogCase, _rng: Random) -> int:
    """Choose the run that is decisive in most of the worlds that fit."""
    return case.machine.find_best(case.left)


def hold_all(_case: LogCase, _rng: Random) -> int:
    """Moves or stops the cause alone; yes if the effect follows."""
    return 0


def move_some(case: LogCase, rng: Random) -> int:
    """Moves half of the others, chosen without the log."""
    # The best that one can do so.
    chosen = rng.sample(range(len(case.others)), len(case.others) // 2)
    return sum(1 << x for x in chosen)


def strike_off(case: LogCase, _rng: Random) -> int:
    """Strikes off by the law who cannot guard and who cannot rival, and makes the best new run."""
    left = case.machine.fit_without_helpers(case.log)
    return int(case.machine.weigh_new_runs(case.log, left).argmax())


def forget_guards(case: LogCase, _rng: Random) -> int:
    """Knows the law but for guards, who may have held the target whenever it rests."""
    helped, rivalled, _ = case.machine.find_met(np.array([row.moved for row in case.log]))
    suspects, _, target = np.array(case.log).T[:, :, None] > 0
    left = (~target | rivalled | suspects & helped).all(axis=0)
    return int(case.machine.weigh_new_runs(case.log, left).argmax())


def repeat_leanest(case: LogCase, _rng: Random) -> int:
    """Repeats the leanest run that worked, with one suspect held."""
    worked = [row for row in case.log if row.suspects and row.target]
    return min((row.moved for row in worked), key=int.bit_count, default=0)


def follow_least_squares(case: LogCase, _rng: Random) -> int:
    """Fits the target by parts and by parts with suspects."""
    suspects, moved, target = np.array(case.log, dtype=int).T
    cells = moved[:, None] >> np.arange(len(case.others)) & 1
    design = np.column_stack([np.ones_like(suspects), suspects, cells, suspects[:, None] * cells])
    weights = np.linalg.lstsq(design, target, rcond=None)[0]
    # A run tells most where the target moves with the suspects and not without them.
    return sum(1 << x for x, weight in enumerate(weights[2 + len(case.others) :]) if weight > 0)


# The trained rule is told the law. Of every pair that could help, rival or guard it sees in how
# many rows the pair does what is needed, by suspects and target, and all products of two such
# counts. By regularised least squares it learns from fresh logs which pairs do play that part. No
# bound is claimed against such learners: this one stands beside exact inference as a mark.
STUDIED_LOGS = 100
_STUDY_SEED = 710_031
"""No named set is drawn from this seed."""


def follow_training(case: LogCase, rng: Random) -> int:
    """Takes the pairs that a rule told the law, and trained on 100 logs, likes best."""
    numbers = _describe_sets(case.machine, case.log)
    liking = np.einsum("pwf,pf->w", numbers, _train())
    world = case.machine.worlds[int(liking.argmax())]
    return rng.choice([c for c in case.machine.backgrounds if world.decides(c)])


@lru_cache(maxsize=1)  # seconds, and every case asks
def _train() -> np.ndarray:
    """Learn from fresh logs; it takes seconds, and a set plays hundreds of cases with it."""
    rng = stream(_STUDY_SEED, "causallink", "trained")
    drawn = list(chain.from_iterable(draw_logs(rng) for _ in range(STUDIED_LOGS)))
    tables = np.concatenate([_describe_sets(one.machine, one.log) for one in drawn], axis=1)
    right = [one.machine.parts == np.array(one.truth[:3])[:, None] for one in drawn]
    across = tables.transpose(0, 2, 1)
    gram = across @ tables + np.eye(tables.shape[2])
    learnt: np.ndarray = np.linalg.solve(gram, across @ np.concatenate(right, axis=1)[..., None])
    return learnt[..., 0]


def _describe_sets(machine: Machine, log: Sequence[Row]) -> np.ndarray:
    """Return numbers for helpers, rivals and guards of each world: counts and their products."""
    suspects, moved, target = np.array(log).T
    kinds = (2 * suspects + target == np.arange(4)[:, None]).astype(float)
    met = machine.find_met(moved).transpose(0, 2, 1)
    counts = np.concatenate([met @ kinds.T, ~met @ kinds.T, np.ones_like(met[..., :1])], axis=2)
    first, second = np.triu_indices(counts.shape[2])
    products: np.ndarray = counts[..., first] * counts[..., second]
    return products
