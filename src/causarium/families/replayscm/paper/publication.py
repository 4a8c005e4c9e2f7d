"""Read and write the release's YAML format, and compute its numbers on problems.

Fields that nothing here needs (diagnostics, prompts' settings, models' results) are read past.
What cannot be played is refused with the record, the field and what was expected there. A record
is also run: its true mechanisms must bring about every row, or it is refused.
"""

from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Literal

from pydantic import AliasPath, BaseModel, ConfigDict, Field, ValidationError

from causarium.contract.companions import Publication, Release
from causarium.contract.instance import Instance
from causarium.contract.places import write_atomically
from causarium.contract.texts.replies import describe_validation_error
from causarium.errors import BadFile, CausariumError, UsageError
from causarium.scm.boolean.formula import FormulaError, parse_formula
from causarium.scm.boolean.model import BooleanScm
from .generation.published_problems import generate_original
from .generation.true_models import COVERED_WINDOW, list_windows
from .mechanics import Panel, coverage, mechanisms, patterns_seen
from .model.instance import (
    FAMILY_NAME,
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

_HIDES_ORDER = ("no_topo", "ntopo", "unknown_topo", "blind_topo")
_VARIANTS = {
    "ordered": "with_topological_order",
    "alternative_ordered": "with_topological_order",
    "block_order": "partial_topological_order",
}
_NOT_COVERED = 4
"""With so many variables less than there are, a window is published for up to eight of them."""


class _Part(BaseModel):
    """A part of a released record; what is not named here is read past."""

    model_config = ConfigDict(frozen=True, extra="ignore", allow_inf_nan=False)


class _World(_Part):
    id: str = Field(validation_alias="worldId")
    split: Literal["train", "heldout"]
    mode: Literal["none", "hard_constant", "hard_assigned"] = Field(
        validation_alias=AliasPath("intervention", "mode")
    )
    targets: tuple[str, ...] = Field(validation_alias=AliasPath("intervention", "targets"))
    assignments: dict[str, Any] | list[Any] = Field(
        validation_alias=AliasPath("intervention", "assignments"), default_factory=dict
    )
    rows: tuple[str, ...] = Field(min_length=1)


class _Supporter(_Part):
    model: str


class _Pair(_Part):
    reference: dict[str, str] = Field(validation_alias="referenceMechanisms")
    other: dict[str, str] = Field(validation_alias="otherMechanisms")
    role: Literal["gold", "alternative"] = Field(validation_alias="referenceRole")
    experiment: dict[str, int] = Field(
        validation_alias=AliasPath("bestPairwiseExperiment", "assignments"), default_factory=dict
    )
    witness: dict[str, int] = Field(
        validation_alias=AliasPath("bestPairwiseWitness", "rootAssignment"), default_factory=dict
    )
    disagreement: float = Field(validation_alias="bestPairwiseDisagreementRate", default=0.0)
    supporters: tuple[_Supporter, ...] = Field(validation_alias="alternativeSupport", default=())


def _inside(*path: str, **rules: Any) -> Any:  # noqa: ANN401
    """Return a field that stands in the `problem` of a record."""
    return Field(validation_alias=AliasPath("problem", *path), **rules)


class _Record(_Part):
    id: str = _inside("instanceId")
    variables: tuple[str, ...] = _inside("signature", "variables", min_length=2)
    roots: tuple[str, ...] = _inside("signature", "rootVariables", min_length=1)
    order: tuple[str, ...] = _inside("signature", "topologicalOrder", default=())
    gold_order: tuple[str, ...] = _inside("goldAnswer", "scm", "topologicalOrder", default=())
    mechanisms: dict[str, str] = _inside("goldAnswer", "scm", "mechanisms")
    pair: _Pair | None = _inside("goldAnswer", "scm_alt_exp", default=None)
    task: str = _inside("task", "taskName")
    parameters: dict[str, Any] = _inside("task", "parameters", default_factory=dict)
    layers: tuple[tuple[str, ...], ...] = _inside(
        "task", "parameters", "topologicalLayers", default=()
    )
    worlds: tuple[_World, ...] = _inside("worlds")
    units: tuple[str, ...] = _inside("panelUnits", default=())


class _Unplayable(CausariumError):
    """Why a record cannot be played."""


def read_released(path: Path) -> list[ReplayInstance]:
    """Read a released file as instances of the paper edition.

    Raises:
        BadFile: It is no such file, or a record in it cannot be played.
    """
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
    return [_read_record(path, number, record) for number, record in enumerate(records, 1)]


def _read_record(path: Path, number: int, record: object) -> ReplayInstance:
    try:
        return _convert_record(_Record.model_validate(record))
    except (ValidationError, CausariumError) as wrong:
        shape = describe_validation_error(wrong) if isinstance(wrong, ValidationError) else ""
        detail = shape or wrong
        raise BadFile(f"record {number} of {path} cannot be played: {detail}") from wrong


def _convert_record(record: _Record) -> ReplayInstance:
    variables, setting = record.variables, _name_setting(record)
    worlds = [(world.split, _convert_world(world, record)) for world in record.worlds]
    _check_runs(record, [world for _, world in worlds])
    formulas = {name: parse_formula(text, variables) for name, text in record.mechanisms.items()}
    pair = record.pair if setting.startswith("alternative") else None
    if pair:
        _read_model(record, "referenceMechanisms", pair.reference)
        _read_model(record, "otherMechanisms", pair.other)
    gold = mechanisms(formulas, variables)
    reference = dict(pair.reference) if pair else {}
    stated = record.parameters.get("maxPredecessorsPerMechanism")
    most = [len(one.parents) for one in gold.values()]
    public = ReplayPublic(
        setting=setting,
        variables=variables,
        roots=None if setting == "hidden_roots" else _order_names(record.roots, variables),
        n_roots=len(record.roots),
        order=_read_order(record) if setting.endswith("ordered") else None,
        blocks=_read_blocks(record) if setting == "block_order" else None,
        limits=Limits(max_parents=max([*most, stated if isinstance(stated, int) else 4])),
        train=tuple(world for split, world in worlds if split == "train"),
        reference=reference or None,
    )
    secret = ReplaySecret(
        gold={name: one for name, one in gold.items() if reference.get(name) != one.formula},
        heldout=tuple(world for split, world in worlds if split == "heldout"),
        latent=record.id.removesuffix("__ALT_EXP"),
        source=_convert_pair(pair) if pair else None,
    )
    facets = {
        "setting": setting,
        "support": "released",
        "variables": len(variables),
        "mechanism": secret.latent,
    }
    return Instance[ReplayPublic, ReplaySecret](
        id=f"{FAMILY_NAME}-{record.id}", public=public, secret=secret, facets=facets
    )


def _name_setting(record: _Record) -> Setting:
    variant = str(record.parameters.get("scmPromptVariant") or "").lower()
    hidden = variant.startswith(_HIDES_ORDER)
    if record.task.upper().endswith("_ALT_EXP"):
        if record.pair is None:
            raise _Unplayable("an alternative task without `scm_alt_exp`")
        return "alternative_hidden" if hidden else "alternative_ordered"
    if "ROOT_UNKNOWN" in record.task.upper():
        return "hidden_roots"
    if variant.startswith("partial"):
        return "block_order"
    return "hidden_order" if hidden else "ordered"


def _read_order(record: _Record) -> tuple[str, ...]:
    order = record.order or record.gold_order
    if sorted(order) != sorted(record.variables):
        raise _Unplayable("topologicalOrder does not name each variable once")
    return order


def _read_blocks(record: _Record) -> tuple[tuple[str, ...], ...]:
    """Return the layers of a partial order, the roots by themselves first."""
    roots, layers = _order_names(record.roots, record.variables), record.layers
    named = sorted(name for layer in layers for name in layer)
    if named != sorted(record.variables) or not all(layers):
        raise _Unplayable("topologicalLayers does not name each variable once, in lists")
    inner = [tuple(name for name in layer if name not in roots) for layer in layers]
    return (roots, *filter(None, inner))


def _convert_world(world: _World, record: _Record) -> WorldRows:
    variables = record.variables
    if any(len(row) != len(variables) or not set(row) <= {"0", "1"} for row in world.rows):
        raise _Unplayable(f"world {world.id} has a row that is not {len(variables)} digits 0 or 1")
    if unknown := set(world.targets) - set(variables):
        raise _Unplayable(f"world {world.id} sets {min(unknown)!r}, which is no variable")
    columns = {name: "".join(row[i] for row in world.rows) for i, name in enumerate(variables)}
    held = world.assignments if world.mode == "hard_constant" else {}
    for name, value in held.items() if isinstance(held, dict) else ():
        if set(columns.get(name, "")) != {str(value)}:
            raise _Unplayable(f"world {world.id} holds {name!r} at {value}, but its rows do not")
    units = record.units or tuple(f"u{u:02d}" for u in range(len(world.rows)))
    if len(units) < len(world.rows):
        raise _Unplayable(f"world {world.id} has more rows than panelUnits has names")
    return WorldRows(
        id=world.id,
        mode=world.mode if world.targets else "none",
        targets=_order_names(world.targets, variables),
        units=units[: len(world.rows)],
        columns=columns,
    )


def _read_model(record: _Record, field: str, texts: Mapping[str, str]) -> BooleanScm:
    if sorted([*texts, *record.roots]) != sorted(record.variables):
        raise _Unplayable(f"roots and {field} together do not name each variable once")
    try:
        return BooleanScm.read(record.variables, record.roots, texts)
    except FormulaError as wrong:
        raise _Unplayable(f"{field}: {wrong}") from wrong


def _check_runs(record: _Record, worlds: Sequence[WorldRows]) -> None:
    scm = _read_model(record, "mechanisms", record.mechanisms)
    for world in worlds:
        panel = Panel.read(world, record.variables)
        if any(scm.run(row, panel.targets) != row for row in panel.rows):
            detail = f"the true mechanisms do not bring about the rows of world {world.id}"
            raise _Unplayable(detail)


def _order_names(names: tuple[str, ...], variables: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name for name in variables if name in names)


def _convert_pair(pair: _Pair) -> Source:
    return Source(
        reference=pair.role,
        other={name: text for name, text in pair.other.items() if pair.reference.get(name) != text},
        found_by=tuple(sorted({supporter.model for supporter in pair.supporters})),
        experiment=pair.experiment,
        witness=pair.witness,
        disagreement=pair.disagreement,
    )


def write_released(path: Path, instances: Sequence[ReplayInstance]) -> int:
    """Write problems in the released format; returns how many.

    Raises:
        UsageError: An instance is of the other edition, for which the format has no fields.
        BadFile: The file cannot be written.
    """
    yaml: Any = import_module("yaml")
    for instance in instances:
        if not isinstance(instance.public, ReplayPublic):
            raise UsageError(
                f"{instance.id} is no problem of the paper edition, and the released format has no "
                "fields for it; choose a paper level or leave --released out"
            )
    records = [{"problem": _write_problem(instance)} for instance in instances]
    dumper: Any = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
    text = yaml.dump({"problems": records}, Dumper=dumper, sort_keys=False, width=1000)
    write_atomically(path, text)
    return len(records)


def _write_problem(instance: ReplayInstance) -> dict[str, Any]:
    public, secret = instance.public, instance.secret
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
    task = "CIND_A_SCM_ROOT_UNKNOWN" if public.roots is None else "CIND_A_SCM"
    gold: dict[str, Any] = {"scm": {"mechanisms": gold_formulas(instance)}}
    if secret.source is not None and public.reference is not None:
        gold["scm_alt_exp"] = _write_pair(secret.source, public.reference)
    return {
        "instanceId": instance.id.removeprefix("replayscm-"),
        "signature": signature,
        "task": {
            "taskName": "CIND_A_SCM_ALT_EXP" if public.alternative else task,
            "parameters": parameters,
        },
        "worlds": [
            _write_world(world, split, public.variables)
            for split, worlds in (("train", public.train), ("heldout", secret.heldout))
            for world in worlds
        ],
        "goldAnswer": gold,
        "panelUnits": list(public.train[0].units),
    }


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


def _write_pair(source: Source, reference: Mapping[str, str]) -> dict[str, Any]:
    return {
        "referenceMechanisms": dict(reference),
        "otherMechanisms": {**reference, **source.other},
        "referenceRole": source.reference,
        "bestPairwiseExperiment": {"type": "hard_do", "assignments": dict(source.experiment)},
        "bestPairwiseDisagreementRate": source.disagreement,
        "bestPairwiseWitness": {"rootAssignment": dict(source.witness)},
        "alternativeSupport": [{"model": model} for model in source.found_by],
    }


def measure_problem(instance: ReplayInstance) -> dict[str, float]:
    """Return how much evidence a problem holds; its coverage where its causal order is given."""
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
    numbers |= {"local_coverage": covered, "fully_covered": float(covered == 1.0)}
    if instance.facets.get("support") != "extra":
        return numbers
    # What was added to a problem is what its address gives without it.
    _, seed, index = instance.secret.latent.split("/")
    before = generate_original(int(seed), int(index)).train
    seen = (sum(map(len, patterns_seen(one, windows).values())) for one in (panels, before))
    added = float(len(panels) - len(before))
    return {**numbers, "added_worlds": added, "added_patterns": float(next(seen) - next(seen))}


PUBLICATION: Publication[ReplayPublic, ReplaySecret] = Publication(
    read_released=read_released,
    write_released=write_released,
    release=Release(),
    measure_instance=measure_problem,
)
