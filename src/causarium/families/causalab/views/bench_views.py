"""The bench for people: its board, its replays, and how episodes ended."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from causarium.contract.turn import Turn
from causarium.contract.verdict import Verdict
from causarium.contract.views.play_page import (
    Board,
    Draft,
    Ending,
    Exchange,
    Meter,
    PlayPage,
    Problem,
    read_arrows,
    read_whole,
)
from causarium.contract.views.scene import (
    Graph,
    Line,
    NodeState,
    ReplayScene,
    Scene,
    list_turn_steps,
)
from causarium.contract.world import Action
from ..model.actions import Answer, Enter, Hold, Lock
from ..model.bench import BenchInstance, BenchPublic, Question
from ..model.config import LabRules
from ..play.bench_world import BenchWorld, write_question
from ..play.dialog import open_bench_again
from ..scoring.bench_score import fold_arrows, list_right, share_settled
from .scene import add_frames

_MOST_ARROWS = 80
_QUESTION = "What will the reactor's crystal read when properties of it are held?"


def lay_out_bench(public: BenchPublic, _rules: LabRules, exchanges: Sequence[Exchange]) -> Board:
    """Return how an episode stands: every reading, what can be held, and the questions if asked."""
    rows: list[dict[str, Any]] = []
    asked: dict[str, Any] = {}
    for move, seen in exchanges:
        if isinstance(move, Hold) and "readings" in seen.data:
            rows.append(_make_row(public, move, cast("list[int]", seen.data["readings"])))
        if "questions" in seen.data:
            asked = dict(seen.data)
    questions = [
        _show(write_question(Question(holds=one["holds"], asked=one["asked"], kind="held")))
        for one in asked.get("questions", ())
    ]
    return Board(
        question=_QUESTION,
        meters=(Meter(left=public.budget - len(rows), of=public.budget, unit="experiments"),),
        notes=(
            f"whole weights, −{public.largest} to {public.largest}, never 0; "
            "at most two direct causes each",
        ),
        view={
            "names": list(public.nodes),
            "holdable": [_describe_range(public, name) for name in public.holdable],
            "fixed": [name for name in public.names if name not in public.holdable],
            "asks": public.questions,
            "rest": [_show(value) for value in public.manipulator],
            "rows": rows,
            "is_locked": bool(asked),
            "reactor": [_show(value) for value in asked.get("reactor", ())],
            "questions": questions,
        },
    )


def _describe_range(public: BenchPublic, name: str) -> dict[str, str]:
    rest = public.manipulator[public.names.index(name)]
    ends = {"low": rest - public.limit, "rest": rest, "high": rest + public.limit}
    return {"name": name, **{end: _show(value) for end, value in ends.items()}}


def _make_row(public: BenchPublic, move: Hold, readings: Sequence[int]) -> dict[str, Any]:
    """Return one experiment: every reading, how far it went from rest, and the same in words."""
    changes = [now - rest for now, rest in zip(readings, public.manipulator, strict=True)]
    cells = [
        {"text": _show(now), "held": name == move.property, "change": _show_change(change)}
        for name, now, change in zip(public.nodes, readings, changes, strict=True)
    ]
    moved = [
        f"{name} {_show_change(change)}"
        for name, change in zip(public.nodes, changes, strict=True)
        if change and name != move.property
    ]
    by = _show_change(changes[public.nodes.index(move.property)])
    words = f"{move.property} held {by} from rest moved {', '.join(moved) or 'nothing else'}."
    return {"title": f"{move.property} held", "cells": cells, "words": words}


def _show(value: int | str) -> str:
    return str(value).replace("-", "−")


def _show_change(change: int) -> str:
    return _show(f"{change:+d}") if change else ""


def read_bench_draft(
    public: BenchPublic, _rules: LabRules, _exchanges: Sequence[Exchange], draft: Draft
) -> Action | tuple[Problem, ...]:
    """Return the move that was entered, or what is wrong with it."""
    kind = draft.get("kind", "")
    if kind == "lock":
        return Lock()
    if kind == "answer":
        return _read_answer(public, draft)
    name = draft.get("property", "")
    if name not in public.holdable:
        return (Problem(field="property", words="Choose what to hold."),)
    value = read_whole(draft, "setting")
    if isinstance(value, Problem):
        return (value,)
    rest = public.manipulator[public.names.index(name)]
    if not 1 <= abs(value - rest) <= public.limit:
        words = (
            f"{name} reads {_show(rest)}; hold it between {_show(rest - public.limit)} and "
            f"{_show(rest + public.limit)}, at another value."
        )
        return (Problem(field="setting", words=words),)
    return Hold(property=name, value=value)


def _read_answer(public: BenchPublic, draft: Draft) -> Action | tuple[Problem, ...]:
    fields = [f"answer{number}" for number in range(public.questions)]
    answers = [read_whole(draft, field) if draft.get(field) else None for field in fields]
    arrows = read_arrows(draft, "arrows", most=_MOST_ARROWS)
    problems = tuple(one for one in (*answers, arrows) if isinstance(one, Problem))
    return problems or Answer.model_validate({"answers": answers, "arrows": arrows or None})


def tell_ending(verdict: Verdict, exchanges: Sequence[Exchange]) -> Ending:
    """Say how many questions are right, and how many the experiments settle."""
    share, settled = verdict.numbers["answered"], verdict.numbers["settled"]
    if verdict.answer is None:
        told = "The questions were not answered"
    elif share == 1:
        told = "Every question that counts is right"
    else:
        told = f"{share:.0%} of the questions that count are right"
    evidence = "leave one answer to each" if settled == 1 else f"settle {settled:.0%} of them"
    sentence = f"{told}; your experiments {evidence}."
    used = sum(isinstance(one.move, Hold) and one.seen.legal for one in exchanges)
    return Ending(
        sentence=sentence,
        facts={
            "experiments": str(used),
            "settled": f"{settled:.0%}",
        },
    )


PLAY_PAGE: PlayPage[Any, LabRules] = PlayPage(
    folder=Path(__file__).parent,
    invitation="Experiment on a crystal, predict another one.",
    lay_out=lay_out_bench,
    read_draft=read_bench_draft,
    tell_ending=tell_ending,
    editions=("certified",),
)


def make_bench_scenes(
    instance: BenchInstance, rules: LabRules, turns: Sequence[Turn]
) -> ReplayScene:
    """Return what a replay shows after each turn."""
    public, secret = instance.public, instance.secret
    world = open_bench_again(instance, rules)
    scenes = [Scene()]
    looks: list[dict[str, Any]] = [{"states": _list_states(public, public.manipulator)}]
    for turn in turns:
        before = world.spent
        shown: Sequence[int] = secret.reactor if world.opened else public.manipulator
        world.follow(turn)
        acted: tuple[str, ...] = ()
        changed: tuple[str, ...] = ()
        if world.spent > before:
            node, _, changes = world.experiments[-1]
            shown = [rest + change for rest, change in zip(shown, changes, strict=True)]
            acted = (public.nodes[node],)
            moved = zip(public.nodes, changes, strict=True)
            changed = tuple(name for name, change in moved if change and name not in acted)
        looks.append({"states": _list_states(public, shown), "acted": acted, "changed": changed})
        settled = share_settled(instance, world.experiments)
        scenes.append(
            Scene(
                belief=Graph(nodes=public.nodes, edges=keep_known(public, world.arrows))
                if world.arrows
                else None,
                lines=_list_lines(instance, world) if world.opened else (),
                note=f"Experiments settle {settled:.0%} of the questions that count.",
                determined=settled == 1,
            )
        )
    steps = list_turn_steps(turns, scenes, _describe)
    answers = ", ".join(map(str, secret.answers))
    return ReplayScene(
        question=_QUESTION,
        answer=f"The answers are {answers}.",
        outcome=tell_outcome(instance, world),
        steps=tuple(s.model_copy(update=one) for s, one in zip(steps, looks, strict=True)),
        truth=Graph(
            nodes=public.nodes, edges=tuple((edge.cause, edge.effect) for edge in secret.edges)
        ),
        scenes=add_frames(scenes, instance, rules, turns),
        column="answered",
    )


def _list_states(public: BenchPublic, readings: Sequence[int]) -> tuple[NodeState, ...]:
    return tuple(
        NodeState(name=name, value=_show(value))
        for name, value in zip(public.nodes, readings, strict=True)
    )


def keep_known(
    public: BenchPublic, arrows: Sequence[tuple[str, str]]
) -> tuple[tuple[str, str], ...]:
    """Return the arrows between nodes that there are."""
    return tuple(one for one in fold_arrows(public, arrows) if set(one) <= set(public.nodes))


def list_answers(instance: BenchInstance, world: BenchWorld) -> tuple[Line, ...]:
    """Return every question with what was answered and what is right."""
    secret = instance.secret
    given = world.answers or (None,) * len(secret.questions)
    return tuple(
        Line(
            name=write_question(question),
            believed="–" if said is None else _show(said),
            true=_show(answer),
            right=None if world.answers is None else said == answer,
        )
        for question, answer, said in zip(secret.questions, secret.answers, given, strict=True)
    )


def _list_lines(instance: BenchInstance, world: BenchWorld) -> tuple[Line, ...]:
    """Return every question, with a word where it does not count, and what makes each reading."""
    secret = instance.secret
    apart = ["" if one.kind == "held" else " (does not count)" for one in secret.questions]
    answers = zip(list_answers(instance, world), apart, strict=True)
    terms: dict[str, list[str]] = {}
    for edge in secret.edges:
        sign = "−" if edge.weight < 0 else "+"
        terms.setdefault(edge.effect, []).append(f"{sign} {abs(edge.weight)} × {edge.cause}")
    return (
        *(one.model_copy(update={"name": f"{one.name}{word}"}) for one, word in answers),
        *(
            Line(name=" ".join([f"{name} = its base", *terms[name]]), believed="–")
            for name in instance.public.nodes
            if name in terms
        ),
    )


def _describe(fields: Mapping[str, Any]) -> str:
    match fields:
        case {"kind": Hold.kind, "property": name, "value": value}:
            return f"Holds {str(name)[:80]} at {value}."
        case {"kind": Enter.kind, "value": value}:
            return f"Enters {value:g}."
        case {"kind": Lock.kind}:
            return "Locks the manipulator and turns to the reactor."
        case {"kind": Answer.kind}:
            return "Answers the questions."
    return f"{str(fields.get('kind')).capitalize()}."


def tell_outcome(instance: BenchInstance, world: BenchWorld) -> str:
    """Say how many questions are right."""
    made = f"{world.spent} experiment{'' if world.spent == 1 else 's'}"
    if world.answers is None:
        return f"no answers after {made}"
    counted = list_right(instance, world, "held")
    return f"{sum(counted)} of {len(counted)} right after {made}"
