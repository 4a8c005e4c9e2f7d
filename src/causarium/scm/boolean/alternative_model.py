"""Another model that fits all rows, and the experiment on one variable that tells the two apart.

For every variable, every largest set of parents that it could have and every `do(U = u)`, the
reference is run with all values of the roots. Where its row shows the parents in a pattern that was
never seen, another mechanism may say the opposite; where it was seen with the opposite, it must.
The most contexts in which one mechanism can differ so are found; it is completed by a shortest
function and put into the reference, with as few other changes as the order of the variables asks
for. If nothing can differ, no alternative exists.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from typing import NamedTuple

import numpy as np

from causarium.errors import ContractError
from causarium.scm.boolean.model import BooleanScm
from causarium.scm.boolean.row_evidence import Admissible, Evidence, ModelFacts, Rows
from causarium.scm.boolean.shortest_formulas import cheapest
from causarium.scm.boolean.truth_table import pattern, spread
from causarium.scm.dag import bits, is_acyclic, mask_of

Experiment = tuple[int, int, tuple[int, ...]]
"""What is set, to which value, and the contexts, as rows, at which two models then differ."""


class _Option(NamedTuple):
    """A mechanism that could differ from the reference in some contexts of an experiment."""

    contexts: int
    variable: int
    parents: int
    target: int
    value: int


def find_best_alternative(
    reference: BooleanScm, evidence: Evidence, admissible: Admissible
) -> BooleanScm | None:
    """Return an alternative that one changed mechanism makes differ in most contexts.

    None means that no admissible model fits all rows and differs from the reference under any
    intervention on one variable.

    Raises:
        ContractError: The reference does not fit the rows.
    """
    if not np.array_equal(reference.replay(evidence.rows, evidence.targets), evidence.rows):
        raise ContractError("the reference does not fit the rows, so nothing fits as well")
    known = ModelFacts.of(evidence, replace(admissible, root_sets=(reference.roots,)))
    best: _Option | None = None
    for bound, variable, parents, target, value in _bounds(known, reference):
        if best is not None and bound <= best.contexts:
            break
        contexts, _ = _count_opposite_contexts(known, reference, variable, parents, target, value)
        if best is None or contexts > best.contexts:
            best = _Option(contexts, variable, parents, target, value)
    return None if best is None else _build_alternative(known, reference, best)


def contexts_of(scm: BooleanScm) -> Rows:
    """Return all values of the roots, as rows, lowest first."""
    count = 1 << scm.roots.bit_count()
    return np.array([spread(index, scm.roots) for index in range(count)], np.uint32)


def run_experiments(scm: BooleanScm) -> Rows:
    """Return the rows of all contexts in each experiment; number `2 * u + b` sets `u` to `b`."""
    contexts = contexts_of(scm)
    start = np.stack([_set(contexts, u, b) for u in range(scm.n) for b in (0, 1)])
    return scm.replay(start, _list_targets(scm.n))


def find_best_experiment(one: BooleanScm, other: BooleanScm) -> Experiment | None:
    """Return the experiment that tells two models with the same roots apart in most contexts."""
    differ = run_experiments(one) != run_experiments(other)
    best = int(differ.sum(axis=1).argmax())
    contexts = contexts_of(one)[differ[best]].tolist()
    return (*divmod(best, 2), tuple(contexts)) if contexts else None


def _list_targets(n: int) -> Rows:
    return np.repeat(np.uint32(1) << np.arange(n, dtype=np.uint32), 2)[:, None]


def _set(rows: Rows, target: int, value: int) -> Rows:
    return rows & ~np.uint32(1 << target) | np.uint32(value << target)


def _bounds(known: ModelFacts, reference: BooleanScm) -> Iterator[_Option]:
    """Yield options with at most so many contexts each, most promising first; none with zero."""
    layout = known.admissible.layout
    variables, sets = np.nonzero(known.list_obliged_sets(reference.roots))
    if not len(variables):
        return
    rows, targets = run_experiments(reference), _list_targets(reference.n)
    shown = layout.patterns[rows.ravel()][:, sets]
    open_ = shown & known.seen[variables, sets] == 0
    counts = open_.reshape(*rows.shape, len(sets)).sum(axis=1)
    counts[targets >> variables.astype(np.uint32) & np.uint32(1) == 1] = 0
    flat = counts.ravel()
    for place in np.argsort(-flat, kind="stable").tolist():
        if not flat[place]:
            return
        experiment, pair = divmod(place, len(sets))
        parents = int(layout.parents[variables[pair], sets[pair]])
        yield _Option(int(flat[place]), int(variables[pair]), parents, *divmod(experiment, 2))


def _count_opposite_contexts(
    known: ModelFacts, reference: BooleanScm, variable: int, parents: int, target: int, value: int
) -> tuple[int, list[tuple[int, int]]]:
    """Return in how many contexts a mechanism can differ, and what it then says of new patterns.

    Contexts that show the same pattern with both values cannot all differ; most of them do.
    """
    zeros, ones = known.facts(variable, parents)
    rows = reference.replay(_set(contexts_of(reference), target, value), 1 << target).tolist()
    shown = Counter((pattern(row, parents), row >> variable & 1) for row in rows)
    contexts, facts = 0, []
    for p in {p for p, _ in shown}:
        if (zeros | ones) >> p & 1:
            contexts += shown[p, zeros >> p & 1]
            continue
        shown_value = int(shown[p, 1] <= shown[p, 0])
        contexts += shown[p, 1 - shown_value]
        facts.append((p, shown_value))
    return contexts, facts


def _build_alternative(known: ModelFacts, reference: BooleanScm, option: _Option) -> BooleanScm:
    _, variable, parents, target, value = option
    _, facts = _count_opposite_contexts(known, reference, variable, parents, target, value)
    zeros, ones = known.facts(variable, parents)
    for p, said in facts:
        zeros |= (not said) << p
        ones |= said << p
    inputs, table = _complete_table(zeros, ones, parents)
    masks, tables = list(reference.parents), list(reference.tables)
    masks[variable], tables[variable] = inputs, table
    if not is_acyclic(tuple(masks)):
        return _reorder_model(known, reference, variable, inputs, table)
    return BooleanScm(reference.n, reference.roots, tuple(masks), tuple(tables))


def _complete_table(zeros: int, ones: int, parents: int) -> tuple[int, int]:
    """Return the fewest of `parents` that can say this, and a shortest table over them."""
    members = list(bits(parents))
    for size in range(len(members) + 1):
        tables = []
        for kept in combinations(range(len(members)), size):
            places = mask_of(kept)
            few = [mask_of({pattern(p, places) for p in bits(word)}) for word in (zeros, ones)]
            choice = cheapest(few[0], few[1], size)
            if choice is not None:
                tables.append((*choice, mask_of(members[j] for j in kept)))
        if tables:
            _, table, inputs = min(tables)
            return inputs, table
    # Functions of more arguments than are listed may be missed; any that says this will do.
    return parents, ones


def _reorder_model(
    known: ModelFacts, reference: BooleanScm, variable: int, inputs: int, table: int
) -> BooleanScm:
    """Return a fitting model with this mechanism, and the reference's own where they can stay."""
    masks, tables = list(reference.parents), list(reference.tables)
    masks[variable], tables[variable] = inputs, table
    placed, everything = reference.roots, (1 << reference.n) - 1
    while placed != everything:
        waiting = [v for v in bits(everything & ~placed) if not masks[v] & ~placed]
        if not waiting:
            ready = int(known.ready[placed]) & ~placed & ~(1 << variable)
            v = next(bits(ready))
            masks[v], tables[v] = _explain_variable(known, v, placed)
            waiting = [v]
        placed |= mask_of(waiting)
    return BooleanScm(reference.n, reference.roots, tuple(masks), tuple(tables))


def _explain_variable(known: ModelFacts, variable: int, placed: int) -> tuple[int, int]:
    """Return the fewest placed parents that explain `variable`, and a shortest table."""
    layout = known.admissible.layout
    masks = layout.parents[variable, known.minimal[variable]]
    inside = [mask for mask in masks.tolist() if not mask & ~placed]
    explanations = []
    for mask in inside:
        choice = cheapest(*known.facts(variable, mask), mask.bit_count())
        if choice is not None:
            explanations.append((mask.bit_count(), *choice, mask))
    _, _, table, parents = min(explanations)
    return parents, table
