"""The rules of conduct in published games.

    exploring ── submit ──→ reporting ── report ──→ over
        └─ turns used up ─→ closing ── submit ──→ reporting

A turn holds at most `calls_per_turn` actions; a deployment ends it. When all turns are used up,
only a submission is taken. What is refused costs nothing and changes nothing, but an agent that
is refused too often has lost its session: whatever is sent, for ever, the world comes to an end.

Under the `code` interface programs act through the same verbs. There, thoughts and turns are not
asked for; programs and what they do are counted instead.
"""

from collections.abc import Callable, Mapping
from typing import Any, Literal

from causarium.contract.frozen import Json, canonical_json
from causarium.contract.unparsed import Unparsed
from causarium.contract.world import Action, Move, Observation, Program
from causarium.families.causalgame.model.actions import (
    ActionSpace,
    Believe,
    Deploy,
    History,
    PlayProgram,
    Query,
    Report,
    RunAnalysis,
    Status,
    Submit,
)
from causarium.families.causalgame.model.config import SPARE_TURNS, GameRules
from causarium.families.causalgame.model.instance import GameInstance, GamePublic
from causarium.families.causalgame.play.published.game_session import Impossible, Session
from causarium.families.causalgame.play.published.wording import (
    Wording,
    batch_data,
    batch_text,
    flight_data,
    flight_table,
    result_data,
    result_text,
    space_data,
    space_text,
    status_data,
    status_text,
)

MOST_REFUSALS = 40
MOST_PROGRAMS = 50
"""So many programs may be run under the code interface, as published."""
MOST_VERBS = 1_000
"""So many things may programs do; with a loop that never ends, a session still does."""
MOST_AFTERTHOUGHTS = 30
GRACE = 3
"""How often one may be refused when only a submission, or only a report, is left to do."""
_ENDINGS = {
    "out of time": "ran out of time",
    "out of memory": "ran out of memory",
    "refused": "was refused",
}
OVER = "The session is over; nothing more can be done."

Phase = Literal["exploring", "closing", "reporting", "over"]


def turn_limit(public: GamePublic, rules: GameRules) -> int:
    """Return after how many turns exploration ends."""
    return rules.max_turns or public.budget.deployments + SPARE_TURNS


class GameWorld:
    """One session being played."""

    def __init__(
        self, instance: GameInstance, rules: GameRules, words: Wording | None = None
    ) -> None:
        self.public = instance.public
        self.rules = rules
        self.session = Session(instance, rules)
        self.phase: Phase = "exploring"
        self.turn = 1
        self.calls = 0
        """How many actions this turn has had."""
        self.afterthoughts = 0
        """How much was done after the submission, where the rules let anything be done."""
        self.programs = 0
        self.verbs = 0
        self._refusals = MOST_REFUSALS
        self._words = words or Wording(instance.public, rules)
        self._handlers: dict[type[Action], Callable[[Any], Observation]] = {
            Status: self._status,
            History: self._history,
            ActionSpace: self._action_space,
            Query: self._query,
            Deploy: self._deploy,
            RunAnalysis: self._program,
            Believe: self._believe,
            Submit: self._submit,
            Report: self._report,
            PlayProgram: self._program,
        }

    @property
    def allowed_actions(self) -> tuple[type[Action], ...]:
        """The kinds of action that are accepted now."""
        if self.phase == "over":
            return ()
        if self.phase == "closing":
            return (Submit,)
        if self.phase == "reporting":
            return self._after_submission()
        if self.rules.interface == "code":
            return (Status, History, ActionSpace, Query, Deploy, Submit, PlayProgram)
        return (
            *(Status, History, ActionSpace),
            *((Query,) if self.public.queries_answered else ()),
            Deploy,
            *((RunAnalysis,) if self.rules.analysis else ()),
            *((Believe,) if self.rules.claims else ()),
            Submit,
            # On offer from the start, so that tool-calling agents know of it; taken at the end.
            *((Report,) if self.rules.report else ()),
        )

    def _after_submission(self) -> tuple[type[Action], ...]:
        kinds: tuple[type[Action], ...] = (Report,)
        if self.rules.deploy_after_submission:
            kinds = (Status, History, Deploy, *kinds)
        # The turn of a program that submitted comes after its submission.
        return (*kinds, PlayProgram) if self.rules.interface == "code" else kinds

    @property
    def done(self) -> bool:
        """Whether the session is over."""
        return self.phase == "over"

    @property
    def budget(self) -> int:
        """How many drones may be sent on test flights."""
        return self.session.budget.drones

    @property
    def spent(self) -> int:
        """How many have been sent."""
        return self.session.drones_used

    def workspace(self) -> Mapping[str, str]:
        """Return the files that a program finds: the flights on record, and what is left."""
        flights: Json = [flight_data(flight) for flight in self.session.records()]
        return {
            "history.json": canonical_json(flights),
            "status.json": canonical_json(status_data(self.session, self.public)),
            "action_space.json": canonical_json(space_data(self.public)),
        }

    def act(self, move: Move) -> Observation:
        """Answer one move."""
        if self.done:
            return Observation(OVER, legal=False)
        if isinstance(move, Unparsed):
            return self._refuse(f"no action could be read: {move.detail}")
        if reason := self._out_of_turn(move):
            return self._refuse(reason)
        phase = self.phase
        try:
            seen = self._handlers[type(move)](move)
        except Impossible as wrong:
            return self._refuse(str(wrong))
        if phase == "reporting":
            self._count_afterthought()
        seen = self._count_move(move, seen)
        return _append_text(seen, OVER) if self.done else seen

    def _out_of_turn(self, move: Action) -> str | None:
        """Say why a move is not taken now, or return None."""
        if type(move) not in self.allowed_actions:
            return self._why_not(move)
        if isinstance(move, Report) and self.session.result is None:
            return "a report is written when the fleet's result is known; submit a design first"
        if isinstance(move, Submit) and self.rules.guards and not self.session.batches:
            return "no drones have been deployed yet; test at least one design before you submit"
        if self._must_think(move) and not str(getattr(move, "thought", "")).strip():
            return "reasoning comes before acting; say in `thought` why you do this"
        return None

    def _why_not(self, move: Action) -> str:
        if self.phase == "closing":
            return "all turns are used up; only a submission is taken now"
        if self.phase == "reporting" and isinstance(move, Submit):
            return "the one submission has been made"
        if self.phase == "reporting":
            return (
                f"the fleet has flown, and {move.kind!r} cannot be done any more; write the report"
            )
        return f"{move.kind!r} cannot be done in this session"

    def _must_think(self, move: Action) -> bool:
        if self.rules.interface == "code" or self.rules.thoughts_unchecked:
            return False
        return "thought" in type(move).model_fields

    def _refuse(self, reason: str) -> Observation:
        self._refusals -= 1
        if self._refusals <= 0:
            self.phase = "over"
        closing = f"\n{OVER}" if self.done else ""
        return Observation(f"Refused: {reason}.{closing}", {"refused": reason}, legal=False)

    def _count_move(self, move: Action, seen: Observation) -> Observation:
        """Count a move of the exploration, and say when a turn or the exploration ends."""
        if self.rules.interface == "code":
            return self._count_program(move, seen)
        if self.phase != "exploring":
            return seen
        self.calls += 1
        if self.calls < self.rules.calls_per_turn and not isinstance(move, Deploy):
            return seen
        self.turn, self.calls = self.turn + 1, 0
        if self.turn <= turn_limit(self.public, self.rules):
            return _append_text(seen, self._words.turn(self.session, self.turn))
        if self.rules.guards and not self.session.batches:
            self.phase = "over"
            return _append_text(seen, self._words.fill_text("never_deployed"))
        self._go("closing")
        return _append_text(seen, self._words.fill_text("closing"))

    def _count_program(self, move: Action, seen: Observation) -> Observation:
        self.programs += isinstance(move, PlayProgram)
        self.verbs += not isinstance(move, PlayProgram)
        if self.phase == "exploring" and (
            self.programs >= MOST_PROGRAMS or self.verbs >= MOST_VERBS
        ):
            self.phase = "over"
        return seen

    def _count_afterthought(self) -> None:
        self.afterthoughts += 1
        if self.afterthoughts >= MOST_AFTERTHOUGHTS:
            self.phase = "over"

    def _go(self, phase: Phase) -> None:
        self.phase = phase
        self._refusals = min(self._refusals, GRACE)

    def _status(self, _: Status) -> Observation:
        return Observation(
            status_text(self.session, self.public), status_data(self.session, self.public)
        )

    def _history(self, move: History) -> Observation:
        flights = self.session.records(move.of)
        return Observation(
            flight_table(flights), {"flights": [flight_data(flight) for flight in flights]}
        )

    def _action_space(self, _: ActionSpace) -> Observation:
        return Observation(space_text(self.public), space_data(self.public))

    def _query(self, move: Query) -> Observation:
        found = self.session.ask(move)
        left = self.session.queries_left
        seen: dict[str, Json] = {
            "discovered": {variable.name: variable.about for variable in found},
            "queries_remaining": left,
        }
        piece = "found_names" if self.rules.names_only else "found"
        lines = "\n".join(f"- {v.name}: {v.about}" for v in found)
        text = (
            self._words.fill_text(piece, found=lines)
            if found
            else self._words.fill_text("not_found")
        )
        return Observation(f"{text}\nQuestions left: {left}.", seen)

    def _deploy(self, move: Deploy) -> Observation:
        batch = self.session.deploy(move)
        text = batch_text(batch, self.session)
        if self.rules.questions and self.rules.interface != "code":
            text = f"{text}\n\n{self._words.fill_text('questions')}"
        return Observation(text, batch_data(batch, self.session), cost=move.count)

    def _program(self, move: Program) -> Observation:
        if move.ran is None:
            raise Impossible("no sandbox is at hand to run code in; nothing was run")
        told = "" if self._is_unanswered(move) else move.ran.output
        seen: dict[str, Json] = {"ending": move.ran.ending, "output": told}
        ending = _ENDINGS.get(move.ran.ending, move.ran.ending)
        text = self._words.fill_text("program", ending=ending, output=told or "(nothing)")
        if self.phase == "reporting":
            text = f"{text}\n\n{self._words.report()}"
        return Observation(text, seen)

    def _is_unanswered(self, move: Program) -> bool:
        return self.rules.analysis_unanswered and isinstance(move, RunAnalysis)

    def _believe(self, move: Believe) -> Observation:
        return Observation(f"Noted: {len(move.claims)} claims.", {"claims": len(move.claims)})

    def _submit(self, move: Submit) -> Observation:
        result = self.session.submit(move)
        second = self.rules.secondary_score
        text = result_text(result, self.public, second=second)
        seen = result_data(result, self.public, second=second)
        if not self.rules.report:
            self.phase = "over"
            return Observation(text, seen)
        self._go("reporting")
        return Observation(f"{text}\n\n{self._words.report()}", seen)

    def _report(self, move: Report) -> Observation:
        if not move.text.strip():
            raise Impossible("the report is empty")
        self.phase = "over"
        return Observation("The report is recorded.")


def _append_text(seen: Observation, text: str) -> Observation:
    return Observation(f"{seen.text}\n\n{text}", seen.data, seen.legal, seen.cost)
