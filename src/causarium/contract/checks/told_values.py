"""What an agent can come to read of an instance, and the secret values to look for in it."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from causarium.contract.checks.checked_family import Subject
from causarium.contract.checks.json_values import Place, branches, leaves
from causarium.contract.episode import Episode
from causarium.contract.family import AnyInstance
from causarium.contract.frozen import Json, canonical_json
from causarium.contract.rules import Edition
from causarium.contract.unparsed import Unparsed
from causarium.contract.world import Observation

Leaves: TypeAlias = tuple[tuple[Place, Json], ...]

NAME = re.compile(r"[\w'-]{1,24}( [\w'-]{1,24}){0,2}")
"""What looks like a name: up to three words."""

PUBLIC = "public part"

_PAIR = re.compile(r"\s*(.+?)\s*(?:->|→|=>|>)\s*(.+?)\s*")
_NOTATIONS = ("{} -> {}", "{}->{}", "{} → {}", "{}→{}", "{}>{}", "{} > {}", "{} causes {}")


@dataclass(frozen=True, slots=True)
class SecretExposure:
    """One instance: its secret values, and every text in which they might be told."""

    id: str
    public: Leaves
    secret: Leaves
    """Leaves of the secret part, and the facets, but for what the family says is revealed."""
    pairs: dict[str, tuple[str, ...]]
    """For each field of the secret that holds pairs or records: how these may be written,
    in lower case."""
    texts: dict[str, str]
    """By channel, what an agent can read, in lower case."""
    own_words: dict[str, frozenset[str]]
    """By channel, the words that the player used itself, so that an echo tells nothing."""


@lru_cache(maxsize=1)  # four promises ask in turn, and every sample is played for the answer
def collect_exposures(subject: Subject) -> dict[str, tuple[SecretExposure, ...]]:
    """Return what is told of the subject's instances, by edition and level."""
    return {
        f"{edition}/{level}": tuple(_gather_exposure(subject, edition, one) for one in instances)
        for (edition, level), instances in subject.samples.items()
    }


def _gather_exposure(subject: Subject, edition: Edition, instance: AnyInstance) -> SecretExposure:
    family = subject.family
    public: Json = instance.public.model_dump(mode="json")
    secret: Json = instance.secret.model_dump(mode="json")
    facets: Json = {"facets": dict(instance.facets)}
    texts = {PUBLIC: canonical_json(public), "id": instance.id}
    own_words: dict[str, frozenset[str]] = {}
    first = family.rules.interfaces[0]
    for interface in family.rules.interfaces:
        rules = family.rules_for(edition, interface=interface)
        prompt = family.prompt(instance.public, rules)
        texts[f"prompt for {interface}"] = f"{prompt.system}\n{prompt.user}"
        if interface in family.rules.extras:
            continue
        refused = family.open_world(instance, rules).act(
            Unparsed(mode="unreadable", detail="nothing")
        )
        texts[f"answer to an unreadable reply under {interface}"] = _read(refused)
        # In a quick check games are played by the first interface alone: the world is the same.
        for name in subject.watched if interface == first or not subject.quick else ():
            game = subject.episode(instance, rules, name)
            channel = f"observations of the {name} player under {interface}"
            texts[channel] = "\n".join(_replay_texts(game))
            own_words[channel] = frozenset(_words(game))
    revealed = family.proofs.revealed_in(instance.public)
    return SecretExposure(
        id=instance.id,
        public=_both_ways(public),
        secret=(
            *_find_unrevealed_leaves(secret, revealed),
            *_find_unrevealed_leaves(facets, revealed),
        ),
        pairs=_pairs(secret, revealed),
        texts={channel: text.lower() for channel, text in texts.items()},
        own_words=own_words,
    )


def _replay_texts(game: Episode) -> Iterator[str]:
    """Yield what a player read, and what it was given as data, by playing its record again."""
    world = game.family.open_world(game.instance, game.rules)
    for turn in game.turns:
        yield _read(world.act(turn.move(game.family.actions)))


def _read(seen: Observation) -> str:
    return f"{seen.text}\n{canonical_json(dict(seen.data))}"


def _words(game: Episode) -> Iterator[str]:
    for turn in game.turns:
        yield from (str(leaf).lower() for _, leaf in leaves(turn.action or {}))


def _find_unrevealed_leaves(value: Json, revealed: frozenset[str]) -> Iterator[tuple[Place, Json]]:
    for place, leaf in leaves(value):
        if not revealed.intersection(step for step in place if isinstance(step, str)):
            yield place, leaf


def _both_ways(value: Json) -> Leaves:
    """Return all leaves, those in lists by their place from the front and from the back."""
    values = list(leaves(value))
    for place, inner in branches(value):
        if isinstance(inner, list):
            values += [((*place, i - len(inner)), x) for i, x in enumerate(inner) if _is_leaf(x)]
    return tuple(values)


def _is_leaf(value: Json) -> bool:
    return not isinstance(value, list | dict)


def _pairs(secret: Json, revealed: frozenset[str]) -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for place, value in branches(secret):
        if revealed.intersection(step for step in place if isinstance(step, str)):
            continue
        field = ".".join(step for step in place if isinstance(step, str))
        found.setdefault(field, []).extend(_spellings(value))
    return {field: tuple(t.lower() for t in texts) for field, texts in found.items() if texts}


def _spellings(value: Json) -> Iterator[str]:
    parts = list(value.values()) if isinstance(value, dict) else value
    if isinstance(parts, str) and (pair := _PAIR.fullmatch(parts)):
        parts = [pair[1], pair[2]]
    if not isinstance(parts, list) or not all(_is_leaf(part) for part in parts):
        return
    words = [part for part in parts if isinstance(part, str)]
    if len(words) < 2:
        return
    yield json.dumps(value, ensure_ascii=False)
    yield canonical_json(value)
    if len(parts) == len(words) == 2:
        yield from (json.dumps(words, ensure_ascii=False), canonical_json(list(words)))
        yield from (notation.format(*words) for notation in _NOTATIONS)
        yield from (f"({words[0]}, {words[1]})", repr(tuple(words)))
