"""Pictures of cases: well formed, escaped, and true to what happened."""

from xml.etree import ElementTree as ET

import pytest

from causarium.contract.episode import play
from tests.families.causallink.paper.worlds import (
    FAMILY,
    READY,
    act,
    converse,
    draw_set,
    rules_for,
    world_of,
)

SVG = "{http://www.w3.org/2000/svg}"


def drawing(episode):
    picture = FAMILY.views.draw_episode(episode.instance, episode.rules, episode.turns)
    return ET.fromstring(picture.svg), picture


@pytest.mark.parametrize("player", ["optimal", "random", "silent"])
def test_a_picture_has_a_column_for_each_state_seen(player):
    rules = rules_for("repaired")
    for instance in draw_set("smoke")[:8:2]:
        episode = play(FAMILY, instance, rules, player)
        root, _ = drawing(episode)
        columns = len(episode.world.steps) + 1
        assert len(root.findall(f"{SVG}circle")) == columns * len(instance.public.shapes)
        assert len(root.findall(f"{SVG}path")) == columns - 1  # a frame an act


def test_filled_discs_are_what_was_active():
    episode = converse(world_of("ABC", "A>B", "C", "A>B"), [act("A", "move")], "repaired")
    root, _ = drawing(episode)
    filled = [circle.get("fill") != "none" for circle in root.findall(f"{SVG}circle")]
    assert filled == [False, False, True, True, True, True]


def test_the_caption_names_the_bias_and_since_when_the_answer_was_known():
    replies = [act("A", "hold"), READY, '{"answer": "no"}']
    _, picture = drawing(converse(world_of("AB", "A>B", "AB", "A>B"), replies, "repaired"))
    assert "from intervention 1 on" in picture.caption
    assert "illusive confounder" in picture.caption


def test_names_that_look_like_markup_are_escaped():
    _, picture = drawing(converse(world_of("A&B", "A>B", "AB", "A>&"), [], "repaired"))
    assert "&amp;" in picture.svg
