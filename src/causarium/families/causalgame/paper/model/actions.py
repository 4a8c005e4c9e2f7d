"""Everything that can be done in a session of a published game.

An agent looks (`status`, `history`, `action_space`), computes (`run_analysis`), asks (`query`),
tests (`deploy`), says what it holds to be true (`believe`), submits (`submit`) and, when the result
is known, reports (`report`). Under the `code` interface programs do the same through a client.

A claim names variables of a game; simulated intervention decides whether it is true
(`scoring.claims`).
"""

from typing import Annotated, Any, ClassVar, Literal, TypeAlias

from pydantic import BeforeValidator, Field
from pydantic.json_schema import SkipJsonSchema

from causarium.contract.frozen import AgentInput
from causarium.contract.world import Action, Program, ProgramResult

THOUGHT = "Your reasoning: what you observed, what you suppose, and why you do this."
RAN = "What came out of it; the engine alone says so."
Relation = Literal["raises", "lowers", "does not affect"]

MOST_CLAIMS = 20
"""So many claims may be held at a time."""
_Name = Annotated[str, Field(max_length=80)]


class Impossible(ValueError):
    """What a world does not allow; says why, in words for the agent."""


def tell_ending(ran: ProgramResult) -> str:
    """Say how a program ended, after the words `The program`."""
    ran_out = ran.ending.startswith("out of")
    return (
        f"ran {ran.ending}" if ran_out else "was refused" if ran.ending == "refused" else ran.ending
    )


class ThoughtfulAction(Action):
    """Says why it is done."""

    thought: str = Field(default="", description=THOUGHT)


class Status(ThoughtfulAction):
    """Read what is left: turns, deployments, drones and questions, and the threshold to reach."""

    kind: ClassVar[str] = "status"


class RunAnalysis(Program):
    """Run Python on the flights on record; what it prints is sent back to you.

    The code finds `history.json` and `status.json` beside it. It cannot act on the game.
    """

    kind: ClassVar[str] = "run_analysis"
    thought: str = Field(default="", description=THOUGHT)
    ran: SkipJsonSchema[ProgramResult | None] = Field(default=None, description=RAN)


class Effect(AgentInput):
    """What moving one variable does to another, all else as in the standard design."""

    claim: Literal["effect"] = Field(default="effect", description="Always `effect`.")
    cause: _Name = Field(
        description="What is moved: a component's armour (`antenna_def`), a variable, or "
        "a choice written `slot=option`.",
    )
    relation: Relation = Field(description="What more of the cause does to the effect.")
    effect: _Name = Field(description="What is affected: `survived`, `detected`, or a variable.")
    under: dict[_Name, int | float | _Name] = Field(
        default_factory=dict,
        max_length=4,
        description="Variables held fixed meanwhile, with their values; empty: none.",
    )

    def __hash__(self) -> int:
        return hash((self.cause, self.relation, self.effect, frozenset(self.under)))


class Confounder(AgentInput):
    """A common cause of two variables."""

    claim: Literal["confounder"] = Field(description="Always `confounder`.")
    confounder: _Name = Field(description="The common cause.")
    of: list[_Name] = Field(
        min_length=2, max_length=2, description="The two variables that it moves."
    )

    def __hash__(self) -> int:
        return hash((self.confounder, *self.of))


class Selection(AgentInput):
    """That the records shown are only those with a certain outcome."""

    claim: Literal["selection"] = Field(description="Always `selection`.")
    on: _Name = Field(description="The variable that decides what is shown, or `nothing`.")


Claim: TypeAlias = Effect | Confounder | Selection


def sentence(claim: Claim) -> str:
    """Say a claim in words.

    Example:
        >>> sentence(Effect(cause="rain", relation="raises", effect="wet", under={"roof": 0}))
        'rain raises wet, with roof = 0'
        >>> sentence(Confounder(claim="confounder", confounder="rain", of=["wet", "late"]))
        'rain is a common cause of wet and late'
    """
    if isinstance(claim, Effect):
        held = " and ".join(f"{name} = {value}" for name, value in claim.under.items())
        said = f"{claim.cause} {claim.relation} {claim.effect}"
        return f"{said}, with {held}" if held else said
    if isinstance(claim, Confounder):
        return f"{claim.confounder} is a common cause of {claim.of[0]} and {claim.of[1]}"
    return f"the records shown are selected on {claim.on}"


MOST_QUESTION_CHARS = 500
"""Longer questions are refused."""
MOST_ENTRIES = 64
"""So many components, or slots, are read in one design."""


def _check_whole_number(value: Any) -> Any:  # noqa: ANN401
    """Refuse what pydantic would take for a whole number out of kindness: texts and booleans."""
    if isinstance(value, bool | str):
        raise ValueError(f"must be a whole number, not {str(value)[:40]!r}")  # noqa: TRY004
    if isinstance(value, float) and not value.is_integer():
        raise ValueError(f"must be a whole number, not {value}")
    return value


Whole = Annotated[int, BeforeValidator(_check_whole_number)]
"""A whole number; `20.0` is one, `20.5`, `"20"` and `true` are none."""

Design = Annotated[dict[str, Whole], Field(max_length=MOST_ENTRIES)]
"""Armour by component, as `wing_def` or `wing`; components left out keep their default."""
Equipment = Annotated[dict[str, str | bool], Field(max_length=MOST_ENTRIES)]
"""The chosen option of each slot; slots left out keep their default."""

Claims = Annotated[tuple[Claim, ...], Field(max_length=MOST_CLAIMS)]
"""What an agent holds to be true; what it said before is replaced."""

_DESIGN = (
    'Armour points by component, such as {"engine_def": 20, "wing_def": 15}. '
    "Components left out keep their default."
)
_EQUIPMENT = "The chosen option of each equipment slot. Slots left out keep their default."
_CLAIMS = "The causal claims that you now hold to be true."


class History(ThoughtfulAction):
    """Read the flights on record: the log from before your time and your own deployments."""

    kind: ClassVar[str] = "history"
    of: Literal["all", "opening", "session"] = Field(
        default="all",
        description="Which flights: all, those from before your time, or those you sent.",
    )


class ActionSpace(ThoughtfulAction):
    """Read what a design may be: components, ranges, the total, and the equipment on offer."""

    kind: ClassVar[str] = "action_space"


class Query(ThoughtfulAction):
    """Ask the archive, in plain words, whether something else about the flights was measured."""

    kind: ClassVar[str] = "query"
    question: str = Field(description="The question, in at most 500 characters.")
    reading: SkipJsonSchema[tuple[str, ...] | None] = Field(
        default=None, description="The quantities that an interpreting model read in the question."
    )


class Deploy(ThoughtfulAction):
    """Send drones of one design on test flights, and read how they fared."""

    kind: ClassVar[str] = "deploy"
    design: Design = Field(default_factory=dict, description=_DESIGN)
    equipment: Equipment = Field(default_factory=dict, description=_EQUIPMENT)
    count: Whole = Field(default=1, description="How many drones to send.")
    claims: Claims = Field(default=(), description=_CLAIMS)


class Believe(ThoughtfulAction):
    """State the causal claims that you now hold to be true. They replace those stated before."""

    kind: ClassVar[str] = "believe"
    claims: Claims = Field(description=_CLAIMS)


class Submit(ThoughtfulAction):
    """Submit the final design. The whole fleet flies with it, once; it cannot be taken back."""

    kind: ClassVar[str] = "submit"
    is_final: ClassVar[bool] = True
    comment_fields: ClassVar[frozenset[str]] = frozenset({"thought"})
    design: Design = Field(default_factory=dict, description=_DESIGN)
    equipment: Equipment = Field(default_factory=dict, description=_EQUIPMENT)
    claims: Claims = Field(default=(), description=_CLAIMS)


class Report(Action):
    """Write the final report, once the fleet's result is known. It ends the game."""

    kind: ClassVar[str] = "report"
    text: str = Field(description="The report, in plain words.")
    claims: Claims = Field(
        default=(), description="The causal claims that you finally hold to be true."
    )


_TESTS: tuple[type[Action], ...] = (Status, History, ActionSpace, Query, Deploy)
VERBS: tuple[type[Action], ...] = (*_TESTS, Submit)
"""What a program of the `code` interface may do to a published game."""


class PlayProgram(Program):
    """Run Python that plays: its `client` looks, asks, deploys and submits (code interface)."""

    kind: ClassVar[str] = "play_program"
    in_tools: ClassVar[bool] = False
    verbs: ClassVar[tuple[type[Action], ...]] = VERBS
    ran: SkipJsonSchema[ProgramResult | None] = Field(default=None, description=RAN)


_ENDS = (RunAnalysis, Believe, Submit, Report, PlayProgram)
ACTIONS: tuple[type[Action], ...] = (*_TESTS, *_ENDS)
"""All actions of the family."""
