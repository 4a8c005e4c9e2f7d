"""Who plays expeditions without a model."""

from functools import partial

from causarium.contract.player import SILENT, Player
from ..model.expeditions import ExpeditionPublic, ExpeditionSecret
from .expeditions.exact import (
    EXACT,
    take_as_insider,
    take_legs,
)
from .expeditions.shortcuts import SHORTCUTS, toss

PLAYERS: dict[str, Player[ExpeditionPublic, ExpeditionSecret]] = {
    "oracle": Player(
        about="Sends the best designs.", moves_from_truth=partial(take_as_insider, right=True)
    ),
    "exact": Player(
        about="Weighs all hidden states by the stated chances, and takes the step that tells them "
        "apart.",
        moves=take_legs(EXACT),
    ),
    **{
        name: Player(about=about, moves=take_legs(planners), slow=name in {"boosted", "learned"})
        for name, (about, planners) in SHORTCUTS.items()
    },
    "random": Player(about="Tosses coins.", moves=take_legs(dict.fromkeys(EXACT, toss))),
    "trap": Player(
        about="Sends the designs that the records tempt one to.",
        moves_from_truth=partial(take_as_insider, right=False),
    ),
    "silent": SILENT,
}
