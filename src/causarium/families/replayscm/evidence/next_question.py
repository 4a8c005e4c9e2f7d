"""Which world to ask for next, judged by what was seen alone.

The simplest model that fits so far is taken for the truth, and what a proof of that would still
lack is found. For every choice of up to four variables to set, each unit is given the values whose
row, if the model is right, shows most of what no other unit of the question shows. The choice that
shows most in all is asked. Either the model is right about the rows, and something that was lacking
is seen, or the rows refute it and another model takes its place; so every question is of use.
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from causarium.families.replayscm.evidence.boolean_view import admissible, evidence
from causarium.families.replayscm.instance import ReplayPublic, WorldRows
from causarium.families.replayscm.mechanics.intervention_worlds import Panel
from causarium.scm.boolean.model import BooleanScm
from causarium.scm.boolean.open_parents import Known
from causarium.scm.boolean.proof_duties import Duties, ProofDuties
from causarium.scm.boolean.row_evidence import Rows, Words
from causarium.scm.boolean.select_worlds import Goal
from causarium.scm.boolean.simplest_model import find_simplest_known
from causarium.scm.boolean.truth_table import spread
from causarium.scm.dag import bits, mask_of

Question = dict[str, str]
"""For each variable that is set, a digit for each unit, or one for all."""


def choose_next_question(
    public: ReplayPublic, asked: Sequence[WorldRows], model: BooleanScm | None = None
) -> Question | None:
    """Return what to ask for next; None if one model is left, or no model fits.

    Args:
        public: The problem.
        asked: The worlds that were asked for and shown so far.
        model: What to take for the truth instead of the simplest model that fits.
    """
    shown = public.model_copy(update={"train": (*public.train, *asked)})
    return _choose_next(shown.model_dump_json(), len(asked), model)


@lru_cache(maxsize=1024)
def _choose_next(told: str, asked: int, model: BooleanScm | None) -> Question | None:
    # Remembered for a while: all players ask the same, through every interface.
    public = ReplayPublic.model_validate_json(told)
    limits = admissible(public, public.train[len(public.train) - asked :])
    known = Known.of(evidence(public.train, public.variables), limits)
    if model is None:
        solution = find_simplest_known(known)
        if solution is None:
            return None
        model = solution.scm
    goal = Goal.for_whole_model(model, limits)
    still_open = goal.open(known)
    if not still_open.any():
        return None
    panels = [Panel.read(world, public.variables) for world in public.train]
    duties = ProofDuties(model, limits.allowed)
    seen = np.bitwise_or.reduce(
        duties.list_shown(
            np.array([panel.rows for panel in panels], np.uint32),
            np.array([panel.targets for panel in panels], np.uint32),
        ),
        axis=0,
    )
    wanted = duties.list_wanted(seen)
    units = panels[0].rows
    if wanted.any():
        found = _Search(duties, wanted, units, public.max_targets).solve()
        if found is not None:
            return _write_question(public, *found)
    return _write_question(public, *_open_patterns(goal, still_open, len(units)))


class _Search:
    """What each choice of targets and values would show, if the model is right."""

    def __init__(
        self, duties: ProofDuties, wanted: Duties, units: Sequence[int], most: int
    ) -> None:
        self.scm, self.units = duties.scm, units
        self.targets = target_sets(self.scm.n, most)
        self.outcomes = self._outcomes()
        rows = np.unique(np.concatenate([outcome.ravel() for outcome in self.outcomes]))
        self.shown, owners = _pack_wanted_bits(duties, rows, wanted)
        self.owned = [mask_of(np.flatnonzero(owners == v).tolist()) for v in range(self.scm.n)]
        """For each variable, the bits that are seen only where it is free."""

    def _outcomes(self) -> list[Rows]:
        """Return for each set of targets, a line a unit, the row of every assignment."""
        roots = np.array(self.units, np.uint32) & np.uint32(self.scm.roots)
        found: list[Rows] = []
        for size in range(1, max(mask.bit_count() for mask in self.targets) + 1):
            masks = [mask for mask in self.targets if mask.bit_count() == size]
            values = np.array([_assignments(mask) for mask in masks], np.uint32)[:, None, :]
            targets = np.array(masks, np.uint32)[:, None, None]
            found += list(self.scm.replay(roots[None, :, None] & ~targets | values, targets))
        return found

    def solve(self) -> tuple[int, list[int]] | None:
        """Return the targets that show most, with the values of each unit; None if none does."""
        most, chosen = 0, None
        counts = np.zeros(1 << self.scm.n, np.int64)
        counts[list(self.shown)] = [shown.bit_count() for shown in self.shown.values()]
        bounds = np.array([counts[rows].max(axis=1).sum() for rows in self.outcomes])
        for place in np.argsort(-bounds, kind="stable").tolist():
            # No further choice can show more, even if no two units showed the same.
            if bounds[place] <= most:
                break
            targets, outcomes = self.targets[place], self.outcomes[place]
            hidden = 0
            for v in bits(targets):
                hidden |= self.owned[v]
            gain, rows = self._spread(outcomes.tolist(), ~hidden)
            if gain > most:
                most, chosen = gain, (targets, [row & targets for row in rows])
        return chosen

    def _spread(self, outcomes: list[list[int]], left: int) -> tuple[int, list[int]]:
        """Give each unit in turn the row that shows most of what is left."""
        gain, rows = 0, []
        for options in outcomes:
            row = max(options, key=lambda option: (self.shown[option] & left).bit_count())
            gain += (self.shown[row] & left).bit_count()
            left &= ~self.shown[row]
            rows.append(row)
        return gain, rows


@cache
def target_sets(n: int, most: int) -> tuple[int, ...]:
    """Return the masks of up to `most` of `n` variables, small ones first."""
    return tuple(mask_of(c) for size in range(1, most + 1) for c in combinations(range(n), size))


@cache
def _assignments(targets: int) -> tuple[int, ...]:
    return tuple(spread(index, targets) for index in range(1 << targets.bit_count()))


def _pack_wanted_bits(
    duties: ProofDuties, rows: Rows, wanted: Duties
) -> tuple[dict[int, int], NDArray[np.uint32]]:
    """Return which wanted bits each row shows, and to which variable each of the bits belongs."""
    pairs = np.flatnonzero(wanted)
    words = np.ascontiguousarray(duties.row_words(rows)[:, pairs] & wanted[pairs], "<u4")
    asked = np.unpackbits(wanted[pairs].astype("<u4").view(np.uint8), bitorder="little")
    columns = np.flatnonzero(asked)
    shown = np.unpackbits(words.view(np.uint8), axis=1, bitorder="little")[:, columns]
    packed = np.packbits(shown, axis=1, bitorder="little")
    lines = (int.from_bytes(line.tobytes(), "little") for line in packed)
    return dict(zip(rows.tolist(), lines, strict=True)), duties.variables[pairs][columns // 32]


def _open_patterns(goal: Goal, still_open: Words, units: int) -> tuple[int, list[int]]:
    """Return the first set with open patterns as targets, and these patterns in turn."""
    layout = goal.admissible.layout
    variable, place = (int(found[0]) for found in np.nonzero(still_open))
    targets = int(layout.parents[variable, place])
    mask = int(layout.masks[place])
    patterns = [spread(p, mask) & targets for p in bits(int(still_open[variable, place]))]
    return targets, [patterns[u % len(patterns)] for u in range(units)]


def _write_question(public: ReplayPublic, targets: int, values: Sequence[int]) -> Question:
    found = {}
    for v in bits(targets):
        digits = "".join(str(value >> v & 1) for value in values)
        found[public.variables[v]] = digits if len(set(digits)) > 1 else digits[0]
    return found
