"""Reference players, and the values that they are known to score."""

import math
from statistics import fmean

import pytest

from causarium.contract.episode import play
from causarium.contract.family_card import Part
from causarium.contract.sets.instance_sets import generate_instances
from causarium.players.direct_runner import play_all
from tests.families.causallink.paper.worlds import FAMILY, draw_set, rules_for


def rows(way, instances, player, **rules):
    return list(
        play_all(
            FAMILY,
            instances,
            player,
            edition="paper",
            set_name="test",
            rules=rules_for(way, **rules),
        )
    )


def mean(found, name):
    return fmean(row.numbers[name] for row in found if not math.isnan(row.numbers[name]))


@pytest.mark.parametrize("way", ["repaired", "published"])
@pytest.mark.parametrize("interface", ["json", "tools"])
def test_oracle_and_optimal_are_always_right_and_silence_never(way, interface):
    for name in ("standard", "core"):
        instances = draw_set(name)
        for player, score in (("oracle", 1), ("optimal", 1), ("silent", 0)):
            found = rows(way, instances, player, interface=interface)
            assert {row.numbers["accuracy"] for row in found} == {score}
            assert {row.labels["error"] for row in found} == {"none"}


@pytest.mark.parametrize("way", ["repaired", "published"])
def test_the_optimal_player_needs_the_published_effort_on_the_core(way):
    instances = draw_set("core")
    with_tools = rows(way, instances, "optimal", interface="tools")
    assert round(mean(with_tools, "interventions"), 2) == 1.26
    assert max(row.numbers["interventions"] for row in with_tools) == 3
    # As text, the 15 cases that need none are forced to make one.
    as_text = rows(way, instances, "optimal")
    assert mean(as_text, "interventions") == pytest.approx(
        mean(with_tools, "interventions") + 15 / 84
    )


@pytest.mark.parametrize("way", ["repaired", "published"])
def test_constant_and_one_shot_players_score_the_published_values_on_the_core(way):
    instances = draw_set("core")
    one_shot = rows(way, instances, "one_shot")
    assert mean(one_shot, "accuracy") == pytest.approx(69 / 84)
    assert mean(one_shot, "accuracy_true") == pytest.approx(22 / 37)
    assert mean(one_shot, "accuracy_false") == 1
    assert mean(rows(way, instances, "always_yes"), "accuracy") == pytest.approx(37 / 84)
    assert mean(rows(way, instances, "always_no"), "accuracy") == pytest.approx(47 / 84)


@pytest.mark.parametrize(
    ("size", "one_shot", "yes", "effort"),
    [
        (4, 0.648, 0.737, 2.72),
        (5, 0.574, 0.725, 3.43),
        (6, 0.514, 0.729, 4.09),
        (7, 0.464, 0.739, 4.74),
    ],
)
def test_reference_players_score_the_published_values_on_released_graphs(
    size, one_shot, yes, effort
):
    instances = list(
        generate_instances(FAMILY, [Part(level=f"paper-advanced-{size}", size=600, seed=1)])
    )
    tools = {"interface": "tools"}
    # 100 graphs with six questions each: the graph is the unit, its sd at most 0.35 and 0.9.
    slack = 4 * 0.35 / math.sqrt(100)
    found = rows("published", instances, "optimal", **tools)
    assert mean(found, "accuracy") == 1
    assert abs(mean(found, "interventions") - effort) < 4 * 0.9 / math.sqrt(100)
    assert max(row.numbers["interventions"] for row in found) == size - 1
    assert (
        abs(mean(rows("published", instances, "one_shot", **tools), "accuracy") - one_shot) < slack
    )
    assert abs(mean(rows("published", instances, "always_yes", **tools), "accuracy") - yes) < slack


def test_the_random_player_is_a_coin():
    instances = list(generate_instances(FAMILY, [Part(level="paper-advanced-5", size=240, seed=2)]))
    assert abs(mean(rows("certified", instances, "random"), "accuracy") - 0.5) < 0.13


@pytest.mark.parametrize("player", [name for name, p in FAMILY.players.items() if not p.slow])
@pytest.mark.parametrize("interface", ["json", "tools"])
def test_no_player_breaks_the_protocol(player, interface):
    rules = rules_for("repaired", interface=interface)
    for instance in draw_set("smoke"):
        episode = play(FAMILY, instance, rules, player)
        assert all(turn.legal for turn in episode.turns)
        assert episode.done or player == "silent"
