"""How the world works: models, worlds and their rows, as they are run and as they are stored."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from causarium.scm.boolean.formula import Formula, tabulate
from causarium.scm.boolean.model import BooleanScm
from causarium.scm.dag import bits, mask_of
from .model.instance import (
    Mechanism,
    Mode,
    ReplayInstance,
    ReplayPublic,
    WorldRows,
    gold_formulas,
    true_roots,
)

if TYPE_CHECKING:
    from causarium.scm.boolean.row_evidence import Admissible, Evidence

Signature = tuple[Mode, int, int]
"""What is done in a world: the mode, the targets, and their values where these are constant."""


@dataclass(frozen=True, slots=True)
class Panel:
    """One simulated world, rows as bit masks over listing positions."""

    mode: Mode
    targets: int
    rows: tuple[int, ...]

    @property
    def signature(self) -> Signature:
        """What is done in this world, whatever came of it."""
        constants = self.rows[0] & self.targets if self.mode == "hard_constant" else 0
        return self.mode, self.targets, constants

    @classmethod
    def read(cls, world: WorldRows, variables: Sequence[str]) -> "Panel":
        """Return a stored world as bit masks."""
        targets = mask_names(world.targets, variables)
        return cls(world.mode, targets, pack_rows(world, variables))


def patterns_seen(panels: Iterable[Panel], windows: dict[int, int]) -> dict[int, set[int]]:
    """Return which patterns on its window each variable was met with while it was not set.

    A pattern is a row with the bits of the window alone.
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


def true_model(instance: ReplayInstance) -> BooleanScm:
    """Return the true model of a problem."""
    gold = gold_formulas(instance)
    return BooleanScm.read(instance.public.variables, true_roots(instance), gold)


def mechanisms(formulas: Mapping[str, Formula], variables: Sequence[str]) -> dict[str, Mechanism]:
    """Return what is stored of mechanisms, in listing order, without parents that never matter."""
    from causarium.scm.boolean.shortest_formulas import minimal_formula

    found = {}
    for name in (name for name in variables if name in formulas):
        mask, table = tabulate(formulas[name], variables)
        parents, text = tuple(variables[i] for i in bits(mask)), str(formulas[name])
        shortest = str(minimal_formula(table, parents)) if parents else text
        found[name] = Mechanism(parents=parents, table=f"{table:x}", formula=text, minimal=shortest)
    return found


def write_world(
    id_: str,
    mode: Mode,
    targets: int,
    units: tuple[str, ...],
    rows: Sequence[int],
    variables: Sequence[str],
) -> WorldRows:
    """Return a world as it is stored and shown, with the targets that it names."""
    return WorldRows(
        id=id_,
        mode=mode,
        targets=tuple(variables[i] for i in bits(targets)),
        units=units,
        columns={
            name: "".join([str(row >> i & 1) for row in rows]) for i, name in enumerate(variables)
        },
    )


def write_worlds(
    panels: Iterable[Panel], letter: str, variables: Sequence[str]
) -> tuple[WorldRows, ...]:
    """Return worlds as they are stored, numbered in their order."""
    found = []
    for w, panel in enumerate(panels):
        id_, units = f"{letter}{w:02d}", tuple(f"u{u:02d}" for u in range(len(panel.rows)))
        found.append(write_world(id_, panel.mode, panel.targets, units, panel.rows, variables))
    return tuple(found)


def pack_rows(world: WorldRows, variables: Sequence[str]) -> tuple[int, ...]:
    """Return the rows of a world, variable `i` at bit `i`."""
    return tuple(
        mask_of(i for i, name in enumerate(variables) if world.columns[name][u] == "1")
        for u in range(len(world.units))
    )


def mask_names(names: Sequence[str], variables: Sequence[str]) -> int:
    """Return the mask of some variables."""
    return mask_of(variables.index(name) for name in names)


def admissible(public: ReplayPublic) -> "Admissible":
    """Return which models the stated rules of a problem admit."""
    from causarium.scm.boolean.row_evidence import Admissible

    names, most = public.variables, public.limits.max_parents
    if public.roots is None:
        return Admissible.hidden_roots(len(names), public.n_roots, most)
    roots = mask_names(public.roots, names)
    if public.order is None and public.blocks is None:
        return Admissible.from_roots(len(names), roots, most)
    told = public.blocks or [(name,) for name in public.order or ()]
    blocks = [[names.index(name) for name in block] for block in told]
    later = [block for block in blocks if not roots >> block[0] & 1]
    return Admissible.blocks(len(names), roots, later, most)


def evidence(worlds: Iterable[WorldRows], variables: Sequence[str]) -> "Evidence":
    """Return the rows of stored worlds."""
    return panel_evidence((Panel.read(world, variables) for world in worlds), len(variables))


def panel_evidence(panels: Iterable[Panel], n: int) -> "Evidence":
    """Return the rows of simulated worlds."""
    from causarium.scm.boolean.row_evidence import Evidence

    pairs = [(row, panel.targets) for panel in panels for row in panel.rows]
    return Evidence.of(n, (row for row, _ in pairs), (targets for _, targets in pairs))
