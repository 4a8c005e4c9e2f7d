"""How a session of a published game stands, for a person."""

from collections.abc import Callable, Sequence
from typing import Any, cast

from causarium.contract.views.play_page import (
    Board,
    Draft,
    Exchange,
    Meter,
    Problem,
    read_whole,
)
from causarium.contract.world import Action
from causarium.families.causalgame.model.actions import (
    MOST_QUESTION_CHARS,
    Deploy,
    Query,
    Report,
    Submit,
)
from causarium.families.causalgame.model.config import GameRules
from causarium.families.causalgame.model.instance import Flight, GamePublic
from causarium.families.causalgame.play.published.wording import flight_table
from causarium.scoring.intervals import wilson_interval


def lay_out_session(public: GamePublic, rules: GameRules, exchanges: Sequence[Exchange]) -> Board:
    """Return how a session stands."""
    del rules
    submitted = next(
        (exchange for exchange in exchanges if isinstance(exchange.move, Submit)), None
    )
    share = f"{100 * public.threshold:.0f} %"
    asked = f"Design a drone so that at least {share} of the fleet returns."
    return Board(
        question=asked if submitted is None else "The fleet has flown.",
        meters=_count_left(public, exchanges) if submitted is None else (),
        view={
            "phase": "explore" if submitted is None else "report",
            "edition": "paper",
            "parts": [
                {
                    "name": component.name,
                    "standard": component.default,
                    "low": public.lowest,
                    "high": public.highest,
                }
                for component in public.components
            ],
            "total": public.total,
            "slots": [
                {
                    "name": slot.name,
                    "options": [{"name": o.name, "about": o.blurb} for o in slot.options],
                }
                for slot in public.slots
            ],
            "standard_options": {slot.name: slot.default for slot in public.slots},
            "most": public.budget.per_deployment,
            "tests": [*_tell_history(public.history), *_list_tests(exchanges)],
            "needed": public.threshold,
            "results": submitted.seen.text.partition("\n\n")[0] if submitted else "",
            "commit_words": "Send the whole fleet",
            "can_query": public.queries_answered,
            "replies": [
                (exchange.move.question, exchange.seen.text)
                for exchange in exchanges
                if isinstance(exchange.move, Query)
            ],
        },
    )


def _count_left(public: GamePublic, exchanges: Sequence[Exchange]) -> tuple[Meter, ...]:
    budget = public.budget
    tests = [exchange for exchange in exchanges if isinstance(exchange.move, Deploy)]
    asked = sum(isinstance(exchange.move, Query) for exchange in exchanges)
    meters = [
        Meter(left=budget.deployments - len(tests), of=budget.deployments, unit="tests"),
        Meter(
            left=budget.drones - sum(test.seen.cost for test in tests),
            of=budget.drones,
            unit="drones",
        ),
    ]
    if public.queries_answered:
        meters.append(Meter(left=budget.queries - asked, of=budget.queries, unit="questions"))
    return tuple(meters)


def _tell_history(history: Sequence[Flight]) -> list[dict[str, Any]]:
    if not history:
        return []
    home = sum(flight.status == "RETURNED" for flight in history)
    return [
        {
            "title": "records",
            "changed": "see each flight",
            "home": home,
            "sent": None,
            "share": None,
            "text": flight_table(history),
        }
    ]


def _list_tests(exchanges: Sequence[Exchange]) -> list[dict[str, Any]]:
    tests: list[dict[str, Any]] = []
    for one in exchanges:
        if not isinstance(one.move, Deploy):
            continue
        home = cast("int", one.seen.data["survived"])
        sent = cast("int", one.seen.data["deployed"])
        interval = wilson_interval(home, sent)
        design = ", ".join(
            [
                *(f"{name} {points}" for name, points in one.move.design.items()),
                *(f"{name} {choice}" for name, choice in one.move.equipment.items()),
            ]
        )
        tests.append(
            {
                "title": f"test {len(tests) + 1}",
                "changed": design,
                "home": home,
                "sent": sent,
                "share": home / sent,
                "low": interval.low,
                "high": interval.high,
                "text": one.seen.text,
            }
        )
    return tests


NOT_GIVEN = "not given"
"""Stands in the log where a person gave no reason: agents must, people need not."""
MOST_REPORT = 20_000


def read_session_draft(
    public: GamePublic, rules: GameRules, exchanges: Sequence[Exchange], draft: Draft
) -> Action | tuple[Problem, ...]:
    """Return the move that was entered, or what is wrong with it."""
    del rules, exchanges
    readers: dict[str, Callable[[GamePublic, Draft], Action | tuple[Problem, ...]]] = {
        "test": _read_fly,
        "commit": _read_commit,
        "question": _read_query,
        "explain": _read_report,
    }
    read = readers.get(draft.get("kind", ""))
    if read is None:
        return (Problem(field="", words="There is no such move here."),)
    return read(public, draft)


def _read_design(
    public: GamePublic, draft: Draft, problems: list[Problem]
) -> tuple[dict[str, int], dict[str, str | bool]]:
    """Return armour by part and the options chosen; what is wrong is added to `problems`."""
    low, high = public.lowest, public.highest
    options = {slot.name: tuple(o.name for o in slot.options) for slot in public.slots}
    armour: dict[str, int] = {}
    for name in public.names:
        points = read_whole(draft, f"part {name}", what=name)
        if isinstance(points, Problem):
            problems.append(points)
        elif not low <= points <= high:
            words = f"{name} is {points}; it lies between {low} and {high}."
            problems.append(Problem(field=f"part {name}", words=words))
        else:
            armour[name] = points
    if sum(armour.values()) > public.total:
        over = sum(armour.values()) - public.total
        problems.append(Problem(field="total", words=f"{over} points over the budget."))
    equipment: dict[str, str | bool] = {}
    for name, values in options.items():
        choice = draft.get(f"slot {name}", values[0])
        if choice not in values:
            problems.append(Problem(field=f"slot {name}", words=f"Choose one for {name}."))
        equipment[name] = choice
    return armour, equipment


def _read_count(public: GamePublic, draft: Draft, problems: list[Problem]) -> int:
    count, most = read_whole(draft, "count", what="the drones"), public.budget.per_deployment
    if isinstance(count, Problem):
        problems.append(count)
        return 0
    if not 1 <= count <= most:
        problems.append(Problem(field="count", words=f"Send 1 to {most} drones at a time."))
    return count


def _read_thought(draft: Draft) -> str:
    return draft.get("thought", "").strip()[:MOST_REPORT] or NOT_GIVEN


def _read_fly(public: GamePublic, draft: Draft) -> Action | tuple[Problem, ...]:
    problems: list[Problem] = []
    armour, equipment = _read_design(public, draft, problems)
    count, thought = _read_count(public, draft, problems), _read_thought(draft)
    if problems:
        return tuple(problems)
    return Deploy(design=armour, equipment=equipment, count=count, thought=thought)


def _read_commit(public: GamePublic, draft: Draft) -> Action | tuple[Problem, ...]:
    problems: list[Problem] = []
    armour, equipment = _read_design(public, draft, problems)
    if problems:
        return tuple(problems)
    return Submit(design=armour, equipment=equipment, thought=_read_thought(draft))


def _read_report(public: GamePublic, draft: Draft) -> Action:
    del public
    text = draft.get("text", "").strip()[:MOST_REPORT] or NOT_GIVEN
    return Report(text=text)


def _read_query(public: GamePublic, draft: Draft) -> Action | tuple[Problem, ...]:
    del public
    question = draft.get("question", "").strip()
    if not question or len(question) > MOST_QUESTION_CHARS:
        words = f"Ask in 1 to {MOST_QUESTION_CHARS} characters."
        return (Problem(field="question", words=words),)
    return Query(question=question, thought=_read_thought(draft))
