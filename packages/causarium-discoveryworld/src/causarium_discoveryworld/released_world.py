"""The interface that plays in the world of the release, which runs in a process of its own.

An agent's moves go to that world as they are, and what an agent of the release would be shown comes
back; words are put around it by whoever reads the release (`play_release`). Beside it our own pages
take the moves that the other world took: budget, lock, submissions and score are theirs, so a log
is scored without the release, and the two are held against each other after every move.

The two devices have our numbers in place of the release's random ones, so that a log says which one
was talked to.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import IO, Any, Protocol, Self, cast

from causarium.contract.world import Action, Observation, Unparsed
from causarium.contract.world import Move as AnyMove
from causarium.errors import RunError
from causarium.families.causalab.paper.levels import LabRules
from causarium.families.causalab.paper.mechanics.lab import Refusal
from causarium.families.causalab.paper.model.actions import (
    BODY_ACTIONS,
    PAGE_ACTIONS,
    Choose,
    Enter,
    Handle,
    Move,
    Read,
    Rotate,
    SaidAction,
    Talk,
    Teleport,
)
from causarium.families.causalab.paper.model.instance import LabInstance
from causarium.families.causalab.paper.model.lab_plan import (
    BY_NAME,
    MANIPULATOR,
    PLACES,
    REACTOR,
    find_thing,
)
from causarium.families.causalab.paper.play.dialog import ADJUST, EXIT, SET, DialogWorld

Json = dict[str, Any]
WAIT: Json = {"action": "WAIT"}
"""What the released loop does with a reply in which it finds no action."""
_PROCESS = Path(__file__).with_name("released_process.py")
_KEPT = ("PATH", "HOME", "LANG", "TMPDIR", "LD_LIBRARY_PATH")
"""All that the process gets of our environment: keys of providers stay here."""
_AGREE = 0.011
"""Two decimals, rounded twice."""


class Laboratory:
    """The released world, in a process of its own."""

    look: Json
    """What was seen last."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="causarium-released-")
        self._errors = Path(self._folder.name) / "errors"
        with self._errors.open("wb") as errors:
            self._process = subprocess.Popen(  # noqa: S603 - our own file
                [sys.executable, str(_PROCESS)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                cwd=self._folder.name,
                env={name: os.environ[name] for name in _KEPT if name in os.environ}
                | {"SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy", "PYTHONHASHSEED": "0"},
                text=True,
                encoding="utf-8",
            )
        self._input = cast("IO[str]", self._process.stdin)
        self._output = cast("IO[str]", self._process.stdout)

    def load(self, setup: Json) -> Self:
        """Open the world anew, with what `play_release.set_up` says.

        Raises:
            RunError: The process has ended.
        """
        graph = Path(self._folder.name) / "graph.json"
        graph.write_text(json.dumps(setup["graph"]), encoding="utf-8")
        environment = {**setup["environment"], "CAUSAL_GRAPH_CONFIG": str(graph)}
        self.look = self._ask({**setup, "environment": environment})
        return self

    def do(self, action: Json) -> Json:
        """Act, and return what is then seen.

        Raises:
            RunError: The process has ended.
        """
        self.look = self._ask(action)
        return self.look

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.wait()
        self._output.close()
        self._folder.cleanup()

    def __del__(self) -> None:
        if self._process.returncode is None:
            self.close()

    def _ask(self, value: Json) -> Json:
        try:
            self._input.write(json.dumps(value) + "\n")
            self._input.flush()
            answer: Json = json.loads(self._output.readline())
        except (OSError, ValueError) as wrong:
            told = self._errors.read_text(encoding="utf-8", errors="replace").strip()
            last = told.splitlines()[-1][:300] if told else "it said nothing"
            raise RunError(f"the world of the release has ended: {last}") from wrong
        return answer


class Words(Protocol):
    """What is said around the looks of the released world."""

    def hear(self, reply: str) -> None:
        """Take in what the agent said."""
        ...

    def write(self, look: Json) -> str:
        """Return what the agent reads."""
        ...


class ReleasedWorld(DialogWorld):
    """One instance being played in the world of the release."""

    def __init__(
        self, instance: LabInstance, rules: LabRules, laboratory: Laboratory, words: Words
    ) -> None:
        super().__init__(instance, rules)
        self._laboratory = laboratory
        self._words = words
        self.look = laboratory.look
        self._handlers = dict.fromkeys((*BODY_ACTIONS, *PAGE_ACTIONS), self._pass_on)
        self._check_agreement()

    def _list_allowed(self) -> tuple[type[Action], ...]:
        return BODY_ACTIONS if self.page is None else super()._list_allowed()

    def act(self, move: AnyMove) -> Observation:
        """Answer one move; what cannot be read is a step in which the agent waits."""
        over = self.done
        seen = self._wait() if isinstance(move, Unparsed) and not over else super().act(move)
        if self.done and not over:
            self._laboratory.close()
        return seen

    def _wait(self) -> Observation:
        self.turns += 1
        self.look = self._laboratory.do(WAIT)
        self._follow_page()
        self._check_agreement()
        self._words.hear(json.dumps(WAIT))
        return self._answer(legal=False)

    def _pass_on(self, move: SaidAction) -> Observation:
        if self._would_refuse(move):
            return self._answer(legal=False)
        before, used = self.look, self.lab.used
        asked = write_action(move, before["devices"])
        self.look = self._laboratory.do(asked)
        legal = self.look["success"] and self._follow_move(move, before)
        self._follow_page()
        self._check_agreement()
        self._words.hear(move.said or json.dumps(asked))
        return self._answer(legal=legal, cost=self.lab.used - used)

    def _would_refuse(self, move: SaidAction) -> bool:
        """Say whether a value is one that the other world takes and no mechanism can hold."""
        entered = isinstance(move, Enter) and self.page is not None and self.page.enters
        return bool(entered) and abs(getattr(move, "value", 0.0)) > self.public.limit

    def _follow_move(self, move: SaidAction, before: Json) -> bool:
        """Do on our own pages what was done in the other world; says whether anything was."""
        after = self.look
        if isinstance(move, Talk):
            device = self._find_device()
            if device is None:
                return False
            self.place, self.page = PLACES[device], None
            return super()._talk(Talk()).legal
        if isinstance(move, Choose):
            # Other pages have no part in ours: they are left, or say that the budget is used up.
            asked = after["takes_value"] and not before["takes_value"]
            return not asked or super()._choose(Choose(option=move.option)).legal
        if isinstance(move, Enter):
            counts = ("used", "submitted")
            moved = any(after[count] != before[count] for count in counts)
            return moved and super()._enter(Enter(value=move.value)).legal
        return True

    def _follow_page(self) -> None:
        """Open the page that is open in the other world."""
        device = self._find_device()
        if device is None:
            self.page = None
        elif not self.look["takes_value"]:
            shown = self.look["ui"]["dialog_box"].get("dialogOptions", {}).values()
            ours = tuple(text if text.startswith((ADJUST, EXIT)) else SET for text in shown)
            self.page = replace(self._make_page(device), options=ours)

    def _find_device(self) -> str | None:
        numbers = {number: name for name, number in self.look["devices"].items()}
        return numbers.get(self.look["talks_to"])

    def _check_agreement(self) -> None:
        look, ours = self.look, self.lab.measure()
        apart = []
        if not isinstance(ours, Refusal):
            values = dict(zip(self.public.nodes, ours, strict=True))
            apart = [n for n in values if abs(values[n] - look["values"][n]) > _AGREE]
        apart += ["the budget"] if look["used"] != self.lab.used else []
        apart += ["the lock"] if look["locked"] != self.lab.locked else []
        apart += ["the end"] if look["complete"] != self.lab.solved else []
        if apart:
            raise RunError(f"the world of the release and ours disagree on {', '.join(apart)}")

    def _answer(self, *, legal: bool, cost: int = 0) -> Observation:
        text = self._words.write(show_look(self.look))
        return Observation(text, self._list_data(), legal=legal, cost=cost, alone=True)


def write_action(move: Action, devices: Mapping[str, int]) -> Json:
    """Return a move in the release's own form, with its numbers for the two devices."""
    if isinstance(move, Choose):
        return {"chosen_dialog_option_int": move.option}
    if isinstance(move, Enter):
        return {"value": move.value}
    if isinstance(move, Move | Rotate):
        return {"action": f"{move.kind.upper()}_DIRECTION", "arg1": move.direction}
    if isinstance(move, Teleport):
        to = _find_number(move.to, devices)
        kind = "LOCATION" if isinstance(to, str) else "OBJECT"
        return {"action": f"TELEPORT_TO_{kind}", "arg1": to}
    if isinstance(move, Handle):
        things = [thing for thing in (move.thing, move.other) if thing.strip()]
        numbers = {f"arg{at}": _find_number(thing, devices) for at, thing in enumerate(things, 1)}
        return {"action": move.verb.upper(), **numbers}
    if not isinstance(move, Talk | Read):
        raise TypeError(f"{move.kind!r} is no action of the released world")
    named = move.device if isinstance(move, Talk) else move.thing
    return {"action": move.kind.upper(), "arg1": _find_number(named, devices)}


def _find_number(named: str, devices: Mapping[str, int]) -> int | str:
    thing = find_thing(named)
    if thing is not None and thing.name in devices:
        return devices[thing.name]
    text = named.strip()
    back = {new: old for old, new in _renumber(devices).items()}
    return back.get(int(text), int(text)) if text.isdecimal() else text


def _renumber(devices: Mapping[str, int]) -> dict[int, int]:
    """Return the numbers that change, each with its new one: ours and the release's swap."""
    ours = {devices[name]: BY_NAME[name].number for name in (MANIPULATOR, REACTOR)}
    return {**{new: old for old, new in ours.items()}, **ours}


def show_look(look: Json) -> Json:
    """Return a look with our numbers for the two devices."""
    numbers = _renumber(look["devices"])

    def change(value: Any) -> Any:
        if isinstance(value, list):
            return [change(item) for item in value]
        if not isinstance(value, dict):
            return value
        return {
            key: numbers.get(item, item) if key == "uuid" else change(item)
            for key, item in value.items()
        }

    return {**look, "ui": change(look["ui"])}
