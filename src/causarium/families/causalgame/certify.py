"""What is proven about one instance: that a twin pair is one, and what can be reached.

Of a published game it is said what the best design known survives, and that nothing survives more
where branch and bound closes; where it does not, the word is `best_known`, never optimum.
"""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from causarium.contract.certificate import Findings, Proof
from causarium.families.causalgame.instance import (
    AnyGame,
    GameInstance,
    TwinInstance,
    as_session,
    is_twin,
)
from causarium.families.causalgame.mechanics.archive_law import ArchiveLaw
from causarium.families.causalgame.mechanics.game import Design, Game

TWIN_THEOREM = (
    "whoever acts alike on a transcript and on its renaming wins both missions with a chance of at "
    "most 1/4"
)


def certify(instance: AnyGame) -> Findings:
    """Prove what a session or a twin pair promises, and say what can be reached in it."""
    if is_twin(instance):
        return _certify_pair(instance)
    return _certify_session(as_session(instance))


def _certify_pair(instance: TwinInstance) -> Findings:
    from causarium.families.causalgame.evidence.twin_proofs import prove_archive, prove_twins
    from causarium.families.causalgame.scoring.pair_marks import mark_mission

    law, public = instance.secret.law, instance.public
    if isinstance(law, ArchiveLaw):
        proofs = tuple(prove_archive(law, public.threshold))
    else:
        proofs = tuple(prove_twins(law, public.target, public.threshold))
        proofs = (*proofs, *_prove_records(instance))
    bound = Proof(
        claim=TWIN_THEOREM,
        method="a coin for each mission, and the proofs above",
        holds=all(proof.holds for proof in proofs),
    )
    marks = [mark_mission(instance, mission) for mission in (0, 1)]
    return Findings(
        optimum=sum(mark.best for mark in marks) / 2,
        proofs=(*proofs, bound),
        extra={
            "threshold": public.threshold,
            "optima": [round(mark.best, 6) for mark in marks],
            "standard": [round(mark.standard, 6) for mark in marks],
            "best": [mark.design.model_dump(mode="json") for mark in marks],
        },
    )


def _prove_records(instance: TwinInstance) -> Iterator[Proof]:
    from causarium.families.causalgame.generation.opening_records import misleads
    from causarium.families.causalgame.mechanics.twin_law import rename

    law, past = instance.secret.law, instance.secret.past
    if not isinstance(law, ArchiveLaw) and past in {"crews", "paradox"}:
        yield Proof(
            claim="over all records what is worse looks better by 5 points or more, in both twins",
            method="formula",
            holds=misleads(law, past) and misleads(rename(law), past),
        )


def _certify_session(instance: GameInstance) -> Findings:
    from causarium.families.causalgame.scoring.design_values import landmarks

    game = instance.secret.game
    marks, proved = landmarks(game), read_bounds().get(game.name)
    closed = proved is not None
    return Findings(
        optimum=marks.best if closed else None,
        proofs=tuple(_prove_session(game, marks.best)),
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


def _prove_session(game: Game, best: float) -> Iterator[Proof]:
    yield Proof(
        claim="the action space is enforced, and the best design known, the standard design and "
        "the trap lie inside it",
        method="inspection",
        holds=not game.has("bounds_unchecked")
        and all(_is_legal(game, design) for design in (Design(), game.best, game.trap)),
    )
    yield Proof(
        claim="the best design known reaches the threshold",
        method="simulation",
        holds=best >= game.threshold,
    )
    proved = read_bounds().get(game.name)
    yield Proof(
        claim="no legal design is better than the best one known by more than 4 points",
        method="branch and bound on common draws, 99.9 % sure" if proved else "not proved",
        holds=proved is not None,
    )


def _is_legal(game: Game, design: Design) -> bool:
    armour, space = game.armour(design), game.space
    return (
        all(space.low <= points <= space.high for points in armour.values())
        and sum(armour.values()) <= space.total
    )


@cache
def read_bounds() -> dict[str, Any]:
    """Return what branch and bound proved of the published games, where it closed."""
    path = Path(__file__).parent / "catalogue" / "bounds.json"
    bounds: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return bounds
