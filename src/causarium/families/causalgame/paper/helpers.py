"""Paper edition: what judges add to a verdict: rubric numbers, failure pattern, their agreement.

With several judges the rubric numbers are the means of those who decided, and the first two of them
are compared. A judge that gave no usable grades is counted and left out; if none did, the rubric
numbers are nan and the label says so. What the fleet did is scored either way.
"""

from collections import Counter
from collections.abc import Sequence
from math import nan
from statistics import fmean
from typing import Any

from causarium.contract.companions import Helpers
from causarium.contract.texts.role_questions import Ask, Consultation, Judge, Judgement
from causarium.contract.texts.scan_reply import find_json_objects
from causarium.contract.turn import Turn
from causarium.contract.verdict import Verdict
from causarium.contract.world import Move
from causarium.scoring.rater_agreement import kappa
from .model.actions import Query
from .model.instance import GameInstance, GamePublic, GameSecret
from .model.rules import GameRules
from .play.wording import Wording
from .scoring.judge import (
    CRITERIA,
    NAMES,
    Grades,
    RubricReply,
    grade,
    packet,
    pattern,
    points,
)
from .scoring.score import recall, score_session


def ask(
    instance: GameInstance, rules: GameRules, turns: Sequence[Turn]
) -> Consultation[dict[str, Any]]:
    """Have one judge grade the report on a session."""
    evidence = packet(instance.secret.game, recall(instance, rules, turns))
    return (yield from grade(evidence, rules.prompts))


def _score_judged(
    instance: GameInstance, rules: GameRules, turns: Sequence[Turn], judgements: Sequence[Judgement]
) -> Verdict:
    """Return the verdict with what the judges found."""
    plain = score_session(instance, rules, turns)
    found = [RubricReply.model_validate(judgement.found) for judgement in judgements]
    decided = [one.grades for one in found if one.grades is not None]
    numbers = {
        "judges": float(len(decided)),
        "judges_undecided": float(len(found) - len(decided)),
        "invented_quotes": float(sum(one.invented_quotes for one in found)),
        **compare_judges(decided),
    }
    if decided:
        each = [points(grades) for grades in decided]
        scored = {name: fmean(one[name] for one in each) for name in each[0]}
        named = pattern(scored, survival=plain.numbers["survival"], won=plain.numbers["win"] == 1)
        numbers |= scored
        labels = {"judge": "decided", "pattern": f"{named}: {NAMES[named]}"}
        headline, full = scored["rubric_headline"], scored["rubric_full"]
        said = f"Rubric: {headline:g} of 16, {full:g} of 34."
    else:
        labels = {"judge": "undecided"}
        said = f"No judge decided: {'; '.join(one.problem for one in found)}."
    return plain.model_copy(
        update={
            "numbers": {**plain.numbers, **numbers},
            "labels": {**plain.labels, **labels},
            "explanation": f"{plain.explanation} {said}",
        }
    )


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
    first, second = ([grades[one.id] for one in CRITERIA] for grades in decided[:2])
    same = fmean(a == b for a, b in zip(first, second, strict=True))
    return {**found, "judge_agreement": same, "judge_kappa": kappa(first, second)}


MOST_QUANTITIES = 8
_MOST_QUANTITY_CHARS = 60


def _interpret(public: GamePublic, rules: GameRules, move: Move) -> Consultation[Move] | None:
    """Have a model in the role `interpreter` restate a question; None where there is none."""
    if not isinstance(move, Query):
        return None
    words = Wording(public, rules)
    user = words.fill_text("interpreter_user", question=move.question[:1000])
    return _restate_query(move, words.fill_text("interpreter_system"), user)


def _restate_query(move: Query, system: str, user: str) -> Consultation[Move]:
    """Have a model restate a question as quantities; what it says otherwise changes nothing."""
    reply = yield Ask(role="interpreter", system=system, user=user)
    for found in find_json_objects(reply):
        listed = found.get("quantities")
        if isinstance(listed, list):
            texts = [one[:_MOST_QUANTITY_CHARS] for one in listed if isinstance(one, str)]
            reading = tuple(texts[:MOST_QUANTITIES]) or None
            return move.model_copy(update={"reading": reading})
    return move


HELPERS: Helpers[GamePublic, GameSecret, GameRules] = Helpers(
    judge=Judge(ask=ask, score=_score_judged),
    repair_move=_interpret,
    repair_roles=("interpreter",),
)
