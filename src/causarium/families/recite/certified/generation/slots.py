"""A slot: passages in two versions that decide some edges together, and the key derived from them.

Where the passages have figures, the key of every combination of versions is derived from the table
that their cells make; nobody writes it. Where they state, the versions are keyed by hand: version
one tells the first of the slot's edges and version two the second, if there is one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from random import Random

from causarium.errors import ContractError
from ..evidence.estimate import Plan, RefusedError, estimate, plan_estimate
from ..evidence.marks import Cell, Passage, find_unmarked
from ..evidence.table import Table, make_table
from ..model import Edge

Versions = tuple[int, ...]
Tells = frozenset[Edge]
_MOST_TRIES = 60


@dataclass(frozen=True)
class Place:
    """One passage of a slot: the same in every text, or in two versions."""

    versions: tuple[Passage, ...]
    turned: tuple[Passage, ...] = ()
    """The same versions with their records in the other order, if order could tell."""

    def choose(self, version: int, *, turned: bool) -> Passage:
        """Return a version of the passage, in one of its orders."""
        return (self.turned if turned and self.turned else self.versions)[version]


@dataclass(frozen=True)
class Slot:
    """Some passages that decide some edges together."""

    name: str
    kind: str
    edges: tuple[Edge, ...]
    """The edges that some combination tells."""
    places: tuple[Place, ...]
    stated: tuple[Tells, Tells] | None = field(default=None)
    """What versions one and two tell, where they state it; None: it is derived."""
    held: bool = False
    """Whether a text and its twin have the slot in the same version."""
    counted: bool = True
    """Whether its edges count; those of figures without cells do not."""

    @property
    def free(self) -> tuple[int, ...]:
        """The numbers of the passages that have two versions."""
        return tuple(n for n, place in enumerate(self.places) if len(place.versions) == 2)

    @property
    def combinations(self) -> list[Versions]:
        """Every choice of versions."""
        return list(product((0, 1), repeat=len(self.free)))

    def passages(self, versions: Versions, *, turned: bool = False) -> list[Passage]:
        """Return the passages in the order of the file, each in its version."""
        chosen = dict(zip(self.free, versions, strict=True))
        return [
            place.choose(chosen.get(n, 0), turned=turned) for n, place in enumerate(self.places)
        ]

    def list_cells(self, versions: Versions, *, turned: bool = False) -> list[Cell]:
        """Return the cells of the passages."""
        return [cell for one in self.passages(versions, turned=turned) for cell in one.cells]

    def derive(self, versions: Versions) -> Tells:
        """Return the edges that a combination of versions tells.

        Raises:
            ContractError: Its figures tell neither an effect nor its absence.
        """
        if self.stated is not None:
            return self.stated[versions[0]]
        try:
            return derive_edges(make_table(self.list_cells(versions)), self.edges)
        except (RefusedError, ContractError) as wrong:
            said = "".join(str(version + 1) for version in versions)
            raise ContractError(f"slot {self.name}, versions {said}: {wrong}") from wrong

    @cached_property
    def key(self) -> dict[Versions, Tells]:
        """What every combination of versions tells."""
        return {versions: self.derive(versions) for versions in self.combinations}

    @cached_property
    def plans(self) -> list[tuple[Plan, bool]]:
        """For every combination and edge that figures decide, the estimate and what it tells."""
        return [
            (plan, edge in told)
            for versions, told in self.key.items()
            for edge in self.edges
            if (plan := plan_estimate(make_table(self.list_cells(versions)), edge[0])) is not None
        ]

    def draw_figures(self, rng: Random) -> dict[int, int]:
        """Return fresh figures with which every combination tells the same; equal stay equal."""
        values = sorted({int(cell[3]) for cell in self._all_cells() if cell[0] == "fig"})
        if not values:
            return {}
        most = 99 if values[-1] < 100 else 10 * values[-1]
        for _ in range(_MOST_TRIES):
            scale = rng.uniform(0.6, 1.7)
            fresh = [max(3, round(value * scale * rng.uniform(0.92, 1.09))) for value in values]
            figures = dict(zip(values, fresh, strict=True))
            if len(set(fresh)) == len(values) and fresh[-1] <= most and self._keeps(figures):
                return figures
        return {}

    def _all_cells(self) -> list[Cell]:
        every = (one for place in self.places for one in (*place.versions, *place.turned))
        return [cell for passage in every for cell in passage.cells]

    def _keeps(self, figures: Mapping[int, int]) -> bool:
        try:
            return all(
                plan.judge([figures[row.value] for row in plan.rows]).told == told
                for plan, told in self.plans
            )
        except RefusedError:
            return False

    def check(self) -> None:
        """Make sure that the slot can be used.

        Raises:
            ContractError: A number stands in no mark, a passage does not matter in every
                combination, orders disagree, or the figures refuse some combination.
        """
        for place in self.places:
            for passage in (*place.versions, *place.turned):
                if self.stated is None and (numbers := find_unmarked(passage)):
                    raise ContractError(f"slot {self.name}: {numbers[0]!r} stands in no mark")
        if not self.free:
            raise ContractError(f"slot {self.name} has no passage in two versions")
        if len(set(self.key.values())) != 2:
            raise ContractError(f"slot {self.name} does not tell one of two things")
        for versions, told in self.key.items():
            for n in range(len(versions)):
                other = (*versions[:n], 1 - versions[n], *versions[n + 1 :])
                if self.key[other] == told:
                    raise ContractError(
                        f"slot {self.name}: passage {self.free[n] + 1} decides nothing where the "
                        f"others are {versions}"
                    )
            if sorted(self.list_cells(versions)) != sorted(self.list_cells(versions, turned=True)):
                raise ContractError(f"slot {self.name}: the two orders have different cells")


def derive_edges(table: Table, candidates: Sequence[Edge]) -> Tells:
    """Return those of some edges that a table tells.

    Raises:
        RefusedError: The figures tell neither an effect nor its absence.
    """
    return frozenset(edge for edge in candidates if estimate(table, edge[0]).told)
