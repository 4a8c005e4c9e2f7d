"""Rows: filtering, means, comparisons, and the way into data frames."""

import builtins
import math
from pathlib import Path

import pytest

import causarium as cm
from causarium.api.rows import COLUMNS
from causarium.contract.row import Row, Tokens, Usage
from causarium.errors import UnknownName, UsageError
from causarium.families import FAMILIES, get
from causarium.report.data.row_frame import FRAME


def row(id_: int, right: float, **changes: object) -> Row:
    fields = {
        "family": "causallink",
        "version": "1-A",
        "edition": "certified",
        "set": "smoke",
        "agent": "m",
        "interface": "json",
        "id": f"causallink-{id_}",
        "facets": {"size": id_, "even": id_ % 2 == 0},
        "numbers": {"right": right, "effort": math.nan},
        "labels": {"error": "none"},
        "turns": 3,
    }
    return Row.model_validate({**fields, **changes})


ROWS = cm.Rows([row(1, 1.0), row(2, 0.0), row(3, 1.0, agent="n", faults={"illegal move": 2})])


def test_rows_are_a_sequence() -> None:
    assert (len(ROWS), ROWS[0].id, len(ROWS[1:])) == (3, "causallink-1", 2)
    assert isinstance(ROWS[1:], cm.Rows)
    assert len(ROWS + ROWS) == 6
    assert repr(ROWS) == "Rows(3 rows of m, n)"
    many = cm.Rows([row(at, 1.0, agent=f"{at}" + "x" * 300) for at in range(50)])
    assert len(repr(many)) < 2_000


def test_where_knows_fields_facets_and_columns() -> None:
    assert len(ROWS.where(agent="m")) == 2
    assert [found.id for found in ROWS.where(size=[1, 3])] == ["causallink-1", "causallink-3"]
    assert len(ROWS.where(**{"label.error": "none", "fault.illegal move": 2})) == 1
    assert len(ROWS.where(even=True)) == 1
    assert not ROWS.where(size=True)
    assert len(ROWS.where(right=1.0)) == 2
    with pytest.raises(UnknownName, match="did you mean 'agent'"):
        ROWS.where(agnt="m")


def test_a_mean_is_over_instances_and_leaves_out_what_has_no_score() -> None:
    rows = cm.Rows([row(1, 1.0), row(1, 0.0, epoch=2), row(2, 1.0), row(3, 0.0, unscored="why")])
    mean = rows.mean("right")
    assert (mean.value, mean.n) == (0.75, 2)
    assert math.isnan(rows.mean("effort").value)
    with pytest.raises(UnknownName, match="did you mean 'right'"):
        rows.mean("righ")


def test_a_share_has_wilsons_interval_and_a_measure_has_not() -> None:
    assert ROWS.where(agent="m").mean("right").high < 1
    assert cm.Rows([row(1, 1.0), row(2, 1.0)]).mean("right").low < 1


def test_editions_are_not_mixed_up() -> None:
    mine = cm.Rows([row(1, 1.0)])
    paper = cm.Rows([row(1, 0.0, edition="paper")])
    assert mine.compare(paper, "right").n == 0
    assert mine.compare(cm.Rows([row(1, 0.0)]), "right").value == 1


def test_records_have_the_promised_columns_in_order() -> None:
    used = Usage(agent=Tokens(input=7, output=3, cost=0.5), seconds=2.0)
    rows = ROWS + cm.Rows([row(4, 0.0, usage=used)])
    records = rows.to_records()
    names = list(records[0])
    assert names[: len(COLUMNS)] == list(COLUMNS)
    assert names[len(COLUMNS) :] == [
        *("right", "effort", "facet.size", "facet.even", "label.error", "fault.illegal move"),
        *("tokens_in", "tokens_out", "cost", "seconds"),
    ]
    assert all(list(record) == names for record in records)
    last = [records[3][name] for name in ("tokens_in", "tokens_out", "cost", "seconds")]
    assert last == [7, 3, 0.5, 2.0]
    assert (records[0]["cost"], records[0]["fault.illegal move"]) == (None, None)


@pytest.mark.parametrize("name", FAMILIES)
def test_no_metric_hides_a_column(name: str) -> None:
    taken = {*COLUMNS, "tokens_in", "tokens_out", "cost", "seconds"}
    assert not taken & get(name).metrics.keys()


def test_rows_become_a_data_frame_and_a_file(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    assert tuple(cm.Rows().to_pandas().columns) == FRAME
    played = cm.load("causallink").play("always_no", "smoke")
    assert tuple(played.to_pandas().columns) == FRAME
    assert len(FRAME) == 16
    assert set(played.to_pandas().outcome) <= {"correct", "incorrect"}
    frame = played.to_pandas(metrics=["score"], facets=True)
    grouped = frame.groupby(["model", "facet.rung"]).score.mean()
    assert grouped.index.names == ["model", "facet.rung"]
    whole = played.to_pandas(metrics=True)
    assert not [name for name in whole.columns if name not in FRAME and whole[name].isna().all()]
    with pytest.raises(UnknownName, match="score"):
        played.to_pandas(metrics=["scor"])
    pytest.importorskip("pyarrow")
    path = tmp_path / "rows.parquet"
    mixed = ROWS + cm.Rows([row(5, 1.0, facets={"size": "large"})])
    mixed.to_parquet(path)
    read = pandas.read_parquet(path)
    assert list(read.columns) == list(mixed.columns)
    assert read["facet.size"].tolist() == ["1", "2", "3", "large"]


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    real = builtins.__import__

    def absent(name: str, *rest: object) -> object:
        if name.partition(".")[0] in {"pandas", "pyarrow"}:
            raise ImportError(name)
        return real(name, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr("causarium.contract.places.import_module", absent)
    with pytest.raises(UsageError, match=r"pip install 'causarium\[pandas\]'"):
        ROWS.to_pandas()
    with pytest.raises(UsageError, match=r"pip install 'causarium\[parquet\]'"):
        ROWS.to_parquet(tmp_path / "x.parquet")


def test_published_numbers_can_be_filtered() -> None:
    rows = cm.published_rows("causalab")
    assert len(cm.published_rows()) > len(rows) > 100
    one = rows.where(table=rows[0].table, agent=rows[0].agent)
    assert 0 < len(one) < len(rows)
    name = next(iter(rows[0].setting))
    assert rows[0] in rows.where(**{name: rows[0].setting[name]})
    assert one[:1][0].metric in {record["metric"] for record in one.to_records()}
    with pytest.raises(UnknownName):
        rows.where(tabel="Table 1")
    with pytest.raises(UnknownName):
        cm.published_rows("causalink")


def test_rows_of_players_can_be_reported(tmp_path: Path) -> None:
    rows = cm.load("causallink").play("silent", "smoke")
    report = cm.write_report(rows, out=None)
    assert (report.files, report.data.sections[0].rows) == ({}, 6)
    with pytest.raises(UsageError, match="no rows"):
        cm.write_report(cm.Rows())
    (tmp_path / "file").touch()
    with pytest.raises(UsageError, match="cannot write to"):
        cm.write_report(tmp_path / "none", out=tmp_path / "file" / "folder")
    with pytest.raises(UnknownName, match="report format"):
        cm.write_report(rows, formats=["pdf"])
    with pytest.raises(UsageError, match="there is no file or folder"):
        cm.read_rows(tmp_path / "none")


def test_earlier_runs_of_one_folder_name_stay_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = {"set": "smoke", "limit": 2, "progress": False}
    places = [tmp_path / name / "logs" for name in "xy"]
    for place in places:
        cm.evaluate("causallink", player="start_alone", log_dir=place, **given)
    report = cm.write_report(places[0], out=None, against=places)
    assert {row.run for row in report.rows} == {"", "x/logs", "y/logs"}
    monkeypatch.chdir(places[1])
    report = cm.write_report(places[0], out=None, against=".")
    assert {row.run for row in report.rows} == {"", "logs"}
