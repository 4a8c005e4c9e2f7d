"""Grading answers to questions by a proper score: honest chances score best in expectation."""

from collections.abc import Mapping, Sequence
from math import isfinite, nan
from statistics import fmean

from causarium.families.causalgame.generation.draw_questions import ANSWERS, Question
from causarium.families.causalgame.interface.twin_wording import name_question

UNIFORM: dict[str, float] = dict.fromkeys(ANSWERS, 1 / 3)
CHANCE = 2 / 3
"""The Brier score of knowing nothing."""
_SLACK = 0.02
"""Chances that add up to 1 within this are taken as they are meant."""


def read_chances(answer: object) -> dict[str, float] | None:
    """Return the chances that an answer gives; None if it is no answer.

    Example:
        >>> read_chances("up")
        {'up': 1.0, 'down': 0.0, 'none': 0.0}
        >>> read_chances({"up": 2, "down": -1})
    """
    if isinstance(answer, str):
        word = answer.strip().lower()
        return {one: float(one == word) for one in ANSWERS} if word in ANSWERS else None
    if not isinstance(answer, Mapping):
        return None
    given = {str(word).strip().lower(): value for word, value in answer.items()}
    chances = {one: given.get(one, 0.0) for one in ANSWERS}
    whole = sum(chances.values())
    legal = all(isfinite(value) and value >= 0 for value in given.values())
    if not legal or set(given) - set(ANSWERS) or abs(whole - 1) > _SLACK:
        return None
    return {one: value / whole for one, value in chances.items()}


def grade_answers(
    questions: Sequence[Question],
    twins: Sequence[bool],
    answers: Sequence[Mapping[str, object]],
) -> dict[str, float]:
    """Return the numbers of the questions of all missions.

    Args:
        questions: What was asked about each mission.
        twins: For each mission, whether the second twin was flown.
        answers: What was answered about each mission, as far as anybody came.
    """
    if not questions:
        names = ("question_skill", "question_accuracy", "crux_accuracy", "questions_missing")
        return dict.fromkeys(names, nan)
    briers, rights, cruxes, missing = [], [], [], 0
    for mission, twin in enumerate(twins):
        given = answers[mission] if mission < len(answers) else {}
        for place, question in enumerate(questions):
            chances = read_chances(given.get(name_question(place)))
            missing += chances is None
            told = chances or UNIFORM
            truth = question.truth[twin]
            briers.append(sum((told[one] - (one == truth)) ** 2 for one in ANSWERS))
            right = share_of_point(told, truth)
            rights.append(right)
            if question.about == "trap":
                cruxes.append(right)
    return {
        "question_skill": 1 - fmean(briers) / CHANCE,
        "question_accuracy": fmean(rights),
        "crux_accuracy": fmean(cruxes),
        "questions_missing": float(missing),
    }


def share_of_point(chances: Mapping[str, float], truth: str) -> float:
    """Return 1 if the truth is likeliest, a share of it if others are as likely, else 0."""
    best = max(chances.values())
    likeliest = [one for one, value in chances.items() if value >= best - 1e-12]
    return 1 / len(likeliest) if truth in likeliest else 0.0
