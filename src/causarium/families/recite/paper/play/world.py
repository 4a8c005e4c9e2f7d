"""One document being read: one graph is handed in, and it is over.

In text, a reply in which no graph can be read is asked for once again and costs nothing; as
published (`strict_form`) the first reply is the only one. A tool call that does not fit is answered
and may be made again, a few times.
"""

from causarium.contract.world import Action, Move, Observation, Unparsed
from ..levels import ReciteRules
from ..model.graphs import Submit
from ..model.instance import ReciteInstance

TOOL_TRIES = 3
"""How many calls a tool-calling agent has."""
TEXT_TRIES = 2
"""How many replies an agent has in text, where a wrong form is forgiven."""
OVER = "This document is done; nothing more can be handed in."


class ReciteWorld:
    """One document being read."""

    budget = 0
    spent = 0

    def __init__(self, instance: ReciteInstance, rules: ReciteRules) -> None:
        self._names = instance.public.names
        self._strict = rules.strict_form
        self._tries = (
            TOOL_TRIES if rules.interface == "tools" else 1 if self._strict else TEXT_TRIES
        )
        self.done = False

    @property
    def allowed_actions(self) -> tuple[type[Action], ...]:
        """The kinds of action that are accepted now."""
        return () if self.done else (Submit,)

    def act(self, move: Move) -> Observation:
        """Answer one move."""
        if self.done:
            return Observation(OVER, legal=False)
        wrong = self._refusal(move)
        if wrong is None:
            self.done = True
            return Observation("Your graph is recorded.")
        self._tries -= 1
        self.done = self._tries <= 0
        end = "This document is done." if self.done else "Send the whole graph again."
        return Observation(f"That could not be used: {wrong}. {end}", legal=False)

    def _refusal(self, move: Move) -> str | None:
        """Say why a move cannot be taken, or return None."""
        if isinstance(move, Unparsed):
            return move.detail
        if not isinstance(move, Submit):
            return "nothing like it is expected"
        if self._strict and self._names is not None:
            ids = range(1, len(self._names) + 1)
            if any(p.source not in ids or p.sink not in ids for p in move.relationships):
                return f"a source or a sink is not one of the ids 1 to {len(self._names)}"
        return None
