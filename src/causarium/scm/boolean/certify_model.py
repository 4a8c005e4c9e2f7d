"""Which models fit some rows: how many, the simplest, another one; and what that proves.

Closure. If a fitting model differs from the true one on a row, the first variable that differs, in
that model's order, saw true inputs. So all fitting models agree with the true one on some query
rows just if, for every variable, every set of parents that it can have and that explains it, each
pattern of the query rows was already seen with the true value. A pattern that was not is an open
obligation. Only the largest sets need looking at: smaller ones are implied.

Count. The same follows from the numbers of models that fit with and without the query rows. The
two proofs start from the same record of what was seen and which sets can explain it, and go
different ways from there; where they disagree, we raise.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from operator import itemgetter
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from causarium.errors import ContractError
from causarium.scm.boolean.model import BooleanScm
from causarium.scm.boolean.row_evidence import (
    Admissible,
    Evidence,
    ModelFacts,
    Rows,
    find_seen_patterns,
)
from causarium.scm.boolean.shortest_formulas import cheapest
from causarium.scm.boolean.truth_table import pattern, spread
from causarium.scm.dag import bits, is_acyclic, mask_of

Ways = NDArray[np.int64]


def count_models(known: ModelFacts) -> dict[int, int]:
    """Return how many models fit what is known, by each root set that is feasible.

    A mechanism of `v` that reads just the set `P` can be chosen in as many ways as there are
    functions that fit and depend on all of `P`. Weighted so, acyclic graphs are counted by their
    sinks with inclusion and exclusion.
    """
    ways = _count_mechanisms(known)
    return {roots: _count_graphs(ways, roots) for roots in known.feasible_roots}


def _count_mechanisms(known: ModelFacts) -> Ways:
    """Return, for each variable and mask of parents, how many fitting functions read just these."""
    layout, n = known.admissible.layout, known.admissible.n
    counts = np.zeros((n, 1 << n), np.int64)
    free = (np.int64(1) << (layout.sizes - 1)) - np.bitwise_count(known.seen).astype(np.int64)
    for v in range(n):
        fits = known.explains[v]
        counts[v, layout.parents[v, fits]] = np.int64(1) << free[v, fits]
    for v in range(n):
        pairs = counts.reshape(n, -1, 2, 1 << v)
        pairs[:, :, 1] -= pairs[:, :, 0]
    masks = np.arange(1 << n, dtype=np.uint32)
    outside = ~np.array(known.admissible.allowed, np.uint32)[:, None]
    barred = (masks & outside != 0) | (np.bitwise_count(masks) > layout.k)
    return cast("Ways", np.where(barred, 0, counts))


def _count_graphs(ways: Ways, roots: int) -> int:
    """Return how many models there are with one root set.

    Sets of variables are masks over the variables with mechanisms alone, counted from 0.
    """
    n = len(ways)
    variables = [v for v in range(n) if not roots >> v & 1]
    summed = ways[variables]
    for v in range(n):
        pairs = summed.reshape(len(summed), -1, 2, 1 << v)
        pairs[:, :, 1] += pairs[:, :, 0]
    inner = range(1 << len(variables))
    sets = [mask_of(variables[i] for i in bits(s)) | roots for s in inner]
    # For each variable and set, the ways to read within this set and the roots.
    within = cast("list[list[int]]", summed[:, sets].tolist())
    totals = [1] + [0] * (len(sets) - 1)
    for below, count in enumerate(totals):
        signed = [(0, -count)] if count else []
        for i, inside in enumerate(within):
            if not below >> i & 1 and inside[below]:
                signed += [(sinks | 1 << i, -number * inside[below]) for sinks, number in signed]
        for sinks, number in signed:
            if sinks:
                totals[below | sinks] += number
    return totals[-1]


@dataclass(frozen=True)
class Proof:
    """What is proved about a model and the rows that were seen of it."""

    models: int
    """How many admissible models fit."""
    feasible_roots: tuple[int, ...]
    """The root sets with which some model fits."""
    open_query: int
    """Obligations that are open for the query rows."""
    open_all: int
    """The same for every row."""
    fitting_query: int
    """How many of the fitting models are right about all query rows."""
    by_world: tuple[Fraction, ...]
    """For each world of the query, the share of the fitting models that are right about it."""
    roots_known: bool
    """Whether the true root set is the only one that is feasible."""

    @property
    def unique(self) -> bool:
        """Whether the true model is the only one that fits."""
        return self.roots_known and self.open_all == 0

    @property
    def determined(self) -> bool:
        """Whether every fitting model is right about the query rows."""
        return self.roots_known and self.open_query == 0

    @property
    def chance(self) -> Fraction:
        """How probably a fitting model drawn uniformly is right about all query rows."""
        return Fraction(self.fitting_query, self.models)


def list_reachable_rows(scm: BooleanScm) -> Evidence:
    """Return every row that interventions can show, with the fewest targets that show it."""
    rows = np.arange(1 << scm.n, dtype=np.uint32)
    return Evidence(scm.n, rows, (rows ^ scm.responses) & np.uint32(scm.endogenous))


def prove(
    scm: BooleanScm, train: Evidence, query: Sequence[Evidence], admissible: Admissible
) -> Proof:
    """Prove what `train` determines about `scm`.

    Args:
        scm: The true model.
        train: The rows that are seen.
        query: The worlds that the question is about.
        admissible: The models that are considered; `scm` has to be one of them.

    Raises:
        ContractError: The model does not fit its rows or is not admissible, or the proof by
            closure and the proof by count disagree.
    """
    scm = scm.canonical()
    _check(scm, (train, *query), admissible)
    known = ModelFacts.of(train, admissible)
    asked = [find_seen_patterns(admissible.layout, world) for world in query]
    all_asked = np.bitwise_or.reduce([np.zeros_like(known.seen), *asked])
    more = (ModelFacts(admissible, known.seen | words) for words in (all_asked, *asked))
    count, both, *fits = map(count_models, (known, *more))
    total = sum(count.values())
    every = find_seen_patterns(admissible.layout, list_reachable_rows(scm))
    proof = Proof(
        models=total,
        feasible_roots=known.feasible_roots,
        open_query=_count_open(known, all_asked, scm.roots),
        open_all=_count_open(known, every, scm.roots),
        fitting_query=sum(both.values()),
        by_world=tuple(Fraction(sum(fit.values()), total) for fit in fits),
        roots_known=known.feasible_roots == (scm.roots,),
    )
    own, right = count[scm.roots], both[scm.roots]
    if (
        (proof.open_query == 0) != (own == right)
        or (proof.open_all == 0) != (own == 1)
        or not all(count.values())
    ):
        raise ContractError(f"the proofs by closure and by count disagree: {proof}")
    return proof


def _count_open(known: ModelFacts, query: Rows, roots: int) -> int:
    """Return how many patterns of the query are open, over all variables and sets."""
    return int(np.bitwise_count((query & ~known.seen)[known.list_obliged_sets(roots)]).sum())


def _check(scm: BooleanScm, worlds: Sequence[Evidence], admissible: Admissible) -> None:
    for world in worlds:
        if not np.array_equal(scm.replay(world.rows, world.targets), world.rows):
            raise ContractError("the model does not replay its own rows")
    large = [v for v in scm.order if scm.parents[v].bit_count() > admissible.max_parents]
    barred = [v for v in scm.order if scm.parents[v] & ~admissible.allowed[v]]
    if large or barred or scm.roots not in admissible.root_sets:
        raise ContractError(
            f"the model is not admissible: mechanisms {sorted({*large, *barred})} read too many "
            f"variables or others than allowed, or its roots {scm.roots:#x} are not a root set"
        )


_NEVER = 1 << 30


class Choice(NamedTuple):
    """One mechanism that fits, for one variable."""

    parents: int
    table: int
    size: int
    """How long its shortest formula is."""


def find_simplest_known(known: ModelFacts) -> BooleanScm | None:
    """Return a simplest model that fits what is known, or None if none does.

    Fewest parents come first, then shortest formulas, so every mechanism reads a set that could not
    explain its variable with one parent less. Both sums split over the variables, and each sees
    only what was placed before it: a table over sets of placed variables finds the best.
    """
    found = [_Search(known, roots).solve() for roots in known.feasible_roots]
    return min(found, key=itemgetter(0, 1))[2] if found else None


class _Search:
    """The search with one root set.

    Sets of placed variables are masks over the variables with mechanisms alone, counted from 0.
    """

    def __init__(self, known: ModelFacts, roots: int) -> None:
        self.known, self.roots = known, roots
        self.variables = [v for v in range(known.admissible.n) if not roots >> v & 1]
        self.choices: dict[tuple[int, int], Choice] = {}
        self.shortest: dict[int, tuple[int, dict[int, Choice]]] = {0: (0, {})}
        masks, inner = known.admissible.layout.parents, mask_of(self.variables)
        self._sets = [
            [(mask, pattern(mask, inner)) for mask in masks[v, known.minimal[v]].tolist()]
            for v in self.variables
        ]
        """For each variable, its minimal sets of parents, and these among the placed."""

    def solve(self) -> tuple[int, int, BooleanScm]:
        """Return the simplest model, after how many parents it has and how long it is."""
        fewest = self._fewest()
        costs = self._count_parents(fewest)
        size, chosen = self._choose_shortest(fewest, costs, len(costs) - 1)
        masks, tables = [0] * self.known.admissible.n, [0] * self.known.admissible.n
        for i, choice in chosen.items():
            masks[self.variables[i]] = choice.parents
            tables[self.variables[i]] = choice.table
        scm = BooleanScm(len(masks), self.roots, tuple(masks), tuple(tables))
        return costs[-1], size, scm

    def _fewest(self) -> list[list[int]]:
        """Return, for each variable and set of placed ones, the fewest parents that explain it."""
        m = len(self.variables)
        found: NDArray[np.int32] = np.full((m, 1 << m), _NEVER, np.int32)
        for i, sets in enumerate(self._sets):
            for mask, place in sets:
                count = mask.bit_count()
                found[i, place] = min(found[i, place], count)
        for i in range(m):
            pairs = found.reshape(m, -1, 2, 1 << i)
            np.minimum(pairs[:, :, 1], pairs[:, :, 0], out=pairs[:, :, 1])
        return cast("list[list[int]]", found.tolist())

    def _count_parents(self, fewest: list[list[int]]) -> list[int]:
        """Return the fewest parents with which each set of variables can be placed."""
        best = [0] + [_NEVER] * ((1 << len(self.variables)) - 1)
        for placed, cost in enumerate(best):
            if cost < _NEVER:
                for i, counts in enumerate(fewest):
                    after = placed | 1 << i
                    if after != placed and cost + counts[placed] < best[after]:
                        best[after] = cost + counts[placed]
        return best

    def _choose_shortest(
        self, fewest: list[list[int]], costs: list[int], placed: int
    ) -> tuple[int, dict[int, Choice]]:
        """Return the shortest formulas for a set among the models with fewest parents of it."""
        if placed not in self.shortest:
            best: tuple[int, dict[int, Choice]] = (_NEVER << 8, {})
            for i in reversed(list(bits(placed))):
                before = placed & ~(1 << i)
                if costs[before] + fewest[i][before] == costs[placed]:
                    choice = self._choose(i, before, fewest[i][before])
                    size, chosen = self._choose_shortest(fewest, costs, before)
                    if size + choice.size < best[0]:
                        best = size + choice.size, {**chosen, i: choice}
            self.shortest[placed] = best
        return self.shortest[placed]

    def _choose(self, i: int, placed: int, count: int) -> Choice:
        fits = [
            self._choice(i, mask)
            for mask, place in self._sets[i]
            if not place & ~placed and mask.bit_count() == count
        ]
        return min(fits, key=lambda choice: (choice.size, choice.parents))

    def _choice(self, i: int, parents: int) -> Choice:
        if (i, parents) not in self.choices:
            zeros, ones = self.known.facts(self.variables[i], parents)
            choice = cheapest(zeros, ones, parents.bit_count())
            size, table = choice if choice is not None else (_NEVER, ones)
            self.choices[i, parents] = Choice(parents, table, size)
        return self.choices[i, parents]


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

    For every variable, every largest set of parents that it could have and every `do(U = u)`, the
    reference is run with all values of the roots. Where its row shows the parents in a pattern that
    was never seen, another mechanism may say the opposite; where it was seen with the opposite, it
    must. The mechanism that can differ most is completed by a shortest function and put into the
    reference, with as few other changes as the order of the variables asks for.

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
