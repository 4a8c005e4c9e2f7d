"""Certified edition: which problems are the same under other names, and how to spoil one.

A session asks for the first of these before it opens, so nothing here loads numpy.
"""

from collections.abc import Callable, Collection, Sequence
from itertools import combinations
from typing import Any, NamedTuple

from causarium.contract.frozen import canonical_json, digest
from causarium.scm.boolean.model import BooleanScm
from causarium.scm.boolean.truth_table import pattern
from causarium.scm.dag import bits
from ..mechanics import (
    find_kids,
    mask_names,
    negate_kids,
    pack_rows,
    told_model,
    told_setting,
    true_unit_model,
)
from ..model.instance import ReplayInstance, WorldRows


class Member(NamedTuple):
    """One model of a clan, with its tables."""

    scm: BooleanScm
    starts: tuple[int, ...]
    rows: tuple[tuple[int, ...], ...]
    """For each world its rows, traits included."""
    targets: tuple[int, ...]


def describe_kin(instance: ReplayInstance) -> list[Any]:
    """Return what names do not change and what a clan, or a quad, has in common.

    Tables that leave one model stand for it; of a clan's tables the first in their order counts.
    What is shown of the other levels leaves many models, so there the mechanisms count, each
    variable described by what it reads, and that by what it reads.
    """
    public, n = instance.public, len(instance.public.variables)
    if public.setting == "whatif":
        scm = told_model(instance.public)
        shown, asked = run_quad(instance, scm)
        target, value = told_setting(instance.public)
        marks = [f"{target >> v & 1}{value >> v & 1}" for v in range(scm.n)]
        columns = [_write_column((*shown, *asked), v) + mark for v, mark in enumerate(marks)]
        return _describe_variables(scm, columns)
    member = read_member(instance, ())
    if public.budget:
        columns = [_write_column(member.rows[0], v) for v in range(n)]
        return _describe_variables(member.scm, [*columns, "trait"])
    form = find_kids(member.scm.parents, n)
    # A trait may be read as its opposite: a clan has eight such tables.
    swaps = [swap for size in (0, 2, 4) for swap in combinations(range(4), size)]
    clan = [change_member(member, *form, swap) for swap in swaps] if form else [member]
    return min(
        sorted(
            [
                f"{targets >> v & 1}{_write_column(rows, v)}"
                for rows, targets in zip(one.rows, one.targets, strict=True)
            ]
            for v in range(n)
        )
        for one in clan
    )


def _write_column(rows: Sequence[int], v: int) -> str:
    return "".join(str(row >> v & 1) for row in rows)


def _describe_variables(scm: BooleanScm, marks: Sequence[str]) -> list[str]:
    """Return a digest of each variable and all that is above it, in an order of their own."""
    found = list(marks)
    for _ in range(scm.n):
        found = [digest(canonical_json(_describe_function(scm, v, found))) for v in range(scm.n)]
    return sorted(found)


def _describe_function(scm: BooleanScm, v: int, marks: Sequence[str]) -> list[Any]:
    parents = list(bits(scm.parents[v]))
    table = [
        [sorted([marks[u], p >> j & 1] for j, u in enumerate(parents)), scm.tables[v] >> p & 1]
        for p in range(1 << len(parents))
    ]
    return [marks[v], sorted(table)]


def run_quad(instance: ReplayInstance, scm: BooleanScm) -> tuple[list[int], list[int]]:
    """Return the rows of a quad's units, as they are and with the variable set."""
    public, n = instance.public, len(instance.public.variables)
    (row,) = pack_rows(public.train[0], public.variables)
    target, value = told_setting(instance.public)
    recorded = (1 << n) - 1
    starts = [row & scm.roots | traits << n for traits in range(1 << scm.n - n)]
    shown = [scm.run(start) & recorded for start in starts]
    return shown, [scm.run(start & ~target | value, target) & recorded for start in starts]


def read_member(instance: ReplayInstance, asked: Sequence[WorldRows]) -> Member:
    """Return the stored model with the tables that are shown and those that were asked for."""
    public = instance.public
    names, n = public.variables, len(public.variables)
    scm, starts = true_unit_model(instance)
    worlds = (*public.train, *asked)
    rows = tuple(
        tuple(row | start & 1 << n for row, start in zip(pack_rows(w, names), starts, strict=True))
        for w in worlds
    )
    targets = [mask_names(world.targets, names) for world in worlds]
    for place, touched in enumerate(instance.secret.touched or (), 1):
        if place < len(targets):
            targets[place] = mask_names(touched, names)
    return Member(scm, starts, rows, tuple(targets))


def change_member(member: Member, kids: list[int], causes: int, swapped: Collection[int]) -> Member:
    """Return the model in which both functions of the trait are negated at some patterns."""
    trait = 1 << member.scm.n - 1
    partner = {start ^ trait: u for u, start in enumerate(member.starts)}
    changed = []
    for rows in member.rows:
        found = []
        for u, row in enumerate(rows):
            is_swapped = pattern(row, causes) in swapped
            other = rows[partner.get(member.starts[u], u)] if is_swapped else row
            found.append(other & ~trait | row & trait)
        changed.append(tuple(found))
    scm = negate_kids(member.scm, kids, causes, swapped)
    return member._replace(scm=scm, rows=tuple(changed))


def _flip_trait(instance: ReplayInstance) -> ReplayInstance | None:
    traits = instance.secret.traits
    if traits is None or instance.secret.row is not None:
        return None
    return _change_secret(instance, traits=str(1 - int(traits[0])) + traits[1:])


def _flip_cell(instance: ReplayInstance) -> ReplayInstance | None:
    row = instance.secret.row
    if row is None:
        return None
    name = instance.public.variables[0]
    return _change_secret(instance, row={**row, name: 1 - row[name]})


def _change_function(instance: ReplayInstance) -> ReplayInstance | None:
    gold = instance.secret.gold
    if not gold:
        return None
    name, one = next(iter(gold.items()))
    # Negated as a whole: of a single pattern a level of questions may show nothing at first.
    table = int(one.table, 16) ^ (1 << (1 << len(one.parents))) - 1
    other = one.model_copy(update={"table": f"{table:x}", "formula": f"(not {one.formula})"})
    return _change_secret(instance, gold={**gold, name: other})


def _drop_world(instance: ReplayInstance) -> ReplayInstance | None:
    public, secret = instance.public, instance.secret
    if secret.plan is not None:
        return _change_secret(instance, plan=secret.plan[:-1], par=len(secret.plan) - 1)
    if len(public.train) < 2:
        return None
    touched = secret.touched[:-1] if secret.touched is not None else None
    shown = instance.model_copy(
        update={"public": public.model_copy(update={"train": public.train[:-1]})}
    )
    return _change_secret(shown, touched=touched)


def _change_secret(instance: ReplayInstance, **changes: object) -> ReplayInstance:
    return instance.model_copy(update={"secret": instance.secret.model_copy(update=dict(changes))})


FAULTS: dict[str, Callable[[ReplayInstance], ReplayInstance | None]] = {
    "a unit's trait is wrong": _flip_trait,
    "a cell of the answer is wrong": _flip_cell,
    "a mechanism is another function": _change_function,
    "a world that is needed is missing": _drop_world,
}
"""Ways to spoil an instance; a proof must find each."""
