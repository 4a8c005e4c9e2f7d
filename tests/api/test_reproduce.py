"""Playing a published table again: every table has runs that can be played, or none by intent."""

import pytest

from causarium import families, published
from causarium.api.benchmark import load
from causarium.api.plan_run import RunRequest
from causarium.api.reproduce import (
    estimate_all,
    list_runs,
    measure,
    measure_drawing,
    reproduce,
    reproduce_all,
)
from causarium.api.rows import Rows
from causarium.contract.row import Row
from causarium.errors import UnknownName, UsageError
from causarium.published import Drawing, PlaySetting

TABLES = [table for name in published.families() for table in published.tables(name)]
ABOUT_NO_AGENT = {
    ("causalab", "Table 1"),
    ("causalgame", "Table 17"),
    ("replayscm", "Table F.2"),
    *(("recite", f"Table {number}") for number in (7, 8, 9, 12)),
}


def test_every_table_is_played_by_runs_but_those_about_instances_and_judges() -> None:
    without = {(table.family, table.name) for table in TABLES if not published.play_settings(table)}
    assert without == ABOUT_NO_AGENT


@pytest.mark.parametrize("name", published.families())
def test_the_runs_of_a_table_name_sets_rules_and_roles_that_there_are(name: str) -> None:
    family = families.get(name)
    for table in published.tables(name):
        for setting in published.play_settings(table):
            assert setting.set in family.card.sets["paper"], table.name
            family.rules_for("paper", **setting.rules)
            assert set(setting.roles) <= set(family.card.roles)
            settings = [row.setting for row in published.rows(name, table.name)]
            for key, value in setting.covers.items() if settings else ():
                assert {value} & {line.get(key, value) for line in settings}, table.name


def test_a_table_is_found_with_or_without_its_first_word() -> None:
    assert reproduce("causalab", "7").table == reproduce("causalab", "table 7").table
    with pytest.raises(UnknownName, match="Table 7"):
        reproduce("causalab", "Table 77")


def test_the_estimate_assumes_a_model_and_a_judge_where_none_is_given() -> None:
    (estimate,) = reproduce("causallink", "4").estimate(
        RunRequest("causallink", prices=["1,4"], limit=2)
    )
    assert estimate.instances == 2
    assert estimate.set == "core"
    assert estimate.cost is not None
    low, high = estimate.cost
    assert 0 < low <= (estimate.likely_cost or 0) <= high


def test_a_table_whose_instances_are_not_here_says_how_to_get_them(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match="causarium recite fetch"):
        reproduce("recite", "3").play(RunRequest("", player="silent", log_dir=tmp_path))
    with pytest.raises(UsageError, match="no results of agents"):
        reproduce("causalab", "1").play(RunRequest("", player="silent", log_dir=tmp_path))


def test_own_numbers_stand_in_the_lines_that_facets_tell_apart() -> None:
    table = reproduce("causallink", "Figure 3").table
    link = load("causallink", edition="paper")
    played = link.play("oracle", [link.instance("advanced", place) for place in (0, 1, 400)])
    own = list(measure(table, PlaySetting(set="advanced"), played))
    assert {(row.setting["size"], row.value, row.n) for row in own} == {("4", 1, 2), ("5", 1, 1)}
    assert {row.agent for row in own} == {"yours: player/oracle"}


def _played(**facets: str | bool) -> Row:
    return Row(
        family="causalab",
        version="2-A",
        edition="paper",
        set="golden",
        agent="me",
        interface="json",
        id="a",
        facets=facets,
        numbers={"prediction": 1.0},
        turns=1,
    )


def test_a_line_that_the_run_did_not_play_stays_empty() -> None:
    table = reproduce("causalab", "6").table
    played = Rows([_played(nodes="4", regime="golden")])
    own = list(measure(table, PlaySetting(set="golden"), played))
    assert {(row.setting["nodes"], row.setting["regime"]) for row in own} == {("4", "golden")}
    disturbed = reproduce("causalab", "4").table
    rows = Rows([_played(nodes="4", hidden="1")])
    assert not list(measure(disturbed, PlaySetting(set="hidden"), rows))


@pytest.mark.parametrize("name", [f"Table {number}" for number in range(3, 13)])
def test_every_line_of_a_table_is_played_and_told_from_the_others(name: str) -> None:
    family = families.get("causalab")
    again = reproduce("causalab", name)
    printed = published.rows("causalab", name)
    lines = {tuple(row.setting.items()) for row in printed}
    numbers = {row.metric: 0.5 for row in printed}
    own = set()
    for setting in again.settings:
        parts = family.card.sets["paper"][setting.set].parts
        drawn = [family.generate(family.level(part.level), 0, 0) for part in parts]
        rows = Rows(
            _played(**one.facets).model_copy(update={"id": one.id, "numbers": numbers})
            for one in drawn
        )
        own |= {(tuple(row.setting.items()), row.n) for row in measure(again.table, setting, rows)}
    assert own == {(line, 1) for line in lines}


def test_a_line_may_be_chosen_by_a_label_and_is_then_a_share() -> None:
    table = reproduce("causalgame", "Figure 7").table
    rows = Rows(
        _played().model_copy(update={"id": name, "labels": {"pattern": label}})
        for name, label in (("a", "A: collapse"), ("b", "A: collapse"), ("c", "B: attempt"))
    )
    own = list(measure(table, PlaySetting(set="paper", covers={"mode": "agent"}), rows))
    assert {row.setting["pattern"]: round(row.value, 2) for row in own} == {
        "A": 0.67,
        "B": 0.33,
        "C": 0,
        "D": 0,
        "E": 0,
    }


def test_only_what_a_setting_counts_is_measured() -> None:
    table = reproduce("causalgame", "Figure 14").table
    rows = Rows(
        _played(game=name).model_copy(update={"id": name, "numbers": {"survival": value}})
        for name, value in (("antenna_trap", 0.5), ("antenna_trap_high_def", 1.0))
    )
    setting = next(one for one in published.play_settings(table) if one.covers["mode"] == "agent")
    (own,) = measure(table, setting, rows)
    assert (own.value, own.n) == (0.5, 1)


def test_what_a_paper_draws_without_numbers_is_measured_by_what_it_is_drawn_by() -> None:
    table = reproduce("causalab", "Figure 14").table
    rows = Rows(
        _played(nodes="4").model_copy(
            update={"id": str(solved), "numbers": {"prediction": solved, "fit_error": 2 - solved}}
        )
        for solved in (0.0, 1.0)
    )
    setting = PlaySetting(set="paper", covers={"verification": "no"})
    drawing = Drawing(metric="fit_error", by=("prediction",))
    own = list(measure_drawing(table, setting, drawing, rows))
    assert [(row.setting["prediction"], row.value) for row in own] == [("0", 2), ("1", 1)]
    assert {(row.setting["set"], row.setting["verification"]) for row in own} == {("paper", "no")}


def test_a_figure_over_turns_follows_the_episodes_of_the_logs(tmp_path) -> None:
    again = reproduce("causalgame", "Figure 8")
    request = RunRequest("", player="oracle", limit=1, log_dir=str(tmp_path))
    own = again.beside(again.play(request))
    assert [row.setting["turn"] for row in own] == ["1", "2", "3"]
    assert own[-1].value == 0


def test_a_table_about_instances_is_measured_on_our_own() -> None:
    own = reproduce("replayscm", "F.2").count(limit=5)
    covered = {row.setting["support"]: row.value for row in own if row.metric == "local_coverage"}
    assert covered["original"] < covered["extra worlds"] <= covered["counterexample audit"] == 1
    assert {row.value for row in own if row.metric == "heldout_worlds"} == {8}
    added = [row for row in own if row.metric.startswith("added_")]
    assert [(row.metric, row.value) for row in added] == [
        ("added_worlds", 3),
        ("added_patterns", 6.6),
    ]
    assert {row.setting["support"] for row in added} == {"extra worlds"}
    graphs = reproduce("causalab", "1").count(limit=2)
    assert {row.metric for row in graphs} == {"edges", "forks", "colliders"}


def test_all_of_a_paper_takes_each_run_once_and_a_judge_where_one_table_needs_it() -> None:
    everything = reproduce_all("causalgame")
    runs = list_runs(setting for one in everything for setting in one.settings)
    assert (
        len(runs)
        == len({setting.play for setting in runs})
        < sum(len(one.settings) for one in everything)
    )
    priced = RunRequest("", prices=["1,4", "judge=1,4"], limit=1)
    estimates = estimate_all(reproduce_all("causallink"), RunRequest("", prices=["1,4"], limit=1))
    assert [estimate.set for estimate in estimates] == ["core", "core", "advanced"]
    assert reproduce("causalgame", "4").estimate(priced)[0].cost is not None
