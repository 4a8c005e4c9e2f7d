"""A system being played: questions are answered until the answers are handed in.

What cannot be taken is answered with what is wrong, at no cost, up to the spare turns; then the
game is over. Answers of which some mean nothing are sent back once; then the others count.
"""

from causarium.contract.texts.replies import excerpt
from causarium.contract.world import Action, Move, Observation
from causarium.scm.boolean.read_formula import fold_name
from ..levels import ReplayRules
from ..mechanics.case import read_case
from ..mechanics.plan import lay_cases
from ..mechanics.systems import Rule, run_system, sort_rules
from ..model import TRAIT, Answer, Ask, Question, ReplayInstance, ReplayPublic
from .examine import Meant, examine_answers
from .wording import tell_left, tell_shown

_SPARE = 3
_MOST_SET = 2
_FAULTS_TOLD = 6


class ReplayWorld:
    """One system being played."""

    def __init__(self, instance: ReplayInstance, rules: ReplayRules) -> None:  # noqa: ARG002
        self._public, self._secret = instance.public, instance.secret
        self.meant: Meant | None = None
        """The answer that was handed in; None before."""
        self.asked: list[Question] = []
        """The settings of the questions."""
        self.done = False
        self.refused = 0
        """The number of moves that could not be taken."""
        self.slips = 0
        self._sent_back = False

    @property
    def budget(self) -> int:
        """The number of questions that may be asked."""
        return self._public.asking.budget if self._public.asking else 0

    @property
    def spent(self) -> int:
        """The number of questions asked so far."""
        return len(self.asked)

    @property
    def allowed_actions(self) -> tuple[type[Action], ...]:
        """The kinds of action that are accepted now."""
        if self.done:
            return ()
        return (Ask, Answer) if self._public.asking else (Answer,)

    def act(self, move: Move) -> Observation:
        """Answer one move."""
        if self.done:
            return Observation("This game is over.", legal=False)
        if isinstance(move, Answer):
            self.slips += move.slips
            return self._take_answers(move)
        if isinstance(move, Ask) and self._public.asking:
            self.slips += move.slips
            return self._take_question(move)
        detail = "nothing can be asked for here" if isinstance(move, Ask) else ""
        return self._refuse(detail or getattr(move, "detail", "it is no reply to this"))

    def _refuse(self, wrong: str) -> Observation:
        self.refused += 1
        self.slips += 1
        if self.refused > _SPARE:
            self.done = True
            return Observation(f"That cannot be taken: {wrong}. This game is over.", legal=False)
        left = tell_left(self.budget - self.spent) if self.budget else "Send your answer again."
        return Observation(f"That cannot be taken: {wrong}. {left}", legal=False)

    def _take_answers(self, move: Answer) -> Observation:
        meant = examine_answers(self._public, move.answers)
        if meant.faults and not self._sent_back:
            self._sent_back = True
            self.slips += 1
            said = "; ".join(list(meant.faults.values())[:_FAULTS_TOLD])
            told = f"Some answers cannot be taken: {said}. Send all lines once more."
            return Observation(told, legal=False)
        self.meant, self.done = meant, True
        return Observation("Your answer is recorded.")

    def _take_question(self, move: Ask) -> Observation:
        if self.spent >= self.budget:
            return self._refuse("all your questions are asked")
        asked = read_question(self._public, move)
        if isinstance(asked, str):
            return self._refuse(asked)
        seen = {asked.read: self._run_world(asked.set)[asked.read]}
        self.asked.append(asked)
        text = tell_shown(seen, self.budget - self.spent)
        return Observation(text, dict(seen), cost=1)

    def _run_world(self, setting: dict[str, int]) -> dict[str, int]:
        public, asking = self._public, self._public.asking
        if asking is None:
            return {}
        names = (*public.names, TRAIT)
        place = {name: i for i, name in enumerate(names)}
        rules = {
            place[name]: Rule(tuple(place[cause] for cause in rule.causes), rule.table)
            for name, rule in self._secret.rules.items()
        }
        bench = read_case(public).bench
        outside = bench.outside if bench else {}
        cases = lay_cases(len(public.names), outside, [{place[n]: x for n, x in setting.items()}])
        trait = int(self._secret.traits[-1:] or 0)
        columns = run_system(sort_rules(rules), cases, trait)
        return {name: columns[place[name]] for name in asking.gauges}


def read_question(public: ReplayPublic, move: Ask) -> Question | str:
    """Return the question of a move, or the reason against it."""
    setting = _read_setting(public, move)
    if isinstance(setting, str):
        return setting
    gauges = public.asking.gauges if public.asking else ()
    gauge = {fold_name(name): name for name in gauges}.get(fold_name(move.read))
    if gauge is None:
        said = f"not {excerpt(move.read)!r}" if move.read else "and none is named"
        return f"one of {', '.join(gauges)} is read, {said}"
    if gauge in setting:
        return f"{gauge} is set in it, so reading it shows nothing"
    return Question(set=setting, read=gauge)


def _read_setting(public: ReplayPublic, move: Ask) -> dict[str, int] | str:
    """Return the setting of a question, or the reason against it."""
    names = {fold_name(name): name for name in public.names}
    setting: dict[str, int] = {}
    for given, value in move.set.items():
        name = names.get(fold_name(given))
        if name is None:
            return f"{excerpt(given)!r} is none of {', '.join(public.names)}"
        if isinstance(value, dict | list) or str(value).strip() not in {"0", "1"}:
            return f"{name} can be set to 0 or 1 only, not to {excerpt(repr(value))}"
        setting[name] = int(str(value).strip())
    if not 1 <= len(setting) <= _MOST_SET:
        return f"{len(setting)} variables are set in it; one or two can be"
    return setting


def open_world(instance: ReplayInstance, rules: ReplayRules) -> ReplayWorld:
    """Return an instance as a world in which nothing was done."""
    return ReplayWorld(instance, rules)
