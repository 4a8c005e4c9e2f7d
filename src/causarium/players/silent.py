"""Players that need to know nothing: they fit every family."""

from typing import Any

from causarium.contract.player import Player

SILENT: Player[Any, Any] = Player(about="Never says anything.", ignores_input=True)
