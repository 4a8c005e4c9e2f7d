"""What a person sees at the bench: how far readings moved, what can be held, how it ended."""

import pytest

from causarium.contract.episode import Episode
from causarium.contract.views.play_page import Exchange
from causarium.families.causalab import FAMILY
from causarium.families.causalab.model.actions import Answer, Hold, Lock
from causarium.families.causalab.views.bench_views import _describe, lay_out_bench, tell_ending
from tests.families.causalab.bench.made_bench import draw


def play_plan(*, spoil=False):
    """Hold every property once, one up, and answer; returns the episode and its exchanges."""
    instance = draw("bench-3")
    public = instance.public
    episode = Episode(FAMILY, instance, FAMILY.rules_for("certified"))
    answers = [answer + spoil for answer in instance.secret.answers]
    moves = [
        *(
            Hold(property=name, value=public.manipulator[n] + 1)
            for n, name in enumerate(public.names)
        ),
        Answer(answers=answers),
    ]
    return episode, [Exchange(move, episode.step(move)) for move in moves]


def test_a_row_tells_what_was_held_and_how_far_the_others_moved():
    episode, exchanges = play_plan()
    public, mechanism = (
        episode.instance.public,
        episode.instance.secret.mechanism(episode.instance.public.nodes),
    )
    view = lay_out_bench(public, episode.rules, exchanges[:2]).view
    for held, row in enumerate(view["rows"]):
        changes = mechanism.changes({held: 1})
        shown = [int(cell["change"].replace("−", "-") or 0) for cell in row["cells"]]
        assert shown == list(changes)
        assert [cell["held"] for cell in row["cells"]].index(True) == held
        moved = sum(map(bool, changes)) - 1
        assert row["words"].startswith(f"{public.names[held]} held +1 from rest moved ")
        assert row["words"].count(",") == max(moved - 1, 0)
    first = view["holdable"][0]
    ends = [int(first[end].replace("−", "-")) for end in ("low", "rest", "high")]
    assert ends == [public.manipulator[0] + step for step in (-public.limit, 0, public.limit)]


def test_a_replay_shows_any_reply_and_arrows_by_their_other_names():
    instance = draw("bench-3")
    episode = Episode(FAMILY, instance, FAMILY.rules_for("certified"))
    name, effect = instance.public.properties[0], instance.public.nodes[-1]
    hold = {"kind": "hold", "property": "x" * 10**5, "value": int("9" * 400)}
    arrows = [[name.display.upper(), effect], [name.name, name.name], ["nobody", effect]]
    for move in (Lock(), Answer(answers=instance.secret.answers, arrows=arrows)):
        episode.step(move)
    assert len(_describe(hold)) < 600
    scene = FAMILY.views.scene(instance, episode.rules, episode.turns)
    assert (name.name, effect) in scene.scenes[-1].belief.edges
    assert "nobody" not in str(scene.scenes[-1].belief)
    assert FAMILY.views.draw_episode(instance, episode.rules, episode.turns).svg


@pytest.mark.parametrize(
    ("spoil", "words"),
    [(False, "Every question that counts is right"), (True, "0% of the questions that count")],
)
def test_the_end_tells_what_the_experiments_allow(spoil, words):
    episode, exchanges = play_plan(spoil=spoil)
    ending = tell_ending(episode.score(), exchanges)
    assert ending.sentence.startswith(words)
    assert ending.sentence.endswith("your experiments leave one answer to each.")
    scene = FAMILY.views.scene(episode.instance, episode.rules, episode.turns)
    lines = scene.scenes[-1].lines
    secret = episode.instance.secret
    apart = [one.name.endswith("(does not count)") for one in lines[: len(secret.questions)]]
    assert apart == [one.kind != "held" for one in secret.questions]
    equations = " ".join(one.name for one in lines[len(secret.questions) :])
    assert all(f"{abs(edge.weight)} × {edge.cause}" in equations for edge in secret.edges)
