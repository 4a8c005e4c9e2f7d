"""Hooks of ours in Inspect: they see every call and every sample of a process."""

from inspect_ai.hooks import Hooks, hooks

from causarium.engine.inspect_private import PrerequisiteError, init_hooks
from causarium.errors import UsageError


def register_hook(kind: type[Hooks], name: str, about: str) -> None:
    """Have Inspect tell a hook what happens; it is not announced to the user.

    Args:
        kind: The hook.
        name: Its name in Inspect's registry.
        about: What it does, in a sentence.

    Raises:
        UsageError: Inspect is told to need hooks that are not there.
    """
    try:
        # Inspect announces the hooks that there are when it starts; ours is no news to anybody.
        init_hooks()
    except PrerequisiteError as wrong:
        raise UsageError(str(wrong.message)) from wrong
    hooks(name=name, description=about)(kind)
