"""CausalLink for people: tiles to start and stop, or a table of runs with boxes to tick."""

from collections.abc import Sequence
from math import cos, pi, sin
from pathlib import Path
from typing import cast

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
from causarium.families.causallink.model.config import LinkRules
from causarium.families.causallink.model.instance import (
    Answer,
    Intervene,
    LinkPublic,
    MachinePublic,
    Run,
)
from causarium.families.causallink.model.theme import Theme, theme
from causarium.families.causallink.play.wording import ask_question, word_needs

CIRCLE = "M32 8a24 24 0 1 0 .01 0z"


def _polygon(corners: int, *, turned: float = 0.0, inner: float | None = None) -> str:
    """Return a regular polygon, or a star where an inner radius is given."""
    count = corners if inner is None else 2 * corners
    points = []
    for place in range(count):
        radius = 26.0 if inner is None or place % 2 == 0 else inner
        angle = -pi / 2 + turned + 2 * pi * place / count
        points.append(f"{32 + radius * cos(angle):.1f} {32 + radius * sin(angle):.1f}")
    return f"M{'L'.join(points)}z"


SHAPES = {
    "circle": CIRCLE,
    "square": "M11 11h42v42h-42z",
    "triangle": _polygon(3),
    "rectangle": "M6 18h52v28h-52z",
    "hexagon": _polygon(6),
    "pentagon": _polygon(5),
    "octagon": _polygon(8, turned=pi / 8),
    "ellipse": "M32 16a26 16 0 1 0 .01 0z",
    "star": _polygon(5, inner=11.0),
    "heart": "M32 56C8 40 4 28 8 19c4-9 18-11 24 1 6-12 20-10 24-1 4 9 0 21-24 37z",
    "crescent": "M42 8a25 25 0 1 0 0 48 20 20 0 0 1 0-48z",
    "cross": "M24 7h16v17h17v16h-17v17h-16v-17h-17v-16h17z",
}

ANSWERS = ("yes", "no")
_SCORE = "You score if you are right and your run would have come out differently otherwise."


def lay_out(public: LinkPublic, rules: LinkRules, exchanges: Sequence[Exchange]) -> Board:
    """Return how a case stands: every thing, and what was seen of it so far.

    Args:
        public: What is shown of the case.
        rules: How it is played.
        exchanges: What was done and answered.
    """
    del rules
    if public.machine is not None:
        return _lay_out_log(public, public.machine, exchanges)
    words = theme(public.theme)
    acts = [one for one in exchanges if isinstance(one.move, Intervene)]
    states = [frozenset(public.moving), *(_active(act) for act in acts)]
    moves = [cast("Intervene", act.move) for act in acts]
    return Board(
        question=ask_question(public),
        meters=(Meter(left=public.cap - len(acts), of=public.cap, unit="actions"),),
        view={
            "is_log": False,
            "things": [
                {
                    "name": name,
                    "active": name in states[-1],
                    "state": words.active if name in states[-1] else words.inactive,
                    "is_asked": name in {public.cause, public.effect},
                    "path": SHAPES.get(name, CIRCLE),
                    "dots": [
                        {
                            "active": name in state,
                            "state": words.active if name in state else words.inactive,
                            "acted": bool(step and moves[step - 1].shape == name),
                        }
                        for step, state in enumerate(states)
                    ],
                }
                for name in public.shapes
            ],
            "steps": len(acts),
            "start": words.start,
            "stop": words.stop,
            "active": words.active,
            "inactive": words.inactive,
            "can_act": len(acts) < public.cap,
            "story": _tell_last(words, moves, states),
        },
    )


def _lay_out_log(public: LinkPublic, shown: MachinePublic, exchanges: Sequence[Exchange]) -> Board:
    """Return the log as a table of runs, with the person's own run below it."""
    words = theme(public.theme)
    runs = [one for one in exchanges if isinstance(one.move, Run) and one.seen.legal]
    roles = {public.cause: "asked about", shown.companion: "or this one", public.effect: "target"}
    names = (*public.parts, public.effect)
    rows: list[dict[str, object]] = [
        {
            "title": f"run {number}",
            "cells": [
                _state(words, on=row.target if name == public.effect else name in row.moved)
                for name in names
            ],
        }
        for number, row in enumerate(shown.log, 1)
    ]
    for one in runs:
        moved = set(cast("Run", one.move).move)
        target = public.effect in cast("list[str]", one.seen.data["moving"])
        cells = [_state(words, on=name in moved) for name in public.parts]
        rows.append({"title": "your run", "cells": [*cells, _state(words, on=target)]})
    return Board(
        question=ask_question(public),
        meters=(Meter(left=1 - len(runs), of=1, unit="runs"),),
        view={
            "is_log": True,
            "head": [
                {"name": name, "role": roles.get(name, ""), "path": SHAPES.get(name, CIRCLE)}
                for name in names
            ],
            "rows": rows,
            "parts": public.parts,
            "active": words.active,
            "inactive": words.inactive,
            "effect": public.effect,
            "can_act": not runs,
            "law": _tell_law(public, shown),
            "story": "Tick what is to be set, then make your one run."
            if not runs
            else f"In your run {public.effect} is {cast('list[str]', rows[-1]['cells'])[-1]}. "
            "Now answer.",
        },
    )


def _state(words: Theme, *, on: bool) -> str:
    return words.active if on else words.inactive


def _tell_law(public: LinkPublic, shown: MachinePublic) -> list[str]:
    needs = word_needs(shown, theme(public.theme))
    return [
        f"{public.effect} follows from the others: two helpers, two rivals and two guards. No "
        "rival is a guard. One helper is a rival or a guard as well, the other one is neither.",
        "It needs the guards to allow it and something to drive it.",
        f"The guards allow it if {needs['allowed']}.",
        f"The rivals drive it if {needs['rivalled']}.",
        f"{public.cause} or {shown.companion}, never both, drives it if, of the helpers, "
        f"{needs['helped']}. In some run that makes a difference.",
        _SCORE,
    ]


def _active(exchange: Exchange) -> frozenset[str]:
    return frozenset(map(str, cast("list[str]", exchange.seen.data["moving"])))


def _tell_last(words: Theme, moves: Sequence[Intervene], states: Sequence[frozenset[str]]) -> str:
    """Say what the last action was and what else changed."""
    if not moves:
        return f"Start or stop one of the {words.things} and see what else changes."
    last = moves[-1]
    before, after = states[-2:]
    stops = last.action == words.stop
    told = f"You {'stopped' if stops else 'started'} {last.shape}"
    if stops and last.shape in after:
        told += f"; it is still {words.active}, because something keeps it going"
    changed = sorted((after ^ before) - {last.shape})
    if not changed:
        return f"{told}. Nothing else changed."
    named = changed[0] if len(changed) == 1 else f"{', '.join(changed[:-1])} and {changed[-1]}"
    return f"{told}. Now {_state(words, on=changed[0] in after)} too: {named}."


def read_draft(
    public: LinkPublic, rules: LinkRules, exchanges: Sequence[Exchange], draft: Draft
) -> Action | tuple[Problem, ...]:
    """Return the action or the answer of a button that was pressed.

    Args:
        public: What is shown of the case.
        rules: How it is played.
        exchanges: What was done and answered.
        draft: What was pressed and ticked.
    """
    del rules
    if draft.get("kind") == "answer":
        answer = draft.get("answer", "")
        if answer not in ANSWERS:
            return (Problem(field="answer", words="Press Yes or No."),)
        return Answer(answer=answer)
    read = _read_act if public.machine is None else _read_run
    return read(public, exchanges, draft)


def _read_run(
    public: LinkPublic, exchanges: Sequence[Exchange], draft: Draft
) -> Action | tuple[Problem, ...]:
    if any(isinstance(one.move, Run) and one.seen.legal for one in exchanges):
        return (Problem(field="move", words="You have made your run; now answer."),)
    return Run(move=tuple(name for name in public.parts if draft.get(f"move {name}")))


def _read_act(
    public: LinkPublic, exchanges: Sequence[Exchange], draft: Draft
) -> Action | tuple[Problem, ...]:
    words = theme(public.theme)
    shape, action = draft.get("shape", ""), draft.get("action", "")
    if shape not in public.shapes:
        return (Problem(field="shape", words=f"There is no “{shape[:40]}” here."),)
    if action not in {words.start, words.stop}:
        return (Problem(field="action", words="Press Start or Stop."),)
    acts = [one for one in exchanges if isinstance(one.move, Intervene)]
    is_active = shape in (_active(acts[-1]) if acts else public.moving)
    if is_active == (action == words.start):
        still = f"{shape} is {_state(words, on=is_active)} already: that would change nothing."
        return (Problem(field="action", words=f"{still} No action was used."),)
    if len(acts) >= public.cap:
        return (Problem(field="action", words=f"All {public.cap} actions are used; now answer."),)
    return Intervene(shape=shape, action=action)


def tell_ending(verdict: Verdict, exchanges: Sequence[Exchange]) -> Ending:
    """Say whether the answer was right, and whether what was done or luck made it so.

    Args:
        verdict: The verdict on the game.
        exchanges: What was done and answered.
    """
    acts = sum(isinstance(one.move, Intervene | Run) and one.seen.legal for one in exchanges)
    right = verdict.numbers.get("accuracy") == 1
    settled = verdict.labels.get("evidence") in {"determined", "decisive"}
    by = "your run" if "share" in verdict.numbers else "the evidence"
    sentences = {
        (True, True): f"Right, and {by} settles it.",
        (True, False): f"Right, though {by} did not settle it.",
        (False, True): f"Wrong, although {by} settles it.",
        (False, False): "Wrong, and nothing settled it.",
    }
    given = verdict.answer is not None
    sentence = sentences[right, settled] if given else "No answer was given."
    return Ending(
        sentence=sentence,
        facts={
            "answer": f"{verdict.answer} {'✓' if right else '✗'}" if verdict.answer else "none",
            "actions": str(acts),
            "settled": "yes" if settled else "no",
        },
    )


PLAY_PAGE: PlayPage[LinkPublic, LinkRules] = PlayPage(
    folder=Path(__file__).parent,
    invitation="Does A cause B? Choose the run that tells, then say.",
    lay_out=lay_out,
    read_draft=read_draft,
    tell_ending=tell_ending,
)
