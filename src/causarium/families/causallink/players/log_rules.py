"""Choosing the one run of a log level: exact inference, and everything that does with less.

Each rule returns a background: which others move. The suspect asked about is moved, the other one
held, and the answer is yes if the target moves. So a rule differs from another in the background
alone, and earns in expectation the share of the fitting worlds in which it is decisive. What a
rule's docstring says is what people read of its player.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import chain
from random import Random
from typing import cast

import numpy as np

from causarium.contract.player import Moves
from causarium.families.causallink.generation.draw_log import draw_logs
from causarium.families.causallink.mechanics import LogCase, Machine, Row, World
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
        common = -1
        for mask in masks:
            common &= mask
        names = case.list_names(common & ((1 << len(case.others)) - 1))
        return ", ".join(names) or "nobody for certain"

    brakes, what = "brakes", "all helpers move and neither a rival set nor a brake does"
    if case.machine.law.needs:
        brakes, what = "guards", "guards and helpers do what they must, and the rival set does not"
    return (
        f"{len(worlds)} {'worlds fit' if len(worlds) > 1 else 'world fits'} the log. In all of "
        "these the rival set holds "
        f"{name_common(world.rival for world in worlds)}, the {brakes} are "
        f"{name_common(world.brakes for world in worlds)} and the helpers are "
        f"{name_common(world.helpers for world in worlds)}. With {', '.join(held) or 'nobody'} "
        f"held and all others moved, {what} in {share:.0%} of these worlds. "
        f"{public.cause} moves alone, so the target moves exactly if "
        f"{public.cause} is in the live set."
    )


def choose_exactly(case: LogCase, _rng: Random) -> int:
    """Choose the run that is decisive in most of the worlds that fit."""
    return case.machine.find_best(case.left)


def move_all(case: LogCase, _rng: Random) -> int:
    """Moves everything but one suspect."""
    return (1 << len(case.others)) - 1


def hold_all(_case: LogCase, _rng: Random) -> int:
    """Moves or stops the cause alone; yes if the effect follows."""
    return 0


def move_some(case: LogCase, rng: Random) -> int:
    """Moves half of the others, chosen without the log."""
    # The best that one can do so: three or two.
    chosen = rng.sample(range(len(case.others)), len(case.others) // 2)
    return sum(1 << x for x in chosen)


def commit_to_one(case: LogCase, rng: Random) -> int:
    """Takes one fitting world for the true one and moves all but its rival set and brakes."""
    world = rng.choice(list(case.machine.list_fitting(case.left)))
    if case.machine.law.needs:
        return _act_on(case, world)
    everything = (1 << len(case.others)) - 1
    return everything & ~world.brakes & ~world.rival | world.helpers


def fit_pairs(case: LogCase, rng: Random) -> int:
    """Knows the law but for helpers: takes who guards and who rivals to account for every run."""
    _, rivalled, allowed, _, target = _compare_sets(case)
    return _act_on_best(case, (rivalled & allowed == target).sum(axis=0), rng)


def fit_one_set_first(case: LogCase, rng: Random) -> int:
    """Takes the set that alone comes nearest to the target, then the best one beside it."""
    _, rivalled, allowed, _, target = _compare_sets(case)
    alone = np.maximum((rivalled == target).sum(axis=0), (allowed == target).sum(axis=0))
    both = (rivalled & allowed == target).sum(axis=0)
    return _act_on_best(case, len(case.log) * alone + both, rng)


def strike_off(case: LogCase, rng: Random) -> int:
    """Strikes off by the law who cannot guard and who cannot rival, and acts on what is left."""
    _, rivalled, allowed, suspects, target = _compare_sets(case)
    barred = target & ~allowed | target & ~suspects & ~rivalled | ~target & allowed & rivalled
    return _act_on_best(case, -barred.sum(axis=0), rng)


def _compare_sets(case: LogCase) -> tuple[np.ndarray, ...]:
    """Return by row and by world who does what is needed, and by row suspects and target."""
    suspects, moved, target = np.array(case.log)[:, :, None].transpose(1, 0, 2)
    return (*case.machine.find_met(moved[:, 0]), suspects > 0, target > 0)


def _act_on_best(case: LogCase, liking: np.ndarray, rng: Random) -> int:
    """Return a run that is decisive in one of the worlds that a rule likes best."""
    best = np.flatnonzero(liking == liking.max())
    return _act_on(case, case.machine.worlds[rng.choice(best.tolist())])


def _act_on(case: LogCase, world: World) -> int:
    """Return the leanest run that is decisive in a world."""
    return max(case.machine.backgrounds, key=lambda c: (world.decides(c), -c.bit_count()))


def repeat_leanest(case: LogCase, _rng: Random) -> int:
    """Repeats the leanest run that worked, with one suspect held."""
    worked = [row for row in case.log if row.suspects and row.target]
    return min((row.moved for row in worked), key=int.bit_count, default=0)


def follow_columns(case: LogCase, _rng: Random) -> int:
    """Decides part by part by what worked runs and the others show of it."""
    worked = [row.moved for row in case.log if row.suspects and row.target]
    alone = [row.moved for row in case.log if not row.suspects and row.target]
    chosen = 0
    for x in range(len(case.others)):
        seen = {moved >> x & 1 for moved in worked}
        if 0 not in seen:
            moves = any(moved >> x & 1 for moved in (*worked, *alone))
        else:
            moves = 1 in seen and not all(moved >> x & 1 for moved in alone)
        chosen |= moves << x
    return chosen


def follow_correlations(case: LogCase, _rng: Random) -> int:
    """Moves the parts that go along with the target."""
    cells, target = _tabulate(case, suspects=True)
    slopes = (cells - cells.mean(axis=0)).T @ (target - target.mean())
    return _mask(slopes > 0)


def follow_least_squares(case: LogCase, _rng: Random) -> int:
    """Fits the target by parts and by parts with suspects."""
    cells, target = _tabulate(case)
    suspects = np.array([[float(row.suspects)] for row in case.log])
    design = np.hstack([np.ones_like(suspects), suspects, cells, suspects * cells])
    weights = np.linalg.lstsq(design, target, rcond=None)[0]
    # A run tells most where the target moves with the suspects and not without them.
    return _mask(weights[2 + cells.shape[1] :] > 0)


def forget_brakes(case: LogCase, _rng: Random) -> int:
    """Knows the law but for brakes."""
    worlds = case.machine.worlds
    simpler = {one._replace(brakes=0, needs=(*one.needs[:2], "none")) for one in worlds}
    return _weigh_simpler(simpler, case, -1)


def forget_helpers(case: LogCase, _rng: Random) -> int:
    """Knows the law but for helpers."""
    # It holds what may be a rival or a brake, and moves the rest.
    worlds = case.machine.worlds
    simpler = {one._replace(helpers=0, needs=("all", *one.needs[1:])) for one in worlds}
    return _weigh_simpler(simpler, case, 1)


def _weigh_simpler(worlds: set[World], case: LogCase, liking: int) -> int:
    """Return the run that is decisive in most of those simpler worlds that fit the log.

    Where nobody is needed to help, the suspects may move the target on any background or on none.

    Args:
        worlds: Worlds without brakes, or without helpers.
        case: The case.
        liking: 1 to move as many parts as can be, -1 as few.
    """
    shares = dict.fromkeys(case.machine.backgrounds, 0)
    for world in worlds:
        if all(
            any(
                world.moves(row.moved, live=live) == row.target
                for live in {row.suspects, row.suspects and world.helpers > 0}
            )
            for row in case.log
        ):
            for background in case.machine.backgrounds:
                shares[background] += world.decides(background)
    return max(shares, key=lambda c: (shares[c], liking * c.bit_count()))


def _tabulate(case: LogCase, *, suspects: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """Return who moved in each row, and the target."""
    rows = [row for row in case.log if row.suspects or not suspects] or list(case.log)
    cells = [[float(row.moved >> x & 1) for x in range(len(case.others))] for row in rows]
    return np.array(cells), np.array([float(row.target) for row in rows])


def _mask(chosen: np.ndarray) -> int:
    return sum(1 << x for x, moves in enumerate(chosen) if moves)


# The trained rule is told the law. Of every set that could help, rival or brake it sees in how many
# rows the set does what is needed, by suspects and target, and all products of two such counts. By
# regularised least squares it learns from fresh logs which sets do play that part. No bound is
# claimed against such learners: this one stands beside exact inference as a mark.
STUDIED_LOGS = 100
_STUDY_SEED = 710_031
"""No named set is drawn from this seed."""


def follow_training(case: LogCase, rng: Random) -> int:
    """Takes the sets that a rule told the law, and trained on 100 logs, likes best."""
    numbers = _describe_sets(case.machine, case.log)
    liking = np.einsum("pwf,pf->w", numbers, _train("laws" if case.machine.law.needs else "log"))
    return _act_on_best(case, liking, rng)


@lru_cache(maxsize=2)  # seconds each, and every case asks
def _train(kind: str) -> np.ndarray:
    """Learn from fresh logs; it takes seconds, and a set plays hundreds of cases with it."""
    rng = stream(_STUDY_SEED, "causallink", "trained")
    drawn = list(chain.from_iterable(draw_logs(kind, rng) for _ in range(STUDIED_LOGS)))
    tables = np.concatenate([_describe_sets(one.machine, one.log) for one in drawn], axis=1)
    right = [one.machine.parts == np.array(one.truth[:3])[:, None] for one in drawn]
    across = tables.transpose(0, 2, 1)
    gram = across @ tables + np.eye(tables.shape[2])
    learnt: np.ndarray = np.linalg.solve(gram, across @ np.concatenate(right, axis=1)[..., None])
    return learnt[..., 0]


def _describe_sets(machine: Machine, log: Sequence[Row]) -> np.ndarray:
    """Return numbers for helpers, rival set and brakes of each world: counts and their products."""
    suspects, moved, target = np.array(log).T
    kinds = (2 * suspects + target == np.arange(4)[:, None]).astype(float)
    met = machine.find_met(moved).transpose(0, 2, 1)
    counts = np.concatenate([met @ kinds.T, ~met @ kinds.T, np.ones_like(met[..., :1])], axis=2)
    first, second = np.triu_indices(counts.shape[2])
    products: np.ndarray = counts[..., first] * counts[..., second]
    return products
