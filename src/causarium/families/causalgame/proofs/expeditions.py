"""Certified edition: what is proved of an expedition, leg by leg, in exact fractions.

The theorems on the family's page follow from these claims: what a blind player uses has the same
law under both faces (T1), on a dial and a line good results of set flights count against the part
(T2), and the part's effect has one sign in every slice of the data (T3).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

from causarium.contract.certificate import Findings, Proof
from causarium.contract.frozen import canonical_json, digest
from ..generation.expeditions import BOOK_FLIGHTS, draw_expedition
from ..mechanics.expeditions import (
    BookRow,
    add_up,
    find_best_design,
    find_fleet_chance,
    find_fleet_gauge,
    find_lean,
    list_book_rows,
    list_outcomes,
)
from ..model.expeditions import Expedition, HiddenLeg, Leg, LegKind

LEAST_GAP = Fraction(1, 20)
"""On every leg the best design beats the next best by so much at least."""
Margin = dict[tuple[bool, ...], Fraction]
CLAIMS = {
    "probabilities": "every chance lies in [0, 1] and they add up to 1",
    "same law": "what a blind player uses has the same law under both faces (T1)",
    "against": "where a set reading tells the faces apart, good results count against the part, "
    "and the range can set one that does (T2)",
    "slices": "in every slice the parts' effect has the same sign under both faces (T3)",
    "opposite": "the right designs under the two faces differ, each by 5 points or more",
    "words": "what a column is said to be, it is; a book counts every flight in every column; "
    "neither the named gauge of a line nor the fleet's is its first",
    "public": "turning coins changes nothing that an agent sees, but a book's counts",
    "answers": "every fall of the coins has a right answer of its own",
}


def certify_expedition(instance: Expedition) -> Findings:
    """Prove what an expedition promises."""
    legs = list(zip(instance.public.legs, instance.secret.legs, strict=True))
    of_legs: dict[str, Callable[[Leg, HiddenLeg], bool]] = {
        "probabilities": _adds_up,
        "same law": _hides_face,
        "against": _counts_against,
        "slices": _slices_agree,
        "opposite": _faces_part,
        "words": _keeps_its_words,
    }
    holds = {name: all(check(*leg) for leg in legs) for name, check in of_legs.items()}
    holds["public"] = _stays_public(instance)
    holds["answers"] = len(set(_list_answers(legs))) == 2 ** len(legs)
    proofs = tuple(
        Proof(claim=CLAIMS[name], method="exact fractions", holds=held)
        for name, held in holds.items()
    )
    return Findings(optimum=1.0, proofs=proofs, extra={"chance": 2.0 ** -len(legs)})


def turn_coin(hidden: HiddenLeg) -> HiddenLeg:
    """Return the same leg with its coin on the other face."""
    return hidden.model_copy(update={"face": not hidden.face})


def _list_faces(leg: Leg, hidden: HiddenLeg) -> list[HiddenLeg]:
    """Return the leg under each of its faces, with the roster's two ways to be true."""
    faces = [hidden.model_copy(update={"face": face, "early": False}) for face in (True, False)]
    if leg.may_stay:
        faces.append(hidden.model_copy(update={"face": True, "early": True}))
    return faces


def _list_settings(leg: Leg) -> list[int | None]:
    if leg.kind not in {"dial", "line"}:
        return [None]
    return [None, *range(len(leg.readings))]


def _adds_up(leg: Leg, hidden: HiddenLeg) -> bool:
    faces = _list_faces(leg, hidden)
    laws: Iterable[Mapping[Any, Fraction]] = (
        (list_book_rows(face) for face in faces)
        if leg.kind == "depot"
        else (
            list_outcomes(leg, *given) for given in product(faces, leg.designs, _list_settings(leg))
        )
    )
    return all(min(law.values()) >= 0 and sum(law.values()) == 1 for law in laws)


def _hides_face(leg: Leg, hidden: HiddenLeg) -> bool:
    faces = _list_faces(leg, hidden)
    if leg.kind == "depot":
        books = [list_book_rows(face) for face in faces]
        blind = [_sum_rows(book, ("decoy", "issued", "returned")) for book in books]
        ties = [_sum_rows(book, ("active", "issued")) for book in books]
        return _are_one(blind) and _are_one(ties)
    for fitted in leg.designs:
        laws = [list_outcomes(leg, face, fitted) for face in faces]
        if leg.kind == "roster":
            rows = [
                {key: chance for key, chance in law.items() if key.fate == "returned"}
                for law in laws
            ]
            # By the hangar alone, the two towers are one law; by the log alone, a tower that
            # chooses and early losses are.
            stay = [add_up(law, "stayed") for law in laws]
            if not (_are_one(rows) and _are_one(stay) and _are_one(laws[1:])):
                return False
        elif not _are_one(laws):
            return False
    return True


def _are_one(laws: Iterable[object]) -> bool:
    return all(one == other for one, other in pairwise(laws))


def _sum_rows(law: dict[BookRow, Fraction], fields: tuple[str, ...]) -> Margin:
    """Return the chances of some columns of a book, whatever the others hold."""
    total: Margin = {}
    for row, chance in law.items():
        key = tuple(bool(getattr(row, field)) for field in fields)
        total[key] = total.get(key, Fraction(0)) + chance
    return total


def _counts_against(leg: Leg, hidden: HiddenLeg) -> bool:
    if leg.kind not in {"dial", "line"}:
        return True
    # The first part alone; for its rival every effect has the other sign.
    fitted = next(one for one in leg.designs if find_lean(leg, one) == 1)
    differ = set()
    for setting in range(len(leg.readings)):
        cause, sign = (
            add_up(list_outcomes(leg, face, fitted, setting), "returned")
            for face in _list_faces(leg, hidden)
        )
        gain = hidden.sign * (sign - cause)
        if gain < 0:
            return False
        if gain > 0:
            differ.add(setting)
    return differ == {hidden.active if leg.kind == "dial" else find_fleet_gauge(leg, hidden)}


def _slices_agree(leg: Leg, hidden: HiddenLeg) -> bool:
    if leg.kind == "dial":
        one, other = (_slice_dial(leg, face) for face in _list_faces(leg, hidden))
    elif leg.kind == "depot":
        one, other = (_slice_book(face) for face in _list_faces(leg, hidden))
    else:
        return True
    return all(one[key] * other[key] > 0 for key in one)


def _slice_dial(leg: Leg, hidden: HiddenLeg) -> dict[tuple[object, ...], Fraction]:
    """Return the effect of leaning +1 by what is set and what the active reading shows."""
    fitted = next(one for one in leg.designs if find_lean(leg, one) == 1)
    effects: dict[tuple[object, ...], Fraction] = {}
    for setting in (None, hidden.active):
        law = list_outcomes(leg, hidden, fitted, setting)
        for value in (False, True):
            rows = {key: law[key] for key in law if key.shown[hidden.active] == value}
            if total := sum(rows.values(), Fraction(0)):
                effects[setting, value] = add_up(rows, "returned") / total - Fraction(1, 2)
    return effects


def _slice_book(hidden: HiddenLeg) -> dict[tuple[object, ...], Fraction]:
    """Return the effect of the module by the value of every column."""
    effects: dict[tuple[object, ...], Fraction] = {}
    for column in ("active", "decoy"):
        margin = _sum_rows(list_book_rows(hidden), (column, "issued", "returned"))
        for value in (False, True):
            shares = []
            for issued in (False, True):
                lost, back = (margin[value, issued, returned] for returned in (False, True))
                shares.append(back / (lost + back))
            effects[column, value] = shares[1] - shares[0]
    return effects


def _faces_part(leg: Leg, hidden: HiddenLeg) -> bool:
    best = set()
    for face in _list_faces(leg, hidden):
        ranked = sorted(find_fleet_chance(leg, face, fitted) for fitted in leg.designs)
        if ranked[-1] - ranked[-2] < LEAST_GAP:
            return False
        best.add((face.face, find_best_design(leg, face)))
    return len({design for _, design in best}) == 2 == len(best)


def _keeps_its_words(leg: Leg, hidden: HiddenLeg) -> bool:
    if leg.kind == "line":
        first = hidden.line[0]
        is_named = leg.readings[first].name == leg.fleet_reading
        return not is_named and first != find_fleet_gauge(leg, hidden)
    if leg.kind != "depot":
        return leg.may_stay or not hidden.early
    if not leg.readings[hidden.active].by_lot:
        return False
    if hidden.decoy is not None and leg.readings[hidden.decoy].by_lot:
        return False
    margins = {tuple(map(sum, zip(counts[:4], counts[4:], strict=True))) for counts in leg.book}
    return len(margins) == 1 and all(sum(counts) == BOOK_FLIGHTS for counts in leg.book)


def _stays_public(instance: Expedition) -> bool:
    """Draw the expedition anew with every coin turned, and compare what an agent sees."""
    public = instance.public
    kinds = [leg.kind for leg in public.legs]
    seed = instance.secret.session_seed
    again = draw_expedition(
        public.tier,
        kinds,
        seed,
        instance.id,
        turned=range(len(kinds)),
        programs_fly=public.programs_fly,
    )
    turned = all(
        one == turn_coin(other)
        for one, other in zip(instance.secret.legs, again.secret.legs, strict=True)
    )
    return turned and _without_counts(instance) == _without_counts(again)


def _without_counts(instance: Expedition) -> str:
    legs = tuple(leg.model_copy(update={"book": ()}) for leg in instance.public.legs)
    return instance.public.model_copy(update={"legs": legs}).model_dump_json()


def _list_answers(legs: list[tuple[Leg, HiddenLeg]]) -> Iterator[tuple[object, ...]]:
    """Yield the right answer for every fall of the coins."""
    best = [
        [find_best_design(leg, one) for one in (hidden, turn_coin(hidden))] for leg, hidden in legs
    ]
    yield from product(*best)


def find_expedition_key(instance: Expedition) -> str:
    """Return what an expedition shares with all that are the same under other names.

    Its luck is part of it: with other luck the same roles show other flights.
    """
    secret = instance.secret
    legs = [
        [leg.kind, len(leg.parts), len(leg.readings), leg.drones, hidden.model_dump(mode="json")]
        for leg, hidden in zip(instance.public.legs, secret.legs, strict=True)
    ]
    return digest(canonical_json([legs, str(secret.session_seed)]))


def _change_leg(instance: Expedition, kind: LegKind, **changes: object) -> Expedition:
    """Return the expedition with one leg of a kind changed, the first one."""
    legs, hidden = list(instance.public.legs), list(instance.secret.legs)
    place = [leg.kind for leg in legs].index(kind)
    own = {name: value for name, value in changes.items() if name in Leg.model_fields}
    other = {name: value for name, value in changes.items() if name in HiddenLeg.model_fields}
    legs[place] = legs[place].model_copy(update=own)
    hidden[place] = hidden[place].model_copy(update=other)
    return instance.model_copy(
        update={
            "public": instance.public.model_copy(update={"legs": tuple(legs)}),
            "secret": instance.secret.model_copy(update={"legs": tuple(hidden)}),
        }
    )


def _name_the_face(instance: Expedition) -> Expedition:
    leg, hidden = instance.public.legs[0], instance.secret.legs[0]
    return _change_leg(instance, leg.kind, name=f"{leg.name} {'cause' if hidden.face else 'sign'}")


def _drop_a_flight(instance: Expedition) -> Expedition:
    for leg in instance.public.legs:
        if leg.book:
            counts = (*leg.book[0][:-1], leg.book[0][-1] - 1)
            return _change_leg(instance, "depot", book=(counts, *leg.book[1:]))
    return _name_the_face(instance)


def _turn_the_sign(instance: Expedition) -> Expedition:
    hidden = instance.secret.legs[0]
    return _change_leg(instance, instance.public.legs[0].kind, sign=-hidden.sign)


def _put_fleet_first(instance: Expedition) -> Expedition:
    for leg, hidden in zip(instance.public.legs, instance.secret.legs, strict=True):
        if leg.kind == "line":
            fleet = hidden.line.index(find_fleet_gauge(leg, hidden))
            return _change_leg(instance, "line", ahead=leg.ahead - fleet)
    return _turn_the_sign(instance)


FAULTS: dict[str, Callable[[Expedition], Expedition]] = {
    "a leg's name tells its face": _name_the_face,
    "a book lacks a flight in one column": _drop_a_flight,
    "an effect goes the other way than the seed drew": _turn_the_sign,
    "the fleet's gauge is the first of its line": _put_fleet_first,
}
"""Changes that make a good expedition a bad one; each must break a proof."""
