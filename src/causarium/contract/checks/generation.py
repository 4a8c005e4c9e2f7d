"""Promises about drawing: the same bytes everywhere, each instance on its own."""

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

from causarium.contract.checks.checked_family import (
    Check,
    Draw,
    Subject,
    run_in_other_process,
)
from causarium.contract.family_card import SetSpec
from causarium.contract.rules import Edition
from causarium.contract.sets.instance_sets import generate_instances, set_digest
from causarium.contract.sets.splits import read_reserved_kin, shorten_kin

_DRAW_BACKWARDS = """
import pickle, sys
from causarium.contract.frozen import digest
generate, places = pickle.load(sys.stdin.buffer)
lines = [generate(*place).line() for place in reversed(places)]
print(digest(*reversed(lines)))
"""


def _places(subject: Subject, drawn: Draw) -> list[tuple[Any, int, int]]:
    return [
        (subject.family.level(part.level), part.seed, index)
        for part in drawn.spec.parts
        for index in range(part.start, part.start + part.size)
    ]


def a_fresh_process_draws_the_same_bytes(subject: Subject) -> Iterator[str]:
    """Another process, with another hash seed and drawing backwards, gives the same digest.

    So an instance depends on its config, seed and number, and on nothing that was drawn before.
    """
    for drawn in subject.draws:
        instances = drawn.instances[: subject.games]
        work = (subject.family.generate, _places(subject, drawn)[: subject.games])
        for complaint, found in run_in_other_process(_DRAW_BACKWARDS, work, "generate"):
            if complaint or found != set_digest(instances):
                yield complaint or f"a fresh process draws {drawn} differently"


def digests_match_the_card(subject: Subject) -> Iterator[str]:
    """Each set's instances have the digest in the card; in a full check, all of the card's sets."""
    drawn = {(d.edition, d.name): d.instances for d in subject.draws}
    for edition, name, spec in _sets(subject):
        if subject.quick and name not in subject.sets:
            continue
        instances = drawn.get((edition, name)) or generate_instances(subject.family, spec.parts)
        if (found := set_digest(instances)) != spec.digest:
            yield f"{edition}/{name} has digest {found}, but the card says {spec.digest}"


def sets_hold_levels_of_their_own_edition(subject: Subject) -> Iterator[str]:
    """A set of an edition is made of levels of that edition, and there is a smoke set."""
    for edition, name, spec in _sets(subject):
        for part in spec.parts:
            if (found := subject.family.level(part.level).edition) != edition:
                yield f"{edition}/{name} draws from {part.level}, a level of the {found} edition"
    for edition, sets in subject.family.card.sets.items():
        if "smoke" not in sets:
            yield f"the {edition} edition has no smoke set; it has {', '.join(sets) or 'none'}"


def no_split_can_draw_what_is_in_a_set(subject: Subject) -> Iterator[str]:
    """Every instance of a set is held back, under whatever names, by the file of reserved kin."""
    reserved = read_reserved_kin(subject.family)
    for drawn in subject.draws:
        for instance in drawn.instances:
            if shorten_kin(subject.family, instance) not in reserved:
                yield (
                    f"{instance.id} of {drawn} is not held back; "
                    f"`causarium check {subject.family.name} --write-digests` does it"
                )


def ids_are_unique(subject: Subject) -> Iterator[str]:
    """No two instances of a set share an id, and an id begins with the family's name."""
    for drawn in subject.draws:
        counts = Counter(instance.id for instance in drawn.instances)
        for id_, count in counts.items():
            if count > 1:
                yield f"{count} instances of {drawn} are called {id_}"
            if not id_.startswith(f"{subject.family.name}-"):
                yield f"the id {id_} does not begin with {subject.family.name}-"


def instances_survive_a_trip_through_json(subject: Subject) -> Iterator[str]:
    """What is written to a set file is read back equal, and written the same again."""
    for drawn in subject.draws:
        for instance in drawn.instances:
            line = instance.line()
            again = subject.family.read_instance(json.loads(line))
            if again != instance:
                yield f"{instance.id} is not the same after a trip through JSON"
            elif again.line() != line:
                yield f"{instance.id} is written differently after a trip through JSON"


def the_card_names_every_level_and_player(subject: Subject) -> Iterator[str]:
    """A card that lists levels or players lists those of the code, in their order."""
    family = subject.family
    for what, listed, known in (
        ("levels", family.card.levels, tuple(family.levels)),
        ("players", family.card.players, tuple(family.players)),
    ):
        if listed and listed != known:
            yield f"the card's {what} are {', '.join(listed)}; the family has {', '.join(known)}"


def _sets(subject: Subject) -> Iterator[tuple[Edition, str, SetSpec]]:
    for edition, sets in subject.family.card.sets.items():
        for name, spec in sets.items():
            yield edition, name, spec


CHECKS: tuple[Check, ...] = (
    a_fresh_process_draws_the_same_bytes,
    digests_match_the_card,
    the_card_names_every_level_and_player,
    sets_hold_levels_of_their_own_edition,
    no_split_can_draw_what_is_in_a_set,
    ids_are_unique,
    instances_survive_a_trip_through_json,
)
