"""Reference players, and the values that they are known to score."""

import math
from statistics import fmean

import pytest

from causarium.contract.episode import play
from causarium.contract.family_card import Part
from causarium.contract.sets.instance_sets import generate_instances, generate_set
from causarium.families.causallink import FAMILY
from causarium.players.direct_runner import play_all


def rows(edition, instances, player, **rules):
    return list(
        play_all(
            FAMILY,
            instances,
            player,
            edition=edition,
            set_name="test",
            rules=FAMILY.rules_for(edition, **rules),
        )
    )


def mean(found, name):
    return fmean(row.numbers[name] for row in found if not math.isnan(row.numbers[name]))


@pytest.mark.parametrize("edition", ["certified", "paper"])
@pytest.mark.parametrize("interface", ["json", "tools"])
def test_oracle_and_optimal_are_always_right_and_silence_never(edition, interface):
    for name in ("standard", "core"):
        instances = generate_set(FAMILY, edition, name)
        for player, score in (("oracle", 1), ("optimal", 1), ("silent", 0)):
            found = rows(edition, instances, player, interface=interface)
            assert {row.numbers["accuracy"] for row in found} == {score}
            assert {row.labels["error"] for row in found} == {"none"}


@pytest.mark.parametrize("edition", ["certified", "paper"])
def test_the_optimal_player_needs_the_published_effort_on_the_core(edition):
    instances = generate_set(FAMILY, edition, "core")
    with_tools = rows(edition, instances, "optimal", interface="tools")
    assert round(mean(with_tools, "interventions"), 2) == 1.26
    assert max(row.numbers["interventions"] for row in with_tools) == 3
    # As text, the 15 cases that need none are forced to make one.
    as_text = rows(edition, instances, "optimal")
    assert mean(as_text, "interventions") == pytest.approx(
        mean(with_tools, "interventions") + 15 / 84
    )


@pytest.mark.parametrize("edition", ["certified", "paper"])
def test_constant_and_one_shot_players_score_the_published_values_on_the_core(edition):
    instances = generate_set(FAMILY, edition, "core")
    one_shot = rows(edition, instances, "one_shot")
    assert mean(one_shot, "accuracy") == pytest.approx(69 / 84)
    assert mean(one_shot, "accuracy_true") == pytest.approx(22 / 37)
    assert mean(one_shot, "accuracy_false") == 1
    assert mean(rows(edition, instances, "always_yes"), "accuracy") == pytest.approx(37 / 84)
    assert mean(rows(edition, instances, "always_no"), "accuracy") == pytest.approx(47 / 84)


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
    found = rows("paper", instances, "optimal", **tools)
    assert mean(found, "accuracy") == 1
    assert abs(mean(found, "interventions") - effort) < 4 * 0.9 / math.sqrt(100)
    assert max(row.numbers["interventions"] for row in found) == size - 1
    assert abs(mean(rows("paper", instances, "one_shot", **tools), "accuracy") - one_shot) < slack
    assert abs(mean(rows("paper", instances, "always_yes", **tools), "accuracy") - yes) < slack


def test_who_goes_by_the_words_is_right_or_wrong_with_them():
    def accuracy(level):
        instances = list(generate_instances(FAMILY, [Part(level=level, size=60)]))
        return mean(rows("certified", instances, "words"), "accuracy")

    assert accuracy("theme-aligned") == 1
    assert accuracy("theme-opposed") == 0
    assert accuracy("theme-nonsense") == 0.5


def test_the_optimal_player_does_not_care_for_the_words():
    efforts = set()
    for word in ("shapes", "nonsense", "aligned", "opposed"):
        instances = list(generate_instances(FAMILY, [Part(level=f"theme-{word}", size=60)]))
        found = rows("certified", instances, "optimal")
        assert mean(found, "accuracy") == 1
        efforts.add(mean(found, "interventions"))
    # Only the order in which others are stopped differs.
    assert max(efforts) - min(efforts) < 0.3


@pytest.mark.parametrize("level", ["advanced-5", "advanced-7", "theme-nonsense"])
@pytest.mark.parametrize(
    "player", ["first_look", "one_shot", "lookup_1", "lookup_2", "always_yes", "always_no"]
)
def test_who_sees_no_difference_is_right_about_one_of_each_pair(level, player):
    instances = list(generate_instances(FAMILY, [Part(level=level, size=60, seed=8)]))
    found = rows("certified", instances, player, interface="tools")
    for first, second in zip(found[::2], found[1::2], strict=True):
        assert first.numbers["accuracy"] + second.numbers["accuracy"] == 1


@pytest.mark.parametrize(
    ("level", "most"), [("advanced-4", 0.55), ("advanced-5", 0.543), ("advanced-6", 0.541)]
)
def test_one_intervention_too_few_is_worth_little(level, most):
    instances = list(generate_instances(FAMILY, [Part(level=level, size=800, seed=23)]))
    found = rows("certified", instances, "one_short", interface="tools")
    size = len(instances[0].public.shapes)
    assert max(row.numbers["interventions"] for row in found) <= size - 2
    # A pair is the unit; its mean is 0, one half or 1, with a standard deviation of 0.16.
    assert 0.49 < mean(found, "accuracy") < most + 4 * 0.16 / math.sqrt(400)


def test_other_starts_are_a_coin_with_one_intervention_too_few_and_a_table_earns_the_short_ones():
    instances = list(generate_instances(FAMILY, [Part(level="starts-6", size=200, seed=9)]))
    tools = {"interface": "tools"}
    assert abs(mean(rows("certified", instances, "one_short", **tools), "accuracy") - 0.5) < 0.03
    for player, share in (("one_shot", 0.6), ("lookup_1", 0.6), ("lookup_2", 0.7)):
        assert mean(rows("certified", instances, player, **tools), "accuracy") == share
    assert mean(rows("certified", instances, "optimal", **tools), "accuracy") == 1


def test_core_cases_fall_to_a_table():
    instances = generate_set(FAMILY, "certified", "core60")
    values = {
        player: mean(rows("certified", instances, player, interface="tools"), "accuracy")
        for player in ("first_look", "one_shot", "lookup_1", "lookup_2")
    }
    assert values == pytest.approx(
        {"first_look": 0.7, "one_shot": 50 / 60, "lookup_1": 58 / 60, "lookup_2": 1}
    )


@pytest.mark.long
def test_every_bound_on_the_card_holds():
    card = FAMILY.card
    assert {bounds.set for bounds in card.separation.bounds} == set(card.sets["certified"])
    sets = {name: generate_set(FAMILY, "certified", name) for name in card.sets["certified"]}
    for bounds in card.separation.bounds:
        if bounds.player not in FAMILY.proofs.probes:
            value = mean(rows("certified", sets[bounds.set], bounds.player), bounds.metric)
            assert bounds.low <= value <= bounds.high, bounds


def test_the_probe_reads_the_public_part_alone():
    probe = FAMILY.proofs.probes["answer"]
    lengths = set()
    for level in ("core", "advanced-4", "starts-7", "large-12", "theme-aligned"):
        instance = FAMILY.generate(FAMILY.level(level), 0, 1)
        ((features, truth),) = probe.examples(instance)
        lengths.add(len(features))
        other = instance.secret.model_copy(update={"truth": not truth, "edges": ()})
        assert probe.examples(instance.model_copy(update={"secret": other})) == [
            (features, not truth)
        ]
    assert len(lengths) == 1


def test_the_random_player_is_a_coin():
    instances = generate_set(FAMILY, "certified", "advanced")
    assert abs(mean(rows("certified", instances, "random"), "accuracy") - 0.5) < 0.06


@pytest.mark.parametrize("player", FAMILY.players)
@pytest.mark.parametrize("interface", ["json", "tools"])
def test_no_player_breaks_the_protocol(player, interface):
    rules = FAMILY.rules_for("certified", interface=interface)
    for instance in generate_set(FAMILY, "certified", "smoke"):
        episode = play(FAMILY, instance, rules, player)
        assert all(turn.legal for turn in episode.turns)
        assert episode.done or player == "silent"
