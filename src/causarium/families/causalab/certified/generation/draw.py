"""Drawing instances: answers and the words of the questions first, then a crystal they fit.

Which property stands for which name is a uniform permutation, and each question has properties of
its own; forms are kept only if they can have every combination of answers. So the words of all
questions together say nothing about any answer: whoever makes no experiment earns 0 in expectation.
"""

from collections.abc import Sequence
from random import Random

from causarium.contract.rungs import RUNG, name_rung
from causarium.seeds import stream
from ..levels import LadderConfig
from ..mechanics.experiment import read_experiment
from ..model.instance import (
    FAMILY_NAME,
    Experiment,
    Holds,
    LadderInstance,
    LadderPublic,
    LadderSecret,
    Level,
)
from ..model.names import PROPERTIES
from ..model.skeleton import FIXED, Skeleton
from .questions import draw_questions

_MOVED: tuple[Level, ...] = ("down", "up")


def generate(config: LadderConfig, seed: int, index: int) -> LadderInstance:
    """Draw one instance."""
    rng = stream(seed, FAMILY_NAME, "ladder", config.rung, index)
    public = _draw_public(config, rng)
    answers = _draw_answers(config, public, seed, index, rng)
    crystal, questions = draw_questions(public, config.asked_holds, answers, rng, deep=config.deep)
    if config.made:
        public = public.model_copy(update={"made": _draw_made(public, crystal, config.made, rng)})
    if not config.budget:
        public = public.model_copy(update={"questions": questions})
    return LadderInstance(
        id=f"{FAMILY_NAME}-{name_rung(config.rung)}-{index:04d}",
        public=public,
        secret=LadderSecret(
            crystal=tuple(public.order[one] for one in crystal),
            questions=questions,
            answers=answers,
        ),
        facets={RUNG: config.rung, **_describe(public.skeleton)},
    )


def _describe(skeleton: Skeleton) -> dict[str, int]:
    return {
        "properties": skeleton.size,
        "acting": len(skeleton.parts),
        "gates": skeleton.gates,
        "fixed": FIXED * skeleton.fixed,
    }


def _draw_public(config: LadderConfig, rng: Random) -> LadderPublic:
    names = tuple(rng.sample(PROPERTIES, config.skeleton.size))
    fixed = {*rng.sample(names, FIXED)} if config.skeleton.fixed else set()
    return LadderPublic(
        skeleton=config.skeleton,
        names=names,
        fixed=tuple(name for name in names if name in fixed),
        holds=config.holds,
        budget=config.budget,
        made=(),
        asked=config.asked,
    )


def _draw_answers(
    config: LadderConfig, public: LadderPublic, seed: int, index: int, rng: Random
) -> tuple[str, ...]:
    if len(public.asked) > 1:
        return tuple(rng.choice(public.list_answers(kind)) for kind in public.asked)
    # One question: as many instances in a row as there are answers have each answer once.
    (kind,) = public.asked
    order = [*public.list_answers(kind)]
    stream(seed, FAMILY_NAME, "clan", config.rung, index // len(order)).shuffle(order)
    return (order[index % len(order)],)


def _draw_made(
    public: LadderPublic, crystal: Sequence[int], number: int, rng: Random
) -> tuple[Experiment, ...]:
    """Make experiments that hold one property each, up or down."""
    held: list[Holds] = [{name: rng.choice(_MOVED)} for name in rng.sample(public.holdable, number)]
    return tuple(read_experiment(public, crystal, hold) for hold in held)
