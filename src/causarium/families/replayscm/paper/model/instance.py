"""What an agent may see of a published problem, and what only the scorer knows.

Columns of a world are strings of 0 and 1, one character a row, so `int(column[::-1], 2)` is the
column packed into an integer with row r at bit r.
"""

from typing import Literal, TypeAlias

from causarium.contract.frozen import Frozen
from causarium.contract.instance import Instance, Public, Secret

FAMILY_NAME = "replayscm"

Setting = Literal[
    "ordered",
    "block_order",
    "hidden_order",
    "hidden_roots",
    "alternative_ordered",
    "alternative_hidden",
]
"""How much of the structure is given, and what is asked for."""

Support = Literal["original", "extra", "counterexample"]
"""How much evidence the training worlds hold."""

Mode = Literal["none", "hard_constant", "hard_assigned"]
"""How a world's targets are set: not at all, to one value, or row by row."""


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
    budget: Literal[0] = 0
    """The number of further worlds that may be asked for: none; stored problems have the field."""
    max_targets: Literal[0] = 0
    """The number of variables that such a world may set; stored problems have the field."""

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


class ReplaySecret(Secret):
    """The true model, the worlds that are held out, and where all of it comes from."""

    gold: dict[str, Mechanism]
    """The true mechanisms, by variable. In an alternative task only those that differ from the
    public reference, so that nothing public is repeated here; `gold_formulas` gives all."""
    heldout: tuple[WorldRows, ...]
    latent: str
    """The address from which the true model was drawn; settings of one latent model share it."""
    source: Source | None = None
    plan: None = None
    """The worlds to ask for: none; stored problems have the field."""
    par: None = None
    """The number of these worlds; stored problems have the field."""


ReplayInstance: TypeAlias = Instance[ReplayPublic, ReplaySecret]


def gold_formulas(instance: ReplayInstance) -> dict[str, str]:
    """Return the true formula of each variable that has a mechanism; the others are the roots."""
    given = instance.public.reference or {}
    return {**given, **{name: one.formula for name, one in instance.secret.gold.items()}}


def true_roots(instance: ReplayInstance) -> tuple[str, ...]:
    """Return the variables without a mechanism, in listing order."""
    formulas = gold_formulas(instance)
    return tuple(name for name in instance.public.variables if name not in formulas)
