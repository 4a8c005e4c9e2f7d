"""Asking a judge for the rubric's grades, and reading what it replies.

A reply counts only if it is one JSON object that grades each criterion exactly once, with a grade
which that criterion can have. A judge that replies otherwise is told what is wrong and asked again,
twice at most; after that it has not decided, and its rubric numbers are nan.
"""

from collections.abc import Sequence
from pathlib import Path
from string import Template
from typing import Any

from pydantic import Field, ValidationError, field_validator

from causarium.contract.frozen import AgentInput
from causarium.contract.texts.prompt_texts import read_text, split_parts
from causarium.contract.texts.replies import describe_validation_error, excerpt, find_json_object
from causarium.contract.texts.role_questions import Ask, Consultation
from causarium.contract.unparsed import Unparsed
from causarium.families.causalgame.scoring.published.rubric import (
    WORTH,
    Criterion,
    Grade,
    criteria,
    make_empty_grades,
)

ROLE = "judge"
MOST_ASKED = 3
"""A judge is asked once, and again at most twice."""
_TEXTS = Path(__file__).parents[2] / "prompts" / "judge.md"
_SLOTS = {
    "system": {"criteria"},
    "user": {"packet", "count"},
    "again": {"packet", "count", "problem"},
}
_NEEDED = {
    "system": {"criteria"},
    "user": {"packet"},
    "again": {"packet", "problem"},
}


class CriterionGrade(AgentInput):
    """What a judge says of one criterion."""

    id: str
    verdict: Grade
    score: float | None = None
    """What the judge takes the verdict to be worth; it must be what it is worth."""
    confidence: float | None = Field(default=None, ge=0, le=1)
    reasoning: str = ""
    evidence: list[str] = Field(default_factory=list)

    @field_validator("verdict", mode="before")
    @classmethod
    def _one_spelling(cls, value: object) -> object:
        return value.strip().upper().replace(" ", "_") if isinstance(value, str) else value


class Grading(AgentInput):
    """What a judge says of one session."""

    criteria: list[CriterionGrade] = Field(max_length=100)
    overall_notes: str = ""


class RubricReply(AgentInput):
    """What came of asking one judge; kept in the log."""

    grades: dict[str, Grade] | None = None
    """By criterion; None when the judge did not decide."""
    problem: str = ""
    """Why it did not."""
    asked: int
    """How many times it was asked; 0 when there was nothing to grade."""
    confidence: dict[str, float | None] = Field(default_factory=dict)
    reasons: dict[str, str] = Field(default_factory=dict)
    quotes: dict[str, list[str]] = Field(default_factory=dict)
    invented_quotes: int = 0
    """Quotations that do not stand in the agent's words."""
    notes: str = ""


def grade(
    packet: str, report: str, words: str, prompts: str | None = None
) -> Consultation[dict[str, Any]]:
    """Ask one judge, again where its reply cannot be used.

    Args:
        packet: The whole evidence packet.
        report: The agent's final report; without one, nobody is asked and nothing is met.
        words: All of the agent's words in the packet, which quotations must come from.
        prompts: A folder that may have the user's own texts, in place of ours.
    """
    if not report.strip():
        return RubricReply(grades=make_empty_grades(), asked=0).model_dump(mode="json")
    asked_for = criteria()
    system = _text("system", prompts).substitute(criteria=list_criteria(asked_for))
    slots = {"packet": packet, "count": len(asked_for)}
    user = _text("user", prompts).substitute(slots)
    problem = ""
    for asked in range(1, MOST_ASKED + 1):
        reply = yield Ask(role=ROLE, system=system, user=user)
        read = read_grading(reply)
        if isinstance(read, Grading):
            return _collect_grades(read, words, asked).model_dump(mode="json")
        problem = read
        user = _text("again", prompts).substitute({**slots, "problem": problem})
    return RubricReply(problem=problem, asked=MOST_ASKED).model_dump(mode="json")


def list_criteria(asked: Sequence[Criterion]) -> str:
    """Write criteria out for a judge."""
    return "\n".join(
        f"- {one.id} ({'penalty' if one.penalty else 'weight'} {abs(one.weight)}"
        f"{', mandatory' if one.mandatory else ''}). {one.title}: {one.asks}"
        for one in asked
    )


def read_grading(reply: str, asked: Sequence[Criterion] | None = None) -> Grading | str:
    """Read a judge's reply; what comes back as a text is what is wrong with it."""
    value = find_json_object(reply, mode=ROLE)
    if isinstance(value, Unparsed):
        return value.detail
    try:
        grading = Grading.model_validate(value)
    except ValidationError as wrong:
        return describe_validation_error(wrong)
    return complaint(grading.criteria, asked) or grading


def complaint(graded: Sequence[CriterionGrade], asked: Sequence[Criterion] | None = None) -> str:
    """Say what is wrong with a set of grades; nothing if all criteria are there, once, legally."""
    known = {one.id: one for one in asked or criteria()}
    given = [one.id for one in graded]
    if missing := [name for name in known if name not in given]:
        return f"no grade for {', '.join(missing)}"
    if unknown := sorted({name for name in given if name not in known}):
        return f"no such criterion: {excerpt(', '.join(unknown))}"
    if twice := sorted({name for name in given if given.count(name) > 1}):
        return f"more than one grade for {', '.join(twice)}"
    if illegal := [one.id for one in graded if one.verdict not in known[one.id].grades]:
        return f"a penalty applies or does not, it is never partly met: {', '.join(illegal)}"
    if odd := [one.id for one in graded if one.score not in (None, WORTH[one.verdict])]:
        return f"the score is not that of the verdict: {', '.join(odd)}"
    return ""


def _collect_grades(grading: Grading, words: str, asked: int) -> RubricReply:
    plain = _strip_punctuation(words)
    quotes = {one.id: [quote[:300] for quote in one.evidence[:5]] for one in grading.criteria}
    invented = sum(
        _strip_punctuation(quote) not in plain for some in quotes.values() for quote in some
    )
    return RubricReply(
        grades={one.id: one.verdict for one in grading.criteria},
        asked=asked,
        confidence={one.id: one.confidence for one in grading.criteria},
        reasons={one.id: one.reasoning[:500] for one in grading.criteria},
        quotes=quotes,
        invented_quotes=invented,
        notes=grading.overall_notes[:1000],
    )


def _strip_punctuation(text: str) -> str:
    """Return only what is read aloud, so that dots and line ends make no quotation false."""
    return " ".join("".join(c if c.isalnum() else " " for c in text.casefold()).split())


def _text(name: str, prompts: str | None) -> Template:
    own = Path(prompts) / "judge" / f"{name}.md" if prompts else None
    if own is not None and own.is_file():
        return read_text(own, needed=_NEEDED[name], allowed=_SLOTS[name])
    return split_parts("judge", _TEXTS.read_text(encoding="utf-8"))[f"judge_{name}"]
