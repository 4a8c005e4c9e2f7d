"""Steps of a replay: what belongs together, and that whoever has ended stays at the end."""

import json

import pytest

from causarium.contract.episode import play
from causarium.contract.sets.instance_sets import generate_one
from causarium.engine.record.episode_record import EpisodeRecord
from causarium.families.causallink import FAMILY as CAUSALLINK
from causarium.families.replayscm import FAMILY as REPLAYSCM
from causarium.web.replay import describe_side, play_side


def test_turns_that_only_go_on_belong_to_the_action_before():
    instance = generate_one(CAUSALLINK, "certified", "smoke", 0)
    rules = CAUSALLINK.rules_for("certified")
    episode = play(CAUSALLINK, instance, rules, "optimal")
    scene = CAUSALLINK.views.scene(instance, rules, episode.turns)
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
    ("family", "player", "left"), [(CAUSALLINK, "optimal", 8), (REPLAYSCM, "exact", None)]
)
def test_only_what_can_be_spent_has_a_budget(family, player, left):
    instance = generate_one(family, "certified", "smoke", 0)
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
    assert describe_side(side, 0, 0)["left"] == left
