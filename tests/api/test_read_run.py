"""How a run's outcome is summed up, and where it is kept."""

from dataclasses import replace
from pathlib import Path

import pytest

from causarium import families
from causarium.api.plan_run import RunRequest, plan_run
from causarium.api.read_run import summarize_run
from causarium.contract.row import Row
from tests.support.lamps import FAMILY as LAMPS


def row(id_: int, epoch: int, accuracy: float) -> Row:
    return Row(
        family="causallink",
        version="1-A",
        edition="certified",
        set="smoke",
        agent="m",
        interface="json",
        id=f"causallink-{id_}",
        epoch=epoch,
        facets={},
        numbers={"accuracy": accuracy},
        turns=3,
    )


def test_epochs_of_one_instance_do_not_make_a_mean_surer() -> None:
    once = [row(i, 1, float(i % 2)) for i in range(4)]
    often = [row(i, epoch, float(i % 2)) for i in range(4) for epoch in range(1, 11)]
    assert (
        summarize_run(often, Path("log"))["metrics"] == summarize_run(once, Path("log"))["metrics"]
    )


@pytest.fixture
def plan(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(families, "get", lambda name, _=None: {"lamps": LAMPS}[name])
    return lambda **changes: plan_run(
        RunRequest("lamps", **{"player": "random", "set": "smoke", **changes})
    )


def test_a_family_of_another_package_is_run_by_the_task_that_is_offered(plan) -> None:
    assert plan().task == "causarium/lamps"


def test_what_is_run_decides_the_folder(plan) -> None:
    plans = [
        plan(),
        plan(player="silent"),
        plan(rules={"interface": "tools"}),
        plan(limit=2),
        replace(plan(), version="2-A"),
    ]
    assert len({one.folder for one in plans}) == len(plans)
    assert plan().folder == plan().folder
