"""One problem being played: an answer at once, or worlds asked for one by one and then an answer.

Where everything is shown at the start, the first reply is the only one. Where worlds can be asked
for, replies that cannot be read and worlds that cannot be made are refused and cost nothing, and
all turns together are limited, so that every problem ends.
"""

from collections.abc import Mapping

from causarium.contract.unparsed import Unparsed
from causarium.contract.world import Action, Move, Observation
from causarium.families.replayscm.config import ReplayRules
from causarium.families.replayscm.instance import (
    Ask,
    Extracted,
    ReplayInstance,
    ReplayPublic,
    Submit,
    WorldRows,
    gold_formulas,
    true_roots,
)
from causarium.families.replayscm.mechanics.intervention_worlds import Panel
from causarium.families.replayscm.prompts import world_text
from causarium.scm.boolean.formula import parse_formula
from causarium.scm.boolean.model import BooleanScm
from causarium.scm.dag import mask_of

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
        if wrong := why_not_asked(move.set, self._public):
            return Observation(f"That world cannot be made: {wrong}.", legal=False)
        if self._scm is None:
            self._scm = true_model(self._instance)
        self.spent += 1
        return self._show(asked_world(self._public, self._scm, move.set, self.spent))

    def _show(self, world: WorldRows) -> Observation:
        variables = self._public.variables
        left = self.budget - self.spent
        text = f"{world_text(world, variables)}\n\nYou may ask for {left} more."
        return Observation(text, world.model_dump(mode="json"), cost=1)


def true_model(instance: ReplayInstance) -> BooleanScm:
    """Return the true model of a problem."""
    variables = instance.public.variables
    formulas = {n: parse_formula(f, variables) for n, f in gold_formulas(instance).items()}
    return BooleanScm.of(variables, true_roots(instance), formulas)


def why_not_asked(setting: Mapping[str, str], public: ReplayPublic) -> str | None:
    """Say why a world cannot be made, or return None."""
    units = len(public.train[0].units)
    if not setting:
        return "nothing is set in it, and that world is the first one"
    if unknown := [name for name in setting if name not in public.variables]:
        return f"there is no variable {unknown[0][:40]!r}"
    if len(setting) > public.max_targets:
        return f"{len(setting)} variables are to be set, and at most {public.max_targets} can be"
    for name, digits in setting.items():
        if len(digits) not in {1, units}:
            return f"{name} needs one digit or {units}, one for each unit, and has {len(digits)}"
        if not set(digits) <= {"0", "1"}:
            return f"{name} can be set to the digits 0 and 1 only"
    return None


def asked_world(
    public: ReplayPublic, scm: BooleanScm, setting: Mapping[str, str], number: int
) -> WorldRows:
    """Return what an asked-for world shows: it follows from the model and the question.

    Args:
        public: The problem.
        scm: The model that says what follows.
        setting: For each variable that is set, a digit for each unit, or one for all.
        number: The how many-eth question it is.
    """
    first = Panel.read(public.train[0], public.variables)
    place = {name: i for i, name in enumerate(public.variables)}
    targets = mask_of(place[name] for name in setting)
    rows = []
    for u, row in enumerate(first.rows):
        values = mask_of(
            place[name]
            for name, digits in setting.items()
            if digits[u if len(digits) > 1 else 0] == "1"
        )
        rows.append(scm.run(row & ~targets | values, targets))
    constant = all(len(set(digits)) == 1 for digits in setting.values())
    panel = Panel("hard_constant" if constant else "hard_assigned", targets, tuple(rows))
    return panel.written(f"a{number:02d}", public.variables)
