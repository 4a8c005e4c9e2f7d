"""Which instances are the same under other names."""

from collections import defaultdict
from collections.abc import Mapping

from causarium.contract.frozen import Json, canonical_json, digest
from ..model.instance import Experiment, Holds, LadderInstance, Question


def make_key(instance: LadderInstance) -> str:
    """Return a digest that instances share if names alone tell them apart.

    A property that plays a part is known by that part. The others are idle, and known by where
    experiments and questions name them; those that are named alike can change places.
    """
    public, secret = instance.public, instance.secret
    roles = {name: f"part {number}" for number, name in enumerate(secret.crystal)}
    uses: dict[str, list[str]] = defaultdict(list)
    for place, hold in _list_holds(instance):
        for name, level in hold.items():
            uses[name].append(f"{place} {level}")
    for name in public.names:
        if name not in roles:
            kind = "unheld" if name in public.fixed else "idle"
            roles[name] = f"{kind} {', '.join(sorted(uses[name]))}"
    return digest(
        canonical_json(
            {
                "skeleton": public.skeleton.model_dump(mode="json"),
                "rules": [public.budget, public.holds],
                "unheld": sorted(roles[name] for name in public.fixed),
                "made": sorted(canonical_json(_rename(one, roles)) for one in public.made),
                "questions": [_describe(one, roles) for one in secret.questions],
                "answers": [*secret.answers],
            }
        )
    )


def _list_holds(instance: LadderInstance) -> list[tuple[str, Mapping[str, str]]]:
    """Return everything that is held, with where it is told."""
    found: list[tuple[str, Mapping[str, str]]] = []
    found += [(f"made {one.reading}", one.hold) for one in instance.public.made]
    for number, question in enumerate(instance.secret.questions):
        found.append((f"asked {number}", question.hold))
        found += [(f"run {number}", question.before.hold)] if question.before else []
        found.append((f"pair {number}", dict.fromkeys(question.pair or (), "")))
        found += [(f"option {number} {place}", hold) for place, hold in enumerate(question.options)]
    return found


def _describe(question: Question, roles: Mapping[str, str]) -> Json:
    return {
        "kind": question.kind,
        "hold": _rename_hold(question.hold, roles),
        "before": question.before and _rename(question.before, roles),
        "pair": sorted(roles[name] for name in question.pair or ()),
        "options": [_rename_hold(hold, roles) for hold in question.options],
    }


def _rename(experiment: Experiment, roles: Mapping[str, str]) -> Json:
    return [_rename_hold(experiment.hold, roles), experiment.reading]


def _rename_hold(hold: Holds, roles: Mapping[str, str]) -> Json:
    return [[role, level] for role, level in sorted((roles[n], at) for n, at in hold.items())]
