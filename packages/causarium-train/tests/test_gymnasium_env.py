"""The Gymnasium adapter: its own checker, vectors, and the direct runner's verdicts."""

import warnings

import pytest

import causarium as cm
from tests.support.talking_players import (
    INSTANCES,
    assert_same_verdict,
    every_family,
    every_player,
    play_directly,
)

gymnasium = pytest.importorskip("gymnasium", reason="needs causarium[gym]")

from causarium_train import gymnasium_env
from gymnasium.utils.env_checker import check_env

gymnasium.register_envs(gymnasium_env)


@every_family
@every_player
def test_a_player_earns_the_direct_runners_verdict(name: str, player: str) -> None:
    env = gymnasium.make(f"causarium/{name}-v0").unwrapped
    for index in range(INSTANCES):
        env.reset(options={"index": index})
        session = env.session
        direct, actions = play_directly(session, player)
        earned = 0.0
        for action in actions:
            _, reward, terminated, truncated, info = env.step(session.says(action))
            earned += reward
        assert_same_verdict(session, direct)
        assert (terminated, truncated) == (direct.done, False)
        assert earned == (session.reward if direct.done else 0.0)
        assert player != "oracle" or earned == 1.0
        assert not direct.done or info["verdict"] == session.verdict()


@every_family
def test_the_checker_of_gymnasium_finds_nothing(name: str) -> None:
    env = gymnasium.make(f"causarium/{name}-v0", render_mode="ansi").unwrapped
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env)


def test_a_seed_picks_the_instance() -> None:
    env = gymnasium.make("causarium/causallink-v0", level="rung-3").unwrapped
    first, _ = env.reset(seed=1)
    assert env.reset(seed=1)[0] == first
    assert env.reset(seed=2)[0] != first


def test_a_seed_picks_the_instance_of_a_set() -> None:
    env = gymnasium.make("causarium/causallink-v0", set="smoke").unwrapped
    ids = {env.reset(seed=seed) and env.session.instance.id for seed in range(40)}
    assert len(ids) == 6
    assert ids <= {item.id for item in cm.load("causallink").instances("smoke")}
    env.reset(seed=1, options={"index": 3})
    assert env.session.instance == cm.load("causallink").instance("smoke", 3)


@pytest.mark.parametrize("mode", ["sync", "async"])
@pytest.mark.parametrize("name", ["causallink", pytest.param("recite", marks=pytest.mark.slow)])
def test_vector_environments_step_together(mode: str, name: str) -> None:
    envs = gymnasium.make_vec(f"causarium/{name}-v0", num_envs=3, vectorization_mode=mode)
    texts, info = envs.reset(seed=4)
    assert (len(set(texts)), list(info["turn"])) == (3, [0, 0, 0])
    alone = gymnasium.make(f"causarium/{name}-v0").unwrapped
    assert texts[0] == alone.reset(seed=4)[0]
    answers, rewards, terminated, _, _ = envs.step(["é, no answer"] * 3)
    assert answers[0] == alone.step("é, no answer")[0]
    assert len(rewards) == len(terminated) == 3
    envs.close()


def test_step_before_reset_is_refused() -> None:
    with pytest.raises(gymnasium.error.ResetNeeded):
        gymnasium.make("causarium/causallink-v0").unwrapped.step("yes")
