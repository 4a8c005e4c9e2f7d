"""Files of answers: read, matched, scored, and refused with the line that is wrong."""

import json
import math
from pathlib import Path

import pytest
from typer.testing import CliRunner

from causarium import families
from causarium.cli import app
from causarium.contract.sets.answer_files import (
    GivenAnswer,
    read_answers,
    score_answers,
    summarize_answers,
)
from causarium.contract.sets.instance_sets import find_set, generate_instances
from causarium.errors import BadFile, UsageError
from causarium.families.replayscm.paper.model.instance import gold_formulas, true_roots
from causarium.families.replayscm.paper.publication import write_released

FAMILY = families.get("replayscm")
SHARED = Path(__file__).resolve().parents[2].parent / "shared/data/replayscm"


@pytest.fixture(scope="module")
def smoke():
    return list(generate_instances(FAMILY, find_set(FAMILY, "certified", "smoke").parts))


def right(instance):
    if not instance.id.startswith("replayscm-paper-"):
        return dict(instance.secret.answers)
    if instance.secret.source is not None:
        source = instance.secret.source
        mechanisms = {**instance.public.reference, **source.other}
        return {
            "mechanisms": mechanisms,
            "experiment": source.experiment,
            "witness": source.witness,
        }
    answer = {"mechanisms": gold_formulas(instance)}
    return (
        {**answer, "roots": list(true_roots(instance))} if instance.public.roots is None else answer
    )


def written(tmp_path, lines, *, as_list=False):
    path = tmp_path / "answers.jsonl"
    text = json.dumps(lines) if as_list else "".join(f"{json.dumps(line)}\n" for line in lines)
    path.write_text(text, encoding="utf-8")
    return path


def run(*words):
    return CliRunner().invoke(app, ["score-answers", *map(str, words)])


@pytest.mark.parametrize("as_list", [False, True])
def test_a_file_of_right_answers_earns_everything(tmp_path, smoke, as_list):
    lines = [{"id": i.id, "answer": right(i), "model": "m"} for i in smoke]
    done = run(written(tmp_path, lines, as_list=as_list), "--set", "smoke", "--json")
    assert done.exit_code == 0, done.exception
    (model,) = json.loads(done.stdout)["models"]
    assert (model["model"], model["answered"], model["of"], model["partial"]) == (
        "m",
        len(smoke),
        len(smoke),
        False,
    )
    assert model["metrics"]["exact"]["value"] == 1
    assert "exact: " in run(written(tmp_path, lines), "--set", "smoke").stdout


def test_answers_may_be_whole_replies_of_several_models(tmp_path, smoke):
    lines = []
    for model in ("a", "b"):
        for instance in smoke:
            text = f"Thus: {json.dumps(right(instance))}" if model == "a" else "I do not know."
            lines.append({"problemId": instance.id, "response": text, "model": model})
    found = json.loads(run(written(tmp_path, lines), "--set", "smoke", "--json").stdout)["models"]
    assert [one["metrics"]["exact"]["value"] for one in found] == [1, 0]
    assert [one["stages"] for one in found] == [{"right": len(smoke)}, {"no answer": len(smoke)}]


def test_unanswered_instances_are_refused_unless_allowed(tmp_path, smoke):
    path = written(tmp_path, [{"id": smoke[0].id, "answer": right(smoke[0])}])
    done = run(path, "--set", "smoke")
    assert isinstance(done.exception, UsageError)
    assert "give --partial" in str(done.exception)
    (model,) = json.loads(run(path, "--set", "smoke", "--partial", "--json").stdout)["models"]
    assert model["partial"]
    assert model["answered"] == 1


BAD = {
    "line 2 of": [{"id": "x", "answer": {}}, 3],
    "names no instance": [{"answer": {}}],
    "has 0 answers": [{"id": "x"}],
    "has 2 answers": [{"id": "x", "answer": {}, "text": ""}],
    "no text under text": [{"id": "x", "text": 3}],
    "not a whole number": [{"id": "x", "text": "", "epoch": "one"}],
}


@pytest.mark.parametrize("reason", BAD)
def test_a_line_that_is_no_answer_is_named(tmp_path, reason):
    with pytest.raises(BadFile) as told:
        read_answers(written(tmp_path, BAD[reason]))
    assert reason in str(told.value)


def test_unknown_and_repeated_answers_are_refused_with_their_line(tmp_path, smoke):
    first = {"id": smoke[0].id, "text": "x"}
    unknown = run(written(tmp_path, [first, {"id": "elsewhere", "text": "x"}]), "--set", "smoke")
    assert "line 2 answers 'elsewhere'" in str(unknown.exception)
    again = run(written(tmp_path, [first, first]), "--set", "smoke", "--partial")
    assert "line 1 did already" in str(again.exception)
    epochs = [first, {**first, "epoch": 2}]
    assert run(written(tmp_path, epochs), "--set", "smoke", "--partial").exit_code == 0


@pytest.mark.parametrize("text", ["", "{", "[1,", "\n\n"])
def test_what_is_no_file_of_answers_is_refused(tmp_path, text):
    path = tmp_path / "answers.jsonl"
    path.write_text(text)
    with pytest.raises(BadFile):
        read_answers(path)


def test_answers_to_a_released_file_are_scored(tmp_path):
    instances = [FAMILY.generate(FAMILY.level("paper-block"), 0, index) for index in range(2)]
    write_released(tmp_path / "set.yaml", instances)
    lines = [
        {"instanceId": i.id.removeprefix("replayscm-"), "extractedAnswer": right(i)}
        for i in instances
    ]
    done = run(written(tmp_path, lines), "--instances", tmp_path / "set.yaml", "--json")
    found = json.loads(done.stdout)
    assert found["edition"] == "paper"
    assert found["models"][0]["metrics"]["heldout_exact"]["value"] == 1


def test_the_released_predictions_are_scored_by_one_command():
    if not SHARED.exists():
        pytest.skip("the released sample is not at hand")
    done = run(
        SHARED / "sample_predictions.jsonl", "--instances", SHARED / "sample_runtime.yaml", "--json"
    )
    (model,) = json.loads(done.stdout)["models"]
    assert model["metrics"]["alternative_joint"]["value"] == 1
    assert model["metrics"]["alternative_joint"]["n"] == 2


def test_answers_to_instances_of_one_mechanism_say_no_more_than_one(smoke):
    """Right in the first epoch and silent in the second: .5 of each instance."""
    four = smoke[:4]
    given = [
        GivenAnswer(line, instance.id, "m", epoch, json.dumps(right(instance)) * (epoch == 1))
        for epoch in (1, 2)
        for line, instance in enumerate(four)
    ]
    scored = score_answers(FAMILY, four, given, FAMILY.rules_for("certified"))
    alike = [
        one._replace(instance=one.instance.model_copy(update={"facets": {"mechanism": "clan"}}))
        for one in scored
    ]
    metric = FAMILY.card.headline["certified"]
    (clan,) = summarize_answers(FAMILY, alike, 4)
    assert (clan["metrics"][metric]["value"], clan["metrics"][metric]["n"]) == (0.5, 4)
    assert math.isnan(clan["metrics"][metric]["low"])
