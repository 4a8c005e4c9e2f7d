"""Lamps for programmers: the toy family, played by Python that flips switches through a client."""

import json
import re
from collections.abc import Mapping
from typing import ClassVar

from causarium.contract.family import Prompt
from causarium.contract.world import Action, Move, Observation, Program, Unparsed
from tests.support.lamps import FAMILY as LAMPS
from tests.support.lamps.model import ACTIONS, Answer, Flip, LampsPublic, LampsRules
from tests.support.lamps.play import LampsWorld
from tests.support.vary_family import vary


class Tinker(Program):
    """Run Python that may flip switches and answer."""

    kind: ClassVar[str] = "tinker"
    verbs: ClassVar[tuple[type[Action], ...]] = (Flip, Answer)


class Ponder(Program):
    """Run Python that may do nothing but think."""

    kind: ClassVar[str] = "ponder"


class WiredRules(LampsRules):
    """The rules of lamps, with programs."""

    interfaces: ClassVar[tuple[str, ...]] = ("code", "tools", "json")


class WiredWorld(LampsWorld):
    """A lamp whose switches a program can reach; a few programs are run, then an answer is due."""

    programs_left = 4

    @property
    def allowed_actions(self) -> tuple[type[Action], ...]:
        programs: tuple[type[Action], ...] = (Tinker, Ponder) if self.programs_left else ()
        return () if self.done else (*super().allowed_actions, *programs)

    def workspace(self) -> Mapping[str, str]:
        return {"switches.json": json.dumps(self._switches)}

    def act(self, move: Move) -> Observation:
        if self.done or not isinstance(move, Program):
            return super().act(move)
        if move.ran is None:
            return self._refuse("Programs are not run now.")
        self.programs_left -= 1
        return Observation(f"Your program {move.ran.ending}:\n{move.ran.output}")


def parse(
    reply: str, allowed_actions: tuple[type[Action], ...], rules: WiredRules
) -> Action | Unparsed:
    """Take the last fenced block for a program, and everything else as lamps do."""
    blocks = re.findall(r"```python\n(.*?)```", reply, flags=re.DOTALL)
    return Tinker(code=blocks[-1]) if blocks else LAMPS.replies.parse(reply, allowed_actions, rules)


def prompt(public: LampsPublic, rules: WiredRules) -> Prompt:
    return Prompt(system="Write Python.", user=f"The switches are {', '.join(public.switches)}.")


WIRED = vary(
    LAMPS,
    rules=WiredRules,
    actions=(*ACTIONS, Tinker, Ponder),
    open_world=WiredWorld,
    parse=parse,
    prompt=prompt,
)
