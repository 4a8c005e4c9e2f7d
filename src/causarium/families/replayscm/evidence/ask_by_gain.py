"""Asking for worlds by what they would tell: experiment design on models drawn at random.

A question sets one or two variables, each to one value in all units. The asker draws models that
fit what it has seen, and asks what splits them best. It sees what an agent sees and nothing else.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import combinations, product
from random import Random
from typing import NamedTuple

import numpy as np

from causarium.scm.boolean.model import BooleanScm
from causarium.scm.boolean.truth_table import pattern
from causarium.scm.boolean.unit_fits import Fit, UnitFits, UnitLaw, UnitWorld, shows_every_pattern
from causarium.seeds import stream

MODELS = 64
"""How many models the reference asker weighs a question with."""


class Question(NamedTuple):
    """What is set in all units, and to what."""

    targets: int
    values: int


Answerer = Callable[[Question], UnitWorld]
"""What a question shows."""


@lru_cache(maxsize=8)  # One list for each number of variables that levels have.
def list_questions(n: int) -> tuple[Question, ...]:
    """Return every question over `n` variables, those that set one variable first."""
    sets = [*((v,) for v in range(n)), *combinations(range(n), 2)]
    return tuple(
        Question(
            sum(1 << v for v in chosen), sum(1 << v for v, b in zip(chosen, to, strict=True) if b)
        )
        for chosen in sets
        for to in product((0, 1), repeat=len(chosen))
    )


def fill_model(
    law: UnitLaw, fit: Fit, worlds: Sequence[UnitWorld], rng: Random | None
) -> BooleanScm:
    """Return the model of a fit; patterns that were not seen are filled at random, or with 0."""
    trait, tables = 1 << law.n, [0] * (law.n + 1)
    for v in law.endogenous:
        mask = fit.parents[v]
        table = rng.getrandbits(1 << mask.bit_count()) if rng else 0
        for place, world in enumerate(worlds):
            if not fit.touched[place] >> v & 1:
                for u, row in enumerate(world.rows):
                    at = 1 << pattern(row | (fit.traits >> u & 1) * trait, mask)
                    table = table & ~at | (row >> v & 1) * at
        tables[v] = table
    return BooleanScm(law.n + 1, law.roots | trait, (*fit.parents, 0), tuple(tables))


def is_settled(law: UnitLaw, worlds: Sequence[UnitWorld]) -> bool:
    """Say whether exactly one model fits some worlds, functions and all."""
    fits = UnitFits(law, worlds).find()
    if len(fits) != 1 or fits[0].count(law.n) != 1:
        return False
    scm = fill_model(law, fits[0], worlds, None)
    traits = fits[0].traits
    rows = [
        [row | (traits >> u & 1) << law.n for u, row in enumerate(world.rows)] for world in worlds
    ]
    return shows_every_pattern(scm, rows, fits[0].touched)


def choose_question(
    law: UnitLaw, worlds: Sequence[UnitWorld], rng: Random, models: int = MODELS
) -> Question:
    """Return the question that splits models that fit into the most even parts.

    Args:
        law: What is told.
        worlds: What was seen.
        rng: Where chance comes from.
        models: How many models are drawn.
    """
    asked = {world.targets: set[int]() for world in worlds}
    for world in worlds:
        asked[world.targets].add(world.rows[0] & world.targets)
    questions = [q for q in list_questions(law.n) if q.values not in asked.get(q.targets, ())]
    fits = UnitFits(law, worlds).draw(models, rng)
    shown = [
        _foresee(law, fill_model(law, fit, worlds, rng), fit, worlds[0], questions) for fit in fits
    ]
    best = None
    for place, question in enumerate(questions):
        parts = Counter(rows[place].tobytes() for rows in shown)
        alike = sum(size * size for size in parts.values())
        key = alike, question.targets.bit_count(), rng.random()
        if best is None or key < best[0]:
            best = key, question
    if best is None:
        raise ValueError("every question was asked")
    return best[1]


def _foresee(
    law: UnitLaw, scm: BooleanScm, fit: Fit, first: UnitWorld, questions: Sequence[Question]
) -> "np.ndarray[tuple[int, int], np.dtype[np.uint32]]":
    """Return the rows that a model shows for each question, a line a question."""
    traits = [(fit.traits >> u & 1) << law.n for u in range(law.units)]
    starts = np.array([row | t for row, t in zip(first.rows, traits, strict=True)], np.uint32)
    targets = np.array([q.targets for q in questions], np.uint32)[:, None]
    values = np.array([q.values for q in questions], np.uint32)[:, None]
    rows = scm.replay(
        starts[None] & ~targets | values, np.broadcast_to(targets, (len(questions), law.units))
    )
    return rows & np.uint32((1 << law.n) - 1)


def seed_asker(law: UnitLaw, first: UnitWorld, run: int) -> Random:
    """Return the chance of a run of the reference asker: it depends on what is shown alone."""
    shown = ".".join(map(str, (law.roots, law.arrows, *first.rows)))
    return stream(0, "replayscm", "asker", law.n, shown, run)


def ask_until_settled(
    law: UnitLaw,
    first: UnitWorld,
    answer: Answerer,
    rng: Random,
    *,
    most: int,
    models: int = MODELS,
) -> list[Question] | None:
    """Return the questions that an asker asks until one model is left; None if `most` are too few.

    Args:
        law: What is told.
        first: The world that is shown.
        answer: What a question shows.
        rng: Where the asker's chance comes from.
        most: How many questions it may ask.
        models: How many models it weighs each with.
    """
    worlds, asked = [first], list[Question]()
    while not is_settled(law, worlds):
        if len(asked) == most:
            return None
        asked.append(choose_question(law, worlds, rng, models))
        worlds.append(answer(asked[-1]))
    return asked
