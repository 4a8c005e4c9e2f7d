"""Whole runs through Inspect: a reply that is repaired by a model, one that is cut, a tool call."""

import json

import pytest
from causarium_recite_lab.commands.datasets import with_runs

from causarium.contract.family_card import Part
from causarium.contract.sets.instance_sets import generate_instances, write_set
from causarium.families.recite.paper import FAMILY
from tests.support.inspect_runs import run_task, task_of
from tests.support.logs import find_logs, newest_rows, rescore
from tests.support.scripted import in_turn, scripted_model

PARTS = [Part(level="paper-mini-names", size=1)]


@pytest.fixture
def played(tmp_path):
    def play(say, **options):
        drawn = tmp_path / "drawn.jsonl"
        write_set(drawn, FAMILY, "paper", PARTS)
        task = task_of(FAMILY, edition="paper", file=str(drawn), **options.pop("rules", {}))
        run_task(task, tmp_path / "logs", scripted_model(say), **options)
        (row,) = newest_rows([tmp_path / "logs"])
        return row

    return play


def truth():
    (instance,) = generate_instances(FAMILY, PARTS)
    edges = instance.secret.edges
    return [{"source": edge.source, "sink": edge.sink} for edge in edges]


def in_words():
    return "\n".join(f"{edge['source']} leads to {edge['sink']}" for edge in truth())


def test_a_reply_in_words_is_repaired_by_the_model_of_that_role(played, tmp_path):
    replies = ["not yet", json.dumps({"relationships": truth()})]
    row = played(
        in_turn([in_words()]),
        model_roles={"repair": scripted_model(lambda _messages: replies.pop(0))},
    )
    assert row.numbers["f1"] == 1
    assert row.numbers["repaired"] == 1
    assert row.labels["repair"] == "model"
    (path,) = find_logs([tmp_path / "logs"])
    (again,) = rescore(path, lambda _: FAMILY)
    assert again.after.numbers == pytest.approx(row.numbers, nan_ok=True)


def test_without_that_role_the_reply_stays_unread(played):
    row = played(in_turn([in_words()]))
    assert row.numbers["f1"] == 0
    assert row.numbers["answered"] == 0
    assert row.numbers["unread"] == row.numbers["slips"] == 1


def test_a_tool_call_hands_in_a_graph_and_its_run_stands_beside_imported_answers(played, tmp_path):
    row = played(in_turn([("submit", {"relationships": truth()})]), rules={"interface": "tools"})
    assert row.numbers["f1"] == 1
    imported = row.model_copy(update={"agent": "vendor/model"})
    rows, panels, problems = with_runs([imported], [tmp_path / "logs"])
    assert [one.agent for one in rows] == ["vendor/model", row.agent]
    assert any("the answer's graph over the document's" in panel.title for panel in panels)
    assert problems == ()
