"""How the world works: models, worlds and their rows, as they are run and as they are stored."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import TYPE_CHECKING

from causarium.scm.boolean.formula import Formula, tabulate
from causarium.scm.boolean.model import BooleanScm
from causarium.scm.boolean.truth_table import pattern, spread
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
    """Return the true model of a problem of the paper edition."""
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


def true_unit_model(instance: ReplayInstance) -> tuple[BooleanScm, tuple[int, ...]]:
    """Return the true model, its trait last, and for each unit its roots and its trait."""
    public, secret = instance.public, instance.secret
    names = (*public.variables, "H")
    n = len(public.variables)
    parents, tables = [0] * (n + 1), [0] * (n + 1)
    for name, one in secret.gold.items():
        place = names.index(name)
        parents[place], tables[place] = mask_names(one.parents, names), int(one.table, 16)
    roots = mask_names(public.roots or (), names)
    scm = BooleanScm(n + 1, roots | 1 << n, tuple(parents), tuple(tables))
    traits = secret.traits or "0" * len(public.train[0].units)
    first = pack_rows(public.train[0], public.variables)
    starts = (row & roots | int(h) << n for row, h in zip(first, traits, strict=True))
    return scm, tuple(starts)


def find_kids(parents: Sequence[int], n: int) -> tuple[list[int], int] | None:
    """Return the two kids of the trait, and the mask of the two causes that both have beside it."""
    kids = [v for v, mask in enumerate(parents) if mask >> n & 1]
    if len(kids) != 2 or parents[kids[0]] != parents[kids[1]]:
        return None
    causes = parents[kids[0]] & ~(1 << n)
    return (kids, causes) if causes.bit_count() == 2 else None


def find_odd_pattern(scm: BooleanScm, kids: Sequence[int], causes: int) -> int | None:
    """Return the pattern of the causes at which the first kid says what it says at no other."""
    said = [scm.response(kids[0], spread(p, causes)) for p in range(4)]
    return next((p for p in range(4) if said.count(said[p]) == 1), None)


def negate_kids(
    scm: BooleanScm, kids: Sequence[int], causes: int, patterns: Iterable[int]
) -> BooleanScm:
    """Return the model in which both functions of the trait are negated at some patterns."""
    tables = list(scm.tables)
    for p, h, v in product(patterns, (0, 1 << scm.n - 1), kids):
        tables[v] ^= 1 << pattern(spread(p, causes) | h, scm.parents[v])
    return replace(scm, tables=tuple(tables))


def run_question(
    public: ReplayPublic,
    scm: BooleanScm,
    starts: Sequence[int],
    question: Mapping[str, int],
    number: int,
) -> WorldRows:
    """Return the world that a question, by its number, shows of a model and units that start so."""
    names = public.variables
    targets = mask_names(tuple(question), names)
    values = mask_of(names.index(name) for name, value in question.items() if value)
    rows = [scm.run(start & ~targets | values, targets) for start in starts]
    return write_world(f"a{number}", "hard_constant", targets, public.train[0].units, rows, names)


def told_model(public: ReplayPublic) -> BooleanScm:
    """Return the model that a what-if question tells, its traits last.

    Raises:
        ValueError: The model of this problem is not told.
    """
    task = public.task
    if task is None or task.mechanisms is None:
        raise ValueError("the model of this problem is not told")
    names = (*public.variables, *task.traits)
    return BooleanScm.read(names, (*(public.roots or ()), *task.traits), task.mechanisms)


def told_setting(public: ReplayPublic) -> tuple[int, int]:
    """Return the mask of what a what-if question sets, and the values."""
    setting = (public.task.setting if public.task else None) or {}
    values = mask_of(public.variables.index(name) for name, bit in setting.items() if bit)
    return mask_names(tuple(setting), public.variables), values


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
