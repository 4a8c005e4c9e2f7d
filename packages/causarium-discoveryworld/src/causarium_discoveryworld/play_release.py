"""CausaLab in the world and the words of its release.

The released loop asks a model anew at every step: a controller's text, the task, the state that the
model wrote last, all its earlier replies, and what it sees now. The texts are read from the
release; the sentences that the released program puts between them are read from its source, and
none of it is run here. The world itself runs in a process of its own (`released_world`).
"""

import ast
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, NamedTuple

from jinja2 import StrictUndefined, Template, TemplateError
from jinja2.sandbox import ImmutableSandboxedEnvironment

from causarium.contract.family import AnyFamily, Prompt
from causarium.contract.release import ReleaseFolder, check_words
from causarium.contract.texts.scan_reply import scan_reply
from causarium.contract.world import Action, Unparsed, World
from causarium.errors import BadFile, RunError, UsageError
from causarium.families.causalab.paper.levels import RELEASED, LabRules
from causarium.families.causalab.paper.mechanics.shown_values import Listing
from causarium.families.causalab.paper.model.actions import SaidAction
from causarium.families.causalab.paper.model.instance import LabInstance, LabPublic
from causarium.families.causalab.paper.publication.suite_files import (
    make_public_line,
    make_released_line,
    make_whole,
)
from causarium.seeds import stream
from causarium_discoveryworld.released_world import (
    Json,
    Laboratory,
    ReleasedWorld,
    show_look,
)

PROMPTS = "agents/recoma/prompts"
CONTROLLER = "agents/recoma/react_controller.py"
MOST_CHARACTERS = 16_384
"""Of the task, the state and the earlier replies together, in the published runs."""
MOST_OF_STATE = 4_000
"""Of each part of the state."""
NOT_SHOWN = ("wall", "grass", "floor")
"""Things that the released loop leaves out of what a model sees."""
STATE = ("past_data", "hypothesis", "memory")
_NEEDED = (
    *("asymmetric_window", "repeated_submissions", "last_submission_dead"),
    *("clamped_submissions", "unchecked_hypothesis", "published_steps"),
)
"""Quirks that the released world has, whatever the rules say."""
_FENCED = re.compile(r"```json\n(.*?)```", re.DOTALL)


def play_release(family: AnyFamily, release: ReleaseFolder) -> AnyFamily:
    """Return the family with the world and the words of a release."""

    def open_released(instance: LabInstance, rules: LabRules) -> World:
        _check_rules(rules)
        setup = set_up(instance.public, rules, release.path, instance)
        words = ReleasedWords(release, setup)
        return ReleasedWorld(instance, rules, Laboratory().load(setup), words)

    def write_prompt(public: LabPublic, rules: LabRules) -> Prompt:
        _check_rules(rules)
        setup = set_up(public, rules, release.path)
        words = ReleasedWords(release, setup)
        text = words.write(show_look(_look_first(json.dumps(setup))))
        system, _, task = text.partition("\nTask:")
        return Prompt(system=system, user=f"Task:{task}")

    def parse(reply: str, allowed: tuple[type[Action], ...], rules: LabRules) -> Action | Unparsed:
        move = family.replies.parse(reply, allowed, rules)
        return move.remember(reply) if isinstance(move, SaidAction) else move

    replies = replace(family.replies, parse=parse)
    return replace(family, prompt=write_prompt, open_world=open_released, replies=replies)


def _check_rules(rules: LabRules) -> None:
    check_words(rules.interface, [RELEASED])
    off = [name for name in _NEEDED if not getattr(rules, name)]
    if rules.verification != "none":
        off.append("verification")
    if off:
        raise UsageError(f"the released world cannot be played with another {', '.join(off)}")


def set_up(
    public: LabPublic, rules: LabRules, release: Path, instance: LabInstance | None = None
) -> Json:
    """Return what the released world is started with: a mechanism, crystals, records, draws.

    Args:
        public: What an agent may know.
        rules: How it is played.
        release: Where the release is.
        instance: All of the instance; None: only what is seen before the first move is asked for,
            and nothing that an agent may not know goes into it.
    """
    bases, graph = (public.manipulator.values, public.reactor), make_public_line(public, "released")
    draws: list[float] = []
    if instance is not None:
        secret, hidden = instance.secret, instance.secret.disturbance
        bases = (secret.manipulator_bases, secret.reactor_bases)
        graph = make_released_line(instance, "released")
        if hidden:
            draws = [
                stream(hidden.seed, "hidden", number).choice(hidden.values)
                for number in range(public.budget)
            ]
    order = [public.nodes[i] for i in Listing(public, rules).order]
    mode = find_mode(public, rules)
    return {
        "release": str(release),
        "graph": graph,
        "crystals": {
            device: _name(public.names, values)
            for device, values in zip(("property_manipulator", "reactor"), bases, strict=True)
        },
        "records": [
            {name: named[name] for name in order}
            for named in (_name(public.nodes, (*r.values, r.frequency)) for r in public.records)
        ],
        "draws": draws,
        "mode": mode,
        "environment": {
            "CAUSAL_INITIAL_OBSERVATIONS": str(len(public.records)),
            "CAUSAL_GRAPH_BUDGET_OVERRIDE": str(public.budget),
            "REACTOR_MAX_SUBMISSIONS": str(rules.submissions),
            "REACTOR_TASK_PROMPT_MODE": mode,
        },
    }


def find_mode(public: LabPublic, rules: LabRules) -> str:
    """Return the release's name of the texts for an instance."""
    if rules.variant != "dsl":
        return rules.variant
    if public.hidden is not None:
        return "dsl_hidden_freqnode" if public.hidden.frequency else "dsl_hidden"
    return "dsl" if public.form == "linear" else "dsl_quad"


def _name(names: Sequence[str], values: Sequence[float]) -> dict[str, float]:
    # The release prints what it has not touched without a decimal point.
    return {name: make_whole(value) for name, value in zip(names, values, strict=True)}


@lru_cache(maxsize=1)  # starting a process takes 1.5 s, and each sample of a run is looked at
def _open_reader(_release: str) -> Laboratory:
    return Laboratory()


@lru_cache(maxsize=256)  # 0.4 s each, and every sample of a run asks twice
def _look_first(setup: str) -> Json:
    given = json.loads(setup)
    try:
        return _open_reader(given["release"]).load(given).look
    except RunError:
        _open_reader.cache_clear()
        raise


class ReleasedWords:
    """What a model of the released loop reads at each step of one episode."""

    def __init__(self, release: ReleaseFolder, setup: Json) -> None:
        mode = setup["mode"]
        self._has_state = mode not in {"non_dsl", "linear_non_dsl"}
        name = {"dsl_hidden_freqnode": "dsl_hidden_freq", "dsl_hidden": "dsl"}.get(mode, mode)
        path = f"{PROMPTS}/react_simple_memory_prompt_{name}.txt"
        self._controller = _read_template(release, path)
        self._pieces = read_pieces(release)
        self._said: list[str] = []
        self._state = dict.fromkeys(STATE, "")
        if chain := setup["graph"].get("bootstrap_past_data"):
            self._state["past_data"] = json.dumps(chain, ensure_ascii=False)[:MOST_OF_STATE]

    def hear(self, reply: str) -> None:
        """Take in what the agent said: its state, and its reply for the history."""
        scan = scan_reply(reply, strict=True)
        text, objects = scan.text, scan.objects
        fenced = _FENCED.search(text)
        said = fenced[1].strip() if fenced else text.strip()
        self._said.append(said)
        for part in STATE:
            value = objects[0].get(part) if objects else None
            if value:
                kept = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
                self._state[part] = kept[:MOST_OF_STATE]

    def write(self, look: Json) -> str:
        """Return what a model reads at a step, given a look as `show_look` has it."""
        shown = {key: value for key, value in look["ui"].items() if key != "taskProgress"}
        shown = _leave_out(shown)
        reach = [*shown.get("inventoryObjects", ()), *shown.get("accessibleEnvironmentObjects", ())]
        things = [{"name": thing.get("name"), "uuid": thing.get("uuid")} for thing in reach]
        task = "\n".join(task["description"] for task in look["ui"]["taskProgress"]).strip()
        place = shown["agentLocation"]
        try:
            return self._controller.render(
                facing_direction=place["faceDirection"],
                valid_dirs=place["directions_you_can_move"],
                additional_instructions=look["instructions"],
                input_str=self._write_task(task),
                observation=_dump({"errors": [], "ui": shown}),
                known_actions=_dump(look["actions"]),
                teleport_destinations=_dump(look["places"]),
                interactable_objects=json.dumps(things, ensure_ascii=False),
                in_dialog=look["talks_to"] is not None,
                dialog_box=_dump(shown["dialog_box"]),
                is_value_input_mode=look["takes_value"],
            )
        except TemplateError as wrong:
            raise BadFile(f"a text of the release cannot be filled in: {wrong}") from wrong

    def _write_task(self, task: str) -> str:
        kind = "state" if self._has_state else "memory"
        head = self._pieces.fill(kind, task=task, **self._state)
        said, cut = self._said, ""
        text = head + self._write_history(said, MOST_CHARACTERS - len(head))
        while len(text) > MOST_CHARACTERS and said:
            said, cut = said[1:], self._pieces.trimmed
            text = head + cut + self._write_history(said, MOST_CHARACTERS - len(head + cut))
        return text[:MOST_CHARACTERS]

    def _write_history(self, said: Sequence[str], most: int) -> str:
        entries: list[str] = []
        for reply in reversed(said):
            entry = self._pieces.fill("action", said=reply.replace("Task:", "Task :"))
            if sum(map(len, entries)) + len(entry) > most:
                break
            entries.append(entry)
        return "".join(reversed(entries))


class Pieces(NamedTuple):
    """The sentences that the released program puts between its texts."""

    texts: dict[str, list[tuple[str, str]]]
    trimmed: str
    """What stands where the oldest replies are left out."""

    def fill(self, name: str, **slots: str) -> str:
        """Return a text with its slots filled; an empty one says what stands there then."""
        parts = self.texts[name]
        return "".join(slots.get(slot, "") or empty if slot else empty for slot, empty in parts)


@lru_cache(maxsize=8)  # parsing 700 lines of source for every step of every episode
def _parse_pieces(source: str) -> Pieces | None:
    texts: dict[str, list[tuple[str, str]]] = {}
    cuts = []
    functions = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef)]
    for function in functions:
        for node in ast.walk(function):
            match function.name, node:
                case "next_step_and_action_input", ast.Assign(value=value):
                    parts = list(_list_parts(value))
                    slots = {slot for slot, _ in parts}
                    if "past_data" in slots or "memory" in slots:
                        texts.setdefault("state" if "past_data" in slots else "memory", parts)
                case "next_step_and_action_input", ast.AugAssign(value=ast.Constant(value=cut)):
                    cuts.append(str(cut))
                case "build_message_thread2", ast.Call(args=[value]):
                    parts = [("said", "") if s else (s, text) for s, text in _list_parts(value)]
                    if len(parts) == 3:
                        texts.setdefault("action", parts)
    return Pieces(texts, cuts[0]) if len(texts) == 3 and cuts else None


def read_pieces(release: ReleaseFolder) -> Pieces:
    """Read the sentences that the released program puts between its texts.

    Raises:
        BadFile: They are not where they are expected.
    """
    source = release.read(CONTROLLER)
    try:
        pieces = _parse_pieces(source)
    except SyntaxError as wrong:
        raise BadFile(f"{CONTROLLER} of the release in {release.path} is no Python") from wrong
    if pieces is None:
        raise BadFile(f"{CONTROLLER} of the release in {release.path} puts no prompt together")
    return pieces


def _list_parts(value: ast.expr) -> Iterator[tuple[str, str]]:
    """Yield the parts of a sum of texts: a slot's name or nothing, and the text or its default."""
    match value:
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            yield from _list_parts(left)
            yield from _list_parts(right)
        case ast.Constant(value=str(text)):
            yield "", text
        case ast.BoolOp(op=ast.Or(), values=[ast.Attribute(attr=name), ast.Constant(value=text)]):
            yield name.removeprefix("latest_"), str(text)
        case ast.Attribute(attr="input_str"):
            yield "task", ""
        case ast.Call() | ast.Name():
            yield "other", ""


def _read_template(release: ReleaseFolder, path: str) -> Template:
    settings = ImmutableSandboxedEnvironment(undefined=StrictUndefined, autoescape=False)
    try:
        return settings.from_string(release.read(path))
    except TemplateError as wrong:
        raise BadFile(f"{path} of the release in {release.path} is no template: {wrong}") from wrong


def _leave_out(shown: Any) -> Any:
    """Return what is seen without walls, grass and floor."""
    if isinstance(shown, list):
        return [
            _leave_out(item)
            for item in shown
            if not isinstance(item, dict) or str(item.get("name", "")).lower() not in NOT_SHOWN
        ]
    if isinstance(shown, dict):
        return {key: _leave_out(value) for key, value in shown.items()}
    return shown


_dump = partial(json.dumps, indent=4, sort_keys=True)
