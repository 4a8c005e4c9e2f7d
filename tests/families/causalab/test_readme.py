"""The README: its transcript is a real run, and nothing that exists goes unmentioned."""

import re
from pathlib import Path

from causarium.families import causalab
from causarium.families.causalab import FAMILY
from causarium.families.causalab.model.config import LabRules

TEXT = (Path(causalab.__file__).parent / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```", TEXT, flags=re.DOTALL | re.MULTILINE)


def test_the_transcript_is_what_the_world_answers():
    instance, rules = FAMILY.generate(FAMILY.level("bench-4"), 0, 0), LabRules()
    world = FAMILY.open_world(instance, rules)
    told = [body.strip() for kind, body in BLOCKS if kind == "text"]
    replies = [body for kind, body in BLOCKS if kind == "json"]
    assert instance.id in TEXT
    assert told[0] in FAMILY.prompt(instance.public, rules).user
    assert len(told) == len(replies) + 1 == 5
    for reply, answer in zip(replies, told[1:], strict=True):
        move = FAMILY.replies.parse(reply, world.allowed_actions, rules)
        assert world.act(move).text == answer
    assert world.done


def test_every_metric_quirk_interface_player_and_level_is_named():
    bench = [name for name in FAMILY.levels if not name.startswith("paper-")]
    named = (*FAMILY.metrics, *LabRules.quirks, *LabRules.interfaces, *FAMILY.players, *bench)
    assert [name for name in named if f"`{name}`" not in TEXT] == []
