"""The certificate of an expedition: each of its checks sees what breaks it."""

from fractions import Fraction

import pytest

from causarium.families.causalgame import FAMILY
from causarium.families.causalgame.mechanics.expeditions import (
    Outcome,
    find_fleet_gauge,
    list_book_rows,
    list_outcomes,
)
from causarium.families.causalgame.model.expeditions import HiddenLeg, Reading
from causarium.families.causalgame.proofs import expeditions
from tests.families.causalgame.test_recheck import (
    BOOK,
    DEPOT,
    DIAL,
    HIDDEN,
    LINE,
    OTHER_BOOKS,
    PLACES_OF_GAUGES,
    ROSTER,
    SIGNS_OF_SLICES,
    list_hidden,
)

TENTH = Fraction(1, 10)
STAYS = ROSTER.model_copy(update={"may_stay": True})


def test_faces_are_both_with_early_losses_where_they_may_be():
    def tell(leg):
        return [(one.face, one.early) for one in expeditions._list_faces(leg, HIDDEN)]

    assert tell(ROSTER) == [(True, False), (False, False)]
    assert tell(STAYS) == [(True, False), (False, False), (True, True)]
    settings = [expeditions._list_settings(leg) for leg in (DIAL, LINE, ROSTER)]
    assert settings == [[None, 0, 1, 2], [None, 0, 1, 2], [None]]


@pytest.mark.parametrize(
    ("chances", "holds"), [((0, 10), True), ((-1, 11), False), ((0, 9), False), ((0, 20), False)]
)
def test_chances_are_shares_of_one(monkeypatch, chances, holds):
    law = {place: chance * TENTH for place, chance in enumerate(chances)}
    monkeypatch.setattr(expeditions, "list_outcomes", lambda *_: law)
    monkeypatch.setattr(expeditions, "list_book_rows", lambda _: law)
    assert expeditions._adds_up(DIAL, HIDDEN) == expeditions._adds_up(DEPOT, HIDDEN) == holds


def shift(law, *, of, to):
    """Return a law in which a hundredth goes over from one row to another."""
    moved = dict(law)
    moved[of] -= Fraction(1, 100)
    moved[to] = moved.get(to, Fraction(0)) + Fraction(1, 100)
    return moved


HIGH = (True, True, True)
LOW = (False, False, False)


@pytest.mark.parametrize(
    ("leg", "of", "to"),
    [
        (DIAL, "returned", "lost"),
        (LINE, "returned", "lost"),
        (STAYS, "returned", "lost"),
        (STAYS, "stayed", "lost"),
    ],
    ids=lambda given: given if isinstance(given, str) else given.kind,
)
@pytest.mark.parametrize("face", [True, False])
def test_a_law_that_shows_its_face_is_seen(monkeypatch, leg, of, to, face):
    def show(leg, hidden, fitted):
        law = list_outcomes(leg, hidden, fitted)
        if hidden.face != face or fitted != leg.designs[-1]:
            return law
        (row, *_) = (one for one, chance in law.items() if one.fate == of and chance > TENTH / 5)
        return shift(law, of=row, to=Outcome(HIGH, to))

    assert expeditions._hides_face(leg, HIDDEN)
    monkeypatch.setattr(expeditions, "list_outcomes", show)
    assert not expeditions._hides_face(leg, HIDDEN)


def test_early_losses_have_the_law_of_a_tower_that_chooses(monkeypatch):
    def show(leg, hidden, fitted):
        law = list_outcomes(leg, hidden, fitted)
        lost = [Outcome(shown, "lost") for shown in (HIGH, LOW)]
        return shift(law, of=lost[0], to=lost[1]) if hidden.early else law

    monkeypatch.setattr(expeditions, "list_outcomes", show)
    assert expeditions._hides_face(ROSTER, HIDDEN)
    assert not expeditions._hides_face(STAYS, HIDDEN)


@pytest.mark.parametrize("field", ["active", "decoy", "issued", "returned"])
@pytest.mark.parametrize("face", [True, False])
def test_a_book_that_shows_its_face_is_seen(monkeypatch, field, face):
    def show(hidden):
        law = list_book_rows(hidden)
        row = next(iter(law))
        other = row._replace(**{field: True})
        return shift(law, of=other, to=row) if hidden.face == face else law

    assert expeditions._hides_face(DEPOT, HIDDEN)
    monkeypatch.setattr(expeditions, "list_book_rows", show)
    assert not expeditions._hides_face(DEPOT, HIDDEN)


def test_rows_of_a_book_add_up_to_one():
    law = list_book_rows(HIDDEN)
    half = Fraction(1, 2)
    assert expeditions._sum_rows(law, ("active",)) == {(True,): half, (False,): half}


@pytest.mark.parametrize("leg", [DIAL, LINE], ids=["dial", "line"])
@pytest.mark.parametrize(
    ("gains", "against"), [((0, 1, 0), False), ((1, 1, 0), False), ((1, -1, 0), False)]
)
def test_good_results_count_against_the_part_where_the_right_reading_is_set(
    monkeypatch, leg, gains, against
):
    """The telling reading is the first: the active one, or the last gauge of wind, tide, haze."""
    for hidden in list_hidden(line=(2, 1, 0)):
        assert expeditions._counts_against(leg, hidden)

    def fly(leg, hidden, fitted, setting):
        gain = 0 if hidden.face else gains[setting] * TENTH
        return {Outcome((), "returned"): TENTH * 5 + gain}

    monkeypatch.setattr(expeditions, "list_outcomes", fly)
    hidden = HiddenLeg(face=True, sign=1, line=(2, 1, 0))
    assert expeditions._counts_against(leg, hidden) == against


@pytest.mark.parametrize("sign", [-1, 1])
def test_slices_of_a_dial_have_these_effects(sign):
    cause, shown = (
        expeditions._slice_dial(DIAL, HiddenLeg(face=face, sign=sign, active=1))
        for face in (True, False)
    )
    far = Fraction(9 * sign, 20)
    assert cause == {(None, False): -far, (None, True): far, (1, False): -far}
    assert shown == {(None, False): -far, (None, True): far, (1, False): -far / 5}


@pytest.mark.parametrize("sign", [-1, 1])
def test_slices_of_a_book_have_these_effects(sign):
    by_lot, chosen = (
        expeditions._slice_book(HiddenLeg(face=face, sign=sign)) for face in (True, False)
    )
    moved = Fraction(12 * sign, 100)
    inside = moved * (Fraction(100, 65) + Fraction(100, 35) - 2)
    keys = [(column, value) for column in ("active", "decoy") for value in (False, True)]
    assert by_lot == dict.fromkeys(keys, 2 * moved)
    assert chosen == dict(zip(keys, [inside, inside, 2 * moved, 2 * moved], strict=True))


@pytest.mark.parametrize(("one", "other", "agree"), SIGNS_OF_SLICES)
def test_slices_agree_where_effects_have_one_sign(monkeypatch, one, other, agree):
    def cut(*given):
        return {"always": 1, "here": one if given[-1].face else other}

    monkeypatch.setattr(expeditions, "_slice_dial", cut)
    monkeypatch.setattr(expeditions, "_slice_book", cut)
    found = [expeditions._slices_agree(leg, HIDDEN) for leg in (DIAL, DEPOT, LINE, STAYS)]
    assert found == [agree, agree, True, True]


@pytest.mark.parametrize(
    ("cause", "sign", "early", "part"),
    [
        ((0, 20, 0, 19), (20, 0, 19, 0), (0, 20, 0, 19), True),
        ((0, 20, 0, 19), (0, 20, 0, 19), (0, 20, 0, 19), False),
        ((0, 20, 0, 19), (20, 0, 19, 0), (20, 0, 19, 0), False),
        ((0, 20, 0, 20), (20, 0, 19, 0), (0, 20, 0, 19), False),
    ],
)
def test_each_face_has_one_best_design_of_its_own(monkeypatch, cause, sign, early, part):
    def find(leg, hidden, fitted):
        chances = early if hidden.early else cause if hidden.face else sign
        return Fraction(chances[leg.designs.index(fitted)], 20)

    monkeypatch.setattr(expeditions, "find_fleet_chance", find)
    monkeypatch.setattr(
        expeditions,
        "find_best_design",
        lambda leg, hidden: max(leg.designs, key=lambda one: find(leg, hidden, one)),
    )
    assert expeditions._faces_part(STAYS, HIDDEN) == part


@pytest.mark.parametrize(("gap", "enough"), [(Fraction(1, 20), True), (Fraction(49, 1000), False)])
def test_the_best_design_is_five_points_better(monkeypatch, gap, enough):
    def find(leg, hidden, fitted):
        return gap if fitted == (hidden.face, not hidden.face) else Fraction(0)

    monkeypatch.setattr(expeditions, "find_fleet_chance", find)
    monkeypatch.setattr(
        expeditions, "find_best_design", lambda _, hidden: (hidden.face, not hidden.face)
    )
    assert expeditions._faces_part(DIAL, HIDDEN) == enough


@pytest.mark.parametrize(("named", "ahead", "kept"), PLACES_OF_GAUGES)
def test_neither_gauge_of_a_line_is_its_first(named, ahead, kept):
    leg = LINE.model_copy(update={"fleet_reading": named, "ahead": ahead})
    assert expeditions._keeps_its_words(leg, HIDDEN) == kept


def make_depot(*by_lot, book=(BOOK,)):
    readings = tuple(Reading(name="x", target="a", other="b", by_lot=lot) for lot in by_lot)
    return DEPOT.model_copy(update={"readings": readings, "book": book})


@pytest.mark.parametrize(("other", "kept"), OTHER_BOOKS)
def test_a_book_counts_every_flight_in_every_column(other, kept):
    assert expeditions._keeps_its_words(make_depot(False, True, book=(BOOK, other)), HIDDEN) == kept
    twice = make_depot(False, True, book=(other, other))
    assert expeditions._keeps_its_words(twice, HIDDEN) == (sum(other) == 1_600)


def test_columns_are_what_they_are_said_to_be():
    decoy = HIDDEN.model_copy(update={"decoy": 0})
    assert expeditions._keeps_its_words(make_depot(False, True), decoy)
    assert not expeditions._keeps_its_words(make_depot(True, True), decoy)
    assert expeditions._keeps_its_words(make_depot(True, True), HIDDEN)
    assert not expeditions._keeps_its_words(make_depot(True, False), HIDDEN)
    early = HIDDEN.model_copy(update={"early": True})
    assert expeditions._keeps_its_words(STAYS, early)
    assert expeditions._keeps_its_words(ROSTER, HIDDEN)
    assert not expeditions._keeps_its_words(ROSTER, early)


@pytest.mark.parametrize("index", range(4))
def test_faults_change_what_they_say(index):
    instance = FAMILY.generate(FAMILY.level("expedition-3"), 5, index)
    renamed, short, turned, first = (plant(instance) for plant in expeditions.FAULTS.values())
    leg, hidden = instance.public.legs[0], instance.secret.legs[0]
    assert renamed.public.legs[0].name == f"{leg.name} {'cause' if hidden.face else 'sign'}"
    books = [next(one.book for one in each.public.legs if one.book) for each in (instance, short)]
    assert [sum(counts) for counts in books[1]] == [1_599, *[1_600] * (len(books[0]) - 1)]
    assert turned.secret.legs[0].sign == -hidden.sign
    pairs = zip(first.public.legs, first.secret.legs, strict=True)
    line, order = next((leg, hidden) for leg, hidden in pairs if leg.kind == "line")
    assert find_fleet_gauge(line, order) == order.line[0]
