"""The laboratory's plan: everything in it can be reached, and everything has one name."""

import pytest

from causarium.families.causalab.paper.model.lab_plan import (
    LANDINGS,
    PLACES,
    ROWS,
    WIDTH,
    find_place,
    find_thing,
    name_place,
)


def test_the_plan_is_a_closed_rectangle():
    assert {len(row) for row in ROWS} == {WIDTH}
    assert set(ROWS[0]) | set(ROWS[-1]) | {row[0] for row in ROWS} | {row[-1] for row in ROWS} == {
        "#"
    }


def test_one_lands_on_floor_in_the_place_one_asked_for():
    for place, spot in LANDINGS.items():
        assert ROWS[spot[1]][spot[0]] in ".@"
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
