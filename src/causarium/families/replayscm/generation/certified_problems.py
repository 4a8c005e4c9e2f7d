"""Problems with proof: training worlds that leave exactly one model, whatever is told of it.

Worlds are chosen against the open obligations of the proof itself, with neither roots nor order
told, so that one choice serves every setting. Held-out worlds are then chosen for novelty: as many
of their scored cells as can be stand in rows that were never shown.
"""

from collections.abc import Sequence
from functools import lru_cache
from random import Random
from typing import NamedTuple

import numpy as np

from causarium.families.replayscm.config import FAMILY_NAME, Pool
from causarium.families.replayscm.generation.published_problems import (
    HELDOUT,
    Problem,
    propose_distinct_worlds,
)
from causarium.families.replayscm.generation.true_models import (
    ROOTS,
    Latent,
    draw_latent,
    parse_address,
)
from causarium.families.replayscm.mechanics.intervention_worlds import Laboratory, Panel
from causarium.scm.boolean.model import BooleanScm
from causarium.scm.boolean.proof_duties import ProofDuties
from causarium.scm.boolean.propose_worlds import World, propose
from causarium.scm.boolean.row_evidence import Admissible
from causarium.scm.boolean.select_worlds import Goal
from causarium.scm.boolean.short_evidence import draw_pool, few_worlds
from causarium.scm.boolean.world_bound import fewest_worlds
from causarium.scm.dag import bits
from causarium.seeds import stream

_HELDOUT_TRIED = 300
_MOST_HELD_SET = 5
"""In how many held-out worlds a variable may be set."""


@lru_cache(maxsize=512)
def generate_certified(pool: Pool, seed: int, index: int, *, longer: int = 0) -> Problem:
    """Return the model at an address with worlds that prove it, and `longer` more than needed."""
    if longer:
        problem = generate_certified(pool, seed, index)
        rng = stream(seed, FAMILY_NAME, "longer", pool, index)
        taken = problem.reserved | {panel.signature for panel in problem.train}
        return problem.add_worlds(propose_distinct_worlds(problem.lab, rng, longer, taken))
    latent, lab = _model(pool, seed, index)
    attempt = 0
    while True:
        train = _proving(latent, lab, _selection_rng(pool, seed, index, attempt))
        rng = stream(seed, FAMILY_NAME, "heldout", pool, index, attempt)
        heldout = novel_worlds(lab, train, rng) if train else []
        if len(heldout) == HELDOUT:
            return Problem(latent, lab, tuple(train), tuple(heldout))
        attempt += 1


def _selection_rng(pool: Pool, seed: int, index: int, attempt: int) -> Random:
    return stream(seed, FAMILY_NAME, "certified", pool, index, attempt)


class Considered(NamedTuple):
    """The worlds from which those of a problem were chosen."""

    worlds: int
    """How many there were."""
    at_least: int
    """How many of them, with the first one, any choice needs that leaves one model."""


@lru_cache(maxsize=512)
def list_considered_worlds(latent: str) -> Considered | None:
    """Return what the worlds of the certified problem at an address were chosen from.

    None where the worlds were not chosen so.
    """
    pool, seed, index = parse_address(latent)
    if pool not in {"core", "large-12", "large-14"}:
        return None
    model, lab = _model(pool, seed, index)
    start = World(lab.observe().rows, 0)
    rng = _selection_rng(pool, seed, index, 0)
    drawn = draw_pool(ProofDuties(model.scm), [start], lab.design(), rng)
    return None if drawn is None else Considered(len(drawn.targets), 1 + fewest_worlds(drawn))


def everything_hidden(scm: BooleanScm) -> Admissible:
    """Return the models that are admissible where neither roots nor order are told."""
    return Admissible.hidden_roots(scm.n, ROOTS)


def _model(pool: Pool, seed: int, index: int) -> tuple[Latent, Laboratory]:
    latent = draw_latent(pool, seed, index, 0)
    stratum, rng = latent.stratum, stream(seed, FAMILY_NAME, "units", pool, index)
    lab = Laboratory.draw(latent.scm, stratum.units, stratum.targets, stratum.constant, rng)
    return latent, lab


def _proving(latent: Latent, lab: Laboratory, rng: Random) -> list[Panel]:
    """Return worlds that leave one model; none if the search for them was given up."""
    start = World(lab.observe().rows, 0)
    goal = Goal.for_whole_model(latent.scm, everything_hidden(latent.scm))
    chosen = few_worlds(goal, [start], lab.design(), rng)
    return [Panel.of(world) for world in (start, *chosen)] if chosen is not None else []


def novel_worlds(lab: Laboratory, train: Sequence[Panel], rng: Random) -> list[Panel]:
    """Return held-out worlds that do what no training world does, the most novel first."""
    shown = np.array([row for panel in train for row in panel.rows], np.uint32)
    taken = {panel.signature for panel in train}
    worlds = propose(lab.scm, lab.design(), rng, _HELDOUT_TRIED)
    novel = (~np.isin(worlds.rows, shown)).sum(axis=1)
    chosen: list[Panel] = []
    held_set = [0] * lab.scm.n
    for place in np.argsort(-novel, kind="stable").tolist():
        panel = Panel.of(worlds[place])
        members = list(bits(panel.targets))
        if not members or panel.signature in taken:
            continue
        if all(held_set[i] < _MOST_HELD_SET for i in members):
            chosen.append(panel)
            taken.add(panel.signature)
            for i in members:
                held_set[i] += 1
        if len(chosen) == HELDOUT:
            break
    return chosen
