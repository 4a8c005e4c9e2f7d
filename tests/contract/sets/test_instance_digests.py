"""The digests of instances that families ship are those of the sets on their cards."""

from pathlib import Path

import pytest

from causarium import families
from causarium.contract.family import AnyFamily
from causarium.contract.rules import Edition
from causarium.contract.sets.instance_sets import (
    digest_file,
    generate_set,
    instance_digests,
    line_digest,
)
from causarium.families import FAMILIES
from tests.support.lamps import FAMILY as LAMPS

SETS = [
    (name, edition, set_name)
    for name in FAMILIES
    for edition, sets in families.get(name).card.sets.items()
    for set_name in sets
]


def is_current(family: AnyFamily, edition: Edition, name: str) -> bool:
    spec = family.card.sets[edition][name]
    lines = digest_file(family, edition, name).read_text(encoding="ascii").split()
    return lines[0] == spec.digest and len(lines) == spec.size + 1


def test_every_set_has_a_current_file_of_digests() -> None:
    stale = [
        f"{name} {edition}/{set_name}"
        for name, edition, set_name in SETS
        if not is_current(families.get(name), edition, set_name)
    ]
    assert not stale, "run `causarium check --write-digests`"


def test_there_is_no_file_of_a_set_that_is_gone() -> None:
    wanted = {digest_file(families.get(name), edition, each) for name, edition, each in SETS}
    here = {path for name in FAMILIES for path in families.get(name).folder.glob("sets/*.sha256")}
    assert here == wanted


@pytest.mark.parametrize(
    ("name", "edition", "set_name"),
    [pytest.param(*each, marks=() if each[2] == "smoke" else pytest.mark.long) for each in SETS],
)
def test_the_digests_are_those_of_the_instances(name: str, edition: str, set_name: str) -> None:
    family = families.get(name)
    instances = generate_set(family, edition, set_name)  # type: ignore[arg-type]
    digests = instance_digests(family, edition, set_name)  # type: ignore[arg-type]
    assert digests == tuple(line_digest(instance.line()) for instance in instances)


def test_without_a_file_the_set_is_generated() -> None:
    assert not digest_file(LAMPS, "certified", "smoke").exists()
    first = generate_set(LAMPS, "certified", "smoke", limit=1)[0]
    assert instance_digests(LAMPS, "certified", "smoke")[0] == line_digest(first.line())
    assert isinstance(digest_file(LAMPS, "certified", "smoke"), Path)
