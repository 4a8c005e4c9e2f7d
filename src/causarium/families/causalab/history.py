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
    parse_failures: int = 0
    """Turns whose hypothesis could not be taken, sent back or not."""
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
    history = History(lab)
    belief: Belief | None = None
    for number, turn in enumerate(turns[: turn_limit(instance.public, rules)]):
        if lab.submissions_left <= 0:
            break
        move = turn.move(ACTIONS)
        belief = _believe(history, belief, move, instance, rules)
        history.refusals += not turn.legal
        history.unread += isinstance(move, Unparsed)
        if dialog is not None:
            dialog.act(move)
        elif turn.legal:
            _drive(lab, move)
        checked = dialog.verified if dialog else turn.legal and isinstance(move, Verify)
        if checked and history.verified_at is None:
            history.verified_at = number
        history.steps.append(Step(belief, lab.used, len(lab.rows), bool(lab.submitted)))
    return history


def _drive(lab: Lab, move: Move) -> None:
    if isinstance(move, Intervene):
        lab.intervene(move.property, move.value)
    elif isinstance(move, Reset):
        lab.reset()
    elif isinstance(move, Submit):
        lab.submit(move.value)


def _believe(
    history: History, belief: Belief | None, move: Move, instance: LabInstance, rules: LabRules
) -> Belief | None:
    sent: Hypothesis | None = getattr(move, "hypothesis", None)
    if sent is None or rules.interface == "plain" or (belief and sent == belief.sent):
        return belief
    resolved = resolve(sent, instance.public)
    if resolved.problems and not rules.unchecked_hypothesis:
        history.parse_failures += 1
        return belief
    # An empty object is how some agents fill the field when they have nothing to say.
    return Belief(sent, resolved) if sent.edges or sent.coefficients else belief
