"""Reading prose: names by their stems, and the direction that the words between them give."""

import pytest

from causarium.families.recite.paper.players.prose_reading import NameStems, edges_in_prose

NAMES = ["Rain", "Floods", "Price of bread"]


@pytest.mark.parametrize(
    ("sentence", "edge"),
    [
        ("Heavy rain causes floods.", ("Rain", "Floods")),
        ("Flooding is caused by rain.", ("Rain", "Floods")),
        ("The floods came because of the rain.", ("Rain", "Floods")),
        ("Because of the rain, there were floods.", ("Rain", "Floods")),
        ("Floods raise the price of bread.", ("Floods", "Price of bread")),
        ("Rain. Then the fields flooded.", ("Rain", "Floods")),
    ],
)
def test_the_words_between_two_names_give_the_direction(sentence: str, edge: object) -> None:
    """Forward, passive, turned, with the clause first, and over the end of a sentence."""
    assert edges_in_prose(sentence, NAMES, 1) == [edge]


def test_a_name_is_found_by_part_of_its_words_and_weighs_less() -> None:
    """The whole name weighs 1, and what shares nothing is not found."""
    stems = NameStems(["Price of bread", "Price of coal"])
    assert [(m.name, m.part) for m in stems.mentions("The price of bread fell.")] == [
        ("Price of bread", 1.0)
    ]
    (partly,) = stems.mentions("Bread was dear.")
    assert partly.name == "Price of bread"
    assert partly.part == pytest.approx(2 / 3)
    assert stems.mentions("It rained.") == []


def test_nothing_is_read_from_nothing() -> None:
    """No text, no names, no words."""
    assert edges_in_prose("", NAMES, 5) == []
    assert edges_in_prose("Rain causes floods.", [], 5) == []
    assert edges_in_prose("Rain causes floods.", ["…", "Rain"], 5) == []
