"""Everything that can be done in this family's worlds.

An agent looks (`status`, `history`, `action_space`) and computes (`run_analysis`). In a published
game it asks (`query`), tests (`deploy`), says what it holds to be true (`believe`), submits
(`submit`) and, when the result is known, reports (`report`). In a twin pair it tests (`fly`) or
counts (`tabulate`), commits (`commit`), answers questions (`answer`) and explains (`explain`).
Under the `code` interface its programs do the same through a client.
"""

from math import nan
from typing import Annotated, Any, ClassVar, Literal

from pydantic import BeforeValidator, Field
from pydantic.json_schema import SkipJsonSchema

from causarium.contract.frozen import Received
from causarium.contract.world import Action, Program, ProgramResult
from causarium.families.causalgame.interface.claims import MOST_CLAIMS, Claim

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
_THOUGHT = "Your reasoning: what you observed, what you suppose, and why you do this."
_RAN = "What came out of it; the engine alone says so."
_CLAIMS = "The causal claims that you now hold to be true."


class Status(Action):
    """Read what is left: turns, deployments, drones and questions, and the threshold to reach."""

    kind: ClassVar[str] = "status"
    thought: str = Field(default="", description=_THOUGHT)


class History(Action):
    """Read the flights on record: the log from before your time and your own deployments."""

    kind: ClassVar[str] = "history"
    thought: str = Field(default="", description=_THOUGHT)
    of: Literal["all", "opening", "session"] = Field(
        default="all",
        description="Which flights: all, those from before your time, or those you sent.",
    )


class ActionSpace(Action):
    """Read what a design may be: components, ranges, the total, and the equipment on offer."""

    kind: ClassVar[str] = "action_space"
    thought: str = Field(default="", description=_THOUGHT)


class Query(Action):
    """Ask the archive, in plain words, whether something else about the flights was measured."""

    kind: ClassVar[str] = "query"
    thought: str = Field(default="", description=_THOUGHT)
    question: str = Field(description="The question, in at most 500 characters.")
    reading: SkipJsonSchema[tuple[str, ...] | None] = Field(
        default=None, description="The quantities that an interpreting model read in the question."
    )


class Deploy(Action):
    """Send drones of one design on test flights, and read how they fared."""

    kind: ClassVar[str] = "deploy"
    thought: str = Field(default="", description=_THOUGHT)
    design: Design = Field(default_factory=dict, description=_DESIGN)
    equipment: Equipment = Field(default_factory=dict, description=_EQUIPMENT)
    count: Whole = Field(default=1, description="How many drones to send.")
    claims: Claims = Field(default=(), description=_CLAIMS)


class RunAnalysis(Program):
    """Run Python on the flights on record; what it prints is sent back to you.

    The code finds `history.json` and `status.json` beside it. It cannot act on the game.
    """

    kind: ClassVar[str] = "run_analysis"
    thought: str = Field(default="", description=_THOUGHT)
    ran: SkipJsonSchema[ProgramResult | None] = Field(default=None, description=_RAN)


class Believe(Action):
    """State the causal claims that you now hold to be true. They replace those stated before."""

    kind: ClassVar[str] = "believe"
    thought: str = Field(default="", description=_THOUGHT)
    claims: Claims = Field(description=_CLAIMS)


class Submit(Action):
    """Submit the final design. The whole fleet flies with it, once; it cannot be taken back."""

    kind: ClassVar[str] = "submit"
    is_final: ClassVar[bool] = True
    comment_fields: ClassVar[frozenset[str]] = frozenset({"thought"})
    thought: str = Field(default="", description=_THOUGHT)
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


VERBS: tuple[type[Action], ...] = (Status, History, ActionSpace, Query, Deploy, Submit)
"""What a program of the `code` interface may do to a published game."""


class PlayProgram(Program):
    """Run Python that plays: its `client` looks, asks, deploys and submits (code interface)."""

    kind: ClassVar[str] = "play_program"
    in_tools: ClassVar[bool] = False
    verbs: ClassVar[tuple[type[Action], ...]] = VERBS
    ran: SkipJsonSchema[ProgramResult | None] = Field(default=None, description=_RAN)


_PARTS_DESIGN = (
    'Armour points by part, such as {"wing": 12, "tail": 0}. Parts left out keep the standard '
    "armour."
)
_MENDED = "How much of the reply's form was forgiven; the reader alone says so."

Points = Annotated[dict[str, int], Field(max_length=MOST_ENTRIES)]
"""Armour by part; `20.0` and `"20"` are read as 20."""
Chances = dict[str, float]
"""The chances of `up`, `down` and `none`."""


def _read_answer(value: Any) -> Any:  # noqa: ANN401
    """Let through a word, or numbers by word; whatever else was sent answers nothing."""
    if isinstance(value, str):
        return value[:20]
    if not isinstance(value, dict) or len(value) > len("none"):
        return ""
    numeric = all(isinstance(n, int | float) and not isinstance(n, bool) for n in value.values())
    return {str(word)[:20]: _as_float(n) for word, n in value.items()} if numeric else ""


def _as_float(number: float) -> float:
    try:
        return float(number)
    except OverflowError:
        return nan


OneAnswer = Annotated[str | Chances, BeforeValidator(_read_answer)]


class Fly(Action):
    """Order test flights of one design, and read what became of them."""

    kind: ClassVar[str] = "fly"
    thought: str = Field(default="", description=_THOUGHT)
    design: Points = Field(default_factory=dict, description=_PARTS_DESIGN)
    equipment: Equipment = Field(default_factory=dict, description=_EQUIPMENT)
    count: int = Field(default=30, description="How many drones to order.")
    mended: SkipJsonSchema[int | None] = Field(default=None, description=_MENDED)


class Tabulate(Action):
    """Count the flights of the archive by up to four of its columns."""

    kind: ClassVar[str] = "tabulate"
    thought: str = Field(default="", description=_THOUGHT)
    columns: Annotated[list[str], Field(max_length=MOST_ENTRIES)] = Field(
        description="One to four columns; `returned` is one of them."
    )
    mended: SkipJsonSchema[int | None] = Field(default=None, description=_MENDED)


class Commit(Action):
    """Commit to the final design of the present mission, once; it cannot be taken back."""

    kind: ClassVar[str] = "commit"
    is_final: ClassVar[bool] = True
    comment_fields: ClassVar[frozenset[str]] = frozenset({"thought", "mended"})
    thought: str = Field(default="", description=_THOUGHT)
    design: Points = Field(default_factory=dict, description=_PARTS_DESIGN)
    equipment: Equipment = Field(default_factory=dict, description=_EQUIPMENT)
    mended: SkipJsonSchema[int | None] = Field(default=None, description=_MENDED)


class AnswerQuestions(Action):
    """Answer the questions about one mission, once both designs are in."""

    kind: ClassVar[str] = "answer"
    thought: str = Field(default="", description=_THOUGHT)
    answers: Annotated[dict[str, OneAnswer], Field(max_length=MOST_ENTRIES)] = Field(
        description='By question: "up", "down" or "none", or the chance of each, such as '
        '{"q1": {"up": 0.8, "down": 0.1, "none": 0.1}, "q2": "none"}.'
    )
    mended: SkipJsonSchema[int | None] = Field(default=None, description=_MENDED)


class Contrast(Received):
    """Two deployments of one mission that differ in a lever."""

    mission: int = Field(description="1 or 2.")
    lever: Annotated[str, Field(max_length=80)] = Field(description="A part or a slot.")
    deployments: Annotated[list[int], Field(max_length=2)] = Field(
        description="The numbers of the two deployments."
    )


class Explain(Action):
    """Write the final report, once the results of both missions are known. It ends the game."""

    kind: ClassVar[str] = "explain"
    text: str = Field(description="The report, in plain words.")
    won: Annotated[list[bool], Field(max_length=2)] = Field(
        default_factory=list, description="For each mission, whether it was won."
    )
    survival: Annotated[list[float], Field(max_length=2)] = Field(
        default_factory=list, description="For each mission, the percentage that survived."
    )
    threshold: float | None = Field(default=None, description="The threshold in percent.")
    because: Annotated[list[Contrast], Field(max_length=8)] = Field(
        default_factory=list,
        description="The deployments that your explanation rests on, in pairs.",
    )
    mended: SkipJsonSchema[int | None] = Field(default=None, description=_MENDED)


class PlayMission(Program):
    """Run Python that plays: its `client` looks, flies, commits and answers (code interface)."""

    kind: ClassVar[str] = "play_mission"
    in_tools: ClassVar[bool] = False
    verbs: ClassVar[tuple[type[Action], ...]] = (
        *(Status, History, ActionSpace, Fly, Tabulate, Commit, AnswerQuestions),
    )
    ran: SkipJsonSchema[ProgramResult | None] = Field(default=None, description=_RAN)


PUBLISHED_ACTIONS: tuple[type[Action], ...] = (
    Status,
    History,
    ActionSpace,
    Query,
    Deploy,
    RunAnalysis,
    Believe,
    Submit,
    Report,
    PlayProgram,
)
TWIN_ACTIONS: tuple[type[Action], ...] = (
    *(Fly, Tabulate, Commit, AnswerQuestions, Explain, PlayMission),
)
ACTIONS = (*PUBLISHED_ACTIONS, *TWIN_ACTIONS)
