"""Play the released suites, read as they are; `write_suite` writes the same format.

A line holds a mechanism and a budget, and no crystals. The record crystals follow from the one
fixed generator that the original uses; the manipulator's and the reactor's base values come from
named streams (the original draws them from Python's salted string hash, so that no two processes
agree). Hard-quadratic lines bring their own base values.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from random import Random

from pydantic import ValidationError

from causarium.errors import BadFile
from causarium.families.causalab.formats.salted_hash import Salt
from causarium.families.causalab.formats.suite_format import ReleasedLine, mechanism_of
from causarium.families.causalab.generation.assemble_instance import Bases, Blueprint
from causarium.families.causalab.generation.published_bases import (
    BASE_RANGE,
    RECORD_SEED,
    draw_crystal,
)
from causarium.families.causalab.generation.skeletons import FAMILY_NAME
from causarium.families.causalab.instance import (
    ChainStep,
    Disturbance,
    LabInstance,
    Property,
    Reading,
)
from causarium.families.causalab.model.stored_instance import store_paper
from causarium.seeds import entropy, stream


def read_suite(
    path: Path,
    *,
    seed: int = 0,
    records: int = 2,
    budget: int | None = None,
    salt: Salt | None = None,
) -> list[LabInstance]:
    """Read a released suite as paper-edition instances.

    Args:
        path: A file of JSON lines, as released.
        seed: Where the manipulator's and the reactor's crystals come from.
        records: How many prior records are shown.
        budget: How many interventions; None takes the line's own, or none with a chain.
        salt: Take the manipulator's and the reactor's crystals as the original has them under
            this environment and hash seed, in place of `seed`.

    Raises:
        BadFile: The file cannot be read, or a line is not one of a suite; says which line,
            which field, and what was expected.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as wrong:
        raise BadFile(f"cannot read the suite {path}: {wrong}") from wrong
    found = [(n, _line(path, n, text)) for n, text in enumerate(lines, 1) if text.strip()]
    if not found:
        raise BadFile(f"{path} holds no line; a suite is JSON lines, one graph each")
    return [
        instance_of(
            line, path.stem, number - 1, seed=seed, records=records, budget=budget, salt=salt
        )
        for number, line in found
    ]


def _line(path: Path, number: int, text: str) -> ReleasedLine:
    try:
        return ReleasedLine.model_validate(json.loads(text))
    except ValidationError as wrong:
        first = wrong.errors(include_url=False, include_input=False)[0]
        field = ".".join(str(step) for step in first["loc"])
        said = first["msg"].removeprefix("Value error, ")
        raise BadFile(
            f"line {number} of {path} is not a graph of a suite: "
            f"{f'{field}: ' if field else ''}{said}"
        ) from wrong
    except (ValueError, RecursionError) as wrong:
        raise BadFile(
            f"line {number} of {path} is not JSON ({wrong}); expected one object a line"
        ) from wrong


def instance_of(
    line: ReleasedLine,
    suite: str,
    index: int,
    *,
    seed: int = 0,
    records: int = 2,
    budget: int | None = None,
    salt: Salt | None = None,
) -> LabInstance:
    """Make a paper-edition instance of a released line."""
    edges, base_frequency = mechanism_of(line)
    chain = _chain(line)
    hidden = line.hidden_variable if line.hidden_variable and line.hidden_variable.enabled else None
    blueprint = Blueprint(
        edition="paper",
        properties=tuple(Property(name=n, display=line.nodes[n].display_name) for n in line.names),
        form=line.equation_family,
        edges=edges,
        base_frequency=base_frequency,
        bases=_bases(line, suite, seed, records, salt),
        budget=(0 if chain else line.budget) if budget is None else budget,
        frequency_may_cause=line.frequency_can_be_parent,
        chain=chain,
        disturbance=Disturbance(
            affected=hidden.affected_nodes,
            weight=hidden.edge_weight,
            values=hidden.value_space,
            seed=entropy(seed, FAMILY_NAME, "suite", suite, line.graph_id) % 2**63,
        )
        if hidden
        else None,
    )
    return store_paper(
        name=f"{FAMILY_NAME}-{suite}-{f's{seed}-' if seed else ''}{index:04d}",
        public=blueprint.make_public(),
        secret=blueprint.secret(),
        facets={
            "suite": suite,
            "nodes": len(line.nodes),
            "edges": len(edges),
            "form": "hard-quadratic" if line.quadratic_mode == "hard" else line.equation_family,
            "semantics": "set",
            "regime": "golden" if chain else f"{records}o{blueprint.budget}i",
            "frequency_parent": line.frequency_can_be_parent,
            "hidden": len(hidden.affected_nodes) if hidden else 0,
        },
    )


def _bases(line: ReleasedLine, suite: str, seed: int, records: int, salt: Salt | None) -> Bases:
    names, presets = line.names, line.quadratic_metadata

    def preset(bases: Mapping[str, float]) -> tuple[float, ...]:
        return tuple(bases[name] for name in names)

    def draw_bases(role: str) -> tuple[float, ...]:
        if salt is not None:
            return salt.bases(names, reactor=role == "reactor")
        at = (FAMILY_NAME, role, suite, line.graph_id)
        return tuple(float(stream(seed, *at, name).randint(*BASE_RANGE)) for name in names)

    rng = Random(RECORD_SEED)
    first = [preset(bases) for bases in presets.observation_presets[:records]] if presets else []
    more = [draw_crystal(rng, len(names)) for _ in range(records - len(first))]
    return Bases(
        records=(*first, *more),
        manipulator=preset(presets.property_manipulator) if presets else draw_bases("manipulator"),
        reactor=preset(presets.reactor) if presets else draw_bases("reactor"),
    )


def _chain(line: ReleasedLine) -> tuple[ChainStep, ...]:
    chain: list[ChainStep] = []
    for entry in line.bootstrap_past_data:
        reading = Reading(values=tuple(entry.props[n] for n in line.names), frequency=entry.freq)
        done = entry.intervention
        if done is None:
            chain.append(ChainStep(reading=reading))
            continue
        # The first intervention goes on from the first entry, whatever was read in between.
        before = len(chain) - 1 if chain and chain[-1].property else 0
        chain.append(
            ChainStep(
                reading=reading,
                property=done.target_prop,
                value=done.target_value,
                continues=before,
            )
        )
    return tuple(chain)
