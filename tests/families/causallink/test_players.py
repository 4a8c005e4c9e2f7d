"""Reference players, and the values that they are known to score."""

import math
import re
from itertools import chain
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from causarium.contract.episode import play
from causarium.contract.family_card import Part
from causarium.contract.sets.instance_sets import generate_instances
from causarium.families.causallink.generation.draw_log import LAWS
from causarium.families.causallink.mechanics import LogCase, build_machine
from causarium.players.direct_runner import play_all
from tests.families.causallink.worlds import FAMILY, draw_set

RULES = FAMILY.rules_for("certified")


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
        instances = draw_set(edition, name)
        for player, score in (("oracle", 1), ("optimal", 1), ("silent", 0)):
            found = rows(edition, instances, player, interface=interface)
            assert {row.numbers["accuracy"] for row in found} == {score}
            assert {row.labels["error"] for row in found} == {"none"}


@pytest.mark.parametrize("edition", ["certified", "paper"])
def test_the_optimal_player_needs_the_published_effort_on_the_core(edition):
    instances = draw_set(edition, "core")
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
    instances = draw_set(edition, "core")
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


def test_who_goes_by_the_words_is_right_as_often_as_wrong_and_earns_nothing():
    instances = list(generate_instances(FAMILY, [Part(level="laws-words", size=20)]))
    found = rows("certified", instances, "words")
    assert mean(found, "accuracy") == 0.5
    assert mean(found, "words") == 0.5
    assert mean(found, "earned") == 0
    others = rows("certified", instances, "exact")
    assert mean(others, "words") == 0
    assert mean(others, "earned") == 1


def test_who_makes_no_decisive_run_earns_nothing_and_guesses_half():
    instances = list(generate_instances(FAMILY, [Part(level="laws", size=24, seed=8)]))
    assert mean(rows("certified", instances, "repeat", interface="tools"), "share") == 0
    for player in ("always_yes", "always_no", "words"):
        found = rows("certified", instances, player, interface="tools")
        assert mean(found, "earned") == 0
        for first, second in zip(found[::2], found[1::2], strict=True):
            assert first.numbers["accuracy"] + second.numbers["accuracy"] == 1


def test_who_knows_the_place_and_the_log_and_tries_all_laws_earns_a_third():
    earned = []
    laws = sorted(set(chain.from_iterable(LAWS)))
    for index in range(24):
        instance = FAMILY.generate(FAMILY.level("laws"), 12, index)
        case = LogCase.of(instance.public)
        machines = [build_machine(needs) for needs in laws]
        left = [(machine, machine.fit_all(case.log)) for machine in machines]
        runs = [machine.find_best(one) for machine, one in left if machine.has_sure(one)]
        earned += [case.machine.weigh_runs(case.left)[run] for run in runs[index % 3 :][:1]]
    # Two standard errors of a coin that falls on its side once in three times.
    assert fmean(earned) < 1 / 3 + 0.2


def test_exact_earns_everything_and_says_why():
    for level in ("laws", "practice-5"):
        instances = list(generate_instances(FAMILY, [Part(level=level, size=16, seed=4)]))
        assert mean(rows("certified", instances, "exact"), "earned") == 1


@given(index=st.integers(0, 200))
def test_exact_works_out_who_is_who_before_it_chooses(index):
    instance = FAMILY.generate(FAMILY.level("laws"), 4, index)
    work = play(FAMILY, instance, RULES, "exact").turns[0].action["reasoning"]
    case = LogCase.of(instance.public)

    def mask(names):
        return case.mask(names.split())

    told = {
        (mask(helpers), mask(rivals), mask(guards))
        for guards, found in re.findall(r"(\w+ \w+) allow (.*?)(?=\w+ \w+ allow|So |$)", work)
        for rivals, pairs in re.findall(r"With rivals (\w+ \w+) helpers may be ([^.]+)", found)
        for helpers in pairs.split(", ")
        if pairs != "nobody"
    }
    assert told == {world[:3] for world in case.machine.list_fitting(case.left)}
    pattern = r"(\w+ \w+) allow [^;]+; rivals drive in ([^:]+) and not in ([^:]+): ([^.]+)"
    for guards, drive, rest, pairs in re.findall(pattern, work):
        driven, still = ([int(n) - 1 for n in re.findall(r"\d+", one)] for one in (drive, rest))
        left = {
            world.rivals
            for world in case.machine.worlds
            if world.guards == mask(guards)
            and all(world.is_driven(case.log[run].moved) for run in driven)
            and not any(world.is_driven(case.log[run].moved) for run in still)
        }
        assert {mask(pair) for pair in pairs.split(", ")} - {0} == left


@pytest.mark.slow
def test_the_trained_rule_earns_much_and_not_all():
    instances = list(generate_instances(FAMILY, [Part(level="laws", size=60, seed=6)]))
    # No bound against training is claimed.
    assert 0.3 < mean(rows("certified", instances, "trained"), "share") < 0.95


def test_the_random_player_is_a_coin():
    instances = draw_set("certified", "practice")
    assert abs(mean(rows("certified", instances, "random"), "accuracy") - 0.5) < 0.13


@pytest.mark.parametrize("player", [name for name, p in FAMILY.players.items() if not p.slow])
@pytest.mark.parametrize("interface", ["json", "tools"])
def test_no_player_breaks_the_protocol(player, interface):
    rules = FAMILY.rules_for("certified", interface=interface)
    for instance in draw_set("certified", "smoke"):
        episode = play(FAMILY, instance, rules, player)
        assert all(turn.legal for turn in episode.turns)
        assert episode.done or player == "silent"
