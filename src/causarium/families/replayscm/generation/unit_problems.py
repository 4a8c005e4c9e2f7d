"""Certified edition: draw problems, in clans and quads of four instances.

Instances that belong together stand at consecutive places: four members of a clan, four units of a
quad. They share what they were drawn from (`latent`), and count as one in every error bar.

A clan is four models that differ in one function alone. Two variables are kids of the trait: both
read the same two causes, `V1 = g xor H` and `V2 = g xor d xor H`, where `g` is 1 at one pattern of
the causes and `d` one of them, perhaps negated. Which pattern that is makes the four members. Units
come in pairs that differ in the trait alone. What is set has the same value in both units of a pair
as far as the causes depend on it; so a member's rows are another's with the two units of a pair
swapped where their `g` differ. World by world, all four show the same rows, and whoever does not
recognise units cannot tell them apart.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, partial
from itertools import accumulate, count, product
from random import Random
from typing import NamedTuple

from causarium.contract.instance import Instance
from causarium.scm.boolean.model import BooleanScm
from causarium.scm.boolean.shortest_formulas import formulas_of
from causarium.scm.boolean.truth_table import essential
from causarium.scm.boolean.unit_fits import (
    MOST_PARENTS,
    UnitFits,
    UnitLaw,
    UnitWorld,
    shows_every_pattern,
)
from causarium.scm.dag import bits, mask_of
from causarium.seeds import stream
from ..evidence.ask_by_gain import (
    Question,
    ask_until_settled,
    is_settled,
    list_questions,
    seed_asker,
)
from ..evidence.fill_tables import fill_by_worlds
from ..evidence.row_guesses import TRAITS, resists_shortcuts
from ..mechanics import mechanisms, write_world
from ..model.config import FAMILY_NAME, ReplayConfig
from ..model.instance import (
    AskedWorld,
    Limits,
    Mechanism,
    Mode,
    ReplayInstance,
    ReplayPublic,
    ReplaySecret,
    UnitTask,
    WorldRows,
)

PARENT_COUNTS = (1, 2, 2, 3)
"""How many parents a mechanism has, each as likely."""
WINDOW = 5
"""From how many variables before it a variable draws its parents."""
HANDS = 2
"""How many variables are set in each world but the first."""
_MOST_WORLDS = {True: 10, False: 8}
"""A draw is given up if so many worlds still leave a second model; where targets are not named each
further world doubles the search."""
_WORLD_TRIES = 200


class Kids(NamedTuple):
    """The two variables that the trait acts on."""

    first: int
    second: int
    causes: tuple[int, int]
    apart: int
    """The cause by which the two functions differ."""
    negated: int


@dataclass(frozen=True)
class Clan:
    """Models that differ in one function alone, and the units on which they are seen."""

    n: int
    order: tuple[int, ...]
    """Listing positions, roots first, causes before effects."""
    roots: int
    kids: Kids | None
    """None where there is no trait; the clan then has one member."""
    members: tuple[BooleanScm, ...]
    """By the pattern at which `g` is 1; the trait is the last variable, and a root."""
    units: tuple[int, ...]
    """For each unit its roots, and its trait at bit `n`."""

    @property
    def arrows(self) -> int:
        """How many arrows each member has."""
        return sum(mask.bit_count() for mask in self.members[0].parents)

    @cached_property
    def partner(self) -> tuple[int, ...]:
        """For each unit the other one with its roots; itself where there is no trait."""
        place = {start: u for u, start in enumerate(self.units)}
        return tuple(place.get(start ^ 1 << self.n, u) for u, start in enumerate(self.units))

    @cached_property
    def upstream(self) -> int:
        """The mask of the kids' causes and of all that these depend on."""
        above = mask_of(self.kids.causes) if self.kids else 0
        for v in reversed(self.order):
            above |= self.members[0].parents[v] if above >> v & 1 else 0
        return above

    def run(self, values: Sequence[int], targets: int) -> tuple[int, ...]:
        """Return the rows of the first member's units where `targets` are set, traits included."""
        scm = self.members[0]
        pairs = zip(self.units, values, strict=True)
        return tuple(scm.run(start & ~targets | value, targets) for start, value in pairs)

    def swap(self, rows: Sequence[int], member: int) -> tuple[int, ...]:
        """Return the rows that another member shows where the first one shows `rows`."""
        if not member or self.kids is None:
            return tuple(rows)
        one, other = self.kids.causes
        trait = 1 << self.n
        found = []
        for u, row in enumerate(rows):
            shown = (row >> one & 1) | (row >> other & 1) << 1
            taken = rows[self.partner[u]] if shown in {0, member} else row
            found.append(taken & ~trait | row & trait)
        return tuple(found)


def draw_clan(n: int, roots: int, rng: Random, *, trait: bool) -> Clan:
    """Draw a model of `n` variables, its clan, and two units for each pattern of its roots.

    Args:
        n: How many variables are recorded.
        roots: How many of them have no mechanism.
        rng: Where chance comes from.
        trait: Whether units have a trait; without one there is one unit a pattern.
    """
    while True:
        order = tuple(rng.sample(range(n), n))
        kids = _draw_kids(order, roots, rng) if trait else None
        parents, tables = [0] * (n + 1), [0] * (n + 1)
        for place in range(roots, n):
            v = order[place]
            if kids is None or v not in kids[:2]:
                before = order[max(0, place - WINDOW) : place]
                count = min(rng.choice(PARENT_COUNTS), len(before))
                parents[v] = mask_of(rng.sample(before, count))
                tables[v] = draw_function(count, rng)
        root_mask = mask_of(order[:roots])
        members = tuple(
            _make_member(n, root_mask, parents, tables, kids, at) for at in range(4 if kids else 1)
        )
        if _is_connected(members[0], root_mask, kids):
            break
    starts = [
        mask_of(v for j, v in enumerate(order[:roots]) if at >> j & 1) | h << n
        for at in range(1 << roots)
        for h in range(2 if trait else 1)
    ]
    rng.shuffle(starts)
    return Clan(n, order, root_mask, kids, members, tuple(starts))


def draw_function(arity: int, rng: Random) -> int:
    """Return the table of a random function in which every argument matters."""
    while True:
        table = rng.getrandbits(1 << arity)
        if essential(table, arity).bit_count() == arity:
            return table


def _draw_kids(order: Sequence[int], roots: int, rng: Random) -> Kids:
    later = len(order) - roots
    first = rng.randrange(max(1, later - 3))
    second = rng.randrange(first + 1, later - 1)
    one, other = rng.sample(order[: roots + first], 2)
    apart = rng.choice((one, other))
    return Kids(order[roots + first], order[roots + second], (one, other), apart, rng.randrange(2))


def _make_member(
    n: int,
    roots: int,
    parents: Sequence[int],
    tables: Sequence[int],
    kids: Kids | None,
    at: int,
) -> BooleanScm:
    masks, filled = list(parents), list(tables)
    if kids is not None:
        one, other = kids.causes
        inputs = sorted((one, other, n))
        for p in range(8):
            value = {v: p >> j & 1 for j, v in enumerate(inputs)}
            said = int(value[one] | value[other] << 1 == at) ^ value[n]
            filled[kids.first] |= said << p
            filled[kids.second] |= (said ^ value[kids.apart] ^ kids.negated) << p
        masks[kids.first] = masks[kids.second] = mask_of(inputs)
    return BooleanScm(n + 1, roots | 1 << n, tuple(masks), tuple(filled))


def _is_connected(scm: BooleanScm, roots: int, kids: Kids | None) -> bool:
    """Say whether every root is read, and a kid of the trait by some other variable."""
    read = mask_of(u for v in scm.order for u in bits(scm.parents[v]))
    if roots & ~read:
        return False
    others = (scm.parents[v] for v in scm.order if kids is None or v not in kids[:2])
    return kids is None or any(mask & mask_of(kids[:2]) for mask in others)


class Evidence(NamedTuple):
    """What is shown of a clan: the same worlds, as each member shows them."""

    targets: tuple[int, ...]
    """What was set in each world; nothing in the first."""
    rows: tuple[tuple[tuple[int, ...], ...], ...]
    """For each member and world the rows of all units, traits included."""


def draw_evidence(clan: Clan, rng: Random, *, named: bool) -> Evidence | None:
    """Draw worlds until each member is the only model that fits; then drop what is not needed.

    Args:
        clan: The models.
        rng: Where chance comes from.
        named: Whether the agent knows what was set.

    Returns:
        Worlds that are all needed, else some member has a second model, or None
        if the search for them was given up.
    """
    table = _Table(clan, named=named)
    table.add(clan.run([0] * len(clan.units), 0), 0)
    while not table.settles(range(len(table.targets))):
        world = table.draw_world(rng)
        if world is None or len(table.targets) == _MOST_WORLDS[named]:
            return None
        table.add(*world)
    kept = list(range(len(table.targets)))
    for place in reversed(kept[1:]):
        rest = [other for other in kept if other != place]
        if table.settles(rest):
            kept = rest
    return Evidence(
        tuple(table.targets[place] for place in kept),
        tuple(tuple(rows[place] for place in kept) for rows in table.rows),
    )


class _Table:
    """The worlds of a clan as they are drawn, and which models fit them."""

    def __init__(self, clan: Clan, *, named: bool) -> None:
        self.clan, self.named = clan, named
        law = replace(law_of(clan), touched=0 if named else HANDS)
        self.fits = [UnitFits(law) for _ in clan.members]
        self.rows: list[list[tuple[int, ...]]] = [[] for _ in clan.members]
        self.targets: list[int] = []

    def add(self, rows: tuple[int, ...], targets: int) -> None:
        recorded = (1 << self.clan.n) - 1
        self.targets.append(targets)
        for member, fits in enumerate(self.fits):
            shown = self.clan.swap(rows, member)
            self.rows[member].append(shown)
            fits.add(UnitWorld(tuple(row & recorded for row in shown), targets))

    def settles(self, places: Sequence[int]) -> bool:
        """Say whether some worlds leave one model of every member."""
        targets = [self.targets[place] for place in places]
        for scm, rows in zip(self.clan.members, self.rows, strict=True):
            if not shows_every_pattern(scm, [rows[place] for place in places], targets):
                return False
        return all(fits.find_unique(places) is not None for fits in self.fits)

    def draw_world(self, rng: Random) -> tuple[tuple[int, ...], int] | None:
        """Draw one more world; None if none is found in which the hands leave no plain mark."""
        for _ in range(_WORLD_TRIES):
            targets = mask_of(rng.sample(range(self.clan.n), HANDS))
            rows = self.clan.run(list(self._draw_values(targets, rng)), targets)
            if self.named or all(
                self._is_shadowed(rows, targets, m) for m in range(len(self.fits))
            ):
                return rows, targets
        return None

    def _draw_values(self, targets: int, rng: Random) -> Iterator[int]:
        drawn = [rng.getrandbits(self.clan.n) & targets for _ in self.clan.units]
        for u, partner in enumerate(self.clan.partner):
            alike = self.clan.upstream
            yield drawn[u] & ~alike | drawn[min(u, partner)] & alike

    def _is_shadowed(self, rows: tuple[int, ...], targets: int, member: int) -> bool:
        """Say whether each target changed, and one of them no oftener than some other variable."""
        pairs = zip(self.rows[member][0], self.clan.swap(rows, member), strict=True)
        changes = [one ^ other for one, other in pairs]
        counts = [sum(change >> v & 1 for change in changes) for v in range(self.clan.n)]
        touched = [counts[v] for v in bits(targets)]
        others = [count for v, count in enumerate(counts) if not targets >> v & 1]
        return 0 < min(touched) <= max(others)


_ROOTS = 2
_KIDS = 4
"""How many variables read a trait, the two in turn."""
_WINDOW = 3
"""From how many variables before it a variable draws its parents: close ones make long chains."""


@dataclass(frozen=True, slots=True)
class Quad:
    """One model, one setting, and four units."""

    scm: BooleanScm
    """Its last two variables are the traits, and roots."""
    target: int
    value: int
    shown: tuple[int, ...]
    """For each value of the traits the row of the unit where nothing is set, traits included."""
    asked: tuple[int, ...]
    """The same where the variable is set."""


def draw_quad(n: int, rng: Random) -> Quad:
    """Draw a quad over `n` recorded variables, one that no shortcut leads through."""
    while True:
        order, parents, tables = _draw_mechanisms(n, rng)
        roots = rng.getrandbits(n) & mask_of(order[:_ROOTS])
        all_roots = mask_of([*order[:_ROOTS], n, n + 1])
        scm = BooleanScm(n + TRAITS, all_roots, tuple(parents), tuple(tables))
        shown = tuple(scm.run(roots | traits << n) for traits in range(1 << TRAITS))
        if not _differ(shown, n):
            continue
        for target, value in rng.sample([*product(range(n), (0, 1))], 2 * n):
            mask, values = 1 << target, value << target
            asked = tuple(scm.run(row & ~mask | values, mask) for row in shown)
            changes = [one ^ other for one, other in zip(shown, asked, strict=True)]
            # What is set changes in all units, and not alone; answers and changes tell them apart.
            if (
                all(change & mask and change & ~mask for change in changes)
                and _differ(asked, n)
                and _differ(changes, n)
                and resists_shortcuts(scm, shown, asked, mask, values)
            ):
                return Quad(scm, target, value, shown, asked)


def _differ(rows: Sequence[int], n: int) -> bool:
    """Say whether all rows differ in what is recorded."""
    return len({row & (1 << n) - 1 for row in rows}) == len(rows)


def _draw_mechanisms(n: int, rng: Random) -> tuple[list[int], list[int], list[int]]:
    """Draw an order, roots first, and for each variable its parents and its table."""
    order = rng.sample(range(n), n)
    kids = rng.sample(range(_ROOTS, n), _KIDS)
    parents, tables = [0] * (n + TRAITS), [0] * (n + TRAITS)
    for place in range(_ROOTS, n):
        before = order[max(0, place - _WINDOW) : place]
        inputs = rng.sample(before, rng.randint(1, 2))
        if place in kids:
            inputs.append(n + kids.index(place) % TRAITS)
        parents[order[place]] = mask_of(inputs)
        tables[order[place]] = draw_function(len(inputs), rng)
    return order, parents, tables


RUNS = 5
_MOST_ASKED = 9
"""A problem that a run does not settle with so many questions is drawn again."""
_SCRIPTS, _SCRIPTS_SETTLE = 30, 3
_SMALL_MODELS, _SMALL_RUNS, _SMALL_SETTLE = 6, 5, 2


def law_of(clan: Clan) -> UnitLaw:
    """Return what the agent knows of a model where all targets are named."""
    return UnitLaw(clan.n, clan.roots, len(clan.units), clan.arrows, clan.kids is not None)


def answer_question(clan: Clan, question: Question) -> UnitWorld:
    """Return what a question shows of the first member of a clan."""
    recorded = (1 << clan.n) - 1
    rows = clan.run([question.values] * len(clan.units), question.targets)
    return UnitWorld(tuple(row & recorded for row in rows), question.targets)


def draw_asking(n: int, roots: int, rng: Random) -> tuple[Clan, int, list[Question]] | None:
    """Draw a problem: a clan with the true model first, a budget, and a plan.

    The plan is what the first run of the reference asker asks. None if the problem is not kept.

    Args:
        n: How many variables are recorded.
        roots: How many of them have no mechanism.
        rng: Where the model and the filters come from.
    """
    clan = draw_clan(n, roots, rng, trait=True)
    law, answer = law_of(clan), partial(answer_question, clan)
    first = answer(Question(0, 0))
    runs = []
    for run in range(RUNS):
        asked = ask_until_settled(law, first, answer, seed_asker(law, first, run), most=_MOST_ASKED)
        if asked is None:
            return None
        runs.append(asked)
    lengths = sorted(map(len, runs))
    budget = min(lengths[RUNS // 2] + 1, lengths[-1])
    if len(runs[0]) > budget or not _resists_chance(clan, first, budget, rng):
        return None
    return clan, budget, runs[0]


def _resists_chance(clan: Clan, first: UnitWorld, budget: int, rng: Random) -> bool:
    """Say whether few scripts of random questions settle it, and few runs with few models."""
    law, answer, questions = law_of(clan), partial(answer_question, clan), list_questions(clan.n)
    scripts = (_settles(clan, rng.sample(questions, budget)) for _ in range(_SCRIPTS))
    small = (
        ask_until_settled(law, first, answer, rng, most=budget, models=_SMALL_MODELS) is not None
        for _ in range(_SMALL_RUNS)
    )
    return all(
        all(count <= most for count in accumulate(settled))
        for settled, most in ((scripts, _SCRIPTS_SETTLE), (small, _SMALL_SETTLE))
    )


def _settles(clan: Clan, script: Sequence[Question]) -> bool:
    asked = [Question(0, 0), *script]
    rows = [clan.run([one.values] * len(clan.units), one.targets) for one in asked]
    # Seldom are all patterns of the truth seen, and that is quick to say.
    if not shows_every_pattern(clan.members[0], rows, [one.targets for one in asked]):
        return False
    return is_settled(UnitFits(law_of(clan), [answer_question(clan, one) for one in asked]))


KIN = 4
"""How many problems are drawn together: the members of a clan, or the units of a quad."""
SHAPES = {"trait": (6, 2), "touched": (8, 3), "both": (7, 2), "ask": (8, 2)}
"""How many variables each level has, and how many of them are roots."""
WHATIF_SIZES = (8, 12)
"""How many variables a what-if problem has at least and at most."""


class _Drawn(NamedTuple):
    """What was drawn of one problem, in names."""

    names: tuple[str, ...]
    roots: int
    train: list[WorldRows]
    task: UnitTask
    secret: ReplaySecret
    budget: int = 0


def generate_unit_problem(config: ReplayConfig, seed: int, index: int) -> ReplayInstance:
    """Draw problem `index` of a level of the certified edition."""
    draw = {"whatif": _draw_whatif, "ask": _draw_questions}.get(config.setting, _draw_tables)
    names, roots, train, task, secret, budget = draw(config.setting, seed, index)
    known = _list_names(names, roots)
    return Instance[ReplayPublic, ReplaySecret](
        id=config.name_problem(seed, index),
        public=ReplayPublic(
            setting=config.setting,
            variables=names,
            roots=known,
            n_roots=len(known),
            limits=Limits(max_parents=MOST_PARENTS),
            train=tuple(train),
            budget=budget,
            max_targets=HANDS if budget else 0,
            task=task,
        ),
        secret=secret,
        facets={
            "setting": config.setting,
            "support": config.support,
            "variables": len(names),
            "mechanism": secret.latent,
        },
    )


def _draw_tables(level: str, seed: int, index: int) -> _Drawn:
    clan, evidence, turns = _draw_kin(level, seed, index // KIN if level != "touched" else index)
    member, names = turns[index % len(turns)], _name_variables(clan.n)
    touched = HANDS if level != "trait" else 0
    pairs = list(zip(evidence.rows[member], evidence.targets, strict=True))
    train = [
        _write_world(w, names, rows, targets, named=not touched)
        for w, (rows, targets) in enumerate(pairs)
    ]
    secret = ReplaySecret(
        gold=_write_model(clan.members[member], (*names, "H")),
        heldout=(),
        latent=f"{level}/{seed}/{index // len(turns)}",
        traits=_write_traits(clan) if clan.kids else None,
        touched=tuple(_list_names(names, one) for _, one in pairs[1:]) if touched else None,
    )
    traits = ("H",) if clan.kids else ()
    task = UnitTask(arrows=clan.arrows, traits=traits, touched=touched)
    return _Drawn(names, clan.roots, train, task, secret)


# A clan takes a tenth of a second to one and a half, and its four members are asked for in turn.
@lru_cache(maxsize=4)
def _draw_kin(level: str, seed: int, number: int) -> tuple[Clan, Evidence, list[int]]:
    streams = (stream(seed, FAMILY_NAME, "units", level, number, attempt) for attempt in count())
    return next(kin for kin in (_try_kin(level, rng) for rng in streams) if kin is not None)


def _try_kin(level: str, rng: Random) -> tuple[Clan, Evidence, list[int]] | None:
    clan = draw_clan(*SHAPES[level], rng, trait=level != "touched")
    evidence = draw_evidence(clan, rng, named=level == "trait")
    if evidence is None or (level != "trait" and _is_filled(clan, evidence)):
        return None
    return clan, evidence, rng.sample(range(len(clan.members)), len(clan.members))


def _is_filled(clan: Clan, evidence: Evidence) -> bool:
    """Say whether filling in by worlds finds every arrow of a member, though hands have no name."""
    law, recorded = replace(law_of(clan), touched=HANDS), (1 << clan.n) - 1
    for scm, worlds in zip(clan.members, evidence.rows, strict=True):
        shown = [UnitWorld(tuple(row & recorded for row in rows)) for rows in worlds]
        found = fill_by_worlds(law, shown)
        if found is not None and found.parents == scm.parents[: clan.n]:
            return True
    return False


def _draw_questions(level: str, seed: int, index: int) -> _Drawn:
    streams = (stream(seed, FAMILY_NAME, "asking", index, attempt) for attempt in count())
    drawn = (draw_asking(*SHAPES[level], rng) for rng in streams)
    clan, budget, plan = next(asking for asking in drawn if asking is not None)
    names = _name_variables(clan.n)
    first = _write_world(0, names, clan.run([0] * len(clan.units), 0), 0, named=True)
    secret = ReplaySecret(
        gold=_write_model(clan.members[0], (*names, "H")),
        heldout=(),
        latent=f"ask/{seed}/{index}",
        plan=tuple(
            AskedWorld(set={names[v]: str(one.values >> v & 1) for v in bits(one.targets)})
            for one in plan
        ),
        par=len(plan),
        traits=_write_traits(clan),
    )
    task = UnitTask(arrows=clan.arrows, traits=("H",))
    return _Drawn(names, clan.roots, [first], task, secret, budget)


@lru_cache(maxsize=4)  # A quad takes a third of a second, and its units are asked for in turn.
def _draw_quad(seed: int, number: int) -> tuple[Quad, list[int]]:
    rng = stream(seed, FAMILY_NAME, "whatif", number)
    quad = draw_quad(rng.randint(*WHATIF_SIZES), rng)
    return quad, rng.sample(range(KIN), KIN)


def _draw_whatif(level: str, seed: int, index: int) -> _Drawn:
    quad, turns = _draw_quad(seed, index // KIN)
    scm, n, unit = quad.scm, quad.scm.n - TRAITS, turns[index % KIN]
    names, traits = _name_variables(n), tuple(f"H{t + 1}" for t in range(TRAITS))
    model = _write_model(scm, (*names, *traits))
    shown = _write_world(0, names, [quad.shown[unit]], 0, named=True)
    task = UnitTask(
        arrows=sum(mask.bit_count() for mask in scm.parents),
        traits=traits,
        mechanisms={name: one.formula for name, one in model.items()},
        setting={names[quad.target]: quad.value},
    )
    row = quad.asked[unit]
    secret = ReplaySecret(
        gold={},
        heldout=(),
        latent=f"{level}/{seed}/{index // KIN}",
        traits="".join(str(row >> n + t & 1) for t in range(TRAITS)),
        row={name: row >> i & 1 for i, name in enumerate(names)},
    )
    return _Drawn(names, scm.roots, [shown], task, secret)


def _write_model(scm: BooleanScm, names: Sequence[str]) -> dict[str, Mechanism]:
    return mechanisms(formulas_of(scm, names), names)


def _write_world(
    number: int, names: Sequence[str], rows: Sequence[int], targets: int, *, named: bool
) -> WorldRows:
    mode: Mode = "hard_assigned" if named else "by_hand"
    units = tuple(f"u{u + 1}" for u in range(len(rows)))
    told = targets if named else 0
    return write_world(f"w{number}", mode if targets else "none", told, units, rows, names)


def _write_traits(clan: Clan) -> str:
    return "".join(str(start >> clan.n & 1) for start in clan.units)


def _name_variables(n: int) -> tuple[str, ...]:
    return tuple(f"X{i + 1}" for i in range(n))


def _list_names(names: Sequence[str], mask: int) -> tuple[str, ...]:
    return tuple(name for i, name in enumerate(names) if mask >> i & 1)
