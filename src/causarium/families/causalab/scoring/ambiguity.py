"""How much an agent's experiments leave open, turn by turn.

Two counts, each with and without a further assumption:

* `equivalent`: graphs in the interventional equivalence class of the truth, given the properties
  that were intervened upon; `equivalent_told` also uses that the frequency acts on nothing, where
  the rules say so. It speaks of targets alone, not of values.
* `consistent`: graphs in which every node's equation can be given coefficients, none of them zero,
  that fit all readings collected so far; `consistent_loosely` lets coefficients be zero, so that
  every graph with further arrows is consistent as well and the least possible is the number of
  graphs that contain the truth.

Rounding is allowed for. With a hidden disturbance the consistent graphs are not counted, nor with
more than `MAX_CONSISTENT_NODES` nodes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from causarium.contract.turn import Turn
from causarium.families.causalab.evidence.infer_mechanism import ROUNDING, Notebook, differences
from causarium.families.causalab.mechanics.lab import Row
from causarium.families.causalab.model.config import LabRules
from causarium.families.causalab.model.instance import LabInstance, LabPublic
from causarium.families.causalab.scoring.episode_history import recall
from causarium.scm.count_dags import count_dags
from causarium.scm.dag import bits, mask_of
from causarium.scm.equivalence import class_size

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Matrix = NDArray[np.float64]

MAX_CONSISTENT_NODES = 9


@dataclass(frozen=True, slots=True)
class Ambiguity:
    """What is open after some interventions."""

    interventions: int
    equivalent: int
    equivalent_told: int
    consistent: int | None
    consistent_loosely: int | None


def ambiguity(instance: LabInstance, rules: LabRules, turns: Sequence[Turn]) -> list[Ambiguity]:
    """Return what was open before the first turn, and after each."""
    history = recall(instance, rules, turns)
    known = measure_after_each(instance, history.lab.rows[1:])
    return [known[0], *(known[step.used] for step in history.steps)]


def equivalent(instance: LabInstance, rows: Sequence[Row]) -> int:
    """Return the size of the interventional equivalence class after `rows` and the chain."""
    names = instance.public.names
    used = {row.target for row in rows if row.target is not None}
    used |= {names.index(step.property) for step in instance.public.chain if step.property}
    return class_size(instance.secret.mechanism(instance.public).dag, mask_of(used))


def measure_after_each(instance: LabInstance, rows: Sequence[Row]) -> list[Ambiguity]:
    """Return what was open before any of `rows`, the readings after interventions, and after each.

    A handed-over chain counts as known from the start.
    """
    public = instance.public
    dag = instance.secret.mechanism(public).dag
    outcome = 0 if public.frequency_may_cause else 1 << len(public.properties)
    notebook = Notebook(public)
    targets = sum({1 << s.target for s in notebook.sights if s.target is not None})
    found = []
    for number in range(len(rows) + 1):
        if number:
            row = rows[number - 1]
            target = row.target or 0
            notebook.add(target, row.values)
            targets |= 1 << target
        found.append(
            Ambiguity(
                number,
                class_size(dag, targets),
                class_size(dag, targets | outcome),
                *count_consistent_graphs(notebook),
            )
        )
    return found


def count_consistent_graphs(notebook: Notebook) -> tuple[int | None, int | None]:
    """Return how many graphs fit all readings, without and with coefficients that are zero."""
    public = notebook.public
    if public.hidden is not None or len(public.nodes) > MAX_CONSISTENT_NODES:
        return None, None
    strict, loose = [], []
    for node in range(len(public.nodes)):
        fitting, within = _parent_sets(notebook, node)
        strict.append(fitting)
        loose.append(within)
    return count_dags(strict), count_dags(loose)


def _parent_sets(notebook: Notebook, node: int) -> tuple[list[int], list[int]]:
    """Return the masks of parents that fit, with no coefficient zero and with any."""
    public = notebook.public
    others = _candidates(public, node)
    squares = public.form == "quadratic"
    design, wanted = differences(notebook.sights, node, others, squares=squares)
    terms = _Terms(design, wanted, len(others))
    loose = {part for part in range(2 ** len(others)) if terms.fit(part)}
    strict = [
        part
        for part in loose
        # A parent that can be left out may yet have a coefficient, if others can make up for it.
        if all((part ^ 1 << i) not in loose or terms.is_replaceable(part, i) for i in bits(part))
    ]
    return [_spread(part, others) for part in strict], [_spread(part, others) for part in loose]


def _candidates(public: LabPublic, node: int) -> list[int]:
    outcome = len(public.properties)
    nodes = range(outcome + 1 if public.frequency_may_cause else outcome)
    return [other for other in nodes if other != node]


def _spread(part: int, others: Sequence[int]) -> int:
    return sum(1 << others[i] for i in bits(part))


class _Terms:
    """The terms that one node's equation may have, over the readings that bear on it."""

    def __init__(self, design: "Matrix", wanted: "Matrix", count: int) -> None:
        import numpy as np

        scale = np.abs(design).max(axis=0) if len(design) else np.ones(design.shape[1])
        self._design = design / np.where(scale > 0, scale, 1.0)
        self._wanted = wanted
        self._count = count
        self._fit: dict[int, bool] = {}
        self._rank: dict[int, int] = {}

    def _columns(self, part: int) -> "Matrix":
        chosen = list(bits(part))
        width = self._design.shape[1] // self._count if self._count else 0
        return self._design[:, [i + k * self._count for k in range(width) for i in chosen]]

    def fit(self, part: int) -> bool:
        """Say whether the terms of these parents explain every reading, to rounding."""
        if part not in self._fit:
            # What fewer parents explain, more explain too.
            fewer = any(self.fit(part ^ 1 << i) for i in bits(part))
            self._fit[part] = fewer or self._misfit(part) <= ROUNDING
        return self._fit[part]

    def _misfit(self, part: int) -> float:
        import numpy as np

        if not len(self._wanted):
            return 0.0
        if not part:
            return float(np.abs(self._wanted).max())
        columns = self._columns(part)
        found = np.linalg.lstsq(columns, self._wanted, rcond=1e-12)[0]
        return float(np.abs(columns @ found - self._wanted).max())

    def is_replaceable(self, part: int, parent: int) -> bool:
        """Say whether other terms can make up for a change in one parent's coefficients."""
        width = int(self._design.shape[1]) // self._count
        return self._rank_of(part) < self._rank_of(part ^ 1 << parent) + width

    def _rank_of(self, part: int) -> int:
        import numpy as np

        if part not in self._rank:
            columns = self._columns(part)
            known = len(self._wanted) and part
            self._rank[part] = int(np.linalg.matrix_rank(columns, tol=1e-9)) if known else 0
        return self._rank[part]
