"""Problems with proof: training worlds that leave exactly one model, whatever is told of it.

Worlds are chosen against the open obligations of the proof itself, with neither roots nor order
told, so that one choice serves every setting. Held-out worlds are then chosen for novelty: as many
of their scored cells as can be stand in rows that were never shown.
"""

from collections.abc import Sequence
from functools import lru_cache
from random import Random

from causarium.families.replayscm.config import FAMILY_NAME, Pool
from causarium.families.replayscm.generation.published_problems import (
    HELDOUT,
    Problem,
    distinct,
    original,
)
from causarium.families.replayscm.generation.true_models import ROOTS, Latent, draw_latent
from causarium.families.replayscm.mechanics.intervention_worlds import Laboratory, Panel
from causarium.scm.boolean.model import BooleanScm
from causarium.scm.boolean.propose_worlds import World
from causarium.scm.boolean.row_evidence import Admissible
from causarium.scm.boolean.select_worlds import Goal, select_worlds
from causarium.seeds import stream

_HELDOUT_TRIED = 300
_MOST_HELD_SET = 5
"""In how many held-out worlds a variable may be set."""


@lru_cache(maxsize=512)
def certified(pool: Pool, seed: int, index: int, *, longer: int = 0) -> Problem:
    """Return the model at an address with worlds that prove it, and `longer` more than needed."""
    if longer:
        problem = certified(pool, seed, index)
        rng = stream(seed, FAMILY_NAME, "longer", pool, index)
        taken = problem.reserved | {panel.signature for panel in problem.train}
        return problem.more(distinct(problem.lab, rng, longer, taken))
    latent, lab = _model(pool, seed, index)
    attempt = 0
    while True:
        rng = stream(seed, FAMILY_NAME, "certified", pool, index, attempt)
        train = _proving(latent, lab, rng)
        heldout = novel_worlds(lab, train, rng) if train else []
        if len(heldout) == HELDOUT:
            return Problem(latent, lab, tuple(train), tuple(heldout))
        attempt += 1


def everything_hidden(scm: BooleanScm) -> Admissible:
    """Return the models that are admissible where neither roots nor order are told."""
    return Admissible.hidden_roots(scm.n, ROOTS)


def _model(pool: Pool, seed: int, index: int) -> tuple[Latent, Laboratory]:
    if pool == "core":
        problem = original(pool, seed, index)
        return problem.latent, problem.lab
    latent = draw_latent(pool, seed, index, 0)
    rng = stream(seed, FAMILY_NAME, "units", pool, index)
    return latent, Laboratory.draw(latent.scm, rng)


def _proving(latent: Latent, lab: Laboratory, rng: Random) -> list[Panel]:
    """Return worlds that leave one model; none if the search for them was given up."""
    design = lab.design()
    start = World(lab.observe().rows, 0)
    goal = Goal.unique(latent.scm, everything_hidden(latent.scm))
    chosen = select_worlds(goal, [start], design, rng)
    return [Panel.of(world) for world in (start, *chosen)] if chosen is not None else []


def novel_worlds(lab: Laboratory, train: Sequence[Panel], rng: Random) -> list[Panel]:
    """Return held-out worlds that do what no training world does, the most novel first."""
    shown = {row for panel in train for row in panel.rows}
    taken = {panel.signature for panel in train}
    candidates = lab.random_worlds(rng, _HELDOUT_TRIED)
    candidates.sort(key=lambda panel: -sum(row not in shown for row in panel.rows))
    found: list[Panel] = []
    held_set = [0] * lab.scm.n
    for panel in candidates:
        members = [i for i in range(lab.scm.n) if panel.targets >> i & 1]
        if panel.signature in taken or len(found) == HELDOUT:
            continue
        if all(held_set[i] < _MOST_HELD_SET for i in members):
            found.append(panel)
            taken.add(panel.signature)
            for i in members:
                held_set[i] += 1
    return found
