"""Flights, results and action spaces as an agent reads them: as text, and as data.

The data has the published keys; the text says the same in fewer words.
"""

from collections.abc import Mapping, Sequence

from causarium.contract.frozen import Json
from causarium.families.causalgame.model.instance import Flight, GamePublic, Reading
from causarium.families.causalgame.play.published.game_session import SUFFIX, Batch, Result, Session

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


def format_reading(value: Reading) -> str:
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
        f"The fleet of {public.budget.fleet} has to reach {percent(public.threshold)}."
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
        "survival_rate": percent(result.rate),
        "victory": result.won,
        "victory_threshold": public.threshold,
    }
    return {**found, "final_score": compute_second_score(result, public)} if second else found


def result_text(result: Result, public: GamePublic, *, second: bool) -> str:
    """Say how the fleet fared."""
    reached = "reached" if result.won else "missed"
    text = (
        f"The fleet has flown: {result.survived} of {result.fleet} drones survived, "
        f"{percent(result.rate)}. The threshold of {percent(public.threshold)} is {reached}."
    )
    return f"{text} Final score: {compute_second_score(result, public):g}." if second else text


def compute_second_score(result: Result, public: GamePublic) -> float:
    """Return the published second score, which decides nothing."""
    armour = sum({**public.defaults, **result.design.armour}.values())
    return round(0.7 * result.rate + 0.3 * (1 - min(1.0, armour / _ARMOUR_IN_ALL)), 4)


def percent(share: float) -> str:
    """Return a share in percent, with one decimal."""
    return f"{100 * share:.1f}%"
