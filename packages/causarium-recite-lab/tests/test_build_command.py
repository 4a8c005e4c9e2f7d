"""`causarium recite build` as people call it."""

import json
from contextlib import nullcontext

import pytest
from causarium_recite_lab import ask_model
from causarium_recite_lab.commands import app
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from test_build import ARROWS, TEXT, Script
from typer.testing import CliRunner

from causarium.contract.texts.role_questions import Ask
from causarium.errors import RunError, UsageError
from causarium.families.recite.paper.publication.dataset_files import read_samples


def called(*words):
    return CliRunner().invoke(app, ["build", *map(str, words)])


@pytest.fixture
def papers(tmp_path):
    paper = tmp_path / "papers" / "valley"
    paper.mkdir(parents=True)
    (paper / "source.txt").write_text(TEXT)
    (paper / "annotation.txt").write_text(ARROWS)
    (paper / "second.txt").write_text(ARROWS)
    return tmp_path / "papers"


def test_a_build_with_a_model_ends_with_a_file_that_can_be_played(papers, tmp_path, monkeypatch):
    monkeypatch.setattr(ask_model, "open_model", lambda _model: nullcontext(Script()))
    out = tmp_path / "rows.jsonl"
    done = called(papers, "--model", "any", "--out", out, "--json")
    assert done.exit_code == 0, done.output
    said = json.loads(done.stdout)
    assert said["finished"] == said["papers"] == 1
    assert said["agreement"]["f1"] == 1
    assert len(read_samples(out)) == 1


def test_without_a_model_a_build_is_incomplete_and_says_what_waits(papers):
    done = called(papers)
    assert done.exit_code == 3
    assert "valley: markdown waiting: it asks a model" in done.stderr
    assert "0 of 1 papers are finished" in done.stdout


def test_a_model_without_a_key_is_asked_wrongly(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(UsageError, match="API_KEY"), ask_model.open_model("openai/gpt-5"):
        pass


def test_a_provider_that_fails_ends_the_build_with_a_reason(monkeypatch):
    def fails(*_given):
        raise OSError("the line is dead")

    model = get_model("mockllm/model", custom_outputs=fails, memoize=False)
    monkeypatch.setattr(ask_model, "get_model", lambda _name, config: model)
    with (
        ask_model.open_model("mockllm/model") as ask,
        pytest.raises(RunError, match="the line is dead"),
    ):
        ask(Ask(role="build", system="s", user="u"))


def test_questions_reach_the_model_and_replies_come_back(monkeypatch):
    def answers(messages, *_more):
        output = ModelOutput.from_content("mockllm/model", f"to {messages[-1].text}")
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return output

    model = get_model("mockllm/model", custom_outputs=answers, memoize=False)
    monkeypatch.setattr(ask_model, "get_model", lambda _name, config: model)
    with ask_model.open_model("mockllm/model") as ask:
        said = [ask(Ask(role="build", system="s", user=str(n))) for n in (1, 2)]
    assert said == ["to 1", "to 2"]
