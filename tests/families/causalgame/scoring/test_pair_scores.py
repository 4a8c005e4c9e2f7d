"""Verdicts on twin pairs: truth earns full marks, guesses what they are worth, judges no more."""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from causarium.contract.episode import play
from causarium.contract.texts.role_questions import Judgement, answer_questions
from causarium.families.causalgame import FAMILY
from causarium.families.causalgame.generation.draw_questions import ANSWERS, draw_questions
from causarium.families.causalgame.helpers import JUDGE
from causarium.families.causalgame.scoring.published.score import METRICS, score
from causarium.families.causalgame.scoring.computed_rubric import COMPUTED, grade_by_code
from causarium.families.causalgame.scoring.pair_packet import pair_packet
from causarium.families.causalgame.scoring.question_scores import grade_answers, read_chances
from causarium.families.causalgame.scoring.replayed_pair import replay_pair
from causarium.families.causalgame.scoring.published.rubric import criteria
from causarium.families.causalgame.turn_numbers import compute_turn_numbers
from tests.families.causalgame.twins import FLOWN, TWINS, pair

RULES = FAMILY.rules_for("certified")


@pytest.mark.parametrize("level", TWINS)
def test_the_truth_scores_full_marks_and_silence_none(level):
    instance = pair(level)
    best = play(FAMILY, instance, RULES, "oracle").score().numbers
    assert best["gain"] == best["win"] == best["pair_win"] == 1
    assert best.keys() == METRICS.keys()
    silent = score(instance, RULES, []).numbers
    assert silent["survival"] == silent["win"] == silent["pair_win"] == 0
    if level.startswith("twin"):
        assert best["question_skill"] == best["crux_accuracy"] == 1
        assert silent["question_skill"] == pytest.approx(0)
        assert silent["questions_missing"] == 24


@pytest.mark.parametrize("level", TWINS)
def test_the_twins_best_design_loses_both_missions(level):
    wrong = play(FAMILY, pair(level), RULES, "trap").score().numbers
    assert wrong["win"] == wrong["pair_win"] == 0
    assert wrong["gain"] < 0.5


@pytest.mark.parametrize("level", FLOWN)
def test_constant_and_templated_answers_earn_nothing(level):
    instance = pair(level)
    questions = draw_questions(instance.public, instance.secret)
    for answer in ANSWERS:
        constant = {f"q{n + 1}": answer for n in range(12)}
        graded = grade_answers(questions, instance.secret.twins, [constant, constant])
        assert graded["question_accuracy"] == pytest.approx(1 / 3)
        assert graded["question_skill"] == pytest.approx(-1)
    uniform = {f"q{n + 1}": dict.fromkeys(ANSWERS, 1 / 3) for n in range(12)}
    graded = grade_answers(questions, instance.secret.twins, [uniform, uniform])
    assert graded["question_skill"] == pytest.approx(0)
    assert graded["questions_missing"] == 0


@given(st.dictionaries(st.text(max_size=6) | st.sampled_from(ANSWERS), st.floats(), max_size=4))
def test_chances_are_chances_or_no_answer(given_chances):
    chances = read_chances(given_chances)
    if chances is not None:
        assert sum(chances.values()) == pytest.approx(1)
        assert all(0 <= value <= 1.05 for value in chances.values())


def test_honest_chances_score_best_in_expectation():
    honest, bold = {"up": 0.6, "down": 0.3, "none": 0.1}, {"up": 1.0, "down": 0.0, "none": 0.0}

    def brier(told):
        return sum(
            honest[truth] * sum((told[one] - (one == truth)) ** 2 for one in ANSWERS)
            for truth in ANSWERS
        )

    assert brier(honest) < brier(bold)


def test_code_decides_twenty_one_points():
    weights = {one.id: one.weight for one in criteria()}
    assert sum(weights[name] for name in COMPUTED if weights[name] > 0) == 21
    assert sum(weights[name] for name in COMPUTED if weights[name] < 0) == -9
    instance = pair()
    for player, points in (("oracle", 18), ("trap", -1), ("silent", 0)):
        episode = play(FAMILY, instance, RULES, player)
        assert episode.score().numbers["rubric_computed"] == points


def judged(instance, turns, reply):
    asked = []

    def answer(ask):
        asked.append(ask)
        return reply

    found = answer_questions(JUDGE.ask(instance, RULES, turns), answer)
    verdict = JUDGE.score(instance, RULES, turns, [Judgement(model="m", found=found)])
    return verdict, asked


def graded(quote, decided=COMPUTED):
    open_ones = [one for one in criteria() if one.id not in decided]
    return json.dumps(
        {
            "criteria": [
                {
                    "id": one.id,
                    "verdict": "NOT_SATISFIED" if one.penalty else "SATISFIED",
                    "evidence": [] if one.penalty else [quote],
                }
                for one in open_ones
            ]
        }
    )


def test_a_judge_is_asked_what_code_cannot_decide():
    instance = pair()
    turns = play(FAMILY, instance, RULES, "oracle").turns
    verdict, asked = judged(instance, turns, graded("Armour on a trap helps only"))
    assert len(asked) == 1
    assert "D1.1" in asked[0].system
    assert "TASK.M1" not in asked[0].system
    assert verdict.numbers["rubric_full"] == 18 + 13
    assert verdict.labels["judge"] == "decided"


@pytest.mark.parametrize("quote", ["I never said anything like this", "Armour"])
def test_a_grade_without_the_agents_words_is_not_given(quote):
    instance = pair()
    turns = play(FAMILY, instance, RULES, "oracle").turns
    verdict, asked = judged(instance, turns, graded(quote))
    assert len(asked) == 3
    assert verdict.labels["judge"] == "undecided"
    assert math.isnan(verdict.numbers["rubric_full"])
    assert verdict.unscored is None
    assert verdict.numbers["pair_win"] == 1
    assert verdict.numbers["rubric_computed"] == 18


def test_a_judge_of_an_archive_needs_quotations_too():
    instance = pair("archive-frontdoor")
    turns = play(FAMILY, instance, RULES, "oracle").turns
    verdict, asked = judged(instance, turns, graded("I never said anything like this", ()))
    assert len(asked) == 3
    assert verdict.labels["judge"] == "undecided"
    assert math.isnan(verdict.numbers["rubric_full"])
    assert verdict.numbers["pair_win"] == 1


def test_the_packet_tells_a_judge_how_the_games_work_and_marks_the_agents_words():
    instance = pair("twin-antenna")
    turns = play(FAMILY, instance, RULES, "causal").turns
    packet = pair_packet(replay_pair(instance, RULES, turns))
    assert "TASK REPORT" in packet.text
    assert "saves drones" in packet.text
    assert packet.text.count("\n| ") >= 3


def test_code_grades_nothing_of_an_archive():
    instance = pair("archive-frontdoor")
    turns = play(FAMILY, instance, RULES, "oracle").turns
    assert grade_by_code(replay_pair(instance, RULES, turns)) is None


def test_the_trace_knows_the_mission_and_the_best_design_tried_in_it():
    instance = pair()
    turns = play(FAMILY, instance, RULES, "screening").turns
    points = compute_turn_numbers(instance, RULES, turns)
    assert len(points) == len(turns)
    assert {point["mission"] for point in points} == {1.0, 2.0}
    assert points[-1]["drones"] == 720
