"""A turn: one exchange of an episode, as logs keep it."""

from collections.abc import Sequence
from typing import Any

from pydantic import ValidationError

from causarium.contract.frozen import Frozen
from causarium.contract.texts.replies import describe_validation_error
from causarium.contract.world import Action, Move, Unparsed
from causarium.errors import ContractError


def count_forgiven(turns: "Sequence[Turn]") -> int:
    """Count the replies that held other objects beside the move that was read and made."""
    return sum(turn.legal and "forgiven" in (turn.action or {}) for turn in turns)


class Turn(Frozen):
    """One exchange: what the agent sent, and what the world answered."""

    action: dict[str, Any] | None = None
    """The action as data, with its kind; None when no action could be read."""
    unparsed: Unparsed | None = None
    observation: str
    legal: bool
    cost: int

    def move(self, actions: Sequence[type[Action]]) -> Move:
        """Return the move of this turn, rebuilt from its record.

        Raises:
            ContractError: It is none of `actions`.
        """
        if self.unparsed is not None:
            return self.unparsed
        fields = dict(self.action or {})
        kind = fields.pop("kind", None)
        for action in actions:
            if action.kind == kind:
                try:
                    return action.model_validate(fields)
                except ValidationError as wrong:
                    reason = describe_validation_error(wrong)
                    raise ContractError(f"a turn records no {kind}: {reason}") from wrong
        kinds = ", ".join(sorted(action.kind for action in actions))
        raise ContractError(f"a turn records an action of kind {kind!r}; this family has {kinds}")
