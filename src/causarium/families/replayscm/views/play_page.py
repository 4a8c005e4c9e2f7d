"""ReplaySCM for people: a field for each formula, checked against every table as one types."""

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

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
from causarium.scm.boolean.formula import OPERATORS, Tree, parse_formula
from ..model.actions import Ask, Explain, Predict, Submit
from ..model.config import ReplayRules
from ..model.instance import ReplayPublic, UnitTask, WorldRows
from ..play.examine_answer import Disclosure, Refusal, examine_answer
from ..play.examine_units import AnswerFault, examine_model
from ..play.world import read_question

BITS = {"0": 0, "1": 1}


def lay_out(public: ReplayPublic, rules: ReplayRules, exchanges: Sequence[Exchange]) -> Board:
    """Return how a problem stands: the fields to fill in, and every world that was shown."""
    del rules
    worlds = [*public.train, *_asked_worlds(exchanges)]
    left = public.budget - (len(worlds) - len(public.train))
    known_roots = public.roots or ()
    unknown = [name for name in public.order or public.variables if name not in known_roots]
    notes = [f"{public.n_roots} roots, for you to find"]
    if public.roots is not None:
        notes = [f"roots {', '.join(public.roots)}: they follow from nothing"]
    if public.order is not None:
        notes.append(f"order {' '.join(public.order)}")
    elif public.blocks is not None:
        notes.append(f"blocks {' | '.join(' '.join(block) for block in public.blocks)}")
    if public.task is not None and public.setting != "whatif":
        notes.append(f"at most {public.task.arrows} arrows in all")
    meters = (Meter(left=left, of=public.budget, unit="worlds to ask for"),)
    return Board(
        question=ask_question(public),
        meters=meters if public.budget else (),
        notes=tuple(notes),
        view={
            **_view_units(public),
            "variables": list(public.variables),
            "unknown": [] if public.setting == "whatif" else unknown,
            "roots_open": public.roots is None,
            "reference": public.reference or {},
            "is_second": public.alternative,
            "roots": list(known_roots),
            "words": [*OPERATORS, "(", ")"],
            "worlds": [_make_world(public, world) for world in worlds],
            "can_ask": left > 0,
            "max_targets": public.max_targets,
            "units": len(public.train[0].units),
            "parents": public.limits.max_parents,
            "problem": {
                "variables": list(public.variables),
                "worlds": [
                    {"id": world.id, "targets": list(world.targets), "columns": world.columns}
                    for world in worlds
                ],
            },
        },
    )


def _view_units(public: ReplayPublic) -> dict[str, Any]:
    """Return what the board shows of a problem with units that can be recognised."""
    task = public.task or UnitTask(arrows=0)
    setting, names = task.setting or {}, (*public.variables, *task.traits)
    told = {name: parse_formula(text, names) for name, text in (task.mechanisms or {}).items()}
    first = public.train[0].columns
    return {
        "is_units": public.task is not None,
        "whatif": ", ".join(f"{name} = {value}" for name, value in setting.items()),
        "told": {name: _write_infix(formula.tree) for name, formula in told.items()},
        # What is set, and roots that are not, need no thought.
        "given": {name: first[name] for name in public.roots or ()}
        | {name: str(value) for name, value in setting.items()},
        "traits": bool(task.traits and not setting),
        "touched": task.touched,
        "names": names,
    }


def _write_infix(tree: Tree) -> str:
    if isinstance(tree, str):
        return tree
    parts = [
        _write_infix(part)
        if isinstance(part, str) or part[0] == "not"
        else f"({_write_infix(part)})"
        for part in tree[1:]
    ]
    return f"not {parts[0]}" if tree[0] == "not" else f" {tree[0]} ".join(parts)


def ask_question(public: ReplayPublic) -> str:
    """Return what is asked for, in one sentence."""
    if public.task is not None and public.task.setting:
        held = ", ".join(f"{name} = {value}" for name, value in public.task.setting.items())
        return f"What would each variable of this unit be if {held} were set by hand?"
    if public.alternative:
        return "Write another model that reproduces every table, and tell it from the given one."
    if public.roots is None:
        return "Find the roots, and write a formula for every other variable."
    unknown = [name for name in public.order or public.variables if name not in public.roots]
    return f"Find the formula behind each of {', '.join(unknown)}."


def _asked_worlds(exchanges: Sequence[Exchange]) -> list[WorldRows]:
    return [
        WorldRows.model_validate(dict(exchange.seen.data))
        for exchange in exchanges
        if isinstance(exchange.move, Ask) and exchange.seen.legal
    ]


def _make_world(public: ReplayPublic, world: WorldRows) -> dict[str, Any]:
    names = public.variables
    return {
        "id": world.id,
        "targets": list(world.targets),
        "by_hand": world.mode == "by_hand",
        "names": list(names),
        "rows": [
            {"unit": unit, "cells": [world.columns[name][place] for name in names]}
            for place, unit in enumerate(world.units)
        ],
    }


def read_draft(
    public: ReplayPublic, rules: ReplayRules, exchanges: Sequence[Exchange], draft: Draft
) -> Action | tuple[Problem, ...]:
    """Return the question or the answer that was entered, or what is wrong with it."""
    del exchanges
    if draft.get("kind") == "ask":
        return _read_question(public, draft)
    return _read_answer(public, rules, draft)


def _read_question(public: ReplayPublic, draft: Draft) -> Action | tuple[Problem, ...]:
    given = {name: draft.get(f"set {name}", "").strip() for name in public.variables}
    wrong = [name for name, digit in given.items() if digit and digit not in BITS]
    if wrong:
        words = f"{wrong[0]} can be set to 0 or 1."
        return (Problem(field=f"set {wrong[0]}", words=words),)
    question = Ask(set={name: BITS[digit] for name, digit in given.items() if digit})
    if isinstance(refused := read_question(question, public), str):
        return (Problem(field="", words=f"That world cannot be made: {refused}."),)
    return question


def _read_formulas(public: ReplayPublic, draft: Draft) -> dict[str, str]:
    names = [name for name in public.variables if name not in (public.roots or ())]
    return {name: draft.get(f"formula {name}", "").strip() for name in names}


def _list_missing(formulas: Mapping[str, str]) -> list[Problem]:
    return [
        Problem(field=f"formula {name}", words=f"{name} has no formula yet.")
        for name, text in formulas.items()
        if not text
    ]


def _read_explanation(public: ReplayPublic, draft: Draft) -> Action | tuple[Problem, ...]:
    """Return an answer of the certified edition, or what is wrong with it."""
    if public.setting == "whatif":
        row = {name: draft.get(f"cell {name}", "") for name in public.variables}
        if missing := [name for name, bit in row.items() if bit not in BITS]:
            return (Problem(field="cells", words=f"Choose a value for {', '.join(missing)}."),)
        return Predict(row={name: BITS[bit] for name, bit in row.items()})
    touched = {
        world.id: tuple(draft.get(f"touched {world.id}", "").replace(",", " ").split())
        for world in public.train[1:]
    }
    answer = Explain(
        mechanisms=_read_formulas(public, draft),
        hidden=draft.get("hidden", "").strip() or None,
        touched=touched if any(touched.values()) else None,
    )
    if problems := _list_missing(answer.mechanisms):
        return tuple(problems)
    found = examine_model(public, answer)
    if not isinstance(found, AnswerFault):
        return answer
    field = f"formula {found.detail.split(':')[0].split(' ')[0]}"
    return (Problem(field=field, words=f"{found.detail}."),)


def _read_answer(
    public: ReplayPublic, rules: ReplayRules, draft: Draft
) -> Action | tuple[Problem, ...]:
    if public.task is not None:
        return _read_explanation(public, draft)
    formulas = _read_formulas(public, draft)
    roots, problems = None, _list_missing(formulas)
    if public.roots is None:
        roots, problems = tuple(name for name, text in formulas.items() if not text), []
        if len(roots) != public.n_roots:
            words = f"{len(roots)} fields are empty, and there are {public.n_roots} roots."
            problems = [Problem(field="roots", words=words)]
    experiment, witness = _read_experiment(public, draft, problems)
    mechanisms = {name: text for name, text in formulas.items() if text}
    answer = Submit(mechanisms=mechanisms, roots=roots, experiment=experiment, witness=witness)
    found = examine_answer(answer, Disclosure.of(public, strict=rules.strict_form))
    if not problems and isinstance(found, Refusal):
        field = f"formula {found.detail.split(' ')[0].rstrip(':')}"
        problems.append(Problem(field=field, words=f"{found.detail}."))
    return tuple(problems) or answer


def _read_experiment(
    public: ReplayPublic, draft: Draft, problems: list[Problem]
) -> tuple[dict[str, int] | None, dict[str, int] | None]:
    """Return the experiment and the witness, where a second model is asked for."""
    if not public.alternative:
        return None, None
    name, bit = draft.get("experiment", ""), draft.get("experiment bit", "")
    if name not in public.variables or bit not in BITS:
        problems.append(Problem(field="experiment", words="Choose what the experiment sets."))
        return None, None
    values = {root: draft.get(f"witness {root}", "") for root in public.roots or ()}
    if missing := [root for root, value in values.items() if value not in BITS]:
        words = f"Choose a value for {', '.join(missing)}."
        problems.append(Problem(field=f"witness {missing[0]}", words=words))
        return {name: BITS[bit]}, None
    return {name: BITS[bit]}, {root: BITS[value] for root, value in values.items()}


_SENTENCES = {
    "held-out exact": "Right: it holds in worlds you were not shown, too.",
    "alternative found and shown": "Right: another model, and an experiment that tells them apart.",
    "not executable": "The answer could not be run.",
}


def tell_ending(verdict: Verdict, exchanges: Sequence[Exchange]) -> Ending:
    """Say how many tables the formulas bring about, shown ones and held-out ones."""
    numbers, outcome = verdict.numbers, verdict.labels.get("outcome", "")
    if not math.isnan(numbers.get("exact", math.nan)):
        return _tell_unit_ending(verdict)
    sentence = _SENTENCES.get(outcome)
    if not any(isinstance(exchange.move, Submit) for exchange in exchanges):
        sentence = "Nothing was handed in."
    elif sentence is None:
        if numbers.get("train_exact") == 1:
            sentence = "Your formulas reproduce the shown tables, but not all the others."
        else:
            sentence = "Your formulas do not reproduce all the tables."
    facts = {"shown worlds": "train_world", "held out": "heldout_world"}
    return Ending(sentence=sentence, facts=_show_shares(facts, numbers))


_UNIT_SENTENCES = {
    "unreadable": "The answer could not be taken.",
    "ran out of budget": "No answer was given when the worlds were spent.",
}


def _tell_unit_ending(verdict: Verdict) -> Ending:
    numbers, outcome = verdict.numbers, verdict.labels["outcome"]
    facts = {
        "mechanisms right": "mechanisms_right",
        "values right": "cells_right",
        "touched right": "touched_right",
    }
    shown = _show_shares(facts, numbers)
    sentence = _UNIT_SENTENCES.get(outcome, "Nothing was handed in.")
    if outcome in {"right", "wrong"}:
        is_row = "values right" in shown
        right = "the row leaves no other answer" if is_row else "this is the one model that fits"
        wrong = "Not every value is right: the row leaves one answer."
        if numbers.get("settled") == 0:
            wrong = "The worlds you asked for leave more than one model."
        elif not is_row:
            wrong = "Not the true model: the tables leave one, and it is another."
        sentence = f"Right: {right}." if outcome == "right" else wrong
    return Ending(sentence=sentence, facts=shown)


def _show_shares(facts: Mapping[str, str], numbers: Mapping[str, float]) -> dict[str, str]:
    """Return numbers as shares, by what they are called; those that do not apply are left out."""
    found = {words: numbers.get(name, math.nan) for words, name in facts.items()}
    return {
        words: f"{100 * share:.0f} %" for words, share in found.items() if not math.isnan(share)
    }


PLAY_PAGE: PlayPage[ReplayPublic, ReplayRules] = PlayPage(
    folder=Path(__file__).parent,
    invitation="Say what would be, or write the formulas behind tables of 0 and 1.",
    lay_out=lay_out,
    read_draft=read_draft,
    tell_ending=tell_ending,
)
