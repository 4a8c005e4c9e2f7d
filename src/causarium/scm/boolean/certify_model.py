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

import numpy as np

from causarium.errors import ContractError
from causarium.scm.boolean.count_models import count_models
from causarium.scm.boolean.model import BooleanScm
from causarium.scm.boolean.row_evidence import (
    Admissible,
    Evidence,
    ModelFacts,
    Rows,
    find_seen_patterns,
)


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
