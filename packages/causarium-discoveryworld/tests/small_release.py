"""A small release of our own in the published format: texts, loop and a world without tiles."""

from pathlib import Path

CONTROLLER = """\
Look {{ facing_direction }}, step {{ valid_dirs }}. {{ additional_instructions }}
Task: {{ input_str }}
See: {{ observation }}
{% if in_dialog %}Page: {{ dialog_box }}{% else %}Do: {{ known_actions }}
At: {{ teleport_destinations }}
Reach: {{ interactable_objects }}{% endif %}
"""
TASK = "Tune it in {{ max_uses }} tries.{{ existing_observations }}"
LOOP = """
class Loop:
    def build_message_thread2(self, history, most):
        output = []
        output.append("Did " + message.action_str.replace("Task:", "Task :") + "; ")

    def next_step_and_action_input(self, state, child):
        if self.dsl:
            output_str = node.input_str + " Data " + (self.latest_past_data or "[]") + " Guess " + (
                self.latest_hypothesis or "{}") + " Notes " + (
                self.latest_memory or "none") + extra + " So far: "
        else:
            output_str = node.input_str + " Notes " + (self.latest_memory or "none") + " So far: "
        output_str += "(cut) "
"""
SCENARIO = """
import json, os

class Node:
    pass

class CausalGraph:
    def __init__(self):
        self.line = json.load(open(os.environ["CAUSAL_GRAPH_CONFIG"]))
        self.nodes = self.line["nodes"]

    def compute_values(self, bases):
        values = dict(bases)
        todo = [name for name in self.nodes]
        while todo:
            name = todo.pop(0)
            parents = [e["from"] for e in self.line["edges"] if e["to"] == name]
            if any(parent in todo for parent in parents):
                todo.append(name)
                continue
            text = self.nodes[name].get("computation")
            if text:
                known = {**self.line["params"], **values}
                known["base_" + name] = bases.get(name, self.line["params"].get("base_" + name, 0))
                values[name] = eval(text.replace("^", "**"), {}, known)
        return values

def get_hard_quadratic_presets(graph):
    return None
"""
SCORER = """
def describe(graph, budget, records):
    told = "".join(f" Seen {graph.compute_values({})}." for _ in range(records))
    mode = __import__("os").environ["REACTOR_TASK_PROMPT_MODE"]
    text = open(f"{ROOT}/agents/recoma/prompts/reactor_task_causal_{mode}.txt").read()
    return text.replace("{{ max_uses }}", str(budget)).replace("{{ existing_observations }}", told)
"""
API = """
import os
from discoveryworld import TaskScorer
from discoveryworld.scenarios import reactor_lab

class Thing:
    def __init__(self, uuid, **attributes):
        self.uuid, self.attributes, self.contents, self.rng = uuid, attributes, [], None
        self.dialogTree = type("Tree", (), {"currentNodeName": "rootNode"})()

class DiscoveryWorldAPI:
    def __init__(self, threadID):
        self.taskProgress, self.steps, self.ui, self.talks, self.faces = [], 0, [self], None, None
        self.currentAgent = self

    def getAgentInDialogWith(self):
        return self.talks

    def loadScenario(self, name, difficulty, randomSeed, numUserAgents):
        print("a release prints much")
        self.graph = reactor_lab.CausalGraph()
        crystals = reactor_lab.get_hard_quadratic_presets(self.graph)
        self.bases, self.target = dict(crystals["property_manipulator"]), crystals["reactor"]
        self.goal = self.graph.compute_values(self.target)["resonanceFreq"]
        self.budget = int(os.environ["CAUSAL_GRAPH_BUDGET_OVERRIDE"])
        self.most = int(os.environ["REACTOR_MAX_SUBMISSIONS"])
        self.reactor = Thing(2222, submissionCount=0, hasBeenUsed=False)
        self.device = Thing(1111, usageCount=0, reactor=self.reactor, causalGraph=self.graph)
        self.crystal = Thing(1)
        self.device.contents.append(self.crystal)
        self.solved = False
        self.names = [name for name in self.graph.nodes if name != "resonanceFreq"]
        records = int(os.environ["CAUSAL_INITIAL_OBSERVATIONS"])
        self.task = TaskScorer.describe(self.graph, self.budget, records)
        self.tick()

    def _get_property_manipulator(self):
        return self.device

    def isAgentInDialog(self, index):
        return self.talks is not None

    def areTasksComplete(self):
        return self.solved

    def listKnownActions(self, limited):
        return {"TALK": "to a thing"}

    def listTeleportLocationsDict(self):
        return {"hall": {}}

    def additionalActionDescriptionString(self):
        return "Be brief."

    def tick(self):
        self.steps += 1
        self.crystal.attributes = self.graph.compute_values(self.bases)

    def options(self):
        if self.talks is self.reactor:
            return ["Set it", "Exit"]
        left = self.device.attributes["usageCount"] < self.budget
        if not left or self.reactor.attributes["hasBeenUsed"]:
            return ["Exit"]
        return [*(f"Adjust {self.graph.nodes[n]['display_name']}" for n in self.names), "Exit"]

    def renderJSON(self):
        asks = self.talks is not None and self.talks.dialogTree.currentNodeName != "rootNode"
        page = {"is_in_dialog": self.talks is not None}
        if self.talks is not None:
            options = [] if asks else self.options()
            page["dialogOptions"] = {str(i): option for i, option in enumerate(options, 1)}
        named = {"wall": 5, "machine": 1111, "cradle": 2222}
        things = [{"name": name, "uuid": uuid} for name, uuid in named.items()]
        return {
            "agentLocation": {"faceDirection": "north", "directions_you_can_move": ["south"]},
            "world_steps": self.steps, "dialog_box": page, "accessibleEnvironmentObjects": things,
            "taskProgress": [{"description": self.task, "completed": self.solved}],
        }

    def performAgentAction(self, agentIdx, actionJSON):
        return {"success": self.do(actionJSON), "errors": []}

    def do(self, asked):
        if self.talks is None:
            thing = {1111: self.device, 2222: self.reactor}.get(asked.get("arg1"))
            if asked.get("action") == "TELEPORT_TO_OBJECT" and thing:
                self.faces = thing
                return True
            if asked.get("action") != "TALK" or thing is None or thing is not self.faces:
                return False
            self.talks = thing
            thing.dialogTree.currentNodeName = "rootNode"
            if thing is self.reactor:
                thing.attributes["hasBeenUsed"] = True
            return True
        tree = self.talks.dialogTree
        if tree.currentNodeName != "rootNode":
            if "value" not in asked:
                tree.currentNodeName = "rootNode"
                return True
            self.put(tree.currentNodeName.removesuffix("InputNode"), asked["value"])
            tree.currentNodeName = "rootNode"
            return True
        option = asked.get("chosen_dialog_option_int", 0)
        if not 1 <= option <= len(self.options()):
            return False
        chosen = self.options()[option - 1]
        if chosen == "Exit":
            self.talks = None
        else:
            names = ["frequency"] if chosen == "Set it" else self.names
            tree.currentNodeName = names[option - 1] + "InputNode"
        return True

    def put(self, name, value):
        if name == "frequency":
            self.reactor.attributes["submissionCount"] += 1
            count = self.reactor.attributes["submissionCount"]
            self.solved = count < self.most and abs(value - self.goal) < 5
            return
        self.device.attributes["usageCount"] += 1
        now = self.graph.compute_values(self.bases)
        self.bases[name] = value - (now[name] - self.bases[name])
"""


def write_release(folder: Path) -> Path:
    """Write the release into a folder, and return it."""
    world, agents = folder / "discoveryworld", folder / "agents" / "recoma"
    (world / "scenarios").mkdir(parents=True)
    (agents / "prompts").mkdir(parents=True)
    for package in (world, world / "scenarios"):
        (package / "__init__.py").write_text("")
    (world / "scenarios" / "reactor_lab.py").write_text(SCENARIO)
    (world / "TaskScorer.py").write_text(f"ROOT = {str(folder)!r}\n{SCORER}")
    (world / "DiscoveryWorldAPI.py").write_text(API)
    (world / "World.py").write_text("class World:\n    pass\n")
    (agents / "react_controller.py").write_text(LOOP)
    for variant in ("dsl", "non_dsl", "linear_non_dsl", "dsl_hidden_freq", "dsl_quad"):
        text = f"{variant}! {CONTROLLER}"
        (agents / "prompts" / f"react_simple_memory_prompt_{variant}.txt").write_text(text)
    for variant in (
        "dsl",
        "non_dsl",
        "linear_non_dsl",
        "dsl_hidden",
        "dsl_hidden_freqnode",
        "dsl_quad",
    ):
        (agents / "prompts" / f"reactor_task_causal_{variant}.txt").write_text(TASK)
    return folder
