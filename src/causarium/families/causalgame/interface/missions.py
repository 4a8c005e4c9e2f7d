"""The two missions of a twin pair: what was ordered, what came of it, what was committed."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from operator import itemgetter

from causarium.contract.texts.replies import excerpt
from causarium.families.causalgame.actions import Commit, Fly, Tabulate
from causarium.families.causalgame.generation.twin_pairs import (
    fly_opening,
    fly_order,
    law_of,
    open_archive,
)
from causarium.families.causalgame.instance import Order, TwinInstance
from causarium.families.causalgame.interface.design_input import Impossible
from causarium.families.causalgame.interface.twin_design import read_design
from causarium.families.causalgame.mechanics.archive_law import ArchiveLaw, survival_of
from causarium.families.causalgame.mechanics.twin_law import TwinDesign, survival_at_target

RETURNED_COLUMN = "returned"
MOST_COLUMNS = 4
MISSIONS = 2


@dataclass(frozen=True, slots=True)
class Deployment:
    """Test flights, as they are on record."""

    number: int
    ordered: int
    sent: int | None
    """None where nobody says."""
    order: Order

    @property
    def returned(self) -> int:
        """How many came back."""
        return sum(row[-1] for row in self.order.flights)


@dataclass
class Mission:
    """One mission while it is played."""

    instance: TwinInstance
    number: int
    """0 or 1."""
    opening: tuple[Order, ...] = field(init=False)
    deployments: list[Deployment] = field(default_factory=list)
    ordered: int = 0
    tables: int = 0
    committed: TwinDesign | None = None

    def __post_init__(self) -> None:
        public, secret = self.instance.public, self.instance.secret
        if self.number == 0:
            self.opening = public.opening
        else:
            self.opening = fly_opening(secret, self.number, public.hides_losses)

    @property
    def archive(self) -> Sequence[tuple[int, ...]]:
        """The logged flights."""
        return open_archive(self.instance.secret, self.number)

    @property
    def drones_left(self) -> int:
        """How many drones can still be ordered."""
        return self.instance.public.budget.drones - self.ordered

    @property
    def deployments_left(self) -> int:
        """How many deployments can still be made."""
        return self.instance.public.budget.deployments - len(self.deployments)

    @property
    def tables_left(self) -> int:
        """How many tables can still be made."""
        return self.instance.public.budget.tables - self.tables

    def fly(self, move: Fly) -> Deployment:
        """Send drones on test flights.

        Raises:
            Impossible: The design or the number of drones is not allowed; nothing is charged.
        """
        public = self.instance.public
        budget = public.budget
        if not budget.deployments:
            raise Impossible("there are no test flights in this mission; tabulate its archive")
        if not 1 <= move.count <= budget.per_deployment:
            count = excerpt(str(move.count))
            raise Impossible(f"{count} drones; order 1 to {budget.per_deployment} at a time")
        if self.deployments_left <= 0:
            raise Impossible(f"all {budget.deployments} deployments have been made")
        if move.count > self.drones_left:
            raise Impossible(f"{move.count} drones, but only {self.drones_left} are left")
        design = read_design(public, move.design, move.equipment)
        order = (design, move.count, public.hides_losses)
        rows = fly_order(self.instance.secret, self.number, len(self.deployments), order)
        shown = [row for row in rows if row[-1] or not public.hides_losses]
        self.ordered += move.count
        self.deployments.append(
            Deployment(
                number=len(self.deployments) + 1,
                ordered=move.count,
                sent=None if public.hides_losses else len(rows),
                order=Order.model_construct(design=design, flights=tuple(shown)),
            )
        )
        return self.deployments[-1]

    def tabulate(self, move: Tabulate) -> tuple[list[str], Counter[tuple[int, ...]]]:
        """Count the logged flights by some columns.

        Raises:
            Impossible: There is no archive, no table left, or no such column; nothing is charged.
        """
        public = self.instance.public
        if not public.archived:
            raise Impossible("there is no archive in this mission; test designs in flights")
        if self.tables_left <= 0:
            raise Impossible(f"all {public.budget.tables} tables have been made")
        known = archive_columns(self.instance)
        wanted = list(dict.fromkeys(name.strip().lower() for name in move.columns))
        if not 1 <= len(wanted) <= MOST_COLUMNS:
            raise Impossible(f"{len(wanted)} columns; name 1 to {MOST_COLUMNS} different ones")
        for name in wanted:
            if name not in known:
                raise Impossible(
                    f"there is no column {excerpt(name)!r}; there are {', '.join(known)}"
                )
        places = [known.index(name) for name in wanted]
        self.tables += 1
        # An archive is thousands of flights long.
        if len(places) > 1:
            return wanted, Counter(map(itemgetter(*places), self.archive))
        return wanted, Counter((row[places[0]],) for row in self.archive)

    def commit(self, move: Commit) -> TwinDesign:
        """Commit to a design.

        Raises:
            Impossible: The design is not allowed; nothing is committed.
        """
        self.committed = read_design(self.instance.public, move.design, move.equipment)
        return self.committed

    @property
    def survival(self) -> float | None:
        """The share of the fleet that survives, in expectation; None without a design."""
        if self.committed is None:
            return None
        return fleet_survival(self.instance, self.number, self.committed)

    @property
    def won(self) -> bool:
        """Whether the fleet reached the threshold."""
        survival = self.survival
        return survival is not None and survival >= self.instance.public.threshold


def fleet_survival(instance: TwinInstance, mission: int, design: TwinDesign) -> float:
    """Return the share of a mission's fleet that survives with a design, in expectation."""
    law = law_of(instance.secret, mission)
    if isinstance(law, ArchiveLaw):
        return float(survival_of(law, design.options))
    return survival_at_target(law, design, instance.public.target)


def archive_columns(instance: TwinInstance) -> list[str]:
    """Return the columns of an archive, in the order of its rows."""
    public = instance.public
    named = [slot.name for slot in public.slots] + [
        condition.name for condition in public.conditions
    ]
    return [*named, RETURNED_COLUMN]
