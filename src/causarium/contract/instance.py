"""One item of a benchmark: what the agent may see, and what only the scorer knows.

The two parts are two types. A prompt function takes the public one, so that leaking the answer is
a type error and not a review comment.
"""

from typing import Any, Generic, TypeVar

from pydantic import Field

from causarium.contract.frozen import Frozen, canonical_json, digest


class Public(Frozen):
    """What the agent may see before it acts. A family subclasses it."""


class Secret(Frozen):
    """What only the world and the scorer may know. A family subclasses it."""


PublicT = TypeVar("PublicT", bound=Public)
SecretT = TypeVar("SecretT", bound=Secret)

Facet = str | int | bool
"""A value that rows may be grouped by."""


class Instance(Frozen, Generic[PublicT, SecretT]):
    """One item of a benchmark."""

    id: str
    """`family-level-0042`: stable for ever, and silent about the answer."""
    public: PublicT
    secret: SecretT
    facets: dict[str, Facet] = Field(default_factory=dict)
    """What rows may be grouped by. Only the scorer and the report see it."""

    def __repr__(self) -> str:
        # Never the secret, which a notebook would print.
        return f"{type(self).__name__}({self.id!r})"

    __str__ = __repr__

    def line(self) -> str:
        """Return the canonical JSON line of this instance: what a set's digest is taken of."""
        return canonical_json(self.model_dump(mode="json"))


def content_key(instance: Instance[Any, Any]) -> str:
    """Return the digest of an instance's content, whatever its id and facets."""
    return digest(canonical_json(instance.model_dump(mode="json", include={"public", "secret"})))
