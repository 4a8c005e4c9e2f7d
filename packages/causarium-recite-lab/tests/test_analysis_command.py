"""`causarium recite analysis`, `trust` and `label` as people call them."""

import json
from contextlib import nullcontext

import pytest
from causarium_recite_lab import ask_model
from causarium_recite_lab.commands import app
from typer.testing import CliRunner

from causarium.errors import UnknownName, UsageError
from causarium.families.recite.paper.generation.generate import generate
from causarium.families.recite.paper.levels import LEVELS
from causarium.families.recite.paper.publication.dataset_files import read_samples, write_samples
from causarium.families.recite.paper.publication.dataset_row import sample_of
from tests.families.recite.paper.papers import row


def run(*words, code=0):
    done = CliRunner().invoke(app, [str(word) for word in words], catch_exceptions=False)
    assert done.exit_code == code, done.output
    return done.stdout


@pytest.fixture
def rows(monkeypatch):
    facets = [
        {"cyclic": cyclic, "month": month}
        for cyclic, month in ((True, "2024-01"), (False, "2024-09"))
    ]
    found = [
        row("acme/rocket-1", n, n / 10, stern=0.1 * n, kind=0.2 * n).model_copy(
            update={"facets": facets[n % 2]}
        )
        for n in range(4)
    ]
    found.append(row("acme/rocket-1", 9, 0.9).model_copy(update={"unscored": "no judge"}))
    monkeypatch.setattr("causarium.api.rows.read_rows", lambda _places: found)


def test_an_analysis_prints_facets_judges_and_cutoffs(rows):
    said = run("analysis", "logs", "--cutoff", "rocket=2024-05")
    assert "5 rows; 1 unscored rows are left out below" in said
    assert "f1 by whether the graph has cycles" in said
    assert "How far judges agree" in said
    assert "Before and after the knowledge cutoff" in said


def test_an_analysis_is_an_object_too(rows):
    found = json.loads(run("analysis", "logs", "--json"))
    assert (found["rows"], found["unscored"]) == (5, 1)
    tables = {table["title"]: table["lines"] for table in found["tables"]}
    [line] = tables["f1 by whether the graph has cycles"]
    assert line["cyclic"] == "acme/rocket-1"
    assert line["True"].startswith("0.100 ")


def test_an_unknown_metric_is_refused(rows):
    with pytest.raises(UnknownName, match="f1"):
        run("analysis", "logs", "--metric", "f11")


def test_rows_without_a_score_have_no_analysis(monkeypatch):
    monkeypatch.setattr("causarium.api.rows.read_rows", lambda _places: [])
    with pytest.raises(UsageError, match="0 ReCITE rows"):
        run("analysis", "logs")


def test_trust_is_measured_and_said():
    assert "approximate" in run("trust")
    found = json.loads(run("trust", "--json"))
    assert found["words"] == found["foreign"] > 200
    assert 0 < found["recall"] < found["precision"] < 1
    assert found["encoder"]["words"] > found["encoder_strangers"]["words"] > 1_000
    assert found["encoder"]["kappa"] > found["encoder_strangers"]["kappa"] >= 0.6
    assert found["strangers"]["kappa"] < 0.3


def test_a_file_is_labelled_and_written(tmp_path, monkeypatch):
    before = [sample_of(generate(LEVELS["paper-mini-names"], 0, place), place) for place in (1, 5)]
    write_samples(tmp_path / "before.jsonl", before)
    asked = []

    def reply(ask):
        asked.append(ask)
        mine = next(one for one in before if one.input_text in ask.user)
        return json.dumps({"scores": dict.fromkeys(mine.names, 2)})

    monkeypatch.setattr(ask_model, "open_model", lambda _model: nullcontext(reply))
    words = (
        "label",
        tmp_path / "before.jsonl",
        "--model",
        "any",
        "--out",
        tmp_path / "after.jsonl",
    )
    said = run(*words)
    assert "explicitness, strict: mean 0.000; documents: 2 at 0-25 %" in said
    assert "explicitness, lenient: mean 1.000" in said
    assert {n for one in read_samples(tmp_path / "after.jsonl") for n in one.labels.values()} == {2}
    run(*words)
    assert len(asked) == 2


def test_a_pass_that_ended_incomplete_is_completed_and_models_are_kept_apart(tmp_path, monkeypatch):
    before = [sample_of(generate(LEVELS["paper-mini-names"], 0, place), place) for place in (1, 5)]
    write_samples(tmp_path / "before.jsonl", before)
    asked = []

    def label(model, said, code=0):
        def reply(ask):
            asked.append(ask)
            mine = next(one for one in before if one.input_text in ask.user)
            return (
                said
                if said and mine is before[1]
                else json.dumps({"scores": dict.fromkeys(mine.names, 2)})
            )

        asked.clear()
        monkeypatch.setattr(ask_model, "open_model", lambda _model: nullcontext(reply))
        words = ("--model", model, "--out", tmp_path / "after.jsonl")
        run("label", tmp_path / "before.jsonl", *words, code=code)
        return len(asked)

    assert label("a", "sorry", code=3) > 2
    assert label("a", "") == 1
    assert label("a", "") == 0
    assert label("b", "") == 2


def test_what_was_not_labelled_is_counted(tmp_path, monkeypatch):
    monkeypatch.setattr(ask_model, "open_model", lambda _model: nullcontext(lambda _ask: "no"))
    write_samples(tmp_path / "a.jsonl", [sample_of(generate(LEVELS["paper-mini-names"], 0, 1), 7)])
    words = ("--model", "any", "--out", tmp_path / "b.jsonl", "--json")
    found = json.loads(run("label", tmp_path / "a.jsonl", *words, code=3))
    assert list(found["unlabelled"]) == ["7"]
    assert found["kappa"] is None
