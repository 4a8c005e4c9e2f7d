"""Paper edition: the rules of a session, phase by phase, and how replies are read.

    exploring ── submit ──→ reporting ── report ──→ over
        └─ turns used up ─→ closing ── submit ──→ reporting

A turn has at most `calls_per_turn` actions; a deployment ends it. When all turns are used up,
only a submission is taken. What is refused costs nothing and changes nothing, but an agent that
is refused too often has lost its session: whatever is sent, for ever, the world comes to an end.

Under the `code` interface programs act through the same verbs. There, thoughts and turns are not
asked for; programs and what they do are counted instead.

A reply holds one JSON object with a thought and an action, or, as `code`, a fenced Python block.
When only the report is left to write, plain words are one. Published tool names are read as ours.
"""

from collections.abc import Callable, Mapping
from typing import Any, Literal

from pydantic import ValidationError

from causarium.contract.frozen import Json, canonical_json
from causarium.contract.texts.read_reply import read_code, take_first
from causarium.contract.texts.replies import describe_validation_error, excerpt
from causarium.contract.texts.reply_schemas import (
    NAME_CHARS,
    NUMBER,
    Schema,
    any_schema,
    choice_schema,
    list_schema,
    mapping_schema,
    object_schema,
    text_schema,
)
from causarium.contract.texts.scan_reply import ReplyScan, scan_reply
from causarium.contract.world import Action, Move, Observation, Program, Unparsed
from ..model.actions import (
    ACTIONS,
    MOST_CLAIMS,
    MOST_QUESTION_CHARS,
    ActionSpace,
    Believe,
    Deploy,
    History,
    Impossible,
    PlayProgram,
    Query,
    Report,
    RunAnalysis,
    Status,
    Submit,
    tell_ending,
)
from ..model.instance import GameInstance, GamePublic
from ..model.rules import GameRules
from .game_session import SUFFIX, Session
from .wording import (
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
OVER = "The session is over; nothing more can be done."

Phase = Literal["exploring", "closing", "reporting", "over"]


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
        self.afterthoughts += phase == "reporting"
        if self.afterthoughts >= MOST_AFTERTHOUGHTS:
            self.phase = "over"
        seen = self._count_move(move, seen)
        return seen._replace(text=f"{seen.text}\n\n{OVER}") if self.done else seen

    def _out_of_turn(self, move: Action) -> str | None:
        """Say why a move is not taken now, or return None."""
        if type(move) not in self.allowed_actions:
            return self._why_not(move)
        if isinstance(move, Report) and self.session.result is None:
            return "a report is written when the fleet's result is known; submit a design first"
        if isinstance(move, Submit) and self.rules.guards and not self.session.batches:
            return "no drones have been deployed yet; test at least one design before you submit"
        thinks = self.rules.interface != "code" and not self.rules.thoughts_unchecked
        if thinks and not str(getattr(move, "thought", "none asked for")).strip():
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

    def _refuse(self, reason: str) -> Observation:
        self._refusals -= 1
        if self._refusals <= 0:
            self.phase = "over"
        closing = f"\n{OVER}" if self.done else ""
        return Observation(f"Refused: {reason}.{closing}", {"refused": reason}, legal=False)

    def _count_move(self, move: Action, seen: Observation) -> Observation:
        """Count a move of the exploration, and say when a turn or the exploration ends."""
        if self.rules.interface == "code":
            self._count_program(move)
            return seen
        if self.phase != "exploring":
            return seen
        self.calls += 1
        if self.calls < self.rules.calls_per_turn and not isinstance(move, Deploy):
            return seen
        self.turn, self.calls = self.turn + 1, 0
        if self.turn <= self._words.turns:
            return seen._replace(text=f"{seen.text}\n\n{self._words.turn(self.session, self.turn)}")
        if self.rules.guards and not self.session.batches:
            self.phase = "over"
            return seen._replace(text=f"{seen.text}\n\n{self._words.fill_text('never_deployed')}")
        self._go("closing")
        return seen._replace(text=f"{seen.text}\n\n{self._words.fill_text('closing')}")

    def _count_program(self, move: Action) -> None:
        self.programs += isinstance(move, PlayProgram)
        self.verbs += not isinstance(move, PlayProgram)
        is_worn_out = self.programs >= MOST_PROGRAMS or self.verbs >= MOST_VERBS
        if self.phase == "exploring" and is_worn_out:
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
        text = self._words.fill_text(piece if found else "not_found", found=lines)
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
        unanswered = self.rules.analysis_unanswered and isinstance(move, RunAnalysis)
        told = "" if unanswered else move.ran.output
        seen: dict[str, Json] = {"ending": move.ran.ending, "output": told}
        ending = tell_ending(move.ran)
        text = self._words.fill_text("program", ending=ending, output=told or "(nothing)")
        if self.phase == "reporting":
            text = f"{text}\n\n{self._words.report()}"
        return Observation(text, seen)

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


NO_JSON = "no json"
NO_ACTION = "no action"
UNKNOWN_ACTION = "unknown action"
BAD_FIELDS = "bad fields"
NO_CODE = "no code"
EMPTY = "empty"

PUBLISHED = {
    "get_status": "status",
    "get_mission_status": "status",
    "get_history": "history",
    "get_flight_history": "history",
    "get_action_space": "action_space",
    "query_environment": "query",
    "deploy_drone": "deploy",
    "submit_final_design": "submit",
}
"""The published names of actions."""
TOO_LARGE = "too large"
ERROR_MODES = (TOO_LARGE, NO_JSON, NO_ACTION, UNKNOWN_ACTION, BAD_FIELDS, NO_CODE, EMPTY)
"""Why no action could be read in a reply."""

_BY_KIND = {action.kind: action for action in ACTIONS if action is not PlayProgram}
_ENGINE_ONLY = frozenset({"ran", "reading", "forgiven"})
"""Fields that an agent does not fill in."""


def read_session_reply(
    reply: str, allowed_actions: tuple[type[Action], ...], rules: GameRules
) -> Action | Unparsed:
    """Read `reply` as an action of the interface.

    What is not expected just now is read all the same: the world says why it is refused.
    """
    scan = scan_reply(reply, strict=True)
    if scan.is_too_large:
        return Unparsed(mode=TOO_LARGE, detail=scan.problem)
    if rules.interface == "code" and (code := read_code(reply)) is not None:
        return PlayProgram(code=code)
    if _only_report(allowed_actions):
        return _report(scan, allowed_actions)
    if rules.interface == "code":
        detail = f"no fenced python block in the reply: {excerpt(reply)!r}"
        return Unparsed(mode=NO_CODE, detail=detail)
    if not scan.objects:
        return scan.explain_none(NO_JSON)

    def read(found: dict[str, Any]) -> Action | Unparsed:
        return _parse_named_action(found, allowed_actions)

    return take_first(scan.objects, read, allowed_actions)


def _only_report(allowed_actions: tuple[type[Action], ...]) -> bool:
    return Report in allowed_actions and Submit not in allowed_actions


def _parse_named_action(
    found: dict[str, Any], allowed_actions: tuple[type[Action], ...]
) -> Action | Unparsed:
    offered = ", ".join(action.kind for action in allowed_actions)
    if "action" not in found:
        detail = f'the JSON object names no "action"; actions: {offered}'
        return Unparsed(mode=NO_ACTION, detail=detail)
    word = found["action"]
    said = word.strip().lower() if isinstance(word, str) else ""
    action = _BY_KIND.get(PUBLISHED.get(said, said))
    if action is None:
        detail = f"there is no action {excerpt(repr(word))}; actions: {offered}"
        return Unparsed(mode=UNKNOWN_ACTION, detail=detail)
    return _fill_action(action, found)


def _fill_action(action: type[Action], found: dict[str, Any]) -> Action | Unparsed:
    """Make an action of the fields it has; other keys are left to the log."""
    fields = {
        name: found[name]
        for name in action.model_fields
        if name in found and found[name] is not None and name not in _ENGINE_ONLY
    }
    try:
        return action.model_validate(fields)
    except ValidationError as wrong:
        detail = f"{action.kind} cannot be read: {describe_validation_error(wrong)}"
        return Unparsed(mode=BAD_FIELDS, detail=detail)


def _report(scan: ReplyScan, allowed_actions: tuple[type[Action], ...]) -> Action | Unparsed:
    """Read a report: the one JSON object with a text, or else the whole reply."""
    objects = [found for found in scan.objects if "text" in found or "action" in found]
    if len(objects) == 1 and "action" in objects[0]:
        return _parse_named_action(objects[0], allowed_actions)
    if len(objects) == 1:
        return _fill_action(Report, objects[0])
    said = scan.text.strip()
    if not said:
        return Unparsed(mode=EMPTY, detail="the reply is empty")
    return Report(text=said)


_CODE_CHARS = 2_000
_REPORT_CHARS = 2_000
_MOST_UNDER = 4


def write_session_schema(
    public: GamePublic, allowed_actions: tuple[type[Action], ...], _rules: GameRules
) -> Schema:
    """Return the schema of one of the expected actions, in the names of this game."""
    return any_schema(*(_reply(action, public) for action in allowed_actions))


def _reply(action: type[Action], public: GamePublic) -> Schema:
    own = _OWN[action](public) if action in _OWN else {}
    before: dict[str, Schema] = {} if action is Report else {"thought": text_schema()}
    optional = () if action is Believe else ("of", "equipment", "claims")
    return object_schema({**before, "action": choice_schema(action.kind), **own}, optional=optional)


def _write_design_schema(public: GamePublic) -> dict[str, Schema]:
    armour: Schema = {"type": "integer", "minimum": public.lowest, "maximum": public.highest}
    slots = {
        slot.name: choice_schema(*(option.name for option in slot.options)) for slot in public.slots
    }
    plates = [name + SUFFIX for name in public.names]
    return {
        "design": mapping_schema(plates, armour),
        "equipment": object_schema(slots, optional=slots),
    }


def _deploy(public: GamePublic) -> dict[str, Schema]:
    count: Schema = {"type": "integer", "minimum": 1, "maximum": public.budget.per_deployment}
    return {**_write_design_schema(public), "count": count, "claims": _CLAIMS}


def _claims() -> Schema:
    name = text_schema(NAME_CHARS)
    held: Schema = {
        "type": "object",
        "additionalProperties": any_schema(NUMBER, name),
        "maxProperties": _MOST_UNDER,
    }
    relation = choice_schema("raises", "lowers", "does not affect")
    claim = any_schema(
        _claim("effect", cause=name, relation=relation, effect=name, under=held),
        _claim("confounder", confounder=name, of=list_schema(name, 2, least=2)),
        _claim("selection", on=name),
    )
    return list_schema(claim, MOST_CLAIMS)


def _claim(kind: str, **fields: Schema) -> Schema:
    return object_schema({"claim": choice_schema(kind), **fields}, optional=("under",))


_CLAIMS = _claims()
_OWN: dict[type[Action], Callable[[GamePublic], dict[str, Schema]]] = {
    History: lambda _: {"of": choice_schema("all", "opening", "session")},
    Query: lambda _: {"question": text_schema(MOST_QUESTION_CHARS)},
    Deploy: _deploy,
    RunAnalysis: lambda _: {"code": text_schema(_CODE_CHARS)},
    Believe: lambda _: {"claims": _CLAIMS},
    Submit: lambda public: {**_write_design_schema(public), "claims": _CLAIMS},
    Report: lambda _: {"text": text_schema(_REPORT_CHARS), "claims": _CLAIMS},
}
"""The fields of each action beside its thought and its name."""
