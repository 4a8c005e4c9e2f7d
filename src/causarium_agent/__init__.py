"""What an agent of one's own may import of causarium: it runs in a process without the rest of it.

An agent is a function that takes the world's actions as Inspect tools and returns an Inspect agent.
This package is all that its process holds of causarium; `python -m causarium_agent` is the process.
"""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

FactoryT = TypeVar("FactoryT", bound=Callable[..., Any])

__all__ = ["needs_sandbox", "shell"]

_shell_of_this_process: Callable[[], Any] | None = None


def needs_sandbox(factory: FactoryT) -> FactoryT:
    """Mark a factory of agents that use `shell`, so that the run has a sandbox."""
    factory.needs_sandbox = True  # type: ignore[attr-defined]
    return factory


def shell(tools: Sequence[Any]) -> Any:  # noqa: ANN401 - Inspect takes long to import
    """Return the tool `bash`: in its sandbox the command `world` does what `tools` do.

    Args:
        tools: The world's actions, as a factory is given them.
    """
    if _shell_of_this_process is not None:
        return _shell_of_this_process()
    from causarium.engine.play.programs import shell as shell_without_wall

    return shell_without_wall(tools)
