"""What can be acted upon: actions, observations, and the world that answers them.

A family declares each thing an agent can do as a typed `Action`. From that one declaration the
engine makes tools for a tool-calling agent, the parser reads JSON replies of a plain-text agent,
and players build moves directly. All three arrive at `World.act`, the only place where anything
happens.
"""

from collections.abc import Mapping
from typing import Any, ClassVar, Literal, NamedTuple, Protocol

from pydantic import Field
from pydantic.json_schema import SkipJsonSchema

from causarium.contract.frozen import AgentInput, Json


class Unparsed(AgentInput):
    """A reply in which no action could be read."""

    mode: str
    """The named error mode, from the family's list."""
    detail: str
    """What was wrong, in a form that may be shown to the agent."""


class Action(AgentInput):
    """Something an agent can do. The docstring of a subclass is what a tool's user reads.

    Document each field with `Field(description=...)`: it becomes the argument's description.
    """

    kind: ClassVar[str]
    """The tool's name, and the key under which a turn records this action."""
    in_tools: ClassVar[bool] = True
    """Whether a tool-calling agent is offered this action."""
    is_final: ClassVar[bool] = False
    """Whether this gives the answer: an agent that is to check it first is held back here."""
    keys: ClassVar[Mapping[str, Mapping[str, str]]] = {}
    """Keys with which a person at a keyboard takes this action, by the browser's name of the key,
    and the fields that each stands for."""
    comment_fields: ClassVar[frozenset[str]] = frozenset()
    """Fields that are said beside the action and are no part of it, such as a thought."""

    forgiven: SkipJsonSchema[Literal[1] | None] = Field(
        default=None,
        description="1 if the reply held other objects, which were ignored. Set by the reader.",
    )

    def record(self) -> dict[str, Any]:
        """Return this action as plain data, with its kind."""
        hidden = {"forgiven"} if self.forgiven is None else None
        return {"kind": self.kind, **self.model_dump(mode="json", exclude=hidden)}


class ProgramResult(AgentInput):
    """What became of a program."""

    output: str
    """What it printed, cut to the limit."""
    ending: Literal["finished", "failed", "out of time", "out of memory", "refused"]


class Program(Action):
    """Code that an agent wrote. Only a sandbox runs it, and only the engine says what came out.

    While it runs, the code may use the `verbs` on the world; each is an ordinary turn, taken
    before the program's own. A world that takes programs has a `workspace`.
    """

    verbs: ClassVar[tuple[type[Action], ...]] = ()
    """What the code may do to the world."""

    code: str = Field(description="The Python code to run.")
    ran: SkipJsonSchema[ProgramResult | None] = None
    """Set by the engine over whatever an agent may have put there; None: no sandbox ran it."""


Move = Action | Unparsed
"""What reaches a world: an action, or a reply in which none could be read."""


_NOTHING: Mapping[str, Json] = {}


class Observation(NamedTuple):
    """What the world answers to one move."""

    text: str
    """What the agent reads."""
    data: Mapping[str, Json] = _NOTHING
    """The same, as data, for players. It must say nothing that `text` does not."""
    legal: bool = True
    """False when the move was refused; it may cost something, but is not carried out.

    An answer that comes too early may be refused, and still lead to the question."""
    cost: int = 0
    """How much of the budget the move used."""
    frame: str = ""
    """The same as a picture, for models that take images: a PNG as a data address."""
    alone: bool = False
    """Whether it says again all there is to know, so that nothing before it is sent to a model."""


class World(Protocol):
    """One instance being played.

    A world is bounded: whatever the agent sends, for ever, `done` becomes true. It may also have
    `is_final(move)`, where an action gives the answer at one time and not at another;
    `offered_actions`, every kind that it accepts at some time; `draw_frame()`, a picture of it, a
    PNG as a data address; and `workspace()`, the files that a program finds beside it.
    """

    @property
    def allowed_actions(self) -> tuple[type[Action], ...]:
        """The kinds of action that are accepted now; empty when the world is done."""
        ...

    @property
    def done(self) -> bool:
        """Whether the episode is over."""
        ...

    @property
    def budget(self) -> int:
        """How much the agent may spend in all."""
        ...

    @property
    def spent(self) -> int:
        """How much it has spent."""
        ...

    def act(self, move: Move) -> Observation:
        """Answer one move. Never raises for what an agent sends.

        After the end every move is answered, refused and without effect.
        """
        ...


def gives_answer(world: World, move: Move) -> bool:
    """Whether a move, made now, would be taken for the answer."""
    if isinstance(move, Unparsed):
        return False
    told = getattr(world, "is_final", None)
    return bool(told(move)) if told else move.is_final and type(move) in world.allowed_actions


def offered_actions(world: World) -> tuple[type[Action], ...]:
    """Return the kinds of action that a world, not yet played, will ever accept.

    They are those that it accepts at its start, unless it has `offered_actions`.
    """
    kinds: tuple[type[Action], ...] = getattr(world, "offered_actions", world.allowed_actions)
    return kinds


def frame_of(world: World) -> str:
    """Return a picture of a world as it now is; nothing if it has no looks."""
    draw = getattr(world, "draw_frame", None)
    return str(draw()) if draw else ""
