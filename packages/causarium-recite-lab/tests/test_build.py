"""The whole build with a scripted model: from files to rows, resumed, refused where it must be."""

import json
import math

import pytest
from causarium_recite_lab.building.build_steps import STEPS, build
from causarium_recite_lab.building.paper_folder import folders
from causarium_recite_lab.building.write_dataset import (
    Agreed,
    is_finished,
    measure_agreement,
    samples,
)

from causarium.contract.texts.role_questions import Ask
from causarium.errors import BadFile, UnknownName
from causarium.families.recite.paper.publication.dataset_files import read_samples, write_samples
from causarium.scoring.graph_scores import SetAgreement

TEXT = """Rain brings floods to the valley, and floods wash away the bridges.
Figure 2 shows the causal loop diagram. Broken bridges keep traders at home.
Traders pay taxes, and taxes pay for bridges. References 1. Smith 2. Jones
"""
COPY = """Rain brings floods to the valley, and floods wash away the bridges. Figure 2 shows the
causal loop diagram. Broken bridges keep traders at home. Traders pay taxes, and taxes pay for
bridges.
"""
ARROWS = """"Rain" -> "Floods"
"Floods" -> "Bridges"
"Bridges" -> "Traders"
"Traders" -> "Taxes"
"taxes" -> "Bridges"
"""


class Script:
    """A model that does every step well, unless it is told otherwise."""

    def __init__(self, **said: list[str]) -> None:
        self.said = said
        self.asked: list[Ask] = []

    def __call__(self, ask: Ask) -> str:
        self.asked.append(ask)
        name = self._step(ask)
        if self.said.get(name):
            return self.said[name].pop(0)
        return self._well(name, ask)

    def _step(self, ask: Ask) -> str:
        words = {
            "PDF": "markdown",
            "copied a causal diagram": "merge",
            "normalizations": "normalize",
            "domains": "domains",
        }
        return next((step for word, step in words.items() if word in ask.system), "labels")

    def _well(self, name: str, ask: Ask) -> str:
        if name == "markdown":
            return COPY
        if name == "merge":
            return '{"combined_variables": []}'
        if name == "normalize":
            edit = {"start": "Figure 2", "end": "diagram. ", "replacement": ""}
            start = "Figure 2" in ask.user
            return json.dumps({"normalizations": [edit] if start else []})
        if name == "domains":
            return '{"domains": [5, 2]}'
        return json.dumps(
            {"scores": {"Bridges": 1, "Floods": 1, "Rain": 1, "Taxes": 1, "Traders": 1}}
        )


@pytest.fixture
def root(tmp_path):
    paper = tmp_path / "papers" / "valley"
    paper.mkdir(parents=True)
    (paper / "source.txt").write_text(TEXT)
    (paper / "annotation.txt").write_text(ARROWS)
    (paper / "second.txt").write_text(ARROWS.replace('"Traders" -> "Taxes"\n', ""))
    (paper / "paper.toml").write_text(
        'title = "The valley"\ndate = "2025-01-02"\nsource = "MDPI"\n'
    )
    return tmp_path / "papers"


def states(outcomes):
    return {one.step: one.state for one in outcomes}


def test_a_paper_becomes_a_row_of_the_published_schema(root, tmp_path):
    papers = folders(root)
    found = states(build(papers, Script()))
    assert set(found.values()) == {"done"}
    assert is_finished(papers[0])
    [row] = samples(papers)
    assert write_samples(tmp_path / "rows.jsonl", [row]) == 1
    [back] = read_samples(tmp_path / "rows.jsonl")
    assert back.nodes == ("Bridges", "Floods", "Rain", "Taxes", "Traders")
    assert ("Taxes", "Bridges") in back.pairs
    assert "Figure" not in back.input_text
    assert "Broken bridges keep traders at home" in back.input_text
    assert back.domains == ("Economics & Public Policy", "Environmental & Earth Sciences")


def test_two_annotators_who_drew_every_arrow_have_no_kappa(root):
    papers = folders(root)
    for name in ("annotation.txt", "second.txt"):
        (papers[0].path / name).write_text('"Rain" -> "Rain"\n')
    build(papers, None, steps=["agreement"])
    assert papers[0].value("agreement.json")["kappa"] is None
    found = measure_agreement(papers)
    assert found.edges.f1 == 1
    assert math.isnan(found.kappa)


def test_agreement_is_counted_for_each_graph_and_for_all(root):
    papers = folders(root)
    build(papers, Script())
    found = measure_agreement(papers)
    notes = papers[0].record("agreement").notes
    edges = SetAgreement(matched=4, missing=1, extra=0)
    assert found == Agreed(1, edges, kappa=notes["kappa"], node_f1=notes["node_f1"])
    assert notes["node_f1"] == 1
    assert notes["recall"] == pytest.approx(0.8)
    assert 0.8 < notes["kappa"] < 1


def test_agreement_over_the_published_graphs_is_as_published():
    found = Agreed(37, SetAgreement(matched=857, missing=22, extra=5))
    assert found.numbers()["edges"] == 879
    edges = found.edges
    rounded = [round(value, 3) for value in (edges.precision, edges.recall, edges.f1)]
    assert rounded == [0.994, 0.975, 0.984]


def test_what_is_done_is_not_done_again(root):
    papers = folders(root)
    build(papers, Script())
    again = Script()
    assert set(states(build(papers, again)).values()) == {"kept"}
    assert again.asked == []


def test_a_changed_input_makes_due_what_rests_on_it_and_nothing_else(root):
    papers = folders(root)
    build(papers, Script())
    (papers[0].path / "annotation.txt").write_text(ARROWS + '"Rain" -> "Bridges"\n')
    found = states(build(papers, Script()))
    assert found["text"] == found["markdown"] == found["domains"] == "kept"
    assert found["graph"] == found["normalized"] == found["explicitness"] == "done"


def test_a_build_that_was_killed_asks_nothing_twice(root):
    papers = folders(root)

    class Killed(Exception):
        pass

    class Dies(Script):
        def _well(self, name, ask):
            if name == "normalize" and "Figure" not in ask.user:
                raise Killed
            return super()._well(name, ask)

    with pytest.raises(Killed):
        build(papers, Dies())
    resumed = Script()
    assert "failed" not in states(build(papers, resumed)).values()
    assert [resumed._step(ask) for ask in resumed.asked] == ["normalize", "labels", "domains"]


def test_inputs_are_never_changed(root):
    papers = folders(root)
    given = ("source.txt", "annotation.txt", "second.txt", "paper.toml")
    before = [papers[0].read(name) for name in given]
    build(papers, Script())
    assert [papers[0].read(name) for name in given] == before


def test_markdown_with_invented_words_is_refused_and_asked_for_again(root):
    papers = folders(root)
    lie = COPY.replace("Rain brings", "Heavy tropical rain always brings")
    script = Script(markdown=[lie])
    assert states(build(papers, script))["markdown"] == "done"
    assert papers[0].record("markdown").notes["replies_refused"] == 1
    assert "tropical" in script.asked[1].user


def test_a_summary_is_no_copy(root):
    papers = folders(root)
    script = Script(markdown=["Rain brings floods."])
    [failed] = [one for one in build(papers, script) if one.step == "markdown"]
    assert failed.state == "failed"
    assert "keeps" in failed.detail


def test_a_failed_step_holds_up_what_rests_on_it_and_no_other_paper(root):
    other = root / "plain"
    other.mkdir()
    (other / "source.txt").write_text(TEXT)
    (other / "annotation.txt").write_text(ARROWS + "rain causes floods\n")
    found = build(folders(root), Script())
    plain = states([one for one in found if one.paper == "plain"])
    assert plain["graph"] == "failed"
    assert plain["normalized"] == plain["explicitness"] == "waiting"
    assert plain["agreement"] == "skipped"
    assert set(states([one for one in found if one.paper == "valley"]).values()) == {"done"}
    [graph] = [one for one in found if one.paper == "plain" and one.step == "graph"]
    assert "line 6" in graph.detail


def test_a_failed_step_is_tried_anew_with_new_replies(root):
    papers = folders(root)
    assert states(build(papers, Script(domains=["no"] * 3)))["domains"] == "failed"
    assert states(build(papers, Script()))["domains"] == "done"


def test_files_that_cannot_be_read_hold_up_no_other_paper(root):
    other = root / "torn"
    other.mkdir()
    (other / "source.txt").write_bytes(b"\xff\xfe\x00 no text")
    (other / "annotation.txt").write_text(ARROWS)
    (other / "paper.toml").write_text("title = ")
    found = build(folders(root), Script())
    torn = states([one for one in found if one.paper == "torn"])
    assert torn["text"] == torn["domains"] == "failed"
    assert set(states([one for one in found if one.paper == "valley"]).values()) == {"done"}


def test_a_file_that_somebody_broke_fails_its_step_and_names_the_file(root):
    papers = folders(root)
    build(papers, Script(), steps=["text", "markdown", "graph"])
    (papers[0].path / "graph.json").write_text('{"nodes": ')
    [found] = build(papers, Script(), steps=["normalized"])
    assert found.state == "failed"
    assert "graph.json is not JSON" in found.detail


def test_a_row_keeps_its_number_when_other_papers_are_finished(root):
    other = root / "aaa"
    other.mkdir()
    (other / "source.txt").write_text("")
    papers = folders(root)
    build(papers, Script())
    assert [row.id for row in samples(papers)] == [2]
    (other / "source.txt").write_text(TEXT)
    (other / "annotation.txt").write_text(ARROWS)
    build(papers, Script())
    assert [row.id for row in samples(papers)] == [1, 2]


def test_a_number_may_be_given_and_is_given_once(root):
    about = root / "valley" / "paper.toml"
    about.write_text(f"id = 70\n{about.read_text()}")
    other = root / "plain"
    other.mkdir()
    (other / "source.txt").write_text(TEXT)
    (other / "annotation.txt").write_text(ARROWS)
    papers = folders(root)
    build(papers, Script())
    assert [row.id for row in samples(papers)] == [1, 70]
    (other / "paper.toml").write_text('id = 70\ntitle = "Another"\n')
    build(papers, Script())
    with pytest.raises(BadFile, match="2 papers have the number 70"):
        samples(papers)


def test_whoever_watches_is_told_of_each_step_and_what_it_counted(root):
    seen = []
    found = build(folders(root), Script(), watch=seen.append)
    assert seen == found
    said = {one.step: one.detail for one in found}
    assert said["markdown"] == "87% of 38 words kept, 0 different ones invented, 0 replies refused"
    assert said["graph"] == ("5 nodes, 5 edges, 1 slips, names merged: 1 by rule, 0 by model")
    assert said["normalized"] == "1 edits in 2 rounds, 0 replies refused"
    assert said["agreement"].startswith("precision 1.000, recall 0.800")
    assert said["explicitness"] == "lenient 1.000, strict 1.000"


def test_a_text_that_never_settles_says_so(root):
    edit = {"start": "Rain", "end": "Rain", "replacement": "Rain"}
    endless = Script(normalize=[json.dumps({"normalizations": [edit]})] * 10)
    [found] = [one for one in build(folders(root), endless) if one.step == "normalized"]
    assert found.state == "done"
    assert "the last round still had edits" in found.detail


def test_without_a_model_the_steps_that_need_none_are_done(root):
    found = states(build(folders(root), None))
    assert found["text"] == found["agreement"] == "done"
    assert found["markdown"] == found["domains"] == "waiting"


def test_one_step_alone_can_be_done(root):
    assert states(build(folders(root), Script(), steps=["text"])) == {"text": "done"}
    with pytest.raises(UnknownName, match="unknown step 'tekst'"):
        build(folders(root), Script(), steps=["tekst"])


def test_a_folder_without_papers_says_what_is_missing(tmp_path):
    with pytest.raises(BadFile, match=r"source\.pdf"):
        folders(tmp_path)


def test_steps_make_files_of_their_own():
    made = [step.makes for step in STEPS]
    assert len(set(made)) == len(made)
