"""The twelve questions that are asked about a mission once both designs are in.

Four are about the two traps, at the target and at the opposite conditions; four about the two slots
that matter, likewise; four about what does nothing. The wording is turned by lot so that four
answers are up, four down and four none, in both twins. The text is the same in both; just the four
answers about traps differ.
"""

from functools import lru_cache
from itertools import product
from random import Random
from typing import Literal

from causarium.contract.frozen import Frozen
from causarium.families.causalgame.instance import TwinPublic, TwinSecret
from causarium.families.causalgame.mechanics.archive_law import ArchiveLaw
from causarium.families.causalgame.mechanics.twin_law import (
    PARTS,
    SLOTS,
    Target,
    TwinDesign,
    TwinLaw,
    rename,
    survival_at_target,
)
from causarium.seeds import stream

Answer = Literal["up", "down", "none"]
ANSWERS: tuple[Answer, ...] = ("up", "down", "none")
ASKED_ARMOUR = 15
"""Questions move a part from bare to this, or back."""


class Question(Frozen):
    """Does this change make survival go up, down, or neither?"""

    about: Literal["trap", "option", "decoy"]
    lever: int
    """A part, or a slot."""
    of_part: bool
    rises: bool
    """Whether armour is raised, or the second option takes the place of the first."""
    conditions: Target
    truth: tuple[Answer, Answer]
    """The answer in the first twin and in the second."""


def draw_questions(public: TwinPublic, secret: TwinSecret) -> tuple[Question, ...]:
    """Return the questions about each mission of a pair; an archive has none."""
    return _choose_questions(public.target, secret)


@lru_cache(maxsize=64)
def _choose_questions(target: Target, secret: TwinSecret) -> tuple[Question, ...]:
    law = secret.law
    if isinstance(law, ArchiveLaw):
        return ()
    rng = stream(secret.session_seed, "causalgame", "questions")
    settings = (target, oppose(law, target))
    traps = [trap.part for trap in law.traps]
    active = [slot for slot in range(SLOTS) if law.options[slot]]
    inert = [slot for slot in range(SLOTS) if not law.options[slot]]
    decoy = next(part for part in range(PARTS) if part not in traps and not law.weights[part])
    asked = _balance(law, "trap", list(product(traps, settings)), rng, of_part=True)
    asked += _balance(law, "option", list(product(active, settings)), rng, of_part=False)
    asked += [
        _ask(law, "decoy", (decoy, setting), of_part=True, rises=rng.random() < 0.5)
        for setting in settings
    ]
    asked += [
        _ask(law, "decoy", (slot, target), of_part=False, rises=rng.random() < 0.5)
        for slot in inert
    ]
    rng.shuffle(asked)
    return tuple(asked)


def oppose(law: TwinLaw, target: Target) -> Target:
    """Return the conditions under which both traps do the opposite."""
    opposite = list(target)
    first, second, _ = law.active
    if law.kind == "zone":
        opposite[first], opposite[second] = target[second], target[first]
    else:
        for column in (first, second):
            value = target[column]
            opposite[column] = None if value is None else 1 - value
    return tuple(opposite)


def _balance(
    law: TwinLaw,
    about: Literal["trap", "option"],
    places: list[tuple[int, Target]],
    rng: Random,
    *,
    of_part: bool,
) -> list[Question]:
    """Turn the wording so that half the answers are up and half down."""
    wanted = ["up", "up", "down", "down"]
    rng.shuffle(wanted)
    asked = []
    for place, answer in zip(places, wanted, strict=True):
        question = _ask(law, about, place, of_part=of_part, rises=True)
        if question.truth[0] != answer:
            question = _ask(law, about, place, of_part=of_part, rises=False)
        asked.append(question)
    return asked


def _ask(
    law: TwinLaw,
    about: Literal["trap", "option", "decoy"],
    place: tuple[int, Target],
    *,
    of_part: bool,
    rises: bool,
) -> Question:
    lever, conditions = place
    designs = [_move(law, lever, high=high, of_part=of_part) for high in (not rises, rises)]
    truth = [
        _compare(*(survival_at_target(twin, design, conditions) for design in designs))
        for twin in (law, rename(law))
    ]
    return Question(
        about=about,
        lever=lever,
        of_part=of_part,
        rises=rises,
        conditions=conditions,
        truth=(truth[0], truth[1]),
    )


def _move(law: TwinLaw, lever: int, *, high: bool, of_part: bool) -> TwinDesign:
    armour, options = list(law.standard.armour), list(law.standard.options)
    if of_part:
        armour[lever] = ASKED_ARMOUR if high else 0
    else:
        options[lever] = int(high)
    return TwinDesign(armour=tuple(armour), options=tuple(options))


def _compare(before: float, after: float) -> Answer:
    return "none" if before == after else "up" if after > before else "down"
