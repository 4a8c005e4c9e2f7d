"""What does not depend on the instance comes first, so that providers' caches hit."""

import pytest

from causarium import families
from causarium.contract.rules import EDITIONS
from causarium.contract.sets.instance_sets import find_set, generate_instances

_LEAST = 0.6
"""Which share of what all prompts of a set have in common stands at their head."""


def _shared(first: str, second: str) -> int:
    """Return how many characters two texts begin with in common."""
    pairs = enumerate(zip(first, second, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(first), len(second)))


@pytest.mark.parametrize("name", families.FAMILIES)
def test_what_all_prompts_have_in_common_stands_at_their_head(name: str) -> None:
    family = families.get(name)
    for edition in EDITIONS:
        instances = list(generate_instances(family, find_set(family, edition, "smoke").parts))
        for interface in family.for_edition(edition).rules.interfaces:
            rules = family.rules_for(edition, interface=interface)
            opened = [family.prompt(instance.public, rules) for instance in instances]
            texts = [f"{words.system}\n{words.user}" for words in opened]
            lines = set.intersection(*(set(text.split("\n")) for text in texts))
            common = sum(len(line) + 1 for line in lines)
            head = _shared(min(texts), max(texts))
            assert head >= _LEAST * common, (edition, interface, texts[0][head : head + 80])


@pytest.mark.parametrize("name", families.FAMILIES)
def test_the_system_text_is_the_same_for_all_instances_of_a_level(name: str) -> None:
    family = families.get(name)
    said: dict[str, set[str]] = {}
    for instance in generate_instances(family, find_set(family, "certified", "smoke").parts):
        system = family.prompt(instance.public, family.rules_for("certified")).system
        said.setdefault(instance.id.rpartition("-")[0], set()).add(system)
    assert not {level for level, texts in said.items() if len(texts) > 1}
