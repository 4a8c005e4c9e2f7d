"""The laboratory's plan: everything in it can be reached, and everything has one name."""

import pytest

from causarium.families.causalab.model.lab_plan import (
    LANDINGS,
    PLACES,
    ROWS,
    START,
    STEPS,
    THINGS,
    WIDTH,
    find_path,
    find_place,
    find_spot,
    find_thing,
    is_floor,
    name_place,
)


def test_the_plan_is_a_closed_rectangle():
    assert {len(row) for row in ROWS} == {WIDTH}
    assert set(ROWS[0]) | set(ROWS[-1]) | {row[0] for row in ROWS} | {row[-1] for row in ROWS} == {
        "#"
    }


@pytest.mark.parametrize("thing", THINGS, ids=lambda thing: thing.name)
def test_a_way_leads_over_floor_to_every_thing_and_faces_it(thing):
    target = find_spot(thing.letter)
    for start in (START, *LANDINGS.values()):
        *moves, facing = find_path(start, target)
        x, y = start
        for direction in moves:
            x, y = x + STEPS[direction][0], y + STEPS[direction][1]
            assert is_floor((x, y))
        assert (x + STEPS[facing][0], y + STEPS[facing][1]) == target


def test_one_lands_on_floor_in_the_place_one_asked_for():
    for place, spot in LANDINGS.items():
        assert is_floor(spot)
        assert name_place(spot) == place
    assert set(PLACES.values()) < set(LANDINGS)


@pytest.mark.parametrize(
    ("named", "name"),
    [
        ("Manipulator", "manipulator"),
        ("the reactor", "reactor"),
        ("2", "reactor"),
        ("[2]", "reactor"),
        ("record book [3]", "record book"),
        ("manipulator's crystal", "manipulator's crystal"),
        ("wall", None),
        ("99", None),
        ("", None),
        ("9" * 300, None),
        ("[" * 300, None),
    ],
)
def test_things_are_found_by_name_and_number(named, name):
    thing = find_thing(named)
    assert (thing and thing.name) == name


def test_places_are_found_by_the_published_name_too():
    assert find_place("causal reactor lab") == "reactor lab"
    assert find_place("Manipulator Lab") == "manipulator lab"
    assert find_place("x" * 10_000) is None
