"""CausalLink in the words of a release: ours, in the released format, and read turn by turn."""

import pickle
from pprint import pformat

import pytest

import causarium as cm
from causarium.contract.episode import Episode
from causarium.errors import BadFile, UsageError
from causarium.families.causallink.paper.model.reach import Reach, hold_by_edges
from tests.families.causallink.paper.worlds import (
    GO_ON,
    READY,
    YES,
    act,
    all_worlds,
    converse,
    world_of,
)

STRATEGY = {
    "system": "  Rules cost $5 in {this} world.\n ",
    "initial": 'See: {}\nAsk: {}\nFrom {} do {} as {{"shape": ""}}\n',
    "choice": "Go on or tell: {}?\n",
    "interaction": "Next of {}, by {}.",
    "answer": "Now: {}",
}
PROGRAM = """
class World:
    def words(self):
        return "Now they are: " + self.format_current_changes()
"""


@pytest.fixture
def folder(tmp_path):
    """A release of our own, in the released format; its state is no known one."""
    texts = {"basic": STRATEGY, "basic_limit_step": {**STRATEGY, "system": "Be quick."}}
    (tmp_path / "prompt_templates.py").write_text(f"TEMPLATES = {pformat(texts)}\n")
    (tmp_path / "dancing_shape.py").write_text(PROGRAM)
    return tmp_path


def test_every_turn_is_in_the_words_of_the_release(folder):
    link = cm.load("causallink", release=folder, release_anyway=True)
    item = world_of("AB", "A>B", "AB", "A>B")
    prompt = link.prompt(item)
    assert prompt.system == STRATEGY["system"]
    assert prompt.user == (
        "See: A is moving\nB is moving\nAsk: Does A moving cause B to move?\n"
        "From ['A', 'B'] do ['move', 'hold'] as {\"shape\": \"\"}\n"
    )
    episode = Episode(link.family, item, link.rules())
    hold, question = act("A", "hold"), "Does A moving cause B to move?"
    seen = [episode.step(episode.parse_reply(reply)).text for reply in (hold, GO_ON, hold, READY)]
    asked = f"Now they are: A is static\nB is static\nGo on or tell: {question}?\n"
    assert seen == [
        asked,
        "\nNext of ['A', 'B'], by ['move', 'hold'].",
        asked,
        f"\nNow: {question}",
    ]
    episode.step(episode.parse_reply(YES))
    session = link.open(item)
    session.step(hold)
    assert pickle.loads(pickle.dumps(session)).observation == session.observation
    assert episode.score() == converse(item, [hold, GO_ON, hold, READY, YES], "published").score()


def test_a_strategy_has_its_own_words_and_one_that_is_not_there_is_refused(folder):
    link = cm.load("causallink", release=folder, release_anyway=True)
    item = link.instance("core", 0)
    assert link.prompt(item, {"strategy": "basic_limit_step"}).system == "Be quick."
    with pytest.raises(UsageError, match="has no strategy cot_basic_limit_step; it has basic"):
        link.prompt(item, {"strategy": "cot_basic_limit_step"})
    with pytest.raises(UsageError, match="no words for the interface tools"):
        link.prompt(item, {"interface": "tools"})


def test_an_unknown_state_is_refused_and_the_certified_edition_has_no_release(folder):
    with pytest.raises(UsageError, match=r"templates\.py is changed; dancing_shape\.py is"):
        cm.load("causallink", release=folder)
    link = cm.load("causallink", release=folder, release_anyway=True)
    assert link.edition == "paper"
    with pytest.raises(UsageError, match="the words of the paper edition"):
        link.family.with_release(link.rules(), "certified")


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        ("prompt_templates.py", "TEMPLATES = {'basic': {'system': 'x'}}", "lacks 'initial'"),
        ("prompt_templates.py", "TEMPLATES = {'basic': 3}", "the strategy basic"),
        ("dancing_shape.py", "pass", "no sentence before the states"),
    ],
)
def test_a_release_without_its_texts_is_refused(folder, file, text, message):
    (folder / file).write_text(text)
    with pytest.raises(BadFile, match=message):
        cm.load("causallink", release=folder, release_anyway=True)


def test_stopping_by_edges_is_stopping_by_reach_from_every_closed_state():
    for reach in all_worlds(3):
        pairs = [(x, y) for x in range(3) for y in range(3) if reach.causes(x, y)]
        for state in reach.closed_states():
            for x in range(3):
                assert hold_by_edges(state, x, pairs) == reach.hold(state, x)


@pytest.mark.parametrize(
    ("moving", "held", "after"),
    [
        ("AB", "A", ""),
        ("AB", "B", "AB"),
        ("B", "B", ""),
        ("AC", "A", "C"),
        ("AC", "C", "A"),
    ],
)
def test_a_released_start_that_no_world_brings_about_goes_on_as_released(moving, held, after):
    item = world_of("ABC", "A>B B>C", moving, "A>B")
    assert not Reach.of_edges(3, [(0, 1), (1, 2)]).is_closed(item.public.start)
    played = converse(item, [act(held, "hold"), READY, YES], "published")
    assert [name for x, name in enumerate("ABC") if played.world.state >> x & 1] == list(after)
    assert played.score().labels["error"] == "none"
