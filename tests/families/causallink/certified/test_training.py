"""Numbers on the way: what trials told, and the score that is sure."""

import pytest

from causarium.contract.episode import play
from causarium.families.causallink.certified import FAMILY

RULES = FAMILY.rules_for("certified")


@pytest.mark.parametrize("rung", [1, 2, 4])
def test_what_is_sure_is_sure(rung: int) -> None:
    for index in range(10):
        instance = FAMILY.generate(FAMILY.level(f"rung-{rung}"), 29, index)
        episode = play(FAMILY, instance, RULES, "exact")
        training = FAMILY.training
        assert training.turn_numbers is not None
        assert training.progress is not None
        numbers = training.turn_numbers(instance, RULES, episode.turns)
        assert len(numbers) == len(episode.turns)
        bits = [one["bits"] for one in numbers]
        assert bits == sorted(bits)
        assert training.progress(instance, RULES, episode.turns) == numbers[-1]["sure"]
        if numbers[-1]["sure"] == 1:
            assert episode.score().numbers["score"] == 1
