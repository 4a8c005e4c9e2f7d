"""What an agent of ReplaySCM may see, and what only the scorer knows.

Columns of a world are strings of 0 and 1, one character a row, so `int(column[::-1], 2)` is the
column packed into an integer with row r at bit r.
"""

from typing import Any, Literal, TypeAlias

from pydantic import SerializerFunctionWrapHandler, model_serializer

from causarium.contract.frozen import Frozen
from causarium.contract.instance import Instance, Public, Secret

Setting = Literal[
    "ordered",
    "block_order",
    "hidden_order",
    "hidden_roots",
    "alternative_ordered",
    "alternative_hidden",
    "whatif",
    "trait",
    "touched",
    "both",
    "ask",
]
"""How much of the structure is given, and what is asked for; the last five are ours."""

Support = Literal["original", "extra", "counterexample", "certified"]
"""How much evidence the training worlds hold."""

Mode = Literal["none", "hard_constant", "hard_assigned", "by_hand"]
"""How a world's targets are set: not at all, to one value, row by row, or row by row without a word
on which they are."""


class WorldRows(Frozen):
    """One intervention world: which variables were set, and every row that came of it."""

    id: str
    mode: Mode
    targets: tuple[str, ...]
    """The variables that were set, in listing order; their values stand in the columns."""
    units: tuple[str, ...]
    columns: dict[str, str]
    """For each variable its values, row by row, as a string of 0 and 1."""


class Limits(Frozen):
    """What a mechanism may be."""

    max_parents: int = 4
    """On how many variables a mechanism may depend."""
    max_nodes: int = 200
    max_depth: int = 24


class UnitTask(Frozen):
    """What a problem of the certified edition tells beside its tables.

    Units keep their names, the values of their roots and their traits in all worlds.
    """

    arrows: int
    """How many arrows the model has at most, those from traits counted."""
    traits: tuple[str, ...] = ()
    """The names of what is never recorded of a unit."""
    touched: int = 0
    """How many variables were set in each world but the first, where it is not told which."""
    mechanisms: dict[str, str] | None = None
    """The whole model, where the question is what would be if."""
    setting: dict[str, int] | None = None
    """What is set in that question."""


class ReplayPublic(Public):
    """One problem as it is first seen."""

    setting: Setting
    variables: tuple[str, ...]
    """All names, in listing order."""
    roots: tuple[str, ...] | None
    """The variables without a mechanism; None where they are to be found."""
    n_roots: int
    order: tuple[str, ...] | None = None
    """All variables, causes before effects, where that is given."""
    blocks: tuple[tuple[str, ...], ...] | None = None
    """All variables in groups, earlier groups before later ones, where only that is given."""
    limits: Limits = Limits()
    train: tuple[WorldRows, ...]
    reference: dict[str, str] | None = None
    """The mechanisms that an alternative is asked for; only in the alternative settings."""
    budget: int = 0
    """How many further worlds may be asked for; 0 where all evidence is given at once."""
    max_targets: int = 0
    """How many variables an asked-for world may set at once."""
    task: UnitTask | None = None
    """What is given beside the tables in the certified edition; None in the paper edition."""

    @model_serializer(mode="wrap")
    def _write(self, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        return _leave_out_none(write(self), ("task",))

    @property
    def traits(self) -> tuple[str, ...]:
        """The names of what is never recorded of a unit."""
        return self.task.traits if self.task else ()

    @property
    def alternative(self) -> bool:
        """Whether a second model is asked for, and not the first."""
        return self.reference is not None


class Mechanism(Frozen):
    """The true mechanism of one variable."""

    parents: tuple[str, ...]
    """What it depends on, in listing order; every one of them matters."""
    table: str
    """Its truth table as a hexadecimal number: bit p is the value at pattern p, and bit j of p
    is the value of the j-th parent."""
    formula: str
    """As it was drawn."""
    minimal: str
    """A shortest formula of the same table."""


class Source(Frozen):
    """Where the second model of an alternative task comes from."""

    reference: Literal["gold", "alternative"]
    """Which of the two models is given as the reference."""
    other: dict[str, str]
    """The mechanisms in which the other model, that is not given, differs from the reference."""
    found_by: tuple[str, ...]
    """The players that found the alternative; leaving them out keeps the comparison fair."""
    experiment: dict[str, int]
    """The setting of one variable that tells the two models apart in most root contexts."""
    witness: dict[str, int]
    """Values of the roots at which it does."""
    disagreement: float
    """In which share of the root contexts it does."""


class AskedWorld(Frozen):
    """One world of the plan of questions."""

    set: dict[str, str]


class ReplaySecret(Secret):
    """The true model, the worlds that are held out, and where all of it comes from."""

    gold: dict[str, Mechanism]
    """The true mechanisms, by variable. In an alternative task only those that differ from the
    public reference, so that nothing public is repeated here; `gold_formulas` gives all."""
    heldout: tuple[WorldRows, ...]
    latent: str
    """The address from which the true model was drawn; settings of one latent model share it."""
    source: Source | None = None
    plan: tuple[AskedWorld, ...] | None = None
    """What the reference asker, which sees only what an agent sees, asks for until one model is
    left; only where worlds can be asked for."""
    par: int | None = None
    """How many worlds these are."""
    traits: str | None = None
    """The trait of each unit or, of one unit, each of its traits, as digits."""
    touched: tuple[tuple[str, ...], ...] | None = None
    """What was set in each world but the first, where that is not told."""
    row: dict[str, int] | None = None
    """What the answer to a what-if question is."""

    @model_serializer(mode="wrap")
    def _write(self, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        return _leave_out_none(write(self), ("traits", "touched", "row"))


def _leave_out_none(fields: dict[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    """Leave out what the paper edition does not have: its bytes are older than these fields."""
    return {k: value for k, value in fields.items() if value is not None or k not in names}


ReplayInstance: TypeAlias = Instance[ReplayPublic, ReplaySecret]


def gold_formulas(instance: ReplayInstance) -> dict[str, str]:
    """Return the true formula of each variable that has a mechanism; the others are the roots."""
    given = instance.public.reference or {}
    return {**given, **{name: one.formula for name, one in instance.secret.gold.items()}}


def true_roots(instance: ReplayInstance) -> tuple[str, ...]:
    """Return the variables without a mechanism, in listing order."""
    formulas = gold_formulas(instance)
    return tuple(name for name in instance.public.variables if name not in formulas)
