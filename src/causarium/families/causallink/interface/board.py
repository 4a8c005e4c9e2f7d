"""What all games on one graph share: its closure, and what each act leads to and shows.

A graph is opened many times: for one question after another, to be played, to be scored, to be
shown. Its closure is worked out once, an act when it is first made, and its words with it.
"""

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from causarium.contract.frozen import Json
from causarium.contract.world import Observation
from causarium.families.causallink.config import LinkRules
from causarium.families.causallink.evidence.version_space import Step
from causarium.families.causallink.instance import LinkPublic, close_edges
from causarium.families.causallink.interface.state_patterns import StateWords


class ActiveNames(Mapping[str, Json]):
    """Who is active, for players: `{"moving": [names in listing order]}`."""

    __slots__ = ("_names", "_state")

    def __init__(self, names: tuple[str, ...], state: int) -> None:
        self._names = names
        self._state = state

    def __getitem__(self, key: str) -> Json:
        if key != "moving":
            raise KeyError(key)
        return [name for x, name in enumerate(self._names) if self._state >> x & 1]

    def __iter__(self) -> Iterator[str]:
        return iter(("moving",))

    def __len__(self) -> int:
        return 1


class Board:
    """One graph in words; it holds what was worked out so far."""

    __slots__ = (
        *("names", "places", "below", "starts", "views", "everything"),
        *("_patterns", "_values"),
    )

    def __init__(self, public: LinkPublic, edges: tuple[str, ...], words: StateWords) -> None:
        """Know the graph and its words.

        Args:
            public: What is seen of a case on it.
            edges: The graph.
            words: How states are shown.
        """
        self.names = names = public.shapes
        places: dict[str, int] = {}
        n = 0
        for name in names:
            places[name] = n
            n += 1
        self.places = places
        self.below = close_edges(places, edges)
        self.everything = (1 << n) - 1
        """The state in which all are active."""
        self.starts = words.starts
        """The words for the two actions, and whether each starts or stops."""
        self.views: dict[int, Observation] = {}
        """What is shown of a state after an intervention that counts, for states seen so far."""
        self._patterns = words[n]
        self._values = names if words.names_only else words.case_values(public)

    def stop(self, state: int, x: int) -> int:
        """Return the state after stopping `x`, which is active: what others keep going stays."""
        below = self.below
        left = state & ~below[x]
        after = 0
        while left:
            mask = below[(left & -left).bit_length() - 1]
            after |= mask
            left &= ~mask
        return after

    def try_act(self, state: int, shape: str, action: str) -> Step | None:
        """Return the step that an intervention makes; None if there is no such one.

        Args:
            state: The state in which it is made.
            shape: The name to act on, as listed.
            action: One of the theme's two actions.
        """
        x, starts = self.places.get(shape), self.starts.get(action)
        if x is None or starts is None:
            return None
        if starts:
            return Step(x, starts, state, state | self.below[x])
        return Step(x, starts, state, self.stop(state, x) if state >> x & 1 else state)

    def view(self, state: int) -> Observation:
        """Return what is shown of a state after an intervention that counts."""
        view = self.views.get(state)
        if view is None:
            text = self._patterns[state] % self._values
            shown = text, ActiveNames(self.names, state), True, 1, ""
            view = self.views[state] = Observation._make(shown)
        return view

    def show(self, state: int, *, cost: int = 0, legal: bool = True) -> Observation:
        """Return a state in words and as data."""
        return self.view(state)._replace(cost=cost, legal=legal)


_Words: TypeAlias = tuple[str | None, str, str, str]
_Case: TypeAlias = tuple[str, str, int] | None
_BOARDS: dict[_Words, "_Boards"] = {}
_MOST_BOARDS = 512


class _Boards(dict[tuple[tuple[str, ...], tuple[str, ...], _Case], Board]):
    """The boards that were opened in the same words, by names, graph and question."""

    def __init__(self, words: StateWords) -> None:
        super().__init__()
        self.words = words


def open_board(public: LinkPublic, edges: tuple[str, ...], rules: LinkRules) -> Board:
    """Return the board of a case, the same for all cases on its graph that read alike.

    Args:
        public: What is seen of the case.
        edges: Its graph.
        rules: How it is played.
    """
    read = rules.prompts, rules.strategy, rules.interface, public.theme
    boards = _BOARDS.get(read)
    if boards is None:
        boards = _BOARDS[read] = _Boards(StateWords(*read))
    # Where states alone are shown, as by our own tools, all questions about a graph read alike.
    case = None if boards.words.names_only else (public.cause, public.effect, public.cap)
    key = public.shapes, edges, case
    board = boards.get(key)
    if board is None:
        if len(boards) >= _MOST_BOARDS:
            boards.clear()
        board = boards[key] = Board(public, edges, boards.words)
    return board


def forget_boards() -> None:
    """Forget all boards, so that the next case is opened as if for the first time."""
    for boards in _BOARDS.values():
        boards.clear()
