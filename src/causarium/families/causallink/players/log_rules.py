"""Choosing the one run of a log level: exact inference, and everything that does with less.

Each rule returns a background: which others move. The suspect asked about is moved, the other one
held, and the answer is yes if the target moves. So a rule differs from another in the background
alone, and earns in expectation the share of the fitting worlds in which it is decisive. What a
rule's docstring says is what people read of its player.
"""

from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import combinations, permutations
from random import Random
from typing import cast

import numpy as np

from causarium.contract.player import Moves
from causarium.families.causallink.generation.draw_log import draw_logs
from causarium.families.causallink.mechanics import LogCase, Row, World
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
        f"{len(worlds)} worlds fit the log. In all of them the rival set holds "
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

    def count_misses(world: World) -> int:
        return sum(world.moves(row.moved, live=False) != row.target for row in case.log)

    misses = {world: count_misses(world) for world in case.machine.worlds}
    least = min(misses.values())
    return _act_on(case, rng.choice([world for world in misses if misses[world] == least]))


def _act_on(case: LogCase, world: World) -> int:
    """Return the leanest run that is decisive in a world."""
    return max(case.machine.backgrounds, key=lambda c: (world.decides(c), -c.bit_count()))


def repeat_leanest(case: LogCase, _rng: Random) -> int:
    """Repeats the leanest run that worked, with one suspect held."""
    worked = [row for row in case.log if row.suspects and row.target]
    return min((row.moved for row in worked), key=int.bit_count, default=0)


def fill_at_random(case: LogCase, rng: Random) -> int:
    """Repeats the leanest worked run with a random unseen part moved."""
    lean = repeat_leanest(case, rng)
    unseen = [row.unseen for row in case.log if row.suspects and row.target and row.moved == lean]
    hidden = [x for x in range(len(case.others)) if unseen and unseen[0] >> x & 1]
    return lean | (1 << rng.choice(hidden) if hidden else 0)


def follow_columns(case: LogCase, _rng: Random) -> int:
    """Decides part by part by what worked runs and the others show of it."""
    worked = [row for row in case.log if row.suspects and row.target]
    alone = [row for row in case.log if not row.suspects and row.target]
    chosen = 0
    for x in range(len(case.others)):
        seen = {row.state(x) for row in worked}
        if "0" not in seen:
            moves = any(row.state(x) == "1" for row in (*worked, *alone))
        else:
            moves = "1" in seen and any(row.state(x) == "0" for row in alone)
        chosen |= moves << x
    return chosen


def fill_nearest(case: LogCase, rng: Random) -> int:
    """Repeats a worked run with one unseen part moved, as near to `hand_rule` as can be."""
    aim = follow_columns(case, rng)
    fillings = [
        filling
        for row in case.log
        if row.suspects and row.target
        for filling in row.fillings()
        if (filling & row.unseen).bit_count() == 1 or not row.unseen
    ]
    return min(fillings, key=lambda c: ((c ^ aim).bit_count(), c.bit_count(), c), default=aim)


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


def follow_nearest_rows(case: LogCase, _rng: Random) -> int:
    """Plays the background most like the runs that worked."""
    cells, _ = _tabulate(case)
    signs = np.array([1.0 if row.suspects and row.target else -1.0 for row in case.log])
    others = np.arange(len(case.others))
    best = max(
        case.machine.backgrounds,
        key=lambda c: float(signs @ np.exp(-np.abs(cells - (c >> others & 1)).sum(axis=1))),
    )
    return int(best)


def take_unseen_as_held(case: LogCase, _rng: Random) -> int:
    """Knows the law, and takes all that was not seen as held."""
    return _weigh(case, [row._replace(unseen=0) for row in case.log])


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
                world.moves(c, live=live) == row.target
                for c in row.fillings()
                for live in {row.suspects, row.suspects and world.helpers > 0}
            )
            for row in case.log
        ):
            for background in case.machine.backgrounds:
                shares[background] += world.decides(background)
    return max(shares, key=lambda c: (shares[c], liking * c.bit_count()))


def follow_recipe(case: LogCase, _rng: Random) -> int:
    """Holds the parts x and y for which x and not y is nearest by fourth powers."""
    cells, target = _tabulate(case)
    x, y = min(
        permutations(range(len(case.others)), 2),
        key=lambda pair: float(((cells[:, pair[0]] * (1 - cells[:, pair[1]]) - target) ** 4).sum()),
    )
    return (1 << len(case.others)) - 1 & ~(1 << x | 1 << y)


def ignore_target(case: LogCase, rng: Random) -> int:
    """Holds one of each two parts with the same cells, and never looks at the target."""
    columns = [
        sorted((row.suspects, row.state(x)) for row in case.log) for x in range(len(case.others))
    ]
    twins = [
        (x, y) for x, y in combinations(range(len(case.others)), 2) if columns[x] == columns[y]
    ]
    held = sum(1 << x for x in {rng.choice(pair) for pair in twins[:2]})
    return (1 << len(case.others)) - 1 & ~held


def _weigh(case: LogCase, log: list[Row]) -> int:
    return case.machine.find_best(case.machine.fit_all(log) or case.machine.every)


def _tabulate(case: LogCase, *, suspects: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """Return what was seen of each part in each row, unseen as one half, and the target."""
    rows = [row for row in case.log if row.suspects or not suspects] or list(case.log)
    values = {"0": 0.0, "1": 1.0, "?": 0.5}
    cells = [[values[row.state(x)] for x in range(len(case.others))] for row in rows]
    return np.array(cells), np.array([float(row.target) for row in rows])


def _mask(chosen: np.ndarray) -> int:
    return sum(1 << x for x, moves in enumerate(chosen) if moves)


# The trained rule sees of each part how often it was moved, held or unseen in each kind of row, and
# how many parts moved beside it there. It learns by regularised least squares on these numbers and
# their products whether the best run moves the part. No bound is claimed against such learners:
# this one stands beside exact inference as a mark.
STUDIED_LOGS = 150
_STUDY_SEED = 710_031
"""No named set is drawn from this seed."""
_PENALTY = 1.0
_KINDS = tuple((suspects, target) for suspects in (True, False) for target in (True, False))


def follow_training(case: LogCase, _rng: Random) -> int:
    """Decides part by part with a rule learnt from 150 fresh logs."""
    kind = "screens" if any(row.unseen for row in case.log) else "log"
    weights = _train("laws" if case.machine.law.needs else kind)
    moves = _describe_parts(case.log, len(case.others)) @ weights > 0.5
    return _mask(moves)


@lru_cache(maxsize=3)  # seconds each, and every case asks
def _train(kind: str) -> np.ndarray:
    """Learn from fresh logs; it takes seconds, and a set plays hundreds of cases with it."""
    rng = stream(_STUDY_SEED, "causallink", "trained")
    features: list[np.ndarray] = []
    moved: list[float] = []
    while len(features) < STUDIED_LOGS:
        for machine, log, left, _ in draw_logs(kind, rng):
            best = machine.find_best(left)
            features.append(_describe_parts(log, machine.law.others))
            moved += [float(best >> x & 1) for x in range(machine.law.others)]
    table = np.vstack(features)
    gram = table.T @ table + _PENALTY * np.eye(table.shape[1])
    return np.linalg.solve(gram, table.T @ np.array(moved))


def _describe_parts(log: tuple[Row, ...], others: int) -> np.ndarray:
    """Return one row of numbers for each part: counts, row sizes, and all products of two."""
    counts = np.zeros((others, len(_KINDS) * 3 * 2))
    for row in log:
        size = row.moved.bit_count() / others
        for x in range(others):
            column = 3 * _KINDS.index((row.suspects, row.target)) + "01?".index(row.state(x))
            counts[x, 2 * column : 2 * column + 2] += (1.0, size)
    plain = np.hstack([np.ones((others, 1)), counts])
    first, second = np.triu_indices(plain.shape[1])
    return plain[:, first] * plain[:, second]
