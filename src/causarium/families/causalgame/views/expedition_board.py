"""How an expedition stands, for a person: a table a leg, and no share pooled over what differs."""

from collections.abc import Sequence
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
from causarium.families.causalgame.model.config import GameRules
from causarium.families.causalgame.model.expeditions import (
    ANSWERS,
    AnswerQuestions,
    Commit,
    ExpeditionPublic,
    Fly,
    Leg,
    Order,
)
from causarium.families.causalgame.play.expeditions.orders import name_parts, write_design
from causarium.families.causalgame.play.expeditions.wording import ExpeditionWording


def lay_out_expedition(
    public: ExpeditionPublic, rules: GameRules, exchanges: Sequence[Exchange]
) -> Board:
    """Return how an expedition stands."""
    asked = next((one for one in exchanges if "questions" in one.seen.data), None)
    told = [
        order
        for one in exchanges
        for order in cast("list[dict[str, Any]]", one.seen.data.get("orders") or [])
    ]
    words = ExpeditionWording(public, rules)
    return Board(
        question="On every leg, which parts bring most of the fleet home?"
        if asked is None
        else "What does each part do to the fleet?",
        meters=_count_left(public, exchanges),
        view={
            "edition": "certified",
            "phase": "explore" if asked is None else "ask",
            "legs": [_lay_out_leg(leg, words, told) for leg in public.legs],
            "questions": [
                {
                    "id": f"q{number}",
                    "change": f"{part}{' alone' if rival else ''} on leg {leg}",
                    "setting": "",
                }
                for number, (leg, part, rival) in enumerate(words.questions, 1)
            ],
        },
    )


def _count_left(public: ExpeditionPublic, exchanges: Sequence[Exchange]) -> tuple[Meter, ...]:
    spent = sum(one.seen.cost for one in exchanges)
    flown = sum(
        len(one.move.orders) for one in exchanges if isinstance(one.move, Fly) and one.seen.legal
    )
    drones = sum(leg.drones for leg in public.legs)
    if not drones:
        return ()
    return (
        Meter(left=public.orders - flown, of=public.orders, unit="orders"),
        Meter(left=drones - spent, of=drones, unit="drones"),
    )


def _lay_out_leg(
    leg: Leg, words: ExpeditionWording, told: Sequence[dict[str, Any]]
) -> dict[str, Any]:
    mine = [order for order in told if order["leg"] == leg.name]
    return {
        "name": leg.name,
        "kind": leg.kind,
        "story": words.describe_leg(leg),
        "can_fly": leg.drones > 0,
        "left": leg.drones - sum(_price(order) for order in mine),
        "designs": [write_design(leg, fitted) for fitted in leg.designs],
        "settable": [
            f"{one.name} to {one.other}"
            for one in leg.readings
            if leg.kind in {"dial", "line"} and one.name != leg.fleet_reading
        ],
        "has_tower": leg.kind == "roster",
        "rows": _count_rows(leg, mine),
        "stayed": _count_stayed(leg, mine),
    }


def _price(order: dict[str, Any]) -> int:
    return int(sum(one["ordered"] for one in order["ordered"]) * (2 if order["log"] else 1))


def _count_rows(leg: Leg, orders: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return a row for all flights that flew and showed alike, over all orders."""
    rows: dict[tuple[str, str, str, bool], list[int]] = {}
    for order in orders:
        counts_losses = leg.kind != "roster" or order["log"]
        for cell in order["cells"]:
            design = write_design(leg, tuple(part in cell["fitted"] for part in leg.parts))
            key = (
                design,
                order["set"] or "nothing",
                _tell_shown(leg, cell["shown"]),
                counts_losses,
            )
            row = rows.setdefault(key, [0, 0])
            row[0] += cell["returned"]
            row[1] += cell["returned"] + cell.get("lost", 0)
    return [
        {
            "design": design,
            "set": was_set,
            "shown": shown,
            "returned": back,
            "flown": flown if counts_losses else None,
        }
        for (design, was_set, shown, counts_losses), (back, flown) in sorted(rows.items())
    ]


def _tell_shown(leg: Leg, shown: dict[str, str]) -> str:
    if leg.kind != "line":
        return ", ".join(f"{name} {value}" for name, value in shown.items())
    side = leg.readings[0]
    away = [name for name, value in shown.items() if value == side.other]
    if not away or len(away) == len(shown):
        return f"all {side.target if not away else side.other}"
    return f"{side.other}: {' '.join(away)}"


def _count_stayed(leg: Leg, orders: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return for each order of a roster how many were ordered, and stand in the hangar."""
    if leg.kind != "roster":
        return []
    return [
        {
            "design": write_design(leg, tuple(part in one["fitted"] for part in leg.parts)),
            "ordered": one["ordered"],
            "standing": one.get("standing"),
            "log": order["log"],
        }
        for order in orders
        for one in order["ordered"]
    ]


def read_expedition_draft(
    public: ExpeditionPublic, rules: GameRules, exchanges: Sequence[Exchange], draft: Draft
) -> Action | tuple[Problem, ...]:
    """Return the move that was entered, or what is wrong with it."""
    del rules, exchanges
    kind = draft.get("kind", "")
    if kind == "fly":
        return _read_order(public, draft)
    if kind == "commit":
        return _read_design(public, draft)
    if kind == "answer":
        return _read_answers(draft)
    return (Problem(field="", words="There is no such move here."),)


def _read_order(public: ExpeditionPublic, draft: Draft) -> Action | tuple[Problem, ...]:
    leg = next((one for one in public.legs if one.name == draft.get("leg")), None)
    if leg is None:
        return (Problem(field="leg", words="Choose a leg."),)
    count = read_whole(draft, "count", what="the drones")
    fitted = _find_parts(leg, draft.get("design", ""))
    problems = [count] if isinstance(count, Problem) else []
    if fitted is None:
        problems.append(Problem(field="design", words="Choose a design."))
    if problems or isinstance(count, Problem):
        return tuple(problems)
    order = Order(
        leg=leg.name,
        fitted=fitted or [],
        set=draft.get("set", "").partition(" ")[0] or None,
        log=bool(draft.get("log")),
        hangar=bool(draft.get("hangar")),
        count=count,
    )
    return Fly(orders=[order])


def _find_parts(leg: Leg, words: str) -> list[str] | None:
    for design in leg.designs:
        if write_design(leg, design) == words:
            return [str(part) for part in name_parts(leg, design)]
    return None


def _read_design(public: ExpeditionPublic, draft: Draft) -> Action | tuple[Problem, ...]:
    fitted: dict[str, list[str]] = {}
    for leg in public.legs:
        parts = _find_parts(leg, draft.get(f"design {leg.name}", ""))
        if parts is None:
            words = f"Choose a design for leg {leg.name}."
            return (Problem(field=f"design {leg.name}", words=words),)
        fitted[leg.name] = parts
    return Commit(fitted=fitted)


def _read_answers(draft: Draft) -> Action | tuple[Problem, ...]:
    answers: dict[str, Any] = {
        name.removeprefix("answer "): value
        for name, value in draft.items()
        if name.startswith("answer ") and value in ANSWERS
    }
    if not answers:
        return (Problem(field="answers", words="Answer at least one question."),)
    return AnswerQuestions(answers=answers)
