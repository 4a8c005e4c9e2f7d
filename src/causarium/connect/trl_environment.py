"""TRL: an environment class for `GRPOTrainer(environment_factory=..., reward_funcs=reward)`.

TRL makes one object for each rollout, calls `reset`, and offers its other public methods to the
model as tools. So the actions are its only ones: the reward is read by a function beside the class.
The class needs nothing from TRL.
"""

import inspect
from collections.abc import Callable, Sequence
from typing import Any

from causarium import families
from causarium.api.session import open_session
from causarium.contract.world import Action, Program
from causarium.errors import UsageError

_TYPES: dict[str, type] = {"string": str, "integer": int, "number": float, "boolean": bool}


class Environment:
    """One rollout. `environment` makes a subclass that has a method for each action."""

    family: str
    options: dict[str, Any]

    def reset(self, index: int = 0, **row: Any) -> str:  # noqa: ANN401, ARG002
        """Open an instance, by the `index` of a dataset's row; returns what is read first."""
        self._session = open_session(self.family, index=index, interface="tools", **self.options)
        return self._session.observation

    def _call(self, name: str, arguments: dict[str, Any]) -> str:
        if not hasattr(self, "_session"):
            raise UsageError("no instance is open; call reset() first")
        given = {key: value for key, value in arguments.items() if value is not None}
        return self._session.step({"name": name, "arguments": given}).text


def environment(family: str, **options: Any) -> type[Environment]:  # noqa: ANN401
    """Return an environment class for TRL's `environment_factory`.

    Args:
        family: The family's name.
        options: What `causarium.open_session` takes: level, split, seed and rules.

    Raises:
        UsageError: There is no such family, or it has no tools.
    """
    sandbox = bool(options.get("sandbox"))
    tools = [
        action
        for action in families.get(family).actions
        if action.in_tools and (sandbox or not issubclass(action, Program))
    ]
    if not tools:
        raise UsageError(f"{family} offers no tools, and TRL plays by tools")
    methods = {tool_name(action): _method(action) for action in tools}
    members = {"family": family, "options": options, **methods}
    return type(f"{family.capitalize()}Environment", (Environment,), members)


def tool_name(action: type[Action]) -> str:
    """Return the name of an action's method; `reset` is the environment's own."""
    return f"do_{action.kind}" if hasattr(Environment, action.kind) else action.kind


def reward(environments: Sequence[Environment], **_: Any) -> list[float]:  # noqa: ANN401
    """Return the rewards of rollouts, at most 1; what is not finished, what it is worth so far."""
    return [rollout._session.reward for rollout in environments]


def _method(action: type[Action]) -> Callable[..., str]:
    schema = action.model_json_schema()
    needed, properties = schema.get("required", []), schema.get("properties", {})
    parameters = [inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)]
    described = []
    for name, field in sorted(properties.items(), key=lambda item: item[0] not in needed):
        kind = list if field.get("type") == "array" else _TYPES.get(field.get("type", ""), dict)
        parameters.append(
            inspect.Parameter(
                name,
                inspect.Parameter.POSITIONAL_OR_KEYWORD,
                default=inspect.Parameter.empty if name in needed else None,
                annotation=kind if name in needed else kind | None,
            )
        )
        described.append(f"    {name}: {' '.join(field.get('description', name).split())}")
    signature = inspect.Signature(parameters, return_annotation=str)

    def method(self: Environment, *args: Any, **kwargs: Any) -> str:  # noqa: ANN401
        bound = signature.bind(self, *args, **kwargs)
        return self._call(action.kind, dict(list(bound.arguments.items())[1:]))

    about = " ".join((action.__doc__ or action.kind).split())
    method.__name__ = method.__qualname__ = tool_name(action)
    method.__doc__ = "\n".join([about, "", "Args:", *described, "", "Returns:", "    The answer."])
    method.__signature__ = signature  # type: ignore[attr-defined]
    method.__annotations__ = {p.name: p.annotation for p in parameters[1:]} | {"return": str}
    return method
