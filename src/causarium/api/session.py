"""One episode, played by hand: `reset`, `step`, `score`, in the manner of Gymnasium.

A session hands out what an agent may know and nothing else: the opening, what is allowed now, and
what the world answers. It computes no score of its own; `score` is the family's function, the one
that scores logs.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias

from pydantic import ValidationError

from causarium.contract.episode import Episode, replay
from causarium.contract.family import AnyFamily, AnyInstance, Prompt
from causarium.contract.rules import Edition, Rules
from causarium.contract.texts.replies import describe_validation_error, find_json_object
from causarium.contract.texts.reply_schemas import Schema, actions_schema, inline_references
from causarium.contract.turn import Turn
from causarium.contract.unparsed import Unparsed
from causarium.contract.verdict import Verdict
from causarium.contract.world import Action, Move, Program
from causarium.errors import UnknownName, UsageError

INVALID_CALL = "invalid action"
"""The error mode of a tool call that does not fit its tool, as in logs."""

MoveLike: TypeAlias = str | Action | Mapping[str, Any]
"""A reply as a model writes it, an action, or an action or tool call as data."""


@dataclass(frozen=True, slots=True)
class Step:
    """What one move led to."""

    text: str
    """What the agent reads; empty after the end."""
    data: dict[str, Any] = field(default_factory=dict)
    """The same as data."""
    legal: bool = True
    """False when the move was refused, or came after the end."""
    cost: int = 0
    """How much of the budget the move used."""
    done: bool = False
    """Whether the episode is over."""
    unparsed: str | None = None
    """The error mode of a reply in which no action could be read; None if one was."""


class Session:
    """One instance being played.

    Args:
        family: The family, as `Benchmark.family` has it.
        instance: The instance to play.
        rules: How it is played.
        edition: The edition that the instance is of.

    Example:
        >>> import causarium as cm
        >>> link = cm.load("causallink")
        >>> session = link.open(link.instance("smoke", 0), interface="tools")
        >>> opening = session.reset()
        >>> [tool["name"] for tool in session.tools()]
        ['intervene', 'answer']
        >>> session.step("I cannot decide.").unparsed
        'invalid format'
        >>> session.step({"kind": "answer", "answer": "no"}).done
        True
    """

    def __init__(
        self,
        family: AnyFamily,
        instance: AnyInstance,
        rules: Rules,
        *,
        edition: Edition = "certified",
    ) -> None:
        self.family = family
        self.instance = instance
        self.rules = rules
        self.edition: Edition = edition
        self._episode = Episode(family, instance, rules)

    @cached_property
    def _prompt(self) -> Prompt:
        # Only when it is read: a trainer that plays by actions needs no words.
        prompt: Prompt = self.family.prompt(self.instance.public, self.rules)
        return prompt

    def reset(self) -> str:
        """Start over; returns the opening text: all that an agent reads before its first move."""
        self._episode = Episode(self.family, self.instance, self.rules)
        return self.opening

    @property
    def opening(self) -> str:
        """The system text and the user text, one after the other."""
        return opening_text(self._prompt)

    @property
    def messages(self) -> list[dict[str, str]]:
        """The opening as chat messages, as a run sends them to a model."""
        system, user = self._prompt.system, self._prompt.user
        if self.rules.join_system:
            return [{"role": "user", "content": f"{system}\n{user}"}]
        return [{"role": "system", "content": system}, {"role": "user", "content": user}]

    @property
    def observation(self) -> str:
        """What an agent read last: the opening, or what the world answered."""
        return self._episode.turns[-1].observation if self._episode.turns else self.opening

    @property
    def actions(self) -> tuple[type[Action], ...]:
        """The kinds of action that are allowed now; empty after the end."""
        return self._episode.world.allowed_actions

    @property
    def done(self) -> bool:
        """Whether the episode is over."""
        return self._episode.done

    @property
    def budget_left(self) -> int:
        """How much of the budget is left."""
        return self._episode.world.budget - self._episode.world.spent

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The turns so far, as a log keeps them."""
        return tuple(self._episode.turns)

    def tools(self) -> list[dict[str, Any]]:
        """Return what is allowed now as tools: name, description and JSON schema of parameters."""
        return [_describe_tool(action) for action in self.actions if action.in_tools]

    def schema(self) -> Schema:
        """Return the JSON schema of the reply expected now; empty after the end."""
        if self.done:
            return {}
        if self.family.reply_schema is None:
            return actions_schema(self.actions)
        return self.family.reply_schema(self.instance.public, self.actions, self.rules)

    def step(self, move: MoveLike) -> Step:
        """Make one move.

        Args:
            move: A text is read as a model's reply would be. A mapping with `kind` is an action
                and its fields; one with `name` and `arguments` is a tool call. A text or a tool
                call that cannot be read is a turn too, with `unparsed` set.

        Raises:
            UsageError: An action is not one of this family's, its fields are wrong, or it is a
                program, which needs a sandbox.
        """
        if self.done:
            return Step(text="", legal=False, done=True)
        return self._take(self.parse_move(move))

    def parse_move(self, move: MoveLike) -> Move:
        """Return the move that `step` would make of `move`.

        Raises:
            UsageError: As in `step`.
        """
        if isinstance(move, str):
            return self._episode.parse_reply(move)
        if isinstance(move, Action):
            if type(move) not in self.family.actions:
                raise _unknown_kind(self.family, move.kind)
            return move
        if "kind" not in move and "name" in move:
            return self._parse_call(str(move["name"]), move.get("arguments"))
        return build_action(self.family, move)

    def _parse_call(self, name: str, arguments: object) -> Move:
        if isinstance(arguments, str):
            parsed = find_json_object(arguments, mode=INVALID_CALL)
            if isinstance(parsed, Unparsed):
                return parsed
            arguments = parsed
        tools = {action.kind: action for action in self.actions if action.in_tools}
        if name not in tools:
            detail = f"there is no tool {name!r}; tools: {', '.join(tools) or 'none'}"
            return Unparsed(mode=INVALID_CALL, detail=detail[:500])
        try:
            return tools[name].model_validate({} if arguments is None else arguments)
        except ValidationError as wrong:
            return Unparsed(mode=INVALID_CALL, detail=describe_validation_error(wrong))

    def _take(self, move: Move) -> Step:
        if isinstance(move, Program):
            raise UsageError(
                f"{move.kind} runs a program, which needs a sandbox; play it with "
                "causarium.evaluate, or by rules without programs"
            )
        observation = self._episode.step(move)
        return Step(
            text=observation.text,
            data=dict(observation.data),
            legal=observation.legal,
            cost=observation.cost,
            done=self.done,
            unparsed=move.mode if isinstance(move, Unparsed) else None,
        )

    def score(self) -> Verdict:
        """Return the verdict on the turns so far, by the function that scores logs."""
        return self._episode.score()

    def fork(self) -> "Session":
        """Return a second session at the same point, made by playing the turns again."""
        other = Session(self.family, self.instance, self.rules, edition=self.edition)
        other._episode = replay(self.family, self.instance, self.rules, self._episode.turns)
        return other

    def __repr__(self) -> str:
        state = "done" if self.done else f"budget left {self.budget_left}"
        return f"Session({self.instance.id!r}, {len(self._episode.turns)} turns, {state})"


def opening_text(prompt: Prompt) -> str:
    """Return a prompt as one text."""
    return f"{prompt.system}\n\n{prompt.user}"


def build_action(family: AnyFamily, fields: Mapping[str, Any]) -> Action:
    """Return the action that data describes: `{"kind": ..., and its fields}`.

    Raises:
        UsageError: The family has no action of that kind, or a field is wrong.
    """
    given = {name: value for name, value in fields.items() if name != "kind"}
    for action in family.actions:
        if action.kind == fields.get("kind"):
            try:
                return action.model_validate(given)
            except ValidationError as wrong:
                expected = ", ".join(action.model_fields)
                raise UsageError(
                    f"not a {action.kind} action: {describe_validation_error(wrong)}; "
                    f"its fields: {expected}"
                ) from wrong
    raise _unknown_kind(family, fields.get("kind"))


def _unknown_kind(family: AnyFamily, kind: object) -> UnknownName:
    kinds = [action.kind for action in family.actions]
    return UnknownName(f"{family.name} action", str(kind), kinds, plural="kinds of action")


def _describe_tool(action: type[Action]) -> dict[str, Any]:
    schema = inline_references(action.model_json_schema())
    properties = {
        name: {"description": name, **field} for name, field in schema.get("properties", {}).items()
    }
    return {
        "name": action.kind,
        "description": (action.__doc__ or action.kind).strip(),
        "parameters": {
            "type": "object",
            "properties": properties,
            "required": schema.get("required", []),
            "additionalProperties": False,
        },
    }
