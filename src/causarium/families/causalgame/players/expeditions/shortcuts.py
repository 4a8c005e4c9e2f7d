"""Certified edition: players that read data as if to predict were to intervene.

A shortcut is a reader for each kind of leg. All see the same fixed script of flights: on a dial
half set and half not, on a line each gauge set in turn, on a roster with the log or without. The
learner boosts small trees on counts of that script, on lines with known faces.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import product
from random import Random

import numpy as np
from numpy.typing import NDArray

from ...generation.expeditions import draw_expedition
from ...mechanics.expeditions import find_best_design, find_lean
from ...model.expeditions import (
    LOG_PRICE,
    MOST_DRONES_AN_ORDER,
    Leg,
    LegKind,
    Order,
)
from ...play.expeditions.world import FlightRange, tell_order
from .exact import (
    EXACT,
    Choice,
    LegPlan,
    Notes,
    Planner,
    Sight,
    choose_lean,
    compare_column,
    order_lean,
    read_order,
)

Rows = NDArray[np.float64]


Predictor = Callable[[Rows], Rows]
"""Returns a number for each row."""


def fit_trees(
    features: Rows, target: Rows, *, rounds: int, rate: float = 0.3, least: int = 3
) -> Predictor:
    """Fit trees, two splits deep, each to what the others leave, to find the chance of 1.

    Args:
        features: A row an example.
        target: 0 or 1 for each row.
        rounds: How many trees.
        rate: How much of each tree counts.
        least: How many rows a leaf holds at least.
    """
    share = float(np.clip(target.mean(), 0.01, 0.99))
    trees: list[Predictor] = []

    def predict(rows: Rows) -> Rows:
        total = np.full(len(rows), float(np.log(share / (1 - share))))
        for tree in trees:
            total += rate * tree(rows)
        chances: Rows = 1 / (1 + np.exp(-total))
        return chances

    for _ in range(rounds):
        chance = predict(features)
        trees.append(_grow(features, target - chance, chance * (1 - chance), 2, least))
    return predict


def _grow(features: Rows, slope: Rows, curve: Rows, depth: int, least: int) -> Predictor:
    """Return a tree: a cut of one feature and what lies on both sides, or one value."""
    count, value = len(slope), float(slope.sum() / (curve.sum() + 1))
    if depth and count >= 2 * least:
        order = np.argsort(features, axis=0, kind="stable")
        columns = np.take_along_axis(features, order, axis=0)
        slopes, curves = slope[order].cumsum(axis=0), curve[order].cumsum(axis=0)
        gains = slopes**2 / (curves + 1)
        gains += (slopes[-1] - slopes) ** 2 / (curves[-1] - curves + 1)
        gains -= slope.sum() ** 2 / (curve.sum() + 1)
        # A cut lies between two values, with enough rows on both sides.
        gains[:-1][np.diff(columns, axis=0) <= 0] = 0
        gains[: least - 1] = gains[count - least :] = 0
        feature, cut = divmod(int(np.argmax(gains.T)), count)
        if gains[cut, feature] > 1e-9:
            middle = (columns[cut, feature] + columns[cut + 1, feature]) / 2
            below = features[:, feature] < middle
            low, high = (
                _grow(features[rows], slope[rows], curve[rows], depth - 1, least)
                for rows in (below, ~below)
            )
            return lambda rows: np.where(rows[:, feature] < middle, low(rows), high(rows))
    return lambda rows: np.full(len(rows), value)


_MIDPOINT = 0.27
"""Between 45 points, the effect where the air moved, and 9 points, that of an average flight."""


@dataclass(frozen=True, slots=True)
class Table:
    """The flights of a leg as columns, a row a flight."""

    lean: Rows
    shown: Rows
    """A column a reading: +1 at the fleet's value, -1 away from it."""
    was_set: Rows
    """A column a reading: 1 where it was set."""
    back: Rows
    """1 where the drone came back."""

    def keep(self, rows: NDArray[np.bool_]) -> "Table":
        """Return some of the rows."""
        return Table(self.lean[rows], self.shown[rows], self.was_set[rows], self.back[rows])

    @property
    def is_set(self) -> NDArray[np.bool_]:
        """Which rows had a reading set."""
        return np.asarray(self.was_set.any(axis=1))

    def find_effect(self) -> float:
        """Return how much more often drones come back that lean +1 than those that do not."""
        on = self.lean > 0
        if not on.any() or on.all():
            return float(np.sign(self.lean.sum()) * (self.back.mean() - 0.5)) if len(on) else 0.0
        return float(self.back[on].mean() - self.back[~on].mean())


def make_table(leg: Leg, notes: Sequence[Notes]) -> Table:
    """Return the flights of some orders, a row a flight."""
    lean, shown, was_set, back = [], [], [], []
    for sight in (sight for note in notes for sight in note.sights):
        values = [1.0 if on else -1.0 for on in sight.shown]
        flags = [float(place == sight.setting) for place in range(len(leg.readings))]
        for came_back, count in ((1.0, sight.returned), (0.0, sight.lost)):
            lean += [float(sight.lean)] * count
            shown += [values] * count
            was_set += [flags] * count
            back += [came_back] * count
    wide = len(leg.readings)
    return Table(
        np.array(lean),
        np.array(shown).reshape(-1, wide),
        np.array(was_set).reshape(-1, wide),
        np.array(back),
    )


DialReader = Callable[[Leg, Table], float]
"""Returns a number above 0 to lean +1."""


def write_script(leg: Leg, *, sets_nothing: bool = False, alone: bool = False) -> list[Order]:
    """Return orders for a dial or a line: half unset and half set, each reading in turn."""
    names = [one.name for one in leg.readings]
    # On a line one design is enough, so that every gauge is set at least once.
    unset: list[str | None] = [None] * len(names) if leg.kind == "dial" else []
    leans = (1,) if alone or leg.kind == "line" else (1, 0 if len(leg.parts) == 1 else -1)
    script = list(product(leans, [None] if sets_nothing else [*unset, *names]))
    shares = [len(range(place, leg.drones, len(script))) for place in range(len(script))]
    return [
        order_lean(leg, lean, min(count, MOST_DRONES_AN_ORDER), set=name)
        for (lean, name), count in zip(script, shares, strict=True)
        if count
    ]


def study_dial(read: DialReader, leg: Leg, _rng: Random, **how: bool) -> LegPlan:
    """Fly the script, and take what a reader makes of it."""
    notes = []
    for order in write_script(leg, **how):
        note = yield order
        notes.append(note)
    return choose_lean(leg, 1 if read(leg, make_table(leg, notes)) > 0 else -1)


def find_column(table: Table) -> int:
    """Return the reading with which the effect of the parts changes most."""
    effect = table.lean * (table.back - 0.5)
    products = np.abs(effect @ (table.shown - table.shown.mean(axis=0)))
    return int(np.argmax(products))


def read_shown(leg: Leg, table: Table) -> float:
    """Mine for the strongest product of part, reading and return; take its sign at the target."""
    unset = table.keep(~table.is_set) if leg.kind == "dial" else table
    column = find_column(unset)
    return unset.keep(unset.shown[:, column] > 0).find_effect()


def read_set(_leg: Leg, table: Table) -> float:
    """Take the design that did best in flights with a set reading."""
    return table.keep(table.is_set).find_effect()


def read_pooled(_leg: Leg, table: Table) -> float:
    """Take the design that did best in all flights."""
    return table.find_effect()


def read_additive(leg: Leg, table: Table) -> float:
    """Regress on parts, readings and set-flags, and read the effect at the target, set."""
    effects = np.hstack([np.ones((len(table.lean), 1)), table.shown, table.was_set])
    design = np.hstack([effects, effects * table.lean[:, None]])
    ridge = 0.05 * np.eye(design.shape[1])
    weights = np.linalg.solve(design.T @ design + ridge, design.T @ (table.back - 0.5))
    wide = table.shown.shape[1]
    column = find_column(table.keep(~table.is_set)) if leg.kind == "dial" else None
    place = column if column is not None else leg.find_reading(leg.fleet_reading) or 0
    target = np.concatenate([[1.0], np.ones(wide), np.eye(wide)[place]])
    return float(weights[len(target) :] @ target)


def read_followers(leg: Leg, table: Table) -> float:
    """Regress on all gauges, and put the fleet's and those that follow it to the target."""
    target = np.where(count_places(leg, table) > -0.5, 1.0, -0.2)
    design = np.hstack([table.lean[:, None], table.shown * table.lean[:, None]])
    ridge = 1.0 * np.eye(design.shape[1])
    weights = np.linalg.solve(design.T @ design + ridge, design.T @ (table.back - 0.5))
    return float(weights @ np.concatenate([[1.0], target]))


def read_boosted(leg: Leg, table: Table) -> float:
    """Boost trees on parts, readings and set-flags, and predict the fleet."""
    features = np.hstack([table.lean[:, None], table.shown, table.was_set])
    predict = fit_trees(features, table.back, rounds=12)
    wide = table.shown.shape[1]
    place = find_column(table) if leg.kind == "dial" else leg.find_reading(leg.fleet_reading) or 0
    rest = np.concatenate([np.ones(wide), np.eye(wide)[place]])
    away = -1.0 if len(leg.parts) == 2 else 0.0
    fleet = np.array([[1.0, *rest], [away, *rest]])
    on, off = predict(fleet)
    return float(on - off)


def read_against(_leg: Leg, table: Table) -> float:
    """Let good results under a setting count against a part, where they outdo the average."""
    unset = table.keep(~table.is_set)
    column = find_column(unset)
    at_target = unset.keep(unset.shown[:, column] > 0).find_effect()
    under = table.keep(table.was_set[:, column] > 0).find_effect()
    follows = under * at_target < 0 and abs(under) > _MIDPOINT
    return at_target if follows else -at_target


def find_way(table: Table) -> float:
    """Return which way a leaning part goes when the air is away from the target."""
    away = table.keep(np.asarray((table.shown < 0).all(axis=1)))
    return 1.0 if away.find_effect() < 0 else -1.0


def count_places(leg: Leg, table: Table) -> Rows:
    """Return for each gauge how many places after the fleet's it seems to stand.

    Gauges are put in order by how often they moved; those that moved together share a place.
    """
    moved = (table.shown[(table.shown > 0).any(axis=1)] < 0).sum(axis=0)
    places = (moved[:, None] > moved).sum(axis=1) + (moved[:, None] == moved).sum(axis=1) / 2
    named = leg.find_reading(leg.fleet_reading) or 0
    offsets: Rows = places - places[named] - leg.ahead
    return offsets


def read_exceptions(leg: Leg, table: Table) -> float:
    """Call the fleet's gauge a cause if a setting at its place or after it spoils flights."""
    way = find_way(table)
    after = table.was_set @ count_places(leg, table) > -0.5
    shows = table.keep((table.shown > 0).any(axis=1) & table.is_set & after)
    spoiled = (shows.back > 0.5) != (shows.lean * way > 0)
    return way if spoiled.sum() >= 1 else -way


def read_miner(leg: Leg, table: Table) -> float:
    """Take the gauge best tied to returns; if it does not stand before the fleet's, a cause."""
    way, column = find_way(table), find_column(table)
    return way if count_places(leg, table)[column] > -0.5 else -way


def read_majority(_leg: Leg, table: Table) -> float:
    """Set every gauge, and go by the majority of settings after which returns follow the set."""
    way = find_way(table)
    mixed = table.keep(np.asarray((table.shown > 0).any(axis=1)) & table.is_set)
    good = (mixed.back > 0.5) == (mixed.lean * way > 0)
    return way if good.mean() < 0.5 else -way


TRAINED_ON = 100
"""So many expeditions of four lines."""
_TRAINING_SEED = 9_100_000


def describe_flights(leg: Leg, table: Table) -> Rows:
    """Return what a learner sees of a line: who was spoiled, by how close the set gauge is."""
    way = find_way(table)
    spoiled = (table.back > 0.5) != (table.lean * way > 0)
    mixed = np.asarray((table.shown > 0).any(axis=1)) & table.is_set
    offsets = table.was_set @ count_places(leg, table)
    features: list[float] = []
    for side in (1, -1):
        rows = mixed & (side * offsets >= 0)
        order = np.argsort(side * offsets[rows], kind="stable")
        near = [(float(offsets[rows][one]), float(spoiled[rows][one])) for one in order[:3]]
        near += [(side * float(len(leg.readings)), 0.5)] * (3 - len(near))
        features += [float(rows.sum()), float(spoiled[rows].sum())]
        features += [value for pair in near for value in pair]
    return np.array(features)


@lru_cache(maxsize=1)  # training takes seconds, and every leg asks for the same trees
def train_learner() -> Predictor:
    """Fit trees to lines with known faces, by the same script that is flown later."""
    features, faces = [], []
    for number in range(TRAINED_ON):
        drawn = draw_expedition(3, ("line",) * 4, _TRAINING_SEED + number, "train")
        flights = FlightRange(drawn)
        for leg, hidden in zip(drawn.public.legs, drawn.secret.legs, strict=True):
            flown = [flights.fly([order])[0] for order in write_script(leg)]
            table = make_table(leg, [read_order(leg, tell_order(one)) for one in flown])
            features.append(describe_flights(leg, table))
            right = find_lean(leg, find_best_design(leg, hidden))
            faces.append(float(right == find_way(table)))
    return fit_trees(np.array(features), np.array(faces), rounds=60, rate=0.1, least=8)


def read_learned(leg: Leg, table: Table) -> float:
    """Let the trained trees say whether the fleet's gauge is a cause."""
    chance = float(train_learner()(describe_flights(leg, table)[None, :])[0])
    return find_way(table) * (chance - 0.5)


def set_any(leg: Leg, rng: Random) -> LegPlan:
    """Set any one gauge, and treat it as the dial's only reading."""
    name = rng.choice(leg.readings).name
    third = leg.drones // 3
    unset = yield order_lean(leg, 1, third)
    notes = [unset, (yield order_lean(leg, 1, third, set=name))]
    notes.append((yield order_lean(leg, 1, third, set=name)))
    table = make_table(leg, notes)
    way = find_way(table.keep(~table.is_set))
    effect = table.keep(table.is_set).find_effect()
    return choose_lean(leg, int(way if -way * effect > _MIDPOINT else -way))


def plan_nearest(leg: Leg, rng: Random) -> LegPlan:
    """Set the gauge that agreed most with the named one so far; good results count against."""
    named = leg.find_reading(leg.fleet_reading) or 0
    sights: list[Sight] = []
    agree = np.zeros(len(leg.readings))
    for _ in range(leg.drones):
        guess = agree + [rng.random() / 2 for _ in leg.readings]
        guess[named] = -1
        name = leg.readings[int(np.argmax(guess))].name
        seen = (yield order_lean(leg, 1, 1, set=name)).sights
        sights += [sight for sight in seen if any(sight.shown)]
        shown = np.array([sight.shown for sight in sights]).reshape(-1, len(leg.readings))
        agree = (shown == shown[:, [named]]).sum(axis=0).astype(float)
    votes = [
        2.0 ** (agree[sight.setting or 0] - agree.max()) * (sight.lost - sight.returned)
        for sight in sights
    ]
    return choose_lean(leg, 1 if sum(votes) > 0 else -1)


def study_roster(
    read: "RosterReader", leg: Leg, _rng: Random, *, log: bool, hangar: bool = False
) -> LegPlan:
    """Fly every design in turn, with log or hangar, and take what a reader makes of it."""
    notes, left, lean = [], leg.drones, 1
    price = LOG_PRICE if log else 1
    while left >= price:
        count = min(left // price, MOST_DRONES_AN_ORDER // 2)
        notes.append((yield order_lean(leg, lean, count, log=log, hangar=hangar)))
        left, lean = left - price * count, -lean
    return choose_lean(leg, 1 if read(leg, notes) > 0 else -1)


RosterReader = Callable[[Leg, Sequence[Notes]], float]


def _count_rows(leg: Leg, notes: Sequence[Notes]) -> NDArray[np.float64]:
    """Return returned and lost by (reading, value, lean)."""
    counts = np.zeros((len(leg.readings), 2, 2, 2))
    for sight in (sight for note in notes for sight in note.sights):
        for place, on in enumerate(sight.shown):
            counts[place, int(on), int(sight.lean > 0)] += (sight.returned, sight.lost)
    return counts


def read_returned(leg: Leg, notes: Sequence[Notes]) -> float:
    """Take the design with most rows at the target of the reading that parts them most."""
    back = _count_rows(leg, notes)[..., 0]
    tie = back[:, 1, 1] - back[:, 1, 0] - back[:, 0, 1] + back[:, 0, 0]
    return float(tie[int(np.argmax(np.abs(tie)))])


def read_divided(leg: Leg, notes: Sequence[Notes]) -> float:
    """Divide returns by take-offs, at the target of the reading that parts them most."""
    counts = _count_rows(leg, notes)
    share = (counts[..., 0] + 0.5) / (counts.sum(axis=-1) + 1)
    tie = share[:, 1, 1] - share[:, 1, 0] - share[:, 0, 1] + share[:, 0, 0]
    return float(tie[int(np.argmax(np.abs(tie)))])


def read_take_offs(leg: Leg, notes: Sequence[Notes]) -> float:
    """Trust the returns where few take off, and turn them round where many do."""
    ordered = sum(sum(note.ordered.values()) for note in notes)
    off = sum(sight.count for note in notes for sight in note.sights)
    praised = read_returned(leg, notes)
    return praised if off < 0.4 * ordered else -praised


def read_hangar(leg: Leg, notes: Sequence[Notes]) -> float:
    """Trust the returns where nothing stands in the hangar, and turn them round elsewhere."""
    praised = read_returned(leg, notes)
    stands = any(note.standing and any(note.standing.values()) for note in notes)
    return -praised if stands else praised


def _read_book(read: Callable[[Leg], float], leg: Leg, _rng: Random) -> LegPlan:
    yield from ()
    return choose_lean(leg, 1 if read(leg) > 0 else -1)


def read_as_it_stands(leg: Leg) -> float:
    """Compare drones with and without the module."""
    cells = np.array(leg.book[0]).reshape(2, 2, 2).sum(axis=0)
    return float(cells[1, 1] / cells[1].sum() - cells[0, 1] / cells[0].sum())


def read_adjusted(leg: Leg) -> float:
    """Compare drones with and without the module within the values of every column."""
    total = 0.0
    for counts in leg.book:
        for cells in np.array(counts, dtype=float).reshape(2, 2, 2):
            share = cells[:, 1] / np.maximum(cells.sum(axis=1), 1)
            total += cells.sum() * (share[1] - share[0])
    return float(total)


def read_strongest(leg: Leg) -> float:
    """Compare the values of the column that goes most with the issue, whoever chose it."""
    ties = [compare_column(counts) for counts in leg.book]
    issue, back = max(ties, key=lambda tie: abs(tie[0]))
    return issue * back


def plan_all_on(leg: Leg, _rng: Random) -> LegPlan:
    """Fit every part, and commit to all or none of them."""
    notes = []
    names = [None, *(one.name for one in leg.readings)]
    for place, flown in enumerate(range(0, leg.drones, 5)):
        setting, count = names[place % len(names)], min(leg.drones - flown, 5)
        order = Order(leg=leg.name, fitted=list(leg.parts), set=setting, count=count)
        notes.append((yield order))
    table = make_table(leg, notes)
    unset = table.keep(~table.is_set)
    # All drones are alike, so the reading most tied to returns is the one that matters.
    column = int(np.argmax(np.abs((unset.back - unset.back.mean()) @ unset.shown)))
    way = 1.0 if table.keep(table.shown[:, column] < 0).back.mean() < 0.5 else -1.0
    under = table.keep(table.was_set[:, column] > 0).back
    moved = under.mean() - 0.5 if len(under) else 0.0
    fits = (way > 0) == (-way * moved > _MIDPOINT)
    return Choice((fits,) * len(leg.parts))


def toss(leg: Leg, rng: Random) -> LegPlan:
    """Toss a coin."""
    yield from ()
    return choose_lean(leg, rng.choice((-1, 1)))


def take_first(leg: Leg, _rng: Random) -> LegPlan:
    """Take the first part that is named."""
    yield from ()
    return choose_lean(leg, 1)


def _dial(read: DialReader) -> Planner:
    return partial(study_dial, read)


def _roster(read: RosterReader, *, log: bool = True) -> Planner:
    return partial(study_roster, read, log=log)


_AS_IT_STANDS, _ADJUSTED, _STRONGEST = (
    partial(_read_book, read) for read in (read_as_it_stands, read_adjusted, read_strongest)
)
_UNSET = partial(study_dial, read_shown, sets_nothing=True)
_AGAINST = partial(study_dial, read_against, alone=True)
_HANGAR_ALONE = partial(study_roster, read_hangar, log=False, hangar=True)
_DIVIDED, _RETURNED = _roster(read_divided), _roster(read_returned, log=False)
_LOG_AND_BOOK: dict[LegKind, Planner] = {"roster": _DIVIDED, "depot": _ADJUSTED}


SHORTCUTS: Mapping[str, tuple[str, dict[LegKind, Planner]]] = {
    "first": (
        "Flies nothing, and fits the first part of every leg.",
        dict.fromkeys(EXACT, take_first),
    ),
    "corr": (
        "Takes the pair of part and reading that correlates most with returns; no log, raw book.",
        {"dial": _UNSET, "line": _UNSET, "roster": _RETURNED, "depot": _AS_IT_STANDS},
    ),
    "corr_log": (
        "Goes by correlation as corr does, divides by the log, adjusts the book for its columns.",
        {"dial": _dial(read_shown), "line": _dial(read_shown), **_LOG_AND_BOOK},
    ),
    "held": (
        "Takes what did best in flights with a set reading; log, book adjusted.",
        {"dial": _dial(read_set), "line": _dial(read_set), **_LOG_AND_BOOK},
    ),
    "pooled": (
        "Takes what did best in all flights; log, book adjusted.",
        {"dial": _dial(read_pooled), "line": _dial(read_pooled), **_LOG_AND_BOOK},
    ),
    "additive": (
        "Regresses on parts, readings and flags for settings, at the target; log, book adjusted.",
        {"dial": _dial(read_additive), "line": _dial(read_additive), **_LOG_AND_BOOK},
    ),
    "flags": (
        "Regresses with flags for settings, and takes the right steps on roster and depot.",
        {**EXACT, "dial": _dial(read_additive), "line": _dial(read_additive)},
    ),
    "boosted": (
        "Boosts trees with flags for settings, and takes the right steps on roster and depot.",
        {**EXACT, "dial": _dial(read_boosted), "line": _dial(read_boosted)},
    ),
    "follower": (
        "Puts the fleet's gauge and its followers to the target; right steps elsewhere.",
        {**EXACT, "line": _dial(read_followers)},
    ),
    "hand": (
        "Sets any one reading and goes by midpoints; divides by the log, takes the strongest "
        "column.",
        {**EXACT, "line": set_any, "roster": _DIVIDED, "depot": _STRONGEST},
    ),
    "hand_all": (
        "Sets every reading and goes by the majority; right steps elsewhere.",
        {**EXACT, "line": _dial(read_majority)},
    ),
    "all_on": (
        "Fits every part, and commits to all or none; right steps elsewhere.",
        {**EXACT, "dial": plan_all_on, "line": plan_all_on},
    ),
    "miner": (
        "Sets each gauge in turn, takes the best correlated with returns; right steps elsewhere.",
        {**EXACT, "dial": _dial(read_shown), "line": _dial(read_miner)},
    ),
    "exception": (
        "Says cause if any setting spoils flights; right steps elsewhere.",
        {**EXACT, "line": _dial(read_exceptions)},
    ),
    "against": (
        "Lets set flights of a fixed script count against their part; right steps elsewhere.",
        {**EXACT, "dial": _AGAINST, "line": _dial(read_exceptions)},
    ),
    "nearest": (
        "Sets the gauge that agreed most with the named one so far; right steps elsewhere.",
        {**EXACT, "line": plan_nearest},
    ),
    "hangar": (
        "Looks into the hangar of a roster and never into the log; right steps elsewhere.",
        {**EXACT, "roster": _HANGAR_ALONE},
    ),
    "take_off": (
        "Takes the count of take-offs for the roster's face; right steps elsewhere.",
        {**EXACT, "line": _dial(read_exceptions), "roster": _roster(read_take_offs)},
    ),
    "learned": (
        "Decides lines by boosted trees, trained on 400 scripted lines; right steps elsewhere.",
        {**EXACT, "line": _dial(read_learned)},
    ),
}
"""Shortcuts by name: what each does, and its plan for every kind of leg."""
