"""A learner that is trained on the public generator: the rule on logs that it finds by itself.

For each part it sees how often the part was moved, held or unseen in each kind of row, how many
parts moved beside it there. It learns,
by regularised least squares on these numbers and their products, whether the best run moves the
part. No bound is claimed against such learners: this one stands beside exact inference as a mark.
"""

from functools import lru_cache
from random import Random

import numpy as np

from causarium.families.causallink.generation.draw_log import draw_plain, draw_screened
from causarium.families.causallink.mechanics import LogCase, Machine, Row
from causarium.seeds import stream

STUDIED_LOGS = 150
_STUDY_SEED = 710_031
"""No named set is drawn from this seed."""
_PENALTY = 1.0
_KINDS = tuple((suspects, target) for suspects in (True, False) for target in (True, False))


def follow_training(case: LogCase, _rng: Random) -> int:
    """Move the parts that the trained rule would move."""
    screened = any(row.unseen for row in case.log)
    weights = _train(case.machine, screened=screened)
    moves = _describe_parts(case.log, len(case.others)) @ weights > 0.5
    return sum(1 << x for x in range(len(case.others)) if moves[x])


@lru_cache(maxsize=2)
def _train(machine: Machine, *, screened: bool) -> np.ndarray:
    """Learn from fresh logs; it takes seconds, and a set plays hundreds of cases with it."""
    rng = stream(_STUDY_SEED, "causallink", "trained")
    draw = draw_screened if screened else draw_plain
    features, moved = [], []
    for _ in range(STUDIED_LOGS):
        drawn = draw(machine, rng)
        best = machine.find_best(drawn.left)
        features.append(_describe_parts(drawn.log, machine.law.others))
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
