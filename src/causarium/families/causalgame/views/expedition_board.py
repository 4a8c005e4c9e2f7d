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
from causarium.families.causalgame.play.expeditions.wording import ExpeditionWording
from causarium.families.causalgame.play.expeditions.world import name_parts, write_design
from causarium.scoring.intervals import wilson_interval


def lay_out_expedition(
    public: ExpeditionPublic, rules: GameRules, exchanges: Sequence[Exchange]
) -> Board:
    """Return how an expedition stands."""
    asked = next((one for one in exchanges if "questions" in one.seen.data), None)
    last = max((n for n, one in enumerate(exchanges) if one.seen.data.get("orders")), default=-1)
    told = [
        {**order, "is_new": number == last}
        for number, one in enumerate(exchanges)
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
                {"id": f"q{number}", "change": f"{part}{' alone' if rival else ''} on leg {leg}"}
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
    rows = _count_rows(leg, mine)
    story = words.describe_leg(leg).splitlines()[1:]
    return {
        "name": leg.name,
        "kind": leg.kind,
        # A book's counts stand in a table of their own.
        "story": "\n".join(text for text in story if not text.startswith("- ")),
        "can_fly": leg.drones > 0,
        "left": leg.drones - sum(_price(order) for order in mine),
        "designs": [write_design(leg, fitted) for fitted in leg.designs],
        "settable": [
            f"{one.name} to {one.other}"
            for one in leg.readings
            if leg.kind in {"dial", "line"} and one.name != leg.fleet_reading
        ],
        "has_tower": leg.kind == "roster",
        "rows": rows,
        "cuts": _list_cuts(rows),
        "flown_now": any(order["is_new"] for order in mine),
        "stayed": _count_stayed(leg, mine),
        "book": _lay_out_book(leg),
    }


def _price(order: dict[str, Any]) -> int:
    return int(sum(one["ordered"] for one in order["ordered"]) * (2 if order["log"] else 1))


def _count_rows(leg: Leg, orders: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return a row for all flights that flew and showed alike, over all orders."""
    rows: dict[tuple[str, str, str, bool], dict[str, Any]] = {}
    for order in orders:
        sees_losses = leg.kind != "roster" or order["log"]
        for cell in order["cells"]:
            design = write_design(leg, tuple(part in cell["fitted"] for part in leg.parts))
            was_set, shown = order["set"] or "nothing", cell["shown"]
            read = {leg.fleet_reading: shown[leg.fleet_reading]} if leg.kind == "line" else shown
            row = rows.setdefault(
                (design, was_set, _tell_shown(leg, shown), sees_losses),
                {"cut": {"design": design, "set": was_set, **read}, "back": 0, "flown": 0},
            )
            row["back"] += cell["returned"]
            row["flown"] += cell["returned"] + cell.get("lost", 0)
            row["is_new"] = row.get("is_new", False) or order["is_new"]
    return [
        {**row, "shown": shown, "seen": _measure(row["back"], row["flown"], known=sees_losses)}
        for (_, _, shown, sees_losses), row in sorted(rows.items(), key=lambda pair: pair[0])
    ]


def _measure(back: int, flown: int, *, known: bool = True) -> dict[str, Any]:
    """Return a share with its interval, for words and for a strip; without losses, the count."""
    if not known or not flown:
        return {"words": f"{back}, losses unseen" if not known else "none flown"}
    share = wilson_interval(back, flown)
    ends = {"share": share.value, "low": share.low, "high": share.high}
    return {"words": f"{back} of {flown}", **ends}


def _list_cuts(rows: Sequence[dict[str, Any]]) -> list[tuple[str, list[str]]]:
    """Return by what flights can be cut: design, what was set, and every reading shown."""
    names = dict.fromkeys(name for row in rows for name in row["cut"])
    return [(name, list(dict.fromkeys(row["cut"][name] for row in rows))) for name in names]


def _lay_out_book(leg: Leg) -> list[dict[str, Any]]:
    """Return a row for each value of each column of a depot's book."""
    rows = []
    for column, counts in zip(leg.readings, leg.book, strict=bool(leg.book)):
        for at, value in ((0, column.other), (4, column.target)):
            lost, back, lost_with, back_with = counts[at : at + 4]
            rows.append(
                {
                    "column": column.name,
                    "by": "by lot" if column.by_lot else "by officers",
                    "value": value,
                    "with": _measure(back_with, back_with + lost_with),
                    "without": _measure(back, back + lost),
                }
            )
    return rows


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
        return _read_answers(public, draft)
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


def _read_answers(public: ExpeditionPublic, draft: Draft) -> Action | tuple[Problem, ...]:
    """Return the answers; where some are open, only if that was meant."""
    names = [f"q{n}" for n in range(1, 1 + sum(len(leg.parts) for leg in public.legs))]
    given = {name: draft.get(f"answer {name}", "") for name in names}
    answers: dict[str, Any] = {name: word for name, word in given.items() if word in ANSWERS}
    left = len(names) - len(answers)
    if left and not draft.get("open"):
        words = f"{left} of {len(names)} questions are open. Answer them, or tick that you leave"
        return (Problem(field="answers", words=f"{words} them open."),)
    return AnswerQuestions(answers=answers)
