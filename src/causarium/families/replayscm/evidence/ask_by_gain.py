"""Asking for worlds by what they would tell: experiment design on models drawn at random.

A question sets one or two variables, each to one value in all units. The asker draws models that
fit what it has seen, and asks what splits them best. It sees what an agent sees and nothing else.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations, product
from random import Random
from typing import NamedTuple

import numpy as np

from causarium.scm.boolean.model import BooleanScm
from causarium.scm.boolean.truth_table import pattern
from causarium.scm.boolean.unit_fits import Fit, UnitFits, UnitLaw, UnitWorld, shows_every_pattern
from causarium.scm.dag import mask_of
from causarium.seeds import stream
from ..mechanics import mask_names, pack_rows
from ..model.instance import ReplayPublic, WorldRows


def unit_law(public: ReplayPublic) -> UnitLaw:
    """Return which models are admissible, by what is given.

    Raises:
        ValueError: The problem is of the paper edition.
    """
    if public.task is None or public.roots is None:
        raise ValueError("a problem of the paper edition has no units to recognise")
    return UnitLaw(
        n=len(public.variables),
        roots=mask_names(public.roots, public.variables),
        units=len(public.train[0].units),
        arrows=public.task.arrows,
        trait=bool(public.task.traits),
        touched=public.task.touched,
        most_parents=public.limits.max_parents,
    )


def unit_worlds(public: ReplayPublic, asked: Sequence[WorldRows] = ()) -> list[UnitWorld]:
    """Return the worlds that are shown, and those that were asked for."""
    names = public.variables
    return [
        UnitWorld(pack_rows(world, names), mask_names(world.targets, names))
        for world in (*public.train, *asked)
    ]


MODELS = 64
"""How many models the reference asker weighs a question with."""


class Question(NamedTuple):
    """What is set in all units, and to what."""

    targets: int
    values: int


Answerer = Callable[[Question], UnitWorld]
"""What a question shows."""


def list_questions(n: int) -> tuple[Question, ...]:
    """Return every question over `n` variables, those that set one variable first."""
    sets = [*((v,) for v in range(n)), *combinations(range(n), 2)]
    return tuple(
        Question(mask_of(chosen), mask_of(v for v, b in zip(chosen, to, strict=True) if b))
        for chosen in sets
        for to in product((0, 1), repeat=len(chosen))
    )


def fill_model(
    law: UnitLaw, fit: Fit, worlds: Sequence[UnitWorld], rng: Random | None
) -> BooleanScm:
    """Return the model of a fit; patterns that were not seen are filled at random, or with 0."""
    rows, tables = _list_rows(law, fit, worlds), [0] * (law.n + 1)
    for v in law.endogenous:
        mask, bit = fit.parents[v], 1 << v
        table = rng.getrandbits(1 << mask.bit_count()) if rng else 0
        # Most rows agree on the causes: each pattern is looked up once.
        free = (shown for shown, set_ in zip(rows, fit.touched, strict=True) if not set_ & bit)
        for row, said in {row & mask: row & bit for shown in free for row in shown}.items():
            at = 1 << pattern(row, mask)
            table = table | at if said else table & ~at
        tables[v] = table
    return BooleanScm(law.n + 1, law.roots | 1 << law.n, (*fit.parents, 0), tuple(tables))


def is_settled(fits: UnitFits) -> bool:
    """Say whether exactly one model fits what was seen, functions and all."""
    law, worlds, fit = fits.law, fits.worlds, fits.find_unique()
    if fit is None:
        return False
    scm = fill_model(law, fit, worlds, None)
    return shows_every_pattern(scm, _list_rows(law, fit, worlds), fit.touched)


def _list_rows(law: UnitLaw, fit: Fit, worlds: Sequence[UnitWorld]) -> list[list[int]]:
    """Return the rows of each world, with the traits of a fit."""
    return [
        [row | (fit.traits >> u & 1) << law.n for u, row in enumerate(world.rows)]
        for world in worlds
    ]


def choose_question(fits: UnitFits, rng: Random, models: int = MODELS) -> Question:
    """Return the question that splits models that fit into the most even parts.

    Args:
        fits: What is given, and what was seen.
        rng: Where chance comes from.
        models: How many models are drawn.
    """
    law, worlds = fits.law, fits.worlds
    asked = {world.targets: set[int]() for world in worlds}
    for world in worlds:
        asked[world.targets].add(world.rows[0] & world.targets)
    questions = [q for q in list_questions(law.n) if q.values not in asked.get(q.targets, ())]
    recorded = np.uint32((1 << law.n) - 1)
    targets, values = np.array(questions, np.uint32).T[:, :, None]
    starts = np.array(worlds[0].rows, np.uint32) & ~targets | values
    shown = []
    for fit in fits.draw(models, rng):
        traits = [(fit.traits >> u & 1) << law.n for u in range(law.units)]
        scm = fill_model(law, fit, worlds, rng)
        rows = scm.replay(starts | np.array(traits, np.uint32), targets) & recorded
        shown.append([row.tobytes() for row in rows])
    rated = []
    for place, question in enumerate(questions):
        parts = Counter(rows[place] for rows in shown)
        alike = sum(size * size for size in parts.values())
        rated.append((alike, question.targets.bit_count(), rng.random(), question))
    return min(rated)[-1]


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
        law: What is given.
        first: The world that is shown.
        answer: What a question shows.
        rng: Where the asker's chance comes from.
        most: How many questions it may ask.
        models: How many models it weighs each with.
    """
    fits, asked = UnitFits(law, [first]), list[Question]()
    while not is_settled(fits):
        if len(asked) == most:
            return None
        asked.append(choose_question(fits, rng, models))
        fits.add(answer(asked[-1]))
    return asked
