"""The instances of both editions under one type, and how to tell them apart."""

import re
from collections.abc import Callable
from functools import partial
from typing import Any, Self, TypeGuard

from pydantic import SerializerFunctionWrapHandler, model_serializer, model_validator

from causarium.contract.instance import Instance
from causarium.contract.row import MECHANISM
from .bench import BenchInstance, BenchPublic, BenchSecret, check_parts
from .config import BenchConfig
from .instance import LabPublic, LabSecret

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
        facets = value.get("facets") if isinstance(value, dict) else None
        if not isinstance(facets, dict) or MECHANISM in facets or "nodes" not in facets:
            return value
        address = _ADDRESS.search(str(value.get("id", "")))
        if address is None:
            return value
        kind = facets.get("suite") or ("freqparent" if facets.get("frequency_parent") else "graph")
        shared = f"{kind}-{facets['nodes']}-s{int(address[1] or 0)}-{int(address[2])}"
        return {**value, "facets": {**facets, MECHANISM: shared}}

    @model_validator(mode="after")
    def _fit_together(self) -> Self:
        if is_bench(self) != isinstance(self.secret, BenchSecret):
            raise ValueError("secret: expected that of the edition of public")
        if is_bench(self):
            check_parts(self.public, self.secret)
        return self

    @model_serializer(mode="wrap")
    def _leave_facet_out(self, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        fields: dict[str, Any] = write(self)
        if isinstance(self.public, LabPublic) and self.public.printed_order:
            facets = {k: v for k, v in fields["facets"].items() if k != MECHANISM}
            fields = {**fields, "facets": facets}
        return fields


def by_edition(bench: Callable[..., Any], paper: Callable[..., Any]) -> Callable[..., Any]:
    """Return what hands a call over to an edition: the one place where editions part.

    What comes first says which one: an instance, its public part, or a level.

    Args:
        bench: What is done in the certified edition.
        paper: What is done in the paper edition.
    """
    # No function of its own: what draws and scores is handed to other processes.
    return partial(_hand_over, bench, paper)


def _hand_over(bench: Any, paper: Any, first: Any, *rest: Any) -> Any:  # noqa: ANN401
    return (bench if is_bench(first) else paper)(first, *rest)


def is_bench(one: Any) -> TypeGuard[BenchInstance]:  # noqa: ANN401
    """Whether an instance, its public part or a level is of the bench, the certified edition."""
    return isinstance(getattr(one, "public", one), BenchPublic | BenchConfig)
