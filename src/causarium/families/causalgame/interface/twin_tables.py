"""What an agent reads of a twin pair: flights, tables, results, as text and as data."""

from collections import Counter
from collections.abc import Iterator, Sequence

from causarium.contract.frozen import Json
from causarium.families.causalgame.instance import Order, TwinInstance, TwinPublic
from causarium.families.causalgame.interface.flight_tables import percent
from causarium.families.causalgame.interface.missions import (
    RETURNED_COLUMN,
    Deployment,
    Mission,
    archive_columns,
)
from causarium.families.causalgame.mechanics.twin_law import TwinDesign

SWITCH = ("off", "on")
FATE = ("lost", "returned")


def describe_design(public: TwinPublic, design: TwinDesign) -> str:
    """Return a design in one line."""
    armour = (f"{name}={points}" for name, points in zip(public.parts, design.armour, strict=True))
    return " ".join([*armour, *(f"{k}={v}" for k, v in name_options(public, design).items())])


def name_options(public: TwinPublic, design: TwinDesign) -> dict[str, str]:
    """Return the options of a design by slot."""
    return {
        slot.name: slot.values[option]
        for slot, option in zip(public.slots, design.options, strict=True)
    }


def name_armour(public: TwinPublic, design: TwinDesign) -> dict[str, int]:
    """Return the armour of a design by part."""
    return dict(zip(public.parts, design.armour, strict=True))


def flight_columns(public: TwinPublic) -> list[str]:
    """Return what is recorded of a test flight."""
    return [*(condition.name for condition in public.conditions), *public.signals, "fate"]


def name_rows(public: TwinPublic, rows: Sequence[tuple[int, ...]]) -> list[list[str]]:
    """Return test flights in words."""
    values = (
        [condition.values for condition in public.conditions]
        + [SWITCH] * len(public.signals)
        + [FATE]
    )
    named = {
        row: [words[value] for words, value in zip(values, row, strict=True)] for row in set(rows)
    }
    return [named[row] for row in rows]


def order_table(public: TwinPublic, orders: Sequence[tuple[str, Order]]) -> str:
    """Return flights as a table, each design named once above it."""
    lines = [f"{name}: {describe_design(public, order.design)}" for name, order in orders]
    lines += ["", ",".join(["design", *flight_columns(public)])]
    for name, order in orders:
        lines += [",".join([name, *row]) for row in name_rows(public, order.flights)]
    return "\n".join(lines)


def list_orders(mission: Mission, of: str = "all") -> list[tuple[str, Order]]:
    """Return what is on record in a mission, with a short name for each design."""
    opening = [(f"P{place}", order) for place, order in enumerate(mission.opening, 1)]
    flown = [(f"D{one.number}", one.order) for one in mission.deployments]
    return [*(opening if of != "session" else []), *(flown if of != "opening" else [])]


def record_data(
    public: TwinPublic, missions: Sequence[Mission], of: str = "all"
) -> dict[str, Json]:
    """Return the flights on record of some missions, as columns and rows."""
    columns = ["mission", "design", *public.parts, *(slot.name for slot in public.slots)]
    rows: list[Json] = []
    for mission in missions:
        for name, order in list_orders(mission, of):
            head = [
                mission.number + 1,
                name,
                *order.design.armour,
                *name_options(public, order.design).values(),
            ]
            rows += [[*head, *row] for row in name_rows(public, order.flights)]
    return {"columns": [*columns, *flight_columns(public)], "rows": rows}


def archive_data(instance: TwinInstance, missions: Sequence[Mission]) -> dict[str, Json]:
    """Return the archives of some missions, as columns and rows."""
    rows: list[Json] = [
        [mission.number + 1, *name_archived(instance, row)]
        for mission in missions
        for row in mission.archive
    ]
    return {"columns": ["mission", *archive_columns(instance)], "rows": rows}


def name_archived(instance: TwinInstance, row: Sequence[int]) -> list[str]:
    """Return a logged flight in words."""
    public = instance.public
    values = [one.values for one in (*public.slots, *public.conditions)] + [("no", "yes")]
    return [words[value] for words, value in zip(values, row, strict=True)]


def deployment_data(mission: Mission, deployment: Deployment) -> dict[str, Json]:
    """Return what came of a deployment."""
    public = mission.instance.public
    told: dict[str, Json] = {
        "mission": mission.number + 1,
        "deployment": deployment.number,
        "ordered": deployment.ordered,
        "drones_remaining": mission.drones_left,
        "deployments_remaining": mission.deployments_left,
        "columns": flight_columns(public),
        "flights": [*name_rows(public, deployment.order.flights)],
    }
    if deployment.sent is not None:
        told |= {"sent": deployment.sent, "returned": deployment.returned}
    return told


def deployment_text(mission: Mission, deployment: Deployment) -> str:
    """Say what came of a deployment."""
    public = mission.instance.public
    if deployment.sent is None:
        counts = f"{deployment.ordered} ordered; those that came back are on record"
    else:
        lost = deployment.sent - deployment.returned
        counts = f"{deployment.sent} sent, {deployment.returned} returned, {lost} lost"
    rows = (",".join(row) for row in name_rows(public, deployment.order.flights))
    return "\n".join(
        [
            f"Mission {mission.number + 1}, deployment {deployment.number}: {counts}. "
            f"Left: {mission.deployments_left} deployments, {mission.drones_left} drones.",
            f"D{deployment.number}: {describe_design(public, deployment.order.design)}",
            ",".join(flight_columns(public)),
            *rows,
        ]
    )


def count_rows(
    instance: TwinInstance, columns: Sequence[str], counts: Counter[tuple[int, ...]]
) -> Iterator[list[Json]]:
    """Yield a table's rows in words, the count last."""
    public = instance.public
    words = {one.name: one.values for one in (*public.slots, *public.conditions)}
    words[RETURNED_COLUMN] = ("no", "yes")
    for cell in sorted(counts):
        named = [words[column][value] for column, value in zip(columns, cell, strict=True)]
        yield [*named, counts[cell]]


def space_data(public: TwinPublic) -> dict[str, Json]:
    """Return what a design may be."""
    standard = public.standard
    return {
        "parts": {
            name: {"min": 0, "max": public.highest, "standard": points}
            for name, points in name_armour(public, standard).items()
        },
        "total": public.total,
        "equipment": {slot.name: list(slot.values) for slot in public.slots},
        "standard_equipment": {**name_options(public, standard)},
    }


def space_text(public: TwinPublic) -> str:
    """Say what a design may be."""
    lines = []
    if public.parts:
        even = public.standard.armour[0]
        lines.append(
            f"Armour on {len(public.parts)} parts: {', '.join(public.parts)}. Whole numbers from 0 "
            f"to {public.highest} each, at most {public.total} in all; the standard design has "
            f"{even} on each."
        )
    lines += [
        f"Equipment slot {slot.name}: {slot.values[0]} (standard) or {slot.values[1]}."
        for slot in public.slots
    ]
    return "\n".join(lines)


def result_data(missions: Sequence[Mission]) -> dict[str, Json]:
    """Return how both fleets fared."""
    return {
        "status": "EVALUATION_COMPLETE",
        "survival": [None if m.survival is None else round(m.survival, 4) for m in missions],
        "victory": [mission.won for mission in missions],
    }


def result_text(missions: Sequence[Mission]) -> str:
    """Say how both fleets fared."""
    lines = []
    for mission in missions:
        survival = mission.survival
        name = f"Mission {mission.number + 1}"
        if survival is None:
            lines.append(f"{name}: no design was committed, so no fleet flew. It is lost.")
            continue
        goal = percent(mission.instance.public.threshold)
        how = "reached: won" if mission.won else "missed: lost"
        lines.append(f"{name}: {percent(survival)} of the fleet survive. {goal} is {how}.")
    return "\n".join(lines)
