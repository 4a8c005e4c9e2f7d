"""The README: its example is real, and nothing that exists goes unmentioned."""

import re

import pytest

from causarium.contract.checks.checked_family import Check, Subject
from causarium.contract.checks.documents import (
    declarations_are_described,
    the_card_names_the_helpers,
    the_readme_shows_commands_that_parse,
)
from causarium.contract.episode import Episode
from causarium.contract.sets.instance_sets import generate_set
from causarium.families.replayscm import FAMILY
from causarium.families.replayscm.model.actions import Ask, Explain, Predict

TEXT = (FAMILY.folder / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```", TEXT, flags=re.DOTALL | re.MULTILINE)


def test_the_example_is_what_the_agent_reads_and_its_answer_is_right() -> None:
    told = [body.strip() for kind, body in BLOCKS if kind == "text"]
    (reply,) = [body for kind, body in BLOCKS if kind == "json"]
    instance = next(
        i for i in generate_set(FAMILY, "certified", "smoke") if f"`{i.id}`, in" in TEXT
    )
    rules = FAMILY.rules_for("certified")
    episode = Episode(FAMILY, instance, rules)
    user = FAMILY.prompt(instance.public, rules).user
    assert len(told) == 3
    assert all(part in user for part in told)
    episode.step(episode.parse_reply(reply))
    numbers = episode.score().numbers
    assert numbers["exact"] == numbers["cells_right"] == 1


@pytest.mark.parametrize(
    "promise",
    [the_readme_shows_commands_that_parse, declarations_are_described, the_card_names_the_helpers],
)
def test_what_people_read_is_as_every_family_promises(promise: Check) -> None:
    assert not list(promise(Subject(FAMILY, sets=("smoke",), quick=True)))


def test_a_reason_is_described_and_no_agent_is_asked_for_it() -> None:
    for action in (Ask, Explain, Predict):
        assert action.model_fields["thought"].description
        assert "thought" not in action.model_json_schema()["properties"]


def test_every_metric_quirk_set_and_player_is_named() -> None:
    sets = {name for edition in FAMILY.card.sets.values() for name in edition}
    for name in (*FAMILY.metrics, *FAMILY.rules.quirks, *FAMILY.players, *sets):
        assert f"`{name}`" in TEXT, name
    for name, metric in FAMILY.metrics.items():
        assert f"| `{name}` | {metric.about} |" in TEXT
    for name in FAMILY.rules.quirks:
        assert f"- `{name}`: {FAMILY.rules.model_fields[name].description}" in TEXT


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
