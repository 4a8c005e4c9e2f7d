"""Intervention worlds: units with thresholds, environments, what is set, and the rows that follow.

A unit has a threshold for each root, the same in every world; a world has a level for each root,
and a root that is not set is 1 in the units whose threshold lies below the level.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import TYPE_CHECKING

from causarium.families.replayscm.model.instance import Mode, WorldRows
from causarium.scm.boolean.model import BooleanScm
from causarium.scm.dag import bits, mask_of

if TYPE_CHECKING:
    from causarium.scm.boolean.propose_worlds import Design, World

ENVIRONMENTS = (0.2, 0.35, 0.5, 0.65, 0.8)
BIASES = (0.3, 0.5, 0.7)
"""How likely a row-wise assignment is 1."""

Signature = tuple[Mode, int, int]
"""What is done in a world: the mode, the targets, and their values where these are constant."""


@dataclass(frozen=True, slots=True)
class Panel:
    """One simulated world, rows as bit masks over listing positions."""

    mode: Mode
    targets: int
    rows: tuple[int, ...]

    @classmethod
    def of(cls, world: "World") -> "Panel":
        """Return a proposed world, with the mode that it was made in."""
        mode: Mode = "hard_constant" if world.constant else "hard_assigned"
        return cls(mode if world.targets else "none", world.targets, world.rows)

    @property
    def signature(self) -> Signature:
        """What is done in this world, whatever came of it."""
        constants = self.rows[0] & self.targets if self.mode == "hard_constant" else 0
        return self.mode, self.targets, constants

    def column(self, variable: int) -> str:
        """Return the values of one variable, row by row."""
        return "".join("1" if row >> variable & 1 else "0" for row in self.rows)

    def write_rows(self, id_: str, variables: Sequence[str]) -> WorldRows:
        """Return this world as it is stored and shown."""
        return WorldRows(
            id=id_,
            mode=self.mode,
            targets=tuple(variables[i] for i in bits(self.targets)),
            units=tuple(f"u{u:02d}" for u in range(len(self.rows))),
            columns={name: self.column(i) for i, name in enumerate(variables)},
        )

    @classmethod
    def read(cls, world: WorldRows, variables: Sequence[str]) -> "Panel":
        """Return a stored world as bit masks; `written` undone."""
        place = {name: i for i, name in enumerate(variables)}
        rows = tuple(
            sum(1 << i for i, name in enumerate(variables) if world.columns[name][u] == "1")
            for u in range(len(world.units))
        )
        return cls(world.mode, mask_of(place[name] for name in world.targets), rows)


@dataclass(frozen=True)
class Laboratory:
    """A true model, and the units on which worlds are tried out."""

    scm: BooleanScm
    thresholds: tuple[tuple[float, ...], ...]
    """For each unit its threshold for each root, roots in listing order."""
    target_counts: tuple[tuple[int, int], ...]
    """How often a random world sets so many variables."""
    constant: float
    """How often a random world that sets something holds it at one value."""

    @classmethod
    def draw(
        cls, scm: BooleanScm, units: int, targets: Mapping[int, int], constant: float, rng: Random
    ) -> "Laboratory":
        """Draw the units of a problem.

        Args:
            scm: The true model.
            units: How many there are.
            targets: How often a random world sets so many variables.
            constant: How often it holds them at one value.
            rng: Where chance comes from.
        """
        roots = range(scm.roots.bit_count())
        thresholds = tuple(tuple(rng.random() for _ in roots) for _ in range(units))
        return cls(scm, thresholds, tuple(targets.items()), constant)

    @cached_property
    def _responses(self) -> list[int]:
        responses: list[int] = self.scm.responses.tolist()
        return responses

    def observe(self) -> Panel:
        """Return the world in which nothing is set and every root is as likely 1 as 0."""
        return self._run("none", 0, [0.5] * self.scm.roots.bit_count(), None)

    def world(self, mode: Mode, targets: int, rng: Random) -> Panel:
        """Return the world of one intervention, with a random environment."""
        levels = [rng.choice(ENVIRONMENTS) for _ in range(self.scm.roots.bit_count())]
        if mode == "hard_constant":
            constant = sum((rng.random() < 0.5) << i for i in bits(targets))
            return self._run(mode, targets, levels, [constant] * len(self.thresholds))
        if mode == "hard_assigned":
            return self._run(mode, targets, levels, assign(targets, len(self.thresholds), rng))
        return self._run(mode, 0, levels, None)

    def design(self, counts: dict[int, int] | None = None) -> "Design":
        """Return how random worlds are drawn here, with so many targets so often."""
        from causarium.scm.boolean.propose_worlds import Design

        return Design(
            thresholds=self.thresholds,
            levels=ENVIRONMENTS,
            biases=BIASES,
            target_counts=self.target_counts if counts is None else tuple(counts.items()),
            assigned=1 - self.constant,
        )

    def random_worlds(
        self, rng: Random, count: int, counts: dict[int, int] | None = None
    ) -> list[Panel]:
        """Draw worlds with random targets; those that would show nothing are left out."""
        from causarium.scm.boolean.propose_worlds import propose

        worlds = propose(self.scm, self.design(counts), rng, count)
        panels = (Panel.of(worlds[place]) for place in range(count))
        return [panel for panel in panels if panel.targets]

    def force_values(self, targets: int, values: Sequence[int], rng: Random) -> Panel:
        """Return the world whose rows have `values` at the targets, one after the other."""
        levels = [rng.choice(ENVIRONMENTS) for _ in range(self.scm.roots.bit_count())]
        rows = [values[u % len(values)] for u in range(len(self.thresholds))]
        return self._run("hard_assigned", targets, levels, rows)

    def _run(
        self, mode: Mode, targets: int, levels: Sequence[float], values: Sequence[int] | None
    ) -> Panel:
        roots = list(bits(self.scm.roots))
        rows = []
        for u, unit in enumerate(self.thresholds):
            row = values[u] if values is not None else 0
            for root, threshold, level in zip(roots, unit, levels, strict=True):
                if threshold < level and not targets >> root & 1:
                    row |= 1 << root
            rows.append(self.follow(row, targets))
        return Panel(mode, targets, tuple(rows))

    def follow(self, row: int, targets: int) -> int:
        """Return the row that follows from roots and targets."""
        for i in self.scm.order:
            if not targets >> i & 1:
                row |= self._responses[row] & 1 << i
        return row


def assign(targets: int, rows: int, rng: Random) -> list[int]:
    """Return row-wise values of the targets; each takes both values if there are two rows."""
    values = [0] * rows
    for i in bits(targets):
        bias = rng.choice(BIASES)
        column = [rng.random() < bias for _ in range(rows)]
        if rows > 1 and len(set(column)) == 1:
            place = rng.randrange(rows)
            column[place] = not column[place]
        for u, one in enumerate(column):
            values[u] |= one << i
    return values


def novelty(panel: Panel, train: Iterable[Panel]) -> float:
    """Return how far a world's targets are from the nearest training world's: 1 - Jaccard."""
    overlaps = (
        (panel.targets & other.targets).bit_count()
        / max(1, (panel.targets | other.targets).bit_count())
        for other in train
    )
    return 1 - max(overlaps, default=0.0)


def patterns_seen(panels: Iterable[Panel], windows: dict[int, int]) -> dict[int, set[int]]:
    """Return which patterns on its window each variable was met with while it was not set.

    A pattern is a row of which only the bits of the window are kept.
    """
    seen: dict[int, set[int]] = {variable: set() for variable in windows}
    for panel in panels:
        for variable, window in windows.items():
            if not panel.targets >> variable & 1:
                seen[variable].update(row & window for row in panel.rows)
    return seen


def coverage(panels: Iterable[Panel], windows: dict[int, int]) -> float:
    """Return which share of all patterns on all windows was met."""
    seen = patterns_seen(panels, windows)
    possible = sum(1 << window.bit_count() for window in windows.values())
    return sum(len(patterns) for patterns in seen.values()) / possible
