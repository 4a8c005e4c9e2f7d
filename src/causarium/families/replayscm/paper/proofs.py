"""Prove what can be proved about a published problem, ours or imported, and tell two apart.

- The true model brings about every row, shown or held out, and no held-out world repeats a
  training world's intervention.
- Exactly one admissible model fits what is shown, so the held-out rows are determined: by closure,
  and again by counting all models that fit. Problems of this edition are seldom so; certificates
  say by how much they are not.
- Where another model is asked for, the stored one fits, is another, and is told apart.
"""

import math
from typing import TYPE_CHECKING, Any, TypeAlias

from causarium.contract.certificate import Findings, Proof
from causarium.contract.companions import Proofs
from causarium.contract.frozen import canonical_json, digest
from causarium.scm.boolean.model import BooleanScm
from causarium.scm.dag import bits, mask_of
from .mechanics import Panel, admissible, evidence, true_model
from .model.instance import (
    ReplayInstance,
    ReplayPublic,
    ReplaySecret,
    Source,
    WorldRows,
    true_roots,
)

if TYPE_CHECKING:
    from causarium.scm.boolean.certify_model import Proof as Proved
    from causarium.scm.boolean.row_evidence import Evidence


Claims: TypeAlias = list[tuple[str, str, bool]]
"""What is claimed, by which method, and whether it holds."""


def canonical_key(instance: ReplayInstance) -> str:
    """Return a digest that a problem shares with all that are the same under other names.

    What is given of the structure and what is asked for do not count: the same worlds are the same
    problem in every setting.
    """
    public = instance.public
    worlds = (*public.train, *instance.secret.heldout)
    columns = (
        [[name in world.targets, world.columns[name]] for world in worlds]
        for name in public.variables
    )
    return digest(canonical_json(sorted(columns)))


def certify(instance: ReplayInstance) -> Findings:
    """Prove what can be proved about a problem, and measure what it leaves open."""
    from causarium.scm.boolean.certify_model import prove

    public, secret = instance.public, instance.secret
    scm = true_model(instance)
    train = evidence(public.train, public.variables)
    query = [evidence([world], public.variables) for world in secret.heldout]
    proved = prove(scm, train, query, admissible(public))
    done = [_signatures(instance, worlds) for worlds in (public.train, secret.heldout)]
    claims: Claims = [
        (
            "the true model brings about every row, shown and held out",
            "replay",
            _replays(scm, (train, *query)),
        ),
        (
            "no held-out world does what a training world does",
            "comparison of interventions",
            not done[0] & done[1],
        ),
    ]
    if secret.source is not None:
        claims += _second_model(instance, scm, secret.source, train)
    else:
        claims += _only_model(proved)
    proofs = tuple(Proof(claim=c, method=method, holds=holds) for c, method, holds in claims)
    # Nothing need be asked for, if what is shown is enough.
    optimum = 0.0 if proved.unique or secret.source is not None else None
    extra = _list_measurements(instance, proved)
    return Findings(optimum=optimum, proofs=proofs, extra=extra)


def _replays(scm: BooleanScm, worlds: "tuple[Evidence, ...]") -> bool:
    return all((scm.replay(world.rows, world.targets) == world.rows).all() for world in worlds)


def _signatures(instance: ReplayInstance, worlds: tuple[WorldRows, ...]) -> set[object]:
    variables = instance.public.variables
    # Two worlds in which nothing is set differ in their environments, which is no intervention.
    return {Panel.read(world, variables).signature for world in worlds if world.targets}


def _only_model(proved: "Proved") -> Claims:
    one = "exactly one admissible model fits what is shown"
    right = proved.determined and proved.fitting_query == proved.models
    return [
        (one, "closure: no open obligation, one feasible set of roots", proved.unique),
        (one, "count of all models that fit", proved.models == 1),
        ("every model that fits is right about all held-out rows", "closure and count", right),
    ]


def _second_model(
    instance: ReplayInstance, truth: BooleanScm, source: Source, train: "Evidence"
) -> Claims:
    public = instance.public
    reference, other = dict(public.reference or {}), {**(public.reference or {}), **source.other}
    names, roots = public.variables, true_roots(instance)
    given, second = (BooleanScm.read(names, roots, texts) for texts in (reference, other))
    models = given.canonical(), second.canonical()
    return [
        (
            "the reference and another model both bring about every row that is shown",
            "replay",
            _replays(given, (train,)) and _replays(second, (train,)),
        ),
        (
            "the two models are different functions, and one of them is the true one",
            "comparison of truth tables",
            models[0] != models[1] and truth.canonical() in models,
        ),
        (
            "one experiment tells the two models apart at the witness",
            "replay",
            _is_told_apart(instance, source, given, second),
        ),
    ]


def _is_told_apart(
    instance: ReplayInstance, source: Source, given: BooleanScm, second: BooleanScm
) -> bool:
    place = {name: i for i, name in enumerate(instance.public.variables)}
    row = mask_of(place[name] for name, value in source.witness.items() if value)
    for name, value in source.experiment.items():
        target = 1 << place[name]
        row = row & ~target | value * target
        if given.run(row, target) != second.run(row, target):
            return len(source.experiment) == 1
    return False


def _list_measurements(instance: ReplayInstance, proved: "Proved") -> dict[str, Any]:
    variables = instance.public.variables
    return {
        "models": str(proved.models),
        "log2_models": math.log2(proved.models),
        "unique": proved.unique,
        "heldout_determined": proved.determined,
        "chance_heldout_exact": float(proved.chance),
        "chance_heldout_world": float(sum(proved.by_world) / max(1, len(proved.by_world))),
        "feasible_roots": [[variables[i] for i in bits(mask)] for mask in proved.feasible_roots],
        "open_obligations": proved.open_all,
        "max_parents": instance.public.limits.max_parents,
        "heldout_novel_cells": novel_cells(instance),
        "par": instance.secret.par,
        "worlds": len(instance.public.train),
    }


def novel_cells(instance: ReplayInstance) -> float:
    """Return which share of the held-out cells that are scored stands in rows never shown."""
    variables, roots = instance.public.variables, true_roots(instance)
    shown = {row for world in instance.public.train for row in Panel.read(world, variables).rows}
    novel = total = 0
    for world in instance.secret.heldout:
        panel = Panel.read(world, variables)
        scored = sum(name not in roots and name not in world.targets for name in variables)
        total += scored * len(panel.rows)
        novel += scored * sum(row not in shown for row in panel.rows)
    return novel / total if total else math.nan


PROOFS: Proofs[ReplayPublic, ReplaySecret] = Proofs(
    certify=certify,
    canonical_key=canonical_key,
    # Units have the same names in all worlds, shown or held out.
    revealed_fields=frozenset({"units"}),
)
