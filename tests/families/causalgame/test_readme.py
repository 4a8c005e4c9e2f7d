"""The README and the family's page: the order parses, and nothing is left out."""

import re
from pathlib import Path

from causarium import families
from causarium.contract.episode import Episode
from causarium.families import causalgame
from causarium.families.causalgame.paper.model.paper_games import NAMES, QUIRKS
from causarium.families.causalgame.paper.model.rules import GameRules

FAMILY, CERTIFIED = families.get("causalgame"), families.get("causalgame", "certified")
PAGES = Path(__file__).resolve().parents[3] / "docs" / "families"
README = (Path(causalgame.__file__).parent / "README.md").read_text(encoding="utf-8")
PAGE = (PAGES / "causalgame.md").read_text(encoding="utf-8")
PROOFS = (PAGES / "causalgame-proofs.md").read_text(encoding="utf-8")


def test_the_readme_is_short():
    words = re.sub(r"^```.*?^```", "", README, flags=re.DOTALL | re.MULTILINE).replace("|", " ")
    assert len(words.split()) <= 600


def test_the_trial_is_read_as_it_stands():
    (reply,) = re.findall(r"^```json\n(.*?)^```", README, flags=re.DOTALL | re.MULTILINE)
    instance = FAMILY.generate(FAMILY.level("rung-4"), 0, 0)
    move = Episode(FAMILY, instance, FAMILY.rules_for("certified")).parse_reply(reply)
    assert move.kind == "fly"
    assert move.set == {"hull sheen": "matt"}


def test_every_metric_and_set_is_named():
    for name in (*CERTIFIED.metrics, *FAMILY.card.sets["certified"]):
        assert f"`{name}`" in README, name


def test_the_page_names_every_game_and_quirk():
    for name in (*GameRules.quirks, *QUIRKS):
        assert f"`{name}`" in PAGE, name
    variants = re.findall(r"`([a-z_]+)`", PAGE)
    for name in NAMES:
        assert any(name == one or name.endswith(one) for one in variants), name


def test_the_theorems_that_the_card_names_are_proved():
    assert FAMILY.card.theorems
    for one in FAMILY.card.theorems:
        assert f"**{one.proof}**" in README
        assert f"## {one.proof}:" in PROOFS
