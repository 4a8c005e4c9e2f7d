"""The board of a table: all trials so far, a form for the next one, and two buttons to answer."""

from collections.abc import Sequence
from pathlib import Path

from causarium.contract.verdict import Verdict
from causarium.contract.views.play_page import (
    Board,
    Draft,
    Ending,
    Exchange,
    Meter,
    PlayPage,
    Problem,
)
from causarium.contract.world import Action
from ..levels import LinkRules
from ..model import Answer, LinkPublic, Trial, Watched
from ..play.wording import ask_question, tell_groups


def lay_out(public: LinkPublic, _rules: LinkRules, exchanges: Sequence[Exchange]) -> Board:
    """Return the board of a table: its rules in short, and every trial so far."""
    own = _list_own(exchanges)
    rows, left = (*public.watched, *own), public.trials - len(own)
    titles = [f"before {number}" for number in range(1, len(public.watched) + 1)]
    titles += [f"yours {number}" for number in range(1, len(own) + 1)]
    return Board(
        question=ask_question(public),
        meters=(Meter(left=left, of=public.trials, unit="trials"),) if public.trials else (),
        notes=(f"at most {public.hands} objects started or held",) if left else (),
        view={
            "objects": [
                {
                    "name": name,
                    "roles": _list_roles(public, name),
                    "cells": [_tell_cell(row, name) for row in rows],
                }
                for name in public.objects
            ],
            "target": public.target,
            "seen": ["moved" if row.moved else "still" for row in rows],
            "titles": titles,
            "newest": titles[-1] if own else "",
            "can_act": left > 0,
            "rules": _list_rules(public),
            "story": _tell_last(public, own, left),
        },
    )


def _list_own(exchanges: Sequence[Exchange]) -> list[Watched]:
    """Return the trials that were made, but for what was refused."""
    return [
        Watched(started=move.start, held=move.hold, moved=bool(one.seen.data["moved"]))
        for one in exchanges
        if isinstance(move := one.move, Trial) and one.seen.legal
    ]


def _list_roles(public: LinkPublic, name: str) -> list[str]:
    asked, lively = name == public.asked, name in public.lively
    return ["asked about"] * asked + ["lively"] * lively


def _tell_cell(row: Watched, name: str) -> str:
    return "started" if name in row.started else "held" if name in row.held else ""


def _list_rules(public: LinkPublic) -> list[str]:
    """Return the rules in short; the whole text is what an agent reads."""
    plan, target = public.plan, public.target
    hidden = f"Stoppers: {plan.stoppers}. Starters: {plan.starters}"
    return [
        f"The {target} moves when all objects of a group move and no stopper does. "
        f"{tell_groups(plan)}",
        f"{hidden}; a starter starts one object of another group. No object plays two parts.",
        "What is left alone stands still, unless it is lively or a starter starts it.",
        f"Either the {public.asked} is in the first group or a substitute is, both equally likely"
        + (": make a trial that would tell them apart." if public.trials else "."),
    ]


def _tell_last(public: LinkPublic, own: Sequence[Watched], left: int) -> str:
    if not public.trials:
        return "The trial made before decides the question. Now answer."
    if not own:
        return "Choose what to start and what to hold, then make a trial."
    seen = "moved" if own[-1].moved else "stood still"
    then = "Make another trial, or answer." if left else "Now answer."
    return f"In your last trial the {public.target} {seen}. {then}"


def read_draft(
    public: LinkPublic, _rules: LinkRules, exchanges: Sequence[Exchange], draft: Draft
) -> Action | tuple[Problem, ...]:
    """Return the trial or the answer of a button that was pressed, or what is wrong with it."""
    if draft.get("kind") == "answer":
        if draft.get("answer") in {"yes", "no"}:
            return Answer(answer=draft["answer"])
        return (Problem(field="answer", words="Press Yes or No."),)
    ways = {name: draft.get(f"set {name}", "") for name in public.objects}
    started, held = (
        tuple(name for name in public.objects if ways[name] == way) for way in ("start", "hold")
    )
    touched = len(started) + len(held)
    if len(_list_own(exchanges)) >= public.trials:
        words = "You have no trials left; now answer."
    elif touched > public.hands:
        words = f"You can start or hold at most {public.hands} objects, not {touched}."
    else:
        return Trial(start=started, hold=held)
    return (Problem(field="trial", words=words),)


def tell_ending(verdict: Verdict, _exchanges: Sequence[Exchange]) -> Ending:
    """Return the end of a table in words: whether the answer was right, and a trial decisive."""
    right, decisive = verdict.numbers["right"] == 1, verdict.numbers["decisive"] == 1
    sentences = {
        (True, True): "Right, and a trial was decisive.",
        (True, False): "Right, but no trial was decisive, so it counts nothing.",
        (False, True): "Wrong, although a trial was decisive.",
        (False, False): "Wrong, and no trial was decisive.",
    }
    given = verdict.answer
    return Ending(
        sentence=sentences[right, decisive] if given else "No answer was given.",
        facts={
            "answer": f"{given} {'✓' if right else '✗'}" if given else "none",
            "trials": f"{verdict.numbers['trials']:.0f}",
            "decisive": "yes" if decisive else "no",
        },
    )


PLAY_PAGE: PlayPage[LinkPublic, LinkRules] = PlayPage(
    folder=Path(__file__).parent,
    invitation="Does A cause B? Choose the trials that tell, then say.",
    lay_out=lay_out,
    read_draft=read_draft,
    tell_ending=tell_ending,
    editions=("certified",),
)
