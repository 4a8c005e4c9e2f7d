"""The README: its order parses, and nothing is left out."""

import re
from pathlib import Path

from causarium import families
from causarium.contract.episode import Episode
from causarium.families import causalgame
from causarium.families.causalgame.paper.model.paper_games import NAMES, QUIRKS
from causarium.families.causalgame.paper.model.rules import GameRules

FAMILY = families.get("causalgame")

TEXT = (Path(causalgame.__file__).parent / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```", TEXT, flags=re.DOTALL | re.MULTILINE)


def test_the_order_is_read_as_it_stands():
    (reply,) = [body for kind, body in BLOCKS if kind == "json"]
    instance = FAMILY.generate(FAMILY.level("expedition-1"), 0, 0)
    move = Episode(FAMILY, instance, FAMILY.rules_for("certified")).parse_reply(reply)
    assert move.kind == "fly"
    assert move.orders[0].set == "humidity"


def test_every_metric_quirk_interface_level_and_set_is_named():
    levels = [name for name, config in FAMILY.levels.items() if config.edition == "certified"]
    named = (*FAMILY.metrics, *GameRules.quirks, *QUIRKS, *GameRules.interfaces, *levels)
    for name in (*named, *FAMILY.card.sets["certified"]):
        assert f"`{name}`" in TEXT, name
    variants = re.findall(r"`([a-z_]+)`", TEXT)
    for name in NAMES:
        assert any(name == one or name.endswith(one) for one in variants), name


def test_the_theorems_that_the_card_names_are_proved_here():
    for one in FAMILY.card.classes:
        assert not one.proof or f"**{one.proof} (" in TEXT
