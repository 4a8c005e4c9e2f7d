"""The curriculum: ladders in the order measured, and an iterator that follows the rewards."""

import pickle

import pytest

from causarium import families
from causarium.connect.curriculum import Curriculum
from causarium.contract.family_card import FamilyCard
from causarium.contract.sets.splits import shorten_kin
from causarium.errors import UsageError


@pytest.mark.parametrize("name", families.FAMILIES)
def test_a_ladder_rises_and_every_level_can_be_trained_on(name: str) -> None:
    card = families.get(name).card
    assert len(set(card.ladder)) == len(card.ladder) > 1
    assert len(card.difficulty) in {0, len(card.ladder)}
    assert list(card.difficulty) == sorted(card.difficulty)
    assert {families.get(name).level(level).edition for level in card.ladder} == {"certified"}


def test_a_card_whose_ladder_falls_is_refused() -> None:
    fields = families.get("causallink").card.model_dump(by_alias=True)
    for wrong in ([1.0], [9.0, *fields["difficulty"][1:]]):
        with pytest.raises(ValueError, match="one number a level"):
            FamilyCard.model_validate({**fields, "difficulty": wrong})


def test_it_goes_up_and_down_and_never_off_the_ladder() -> None:
    course = Curriculum("causalab", window=3)
    heights = []
    for reward in [1.0] * 6 + [0.0] * 9 + [1.0] * 30:
        heights.append(course.rung)
        course.record(reward)
    assert heights[:8] == [0, 0, 0, 1, 1, 1, 2, 2]
    assert heights[9:16] == [1, 1, 1, 0, 0, 0, 0]
    assert (max(heights), course.level) == (5, course.ladder[-1])
    middling = Curriculum("causalab", window=2)
    for _ in range(10):
        middling.record(0.6)
    assert middling.rung == 0


def test_sessions_are_of_the_level_and_all_different() -> None:
    course = Curriculum("causallink", window=2, seed=5)
    seen = []
    for session in course:
        assert session.address is not None
        seen.append((session.address.level, session.address.index, session.address.seed))
        course.record(1.0)
        if len(seen) == 4:
            break
    ladder = course.ladder
    assert seen == [(ladder[0], 0, 5), (ladder[0], 1, 5), (ladder[1], 2, 5), (ladder[1], 3, 5)]
    assert len(shorten_kin(session.family, session.instance)) == 8


def test_a_pickled_one_goes_on() -> None:
    course = Curriculum("causallink", window=4)
    for reward in (1.0, 1.0, 1.0, 1.0, 0.5):
        course.record(reward)
    other = pickle.loads(pickle.dumps(course))
    assert vars(other) == vars(course)
    for both in (course, other):
        both.record(0.0)
    assert other.level == course.level


@pytest.mark.parametrize("wrong", [{"up": 0.4}, {"window": 0}, {"up": 1.5}])
def test_what_cannot_be_climbed_is_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(UsageError, match="0 <= down < up <= 1"):
        Curriculum("causallink", **wrong)


def test_only_rewards_are_taken() -> None:
    course = Curriculum("causallink")
    for reward in (2.0, -1.1, float("nan")):
        with pytest.raises(UsageError, match="from -1 to 1"):
            course.record(reward)
    assert vars(course) == vars(Curriculum("causallink"))
