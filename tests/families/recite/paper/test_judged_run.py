"""A whole run through Inspect with two judges, and scoring again without any."""

import json

import pytest

from causarium.contract.family_card import Part
from causarium.contract.sets.instance_sets import generate_instances, write_set
from causarium.contract.texts.role_questions import Ask
from causarium.families.recite.paper import FAMILY
from causarium.families.recite.paper.model.graphs import graph_of, true_graph
from causarium.families.recite.paper.scoring.match_nodes import match_nodes
from causarium.families.recite.paper.scoring.rule_judge import judge_by_rule
from tests.families.recite.paper.papers import scripted_judge
from tests.support.inspect_runs import run_task, task_of
from tests.support.logs import find_logs, newest_rows, rescore
from tests.support.scripted import in_turn, scripted_model

PARTS = [Part(level="paper-mini", size=1)]


def judge(labels, spoil=None):
    """A model that labels as it is told."""
    reply = scripted_judge(labels, spoil=spoil)

    def say(messages):
        return reply(Ask(role="judge", system=messages[0].text, user=messages[-1].text))

    return scripted_model(say)


def run_judged(tmp_path, answer, judges):
    drawn = tmp_path / "drawn.jsonl"
    write_set(drawn, FAMILY, "paper", PARTS)
    model = scripted_model(in_turn([json.dumps(answer)]))
    task = task_of(FAMILY, edition="paper", file=str(drawn))
    run_task(task, tmp_path / "logs", model, model_roles={"judge": judges})
    (row,) = newest_rows([tmp_path / "logs"])
    return row


def test_judges_are_asked_in_a_run_and_scoring_again_asks_nobody(tmp_path):
    (instance,) = generate_instances(FAMILY, PARTS)
    true = true_graph(instance.secret)
    half = true.edges[::2]
    ours = graph_of(half)
    labels = judge_by_rule(ours, true, match_nodes(ours.nodes, true.nodes, {}))
    answer = {"relationships": [{"source": a, "sink": b} for a, b in half]}

    def stern(_, text):
        return text.replace("STRONG_MATCH", "WEAK_MATCH")

    row = run_judged(tmp_path, answer, [judge(labels), judge(labels, stern)])
    numbers = row.numbers
    assert (numbers["judges"], numbers["judge_questions"]) == (2, 8)
    assert numbers["judge_1_f1"] == pytest.approx(numbers["rule_f1"])
    assert numbers["judge_2_f1"] < numbers["judge_1_f1"]
    mean = (numbers["judge_1_f1"] + numbers["judge_2_f1"]) / 2
    assert numbers["f1"] == numbers["paper_f1"] == pytest.approx(mean)
    assert row.labels["judged"] == "by judge"
    assert row.usage is not None
    assert "judge" in row.usage.helpers
    (path,) = find_logs([tmp_path / "logs"])
    (again,) = rescore(path, lambda _: FAMILY)
    assert again.same
    assert again.after.numbers["paper_f1"] == pytest.approx(mean)


def test_a_judge_that_never_decides_leaves_the_row_unscored(tmp_path):
    answer = {"relationships": [{"source": "rain", "sink": "floods"}]}
    row = run_judged(tmp_path, answer, [scripted_model(lambda _: "I cannot tell.")])
    assert row.unscored is not None
    assert "lacks items of node_precision, node_recall" in row.unscored
