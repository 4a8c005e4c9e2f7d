"""A session for people: every leg's story as a picture, its book, trials, and the decision."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

from causarium.charts.svg import make_svg
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
from ..model import CHOICES, Decide, Fly, GamePublic, GameRules, Leg
from ..play.wording import list_rows, write_lines, write_notes
from .diagram import draw_story

_FLEET = 'The fleet: {} at "{}" by hand.'
_LEFT_OUT = "Drones that failed a check, which hangs on {}, are not in the book."


def lay_out(public: GamePublic, rules: GameRules, exchanges: Sequence[Exchange]) -> Board:
    """Return the state of a session: its legs, and what trials showed."""
    left = public.trials - sum(exchange.seen.cost > 0 for exchange in exchanges)
    return Board(
        question=f"{ask_question(public)} Choose what brings more drones back.",
        meters=(Meter(left=left, of=public.trials, unit="trials"),) if public.trials else (),
        view={
            "legs": [
                _describe_leg(public, place, rules, exchanges) for place in range(len(public.legs))
            ],
            "can_fly": left > 0,
            "weighed": len({leg.stake for leg in public.legs}) > 1,
        },
    )


def ask_question(public: GamePublic) -> str:
    """Return the task in one sentence."""
    if len(public.legs) == 1:
        return f"Should the fleet fly with the {public.legs[0].module} or bare?"
    return f"For each of {len(public.legs)} legs: should the fleet fly fitted or bare?"


def _describe_leg(
    public: GamePublic, place: int, rules: GameRules, exchanges: Sequence[Exchange]
) -> dict[str, Any]:
    leg = public.legs[place]
    pictures = []
    for number, told in enumerate(leg.told):
        title = f"Clerk {'AB'[number]}" if len(leg.told) > 1 else "What causes what"
        drawn = draw_story(leg, told)
        size = round(drawn.width), round(drawn.height)
        about = " ".join(write_lines(leg))
        pictures.append(
            {"title": title, "svg": make_svg(*size, drawn.body, title=title, about=about)}
        )
    return {
        "number": place + 1,
        "module": leg.module,
        "stake": leg.stake,
        "pictures": pictures,
        "facts": _list_facts(leg),
        "briefing": [*write_lines(leg), *write_notes(leg, rules)],
        "tables": [
            {"title": "Past flights", "rows": list_rows(leg, leg.book)},
            *_list_trials(leg, place, exchanges),
        ],
        "columns": [{"name": one.name, "values": one.values} for one in leg.columns],
        "can_fit": leg.can_fit,
    }


def _list_facts(leg: Leg) -> list[str]:
    """Return what the picture does not show, in short sentences."""
    facts = []
    if leg.held is not None:
        column = leg.columns[leg.held[0]]
        facts.append(_FLEET.format(column.name, column.values[leg.held[1]]))
    if leg.uniform:
        facts.append("The module is good for every drone or bad for every drone.")
    if leg.check is not None:
        facts.append(_LEFT_OUT.format(describe_check(leg)))
    if len(leg.told) > 1:
        facts.append("One clerk is right in everything. No trial can fit the module here.")
    return facts


def describe_check(leg: Leg) -> str:
    """Return what a leg's check hangs on."""
    assert leg.check is not None  # noqa: S101 - asked of legs with a check
    module = f"the {leg.module} and " if leg.check.by_module else ""
    return f"{module}{leg.check.cause}"


def _list_trials(leg: Leg, place: int, exchanges: Sequence[Exchange]) -> list[dict[str, Any]]:
    trials = []
    for move, seen in exchanges:
        if isinstance(move, Fly) and seen.legal and move.leg == place + 1:
            counts = cast("list[list[int]]", seen.data["book"])
            held = ", ".join(f"{name} {value}" for name, value in move.set.items())
            trials.append(
                {
                    "title": f"Trial{f' with {held}' if held else ''}",
                    "rows": list_rows(leg, tuple((lost, back) for lost, back in counts)),
                }
            )
    return trials


def read_draft(
    public: GamePublic, rules: GameRules, exchanges: Sequence[Exchange], draft: Draft
) -> Action | tuple[Problem, ...]:
    """Return the trial or the decision that was entered, or what is wrong with it."""
    del rules, exchanges
    numbers = [str(place + 1) for place in range(len(public.legs))]
    if draft.get("kind") == "fly":
        number = draft.get("leg", "").strip()
        if number not in numbers:
            return (Problem(field="leg", words="Choose a leg for the trial."),)
        columns = public.legs[int(number) - 1].columns
        given = {column.name: draft.get(f"set {column.name}", "") for column in columns}
        held = {name: value for name, value in given.items() if value}
        return Fly(leg=int(number), set=held)
    choices = {number: draft.get(f"choice {number}", "") for number in numbers}
    if wrong := [number for number, choice in choices.items() if choice not in CHOICES]:
        words = "Choose fitted or bare."
        return tuple(Problem(field=f"choice {number}", words=words) for number in wrong)
    return Decide.model_validate({"choices": choices})


def tell_ending(verdict: Verdict, exchanges: Sequence[Exchange]) -> Ending:
    """Return the end of a session in words."""
    numbers = verdict.numbers
    decided = any(isinstance(move, Decide) for move, _ in exchanges)
    facts = {"score": f"{numbers['score']:.2f}", "trials": f"{numbers['trials']:.0f}"}
    return Ending(sentence=verdict.explanation if decided else "Nothing was decided.", facts=facts)


PLAY_PAGE: PlayPage[GamePublic, GameRules] = PlayPage(
    folder=Path(__file__).parent,
    invitation="Fit a fleet from records that mislead.",
    lay_out=lay_out,
    read_draft=read_draft,
    tell_ending=tell_ending,
    editions=("certified",),
)
