"""Papers chosen from a list by the published rules, and what is said of the others."""

import csv
import json

import pytest
from causarium_recite_lab.building.collect_papers import collect_papers
from causarium_recite_lab.building.paper_folder import folders
from causarium_recite_lab.commands import app
from typer.testing import CliRunner

from causarium.errors import BadFile

CLD = "A causal loop diagram is drawn."
ROWS = [
    {
        "title": "Rain and floods",
        "abstract": CLD,
        "url": "u1",
        "date": "2023-01-02",
        "file": "a.txt",
    },
    {"title": "Without one", "abstract": "Regression."},
    {"title": "In a room", "abstract": f"{CLD} We held a Workshop."},
    {"title": "Together", "abstract": f"{CLD} By group model building."},
    {"title": "Unclear", "abstract": CLD, "excluded": "illegible"},
    {"title": "Gone", "abstract": CLD, "file": "missing.pdf"},
    {"title": "Outside", "abstract": CLD, "file": "../secret.txt"},
    {"title": "Rain and floods", "abstract": CLD},
    {"title": "Later", "keywords": "causal-loop diagrams"},
]


@pytest.fixture
def records(tmp_path):
    inside = tmp_path / "lists"
    inside.mkdir()
    (inside / "a.txt").write_text("Rain brings floods.")
    (tmp_path / "secret.txt").write_text("no")
    path = inside / "list.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in ROWS))
    return path


def test_every_record_is_kept_or_has_its_reason(records, tmp_path):
    found = collect_papers(records, tmp_path / "papers")
    assert found.kept == ("rain-and-floods", "later")
    assert found.candidates == 8
    with (tmp_path / "papers" / "excluded.csv").open(newline="") as file:
        reasons = {row["title"]: row["reason"] for row in csv.DictReader(file)}
    assert reasons == {
        "Without one": "no causal loop diagram",
        "In a room": "workshop",
        "Together": "group model building",
        "Unclear": "illegible",
        "Gone": "the file is missing",
        "Outside": "the file is missing",
        "Rain and floods": "listed before",
    }


def test_a_folder_is_what_the_build_works_on(records, tmp_path):
    collect_papers(records, tmp_path / "papers")
    [paper] = folders(tmp_path / "papers")
    about = paper.read_about()
    assert (about.title, about.url, about.date) == ("Rain and floods", "u1", "2023-01-02")
    (paper.path / "paper.toml").write_text('title = "mine"\n')
    collect_papers(records, tmp_path / "papers")
    assert paper.read_about().title == "mine"


def test_titles_in_any_script_have_folders_of_their_own(tmp_path):
    path = tmp_path / "list.jsonl"
    titles = ("城市交通研究", "水资源管理", "Überschwemmung in Köln", "—", "...", "𠀀" * 90)
    records = [{"title": title, "abstract": CLD} for title in titles]
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records))
    kept = collect_papers(path, tmp_path / "papers").kept
    assert len(set(kept)) == len(titles)
    assert kept[2].startswith("überschwemmung-in-köln-")
    assert collect_papers(path, tmp_path / "papers").kept == kept


def test_an_unknown_reason_is_refused(tmp_path):
    path = tmp_path / "list.jsonl"
    path.write_text(json.dumps({"title": "x", "excluded": "boring"}))
    with pytest.raises(BadFile, match="'boring' is no reason; reasons are no graph"):
        collect_papers(path, tmp_path / "papers")


def test_the_command_prints_candidates_and_kept(records, tmp_path):
    words = ["collect", str(records), "--out", str(tmp_path / "papers")]
    said = CliRunner().invoke(app, words)
    assert said.exit_code == 0, said.output
    assert "8 candidates, 2 kept (published: 646 and 292)" in said.output
    found = json.loads(CliRunner().invoke(app, [*words, "--json"]).output)
    assert (found["candidates"], found["kept"]) == (8, 2)
