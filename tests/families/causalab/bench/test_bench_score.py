"""Scores of the bench by hand: arrows, settled pairs, and answers one by one."""

import math
from types import SimpleNamespace

import pytest

from causarium.families.causalab.scoring import bench_score
from tests.families.causalab.bench.made_bench import draw


def test_a_pair_is_settled_where_all_equations_agree():
    """Of a, b and the frequency f: b is 2 a; f is a or b, nobody knows which."""
    space = SimpleNamespace(
        equations=[[()], [((0, 2),)], [((0, 1),), ((1, 1),)]], may_cause=[0b000, 0b001, 0b011]
    )
    assert set(bench_score.find_settled_pairs(space)) == {(1, 0), (0, 1)}
    space.equations[2] = [((0, 1), (1, 2)), ((0, 3), (1, 1))]
    assert set(bench_score.find_settled_pairs(space)) == {(1, 0), (0, 1), (0, 2), (1, 2)}


def judge(instance, arrows):
    return bench_score._judge_arrows(instance, SimpleNamespace(arrows=arrows))


def list_arrows(instance):
    return [(edge.cause, edge.effect) for edge in instance.secret.edges]


@pytest.mark.parametrize("level", ["bench-4", "bench-6", "part-8"])
def test_arrows_are_held_against_the_true_ones(level):
    for index in range(3):
        instance = draw(level, index)
        true = list_arrows(instance)
        whole = judge(instance, true)
        assert whole["edge_f1"] == whole["arrows_exact"] == 1
        assert whole["arrow_j"] == 1 or math.isnan(whole["arrow_j"])
        nodes = instance.public.nodes
        every = [(a, b) for a in nodes for b in nodes if a != b]
        drawn = judge(instance, every)
        assert drawn["edge_f1"] == pytest.approx(2 * len(true) / (len(every) + len(true)))
        assert drawn["arrows_exact"] == 0
        none = judge(instance, [])
        assert (none["edge_f1"], none["arrows_exact"]) == (0, 0)
        for found in (drawn, none):
            assert found["arrow_j"] == 0 or math.isnan(found["arrow_j"])
        one = judge(instance, [true[0], ("nobody", true[0][1])])
        assert one["edge_f1"] == pytest.approx(2 / (2 + len(true)))
        for absurd in ((nodes[-1], nodes[0]), (nodes[0], nodes[0])):
            drawn = judge(instance, [*true, absurd])
            assert drawn["arrows_exact"] == 0
            assert drawn["edge_f1"] < 1
    assert all(math.isnan(value) for value in judge(instance, None).values())


def test_some_instance_tells_arrows_from_chains():
    found = [
        judge(draw("bench-6", index), list_arrows(draw("bench-6", index))) for index in range(3)
    ]
    assert any(one["arrow_j"] == 1 for one in found)


def test_answers_are_right_number_by_number():
    instance = draw("bench-4")
    answers, kinds = instance.secret.answers, [one.kind for one in instance.secret.questions]
    for kind in set(kinds):
        count = kinds.count(kind)
        right = bench_score.list_right(instance, SimpleNamespace(answers=answers), kind)
        assert right == [True] * count
        wrong = tuple(answer + 1 for answer in answers)
        for said in (wrong, None, (None,) * len(answers)):
            found = bench_score.list_right(instance, SimpleNamespace(answers=said), kind)
            assert found == [False] * count


def test_settled_counts_the_questions_that_count():
    instance = draw("bench-4")
    public, secret = instance.public, instance.secret
    rows = secret.mechanism(public.nodes).push_each(public.index[name] for name in secret.plan)
    assert bench_score.share_settled(instance, rows) == 1
    assert bench_score.share_settled(instance, []) == 0
