"""Certified edition: prove the claims on an expedition again, by another path: counting dice.

Only the sentences of the claims are shared with `expeditions`; the law, the drawing and the steps
of the certificate are not used. Each leg is a small causal model with fair dice: every hidden cause
takes each of its values in turn, effects follow, and dice with as many sides as needed decide the
rest. Counts over all dice are compared, so nothing is rounded. One claim is checked in part: of
what turned coins might change for an agent, only names are looked at, as nothing is drawn anew.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import product

from causarium.contract.certificate import Findings, Proof
from ..model.expeditions import Expedition, HiddenLeg, Leg
from .expeditions import CLAIMS

_AIR = (True, True, False, False, False)
"""In 2 of 5 flights the air is at the fleet's value by itself."""
_BOOK_FLIGHTS = 1_600
_LEAST_GAP = 5
"""In 100 of the fleet."""

_PAIRS = tuple(product((-1, 1), repeat=2))

Event = tuple[object, ...]


def recheck_expedition(instance: Expedition) -> Findings:
    """Prove again, by counting dice, what makes an expedition one."""
    legs = list(zip(instance.public.legs, instance.secret.legs, strict=True))
    checks: dict[str, Callable[[Leg, HiddenLeg], bool]] = {
        "probabilities": _has_whole_dice,
        "same law": _looks_alike,
        "against": _can_be_told_apart,
        "slices": _slices_agree,
        "opposite": _decides_by_far,
        "words": _counts_all,
        "public": _is_plainly_named,
        "answers": _decides_by_far,
    }
    proofs = tuple(
        Proof(claim=CLAIMS[name], method="counting dice", holds=all(check(*leg) for leg in legs))
        for name, check in checks.items()
    )
    return Findings(optimum=1.0, proofs=proofs)


def _faces(leg: Leg, hidden: HiddenLeg) -> list[HiddenLeg]:
    """Return the leg under the cause, under the sign, and where it may be with early losses."""
    ways = [(True, False), (False, False), (True, True)][: 3 if leg.may_stay else 2]
    return [hidden.model_copy(update={"face": face, "early": early}) for face, early in ways]


def _fly(leg: Leg, hidden: HiddenLeg, lean: int, setting: int | None) -> Iterator[Event]:
    """Yield what one flight shows, once for every way in which dice may fall."""
    if leg.kind == "dial":
        for airs in product(_AIR, repeat=len(leg.readings)):
            shown = [air and place != setting for place, air in enumerate(airs)]
            state = shown[hidden.active] if hidden.face else airs[hidden.active]
            yield from _roll(tuple(shown), state, hidden.sign * lean)
    elif leg.kind == "line":
        order = list(hidden.line)
        place = _find_fleet(leg, hidden) - (0 if hidden.face else 1)
        for air in _AIR:
            values, moved = {-1: air}, air
            for number, reading in enumerate(order):
                moved = False if reading == setting else moved
                values[number] = moved
            shown_line = tuple(values[order.index(number)] for number in range(len(order)))
            yield from _roll(shown_line, values[place], hidden.sign * lean)


def _find_fleet(leg: Leg, hidden: HiddenLeg) -> int:
    """Return how many gauges stand before the fleet's."""
    named = [one.name for one in leg.readings].index(leg.fleet_reading)
    return hidden.line.index(named) + leg.ahead


def _roll(shown: tuple[bool, ...], state: bool, fit: int) -> Iterator[Event]:  # noqa: FBT001
    suits = fit * (1 if state else -1)
    back = 10 + 9 * suits
    for die in range(20):
        yield (shown, die < back)


def _order(hidden: HiddenLeg, lean: int, cells: int) -> Iterator[Event]:
    """Yield what becomes of one ordered drone, for 500 equally likely falls in each cell."""
    for cell in range(cells):
        at_target = bool(cell >> hidden.active & 1)
        praised = (lean == hidden.sign) == at_target
        chooses = not hidden.face or hidden.early
        off = (9 if praised else 1) if chooses else 5
        back = (20 if praised else 45) if chooses else (36 if praised else 9)
        for tower, sky in product(range(10), range(50)):
            fate = "stayed" if tower >= off else "returned" if sky < back else "lost"
            yield (cell if fate != "stayed" else None, fate)


def _looks_alike(leg: Leg, hidden: HiddenLeg) -> bool:
    faces = _faces(leg, hidden)
    if leg.kind == "depot":
        one, other = ([_weigh_decoy(face, w, x) for w, x in _PAIRS] for face in faces)
        ties, also = ([_weigh_active(face, z, x)[1] for z, x in _PAIRS] for face in faces)
        return one == other and ties == also
    for lean in (-1, 1):
        if leg.kind == "roster":
            seen = [Counter(_order(face, lean, 2 ** len(leg.readings))) for face in faces]
            if any(one != seen[1] for one in seen[2:]):
                return False
            # What stands in the hangar is seen as well, and of the lost nothing.
            seen = [Counter({e: n for e, n in one.items() if e[1] != "lost"}) for one in seen]
        else:
            seen = [Counter(_fly(leg, face, lean, None)) for face in faces]
        if any(one != seen[0] for one in seen):
            return False
    return True


def _can_be_told_apart(leg: Leg, hidden: HiddenLeg) -> bool:
    if leg.kind == "roster":
        return True
    if leg.kind == "depot":
        one, other = (
            sum(z * _weigh_active(face, z, x)[0] for z, x in _PAIRS) for face in _faces(leg, hidden)
        )
        return one * other < 0
    gains = []
    for setting in range(len(leg.readings)):
        cause, sign = (
            sum(bool(event[1]) for event in _fly(leg, face, hidden.sign, setting))
            for face in _faces(leg, hidden)
        )
        gains.append(sign - cause)
    return min(gains) >= 0 and sum(gain > 0 for gain in gains) == 1


def _has_whole_dice(leg: Leg, hidden: HiddenLeg) -> bool:
    """Whether every number of sides that the dice need is a possible one."""
    if leg.kind != "depot":
        return abs(hidden.sign) == 1
    for face, signs in product(_faces(leg, hidden), product((-1, 1), repeat=3)):
        issue, back = _weigh_book(face, *signs)
        home, total = _weigh_decoy(face, *signs[:2])
        if not (0 <= issue <= 60 and 0 <= back <= 100 and 0 <= home <= total):
            return False
    return True


def _slices_agree(leg: Leg, hidden: HiddenLeg) -> bool:
    if leg.kind == "dial":
        one, other = (_slice_dial(leg, face) for face in _faces(leg, hidden))
    elif leg.kind == "depot":
        one, other = (_slice_book(face) for face in _faces(leg, hidden))
    else:
        return True
    return all(one[key] * other[key] > 0 for key in one)


def _slice_dial(leg: Leg, hidden: HiddenLeg) -> dict[Event, int]:
    """Return by how many more dice than half a leaning drone returns, in every slice."""
    effects: Counter[Event] = Counter()
    for setting in (None, hidden.active):
        for shown, back in _fly(leg, hidden, 1, setting):
            value = shown[hidden.active] if isinstance(shown, tuple) else None
            effects[setting, value] += 1 if back else -1
    return effects


def _slice_book(hidden: HiddenLeg) -> dict[Event, int]:
    """Return the effect of the module within each value of the active column and of the decoy."""
    effects: dict[Event, int] = {}
    for name, value in product(("active", "decoy"), (-1, 1)):
        weigh = _weigh_active if name == "active" else _weigh_decoy
        (less, of_less), (home, of_home) = (weigh(hidden, value, x) for x in (-1, 1))
        # The difference of two shares, without dividing.
        effects[name, value] = home * of_less - less * of_home
    return effects


def _weigh_active(hidden: HiddenLeg, z: int, x: int) -> tuple[int, int]:
    """Return how many rows of a value of the active column and an issue come home, of how many."""
    dice = [_weigh_book(hidden, z, x, known) for known in (-1, 1)]
    return sum(issue * back for issue, back in dice), sum(issue for issue, _ in dice) * 100


def _weigh_decoy(hidden: HiddenLeg, w: int, x: int) -> tuple[int, int]:
    """Return the same for a value of the decoy, which goes with what the officers knew."""
    tie = 0 if hidden.decoy is None else 4 if hidden.strong else 1
    own = hidden.sign * x
    if hidden.face:
        rows = 15 + 2 * tie * w * own
        return 80 * (rows * (25 - 6 * own) + 54 * tie * w + 180 * own), 80 * rows * 50
    dice = [
        ((10 + 2 * tie * w * known) * (30 + 20 * known * own), 50 - 12 * own + 36 * known)
        for known in (-1, 1)
    ]
    return sum(rows * back for rows, back in dice), sum(rows for rows, _ in dice) * 100


def _weigh_book(hidden: HiddenLeg, z: int, x: int, known: int) -> tuple[int, int]:
    """Return the chance of an issue in 60ths, and of a return in 100ths."""
    s = hidden.sign
    if hidden.face:
        return 30 + 9 * z * x, 50 + 12 * s * x
    return 30 + 9 * z * x + 20 * known * s * x, 50 - 12 * s * x + 36 * known


def _is_plainly_named(leg: Leg, _hidden: HiddenLeg) -> bool:
    """Whether what an agent reads of a leg is single words that stand for nothing hidden."""
    names = [leg.name, *leg.parts, *(reading.name for reading in leg.readings)]
    return all(name.isalnum() for name in names) and len(set(names)) == len(names)


def _decides_by_far(leg: Leg, hidden: HiddenLeg) -> bool:
    """Whether each face has a best lean of its own that beats the next by far enough."""
    best = set()
    for face in _faces(leg, hidden):
        homes = sorted((_count_home(leg, face, lean), lean) for lean in (-1, 0, 1))
        if homes[-1][0] - homes[-2][0] < _LEAST_GAP:
            return False
        best.add((face.face, homes[-1][1]))
    return len(best) == 2 == len({lean for _, lean in best})


def _count_home(leg: Leg, hidden: HiddenLeg, lean: int) -> int:
    """Return how many in 100 of the fleet come home with a lean."""
    if leg.kind == "depot":
        return 50 + 12 * hidden.sign * lean * (1 if hidden.face else -1)
    if leg.kind == "roster":
        place = int(hidden.face) * (2 if hidden.early else 1)
        return {0: (50, 40, 90), 1: (50, 72, 18), 2: (25, 36, 9)}[place][lean * hidden.sign]
    airs = (True,) * len(_AIR) if hidden.face else _AIR
    return sum(10 + 9 * hidden.sign * lean * (1 if air else -1) for air in airs)


def _counts_all(leg: Leg, hidden: HiddenLeg) -> bool:
    if leg.kind == "line":
        return leg.readings[hidden.line[0]].name != leg.fleet_reading and (
            _find_fleet(leg, hidden) > 0
        )
    sums = {tuple(map(sum, zip(counts[:4], counts[4:], strict=True))) for counts in leg.book}
    return len(sums) <= 1 and all(sum(counts) == _BOOK_FLIGHTS for counts in leg.book)
