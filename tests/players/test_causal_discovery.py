"""Classical discovery: tables in, edges out, on tables whose graphs are known."""

import sys

import pytest

from causarium.errors import UnknownName, UsageError
from causarium.players.causal_discovery import ALGORITHMS, discover
from causarium.seeds import stream


def collider(rows=400):
    """Draw a table in which columns 0 and 2 make column 1."""
    rng = stream(0, "test", "collider")
    table = []
    for _ in range(rows):
        one, other = rng.gauss(0, 1), rng.gauss(0, 1)
        table.append((one, one + other + rng.gauss(0, 0.3), other))
    return table


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_collider_is_found_and_directed(algorithm):
    pytest.importorskip("causallearn")
    found = discover(algorithm, collider())
    assert set(found.directed) == {(0, 1), (2, 1)}
    assert found.undirected == ()


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_two_columns_that_go_together_are_left_open(algorithm):
    pytest.importorskip("causallearn")
    found = discover(algorithm, [row[:2] for row in collider()])
    assert found.directed == ()
    assert found.undirected == ((0, 1),)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_columns_that_never_change_are_joined_to_nothing(algorithm):
    pytest.importorskip("causallearn")
    found = discover(algorithm, [(5.0, *row) for row in collider()])
    assert set(found.directed) == {(1, 2), (3, 2)}


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize(
    "rows", [[], [(1.0, 2.0)], [(1.0, 2.0)] * 9, [(float(i), 2.0 * i) for i in range(9)]]
)
def test_a_table_that_cannot_be_worked_on_directs_nothing(algorithm, rows):
    pytest.importorskip("causallearn")
    assert discover(algorithm, rows).directed == ()


def test_nothing_is_printed(capsys):
    pytest.importorskip("causallearn")
    for algorithm in ALGORITHMS:
        discover(algorithm, collider(50))
    assert capsys.readouterr() == ("", "")


def test_an_unknown_algorithm_is_named_with_the_known_ones():
    with pytest.raises(UnknownName, match=r"unknown algorithm 'gs'; .*algorithms: ges, pc"):
        discover("gs", collider(5))


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_missing_library_is_said_with_how_to_get_it(algorithm, monkeypatch):
    for name in [name for name in sys.modules if name.split(".")[0] == "causallearn"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "causallearn", None)
    with pytest.raises(UsageError, match=r"pip install 'causarium\[classical\]'"):
        discover(algorithm, collider(20))
