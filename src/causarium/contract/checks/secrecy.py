"""Promises about secrets, checked by values: what only the scorer knows appears nowhere else.

Four ways in which a secret gets out are looked for, in the public part, the prompt, the id, the
answer to an unreadable reply and the observations of every player that is not sighted:

- a telling value (a long string, a number of several digits, a name the public part does not have)
  is said in so many words;
- a field of the public part has, on every instance, the value of a secret field; this also catches
  a list with the answer always first or last;
- of all names that a secret field can have, exactly its own is mentioned, on every instance;
- pairs or records of the secret, such as edges, are written out, on every instance.

A short number counts as said when a tenth of the instances say theirs. The last three are claims
about all instances, so that a coincidence on some of them is none, and are made only of so many
instances that chance is out of the question (`CERTAIN_BITS`). What the
rules let an agent see is named in the family's `revealed`, be it a field or a facet.
"""

import json
import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from causarium.contract.checks.checked_family import Check, Subject
from causarium.contract.checks.json_values import Place, branches, leaves, write_place
from causarium.contract.episode import Episode
from causarium.contract.family import AnyInstance
from causarium.contract.frozen import Json, canonical_json
from causarium.contract.rules import Edition
from causarium.contract.world import Observation, Unparsed

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


def collect_exposures(subject: Subject) -> dict[str, tuple[SecretExposure, ...]]:
    """Return what agents read of the subject's instances, by edition and level."""
    return {
        f"{edition}/{level}": tuple(_gather_exposure(subject, edition, one) for one in instances)
        for (edition, level), instances in subject.samples.items()
    }


def _gather_exposure(subject: Subject, edition: Edition, instance: AnyInstance) -> SecretExposure:
    family = subject.family.for_edition(edition)
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


CERTAIN_BITS = 20.0
"""An agreement of less surprise than this may be chance."""

_LEAST_DIGITS = 4
_CERTAIN_DIGITS = 7
"""A number of so many digits is not met by chance."""
_LEAST_LETTERS = 3
_LEAST_OTHERS = 3
_LEAST_PAIRS = 6


def nothing_secret_is_said_in_so_many_words(subject: Subject) -> Iterator[str]:
    """No telling value of the secret part is written anywhere that an agent can read."""
    for where, instances in subject.keep(collect_exposures).items():
        told_secrets = list(_find_told_secrets(instances))
        tellers = Counter((place, channel) for place, channel, _, _ in told_secrets)
        for place, channel, one, value in told_secrets:
            # Where many short numbers are shown, one of them may be a secret one by chance.
            by_chance = _digits(value) < _CERTAIN_DIGITS and tellers[place, channel] < max(
                2, len(instances) / 10
            )
            if isinstance(value, str) or not by_chance:
                yield (
                    f"in {where} the {channel} of {one.id} tells {write_place(place)}, "
                    f"which is {value!r}"
                )


def _find_told_secrets(
    instances: Sequence[SecretExposure],
) -> Iterator[tuple[Place, str, SecretExposure, Json]]:
    held = {
        instance.id: {_pair_with_type(value) for _, value in instance.secret}
        for instance in instances
    }
    for one in instances:
        for place, value in one.secret:
            if not _is_telling(value, one.texts[PUBLIC]):
                continue
            channels = _channels_saying(value, one)
            others = [o for o in instances if channels and _pair_with_type(value) not in held[o.id]]
            for channel in _telling_channels(channels, value, others):
                yield place, channel, one, value


def no_public_field_always_equals_a_secret_one(subject: Subject) -> Iterator[str]:
    """No leaf of the public part equals one of the secret part, or a facet, on every instance."""
    for where, instances in subject.keep(collect_exposures).items():
        public = _columns([instance.public for instance in instances])
        place_of = {values: place for place, values in public.items()}
        for place, values in _columns([instance.secret for instance in instances]).items():
            if values in place_of and _surprise(values) >= CERTAIN_BITS:
                yield (
                    f"in {where} the public {write_place(place_of[values])} is always the secret "
                    f"{write_place(place)}"
                )


def the_names_that_are_mentioned_do_not_betray_the_secret_one(subject: Subject) -> Iterator[str]:
    """Nowhere is just the name that a secret field has mentioned, of all that it can have."""
    for where, instances in subject.keep(collect_exposures).items():
        for place, values in _columns([instance.secret for instance in instances]).items():
            names = {value for _, value in values if isinstance(value, str) and value}
            if len(names) < 2 or _surprise(values) < CERTAIN_BITS:
                continue
            for channel in instances[0].texts:
                secrets = [str(value) for _, value in values]
                if all(
                    _betrays(one, channel, names, secret)
                    for one, secret in zip(instances, secrets, strict=True)
                ):
                    yield f"in {where} the {channel} names just what is in {write_place(place)}"


def pairs_of_the_secret_are_not_written_out(subject: Subject) -> Iterator[str]:
    """No edge or record of the secret part is written out in a usual notation each time."""
    for where, instances in subject.keep(collect_exposures).items():
        for field in sorted({field for instance in instances for field in instance.pairs}):
            holders = [instance for instance in instances if field in instance.pairs]
            if len({holder.pairs[field] for holder in holders}) < 2 or len(holders) < _LEAST_PAIRS:
                continue
            for channel in holders[0].texts:
                if all(
                    any(s in holder.texts[channel] for s in holder.pairs[field])
                    for holder in holders
                ):
                    yield f"in {where} the {channel} writes out what is in {field}"


def _pair_with_type(value: Json) -> tuple[str, Json]:
    # True equals 1 in Python and is another secret.
    return type(value).__name__, value


def _digits(value: Json) -> int:
    """Return how many significant digits a number is written with."""
    return len(re.sub(r"[^\d]|e.*", "", repr(value)).strip("0"))


def _is_telling(value: Json, public: str) -> bool:
    """Say whether a value gives itself away: nobody would write it by chance."""
    if isinstance(value, bool) or value is None:
        return False
    if isinstance(value, int | float):
        return _digits(value) >= _LEAST_DIGITS
    text = str(value)
    if len(text) < _LEAST_LETTERS:
        return False
    return not NAME.fullmatch(text) or not _mentions(public, text)


def _channels_saying(value: Json, one: SecretExposure) -> list[str]:
    return [channel for channel, text in one.texts.items() if _mentions(text, str(value))]


def _telling_channels(
    channels: list[str], value: Json, others: Sequence[SecretExposure]
) -> list[str]:
    """Keep the channels that never say `value` where it is not part of the secret."""
    if len(others) < _LEAST_OTHERS:
        return []
    text_of_value = str(value)
    return [
        c for c in channels if not any(_mentions(other.texts[c], text_of_value) for other in others)
    ]


def _mentions(text: str, value: str) -> bool:
    value = value.lower()
    return value in text and _match_whole_value(value).search(text) is not None


def _match_whole_value(value: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w.]){re.escape(value)}(?!\w|\.\d)")


def _columns(rows: Sequence[Leaves]) -> dict[Place, tuple[tuple[str, Json], ...]]:
    """Return, for each place that every instance has, its values in the order of instances."""
    columns = [{place: _pair_with_type(value) for place, value in row} for row in rows]
    shared = (
        [place for place in columns[0] if all(place in row for row in columns)] if columns else []
    )
    return {place: tuple(row[place] for row in columns) for place in shared}


def _surprise(values: Sequence[tuple[str, Json]]) -> float:
    """Return in bits how unlikely it is that independent draws agree with `values` throughout."""
    counts = Counter(values)
    return -sum(count * math.log2(count / len(values)) for count in counts.values())


def _betrays(one: SecretExposure, channel: str, names: set[str], secret: str) -> bool:
    echoes = one.own_words.get(channel, frozenset())
    text = one.texts[channel]
    mentioned = {name for name in names if name.lower() not in echoes and _mentions(text, name)}
    return mentioned == {secret}


CHECKS: tuple[Check, ...] = (
    nothing_secret_is_said_in_so_many_words,
    no_public_field_always_equals_a_secret_one,
    the_names_that_are_mentioned_do_not_betray_the_secret_one,
    pairs_of_the_secret_are_not_written_out,
)
