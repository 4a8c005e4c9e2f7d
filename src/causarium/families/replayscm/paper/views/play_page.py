"""A published problem for people: a field for each formula, checked against all tables."""

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
    PlayPage,
    Problem,
)
from causarium.contract.world import Action
from causarium.scm.boolean.formula import OPERATORS
from ..levels import ReplayRules
from ..model.actions import Submit
from ..model.instance import ReplayPublic, WorldRows
from ..play.examine_answer import Disclosure, Refusal, examine_answer

BITS = {"0": 0, "1": 1}


def lay_out(public: ReplayPublic, rules: ReplayRules, exchanges: Sequence[Exchange]) -> Board:
    """Return a problem's board: the fields to fill in, and every world that is shown."""
    del rules, exchanges
    known_roots = public.roots or ()
    unknown = [name for name in public.order or public.variables if name not in known_roots]
    notes = [f"{public.n_roots} roots, for you to find"]
    if public.roots is not None:
        notes = [f"roots {', '.join(public.roots)}: they follow from nothing"]
    if public.order is not None:
        notes.append(f"order {' '.join(public.order)}")
    elif public.blocks is not None:
        notes.append(f"blocks {' | '.join(' '.join(block) for block in public.blocks)}")
    return Board(
        question=ask_question(public),
        notes=tuple(notes),
        view={
            "variables": list(public.variables),
            "unknown": unknown,
            "roots_open": public.roots is None,
            "reference": public.reference or {},
            "is_second": public.alternative,
            "roots": list(known_roots),
            "words": [*OPERATORS, "(", ")"],
            "worlds": [_make_world(public, world) for world in public.train],
            "parents": public.limits.max_parents,
            "problem": {
                "variables": list(public.variables),
                "worlds": [
                    {"id": world.id, "targets": list(world.targets), "columns": world.columns}
                    for world in public.train
                ],
            },
        },
    )


def ask_question(public: ReplayPublic) -> str:
    """Return what is asked for, in one sentence."""
    if public.alternative:
        return "Write another model that reproduces every table, and tell it from the given one."
    if public.roots is None:
        return "Find the roots, and write a formula for every other variable."
    unknown = [name for name in public.order or public.variables if name not in public.roots]
    return f"Find the formula behind each of {', '.join(unknown)}."


def _make_world(public: ReplayPublic, world: WorldRows) -> dict[str, Any]:
    names = public.variables
    return {
        "id": world.id,
        "targets": list(world.targets),
        "names": list(names),
        "rows": [
            {"unit": unit, "cells": [world.columns[name][place] for name in names]}
            for place, unit in enumerate(world.units)
        ],
    }


def _read_formulas(public: ReplayPublic, draft: Draft) -> dict[str, str]:
    names = [name for name in public.variables if name not in (public.roots or ())]
    return {name: draft.get(f"formula {name}", "").strip() for name in names}


def _list_missing(formulas: Mapping[str, str]) -> list[Problem]:
    return [
        Problem(field=f"formula {name}", words=f"{name} has no formula yet.")
        for name, text in formulas.items()
        if not text
    ]


def read_draft(
    public: ReplayPublic, rules: ReplayRules, exchanges: Sequence[Exchange], draft: Draft
) -> Action | tuple[Problem, ...]:
    """Return the answer that was entered, or what is wrong with it."""
    del exchanges
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


def _show_shares(facts: Mapping[str, str], numbers: Mapping[str, float]) -> dict[str, str]:
    """Return numbers as shares, by what they are called; those that do not apply are left out."""
    found = {words: numbers.get(name, math.nan) for words, name in facts.items()}
    return {
        words: f"{100 * share:.0f} %" for words, share in found.items() if not math.isnan(share)
    }


PLAY_PAGE: PlayPage[ReplayPublic, ReplayRules] = PlayPage(
    folder=Path(__file__).parent,
    invitation="Write the formulas behind tables of 0 and 1.",
    lay_out=lay_out,
    read_draft=read_draft,
    tell_ending=tell_ending,
    editions=("paper",),
)
