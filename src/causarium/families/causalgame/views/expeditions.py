"""Certified edition: an expedition as a picture, as a replay, and as a board with a table a leg.

No row pools flights that differ in design or setting; a total of the rows in sight has no share.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, cast

from causarium.charts.palette import BAD, FAINT, GOOD, SERIES, SOFT
from causarium.charts.svg import make_svg, tag, text
from causarium.contract.turn import Turn
from causarium.contract.views.figure import Figure
from causarium.contract.views.play_page import Board, Draft, Exchange, Meter, Problem, read_whole
from causarium.contract.views.scene import Line, ReplayScene, Scene, list_turn_steps
from causarium.contract.world import Action
from causarium.scoring.intervals import wilson_interval
from ..mechanics.expeditions import find_best_design
from ..model.actions import ACTIONS
from ..model.expeditions import (
    ANSWERS,
    LOG_PRICE,
    MOST_DRONES_AN_ORDER,
    AnswerQuestions,
    Commit,
    Expedition,
    ExpeditionPublic,
    Fly,
    HiddenLeg,
    Leg,
    Order,
)
from ..play.expeditions.replies import read_chances
from ..play.expeditions.wording import ExpeditionWording
from ..play.expeditions.world import (
    ExpeditionWorld,
    name_parts,
    write_design,
)
from ..scoring import find_effect, is_best, replay_expedition
from ..shared.rules import GameRules

_OPEN = re.compile(r"\b[Ee]ither\b|^Or |^The tower lets half")
"""Marks the sentences of a briefing that name what a leg may be."""


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
    sent = next((one.move.fitted for one in exchanges if isinstance(one.move, Commit)), {})
    return Board(
        question="On every leg, which parts bring most of the fleet home?"
        if asked is None
        else "What does each part do to the fleet?",
        meters=_count_left(public, exchanges) if asked is None else (),
        view={
            "edition": "certified",
            "phase": "explore" if asked is None else "ask",
            "legs": [_lay_out_leg(leg, words, told) for leg in public.legs],
            "most": MOST_DRONES_AN_ORDER,
            "questions": [
                {
                    "id": f"q{number}",
                    "change": _name_change(leg, part, rival=rival),
                    "sent": " + ".join(sent.get(leg, ())) or "bare",
                }
                for number, (leg, part, rival) in enumerate(words.questions, 1)
            ],
        },
    )


def _name_change(leg: str, part: str, *, rival: bool) -> str:
    return f"{part.capitalize()}{' alone' if rival else ''} on leg {leg}"


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
        "story": [
            {"words": sentence, "is_open": _OPEN.search(sentence) is not None}
            for line in story
            if not line.startswith("- ")
            for sentence in re.split(r"(?<=[.?]) ", line.replace("`", ""))
        ],
        "can_fly": leg.drones > 0,
        "left": _count_drones(leg.drones - sum(_price(order) for order in mine)),
        # Bare drones, which tell least, come last.
        "designs": [write_design(leg, one) for one in (*leg.designs[1:], leg.designs[0])],
        "settable": [
            f"{one.name} to {one.other}" for one in leg.readings if leg.kind in {"dial", "line"}
        ],
        "has_tower": leg.kind == "roster",
        "rows": rows,
        "cuts": _list_cuts(rows),
        "last": next((_tell_order(leg, order) for order in mine if order["is_new"]), ""),
        "stayed": _count_stayed(leg, mine),
        "book": _lay_out_book(leg),
    }


def _price(order: dict[str, Any]) -> int:
    return int(sum(one["ordered"] for one in order["ordered"]) * (LOG_PRICE if order["log"] else 1))


def _tell_order(leg: Leg, order: dict[str, Any]) -> str:
    """Say what an order was and how many of its drones returned."""
    designs = [tuple(part in one["fitted"] for part in leg.parts) for one in order["ordered"]]
    what = " or ".join(write_design(leg, design) for design in designs)
    flown = sum(cell["returned"] + cell.get("lost", 0) for cell in order["cells"])
    back = sum(cell["returned"] for cell in order["cells"])
    ordered = sum(one["ordered"] for one in order["ordered"])
    was_set = f", {_name_setting(leg, order['set'])}" if order["set"] else ""
    seen = f" {flown} took off," if order["log"] else ""
    return f"Last order: {_count_drones(ordered)}, {what}{was_set}:{seen} {back} returned."


def _count_drones(number: int) -> str:
    return f"{number} drone{'' if number == 1 else 's'}"


def _name_setting(leg: Leg, name: str | None) -> str:
    return next((f"{one.name} to {one.other}" for one in leg.readings if one.name == name), "")


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
            row["set"] = _name_setting(leg, order["set"]) or was_set
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
    """Return a row for each value of each column of a depot's book, and one for all flights."""
    rows: list[tuple[str, Sequence[int]]] = []
    for column, counts in zip(leg.readings, leg.book, strict=bool(leg.book)):
        by = "by lot" if column.by_lot else "by officers"
        rows.append((f"{column.name} {column.other}, {by}", counts[:4]))
        rows.append((f"{column.name} {column.target}, {by}", counts[4:]))
    for counts in leg.book[:1]:  # each column counts all flights
        both = zip(counts[:4], counts[4:], strict=True)
        rows.append(("all flights", [one + other for one, other in both]))
    return [
        {
            "name": name,
            "issued": (back_with + lost_with) / max(lost + back + lost_with + back_with, 1),
            "with": _measure(back_with, back_with + lost_with),
            "without": _measure(back, back + lost),
            "all": _measure(back + back_with, lost + back + lost_with + back_with),
        }
        for name, (lost, back, lost_with, back_with) in rows
    ]


def _tell_shown(leg: Leg, shown: dict[str, str]) -> str:
    if leg.kind != "line":
        return ", ".join(f"{name} {value}" for name, value in shown.items())
    side = leg.readings[0]
    # Sorted, and the shorter side alone: two orders are compared by eye.
    away = sorted(name for name, value in shown.items() if value == side.other)
    if not away or len(away) == len(shown):
        return f"all {side.target if not away else side.other}"
    kept = sorted(shown.keys() - set(away))
    listed = f", all but {' '.join(kept)}" if len(kept) < len(away) else f": {' '.join(away)}"
    return f"{len(away)} of {len(shown)} moved to {side.other}{listed}"


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
    public: ExpeditionPublic, _rules: GameRules, _exchanges: Sequence[Exchange], draft: Draft
) -> Action | tuple[Problem, ...]:
    """Return the move that was entered, or what is wrong with it."""
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
    if not isinstance(count, Problem) and not 1 <= count <= MOST_DRONES_AN_ORDER:
        words = f"Send 1 to {MOST_DRONES_AN_ORDER} drones in an order."
        problems.append(Problem(field="count", words=words))
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
            return name_parts(leg, design)
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


_MARGIN, _ROW, _WIDE = 28.0, 20.0, 860.0
_MOST_ROWS = 10
_FACES = {
    "dial": ("the reading makes the air", "the reading only shows the air"),
    "line": ("the fleet's gauge makes the air", "the gauge before the fleet's makes the air"),
    "roster": ("returns tell the truth", "the tower chose who takes off"),
    "depot": ("issued by lot", "issued by officers who knew more"),
}


def tell_face(leg: Leg, hidden: HiddenLeg) -> str:
    """Return the hidden face of a leg in words."""
    if leg.kind == "roster" and hidden.face and hidden.early:
        return "drones broke before take-off"
    return _FACES[leg.kind][0 if hidden.face else 1]


def stage_expedition(instance: Expedition, rules: GameRules, turns: Sequence[Turn]) -> ReplayScene:
    """Return what a replay shows after each turn: per leg what was spent, sent, and is true."""
    world = ExpeditionWorld(instance, rules)
    scenes = [Scene(lines=_list_lines(instance, world))]
    for turn in turns:
        world.act(turn.move(ACTIONS))
        scenes.append(Scene(lines=_list_lines(instance, world)))
    return ReplayScene(
        question="On every leg, which parts bring most of the fleet home?",
        steps=list_turn_steps(turns, scenes, _describe_action),
        scenes=tuple(scenes),
        column="sent, or said",
        truth_column="best and why, or true",
    )


def _list_lines(instance: Expedition, world: ExpeditionWorld) -> tuple[Line, ...]:
    lines = []
    for leg, hidden in zip(instance.public.legs, instance.secret.legs, strict=True):
        sent = (world.committed or {}).get(leg.name)
        spent = leg.drones - world.range.left[leg.name]
        best = write_design(leg, find_best_design(leg, hidden))
        lines.append(
            Line(
                name=f"{leg.name} ({leg.kind})",
                believed=_count_drones(spent) if sent is None else write_design(leg, sent),
                true=f"{best}: {tell_face(leg, hidden)}",
                right=None if sent is None else is_best(leg, hidden, sent),
            )
        )
    return (*lines, *_list_answers(instance, world))


_EFFECTS = {"up": "more return", "down": "fewer return", "none": "no change"}


def _list_answers(instance: Expedition, world: ExpeditionWorld) -> list[Line]:
    """Return what was said of each part beside what it does; nothing before it was asked."""
    lines: list[Line] = []
    if not world.answers:
        return lines
    for leg, hidden in zip(instance.public.legs, instance.secret.legs, strict=True):
        for place, part in enumerate(leg.parts):
            chances = read_chances(world.answers.get(f"q{len(lines) + 1}")) or {}
            said = [
                f"{_EFFECTS[word]}{'' if chance == 1 else f' {chance:.0%}'}"
                for word, chance in chances.items()
                if chance
            ]
            truth = find_effect(leg, hidden, place)
            lines.append(
                Line(
                    name=_name_change(leg.name, part, rival=len(leg.parts) > 1),
                    believed=", ".join(said) or "left open",
                    true=_EFFECTS[truth],
                    right=chances[truth] > 0.5 if chances else None,
                )
            )
    return lines


def _describe_action(action: Mapping[str, Any]) -> str:
    kind = str(action.get("kind", ""))
    if kind == "fly":
        orders = action.get("orders") or []
        legs = ", ".join(dict.fromkeys(str(order.get("leg")) for order in orders))
        drones = sum(int(order.get("count") or 0) for order in orders)
        return f"Flew {_count_drones(drones)} on {legs}."
    words = {
        "status": "Looked at what is left.",
        "commit": "Sent the fleet.",
        "answer": "Answered the questions.",
        "run_analysis": "Ran a program over the flights.",
        "play_expedition": "Played by a program.",
    }
    return words.get(kind, f"{kind.replace('_', ' ').capitalize()}.")


def draw_expedition(instance: Expedition, rules: GameRules, turns: Sequence[Turn]) -> Figure:
    """Draw one expedition: the counts of every leg, what was sent, and what is true."""
    world = replay_expedition(instance, rules, turns)
    body, y = [text((_MARGIN, 34), instance.id, size=17, weight="600")], 66.0
    told = []
    for leg, hidden in zip(instance.public.legs, instance.secret.legs, strict=True):
        sent = (world.committed or {}).get(leg.name)
        right = is_best(leg, hidden, sent)
        told.append(f"{leg.name}: {'right' if right else 'wrong'}")
        mark = tag("circle", cx=_MARGIN + 6, cy=y - 4, r=6, fill=GOOD if right else BAD)
        said = "nothing sent" if sent is None else write_design(leg, sent)
        head = f"{leg.name} ({leg.kind}): {said}; {tell_face(leg, hidden)}"
        body += [mark, text((_MARGIN + 20, y), head, size=13, weight="600")]
        y += _ROW
        for words, back, flown in _list_cells(world, leg)[:_MOST_ROWS]:
            wide = 200.0 * back / max(flown, 1)
            body.append(text((_MARGIN + 20, y), words[:80], size=11.5, fill=SOFT))
            body.append(tag("rect", x=560, y=y - 9, width=200, height=10, fill=FAINT))
            body.append(tag("rect", x=560, y=y - 9, width=wide, height=10, fill=SERIES[0]))
            body.append(text((770, y), f"{back} of {flown}", size=11.5))
            y += _ROW
        y += 12
    title = f"{instance.id}, leg by leg"
    about = "; ".join(told)
    return Figure(
        title=title,
        svg=make_svg(_WIDE, y + 10, "".join(body), title=title, about=f"{about}."),
        caption="Bars are drones that returned of those seen, by design, by what was set and by "
        "what the readings showed; a green disc marks a leg with the best design.",
    )


def _list_cells(world: ExpeditionWorld, leg: Leg) -> list[tuple[str, int, int]]:
    """Return the counts of a leg by design and setting, the largest first."""
    counts: dict[str, list[int]] = {}
    for one in world.range.flown:
        if one.leg != leg:
            continue
        for cell in one.cells:
            shows = sum(cell.shown)
            words = f"{write_design(leg, cell.fitted)}, set: {one.order.set or 'nothing'}, "
            words += f"{shows} of {len(cell.shown)} readings at the fleet's value"
            pair = counts.setdefault(words, [0, 0])
            pair[0] += cell.returned
            pair[1] += cell.returned + cell.lost
    rows = [(words, back, flown) for words, (back, flown) in counts.items()]
    return sorted(rows, key=lambda row: (-row[2], row[0]))
