"""ReplaySCM's board, replay and picture."""

import pytest

from causarium.contract.episode import Episode, play
from causarium.contract.views.play_page import Exchange
from causarium.families.replayscm.certified import FAMILY
from causarium.families.replayscm.certified.model import Answer, Ask, ReplayInstance
from causarium.families.replayscm.certified.views.play_page import PLAY_PAGE

RULES = FAMILY.rules_for("certified")


def draw(rung: int, index: int = 0) -> ReplayInstance:
    """Return an instance of a rung."""
    return FAMILY.generate(FAMILY.level(f"rung-{rung}"), 0, index)


@pytest.mark.parametrize("rung", [1, 2, 3, 4, 5])
def test_what_is_entered_on_the_board_wins(rung: int) -> None:
    instance = draw(rung)
    board = PLAY_PAGE.lay_out(instance.public, RULES, ())
    assert [item["name"] for item in board.view["items"]] == list(instance.public.items)
    for item in board.view["items"]:
        assert not item["options"] or instance.secret.answers[item["name"]] in item["options"]
    draft = {f"item {name}": said for name, said in instance.secret.answers.items()}
    move = PLAY_PAGE.read_draft(instance.public, RULES, (), draft)
    assert isinstance(move, Answer)
    episode = Episode(FAMILY, instance, RULES)
    seen = episode.take(move)
    ending = PLAY_PAGE.tell_ending(episode.score(), [Exchange(move, seen)])
    assert ending.sentence == "Right: every item."


def test_a_slip_on_the_board_is_marked_at_its_field() -> None:
    instance = draw(5)
    wrong = PLAY_PAGE.read_draft(instance.public, RULES, (), {})
    assert isinstance(wrong, tuple)
    assert {one.field for one in wrong} == {f"item {name}" for name in instance.public.items}
    gauge = instance.public.asking.gauges[0]  # type: ignore[union-attr]
    name = next(one for one in instance.public.names if one != gauge)
    entered = {"kind": "ask", f"set {name}": "2", "read": gauge}
    assert isinstance(PLAY_PAGE.read_draft(instance.public, RULES, (), entered), tuple)
    move = PLAY_PAGE.read_draft(instance.public, RULES, (), {**entered, f"set {name}": "1"})
    assert isinstance(move, Ask)
    episode = Episode(FAMILY, instance, RULES)
    seen = episode.take(move)
    board = PLAY_PAGE.lay_out(instance.public, RULES, [Exchange(move, seen)])
    assert board.meters[0].left == board.meters[0].of - 1
    assert board.view["asked"] == [f"With {name} = 1: {gauge} = {seen.data[gauge]}."]


def test_a_replay_and_a_picture_show_the_answers_beside_the_truth() -> None:
    instance = draw(5)
    episode = play(FAMILY, instance, RULES, "exact")
    views = FAMILY.views
    assert views.scene
    assert views.draw_episode
    shown = views.scene(instance, RULES, episode.turns)
    assert len(shown.scenes) == len(episode.turns) + 1
    lines = shown.scenes[-1].lines
    assert [line.name for line in lines] == list(instance.public.items)
    assert all(line.right for line in lines)
    assert "The answer" in views.draw_episode(instance, RULES, episode.turns).svg
    assert "The answer" not in views.draw_episode(instance, RULES, ()).svg
