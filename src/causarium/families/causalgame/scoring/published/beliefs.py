"""What an agent believes: the claims it holds after each turn, and how far they are from the truth.

The distance of a belief is the number of golden ideas that it lacks and of distractors that it
holds; 0 is the truth. An action without claims leaves the belief as it was, except `believe`, which
states it anew.
"""

from collections.abc import Sequence

from pydantic import TypeAdapter

from causarium.contract.turn import Turn
from causarium.families.causalgame.model.actions import Believe
from causarium.families.causalgame.model.published.claims import (
    Claim,
    Confounder,
    Effect,
    Relation,
    Selection,
)
from causarium.families.causalgame.model.published.game import Game
from causarium.families.causalgame.scoring.published.claims.claim_terms import (
    Term,
    find_held_value,
    term,
)
from causarium.families.causalgame.scoring.published.claims.claim_truth import NOTHING, truth
from causarium.families.causalgame.scoring.published.claims.game_ideas import Idea
from causarium.families.causalgame.scoring.published.claims.target_ideas import ideas

Belief = tuple[Claim, ...]
_CLAIMS: TypeAdapter[Belief] = TypeAdapter(Belief)


def beliefs(turns: Sequence[Turn]) -> list[Belief]:
    """Return the claims that are held after each turn."""
    held: Belief = ()
    after = []
    for turn in turns:
        action = turn.action or {}
        if turn.legal and (action.get("claims") or action.get("kind") == Believe.kind):
            held = _CLAIMS.validate_python(action["claims"])
        after.append(held)
    return after


def _shape(game: Game, claim: Claim) -> tuple[str, ...] | None:
    """Return what a claim says, its conditions left out; None if it names nothing of the game."""
    if isinstance(claim, Selection):
        on = term(game, claim.on)
        if on is None:
            return ("selection", "nothing") if claim.on.strip().casefold() in NOTHING else None
        return ("selection", on.name)
    if isinstance(claim, Confounder):
        named = [term(game, said) for said in (claim.confounder, *claim.of)]
        known = [one.name for one in named if one is not None]
        return ("confounder", known[0], *sorted(known[1:])) if len(known) == 3 else None
    cause, effect = term(game, claim.cause), term(game, claim.effect)
    if cause is None or effect is None:
        return None
    return ("effect", cause.name, _relation(claim.relation, cause, effect), effect.name)


def _relation(relation: Relation, cause: Term, effect: Term) -> Relation:
    turned: dict[Relation, Relation] = {"raises": "lowers", "lowers": "raises"}
    return turned.get(relation, relation) if cause.flipped != effect.flipped else relation


def _conditions(game: Game, claim: Claim) -> dict[str, float | str] | None:
    if not isinstance(claim, Effect):
        return {}
    found = [find_held_value(game, name, value) for name, value in claim.under.items()]
    fixed = [one for one in found if one is not None]
    return {what.name: value for what, value in fixed} if len(fixed) == len(found) else None


def states(game: Game, held: Sequence[Claim], idea: Idea) -> bool:
    """Return whether some claims that are held state an idea, in one of its forms."""
    return any(
        all(any(_states(game, claim, part, golden=idea.golden) for claim in held) for part in form)
        for form in idea.forms
    )


def _states(game: Game, held: Claim, wanted: Claim, *, golden: bool) -> bool:
    """Return whether a claim states another one.

    Where both hold the same variables fixed at different values, it does if it is as true.
    """
    shape = _shape(game, held)
    if shape is None or shape != _shape(game, wanted):
        return False
    ours, theirs = _conditions(game, held), _conditions(game, wanted)
    if ours is None or theirs is None or ours.keys() != theirs.keys():
        return False
    return ours == theirs or truth(game, held) == ("true" if golden else "false")


def distance(game: Game, held: Sequence[Claim]) -> int:
    """Return how many golden ideas are missing and how many distractors are held."""
    return sum(states(game, held, idea) != idea.golden for idea in ideas(game))
