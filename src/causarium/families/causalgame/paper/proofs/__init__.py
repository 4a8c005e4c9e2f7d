"""What is proved of a session, and what makes two sessions the same."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from causarium.contract.certificate import Findings, Proof
from causarium.contract.companions import Proofs
from causarium.contract.frozen import canonical_json, digest
from ..model.instance import (
    GameInstance,
    GamePublic,
    GameSecret,
)
from ..scoring.score import landmarks


def certify_session(instance: GameInstance) -> Findings:
    """Say what can be reached in a session, and prove it where that is proved."""
    game = instance.secret.game
    marks, proved = landmarks(game), read_bounds().get(game.name)
    return Findings(
        optimum=marks.best if proved else None,
        proofs=tuple(_prove_session(game.threshold, marks.best, is_bounded=proved is not None)),
        extra={
            "game": game.name,
            "threshold": game.threshold,
            "best": game.best.model_dump(mode="json"),
            "best_known": marks.best,
            "bound": proved["bound"] if proved else None,
            "standard": marks.default,
            "trap": marks.trap,
        },
    )


def _prove_session(threshold: float, best: float, *, is_bounded: bool) -> Iterator[Proof]:
    yield Proof(
        claim="the action space is enforced, and the best design known, the standard design and "
        "the trap lie inside it",
        method="inspection",
        # Published: ranges and totals are advice in every game.
        holds=False,
    )
    yield Proof(
        claim="the best design known reaches the threshold",
        method="simulation",
        holds=best >= threshold,
    )
    yield Proof(
        claim="no legal design is better than the best one known by more than 4 points",
        method="branch and bound on common draws, 99.9 % sure" if is_bounded else "not proved",
        holds=is_bounded,
    )


def read_bounds() -> dict[str, Any]:
    """Return what branch and bound proved of the published games, where it closed."""
    path = Path(__file__).with_name("bounds.json")
    bounds: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return bounds


def find_session_key(instance: GameInstance) -> str:
    """Return a digest that all sessions of a published game share: the game's own."""
    return digest(canonical_json(instance.secret.game.model_dump(mode="json")))


PROOFS: Proofs[GamePublic, GameSecret] = Proofs(
    certify=certify_session,
    # Of a published game, which is data, there is one path of proof.
    recheck=certify_session,
    canonical_key=find_session_key,
    # Names and what is said of them, which a session and its archive tell; `found` and `rows` are
    # what the archive adds and what the published numbering shows. The prompt states the total of
    # armour.
    revealed_fields=frozenset(
        {"name", "key", "parents", "about", "blurb", "found", "rows", "total"}
    ),
)
