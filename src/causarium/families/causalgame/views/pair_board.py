"""How a twin pair stands, for a person: the mission, the flights by test, the questions."""

from collections import Counter
from collections.abc import Sequence
from typing import Any, cast

from causarium.contract.frozen import Json
from causarium.contract.views.play_page import Board, Exchange, Meter
from causarium.families.causalgame.actions import (
    AnswerQuestions,
    Commit,
    Explain,
    Fly,
    Tabulate,
)
from causarium.families.causalgame.config import GameRules
from causarium.families.causalgame.instance import TwinPublic
from causarium.families.causalgame.interface.missions import MISSIONS, RETURNED_COLUMN
from causarium.families.causalgame.interface.twin_tables import FATE, flight_columns, name_rows
from causarium.families.causalgame.interface.twin_wording import count_steps
from causarium.scoring.intervals import wilson_interval

HOME = FATE[1]


def lay_out_pair(public: TwinPublic, rules: GameRules, exchanges: Sequence[Exchange]) -> Board:
    """Return how a twin pair stands."""
    commits = [place for place, one in enumerate(exchanges) if isinstance(one.move, Commit)]
    mission = min(len(commits), MISSIONS - 1)
    here = exchanges[commits[-1] + 1 :] if commits and len(commits) < MISSIONS else exchanges
    if len(commits) >= MISSIONS:
        here = exchanges[commits[0] + 1 : commits[1]]
    answered = sum(isinstance(exchange.move, AnswerQuestions) for exchange in exchanges)
    phase = _find_phase(exchanges, len(commits))
    text = exchanges[commits[0]].seen.text if commits else ""
    is_closing = phase == "explore" and len(here) >= count_steps(public, rules)
    return Board(
        question=_ask(public, phase, mission, answered),
        meters=_count_left(public, here) if phase == "explore" else (),
        notes=_tell_notes(public) if phase == "explore" else (),
        view={
            "phase": phase,
            "is_pair": True,
            "mission": mission + 1,
            "parts": [
                {"name": name, "standard": points, "low": 0, "high": public.highest}
                for name, points in zip(public.parts, public.standard.armour, strict=True)
            ],
            "total": public.total,
            "slots": [
                {"name": slot.name, "options": [{"name": v, "about": ""} for v in slot.values]}
                for slot in public.slots
            ],
            "standard_options": {slot.name: slot.values[0] for slot in public.slots},
            "most": public.budget.per_deployment,
            "can_test": bool(public.budget.deployments) and not is_closing,
            "has_archive": bool(public.archived),
            "columns": column_names(public) if public.archived else [],
            "tests": [
                *(past := _read_past(public, text) if mission else []),
                *_list_tests(public, here, mission),
            ],
            "tables": _list_tables(here),
            "needed": public.threshold,
            "past": text if phase == "explore" and not past else "",
            "questions": _find_questions(exchanges) if phase == "ask" else [],
            "results": _tell_results(exchanges[-1]) if phase == "report" else "",
            "commit_words": f"Send the fleet of mission {mission + 1}",
            "target": _tell_target(public),
        },
    )


def column_names(public: TwinPublic) -> list[str]:
    """Return the columns of an archive."""
    return [*(one.name for one in (*public.slots, *public.conditions)), RETURNED_COLUMN]


def _find_phase(exchanges: Sequence[Exchange], commits: int) -> str:
    if commits < MISSIONS:
        return "explore"
    last = next(
        exchange
        for exchange in reversed(exchanges)
        if isinstance(exchange.move, Commit | AnswerQuestions | Explain)
    )
    return "ask" if "questions" in last.seen.data else "report"


def _ask(public: TwinPublic, phase: str, mission: int, answered: int) -> str:
    if phase == "ask":
        return f"What would have changed survival in mission {min(answered, MISSIONS - 1) + 1}?"
    if phase == "report":
        return "Both fleets have flown."
    share = f"{100 * public.threshold:.0f} %"
    return f"Mission {mission + 1} of {MISSIONS}: a design of which at least {share} come home."


def _tell_target(public: TwinPublic) -> str:
    """Return the conditions that the fleet will meet; an archive names none."""
    told = [
        f"{one.name} {one.values[value]}"
        for one, value in zip(public.conditions, public.target, strict=False)
        if value is not None
    ]
    return ", ".join(told)


def _tell_notes(public: TwinPublic) -> tuple[str, ...]:
    notes = []
    if target := _tell_target(public):
        notes.append(f"the fleet will meet: {target}")
    if public.signals:
        notes.append(f"{public.signals[0]} is set by lot when it flies")
    if public.hides_losses:
        notes.append("only drones that came back are on record")
    return tuple(notes)


def _count_left(public: TwinPublic, here: Sequence[Exchange]) -> tuple[Meter, ...]:
    budget = public.budget
    if public.archived:
        made = sum(isinstance(one.move, Tabulate) for one in here)
        return (Meter(left=budget.tables - made, of=budget.tables, unit="tables"),)
    flown = [one for one in here if isinstance(one.move, Fly)]
    sent = sum(one.seen.cost for one in flown)
    return (
        Meter(left=budget.deployments - len(flown), of=budget.deployments, unit="tests"),
        Meter(left=budget.drones - sent, of=budget.drones, unit="drones"),
    )


def _list_tests(public: TwinPublic, here: Sequence[Exchange], mission: int) -> list[dict[str, Any]]:
    """Return a line for each order of flights: what was changed, who came home, and where."""
    tests = []
    if mission == 0:
        for place, order in enumerate(public.opening, 1):
            changed = _tell_change(
                public,
                dict(zip(public.parts, order.design.armour, strict=True)),
                {
                    s.name: s.values[o]
                    for s, o in zip(public.slots, order.design.options, strict=True)
                },
            )
            rows = name_rows(public, order.flights)
            sent = None if public.hides_losses else len(rows)
            tests.append(_make_test(public, f"record {place}", changed, rows, sent))
    for one in here:
        if isinstance(one.move, Fly):
            rows = cast("list[list[str]]", one.seen.data["flights"])
            sent_count = cast("int | None", one.seen.data.get("sent"))
            title = f"test {one.seen.data['deployment']}"
            changed = _tell_change(public, one.move.design, one.move.equipment)
            tests.append(_make_test(public, title, changed, rows, sent_count))
    return tests


def _tell_change(public: TwinPublic, design: dict[str, int], equipment: dict[str, Any]) -> str:
    """Return what a design has other than the standard one."""
    standard = dict(zip(public.parts, public.standard.armour, strict=True))
    parts = [f"{name} {n}" for name, n in design.items() if n != standard.get(name)]
    slots = {slot.name: slot.values[0] for slot in public.slots}
    options = [f"{name} {v}" for name, v in equipment.items() if v != slots.get(name)]
    return ", ".join([*parts, *options]) or "as standard"


def _make_test(
    public: TwinPublic, title: str, changed: str, rows: Sequence[Sequence[str]], sent: int | None
) -> dict[str, Any]:
    home = sum(row[-1] == HOME for row in rows)
    test: dict[str, Any] = {
        "title": title,
        "changed": changed,
        "home": home,
        "sent": sent,
        "share": None,
        "columns": flight_columns(public),
        "rows": rows,
        "by_condition": _count_by_condition(public, rows) if sent is not None else [],
    }
    if sent:
        interval = wilson_interval(home, sent)
        test |= {"share": home / sent, "low": interval.low, "high": interval.high}
    return test


def _count_by_condition(
    public: TwinPublic, rows: Sequence[Sequence[str]]
) -> list[tuple[str, int, int]]:
    """Return, for each value of each condition, how many flights met it and came home."""
    columns = flight_columns(public)[:-1]
    sent: Counter[str] = Counter()
    home: Counter[str] = Counter()
    for row in rows:
        for name, value in zip(columns, row, strict=False):
            sent[f"{name} {value}"] += 1
            home[f"{name} {value}"] += row[-1] == HOME
    return [(words, home[words], sent[words]) for words in sorted(sent)]


def _list_tables(here: Sequence[Exchange]) -> list[dict[str, Json]]:
    return [
        {"columns": one.seen.data["columns"], "rows": one.seen.data["rows"]}
        for one in here
        if isinstance(one.move, Tabulate)
    ]


def _tell_results(last: Exchange) -> str:
    """Say how both fleets fared."""
    shares = cast("list[float | None]", last.seen.data.get("survival", []))
    wins = cast("list[bool]", last.seen.data.get("victory", []))
    return "\n".join(
        f"Mission {place}: {f'{100 * share:.0f} %' if share is not None else 'none'} came home, "
        f"{'won' if won else 'lost'}."
        for place, (share, won) in enumerate(zip(shares, wins, strict=True), 1)
    )


def _read_past(public: TwinPublic, text: str) -> list[dict[str, Any]]:
    """Return the flights from before the second mission, from what was said of them.

    Args:
        public: The pair.
        text: What the agent read when the first mission was settled: each design by its short
            name, then a line for each flight, parted by commas.
    """
    designs: dict[str, str] = {}
    rows: dict[str, list[list[str]]] = {}
    width = len(flight_columns(public))
    for line in text.splitlines():
        name, *cells = line.split(",")
        short, _, words = line.partition(": ")
        if name in designs and len(cells) == width:
            rows.setdefault(name, []).append(cells)
        elif "=" in words:
            designs[short] = words
    tests = []
    for place, (name, flights) in enumerate(rows.items(), 1):
        values = dict(word.split("=", 1) for word in designs[name].split() if "=" in word)
        armour = {part: int(values[part]) for part in public.parts if part in values}
        options = {slot.name: values.get(slot.name) for slot in public.slots}
        sent = None if public.hides_losses else len(flights)
        changed = _tell_change(public, armour, options)
        tests.append(_make_test(public, f"record {place}", changed, flights, sent))
    return tests


def _find_questions(exchanges: Sequence[Exchange]) -> list[Json]:
    last = next(exchange for exchange in reversed(exchanges) if "questions" in exchange.seen.data)
    questions = cast("list[dict[str, Any]]", last.seen.data["questions"])
    return [
        {
            "id": question["id"],
            "change": question["change"],
            "setting": ", ".join(f"{name} {value}" for name, value in question["setting"].items()),
        }
        for question in questions
    ]
