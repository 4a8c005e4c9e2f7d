"""CausaLab: turns a second, with and without a body, and instances certified and scored a second.

The baseline is the published environment's own loop (observe, act, tick), timed in a process of its
own where `CAUSALAB_RELEASE` names a clone of its release; it needs the extra `discoveryworld`, as
the lines on the body do, and draws frames at every turn. Both sides count CPU seconds.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from bench.measure import Measurement, rate
from causarium.contract.episode import Episode, play
from causarium.families import get
from causarium.families.causalab.paper import FAMILY
from causarium.families.causalab.paper.generation import draw_paper_instance
from causarium.families.causalab.paper.levels import LEVELS, LabRules
from causarium.families.causalab.paper.model.actions import Intervene, Submit
from causarium.families.causalab.paper.model.hypothesis import Hypothesis, HypothesisEdge
from causarium.families.causalab.paper.model.instance import LabInstance
from causarium.families.causalab.paper.play.world import LabWorld

LEVEL = "paper-linear-7"
RUNG = "rung-8"
TURNS = 20


def run() -> Iterator[Measurement]:
    instances = [draw_paper_instance(LEVELS[LEVEL], 0, index) for index in range(50)]
    plans = [(instance, _plan(instance)) for instance in instances]
    original = _time_original()
    clock = time.process_time
    yield Measurement(
        work="world turns at k = 7, text included",
        unit="turns/s",
        ours=max(rate(lambda: _turns(plans), seconds=0.5, clock=clock) for _ in range(5)),
        baseline=original,
        target=">= 20,000 turns/s",
    )
    yield Measurement(
        work="crystals of 27 properties drawn and certified",
        unit="instances/s",
        ours=max(rate(_certified, seconds=0.5, clock=clock) for _ in range(3)),
        target=">= 5 instances/s (200 ms each)",
    )
    episodes = [_trajectory(instance) for instance in instances[:10]]
    yield Measurement(
        work="20-turn trajectories scored at k = 7",
        unit="episodes/s",
        ours=max(rate(lambda: _scored(episodes), seconds=0.5, clock=clock) for _ in range(3)),
        target=">= 200 episodes/s (5 ms each)",
    )

    if FAMILY.rules_for("certified", interface="embodied").is_interface_installed():
        yield from _embodied(instances[0], original)


_ORIGINAL_LOOP = """
import contextlib, io, os, sys, time
os.environ |= {"SDL_VIDEODRIVER": "dummy", "CAUSAL_GRAPH_ID": "4_chain"}
sys.path.insert(0, sys.argv[1])
with contextlib.redirect_stdout(io.StringIO()):
    from discoveryworld.DiscoveryWorldAPI import DiscoveryWorldAPI
    api = DiscoveryWorldAPI(threadID=1)
    api.loadScenario("Reactor Lab Causal", "Causal", 0)
    turns, start = 0, time.process_time()
    while time.process_time() - start < 5:
        api.getAgentObservation(0)
        turn = {"action": "ROTATE_DIRECTION", "arg1": ("north", "south")[turns % 2]}
        api.performAgentAction(0, turn)
        api.tick()
        turns += 1
print(turns / (time.process_time() - start))
"""


def _time_original() -> float | None:
    """Return the turns a CPU second of the published loop; None without its release."""
    release = os.environ.get("CAUSALAB_RELEASE")
    if release is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, "-c", _ORIGINAL_LOOP, str(Path(release).resolve())],
            cwd=folder,
            check=True,
            capture_output=True,
            text=True,
        )
    return float(done.stdout.split()[-1])


_OPEN_A_BODY = (
    "from causarium.families.causalab.paper import FAMILY as f; "
    "f.open_world(f.generate(f.level('paper-linear-7'), 0, 0), f.rules_for('certified', "
    "interface='embodied'))"
)


def _embodied(instance: LabInstance, original: float | None) -> Iterator[Measurement]:
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", _OPEN_A_BODY], check=True)
    yield Measurement(
        work="a fresh process with a body in the laboratory",
        unit="starts/s",
        ours=1 / (time.perf_counter() - start),
        target=">= 0.2 starts/s (5 s each)",
    )
    for frames, words in ((False, "text alone"), (True, "with frames")):
        rules = FAMILY.rules_for("certified", interface="embodied", frames=frames)
        yield Measurement(
            work=f"scientist's turns with a body at k = 7, {words}",
            unit="turns/s",
            ours=max(
                rate(partial(_walk, instance, rules), seconds=1.0, clock=time.process_time)
                for _ in range(3)
            ),
            baseline=original,
            target=">= 20 turns/s",
        )


def _walk(instance: LabInstance, rules: LabRules) -> int:
    return len(play(FAMILY, instance, rules, "scientist").turns)


def _plan(instance: LabInstance) -> list[Intervene]:
    names = instance.public.names
    return [
        Intervene(property=names[number % len(names)], value=float(number))
        for number in range(instance.public.budget)
    ]


def _turns(plans: list[tuple[LabInstance, list[Intervene]]]) -> int:
    rules = FAMILY.rules_for("certified")
    for instance, plan in plans:
        world = LabWorld(instance, rules)
        for action in plan:
            world.act(action)
    return sum(len(plan) for _, plan in plans)


def _certified() -> int:
    ladder = get("causalab", "certified")
    for index in range(10):
        ladder.proofs.certify(ladder.generate(ladder.level(RUNG), 1, index))
    return 10


def _trajectory(instance: LabInstance) -> Episode:
    """Play twenty turns, each with a hypothesis that has one more of the true arrows."""
    episode = Episode(FAMILY, instance, FAMILY.rules_for("certified"))
    edges = [HypothesisEdge(cause=e.cause, effect=e.effect) for e in instance.secret.edges]
    names = instance.public.names
    for number in range(TURNS - 1):
        episode.step(
            Intervene(
                property=names[number % len(names)],
                value=float(10 * number),
                hypothesis=Hypothesis(edges=tuple(edges[: number + 1])),
            )
        )
    episode.step(Submit(value=instance.secret.target, hypothesis=Hypothesis(edges=tuple(edges))))
    return episode


def _scored(episodes: list[Episode]) -> int:
    for episode in episodes:
        episode.score()
    return len(episodes)
