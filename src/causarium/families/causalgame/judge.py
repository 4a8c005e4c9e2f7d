"""The judge's part in a verdict: rubric numbers, failure pattern, and how far judges agree.

With several judges the rubric numbers are the means of those who decided, and the first two of them
are compared. A judge that gave no usable grades is counted and left out; if none did, the rubric
numbers are nan and the label says so. What the fleet did is scored either way.
"""

from collections import Counter
from collections.abc import Sequence
from math import nan
from statistics import fmean
from typing import Any

from causarium.contract.texts.role_questions import Consultation, Judge, Judgement
from causarium.contract.turn import Turn
from causarium.contract.verdict import Verdict
from causarium.families.causalgame.config import GameRules
from causarium.families.causalgame.instance import (
    AnyGame,
    AnyPublic,
    AnySecret,
    as_session,
    is_twin,
)
from causarium.families.causalgame.score import score
from causarium.families.causalgame.scoring.claims.failure_patterns import NAMES, pattern
from causarium.families.causalgame.scoring.computed_rubric import grade_by_code
from causarium.families.causalgame.scoring.judge_packet import packet
from causarium.families.causalgame.scoring.pair_packet import pair_packet
from causarium.families.causalgame.scoring.replayed_pair import replay_pair
from causarium.families.causalgame.scoring.replayed_session import recall
from causarium.families.causalgame.scoring.rubric import Grades, criteria, points
from causarium.families.causalgame.scoring.rubric_judge import Found, grade
from causarium.scoring.rater_agreement import kappa


def ask(instance: AnyGame, rules: GameRules, turns: Sequence[Turn]) -> Consultation[dict[str, Any]]:
    """Have one judge grade the report on a session, or on a twin pair."""
    if is_twin(instance):
        pair = replay_pair(instance, rules, turns)
        evidence, decided = pair_packet(pair), tuple(grade_by_code(pair) or ())
    else:
        session = as_session(instance)
        evidence, decided = packet(session.secret.game, recall(session, rules, turns)), ()
    found = yield from grade(
        *(evidence.text, evidence.report, evidence.words, rules.prompts),
        decided=decided,
        quoted=is_twin(instance),
    )
    return found


def score_judged(
    instance: AnyGame,
    rules: GameRules,
    turns: Sequence[Turn],
    judgements: Sequence[Judgement],
) -> Verdict:
    """Return the verdict with what the judges found."""
    plain = score(instance, rules, turns)
    found = [Found.model_validate(judgement.found) for judgement in judgements]
    by_code = (
        (grade_by_code(replay_pair(instance, rules, turns)) or {}) if is_twin(instance) else {}
    )
    decided = [{**one.grades, **by_code} for one in found if one.grades is not None]
    numbers = {
        "judges": float(len(decided)),
        "judges_undecided": float(len(found) - len(decided)),
        "invented_quotes": float(sum(one.invented_quotes for one in found)),
        **compare_judges(decided),
    }
    problems = "; ".join(one.problem for one in found if one.grades is None)
    if not decided:
        return plain.model_copy(
            update={
                "numbers": {**plain.numbers, **numbers},
                "labels": {**plain.labels, "judge": "undecided"},
                "explanation": f"{plain.explanation} No judge decided: {problems}.",
            }
        )
    scored = mean_points(decided)
    named = pattern(scored, survival=plain.numbers["survival"], won=plain.numbers["win"] == 1)
    return plain.model_copy(
        update={
            "numbers": {**plain.numbers, **numbers, **scored},
            "labels": {**plain.labels, "judge": "decided", "pattern": f"{named}: {NAMES[named]}"},
            "explanation": f"{plain.explanation} Rubric: {scored['rubric_headline']:g} of 16, "
            f"{scored['rubric_full']:g} of 34.",
        }
    )


def mean_points(decided: Sequence[Grades]) -> dict[str, float]:
    """Return the rubric's numbers, averaged over the judges who decided."""
    each = [points(grades) for grades in decided]
    return {name: fmean(one[name] for one in each) for name in each[0]}


def compare_judges(decided: Sequence[Grades]) -> dict[str, float]:
    """Return what each of the first two judges gave, and how far they agree."""
    found: dict[str, float] = {}
    for place, name in enumerate(("judge_first", "judge_second")):
        grades = decided[place] if place < len(decided) else None
        given = Counter(grades.values()) if grades else None
        found |= {
            name: points(grades)["rubric_full"] if grades else nan,
            f"{name}_met": float(given["SATISFIED"]) if given else nan,
            f"{name}_partly": float(given["PARTIALLY_SATISFIED"]) if given else nan,
        }
    if len(decided) < 2:
        return {**found, "judge_agreement": nan, "judge_kappa": nan}
    first, second = ([grades[one.id] for one in criteria()] for grades in decided[:2])
    same = fmean(a == b for a, b in zip(first, second, strict=True))
    return {**found, "judge_agreement": same, "judge_kappa": kappa(first, second)}


JUDGE: Judge[AnyPublic, AnySecret, GameRules] = Judge(ask=ask, score=score_judged)
