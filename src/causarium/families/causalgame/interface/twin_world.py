"""The rules of conduct of a twin pair: two missions, then questions, results and the report.

    mission 1 ── commit ──→ mission 2 ── commit ──→ questions 1 → questions 2 → results → report

Results come last of all, and questions only when both designs are in: either would tell which part
plays which role. What is refused costs nothing; an agent that is refused too often forfeits what it
was about, and the rest goes on. So whatever is sent, for ever, the world comes to an end.
"""

from collections.abc import Callable, Mapping
from typing import Any, Literal

from causarium.contract.frozen import Json, canonical_json
from causarium.contract.unparsed import Unparsed
from causarium.contract.world import Action, Move, Observation, Program
from causarium.families.causalgame.actions import (
    ActionSpace,
    AnswerQuestions,
    Commit,
    Explain,
    Fly,
    History,
    PlayMission,
    RunAnalysis,
    Status,
    Tabulate,
)
from causarium.families.causalgame.config import GameRules
from causarium.families.causalgame.generation.draw_questions import draw_questions
from causarium.families.causalgame.instance import TwinInstance
from causarium.families.causalgame.interface.design_input import Impossible
from causarium.families.causalgame.interface.missions import MISSIONS, Mission, archive_columns
from causarium.families.causalgame.interface.twin_tables import (
    archive_data,
    count_rows,
    deployment_data,
    deployment_text,
    list_orders,
    order_table,
    record_data,
    result_data,
    result_text,
    space_data,
    space_text,
)
from causarium.families.causalgame.interface.twin_wording import (
    TwinWording,
    count_steps,
    question_data,
)

MOST_REFUSALS = 40
GRACE = 3
"""How often one may be refused when only a design, only answers or only a report is left."""
MOST_PROGRAMS = 50
MOST_VERBS = 2_000
OVER = "The pair is over; nothing more can be done."

Phase = Literal["exploring", "closing", "asking", "reporting", "over"]


class TwinWorld:
    """One twin pair being played."""

    def __init__(self, instance: TwinInstance, rules: GameRules) -> None:
        self.instance = instance
        self.public = instance.public
        self.rules = rules
        self.missions = [Mission(instance, number) for number in range(MISSIONS)]
        self.questions = draw_questions(instance.public, instance.secret) if rules.claims else ()
        self.answers: list[Mapping[str, Any]] = []
        """What was answered about each mission; nothing where nothing was."""
        self.report: Explain | None = None
        self.phase: Phase = "exploring"
        self.now = 0
        """The mission that is played, or asked about."""
        self.steps = 0
        self.programs = 0
        self.verbs = 0
        self._refusals = MOST_REFUSALS
        self._was_unread = False
        self._words = TwinWording(instance.public, rules)
        self._handlers: dict[type[Action], Callable[[Any], Observation]] = {
            Status: self._tell_status,
            History: self._tell_history,
            ActionSpace: self._tell_space,
            Fly: self._fly,
            Tabulate: self._tabulate,
            RunAnalysis: self._run,
            PlayMission: self._run,
            Commit: self._commit,
            AnswerQuestions: self._answer,
            Explain: self._explain,
        }

    @property
    def mission(self) -> Mission:
        """The mission that is played, or asked about."""
        return self.missions[self.now]

    @property
    def allowed_actions(self) -> tuple[type[Action], ...]:
        """The kinds of action that are accepted now."""
        programs = (PlayMission,) if self.rules.interface == "code" else ()
        if self.phase == "over":
            return ()
        if self.phase == "closing":
            return (Commit, *programs)
        if self.phase == "asking":
            return (AnswerQuestions, *programs)
        if self.phase == "reporting":
            return (Explain, *programs)
        return (
            *(Status, History, ActionSpace),
            Tabulate if self.public.archived else Fly,
            *((RunAnalysis,) if self.rules.analysis and not programs else ()),
            Commit,
            # On offer from the start, so that tool-calling agents know of them; taken at the end.
            *((AnswerQuestions,) if self.questions else ()),
            *((Explain,) if self.rules.report and not programs else ()),
            *programs,
        )

    @property
    def done(self) -> bool:
        """Whether the pair is over."""
        return self.phase == "over"

    @property
    def budget(self) -> int:
        """How many drones may be ordered, or tables made, in both missions."""
        budget = self.public.budget
        return MISSIONS * (budget.drones + budget.tables)

    @property
    def spent(self) -> int:
        """How many have been."""
        return sum(mission.ordered + mission.tables for mission in self.missions)

    def is_final(self, move: Action) -> bool:
        """Return whether a move gives the answer: the design of the last mission, which ends play.

        A first design is followed by a mission with flights of its own, so a pair has one answer.
        """
        settles = isinstance(move, Commit) and self.now + 1 == MISSIONS
        return settles and self._out_of_turn(move) is None

    def workspace(self) -> Mapping[str, str]:
        """Return the files that a program finds: what is on record so far, and what is left."""
        begun = self.missions[: self._begun]
        if self.public.archived:
            records = archive_data(self.instance, begun)
        else:
            records = record_data(self.public, begun)
        return {
            "history.json": canonical_json(records),
            "status.json": canonical_json(self._status()),
            "action_space.json": canonical_json(space_data(self.public)),
        }

    @property
    def _begun(self) -> int:
        return self.now + 1 if self.phase in {"exploring", "closing"} else MISSIONS

    def act(self, move: Move) -> Observation:
        """Answer one move."""
        if self.done:
            return Observation(OVER, legal=False)
        if isinstance(move, Unparsed):
            return self._ask_again(move)
        self._was_unread = False
        if reason := self._out_of_turn(move):
            return self._refuse(reason)
        try:
            seen = self._handlers[type(move)](move)
        except Impossible as wrong:
            return self._refuse(str(wrong))
        seen = self._count(move, seen)
        return _follow(seen, OVER) if self.done else seen

    def _ask_again(self, move: Unparsed) -> Observation:
        """Ask once more for what could not be read; only the second time in a row counts."""
        again = self._words.fill("twin_again", problem=move.detail)
        counts = self._was_unread or self.rules.strict_form
        self._was_unread = True
        return self._refuse(move.detail, text=again, counts=counts)

    def _out_of_turn(self, move: Action) -> str | None:
        """Say why a move is not taken now, or return None."""
        if type(move) not in self.allowed_actions:
            return f"{move.kind!r} is not taken now; expected: {self._list_expected()}"
        if isinstance(move, Explain) and self.phase != "reporting":
            return "a report is written when the results are known; commit to designs first"
        if isinstance(move, AnswerQuestions) and self.phase != "asking":
            return "questions are asked when both designs are in"
        untested = self.rules.guard and not self.public.archived and not self.mission.deployments
        if isinstance(move, Commit) and self.phase == "exploring" and untested:
            return "nothing has been tested in this mission; fly at least one drone before"
        return None

    def _list_expected(self) -> str:
        return ", ".join(action.kind for action in self.allowed_actions)

    def _refuse(self, reason: str, *, text: str = "", counts: bool = True) -> Observation:
        self._refusals -= counts
        said = text or f"Refused: {reason}."
        if self._refusals <= 0:
            said = f"{said}\n\n{self._forfeit()}"
        return Observation(said, {"refused": reason}, legal=False)

    def _forfeit(self) -> str:
        """Go on without what was to be done, and say so."""
        if self.phase == "reporting":
            self.phase = "over"
            return OVER
        if self.phase == "asking":
            self.answers.append({})
            return self._after_answers()
        return f"Mission {self.now + 1} goes without a design.\n\n{self._after_mission()}"

    def _go(self, phase: Phase, now: int) -> None:
        self.phase, self.now, self.steps = phase, now, 0
        self._refusals = MOST_REFUSALS if phase == "exploring" else GRACE

    def _after_mission(self) -> str:
        if self.now + 1 < MISSIONS:
            self._go("exploring", self.now + 1)
            past = self._words.tell_past(self.mission.opening, self.now + 1)
            return self._words.fill("twin_next", history=past).strip()
        if not self.questions:
            return self._tell_results()
        self._go("asking", 0)
        return self._words.ask(self.questions, 1)

    def _after_answers(self) -> str:
        if self.now + 1 < MISSIONS:
            self._go("asking", self.now + 1)
            return self._words.ask(self.questions, self.now + 1)
        return self._tell_results()

    def _tell_results(self) -> str:
        text = result_text(self.missions)
        if not self.rules.report:
            self.phase = "over"
            return text
        self._go("reporting", MISSIONS - 1)
        return f"{text}\n\n{self._words.ask_report()}"

    def _data(self) -> dict[str, Json]:
        """Return what is told beside the words when a phase begins."""
        if self.phase == "asking":
            return {
                "mission": self.now + 1,
                "questions": question_data(self.public, self.questions),
            }
        return result_data(self.missions) if self.phase in {"reporting", "over"} else {}

    def _count(self, move: Action, seen: Observation) -> Observation:
        """Count what is done, and end what has gone on for too long."""
        if self.rules.interface == "code":
            return self._count_programs(move, seen)
        if self.phase != "exploring":
            return seen
        if isinstance(move, Commit):
            return seen
        self.steps += 1
        if self.steps < count_steps(self.public, self.rules):
            return seen
        return self._close(seen)

    def _close(self, seen: Observation) -> Observation:
        self._go("closing", self.now)
        return _follow(seen, self._words.fill("twin_closing"))

    def _count_programs(self, move: Action, seen: Observation) -> Observation:
        if isinstance(move, Program):
            self.programs += 1
            if self.programs >= MOST_PROGRAMS:
                self.phase = "over"
        else:
            self.verbs += 1
            if self.verbs >= MOST_VERBS:
                self.phase = "over"
        return seen

    def _status(self) -> dict[str, Json]:
        mission = self.mission
        return {
            "mission": self.now + 1,
            "drones_remaining": mission.drones_left,
            "deployments_remaining": mission.deployments_left,
            "tables_remaining": mission.tables_left,
            "actions_remaining": count_steps(self.public, self.rules) - self.steps,
            "victory_threshold": self.public.threshold,
            "fleet_size": self.public.budget.fleet,
        }

    def _tell_status(self, _: Status) -> Observation:
        status = self._status()
        text = ", ".join(f"{name.replace('_', ' ')}: {value}" for name, value in status.items())
        return Observation(f"{text[:1].upper()}{text[1:]}.", status)

    def _tell_history(self, move: History) -> Observation:
        begun = self.missions[: self._begun]
        if self.public.archived:
            columns = archive_columns(self.instance)
            count = f"{self.public.archived:,} flights"
            text = f"The archive of this mission has {count}; tabulate it by {', '.join(columns)}."
            return Observation(text, {"columns": [*columns]})
        parts = []
        for mission in begun:
            orders = list_orders(mission, move.of)
            table = order_table(self.public, orders) if orders else "nothing"
            parts.append(f"Mission {mission.number + 1} on record:\n{table}")
        return Observation("\n\n".join(parts), record_data(self.public, begun, move.of))

    def _tell_space(self, _: ActionSpace) -> Observation:
        return Observation(space_text(self.public), space_data(self.public))

    def _fly(self, move: Fly) -> Observation:
        deployment = self.mission.fly(move)
        return Observation(
            deployment_text(self.mission, deployment),
            deployment_data(self.mission, deployment),
            cost=move.count,
        )

    def _tabulate(self, move: Tabulate) -> Observation:
        columns, counts = self.mission.tabulate(move)
        rows = list(count_rows(self.instance, columns, counts))
        lines = [",".join([*columns, "flights"]), *(",".join(map(str, row)) for row in rows)]
        lines.append(f"Tables left: {self.mission.tables_left}.")
        told: dict[str, Json] = {"columns": [*columns, "flights"], "rows": [*rows]}
        return Observation("\n".join(lines), told, cost=1)

    def _run(self, move: Program) -> Observation:
        if move.ran is None:
            raise Impossible("no sandbox is at hand to run code in; nothing was run")
        told: dict[str, Json] = {"ending": move.ran.ending, "output": move.ran.output}
        ending = _ENDINGS.get(move.ran.ending, move.ran.ending)
        text = self._words.fill("program", ending=ending, output=move.ran.output or "(nothing)")
        if self.phase == "asking":
            text = f"{text}\n\n{self._words.ask(self.questions, self.now + 1)}"
        if self.phase == "reporting":
            text = f"{text}\n\n{result_text(self.missions)}\n\n{self._words.ask_report()}"
        return Observation(text, told)

    def _commit(self, move: Commit) -> Observation:
        self.mission.commit(move)
        text = self._after_mission()
        return Observation(text, self._data())

    def _answer(self, move: AnswerQuestions) -> Observation:
        self.answers.append(move.answers)
        text = self._after_answers()
        return Observation(f"The answers are recorded.\n\n{text}", self._data())

    def _explain(self, move: Explain) -> Observation:
        if not move.text.strip():
            raise Impossible("the report is empty")
        self.report = move
        self.phase = "over"
        return Observation("The report is recorded.")


_ENDINGS = {
    "out of time": "ran out of time",
    "out of memory": "ran out of memory",
    "refused": "was refused",
}


def _follow(seen: Observation, text: str) -> Observation:
    return Observation(f"{seen.text}\n\n{text}", seen.data, seen.legal, seen.cost)
