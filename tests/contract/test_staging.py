"""Replays: every family that has a stage sets a scene before the first turn and after each."""

import pytest

from causarium import families
from causarium.contract.episode import play
from causarium.contract.sets.instance_sets import generate_one

STAGED = [name for name in families.names() if families.get(name).views.scene is not None]


@pytest.mark.parametrize("name", STAGED)
@pytest.mark.parametrize("player", ["oracle", "random", "silent"])
def test_there_is_a_scene_before_the_first_turn_and_after_each(name: str, player: str) -> None:
    family = families.get(name)
    assert family.views.scene is not None
    rules = family.rules_for("certified")
    episode = play(family, generate_one(family, "certified", "smoke", 0), rules, player)
    staging = family.views.scene(episode.instance, rules, episode.turns)
    assert len(staging.scenes) == len(episode.turns) + 1
    for scene in staging.scenes:
        if staging.truth is not None and scene.belief is not None:
            assert {*scene.belief.nodes} <= {*staging.truth.nodes} or name == "recite"
        graph = scene.belief or staging.truth
        if graph is not None:
            assert {end for edge in graph.edges for end in edge} <= {*graph.nodes}


@pytest.mark.parametrize("name", STAGED)
@pytest.mark.parametrize("player", ["oracle", "random"])
def test_steps_are_told_in_sentences(name: str, player: str) -> None:
    family = families.get(name)
    assert family.views.scene is not None
    rules = family.rules_for("certified")
    episode = play(family, generate_one(family, "certified", "smoke", 0), rules, player)
    steps = family.views.scene(episode.instance, rules, episode.turns).steps
    assert steps[-1].last == len(episode.turns)
    for step in steps:
        assert step.title.endswith((".", "”", "?"))
        assert not {"{", "[", "_", "None", "True", "False"} & {*step.title, *step.title.split()}
