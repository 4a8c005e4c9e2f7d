"""A fleet being flown: every structural variable as it is worked out, or as it is held.

Laws and the flight `put` each variable once, in causal order, and go on with what `put` returns.
That is the whole of an intervention: where a variable is held, `put` returns what it is held at.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from causarium.errors import UsageError
from causarium.families.causalgame.model.published.game import Game, Span, Variable
from causarium.seeds import entropy

Floats = NDArray[np.float64]
Bits = NDArray[np.uint16]
Words = NDArray[np.uint64]
BITS = 65_536
"""How many values a short draw has."""
BLOCK = 8
"""Rows are drawn so many at a time."""


class Draws:
    """The noise of `count` drones; drawn when asked for, and kept."""

    def __init__(self, seed: int, count: int) -> None:
        self.seed = seed
        self.count = count
        self._source = np.random.PCG64DXSM(seed_words(entropy(seed, "draws")))
        self._at = 0
        self._generator = np.random.Generator(self._source)
        self._uniforms: dict[str, Floats] = {}
        self._blocks: dict[tuple[str, int], Words] = {}

    def draw_uniform(self, name: str) -> Floats:
        """Return one number in [0, 1) for each drone."""
        if name not in self._uniforms:
            self._go_to(_place(name, 0), self.count)
            self._uniforms[name] = self._generator.random(self.count)
        return self._uniforms[name]

    def draw_between(self, name: str, low: float | Floats, high: float | Floats) -> Floats:
        """Return one number in [low, high) for each drone."""
        found: Floats = low + (high - low) * self.draw_uniform(name)
        return found

    def words(self, name: str, block: int, rows: int = BLOCK) -> Words:
        """Return the first rows of a block, each with a word of 64 bits for every drone."""
        return self._block(name, block, rows * self.count).reshape(rows, self.count)

    def bits(self, name: str, rows: int) -> Bits:
        """Return rows of short draws; more rows of the same name begin with the same rows."""
        found = []
        for block, start in enumerate(range(0, rows, BLOCK)):
            size = min(BLOCK, rows - start) * self.count
            found.append(self._block(name, block, -(-size // 4)).view("<u2")[:size])
        joined = np.concatenate(found) if len(found) > 1 else found[0]
        return joined.reshape(rows, self.count)

    def _block(self, name: str, block: int, size: int) -> Words:
        """Return the first words of a block; no more are drawn than are asked for."""
        kept = self._blocks.get((name, block))
        if kept is None or kept.size < size:
            self._go_to(_place(name, block), size)
            kept = self._source.random_raw(size).astype("<u8", copy=False)
            self._blocks[name, block] = kept
        return kept[:size]

    def _go_to(self, place: int, size: int) -> None:
        """Set the generator to a place, from which so many words are going to be drawn."""
        self._source.advance(place - self._at)
        self._at = place + size


def seed_words(seed: int) -> NDArray[np.uint32]:
    """Return the words that numpy would make of a seed, in a third less time."""
    size = -(-seed.bit_length() // 32)
    return np.frombuffer(seed.to_bytes(4 * size, "little"), dtype="<u4")


@lru_cache(maxsize=1_024)  # a digest a name and block; fleets use some hundred
def _place(name: str, block: int) -> int:
    """Return where the draws of this name are."""
    # Odd, so that no two places share the generator's low bits.
    return entropy(block, name) >> 128 | 1


Column: TypeAlias = NDArray[Any]
"""One value for each drone; categorical variables as codes."""
Held: TypeAlias = float | int | bool | str | Column
"""What an intervention sets a variable to: one value for all drones, or one for each."""


# Numpy's own scalars: as good as an array of one, and several times as fast.
_SCALARS: dict[type, Callable[[Any], Any]] = {int: np.int64, float: np.float64, bool: np.bool_}


class Columns(Mapping[str, Column]):
    """The variables of a fleet by name; what nobody asks for is not worked out."""

    def __init__(self, count: int, found: dict[str, Column]) -> None:
        """Begin with what is found: a value for each drone, or one for all."""
        self._count = count
        self._found = found
        self.later: dict[str, Callable[[], Column]] = {}
        """How to find what has not been asked for."""

    def get_unspread(self, name: str) -> Column:
        """Return a variable, not spread over the drones if all have the same value."""
        found = self._found.get(name)
        if found is None:
            found = self._found[name] = self.later[name]()
        return found

    def __getitem__(self, name: str) -> Column:
        found = self.get_unspread(name)
        return found if found.ndim else np.full(self._count, found)

    def __iter__(self) -> Iterator[str]:
        return iter({**self._found, **self.later})

    def __len__(self) -> int:
        return len({**self._found, **self.later})


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
        return {
            name: decode_value(self.columns[name][index], game.variable(name)) for name in names
        }


def decode_value(value: Any, variable: Variable) -> float | str:  # noqa: ANN401 — any numpy scalar
    """Return one value as a file would hold it."""
    return variable.values[int(value)] if variable.values else float(value)


@dataclass(frozen=True, slots=True)
class Frame:
    """What is the same for all fleets of a game, and would take much of a small one's time."""

    game: Game
    names: dict[str, str]
    """The names of variables by their keys."""
    whole: dict[str, Column]
    """What is left of each component where nothing harms it, by the variable's name."""
    vital: tuple[str, ...]
    """What is left of the components without which no drone reaches the enemy, by key."""
    critical: tuple[str, ...]
    """What is left of the components with which a drone is lost, likewise."""
    spare: tuple[str, ...]
    """What is left of all other components, likewise."""
    armour: tuple[str, ...]
    """The armour of the critical components, by key."""
    exposure: tuple[tuple[float, bool], ...]
    """How exposed each component is, and whether it is critical."""
    distractors: tuple[tuple[str, Span], ...]
    """Variables that nothing depends on, by key, and where they are drawn."""


def make_frame(game: Game) -> Frame:
    """Return the frame of a game."""
    names = {variable.key: variable.name for variable in game.variables}
    parts = game.components
    return Frame(
        game=game,
        names=names,
        whole={names[f"{part.name}_hp"]: np.asarray(part.hp)[()] for part in parts},
        vital=tuple(f"{part.name}_hp" for part in parts if part.vital),
        critical=tuple(f"{part.name}_hp" for part in parts if part.critical),
        spare=tuple(f"{part.name}_hp" for part in parts if not part.critical),
        armour=tuple(f"{part.name}_def" for part in parts if part.critical),
        exposure=tuple((part.exposure, part.critical) for part in parts),
        distractors=tuple((v.key, v.span) for v in game.variables if v.span is not None),
    )


class Trace:
    """A fleet being flown."""

    def __init__(self, game: Game, draws: Draws, do: Mapping[str, Held]) -> None:
        self.game = game
        self.draws = draws
        self.frame = make_frame(game)
        self._names = self.frame.names
        self._held = {name: self._encode_value(name, value) for name, value in do.items()}
        self._found = {**self.frame.whole, **self._held}
        self._columns = Columns(draws.count, self._found)

    def put(self, key: str, value: Column | float) -> Column:
        """Record a variable and return the values to go on with."""
        name = self._names.get(key, key)
        if name in self._held:
            return self._held[name]
        scalar = _SCALARS.get(type(value))
        found: Column = scalar(value) if scalar else value  # type: ignore[assignment]
        self._found[name] = found
        return found

    def put_later(self, key: str, find: Callable[[], Column]) -> None:
        """Record a variable that is worked out when it is asked for.

        `find` had better not hold the trace: a fleet that holds itself is freed late, and the next
        one flies in memory that is not at hand.
        """
        name = self._names.get(key, key)
        if name not in self._held:
            self._columns.later[name] = find

    def get(self, key: str) -> Column:
        """Return a variable that has been put."""
        name = self._names.get(key, key)
        found = self._found.get(name)
        return self._columns.get_unspread(name) if found is None else found

    def flights(self) -> Flights:
        """Return the fleet, once everything is put."""
        return Flights(self.draws.count, self._columns)

    def _encode_value(self, name: str, value: Held) -> Column:
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
