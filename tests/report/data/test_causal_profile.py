"""The causal profile: a guess is 0, the oracle 1, whatever the family's own numbers are."""

import math

import pytest

from causarium.report.data.causal_profile import build_profile
from causarium.report.data.report_data import build_report
from tests.report.rows import FACTS, row, rows

KNOWN = {"toy": FACTS.model_copy(update={"blind": frozenset({"silent", "random", "yes"})})}


def test_the_best_guess_is_zero_and_the_oracle_one():
    given_rows = rows(m="1110", player__yes="1100", player__silent="0000", player__oracle="1111")
    (spoke,) = build_profile(given_rows, KNOWN).spokes
    assert (spoke.scale.blind, spoke.scale.zero, spoke.scale.one) == ("yes", 0.5, 1.0)
    assert spoke.scores["m"].value == pytest.approx(0.5)
    assert spoke.scores["player/yes"].value == 0.0
    assert spoke.scores["m"].low <= 0.5 <= spoke.scores["m"].high


def test_worse_than_a_guess_is_below_zero():
    given_rows = rows(m="0000", player__yes="1100", player__oracle="1111")
    (spoke,) = build_profile(given_rows, KNOWN).spokes
    assert spoke.scores["m"].value == pytest.approx(-1.0)


def test_what_was_not_played_stands_on_the_card():
    given_rows = rows(m="1111", player__oracle="1111")
    (spoke,) = build_profile(given_rows, KNOWN).spokes
    assert (spoke.scale.blind, spoke.scale.zero, spoke.scale.played) == ("random", 0.5, False)
    assert spoke.scores["m"].value == 1.0


def test_where_less_is_better_the_scale_turns():
    falling = KNOWN["toy"].model_copy(update={"headline": ("distance",)})
    given_rows = rows(m="1110", player__yes="1100", player__oracle="1111")
    (spoke,) = build_profile(given_rows, {"toy": falling}).spokes
    assert spoke.scores["m"].value == pytest.approx(0.5)
    assert spoke.scores["m"].low <= spoke.scores["m"].high


def test_bounds_are_found_whatever_interface_they_played_through():
    given_rows = [r.model_copy(update={"interface": "tools"}) for r in rows(m="1110")]
    given_rows += rows(player__yes="1100", player__silent="0000", player__oracle="1111")
    (spoke,) = build_profile(given_rows, KNOWN).spokes
    assert spoke.scale.played
    assert set(spoke.scores) == {"m (tools)", "player/yes (json)"}
    assert spoke.scores["m (tools)"].value == pytest.approx(0.5)


def test_without_a_floor_or_a_ceiling_there_is_no_scale():
    assert build_profile(rows(m="1111"), {"toy": FACTS}).spokes == ()
    assert build_profile(rows(m="1", player__yes="1", player__oracle="1"), KNOWN).spokes == ()


def test_three_models_on_two_runs_are_ranked_against_each_other():
    models = {"a": "1111", "b": "1100", "c": "1000"}
    one = rows(**models, player__yes="0000", player__oracle="1111")
    other = [r.model_copy(update={"set": "other"}) for r in one]
    (found,) = build_profile([*one, *other], KNOWN).correlations
    assert (found.spearman, found.n) == (pytest.approx(1.0), 3)
    two = [r for r in (*one, *other) if r.agent != "c"]
    assert build_profile(two, KNOWN).correlations == ()


def test_what_models_took_is_summed_up():
    took = {"agent": {"input": 90, "cached": 45, "output": 10, "cost": 0.5}, "seconds": 3.0}
    judged = {**took, "helpers": {"judge": {"input": 20, "output": 0, "cost": 0.25}}}
    given_rows = [row("m", 0, 1.0, usage=took), row("m", 1, 1.0, usage=judged)]
    (agent,) = build_report(given_rows, facts={"toy": FACTS}).sections[0].agents
    took = agent.spending
    assert took is not None
    assert (took.input, took.cached, took.output, took.per_turn) == (90, 0.5, 10, 50)
    assert (took.helpers, took.seconds, took.cost) == (10, 3.0, 1.25)


def test_without_a_price_there_is_no_cost():
    given_rows = [row("m", 0, 1.0, usage={"agent": {"input": 9, "output": 1}})]
    (agent,) = build_report(given_rows, facts={"toy": FACTS}).sections[0].agents
    assert agent.spending is not None
    assert math.isnan(agent.spending.cost)
