"""What happened in an episode, from the recorded turns: readings, refusals, and beliefs held.

The lab is driven again by what was legal, without words. A hypothesis is in force from the turn it
was sent with until the next one; one with problems never comes into force, unless the rules leave
hypotheses unchecked, and one that is empty says nothing new.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from causarium.contract.answer import Unparsed
from causarium.contract.episode import Turn
from causarium.contract.world import Move
from causarium.families.causalab.actions import ACTIONS, Intervene, Reset, Submit, Verify
from causarium.families.causalab.config import LabRules
from causarium.families.causalab.dialog import DialogWorld, turn_limit
from causarium.families.causalab.hypothesis import Hypothesis, Resolved, resolve
from causarium.families.causalab.instance import LabInstance
from causarium.families.causalab.lab import Lab
from causarium.families.causalab.world import MAX_RETURNS


@dataclass(frozen=True, slots=True)
class Belief:
    """A hypothesis in force, as sent and in the instance's names."""

    sent: Hypothesis
    resolved: Resolved


@dataclass(frozen=True, slots=True)
class Step:
    """Where things stood after one turn."""

    belief: Belief | None
    """What was then believed; None before the first hypothesis."""
    used: int
    """How many interventions had been made."""
    readings: int
    """How many readings of the manipulator's crystal there were, the first included."""
    submitted: bool
    """Whether a submission had been made."""


@dataclass(slots=True)
class History:
    """What happened in an episode."""

    lab: Lab
    steps: list[Step] = field(default_factory=list)
    refusals: int = 0
    """Turns that were refused, unreadable ones among them."""
    unread: int = 0
    """Turns in which no action could be read."""
    sent_back: int = 0
    """Turns that were refused because of their hypothesis."""
    parse_failures: int = 0
    """Turns whose hypothesis was not taken after it had been sent back as often as it may be."""
    verified_at: int | None = None
    """The number of the turn, from 0, at which a hypothesis was held against the data."""

    @property
    def final(self) -> Belief | None:
        """What was believed in the end."""
        return self.steps[-1].belief if self.steps else None


def recall(instance: LabInstance, rules: LabRules, turns: Sequence[Turn]) -> History:
    """Go through recorded turns again."""
    dialog = DialogWorld(instance, rules) if rules.interface == "dialog" else None
    lab = dialog.lab if dialog else Lab(instance, rules)
    history, beliefs = History(lab), _Beliefs(instance, rules)
    for number, turn in enumerate(turns[: turn_limit(instance.public, rules)]):
        if lab.submissions_left <= 0:
            break
        move = turn.move(ACTIONS)
        beliefs.hear(move)
        history.refusals += not turn.legal
        history.unread += isinstance(move, Unparsed)
        if dialog is not None:
            dialog.act(move)
        elif turn.legal:
            _drive(lab, move)
        checked = dialog.verified if dialog else turn.legal and isinstance(move, Verify)
        if checked and history.verified_at is None:
            history.verified_at = number
        history.steps.append(Step(beliefs.held, lab.used, len(lab.rows), bool(lab.submitted)))
    history.sent_back, history.parse_failures = beliefs.sent_back, beliefs.parse_failures
    return history


def _drive(lab: Lab, move: Move) -> None:
    if isinstance(move, Intervene):
        lab.intervene(move.property, move.value)
    elif isinstance(move, Reset):
        lab.reset()
    elif isinstance(move, Submit):
        lab.submit(move.value)


class _Beliefs:
    """The hypothesis in force, and what became of those that were not taken."""

    def __init__(self, instance: LabInstance, rules: LabRules) -> None:
        self.held: Belief | None = None
        self.sent_back = 0
        self.parse_failures = 0
        self._public = instance.public
        self._rules = rules
        self._in_a_row = 0

    def hear(self, move: Move) -> None:
        """Take the hypothesis of a move, if it has one that can be taken."""
        if isinstance(move, Unparsed):
            return
        sent: Hypothesis | None = getattr(move, "hypothesis", None)
        same = self.held is not None and sent == self.held.sent
        if sent is None or same or self._rules.interface == "plain":
            self._in_a_row = 0
        else:
            self._weigh(sent)

    def _weigh(self, sent: Hypothesis) -> None:
        resolved = resolve(sent, self._public)
        if not resolved.problems or self._rules.unchecked_hypothesis:
            self._in_a_row = 0
            # An empty object is how some agents fill the field when they have nothing to say.
            if sent.edges or sent.coefficients:
                self.held = Belief(sent, resolved)
        elif self._in_a_row < MAX_RETURNS:
            self._in_a_row += 1
            self.sent_back += 1
        else:
            self._in_a_row = 0
            self.parse_failures += 1
