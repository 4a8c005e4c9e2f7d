"""What an agent did in a turn, in a sentence: a design is told by what changed since the last."""

from collections.abc import Mapping
from typing import Any

MOST_LETTERS = 200
_PLAIN = {
    "status": "Looked at how things stand.",
    "history": "Read the flights so far.",
    "action_space": "Asked what can be built.",
    "run_analysis": "Ran a program over the flights.",
    "play_program": "Played by a program.",
    "believe": "Stated what it believes.",
}
_QUOTED = {
    "report": ("Explained it", "text"),
    "query": ("Asked", "question"),
}


class StepWords:
    """Describes actions one after the other, so that a design is told by its changes."""

    def __init__(self) -> None:
        self._last: dict[str, str] = {}

    def describe(self, action: Mapping[str, Any]) -> str:
        """Say what an action does, given its fields."""
        kind = str(action.get("kind", ""))
        if kind == "deploy":
            count = action.get("count", 1)
            noun = "drone" if count == 1 else "drones"
            return f"Tested {count} {noun}: {self._tell_design(action)}."
        if kind == "submit":
            return f"Sent the fleet: {self._tell_design(action)}."
        quoted = _QUOTED.get(kind)
        if quoted:
            return f"{quoted[0]}: {_quote(action.get(quoted[1]))}"
        return _PLAIN.get(kind, f"{kind.replace('_', ' ').capitalize()}.")

    def _tell_design(self, action: Mapping[str, Any]) -> str:
        parts = {**(action.get("design") or {}), **(action.get("equipment") or {})}
        design = {str(n): str(value).replace("_", " ") for n, value in parts.items()}
        last, self._last = self._last, design
        if not design:
            return "the standard design"
        if not last:
            return ", ".join(f"{name} {value}" for name, value in design.items())
        changes = [
            f"{name} {last.get(name, 'as standard')} → {design.get(name, 'as standard')}"
            for name in dict.fromkeys([*design, *last])
            if design.get(name) != last.get(name)
        ]
        return ", ".join(changes) if changes else "the same design again"


def _quote(text: object) -> str:
    words = " ".join(str(text or "").split())
    if not words:
        return "without words."
    return f"“{words if len(words) <= MOST_LETTERS else words[: MOST_LETTERS - 1] + '…'}”"
