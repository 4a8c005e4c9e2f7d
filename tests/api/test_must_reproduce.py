"""Numbers that the API has to give: renew them when a family's version changes its instances."""

import math
from pathlib import Path

import pytest

import causarium as cm
from causarium.scoring.intervals import Interval

LINK_ITEM = "causallink-rung-2-0000"
LINK_BUDGET = 3
LINK_MINE = (0.0, 0.0, 0.0)
LINK_EXACT = (1.0, 1.0, 1.0)
LINK_LEAD = (1.0, 1.0, 1.0)
LINK_RANDOM = (-0.0833, -0.8557, 0.689)


def rounded(interval: Interval) -> tuple[float, float, float]:
    return round(interval.value, 4), round(interval.low, 4), round(interval.high, 4)


def hold_and_look(public, rules, rng):
    seen = yield {"kind": "trial", "hold": [public.asked]}
    yield {"kind": "answer", "answer": "no" if seen.data["moved"] else "yes"}


def test_a_researcher_compares_a_player_of_their_own_with_the_best() -> None:
    link = cm.load("causallink")
    tools = link.rules(interface="tools")
    items = link.generate("rung-2", size=40)
    mine = link.play(hold_and_look, items, rules=tools)
    best = link.play("exact", items, rules=tools)
    assert rounded(mine.mean("score")) == LINK_MINE
    assert rounded(best.mean("score")) == LINK_EXACT
    lead = best.compare(mine, "score")
    assert (rounded(lead), lead.n) == (LINK_LEAD, 40)
    assert {row.agent for row in mine} == {"player/hold_and_look"}


def test_a_student_steps_through_an_episode() -> None:
    link = cm.load("causallink")
    item = link.instances("smoke")[2]
    assert item == link.instance("smoke", 2)
    session = link.open(item)
    assert item.public.asked in session.reset()
    assert (item.id, session.budget_left) == (LINK_ITEM, LINK_BUDGET)
    step = session.step({"kind": "trial", "hold": [item.public.asked]})
    assert (step.data, step.cost) == ({"moved": False, "left": LINK_BUDGET - 1}, 1)
    assert session.budget_left == LINK_BUDGET - 1
    assert session.score().numbers["score"] == 0


def test_an_engineer_runs_reads_and_scores_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run = cm.evaluate("causallink", player="random", set="smoke", epochs=2, progress=False)
    assert run.complete
    assert (len(run.rows), run.expected, run.missing, run.unscored) == (12, 12, 0, 0)
    value, low, high = (run.metrics["score"][name] for name in ("value", "low", "high"))
    assert rounded(Interval(value or 0, low or 0, high or 0, 6)) == LINK_RANDOM
    read, again = cm.read_rows("logs"), cm.rescore("logs")
    assert rounded(read.mean("score")) == LINK_RANDOM
    assert [same(row) for row in read] == [same(row) for row in again]
    assert {row.proof for row in again} == {""}
    resumed = cm.evaluate("causallink", player="random", set="smoke", epochs=2, progress=False)
    assert (resumed.log, len(resumed.rows)) == (run.log, 12)
    report = cm.write_report("logs", out="out", formats=["md"])
    assert "player/random" in report.files["md"].read_text(encoding="utf-8")
    assert len(report.rows.where(agent="player/random")) == 12


def same(row: object) -> object:
    data = row.model_dump()  # type: ignore[attr-defined]
    numbers = {key: None if math.isnan(value) else value for key, value in data["numbers"].items()}
    return {**data, "numbers": numbers, "proof": ""}
