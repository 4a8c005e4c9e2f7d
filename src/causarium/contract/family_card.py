"""A family's card: what it is, where it comes from, its frozen sets and its reference values."""

import tomllib
from pathlib import Path
from typing import Any, Literal

from pydantic import (
    Field,
    SecretStr,
    SerializerFunctionWrapHandler,
    ValidationError,
    model_serializer,
    model_validator,
)

from causarium.contract.frozen import Frozen
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


class Part(Frozen):
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

    @model_serializer(mode="wrap")
    def _leave_none_out(self, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        fields: dict[str, Any] = write(self)
        return {name: value for name, value in fields.items() if value is not None}


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


class Separation(Frozen):
    """Who shows that the certified score measures causal reasoning, and within which bounds.

    `causarium audit` plays them all; `causarium check` fails where a bound is broken.
    """

    metric: str
    """The metric of the one scale on which agents are placed: 0 the best blind guess, 1 the
    oracle."""
    blind: str
    """The player that guesses best without looking."""
    passive: str
    """The player that sees all that is shown and knows the generator, and takes no causal
    action."""
    shortcuts: tuple[str, ...]
    """The players that earn most without causal inference (search, lookup, memory, constants), the
    strongest first: it stands beside every run."""
    causal: str
    """The player without secrets that wins by inference."""
    also_causal: tuple[str, ...] = ()
    """Players that take the same causal step and take it less well; no shortcuts, and in no way the
    measure of full skill."""
    bounds: tuple[Bounds, ...] = ()
    """What each of them, and each probe, may score on the certified sets."""


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
    headline: tuple[str, ...]
    """The headline metrics, the first one first."""
    reward: tuple[str, ...] = ()
    """The metric that rewards an episode, clipped to [0, 1]; where it does not apply, the next one
    does. By default the first headline metric."""
    ladder: tuple[str, ...] = ()
    """Levels to train on, from easy to hard."""
    difficulty: tuple[float, ...] = ()
    """How hard each level of the ladder was found to be, by a measure of the family's own
    (`python -m bench.ladder` says which, and measures again)."""
    tour: tuple[str, ...] = ("silent", "random", "oracle")
    """The players of the demo, from floor to ceiling."""
    reference_players: tuple[str, ...] = Field((), alias="beside")
    """The players whose scores are printed beside every run, on the instances of the run."""
    levels: tuple[str, ...] = ()
    """The names of all levels and, below, of all players, so that a list of families needs none of
    their code. A check holds them against it; a card without them is completed by importing."""
    players: tuple[str, ...] = ()
    roles: tuple[str, ...] = ()
    """The roles beside the model under test for which a run may name models."""
    sets: dict[Edition, dict[str, SetSpec]]
    references: tuple[Bounds, ...] = ()
    separation: Separation | None = None

    @model_validator(mode="after")
    def _order_ladder(self) -> "FamilyCard":
        levels, measured = len(self.ladder), self.difficulty
        if measured and (len(measured) != levels or list(measured) != sorted(measured)):
            raise ValueError(
                "difficulty has one number a level of the ladder, none less than before"
            )
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
