"""Rows to summaries, on rows small enough to count."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from causarium.contract.row import mean_per_instance
from causarium.engine.logbook.run_card import RunCard
from causarium.report.data.build_report import build_report
from causarium.report.data.summaries import (
    break_down,
    count_labels,
    group_by_agent,
    group_by_run,
    summarize_agents,
)
from causarium.report.output.sentences import list_incomplete_sets
from tests.report.rows import FACTS, row, rows


def summary(found, agent):
    return next(one for one in found if one.agent == agent)


def test_an_unscored_row_is_counted_and_in_no_mean():
    given_rows = [*rows(m="110"), row("m", 3, 0.0, unscored="the judge gave up")]
    one = summary(summarize_agents(given_rows, "accuracy"), "m")
    assert (one.n, one.rows, one.unscored) == (3, 4, 1)
    assert one.reasons == {"the judge gave up": 1}
    assert one.metrics["accuracy"].value == pytest.approx(2 / 3)


def test_a_run_without_any_score_has_no_metrics():
    [one] = summarize_agents([row("m", 0, 0.0, unscored="no judge")], "accuracy")
    assert (one.n, one.metrics) == (0, {})
    assert math.isnan(one.turns)


def test_epochs_are_averaged_before_anything_else():
    epochs = [row("m", 0, 1.0), row("m", 0, 0.0, epoch=2), row("m", 1, 1.0)]
    one = summary(summarize_agents(epochs, "accuracy"), "m")
    assert one.n == 2
    assert one.metrics["accuracy"].value == 0.75
    assert one.metrics["accuracy"].n == 2


def test_nan_is_left_out_and_not_zero():
    given_rows = [row("m", 0, 1.0), row("m", 1, 1.0, numbers={"accuracy": None})]
    found = summary(summarize_agents(given_rows, "accuracy"), "m").metrics["accuracy"]
    assert (found.value, found.n, found.left_out) == (1.0, 1, 1)


@given(st.lists(st.sampled_from([0.0, 1.0, math.nan]), min_size=1, max_size=12))
def test_the_mean_does_not_depend_on_the_order_of_rows(values):
    given_rows = [row("m", at, 0.0, numbers={"accuracy": value}) for at, value in enumerate(values)]
    one, other = (summarize_agents(r, "accuracy")[0] for r in (given_rows, given_rows[::-1]))
    assert str(one.metrics) == str(other.metrics)
    assert mean_per_instance(given_rows, "accuracy").keys() == {r.id for r in given_rows}


def test_models_come_first_best_first_and_bounds_last():
    found = summarize_agents(
        rows(player__silent="00", weak="01", player__oracle="11", player__x="11", strong="11"),
        "accuracy",
    )
    order = [one.agent for one in found]
    assert order == ["strong", "weak", "player/x", "player/oracle", "player/silent"]


def test_where_less_is_better_the_least_is_first():
    found = summarize_agents(rows(weak="00", strong="11"), "distance", falls=True)
    assert [one.agent for one in found] == ["strong", "weak"]


def test_two_interfaces_of_one_agent_are_two_lines():
    found = summarize_agents([row("m", 0, 1.0), row("m", 0, 0.0, interface="tools")], "accuracy")
    assert [one.agent for one in found] == ["m (json)", "m (tools)"]


def test_editions_sets_and_versions_are_never_mixed():
    given_rows = [row("m", 0, 1.0), row("m", 0, 1.0, edition="paper"), row("m", 0, 1.0, set="x")]
    assert len(group_by_run([*given_rows, row("m", 0, 1.0, version="2-A")])) == 4


def test_a_breakdown_splits_the_mean_by_facet():
    given_rows = rows(m="1100")
    agents = summarize_agents(given_rows, "accuracy")
    by = {one.facet: one for one in break_down(given_rows, ["accuracy"], agents)}
    assert by["kind"].values == ("a", "b")
    assert [cell.value for cell in by["kind"].lines[0].cells] == [1.0, 0.0]
    assert by["size"].values == ("3", "4")
    assert [cell.value for cell in by["size"].lines[0].cells] == [0.5, 0.5]


def test_a_facet_with_one_value_or_with_many_is_not_broken_down():
    given_rows = [row("m", at, 1.0, facets={"same": "x", "own": at}) for at in range(20)]
    agents = summarize_agents(given_rows, "accuracy")
    assert break_down(given_rows, ["accuracy"], agents) == ()


def test_facet_values_are_in_natural_order():
    given_rows = [
        row("m", at, 1.0, facets={"regime": value, "n": n})
        for at, (value, n) in enumerate([("2o12i", 10), ("2o8i", 9), ("0o8i", True)])
    ]
    by = {
        one.facet: one.values
        for one in break_down(given_rows, ["accuracy"], summarize_agents(given_rows, "accuracy"))
    }
    assert by == {"regime": ("0o8i", "2o8i", "2o12i"), "n": ("yes", "9", "10")}


def test_every_metric_asked_for_is_broken_down():
    given_rows = rows(m="1100")
    agents = summarize_agents(given_rows, "accuracy")
    found = break_down(given_rows, ["accuracy", "distance"], agents)
    assert [(one.metric, one.facet) for one in found] == [
        ("accuracy", "size"),
        ("accuracy", "kind"),
        ("distance", "size"),
        ("distance", "kind"),
    ]


def test_true_and_one_are_different_values_of_a_facet():
    given_rows = [row("m", 0, 1.0, facets={"f": True}), row("m", 1, 0.0, facets={"f": 1})]
    [one] = break_down(given_rows, ["accuracy"], summarize_agents(given_rows, "accuracy"))
    assert dict(zip(one.values, (c.value for c in one.lines[0].cells), strict=True)) == {
        "yes": 1.0,
        "1": 0.0,
    }


def test_labels_are_counted_and_rare_ones_joined():
    given_rows = [row("m", at, 1.0, labels={"error": f"e{at}"}) for at in range(12)]
    [table] = count_labels(given_rows, summarize_agents(given_rows, "accuracy"))
    assert table.values[-1] == "other"
    assert len(table.values) == 9
    assert table.lines[0].counts == (1,) * 8 + (4,)
    assert table.lines[0].n == 12


def test_agents_of_one_short_name_are_not_pooled():
    given_rows = [
        row(agent, at, score)
        for agent, score in (("acme/m", 0.0), ("openai-api/acme/m", 1.0), ("recorded/n", 1.0))
        for at in range(4)
    ]
    assert set(group_by_agent(given_rows)) == {"acme/m", "openai-api/acme/m", "n"}


def test_programs_are_told_by_the_card_of_the_same_run():
    facts = FACTS.model_copy(update={"without_programs": {"analysis": "false"}})
    cards = [
        RunCard(
            family="toy",
            version="1-A",
            edition="certified",
            set="smoke",
            agent="m",
            label=f"analysis={could}",
            rules={"analysis": could},
        )
        for could in (True, False)
    ]
    given_rows = [row("m", at, 1.0, variant=card.label) for card in cards for at in range(4)]
    [section] = build_report(given_rows, facts={"toy": facts}, cards=cards).sections
    told = {agent.agent: agent.programs for agent in section.agents}
    assert told == {"m (analysis=True)": True, "m (analysis=False)": False}


def test_a_second_epoch_is_no_second_instance():
    again = [row("m", at, 0.0, epoch=2, unscored="error") for at in range(2)]
    report = build_report([*rows(m="00"), *again], facts={"toy": FACTS})
    assert list_incomplete_sets(report) == ["incomplete: Toy 2 of 4"]
