"""What people see of the ladder: the board, the replay and the picture."""

import pytest

from causarium.contract.episode import Episode, play
from causarium.contract.views.play_page import Exchange, Problem
from causarium.families.causalab.certified import FAMILY
from causarium.families.causalab.certified.model.actions import Answer, Hold

RULES = FAMILY.rules_for("certified")
PAGE = FAMILY.views.play_page


def draw(rung):
    return FAMILY.generate(FAMILY.level(f"rung-{rung}"), 0, 0)


def step(episode, exchanges, **draft):
    """Make the move that a draft stands for."""
    move = PAGE.read_draft(episode.instance.public, RULES, exchanges, draft)
    assert not isinstance(move, tuple), move
    return [*exchanges, Exchange(move, episode.take(move))]


def test_a_game_is_played_on_the_board_from_experiments_to_the_end():
    instance = draw(6)
    public, episode = instance.public, Episode(FAMILY, instance, RULES)
    name = public.holdable[0]
    exchanges = step(episode, [], **{"kind": "hold", f"set {name}": "up"})
    board = PAGE.lay_out(public, RULES, exchanges)
    assert board.meters[0].left == public.budget - 1
    assert len(board.view["rules"]) <= 4
    row = next(one for one in board.view["properties"] if one["name"] == name)
    assert [cell["word"] for cell in row["cells"]] == ["up"]
    exchanges = step(episode, exchanges, kind="stop")
    board = PAGE.lay_out(public, RULES, exchanges)
    assert len(board.view["questions"]) == len(public.asked)
    assert not board.view["can_hold"]
    said = {f"answer {n}": word for n, word in enumerate(instance.secret.answers)}
    exchanges = step(episode, exchanges, kind="answer", **said)
    ending = PAGE.tell_ending(episode.score(), exchanges)
    assert (ending.sentence, ending.facts["experiments"]) == ("Right.", "1")


def test_a_slip_on_the_board_costs_nothing():
    public = draw(3).public
    many = {f"set {name}": "up" for name in public.holdable}
    for draft in ({"kind": "hold"}, {"kind": "hold", **many}, {"kind": "answer", "answer 0": "?"}):
        found = PAGE.read_draft(public, RULES, [], draft)
        assert isinstance(found, tuple)
        assert isinstance(found[0], Problem)


def test_an_answer_may_leave_questions_open():
    public = draw(6).public
    move = PAGE.read_draft(public, RULES, [], {"kind": "answer", "answer 1": "a"})
    assert move == Answer(answers=(None, "a"))


@pytest.mark.parametrize("rung", [1, 5])
def test_a_replay_and_a_picture_show_the_crystal_and_what_was_said(rung):
    instance = draw(rung)
    turns = play(FAMILY, instance, RULES, "sum").turns
    shown = FAMILY.views.scene(instance, RULES, turns)
    assert len(shown.scenes) == len(shown.steps) == len(turns) + 1
    assert {*instance.secret.crystal} < {*shown.truth.nodes}
    assert len(shown.scenes[-1].lines) == len(instance.secret.questions)
    picture = FAMILY.views.draw_episode(instance, RULES, turns)
    assert instance.secret.crystal[0] in picture.svg


def test_progress_grows_with_what_experiments_told():
    instance = draw(4)
    turns = play(FAMILY, instance, RULES, "exact").turns
    numbers = FAMILY.training.turn_numbers(instance, RULES, turns)
    assert [one["bits"] for one in numbers] == sorted(one["bits"] for one in numbers)
    assert 0 < FAMILY.training.progress(instance, RULES, turns) <= 1
    assert FAMILY.training.progress(instance, RULES, ()) == 0
    assert sum(one.action["kind"] == Hold.kind for one in turns) == numbers[-1]["experiments"]
