"""The second path of proof: its dice fall as the law says, and each check sees what breaks it."""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from causarium.families.causalgame import FAMILY
from causarium.families.causalgame.mechanics.expeditions import (
    Outcome,
    find_fleet_chance,
    list_book_rows,
    list_outcomes,
)
from causarium.families.causalgame.model.expeditions import HiddenLeg, Leg, Reading
from causarium.families.causalgame.proofs import PROOFS, recheck

NAMES = ("haze", "tide", "wind")
LEANS = {(True, False): 1, (False, True): -1}
"""Two rivals: each leans its own way, so both leans have a design."""
SIGNS = list(product((-1, 1), repeat=2))


def make_leg(kind, places=3, **more):
    readings = tuple(Reading(name=name, target="HIGH", other="LOW") for name in NAMES[:places])
    return Leg(kind=kind, name="north", parts=("fin", "keel"), readings=readings, **more)


DIAL, ROSTER, DEPOT = (make_leg(kind) for kind in ("dial", "roster", "depot"))
STAY = make_leg("roster", may_stay=True)
LINE = make_leg("line", fleet_reading="tide", ahead=1)
"""In the order wind, tide, haze the third gauge is the fleet's."""
FIRST = LINE.model_copy(update={"ahead": -1})
"""The fleet's gauge is the first, which the proofs forbid; the law is stated for it as well."""

HIDDEN = HiddenLeg(face=True, sign=1, active=1, line=(2, 1, 0))


def list_hidden(**more):
    return [HiddenLeg(face=face, sign=sign, **more) for face in (True, False) for sign in (-1, 1)]


def find_shares(events):
    counts = Counter(events)
    return {event: Fraction(count, counts.total()) for event, count in counts.items()}


@pytest.mark.parametrize("hidden", list_hidden(active=1, line=(2, 1, 0)))
@pytest.mark.parametrize("leg", [DIAL, LINE, FIRST], ids=["dial", "line", "first"])
def test_dice_of_a_flight_fall_as_the_law_says(leg, hidden):
    for (fitted, lean), setting in product(LEANS.items(), (None, 0, 1, 2)):
        law = list_outcomes(leg, hidden, fitted, setting)
        told = {(one.shown, one.fate == "returned"): chance for one, chance in law.items()}
        seen = find_shares(recheck._fly(leg, hidden, lean, setting))
        assert seen == {event: chance for event, chance in told.items() if chance}


def test_a_roster_has_no_flights_of_this_kind():
    assert not list(recheck._fly(ROSTER, HiddenLeg(face=True, sign=1), 1, None))


@pytest.mark.parametrize("hidden", [*list_hidden(active=1), *list_hidden(active=1, early=True)])
def test_dice_of_an_order_fall_as_the_law_says(hidden):
    for fitted, lean in LEANS.items():
        seen = Counter()
        for (cell, fate), share in find_shares(recheck._order(hidden, lean, 8)).items():
            shown = () if cell is None else tuple(bool(cell >> place & 1) for place in range(3))
            seen[Outcome(shown, fate)] += share
        assert seen == list_outcomes(ROSTER, hidden, fitted)


@pytest.mark.parametrize("hidden", list_hidden(decoy=1, strong=True))
def test_dice_of_a_book_fall_as_the_law_says(hidden):
    told = Counter()
    for row, chance in list_book_rows(hidden).items():
        told[1 if row.active else -1, 1 if row.issued else -1, row.returned] += chance
    slices = recheck._slice_book(hidden)
    for z, x in SIGNS:
        home, total = recheck._weigh_active(hidden, z, x)
        assert Fraction(home, 4 * 60 * 100) == told[z, x, True]
        assert Fraction(total - home, 4 * 60 * 100) == told[z, x, False]
        (none, few), (home, many) = (recheck._weigh_active(hidden, z, x) for x in (-1, 1))
        assert slices["active", z] == home * few - none * many


@pytest.mark.parametrize(
    "hidden",
    [
        *list_hidden(decoy=1, strong=True),
        *list_hidden(decoy=1, strong=False),
        *list_hidden(decoy=None),
    ],
)
def test_dice_of_a_decoy_fall_as_the_law_says(hidden):
    told = Counter()
    for row, chance in list_book_rows(hidden).items():
        told[1 if row.decoy else -1, 1 if row.issued else -1, row.returned] += chance
    all_rows = sum(recheck._weigh_decoy(hidden, w, x)[1] for w, x in SIGNS)
    slices = recheck._slice_book(hidden)
    for w, x in SIGNS:
        home, total = recheck._weigh_decoy(hidden, w, x)
        assert Fraction(home, all_rows) == told[w, x, True]
        assert Fraction(total - home, all_rows) == told[w, x, False]
        (none, few), (home, many) = (recheck._weigh_decoy(hidden, w, x) for x in (-1, 1))
        assert slices["decoy", w] == home * few - none * many


@pytest.mark.parametrize("hidden", list_hidden(active=1))
def test_slices_of_a_dial_are_those_of_the_law(hidden):
    slices = {}
    for setting in (None, 1):
        for outcome, chance in list_outcomes(DIAL, hidden, (True, False), setting).items():
            key = setting, outcome.shown[1]
            gain = chance if outcome.fate == "returned" else -chance
            slices[key] = slices.get(key, 0) + gain * 20 * 5**3
    found = recheck._slice_dial(DIAL, hidden)
    assert {key: count for key, count in slices.items() if count} == found


@pytest.mark.parametrize("leg", [DIAL, LINE, ROSTER, DEPOT], ids=lambda leg: leg.kind)
@pytest.mark.parametrize("early", [False, True])
def test_the_fleet_comes_home_as_the_law_says(leg, early):
    for hidden in list_hidden(active=1, line=(2, 1, 0), early=early):
        for fitted, lean in {**LEANS, (True, True): 0}.items():
            home = recheck._count_home(leg, hidden, lean)
            assert Fraction(home, 100) == find_fleet_chance(leg, hidden, fitted)


@pytest.mark.parametrize(
    ("issue", "back", "holds"),
    [
        (0, 0, True),
        (60, 100, True),
        (-1, 50, False),
        (61, 50, False),
        (30, -1, False),
        (30, 101, False),
    ],
)
def test_dice_have_a_possible_number_of_sides(monkeypatch, issue, back, holds):
    monkeypatch.setattr(recheck, "_weigh_book", lambda *_: (issue, back))
    assert recheck._has_whole_dice(DEPOT, HIDDEN) == holds


@pytest.mark.parametrize("place", range(3))
@pytest.mark.parametrize("value", [-1, 1])
def test_the_dice_of_every_sign_are_looked_at(monkeypatch, place, value):
    def weigh(_, *signs):
        return (61 if signs[place] == value else 30), 50

    monkeypatch.setattr(recheck, "_weigh_book", weigh)
    assert not recheck._has_whole_dice(DEPOT, HIDDEN)


@pytest.mark.parametrize(("shown_by", "alike"), [(-1, False), (1, False), (None, True)])
def test_a_lean_that_shows_the_face_is_seen(monkeypatch, shown_by, alike):
    def fly(leg, hidden, lean, setting):
        return [(hidden.face and lean == shown_by, setting)]

    def order(hidden, lean, cells):
        return [(hidden.face and lean == shown_by, "stayed"), (hidden.face, "lost")]

    monkeypatch.setattr(recheck, "_fly", fly)
    monkeypatch.setattr(recheck, "_order", order)
    assert all(recheck._looks_alike(leg, HIDDEN) == alike for leg in (DIAL, LINE, ROSTER))


@pytest.mark.parametrize(
    ("cause", "sign", "told"),
    [((5, 7), (7, 5), True), ((5, 7), (6, 7), False), ((5, 7), (7, 7), False)],
)
def test_a_column_tells_how_modules_were_issued_if_its_effect_turns(monkeypatch, cause, sign, told):
    def weigh(hidden, z, x):
        low, high = cause if hidden.face else sign
        return ((low if z < 0 else high) if x > 0 else 0), 100

    monkeypatch.setattr(recheck, "_weigh_active", weigh)
    assert recheck._can_be_told_apart(DEPOT, HIDDEN) == told


@pytest.mark.parametrize(
    ("gains", "told"),
    [((0, 1, 0), True), ((0, 0, 0), False), ((1, 1, 0), False), ((-1, 1, 0), False)],
)
def test_one_setting_tells_the_faces_apart_and_none_misleads(monkeypatch, gains, told):
    def fly(leg, hidden, lean, setting):
        home = 5 if hidden.face else 5 + gains[setting]
        return [((), die < home) for die in range(9)]

    monkeypatch.setattr(recheck, "_fly", fly)
    assert recheck._can_be_told_apart(DIAL, HIDDEN) == told


SIGNS_OF_SLICES = [(1, 1, True), (-3, -1, True), (3, -2, False), (3, 0, False), (0, -1, False)]


@pytest.mark.parametrize(("one", "other", "agree"), SIGNS_OF_SLICES)
def test_slices_agree_where_effects_have_one_sign(monkeypatch, one, other, agree):
    def cut(*given):
        return {"always": 1, "here": one if given[-1].face else other}

    monkeypatch.setattr(recheck, "_slice_dial", cut)
    monkeypatch.setattr(recheck, "_slice_book", cut)
    assert recheck._slices_agree(DIAL, HIDDEN) == recheck._slices_agree(DEPOT, HIDDEN) == agree
    assert recheck._slices_agree(LINE, HIDDEN)
    assert recheck._slices_agree(ROSTER, HIDDEN)


PLACES_OF_GAUGES = [
    ("tide", 1, True),
    ("haze", -1, True),
    ("haze", -2, False),
    ("wind", 1, False),
]


@pytest.mark.parametrize(("named", "ahead", "kept"), PLACES_OF_GAUGES)
def test_neither_gauge_of_a_line_is_its_first(named, ahead, kept):
    leg = LINE.model_copy(update={"fleet_reading": named, "ahead": ahead})
    assert recheck._counts_all(leg, HIDDEN) == kept


BOOK = (500, 100, 100, 100, 300, 200, 200, 100)
OTHER_BOOKS = [
    ((100, 100, 100, 100, 700, 200, 200, 100), True),
    ((500, 100, 100, 101, 300, 200, 200, 99), True),
    ((500, 100, 101, 100, 300, 200, 199, 101), False),
    ((501, 100, 100, 100, 299, 200, 201, 99), False),
    ((500, 100, 100, 100, 300, 200, 200, 101), False),
]


@pytest.mark.parametrize(("other", "kept"), OTHER_BOOKS)
def test_a_book_counts_every_flight_in_every_column(other, kept):
    leg = DEPOT.model_copy(update={"book": (BOOK, other)})
    assert recheck._counts_all(leg, HIDDEN) == kept
    twice = DEPOT.model_copy(update={"book": (other, other)})
    assert recheck._counts_all(twice, HIDDEN) == (sum(other) == 1_600)


@pytest.mark.parametrize(
    ("changes", "plain"),
    [
        ({}, True),
        ({"name": "north sign"}, False),
        ({"parts": ("fin", "fin")}, False),
        ({"parts": ("north",)}, False),
        ({"parts": ("haze",)}, False),
    ],
)
def test_names_are_single_words_and_differ(changes, plain):
    assert recheck._is_plainly_named(DIAL.model_copy(update=changes), HIDDEN) == plain


@pytest.mark.parametrize("leg", [DIAL, LINE, ROSTER, STAY, DEPOT], ids=lambda leg: leg.kind)
def test_the_faces_want_opposite_designs_by_far(monkeypatch, leg):
    assert recheck._decides_by_far(leg, HIDDEN)
    for gap, holds in ((5, True), (4, False)):
        monkeypatch.setattr(
            recheck,
            "_count_home",
            lambda leg, hidden, lean, gap=gap: gap * lean * (1 if hidden.face else -1),
        )
        assert recheck._decides_by_far(leg, HIDDEN) == holds
    monkeypatch.setattr(recheck, "_count_home", lambda leg, hidden, lean: 9 * lean)
    assert not recheck._decides_by_far(leg, HIDDEN)


def test_early_losses_want_the_design_of_the_cause(monkeypatch):
    def count(leg, hidden, lean):
        return 9 * lean * (1 if hidden.face and not hidden.early else -1)

    monkeypatch.setattr(recheck, "_count_home", count)
    assert recheck._decides_by_far(ROSTER, HIDDEN)
    assert not recheck._decides_by_far(STAY, HIDDEN)


@pytest.mark.parametrize("fate", ["returned", "stayed", "lost"])
def test_early_losses_look_like_a_tower_that_chooses(monkeypatch, fate):
    assert recheck._looks_alike(STAY, HIDDEN)
    order = recheck._order

    def spoil(hidden, lean, cells):
        yield from order(hidden, lean, cells)
        if hidden.early:
            yield 0, fate

    monkeypatch.setattr(recheck, "_order", spoil)
    assert recheck._looks_alike(ROSTER, HIDDEN)
    assert not recheck._looks_alike(STAY, HIDDEN)


@pytest.mark.parametrize("part", [0, 1])
@pytest.mark.parametrize("name", ["_weigh_decoy", "_weigh_active"])
def test_a_book_that_shows_the_face_is_seen(monkeypatch, name, part):
    assert recheck._looks_alike(DEPOT, HIDDEN)
    weigh = getattr(recheck, name)

    def spoil(hidden, value, x):
        found = list(weigh(hidden, value, x))
        found[part] += hidden.face
        return tuple(found)

    monkeypatch.setattr(recheck, name, spoil)
    # How many come home by the active column may differ: it is what tells.
    assert recheck._looks_alike(DEPOT, HIDDEN) == (name == "_weigh_active" and part == 0)


@pytest.mark.parametrize(("home", "holds"), [(0, True), (7, True), (8, False), (-1, False)])
def test_no_more_come_home_with_a_decoy_than_fly(monkeypatch, home, holds):
    monkeypatch.setattr(recheck, "_weigh_decoy", lambda *_: (home, 7))
    assert recheck._has_whole_dice(DEPOT, HIDDEN) == holds


def test_an_effect_is_whole():
    assert recheck._has_whole_dice(DIAL, HIDDEN)
    assert not recheck._has_whole_dice(DIAL, HIDDEN.model_copy(update={"sign": 2}))


@pytest.mark.parametrize("level", ["expedition-2", "expedition-3"])
def test_a_good_expedition_holds_all_that_the_certificate_claims(level):
    instance = FAMILY.generate(FAMILY.level(level), 5, 0)
    found, certified = PROOFS.recheck(instance), PROOFS.certify(instance)
    assert all(proof.holds for proof in found.proofs)
    assert [proof.claim for proof in found.proofs] == [proof.claim for proof in certified.proofs]
    assert found.optimum == certified.optimum == 1
    assert certified.extra["chance"] == 1 / 16
