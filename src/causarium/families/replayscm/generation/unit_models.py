"""Drawing models with a hidden trait, their units, and tables that leave exactly one of them.

A clan is four models that differ in one function alone. Two variables are kids of the trait: both
read the same two causes, `V1 = g xor H` and `V2 = g xor d xor H`, where `g` is 1 at one pattern of
the causes and `d` one of them, perhaps negated. Which pattern that is makes the four members. Units
come in pairs that differ in the trait alone. What is set has the same value in both units of a pair
as far as the causes depend on it; so a member's rows are another's with the two units of a pair
swapped where their `g` differ. World by world, all four show the same rows, and whoever does not
recognise units cannot tell them apart.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import NamedTuple

from causarium.scm.boolean.model import BooleanScm
from causarium.scm.boolean.truth_table import essential
from causarium.scm.boolean.unit_fits import UnitFits, UnitLaw, UnitWorld, shows_every_pattern
from causarium.scm.dag import bits, mask_of

PARENT_COUNTS = (1, 2, 2, 3)
"""How many parents a mechanism has, each as likely."""
WINDOW = 5
"""From how many variables before it a variable draws its parents."""
HANDS = 2
"""How many variables are set in each world but the first."""
_MOST_WORLDS = {True: 10, False: 8}
"""A draw whose worlds, so many, still leave a second model is given up; where targets are not named
each further world doubles the search."""
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
        named: Whether it is told what was set.

    Returns:
        Worlds of which none can be dropped without leaving a second model of some member, or None
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
        trait = clan.kids is not None
        law = UnitLaw(
            clan.n, clan.roots, len(clan.units), clan.arrows, trait, 0 if named else HANDS
        )
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
        return all(fits.is_unique(places) for fits in self.fits)

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
