"""What may be varied when instances of the paper edition are drawn and played."""

from collections.abc import Mapping
from importlib.metadata import EntryPoint, entry_points
from typing import Any, ClassVar, Literal, Self

from pydantic import Field, model_validator

from causarium.contract.family import Config
from causarium.contract.frozen import Frozen
from causarium.contract.rules import Rules
from causarium.errors import UsageError
from .model.instance import MAX_NODES

FormName = Literal["linear", "quadratic", "hard-quadratic"]
"""`hard-quadratic`: every term is a parabola with its lowest point amid the values met."""


class Hidden(Frozen):
    """A hidden disturbance: how many nodes it acts on, how far, and whether on the frequency."""

    count: int = Field(default=1, ge=1, le=3)
    span: float = Field(default=5.0, gt=0)
    """It adds -span, 0 or +span."""
    frequency: bool = False
    """Whether the frequency itself is the first of the nodes it acts on."""


class LabConfig(Config):
    """What may be varied when instances of the paper edition are drawn.

    Two configurations that differ in the functional form, the regime or the disturbance alone
    draw the same graphs over the same properties, index by index.
    """

    edition: Literal["paper"] = "paper"
    level: str = "custom"
    """The level's name; it becomes part of the ids."""
    nodes: int = Field(default=4, ge=3, le=MAX_NODES)
    """How many nodes, frequency included."""
    form: FormName = "linear"
    records: int = Field(default=2, ge=0, le=200)
    interventions: int | None = Field(default=None, ge=0, le=500)
    """The budget; None is four for each property."""
    golden: bool = False
    """Whether a chain of experiments is handed over in place of a budget."""
    frequency_parent: bool = False
    """Whether the frequency may act on properties."""
    hidden: Hidden | None = None

    @property
    def budget(self) -> int:
        """How many interventions may be made."""
        if self.interventions is not None:
            return self.interventions
        return 0 if self.golden else 4 * (self.nodes - 1)

    @model_validator(mode="after")
    def _has_known_class(self) -> "LabConfig":
        if self.frequency_parent and self.form != "linear":
            raise ValueError("frequency_parent needs form 'linear': its class is known there only")
        return self


RELEASED = "released_world"
"""The interface that plays in the world of the release."""
NO_RELEASED_WORLD = (
    f"the interface {RELEASED} needs another package: pip install causarium-discoveryworld"
)


def find_release_player() -> EntryPoint | None:
    """Return what plays in the world of the release; None: its package is not installed."""
    return next(iter(entry_points(group="causarium.releases", name="causalab")), None)


class LabRules(Rules):
    """What may be varied when an instance is played."""

    interfaces: ClassVar[tuple[str, ...]] = (
        *("json", "tools", "dialog", "plain"),
        *("embodied", "embodied_tools", "released_world"),
    )
    tool_interfaces: ClassVar[tuple[str, ...]] = ("tools", "embodied_tools")
    unconstrained: ClassVar[tuple[str, ...]] = tool_interfaces
    extras: ClassVar[Mapping[str, str]] = {
        "embodied": "discoveryworld",
        "embodied_tools": "discoveryworld",
        "released_world": "discoveryworld",
    }
    quirks: ClassVar[tuple[str, ...]] = (
        "order_leak",
        "type_leak",
        "asymmetric_window",
        "repeated_submissions",
        "last_submission_dead",
        "clamped_submissions",
        "unchecked_hypothesis",
        "unstated_chain_start",
        "exact_names",
        "published_weights",
        "strict_form",
        "published_steps",
    )

    verification: Literal["none", "offered", "required"] = Field(
        default="none",
        description="Whether one check of a hypothesis against all collected data can be made, "
        "or must be made, before a submission.",
    )
    max_turns: int | None = Field(
        default=None,
        gt=0,
        description="End the episode after this many turns. Default, with a budget of n: 2n + 16; "
        "4n + 30 through dialogs, and 60 more with a body.",
    )
    order_leak: bool = Field(
        default=False,
        description="Values are listed in an evaluation order, which gives directions away.",
    )
    type_leak: bool = Field(
        default=False,
        description="Untouched whole values print without a decimal point, "
        "values downstream of an intervention with one.",
    )
    asymmetric_window: bool = Field(
        default=False,
        description="A submission v meets an integer target T when T - 4 <= v < T + 5, "
        "whatever the stated tolerance.",
    )
    repeated_submissions: bool = Field(
        default=False, description="Three submissions, each answered with success or failure."
    )
    last_submission_dead: bool = Field(
        default=False, description="The last of the submissions can never succeed."
    )
    clamped_submissions: bool = Field(
        default=False,
        description="A submission outside the reactor's range is moved to its nearer end; "
        "otherwise it is refused and not counted as a submission.",
    )
    unchecked_hypothesis: bool = Field(
        default=False, description="A hypothesis is never sent back, whatever is wrong with it."
    )
    unstated_chain_start: bool = Field(
        default=False,
        description="A Golden chain is shown without saying which entry it continues from.",
    )
    exact_names: bool = Field(
        default=False,
        description="Scoring takes the names in a hypothesis letter by letter; "
        "only the frequency has other names.",
    )
    published_weights: bool = Field(
        default=False,
        description="Scoring compares linear coefficients alone, to 1e-6, "
        "and counts null and zero ones as proposed.",
    )
    strict_form: bool = Field(
        default=False,
        description="Replies are read letter by letter; otherwise every form that leaves no "
        "doubt is read.",
    )
    published_steps: bool = Field(
        default=False,
        description="With a body, an episode ends after the published number of steps "
        "(52 to 56 for three to seven nodes); otherwise there are enough to walk everywhere.",
    )
    published_protocol: bool = Field(
        default=False,
        description="Play as the original is run: through dialogs, with or without a body, and "
        "with its cap on turns (52 to 56 for three to seven nodes).",
    )
    variant: Literal["dsl", "non_dsl", "linear_non_dsl"] = Field(
        default="dsl",
        description="Which of the release's texts are played, in its own world: with a hypothesis "
        "in every reply, without one, or without the word causal.",
    )
    frames: bool = Field(
        default=False,
        description="Send a picture of the laboratory with every answer, to models that take "
        "images; needs interface embodied or embodied_tools.",
    )

    @model_validator(mode="before")
    @classmethod
    def _play_as_published(cls, given: Any) -> Any:  # noqa: ANN401
        if not isinstance(given, dict) or not given.get("published_protocol"):
            return given
        interface = given.get("interface", "dialog")
        if interface != "dialog" and interface not in cls.extras:
            raise ValueError(
                f"published_protocol plays through dialogs, not through {interface}; leave out one"
            )
        return {**given, "interface": interface}

    @model_validator(mode="after")
    def _has_looks(self) -> Self:
        if self.frames and not self.has_body:
            able = " or ".join(self.extras)
            raise ValueError(
                f"frames show a laboratory, and the interface {self.interface} has none to look "
                f"at; set interface={able}"
            )
        return self

    def check_interface_installed(self) -> None:
        """Make sure that the interface can be opened on this machine.

        Raises:
            MissingExtra: It needs an optional package that is not installed.
            UsageError: It needs the release, or the package that plays in it.
        """
        if self.interface == RELEASED and self.release is None:
            raise UsageError(
                f"the interface {RELEASED} plays in the world of the release, which is not in this "
                "package; name its folder with --release FOLDER (release=...)"
            )
        if self.interface == RELEASED and find_release_player() is None:
            raise UsageError(NO_RELEASED_WORLD)
        super().check_interface_installed()

    def is_interface_installed(self) -> bool:
        """Tell whether the interface can be opened on this machine."""
        if self.interface == RELEASED and (self.release is None or find_release_player() is None):
            return False
        return super().is_interface_installed()

    @property
    def has_body(self) -> bool:
        """Whether the agent walks through a laboratory."""
        return self.interface in self.extras

    @property
    def has_dialogs(self) -> bool:
        """Whether the lab is reached through the pages of its devices."""
        return self.interface == "dialog" or self.has_body

    @property
    def submissions(self) -> int:
        """How many submissions may be made."""
        return 3 if self.repeated_submissions else 1


_FORMS: tuple[FormName, ...] = ("quadratic", "hard-quadratic")


def _sizes() -> list[LabConfig]:
    levels = [LabConfig(level=f"paper-linear-{k}", nodes=k) for k in range(3, 9)]
    levels += [
        LabConfig(level=f"paper-{form}-{k}", nodes=k, form=form)
        for form in _FORMS
        for k in (3, 4, 5)
    ]
    for k in (4, 6):
        levels += [
            LabConfig(level=f"paper-freqparent-{k}", nodes=k, frequency_parent=True),
            LabConfig(level=f"paper-golden-{k}", nodes=k, golden=True),
        ]
    return levels


def _disturbed_levels() -> list[LabConfig]:
    kinds = {f"hidden-n{n}": Hidden(count=n) for n in (1, 2, 3)}
    kinds |= {f"hidden-freq-n{n}": Hidden(count=n, frequency=True) for n in (1, 2, 3)}
    kinds |= {f"hidden-pm{s}": Hidden(span=float(s)) for s in ("0.5", "50")}
    return [LabConfig(level=f"paper-{name}", hidden=hidden) for name, hidden in kinds.items()]


def _grid() -> list[LabConfig]:
    levels = []
    for k, fixed, steps in ((4, 3, (3, 6, 12, 24)), (6, 5, (5, 10, 20))):
        cells = [(n, 0) for n in steps] + [(0, n) for n in steps] + [(fixed, n) for n in steps]
        levels += [
            LabConfig(level=f"paper-grid-{k}-{o}o{i}i", nodes=k, records=o, interventions=i)
            for o, i in cells
        ]
    return levels


LEVELS = {config.level: config for config in (*_sizes(), *_disturbed_levels(), *_grid())}
"""Every named configuration.

`paper-linear-K`, `paper-quadratic-K` and `paper-hard-quadratic-K` differ in form alone, and
`paper-grid-K-XoYi` in the number of records X and of interventions Y; level by level they share
their graphs.
"""
