"""Writing problems for others: prompts and records as JSON lines, or the released YAML format.

A file that ends in `.yaml` gets the released format, which `read_release` reads back. Any other
name gets JSON lines: what an agent may see, with the rendered prompt, one problem a line; and
beside it, under the same name with `.private` before its ending, what only a scorer may know.
"""

import json
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from causarium.contract.frozen import canonical_json
from causarium.contract.places import write_atomically
from causarium.errors import BadFile, UsageError
from causarium.families.replayscm.model.config import ReplayRules
from causarium.families.replayscm.model.instance import (
    OPERATORS,
    ReplayInstance,
    WorldRows,
    gold_formulas,
    true_roots,
)
from causarium.families.replayscm.play.prompts import prompt
from causarium.families.replayscm.publication.read_release import read_yaml

SCHEMA = "replayscm/1"
_YAML = (".yaml", ".yml")
_VARIANTS = {
    "ordered": "with_topological_order",
    "alternative_ordered": "with_topological_order",
    "block_order": "partial_topological_order",
}


def write_released(path: Path, instances: Sequence[ReplayInstance]) -> int:
    """Write problems; returns how many.

    Raises:
        UsageError: A problem has something that the format cannot hold.
        BadFile: The file cannot be written.
    """
    if path.suffix in _YAML:
        return _write_yaml(path, instances)
    public = [canonical_json(make_public_record(instance)) for instance in instances]
    private = [canonical_json(make_private_record(instance)) for instance in instances]
    write_atomically(path, "".join(f"{line}\n" for line in public))
    write_atomically(_name_private_file(path), "".join(f"{line}\n" for line in private))
    return len(public)


def read_released(path: Path) -> list[ReplayInstance]:
    """Read what `write_released` wrote, or a released file.

    Raises:
        BadFile: It is neither, or what only a scorer may know is not beside it.
    """
    if path.suffix in _YAML:
        return read_yaml(path)
    public, private = (
        _lines(path),
        {line.get("id"): line for line in _lines(_name_private_file(path))},
    )
    return [_read_back(path, line, private) for line in public]


def make_public_record(instance: ReplayInstance) -> dict[str, Any]:
    """Return all that an agent may see of a problem, as plain data."""
    public = instance.public
    words = prompt(public, ReplayRules())
    return {
        "schema": SCHEMA,
        "id": instance.id,
        "ops": list(OPERATORS),
        "prompt": words.model_dump(mode="json"),
        **public.model_dump(mode="json"),
    }


def make_private_record(instance: ReplayInstance) -> dict[str, Any]:
    """Return what only a scorer may know of a problem, as plain data."""
    return {
        "schema": SCHEMA,
        "id": instance.id,
        "facets": dict(instance.facets),
        **instance.secret.model_dump(mode="json"),
    }


def _name_private_file(path: Path) -> Path:
    return path.with_name(f"{path.stem}.private{path.suffix}")


def _lines(path: Path) -> list[dict[str, Any]]:
    try:
        lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    except (OSError, ValueError) as wrong:
        raise BadFile(f"cannot read the records {path}: {wrong}") from wrong
    for number, line in enumerate(lines, 1):
        if not isinstance(line, dict) or line.get("schema") != SCHEMA:
            raise BadFile(f"line {number} of {path} is no record with schema {SCHEMA!r}")
    return lines


def _read_back(
    path: Path, public: dict[str, Any], private: dict[Any, dict[str, Any]]
) -> ReplayInstance:
    id_ = public["id"] if isinstance(public.get("id"), str) else ""
    if id_ not in private:
        raise BadFile(f"{_name_private_file(path)} does not know {id_!r}, which {path} has")
    shown = {k: v for k, v in public.items() if k not in {"schema", "id", "ops", "prompt"}}
    secret = {k: v for k, v in private[id_].items() if k not in {"schema", "id", "facets"}}
    value = {"id": id_, "public": shown, "secret": secret, "facets": private[id_].get("facets", {})}
    try:
        return ReplayInstance.model_validate(value)
    except ValueError as wrong:
        raise BadFile(f"{id_} in {path} is not a problem: {str(wrong).splitlines()[0]}") from wrong


def _write_yaml(path: Path, instances: Sequence[ReplayInstance]) -> int:
    yaml: Any = import_module("yaml")
    for instance in instances:
        if instance.public.budget:
            raise UsageError(
                f"{instance.id} cannot be written in the released format, which has no worlds to "
                "ask for; choose another level or leave --released out"
            )
    records = [{"problem": _problem(instance)} for instance in instances]
    dumper: Any = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
    text = yaml.dump({"problems": records}, Dumper=dumper, sort_keys=False, width=1000)
    write_atomically(path, text)
    return len(records)


def _problem(instance: ReplayInstance) -> dict[str, Any]:
    public = instance.public
    signature: dict[str, Any] = {
        "variables": list(public.variables),
        "rootVariables": list(true_roots(instance)),
    }
    if public.order is not None:
        signature["topologicalOrder"] = list(public.order)
    parameters: dict[str, Any] = {
        "scmPromptVariant": _VARIANTS.get(public.setting, "no_topological_order"),
        "maxPredecessorsPerMechanism": public.limits.max_parents,
    }
    if public.blocks is not None:
        parameters["topologicalLayers"] = [list(block) for block in public.blocks]
    gold: dict[str, Any] = {"scm": {"mechanisms": gold_formulas(instance)}}
    if instance.secret.source is not None:
        gold["scm_alt_exp"] = _pair(instance)
    return {
        "instanceId": instance.id.removeprefix("replayscm-"),
        "signature": signature,
        "task": {"taskName": _task_name(instance), "parameters": parameters},
        "worlds": [
            _world(world, split, public.variables)
            for split, worlds in (("train", public.train), ("heldout", instance.secret.heldout))
            for world in worlds
        ],
        "goldAnswer": gold,
        "panelUnits": list(public.train[0].units),
    }


def _task_name(instance: ReplayInstance) -> str:
    if instance.public.alternative:
        return "CIND_A_SCM_ALT_EXP"
    return "CIND_A_SCM_ROOT_UNKNOWN" if instance.public.roots is None else "CIND_A_SCM"


def _world(world: WorldRows, split: str, variables: Sequence[str]) -> dict[str, Any]:
    constant = world.mode == "hard_constant"
    held = {name: int(world.columns[name][0]) for name in world.targets} if constant else {}
    rows = zip(*(world.columns[name] for name in variables), strict=True)
    return {
        "worldId": world.id,
        "split": split,
        "intervention": {
            "mode": world.mode,
            "targets": list(world.targets),
            "assignments": held,
            "type": "hard_do",
        },
        "rows": ["".join(row) for row in rows],
    }


def _pair(instance: ReplayInstance) -> dict[str, Any]:
    source, reference = instance.secret.source, instance.public.reference
    if source is None or reference is None:
        raise UsageError(f"{instance.id} asks for an alternative and has no source of it")
    return {
        "referenceMechanisms": dict(reference),
        "otherMechanisms": {**reference, **source.other},
        "referenceRole": source.reference,
        "bestPairwiseExperiment": {"type": "hard_do", "assignments": dict(source.experiment)},
        "bestPairwiseDisagreementRate": source.disagreement,
        "bestPairwiseWitness": {"rootAssignment": dict(source.witness)},
        "alternativeSupport": [{"model": model} for model in source.found_by],
    }
