"""Running from Python: what is refused, and what a run is made of."""

import sys
from pathlib import Path

import pytest

import causarium as cm
from causarium.errors import UnknownName, UsageError


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, "Give either --model PROVIDER/MODEL or --player NAME"),
        ({"model": "openai/gpt-5", "player": "random"}, "Give either"),
        ({"player": "randon"}, "did you mean 'random'"),
        ({"player": "random", "limit": 0}, "1 or more, not 0"),
        ({"player": "random", "set": "smok"}, "did you mean 'smoke'"),
        ({"player": "random", "rules": {"interfase": 1}}, "did you mean 'interface'"),
        ({"player": "random", "temprature": 1}, "did you mean --temperature"),
        ({"model": "opnai/gpt-5"}, "did you mean 'openai'"),
        ({"model": "openai/gpt-5", "roles": {"judge": "openai/x"}}, "roles: none"),
        ({"player": "random", "agent": "x.py@y"}, "plays without an agent"),
    ],
)
def test_a_mistake_is_refused_before_anything_happens(
    given: dict, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for call in (cm.evaluate, cm.estimate):
        with pytest.raises(UsageError, match=said):
            call("causallink", **given)
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_family_is_refused() -> None:
    with pytest.raises(UnknownName, match="did you mean 'causallink'"):
        cm.evaluate("causalink", player="random")


def test_an_estimate_calls_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    estimate = cm.estimate(
        "causallink", model="openai/gpt-5", set="smoke", limit=3, epochs=2, price="2,8"
    )
    assert (estimate.samples, estimate.unpriced) == (6, ())
    assert estimate.cost is not None
    assert 0 < estimate.cost[0] < estimate.cost[1]


@pytest.mark.parametrize(("chosen", "count"), [("an-id", 1), (["an-id"], 1), (["a", "b"], 2)])
def test_an_estimate_counts_the_samples_that_are_chosen(chosen: object, count: int) -> None:
    estimate = cm.estimate("causallink", model="openai/gpt-5", set="smoke", sample_id=chosen)
    assert estimate.instances == count


def test_a_set_file_and_rules_make_the_run(tmp_path: Path, capfd: pytest.CaptureFixture) -> None:
    link = cm.load("causallink")
    link.write_set(tmp_path / "mine.jsonl", "rung-3", size=2, seed=3)
    run = cm.evaluate(
        "causallink",
        player="exact",
        file=tmp_path / "mine.jsonl",
        rules={"interface": "tools", "join_system": True},
        log_dir=tmp_path / "logs",
        progress=False,
    )
    assert run.complete
    assert {(row.set, row.interface) for row in run.rows} == {("mine", "tools")}
    assert run.summary()["metrics"]["score"] == run.metrics["score"]
    assert run.summary()["metrics"]["score"]["value"] == 1
    out, err = capfd.readouterr()
    assert out == ""
    assert "causallink, player/exact" not in err
    assert "causarium" in sys.modules
