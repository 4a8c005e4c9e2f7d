"""The publication's tables on one's own runs: quarters, shapes of graphs, length of reasoning."""

import math

import pytest
from causarium_recite_lab.analysis.own_runs import (
    Reasoning,
    holm,
    make_own_tables,
    quartile_difference,
    shape_of,
    topology_table,
)

from causarium.families.recite.paper import FAMILY
from causarium.players.direct_runner import play_all


@pytest.fixture(scope="module")
def drawn():
    return [FAMILY.generate(FAMILY.level("paper-mini-names"), 0, place) for place in range(10)]


def rows(drawn, player):
    return list(play_all(FAMILY, drawn, player, edition="certified", set_name="mini"))


def test_quarters_are_cut_at_linear_percentiles_both_ends_inclusive() -> None:
    """By hand: of 1 to 9, up to 3 and from 7 on."""
    scores = [0.1, 0.2, 0.3, 0.5, 0.5, 0.5, 0.6, 0.8, 1.0]
    found = quartile_difference(range(1, 10), scores)
    assert found.difference == pytest.approx(0.8 - 0.2)
    assert found.bottom_sd == pytest.approx(math.sqrt(0.02 / 3))
    assert 0 < found.error < 0.3
    assert math.isnan(quartile_difference(range(7), scores[:7]).difference)


def test_ties_go_by_value() -> None:
    """All documents of one size are in both quarters."""
    assert quartile_difference([5] * 8, [0, 1] * 4).difference == 0


def test_holm_keeps_the_order_and_leaves_gaps() -> None:
    """A larger probability is never adjusted below a smaller one."""
    assert holm([0.5, math.nan, 0.001])[0] == 0.5
    assert holm([0.5, math.nan, 0.001])[2] == 0.002
    assert math.isnan(holm([0.5, math.nan])[1])


def test_every_table_is_made_of_runs(drawn) -> None:
    """Two agents, ten documents, and reasoning that can be read or is only counted."""
    played = [*rows(drawn, "co_mention"), *rows(drawn, "random_counts")]
    shapes = {one.id: shape_of(one) for one in drawn}
    reasoning = {
        ("player/co_mention", one.id): Reasoning(1000 * n, 0) for n, one in enumerate(drawn, 1)
    } | {("player/random_counts", one.id): Reasoning(0, 70) for one in drawn}
    quarters, graphs, thought = make_own_tables(played, shapes, reasoning)
    assert [line[:2] for line in quarters.lines] == [
        ("player/co_mention", "10"),
        ("player/random_counts", "10"),
    ]
    assert [line[0] for line in graphs.lines][:3] == ["nodes", "edges", "density"]
    for line in graphs.lines:
        assert all(cell == "" or -1 <= float(cell) <= 1 for cell in line[1:])
    first, second = thought.lines
    assert (first[1], first[2], first[-1]) == ("10", "5,500", "")
    assert (second[1], second[2], second[-1]) == ("0", "", "70")


def test_a_perfect_correlation_is_found_and_a_constant_column_left_empty(drawn) -> None:
    """Scores that are the number of edges."""
    shapes = {one.id: shape_of(one) for one in drawn}
    played = [
        row.model_copy(update={"numbers": {"f1": float(shapes[row.id].graph.edges)}})
        for row in rows(drawn, "empty")
    ]
    table = {line[0]: line[1:] for line in topology_table(played, shapes, "f1").lines}
    assert table["edges"][0] == "1.000"
    assert float(table["edges"][1]) < 0.001


def test_draws_of_one_document_are_one_document(drawn) -> None:
    """Each text twice under two ids says no more than once."""
    played, shapes = rows(drawn, "co_mention"), {one.id: shape_of(one) for one in drawn}
    again = [row.model_copy(update={"id": f"{row.id}-again"}) for row in played]
    once = make_own_tables(played, shapes, {})
    shapes |= {f"{id_}-again": shape for id_, shape in shapes.items()}
    assert make_own_tables([*played, *again], shapes, {}) == once
    assert once[0].lines[0][1] == "10"


def test_too_few_documents_are_no_table(drawn) -> None:
    """Seven say nothing of quarters."""
    shapes = {one.id: shape_of(one) for one in drawn}
    assert make_own_tables(rows(drawn[:7], "empty"), shapes, {}) == []
