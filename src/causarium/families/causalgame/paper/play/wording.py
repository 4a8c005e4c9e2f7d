"""Paper edition: the words, from `prompts/` or from a user's own folder, and what fills them.

A folder of one's own (`rules.prompts`) must hold `system.md`, `task.md` and the reply text of the
interface. Texts that it does not hold are ours.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

from causarium.contract.family import Prompt
from causarium.contract.frozen import Json
from causarium.contract.texts.prompt_texts import Texts
from ..model.instance import (
    RETURNED,
    Flight,
    FlightReading,
    GamePublic,
)
from ..model.rules import GameRules
from .game_session import SUFFIX, Batch, Result, Session

_ARMOUR_IN_ALL = 300
"""The published second score is thrifty with armour up to so many points."""


def flight_data(flight: Flight) -> dict[str, Json]:
    """Return a flight under its published keys."""
    found: dict[str, Json] = {
        "id": flight.id,
        "design": {f"{name}{SUFFIX}": points for name, points in flight.design.items()},
        "status": flight.status,
        "hit_count": flight.hit_count,
        "was_detected": flight.was_detected,
        "environment": dict(flight.environment),
    }
    return {**found, "equipment": dict(flight.equipment)} if flight.equipment else found


def flight_table(flights: Sequence[Flight]) -> str:
    """Return flights as a table, each design named once above it."""
    if not flights:
        return "No flights are on record."
    lines = [design_line(flight.design, flight.equipment) for flight in flights]
    names = {line: f"D{number}" for number, line in enumerate(dict.fromkeys(lines), 1)}
    variables = list(dict.fromkeys(name for flight in flights for name in flight.environment))
    head = ["id", "design", "status", "hits", "detected", *variables]
    rows = [
        [
            flight.id,
            names[line],
            flight.status,
            format_reading(flight.hit_count),
            "yes" if flight.was_detected else "no",
            *(format_reading(flight.environment.get(name, "")) for name in variables),
        ]
        for flight, line in zip(flights, lines, strict=True)
    ]
    designs = [f"{name}: {line}" for line, name in names.items()]
    return "\n".join([*designs, "", *(",".join(row) for row in [head, *rows])])


def design_line(design: Mapping[str, int], equipment: Mapping[str, str]) -> str:
    """Return a design in one line."""
    armour = " ".join(f"{name}{SUFFIX}={points}" for name, points in design.items())
    return " ".join([armour, *(f"{slot}={option}" for slot, option in equipment.items())])


def format_reading(value: FlightReading) -> str:
    """Return a reading as it is printed."""
    return value if isinstance(value, str) else f"{value:g}"


def batch_data(batch: Batch, session: Session) -> dict[str, Json]:
    """Return a deployment's outcome under the published keys."""
    found: dict[str, Json] = {
        "status": "BATCH_COMPLETE",
        "deployed": batch.deployed,
        "survived": batch.survived,
        "destroyed": batch.deployed - batch.survived,
        "average_hit_count": batch.mean_hits,
        "drones_remaining": session.drones_left,
        "deployments_remaining": session.deployments_left,
        "results": [flight_data(row) for row in batch.rows],
    }
    return {**found, "environment": dict(batch.last)} if batch.last else found


def batch_text(batch: Batch, session: Session) -> str:
    """Say how a deployment went."""
    last = ", ".join(f"{name} {format_reading(value)}" for name, value in batch.last.items())
    last = f"On the last flight: {last}.\n" if last else ""
    return (
        f"Deployment {batch.number}: {batch.deployed} sent, {batch.survived} returned, "
        f"{batch.deployed - batch.survived} lost; {batch.mean_hits:g} hits on average. "
        f"Drones left: {session.drones_left}; deployments left: {session.deployments_left}.\n"
        f"{last}Flights on record:\n{flight_table(batch.rows)}"
    )


def status_data(session: Session, public: GamePublic) -> dict[str, Json]:
    """Return what is left, under the published keys."""
    return {
        "stage": 1 if session.result is None else 2,
        "drones_remaining": session.drones_left,
        "deployments_remaining": session.deployments_left,
        "queries_remaining": session.queries_left if public.queries_answered else 0,
        "history_count": session.counted,
        "victory_threshold": public.threshold,
        "fleet_size": public.budget.fleet,
    }


def status_text(session: Session, public: GamePublic) -> str:
    """Say what is left."""
    stage = "exploration" if session.result is None else "evaluation, finished"
    asked = session.queries_left if public.queries_answered else 0
    return (
        f"Stage {1 if session.result is None else 2} ({stage}). "
        f"Drones left: {session.drones_left}; "
        f"deployments left: {session.deployments_left}; questions left: {asked}. "
        f"Flights in the log: {session.counted}. "
        f"The fleet of {public.budget.fleet} has to reach {public.threshold:.1%}."
    )


def space_data(public: GamePublic) -> dict[str, Json]:
    """Return what a design may be."""
    return {
        "design": {
            f"{part.name}{SUFFIX}": {
                "min": public.lowest,
                "max": public.highest,
                "default": part.default,
            }
            for part in public.components
        },
        "total_def_budget": public.total,
        "equipment": {
            slot.name: {
                "default": slot.default,
                "options": {option.name: option.blurb for option in slot.options},
            }
            for slot in public.slots
        },
    }


def space_text(public: GamePublic) -> str:
    """Say what a design may be."""
    keys = ", ".join(f"{part.name}{SUFFIX} ({part.default})" for part in public.components)
    lines = [
        f"Armour, with its default in brackets: {keys}. Whole numbers from {public.lowest} to "
        f"{public.highest} each, at most {public.total} in all."
    ]
    for slot in public.slots:
        lines.append(f"Equipment slot {slot.name}, by default {slot.default}:")
        lines += [f"- {one.name}: {one.blurb}".rstrip(": ") for one in slot.options]
    if not public.slots:
        lines.append("There is no equipment to choose.")
    return "\n".join(lines)


def result_data(result: Result, public: GamePublic, *, second: bool) -> dict[str, Json]:
    """Return the fleet's result under the published keys."""
    found: dict[str, Json] = {
        "status": "EVALUATION_COMPLETE",
        "fleet_size": result.fleet,
        "survived": result.survived,
        "survival_rate": f"{result.rate:.1%}",
        "victory": result.won,
        "victory_threshold": public.threshold,
    }
    return {**found, "final_score": compute_second_score(result, public)} if second else found


def result_text(result: Result, public: GamePublic, *, second: bool) -> str:
    """Say how the fleet fared."""
    reached = "reached" if result.won else "missed"
    text = (
        f"The fleet has flown: {result.survived} of {result.fleet} drones survived, "
        f"{result.rate:.1%}. The threshold of {public.threshold:.1%} is {reached}."
    )
    return f"{text} Final score: {compute_second_score(result, public):g}." if second else text


def compute_second_score(result: Result, public: GamePublic) -> float:
    """Return the published second score, which decides nothing."""
    armour = sum({**public.defaults, **result.design.armour}.values())
    return round(0.7 * result.rate + 0.3 * (1 - min(1.0, armour / _ARMOUR_IN_ALL)), 4)


SPARE_TURNS = 10
"""An episode has so many turns beyond its deployments, as published."""
_FOLDER = Path(__file__).parents[1] / "prompts"
URGENT_TURNS = 3
"""With so few turns left, the agent reads that it must hurry."""
_COMMON = frozenset(
    (
        *("drones", "deployments", "per_deployment", "queries", "fleet", "threshold", "turns"),
        *("calls", "lowest", "highest", "total"),
    )
)
"""Slots that every text may use."""
_PARTS = frozenset(
    ["story", "space", "visible", "history", "archive", "shift", "noise", "flow", "claims", "reply"]
)
_OWN: dict[str, frozenset[str]] = {
    "task": _PARTS,
    "flow": frozenset({"guard", "report"}),
    "flow_code": frozenset({"guard", "report"}),
    "history": frozenset({"flights"}),
    "history_rate": frozenset({"flights", "rate"}),
    "turn": frozenset({"turn", "left", "drones_left", "deployments_left", "queries_left"}),
    "found": frozenset({"found"}),
    "found_names": frozenset({"found"}),
    "program": frozenset({"ending", "output"}),
    "interpreter_user": frozenset({"question"}),
}
"""The slots that a text must have, where it must have any."""


class Wording:
    """The words of one session."""

    def __init__(self, public: GamePublic, rules: GameRules) -> None:
        self._texts = TEXTS.load(rules.prompts, ("system", "task", f"reply_{rules.interface}"))
        self._facts = facts(public, rules)
        self._rules = rules
        self.turns = int(self._facts["turns"])
        """After so many turns exploration ends."""

    def fill_text(self, name: str, **more: str) -> str:
        """Return one text, filled in."""
        return self._texts[name].substitute({**self._facts, **more})

    def turn(self, session: Session, number: int) -> str:
        """Return the words that open a turn."""
        left = self.turns - number
        text = self.fill_text(
            "turn",
            turn=str(number),
            left=str(left),
            drones_left=str(session.drones_left),
            deployments_left=str(session.deployments_left),
            queries_left=str(session.queries_left),
        )
        return f"{text}\n{self.fill_text('urgent')}" if left < URGENT_TURNS else text

    def report(self) -> str:
        """Return the words that ask for the report."""
        claims = self.fill_text("report_claims") if self._rules.claims else ""
        form = self.fill_text(f"report_{self._rules.interface}")
        return "\n\n".join(part for part in (self.fill_text("report"), claims, form) if part)


def facts(public: GamePublic, rules: GameRules) -> dict[str, str]:
    """Return what fills the slots that every text may use."""
    budget = public.budget
    return {
        **{name: str(value) for name, value in budget},
        "threshold": f"{public.threshold:.1%}",
        "turns": str(rules.max_turns or budget.deployments + SPARE_TURNS),
        "calls": str(rules.calls_per_turn),
        "lowest": str(public.lowest),
        "highest": str(public.highest),
        "total": str(public.total),
    }


TEXTS = Texts(_FOLDER, lambda name: (_OWN.get(name, frozenset()), _COMMON))


def open_session(public: GamePublic, rules: GameRules, system: str | None = None) -> Prompt:
    """Return the words that open a session of a published game.

    With `system`, a release's own words on the game, ours are on records and replies alone.
    """
    words = Wording(public, rules)
    if system is not None:
        parts = _parts(public, rules, words)
        kept = (parts[name] for name in ("history", "archive", "claims", "reply"))
        return Prompt(system=system, user="\n\n".join(part.strip() for part in kept if part))
    user = words.fill_text("task", **_parts(public, rules, words))
    while "\n\n\n" in user:
        user = user.replace("\n\n\n", "\n\n")
    return Prompt(system=words.fill_text("system"), user=user.strip())


def _parts(public: GamePublic, rules: GameRules, words: Wording) -> dict[str, str]:
    fill, story = words.fill_text, words.fill_text(f"story_{public.setting}")
    hinted = rules.altitude_hint and public.setting == "zone"
    archive = fill("archive_names" if rules.names_only else "archive")
    return {
        "story": f"{story} {fill('altitude_hint')}" if hinted else story,
        "space": space_text(public),
        "visible": "\n".join(f"- {v.name}: {v.about}".rstrip(": ") for v in public.visible),
        "history": _history(public, rules, words),
        "archive": archive if public.queries_answered else "",
        "shift": fill("shift") if public.shift_announced else "",
        "noise": "",
        "flow": fill(
            "flow_code" if rules.interface == "code" else "flow",
            guard=fill("flow_guard") if rules.guards else "",
            report=fill("flow_report") if rules.report else "",
        ),
        "claims": fill("claims") if rules.claims else "",
        "reply": _reply(public, rules, words),
    }


def _history(public: GamePublic, rules: GameRules, words: Wording) -> str:
    if not public.history:
        return words.fill_text("no_history")
    table = flight_table(public.history)
    if not rules.opening_rate:
        return words.fill_text("history", flights=table)
    back = sum(flight.status == RETURNED for flight in public.history)
    rate = f"{back / len(public.history):.1%}"
    return words.fill_text("history_rate", flights=table, rate=rate)


def _reply(public: GamePublic, rules: GameRules, words: Wording) -> str:
    """Return how to reply, without the lines on actions that are not on offer."""
    offers = {
        "query": public.queries_answered,
        "run_analysis": rules.analysis,
        "believe": rules.claims,
        "report": rules.report,
    }
    left_out = tuple(f"- {kind}:" for kind, is_offered in offers.items() if not is_offered)
    lines = words.fill_text(f"reply_{rules.interface}").split("\n")
    return "\n".join(line for line in lines if not line.startswith(left_out))
