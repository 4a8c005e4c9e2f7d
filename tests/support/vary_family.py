"""A family with parts exchanged, for tests: fields, fields of companions, or its folder."""

from dataclasses import fields, replace
from typing import Any

from causarium.contract.family import AnyFamily

RECORDS = ("proofs", "training", "helpers", "publication", "views")
WHOLE = ("players", "folder", "card")


def vary(family: AnyFamily, **changes: Any) -> AnyFamily:
    def take(record: Any) -> dict[str, Any]:
        names = {field.name for field in fields(record)}
        return {name: changes.pop(name) for name in list(changes) if name in names}

    varied = replace(family, **take(family))
    varied = replace(varied, replies=replace(varied.replies, **take(varied.replies)))
    kept = {name: vars(family)[name] for name in (*RECORDS, *WHOLE) if name in vars(family)}
    if "folder" in changes:
        kept.pop("card", None)
    companions = {name: changes.pop(name) for name in WHOLE if name in changes}
    for name in RECORDS:
        if mine := take(getattr(family, name)):
            companions[name] = replace(getattr(family, name), **mine)
    if "helpers" in companions:
        roles = {"roles": companions["helpers"].roles}
        companions["card"] = family.card.model_copy(update=roles)
    assert not changes, f"a family has no {', '.join(changes)}"
    return varied.with_companions(**{**kept, **companions})
