"""A family's card: what it is, where it comes from, its frozen sets and its reference values."""

import tomllib
from pathlib import Path
from typing import Literal

from pydantic import (
    Field,
    SecretStr,
    ValidationError,
    model_validator,
)

from causarium.contract.frozen import Frozen, Sparse
from causarium.contract.rules import Edition
from causarium.contract.texts.replies import describe_validation_error
from causarium.errors import BadFile


class Paper(Frozen):
    """The publication that a family rebuilds."""

    title: str
    venue: str
    year: int
    url: str = ""
    """Where it can be read."""
    arxiv: str = ""
    """Its identifier at arXiv, as in `2605.26029`; empty where it has none that we know."""


Split = Literal["train", "validation", "test", "private"]
"""What instances are for. Named sets are `test`; `contract.sets.splits` draws the others."""


class Part(Sparse):
    """A run of consecutive instances of one level."""

    level: str
    size: int = Field(gt=0)
    seed: int = 0
    start: int = 0
    """The index of the first instance."""
    split: Split | None = None
    """Which split the seed is one of; None: the seed is what the family is handed."""
    salt_id: str | None = None
    """By which salt a private part can be told."""
    canary: str | None = None
    salt: SecretStr | None = Field(default=None, exclude=True, repr=False)
    """What a private part is drawn with; never written down."""


class SetSpec(Frozen):
    """A frozen set: which instances, and the digest that proves them."""

    about: str
    parts: tuple[Part, ...]
    digest: str

    @property
    def size(self) -> int:
        """How many instances the set holds."""
        return sum(part.size for part in self.parts)


class Bounds(Frozen):
    """The range in which a reference player's headline metric lies on a set."""

    edition: Edition = "certified"
    set: str
    player: str
    metric: str
    low: float
    high: float


class Theorem(Frozen):
    """A proven bound on what a kind of player earns."""

    name: str
    says: str
    """The players it is about, in one sentence that a reader can check."""
    kind: Literal["theorem", "exact"]
    """`theorem`: the bound holds for every instance by the law of drawing; `exact`: it is computed
    for each instance, and its certificate carries it."""
    members: tuple[str, ...] = ()
    """The players that try it, the strongest first."""
    proof: str = ""
    """The name of a theorem's proof on the family's page."""
    bounds: dict[str, float] = Field(default_factory=dict)
    """The most that a member earns in expectation, by level; empty where certificates carry it."""

    @model_validator(mode="after")
    def _is_founded(self) -> "Theorem":
        if (self.kind == "theorem") != bool(self.proof):
            raise ValueError(f"{self.name}: a theorem names its proof, and an exact bound does not")
        if (self.kind == "exact") == bool(self.bounds):
            raise ValueError(f"{self.name}: a theorem has bounds by level, an exact one has none")
        return self


class FamilyCard(Frozen):
    """What a family says of itself."""

    title: str
    about: str
    """One sentence: what an agent does."""
    short: str = ""
    """The same in at most fifty letters, for the head of a column; `about` where it is empty."""
    effort: tuple[str, ...] = ()
    """Metrics that say what an episode took, at most two; a report shows them on the card."""
    version: str
    """`N-X`: N rises when scores stop being comparable, X when the interface changes."""
    paper: Paper
    headline: dict[Edition, str]
    """The one metric of each edition: the first number of every row, and the reward."""
    numbers: tuple[str, ...] = ()
    """The metrics that tables show after it."""
    ladder: tuple[str, ...] = ()
    """Levels to train on, from easy to hard."""
    tour: tuple[str, ...] = ("silent", "random", "oracle")
    """The players of the demo, from floor to ceiling."""
    levels: tuple[str, ...] = ()
    """The names of all levels and, below, of all players, so that a list of families needs none of
    their code. A check compares the two; a card without them is completed by importing."""
    players: tuple[str, ...] = ()
    roles: tuple[str, ...] = ()
    """The roles beside the model under test for which a run may name models."""
    sets: dict[Edition, dict[str, SetSpec]]
    references: tuple[Bounds, ...] = ()
    reference: str = ""
    """The player without secrets that reaches the stated optimum."""
    blind: tuple[str, ...] = ()
    """The players that answer without looking."""
    theorems: tuple[Theorem, ...] = ()
    """The proven bounds of the certified edition."""

    def shown(self, edition: Edition) -> tuple[str, ...]:
        """Return the metrics that tables of an edition show, the headline first."""
        return tuple(dict.fromkeys((self.headline[edition], *self.numbers)))

    @model_validator(mode="after")
    def _has_headlines(self) -> "FamilyCard":
        if missing := [edition for edition in self.sets if edition not in self.headline]:
            raise ValueError(f"headline names no metric of the edition {', '.join(missing)}")
        return self

    @classmethod
    def load(cls, path: Path) -> "FamilyCard":
        """Read `card.toml`.

        Raises:
            BadFile: It is not TOML, or a field is missing, unknown or of the wrong kind.
        """
        try:
            return cls.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
        except tomllib.TOMLDecodeError as wrong:
            raise BadFile(f"{path} is not TOML: {wrong}") from wrong
        except ValidationError as wrong:
            raise BadFile(f"{path} is not a card: {describe_validation_error(wrong)}") from wrong
