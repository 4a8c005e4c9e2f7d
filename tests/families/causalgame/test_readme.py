"""The README: its transcript is a real session, its picture is drawn, and nothing is left out."""

import re
from pathlib import Path
from xml.etree import ElementTree as ET

from causarium.contract.episode import Episode
from causarium.families import causalgame
from causarium.families.causalgame import FAMILY
from causarium.families.causalgame.charts.pair_charts import draw_twins
from causarium.families.causalgame.generation.draw import generate
from causarium.families.causalgame.model.config import LEVELS, NAMES, GameRules
from causarium.families.causalgame.model.published.quirks import QUIRKS
from causarium.families.causalgame.play.published.prompts import prompt
from causarium.families.causalgame.players import PLAYERS
from causarium.families.causalgame.scoring.published.score import METRICS

FOLDER = Path(causalgame.__file__).parent
TEXT = (FOLDER / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```", TEXT, flags=re.DOTALL | re.MULTILINE)


def test_the_transcript_is_what_the_world_answers_and_scores():
    instance, rules = generate(LEVELS["twin-zone-no_history"], 0, 0), GameRules()
    told = [body.strip() for kind, body in BLOCKS if kind == "text"]
    replies = [body for kind, body in BLOCKS if kind == "json"]
    assert instance.id in TEXT
    assert told[0] in prompt(instance.public, rules).user
    assert len(told) == len(replies) + 1 == 8
    episode = Episode(FAMILY, instance, rules)
    for reply, answer in zip(replies, told[1:], strict=True):
        assert episode.step(episode.parse_reply(reply)).text == answer
    assert episode.done
    numbers = episode.score().numbers
    assert f"Survival {numbers['survival']:.3f}, win {numbers['win']:g}" in TEXT
    assert f"gain {numbers['gain']:.2f}, pair win {numbers['pair_win']:g}" in TEXT


def texts(svg):
    return ["".join(node.itertext()) for node in ET.fromstring(svg).iter() if "text" in node.tag]


def test_the_picture_of_a_twin_pair_is_the_one_that_is_drawn():
    drawn = draw_twins(generate(LEVELS["twin-weather"], 0, 0)).svg
    kept = (FOLDER / "charts" / "twin_pair.svg").read_text(encoding="utf-8")
    assert texts(kept) == texts(drawn)
    assert "charts/twin_pair.svg" in TEXT


def test_every_metric_quirk_interface_player_and_set_is_named():
    named = (*METRICS, *GameRules.quirks, *QUIRKS, *GameRules.interfaces, *PLAYERS)
    for name in (*named, *FAMILY.card.sets["certified"]):
        assert f"`{name}`" in TEXT, name


def test_every_quirk_is_described_as_its_switch_is():
    for name in GameRules.quirks:
        said = GameRules.model_fields[name].description
        assert said[1:].rstrip(".") in TEXT, name


def test_every_game_can_be_found_by_its_name():
    for name in NAMES:
        _, _, variant = name.partition("_trap_")
        assert f"`{name}`" in TEXT or (variant and variant.split("categorical_")[-1] in TEXT), name
    for level, config in LEVELS.items():
        if config.edition == "certified":
            assert f"`{level}`" in TEXT or f"`…-{level.rsplit('-', 1)[-1]}`" in TEXT, level
