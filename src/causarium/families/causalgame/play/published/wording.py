"""The words: texts from `prompts/`, or from a user's own folder, and what is filled into them.

A folder of one's own (`rules.prompts`) must hold `system.md`, `task.md` and the reply text of the
interface. Texts that it does not hold are ours.
"""

from pathlib import Path

from causarium.contract.texts.prompt_texts import Texts
from causarium.families.causalgame.model.config import SPARE_TURNS, GameRules
from causarium.families.causalgame.model.instance import GamePublic
from causarium.families.causalgame.play.published.game_session import Session

_FOLDER = Path(__file__).parents[2] / "prompts"
URGENT_TURNS = 3
"""With so few turns left, one is told to hurry."""
_COMMON = frozenset(
    [
        "drones",
        "deployments",
        "per_deployment",
        "queries",
        "fleet",
        "threshold",
        "turns",
        "calls",
        "lowest",
        "highest",
        "total",
    ]
)
"""Slots that every text may use."""
_PARTS = frozenset(
    ["story", "space", "visible", "history", "archive", "shift", "noise", "flow", "claims", "reply"]
)
_OWN: dict[str, frozenset[str]] = {
    "task": _PARTS,
    "flow": frozenset({"guard", "report"}),
    "flow_code": frozenset({"guard", "report"}),
    "history": frozenset({"flights"}),
    "history_rate": frozenset({"flights", "rate"}),
    "turn": frozenset({"turn", "left", "drones_left", "deployments_left", "queries_left"}),
    "found": frozenset({"found"}),
    "found_names": frozenset({"found"}),
    "program": frozenset({"ending", "output"}),
    "interpreter_user": frozenset({"question"}),
}
"""The slots that a text must have, where it must have any."""


class Wording:
    """The words of one session."""

    def __init__(self, public: GamePublic, rules: GameRules) -> None:
        self._texts = TEXTS.load(rules.prompts, ("system", "task", f"reply_{rules.interface}"))
        self._facts = facts(public, rules)
        self._rules = rules
        self._turns = int(self._facts["turns"])

    def fill_text(self, name: str, **more: str) -> str:
        """Return one text, filled in."""
        return self._texts[name].substitute({**self._facts, **more})

    def turn(self, session: Session, number: int) -> str:
        """Return the words that open a turn."""
        left = self._turns - number
        text = self.fill_text(
            "turn",
            turn=str(number),
            left=str(left),
            drones_left=str(session.drones_left),
            deployments_left=str(session.deployments_left),
            queries_left=str(session.queries_left),
        )
        return f"{text}\n{self.fill_text('urgent')}" if left < URGENT_TURNS else text

    def report(self) -> str:
        """Return the words that ask for the report."""
        claims = self.fill_text("report_claims") if self._rules.claims else ""
        form = self.fill_text(f"report_{self._rules.interface}")
        return "\n\n".join(part for part in (self.fill_text("report"), claims, form) if part)


def facts(public: GamePublic, rules: GameRules) -> dict[str, str]:
    """Return what fills the slots that every text may use."""
    budget = public.budget
    return {
        "drones": str(budget.drones),
        "deployments": str(budget.deployments),
        "per_deployment": str(budget.per_deployment),
        "queries": str(budget.queries),
        "fleet": str(budget.fleet),
        "threshold": f"{100 * public.threshold:.1f}%",
        "turns": str(rules.max_turns or budget.deployments + SPARE_TURNS),
        "calls": str(rules.calls_per_turn),
        "lowest": str(public.lowest),
        "highest": str(public.highest),
        "total": str(public.total),
    }


def _slots(name: str) -> tuple[frozenset[str], frozenset[str]]:
    return _OWN.get(name, frozenset()), _COMMON


TEXTS = Texts(_FOLDER, _slots)
