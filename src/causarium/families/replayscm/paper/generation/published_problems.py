"""Draw a true model with training and held-out worlds that pass every filter.

A draw that fails a filter is thrown away, model and worlds together, and the next attempt is made.
Every setting and every rung of support starts from what comes out here.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from random import Random
from typing import cast

import numpy as np
from numpy.typing import NDArray

from causarium.scm.boolean.model import BooleanScm
from causarium.scm.boolean.row_evidence import Admissible, ModelFacts
from causarium.scm.boolean.shortest_formulas import compute_shortest, minimal_size
from causarium.scm.dag import bits
from causarium.seeds import stream
from ..mechanics import Panel, Signature, coverage, panel_evidence
from ..model.instance import FAMILY_NAME, Mode
from .true_models import POOL, Latent, draw_latent

_Words = NDArray[np.uint32]
_MOST_EACH = 400
"""So many functions of one set of arguments are kept; more of them tell nothing new."""
ENVIRONMENTS = (0.2, 0.35, 0.5, 0.65, 0.8)
BIASES = (0.3, 0.5, 0.7)
"""How likely a row-wise assignment is 1."""


@dataclass(frozen=True)
class Laboratory:
    """A true model, and the units on which worlds are tried out.

    A unit has a threshold for each root, the same in every world; a world has a level for each
    root, and a root that is not set is 1 in the units with a threshold below the level.
    """

    scm: BooleanScm
    thresholds: tuple[tuple[float, ...], ...]
    """For each unit its threshold for each root, roots in listing order."""
    target_counts: tuple[tuple[int, int], ...]
    """How often a random world sets so many variables."""
    constant: float
    """How often a random world that sets something holds it at one value."""

    @classmethod
    def draw(
        cls, scm: BooleanScm, units: int, targets: Mapping[int, int], constant: float, rng: Random
    ) -> "Laboratory":
        """Draw so many units of a problem; all else is taken as it is."""
        roots = range(scm.roots.bit_count())
        thresholds = tuple(tuple(rng.random() for _ in roots) for _ in range(units))
        return cls(scm, thresholds, tuple(targets.items()), constant)

    def observe(self) -> Panel:
        """Return the world in which nothing is set and every root is as likely 1 as 0."""
        return self._run("none", 0, [0.5] * self.scm.roots.bit_count(), None)

    def world(self, mode: Mode, targets: int, rng: Random) -> Panel:
        """Return the world of one intervention, with a random environment."""
        levels = [rng.choice(ENVIRONMENTS) for _ in range(self.scm.roots.bit_count())]
        if mode == "hard_constant":
            constant = sum((rng.random() < 0.5) << i for i in bits(targets))
            return self._run(mode, targets, levels, [constant] * len(self.thresholds))
        if mode == "hard_assigned":
            return self._run(mode, targets, levels, assign(targets, len(self.thresholds), rng))
        return self._run(mode, 0, levels, None)

    def random_worlds(
        self, rng: Random, count: int, counts: Mapping[int, int] | None = None
    ) -> list[Panel]:
        """Draw worlds with random targets; those that would show nothing are left out."""
        n, scm = self.scm.n, self.scm
        draws = _draw_uniform(rng, count * n).reshape(count, n)
        weights = dict(self.target_counts) if counts is None else counts
        sizes = np.array(rng.choices(list(weights), list(weights.values()), k=count), np.int64)
        ranks = draws.argsort(axis=1, kind="stable").argsort(axis=1, kind="stable")
        targets = _pack_bits(ranks < sizes[:, None])
        # Targets that leave nothing that follows from anything show nothing.
        targets = np.where(np.uint32(scm.endogenous) & ~targets, targets, np.uint32(0))
        rows = self._draw_roots(rng, count) & ~targets[:, None]
        rows = rows | self._draw_values(rng, count) & targets[:, None]
        rows = scm.replay(rows, targets[:, None])
        return [
            Panel(_name_mode(row, target), target, tuple(row))
            for row, target in zip(rows.tolist(), targets.tolist(), strict=True)
            if target
        ]

    def _draw_roots(self, rng: Random, count: int) -> _Words:
        thresholds = np.array(self.thresholds)
        roots = np.zeros((count, len(thresholds)), np.uint32)
        for j, root in enumerate(bits(self.scm.roots)):
            level = _draw_choices(rng, ENVIRONMENTS, count)[:, None]
            roots |= (thresholds[:, j] < level).astype(np.uint32) << np.uint32(root)
        return roots

    def _draw_values(self, rng: Random, count: int) -> _Words:
        """Return values for every variable; those that have their own in each row have both."""
        n, units = self.scm.n, len(self.thresholds)
        own = _draw_uniform(rng, count)[:, None] < 1 - self.constant
        bias = (_draw_choices(rng, BIASES, count * n) * 256).astype(np.uint8)
        draws = np.frombuffer(rng.randbytes(count * units * n), np.uint8)
        ones: NDArray[np.bool_] = draws.reshape(count, units, n) < bias.reshape(count, 1, n)
        flip = (_draw_uniform(rng, count * n) * units).astype(np.intp).reshape(count, n)
        constant = ones.all(axis=1) | ~ones.any(axis=1)
        world, variable = np.nonzero(constant & own & (units > 1))
        ones[world, flip[world, variable], variable] ^= True
        same = (_draw_uniform(rng, count * n) < 0.5).reshape(count, 1, n)
        return _pack_bits(np.where(own[:, :, None], ones, same))

    def force_values(self, targets: int, values: Sequence[int], rng: Random) -> Panel:
        """Return the world with `values` at the targets, row after row."""
        levels = [rng.choice(ENVIRONMENTS) for _ in range(self.scm.roots.bit_count())]
        rows = [values[u % len(values)] for u in range(len(self.thresholds))]
        return self._run("hard_assigned", targets, levels, rows)

    def _run(
        self, mode: Mode, targets: int, levels: Sequence[float], values: Sequence[int] | None
    ) -> Panel:
        rows = []
        for u, unit in enumerate(self.thresholds):
            row = values[u] if values is not None else 0
            for root, threshold, level in zip(bits(self.scm.roots), unit, levels, strict=True):
                if threshold < level and not targets >> root & 1:
                    row |= 1 << root
            rows.append(row)
        followed = self.scm.replay(np.array(rows, np.uint32), targets)
        return Panel(mode, targets, tuple(followed.tolist()))


def assign(targets: int, rows: int, rng: Random) -> list[int]:
    """Return row-wise values of the targets; each takes both values if there are two rows."""
    values = [0] * rows
    for i in bits(targets):
        bias = rng.choice(BIASES)
        column = [rng.random() < bias for _ in range(rows)]
        if rows > 1 and len(set(column)) == 1:
            place = rng.randrange(rows)
            column[place] = not column[place]
        for u, one in enumerate(column):
            values[u] |= one << i
    return values


def novelty(panel: Panel, train: Iterable[Panel]) -> float:
    """Return how far a world's targets are from the nearest training world's: 1 - Jaccard."""
    overlaps = (
        (panel.targets & other.targets).bit_count()
        / max(1, (panel.targets | other.targets).bit_count())
        for other in train
    )
    return 1 - max(overlaps, default=0.0)


def _draw_uniform(rng: Random, count: int) -> NDArray[np.float64]:
    # From bytes, for numpy's own generators may draw otherwise in another version.
    return np.frombuffer(rng.randbytes(4 * count), "<u4") * 2.0**-32


def _draw_choices(rng: Random, options: Sequence[float], count: int) -> NDArray[np.float64]:
    return np.array(options)[(_draw_uniform(rng, count) * len(options)).astype(np.intp)]


def _pack_bits(values: NDArray[np.bool_]) -> _Words:
    return cast("_Words", values @ (np.uint32(1) << np.arange(values.shape[-1], dtype=np.uint32)))


def _name_mode(rows: Sequence[int], targets: int) -> Mode:
    return "hard_constant" if len({row & targets for row in rows}) == 1 else "hard_assigned"


@dataclass(frozen=True)
class Rivals:
    """Functions of the same arguments that all fit; none is the truth."""

    variable: int
    inputs: tuple[int, ...]
    tables: _Words

    def ruled_out(self, rows: _Words, targets: _Words) -> NDArray[np.bool_]:
        """Return which world rules out which function, one line a function.

        Args:
            rows: For each world its rows; all have equally many.
            targets: For each world what is set in it.
        """
        index = np.zeros(rows.shape, np.uint32)
        for j, i in enumerate(self.inputs):
            index |= (rows >> np.uint32(i) & np.uint32(1)) << np.uint32(j)
        # Worlds in which the variable is set show no pattern.
        free = (targets >> np.uint32(self.variable) & np.uint32(1) == 0)[:, None]
        met = np.where(free, np.uint32(1) << index, np.uint32(0))
        one = (rows >> np.uint32(self.variable) & np.uint32(1)).astype(np.bool_)
        zeros, ones = (
            np.bitwise_or.reduce(np.where(here, met, np.uint32(0)), axis=1) for here in (~one, one)
        )
        wrong = (self.tables[:, None] & zeros) | (~self.tables[:, None] & ones)
        return cast("NDArray[np.bool_]", wrong != 0)


def rivals(
    latent: Latent, train: Sequence[Panel], caps: Mapping[int, int], most_inputs: int
) -> list[Rivals]:
    """Return the functions of earlier variables that fit and are not the truth.

    Args:
        latent: The true model.
        train: The worlds seen so far.
        caps: For each variable, how long a function's shortest formula may be.
        most_inputs: On how many variables a function may depend.
    """
    admissible = Admissible.from_order(latent.n, latent.scm.roots, latent.endogenous, most_inputs)
    known = ModelFacts.of(panel_evidence(train, latent.n), admissible)
    found = [
        _fitting(latent, known, variable, mask, cap)
        for variable, cap in caps.items()
        for mask in admissible.layout.parents[variable, known.explains[variable]].tolist()
        if mask
    ]
    return [one for one in found if len(one.tables)]


def rule_outs(found: Sequence[Rivals], candidates: Sequence[Panel]) -> NDArray[np.bool_]:
    """Return which candidate world rules out which function, one line a function."""
    if not found:
        return np.zeros((0, len(candidates)), np.bool_)
    rows = np.array([panel.rows for panel in candidates], np.uint32)
    targets = np.array([panel.targets for panel in candidates], np.uint32)
    return np.concatenate([one.ruled_out(rows, targets) for one in found])


def _fitting(latent: Latent, known: ModelFacts, variable: int, mask: int, cap: int) -> Rivals:
    zeros, ones = known.facts(variable, mask)
    arity = mask.bit_count()
    levels = [tables for length, tables in compute_shortest(arity).full if length <= cap]
    tables = np.concatenate([*levels, np.zeros(0, np.uint32)]).astype(np.uint32)
    tables = tables[(tables & zeros == 0) & (~tables & ones == 0)]
    if mask == latent.scm.parents[variable]:
        tables = tables[tables != latent.scm.tables[variable]]
    return Rivals(variable, tuple(bits(mask)), tables[:_MOST_EACH])


TRAIN = 8
"""How many training worlds there are before worlds against rivals are added."""
HELDOUT = 8
_ROUNDS, _SPARE = 2, 12
"""How often, and with how many to spare, worlds that differ are looked for."""
SHORTCUT_LENGTH = 5
SHORTCUT_INPUTS = 3
RIVAL_SLACK, RIVAL_LENGTH, RIVAL_INPUTS = 2, 8, 4
"""A rival may be so much longer than the truth, and so long at most, with so many inputs."""
MOST_ADDED = 3
_LEAST_RULED_OUT = 4
"""A further world is added if it rules out so many rivals."""
SCORED_WORLDS, SCORED_CELLS, MOST_SET = 3, 33, 5
"""In how many worlds and cells each mechanism is to be seen at least, and set at most."""
HELDOUT_WORLDS, HELDOUT_CELLS = 2, 22
LEAST_ASSIGNED, LEAST_CONSTANT = 3, 1
NOVELTY = (0.2, 0.72)
LEAST_COVERAGE = 0.84


@dataclass(frozen=True)
class Problem:
    """A true model with its worlds."""

    latent: Latent
    lab: Laboratory
    train: tuple[Panel, ...]
    heldout: tuple[Panel, ...]

    @property
    def reserved(self) -> frozenset[Signature]:
        """What is done in held-out worlds, and so in no training world."""
        return frozenset(panel.signature for panel in self.heldout)

    def add_worlds(self, added: Sequence[Panel]) -> "Problem":
        """Return the problem with further training worlds."""
        return replace(self, train=(*self.train, *added))


@lru_cache(maxsize=512)  # 0.3 s each, and levels share it
def generate_original(seed: int, index: int) -> Problem:
    """Draw the problem at an address."""
    attempt = 0
    while True:
        latent = draw_latent(seed, index, attempt)
        rng = stream(seed, FAMILY_NAME, "original", POOL, index, attempt)
        problem = _propose_problem(latent, rng)
        if problem is not None and acceptable(problem):
            return problem
        attempt += 1


def _propose_problem(latent: Latent, rng: Random) -> Problem | None:
    stratum = latent.stratum
    lab = Laboratory.draw(latent.scm, stratum.units, stratum.targets, stratum.constant, rng)
    heldout = propose_distinct_worlds(lab, rng, HELDOUT, frozenset())
    reserved = frozenset(panel.signature for panel in heldout)
    pool = propose_distinct_worlds(lab, rng, rng.randint(*stratum.candidates), reserved)
    train = [
        lab.observe(),
        *_take_first(pool, "hard_constant"),
        *_take_first(pool, "hard_assigned"),
    ]
    if not _rule_out_shortcuts(latent, train, pool):
        return None
    train += [panel for panel in pool if panel not in train][: TRAIN - len(train)]
    _rule_out_rivals(latent, train, pool)
    return Problem(latent, lab, tuple(train), tuple(heldout))


def propose_distinct_worlds(
    lab: Laboratory, rng: Random, count: int, reserved: frozenset[Signature]
) -> list[Panel]:
    """Return random worlds that all do something else, and nothing that is reserved."""
    found: dict[Signature, Panel] = {}
    # Few variables have few interventions, so the search for new ones is given up at some point.
    for _ in range(_ROUNDS):
        for panel in lab.random_worlds(rng, count + _SPARE):
            if panel.signature not in reserved:
                found.setdefault(panel.signature, panel)
        if len(found) >= count:
            break
    return list(found.values())[:count]


def _take_first(pool: Sequence[Panel], mode: str) -> list[Panel]:
    return [panel for panel in pool if panel.mode == mode][:1]


def _rule_out_shortcuts(latent: Latent, train: list[Panel], pool: Sequence[Panel]) -> bool:
    """Add the worlds that rule out most shortcuts; says whether enough are ruled out."""
    caps = dict.fromkeys(latent.endogenous, SHORTCUT_LENGTH)
    ruled = rule_outs(rivals(latent, train, caps, SHORTCUT_INPUTS), pool)
    at_first = len(ruled)
    while len(ruled) and len(train) < TRAIN:
        best, ruled = _strike(ruled)
        if best is None:
            break
        train.append(pool[best])
    return len(ruled) <= (1 - latent.stratum.reduction) * at_first


def _rule_out_rivals(latent: Latent, train: list[Panel], pool: Sequence[Panel]) -> None:
    """Add up to three worlds that each rule out many of the longer functions that still fit."""
    ruled = rule_outs(rivals(latent, train, _rival_lengths(latent), RIVAL_INPUTS), pool)
    for _ in range(MOST_ADDED):
        best, left = _strike(ruled)
        if best is None or len(ruled) - len(left) < _LEAST_RULED_OUT:
            return
        train.append(pool[best])
        ruled = left


def _rival_lengths(latent: Latent) -> dict[int, int]:
    scm = latent.scm
    lengths = {i: minimal_size(scm.tables[i], scm.parents[i].bit_count()) for i in scm.order}
    return {i: min(RIVAL_LENGTH, length + RIVAL_SLACK) for i, length in lengths.items()}


def _strike(ruled: NDArray[np.bool_]) -> tuple[int | None, NDArray[np.bool_]]:
    """Return the world that rules out most, and what it leaves; None if none rules out any."""
    counts = ruled.sum(axis=0) if len(ruled) else np.zeros(1)
    best = int(counts.argmax())
    return (best, ruled[~ruled[:, best]]) if counts[best] else (None, ruled)


def acceptable(problem: Problem) -> bool:
    """Say whether a problem passes all filters on exposure, modes, novelty and coverage."""
    latent, train, heldout = problem.latent, problem.train, problem.heldout
    modes = [panel.mode for panel in train]
    if (
        modes.count("hard_assigned") < LEAST_ASSIGNED
        or modes.count("hard_constant") < LEAST_CONSTANT
    ):
        return False
    if not all(_is_exposed(i, train, heldout) for i in latent.endogenous):
        return False
    mean = sum(novelty(panel, train) for panel in heldout) / len(heldout)
    return (
        len(heldout) == HELDOUT
        and NOVELTY[0] <= mean <= NOVELTY[1]
        and coverage(train, latent.windows) >= LEAST_COVERAGE
    )


def _is_exposed(variable: int, train: Sequence[Panel], heldout: Sequence[Panel]) -> bool:
    scored = [panel for panel in train if not panel.targets >> variable & 1]
    later = [panel for panel in heldout if not panel.targets >> variable & 1]
    values = {row >> variable & 1 for panel in scored for row in panel.rows}
    return (
        len(scored) >= SCORED_WORLDS
        and sum(len(panel.rows) for panel in scored) >= SCORED_CELLS
        and len(train) - len(scored) <= MOST_SET
        and len(values) > 1
        and len(later) >= HELDOUT_WORLDS
        and sum(len(panel.rows) for panel in later) >= HELDOUT_CELLS
    )
