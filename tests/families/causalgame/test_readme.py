"""The README: its transcript is a real session, and nothing that exists goes unmentioned."""

import re
from pathlib import Path

from causarium.contract.episode import Episode
from causarium.families import causalgame
from causarium.families.causalgame import FAMILY
from causarium.families.causalgame.config import LEVELS, NAMES, GameRules
from causarium.families.causalgame.generate import generate
from causarium.families.causalgame.mechanics.quirks import QUIRKS
from causarium.families.causalgame.players import PLAYERS
from causarium.families.causalgame.prompts import prompt
from causarium.families.causalgame.score import METRICS

TEXT = (Path(causalgame.__file__).parent / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```", TEXT, flags=re.DOTALL | re.MULTILINE)


def test_the_transcript_is_what_the_world_answers_and_scores():
    instance, rules = generate(LEVELS["antenna_trap"], 0, 0), GameRules()
    told = [body.strip() for kind, body in BLOCKS if kind == "text"]
    replies = [body for kind, body in BLOCKS if kind == "json"]
    assert instance.id in TEXT
    assert told[0] in prompt(instance.public, rules).user
    assert len(told) == len(replies) + 1 == 6
    episode = Episode(FAMILY, instance, rules)
    for reply, answer in zip(replies, told[1:], strict=True):
        assert episode.step(episode.parse_reply(reply)).text == answer
    assert episode.done
    numbers = episode.score().numbers
    assert f"Survival {numbers['survival']:.3f}, win {numbers['win']:g}" in TEXT
    assert f"regret {numbers['regret']:.2f}" in TEXT
    assert numbers["claims_true"] == numbers["claims"] == 2


def test_every_metric_quirk_interface_and_player_is_named():
    for name in (*METRICS, *GameRules.quirks, *QUIRKS, *GameRules.interfaces, *PLAYERS):
        assert f"`{name}`" in TEXT, name


def test_every_quirk_is_described_as_its_switch_is():
    for name in GameRules.quirks:
        said = GameRules.model_fields[name].description
        assert said[1:].rstrip(".") in TEXT, name


def test_every_game_can_be_found_by_its_name():
    for name in NAMES:
        _, _, variant = name.partition("_trap_")
        assert f"`{name}`" in TEXT or (variant and variant.split("categorical_")[-1] in TEXT), name
