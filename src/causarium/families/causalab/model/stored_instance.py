"""The instances of both editions under one type, and how to tell them apart."""

import re
from collections.abc import Callable
from typing import Any, TypeGuard, TypeVar, cast

from pydantic import SerializerFunctionWrapHandler, model_serializer, model_validator

from causarium.contract.instance import Facet, Instance
from causarium.families.causalab.model.bench import BenchInstance, BenchPublic, BenchSecret
from causarium.families.causalab.model.instance import LabInstance, LabPublic, LabSecret

MECHANISM = "mechanism"
"""The facet that instances with the same mechanism share."""
_ADDRESS = re.compile(r"-(?:s(\d+)-)?(\d+)$")

EitherPublic = LabPublic | BenchPublic
EitherSecret = LabSecret | BenchSecret
EitherInstance = Instance[EitherPublic, EitherSecret]


class StoredInstance(Instance[EitherPublic, EitherSecret]):
    """An instance that knows which others have its mechanism.

    Which mechanism one of the paper edition has follows from its size, seed and index. Its lines
    leave that facet out, so that they stay what they were; it is there again when they are read.
    """

    @model_validator(mode="before")
    @classmethod
    def _name_mechanism(cls, value: Any) -> Any:  # noqa: ANN401
        if not isinstance(value, dict):
            return value
        facets, address = value.get("facets") or {}, _ADDRESS.search(str(value.get("id", "")))
        if address is None or MECHANISM in facets or "nodes" not in facets:
            return value
        kind = facets.get("suite") or ("freqparent" if facets["frequency_parent"] else "graph")
        shared = f"{kind}-{facets['nodes']}-s{int(address[1] or 0)}-{int(address[2])}"
        return {**value, "facets": {**facets, MECHANISM: shared}}

    @model_serializer(mode="wrap")
    def _leave_facet_out(self, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        fields: dict[str, Any] = write(self)
        if isinstance(self.public, LabPublic) and self.public.printed_order:
            facets = {k: v for k, v in fields["facets"].items() if k != MECHANISM}
            fields = {**fields, "facets": facets}
        return fields


def store_paper(
    *, name: str, public: LabPublic, secret: LabSecret, facets: dict[str, Facet]
) -> LabInstance:
    """Return an instance of the paper edition as it is stored."""
    stored = StoredInstance(id=name, public=public, secret=secret, facets=facets)
    return cast("LabInstance", stored)


def store_bench(instance: BenchInstance) -> BenchInstance:
    """Return an instance of the bench as it is stored."""
    stored = StoredInstance(
        id=instance.id, public=instance.public, secret=instance.secret, facets=instance.facets
    )
    return cast("BenchInstance", stored)


ResultT = TypeVar("ResultT")


def by_edition(
    bench: Callable[..., ResultT], paper: Callable[..., ResultT]
) -> Callable[..., ResultT]:
    """Return what hands a call over to an edition, by an instance that comes first.

    Args:
        bench: What is done with an instance of the bench.
        paper: What is done with one of the paper edition.
    """

    def hand_over(instance: Any, *rest: Any) -> ResultT:  # noqa: ANN401
        return (bench if is_bench(instance) else paper)(instance, *rest)

    return hand_over


def is_bench(instance: Instance[Any, Any]) -> TypeGuard[BenchInstance]:
    """Whether an instance is one of the bench, and not of the paper edition."""
    return isinstance(instance.public, BenchPublic)
