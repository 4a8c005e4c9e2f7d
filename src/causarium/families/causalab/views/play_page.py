"""CausaLab for people: experiments, readings as a table, arrows, an equation held against them."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

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
    read_number,
)
from causarium.contract.world import Action
from causarium.families.causalab.mechanics.shown_values import decimals, format_entered
from causarium.families.causalab.model.actions import Intervene, Submit
from causarium.families.causalab.model.config import LabRules
from causarium.families.causalab.model.hypothesis import MAX_EDGES, Hypothesis, HypothesisEdge
from causarium.families.causalab.model.instance import FREQUENCY, LabPublic
from causarium.families.causalab.model.stored_instance import EitherPublic, by_edition
from causarium.families.causalab.views.bench_views import (
    lay_out_bench,
    read_bench_draft,
    tell_bench_ending,
)

FREQUENCY_WORD = "Frequency"
OWN = "your crystal"


def lay_out_paper(public: LabPublic, rules: LabRules, exchanges: Sequence[Exchange]) -> Board:
    """Return how an episode stands: every reading, and what an experiment can be."""
    rows = _list_readings(public, exchanges)
    used = sum(isinstance(exchange.move, Intervene) for exchange in exchanges)
    reactor = ", ".join(
        f"{prop.display} {_show(value)}"
        for prop, value in zip(public.properties, public.reactor, strict=True)
    )
    notes = [f"right within {public.tolerance:g} Hz"]
    if public.hidden is not None:
        notes.append("a hidden disturbance adds to some values after every experiment")
    if rules.submissions > 1:
        tried = sum(isinstance(exchange.move, Submit) for exchange in exchanges)
        notes.append(f"{rules.submissions - tried} of {rules.submissions} submissions left")
    ranges = [_span([row["numbers"][place] for row in rows]) for place in range(len(public.names))]
    return Board(
        question=f"What is the frequency of the locked crystal? {reactor}",
        meters=(Meter(left=public.budget - used, of=public.budget, unit="experiments"),),
        notes=tuple(notes),
        view={
            "properties": [
                {"name": prop.name, "display": prop.display, "low": low, "high": high}
                for prop, (low, high) in zip(public.properties, ranges, strict=True)
            ],
            "rows": rows,
            "can_experiment": used < public.budget
            and not any(isinstance(one.move, Submit) for one in exchanges),
            "limit": f"{public.limit:,.0f}",
            "is_quadratic": public.form == "quadratic",
            "lab": {
                "names": [prop.display for prop in public.properties],
                "frequency": FREQUENCY_WORD,
                "frequencyMayCause": public.frequency_may_cause,
                "reactor": list(public.reactor),
                "tolerance": 0.011 if public.hidden is None else public.tolerance,
                "readings": [row["numbers"] for row in rows],
                "ranges": ranges,
                "square": public.form == "quadratic",
            },
        },
    )


def _list_readings(public: LabPublic, exchanges: Sequence[Exchange]) -> list[dict[str, Any]]:
    """Return a row for each reading, with the cells that were set or that changed."""
    rows = [
        _make_row(f"record {place}", (*one.values, one.frequency))
        for place, one in enumerate(public.records, 1)
    ]
    for place, step in enumerate(public.chain, 1):
        before = public.chain[step.continues].reading if step.continues is not None else None
        rows.append(
            _make_row(
                f"experiment {place} of others",
                (*step.reading.values, step.reading.frequency),
                target=None if step.property is None else public.names.index(step.property),
                before=None if before is None else (*before.values, before.frequency),
            )
        )
    start = (*public.manipulator.values, public.manipulator.frequency)
    rows.append(_make_row(OWN, start))
    before_values: tuple[float, ...] = start
    for one in exchanges:
        if isinstance(one.move, Submit) or "values" not in one.seen.data:
            continue
        values = cast("list[float]", one.seen.data["values"])
        now = (*values, cast("float", one.seen.data["frequency"]))
        if isinstance(one.move, Intervene):
            place = public.names.index(one.move.property)
            title = f"{public.properties[place].display} = {format_entered(one.move.value)}"
            rows.append(_make_row(title, now, target=place, before=before_values))
        before_values = now
    return rows


def _make_row(
    title: str,
    values: Sequence[float],
    *,
    target: int | None = None,
    before: Sequence[float] | None = None,
) -> dict[str, Any]:
    return {
        "title": title,
        "cells": [
            {
                "text": _show(value),
                "set": place == target,
                "changed": before is not None and value != before[place],
            }
            for place, value in enumerate(values)
        ],
        "numbers": list(values),
    }


def _show(value: float) -> str:
    return decimals(value).replace("-", "−")


def _span(values: Sequence[float]) -> tuple[int, int]:
    """Return whole numbers around the values that were read, for a slider."""
    low, high = min(values), max(values)
    room = max(50.0, (high - low) / 2)
    return int(max(-10_000, low - room) // 10 * 10), int(-(-min(10_000, high + room) // 10) * 10)


def read_paper_draft(
    public: LabPublic, _rules: LabRules, _exchanges: Sequence[Exchange], draft: Draft
) -> Action | tuple[Problem, ...]:
    """Return the move that was entered, or what is wrong with it."""
    if draft.get("kind", "") == "intervene":
        return _read_experiment(public, draft)
    return _read_submission(public, draft)


def _read_experiment(public: LabPublic, draft: Draft) -> Action | tuple[Problem, ...]:
    name = draft.get("property", "")
    if name not in public.names:
        return (Problem(field="property", words="Choose what to set."),)
    value = read_number(draft, "setting")
    if isinstance(value, Problem):
        return (value,)
    if abs(value) > public.limit:
        limit = f"{public.limit:,.0f}"
        words = f"{format_entered(value)} is beyond the limits of −{limit} to {limit}."
        return (Problem(field="setting", words=words),)
    return Intervene(property=name, value=value)


def _read_submission(public: LabPublic, draft: Draft) -> Action | tuple[Problem, ...]:
    value = read_number(draft, "value", what="the frequency")
    hypothesis = _read_hypothesis(public, draft)
    problems = [one for one in (value, hypothesis) if isinstance(one, Problem)]
    if problems or isinstance(value, Problem) or isinstance(hypothesis, Problem):
        return tuple(problems)
    low, high = public.reactor_range
    if not low <= value <= high:
        words = f"The frequency lies between {low:,.0f} and {high:,.0f} Hz."
        return (Problem(field="value", words=words),)
    return Submit(value=value, hypothesis=hypothesis)


def _read_hypothesis(public: LabPublic, draft: Draft) -> Hypothesis | Problem | None:
    arrows = read_arrows(draft, "arrows", most=MAX_EDGES)
    if isinstance(arrows, Problem):
        return arrows
    names = {prop.display: prop.name for prop in public.properties}
    names |= {name: name for name in public.nodes} | {FREQUENCY_WORD: FREQUENCY}
    edges = []
    for cause, effect in arrows:
        for end in (cause, effect):
            if end not in names:
                return Problem(field="arrows", words=f"There is no “{end[:40]}” here.")
        edges.append(HypothesisEdge(cause=names[cause], effect=names[effect]))
    causes = [edge.cause for edge in edges if edge.effect == FREQUENCY]
    terms, coefficients = [], {}
    for field, key, term in _list_terms(public, causes):
        number = read_number(draft, field) if draft.get(field, "").strip() else None
        if isinstance(number, Problem):
            return number
        coefficients[key] = number
        terms.append(term)
    if not edges and coefficients["base"] is None:
        return None
    equation = f"{FREQUENCY} = {' + '.join(terms)}"
    return Hypothesis(edges=tuple(edges), freq_equation=equation, coefficients=coefficients)


def _list_terms(public: LabPublic, causes: Sequence[str]) -> list[tuple[str, str, str]]:
    """Return the field, the name and the term of each number of the frequency's equation."""
    terms = [("base", "base", "base")]
    for place, name in enumerate(public.names):
        if name not in causes:
            continue
        if public.form == "quadratic":
            terms.append((f"square{place}", f"c2_{name}", f"c2_{name}*{name}^2"))
            terms.append((f"linear{place}", f"c1_{name}", f"c1_{name}*{name}"))
        else:
            terms.append((f"linear{place}", f"c_{name}", f"c_{name}*{name}"))
    return terms


def tell_ending(verdict: Verdict, exchanges: Sequence[Exchange]) -> Ending:
    """Say whether the frequency was right, and whether the arrows were."""
    if "answered" in verdict.numbers:
        return tell_bench_ending(verdict, exchanges)
    right = verdict.numbers.get("prediction") == 1
    exact = verdict.labels.get("graph") == "exact"
    submitted = [exchange.move for exchange in exchanges if isinstance(exchange.move, Submit)]
    used = sum(isinstance(exchange.move, Intervene) for exchange in exchanges)
    if not submitted:
        sentence = "No frequency was submitted."
    elif right:
        sentence = "Right, and so are your arrows." if exact else "Right, with other arrows."
    else:
        sentence = (
            "Not the frequency, but your arrows are right." if exact else "Not the frequency."
        )
    arrows = verdict.numbers.get("edge_f1", float("nan"))
    return Ending(
        sentence=sentence,
        facts={
            "submitted": f"{submitted[-1].value:.2f} Hz {'✓' if right else '✗'}"
            if submitted
            else "nothing",
            "experiments": str(used),
            "arrows F1": "–" if arrows != arrows else f"{arrows:.2f}",  # noqa: PLR0124
        },
    )


PLAY_PAGE: PlayPage[EitherPublic, LabRules] = PlayPage(
    folder=Path(__file__).parent,
    invitation="Experiment on a crystal, predict another one.",
    lay_out=by_edition(lay_out_bench, lay_out_paper),
    read_draft=by_edition(read_bench_draft, read_paper_draft),
    tell_ending=tell_ending,
)
