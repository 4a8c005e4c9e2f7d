"""What is shown of a state after an intervention, as a pattern into which a case puts its names.

All cases of a theme with as many variables share the patterns, and each is written once.
"""

from itertools import chain, zip_longest

from causarium.families.causallink.instance import LinkPublic
from causarium.families.causallink.interface.wording import Frame, frame_texts, slot_values
from causarium.families.causallink.mechanics.theme import Theme, describe_state, theme

_OBSERVED = {"json": "choice", "tools": "tools_observed"}
"""Which text shows the states after an intervention."""


class StatePatterns(dict[int, str]):
    """The patterns of the states seen so far."""

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

    def __missing__(self, state: int) -> str:
        """Write the pattern of a state."""
        lines = describe_state(self._lines, state)
        middles = (lines if slot == "states" else "%s" for slot in self._slots)
        words = chain.from_iterable(zip_longest(self._frame, middles, fillvalue=""))
        pattern = self[state] = "".join(words)
        return pattern


class StateWords(dict[int, StatePatterns]):
    """The words in which the states of a theme are shown: patterns by the number of variables."""

    def __init__(self, folder: str | None, strategy: str, interface: str, theme_name: str) -> None:
        """Read the text around the states.

        Args:
            folder: A user's own texts; None: ours.
            strategy: Which of our prompt strategies words the turns.
            interface: How the agent acts.
            theme_name: The theme.
        """
        super().__init__()
        self._frame = frame_texts(folder, strategy, interface, theme_name)[_OBSERVED[interface]]
        self._theme = theme(theme_name)
        self.starts = {self._theme.start: True, self._theme.stop: False}
        """The words for the two actions, and whether each starts or stops."""
        self.names_only = self._frame[1] == ("states",)
        """Whether nothing but names goes into a pattern, so that all questions read alike."""

    def __missing__(self, size: int) -> StatePatterns:
        """Make room for the patterns of so many variables."""
        patterns = self[size] = StatePatterns(self._frame, self._theme, size)
        return patterns

    def case_values(self, public: LinkPublic) -> tuple[str, ...]:
        """Return what a case puts into a pattern, in order."""
        case = slot_values(public)
        slots = self._frame[1]
        filled = (public.shapes if slot == "states" else (case[slot],) for slot in slots)
        return tuple(chain.from_iterable(filled))
