"""Paired comparisons say no more than the instances bear."""

from causarium.report.data.compare_agents import compare_agents
from causarium.report.data.summaries import summarize_agents
from tests.report.rows import rows


def compared(metric="accuracy", *, falls=False, **scores):
    given_rows = rows(**scores)
    agents = summarize_agents(given_rows, metric, falls=falls)
    return compare_agents(given_rows, metric, agents, falls=falls)


def test_a_clear_lead_is_called_one():
    [one] = compared(a="1" * 20, b="0" * 10 + "1" * 10)
    assert (one.agent, one.wins, one.ties, one.losses) == ("a", 10, 10, 0)
    assert one.difference.value == 0.5
    assert one.difference.low > 0
    assert one.words.startswith("a is ahead of b by 0.500: it wins 10 of the 10 instances")


def test_a_clean_sweep_of_five_is_too_few_to_tell():
    [one] = compared(a="11111", b="00000")
    assert one.words == "a and b: too few to tell; they differ on 5 of 5 shared instances."


def test_an_even_fight_cannot_be_told_apart():
    [one] = compared(a="1" * 10 + "0" * 10, b="0" * 10 + "1" * 10)
    assert (one.wins, one.losses) == (10, 10)
    assert "cannot be told apart" in one.words


def test_only_shared_instances_count():
    [one] = compared(a="1" * 12, b="0" * 8)
    assert one.n == 8
    assert one.difference.left_out == 4


def test_agents_without_a_shared_instance_are_not_compared():
    given_rows = [*rows(a="1"), *(r.model_copy(update={"id": "other"}) for r in rows(b="1"))]
    assert compare_agents(given_rows, "accuracy", summarize_agents(given_rows, "accuracy")) == ()


def test_where_less_is_better_the_smaller_wins():
    [one] = compared("distance", falls=True, a="1" * 8, b="0" * 8)
    assert (one.agent, one.wins) == ("a", 8)
    assert one.words.startswith("a is ahead of b by 2.000")


def test_a_player_can_be_ahead_of_the_best_model():
    [one] = compared(model="0" * 8, player__x="1" * 8)
    assert one.words.startswith("model is behind player/x")


def test_bounds_are_not_compared():
    assert compared(a="11", player__oracle="11", player__silent="00", player__random="01") == ()


def test_an_agent_is_compared_with_its_earlier_run_and_losses_come_first():
    earlier = [r.model_copy(update={"run": "before"}) for r in rows(a="1100", b="1111")]
    given_rows = [*rows(a="0111", b="1111"), *earlier]
    agents = summarize_agents(given_rows, "accuracy")
    found = {(one.agent, one.other): one for one in compare_agents(given_rows, "accuracy", agents)}
    assert set(found) == {("a", "a (before)"), ("b", "b (before)"), ("b", "a")}
    changes = found["a", "a (before)"].changes
    assert [(change.id, change.lost) for change in changes] == [
        ("toy-toy-0000", True),
        ("toy-toy-0002", False),
        ("toy-toy-0003", False),
    ]
    assert found["b", "b (before)"].changes == ()


def test_too_few_says_of_how_many_mechanisms_the_instances_are():
    given_rows = [
        one.model_copy(update={"facets": {"mechanism": int(one.id[-1]) % 2}})
        for one in rows(a="1" * 8, b="0" * 8)
    ]
    [one] = compare_agents(given_rows, "accuracy", summarize_agents(given_rows, "accuracy"))
    assert one.words == (
        "a and b: too few to tell; they differ on 8 of 8 shared instances, of 2 mechanisms."
    )
