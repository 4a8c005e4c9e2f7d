"""What is proven about a problem of the certified edition, by two paths.

`certify` goes the way of drawing: models run on masks, and the search of `unit_fits`. `recheck`
values the stored formulas cell by cell, and has a SAT solver look for a second model. Both prove
the same claims and bounds; what they share is the reading of the stored problem and the list of a
clan. A clan is proven whole: all four members are the only ones that fit their rows.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import combinations, product
from typing import Any, NamedTuple, TypeAlias

from causarium.contract.certificate import Findings, Proof
from causarium.contract.frozen import canonical_json, digest
from causarium.families.replayscm.evidence.ask_by_gain import unit_law
from causarium.families.replayscm.mechanics import (
    find_kids,
    find_odd_pattern,
    mask_names,
    negate_kids,
    pack_rows,
    run_question,
    told_model,
    told_setting,
    true_unit_model,
)
from causarium.families.replayscm.model.instance import ReplayInstance, WorldRows
from causarium.scm.boolean.formula import parse_formula, value
from causarium.scm.boolean.model import BooleanScm
from causarium.scm.boolean.truth_table import pattern
from causarium.scm.boolean.unit_clauses import UnitClauses, true_fit
from causarium.scm.boolean.unit_fits import UnitFits, UnitLaw, UnitWorld, shows_every_pattern
from causarium.scm.dag import bits, mask_of

REPLAYS = "the true model brings about every cell that was not set by hand"
SHOWN = "every pattern of every mechanism's causes is shown where the mechanism is at work"
UNIQUE = "exactly one admissible model fits what is shown"
CLAN = "each of the clan's four models is the only one that fits, and all show the same rows"
OPEN = "what is shown at first leaves more than one model"
PLAN = "the plan is within the budget, and what it shows leaves exactly one model"
TRAITS = "exactly one choice of traits gives the row that is shown"
FOLLOWS = "the answer is what follows from these traits and the setting"
QUAD = "the quad's four units have four rows, four answers and four changes"
NO_HANDS = "no_hands"


class Member(NamedTuple):
    """One model of a clan, with its tables."""

    scm: BooleanScm
    starts: tuple[int, ...]
    rows: tuple[tuple[int, ...], ...]
    """For each world its rows, traits included."""
    targets: tuple[int, ...]


def certify_units(instance: ReplayInstance) -> Findings:
    """Prove what is claimed, the way of drawing."""
    if instance.public.setting == "whatif":
        return _conclude(instance, "running the model", _certify_whatif(instance))
    held, untouched = _prove(instance, _is_unique_by_search), _explains_without_hands(instance)
    return _conclude(instance, "search over sets of parents", held, untouched)


def recheck_units(instance: ReplayInstance) -> Findings:
    """Prove the same from the stored formulas and by a solver."""
    if instance.public.setting == "whatif":
        return _conclude(instance, "valuing formulas", _recheck_whatif(instance))
    held = _prove(instance, _is_unique_by_clauses)
    held[REPLAYS], held[SHOWN] = _value_cells(instance)
    untouched = _value_cells(instance, no_hands=True)[0]
    return _conclude(instance, "valuing formulas, and a SAT solver", held, untouched)


def _conclude(
    instance: ReplayInstance,
    method: str,
    held: Mapping[str, bool],
    untouched: bool = False,  # noqa: FBT001, FBT002
) -> Findings:
    bounds = {NO_HANDS: float(untouched)} if instance.secret.touched is not None else {}
    return Findings(
        optimum=float(len(instance.secret.plan or ())),
        reachable=1.0,
        bounds=bounds,
        proofs=tuple(Proof(claim=c, method=method, holds=holds) for c, holds in held.items()),
        extra={"worlds": len(instance.public.train), "par": instance.secret.par},
    )


Unique: TypeAlias = Callable[[UnitLaw, Member], bool]


def _prove(instance: ReplayInstance, is_unique: Unique) -> dict[str, bool]:
    public, secret = instance.public, instance.secret
    law = unit_law(public)
    member = _read_member(instance, _ask_plan(instance))
    held = {
        REPLAYS: _replays(member),
        SHOWN: _shows_all(member),
    }
    if public.budget:
        first = member._replace(rows=member.rows[:1], targets=member.targets[:1])
        planned = len(secret.plan or ())
        held[OPEN] = not is_unique(law, first)
        held[PLAN] = (
            0 < planned <= public.budget and planned == secret.par and is_unique(law, member)
        )
        return held
    held[UNIQUE] = held[REPLAYS] and is_unique(law, member)
    if law.trait:
        clan = _list_clan(law, member)
        held[CLAN] = len(clan) == 4 and all(
            _replays(one) and _shows_same_rows(law, one, member) and is_unique(law, one)
            for one in clan
        )
    return held


def _ask_plan(instance: ReplayInstance) -> list[WorldRows]:
    scm, starts = true_unit_model(instance)
    return [
        run_question(instance.public, scm, starts, {v: int(b) for v, b in one.set.items()}, number)
        for number, one in enumerate(instance.secret.plan or (), 1)
    ]


def _read_member(instance: ReplayInstance, asked: Sequence[WorldRows]) -> Member:
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


def _replays(member: Member) -> bool:
    scm = member.scm
    for rows, targets in zip(member.rows, member.targets, strict=True):
        for start, row in zip(member.starts, rows, strict=True):
            if (row ^ start) & scm.roots & ~targets or scm.run(row, targets) != row:
                return False
    return True


def _worlds(law: UnitLaw, member: Member) -> list[UnitWorld]:
    recorded = (1 << law.n) - 1
    pairs = zip(member.rows, member.targets, strict=True)
    return [UnitWorld(tuple(row & recorded for row in rows), targets) for rows, targets in pairs]


def _is_unique_by_search(law: UnitLaw, member: Member) -> bool:
    fit = UnitFits(law, _worlds(law, member)).find_unique()
    return fit is not None and _shows_all(member)


def _is_unique_by_clauses(law: UnitLaw, member: Member) -> bool:
    fit = true_fit(member.scm.parents, member.starts, member.targets, law.n)
    return not UnitClauses(law, _worlds(law, member)).find_other(fit) and _shows_all(member)


def _shows_all(member: Member) -> bool:
    return shows_every_pattern(member.scm, member.rows, member.targets)


def _list_clan(law: UnitLaw, member: Member) -> list[Member]:
    """Return the member and the three others of its clan; fewer if it has no such form."""
    form = find_kids(member.scm.parents, law.n)
    odd = find_odd_pattern(member.scm, *form) if form else None
    if form is None or odd is None:
        return []
    return [_change_member(member, *form, {odd} ^ {p}) for p in range(4)]


def _change_member(
    member: Member, kids: list[int], causes: int, swapped: Collection[int]
) -> Member:
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


def _shows_same_rows(law: UnitLaw, one: Member, other: Member) -> bool:
    pairs = zip(_worlds(law, one), _worlds(law, other), strict=True)
    return all(sorted(a.rows) == sorted(b.rows) for a, b in pairs)


def describe_kin(instance: ReplayInstance) -> list[Any]:
    """Return what names do not change and what a clan, or a quad, has in common.

    Tables that leave one model stand for it; of a clan's tables the first in their order counts.
    What is shown of the other levels leaves many models, so there the mechanisms count, each
    variable described by what it reads, and that by what it reads.
    """
    public, n = instance.public, len(instance.public.variables)
    if public.setting == "whatif":
        scm = told_model(instance.public)
        shown, asked = _run_quad(instance, scm)
        target, value = told_setting(instance.public)
        marks = [f"{target >> v & 1}{value >> v & 1}" for v in range(scm.n)]
        columns = [_write_column((*shown, *asked), v) + mark for v, mark in enumerate(marks)]
        return _describe_variables(scm, columns)
    member = _read_member(instance, ())
    if public.budget:
        columns = [_write_column(member.rows[0], v) for v in range(n)]
        return _describe_variables(member.scm, [*columns, "trait"])
    form = find_kids(member.scm.parents, n)
    # A trait may be read as its opposite: a clan has eight such tables.
    swaps = [swap for size in (0, 2, 4) for swap in combinations(range(4), size)]
    clan = [_change_member(member, *form, swap) for swap in swaps] if form else [member]
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


def _explains_without_hands(instance: ReplayInstance) -> bool:
    """Say whether the true model fits every cell though nothing is taken for touched."""
    member = _read_member(instance, ())
    return _replays(member._replace(targets=(0,) * len(member.targets)))


def _value_cells(instance: ReplayInstance, *, no_hands: bool = False) -> tuple[bool, bool]:
    """Value every stored formula in every row; say whether all fit, and all patterns were met.

    Args:
        instance: The problem.
        no_hands: Take nothing for touched.
    """
    public, secret = instance.public, instance.secret
    names = (*public.variables, "H")
    formulas = {name: parse_formula(one.formula, names) for name, one in secret.gold.items()}
    met: dict[str, set[tuple[int, ...]]] = {name: set() for name in formulas}
    traits = secret.traits or "0" * len(public.train[0].units)
    fits = True
    for place, world in enumerate((*public.train, *_ask_plan(instance))):
        told = (secret.touched or ())[place - 1 : place] if place else ()
        hands = set() if no_hands else set(world.targets).union(*told)
        for u in range(len(world.units)):
            row = {name: int(world.columns[name][u]) for name in public.variables}
            row["H"] = int(traits[u])
            first = public.train[0].columns
            for name in public.roots or ():
                fits = fits and (name in hands or row[name] == int(first[name][u]))
            for name in formulas.keys() - hands:
                parents = secret.gold[name].parents
                met[name].add(tuple(row[parent] for parent in parents))
                fits = fits and value(formulas[name].tree, row, 1) == row[name]
    complete = all(len(met[name]) == 1 << len(secret.gold[name].parents) for name in formulas)
    return fits, complete


def _certify_whatif(instance: ReplayInstance) -> dict[str, bool]:
    public, secret = instance.public, instance.secret
    (row,) = pack_rows(public.train[0], public.variables)
    shown, asked = _run_quad(instance, told_model(instance.public))
    answer = mask_of(i for i, name in enumerate(public.variables) if (secret.row or {}).get(name))
    changes = {one ^ other for one, other in zip(shown, asked, strict=True)}
    return _judge_quad(shown, asked, row, answer, len(changes))


def _judge_quad(
    shown: Sequence[object], asked: Sequence[object], row: object, answer: object, changes: int
) -> dict[str, bool]:
    """Say what holds of a quad's rows, of the one that is shown and of so many changes."""
    fits = [after for before, after in zip(shown, asked, strict=True) if before == row]
    return {
        TRAITS: len(fits) == 1,
        FOLLOWS: fits == [answer],
        QUAD: len(set(shown)) == len(set(asked)) == changes == len(shown),
    }


def _run_quad(instance: ReplayInstance, scm: BooleanScm) -> tuple[list[int], list[int]]:
    """Return the rows of a quad's units, as they are and with the variable set."""
    public, n = instance.public, len(instance.public.variables)
    (row,) = pack_rows(public.train[0], public.variables)
    target, value = told_setting(instance.public)
    recorded = (1 << n) - 1
    starts = [row & scm.roots | traits << n for traits in range(1 << scm.n - n)]
    shown = [scm.run(start) & recorded for start in starts]
    return shown, [scm.run(start & ~target | value, target) & recorded for start in starts]


def _recheck_whatif(instance: ReplayInstance) -> dict[str, bool]:
    public, secret, task = instance.public, instance.secret, instance.public.task
    if task is None or task.mechanisms is None:
        raise ValueError(f"{instance.id} does not tell its model")
    names = (*public.variables, *task.traits)
    formulas = {name: parse_formula(text, names) for name, text in task.mechanisms.items()}
    row = {name: int(public.train[0].columns[name]) for name in public.variables}
    roots = {name: row[name] for name in public.roots or ()}

    def follow(given: dict[str, int], name: str) -> int:
        if name not in given:
            inputs = {cause: follow(given, cause) for cause in formulas[name].names}
            given[name] = value(formulas[name].tree, inputs, 1)
        return given[name]

    shown: list[tuple[int, ...]] = []
    asked: list[tuple[int, ...]] = []
    for traits in product((0, 1), repeat=len(task.traits)):
        start = {**roots, **dict(zip(task.traits, traits, strict=True))}
        for held, found in (({}, shown), (task.setting or {}, asked)):
            given = {**start, **held}
            found.append(tuple(follow(given, name) for name in public.variables))
    true = tuple(row[name] for name in public.variables)
    answer = tuple((secret.row or {}).get(name) for name in public.variables)
    changes = {
        tuple(a != b for a, b in zip(one, other, strict=True))
        for one, other in zip(shown, asked, strict=True)
    }
    return _judge_quad(shown, asked, true, answer, len(changes))


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
    other = one.model_copy(
        update={"table": f"{int(one.table, 16) ^ 1:x}", "formula": f"(not {one.formula})"}
    )
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
