"""What all games on one case share: its closure, and what each act leads to and shows.

A case is opened many times: to be played, to be scored, to be shown, by one player after another.
The closure is worked out once, an act when it is first made, and its words with it.
"""

from collections.abc import Iterator, Mapping

from causarium.contract.frozen import Json
from causarium.contract.world import Observation
from causarium.families.causallink.config import LinkRules
from causarium.families.causallink.evidence.version_space import Step
from causarium.families.causallink.instance import LinkPublic, LinkSecret, close_edges
from causarium.families.causallink.interface.wording import Wording, frame_states
from causarium.families.causallink.mechanics.theme import describe_state, theme


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
    """One case under one wording; it holds what was worked out so far."""

    __slots__ = (
        *("public", "secret", "rules", "theme", "start", "cap", "places", "below", "starts"),
        *("stops", "views", "_closed", "_lines", "_frame", "_wording"),
    )

    def __init__(self, public: LinkPublic, secret: LinkSecret, rules: LinkRules) -> None:
        """Know the case, its closure and the words for its two actions.

        Args:
            public: What is seen of the case.
            secret: What is not.
            rules: How it is played.
        """
        self.public = public
        self.secret = secret
        self.rules = rules
        self.theme = words = theme(public.theme)
        self.start = public.start
        self.cap = public.cap
        shapes = public.shapes
        self.places = dict(zip(shapes, range(len(shapes)), strict=True))
        self.below = close_edges(self.places, secret.edges)
        self.starts = words.start
        self.stops = words.stop
        self.views: dict[int, Observation] = {}
        """What is shown of a state after an intervention that counts, for states seen so far."""
        self._closed: dict[int, int] = {}
        self._lines = words.state_lines(shapes)
        self._frame = frame_states(public, rules)
        self._wording: Wording | None = None

    @property
    def wording(self) -> Wording:
        """The words of later turns."""
        if self._wording is None:
            self._wording = Wording.of(self.public, self.rules)
        return self._wording

    def hold(self, state: int, x: int) -> int:
        """Return the state after trying to stop `x`: what the others keep going stays active."""
        if not state >> x & 1:
            return state
        others = state & ~self.below[x]
        after = self._closed.get(others)
        if after is None:
            after, left = 0, others
            while left:
                mask = self.below[(left & -left).bit_length() - 1]
                after |= mask
                left &= ~mask
            self._closed[others] = after
        return after

    def try_act(self, state: int, shape: str, action: str) -> Step | None:
        """Return the step that an intervention makes; None if there is no such one.

        Args:
            state: The state in which it is made.
            shape: The name to act on, as listed.
            action: One of the theme's two actions.
        """
        x = self.places.get(shape)
        if x is None or action not in (self.starts, self.stops):
            return None
        if action == self.starts:
            return Step(x, True, state, state | self.below[x])  # noqa: FBT003
        return Step(x, False, state, self.hold(state, x))  # noqa: FBT003

    def view(self, state: int) -> Observation:
        """Return what is shown of a state after an intervention that counts."""
        view = self.views.get(state)
        if view is None:
            view = self.views[state] = self.show(state, cost=1)
        return view

    def show(self, state: int, *, cost: int = 0, legal: bool = True) -> Observation:
        """Return a state in words and as data."""
        text = describe_state(self._lines, state).join(self._frame)
        return Observation(text, ActiveNames(self.public.shapes, state), legal, cost)


_BOARDS: dict[tuple[int, int, int], Board] = {}
_MOST_BOARDS = 512


def open_board(public: LinkPublic, secret: LinkSecret, rules: LinkRules) -> Board:
    """Return the board of a case, the same for all games on it under the same rules.

    A board is found again by the very objects that it was made of: it holds them, so none of them
    can give its place in memory to another while the board is kept.

    Args:
        public: What is seen of the case.
        secret: What is not.
        rules: How it is played.
    """
    key = id(public), id(secret), id(rules)
    board = _BOARDS.get(key)
    if board is None:
        if len(_BOARDS) >= _MOST_BOARDS:
            _BOARDS.clear()
        board = _BOARDS[key] = Board(public, secret, rules)
    return board


def forget_boards() -> None:
    """Forget all boards, so that the next case is opened as if for the first time."""
    _BOARDS.clear()
