"""What a person at the board is told of an action, and what costs nothing."""

import pytest

from causarium.contract.views.play_page import Exchange, Problem
from causarium.families.causallink import FAMILY
from causarium.families.causallink.model.instance import Intervene
from causarium.families.causallink.model.theme import theme
from causarium.families.causallink.views.play_page import lay_out, read_draft

CASE = FAMILY.generate(FAMILY.levels["practice-5"], 3, 0)
RULES = FAMILY.rules_for("certified")
WORDS = theme(CASE.public.theme)


def stop(name):
    world = FAMILY.open_world(CASE, RULES)
    move = Intervene(shape=name, action=WORDS.stop)
    return (Exchange(move, world.act(move)),)


def test_what_is_kept_going_is_said_to_be_kept_going():
    kept = 0
    for name in CASE.public.shapes:
        exchanges = stop(name)
        story = lay_out(CASE.public, RULES, exchanges).view["story"]
        still = name in exchanges[0].seen.data["moving"]
        assert ("something keeps it going" in story) == still
        kept += still
    assert 0 < kept < len(CASE.public.shapes)


@pytest.mark.parametrize("action", [WORDS.start, WORDS.stop])
def test_an_action_that_cannot_change_anything_is_refused_and_free(action):
    name = next(
        name for name in CASE.public.shapes if name not in stop(name)[0].seen.data["moving"]
    )
    exchanges = () if action == WORDS.start else stop(name)
    read = read_draft(CASE.public, RULES, exchanges, {"shape": name, "action": action})
    (problem,) = read
    assert isinstance(problem, Problem)
    assert "No action was used" in problem.words
