"""What is shown of a state after an intervention, as a pattern into which a case puts its names.

All cases of a theme with as many variables share the patterns, and each is written once.
"""

from functools import lru_cache
from itertools import chain, zip_longest
from typing import TypeAlias

from causarium.families.causallink.config import LinkRules
from causarium.families.causallink.instance import LinkPublic
from causarium.families.causallink.interface.wording import Frame, frame_texts, slot_values
from causarium.families.causallink.mechanics.theme import Theme, describe_state, theme

_OBSERVED = {"json": "choice", "tools": "tools_observed"}
"""Which text shows the states after an intervention."""

CaseValues: TypeAlias = tuple[str, ...]
"""What a case puts into a pattern, in order."""


class StatePatterns(dict[int, str]):
    """The patterns of the states seen so far, and the words for the two actions."""

    def __init__(self, frame: Frame, words: Theme, size: int) -> None:
        """Know the words.

        Args:
            frame: The text around the states.
            words: The theme.
            size: How many variables there are.
        """
        super().__init__()
        self._frame = tuple(part.replace("%", "%%") for part in frame[0])
        self._slots = frame[1]
        self._lines = words.state_lines(["%s"] * size)
        self.start = words.start
        self.stop = words.stop

    def case_values(self, public: LinkPublic) -> CaseValues:
        """Return what a case puts in."""
        if self._slots == ("states",):
            return public.shapes
        case = slot_values(public)
        filled = (public.shapes if slot == "states" else (case[slot],) for slot in self._slots)
        return tuple(chain.from_iterable(filled))

    def __missing__(self, state: int) -> str:
        """Write the pattern of a state."""
        lines = describe_state(self._lines, state)
        middles = (lines if slot == "states" else "%s" for slot in self._slots)
        words = chain.from_iterable(zip_longest(self._frame, middles, fillvalue=""))
        pattern = self[state] = "".join(words)
        return pattern


def find_patterns(public: LinkPublic, rules: LinkRules) -> StatePatterns:
    """Return the patterns of a case."""
    return _patterns(
        rules.prompts, rules.strategy, rules.interface, public.theme, len(public.shapes)
    )


@lru_cache(maxsize=256)
def _patterns(
    folder: str | None, strategy: str, interface: str, theme_name: str, size: int
) -> StatePatterns:
    frames = frame_texts(folder, strategy, interface, theme_name)
    return StatePatterns(frames[_OBSERVED[interface]], theme(theme_name), size)
