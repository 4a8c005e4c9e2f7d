"""The ladder as rows: only graphs that were read at every rung make a slope."""

import pytest

from causarium.contract.family_card import Part
from causarium.contract.sets.instance_sets import generate_instances
from causarium.families.recite import FAMILY
from causarium.families.recite.analysis.rung_ladder import select_same_graphs
from causarium.families.recite.analysis.score_breakdown import by_facet
from causarium.families.recite.charts.row_charts import draw_rows
from causarium.families.recite.mechanics.wording import RUNGS
from causarium.players.direct_runner import play_all


@pytest.fixture(scope="module")
def drawn():
    """One graph at all five rungs, another at one, and a written document."""
    parts = [Part(level=f"synth-{rung}", size=1) for rung in RUNGS]
    more = [Part(level="synth-verb", size=1, start=1), Part(level="mini", size=1)]
    return list(generate_instances(FAMILY, [*parts, *more]))


def rows(drawn, player):
    return list(play_all(FAMILY, drawn, player, edition="certified", set_name="ladder"))


def test_graphs_that_are_told_at_some_rungs_alone_are_left_out(drawn) -> None:
    """One is told at all five, one at one, and a written document at none."""
    together = select_same_graphs(rows(drawn, "empty"))
    assert [row.id for row in together] == [f"recite-synth-{rung}-0000" for rung in RUNGS]
    assert select_same_graphs(rows(drawn[-1:], "empty")) == []


def test_every_agent_is_held_to_the_same_graphs(drawn) -> None:
    """One that read three rungs of a graph has no slope beside one that read five."""
    together = select_same_graphs([*rows(drawn, "empty"), *rows(drawn[:3], "oracle")])
    assert {row.agent for row in together} == {"player/empty"}


def test_means_along_the_ladder_are_of_the_same_graphs(drawn) -> None:
    """The graph that is told at one rung alone would lift or lower it."""
    played = rows(drawn, "random_counts")
    means = by_facet(played, "rung")["player/random_counts"]
    together = {str(row.facets["rung"]): row.numbers["f1"] for row in select_same_graphs(played)}
    assert {rung: mean.value for rung, mean in means.items()} == together
    assert list(means) == list(RUNGS)
    assert "F1 against how a made text tells its edges" in [p.title for p in draw_rows(played)]
