"""TRL: an environment class for `GRPOTrainer(environment_factory=...)`.

TRL makes one object for each rollout, calls `reset`, offers its other public methods to the model
as tools, and reads `get_reward` when the rollout is over. So the actions that the level offers are
its only methods. The class needs nothing from TRL.
"""

import inspect
from collections.abc import Callable
from functools import reduce
from operator import or_
from typing import Any

from causarium.api.moves import describe_tool
from causarium.api.session import open_session
from causarium.contract.world import Action
from causarium.errors import UsageError

OVER = "The episode is over."
_TYPES: dict[str, Any] = {
    "string": str,
    "integer": int,
    "number": float,
    "boolean": bool,
    "null": None,
}


class RefusedCall(Exception):
    """A call that was not taken: TRL hands its text to the model as a tool's error."""


class Environment:
    """One rollout. `environment` makes a subclass that has a method for each action."""

    family: str
    options: dict[str, Any]

    def reset(self, index: int = 0, **row: Any) -> str:
        """Open an instance, by the `index` of a dataset's row; returns what is read first."""
        self._session = open_session(self.family, index=index, interface="tools", **self.options)
        return self._session.observation

    def get_reward(self) -> float:
        """Return the reward, at most 1; of what is not finished, what it is worth so far."""
        return self._session.reward

    @property
    def is_done(self) -> bool:
        """Whether the episode is over: every call is an error from then on."""
        return self._session.done

    def _call(self, name: str, arguments: dict[str, Any]) -> str:
        if not hasattr(self, "_session"):
            raise UsageError("no instance is open; call reset() first")
        if self._session.done:
            raise RefusedCall(OVER)
        given = {key: value for key, value in arguments.items() if value is not None}
        step = self._session.step({"name": name, "arguments": given})
        text = f"{step.text}\n\n{OVER}" if step.done else step.text
        if not step.legal:
            raise RefusedCall(text)
        return text


def environment(family: str, **options: Any) -> type[Environment]:
    """Return an environment class for TRL's `environment_factory`.

    Args:
        family: The family's name.
        options: What `causarium.open_session` takes: level, split, seed and rules.

    Raises:
        UsageError: There is no such family, level, split or rule.
    """
    first = open_session(family, interface="tools", **options)
    methods = {name_tool(kind): _method(kind) for kind in first.offered if kind.in_tools}
    members = {"family": family, "options": options, **methods}
    return type(f"{family.capitalize()}Environment", (Environment,), members)


def name_tool(action: type[Action]) -> str:
    """Return the name of an action's method; `reset` is the environment's own."""
    return f"do_{action.kind}" if hasattr(Environment, action.kind) else action.kind


def _annotate(schema: dict[str, Any]) -> Any:
    """Return the Python type that a JSON schema describes, as far as TRL reads types."""
    if "anyOf" in schema:
        return reduce(or_, [_annotate(part) for part in schema["anyOf"]])
    kind = schema.get("type")
    if kind == "array" and "prefixItems" in schema:
        return tuple[tuple(_annotate(part) for part in schema["prefixItems"])]  # type: ignore[misc]
    if kind == "array":
        return list[_annotate(schema.get("items", {}))]  # type: ignore[misc]
    if kind == "object" and isinstance(schema.get("additionalProperties"), dict):
        return dict[str, _annotate(schema["additionalProperties"])]  # type: ignore[misc]
    return _TYPES.get(str(kind), dict[str, Any] if kind == "object" else Any)


def _describe(schema: dict[str, Any]) -> str:
    """Return what a parameter is, and the fields of objects in it, which no Python type tells."""
    inner = schema.get("items", schema)
    fields = [
        f"`{name}` ({field.get('type', 'any')}: {_describe(field).rstrip('.')})"
        for name, field in inner.get("properties", {}).items()
    ]
    about = " ".join(schema.get("description", "").split())
    return f"{about} Each has {', '.join(fields)}." if fields else about


def _method(action: type[Action]) -> Callable[..., str]:
    tool = describe_tool(action)
    needed, properties = tool["parameters"]["required"], tool["parameters"]["properties"]
    parameters = [inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)]
    described = []
    for name, field in sorted(properties.items(), key=lambda item: item[0] not in needed):
        kind = _annotate(field)
        parameters.append(
            inspect.Parameter(
                name,
                inspect.Parameter.POSITIONAL_OR_KEYWORD,
                default=inspect.Parameter.empty if name in needed else None,
                annotation=kind if name in needed else kind | None,
            )
        )
        described.append(f"    {name}: {_describe(field)}")
    signature = inspect.Signature(parameters, return_annotation=str)

    def method(self: Environment, *args: Any, **kwargs: Any) -> str:
        bound = signature.bind(self, *args, **kwargs)
        return self._call(action.kind, dict(list(bound.arguments.items())[1:]))

    about = " ".join(tool["description"].split())
    arguments = "\n\nArgs:\n" + "\n".join(described) if described else ""
    method.__name__ = method.__qualname__ = name_tool(action)
    method.__doc__ = f"{about}{arguments}\n\nReturns:\n    What the world answers."
    method.__signature__ = signature  # type: ignore[attr-defined]
    method.__annotations__ = {p.name: p.annotation for p in parameters[1:]} | {"return": str}
    return method
