"""Generic attacks: players that fit every family and do no causal reasoning in any.

Each has seen other instances of the same levels played, which anybody who has the generator can do.
Names are carried over by their place in the public part, so that a benchmark is found out in which
the answer follows from listing order, from the commonest answer, from looks or from what the prompt
shows.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from statistics import fmean
from typing import Any

from pydantic import ValidationError

from causarium.contract.checks.json_values import Place, branches, leaves
from causarium.contract.episode import Episode, play, start_player
from causarium.contract.family import AnyFamily, AnyInstance
from causarium.contract.frozen import Json, canonical_json
from causarium.contract.instance import Public
from causarium.contract.player import Moves, Player
from causarium.contract.row import find_cluster
from causarium.contract.rules import Rules
from causarium.contract.world import Action
from causarium.scoring.intervals import Interval, summarize
from causarium.seeds import stream

_NAME_CHARS = 60
"""Longer texts are no names."""
_SCRIPTS = 12
"""So many of the commonest scripts are tried on training instances."""
_TRIALS = 24
_VOTERS = 15


@dataclass(frozen=True, slots=True)
class Memory:
    """What somebody did on one instance of the training levels."""

    instance: AnyInstance
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


def remember(
    family: AnyFamily, instances: Sequence[AnyInstance], rules: Rules, player: str
) -> tuple[Memory, ...]:
    """Have a player play, and keep what it did beside what was shown."""
    return tuple(
        Memory(
            instance=instance,
            names=_list_names(instance.public),
            features=_read_numbers(instance.public),
            moves=tuple(t.action for t in play(family, instance, rules, player).turns if t.action),
        )
        for instance in instances
    )


def train_attacks(
    family: AnyFamily, instances: Sequence[AnyInstance], rules: Rules, *, full: bool = False
) -> dict[str, Player[Any, Any]]:
    """Return the generic attacks on a family, by name.

    Args:
        family: The family.
        instances: What they learn from; nobody is tested on it.
        rules: How it is played.
        full: Whether to add a probe of the public part, and one who knows names alone.
    """
    answers = remember(family, instances, rules, "oracle")
    reference = family.card.reference
    turns = remember(family, instances, rules, reference) if reference else answers
    script = _search_script(family, rules, (*answers, *turns))
    constant = _take_commonest([replace(one, moves=one.moves[-1:]) for one in answers])
    address = _learn_addresses(answers)

    means = _learn_means(answers)

    def replay(about: str, choose: Callable[[Public], Memory]) -> Player[Any, Any]:
        """Return a player that makes the moves of a memory, names by their places."""

        def move(public: Public, _rules: Rules, _rng: Random) -> Moves:
            return _send(family, choose(public).moves_for(_list_names(public)))

        return Player(about, moves=move, sees="prompt")

    def copy_prompt(public: Public, _rules: Rules, _rng: Random) -> Moves:
        (answer,) = constant.moves_for(_list_names(public)) or [{}]
        shown = dict(leaves(public.model_dump(mode="json")))
        for path, places in address.items():
            place = next((place for place in places if place in shown), None)
            if place is not None:
                _put(answer, path, shown[place])
        return _send(family, [answer])

    def choose_by_means(public: Public) -> Memory:
        mine = _read_numbers(public)
        pattern = min(means, key=lambda one: _distance(means[one], mine))
        return next(memory for memory in answers if memory.pattern() == pattern)

    def know_names(public: Public, _rules: Rules, _rng: Random) -> Moves:
        mine = set(_list_names(public))
        known = max(answers, key=lambda memory: len(mine & set(memory.names)))
        return _send(family, known.moves)

    attacks: dict[str, Player[Any, Any]] = {
        "generic-constant": replay("Gives the oracle's commonest answer.", lambda _: constant),
        "generic-script": replay(
            "Plays the script that earned most elsewhere and looks at nothing.", lambda _: script
        ),
        "generic-copier": Player(
            "Answers with what the prompt shows where the answer stood most often elsewhere.",
            moves=copy_prompt,
            sees="prompt",
        ),
        "generic-nearest": replay(
            "Plays the oracle's moves on the instance that looks most alike.",
            lambda public: _sort_by_looks(answers, public)[0],
        ),
        "generic-vote": replay(
            "Plays the commonest moves of the oracle on the fifteen most alike.",
            lambda public: _take_commonest(_sort_by_looks(answers, public)[:_VOTERS]),
        ),
        "generic-imitation": replay(
            "Repeats the reference player's moves on the instance that looks most alike, blind to "
            "what they show.",
            lambda public: _sort_by_looks(turns, public)[0],
        ),
    }
    if full:
        attacks |= {
            "generic-probe": replay(
                "Plays the oracle's moves that go with numbers like those shown, on average.",
                choose_by_means,
            ),
            "generic-names": Player(
                "Plays the oracle's moves on the instance with most names in common, by name.",
                moves=know_names,
                sees="prompt",
            ),
        }
    return attacks


def train_probe(
    family: AnyFamily, instances: Sequence[AnyInstance], rules: Rules
) -> Player[Any, Any]:
    """Return a player that has learnt what goes with ids, order and sizes, and sees nothing else.

    Of the last digits of an id and the sizes of what is shown it goes by the one that told most of
    the oracle's answers apart. Agents see no ids; whoever reads logs and sets does.

    Args:
        family: The family.
        instances: What it learns from.
        rules: How it is played.
    """
    memories = remember(family, instances, rules, "oracle")
    looks = [_read_looks(memory.instance) for memory in memories]
    answers = [replace(memory, moves=memory.moves[-1:]).pattern() for memory in memories]

    def predict(column: str, value: float | None, *, without: int | None = None) -> str:
        """Return the commonest answer among memories of the same looks, one of them left out."""
        alike = Counter(
            answer
            for place, answer in enumerate(answers)
            if place != without and looks[place].get(column) == value
        )
        return alike.most_common(1)[0][0] if alike else ""

    def count_hits(column: str) -> int:
        return sum(
            predict(column, looks[place].get(column), without=place) == answer
            for place, answer in enumerate(answers)
        )

    best = max(dict.fromkeys(name for one in looks for name in one), key=count_hits)

    def move(instance: AnyInstance, _rules: Rules, _rng: Random) -> Moves:
        answer = predict(best, _read_looks(instance).get(best))
        mine = [one for one, its in zip(memories, answers, strict=True) if its == answer]
        chosen = _take_commonest(mine or memories)
        return _send(family, chosen.moves_for(_list_names(instance.public)))

    return Player("Goes by ids, order and sizes.", moves_from_truth=move)


def score_player(
    family: AnyFamily,
    instance: AnyInstance,
    rules: Rules,
    name: str,
    player: Player[Any, Any],
    seed: int = 0,
) -> dict[str, float]:
    """Return the numbers of a player's episode, be it the family's or a generic one."""
    episode = Episode(family, instance, rules)
    if name in family.players:
        moves = start_player(episode, name, seed=seed)
    else:
        moves = player.start(
            instance, rules, stream(seed, "player", family.name, name, instance.id)
        )
    episode.follow(moves)
    return episode.score().numbers


def measure_player(
    family: AnyFamily,
    instances: Sequence[AnyInstance],
    rules: Rules,
    name: str,
    player: Player[Any, Any],
) -> Interval:
    """Return what a player earns on instances, by the certified headline."""
    headline = family.card.headline["certified"]
    return summarize(
        [score_player(family, one, rules, name, player)[headline] for one in instances],
        share=family.metrics[headline].share,
        clusters=[find_cluster(one) for one in instances],
    )


def _learn_means(memories: Sequence[Memory]) -> dict[str, tuple[float, ...]]:
    """Return, for each way to play, the mean of what was shown where it was right."""
    shown: dict[str, list[tuple[float, ...]]] = defaultdict(list)
    for memory in memories:
        shown[memory.pattern()].append(memory.features)
    return {
        pattern: tuple(fmean(column) for column in zip(*rows, strict=False))
        for pattern, rows in shown.items()
    }


def _search_script(family: AnyFamily, rules: Rules, memories: Sequence[Memory]) -> Memory:
    """Return the script that earns most on the training instances, names by their places."""
    by_pattern = {memory.pattern(): memory for memory in reversed(memories)}
    counts = Counter(memory.pattern() for memory in memories)
    scripts = [by_pattern[pattern] for pattern, _ in counts.most_common(_SCRIPTS)]
    trials = [memory.instance for memory in memories[:_TRIALS]]
    headline = family.card.headline["certified"]

    def earn(script: Memory) -> float:
        earned = []
        for instance in trials:
            episode = Episode(family, instance, rules)
            episode.follow(_send(family, script.moves_for(_list_names(instance.public))))
            earned.append(episode.score().numbers[headline])
        return fmean(earned)

    return max(scripts, key=earn)


def _take_commonest(memories: Sequence[Memory]) -> Memory:
    commonest, _ = Counter(memory.pattern() for memory in memories).most_common(1)[0]
    return next(memory for memory in memories if memory.pattern() == commonest)


def _learn_addresses(memories: Sequence[Memory]) -> dict[Place, list[Place]]:
    """Return, for each part of an answer, where the public part most often showed its value."""
    seen: dict[Place, Counter[Place]] = defaultdict(Counter)
    for memory in memories:
        shown: dict[str, list[Place]] = defaultdict(list)
        for place, value in leaves(memory.instance.public.model_dump(mode="json")):
            shown[canonical_json(value)].append(place)
        for path, value in leaves(memory.moves[-1] if memory.moves else {}):
            if path != ("kind",):
                seen[path].update(shown.get(canonical_json(value), ()))
    return {path: [place for place, _ in counts.most_common(5)] for path, counts in seen.items()}


def _put(answer: Any, path: Place, value: Json) -> None:  # noqa: ANN401 - any JSON value
    """Put a value at a place of an answer, if the answer has that place."""
    for step in path[:-1]:
        try:
            answer = answer[step]
        except (KeyError, IndexError, TypeError):
            return
    last = path[-1]
    if isinstance(answer, dict) or (isinstance(last, int) and last < len(answer)):
        answer[last] = value


def _send(family: AnyFamily, moves: Sequence[Mapping[str, Any]]) -> Moves:
    actions: dict[str, type[Action]] = {action.kind: action for action in family.actions}
    for move in moves:
        fields = {name: value for name, value in move.items() if name != "kind"}
        try:
            action = actions[move["kind"]].model_validate(fields)
        except (KeyError, ValidationError):
            continue  # a name of another instance where a word of the family should stand
        yield action


def _list_names(public: Public) -> tuple[str, ...]:
    """Return the short texts of a public part in the order in which they first stand there."""
    shown = branches(public.model_dump(mode="json"))
    texts = (text for place, value in shown for text in (*place[-1:], value))
    names = (text for text in texts if isinstance(text, str) and 0 < len(text) <= _NAME_CHARS)
    return tuple(dict.fromkeys(names))


def _read_numbers(public: Public) -> tuple[float, ...]:
    """Return the numbers of a public part, and how long its lists are."""
    return tuple(
        float(len(value) if isinstance(value, list) else value)
        for _, value in branches(public.model_dump(mode="json"))
        if isinstance(value, int | float | list)
    )


def _read_looks(instance: AnyInstance) -> dict[str, float]:
    """Return the remainders of an id's last number, and the sizes of lists and texts."""
    digits = re.findall(r"\d+", instance.id)
    number = int(digits[-1]) if digits else 0
    looks = {f"id modulo {by}": float(number % by) for by in (2, 3, 4, 5, 8)}
    for place, value in branches(instance.public.model_dump(mode="json")):
        if isinstance(value, list | str):
            looks[f"size of {place}"] = float(len(value))
    return looks


def _sort_by_looks(memories: Sequence[Memory], public: Public) -> list[Memory]:
    features = _read_numbers(public)
    return sorted(memories, key=lambda memory: _distance(memory.features, features))


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
