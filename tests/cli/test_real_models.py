"""Models under test as a stranger runs them: options, prices, cards, and what may be mixed."""

import json
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.model import (
    ChatMessage,
    GenerateConfig,
    ModelAPI,
    ModelOutput,
    ModelUsage,
    modelapi,
)
from inspect_ai.tool import ToolChoice, ToolInfo

from causarium.engine.logbook.run_card import RunCard
from tests.support.typed import Command

SMOKE = ("run", "causallink", "--set", "smoke", "--limit", "1")
MODEL = ("--model", "mumbling/model")


@modelapi(name="mumbling")
class MumblingProvider(ModelAPI):
    """A provider whose model never says anything that can be read, and counts tokens."""

    async def generate(
        self,
        input: list[ChatMessage],
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> ModelOutput:
        output = ModelOutput.from_content(self.model_name, "Hm.")
        output.usage = ModelUsage(input_tokens=1_000, output_tokens=500, total_tokens=1_500)
        return output


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["causallink", *MODEL, "--temprature", "1"], "did you mean --temperature"),
        (["causallink", *MODEL, "--temperature", "hot"], "Input should be a valid number"),
        (["causallink", *MODEL, "--solver", "mine"], "--solver cannot be set here"),
        (["causallink", *MODEL, "--model-role", "judge=openai/x"], "roles: none"),
        (["recite", *MODEL, "--model-role", "jugde=openai/x"], "did you mean 'judge'"),
        (["recite", *MODEL, "--model-role", "judge=opnai/x"], "did you mean 'openai'"),
        (["all", *MODEL, "--model-role", "critic=openai/x"], "interpreter, judge, repair"),
        (["causallink", *MODEL, "--cost-limit", "1"], "--price IN,OUT"),
        (["causallink", *MODEL, "--price", "much"], "IN,OUT"),
        (["causallink", *MODEL, "--price", "judge=1,2"], "roles of this run: agent"),
        (["--seed", "1", *MODEL], "name one family"),
        (["causallink", "recite", *MODEL], "Unexpected argument 'recite'"),
    ],
)
def test_a_wrong_option_exits_2_before_anything_happens(
    words: list[str], said: str, causarium: Command, tmp_path: Path
) -> None:
    done = causarium("run", *words)
    assert done.returncode == 2, (done.stdout, done.stderr)
    assert said in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
    assert list(tmp_path.iterdir()) == []


def run(causarium: Command, *words: str) -> tuple[dict[str, Any], str]:
    done = causarium(*SMOKE, *MODEL, "--json", *words)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout), done.stderr


def test_settings_reach_the_provider_and_runs_that_differ_are_not_mixed(
    causarium: Command, tmp_path: Path
) -> None:
    cool, said = run(causarium, "--price", "2,8", "--temperature", "0.5", "--epochs", "2")
    assert "causallink, mumbling/model: 2/2" in said
    assert "tokens in" in said
    assert "$0.0" in said
    warm, _ = run(causarium, "--temperature", "1", "--", "--seed", "3")
    again, _ = run(causarium, "--seed=3", "--temperature", "1.0", "--max-connections", "7")
    assert again["log"] == warm["log"]

    card = RunCard.model_validate_json((tmp_path / cool["log"]).with_name("card.json").read_text())
    assert (card.settings["temperature"], card.epochs, card.limit) == (0.5, 2, "1")

    apart = causarium("score", "logs", "--json")
    assert apart.returncode == 0, apart.stderr
    assert [json.loads(line)["n"] for line in apart.stdout.splitlines()] == [2, 1]

    shown = causarium("score", "--card", warm["log"])
    assert "provider settings: " in shown.stdout
    assert "seed=3" in shown.stdout
    (line,) = causarium("score", "--card", "--json", warm["log"]).stdout.splitlines()
    assert RunCard.model_validate_json(line).seed == 3

    assert causarium("report", "logs", "--out", "out").returncode == 0
    report = (tmp_path / "out" / "report.md").read_text(encoding="utf-8")
    assert "mumbling/model (temperature=0.5, seed=default)" in report
    assert "mumbling/model (temperature=1.0, seed=3)" in report
    assert "--temperature 1.0 --seed 3" in report
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert '<details class="card">' in page
    assert "<h3>Unusable replies</h3>" in page
    assert "<h3>Tokens, time and cost</h3>" in page
    first = json.loads((tmp_path / "out" / "rows.jsonl").read_text().splitlines()[0])
    used = first["usage"]
    assert all(reply == [1000, 0, 500] for reply in used["replies"])
    assert used["agent"]["cost"] == pytest.approx(len(used["replies"]) * 0.006)


def test_logs_of_one_run_are_put_together(causarium: Command) -> None:
    """But for those of another limit: it is spread over levels, and so is another part."""
    one, _ = run(causarium)
    again, _ = run(causarium, "--log-dir", "again")
    more = json.loads(causarium(*SMOKE[:-1], "2", *MODEL, "--json").stdout)
    logs = [one["log"], again["log"], more["log"]]
    assert len(set(logs)) == 3
    done = causarium("score", *logs, "--json")
    assert done.returncode == 0, done.stderr
    together, other = sorted(map(json.loads, done.stdout.splitlines()), key=lambda run: run["n"])
    assert (together["n"], sorted(together["logs"])) == (1, sorted(logs[:2]))
    assert (other["n"], other["log"]) == (2, more["log"])
    assert together["changed"] == []
    told = causarium("score", *logs[:2])
    assert "1 samples are in several of these logs" in told.stderr


def test_a_dry_run_asks_nobody_and_leaves_nothing(
    causarium: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    words = ["run", "causallink", "--model", "openai/gpt-5", "--set", "smoke", "--dry-run"]
    done = causarium(*words, "--epochs", "2", "--price", "2,8", "--json")
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    found = json.loads(done.stdout)
    (one,) = found["runs"]
    assert (one["samples"], found["total"]["samples"]) == (12, 12)
    agent = one["taken"]["agent"]
    # One for each table of rung 1, and a trial and an answer for each of the others.
    assert 20 <= agent["low"]["calls"] < agent["high"]["calls"]
    low, high = one["cost"]
    assert low == pytest.approx((agent["low"]["input"] * 2 + agent["low"]["output"] * 8) / 1e6)
    assert 0 < low < high == found["total"]["cost"][1]

    told = causarium(*words, "--limit", "3")
    assert "causallink, smoke" in told.stdout
    assert "unknown" in told.stdout
    assert "4 characters per token (rough)" in told.stderr
    assert "Price unknown: give --price IN,OUT" in told.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_dry_run_counts_the_helpers_that_are_bound(causarium: Command) -> None:
    # The certified edition has names to choose from and asks no judge.
    words = ["run", "recite", *MODEL, "--edition", "paper", "--set", "smoke", "--limit", "2"]
    words += ["--dry-run", "--json"]
    done = causarium(*words, "--model-role", "judge=openai/a,openai/b", "--price", "1,2")
    assert done.returncode == 0, done.stderr
    (one,) = json.loads(done.stdout)["runs"]
    assert one["taken"]["judge"]["low"]["calls"] >= 2 * 2
    assert (one["cost"], one["unpriced"]) == (None, ["judge"])
