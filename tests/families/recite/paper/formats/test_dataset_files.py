"""Files of the published schema: read from any format, refused with the row and the field."""

import json
from pathlib import Path
from typing import Any

import pytest
from causarium_recite_lab.analysis.select_documents import Choice, choice_of, select, statistics

from causarium.contract.sets.instance_sets import read_set
from causarium.errors import BadFile, UsageError
from causarium.families.recite.paper import FAMILY
from causarium.families.recite.paper.generation.generate import generate
from causarium.families.recite.paper.levels import LEVELS
from causarium.families.recite.paper.publication import dataset_files
from causarium.families.recite.paper.publication.dataset_files import (
    as_instances,
    fetch_rows,
    read_released,
    read_samples,
    write_released,
    write_samples,
    write_set_of,
)
from causarium.families.recite.paper.publication.dataset_row import Sample

ROW: dict[str, Any] = {
    "id": 1,
    "title": "Wells",
    "url": "https://example.org/1",
    "abstract": "On wells.",
    "source": "PLOS",
    "domains": '["Medicine", "Education"]',
    "num_nodes": 3,
    "num_edges": 2,
    "explicitness": 0.5,
    "nodes": '["Well depth", "Rain", "Tax"]',
    "edges": '[{"source": "Rain", "target": "Well depth"}, {"source": "Tax", "target": "Rain"}]',
    "node_explicitness": '{"Well depth": 1, "Rain": 1, "Tax": 3}',
    "input_text": "Rain fills wells; the well depth, shows it.",
    "publication_date": "2023-04-05T00:00:00",
}


def write(folder: Path, row: dict[str, Any], ending: str = "jsonl") -> Path:
    path = folder / f"rows.{ending}"
    path.write_text(json.dumps(row) + "\n", encoding="utf-8")
    return path


def sample(**changes: object) -> Sample:
    return Sample.model_validate({**ROW, **changes})


def test_strings_and_native_lists_are_the_same() -> None:
    native = {
        name: json.loads(ROW[name]) for name in ("domains", "nodes", "edges", "node_explicitness")
    }
    assert sample() == sample(**native)


def test_sink_and_target_are_the_same() -> None:
    assert sample() == sample(edges=ROW["edges"].replace("target", "sink"))


def test_explicitness_is_worked_out_again_and_not_believed() -> None:
    assert sample().explicitness == pytest.approx(2 / 3)


@pytest.mark.parametrize("ending", ["jsonl", "csv", "parquet"])
def test_a_file_that_was_written_is_read_back_equal(tmp_path: Path, ending: str) -> None:
    if ending == "parquet":
        pytest.importorskip("pyarrow")
    long = sample(id=2, input_text='Rain, "quoted"\nand long. ' * 9000)
    path = tmp_path / f"rows.{ending}"
    assert write_samples(path, [sample(), long]) == 2
    assert read_samples(path) == [sample(), long]


def test_a_parquet_file_with_native_columns_is_read(tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    rows = [
        {**ROW, "node_explicitness": {"Well depth": 1, "Rain": 1, "Tax": 3}},
        {**ROW, "id": 2, "nodes": '["A", "B"]', "edges": "[]", "node_explicitness": {"A": 2}},
    ]
    parquet.write_table(arrow.Table.from_pylist(rows), tmp_path / "rows.parquet")
    first, second = read_samples(tmp_path / "rows.parquet")
    assert first.labels == {"Well depth": 1, "Rain": 1, "Tax": 3}
    assert second.node_explicitness == {"A": 2}


def test_a_json_list_is_read_as_well(tmp_path: Path) -> None:
    path = tmp_path / "rows.json"
    path.write_text(json.dumps([ROW, {**ROW, "id": 2}]), encoding="utf-8")
    assert [one.id for one in read_samples(path)] == [1, 2]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"nodes": "[1, {"}, "nodes"),
        ({"nodes": "['a', __import__('os')]"}, "nodes"),
        ({"edges": '[{"source": "Rain"}]'}, "target"),
        ({"node_explicitness": '{"Rain": 4}'}, "node_explicitness"),
        ({"id": "one"}, "id"),
    ],
)
def test_a_bad_row_is_refused_with_its_number_and_its_field(
    tmp_path: Path, change: dict[str, Any], said: str
) -> None:
    with pytest.raises(BadFile, match=rf"row 1 of .*{said}"):
        read_samples(write(tmp_path, {**ROW, **change}))


def test_two_rows_with_one_id_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    write_samples(path, [sample(), sample(id=2), sample()])
    with pytest.raises(BadFile, match=r"rows 1 and 3 of .* both have the id 1"):
        read_samples(path)


def test_slips_of_annotation_are_mended_and_counted_by_name() -> None:
    def edge(source: str, target: str) -> dict[str, str]:
        return {"source": source, "target": target}

    edges = [edge("Rain", "Sun"), edge("Rain", "Sun"), edge("Tax", "Tax"), edge("Tax", "Rain")]
    found = sample(nodes=["Rain", "Rain", "Tax"], edges=edges)
    assert found.names == ("Rain", "Tax", "Sun")
    assert found.pairs == (("Rain", "Sun"), ("Tax", "Rain"))
    assert found.slips == {
        "node listed twice": 1,
        "edge to an unlisted node": 2,
        "edge from a node to itself": 1,
        "edge listed twice": 1,
    }
    assert statistics([found, found])["mended"]["edge to an unlisted node"] == 4
    (only,) = as_instances([found], "names")
    assert only.public.names == ("Rain", "Sun", "Tax")
    assert sample().slips == {}


@pytest.mark.parametrize(
    "change",
    [
        {"nodes": "['Well depth', 'Rain', 'Tax']", "domains": "['Medicine', 'Education']"},
        {"node_explicitness": {"Well depth": "1", "Rain": "1", "Tax": "3"}},
        {"node_explicitness": {"Well depth": 1.0, "Rain": 1.0, "Tax": 3.0}},
        {"id": "1"},
        {"id": 1.0},
    ],
)
def test_what_other_tools_make_of_columns_is_read(change: dict[str, Any]) -> None:
    assert sample(**change) == sample()


def test_gaps_of_a_table_are_empty() -> None:
    nan = float("nan")
    found = sample(title=nan, domains=nan, publication_date=nan, node_explicitness=nan)
    assert (found.title, found.domains, found.publication_date) == ("", (), "")
    assert found.node_explicitness == {}


def test_files_that_cannot_be_read_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="cannot read"):
        read_samples(tmp_path / "none.jsonl")
    with pytest.raises(BadFile, match="none of"):
        read_samples(write(tmp_path, ROW, "txt"))
    (tmp_path / "empty.csv").write_text("id,title\n", encoding="utf-8")
    with pytest.raises(BadFile, match="no rows"):
        read_samples(tmp_path / "empty.csv")
    (tmp_path / "deep.jsonl").write_text("[" * 100_000, encoding="utf-8")
    with pytest.raises(BadFile, match="cannot read"):
        read_samples(tmp_path / "deep.jsonl")


def test_a_node_without_a_label_is_judged_by_whether_it_is_named_and_counted() -> None:
    found = sample(node_explicitness=None)
    assert found.labels == {"Well depth": 1, "Rain": 1, "Tax": 2}
    assert statistics([found])["nodes_without_label"] == 3


def test_loops_and_repeated_edges_are_left_out_of_the_truth() -> None:
    edge = {"source": "Rain", "target": "Tax"}
    found = sample(edges=[edge, edge, {"source": "Tax", "target": "Tax"}])
    assert found.pairs == (("Rain", "Tax"),)


def test_texts_that_no_file_of_lines_could_hold_are_mended(tmp_path: Path) -> None:
    odd = "Rain\u2028falls\x85here \ud800."
    row = {**ROW, "input_text": odd, "nodes": ["Rain\u2029fall", "Tax"], "edges": []}
    path = tmp_path / "odd.jsonl"
    path.write_text(json.dumps(row), encoding="utf-8")
    assert write_set_of(FAMILY, read_samples(path), tmp_path / "odd.set", "given_count") == 1
    _, (only,) = read_set(tmp_path / "odd.set", FAMILY)
    assert only.public.text == "Rain\nfalls\nhere ?."
    assert only.secret.names == ("Rain\nfall", "Tax")


def test_an_empty_document_is_kept() -> None:
    (only,) = as_instances([sample(input_text="")])
    assert only.public.text == ""


def test_rows_become_instances_of_each_task(tmp_path: Path) -> None:
    (given,) = read_released(write(tmp_path, ROW))
    assert (given.public.task, given.public.n_nodes) == ("given_count", 3)
    assert given.secret.pairs == (("Rain", "Well depth"), ("Tax", "Rain"))
    assert given.secret.date == "2023-04-05"
    (names,) = as_instances([sample()], "names")
    assert names.public.names == ("Rain", "Tax", "Well depth")
    assert names.id != given.id


def test_our_own_documents_go_through_the_published_schema(tmp_path: Path) -> None:
    ours = [
        generate(LEVELS["paper-mini-names"], 0, 1),
        generate(LEVELS["paper-synth-verb-names"], 0, 0),
    ]
    assert write_released(tmp_path / "ours.jsonl", ours) == 2
    again = read_released(tmp_path / "ours.jsonl")
    for before, after in zip(ours, again, strict=True):
        assert after.public.text == before.public.text
        assert set(after.secret.pairs) == set(before.secret.pairs)
        assert after.secret.labels == before.secret.labels


def test_published_documents_become_a_set_file_of_any_task(tmp_path: Path) -> None:
    out = tmp_path / "names.set"
    assert write_set_of(FAMILY, [sample()], out, "names") == 1
    header, (only,) = read_set(out, FAMILY)
    assert header.edition == "paper"
    assert only.public.task == "names"


def test_filters_are_those_of_the_sheet() -> None:
    rows = [
        sample(),
        sample(id=2, source="MDPI", domains=["Medicine"], publication_date="2024-01-01"),
        sample(id=3, domains=[], publication_date=""),
    ]

    def ids(**choice: Any) -> list[int]:
        return [one.id for one in select(rows, Choice(**choice))]

    assert ids() == [1, 2, 3]
    assert ids(ids=(3, 9)) == [3]
    assert ids(source="MDPI") == [2]
    assert ids(domains=("Medicine", "Education")) == [1, 2]
    assert ids(domains=("Medicine", "Education"), all_domains=True) == [1]
    assert ids(before="2024-01-01") == [1]
    assert ids(after="2024-01-01") == [2]
    assert ids(after="2023-04-05", until="2024-01-01") == [1, 2]
    assert ids(min_nodes=3, max_nodes=3, min_edges=2, max_edges=2) == [1, 2, 3]
    assert ids(max_nodes=2) == []
    assert ids(min_explicitness=2 / 3, max_explicitness=2 / 3) == [1, 2, 3]


def test_wishes_make_a_choice_and_bad_ones_are_named() -> None:
    made = choice_of(["ids=1,2", "domains=Medicine,Education", "all_domains=true", "min_nodes=3"])
    wanted = Choice(ids=(1, 2), domains=("Medicine", "Education"), all_domains=True, min_nodes=3)
    assert made == wanted
    for wish, said in {
        "min_nodes": "has no '='",
        "min_node=3": "min_nodes",
        "min_nodes=few": "min_nodes",
        "ids=1,x": "ids",
    }.items():
        with pytest.raises(UsageError, match=said):
            choice_of([wish])


def test_statistics_have_the_published_keys() -> None:
    found = statistics([sample(), sample(id=2, source="MDPI", publication_date="")])
    assert found["total_samples"] == 2
    assert found["domains"] == {"Medicine": 2, "Education": 2}
    assert found["sources"] == {"PLOS": 1, "MDPI": 1}
    assert found["publication_years"] == {"2023": 1}
    assert found["date_range"]["samples_with_dates"] == 1
    assert found["nodes"] == {"min": 3, "max": 3, "mean": 3}
    assert found["explicitness"]["mean"] == 0.667
    assert statistics([])["nodes"]["mean"] is None


def test_without_the_hub_one_is_told_how_to_get_the_data(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dataset_files, "_import_or_none", lambda _: None)
    with pytest.raises(UsageError, match=r"292 rows.*--file"):
        fetch_rows()


def test_a_dead_network_is_no_failure_of_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    class Dead:
        def load_dataset(self, *_: object, **__: object) -> None:
            raise ConnectionError("no route")

    monkeypatch.setattr(
        dataset_files, "_import_or_none", lambda name: Dead() if name == "datasets" else None
    )
    with pytest.raises(UsageError, match="cannot be reached"):
        fetch_rows()


def test_the_hub_is_asked_for_the_test_split(monkeypatch: pytest.MonkeyPatch) -> None:
    class Hub:
        def load_dataset(self, name: str, split: str) -> list[dict[str, Any]]:
            assert (name, split) == ("RyanSaklad/ReCast", "test")
            return [ROW]

    monkeypatch.setattr(
        dataset_files, "_import_or_none", lambda name: Hub() if name == "datasets" else None
    )
    assert dataset_files.fetch_samples() == [sample()]
