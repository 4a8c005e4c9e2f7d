"""What is proved about one model and its rows: twice, by closure and by count.

Closure. If a fitting model differs from the true one on a row, the first variable that differs, in
that model's order, saw true inputs. So all fitting models agree with the true one on some query
rows just if, for every variable, every set of parents that it can have and that explains it, each
pattern of the query rows was already seen with the true value. A pattern that was not is an open
obligation. Only the largest sets need looking at: smaller ones are implied.

Count. The same follows from the numbers of models that fit with and without the query rows. The
two proofs start from the same record of what was seen and which sets can explain it, and go
different ways from there; where they disagree, we raise.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, cast

import numpy as np

from causarium.errors import ContractError
from causarium.scm.boolean.count_models import Count
from causarium.scm.boolean.model import BooleanScm
from causarium.scm.boolean.row_evidence import (
    Admissible,
    Evidence,
    Flags,
    Known,
    Layout,
    Words,
    find_seen_patterns,
)
from causarium.scm.boolean.simplest_model import cost_of, find_simplest_other

Level = Literal["none", "query", "one", "two", "unique"]
"""What is determined: nothing, the query rows, all rows with up to one or two targets, the model.

`query` is not implied by `one`: query rows may have more targets.
"""


@dataclass(frozen=True)
class Proof:
    """What is proved about a model and the rows that were seen of it."""

    models: int
    """How many admissible models fit."""
    feasible_roots: tuple[int, ...]
    """The root sets with which some model fits."""
    open_query: int
    """Obligations that are open for the query rows."""
    open_one: int
    """The same for all rows that some intervention on up to one variable can show."""
    open_two: int
    """The same for up to two variables."""
    open_all: int
    """The same for every row."""
    fitting_query: int
    """How many of the fitting models are right about all query rows."""
    by_world: tuple[Fraction, ...]
    """For each world of the query, the share of the fitting models that are right about it."""
    gap: tuple[int, int] | None
    """By how many parents and by what length the simplest other model exceeds the true one.

    None if there is no other. Negative if another one is simpler.
    """
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
    def simplest(self) -> bool:
        """Whether every other fitting model is less simple than the true one."""
        return self.gap is None or self.gap > (0, 0)

    @property
    def chance(self) -> Fraction:
        """How probably a fitting model drawn uniformly is right about all query rows."""
        return Fraction(self.fitting_query, self.models)

    @property
    def level(self) -> Level:
        """The strongest of the things that are determined."""
        if not self.roots_known:
            return "none"
        steps: list[tuple[Level, int]] = [
            ("unique", self.open_all),
            ("two", self.open_two),
            ("one", self.open_one),
            ("query", self.open_query),
        ]
        return next((level for level, still_open in steps if not still_open), "none")


def list_reachable_rows(scm: BooleanScm, targets: int | None = None) -> Evidence:
    """Return every row that interventions on up to `targets` variables can show.

    Each row comes with the fewest targets that show it: the variables whose mechanisms it breaks.
    """
    rows = np.arange(1 << scm.n, dtype=np.uint32)
    broken = (rows ^ scm.responses) & np.uint32(scm.endogenous)
    if targets is not None:
        shown = np.bitwise_count(broken) <= targets
        rows, broken = rows[shown], broken[shown]
    return Evidence(scm.n, rows, broken)


def obligations(known: Known, query: Words, roots: int) -> Words:
    """Return the patterns of `query` that are open, for each variable and set.

    Args:
        known: What the rows that were seen say.
        query: The patterns of the query rows, as `find_seen_patterns` gives them.
        roots: The true root set.
    """
    needed = find_obliged_sets(known, roots)
    return cast("Words", np.where(needed, query & ~known.seen, known.seen.dtype.type(0)))


def find_obliged_sets(known: Known, roots: int) -> Flags:
    """Say for each variable and set whether the others are a largest set that it could read."""
    admissible = known.admissible
    layout = admissible.layout
    free = [v for v in range(admissible.n) if not roots >> v & 1]
    reach = np.zeros(admissible.n, np.uint32)
    for v in free:
        reach[v] = known.reach(v, roots)
    most = np.minimum(np.bitwise_count(reach), layout.k)[:, None]
    largest = (layout.parents & ~reach[:, None] == 0) & (layout.sizes - 1 == most)
    largest[[v for v in range(admissible.n) if roots >> v & 1]] = False
    return cast("Flags", largest & known.explains)


def prove(
    scm: BooleanScm,
    train: Evidence,
    query: Sequence[Evidence],
    admissible: Admissible,
    *,
    with_gap: bool = True,
) -> Proof:
    """Prove what `train` determines about `scm`.

    Args:
        scm: The true model.
        train: The rows that are seen.
        query: The worlds whose rows are asked about.
        admissible: The models that are considered; `scm` has to be one of them.
        with_gap: Whether to look for the simplest other model as well.

    Raises:
        ContractError: The model does not fit its rows or is not admissible, or the proof by
            closure and the proof by count disagree.
    """
    scm = scm.canonical()
    _check(scm, (train, *query), admissible)
    known = Known.of(train, admissible)
    asked = [find_seen_patterns(admissible.layout, world) for world in query]
    all_asked = _union(asked, admissible.layout)
    count = Count(known)
    fits = [Count(Known(admissible, known.seen | words)) for words in asked]
    both = Count(Known(admissible, known.seen | all_asked))
    proof = Proof(
        models=count.total,
        feasible_roots=known.feasible_roots,
        open_query=_still_open(known, all_asked, scm.roots),
        open_one=_open_rows(known, scm, 1),
        open_two=_open_rows(known, scm, 2),
        open_all=_open_rows(known, scm, None),
        fitting_query=both.total,
        by_world=tuple(Fraction(fit.total, count.total) for fit in fits),
        gap=_gap(known, scm) if with_gap else None,
        roots_known=known.feasible_roots == (scm.roots,),
    )
    _agree(proof, count, both, scm)
    return proof


def _union(words: Sequence[Words], layout: Layout) -> Words:
    union: Words = np.zeros((layout.n, len(layout.masks)), layout.word)
    for more in words:
        union = cast("Words", union | more)
    return union


def _still_open(known: Known, query: Words, roots: int) -> int:
    return int(np.bitwise_count(obligations(known, query, roots)).sum())


def _open_rows(known: Known, scm: BooleanScm, targets: int | None) -> int:
    rows = list_reachable_rows(scm, targets)
    return _still_open(known, find_seen_patterns(known.admissible.layout, rows), scm.roots)


def _gap(known: Known, scm: BooleanScm) -> tuple[int, int] | None:
    other = find_simplest_other(known, scm)
    if other is None:
        return None
    parents, size = cost_of(scm)
    return other.parents - parents, other.size - size


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


def _agree(proof: Proof, count: Count, both: Count, scm: BooleanScm) -> None:
    own = count.by_roots[scm.roots].total
    total = both.by_roots[scm.roots].total
    if (
        (proof.open_query == 0) != (own == total)
        or (proof.open_all == 0) != (own == 1)
        or any(graphs.total == 0 for graphs in count.by_roots.values())
    ):
        raise ContractError(f"the proofs by closure and by count disagree: {proof}")
