"""Budget and breaker: what is spent stays within bounds, an outage ends a run, and both resume."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from causarium.api.evaluate import Run, evaluate
from causarium.cli import app
from causarium.engine.gate import (
    LEDGER,
    CallRefused,
    Gate,
    carry_failures,
    count_failures,
    note_spending,
    open_gate,
    read_spending,
    why_closed,
)
from causarium.engine.play.providers import ScriptModel
from causarium.errors import UsageError

SIZE, AT_ONCE = 6, 2


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    made: list[str] = []
    generate = ScriptModel.generate

    async def counted(self: ScriptModel, *given: Any, **named: Any) -> Any:
        made.append(self.model_name)
        return await generate(self, *given, **named)

    monkeypatch.setattr(ScriptModel, "generate", counted)
    return made


def play(folder: Path, model: str = "script/silent", **more: Any) -> Run:
    given = {"set": "smoke", "limit": SIZE, "max_samples": AT_ONCE, "progress": False, **more}
    return evaluate("causallink", model=model, log_dir=folder, **given)


def script(folder: Path, reply: object) -> str:
    path = folder / "replies.jsonl"
    path.write_text(json.dumps(reply))
    return f"script/{path}"


def test_a_budget_ends_a_run_and_more_of_it_resumes_it(tmp_path: Path, calls: list[str]) -> None:
    whole = play(tmp_path / "whole", price="1,1")
    cost = sum(row.usage.agent.cost for row in whole.rows if row.usage)
    dearest = max(row.usage.agent.cost for row in whole.rows if row.usage)
    assert whole.complete
    budget = cost / 2
    calls.clear()
    half = play(tmp_path, price="1,1", budget=budget)
    made = len(calls)
    assert not half.complete
    assert 0 < half.unscored < SIZE
    assert any("The budget of $" in (row.unscored or "") for row in half.rows)
    spent = read_spending(half.folder)
    assert budget <= spent <= budget + AT_ONCE * dearest
    # The same again: all is spent already, and nothing is asked.
    assert not play(tmp_path, price="1,1", budget=budget).complete
    assert len(calls) == made
    again = play(tmp_path, price="1,1", budget=10 * cost)
    assert read_spending(half.folder) >= cost
    assert again.complete
    assert again.folder == half.folder
    assert [repr(row.numbers) for row in again.rows] == [repr(row.numbers) for row in whole.rows]


def test_a_complete_run_is_read_again_when_its_budget_is_spent(tmp_path: Path) -> None:
    words = ["run", "causallink", "--model", "script/silent", "--set", "smoke", "--limit", "1"]
    words += ["--price", "1,1", "--log-dir", str(tmp_path), "--json"]
    first = CliRunner().invoke(app, words)
    again = CliRunner().invoke(app, [*words, "--budget", "1e-9"])
    assert (first.exit_code, again.exit_code) == (0, 0), again.stderr
    assert json.loads(again.stdout) == json.loads(first.stdout)
    assert "is spent" not in again.stderr
    more = CliRunner().invoke(app, [*words, "--budget", "1e-9", "--temperature", "1"])
    assert more.exit_code == 3
    assert "is spent" in more.stderr


def test_an_outage_costs_few_calls_and_the_run_resumes(tmp_path: Path, calls: list[str]) -> None:
    model = script(tmp_path, {"fail": "down"})
    down = play(tmp_path, model, breaker=3)
    assert len(calls) <= 3 + AT_ONCE
    assert down.unscored + down.missing == SIZE
    assert any("failed 3 times in a row" in (row.unscored or "") for row in down.rows)
    calls.clear()
    script(tmp_path, "I do not know.")
    assert play(tmp_path, model, breaker=3).complete


def test_without_a_breaker_every_sample_is_tried(tmp_path: Path, calls: list[str]) -> None:
    play(tmp_path, script(tmp_path, {"fail": "down"}), breaker=0)
    assert len(calls) >= SIZE


def test_an_answer_ends_a_row_of_failures() -> None:
    gate = Gate(None, 3)
    gate.failures = 2
    gate.check()
    gate.failures = 3
    with pytest.raises(CallRefused, match="3 times in a row"):
        gate.check()
    Gate(None, 0, spent=9.0).check()
    with pytest.raises(CallRefused, match=r"budget of \$1 is spent"):
        Gate(1.0, 0, spent=1.0).check()


def test_a_gate_lasts_as_long_as_its_block() -> None:
    with open_gate(2.0) as gate:
        assert why_closed() is None
        gate.pay(2.0)
        assert why_closed() == gate.reason is not None
    assert why_closed() is None


def test_what_a_killed_session_spent_is_written_down_call_by_call(tmp_path: Path) -> None:
    with open_gate(5.0) as gate, note_spending(tmp_path):
        gate.pay(1.5)
        gate.pay(0.25)
        assert read_spending(tmp_path) == 1.75
    with (tmp_path / LEDGER).open("a") as file:
        file.write("0.2e-")
    with open_gate(5.0, folders=[tmp_path]) as again:
        assert again.spent == 1.75


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"budget": 1.0, "model": "script/echo"}, "--budget needs the price of agent"),
        ({"budget": 0.0, "price": "1,1"}, "above 0"),
        ({"budget": float("nan"), "price": "1,1"}, "above 0"),
        ({"breaker": -1}, "number of failures"),
    ],
)
def test_what_cannot_be_kept_is_refused(given: dict[str, Any], why: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=why):
        play(tmp_path, **given)


def test_the_price_of_a_judge_is_needed_too(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--budget needs the price of judge"):
        evaluate(
            "recite",
            model="script/silent",
            set="smoke",
            roles={"judge": "script/echo"},
            price="1,1",
            budget=1.0,
            log_dir=tmp_path,
        )


AGENT = """
from inspect_ai.agent import agent
from inspect_ai.model import get_model

@agent
def asks(tools):
    async def execute(state):
        while True:
            state.output = await get_model().generate(state.messages)
            state.messages.append(state.output.message)
    return execute
"""


@pytest.mark.slow
def test_an_agent_of_one_s_own_passes_the_gate_too(tmp_path: Path, calls: list[str]) -> None:
    file = tmp_path / "mine.py"
    file.write_text(AGENT)
    run = play(tmp_path, price="1,1", budget=1e-6, agent=f"{file}@asks", limit=6)
    assert not run.complete
    assert len(calls) <= 2 * AT_ONCE
    assert all("The budget of $" in (row.unscored or "") for row in run.rows)


def test_what_another_process_counted_closes_the_gate_for_good() -> None:
    with open_gate(breaker=2):
        carry_failures(1, "Down: why")
        assert (count_failures(), why_closed()) == ((1, "Down: why"), None)
        for count in (2, 0):
            carry_failures(count, f"Down: {count}")
            assert "2 times in a row (last: Down: 2)." in (why_closed() or "")
