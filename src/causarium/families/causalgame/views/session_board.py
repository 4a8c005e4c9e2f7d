"""How a session of a published game stands, for a person."""

from collections.abc import Sequence
from typing import Any, cast

from causarium.contract.views.play_page import Board, Exchange, Meter
from causarium.families.causalgame.actions import Deploy, Query, Submit
from causarium.families.causalgame.config import GameRules
from causarium.families.causalgame.instance import Flight, GamePublic
from causarium.families.causalgame.interface.flight_tables import flight_table
from causarium.scoring.intervals import wilson_interval


def lay_out_session(public: GamePublic, rules: GameRules, exchanges: Sequence[Exchange]) -> Board:
    """Return how a session stands."""
    del rules
    submitted = next(
        (exchange for exchange in exchanges if isinstance(exchange.move, Submit)), None
    )
    share = f"{100 * public.threshold:.0f} %"
    asked = f"Design a drone of which at least {share} come home."
    return Board(
        question=asked if submitted is None else "The fleet has flown.",
        meters=_count_left(public, exchanges) if submitted is None else (),
        view={
            "phase": "explore" if submitted is None else "report",
            "is_pair": False,
            "mission": 1,
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
            "can_test": True,
            "has_archive": False,
            "columns": [],
            "tests": [*_tell_history(public.history), *_list_tests(exchanges)],
            "tables": [],
            "needed": public.threshold,
            "past": "",
            "questions": [],
            "results": submitted.seen.text.partition("\n\n")[0] if submitted else "",
            "commit_words": "Send the whole fleet",
            "target": "",
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
            "by_condition": [],
            "rows": [],
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
                "by_condition": [],
                "rows": [],
            }
        )
    return tests
