"""The lab behind tools and JSON: one action a turn, one text in return.

The plain interface uses the same world; there no hypothesis is asked for, and none is checked.
"""

from collections.abc import Callable, Sequence
from typing import Any

from causarium.contract.turn import Turn
from causarium.contract.world import Action, Move, Observation, Unparsed
from ..evidence.consistency import check, report
from ..evidence.infer_mechanism import Notebook
from ..levels import LabRules
from ..mechanics.lab import Lab, Refusal
from ..mechanics.resolve_hypothesis import ResolvedHypothesis, resolve
from ..mechanics.shown_values import Listing, format_entered
from ..model.actions import ACTIONS, Choose, Intervene, Measure, Submit, Verify
from ..model.hypothesis import Hypothesis
from ..model.instance import LabInstance, LabPublic

SPARE_TURNS = 16
WALK_TURNS = 7
"""Turns of an episode without any intervention: two walks, two openings, an exit, a submission."""
STEPS_ON_FOOT = 60
"""What a body may need beyond the turns of the dialogs: there and back, twice, with detours."""
PUBLISHED_TURNS = {3: 52, 4: 53, 5: 54, 6: 55, 7: 56}
"""The published caps by the number of nodes; of other sizes it is 38 and two an intervention."""


def turn_limit(public: LabPublic, rules: LabRules) -> int:
    """Return after how many turns an episode ends at the latest.

    Through dialogs it is twice what an episode with every intervention takes, and 16 to spare; a
    body has 60 steps more. The published caps are lower.
    """
    budget = public.budget
    if rules.max_turns is not None:
        return rules.max_turns
    if rules.published_protocol or (rules.has_body and rules.published_steps):
        return PUBLISHED_TURNS.get(len(public.nodes), 38 + 2 * budget)
    if rules.has_dialogs:
        on_foot = STEPS_ON_FOOT if rules.has_body else 0
        return 2 * (2 * budget + WALK_TURNS) + SPARE_TURNS + on_foot
    return 2 * budget + SPARE_TURNS


_CHECKS = frozenset({Verify.kind, Choose.kind})
"""Kinds of action that may check a hypothesis against the data."""
MAX_RETURNS = 2
"""How often in a row a hypothesis with problems is sent back."""
OVER = "The episode is over; nothing more can be done."


class LabWorld:
    """One instance being played through tools or JSON."""

    def __init__(self, instance: LabInstance, rules: LabRules) -> None:
        self.lab = Lab(instance, rules)
        self.rules = rules
        self.public = instance.public
        self.turns = 0
        self.max_turns = turn_limit(self.public, rules)
        self.verified = False
        self.held: ResolvedHypothesis | None = None
        """The hypothesis in force: the last that was taken."""
        self.sent_back = 0
        """Turns that were refused because of their hypothesis."""
        self.parse_failures = 0
        """Turns with a bad hypothesis after it had been sent back twice, or in the last turn."""
        self._returned = 0
        self._said: object = None
        self._listing = Listing(self.public, rules)
        self._handlers = self._list_handlers()

    def _list_handlers(self) -> dict[type[Action], Callable[[Any], Observation]]:
        """List what can be done, and by which method."""
        return {
            Measure: self._measure,
            Intervene: self._intervene,
            Verify: self._verify,
            Submit: self._submit,
        }

    @property
    def allowed_actions(self) -> tuple[type[Action], ...]:
        """The kinds of action that are accepted now."""
        if self.done:
            return ()
        if self.lab.locked:
            return (Submit,)
        kinds: list[type[Action]] = [Measure]
        if self.public.budget:
            kinds.append(Intervene)
        if self.rules.verification != "none" and not self.verified:
            kinds.append(Verify)
        return (*kinds, Submit)

    @property
    def done(self) -> bool:
        """Whether the episode is over."""
        return self.turns >= self.max_turns or self.lab.submissions_left <= 0

    @property
    def budget(self) -> int:
        """How many interventions may be made."""
        return self.public.budget

    @property
    def spent(self) -> int:
        """How many interventions were made."""
        return self.lab.used

    def act(self, move: Move) -> Observation:
        """Answer one move."""
        if self.done:
            return Observation(OVER, legal=False)
        self.turns += 1
        if isinstance(move, Unparsed):
            again = "" if self.rules.strict_form else ". Nothing was done or counted; send it again"
            return self._refuse(f"no action could be read: {move.detail}{again}")
        handler = self._handlers.get(type(move))
        if handler is None:
            return self._refuse(f"{move.kind!r} is not an action of this interface")
        problems, is_sent_back = self._weigh(getattr(move, "hypothesis", None))
        if is_sent_back:
            return self._refuse(f"the hypothesis cannot be taken: {problems}. Send it again")
        seen = handler(move)
        if not problems:
            return seen
        note = f"The hypothesis of this turn was not taken: {problems}.\n"
        return Observation(note + seen.text, seen.data, seen.legal, seen.cost)

    def _weigh(self, sent: Hypothesis | None) -> tuple[str, bool]:
        """Take the hypothesis of a move, if it has one that can be taken.

        In the last turn nothing could be sent again and its action would be lost, so there a bad
        hypothesis is set aside at once.

        Returns:
            What is wrong with it, and whether it is sent back for that.
        """
        problems = ""
        is_new = sent is not None and (self.held is None or sent != self.held.sent)
        if sent is not None and is_new and self.rules.interface != "plain":
            found = resolve(sent, self.public, self.lab.names)
            if not self.rules.unchecked_hypothesis:
                problems = "; ".join(found.problems[:4])
            # An empty object is how some agents fill the field when they have nothing to say.
            if not problems and (sent.edges or sent.coefficients):
                self.held = found
        is_sent_back = bool(problems) and self._returned < MAX_RETURNS and not self.done
        self._returned = self._returned + 1 if is_sent_back else 0
        self.sent_back += is_sent_back
        self.parse_failures += bool(problems) and not is_sent_back
        return problems, is_sent_back

    def follow(self, turn: Turn) -> None:
        """Take a recorded turn again: what was said, and what was legal of what was done.

        Raises:
            ContractError: The turn records an action that this family does not have.
        """
        fields, held = turn.action or {}, self.held
        said = fields.get("hypothesis")
        if said is not None and fields["kind"] not in _CHECKS:
            # It is read apart, and only if it is another than the one in force: as a part of its
            # action it would take a fifth of the time of scoring.
            turn = turn.model_copy(update={"action": {**fields, "hypothesis": None}})
        move = turn.move(ACTIONS)
        self.turns += 1
        if not isinstance(move, Unparsed):
            is_new = said is not None and said != self._said
            self._weigh(Hypothesis.model_validate(said) if is_new else None)
            self._said = self._said if self.held is held else said
            if turn.legal and type(move) in self._handlers:
                self.carry_out(move)

    def carry_out(self, move: Action) -> Observation:
        """Do what a move says, without a look at the hypothesis or the clock."""
        return self._handlers[type(move)](move)

    def _refuse(self, reason: str) -> Observation:
        closing = f"\n{OVER}" if self.done else ""
        return Observation(f"Refused: {reason}.{closing}", legal=False)

    def _show_values(self, head: str, values: Sequence[float], cost: int = 0) -> Observation:
        left = self.lab.left
        closing = f"\n{OVER}" if self.done else ""
        return Observation(
            f"{head}\n{self._listing.lines(values, self.lab.touched)}\n"
            f"Interventions left: {left}{closing}",
            {"values": list(values[:-1]), "frequency": values[-1], "left": left},
            cost=cost,
        )

    def _measure(self, _: Measure) -> Observation:
        values = self.lab.measure()
        if isinstance(values, Refusal):
            return self._refuse(values.reason)
        return self._show_values("The manipulator's crystal now reads:", values)

    def _intervene(self, move: Intervene) -> Observation:
        values = self.lab.intervene(move.property, move.value)
        if isinstance(values, Refusal):
            return self._refuse(values.reason)
        target = self.lab.rows[-1].target
        display = self.public.properties[target or 0].display
        put = f"{display} put to {format_entered(move.value)}"
        head = f"Intervention {self.lab.used}: {put}. The crystal reads:"
        return self._show_values(head, values, cost=1)

    def _verify(self, move: Verify) -> Observation:
        if self.rules.verification == "none":
            return self._refuse("there is no verification here")
        if self.verified:
            return self._refuse("the one verification has been made")
        if self.lab.locked:
            return self._refuse("the reactor has been opened; it is too late to verify")
        self.verified = True
        seen = Notebook.of(self.public, self.lab.rows[1:]).sights
        resolved = resolve(move.hypothesis, self.public)
        result = check(resolved, seen, self.public.names)
        return Observation(
            report(resolved, seen, self.public),
            {"explained": result.explained, "readings": len(seen), "mean_error": result.mean_error},
        )

    def _submit(self, move: Submit) -> Observation:
        if self.rules.verification == "required" and not self.verified:
            return self._refuse("hold your hypothesis against the data with verify first")
        solved = self.lab.submit(move.value)
        if isinstance(solved, Refusal):
            return self._refuse(solved.reason)
        if not self.rules.repeated_submissions:
            return Observation(f"The submission is recorded. {OVER}")
        left = self.lab.submissions_left
        if solved:
            return Observation(f"The reactor answers: it is calibrated. {OVER}", {"solved": True})
        closing = f"Submissions left: {left}." if left and not self.done else OVER
        return Observation(
            f"The reactor stays uncalibrated. {closing}", {"solved": False, "left": left}
        )
