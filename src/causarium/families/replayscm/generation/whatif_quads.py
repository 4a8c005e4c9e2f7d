"""Drawing what-if questions, in quads: one model, one setting, and four units that need each trait.

The model is told whole, and so is one row of a unit, made where nothing was set. Two traits of the
unit are not recorded. Asked for is the row that this unit would have if one variable were set. The
four units of a quad differ in the traits alone, and in them the row, the answer, and what changes
from one to the other are all different: whoever answers alike for all four is right at most once.
"""

from dataclasses import dataclass
from random import Random

from causarium.families.replayscm.generation.unit_models import draw_function
from causarium.scm.boolean.model import BooleanScm
from causarium.scm.dag import mask_of

TRAITS = 2
_ROOTS = 2
_KIDS = 4
"""How many variables read a trait, the two in turn."""
_WINDOW = 3
"""From how many variables before it a variable draws its parents: close ones make long chains."""
_SETTINGS_TRIED = 8


@dataclass(frozen=True, slots=True)
class Quad:
    """One model, one setting, and four units."""

    scm: BooleanScm
    """Its last two variables are the traits, and roots."""
    target: int
    value: int
    shown: tuple[int, ...]
    """For each value of the traits the row of the unit where nothing is set, traits included."""
    asked: tuple[int, ...]
    """The same where the variable is set."""


def draw_quad(n: int, rng: Random) -> Quad:
    """Draw a quad over `n` recorded variables."""
    while True:
        scm = _draw_model(n, rng)
        roots = rng.getrandbits(n) & scm.roots
        starts = [roots | traits << n for traits in range(1 << TRAITS)]
        shown = tuple(scm.run(start) for start in starts)
        if len({_recorded(row, n) for row in shown}) < len(shown):
            continue
        for _ in range(_SETTINGS_TRIED):
            target, value = rng.randrange(n), rng.randrange(2)
            bit = 1 << target
            asked = tuple(scm.run(start & ~bit | value * bit, bit) for start in starts)
            if _tells_apart(n, bit, shown, asked):
                return Quad(scm, target, value, shown, asked)


def _draw_model(n: int, rng: Random) -> BooleanScm:
    order = rng.sample(range(n), n)
    kids = rng.sample(range(_ROOTS, n), _KIDS)
    parents, tables = [0] * (n + TRAITS), [0] * (n + TRAITS)
    for place in range(_ROOTS, n):
        before = order[max(0, place - _WINDOW) : place]
        inputs = rng.sample(before, rng.randint(1, 2))
        if place in kids:
            inputs.append(n + kids.index(place) % TRAITS)
        parents[order[place]] = mask_of(inputs)
        tables[order[place]] = draw_function(len(inputs), rng)
    roots = mask_of([*order[:_ROOTS], n, n + 1])
    return BooleanScm(n + TRAITS, roots, tuple(parents), tuple(tables))


def _tells_apart(n: int, bit: int, shown: tuple[int, ...], asked: tuple[int, ...]) -> bool:
    """Say whether each unit needs an answer of its own, and a change of its own."""
    answers = {_recorded(row, n) for row in asked}
    changes = {one ^ other for one, other in zip(shown, asked, strict=True)}
    if len(answers) < len(asked) or len(changes) < len(asked):
        return False
    return all(change & bit and change != bit for change in changes)


def _recorded(row: int, n: int) -> int:
    return row & ((1 << n) - 1)
