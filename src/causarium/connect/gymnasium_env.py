"""Gymnasium: import this, then `gymnasium.make("causarium/causallink-v0", level="log")`.

Observations and actions are texts: what an agent reads, and its reply. The reward is the
session's. At the end, `info["verdict"]` holds all numbers of the verdict.
"""

from typing import Any

from causarium import families
from causarium.api.session import Session, open_session
from causarium.contract.texts.replies import MAX_REPLY_CHARS
from causarium.errors import MissingExtra

try:
    import gymnasium
    from gymnasium.spaces import Text
except ImportError as missing:  # pragma: no cover - depends on what is installed
    raise MissingExtra("the Gymnasium adapter", "gym") from missing

MOST_INDICES = 2**31
"""Unseeded resets choose among so many instances of the split."""
_MOST_TEXT = 2_000_000


class AnyText(Text):
    """Any text up to a length; Gymnasium's own space wants every character listed."""

    def __init__(self, max_length: int) -> None:
        super().__init__(max_length, charset="abcdefghijklmnopqrstuvwxyz ")

    def contains(self, x: Any) -> bool:  # noqa: ANN401 - anything may be asked for
        """Return whether `x` is a text that is not too long."""
        return isinstance(x, str) and len(x) <= self.max_length


class CausalEnv(gymnasium.Env[str, str]):
    """One family as an environment of texts.

    Args:
        family: The family's name.
        render_mode: None, or `ansi`: what was read last.
        options: What `causarium.open_session` takes: level, split, seed, rules and the rest.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012 - as Gymnasium declares it

    def __init__(
        self,
        family: str,
        render_mode: str | None = None,
        **options: Any,  # noqa: ANN401
    ) -> None:
        self.family = families.get(family).name
        self.render_mode = render_mode
        self.options = options
        self.observation_space = AnyText(_MOST_TEXT)
        self.action_space = AnyText(MAX_REPLY_CHARS)
        self.session: Session | None = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[str, dict[str, Any]]:
        """Open an instance: the one that the seed picks, or `options["index"]`."""
        super().reset(seed=seed)
        index = int(self.np_random.integers(MOST_INDICES)) if "set" not in self.options else 0
        chosen = {"index": index, **self.options, **(options or {})}
        self.session = open_session(self.family, **chosen)
        return self.session.observation, self.session.info()

    def step(self, action: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Make one move; a world is bounded, so nothing is ever truncated."""
        if self.session is None:
            raise gymnasium.error.ResetNeeded("call reset before step")
        step = self.session.step(action)
        info = step.info
        if step.done:
            info = {**info, "verdict": self.session.verdict()}
        return step.text, step.reward, step.done, False, info

    def render(self) -> str | None:
        """Return what was read last."""
        return self.session.observation if self.session and self.render_mode else None


def register() -> None:
    """Make every family known to `gymnasium.make` as `causarium/NAME-v0`."""
    for name in families.read_cards().cards:
        if f"causarium/{name}-v0" not in gymnasium.registry:
            gymnasium.register(
                f"causarium/{name}-v0", entry_point=f"{__name__}:CausalEnv", kwargs={"family": name}
            )


register()
