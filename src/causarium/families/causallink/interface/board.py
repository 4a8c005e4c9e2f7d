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
from causarium.families.causallink.interface.state_patterns import find_patterns


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
        *("names", "places", "below", "start", "stop", "views"),
        *("_patterns", "_values", "_closed"),
    )

    def __init__(self, public: LinkPublic, edges: tuple[str, ...], rules: LinkRules) -> None:
        """Know the graph and its words.

        Args:
            public: What is seen of a case on it.
            edges: The graph.
            rules: How it is played.
        """
        self.names = names = public.shapes
        self.places = places = {name: place for place, name in enumerate(names)}
        self.below = close_edges(places, edges)
        self._patterns = patterns = find_patterns(public, rules)
        self.start = patterns.start
        self.stop = patterns.stop
        self.views: dict[int, Observation] = {}
        """What is shown of a state after an intervention that counts, for states seen so far."""
        self._values = patterns.case_values(public)
        self._closed: dict[int, int] = {}

    def hold(self, state: int, x: int) -> int:
        """Return the state after trying to stop `x`: what the others keep going stays active."""
        if not state >> x & 1:
            return state
        below = self.below
        left = state & ~below[x]
        after = self._closed.get(left)
        if after is None:
            key, after = left, 0
            while left:
                mask = below[(left & -left).bit_length() - 1]
                after |= mask
                left &= ~mask
            self._closed[key] = after
        return after

    def try_act(self, state: int, shape: str, action: str) -> Step | None:
        """Return the step that an intervention makes; None if there is no such one.

        Args:
            state: The state in which it is made.
            shape: The name to act on, as listed.
            action: One of the theme's two actions.
        """
        x = self.places.get(shape)
        if x is None or action not in (self.start, self.stop):
            return None
        if action == self.start:
            return Step(x, True, state, state | self.below[x])  # noqa: FBT003
        return Step(x, False, state, self.hold(state, x))  # noqa: FBT003

    def view(self, state: int) -> Observation:
        """Return what is shown of a state after an intervention that counts."""
        view = self.views.get(state)
        if view is None:
            text = self._patterns[state] % self._values
            names = ActiveNames(self.names, state)
            view = self.views[state] = Observation(text, names, True, 1)  # noqa: FBT003
        return view

    def show(self, state: int, *, cost: int = 0, legal: bool = True) -> Observation:
        """Return a state in words and as data."""
        return self.view(state)._replace(cost=cost, legal=legal)


_Case: TypeAlias = tuple[str, str, int] | None
_Key: TypeAlias = tuple[str | None, str, str, str, tuple[str, ...], tuple[str, ...], _Case]
_BOARDS: dict[_Key, Board] = {}
_MOST_BOARDS = 512


def open_board(public: LinkPublic, edges: tuple[str, ...], rules: LinkRules) -> Board:
    """Return the board of a case, the same for all cases on its graph that read alike.

    Args:
        public: What is seen of the case.
        edges: Its graph.
        rules: How it is played.
    """
    folder, interface = rules.prompts, rules.interface
    # As tools, our own words show states alone; elsewhere they name the question too.
    plain = interface == "tools" and folder is None
    case = None if plain else (public.cause, public.effect, public.cap)
    key = folder, rules.strategy, interface, public.theme, public.shapes, edges, case
    board = _BOARDS.get(key)
    if board is None:
        if len(_BOARDS) >= _MOST_BOARDS:
            _BOARDS.clear()
        board = _BOARDS[key] = Board(public, edges, rules)
    return board


def forget_boards() -> None:
    """Forget all boards, so that the next case is opened as if for the first time."""
    _BOARDS.clear()
