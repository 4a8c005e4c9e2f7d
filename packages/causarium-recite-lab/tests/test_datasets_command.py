"""`causarium recite` on files of the published schema."""

import json
from pathlib import Path

import pytest
from causarium_recite_lab.commands import app
from typer.testing import CliRunner

from causarium.contract.sets.instance_sets import read_set
from causarium.errors import UsageError
from causarium.families.recite.paper import FAMILY
from causarium.families.recite.paper.generation.generate import generate
from causarium.families.recite.paper.generation.written_documents import mini_keys
from causarium.families.recite.paper.levels import LEVELS
from causarium.families.recite.paper.players import BASELINES
from causarium.families.recite.paper.publication import dataset_files
from causarium.families.recite.paper.publication.dataset_files import write_records, write_released


def run(*words: object) -> str:
    done = CliRunner().invoke(app, [str(word) for word in words], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    path = tmp_path / "documents.jsonl"
    places = [mini_keys().index(key) for key in ("embankment", "orders")]
    write_released(path, [generate(LEVELS["paper-mini"], 0, place) for place in places])
    return path


def test_stats_count_and_describe(documents: Path) -> None:
    found = json.loads(run("stats", documents, "--json"))
    assert found["total_samples"] == 2
    assert found["topology"]["nodes"]["max"] == found["nodes"]["max"]
    assert "share_in_cycles" in run("stats")


def test_stats_of_nothing_are_refused(documents: Path) -> None:
    with pytest.raises(UsageError, match="None of 2 documents has source=PLOS"):
        run("stats", documents, "--source", "PLOS")


def test_wishes_choose_documents_for_counts_and_for_sets(documents: Path, tmp_path: Path) -> None:
    found = json.loads(run("stats", documents, "--where", "min_edges=25", "--json"))
    assert (found["total_samples"], found["edges"]["min"]) == (1, 29)
    out = tmp_path / "few.set"
    run("tasks", documents, "--task", "names", "--where", "max_edges=20", "--out", out)
    _, (only,) = read_set(out, FAMILY)
    assert len(only.secret.edges) == 20


def test_a_set_file_of_any_task_is_written(documents: Path, tmp_path: Path) -> None:
    run("tasks", documents, "--task", "no_count", "--out", tmp_path / "open.set")
    _, instances = read_set(tmp_path / "open.set", FAMILY)
    assert [one.public.n_nodes for one in instances] == [None, None]
    with pytest.raises(UsageError, match="names"):
        run("tasks", documents, "--task", "name", "--out", tmp_path / "x.set")


def test_published_responses_are_scored_into_a_report(documents: Path, tmp_path: Path) -> None:
    true = generate(LEVELS["paper-mini"], 0, mini_keys().index("embankment")).secret.pairs
    answer = {"relationships": [{"source": a, "sink": b} for a, b in true]}
    row = {
        "id": 1,
        "sample_id": 1,
        "model": "vendor/model",
        "task_type": "causal_graph_generation",
        "response_answer": json.dumps(answer),
    }
    write_records(tmp_path / "responses.jsonl", [row])
    out = tmp_path / "report"
    answers = tmp_path / "responses.jsonl"
    run("responses", documents, answers, "--out", out, "--format", "json")
    lines = (out / "rows.jsonl").read_text(encoding="utf-8").splitlines()
    only, *beside = map(json.loads, lines)
    assert only["numbers"]["f1"] == 1.0
    assert {row["set"] for row in (only, *beside)} == {"documents"}
    assert [row["agent"] for row in beside] == [f"player/{name}" for name in BASELINES]
    assert "causarium recite responses" in (out / "report.json").read_text(encoding="utf-8")
    panels = json.loads((out / "report.json").read_text(encoding="utf-8"))["panels"]
    assert "What became of the edges" in [panel["title"] for panel in panels]


def test_without_a_network_fetch_says_how_to_get_the_data(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dataset_files, "_import_or_none", lambda _: None)
    with pytest.raises(UsageError, match="by hand"):
        run("fetch", tmp_path / "x.jsonl")
    with pytest.raises(UsageError, match="by hand"):
        run("fetch", tmp_path / "x.jsonl", "--companion", "responses")
    with pytest.raises(UsageError, match="responses"):
        run("fetch", tmp_path / "x.jsonl", "--companion", "answers")
