"""A fleet being flown: every structural variable as it is worked out, or as it is held.

Laws and the flight `put` each variable once, in causal order, and go on with what `put` returns.
That is the whole of an intervention: where a variable is held, `put` returns what it is held at.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from causarium.errors import UsageError
from causarium.families.causalgame.games.description import Game, Variable
from causarium.families.causalgame.games.draws import Draws

Column: TypeAlias = NDArray[Any]
"""One value for each drone; categorical variables as codes."""
Held: TypeAlias = float | int | bool | str | Column
"""What an intervention sets a variable to: one value for all drones, or one for each."""


# Numpy's own scalars: as good as an array of one, and several times as fast.
_SCALARS: dict[type, Callable[[Any], Any]] = {int: np.int64, float: np.float64, bool: np.bool_}


class Columns(Mapping[str, Column]):
    """The variables of a fleet by name; what nobody asks for is not worked out."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._found: dict[str, Column] = {}
        self._later: dict[str, Callable[[], Column]] = {}

    def set(self, name: str, found: Column) -> None:
        """Keep a variable: a value for each drone, or one for all."""
        self._found[name] = found

    def set_later(self, name: str, find: Callable[[], Column]) -> None:
        """Keep a variable that is to be found when it is asked for."""
        self._later[name] = find

    def bare(self, name: str) -> Column:
        """Return a variable, not spread over the drones if all have the same value."""
        found = self._found.get(name)
        if found is None:
            found = self._found[name] = self._later[name]()
        return found

    def __getitem__(self, name: str) -> Column:
        found = self.bare(name)
        return found if found.ndim else np.full(self._count, found)

    def __iter__(self) -> Iterator[str]:
        return iter({**self._found, **self._later})

    def __len__(self) -> int:
        return len({**self._found, **self._later})


@dataclass(frozen=True)
class Flights:
    """A fleet after its flight."""

    count: int
    columns: Mapping[str, Column]
    """By variable name; categorical variables as codes."""

    @property
    def survived(self) -> Column:
        """Which drones came back."""
        return self.columns["survived"]

    @property
    def detected(self) -> Column:
        """Which drones the enemy noticed."""
        return self.columns["detected"]

    @property
    def hit_count(self) -> Column:
        """How often each drone was hit."""
        return self.columns["hit_count"]

    def row(self, index: int, game: Game, names: tuple[str, ...]) -> dict[str, float | str]:
        """Return some variables of one drone, as plain values; categorical ones by name."""
        return {name: plain(self.columns[name][index], game.variable(name)) for name in names}


def plain(value: Any, variable: Variable) -> float | str:  # noqa: ANN401 — any numpy scalar
    """Return one value as a file would hold it."""
    return variable.values[int(value)] if variable.values else float(value)


_NAMES: dict[int, tuple[tuple[Variable, ...], dict[str, str]]] = {}
_MOST_NAMES = 64


def _names_of(variables: tuple[Variable, ...]) -> dict[str, str]:
    """Return the names of variables by their keys.

    Many fleets fly in one game, and this would take a tenth of a small one's time. The variables
    are kept beside, so that nothing else can have their address meanwhile.
    """
    kept = _NAMES.get(id(variables))
    if kept is None:
        if len(_NAMES) >= _MOST_NAMES:
            _NAMES.clear()
        names = {variable.key: variable.name for variable in variables}
        kept = _NAMES[id(variables)] = (variables, names)
    return kept[1]


class Trace:
    """A fleet being flown."""

    def __init__(self, game: Game, draws: Draws, do: Mapping[str, Held]) -> None:
        self.game = game
        self.draws = draws
        self._names = _names_of(game.variables)
        self._columns = Columns(draws.count)
        self._held = {name: self._coded(name, value) for name, value in do.items()}

    def put(self, key: str, value: Column | float) -> Column:
        """Record a variable and return the values to go on with."""
        name = self._names.get(key, key)
        found: Any = self._held.get(name) if self._held else None
        if found is None:
            scalar = _SCALARS.get(type(value))
            found = scalar(value) if scalar else value
        self._columns.set(name, found)
        return cast("Column", found)

    def put_later(self, key: str, find: Callable[[], Column]) -> None:
        """Record a variable that is worked out when it is asked for."""
        name = self._names.get(key, key)
        if name in self._held:
            self._columns.set(name, self._held[name])
        else:
            self._columns.set_later(name, find)

    def get(self, key: str) -> Column:
        """Return a variable that has been put."""
        return self._columns.bare(self._names.get(key, key))

    def flights(self) -> Flights:
        """Return the fleet, once everything is put."""
        return Flights(self.draws.count, self._columns)

    def _coded(self, name: str, value: Held) -> Column:
        known = {variable.name: variable for variable in self.game.variables}
        if name not in known:
            raise UsageError(
                f"{self.game.name} has no variable {name!r}; its variables: {', '.join(known)}"
            )
        values = known[name].values
        if not isinstance(value, str):
            return np.asarray(value)
        if value not in values:
            raise UsageError(
                f"{name} cannot be {value!r}; its values: {', '.join(values) or 'numbers'}"
            )
        return np.asarray(values.index(value))
