"""The board of a crystal: all experiments, a form for the next one, and the questions."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from causarium.contract.verdict import Verdict
from causarium.contract.views.play_page import (
    MOST_DRAFT_NUMBER,
    Board,
    Draft,
    Ending,
    Exchange,
    Meter,
    PlayPage,
    Problem,
)
from causarium.contract.world import Action
from ..levels import LadderRules
from ..model.actions import Answer, Hold
from ..model.instance import LEVELS, LadderPublic, Question
from ..play.wording import count_words, write_list, write_question

_PARTS = ("stem", "rising", "falling")
_SIGNS = {"up": "▲", "down": "▼", "rest": "■", "same": "="}


def lay_out(public: LadderPublic, _rules: LadderRules, exchanges: Sequence[Exchange]) -> Board:
    """Return the board of a crystal: every experiment so far, and the questions once asked."""
    own = _list_own(exchanges)
    rows = [(dict(one.hold), str(one.reading)) for one in public.made] + own
    questions = list_asked(public, exchanges)
    left = public.budget - len(own)
    return Board(
        question=ask_question(public),
        meters=(Meter(left=left, of=public.budget, unit="experiments"),) if public.budget else (),
        notes=(f"hold at most {count_words(public.holds, 'property', 'properties')} at once",)
        if left and not questions
        else (),
        view={
            "properties": [
                {
                    "name": name,
                    "can_hold": name in public.holdable,
                    "cells": [_write_cell(hold.get(name, "")) for hold, _ in rows],
                }
                for name in public.names
            ],
            "readings": [_write_cell(reading) for _, reading in rows],
            "levels": list(LEVELS),
            "can_hold": not questions,
            "questions": [
                {
                    "words": write_question(one),
                    "options": public.list_answers(one.kind),
                }
                for one in questions
            ],
            "rules": _list_rules(public),
        },
    )


def ask_question(public: LadderPublic) -> str:
    """Return the task in one sentence."""
    if public.questions:
        return write_question(public.questions[0])
    count = count_words(len(public.asked), "question", "questions")
    return f"Find out what acts on the frequency of this crystal; {count} will be asked."


def list_asked(public: LadderPublic, exchanges: Sequence[Exchange]) -> tuple[Question, ...]:
    """Return the questions once they are asked."""
    for one in exchanges:
        if isinstance(asked := one.seen.data.get("questions"), list):
            return tuple(Question.model_validate(question) for question in asked)
    return public.questions


def _list_own(exchanges: Sequence[Exchange]) -> list[tuple[dict[str, Any], str]]:
    """Return the experiments that were made, each with its reading, but for what was refused."""
    return [
        (one.move.hold, str(one.seen.data["reading"]))
        for one in exchanges
        if isinstance(one.move, Hold) and "reading" in one.seen.data
    ]


def _write_cell(level: str) -> dict[str, str]:
    return {"word": level, "sign": _SIGNS.get(level, "")}


def _list_rules(public: LadderPublic) -> list[str]:
    """Return the rules in short; the whole text is what an agent reads."""
    skeleton = public.skeleton
    lengths = [f"{part} {getattr(skeleton, part)}" for part in _PARTS if getattr(skeleton, part)]
    feeds = "The stem is the cause of both paths. " if skeleton.stem else ""
    rules = [
        "Left alone, all is at rest. What you hold stays; what you do not hold moves with its "
        "cause.",
        f"Properties in a row: {', '.join(lengths)}. {feeds}Idle: {skeleton.idle}, with no causes "
        "and no effects.",
        "The frequency goes up if the end of the rising path is higher than that of the falling "
        "path, down if it is lower.",
    ]
    gates, said = list[str](), list[str]()
    if skeleton.gates > 0:
        gates.append("The rising path counts only while its gate is up")
    if skeleton.gates > 1:
        gates.append("the falling path only while its own is not up")
    if gates:
        said.append(write_list(gates))
    if public.fixed:
        said.append(f"{write_list(public.fixed)} cannot be held here; one of them is idle")
    return rules + [f"{'. '.join(said)}."] * bool(said)


def read_draft(
    public: LadderPublic, _rules: LadderRules, _exchanges: Sequence[Exchange], draft: Draft
) -> Action | tuple[Problem, ...]:
    """Return the experiment or the answers that were entered, or what is wrong with them."""
    kind = draft.get("kind", "")
    if kind == "stop":
        return Hold(hold={})
    if kind == "answer":
        return _read_answers(public, draft)
    hold = {name: draft.get(f"set {name}", "") for name in public.holdable}
    hold = {name: level for name, level in hold.items() if level in LEVELS}
    if not hold:
        words = "Choose what to hold, or go to the questions."
    elif len(hold) > public.holds:
        words = f"You can hold at most {public.holds} properties at once, not {len(hold)}."
    else:
        return Hold(hold=hold)
    return (Problem(field="experiment", words=words),)


def _read_answers(public: LadderPublic, draft: Draft) -> Action | tuple[Problem, ...]:
    said = [draft.get(f"answer {number}", "") for number in range(len(public.asked))]
    offered = [public.list_answers(kind) for kind in public.asked]
    unknown = [word for word, one in zip(said, offered, strict=True) if word and word not in one]
    if unknown:
        words = f"“{unknown[0][:MOST_DRAFT_NUMBER]}” is not on offer."
        return (Problem(field="answer", words=words),)
    if not any(said):
        return (Problem(field="answer", words="Choose an answer."),)
    return Answer(answers=tuple(word or None for word in said))


def tell_ending(verdict: Verdict, exchanges: Sequence[Exchange]) -> Ending:
    """Return the end of an episode in words: the share of the answers that are right."""
    right, given = verdict.numbers["right"], verdict.answer
    if given is None:
        sentence = "Nothing was answered."
    elif right in {0, 1}:
        sentence = "Right." if right == 1 else "Wrong."
    else:
        sentence = f"{right:.0%} of the answers are right."
    return Ending(
        sentence=sentence,
        facts={
            "answer": given or "none",
            "score": f"{verdict.numbers['score']:.2f}",
            "experiments": str(len(_list_own(exchanges))),
        },
    )


PLAY_PAGE: PlayPage[LadderPublic, LadderRules] = PlayPage(
    folder=Path(__file__).parent,
    invitation="Experiment on a crystal, then say what it does next.",
    lay_out=lay_out,
    read_draft=read_draft,
    tell_ending=tell_ending,
    editions=("certified",),
)
