"""One problem being played: an answer at once, or worlds asked for one by one and then an answer.

Where everything is shown at the start, the first reply is the only one. Where worlds can be asked
for, replies that cannot be read and worlds that cannot be made are refused and cost nothing, and
all turns together are limited, so that every problem ends.
"""

from collections.abc import Sequence

from causarium.contract.frozen import Json
from causarium.contract.unparsed import Unparsed
from causarium.contract.world import Action, Move, Observation
from causarium.families.replayscm.config import FAMILY_NAME, ReplayRules
from causarium.families.replayscm.instance import (
    Ask,
    Extracted,
    ReplayInstance,
    Submit,
    WorldRows,
    gold_formulas,
    true_roots,
)
from causarium.families.replayscm.mechanics.intervention_worlds import Panel, assign
from causarium.families.replayscm.prompts import world_text
from causarium.scm.boolean.formula import parse_formula
from causarium.scm.boolean.model import BooleanScm
from causarium.scm.dag import bits, mask_of
from causarium.seeds import stream

ASKED_ROWS = 12
"""How many rows a world has that was asked for."""
_SPARE_TURNS = 8
_SHOT: tuple[type[Action], ...] = (Submit, Extracted)


class ReplayWorld:
    """One problem being played."""

    def __init__(self, instance: ReplayInstance, rules: ReplayRules) -> None:  # noqa: ARG002
        self._instance = instance
        self._public = instance.public
        self._scm: BooleanScm | None = None
        self._turns_left = 2 * instance.public.budget + _SPARE_TURNS
        self.budget = instance.public.budget
        self.spent = 0
        self.done = False
        self.answer: Submit | None = None
        """What was handed in, once it was."""

    @property
    def allowed_actions(self) -> tuple[type[Action], ...]:
        """The kinds of action that are accepted now."""
        if self.done:
            return ()
        return (Ask, *_SHOT) if self.spent < self.budget else _SHOT

    def act(self, move: Move) -> Observation:
        """Answer one move."""
        if self.done:
            return Observation("This problem is over.", legal=False)
        self._turns_left -= 1
        seen = self._answer(move)
        if self._turns_left <= 0 and not self.done:
            self.done = True
            return Observation(
                "This problem has had too many turns and is over.", legal=seen.legal, cost=seen.cost
            )
        return seen

    def _answer(self, move: Move) -> Observation:
        if isinstance(move, Submit):
            self.done = True
            self.answer = move
            return Observation("Your answer is recorded.")
        if isinstance(move, Ask):
            return self._ask(move)
        detail = move.detail if isinstance(move, Unparsed) else "nothing like it is expected"
        if self.budget:
            return Observation(f"That could not be used: {detail}. Try again.", legal=False)
        self.done = True
        return Observation(f"That could not be used: {detail}. This problem is over.", legal=False)

    def _ask(self, move: Ask) -> Observation:
        if self.spent >= self.budget:
            return Observation("No further worlds can be asked for; give your answer.", legal=False)
        if wrong := refusal(move, self._public.variables, self._public.max_targets):
            return Observation(f"That world cannot be made: {wrong}.", legal=False)
        if self._scm is None:
            self._scm = true_model(self._instance)
        panel = asked_world(self._instance, self._scm, move)
        self.spent += 1
        return self._show(panel.written(f"a{self.spent:02d}", self._public.variables))

    def _show(self, world: WorldRows) -> Observation:
        variables = self._public.variables
        left = self.budget - self.spent
        text = f"{world_text(world, variables)}\n\nYou may ask for {left} more."
        rows = [
            [int(world.columns[name][u]) for name in variables] for u in range(len(world.units))
        ]
        seen: dict[str, Json] = {
            "id": world.id,
            "mode": world.mode,
            "targets": list(world.targets),
            "rows": rows,
        }
        return Observation(text, seen, cost=1)


def true_model(instance: ReplayInstance) -> BooleanScm:
    """Return the true model of a problem."""
    variables = instance.public.variables
    formulas = {n: parse_formula(f, variables) for n, f in gold_formulas(instance).items()}
    return BooleanScm.of(variables, true_roots(instance), formulas)


def refusal(move: Ask, variables: Sequence[str], most: int) -> str | None:
    """Say why a world cannot be made, or return None."""
    names = [*move.constant, *move.assigned]
    if move.constant and move.assigned:
        return "hold variables or give them values row by row, not both in one world"
    if unknown := [name for name in names if name not in variables]:
        return f"there is no variable {unknown[0][:40]!r}"
    if len(set(names)) < len(names):
        return "a variable is named twice"
    if len(names) > most:
        return f"{len(names)} variables are to be set, and at most {most} can be"
    if any(value not in {0, 1} for value in move.constant.values()):
        return "a variable can be held at 0 or at 1 only"
    return None


def asked_world(instance: ReplayInstance, scm: BooleanScm, move: Ask) -> Panel:
    """Return what an asked-for world shows; asked for again, it shows the same rows."""
    import numpy as np

    place = {name: i for i, name in enumerate(instance.public.variables)}
    targets = mask_of(place[name] for name in (*move.constant, *move.assigned))
    constant = mask_of(place[name] for name, value in move.constant.items() if value)
    address = (instance.secret.latent, targets, constant, len(move.assigned))
    rng = stream(0, FAMILY_NAME, "asked", *address)
    free = [root for root in bits(scm.roots) if not targets >> root & 1]
    values = assign(targets, ASKED_ROWS, rng) if move.assigned else [constant] * ASKED_ROWS
    given = [value | mask_of(root for root in free if rng.random() < 0.5) for value in values]
    rows = tuple(scm.replay(np.array(given, np.uint32), targets).tolist())
    if move.assigned:
        return Panel("hard_assigned", targets, rows)
    return Panel("hard_constant" if targets else "none", targets, rows)
