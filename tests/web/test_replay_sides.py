"""Steps of a replay: what belongs together, and that whoever has ended stays at the end."""

import json
from dataclasses import replace

import pytest

from causarium.contract.episode import play
from causarium.contract.sets.instance_sets import generate_one
from causarium.contract.turn import Turn
from causarium.engine.record.episode_record import EpisodeRecord
from causarium.families.causallink.certified import FAMILY as CAUSALLINK
from causarium.families.causallink.paper import FAMILY as PAPER
from causarium.families.replayscm.certified import FAMILY as REPLAYSCM
from causarium.web.replay import describe_side, play_side, read_side


def test_turns_that_only_go_on_belong_to_the_action_before():
    instance = generate_one(PAPER, "paper", "smoke", 6)
    rules = PAPER.rules_for("paper")
    episode = play(PAPER, instance, rules, "optimal")
    scene = PAPER.views.scene(instance, rules, episode.turns)
    made = [turn for turn in episode.turns if (turn.action or {}).get("kind") == "intervene"]
    assert len(episode.turns) > len(made) + 1
    assert len(scene.steps) == len(made) + 2
    assert scene.steps[0].last == 0
    assert scene.steps[-1].last == len(episode.turns)
    assert [step.acted for step in scene.steps[1:-1]] == [
        (turn.action["shape"],) for turn in made if turn.action
    ]
    assert all(step.states for step in scene.steps)
    assert scene.outcome == f"“{episode.score().answer}” ✓ after {len(made)} actions"


@pytest.mark.parametrize(
    ("family", "player", "left"), [(CAUSALLINK, "exact", 3), (REPLAYSCM, "exact", None)]
)
def test_only_what_can_be_spent_has_a_budget(family, player, left):
    side = play_first(family, player)
    assert describe_side(side, 0, 0)["left"] == left


def play_first(family, player):
    instance = generate_one(family, "certified", "smoke", 2)
    record = EpisodeRecord(
        family=family.name,
        version=family.card.version,
        edition="certified",
        set="smoke",
        player=player,
        instance=json.loads(instance.line()),
        rules=family.rules_for("certified").model_dump(mode="json"),
    )
    side = play_side(record, player)
    assert side is not None
    return side


def test_a_turn_that_is_no_action_is_told_and_shown():
    side = play_first(CAUSALLINK, "exact")
    null = Turn(action={"kind": "answer", "answer": None}, observation="?", legal=True, cost=0)
    shown = read_side(replace(side.story, turns=[null]))
    assert "a turn records no answer: answer: Input should be" in shown.note
    assert len(shown.steps) == 2
