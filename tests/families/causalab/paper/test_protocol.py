"""The text path: what a player does by actions, an agent can do by the replies we describe."""

import json

import pytest

from causarium.contract.episode import Episode, play
from causarium.contract.world import Unparsed
from causarium.families.causalab.paper import FAMILY

BODILESS = [name for name in FAMILY.rules.interfaces if name not in FAMILY.rules.extras]
LEVELS = ("paper-linear-4", "paper-golden-4", "paper-hard-quadratic-4")


def written(action):
    """Write a recorded action as the reply that the texts ask for."""
    fields = {key: value for key, value in action.items() if key != "kind"}
    belief = fields.pop("hypothesis", None)
    reply = {"memory": "m", "thought": "t {x}", "past_data": [], "experiment": {}}
    if belief is not None:
        edges = [{"from": edge["cause"], "to": edge["effect"]} for edge in belief["edges"]]
        reply["hypothesis"] = {
            "edges": edges,
            "freq_equation": belief["freq_equation"],
            "coefficients": belief["coefficients"],
        }
    return json.dumps({**reply, "action": action["kind"], **fields})


@pytest.mark.parametrize("interface", ["json", "dialog"])
@pytest.mark.parametrize("verification", ["none", "required"])
@pytest.mark.parametrize("level", LEVELS)
def test_replies_and_actions_lead_to_the_same_turns_and_verdict(interface, verification, level):
    rules = FAMILY.rules_for("certified", interface=interface, verification=verification)
    instance = FAMILY.generate(FAMILY.level(level), 0, 1)
    for player in ("oracle", "scientist", "random"):
        acted = play(FAMILY, instance, rules, player)
        spoken = Episode(FAMILY, instance, rules)
        for turn in acted.turns:
            move = spoken.parse_reply(f"<think>no</think>\n```json\n{written(turn.action)}\n```")
            assert not isinstance(move, Unparsed), (player, move)
            spoken.step(move)
        assert spoken.turns == acted.turns
        assert spoken.score() == acted.score()


def test_the_plain_interface_is_played_by_replies_without_a_hypothesis():
    rules = FAMILY.rules_for("certified", interface="plain")
    instance = FAMILY.generate(FAMILY.level("paper-linear-4"), 0, 1)
    acted = play(FAMILY, instance, rules, "scientist")
    spoken = Episode(FAMILY, instance, rules)
    for turn in acted.turns:
        spoken.step(spoken.parse_reply(written(turn.action)))
    assert spoken.score().numbers["prediction"] == acted.score().numbers["prediction"] == 1.0
    assert all(
        "hypothesis" not in (t.action or {}) or not t.action["hypothesis"] for t in spoken.turns
    )


@pytest.mark.parametrize("interface", BODILESS)
def test_the_interface_changes_neither_the_experiments_nor_the_prediction(interface):
    rules = FAMILY.rules_for("certified", interface=interface)
    for index in range(3):
        instance = FAMILY.generate(FAMILY.level("paper-linear-5"), 0, index)
        one = play(FAMILY, instance, FAMILY.rules_for("certified"), "scientist").score()
        other = play(FAMILY, instance, rules, "scientist").score()
        for name in ("prediction", "abs_error", "interventions"):
            assert one.numbers[name] == other.numbers[name]


def test_garbage_for_ever_ends_and_is_counted():
    for interface in BODILESS:
        rules = FAMILY.rules_for("certified", interface=interface)
        episode = Episode(FAMILY, FAMILY.generate(FAMILY.level("paper-linear-4"), 0, 0), rules)
        while not episode.done:
            episode.step(episode.parse_reply("{not json"))
        verdict = episode.score()
        assert verdict.numbers["prediction"] == 0.0
        assert verdict.numbers["unread"] == len(episode.turns)
