"""What all games on one case share: its closure, and what each act leads to and shows.

A case is opened many times: to be played, to be scored, to be shown, by one player after another.
The closure is worked out once, an act when it is first made, and its words with it.
"""

from collections.abc import Iterator, Mapping
from functools import cached_property, lru_cache

from causarium.contract.frozen import Json
from causarium.contract.world import Observation
from causarium.families.causallink.config import LinkRules
from causarium.families.causallink.evidence.version_space import Step
from causarium.families.causallink.instance import LinkPublic, LinkSecret, close_edges
from causarium.families.causallink.interface.wording import Wording
from causarium.families.causallink.mechanics.dynamics import Reach
from causarium.families.causallink.mechanics.theme import Lines, describe_state, theme


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


Outcome = tuple[Step, int, Observation]
"""An intervention that was made, the state after it, and what is shown of that."""


class Board:
    """One case under one wording."""

    def __init__(self, public: LinkPublic, reach: Reach, wording: Wording) -> None:
        self.public = public
        self.wording = wording
        self.theme = theme(public.theme)
        self.start = public.start
        self.cap = public.cap
        self._reach = reach
        self._below = reach.below
        self._places = {name: x for x, name in enumerate(public.shapes)}
        self._start, self._stop = self.theme.start, self.theme.stop
        self.outcomes: dict[tuple[int, str, str], Outcome] = {}
        self._views: dict[int, Observation] = {}

    def try_act(self, state: int, shape: str, action: str) -> Outcome | None:
        """Return what an intervention leads to and shows; None if there is no such one.

        Args:
            state: The state in which it is made.
            shape: The name to act on, as listed.
            action: One of the theme's two actions.
        """
        outcome = self.outcomes.get((state, shape, action))
        if outcome is not None:
            return outcome
        x = self._places.get(shape)
        if x is None:
            return None
        if action == self._start:
            starts, after = True, state | self._below[x]
        elif action == self._stop:
            starts, after = False, self._reach.hold(state, x)
        else:
            return None
        outcome = Step(x, starts, state, after), after, self.view(after)
        self.outcomes[state, shape, action] = outcome
        return outcome

    def view(self, state: int) -> Observation:
        """Return what is shown of a state after an intervention that counts."""
        view = self._views.get(state)
        if view is None:
            view = self._views[state] = self.show(state, cost=1)
        return view

    def show(self, state: int, *, cost: int = 0, legal: bool = True) -> Observation:
        """Return a state in words and as data."""
        text = self.wording.observed(describe_state(self._lines, state))
        return Observation(text, ActiveNames(self.public.shapes, state), legal=legal, cost=cost)

    @cached_property
    def _lines(self) -> Lines:
        return self.theme.state_lines(self.public.shapes)


def open_board(public: LinkPublic, secret: LinkSecret, rules: LinkRules) -> Board:
    """Return the board of a case, the same for all games on it under one wording.

    Args:
        public: What is seen of the case.
        secret: What is not.
        rules: How it is played.
    """
    return _open_board(public, secret.edges, rules.prompts, rules.strategy, rules.interface)


@lru_cache(maxsize=512)
def _open_board(
    public: LinkPublic,
    edges: tuple[str, ...],
    folder: str | None,
    strategy: str,
    interface: str,
) -> Board:
    wording = Wording(public, folder, strategy, interface)
    return Board(public, close_edges(public.shapes, edges), wording)


def forget_boards() -> None:
    """Forget all boards, so that the next case is opened as if for the first time."""
    _open_board.cache_clear()
