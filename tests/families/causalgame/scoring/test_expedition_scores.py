"""The numbers of an expedition, by hand: right steps, answers, and designs leg by leg."""

import math

import pytest

from causarium.contract.episode import Episode
from causarium.families.causalgame import FAMILY
from causarium.families.causalgame.mechanics.expeditions import find_best_design, find_fleet_gauge
from causarium.families.causalgame.model.expeditions import AnswerQuestions, Commit, Fly, Order
from causarium.families.causalgame.play.expeditions.world import write_design
from causarium.families.causalgame.scoring import find_effect, is_best
from tests.families.causalgame.test_recheck import DEPOT, DIAL, list_hidden


def begin(level="expedition-1", index=0, **rules):
    instance = FAMILY.generate(FAMILY.level(level), 5, index)
    return Episode(FAMILY, instance, FAMILY.rules_for("certified", **rules))


def list_legs(episode):
    instance = episode.instance
    return list(zip(instance.public.legs, instance.secret.legs, strict=True))


def commit(episode, right):
    """Commit to the best designs on the first legs, and to a wrong one on the others."""
    fitted = {}
    for place, (leg, hidden) in enumerate(list_legs(episode)):
        best = find_best_design(leg, hidden)
        chosen = best if place < right else next(one for one in leg.designs if one != best)
        fitted[leg.name] = [part for part, on in zip(leg.parts, chosen, strict=True) if on]
    episode.step(Commit(fitted=fitted))


@pytest.mark.parametrize("right", range(5))
def test_legs_count_one_by_one_and_all_win(right):
    episode = begin()
    commit(episode, right)
    episode.step(AnswerQuestions(answers={}))
    verdict = episode.score()
    assert verdict.numbers["win"] == (right == 4)
    assert verdict.numbers["legs"] == right / 4
    assert verdict.labels["outcome"] == ("won" if right == 4 else "lost")
    kinds = [leg.kind for leg, _ in list_legs(episode)]
    for kind in ("dial", "roster", "depot"):
        own = [place < right for place, one in enumerate(kinds) if one == kind]
        assert verdict.numbers[f"legs_{kind}"] == sum(own) / len(own)
    assert math.isnan(verdict.numbers["legs_line"])
    wrong = [leg.name for leg, _ in list_legs(episode)[right:]]
    assert all((name in verdict.explanation) for name in wrong)
    assert verdict.numbers["asked"] == verdict.numbers["refusals"] == verdict.numbers["unread"] == 0


def test_a_leg_without_a_design_is_not_best():
    episode = begin()
    (leg, hidden), *_ = list_legs(episode)
    assert not is_best(leg, hidden, None)
    assert is_best(leg, hidden, find_best_design(leg, hidden))
    assert write_design(leg, leg.designs[0])


@pytest.mark.parametrize("level", ["expedition-1", "expedition-3"])
def test_the_right_step_sets_what_matters_with_a_part_or_reads_the_log(level):
    def fly(take):
        episode = begin(level)
        for leg, hidden in list_legs(episode):
            if leg.kind != "depot":
                episode.step(Fly(orders=[Order(leg=leg.name, count=4, **take(leg, hidden))]))
        return episode.score().numbers["right_step"]

    def tell(leg, hidden):
        return hidden.active if leg.kind == "dial" else find_fleet_gauge(leg, hidden)

    def right(leg, hidden):
        if leg.kind == "roster":
            return {"log": True, "fitted": [leg.parts[0]]}
        return {"set": leg.readings[tell(leg, hidden)].name, "fitted": [leg.parts[0]]}

    def bare(leg, hidden):
        return {} if leg.kind == "roster" else {**right(leg, hidden), "fitted": []}

    def unset(leg, hidden):
        return {"fitted": [leg.parts[0]]}

    def elsewhere(leg, hidden):
        if leg.kind == "roster" or len(leg.readings) == 1:
            return right(leg, hidden)
        other = (tell(leg, hidden) + 1) % len(leg.readings)
        return {"set": leg.readings[other].name, "fitted": [leg.parts[0]]}

    assert fly(right) == 1
    assert fly(bare) == fly(unset) == 0
    legs = [leg for leg, _ in list_legs(begin(level)) if leg.kind != "depot"]
    still = sum(leg.kind == "roster" or len(leg.readings) == 1 for leg in legs)
    assert fly(elsewhere) == pytest.approx(still / len(legs))
    assert begin(level).score().numbers["right_step"] == 0
    assert math.isnan(begin("depot").score().numbers["right_step"])


def test_a_part_raises_or_lowers_returns():
    for hidden in list_hidden(active=1):
        sign = hidden.sign if hidden.face else -hidden.sign
        words = ("up", "down") if sign > 0 else ("down", "up")
        assert (find_effect(DIAL, hidden, 0), find_effect(DIAL, hidden, 1)) == words
        assert find_effect(DEPOT, hidden, 0) == words[0]
    idle = DIAL.model_copy(update={"parts": (*DIAL.parts, "flag")})
    assert {find_effect(idle, hidden, 2) for hidden in list_hidden(active=1)} == {"none"}
    flat = DIAL.model_copy(update={"parts": ("fin",)})
    assert {find_effect(flat, hidden, 0) for hidden in list_hidden(active=1)} == {"up", "down"}


def answer(chance, count=None):
    """Give the truth of each question this chance, and its opposite the rest."""
    episode = begin()
    commit(episode, 4)
    truths = [
        find_effect(leg, hidden, part)
        for leg, hidden in list_legs(episode)
        for part in range(len(leg.parts))
    ]
    other = {"up": "down", "down": "up"}
    said = {
        f"q{number}": {truth: chance, other[truth]: 1 - chance}
        for number, truth in enumerate(truths, 1)
    }
    episode.step(AnswerQuestions(answers=dict(list(said.items())[:count])))
    return episode.score().numbers


@pytest.mark.parametrize(
    ("chance", "count", "skill", "known"),
    [
        (1.0, None, 1.0, 1.0),
        (0.75, None, 0.75, 1.0),
        (0.5, None, 0.0, 0.0),
        (0.0, None, -3.0, 0.0),
        (1.0, 1, 0.25, 0.25),
        (1.0, 0, 0.0, 0.0),
    ],
)
def test_answers_earn_what_they_are_better_than_the_prior(chance, count, skill, known):
    numbers = answer(chance, count)
    assert numbers["question_skill"] == pytest.approx(skill)
    assert numbers["coins_known"] == pytest.approx(known)


def test_who_sent_nothing_is_not_asked():
    numbers = begin().score().numbers
    assert math.isnan(numbers["question_skill"])
    assert math.isnan(numbers["coins_known"])
