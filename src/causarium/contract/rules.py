"""How an instance is played: the interface, the wording and the quirks.

Rules never touch what is drawn. The same instance can be played under several rules, so that
what a wording or an interface costs can be measured on the same items.
"""

import importlib.util
from collections.abc import Mapping
from typing import ClassVar, Literal, Self, TypeVar

from pydantic import Field, model_validator

from causarium.contract.frozen import Frozen
from causarium.errors import MissingExtra, UnknownName, UsageError

Edition = Literal["certified", "paper"]
"""`certified` is the sound edition; `paper` keeps the published mechanics, quirks included."""

EDITIONS: tuple[Edition, ...] = ("certified", "paper")


def check_edition(name: str) -> Edition:
    """Return `name` if it is an edition's.

    Raises:
        UnknownName: It is none.
    """
    for edition in EDITIONS:
        if edition == name:
            return edition
    raise UnknownName("edition", name, EDITIONS)


def choose_edition(asked: str | None, *, published: bool) -> Edition:
    """Return the edition that was asked for, or else the one that what is played belongs to.

    Raises:
        UnknownName: There is no such edition.
        UsageError: What was published cannot be played in it.
    """
    if asked is None:
        return "paper" if published else "certified"
    edition = check_edition(asked)
    if published and edition != "paper":
        raise UsageError(
            f"a release and the published protocol belong to the paper edition, not to the "
            f"{edition} one; leave them out, or give --edition paper"
        )
    return edition


class Rules(Frozen):
    """What may be varied when an instance is played. A family subclasses it.

    Every field must have a default (the certified edition's) and a description. Fields named in
    `quirks` are the published mechanics that the paper edition switches on.
    """

    interfaces: ClassVar[tuple[str, ...]] = ("json", "tools")
    """The interfaces on offer, the default first."""
    quirks: ClassVar[tuple[str, ...]] = ()
    """Names of the boolean fields that the paper edition switches on."""
    unconstrained: ClassVar[tuple[str, ...]] = ("tools",)
    """The interfaces in which a reply is not one JSON object, so that no schema can hold it."""
    tool_interfaces: ClassVar[tuple[str, ...]] = ("tools",)
    """The interfaces in which an agent acts by calling tools."""
    extras: ClassVar[Mapping[str, str]] = {}
    """Interfaces that need an optional package, each with the extra that installs it; the package
    has the extra's name."""
    without_programs: ClassVar[Mapping[str, str]] = {}
    """Rules and values under which no program of an agent runs, for lack of a sandbox."""

    interface: str = Field(default="json", description="How the agent acts: text or tool calls.")
    prompts: str | None = Field(
        default=None, description="A folder with your own prompt texts, in place of ours."
    )
    release: str | None = Field(
        default=None,
        description="A clone of the published release; its prompts replace ours.",
    )
    release_anyway: bool = Field(
        default=False, description="Play from a release even if its state is unknown."
    )
    join_system: bool = Field(
        default=False,
        description="Put the system text at the head of the first user message, "
        "for models that have no system role.",
    )
    prefill: str = Field(
        default="",
        pattern=r"^(<\w+>)?$",
        description="A tag such as <think> with which every text reply begins, where the provider "
        "allows it; a reply that was cut off then continues from its end.",
    )
    continuations: int = Field(
        default=0,
        ge=0,
        le=10,
        description="How often a text reply that stopped at the token limit is continued.",
    )
    recheck: bool = Field(
        default=False,
        description="Make the agent check its answer once more, against all it was shown, before "
        "the answer counts.",
    )
    constrained: bool = Field(
        default=False,
        description="Have the provider force text replies into the schema of the allowed actions.",
    )
    context: int | None = Field(
        default=None,
        ge=500,
        description="The most tokens of conversation that a model is sent; older turns are left "
        "out by rule. None: everything, until the provider refuses it.",
    )

    @property
    def by_tools(self) -> bool:
        """Whether an agent acts by calling tools."""
        return self.interface in self.tool_interfaces

    def check_interface_installed(self) -> None:
        """Make sure that the interface can be opened on this machine.

        Raises:
            MissingExtra: It needs an optional package that is not installed.
        """
        if not self.is_interface_installed():
            raise MissingExtra(f"the interface {self.interface}", self.extras[self.interface])

    def is_interface_installed(self) -> bool:
        """Tell whether the interface can be opened on this machine."""
        extra = self.extras.get(self.interface)
        return extra is None or _is_installed(extra)

    @model_validator(mode="after")
    def _can_be_constrained(self) -> Self:
        if self.constrained and self.interface in self.unconstrained:
            able = [name for name in self.interfaces if name not in self.unconstrained]
            raise ValueError(
                f"constrained holds replies to a JSON schema, and replies of the interface "
                f"{self.interface} are no JSON objects; interfaces for it: {', '.join(able)}"
            )
        return self


RulesT = TypeVar("RulesT", bound=Rules)


def _is_installed(package: str) -> bool:
    try:
        return importlib.util.find_spec(package) is not None
    except ValueError:  # A module of that name is there and has no spec.
        return False
