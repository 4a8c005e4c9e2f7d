"""Shortcuts through a what-if question: guesses that never ask which traits give the row.

A guess takes some traits for true and goes by the row as far as it can. It may be moved to the
nearest of the four outcomes that the told model allows, one for each choice of traits. Players take
these ways, and drawing keeps a quad only if each of them is right for at most one of its units.
"""

from collections.abc import Callable, Iterator, Sequence

from causarium.scm.boolean.model import BooleanScm

TRAITS = 2
"""How many traits a unit has; they are the last variables of a model."""

Guess = Callable[[BooleanScm, int, int, int], int]
"""From a model, a row with traits that are taken for true, what is set and to what, to a row."""


def flip_downstream(scm: BooleanScm, row: int, target: int, value: int) -> int:
    """Flip what is downstream where its formula flips."""
    now, reached = row & ~target | value, target
    for v in scm.order:
        if scm.parents[v] & reached and not target >> v & 1:
            reached |= 1 << v
            now ^= (scm.response(v, now) ^ scm.response(v, row)) << v
    return now


def recompute_downstream(scm: BooleanScm, row: int, target: int, value: int) -> int:
    """Keep what is not downstream, and compute the rest."""
    now, reached = row & ~target | value, target
    for v in scm.order:
        if scm.parents[v] & reached and not target >> v & 1:
            reached |= 1 << v
            now = now & ~(1 << v) | scm.response(v, now) << v
    return now


def carry_difference(scm: BooleanScm, row: int, target: int, value: int) -> int:
    """Add to the row what changes in the model."""
    return row ^ scm.run(row) ^ run_as_set(scm, row, target, value)


def run_as_set(scm: BooleanScm, row: int, target: int, value: int) -> int:
    """Run the model from the roots of a row, and forget the rest of the row."""
    return scm.run(row & ~target | value, target)


def list_outcomes(scm: BooleanScm, row: int, target: int, value: int) -> list[int]:
    """Return the recorded part of what each choice of traits leads to."""
    n = scm.n - TRAITS
    starts = (row & (1 << n) - 1 | traits << n for traits in range(1 << TRAITS))
    return [run_as_set(scm, start, target, value) & (1 << n) - 1 for start in starts]


def find_nearest(outcomes: Sequence[int], guesses: Sequence[int]) -> list[int]:
    """Return the outcomes that differ from some guesses in the fewest cells."""
    far = [sum((one ^ guess).bit_count() for guess in guesses) for one in outcomes]
    return [one for one, cells in zip(outcomes, far, strict=True) if cells == min(far)]


def _list_shortcuts(scm: BooleanScm, row: int, target: int, value: int) -> Iterator[list[int]]:
    """Yield for each shortcut the rows that it may hand in, each of them as likely."""
    recorded = (1 << scm.n - TRAITS) - 1
    outcomes = list_outcomes(scm, row, target, value)
    known = row & recorded
    for guess in (flip_downstream, carry_difference, recompute_downstream):
        rows = (known | traits << scm.n - TRAITS for traits in range(1 << TRAITS))
        guesses = [guess(scm, one, target, value) & recorded for one in rows]
        yield find_nearest(outcomes, guesses)
        for one in guesses:
            yield find_nearest(outcomes, [one])
            yield [one]
    yield find_nearest(outcomes, [known])


def resists_shortcuts(
    scm: BooleanScm, shown: Sequence[int], asked: Sequence[int], target: int, value: int
) -> bool:
    """Say whether each shortcut is right for at most one of a quad's units, in the mean.

    Args:
        scm: The told model.
        shown: The row of each unit.
        asked: The answer of each unit.
        target: The mask of what is set.
        value: What it is set to.
    """
    recorded = (1 << scm.n - TRAITS) - 1
    for ways in zip(*(_list_shortcuts(scm, row, target, value) for row in shown), strict=True):
        pairs = zip(ways, asked, strict=True)
        if sum((one & recorded in rows) / len(rows) for rows, one in pairs) > 1 + 1e-9:
            return False
    return True
