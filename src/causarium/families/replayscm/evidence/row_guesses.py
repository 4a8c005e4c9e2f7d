"""Shortcuts through a what-if question: guesses that never ask which traits give the row.

A guess takes some traits for true and goes by the row as far as it can. It may be moved to the
nearest of the four outcomes that the told model allows, one for each choice of traits. Players take
these ways, and drawing keeps a quad only if each of them is right for at most one of its units.
"""

from collections.abc import Callable, Iterator, Sequence

from causarium.scm.boolean.model import BooleanScm
from causarium.scm.boolean.truth_table import look_up, transpose
from causarium.scm.dag import bits

TRAITS = 2
"""How many traits a unit has; they are the last variables of a model."""

Guess = Callable[[BooleanScm, Sequence[int], int, int], list[int]]
"""From a model, rows with traits that are taken for true, what is set and to what, to rows."""


def flip_downstream(scm: BooleanScm, rows: Sequence[int], target: int, value: int) -> list[int]:
    """Flip what is downstream where its formula flips."""
    return _change_rows(scm, rows, target, value, target, flips=True)


def recompute_downstream(
    scm: BooleanScm, rows: Sequence[int], target: int, value: int
) -> list[int]:
    """Keep what is not downstream, and compute the rest."""
    return _change_rows(scm, rows, target, value, target)


def carry_difference(scm: BooleanScm, rows: Sequence[int], target: int, value: int) -> list[int]:
    """Add to each row what changes in the model."""
    runs = run_as_set(scm, rows, 0, 0), run_as_set(scm, rows, target, value)
    return [row ^ before ^ after for row, before, after in zip(rows, *runs, strict=True)]


def run_as_set(scm: BooleanScm, rows: Sequence[int], target: int, value: int) -> list[int]:
    """Run the model from the roots of each row, and forget the rest of the row."""
    return _change_rows(scm, rows, target, value, -1)


def _change_rows(
    scm: BooleanScm,
    rows: Sequence[int],
    target: int,
    value: int,
    reached: int,
    *,
    flips: bool = False,
) -> list[int]:
    """Set something in rows, and compute anew, or flip, what reads what was `reached`."""
    ones = (1 << len(rows)) - 1
    before = transpose(rows, scm.n)
    now = [ones * (value >> v & 1) if target >> v & 1 else before[v] for v in range(scm.n)]
    for v in scm.order:
        if (scm.parents[v] & reached or reached < 0) and not target >> v & 1:
            reached |= 1 << v
            inputs = list(bits(scm.parents[v]))
            said = look_up(scm.tables[v], [now[u] for u in inputs], ones)
            if flips:
                said ^= before[v] ^ look_up(scm.tables[v], [before[u] for u in inputs], ones)
            now[v] = said
    return transpose(now, len(rows))


def list_outcomes(scm: BooleanScm, row: int, target: int, value: int) -> list[int]:
    """Return the recorded part of what each choice of traits leads to."""
    n = scm.n - TRAITS
    starts = [row & (1 << n) - 1 | traits << n for traits in range(1 << TRAITS)]
    return [one & (1 << n) - 1 for one in run_as_set(scm, starts, target, value)]


def find_nearest(outcomes: Sequence[int], guesses: Sequence[int]) -> list[int]:
    """Return the outcomes that differ from some guesses in the fewest cells."""
    far = [sum((one ^ guess).bit_count() for guess in guesses) for one in outcomes]
    return [one for one, cells in zip(outcomes, far, strict=True) if cells == min(far)]


def resists_shortcuts(
    scm: BooleanScm, shown: Sequence[int], asked: Sequence[int], target: int, value: int
) -> bool:
    """Say whether each shortcut is right for at most one of a quad's units, in the mean.

    Args:
        scm: The told model.
        shown: The row of each unit, one for each choice of traits.
        asked: The answer of each unit.
        target: The mask of what is set.
        value: What it is set to.
    """
    recorded = (1 << scm.n - TRAITS) - 1
    # The units have the same roots, so their answers are the outcomes that the model allows.
    outcomes = [one & recorded for one in asked]
    for ways in _list_shortcuts(scm, [row & recorded for row in shown], outcomes, target, value):
        pairs = zip(ways, outcomes, strict=True)
        if sum((one in rows) / len(rows) for rows, one in pairs) > 1 + 1e-9:
            return False
    return True


def _list_shortcuts(
    scm: BooleanScm, shown: Sequence[int], outcomes: Sequence[int], target: int, value: int
) -> Iterator[list[list[int]]]:
    """Yield for each shortcut and unit the rows that it may hand in, each of them as likely."""
    n, choices = scm.n - TRAITS, 1 << TRAITS
    starts = [row | traits << n for row in shown for traits in range(choices)]
    yield [find_nearest(outcomes, [row]) for row in shown]
    for guess in (flip_downstream, carry_difference, recompute_downstream):
        rows = [row & (1 << n) - 1 for row in guess(scm, starts, target, value)]
        by_unit = [rows[at : at + choices] for at in range(0, len(rows), choices)]
        for alone in zip(*by_unit, strict=True):
            yield [[one] for one in alone]
            yield [find_nearest(outcomes, [one]) for one in alone]
        yield [find_nearest(outcomes, guesses) for guesses in by_unit]
