"""What a game is about: ideas that should be found, and ideas that should not be fallen for.

An idea has one or more forms; it is held (`belief.py`) when all claims of one form are. For sound
games, and for drawn ones, ideas follow from the game's law. The two published lists (antenna and
zone) are kept for the paper edition as they were graded there, with what simulation says against
them in `doubt`.
"""

import tomllib
from functools import cache
from pathlib import Path

from causarium.contract.certificate import Proof
from causarium.families.causalgame.config import NAMES
from causarium.families.causalgame.interface.claims import Claim, sentence
from causarium.families.causalgame.mechanics.game import Game
from causarium.families.causalgame.mechanics.simulation_cache import Memo
from causarium.families.causalgame.scoring.claim_truth import all_of, truth
from causarium.families.causalgame.scoring.game_ideas import Form, Idea, derived

LEAST_GOLDEN, LEAST_PLANTED = 4, 3
_LISTED = ("antenna", "zone")
_KNOWN: Memo[tuple[Idea, ...]] = Memo(200)


def ideas(game: Game) -> tuple[Idea, ...]:
    """Return the golden ideas and the distractors of a game.

    In the paper edition, games of the two published lists have those. In the fourteen sound games
    all derived ideas hold, as a test proves; in drawn and in odd ones, those that do are found.
    """
    if game.edition == "paper" and game.kind in _LISTED and not game.has("law_missing"):
        return published(game.kind)
    proven = game.edition == "certified" and game.name in NAMES
    return _KNOWN.of(game, "ideas", lambda: derived(game) if proven else sound(game))


@cache
def published(kind: str) -> tuple[Idea, ...]:
    """Return the published list of the antenna games or of the zone games."""
    path = Path(__file__).parent / "published_ideas.toml"
    listed = tomllib.loads(path.read_text(encoding="utf-8"))[kind]
    return tuple(Idea.model_validate(idea) for idea in listed)


def sound(game: Game) -> tuple[Idea, ...]:
    """Return the derived ideas that fit a game, each in the forms that do."""
    found = []
    for idea in derived(game):
        forms = tuple(form for form in idea.forms if not _misfit(game, idea, form))
        if forms:
            found.append(idea.model_copy(update={"forms": forms}))
    return tuple(found)


def unsound(game: Game, idea: Idea) -> str:
    """Say why an idea does not fit a game: a golden form that is not true, a distractor that is."""
    return "; ".join(filter(None, (_misfit(game, idea, form) for form in idea.forms)))


def proof(game: Game) -> Proof:
    """Prove that a game has enough ideas to be about, and that each of them fits it."""
    known = ideas(game)
    golden = sum(idea.golden for idea in known)
    return Proof(
        claim=f"at least {LEAST_GOLDEN} golden ideas, all true, and {LEAST_PLANTED} distractors, "
        "all false",
        method="simulated intervention",
        holds=golden >= LEAST_GOLDEN
        and len(known) - golden >= LEAST_PLANTED
        and not any(unsound(game, idea) for idea in known),
    )


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
