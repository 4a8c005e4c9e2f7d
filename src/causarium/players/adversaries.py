"""Adversaries that fit every family: they copy what the oracle did elsewhere.

Each has seen the oracle play other instances of the same levels, which anybody who has the
generator can do. Names are carried over by their place in the public part, so that a benchmark
whose answer hangs on listing order, on the most common answer or on looks is found out.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from pydantic import ValidationError

from causarium.contract.episode import play
from causarium.contract.family import AnyFamily, AnyInstance
from causarium.contract.frozen import Json, canonical_json
from causarium.contract.instance import Public
from causarium.contract.player import Moves, Player
from causarium.contract.rules import Rules
from causarium.contract.turn import Turn
from causarium.contract.world import Action

_NAME_CHARS = 60
"""Longer texts are no names."""


@dataclass(frozen=True, slots=True)
class Memory:
    """What the oracle did on one instance of the training levels."""

    names: tuple[str, ...]
    features: tuple[float, ...]
    moves: tuple[dict[str, Any], ...]

    def pattern(self) -> str:
        """Return the moves with every name replaced by its place: what is common to instances."""
        return canonical_json(self.moves_for([f"#{place}" for place in range(len(self.names))]))

    def moves_for(self, names: Sequence[str]) -> list[dict[str, Any]]:
        """Return the moves with each name replaced by the one that stands in its place."""
        renamed = dict(zip(self.names, names, strict=False))
        # The fields of an action are the family's words, whatever an instance calls its things.
        return [
            {f: _rename(v, renamed) if f != "kind" else v for f, v in m.items()} for m in self.moves
        ]


def remember_oracle(
    family: AnyFamily, instances: Sequence[AnyInstance], rules: Rules
) -> tuple[Memory, ...]:
    """Have the oracle play, and keep what it did beside what was shown."""
    return tuple(
        Memory(
            names=_list_names(instance.public),
            features=_read_numbers(instance.public),
            moves=tuple(_record_moves(play(family, instance, rules, "oracle").turns)),
        )
        for instance in instances
    )


def build_adversaries(family: AnyFamily, memories: Sequence[Memory]) -> dict[str, Player[Any, Any]]:
    """Return the adversaries that have seen `memories`, by name.

    Args:
        family: Whose actions they send.
        memories: What the oracle did on other instances; at least one.
    """
    patterns = Counter(memory.pattern() for memory in memories)
    commonest, _ = patterns.most_common(1)[0]
    constant = next(memory for memory in memories if memory.pattern() == commonest)

    def repeat_commonest(public: Public, _rules: Rules, _rng: Random) -> Moves:
        return _send(family, constant.moves_for(_list_names(public)))

    def copy_any(public: Public, _rules: Rules, rng: Random) -> Moves:
        return _send(family, rng.choice(memories).moves_for(_list_names(public)))

    def copy_nearest(public: Public, _rules: Rules, _rng: Random) -> Moves:
        features = _read_numbers(public)
        nearest = min(memories, key=lambda memory: _distance(memory.features, features))
        return _send(family, nearest.moves_for(_list_names(public)))

    return {
        "generic-constant": Player(
            "Plays the oracle's commonest moves on other instances, names by their places.",
            moves=repeat_commonest,
        ),
        "generic-random": Player(
            "Plays the oracle's moves on any other instance, names by their places.",
            moves=copy_any,
        ),
        "generic-nearest": Player(
            "Plays the oracle's moves on the instance that looks most alike.", moves=copy_nearest
        ),
    }


def _send(family: AnyFamily, moves: Sequence[Mapping[str, Any]]) -> Moves:
    actions: dict[str, type[Action]] = {action.kind: action for action in family.actions}
    for move in moves:
        fields = {name: value for name, value in move.items() if name != "kind"}
        try:
            action = actions[move["kind"]].model_validate(fields)
        except ValidationError:
            continue  # a name of another instance where a word of the family should stand
        yield action


def _record_moves(turns: Sequence[Turn]) -> list[dict[str, Any]]:
    return [turn.action for turn in turns if turn.action is not None]


def _list_names(public: Public) -> tuple[str, ...]:
    """Return the short texts of a public part in the order in which they first stand there."""
    names: dict[str, None] = {}

    def collect(value: Json) -> None:
        if isinstance(value, str) and 0 < len(value) <= _NAME_CHARS:
            names[value] = None
        elif isinstance(value, list):
            for item in value:
                collect(item)
        elif isinstance(value, dict):
            for key, item in value.items():
                collect(key)
                collect(item)

    collect(public.model_dump(mode="json"))
    return tuple(names)


def _read_numbers(public: Public) -> tuple[float, ...]:
    numbers: list[float] = []

    def collect(value: Json) -> None:
        if isinstance(value, int | float):
            numbers.append(float(value))
        elif isinstance(value, list):
            numbers.append(float(len(value)))
            for item in value:
                collect(item)
        elif isinstance(value, dict):
            for item in value.values():
                collect(item)

    collect(public.model_dump(mode="json"))
    return tuple(numbers)


def _distance(one: Sequence[float], other: Sequence[float]) -> float:
    common = sum(abs(a - b) / (1.0 + abs(a) + abs(b)) for a, b in zip(one, other, strict=False))
    return common + abs(len(one) - len(other))


def _rename(value: Any, names: Mapping[str, str]) -> Any:  # noqa: ANN401 - any JSON value
    if isinstance(value, str):
        return names.get(value, value)
    if isinstance(value, list):
        return [_rename(item, names) for item in value]
    if isinstance(value, dict):
        return {names.get(key, key): _rename(item, names) for key, item in value.items()}
    return value
