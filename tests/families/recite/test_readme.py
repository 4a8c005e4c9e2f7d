"""The README is short, and what it shows is so."""

import re

from causarium import families
from causarium.contract.sets.instance_sets import generate_one

FAMILY = families.get("recite", "certified")
README = (FAMILY.folder / "README.md").read_text(encoding="utf-8")
MOST_WORDS = 600


def test_the_readme_is_short() -> None:
    assert len(README.split()) <= MOST_WORDS


def test_the_example_stands_in_the_first_text_and_its_reply_is_right() -> None:
    instance = generate_one(FAMILY, "certified", "smoke", 0)
    (quoted,) = re.findall(r"```text\n(.+?)\n```", README, re.DOTALL)
    assert " ".join(quoted.split()) in instance.public.text
    (reply,) = re.findall(r"```json\n(.+?)\n```", README)
    rules = FAMILY.rules_for("certified")
    world = FAMILY.open_world(instance, rules)
    world.act(FAMILY.replies.parse(reply, FAMILY.actions, rules))
    asked = {edge for edge in instance.secret.edges if edge not in instance.secret.twin_edges}
    assert world.answer == asked


def test_every_program_of_the_table_is_a_player() -> None:
    named = set(re.findall(r"^\| `(\w+)` \|", README, re.MULTILINE))
    assert named
    assert named <= set(FAMILY.players)
