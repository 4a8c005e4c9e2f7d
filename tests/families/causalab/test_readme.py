"""The README: its transcript is a real run, and nothing that exists goes unmentioned."""

import re
from pathlib import Path

from causarium.families import causalab
from causarium.families.causalab.config import LEVELS, LabRules
from causarium.families.causalab.generate import generate
from causarium.families.causalab.parse import parse
from causarium.families.causalab.players import PLAYERS
from causarium.families.causalab.prompts import prompt
from causarium.families.causalab.score import METRICS
from causarium.families.causalab.world import LabWorld

TEXT = (Path(causalab.__file__).parent / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```", TEXT, flags=re.DOTALL | re.MULTILINE)


def test_the_transcript_is_what_the_world_answers():
    instance, rules = generate(LEVELS["linear-4"], 0, 0), LabRules()
    world = LabWorld(instance, rules)
    told = [body.strip() for kind, body in BLOCKS if kind == "text"]
    replies = [body for kind, body in BLOCKS if kind == "json"]
    assert instance.id in TEXT
    assert told[0] in prompt(instance.public, rules).user
    assert len(told) == len(replies) + 1 == 5
    for reply, answer in zip(replies, told[1:], strict=True):
        assert world.act(parse(reply, world.allowed_actions, rules)).text == answer
    assert world.done
    assert world.lab.solved


def test_every_metric_quirk_interface_and_player_is_named():
    for name in (*METRICS, *LabRules.quirks, *LabRules.interfaces, *PLAYERS):
        assert f"`{name}`" in TEXT, name
