"""How a run's outcome is summed up, and where it is kept."""

from dataclasses import replace
from pathlib import Path

from causarium.api.prepare_run import make_spec
from causarium.api.run_summary import summarize_run
from causarium.contract.row import Row
from tests.support.lamps import LAMPS


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


def spec(**changes):
    given = {"player": "random", "model": None, "rules": {}}
    arguments = {"edition": "certified", "set": "smoke"}
    return make_spec(LAMPS, **{**given, "arguments": arguments, **changes})


def test_a_family_of_another_package_is_run_by_its_own_task() -> None:
    assert spec().task == "tests/lamps"


def test_what_is_run_decides_the_folder() -> None:
    folders = [
        spec(),
        spec(player="silent"),
        spec(rules={"interface": "tools"}),
        spec(options=("--limit", "2")),
        replace(spec(), version="2-A"),
    ]
    assert len({one.folder for one in folders}) == len(folders)
    assert spec().folder == spec().folder
