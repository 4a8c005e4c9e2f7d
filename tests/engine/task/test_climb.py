"""A climb ends after two rungs without a score above 0, and the log says what was not played."""

from pathlib import Path

import inspect_ai
from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.log import read_eval_log
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer
from inspect_ai.solver import TaskState

from causarium.contract.instance import Instance, Public, Secret
from causarium.contract.rungs import RUNG
from causarium.engine.task.climb import REASON, Climb

RUNGS = 6
EACH = 8


def _ladder() -> list[Instance[Public, Secret]]:
    return [
        Instance(
            id=f"toy-rung-{rung}-{index:04d}", public=Public(), secret=Secret(), facets={RUNG: rung}
        )
        for rung in range(1, RUNGS + 1)
        for index in range(EACH)
    ]


@scorer(metrics={"score": [mean()]})
def _solves_two_rungs() -> Scorer:
    async def score(state: TaskState, target: Target) -> Score:
        rung = int(str(state.sample_id).split("-")[2])
        return Score(value={"score": 1.0 if rung <= 2 else 0.0})

    return score


def test_rungs_above_two_without_a_score_are_not_played(tmp_path: Path) -> None:
    ladder = _ladder()
    task = Task(
        name="toy",
        dataset=MemoryDataset([Sample(id=one.id, input="?") for one in ladder]),
        solver=[],
        scorer=_solves_two_rungs(),
        early_stopping=Climb(ladder, "score"),
    )
    (log,) = inspect_ai.eval(
        task, model="mockllm/model", log_dir=str(tmp_path), display="none", max_samples=1
    )
    assert log.status == "success"
    read = read_eval_log(log.location)
    assert len(read.samples or []) == 4 * EACH
    assert read.results is not None
    stops = read.results.early_stopping
    assert stops is not None
    assert stops.metadata == {"last_rung": 4}
    assert {stop.reason for stop in stops.early_stops} == {REASON}
    assert len(stops.early_stops) == 2 * EACH
