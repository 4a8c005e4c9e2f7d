"""A whole run through Inspect with two judges, and scoring again without any."""

import json

import pytest
from inspect_ai import eval as evaluate
from inspect_ai.scorer import scorer

from causarium.contract.family_card import Part
from causarium.contract.sets.instance_sets import generate_instances, write_set
from causarium.contract.texts.role_questions import Ask
from causarium.engine.task.family_task import METRICS, build_task, verdict_scorer
from causarium.families.recite import FAMILY
from causarium.families.recite.model.graphs import graph_of, true_graph
from causarium.families.recite.scoring.match_nodes import match_nodes
from causarium.families.recite.scoring.rule_judge import judge_by_rule
from tests.families.recite.papers import scripted_judge
from tests.support.logs import find_logs, newest_rows, rescore
from tests.support.scripted import in_turn, scripted_model

PARTS = [Part(level="paper-mini", size=1)]


@scorer(metrics=METRICS)
def recite_test_verdict():
    return verdict_scorer(FAMILY)


def judge(labels, spoil=None):
    """A model that labels as it is told."""
    reply = scripted_judge(labels, spoil=spoil)

    def say(messages):
        return reply(Ask(role="judge", system=messages[0].text, user=messages[-1].text))

    return scripted_model(say)


def test_judges_are_asked_in_a_run_and_scoring_again_asks_nobody(tmp_path):
    drawn = tmp_path / "drawn.jsonl"
    write_set(drawn, FAMILY, "certified", PARTS)
    (instance,) = generate_instances(FAMILY, PARTS)
    true = true_graph(instance.secret)
    half = true.edges[::2]
    ours = graph_of(half)
    labels = judge_by_rule(ours, true, match_nodes(ours.nodes, true.nodes, {}))
    answer = {"relationships": [{"source": a, "sink": b} for a, b in half]}
    task = build_task(
        FAMILY,
        recite_test_verdict(),
        edition="certified",
        set_name="smoke",
        file=str(drawn),
        player=None,
        rules={},
    )

    def stern(_, text):
        return text.replace("STRONG_MATCH", "WEAK_MATCH")

    (log,) = evaluate(
        task,
        model=scripted_model(in_turn([json.dumps(answer)])),
        model_roles={"judge": [judge(labels), judge(labels, stern)]},
        log_dir=str(tmp_path / "logs"),
        display="none",
    )
    assert log.status == "success", log.error
    (row,) = newest_rows([tmp_path / "logs"])
    numbers = row.numbers
    assert (numbers["judges"], numbers["judge_questions"]) == (2, 8)
    assert numbers["judge_1_f1"] == pytest.approx(numbers["rule_f1"])
    assert numbers["judge_2_f1"] < numbers["judge_1_f1"]
    mean = (numbers["judge_1_f1"] + numbers["judge_2_f1"]) / 2
    assert numbers["paper_f1"] == pytest.approx(mean)
    assert (
        numbers["f1"]
        == numbers["edge_f1"]
        == pytest.approx(2 * len(half) / (len(half) + len(true.edges)))
    )
    assert row.labels["judged"] == "by judge"
    assert row.usage is not None
    assert "judge" in row.usage.helpers
    (path,) = find_logs([tmp_path / "logs"])
    (again,) = rescore(path, lambda _: FAMILY)
    assert again.same
    assert again.after.numbers["paper_f1"] == pytest.approx(mean)


def test_a_judge_that_never_decides_leaves_the_row_unscored(tmp_path):
    drawn = tmp_path / "drawn.jsonl"
    write_set(drawn, FAMILY, "certified", PARTS)
    task = build_task(
        FAMILY,
        recite_test_verdict(),
        edition="certified",
        set_name="smoke",
        file=str(drawn),
        player=None,
        rules={},
    )
    answer = {"relationships": [{"source": "rain", "sink": "floods"}]}
    (log,) = evaluate(
        task,
        model=scripted_model(in_turn([json.dumps(answer)])),
        model_roles={"judge": scripted_model(lambda _: "I cannot tell.")},
        log_dir=str(tmp_path / "logs"),
        display="none",
    )
    assert log.status == "success", log.error
    (row,) = newest_rows([tmp_path / "logs"])
    assert row.unscored is not None
    assert "lacks items of node_precision, node_recall" in row.unscored
