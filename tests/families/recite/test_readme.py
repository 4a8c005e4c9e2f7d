"""The README says of every metric, player and quirk what the code says."""

import re

import pytest

from causarium.families.recite.paper import FAMILY

README = (FAMILY.folder / "README.md").read_text(encoding="utf-8")
LISTED = dict(re.findall(r"^\| `(\w+)` \| (.+?) \|$", README, re.MULTILINE))


@pytest.mark.parametrize("name", FAMILY.metrics)
def test_a_metric_is_described_as_in_the_code(name):
    assert LISTED.get(name) == FAMILY.metrics[name].about


@pytest.mark.parametrize("name", FAMILY.players)
def test_a_player_is_described_as_in_the_code(name):
    assert LISTED.get(name) == FAMILY.players[name].about


def test_the_quirk_is_described_as_in_the_code():
    for quirk in FAMILY.rules.quirks:
        assert f"- `{quirk}`: {FAMILY.rules.model_fields[quirk].description}" in README


def test_the_example_reply_of_the_readme_is_read():
    (reply,) = re.findall(r"```json\n(.+?)\n```", README)
    found = FAMILY.replies.parse(reply, FAMILY.actions, FAMILY.rules_for("certified"))
    assert len(found.relationships) == 2
