"""Published responses: read, scored again like fresh replies, and judged by what is stored."""

import json
from pathlib import Path
from typing import Any

import pytest
from causarium_recite_lab.analysis.published_responses import (
    Evaluation,
    Response,
    import_responses,
    read_responses,
    read_stored_evaluations,
)

from causarium.errors import BadFile
from causarium.families.recite.paper import FAMILY
from causarium.families.recite.paper.players import BASELINES
from causarium.families.recite.paper.publication.dataset_files import write_records
from causarium.families.recite.paper.publication.dataset_row import Sample

SAMPLE = Sample.model_validate(
    {
        "id": 7,
        "title": "Wells",
        "nodes": ["Rain", "Well depth"],
        "edges": [{"source": "Rain", "target": "Well depth"}],
        "node_explicitness": {"Rain": 1, "Well depth": 1},
        "input_text": "Rain fills wells and raises the well depth.",
    }
)
RIGHT = json.dumps({"relationships": [{"source": "Rain", "sink": "Well depth"}]})
WRONG = json.dumps({"relationships": [{"source": "Moon", "sink": "Mood"}]})

NODE = "{presence_label: PRESENCE_STRONG_MATCH, semantic_label: %s, abstraction_label: %s}"
LABELS = """
node_precision_evaluations:
  - {node_number: 1, graph_evaluation: {p}, text_evaluation: {p}}
  - {node_number: 2, graph_evaluation: {p}, text_evaluation: {p}}
node_recall_evaluations:
  - {node_number: 1, importance_label: IMPORTANCE_CORE, {r}}
  - {node_number: 2, importance_label: IMPORTANCE_CORE, {r}}
edge_precision_evaluations:
  - edge_number: 1
    graph_evaluation: {presence_label: PRESENCE_STRONG_MATCH,
      directionality_label: DIRECTION_REVERSED, abstraction_label: ABSTRACTION_ALIGNED}
    text_evaluation: {presence_label: PRESENCE_NO_MATCH,
      inference_label: INFERENCE_NA, abstraction_label: ABSTRACTION_NA}
edge_recall_evaluations:
  - {edge_number: 1, importance_label: IMPORTANCE_CENTRAL, presence_label: PRESENCE_STRONG_MATCH,
     directionality_label: DIRECTION_REVERSED, abstraction_label: ABSTRACTION_ALIGNED}
"""
LABELS = LABELS.replace("{p}", NODE % ("SEMANTIC_STRONG", "ABSTRACTION_ALIGNED")).replace(
    "{r}", (NODE % ("SEMANTIC_COMPLETE", "ABSTRACTION_ALIGNED")).strip("{}")
)


def response(**changes: Any) -> Response:
    row = {
        "id": 1,
        "sample_id": 7,
        "model": "vendor/model",
        "task_type": "causal_graph_generation",
        "response_answer": RIGHT,
    }
    return Response.model_validate({**row, **changes})


def evaluation(answer: str, kind: str = "fine_grained", **changes: Any) -> Evaluation:
    row = {
        "id": 1,
        "response_id": 1,
        "sample_id": 7,
        "model": "vendor/model",
        "task_type": "causal_graph_generation",
        "evaluator_type": kind,
        "score": 0.5,
        "evaluation_answer": answer,
    }
    return Evaluation.model_validate({**row, **changes})


def test_a_right_response_is_a_row_with_full_marks() -> None:
    found = import_responses(FAMILY, [SAMPLE], [response()])
    (row,) = found.rows
    assert (row.agent, row.edition, row.set) == ("vendor/model", "paper", "published")
    assert row.numbers["f1"] == 1.0
    assert found.unjudged == 1


def test_baselines_stand_beside_responses_once_a_document() -> None:
    twice = [response(), response(id=2, model="vendor/other")]
    found = import_responses(FAMILY, [SAMPLE], twice)
    assert [row.agent for row in found.baselines] == [f"player/{name}" for name in BASELINES]
    assert {(row.set, row.id) for row in found.baselines} == {("published", found.rows[0].id)}


def test_a_repaired_answer_takes_the_place_of_the_reply() -> None:
    broken = response(response_answer="I could not say.", corrected_answer=RIGHT)
    (row,) = import_responses(FAMILY, [SAMPLE], [broken]).rows
    assert row.numbers["f1"] == 1.0


def test_an_unreadable_response_scores_zero_and_is_not_lost() -> None:
    (row,) = import_responses(FAMILY, [SAMPLE], [response(response_answer=None)]).rows
    assert row.numbers["f1"] == 0.0


def test_ids_are_read_in_the_name_assisted_task() -> None:
    ids = json.dumps({"relationships": [{"source": 1, "sink": 2}]})
    named = response(task_type="causal_graph_generation_with_node_names", response_answer=ids)
    (row,) = import_responses(FAMILY, [SAMPLE], [named], name="test").rows
    assert row.numbers["edge_f1"] == 1.0
    assert row.set == "test-names"


def test_an_answer_in_prose_is_found_as_the_published_scoring_does() -> None:
    loose = response(response_answer=f"Here it is:\n```json\n{RIGHT}\n```\nDone.")
    (row,) = import_responses(FAMILY, [SAMPLE], [loose]).rows
    assert row.numbers["f1"] == 1.0
    assert row.labels["reading"] == "text after the graph"


def test_what_is_not_known_here_is_counted() -> None:
    strangers = [response(sample_id=8), response(task_type="poetry")]
    found = import_responses(FAMILY, [SAMPLE], strangers)
    assert (found.rows, found.strangers) == ((), 2)


@pytest.mark.parametrize(
    "answer",
    [LABELS, f"```yaml\n{LABELS}\n```"],
    ids=["bare", "fenced"],
)
def test_stored_labels_decide_in_the_place_of_a_judge(answer: str) -> None:
    found = import_responses(FAMILY, [SAMPLE], [response()], [evaluation(answer)])
    (row,) = found.rows
    assert row.unscored is None
    assert row.labels["judged"] == "by judge"
    assert row.numbers["node_f1"] == 1.0
    assert row.numbers["edge_f1"] == pytest.approx(0.75)
    assert found.unjudged == 0


def test_labels_stored_question_by_question_are_put_together() -> None:
    parts = LABELS.split("\nedge_precision")
    halves = [evaluation(parts[0]), evaluation("edge_precision" + parts[1])]
    tabled = [evaluation(json.dumps({"nodes": parts[0], "edges": "edge_precision" + parts[1]}))]
    for stored in (halves, tabled):
        (row,) = import_responses(FAMILY, [SAMPLE], [response()], stored).rows
        assert row.numbers["edge_f1"] == pytest.approx(0.75)


def test_what_stored_labels_leave_out_counts_for_nothing() -> None:
    """As in the published code, which averages what is there."""
    short = LABELS.split("\nedge_recall")[0]
    (row,) = import_responses(FAMILY, [SAMPLE], [response()], [evaluation(short)]).rows
    assert row.unscored is None
    assert row.numbers["edge_recall"] == row.numbers["edge_f1"] == 0
    assert row.numbers["node_f1"] == 1
    assert (
        row.numbers["f1"] == row.numbers["paper_f1"] == pytest.approx(2 * 2.75 / 3 / (1 + 2.75 / 3))
    )


def test_malformed_labels_are_scored_as_they_lie_there() -> None:
    """A label of another dimension is worth nothing in its place."""
    strange = LABELS.replace("semantic_label: SEMANTIC_STRONG", "semantic_label: DIRECTION_CORRECT")
    (row,) = import_responses(FAMILY, [SAMPLE], [response()], [evaluation(strange)]).rows
    assert row.numbers["node_precision"] == pytest.approx(2 / 3)


NULL = LABELS.replace(
    "text_evaluation: {presence_label: PRESENCE_NO_MATCH,", "text_evaluation: ~"
).replace("      inference_label: INFERENCE_NA, abstraction_label: ABSTRACTION_NA}\n", "")


@pytest.mark.parametrize("answer", ["node_precision_evaluations: 3", "- a", "a: [", NULL])
def test_what_the_published_code_gives_up_stays_unscored(answer: str) -> None:
    (row,) = import_responses(FAMILY, [SAMPLE], [response()], [evaluation(answer)]).rows
    assert "cannot be scored" in (row.unscored or "")


def test_two_stored_judges_are_two_judges() -> None:
    judges = [evaluation(LABELS, "fine_grained_a"), evaluation(LABELS, "fine_grained_b", id=2)]
    (row,) = import_responses(FAMILY, [SAMPLE], [response()], judges).rows
    assert row.numbers["judges"] == 2
    assert {row.labels["judge_1"], row.labels["judge_2"]} == {"a", "b"}


def test_other_kinds_of_evaluation_judge_nothing() -> None:
    found = import_responses(FAMILY, [SAMPLE], [response()], [evaluation("{}", "graph_similarity")])
    assert found.unjudged == 1


def test_files_are_read_and_bad_rows_named(tmp_path: Path) -> None:
    rows = [response().model_dump(), response(id=2, response_answer=WRONG).model_dump()]
    write_records(tmp_path / "responses.jsonl", rows)
    assert read_responses(tmp_path / "responses.jsonl")[1].reply == WRONG
    write_records(tmp_path / "evaluations.jsonl", [evaluation(LABELS).model_dump()])
    assert read_stored_evaluations(tmp_path / "evaluations.jsonl") == [evaluation(LABELS)]
    write_records(tmp_path / "bad.jsonl", [{"id": 1}])
    with pytest.raises(BadFile, match=r"row 1 of .* is not a response: sample_id"):
        read_responses(tmp_path / "bad.jsonl")


@pytest.mark.parametrize("ending", ["csv", "jsonl"])
def test_what_fetch_writes_is_read_back_where_fields_are_empty(tmp_path: Path, ending: str) -> None:
    common = {"id": 1, "sample_id": 7, "model": "m", "task_type": "causal_graph_generation"}
    path = tmp_path / f"rows.{ending}"
    write_records(path, [{**common, "response_answer": RIGHT, "valid_format": None}])
    assert read_responses(path)[0].valid_format is None
    stored = {**common, "response_id": 1, "evaluator_type": "fine_grained", "score": None}
    write_records(path, [stored])
    assert read_stored_evaluations(path)[0].score is None
