"""Small Boolean models and worlds, drawn for the tests."""

from random import Random

import numpy as np
from hypothesis import settings

from causarium.scm.boolean.certify_model import list_reachable_rows
from causarium.scm.boolean.model import BooleanScm
from causarium.scm.boolean.row_evidence import Evidence
from causarium.scm.boolean.truth_table import all_rows, essential
from causarium.scm.dag import mask_of

some = settings(max_examples=60, deadline=None)
few = settings(max_examples=20, deadline=None)


def draw_model(rng: Random, n: int, roots: int = 3, most: int = 4) -> BooleanScm:
    """Draw a model in which every parent matters."""
    labels = list(range(n))
    rng.shuffle(labels)
    parents, tables = [0] * n, [0] * n
    for place in range(roots, n):
        earlier = labels[max(0, place - 4) : place]
        count = rng.randint(min(2, most, len(earlier)), min(most, len(earlier)))
        parents[labels[place]] = mask_of(rng.sample(earlier, count))
        table = 0
        while essential(table, count).bit_count() < count:
            table = rng.getrandbits(1 << count) & all_rows(count)
        tables[labels[place]] = table
    return BooleanScm(n, mask_of(labels[:roots]), tuple(parents), tuple(tables))


def draw_world(rng: Random, scm: BooleanScm, rows: int = 8, most: int = 3) -> Evidence:
    """Draw rows of `scm` with up to `most` variables set to values of their own in each row."""
    targets = mask_of(rng.sample(range(scm.n), rng.randint(0, min(most, scm.n - 1))))
    starts = [rng.getrandbits(scm.n) for _ in range(rows)]
    return Evidence.of(scm.n, [scm.run(x, targets) for x in starts], [targets] * rows)


def join(one: Evidence, other: Evidence) -> Evidence:
    """Return the rows of both."""
    pairs = ((one.rows, other.rows), (one.targets, other.targets))
    return Evidence(one.n, *map(np.concatenate, pairs))


def draw_evidence(rng: Random, scm: BooleanScm, worlds: int, rows: int = 8) -> Evidence:
    """Draw several worlds of `scm` as one."""
    found = Evidence(scm.n, np.zeros(0, np.uint32), np.zeros(0, np.uint32))
    for _ in range(worlds):
        found = join(found, draw_world(rng, scm, rows))
    return found


def reach_with_one_target(scm: BooleanScm) -> Evidence:
    """Return every row that an intervention on one variable at most can show."""
    every = list_reachable_rows(scm)
    shown = np.bitwise_count(every.targets) <= 1
    return Evidence(scm.n, every.rows[shown], every.targets[shown])
