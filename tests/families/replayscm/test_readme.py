"""The README and the card: the example is real, and the sets cover the published snapshot."""

import re

import pytest

from causarium import families
from causarium.contract.checks.checked_family import Check, Subject
from causarium.contract.checks.documents import (
    declarations_are_described,
    the_card_names_the_helpers,
    the_readme_shows_commands_that_parse,
)
from causarium.contract.episode import Episode
from causarium.contract.sets.instance_sets import generate_one

FAMILY = families.get("replayscm")
TEXT = (FAMILY.folder / "README.md").read_text(encoding="utf-8")
BLOCKS = dict(re.findall(r"^```(\w+)\n(.*?)^```", TEXT, flags=re.DOTALL | re.MULTILINE))


def test_the_example_is_what_the_agent_reads_and_its_answer_is_right() -> None:
    instance = generate_one(FAMILY, "certified", "smoke", 0)
    assert f"`{instance.id}`" in TEXT
    rules = FAMILY.rules_for("certified")
    episode = Episode(FAMILY.for_edition("certified"), instance, rules)
    assert BLOCKS["text"].strip() in FAMILY.prompt(instance.public, rules).user
    episode.step(episode.parse_reply(BLOCKS["answer"]))
    assert episode.score().numbers["score"] == 1


def test_the_readme_is_short_and_names_every_number_and_set_of_the_ladder() -> None:
    assert sum(any(map(str.isalnum, word)) for word in TEXT.split()) <= 600
    for name in (*FAMILY.for_edition("certified").metrics, *FAMILY.card.sets["certified"]):
        assert f"`{name}`" in TEXT, name


@pytest.mark.parametrize(
    "promise",
    [the_readme_shows_commands_that_parse, declarations_are_described, the_card_names_the_helpers],
)
def test_what_people_read_is_as_every_family_promises(promise: Check) -> None:
    assert not list(promise(Subject(FAMILY, sets=("smoke",), quick=True)))


def test_the_levels_of_the_card_cover_the_published_snapshot() -> None:
    edition = FAMILY.card.sets["paper"]
    assert edition["paper"].size == 1300
    assert edition["ord-full"].size == edition["hid-full"].size == 250
    parts = [
        part
        for name, spec in edition.items()
        if name in {"ord-full", "hid-full", "block", "hid-roots", "alt-ord", "alt-hid"}
        or name.endswith(("-ext", "-cex"))
        for part in spec.parts
    ]
    assert sorted(map(repr, parts)) == sorted(map(repr, edition["paper"].parts))
