"""Problems as published: a true model with training and held-out worlds that pass every filter.

A draw that fails a filter is thrown away, model and worlds together, and the next attempt is made.
Every setting and every rung of support starts from what comes out here.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from random import Random
from typing import cast

import numpy as np
from numpy.typing import NDArray

from causarium.families.replayscm.evidence.boolean_view import panel_evidence
from causarium.families.replayscm.generation.true_models import Latent, draw_latent
from causarium.families.replayscm.mechanics.intervention_worlds import (
    Laboratory,
    Panel,
    Signature,
    coverage,
    novelty,
    patterns_seen,
)
from causarium.families.replayscm.model.config import FAMILY_NAME, Pool
from causarium.scm.boolean.row_evidence import Admissible, Known
from causarium.scm.boolean.shortest_formulas import compute_shortest, minimal_size
from causarium.scm.dag import bits
from causarium.seeds import stream

_Words = NDArray[np.uint32]
_MOST_EACH = 400
"""So many functions of one set of arguments are kept; more of them tell nothing new."""


@dataclass(frozen=True)
class Rows:
    """The rows of some worlds as arrays: one line a world."""

    rows: _Words
    targets: _Words

    @classmethod
    def of(cls, panels: Sequence[Panel]) -> "Rows":
        """Put worlds with equally many rows side by side."""
        rows = np.array([panel.rows for panel in panels], np.uint32)
        return cls(rows, np.array([panel.targets for panel in panels], np.uint32))

    def list_patterns(self, variable: int, inputs: Sequence[int]) -> tuple[_Words, _Words]:
        """Return, for each world, the patterns on `inputs` met where the variable is 0, and is 1.

        Patterns are bits of a mask; worlds in which the variable is set show none.
        """
        index = np.zeros(self.rows.shape, np.uint32)
        for j, i in enumerate(inputs):
            index |= (self.rows >> np.uint32(i) & np.uint32(1)) << np.uint32(j)
        met = np.uint32(1) << index
        one = (self.rows >> np.uint32(variable) & np.uint32(1)).astype(np.bool_)
        free = (self.targets >> np.uint32(variable) & np.uint32(1) == 0)[:, None]
        zeros = np.bitwise_or.reduce(np.where(~one & free, met, np.uint32(0)), axis=1)
        ones = np.bitwise_or.reduce(np.where(one & free, met, np.uint32(0)), axis=1)
        return zeros, ones


@dataclass(frozen=True)
class Rivals:
    """Functions of the same arguments that all fit, and none of which is the truth."""

    variable: int
    inputs: tuple[int, ...]
    tables: _Words

    def ruled_out(self, worlds: Rows) -> NDArray[np.bool_]:
        """Return which world rules out which function, one line a function."""
        zeros, ones = worlds.list_patterns(self.variable, self.inputs)
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
    known = Known.of(panel_evidence(train, latent.n), admissible)
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
    rows = Rows.of(candidates)
    return np.concatenate([one.ruled_out(rows) for one in found])


def _fitting(latent: Latent, known: Known, variable: int, mask: int, cap: int) -> Rivals:
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


@lru_cache(maxsize=512)
def generate_original(pool: Pool, seed: int, index: int) -> Problem:
    """Draw the problem at an address."""
    attempt = 0
    while True:
        latent = draw_latent(pool, seed, index, attempt)
        rng = stream(seed, FAMILY_NAME, "original", pool, index, attempt)
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
    """Return random worlds no two of which do the same, nor what is reserved."""
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


def fully_covered(problem: Problem) -> bool:
    """Say whether every pattern on every window was met."""
    seen = patterns_seen(problem.train, problem.latent.windows)
    return all(len(seen[i]) == 1 << w.bit_count() for i, w in problem.latent.windows.items())
