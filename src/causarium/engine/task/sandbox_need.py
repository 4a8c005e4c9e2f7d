"""Whether a run needs a sandbox, and what to play where there is none.

A world that runs an agent's programs needs a sandbox. On a machine without one, a family that can
also be played without programs is played so, unless the user asked for the programs by name.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from inspect_ai.util import SandboxEnvironmentSpec

from causarium.contract.family import AnyFamily, AnyInstance
from causarium.contract.rules import Edition, Rules
from causarium.contract.world import Program
from causarium.engine.sandbox.choose_sandbox import NoSandbox, choose_sandbox


def has_programs(family: AnyFamily, instance: AnyInstance, rules: Rules) -> bool:
    """Tell whether an agent may write programs under these rules, and have them run.

    Args:
        family: The family of the instance.
        instance: The instance.
        rules: The rules it is played by.
    """
    allowed_actions = family.open_world(instance, rules).allowed_actions
    return any(issubclass(action, Program) for action in allowed_actions)


def find_sandbox(
    family: AnyFamily,
    instances: Sequence[AnyInstance],
    rules: Rules,
    *,
    agent_needs_it: bool = False,
) -> SandboxEnvironmentSpec | None:
    """Return the sandbox of a run; None if nothing in it needs one.

    Args:
        family: The family.
        instances: What is played.
        rules: How it is played.
        agent_needs_it: Whether an agent of the user's own runs things in a sandbox.

    Raises:
        NoSandbox: One is needed, and there is none on this machine.
    """
    needed = agent_needs_it or any(
        has_programs(family, instance, rules) for instance in instances[:1]
    )
    return choose_sandbox() if needed else None


def fit_rules_to_machine(
    family: AnyFamily, edition: Edition, rules: Mapping[str, Any]
) -> tuple[dict[str, Any], str | None]:
    """Return rules that can be played on this machine, and a line on what they leave out.

    Args:
        family: The family.
        edition: The edition whose rules these change.
        rules: What the user asked for, by the names of the rules.

    Returns:
        The rules as they were given and None where a sandbox is not needed or there is one.

    Raises:
        NoSandbox: The user asked for something that needs a sandbox, and there is none.
    """
    given = {name: value for name, value in rules.items() if value is not None}
    changes = {k: v for k, v in family.rules.without_programs.items() if k not in given}
    if not changes:
        return dict(rules), None
    instance = family.generate(next(iter(family.levels.values())), 0, 0)
    if not has_programs(family, instance, family.rules_for(edition, **given)):
        return dict(rules), None
    try:
        choose_sandbox()
    except NoSandbox:
        if has_programs(family, instance, family.rules_for(edition, **{**given, **changes})):
            raise
        words = ", ".join(f"{name}={value}" for name, value in changes.items())
        note = f"No sandbox on this machine: {family.name} is played without programs ({words})."
        return {**rules, **changes}, note
    return dict(rules), None
