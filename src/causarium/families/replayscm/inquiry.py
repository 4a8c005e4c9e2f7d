"""Asking for worlds one by one: what the players do where evidence has to be asked for.

Each question is the one, of some drawn at random, under which models that still fit disagree most.
Asking ends when a proof by counting says that one model is left, or when nothing may be asked for
any more.
"""

from collections.abc import Generator
from random import Random
from typing import Any, cast

from causarium.contract.world import Observation
from causarium.families.replayscm.audit import swept
from causarium.families.replayscm.evidence import admissible, evidence
from causarium.families.replayscm.instance import Ask, ReplayPublic
from causarium.scm.boolean.count import Count
from causarium.scm.boolean.known import Known
from causarium.scm.boolean.model import BooleanScm
from causarium.scm.boolean.seen import Evidence
from causarium.scm.graph import bits, mask_of

Inquiry = Generator[Ask, Observation, Evidence]
"""Yields questions, is sent what they show, returns all evidence."""

_MODELS = 12
_QUESTIONS = 20
_ROWS = 8


def inquire(public: ReplayPublic, rng: Random) -> Inquiry:
    """Ask until one model is left; where nothing can be asked for, ask nothing."""
    found = evidence(public.train, public.variables)
    limits = admissible(public)
    for _ in range(public.budget):
        known = Known.of(found, limits)
        if not known.feasible_roots:
            break
        models = _different([swept(known, rng) for _ in range(_MODELS)])
        if len(models) == 1 and Count(known).total == 1:
            break
        targets = _question(models, public, rng)
        names = tuple(public.variables[i] for i in bits(targets))
        seen = yield Ask(assigned=names)
        if not seen.seen:
            break
        found = found + _shown(seen, public)
    return found


def _different(models: list[BooleanScm]) -> list[BooleanScm]:
    return list({(scm.roots, scm.parents, scm.tables): scm for scm in models}.values())


def _question(models: list[BooleanScm], public: ReplayPublic, rng: Random) -> int:
    """Return the targets under which the models differ most; any, if they never do."""
    n, most = len(public.variables), max(public.max_targets, 1)
    drawn = [mask_of(rng.sample(range(n), rng.randint(1, most))) for _ in range(_QUESTIONS)]
    return max(drawn, key=lambda targets: _disagreement(models, targets, n, rng))


def _disagreement(models: list[BooleanScm], targets: int, n: int, rng: Random) -> int:
    rows = [rng.randrange(1 << n) for _ in range(_ROWS)]
    return sum(len({scm.run(row, targets) for scm in models}) - 1 for row in rows)


def _shown(seen: Observation, public: ReplayPublic) -> Evidence:
    shown = cast("dict[str, Any]", seen.seen)
    targets = mask_of(public.variables.index(name) for name in shown["targets"])
    rows = [mask_of(i for i, value in enumerate(row) if value) for row in shown["rows"]]
    return Evidence.of(len(public.variables), rows, [targets] * len(rows))
