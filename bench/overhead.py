"""What our layer costs over a bare Inspect task of the same turns, and the memory of many samples.

Both tasks have the same openings, the same mock model and messages of the same length; what is
counted is processor time, since the machine may have other work. Runs of several sizes, taken in
alternating rounds, tell the cost of a turn from that of a sample and from that of a run.
"""

import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from statistics import median

import inspect_ai
from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageUser,
    GenerateConfig,
    Model,
    ModelOutput,
    ModelUsage,
    get_model,
)
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.tool import ToolChoice, ToolInfo

from bench.measure import Measurement
from causarium.families.causalab.task import causalab

SHORT, LONG, WIDE = (10, 2), (10, 32), (60, 2)
"""How many samples are played, and turns of each; the first two tell what a turn costs, the first
and the last what a sample does, and what a run costs is in neither."""
ROUNDS = 5
CROWD, AT_ONCE, CROWD_TURNS = 1_000, 100, 10
_CROWD = f"from bench.overhead import crowd; crowd({CROWD}, {AT_ONCE}, {CROWD_TURNS})"
_MEASURE = '{"memory": "so far so good", "thought": "look again", "action": "measure"}'
_SUBMIT = '{"memory": "so far so good", "thought": "enough", "action": "submit", "value": 1.0}'


def run() -> list[Measurement]:
    """Return the lines of this bench."""
    makers = {True: our_task, False: bare_task}
    kinds = [(n, turns, ours) for n, turns in (SHORT, LONG, WIDE) for ours in makers]
    turns_cost: dict[bool, list[float]] = {True: [], False: []}
    samples_cost: dict[bool, list[float]] = {True: [], False: []}
    (n, few), (_, many), (wide, _) = SHORT, LONG, WIDE
    for number in range(ROUNDS + 1):
        took = {kind: _milliseconds(makers[kind[2]](kind[1], kind[0]), kind[1]) for kind in kinds}
        # The first round imports and warms up.
        for ours in makers if number else ():
            turn = (took[n, many, ours] - took[n, few, ours]) / (n * (many - few))
            each = (took[wide, few, ours] - took[n, few, ours]) / (wide - n)
            turns_cost[ours].append(turn)
            samples_cost[ours].append(each - few * turn)
    return [
        _over("a turn", turns_cost, "under 2 ms"),
        _over("a sample", samples_cost, "under 5 ms"),
        _memory(),
    ]


def _over(work: str, costs: dict[bool, list[float]], target: str) -> Measurement:
    """Return by how much ours is above the baseline in the round in the middle."""
    more = median(ours - bare for ours, bare in zip(costs[True], costs[False], strict=True))
    return Measurement(f"{work}, over bare Inspect", "ms", more, median(costs[False]), target)


def _milliseconds(task: Task, turns: int) -> float:
    """Return how many milliseconds of a core a task takes."""
    before = time.process_time()
    _play(task, turns, 10)
    return (time.process_time() - before) * 1_000


def _memory() -> Measurement:
    command = [sys.executable, "-c", _CROWD]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    work = f"{CROWD:,} samples, {AT_ONCE} at once: memory"
    return Measurement(work, "MiB", float(done.stdout.split()[-1]), target="under 2,048 MiB")


def crowd(samples: int, at_once: int, turns: int) -> None:
    """Play many samples at once and print the most memory, in MiB, that this process had."""
    _play(our_task(turns, samples), turns, at_once)
    sys.stdout.write(f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}\n")


def _play(task: Task, turns: int, at_once: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        (log,) = inspect_ai.eval(
            task,
            model=_model(turns),
            log_dir=folder,
            display="none",
            max_samples=at_once,
            max_connections=at_once,
        )
    if log.status != "success":
        raise RuntimeError(str(log.error))


def _model(turns: int) -> Model:
    """Return a mock that measures until the last turn, and then submits."""

    def output(
        messages: list[ChatMessage],
        tools: list[ToolInfo],  # noqa: ARG001
        tool_choice: ToolChoice,  # noqa: ARG001
        config: GenerateConfig,  # noqa: ARG001
    ) -> ModelOutput:
        said = sum(isinstance(message, ChatMessageAssistant) for message in messages)
        text = _SUBMIT if said + 1 >= turns else _MEASURE
        found = ModelOutput.from_content("mockllm/model", text)
        found.usage = ModelUsage(input_tokens=900, output_tokens=30, total_tokens=930)
        return found

    return get_model("mockllm/model", custom_outputs=output, memoize=False)


def our_task(turns: int, samples: int) -> Task:
    """Return our task: the laboratory, read again and again, then a submission."""
    task = causalab(edition="paper", set="smoke", interface="plain", max_turns=turns)
    task.dataset = MemoryDataset(_repeated(list(task.dataset), samples))
    return task


def _repeated(samples: Sequence[Sample], count: int) -> list[Sample]:
    made = []
    for at in range(count):
        sample = samples[at % len(samples)]
        made.append(sample.model_copy(update={"id": f"{sample.id}-{at:04d}"}))
    return made


def bare_task(turns: int, samples: int) -> Task:
    """Return a task that says as much and does nothing else."""
    items = [
        Sample(id=f"s{at}", input=sample.input)
        for at, sample in enumerate(our_task(turns, samples).dataset)
    ]
    return Task(dataset=MemoryDataset(items), solver=_talk(turns), scorer=_one())


@solver
def _talk(turns: int) -> Solver:
    async def solve(state: TaskState, generate: Generate) -> TaskState:  # noqa: ARG001
        for turn in range(turns):
            state.output = await get_model().generate(state.messages)
            state.messages.append(state.output.message)
            if turn + 1 < turns:
                state.messages.append(ChatMessageUser(content="o" * 180))
        return state

    return solve


@scorer(metrics=[mean()])
def _one() -> Scorer:
    async def score(state: TaskState, target: Target) -> Score:  # noqa: ARG001
        return Score(value=1.0)

    return score
