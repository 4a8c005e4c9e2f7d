"""What happened in an episode, from the recorded turns: readings, refusals, beliefs and grades.

The lab is driven again by what was legal, without words. A hypothesis is in force from the turn it
was sent with until the next one; one with problems never comes into force, unless the rules leave
hypotheses unchecked, and one that is empty says nothing new.

The area of a number is its mean over the turns: what a belief scored on average while it was held.
Turns before the first hypothesis count as what an empty one scores.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import fmean

from causarium.contract.turn import Turn
from causarium.families.causalab.mechanics.lab import Lab, Row
from causarium.families.causalab.mechanics.resolve_hypothesis import ResolvedHypothesis, resolve
from causarium.families.causalab.model.actions import (
    ACTIONS,
    Choose,
    Enter,
    Intervene,
    Measure,
    Submit,
    Talk,
    Verify,
)
from causarium.families.causalab.model.config import LabRules
from causarium.families.causalab.model.hypothesis import Hypothesis
from causarium.families.causalab.model.instance import LabInstance
from causarium.families.causalab.model.lab_plan import CORRIDOR, PLACES, find_thing
from causarium.families.causalab.play.dialog import DialogWorld
from causarium.families.causalab.play.world import Returns, turn_limit
from causarium.families.causalab.scoring.grade_hypothesis import (
    Grade,
    Truth,
    claim_of,
    grade,
    make_empty_claim,
)
from causarium.scm.dag import mask_of
from causarium.scm.equivalence import class_size
from causarium.scoring.graph_scores import Edge


@dataclass(frozen=True, slots=True)
class Belief:
    """A hypothesis in force, as sent and in the instance's names."""

    sent: Hypothesis
    resolved: ResolvedHypothesis

    def agrees_with(self, other: "Belief | None") -> bool:
        """Say whether another belief has the same arrows and numbers, however written."""
        return other is not None and self.resolved.content == other.resolved.content


@dataclass(frozen=True, slots=True)
class Step:
    """Where things stood after one turn."""

    belief: Belief | None
    """What was then believed; None before the first hypothesis."""
    used: int
    """How many interventions had been made."""


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
    """Turns that were carried out without their hypothesis, which could not be taken.

    It had been sent back as often as it may be, or it was the last turn.
    """
    verified_at: int | None = None
    """The number of the turn, from 0, at which a hypothesis was held against the data."""

    @property
    def final(self) -> Belief | None:
        """What was believed in the end."""
        return self.steps[-1].belief if self.steps else None


def recall(instance: LabInstance, rules: LabRules, turns: Sequence[Turn]) -> History:
    """Go through recorded turns again.

    Raises:
        ContractError: A turn records an action that this family does not have.
    """
    dialog = DialogWorld(instance, rules) if rules.has_dialogs else None
    lab = dialog.lab if dialog else Lab(instance, rules)
    history, beliefs = History(lab), _Beliefs(instance, rules)
    limit = turn_limit(instance.public, rules)
    for number, turn in enumerate(turns[:limit]):
        if lab.submissions_left <= 0:
            break
        beliefs.hear(turn, last=number + 1 == limit)
        history.refusals += not turn.legal
        history.unread += turn.unparsed is not None
        if dialog is not None and rules.has_body:
            _follow_body(dialog, turn)
        elif dialog is not None:
            dialog.act(turn.move(ACTIONS))
        elif turn.legal:
            _drive(lab, turn)
        checked = dialog.verified if dialog else turn.legal and _kind(turn) == Verify.kind
        if checked and history.verified_at is None:
            history.verified_at = number
        history.steps.append(Step(beliefs.held, lab.used))
    history.sent_back, history.parse_failures = beliefs.sent_back, beliefs.parse_failures
    return history


def _follow_body(dialog: DialogWorld, turn: Turn) -> None:
    """Follow the pages of a turn that was taken by a body, without one.

    Where the body stood is said by what was legal: who talked to a device stood before it.
    """
    move = turn.move(ACTIONS)
    if not turn.legal or not isinstance(move, Talk | Choose | Enter):
        return
    if isinstance(move, Talk):
        device = find_thing(move.device)
        dialog.place = PLACES[device.name] if device else CORRIDOR
        dialog.page = None
        move = Talk()
    elif isinstance(move, Choose):
        # In the released world a reply that cannot be read leaves a page that asks for a value.
        dialog.leave_value_page()
    dialog.carry_out(move)


def _kind(turn: Turn) -> str | None:
    return turn.action.get("kind") if turn.action else None


def _drive(lab: Lab, turn: Turn) -> None:
    kind, action = _kind(turn), turn.action or {}
    if kind == Intervene.kind:
        lab.intervene(action["property"], action["value"])
    elif kind == Submit.kind:
        lab.submit(action["value"])
    elif kind not in _WITHOUT_EFFECT:
        turn.move(ACTIONS)


_WITHOUT_EFFECT = {Measure.kind, Verify.kind, None}


class _Beliefs:
    """The hypothesis in force, and what became of those that were not taken."""

    def __init__(self, instance: LabInstance, rules: LabRules) -> None:
        self.held: Belief | None = None
        self.sent_back = 0
        self.parse_failures = 0
        self._public = instance.public
        self._rules = rules
        self._recorded: object = None
        self._returns = Returns()

    def hear(self, turn: Turn, *, last: bool) -> None:
        """Take the hypothesis of a turn, if it has one that can be taken."""
        if turn.action is None:
            return
        recorded = turn.action.get("hypothesis")
        if recorded is None or recorded == self._recorded or self._rules.interface == "plain":
            self._returns.weigh(sound=True, last=last)
        else:
            self._weigh(recorded, last=last)

    def _weigh(self, recorded: object, *, last: bool) -> None:
        sent = Hypothesis.model_validate(recorded)
        resolved = resolve(sent, self._public)
        sound = not resolved.problems or self._rules.unchecked_hypothesis
        fate = self._returns.weigh(sound=sound, last=last)
        self.sent_back += fate == "sent back"
        self.parse_failures += fate == "set aside"
        # An empty object is how some agents fill the field when they have nothing to say.
        if fate == "taken" and (sent.edges or sent.coefficients):
            self.held, self._recorded = Belief(sent, resolved), recorded


_WITH_AREA = ("edge_f1", "shd", "root_f1", "freq_edge_f1", "weight_f1")


@dataclass(frozen=True, slots=True)
class Point:
    """What was believed after one turn, and how it is graded."""

    turn: int
    """Counted from 1."""
    interventions: int
    """How many had been made."""
    edges: frozenset[Edge]
    """The arrows believed in, in the instance's names."""
    grade: Grade
    changed: bool
    """Whether this turn brought other arrows or numbers into force."""

    @property
    def numbers(self) -> dict[str, float]:
        """The grade as named numbers."""
        return self.grade.numbers()


def equivalent(instance: LabInstance, rows: Sequence[Row]) -> int:
    """Return the size of the interventional equivalence class after `rows` and the chain."""
    names = instance.public.names
    used = {row.target for row in rows if row.target is not None}
    used |= {names.index(step.property) for step in instance.public.chain if step.property}
    return class_size(instance.secret.mechanism(instance.public).dag, mask_of(used))


def points(instance: LabInstance, rules: LabRules, history: History) -> list[Point]:
    """Return the trajectory of a history."""
    truth = Truth.of(instance, rules)
    held: Belief | None = None
    graded = grade(make_empty_claim(rules), truth)
    found = []
    for number, step in enumerate(history.steps, 1):
        changed = False
        if step.belief is not None and step.belief is not held:
            changed = not step.belief.agrees_with(held)
            held = step.belief
            graded = grade(claim_of(held.sent, held.resolved, truth, rules), truth)
        edges = held.resolved.edges if held else frozenset()
        found.append(Point(number, step.used, edges, graded, changed))
    return found


def areas(found: Sequence[Point], empty: Grade) -> dict[str, float]:
    """Return the areas under some numbers; `empty` is the grade of believing nothing."""
    grades = [point.numbers for point in found] or [empty.numbers()]
    return {f"{name}_area": fmean(one[name] for one in grades) for name in _WITH_AREA}
