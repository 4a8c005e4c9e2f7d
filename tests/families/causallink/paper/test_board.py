"""What people at the board learn of an action, what is marked there, and what costs nothing."""

import re

import pytest

from causarium.contract.views.play_page import Exchange, Problem
from causarium.families.causallink.paper.model.instance import Intervene
from causarium.families.causallink.paper.model.theme import theme
from causarium.families.causallink.paper.views import lay_out, read_draft
from tests.families.causallink.paper.worlds import FAMILY, rules_for
from tests.web.conftest import open_client

CASE = FAMILY.generate(FAMILY.levels["paper-advanced-5"], 3, 0)
RULES = rules_for("repaired")
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


def play(folder, number, *drafts):
    """Make moves on the board and return the page after the last."""
    client = open_client(folder)
    case = {"family": "causallink", "edition": "paper", "set": "smoke", "number": str(number)}
    game = client.post("/play", data=case, follow_redirects=False).headers["location"]
    for turn, draft in enumerate(drafts):
        client.post(f"{game}/move", data={**draft, "turn": str(turn)})
    return client.get(game).text


def test_a_result_is_spoken_and_what_changed_since_the_last_step_is_marked(tmp_path):
    case = FAMILY.generate(FAMILY.levels["paper-advanced-4"], 0, 0)
    world = FAMILY.open_world(case, rules_for("published"))
    before = play(tmp_path / "before", 6)
    assert '<p class="hint" role="status">Start or stop one of the shapes' in before
    assert "changed" not in re.sub(r"Shaded: what changed", "", before)
    drafts, changed, after = [], set(), set(case.public.shapes)
    while not changed:
        name = case.public.shapes[len(drafts)]
        drafts.append({"kind": "intervene", "shape": name, "action": WORDS.stop})
        state = after
        after = set(world.act(Intervene(shape=name, action=WORDS.stop)).data["moving"])
        changed = state ^ after
    page = play(tmp_path / "after", 6, *drafts)
    assert f'<p class="hint" role="status">You stopped {name}' in page
    tiles = re.findall(r'<li class="thing([^"]*)">.*?<b>(\w+)</b>(.*?)<form', page, re.DOTALL)
    assert {name for classes, name, _ in tiles if "changed" in classes.split()} == changed
    assert {name for _, name, words in tiles if "changed</span>" in words} == changed
    assert page.count('<td class="changed">') == len(changed)
    # Marks stand still: what sways is what is active, and not where motion is unwanted.
    styles = (FAMILY.views.play_page.folder / "board.css").read_text(encoding="utf-8")
    assert not re.search(r"changed[^{]*{[^}]*(animation|transition)", styles)
    assert "(prefers-reduced-motion: reduce) { .thing.on svg { animation: none; } }" in styles
