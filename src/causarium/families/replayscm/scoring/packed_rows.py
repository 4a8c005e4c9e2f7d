"""A problem packed into integers, one bit a row, so that a model is replayed in all rows at once.

Behind the rows of the worlds stands one more stretch of bits, a row for every assignment of all
variables. There every variable shows its own value, so the same evaluation of a formula that
replays it also yields its whole truth table.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from causarium.families.replayscm.model.instance import (
    Mechanism,
    ReplayInstance,
    WorldRows,
    gold_formulas,
    true_roots,
)
from causarium.families.replayscm.play.compile_answer import Answer, Disclosure, Executable, Refusal
from causarium.scm.boolean.formula import parse_formula
from causarium.scm.boolean.truth_table import all_rows, column, essential, look_up
from causarium.scm.dag import bits, mask_of
from causarium.scoring.graph_scores import EdgeAgreement


class Place(NamedTuple):
    """Where a world's rows stand."""

    id: str
    rows: int
    """The mask of its rows."""
    first: int
    """The number of its first row."""


class Group(NamedTuple):
    """The training worlds, or the held-out ones."""

    places: tuple[Place, ...]
    rows: int
    """The mask of all their rows."""
    cells: dict[str, int]
    """For each variable, in how many of these rows it is not set from outside."""


class Known(NamedTuple):
    """A model to compare with."""

    tables: tuple[int, ...]
    """For each variable the truth table of its mechanism over all variables; 0 for roots."""
    parents: tuple[int, ...]
    """For each variable the mask of what it depends on; 0 for roots."""
    mechanisms: tuple[int, ...]
    """The variables that have a mechanism."""


@dataclass(frozen=True, slots=True)
class Packed:
    """A problem, packed."""

    disclosure: Disclosure
    variables: tuple[str, ...]
    number: dict[str, int]
    train: Group
    heldout: Group
    observed: dict[str, int]
    """For each variable its values in all rows, and behind them its own truth table."""
    fixed: dict[str, int]
    """The same, kept only where the variable is set from outside."""
    free: dict[str, int]
    """The rows in which it is not."""
    ones: int
    """All rows, and all assignments behind them."""
    n_rows: int
    flips: dict[str, tuple[int, int]]
    """For each variable, its bit in an assignment, and the assignments in which it is 0."""
    roots: tuple[str, ...]
    """The true roots."""
    gold: Known
    reference: Known | None
    """The model that an alternative is asked for."""
    max_parents: int
    gold_size: int
    """How many operators and names the shortest formulas of the true model have."""


def pack(instance: ReplayInstance, *, strict: bool = False) -> Packed:
    """Pack a problem; `strict` says whether formulas are read as published."""
    public, secret = instance.public, instance.secret
    train, heldout = public.train, secret.heldout
    variables, n = public.variables, len(public.variables)
    worlds = (*train, *heldout)
    places = list_places(worlds)
    n_rows = sum(len(world.units) for world in worlds)
    number = {name: i for i, name in enumerate(variables)}
    observed, free = {}, dict.fromkeys(variables, (1 << n_rows) - 1)
    for i, name in enumerate(variables):
        text = "".join([world.columns[name] for world in worlds])
        observed[name] = int(text[::-1] or "0", 2) | column(i, n) << n_rows
    for world, place in zip(worlds, places, strict=True):
        for name in world.targets:
            free[name] &= ~place.rows
    return Packed(
        disclosure=Disclosure.of(public, strict=strict),
        variables=variables,
        number=number,
        train=group_worlds(places[: len(train)], free),
        heldout=group_worlds(places[len(train) :], free),
        observed=observed,
        fixed={name: observed[name] & ~free[name] for name in variables},
        free=free,
        ones=(1 << n_rows) - 1 | all_rows(n) << n_rows,
        n_rows=n_rows,
        flips={name: (1 << i, all_rows(n) & ~column(i, n)) for i, name in enumerate(variables)},
        roots=true_roots(instance),
        gold=pack_model(secret.gold, public.reference or {}, variables),
        reference=None if public.reference is None else pack_model({}, public.reference, variables),
        max_parents=public.limits.max_parents,
        gold_size=count_gold_words(instance),
    )


def list_places(worlds: Sequence[WorldRows]) -> tuple[Place, ...]:
    """Return where the rows of worlds stand, one after the other."""
    found, first = [], 0
    for world in worlds:
        size = len(world.units)
        found.append(Place(world.id, ((1 << size) - 1) << first, first))
        first += size
    return tuple(found)


def group_worlds(places: tuple[Place, ...], free: Mapping[str, int]) -> Group:
    """Return worlds as a group, with the rows in which each variable is `free`."""
    rows = sum(place.rows for place in places)
    return Group(places, rows, {name: (mask & rows).bit_count() for name, mask in free.items()})


def _size(formula: str) -> int:
    return len(formula.replace("(", " ").replace(")", " ").split())


def count_gold_words(instance: ReplayInstance) -> int:
    """Return how many operators and names the shortest formulas of the true model have."""
    shortest = {name: one.minimal for name, one in instance.secret.gold.items()}
    return sum(map(_size, {**gold_formulas(instance), **shortest}.values()))


def pack_model(
    known: Mapping[str, Mechanism], texts: Mapping[str, str], variables: Sequence[str]
) -> Known:
    """Return a model to compare with: mechanisms that are stored, and formulas for the others."""
    n = len(variables)
    columns = {name: column(i, n) for i, name in enumerate(variables)}
    tables, parents = [0] * n, [0] * n
    for i, name in enumerate(variables):
        if name in known:
            # A stored table saves reading its formula, half of what it takes to pack a problem.
            inputs = known[name].parents
            table = int(known[name].table, 16)
            tables[i] = look_up(table, [columns[other] for other in inputs], all_rows(n))
            parents[i] = mask_of(variables.index(other) for other in inputs)
        elif name in texts:
            tables[i] = parse_formula(texts[name], columns).value(columns, all_rows(n))
            parents[i] = essential(tables[i], n)
    having = tuple(i for i, name in enumerate(variables) if name in known or name in texts)
    return Known(tuple(tables), tuple(parents), having)


class Worlds(NamedTuple):
    """How a model replays one group of worlds."""

    exact: int
    """How many worlds it replays in every scored cell."""
    of: int
    wrong_cells: int
    cells: int
    """How many cells are scored: those of its own mechanisms, where nobody intervened."""

    @property
    def all_exact(self) -> bool:
        """Whether every world is replayed exactly."""
        return self.exact == self.of


class Replayed(NamedTuple):
    """What a model does in a problem."""

    model: Executable
    train: Worlds
    heldout: Worlds
    wrong: dict[str, int]
    """For each mechanism, causes first, the rows whose replayed value is not the seen one."""
    columns: dict[str, int]
    """The replayed values of every variable."""
    known: Known
    """Its truth tables and what its mechanisms really depend on."""


class Evaluation(NamedTuple):
    """What became of one answer."""

    answer: Answer
    refusal: Refusal | None
    replayed: Replayed | None
    """None if the answer was refused."""
    slips: int = 0
    """How many formulas had to be forgiven their form."""


def count_worlds(group: Group, wrong: Mapping[str, int], cells: int) -> Worlds:
    """Count what is right and wrong in a group of worlds.

    Args:
        group: The worlds.
        wrong: For each mechanism the rows that are wrong.
        cells: How many cells are scored.
    """
    anywhere = mistakes = 0
    for mask in wrong.values():
        if mask and (here := mask & group.rows):
            anywhere |= here
            mistakes += here.bit_count()
    count = len(group.places)
    if not anywhere:
        return Worlds(count, count, 0, cells)
    exact = count - sum([bool(anywhere & place.rows) for place in group.places])
    return Worlds(exact, count, mistakes, cells)


class Likeness(NamedTuple):
    """How much a model is like a known one, mechanism by mechanism."""

    same_parents: int
    """How many mechanisms depend on exactly what the known ones do."""
    same_rule: int
    """How many are the same function."""
    of: int


def compare(ours: Known, theirs: Known) -> Likeness:
    """Compare two models that have mechanisms for the same variables."""
    mechanisms = theirs.mechanisms
    return Likeness(
        same_parents=sum([ours.parents[i] == theirs.parents[i] for i in mechanisms]),
        same_rule=sum([ours.tables[i] == theirs.tables[i] for i in mechanisms]),
        of=len(mechanisms),
    )


def compare_parents(proposed: Sequence[int], true: Sequence[int]) -> EdgeAgreement:
    """Count how the edges into every variable agree, given as masks of parents."""
    matched = extra = missing = turned = 0
    for i, (ours, theirs) in enumerate(zip(proposed, true, strict=True)):
        matched += (ours & theirs).bit_count()
        if ours == theirs:
            continue
        missing += (theirs & ~ours).bit_count()
        extra += (ours & ~theirs).bit_count()
        for j in bits(ours & ~theirs):
            turned += (true[j] & ~proposed[j]) >> i & 1
    return EdgeAgreement(
        matched=matched, reversed=turned, missing=missing - turned, extra=extra - turned
    )
