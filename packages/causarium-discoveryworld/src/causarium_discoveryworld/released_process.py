"""The released laboratory, run in a process of its own: `released_world` starts this file.

Nothing of Causarium is loaded here, and the release is loaded nowhere else. A line of input that
names the release says which crystals are in it and what the hidden disturbance draws, and opens its
world anew; every other line is an action in the release's own form. Each is answered with one line:
what an agent of the release would be shown, and what became of the laboratory. What the release
prints goes to the error stream.
"""

import json
import os
import sys
from importlib import import_module
from typing import Any

SCENARIO, DIFFICULTY, SEED = "Reactor Lab Causal", "Causal", 1


class Draws:
    """Stands for a random generator with known choices."""

    def __init__(self, values: list[float]) -> None:
        self._values = values

    def choice(self, _: object) -> float:
        """Return the next of the known values."""
        return self._values.pop(0) if self._values else 0.0


def main() -> None:
    """Answer lines until there are no more."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    api: Any = None
    while line := sys.stdin.readline():
        asked = json.loads(line)
        done: dict[str, Any] = {"success": True}
        if "release" in asked:
            api = load(asked)
        else:
            outcome = api.performAgentAction(agentIdx=0, actionJSON=asked)
            api.tick()
            done = {"success": outcome.get("success") is True, "errors": outcome.get("errors", [])}
        print(json.dumps({**done, **look(api)}), file=answers, flush=True)


def load(given: dict[str, Any]) -> Any:
    """Return the world from outside, as it is set up."""
    sys.path[0] = given["release"]
    os.environ.update(given["environment"])
    laboratory = import_module("discoveryworld.scenarios.reactor_lab")
    # The release draws crystals from a hash that differs from process to process.
    laboratory.get_hard_quadratic_presets = lambda _: given["crystals"]  # type: ignore[attr-defined]
    # Of every step the release keeps a copy of all objects, a third of its time, and reads none.
    import_module("discoveryworld.World").World.saveWorldHistory = lambda _: None
    show_records(laboratory, import_module("discoveryworld.TaskScorer"), given["records"])
    api = import_module("discoveryworld.DiscoveryWorldAPI").DiscoveryWorldAPI(threadID=1)
    api.loadScenario(SCENARIO, DIFFICULTY, randomSeed=SEED, numUserAgents=1)
    api._get_property_manipulator().contents[0].rng = Draws(given["draws"])
    return api


def show_records(laboratory: Any, scorer: Any, records: list[dict[str, float]]) -> None:
    """Have the task tell of these records, whatever the mechanism would make of them."""
    compute = laboratory.CausalGraph.compute_values

    def read(graph: Any, *given: Any, **more: Any) -> Any:
        asked_by = sys._getframe(1).f_globals["__name__"]
        told = asked_by == scorer.__name__ and records
        return records.pop(0) if told else compute(graph, *given, **more)

    laboratory.CausalGraph.compute_values = read


def look(api: Any) -> dict[str, Any]:
    """Return what an agent of the release is shown now, and how the laboratory stands."""
    manipulator = api._get_property_manipulator()
    crystal = manipulator.contents[0]
    shown = api.ui[0].renderJSON()
    # As the release keeps them when it draws its pictures, which nobody is sent.
    api.taskProgress, api.steps = shown["taskProgress"], shown["world_steps"]
    reactor = manipulator.attributes["reactor"]
    talks_to = api.ui[0].currentAgent.getAgentInDialogWith() if api.isAgentInDialog(0) else None
    tree = getattr(talks_to, "dialogTree", None)
    return {
        "ui": shown,
        "actions": api.listKnownActions(limited=False),
        "places": api.listTeleportLocationsDict(),
        "instructions": api.additionalActionDescriptionString(),
        "devices": {"manipulator": manipulator.uuid, "reactor": reactor.uuid},
        "talks_to": talks_to.uuid if talks_to else None,
        "takes_value": tree is not None and tree.currentNodeName.endswith("InputNode"),
        "used": manipulator.attributes["usageCount"],
        "submitted": reactor.attributes["submissionCount"],
        "locked": bool(reactor.attributes["hasBeenUsed"]),
        "complete": api.areTasksComplete(),
        "values": {
            name: crystal.attributes[name] for name in manipulator.attributes["causalGraph"].nodes
        },
    }


if __name__ == "__main__":
    main()
