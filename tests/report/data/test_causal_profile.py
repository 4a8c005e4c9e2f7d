"""The causal profile: a guess is 0, the oracle 1, whatever the family's own numbers are."""

import math

import pytest

from causarium.contract.family_card import Separation
from causarium.report.data.build_report import build_report
from causarium.report.data.causal_profile import Profile, build_profile, place_runs
from causarium.report.output.write_html import render
from causarium.report.output.write_markdown import render_markdown
from tests.report.rows import FACTS, row, rows


def profile_of(given_rows, known) -> Profile:
    return build_profile(place_runs(given_rows, known).values())


KNOWN = {"toy": FACTS.model_copy(update={"blind": frozenset({"silent", "random", "yes"})})}


def test_the_best_guess_is_zero_and_the_oracle_one():
    given_rows = rows(m="1110", player__yes="1100", player__silent="0000", player__oracle="1111")
    (spoke,) = profile_of(given_rows, KNOWN).spokes
    assert (spoke.scale.blind, spoke.scale.zero, spoke.scale.one) == ("yes", 0.5, 1.0)
    assert spoke.scores["m"].value == pytest.approx(0.5)
    assert spoke.scores["player/yes"].value == 0.0
    assert spoke.scores["m"].low <= 0.5 <= spoke.scores["m"].high


def test_worse_than_a_guess_is_below_zero():
    given_rows = rows(m="0000", player__yes="1100", player__oracle="1111")
    (spoke,) = profile_of(given_rows, KNOWN).spokes
    assert spoke.scores["m"].value == pytest.approx(-1.0)


def test_what_was_not_played_stands_on_the_card():
    given_rows = rows(m="1111", player__oracle="1111")
    (spoke,) = profile_of(given_rows, KNOWN).spokes
    assert (spoke.scale.blind, spoke.scale.zero, spoke.scale.played) == ("random", 0.5, False)
    assert spoke.scores["m"].value == 1.0


def test_where_less_is_better_the_scale_turns():
    falling = KNOWN["toy"].model_copy(update={"headline": ("distance",)})
    given_rows = rows(m="1110", player__yes="1100", player__oracle="1111")
    (spoke,) = profile_of(given_rows, {"toy": falling}).spokes
    assert spoke.scores["m"].value == pytest.approx(0.5)
    assert spoke.scores["m"].low <= spoke.scores["m"].high


def test_bounds_are_found_whatever_interface_they_played_through():
    given_rows = [r.model_copy(update={"interface": "tools"}) for r in rows(m="1110")]
    given_rows += rows(player__yes="1100", player__silent="0000", player__oracle="1111")
    (spoke,) = profile_of(given_rows, KNOWN).spokes
    assert spoke.scale.played
    assert set(spoke.scores) == {"m (tools)", "player/yes (json)"}
    assert spoke.scores["m (tools)"].value == pytest.approx(0.5)


def test_without_a_floor_or_a_ceiling_there_is_no_scale():
    assert profile_of(rows(m="1111"), {"toy": FACTS}).spokes == ()
    assert profile_of(rows(m="1", player__yes="1", player__oracle="1"), KNOWN).spokes == ()


def test_three_models_on_two_runs_are_ranked_against_each_other():
    models = {"a": "1111", "b": "1100", "c": "1000"}
    one = rows(**models, player__yes="0000", player__oracle="1111")
    other = [r.model_copy(update={"set": "other"}) for r in one]
    (found,) = profile_of([*one, *other], KNOWN).correlations
    assert (found.spearman, found.n) == (pytest.approx(1.0), 3)
    two = [r for r in (*one, *other) if r.agent != "c"]
    assert profile_of(two, KNOWN).correlations == ()


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


SEPARATED = {
    "toy": KNOWN["toy"].model_copy(
        update={
            "references": (),
            "separation": Separation(
                metric="accuracy",
                blind="yes",
                passive="look",
                shortcuts=("search", "table"),
                causal="scientist",
            ),
        }
    )
}
PLAYED = {
    "player__yes": "10000000",
    "player__look": "11000000",
    "player__search": "11110000",
    "player__table": "00000000",
    "player__scientist": "11111110",
    "player__oracle": "11111111",
}


def test_shortcut_and_causal_player_are_marks_on_the_scale():
    (spoke,) = profile_of(rows(m="11111100", **PLAYED), SEPARATED).spokes
    scale = spoke.scale
    assert scale.shortcut is not None
    assert scale.causal is not None
    assert (scale.shortcut.player, scale.shortcut.value) == ("search", 0.5)
    assert scale.shortcut.place == pytest.approx(3 / 7)
    assert (scale.causal.player, scale.causal.place) == ("scientist", pytest.approx(6 / 7))
    assert spoke.skills["m"].value == pytest.approx(2 / 3)
    assert spoke.skills["player/search"].value == 0.0
    assert spoke.skills["player/scientist"].value == pytest.approx(1.0)
    assert spoke.skills["player/yes"].value == pytest.approx(-1.0)


def test_a_passive_player_that_beats_all_shortcuts_is_the_zero_of_skill():
    played = {**PLAYED, "player__look": "11111000"}
    (spoke,) = profile_of(rows(m="11111000", **played), SEPARATED).spokes
    assert spoke.scale.shortcut is not None
    assert spoke.scale.shortcut.player == "look"
    assert spoke.skills["m"].value == 0.0


def test_where_shortcut_and_causal_player_coincide_there_is_no_skill():
    played = {**PLAYED, "player__scientist": "11110000"}
    (spoke,) = profile_of(rows(m="11111100", **played), SEPARATED).spokes
    assert math.isnan(spoke.skills["m"].value)
    assert spoke.scores["m"].value > 0


def test_a_part_of_the_instances_is_measured_by_that_part():
    (spoke,) = profile_of(rows(m="111111", **PLAYED), SEPARATED).spokes
    # On the first six the best shortcut has four, the causal player all.
    assert spoke.skills["m"].value == pytest.approx(1.0)


def test_a_report_shows_scale_and_skill_in_every_format():
    report = build_report(rows(m="11111100", **PLAYED), facts=SEPARATED)
    (section,) = report.sections
    assert section.placed["skill"]["m"].value == pytest.approx(2 / 3)
    assert [ref.name for ref in section.references] == ["shortcut", "causal", "ceiling"]
    lines = render_markdown(report).splitlines()
    line = next(line for line in lines if line.startswith("| m |"))
    assert "| 0.67 [" in line
    assert any("best shortcut 0.43 (search); causal player 0.86" in line for line in lines)
    assert '"skills"' in report.model_dump_json()
    assert "best shortcut" in render(report)


def test_players_that_are_handed_secrets_never_lead():
    facts = {"toy": KNOWN["toy"].model_copy(update={"sees_truth": frozenset({"trap", "oracle"})})}
    given_rows = rows(player__trap="1111", player__plain="1000", player__oracle="1111")
    (section,) = build_report(given_rows, facts=facts).sections
    assert section.best_model is None
    assert [agent.role for agent in section.agents] == ["player", "ceiling", "ceiling"]
