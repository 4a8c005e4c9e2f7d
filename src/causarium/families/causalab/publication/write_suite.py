"""Write instances in the format of the released suites, which `read_suite` reads.

A line holds a mechanism and a budget. Crystals stay behind, as the format has none, except for the
base values that a hard-quadratic line brings along.
"""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from causarium.contract.places import write_atomically
from causarium.errors import UsageError
from causarium.families.causalab.model.instance import (
    FREQUENCY,
    FREQUENCY_DISPLAY,
    ChainStep,
    Disturbance,
    LabInstance,
    LabPublic,
)

_SHORT = {"temperatureC": "temp", FREQUENCY: "freq"}
_UNUSED_BASE = 20.0
"""The format has a base per property that nothing ever reads."""


def write_suite(path: Path, instances: Iterable[LabInstance], *, name: str | None = None) -> int:
    """Write instances as a suite in the released format; returns how many were written.

    Raises:
        UsageError: An instance has something that the format cannot hold.
    """
    suite = name or path.stem
    instances = list(instances)
    for instance in instances:
        if instance.public.semantics != "set":
            raise UsageError(
                f"{instance.id} cannot be written in the released format, which has no other "
                "semantics than 'set'; leave --released out"
            )
    lines = [
        json.dumps(make_released_line(instance, f"{suite}_{i}"), ensure_ascii=False)
        for i, instance in enumerate(instances)
    ]
    write_atomically(path, "".join(f"{line}\n" for line in lines))
    return len(lines)


def make_released_line(instance: LabInstance, graph_id: str) -> dict[str, Any]:
    """Return an instance as a line of a suite; crystals stay behind, as the format has none."""
    public, secret = instance.public, instance.secret
    hard = instance.facets.get("form") == "hard-quadratic"
    params: dict[str, float] = {"base_freq": secret.base_frequency}
    written = {FREQUENCY: ["base_freq"]}
    for name in public.names:
        params[f"base_{name}"] = _UNUSED_BASE
        written[name] = [f"base_{name}"]
    for edge in secret.edges:
        short = f"{_SHORT.get(edge.cause, edge.cause)}_{_SHORT.get(edge.effect, edge.effect)}"
        if public.form == "linear":
            params[f"coeff_{short}"] = _make_whole(edge.linear)
            written[edge.effect].append(f"coeff_{short} * {edge.cause}")
        else:
            params[f"coeff2_{short}"] = edge.square
            params[f"coeff1_{short}"] = edge.linear
            written[edge.effect].append(
                f"coeff2_{short} * ({edge.cause} ^ 2) + coeff1_{short} * {edge.cause}"
            )
    displays = {FREQUENCY: FREQUENCY_DISPLAY, **{p.name: p.display for p in public.properties}}
    line: dict[str, Any] = {
        "graph_id": graph_id,
        "description": _description(len(displays), len(secret.edges), instance),
        "nodes": {n: _node(n, d, written[n]) for n, d in displays.items()},
        "edges": [{"from": e.cause, "to": e.effect} for e in secret.edges],
        "params": params,
        # With a chain the original grants nothing more, and the line holds the usual budget.
        "budget": 4 * len(public.names) if public.chain else public.budget,
        "equation_family": public.form,
    }
    if hard:
        line["quadratic_mode"] = "hard"
        line["quadratic_metadata"] = _presets(instance)
    if public.frequency_may_cause:
        line["frequency_can_be_parent"] = True
    if secret.disturbance:
        line["hidden_variable"] = _write_disturbance(secret.disturbance)
    if public.chain:
        line["bootstrap_past_data"] = [_entry(public, i, s) for i, s in enumerate(public.chain)]
    return line


def make_public_line(public: LabPublic, graph_id: str) -> dict[str, Any]:
    """Return what an agent may know of an instance as a line of a suite, without any arrow.

    Args:
        public: What an agent may know.
        graph_id: What the line is called.
    """
    displays = {FREQUENCY: FREQUENCY_DISPLAY, **{p.name: p.display for p in public.properties}}
    line: dict[str, Any] = {
        "graph_id": graph_id,
        "description": "",
        "nodes": {n: _node(n, d, ["base_freq"]) for n, d in displays.items()},
        "edges": [],
        "params": {"base_freq": public.manipulator.frequency},
        "budget": public.budget,
        "equation_family": public.form,
    }
    if public.frequency_may_cause:
        line["frequency_can_be_parent"] = True
    if public.chain:
        line["bootstrap_past_data"] = [_entry(public, i, s) for i, s in enumerate(public.chain)]
    return line


def _make_whole(value: float) -> float:
    return int(value) if value == int(value) else value


def _description(nodes: int, edges: int, instance: LabInstance) -> str:
    text = f"Causal graph with {nodes} nodes and {edges} edges"
    if instance.secret.disturbance:
        text += " with hidden variable"
    if instance.public.form == "quadratic":
        hard = "hard " if instance.facets.get("form") == "hard-quadratic" else ""
        text += f" with {hard}quadratic parent-child mechanisms"
    return text


def _node(name: str, display: str, written: Sequence[str]) -> dict[str, Any]:
    node: dict[str, Any] = {
        "is_controllable": name != FREQUENCY,
        "observable": True,
        "property_name": name,
        "display_name": display,
        "base_value": {"type": "uniform", "min": 15.0, "max": 45.0},
    }
    if len(written) > 1 or name == FREQUENCY:
        node["computation"] = " + ".join(written)
    return node


def _presets(instance: LabInstance) -> dict[str, Any]:
    public, secret = instance.public, instance.secret

    def by_name(bases: tuple[float, ...]) -> dict[str, float]:
        return dict(zip(public.names, bases, strict=True))

    return {
        "controllable_node_order": list(public.names),
        "edge_axis_by_name": {
            f"{e.cause}->{e.effect}": round(-e.linear / (2 * e.square), 6)
            for e in secret.edges
            if e.square
        },
        "observation_presets": [by_name(bases) for bases in secret.record_bases],
        "property_manipulator": by_name(secret.manipulator_bases),
        "reactor": by_name(secret.reactor_bases),
    }


def _write_disturbance(hidden: Disturbance) -> dict[str, Any]:
    return {
        "enabled": True,
        "name": "h",
        "observable": False,
        "is_controllable": False,
        "initial_value": 0,
        "value_space": list(hidden.values),
        "edge_weight": _make_whole(hidden.weight),
        "affected_nodes": list(hidden.affected),
        "edges": [
            {"from": "h", "to": name, "weight": _make_whole(hidden.weight)}
            for name in hidden.affected
        ],
    }


def _entry(public: LabPublic, number: int, step: ChainStep) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "id": f"{number}/bootstrap",
        "props": dict(sorted(zip(public.names, step.reading.values, strict=True))),
        "freq": step.reading.frequency,
    }
    if step.property is not None:
        entry["intervention"] = {"target_prop": step.property, "target_value": step.value}
    return entry
