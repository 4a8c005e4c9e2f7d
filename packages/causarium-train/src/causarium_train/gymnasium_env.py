"""Gymnasium: import this, then `gymnasium.make("causarium/causallink-v0", level="rung-3")`.

Observations and actions are texts: what an agent reads, and its reply. The reward is the
session's. At the end, `info["verdict"]` holds all numbers of the verdict.
"""

import multiprocessing
from collections.abc import Sequence
from typing import Any

from causarium import families
from causarium.api.session import Session, open_session
from causarium.contract.rules import check_edition
from causarium.contract.sets.instance_sets import find_set
from causarium.contract.texts.replies import MAX_REPLY_CHARS
from causarium.errors import MissingExtra

try:
    import gymnasium
    from gymnasium.spaces import Text
    from gymnasium.vector.utils import (
        create_shared_memory,
        read_from_shared_memory,
        write_to_shared_memory,
    )
except ImportError as missing:  # pragma: no cover - depends on what is installed
    raise MissingExtra("the Gymnasium adapter", "gym") from missing

MOST_INDICES = 2**31
"""Resets choose among so many instances of a split; of a set, among all."""
_MOST_TEXT = 1_000_000


class AnyText(Text):
    """Any text up to a length; Gymnasium's own space wants every character listed."""

    def __init__(self, max_length: int) -> None:
        super().__init__(max_length, charset="abcdefghijklmnopqrstuvwxyz ")

    def contains(self, x: Any) -> bool:
        """Return whether `x` is a text that is not too long."""
        return isinstance(x, str) and len(x) <= self.max_length


# Gymnasium hands texts over between processes as indices into its list of characters, which any
# text does not have; so they go as UTF-8, each after a number of bytes.
_HEAD = 8


def _row_size(space: AnyText) -> int:
    # A page of memory is taken when it is written to.
    return _HEAD + 4 * int(space.max_length)


@create_shared_memory.register(AnyText)
def _create(space: AnyText, n: int = 1, ctx: Any = multiprocessing) -> Any:
    return ctx.RawArray("B", n * _row_size(space))


@write_to_shared_memory.register(AnyText)
def _write(space: AnyText, index: int, values: str, shared_memory: Any) -> None:
    encoded = values.encode()
    start = index * _row_size(space)
    whole = len(encoded).to_bytes(_HEAD, "little") + encoded
    memoryview(shared_memory).cast("B")[start : start + len(whole)] = whole


class _SharedTexts(Sequence[str]):
    """The texts that lie in shared memory now: vectors read it once and copy what they got."""

    def __init__(self, space: AnyText, shared_memory: Any, n: int) -> None:
        self._size, self._n = _row_size(space), n
        self._held = memoryview(shared_memory).cast("B")

    def __len__(self) -> int:
        return self._n

    def __getitem__(self, row: Any) -> Any:
        if isinstance(row, slice):
            return tuple(self)[row]
        start = range(0, self._n * self._size, self._size)[row]
        length = int.from_bytes(self._held[start : start + _HEAD], "little")
        return bytes(self._held[start + _HEAD : start + _HEAD + length]).decode()

    def __deepcopy__(self, _: dict[int, Any]) -> tuple[str, ...]:
        return tuple(self)


@read_from_shared_memory.register(AnyText)
def _read(space: AnyText, shared_memory: Any, n: int = 1) -> _SharedTexts:
    return _SharedTexts(space, shared_memory, n)


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
        **options: Any,
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
        chosen = {**self.options, **(options or {})}
        index = int(self.np_random.integers(self._count_instances(chosen)))
        self.session = open_session(self.family, **{"index": index, **chosen})
        return self.session.observation, self.session.info()

    def _count_instances(self, chosen: dict[str, Any]) -> int:
        if chosen.get("set") is None:
            return MOST_INDICES
        edition = check_edition(chosen.get("edition", "certified"))
        return find_set(families.get(self.family, edition), edition, chosen["set"]).size

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
