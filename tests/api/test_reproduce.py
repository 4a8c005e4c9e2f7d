"""Playing a published table again: every table has runs that can be played, or none by intent."""

import pytest

from causarium import families, published
from causarium.api.benchmark import load
from causarium.api.plan_run import RunRequest
from causarium.api.reproduce import measure, reproduce
from causarium.contract.row import Row
from causarium.errors import UnknownName, UsageError
from causarium.published import PlaySetting

TABLES = [table for name in published.families() for table in published.tables(name)]
ABOUT_NO_AGENT = {
    ("causalab", "Table 1"),
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
            for key, value in setting.covers.items():
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
    with pytest.raises(UsageError, match="about no agent"):
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
    from causarium.api.rows import Rows

    table = reproduce("causalab", "6").table
    played = Rows([_played(nodes="4", regime="golden")])
    own = list(measure(table, PlaySetting(set="golden"), played))
    assert {(row.setting["nodes"], row.setting["regime"]) for row in own} == {("4", "golden")}
    disturbed = reproduce("causalab", "4").table
    rows = Rows([_played(nodes="4", hidden="1")])
    assert not list(measure(disturbed, PlaySetting(set="hidden"), rows))
