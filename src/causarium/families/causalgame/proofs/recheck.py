"""Certified edition: prove the claims on an expedition again, by another path: counting dice.

Only the sentences of the claims are shared with `expeditions`; the law, the drawing and the steps
of the certificate are not used. Each leg is a small causal model with fair dice: every hidden cause
takes each of its values in turn, effects follow, and dice with as many sides as needed decide the
rest. Counts over all dice are compared, so nothing is rounded.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import product

from causarium.contract.certificate import Findings, Proof
from causarium.families.causalgame.model.expeditions import Expedition, HiddenLeg, Leg
from causarium.families.causalgame.proofs.expeditions import CLAIMS

_AIR = (True, True, False, False, False)
"""In 2 of 5 flights the air is at the fleet's value by itself."""
_BOOK_FLIGHTS = 1_600

Event = tuple[object, ...]


def recheck_expedition(instance: Expedition) -> Findings:
    """Prove again, by counting dice, what makes an expedition one."""
    legs = list(zip(instance.public.legs, instance.secret.legs, strict=True))
    checks: dict[str, Callable[[Leg, HiddenLeg], bool]] = {
        "probabilities": _has_whole_dice,
        "same law": _looks_alike,
        "against": _can_be_told_apart,
        "slices": _slices_agree,
        "opposite": _decides_otherwise,
        "words": _counts_all,
        "public": _is_plainly_named,
        "answers": _decides_otherwise,
    }
    proofs = tuple(
        Proof(claim=CLAIMS[name], method="counting dice", holds=all(check(*leg) for leg in legs))
        for name, check in checks.items()
    )
    return Findings(optimum=1.0, proofs=proofs)


def _faces(hidden: HiddenLeg) -> list[HiddenLeg]:
    return [hidden.model_copy(update={"face": face}) for face in (True, False)]


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
    one, other = _faces(hidden)
    if leg.kind == "depot":
        return _count_book(one, "issue") == _count_book(other, "issue")
    for lean in (-1, 1):
        if leg.kind == "roster":
            cells = 2 ** len(leg.readings)
            seen, also = (
                # What stands in the hangar is seen as well, and of the lost nothing.
                Counter(event for event in _order(face, lean, cells) if event[1] != "lost")
                for face in (one, other)
            )
        else:
            seen, also = (Counter(_fly(leg, face, lean, None)) for face in (one, other))
        if seen != also:
            return False
    return True


def _can_be_told_apart(leg: Leg, hidden: HiddenLeg) -> bool:
    if leg.kind == "roster":
        return True
    if leg.kind == "depot":
        effects = [_count_book(face, "column") for face in _faces(hidden)]
        one, other = (counts[1, True] - counts[-1, True] for counts in effects)
        return one * other < 0
    gains = []
    for setting in range(len(leg.readings)):
        cause, sign = (
            sum(bool(event[1]) for event in _fly(leg, face, hidden.sign, setting))
            for face in _faces(hidden)
        )
        gains.append(sign - cause)
    return min(gains) >= 0 and sum(gain > 0 for gain in gains) == 1


def _count_book(hidden: HiddenLeg, column: str) -> Counter[Event]:
    """Count the rows of a book over all dice: by the issue, or by the active column, and return."""
    counts: Counter[Event] = Counter()
    for z, x, known in product((-1, 1), repeat=3):
        issue, back = _weigh_book(hidden, z, x, known)
        row = x if column == "issue" else z
        counts[row, True] += issue * back
        counts[row, False] += issue * (100 - back)
    return counts


def _has_whole_dice(leg: Leg, hidden: HiddenLeg) -> bool:
    """Whether every number of sides that the dice need is a possible one."""
    del leg
    for face, signs in product(_faces(hidden), product((-1, 1), repeat=3)):
        issue, back = _weigh_book(face, *signs)
        if not (0 <= issue <= 60 and 0 <= back <= 100):
            return False
    return True


def _slices_agree(leg: Leg, hidden: HiddenLeg) -> bool:
    if leg.kind == "dial":
        one, other = (_slice_dial(leg, face) for face in _faces(hidden))
    elif leg.kind == "depot":
        one, other = (_slice_book(face) for face in _faces(hidden))
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
    """Return the effect of the module within each value of the active column."""
    effects: dict[Event, int] = {}
    for z in (-1, 1):
        sides = {}
        for x in (-1, 1):
            total = home = 0
            for known in (-1, 1):
                issue, back = _weigh_book(hidden, z, x, known)
                total += issue
                home += issue * back
            sides[x] = (home, total)
        # The difference of two shares, without dividing.
        effects[(z,)] = sides[1][0] * sides[-1][1] - sides[-1][0] * sides[1][1]
    return effects


def _weigh_book(hidden: HiddenLeg, z: int, x: int, known: int) -> tuple[int, int]:
    """Return the chance of an issue in 60ths, and of a return in 100ths."""
    s = hidden.sign
    if hidden.face:
        return 30 + 9 * z * x, 50 + 12 * s * x
    return 30 + 9 * z * x + 20 * known * s * x, 50 - 12 * s * x + 36 * known


def _is_plainly_named(leg: Leg, hidden: HiddenLeg) -> bool:
    """Whether what an agent reads of a leg is single words that stand for nothing hidden."""
    del hidden
    names = [leg.name, *leg.parts, *(reading.name for reading in leg.readings)]
    return all(name.isalnum() for name in names) and len(set(names)) == len(names)


def _decides_otherwise(leg: Leg, hidden: HiddenLeg) -> bool:
    one, other = (
        max((-1, 1), key=lambda lean: _count_home(leg, face, lean)) for face in _faces(hidden)
    )
    return one == -other


def _count_home(leg: Leg, hidden: HiddenLeg, lean: int) -> int:
    """Return how many of the fleet come home with a lean, on a scale of the leg's own."""
    if leg.kind == "depot":
        return 50 + 12 * hidden.sign * lean * (1 if hidden.face else -1)
    if leg.kind == "roster":
        praised = lean == hidden.sign
        # With early losses fewer come home with either lean, in the same proportion.
        others = 1 if hidden.face else 9
        return 4 if praised else others
    airs = (True,) * len(_AIR) if hidden.face else _AIR
    return sum(10 + 9 * hidden.sign * lean * (1 if air else -1) for air in airs)


def _counts_all(leg: Leg, hidden: HiddenLeg) -> bool:
    if leg.kind == "line":
        return leg.readings[hidden.line[0]].name != leg.fleet_reading and (
            _find_fleet(leg, hidden) > 0
        )
    sums = {tuple(map(sum, zip(counts[:4], counts[4:], strict=True))) for counts in leg.book}
    return len(sums) <= 1 and all(sum(counts) == _BOOK_FLIGHTS for counts in leg.book)
