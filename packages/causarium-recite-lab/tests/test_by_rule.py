"""A build without a model: from a PDF and an annotation to a set that can be played."""

import json

import pytest
from causarium_recite_lab.analysis.select_documents import statistics
from causarium_recite_lab.building.build_steps import REMOVED, build
from causarium_recite_lab.building.paper_folder import folders
from causarium_recite_lab.building.write_dataset import is_finished, samples
from causarium_recite_lab.commands import app
from typer.testing import CliRunner

from causarium.cli.shared import INCOMPLETE
from causarium.contract.episode import play
from causarium.families.recite.paper import FAMILY
from causarium.families.recite.paper.publication.dataset_files import read_released, read_samples

TEXT = """1 Introduction
Rain brings floods to the valley, and floods wash away the bridges.
Figure 2 shows the model as a causal loop diagram. Broken bridges keep
merchants at home.

RESULTS AND DISCUSSION
Traders pay taxes, and taxes pay for bridges. The diagram in
Figure 3 is large. The CLD was drawn by hand.

References
1. Smith, A. Rain. 2. Jones, B. Floods.
"""
ARROWS = """"Rain" -> "Floods"
"Floods" -> "Bridges"
"Bridges" -> "Home traders"
"taxes" -> "bridges"
"Taxes" -> "Ghosts"
"""


@pytest.fixture
def root(tmp_path):
    paper = tmp_path / "papers" / "valley"
    paper.mkdir(parents=True)
    (paper / "source.txt").write_text(TEXT)
    (paper / "annotation.txt").write_text(ARROWS)
    return tmp_path / "papers"


def test_every_step_is_done_by_rule_and_says_so(root):
    papers = folders(root)
    outcomes = {one.step: one.state for one in build(papers, None, keyless=True)}
    assert outcomes.pop("agreement") == "skipped"
    assert set(outcomes.values()) == {"done"}
    assert is_finished(papers[0])
    [row] = samples(papers)
    assert set(row.made_by.values()) == {"rule"}
    assert "text" not in row.made_by
    assert statistics([row])["made_by_rule"] == 1
    assert row.nodes == ("Bridges", "Floods", "Ghosts", "Home traders", "Rain", "Taxes")


def test_what_speaks_of_the_diagram_goes_and_is_listed(root):
    papers = folders(root)
    build(papers, None, keyless=True)
    text = papers[0].read("normalized.md")
    assert "## 1 Introduction" in text
    assert "## RESULTS AND DISCUSSION" in text
    assert "Broken bridges keep merchants at home." in text
    for gone in ("Figure 2", "Figure 3", "CLD", "Smith"):
        assert gone not in text
    removed = papers[0].read(REMOVED)
    assert len(removed.splitlines()) == 3
    assert "Smith" not in removed


def test_labels_follow_from_words(root):
    papers = folders(root)
    build(papers, None, keyless=True)
    labels = papers[0].value("explicitness.json")
    assert (labels["Rain"], labels["Home traders"], labels["Ghosts"]) == (1, 2, 3)


def test_words_late_in_a_long_sentence_are_near_too(root):
    late = "In " + " ".join(f"word{n}" for n in range(35)) + " the parking at the station grew.\n"
    (root / "valley" / "source.txt").write_text(late)
    (root / "valley" / "annotation.txt").write_text('"Station parking" -> "word1"\n')
    papers = folders(root)
    build(papers, None, keyless=True)
    assert papers[0].value("explicitness.json") == {"Station parking": 2, "word1": 1}


def test_domains_are_those_of_the_paper(root):
    (root / "valley" / "paper.toml").write_text('title = "V"\ndomains = ["Medicine"]\n')
    papers = folders(root)
    build(papers, None, keyless=True)
    assert samples(papers)[0].domains == ("Medicine",)


def test_the_command_makes_a_file_that_can_be_played(root, tmp_path):
    out = tmp_path / "mine.csv"
    done = CliRunner().invoke(app, ["build", str(root), "--keyless", "--out", str(out), "--json"])
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["finished"] == 1
    assert read_samples(out)[0].is_made_by_rule
    [instance] = read_released(out)
    rules = FAMILY.rules_for("paper")
    assert play(FAMILY, instance, rules, "oracle").score().numbers["f1"] == 1


def test_without_a_model_and_without_the_flag_the_flag_is_named(root):
    done = CliRunner().invoke(app, ["build", str(root)])
    assert done.exit_code == INCOMPLETE
    assert "--keyless" in done.output


def test_a_pdf_becomes_a_row_without_a_model(tmp_path):
    pymupdf = pytest.importorskip("pymupdf")
    paper = tmp_path / "papers" / "rain"
    paper.mkdir(parents=True)
    with pymupdf.open() as pdf:
        page = pdf.new_page()
        page.insert_text(
            (72, 72), "1 Floods\n" + "Rain brings floods. Floods break bridges.\n" * 12
        )
        pdf.save(paper / "source.pdf")
    (paper / "annotation.txt").write_text('"Rain" -> "Floods"\n"Floods" -> "Bridges"\n')
    papers = folders(tmp_path / "papers")
    build(papers, None, keyless=True)
    [row] = samples(papers)
    assert row.pairs == (("Rain", "Floods"), ("Floods", "Bridges"))
    assert "Rain brings floods." in row.input_text
