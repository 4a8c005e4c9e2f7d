"""The README: its transcript is a real run, and its theorems are those of the card."""

import re
from pathlib import Path

from causarium.families import causalab, get

FAMILY = get("causalab", "certified")
TEXT = (Path(causalab.__file__).parent / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```", TEXT, flags=re.DOTALL | re.MULTILINE)


def test_the_transcript_is_what_the_world_answers():
    instance, rules = FAMILY.generate(FAMILY.level("rung-1"), 0, 0), FAMILY.rules()
    world = FAMILY.open_world(instance, rules)
    told = [body.strip() for kind, body in BLOCKS if kind == "text"]
    (reply,) = [body for kind, body in BLOCKS if kind == "json"]
    assert instance.id in TEXT
    assert told[0] in FAMILY.prompt(instance.public, rules).user
    assert world.act(FAMILY.replies.parse(reply, world.allowed_actions, rules)).text == told[1]
    assert world.done
    assert FAMILY.score(instance, rules, ()).numbers["score"] == 0.0


def test_the_table_of_rungs_is_right_and_theorems_are_named():
    rows = re.findall(r"^\| `(rung-\d)` \| (\d+) \| ([^|]*) \| ([^|]*) \|", TEXT, re.MULTILINE)
    assert [row[0] for row in rows] == list(FAMILY.levels)
    for name, size, budget, holds in rows[1:]:
        config = FAMILY.level(name)
        told = int(size), int(budget), int(holds)
        assert told == (config.skeleton.size, config.budget, config.holds)
    assert all(f"({one.proof})" in TEXT for one in FAMILY.card.theorems)
    assert len(TEXT.split()) <= 800
