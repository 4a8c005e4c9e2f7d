"""The claims on an expedition once more, by another path: whole numbers, and causes and effects.

Nothing here comes from the law, the drawing or the certificate. Each leg is a small causal model
with fair dice: every hidden cause takes each of its values in turn, effects follow, and dice with
as many sides as needed decide the rest. Counts over all dice are compared, so nothing is rounded.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import product

from causarium.contract.certificate import Findings, Proof
from causarium.families.causalgame.model.expeditions import Expedition, HiddenLeg, Leg

_AIR = (True, True, False, False, False)
"""In 2 of 5 flights the air is at the fleet's value by itself."""
_BOOK_FLIGHTS = 1_600

Event = tuple[object, ...]


def recheck_expedition(instance: Expedition) -> Findings:
    """Prove again, by counting dice, what makes an expedition one."""
    legs = list(zip(instance.public.legs, instance.secret.legs, strict=True))
    checks: dict[str, Callable[[Leg, HiddenLeg], bool]] = {
        "what a blind player uses has the same law under both faces (T1)": _looks_alike,
        "a set reading, or the column by lot, tells the faces apart": _can_be_told_apart,
        "the right designs under the two faces differ": _decides_otherwise,
        "a book counts every flight in every column": _counts_all,
    }
    proofs = tuple(
        Proof(claim=claim, method="counting dice", holds=all(check(*leg) for leg in legs))
        for claim, check in checks.items()
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
        fleet = order.index([one.name for one in leg.readings].index(leg.fleet_reading))
        place = fleet + 1 if hidden.face else fleet - 2
        for air in _AIR:
            values, moved = {-1: air}, air
            for number, reading in enumerate(order):
                moved = False if reading == setting else moved
                values[number] = moved
            shown_line = tuple(values[order.index(number)] for number in range(len(order)))
            yield from _roll(shown_line, values.get(place, moved), hidden.sign * lean)


def _roll(shown: tuple[bool, ...], state: bool, fit: int) -> Iterator[Event]:  # noqa: FBT001
    suits = fit * (1 if state else -1)
    back = 10 + 9 * suits
    for die in range(20):
        yield (shown, die < back)


def _order(hidden: HiddenLeg, lean: int, cells: int) -> Iterator[Event]:
    """Yield what becomes of one ordered drone, for 100 equally likely falls in each cell."""
    for cell in range(cells):
        at_target = bool(cell >> hidden.active & 1)
        praised = (lean > 0) == ((hidden.sign > 0) == at_target)
        chooses = not hidden.face or hidden.early
        off = (9 if praised else 1) if chooses else 3
        back = (3 if praised else 9) if chooses else (9 if praised else 3)
        for tower, sky in product(range(10), repeat=2):
            fate = "stayed" if tower >= off else "returned" if sky < back else "lost"
            yield (cell if fate != "stayed" else None, fate)


def _looks_alike(leg: Leg, hidden: HiddenLeg) -> bool:
    one, other = _faces(hidden)
    if leg.kind == "depot":
        return _count_book(one, "issue") == _count_book(other, "issue")
    for lean in (-1, 1):
        if leg.kind == "roster":
            cells = 2 ** len(leg.readings)
            seen = [
                Counter(event for event in _order(face, lean, cells) if event[1] == "returned")
                for face in (one, other)
            ]
        else:
            seen = [Counter(_fly(leg, face, lean, None)) for face in (one, other)]
        if seen[0] != seen[1]:
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
    for setting, reading in enumerate(leg.readings):
        if reading.name == leg.fleet_reading:
            continue
        cause, sign = (
            sum(bool(event[1]) for event in _fly(leg, face, hidden.sign, setting))
            for face in _faces(hidden)
        )
        gains.append(sign - cause)
    telling = 1 if leg.kind == "dial" else 2
    return min(gains) >= 0 and sum(gain > 0 for gain in gains) == telling


def _count_book(hidden: HiddenLeg, column: str) -> Counter[Event]:
    """Count the rows of a book over all dice: by the issue, or by the active column, and return.

    The chance of an issue is so many 60ths, of a return so many 100ths.
    """
    counts: Counter[Event] = Counter()
    s = hidden.sign
    for z, x, known in product((-1, 1), repeat=3):
        if hidden.face:
            issue, back = 30 + 9 * z * x, 50 + 12 * s * x
        else:
            issue, back = 30 + 9 * z * x + 20 * known * s * x, 50 - 12 * s * x + 36 * known
        row = x if column == "issue" else z
        counts[row, True] += issue * back
        counts[row, False] += issue * (100 - back)
    return counts


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
        if hidden.face:
            lost_early = 9 if praised else 1
            return lost_early * (3 if praised else 9) if hidden.early else 9 if praised else 3
        return 3 if praised else 9
    airs = (True,) * len(_AIR) if hidden.face else _AIR
    return sum(10 + 9 * hidden.sign * lean * (1 if air else -1) for air in airs)


def _counts_all(leg: Leg, hidden: HiddenLeg) -> bool:
    del hidden
    sums: Iterable[tuple[int, ...]] = (
        tuple(counts[cell] + counts[cell + 4] for cell in range(4)) for counts in leg.book
    )
    return len(set(sums)) <= 1 and all(sum(counts) == _BOOK_FLIGHTS for counts in leg.book)
