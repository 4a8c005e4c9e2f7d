"""Draw archive games: constants in thousandths, kept only if every chance stays one."""

from fractions import Fraction
from random import Random

from causarium.families.causalgame.mechanics.archive_law import (
    ArchiveKind,
    ArchiveLaw,
    ArchiveSlot,
    find_best_options,
    rename_archive,
    survival_of,
)

_RANGES: dict[ArchiveKind, tuple[tuple[int, int], ...]] = {
    "front_door": ((370, 400), (60, 80), (340, 400), (20, 30)),
    "instrument": ((210, 230), (40, 46), (255, 268), (38, 48)),
}
"""Where a, b, c and g lie, in thousandths.

So chosen that the wrong way to read the column points the same way in both twins: behind a front
door the reading's plain association with the return, which is b + 4ac g and in the twin
(8a^2 - 1) b + 4ac g; in front of an instrument what the column tells given the option, -g and more.
"""
_ROOM = Fraction(49, 100)


def draw_archive(kind: ArchiveKind, rng: Random) -> ArchiveLaw:
    """Draw the law of a pair of archive games: the first twin's."""
    while True:
        law = ArchiveLaw(kind=kind, slots=(_draw_slot(kind, rng), _draw_slot(kind, rng)))
        if all(_has_room(one) for one in (law, rename_archive(law))):
            return law


def _draw_slot(kind: ArchiveKind, rng: Random) -> ArchiveSlot:
    a, b, c, g = (rng.randint(low, high) for low, high in _RANGES[kind])
    return ArchiveSlot(a=a, b=b, c=c, g=g, option=rng.choice((-1, 1)), column=rng.choice((-1, 1)))


def _has_room(law: ArchiveLaw) -> bool:
    pushes, sound = Fraction(0), True
    for slot in (0, 1):
        a, b, c, g = law.rates(slot)
        pushes += abs(b) + abs(g)
        sound = sound and (a + c < Fraction(1, 2) or law.kind == "front_door")
    return sound and pushes <= _ROOM


def archive_threshold(law: ArchiveLaw) -> float:
    """Return the threshold: midway between both options right and the better one wrong."""
    best = find_best_options(law)
    wrong = [(1 - best[0], best[1]), (best[0], 1 - best[1])]
    nearest = max(survival_of(law, options) for options in wrong)
    return round(float((survival_of(law, best) + nearest) / 2), 4)
