"""Filling in tables, one variable after the other: what one finds without search for a fit.

Each variable gets the few placed ones that leave the fewest mistakes. Mistakes are counted by rows,
or by worlds, where a contradicted world is taken for one in which a hand was at work. Alternating
guesses what is hidden, fills, and guesses anew from the mistakes. Players take these ways, and
drawing holds `touched` against the filler by worlds.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import combinations, product
from random import Random

from causarium.scm.boolean.truth_table import essential, transpose
from causarium.scm.boolean.unit_fits import MOST_PARENTS, Fit, UnitLaw, UnitWorld
from causarium.scm.dag import bits, mask_of

_FIRST_WORLD = 10
"""How many worlds the first one counts for, in which no hand was at work."""
_PER_PARENT = 0.3
"""What a further parent costs, in contradicted worlds."""
_COSTS = (0.3, 0.01, 0.6, 0.9, 1.2, -0.3)
"""What it costs in turn, where that is tried."""
_COLUMNS_TRIED = 3
_ROUNDS = 12
"""How often hidden things are guessed anew from one start."""


class Tables:
    """The rows of all worlds as columns: for each variable an integer with a bit for each row."""

    def __init__(self, law: UnitLaw, worlds: Sequence[UnitWorld], traits: int = 0) -> None:
        self.law, self.worlds = law, worlds
        rows = [row for world in worlds for row in world.rows]
        self.columns = transpose(rows, law.n)
        self.every = (1 << len(rows)) - 1
        self.within = [((1 << law.units) - 1) << w * law.units for w in range(len(worlds))]
        """For each world its rows."""
        self.columns.append(sum(traits << w * law.units for w in range(len(worlds))))

    @cached_property
    def changed(self) -> list[int]:
        """For each variable the mask of the worlds in which some unit differs from the first."""
        shown = [
            [column >> w * self.law.units & self.within[0] for w in range(len(self.within))]
            for column in self.columns
        ]
        return [mask_of(w for w, one in enumerate(row) if one != row[0]) for row in shown]

    def part(self, mask: int, among: int) -> list[int]:
        """Return the rows with each pattern of some variables, in the order of a truth table."""
        parts = [among]
        for u in bits(mask):
            column = self.columns[u]
            parts = [rows & ~column for rows in parts] + [rows & column for rows in parts]
        return parts

    def free(self, v: int, touched: Sequence[int]) -> int:
        """Return the rows of the worlds in which a variable was not touched."""
        pairs = zip(self.within, touched, strict=True)
        return sum(rows for rows, hands in pairs if not hands >> v & 1)

    def list_worlds(self, rows: int) -> int:
        """Return the mask of the worlds that some rows are of."""
        return mask_of(w for w, within in enumerate(self.within) if rows & within)


def _read_traits(tables: Tables) -> list[int]:
    """Return columns of trait values that go with how traits act here, the likeliest first.

    Two units have the same roots and opposite traits, and a kid of the trait differs in each such
    pair; it is the trait, but for one pattern of two causes. Each world says which column that is.
    """
    law, first = tables.law, tables.worlds[0].rows
    pairs = [
        (u, w)
        for u, w in combinations(range(law.units), 2)
        if not (first[u] ^ first[w]) & law.roots
    ]
    kids = [v for v in law.endogenous if all((first[u] ^ first[w]) >> v & 1 for u, w in pairs)]
    others = [u for u in range(law.n) if u not in kids]
    votes: dict[int, float] = {}
    for v, causes in product(kids, map(mask_of, combinations(others, 2))):
        for rows in tables.part(causes, tables.every):
            said = [
                (tables.columns[v] ^ rows) >> w * law.units & tables.within[0]
                for w, world in enumerate(tables.worlds)
                if not world.targets >> v & 1
            ]
            columns = [one ^ tables.within[0] if one & 1 else one for one in said]
            share = columns.count(columns[0]) / len(columns)
            votes[columns[0]] = votes.get(columns[0], 0) + share**3
    return sorted(votes, key=lambda column: -votes[column])


def _list_sets(placed: int) -> Iterator[int]:
    members = list(bits(placed))
    for size in range(1, MOST_PARENTS + 1):
        yield from map(mask_of, combinations(members, size))


def fill_by_rows(tables: Tables, touched: Sequence[int], *, trait: bool) -> list[int]:
    """Return parents that leave the fewest mistaken rows, each variable by what is placed."""
    law = tables.law
    parents, placed = [0] * law.n, law.roots | trait << law.n
    left = {v: tables.free(v, touched) for v in law.endogenous}
    while left:
        *_, v, parents_of = min(
            (_count_mistakes(tables, v, mask, free), mask.bit_count(), v, mask)
            for v, free in left.items()
            for mask in (0, *_list_sets(placed))
        )
        parents[v] = parents_of
        placed |= 1 << v
        del left[v]
    return parents


def count_mistakes(tables: Tables, parents: Sequence[int], touched: Sequence[int]) -> int:
    """Return how many rows the best functions of some parents leave unexplained."""
    free = {v: tables.free(v, touched) for v in tables.law.endogenous}
    return sum(_count_mistakes(tables, v, parents[v], rows) for v, rows in free.items())


def _count_mistakes(tables: Tables, v: int, mask: int, free: int) -> int:
    column = tables.columns[v]
    parts = tables.part(mask, free)
    return sum(min((p & column).bit_count(), (p & ~column).bit_count()) for p in parts)


def fill_by_worlds(
    law: UnitLaw, worlds: Sequence[UnitWorld], cost: float = _PER_PARENT
) -> Fit | None:
    """Return the fit that contradicts few worlds, found without turning back; None if stuck.

    A root that differs from the first world was set. Every other variable takes the set of parents
    by which the fewest worlds have to be explained by hands, as far as hands are left. A trait is
    read off first, by how traits act in this family; two variables must then turn out to read it.
    """
    if not law.trait:
        return _place_by_worlds(Tables(law, worlds), cost)
    for traits in _read_traits(Tables(law, worlds))[:_COLUMNS_TRIED]:
        fit = _place_by_worlds(Tables(law, worlds, traits), cost)
        if fit is not None and sum(mask >> law.n & 1 for mask in fit.parents) == 2:
            return Fit(fit.parents, 1 << (traits >> 1), fit.touched)
    return None


def fill_at_costs(law: UnitLaw, worlds: Sequence[UnitWorld]) -> Fit | None:
    """Fill by worlds at several costs of a parent; the first fit that keeps to the law counts."""
    for fit in (fill_by_worlds(law, worlds, cost) for cost in _COSTS):
        if fit is not None and sum(mask.bit_count() for mask in fit.parents) <= law.arrows:
            hands = {mask.bit_count() for mask in fit.touched[1:]}
            if not law.touched or hands == {law.touched}:
                return fit
    return None


def _place_by_worlds(tables: Tables, per_parent: float) -> Fit | None:
    law = tables.law
    parents, touched = [0] * law.n, [world.targets for world in tables.worlds]
    placed, left = law.roots | law.trait << law.n, set(law.endogenous)
    for v in bits(law.roots if law.touched else 0):
        for w in bits(tables.changed[v]):
            touched[w] |= 1 << v
    while left:
        room = mask_of(w for w, hands in enumerate(touched) if hands.bit_count() < law.touched)
        ways = []
        for v in left:
            for mask in _list_sets(placed):
                wrong = _contradict(tables, v, mask)
                if wrong is not None and not wrong & ~(room & tables.changed[v] & ~1):
                    cost = wrong.bit_count() + per_parent * mask.bit_count()
                    ways.append((cost, v, mask, wrong))
        if not ways:
            return None
        _, v, parents[v], wrong = min(ways)
        for w in bits(wrong):
            touched[w] |= 1 << v
        placed |= 1 << v
        left.discard(v)
    return Fit(tuple(parents), 1, tuple(touched))


def _contradict(tables: Tables, v: int, mask: int) -> int | None:
    """Return the worlds that a majority of worlds outvotes; None if a parent does not matter."""
    column = tables.columns[v]
    free = tables.free(v, [world.targets for world in tables.worlds])
    seen = [
        (tables.list_worlds(rows & ~column), tables.list_worlds(rows & column))
        for rows in tables.part(mask, free)
    ]
    wrong = 0
    for _ in range(4):
        table, before, wrong = 0, wrong, 0
        for p, (zero, one) in enumerate(seen):
            zeros, ones = (_weigh(worlds & ~before) for worlds in (zero, one))
            if not zeros and not ones:
                return None
            table |= (ones > zeros) << p
            wrong |= zero if ones > zeros else one
        if wrong == before:
            break
    arity = mask.bit_count()
    return wrong if essential(table, arity).bit_count() == arity else None


def _weigh(worlds: int) -> int:
    return worlds.bit_count() + (_FIRST_WORLD - 1) * (worlds & 1)


def alternate(law: UnitLaw, worlds: Sequence[UnitWorld], rng: Random, *, starts: int) -> Fit | None:
    """Fill by rows, guess trait and hands anew from the mistakes, and so on, from many starts.

    Args:
        law: What is given.
        worlds: What is shown.
        rng: Where the starts come from.
        starts: How many there are; the first that ends without a mistake counts.

    Returns:
        A fit without mistakes, or None if there is none at any end.
    """
    for _ in range(starts):
        traits = rng.getrandbits(law.units) & ~1 if law.trait else 0
        tables = Tables(law, worlds, traits)
        touched = _touch_most(tables, [rng.sample(range(law.n), law.n) for _ in worlds])
        for _ in range(_ROUNDS):
            parents = fill_by_rows(tables, touched, trait=law.trait)
            missed = _find_missed(tables, tables, parents, touched)
            free = [tables.free(v, touched) for v in range(law.n)]
            if not count_mistakes(tables, parents, touched):
                return Fit(tuple(parents), 1 << (traits >> 1), tuple(touched))
            counts = [[(rows & within).bit_count() for rows in missed] for within in tables.within]
            turned = Tables(law, worlds, traits ^ tables.within[0])
            otherwise = _find_missed(tables, turned, parents, touched)
            flips = mask_of(
                u
                for u in range(law.units if law.trait else 0)
                if _count_of(tables, u, otherwise, free) < _count_of(tables, u, missed, free)
            )
            then = _touch_most(tables, counts)
            if then == touched and not flips:
                break
            touched, traits = then, traits ^ flips
            traits ^= tables.within[0] if traits & 1 else 0
            tables = Tables(law, worlds, traits)
    return None


def _touch_most(tables: Tables, counts: Sequence[Sequence[int]]) -> list[int]:
    """Return for each world what was set: roots that changed, and then what has the most counts."""
    law = tables.law
    if not law.touched:
        return [world.targets for world in tables.worlds]
    touched = [0]
    for w in range(1, len(tables.worlds)):
        changed = [v for v in range(law.n) if tables.changed[v] >> w & 1]
        changed.sort(key=lambda v: (law.roots >> v & 1, counts[w][v]), reverse=True)
        touched.append(mask_of(changed[: law.touched]))
    return touched


def _find_missed(
    fitted: Tables, shown: Tables, parents: Sequence[int], touched: Sequence[int]
) -> list[int]:
    """Return for each variable the rows in which the majority's function is wrong."""
    missed = [0] * fitted.law.n
    for v in fitted.law.endogenous:
        free, column = fitted.free(v, touched), fitted.columns[v]
        learned, met = fitted.part(parents[v], free), shown.part(parents[v], fitted.every)
        for rows, here in zip(learned, met, strict=True):
            is_one = 2 * (rows & column).bit_count() > rows.bit_count()
            missed[v] |= here & (~column if is_one else column)
    return missed


def _count_of(tables: Tables, unit: int, missed: Sequence[int], free: Sequence[int]) -> int:
    rows = sum(1 << unit + w * tables.law.units for w in range(len(tables.worlds)))
    return sum((a & b & rows).bit_count() for a, b in zip(missed, free, strict=True))
