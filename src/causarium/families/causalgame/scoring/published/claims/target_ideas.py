"""What a game is about: ideas that should be found, and ideas that should not be fallen for.

An idea has one or more forms; it is held (`beliefs.py`) when all claims of one form are. The two
published lists (antenna and zone) are kept as they were graded, with what simulation says against
them in `doubt`. For the other games ideas follow from the law.
"""

import tomllib
from functools import cache
from pathlib import Path

from causarium.families.causalgame.mechanics.published.simulation_cache import Memo
from causarium.families.causalgame.model.published.claims import Claim, sentence
from causarium.families.causalgame.model.published.game import Game
from causarium.families.causalgame.scoring.published.claims.claim_truth import all_of, truth
from causarium.families.causalgame.scoring.published.claims.game_ideas import (
    Form,
    Idea,
    derive_ideas,
)

_LISTED = ("antenna", "zone")
_KNOWN: Memo[tuple[Idea, ...]] = Memo(200)


def ideas(game: Game) -> tuple[Idea, ...]:
    """Return the golden ideas and the distractors of a game.

    Games of the two published lists have those; the others have the derived ones that hold.
    """
    if game.edition == "paper" and game.kind in _LISTED and not game.has("law_missing"):
        return read_published_ideas(game.kind)
    return _KNOWN.get_or_find(game, "ideas", lambda: select_sound_ideas(game))


@cache
def read_published_ideas(kind: str) -> tuple[Idea, ...]:
    """Return the published list of the antenna games or of the zone games."""
    path = Path(__file__).parent / "published_ideas.toml"
    listed = tomllib.loads(path.read_text(encoding="utf-8"))[kind]
    return tuple(Idea.model_validate(idea) for idea in listed)


def select_sound_ideas(game: Game) -> tuple[Idea, ...]:
    """Return the derived ideas that fit a game, each in the forms that do."""
    found = []
    for idea in derive_ideas(game):
        forms = tuple(form for form in idea.forms if not _misfit(game, idea, form))
        if forms:
            found.append(idea.model_copy(update={"forms": forms}))
    return tuple(found)


def _misfit(game: Game, idea: Idea, form: Form) -> str:
    wanted = "true" if idea.golden else "false"
    found = all_of(truth(game, claim) for claim in form)
    if found == wanted:
        return ""
    said = " and ".join(sentence(claim) for claim in form)
    return f"{idea.id} should be {wanted} and is {found}: {said}"


def claims_of(game: Game, *, golden: bool = True) -> tuple[Claim, ...]:
    """Return what somebody would say who holds all golden ideas of a game, or all distractors."""
    stated = [idea.forms[0] for idea in ideas(game) if idea.golden == golden]
    return tuple(claim for form in stated for claim in form)
