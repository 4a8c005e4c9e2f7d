"""Certified edition: what is proven about a problem, by two paths.

`certify` goes the way of drawing: models run on masks, and the search of `unit_fits`. `recheck`
values the stored formulas cell by cell, and has a SAT solver look for a second model. Both prove
the same claims and bounds; what they share is the reading of the stored problem, the running of the
plan, whether all patterns are shown, and the list of a clan. A clan is proven whole: all four
members are the only ones that fit their rows.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import TypeAlias

from causarium.contract.certificate import Findings, Proof
from causarium.scm.boolean.formula import parse_formula, value
from causarium.scm.boolean.unit_clauses import UnitClauses, true_fit
from causarium.scm.boolean.unit_fits import Fit, UnitFits, UnitLaw, UnitWorld, shows_every_pattern
from causarium.scm.dag import mask_of
from ..evidence.ask_by_gain import unit_law
from ..mechanics import (
    find_kids,
    find_odd_pattern,
    pack_rows,
    run_question,
    told_model,
    true_unit_model,
)
from ..model.actions import Ask
from ..model.instance import ReplayInstance, WorldRows
from ..play.world import read_question
from .unit_kin import Member, change_member, read_member, run_quad

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
    member = read_member(instance, _ask_plan(instance))
    held = {
        REPLAYS: _replays(member),
        SHOWN: _shows_all(member),
    }
    if public.budget:
        first = member._replace(rows=member.rows[:1], targets=member.targets[:1])
        held[OPEN] = not is_unique(law, first)
        asked = len(member.rows) - len(public.train)
        is_whole = asked == len(secret.plan or ()) == secret.par
        held[PLAN] = is_whole and 0 < asked <= public.budget and is_unique(law, member)
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
    """Return what the questions of the plan show, as far as an agent may ask them."""
    public, (scm, starts) = instance.public, true_unit_model(instance)
    plan = [Ask(set={v: int(b) for v, b in one.set.items()}) for one in instance.secret.plan or ()]
    legal = [one for one in (read_question(one, public) for one in plan) if isinstance(one, dict)]
    return [run_question(public, scm, starts, one, w) for w, one in enumerate(legal, 1)]


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
    return fit == _true_fit(law, member) and _shows_all(member)


def _is_unique_by_clauses(law: UnitLaw, member: Member) -> bool:
    clauses = UnitClauses(law, _worlds(law, member))
    return clauses.is_only_fit(_true_fit(law, member)) and _shows_all(member)


def _true_fit(law: UnitLaw, member: Member) -> Fit:
    return true_fit(member.scm.parents, member.starts, member.targets, law.n)


def _shows_all(member: Member) -> bool:
    return shows_every_pattern(member.scm, member.rows, member.targets)


def _list_clan(law: UnitLaw, member: Member) -> list[Member]:
    """Return the member and the three others of its clan; fewer if it has no such form."""
    form = find_kids(member.scm.parents, law.n)
    odd = find_odd_pattern(member.scm, *form) if form else None
    if form is None or odd is None:
        return []
    return [change_member(member, *form, {odd} ^ {p}) for p in range(4)]


def _shows_same_rows(law: UnitLaw, one: Member, other: Member) -> bool:
    pairs = zip(_worlds(law, one), _worlds(law, other), strict=True)
    return all(sorted(a.rows) == sorted(b.rows) for a, b in pairs)


def _explains_without_hands(instance: ReplayInstance) -> bool:
    """Say whether the true model fits every cell though nothing is taken for touched."""
    member = read_member(instance, ())
    return _replays(member._replace(targets=(0,) * len(member.targets)))


def _value_cells(instance: ReplayInstance, *, no_hands: bool = False) -> tuple[bool, bool]:
    """Value every stored formula in every row; say whether all fit, and all patterns were met."""
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
    shown, asked = run_quad(instance, told_model(instance.public))
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
