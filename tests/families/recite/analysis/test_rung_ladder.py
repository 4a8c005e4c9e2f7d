"""The ladder as rows: only graphs that were read at every rung make a slope."""

from causarium.contract.family_card import Part
from causarium.contract.instance_sets import find_set, generate_instances
from causarium.families.recite import FAMILY
from causarium.families.recite.analysis.explicitness_ladder import same_graphs
from causarium.families.recite.analysis.score_breakdown import by_facet
from causarium.families.recite.charts.row_charts import draw_rows
from causarium.players.direct_runner import play_all


def rows(player: str, limit: int | None = None):
    instances = list(generate_instances(FAMILY, find_set(FAMILY, "certified", "smoke").parts))[
        :limit
    ]
    return list(play_all(FAMILY, instances, player, edition="certified", set_name="smoke"))


def test_graphs_that_are_told_at_some_rungs_alone_are_left_out() -> None:
    """The smoke set has one graph at all four rungs, and two at one."""
    kept = same_graphs(rows("empty"), "told")
    assert [row.id for row in kept] == [f"recite-synth-{told}-0000" for told in (100, 75, 50, 25)]


def test_every_agent_is_held_to_the_same_graphs() -> None:
    """One that read three rungs of a graph has no slope beside one that read four."""
    kept = same_graphs([*rows("empty"), *rows("oracle", limit=7)], "told")
    assert {row.agent for row in kept} == {"player/empty"}


def test_rows_without_a_rung_are_no_ladder() -> None:
    """Written documents are told as they are."""
    assert same_graphs(rows("empty", limit=4), "told") == []


def test_means_along_the_ladder_are_of_the_same_graphs() -> None:
    """In the smoke set two further graphs would lift the rungs at which they stand."""
    played = rows("random_counts")
    means = by_facet(played, "told")["player/random_counts"]
    kept = {str(row.facets["told"]): row.numbers["f1"] for row in same_graphs(played, "told")}
    assert {rung: mean.value for rung, mean in means.items()} == kept


def test_one_change_each_is_compared_on_the_same_graphs() -> None:
    """Plainly, with synonyms, effects first and distracted; other levels are no variants."""
    levels = ("synth-plain", "synth-synonyms", "synth-reversed", "synth-distracted", "synth-100")
    parts = [Part(level=level, size=1) for level in levels]
    drawn = generate_instances(FAMILY, [*parts, Part(level="synth-plain", size=1, start=1)])
    played = list(play_all(FAMILY, drawn, "co_mention", edition="certified", set_name="changes"))
    means = by_facet(played, "telling")["player/co_mention"]
    assert list(means) == ["plainly", "with synonyms", "effects first", "distracted"]
    assert means["plainly"].value == played[0].numbers["f1"]
    assert "F1 against how a made text tells the graph" in [p.title for p in draw_rows(played)]
