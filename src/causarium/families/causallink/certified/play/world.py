"""One table being played: trials, each answered by what the target does, then an answer.

The first reply in a row that cannot be taken is asked for once more and costs nothing; the second
ends the case without an answer, under its error mode.
"""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from causarium.contract.texts.replies import excerpt
from causarium.contract.turn import Turn
from causarium.contract.world import Action, Move, Observation, Unparsed
from ..levels import LinkRules
from ..mechanics import decides, moves
from ..model import ACTIONS, Answer, LinkInstance, Trial
from .replies import (
    ANSWERS,
    ERROR_MODES,
    INVALID_ANSWER,
    INVALID_FORMAT,
    INVALID_NAME,
    TOO_FEW_HANDS,
    TOO_MANY,
    fold_name,
)
from .wording import Wording


class Made(NamedTuple):
    """A trial that was made."""

    started: tuple[str, ...]
    held: tuple[str, ...]
    moved: bool
    decisive: bool
    """Whether it would have come out differently if the other answer were true."""


class TableWorld:
    """One table being played."""

    done = False
    slips = 0
    """How many replies were asked for once more."""
    error: str | None = None
    """Why the case ended without an answer."""
    answer: Literal["yes", "no"] | None = None
    _slipped = False
    """Whether the last reply was asked for once more."""

    def __init__(self, instance: LinkInstance, rules: LinkRules) -> None:
        self._public = instance.public
        self._secret = instance.secret
        self._words = Wording(instance.public, rules)
        self._names = {fold_name(name): name for name in instance.public.objects}
        self.budget = instance.public.trials
        self.made: list[Made] = []
        """The trials made so far."""

    @property
    def spent(self) -> int:
        """How many trials were made."""
        return len(self.made)

    @property
    def allowed_actions(self) -> tuple[type[Action], ...]:
        """The kinds of action that are accepted now."""
        if self.done:
            return ()
        return ACTIONS if self.spent < self.budget else (Answer,)

    def act(self, move: Move) -> Observation:
        """Answer one move."""
        if self.done:
            return Observation("This case is over.", legal=False)
        if isinstance(move, Unparsed):
            mode = move.mode if move.mode in ERROR_MODES else INVALID_FORMAT
            return self._ask_again(mode, move.detail)
        if isinstance(move, Trial):
            return self._trial(move)
        if isinstance(move, Answer):
            return self._take_answer(move.answer)
        return self._ask_again(INVALID_FORMAT, f"there is no action {move.kind!r}")

    def _trial(self, move: Trial) -> Observation:
        if self.spent >= self.budget:
            reason = "you have no trials left" if self.budget else "you have no trials of your own"
            return self._ask_again(TOO_MANY, f"{reason}; answer yes or no")
        started, held = self._find_names(move.start), self._find_names(move.hold)
        for found in (started, held):
            if isinstance(found, str):
                return self._ask_again(INVALID_NAME, found)
        if both := set(started) & set(held):
            return self._ask_again(
                INVALID_NAME, f"the {min(both)} cannot be started and held in one trial"
            )
        if (touched := len(started) + len(held)) > self._public.hands:
            reason = f"a trial starts or holds at most {self._public.hands} objects, not {touched}"
            return self._ask_again(TOO_FEW_HANDS, reason)
        public, parts, truth = self._public, self._secret.parts, self._secret.truth
        moved = moves(public, parts, started, held, truth=truth)
        decisive = decides(public, parts, started, held)
        self.made.append(Made(tuple(started), tuple(held), moved, decisive))
        self._slipped = False
        left = self.budget - self.spent
        text = self._words.tell_seen(moved=moved, left=left)
        return Observation(text, {"moved": moved, "left": left}, cost=1)

    def _find_names(self, given: Sequence[str]) -> tuple[str, ...] | str:
        """Return the objects that some texts name, in listing order, or what is wrong with them."""
        found = {self._names.get(fold_name(text), ""): text for text in given}
        if unknown := found.get(""):
            if fold_name(unknown) == fold_name(self._public.target):
                return f"nobody may touch the {self._public.target}"
            return f"there is no {excerpt(unknown)!r}; there are {', '.join(self._public.objects)}"
        return tuple(name for name in self._public.objects if name in found)

    def _take_answer(self, given: str) -> Observation:
        answer = ANSWERS.get(fold_name(given))
        if answer is None:
            return self._ask_again(INVALID_ANSWER, f"{excerpt(given)!r} is neither yes nor no")
        self.answer, self.done = answer, True
        return Observation("Your answer is recorded.")

    def _ask_again(self, mode: str, reason: str) -> Observation:
        """Ask once more at no cost; a second time in a row, end the case."""
        if self._slipped:
            self.error, self.done = mode, True
            return Observation(f"This case is over: {mode}.", legal=False)
        self._slipped = True
        self.slips += 1
        text = (
            f"That reply cannot be taken: {reason}. Nothing has changed. Reply once more; "
            "another such reply ends the case."
        )
        return Observation(f"{text}\n\n{self._words.ask(self.budget - self.spent)}", legal=False)


def open_world(instance: LinkInstance, rules: LinkRules) -> TableWorld:
    """Return a table, ready to be played."""
    return TableWorld(instance, rules)


def replay(instance: LinkInstance, rules: LinkRules, turns: Sequence[Turn]) -> TableWorld:
    """Return the world of a table in which the recorded turns were played again."""
    world = open_world(instance, rules)
    for turn in turns:
        world.act(turn.move(ACTIONS))
    return world
