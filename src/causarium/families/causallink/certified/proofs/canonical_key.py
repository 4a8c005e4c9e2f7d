"""A digest that a table shares with all that are the same under other names and in other order."""

from itertools import permutations

from causarium.contract.frozen import canonical_json, digest
from causarium.contract.instance import content_key
from ..model import LinkInstance, Parts, Watched


def canonical_key(instance: LinkInstance) -> str:
    """Return the digest of a table without its names, the order of its rows and of equal groups.

    Where an agent has no trials there are eight tables but for names, and all are in the sets; what
    is asked there is to read one line, so that the names count.
    """
    public, parts = instance.public, instance.secret.parts
    if not public.trials:
        return content_key(instance)
    forms = []
    for rows in permutations(public.watched):
        marks = {
            name: "".join([*(_mark(row, name) for row in rows), "l" * (name in public.lively)])
            for name in public.objects
        }
        forms.append(
            canonical_json(
                {
                    "objects": sorted(
                        [marks[name], _name_part(parts, public.asked, name)]
                        for name in public.objects
                    ),
                    "groups": sorted(
                        sorted(marks[name] for name in group) for group in parts.rivals
                    ),
                    "seen": [row.moved for row in rows],
                }
            )
        )
    form = {"truth": instance.secret.truth, "plan": public.plan.model_dump(mode="json")}
    return digest(
        min(forms), canonical_json({**form, "hands": public.hands, "trials": public.trials})
    )


def _mark(row: Watched, name: str) -> str:
    return "s" if name in row.started else "h" if name in row.held else "-"


def _name_part(parts: Parts, asked: str, name: str) -> str:
    """Return which part an object plays."""
    if name == asked:
        return "asked"
    if name == parts.stand_in:
        return "stand-in"
    played = {
        "partner": parts.partners,
        "started": parts.started,
        "rival": sum(parts.rivals, ()),
        "stopper": parts.stoppers,
        "starter": parts.starters,
    }
    return "+".join(part for part, names in played.items() if name in names)
