"""The published release: its YAML files read and written, its sets by name, the paper's numbers.

Fields that nothing here needs (diagnostics, prompts' settings, models' results) are read past.
What cannot be played is refused with the record, the field and what was expected there. A record
is also run: its true mechanisms must bring about every row, or it is refused.
"""

from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from causarium.contract.companions import Publication, Release
from causarium.contract.instance import Instance
from causarium.contract.places import write_atomically
from causarium.contract.texts.replies import describe_validation_error
from causarium.errors import BadFile, GraphError, UsageError
from causarium.families.replayscm.generation.true_models import COVERED_WINDOW, list_windows
from causarium.families.replayscm.mechanics.intervention_worlds import Panel, coverage
from causarium.families.replayscm.mechanics.problem_records import mechanisms
from causarium.families.replayscm.model.config import FAMILY_NAME
from causarium.families.replayscm.model.instance import (
    Limits,
    ReplayInstance,
    ReplayPublic,
    ReplaySecret,
    Setting,
    Source,
    WorldRows,
    gold_formulas,
    true_roots,
)
from causarium.scm.boolean.formula import Formula, FormulaError, parse_formula
from causarium.scm.boolean.model import BooleanScm

_VARIANTS = {
    "ordered": "with_topological_order",
    "alternative_ordered": "with_topological_order",
    "block_order": "partial_topological_order",
}
_HIDES_ORDER = ("no_topo", "ntopo", "unknown_topo", "blind_topo")
_PARTIAL_ORDER = "partial"
_ALTERNATIVE = "_ALT_EXP"


class _Part(BaseModel):
    """A part of a released record; what is not named here is read past."""

    model_config = ConfigDict(frozen=True, extra="ignore", allow_inf_nan=False)


class _Intervention(_Part):
    mode: Literal["none", "hard_constant", "hard_assigned"]
    targets: tuple[str, ...]
    assignments: dict[str, Any] | list[Any] = Field(default_factory=dict)


class _World(_Part):
    id: str = Field(alias="worldId")
    split: Literal["train", "heldout"]
    intervention: _Intervention
    rows: tuple[str, ...] = Field(min_length=1)


class _Signature(_Part):
    variables: tuple[str, ...] = Field(min_length=2)
    roots: tuple[str, ...] = Field(alias="rootVariables", min_length=1)
    order: tuple[str, ...] = Field(alias="topologicalOrder", default=())


class _Experiment(_Part):
    assignments: dict[str, int] = Field(default_factory=dict)


class _Witness(_Part):
    roots: dict[str, int] = Field(alias="rootAssignment", default_factory=dict)


class _Supporter(_Part):
    model: str


class _Pair(_Part):
    reference: dict[str, str] = Field(alias="referenceMechanisms")
    other: dict[str, str] = Field(alias="otherMechanisms")
    role: Literal["gold", "alternative"] = Field(alias="referenceRole")
    experiment: _Experiment = Field(alias="bestPairwiseExperiment", default=_Experiment())
    witness: _Witness = Field(alias="bestPairwiseWitness", default=_Witness())
    disagreement: float = Field(alias="bestPairwiseDisagreementRate", default=0.0)
    supporters: tuple[_Supporter, ...] = Field(alias="alternativeSupport", default=())


class _Scm(_Part):
    mechanisms: dict[str, str]
    order: tuple[str, ...] = Field(alias="topologicalOrder", default=())


class _Gold(_Part):
    scm: _Scm
    pair: _Pair | None = Field(alias="scm_alt_exp", default=None)


class _Task(_Part):
    name: str = Field(alias="taskName")
    parameters: dict[str, Any] = Field(default_factory=dict)


class _Problem(_Part):
    id: str = Field(alias="instanceId")
    signature: _Signature
    task: _Task
    worlds: tuple[_World, ...]
    gold: _Gold = Field(alias="goldAnswer")
    units: tuple[str, ...] = Field(alias="panelUnits", default=())


class _Record(_Part):
    problem: _Problem


def read_released(path: Path) -> list[ReplayInstance]:
    """Read a released file as instances of the paper edition.

    Raises:
        BadFile: It is no such file, or a record in it cannot be played.
    """
    records = _load(path)
    return [_instance(path, number, record) for number, record in enumerate(records, 1)]


def _load(path: Path) -> list[Any]:
    yaml: Any = import_module("yaml")
    loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        value = yaml.load(path.read_bytes(), Loader=loader)
    except (OSError, yaml.YAMLError, ValueError, RecursionError) as wrong:
        detail = str(wrong).splitlines()[0] if str(wrong) else type(wrong).__name__
        raise BadFile(f"cannot read the released file {path}: {detail}") from wrong
    records = value.get("problems") if isinstance(value, dict) else None
    if not isinstance(records, list) or not records:
        raise BadFile(f"{path} has no list of `problems`; a released file of ReplaySCM has one")
    return records


def _instance(path: Path, number: int, record: object) -> ReplayInstance:
    try:
        problem = _Record.model_validate(record).problem
        return _convert_problem(problem)
    except ValidationError as wrong:
        raise BadFile(
            f"record {number} of {path} cannot be played: {describe_validation_error(wrong)}"
        ) from wrong
    except (FormulaError, GraphError, _Unplayable) as wrong:
        raise BadFile(f"record {number} of {path} cannot be played: {wrong}") from wrong


class _Unplayable(Exception):
    """Why a record cannot be played."""


def _convert_problem(problem: _Problem) -> ReplayInstance:
    variables = problem.signature.variables
    worlds = {world.id: _world(world, problem) for world in problem.worlds}
    formulas = _formulas(problem.gold.scm.mechanisms, variables)
    _check_runs(problem, formulas, worlds)
    setting = _setting(problem)
    pair = problem.gold.pair if setting.startswith("alternative") else None
    gold = mechanisms(formulas, variables)
    reference = dict(pair.reference) if pair else {}
    public = ReplayPublic(
        setting=setting,
        variables=variables,
        roots=None
        if setting == "hidden_roots"
        else _order_names(problem.signature.roots, variables),
        n_roots=len(problem.signature.roots),
        order=_order(problem) if setting.endswith("ordered") else None,
        blocks=_blocks(problem) if setting == "block_order" else None,
        limits=Limits(max_parents=_max_parents(problem, [len(m.parents) for m in gold.values()])),
        train=_split(problem, worlds, "train"),
        reference=reference or None,
    )
    secret = ReplaySecret(
        gold={name: one for name, one in gold.items() if reference.get(name) != one.formula},
        heldout=_split(problem, worlds, "heldout"),
        latent=problem.id.removesuffix("__ALT_EXP"),
        source=_source(pair) if pair else None,
    )
    facets = {
        "setting": setting,
        "support": "released",
        "variables": len(variables),
        "mechanism": secret.latent,
    }
    return Instance[ReplayPublic, ReplaySecret](
        id=f"{FAMILY_NAME}-{problem.id}", public=public, secret=secret, facets=facets
    )


def _setting(problem: _Problem) -> Setting:
    variant = str(problem.task.parameters.get("scmPromptVariant") or "").lower()
    hidden = variant.startswith(_HIDES_ORDER)
    if problem.task.name.upper().endswith(_ALTERNATIVE):
        if problem.gold.pair is None:
            raise _Unplayable("an alternative task without `scm_alt_exp`")
        return "alternative_hidden" if hidden else "alternative_ordered"
    if "ROOT_UNKNOWN" in problem.task.name.upper():
        return "hidden_roots"
    if variant.startswith(_PARTIAL_ORDER):
        return "block_order"
    return "hidden_order" if hidden else "ordered"


def _order(problem: _Problem) -> tuple[str, ...]:
    order = problem.signature.order or problem.gold.scm.order
    if sorted(order) != sorted(problem.signature.variables):
        raise _Unplayable("topologicalOrder does not name each variable once")
    return order


def _blocks(problem: _Problem) -> tuple[tuple[str, ...], ...]:
    """Return the layers of a partial order, the roots by themselves first.

    In released files they are called `topologicalLayers` and name every variable, roots too;
    blocks that name the others alone are read as well.
    """
    variables = problem.signature.variables
    roots = _order_names(problem.signature.roots, variables)
    parameters = problem.task.parameters
    if "topologicalLayers" in parameters:
        layers = _lists(parameters["topologicalLayers"])
        if layers is None or sorted(name for layer in layers for name in layer) != sorted(
            variables
        ):
            raise _Unplayable("topologicalLayers does not name each variable once, in lists")
        inner = [tuple(name for name in layer if name not in roots) for layer in layers]
        return (roots, *(layer for layer in inner if layer))
    rest = sorted(set(variables) - set(roots))
    for key, value in parameters.items():
        blocks = _lists(value) if "block" in key.lower() else None
        inner = [block for block in blocks or () if not set(block) <= set(roots)]
        if inner and sorted(name for block in inner for name in block) == rest:
            return (roots, *inner)
    raise _Unplayable("a partial order without topologicalLayers or blocks that name each variable")


def _lists(value: object) -> list[tuple[str, ...]] | None:
    """Return lists of names; None if these are none, or one of them is empty."""
    if not isinstance(value, list) or not all(isinstance(part, list) and part for part in value):
        return None
    return [tuple(str(name) for name in part) for part in value]


def _max_parents(problem: _Problem, counts: list[int]) -> int:
    stated = problem.task.parameters.get("maxPredecessorsPerMechanism")
    return max(counts + ([stated] if isinstance(stated, int) else [4]))


def _world(world: _World, problem: _Problem) -> WorldRows:
    variables = problem.signature.variables
    if any(len(row) != len(variables) or not set(row) <= {"0", "1"} for row in world.rows):
        raise _Unplayable(f"world {world.id} has a row that is not {len(variables)} digits 0 or 1")
    if unknown := set(world.intervention.targets) - set(variables):
        raise _Unplayable(f"world {world.id} sets {min(unknown)!r}, which is no variable")
    units = problem.units or tuple(f"u{u:02d}" for u in range(len(world.rows)))
    columns = {name: "".join(row[i] for row in world.rows) for i, name in enumerate(variables)}
    given = world.intervention.assignments
    for name, value in given.items() if isinstance(given, dict) else ():
        if world.intervention.mode == "hard_constant" and set(columns.get(name, "")) != {
            str(value)
        }:
            raise _Unplayable(f"world {world.id} holds {name!r} at {value}, but its rows do not")
    return WorldRows(
        id=world.id,
        mode=world.intervention.mode if world.intervention.targets else "none",
        targets=_order_names(world.intervention.targets, variables),
        units=units[: len(world.rows)],
        columns=columns,
    )


def _check_runs(
    problem: _Problem, formulas: Mapping[str, Formula], worlds: Mapping[str, WorldRows]
) -> None:
    signature = problem.signature
    if sorted([*formulas, *signature.roots]) != sorted(signature.variables):
        raise _Unplayable("roots and mechanisms together do not name each variable once")
    scm = BooleanScm.of(signature.variables, signature.roots, formulas)
    for name, world in worlds.items():
        panel = Panel.read(world, signature.variables)
        if any(scm.run(row, panel.targets) != row for row in panel.rows):
            raise _Unplayable(f"the true mechanisms do not bring about the rows of world {name}")


def _formulas(texts: Mapping[str, str], variables: tuple[str, ...]) -> dict[str, Formula]:
    return {name: parse_formula(text, variables) for name, text in texts.items()}


def _order_names(names: tuple[str, ...], variables: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name for name in variables if name in names)


def _split(problem: _Problem, worlds: Mapping[str, WorldRows], split: str) -> tuple[WorldRows, ...]:
    return tuple(worlds[world.id] for world in problem.worlds if world.split == split)


def _source(pair: _Pair) -> Source:
    return Source(
        reference=pair.role,
        other={name: text for name, text in pair.other.items() if pair.reference.get(name) != text},
        found_by=tuple(sorted({supporter.model for supporter in pair.supporters})),
        experiment=pair.experiment.assignments,
        witness=pair.witness.roots,
        disagreement=pair.disagreement,
    )


def write_released(path: Path, instances: Sequence[ReplayInstance]) -> int:
    """Write problems in the released format; returns how many.

    Raises:
        UsageError: A problem has something that the format cannot hold.
        BadFile: The file cannot be written.
    """
    yaml: Any = import_module("yaml")
    for instance in instances:
        if instance.public.budget:
            raise UsageError(
                f"{instance.id} cannot be written in the released format, which has no worlds to "
                "ask for; choose another level or leave --released out"
            )
    records = [{"problem": _write_problem(instance)} for instance in instances]
    dumper: Any = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
    text = yaml.dump({"problems": records}, Dumper=dumper, sort_keys=False, width=1000)
    write_atomically(path, text)
    return len(records)


def _write_problem(instance: ReplayInstance) -> dict[str, Any]:
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
        gold["scm_alt_exp"] = _write_pair(instance)
    return {
        "instanceId": instance.id.removeprefix("replayscm-"),
        "signature": signature,
        "task": {"taskName": _name_task(instance), "parameters": parameters},
        "worlds": [
            _write_world(world, split, public.variables)
            for split, worlds in (("train", public.train), ("heldout", instance.secret.heldout))
            for world in worlds
        ],
        "goldAnswer": gold,
        "panelUnits": list(public.train[0].units),
    }


def _name_task(instance: ReplayInstance) -> str:
    if instance.public.alternative:
        return "CIND_A_SCM_ALT_EXP"
    return "CIND_A_SCM_ROOT_UNKNOWN" if instance.public.roots is None else "CIND_A_SCM"


def _write_world(world: WorldRows, split: str, variables: Sequence[str]) -> dict[str, Any]:
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


def _write_pair(instance: ReplayInstance) -> dict[str, Any]:
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


_NOT_COVERED = 4
"""With so many variables less than there are, a window is published for up to eight of them."""


def measure_problem(instance: ReplayInstance) -> dict[str, float]:
    """Return how much evidence a problem holds; its coverage where its causal order is told."""
    public = instance.public
    numbers = {
        "train_worlds": float(len(public.train)),
        "heldout_worlds": float(len(instance.secret.heldout)),
    }
    if public.order is None:
        return numbers
    order = tuple(public.variables.index(name) for name in public.order)
    windows = list_windows(order, min(COVERED_WINDOW, len(order) - _NOT_COVERED))
    panels = [Panel.read(world, public.variables) for world in public.train]
    covered = coverage(panels, windows)
    return {**numbers, "local_coverage": covered, "fully_covered": float(covered == 1.0)}


PUBLICATION: Publication[ReplayPublic, ReplaySecret] = Publication(
    read_released=read_released,
    write_released=write_released,
    release=Release(),
    measure_instance=measure_problem,
)
