"""Drawing problems in which worlds are asked for, each with the budget that its askers need.

The budget is what the middle of three runs of the reference asker needs and one more, but no more
than the longest of them; the first run, which anybody can repeat, must be within it. A problem is
kept if chance seldom settles it so: of thirty random scripts at most three do, and of five runs of
an asker that weighs six models at most two.
"""

from collections.abc import Sequence
from functools import partial
from random import Random
from typing import NamedTuple

from causarium.families.replayscm.evidence.ask_by_gain import (
    Question,
    ask_until_settled,
    is_settled,
    list_questions,
    seed_asker,
)
from causarium.families.replayscm.generation.unit_models import Clan, draw_clan
from causarium.scm.boolean.unit_fits import UnitFits, UnitLaw, UnitWorld, shows_every_pattern

RUNS = 3
_MOST_ASKED = 9
"""A problem that a run does not settle with so many questions is drawn again."""
_SCRIPTS, _SCRIPTS_SETTLE = 30, 3
_SMALL_MODELS, _SMALL_RUNS, _SMALL_SETTLE = 6, 5, 2


class Asking(NamedTuple):
    """A model, its units, and how many questions are allowed."""

    clan: Clan
    """Its first member is the true model."""
    budget: int
    par: int
    """What the first run of the reference asker needs."""
    plan: tuple[Question, ...]
    """What that run asks."""


def law_of(clan: Clan) -> UnitLaw:
    """Return what is told of a model where all targets are named."""
    return UnitLaw(clan.n, clan.roots, len(clan.units), clan.arrows, clan.kids is not None)


def answer_question(clan: Clan, question: Question) -> UnitWorld:
    """Return what a question shows of the first member of a clan."""
    recorded = (1 << clan.n) - 1
    rows = clan.run([question.values] * len(clan.units), question.targets)
    return UnitWorld(tuple(row & recorded for row in rows), question.targets)


def draw_asking(n: int, roots: int, rng: Random) -> Asking | None:
    """Draw a problem; None if it is not kept.

    Args:
        n: How many variables are recorded.
        roots: How many of them have no mechanism.
        rng: Where the model and the filters come from.
    """
    clan = draw_clan(n, roots, rng, trait=True)
    law, answer = law_of(clan), partial(answer_question, clan)
    first = answer(Question(0, 0))
    runs = []
    for run in range(RUNS):
        asked = ask_until_settled(law, first, answer, seed_asker(law, first, run), most=_MOST_ASKED)
        if asked is None:
            return None
        runs.append(asked)
    lengths = sorted(map(len, runs))
    budget = min(lengths[RUNS // 2] + 1, lengths[-1])
    if len(runs[0]) > budget or not _resists_chance(clan, first, budget, rng):
        return None
    return Asking(clan, budget, len(runs[0]), tuple(runs[0]))


def _resists_chance(clan: Clan, first: UnitWorld, budget: int, rng: Random) -> bool:
    law, answer = law_of(clan), partial(answer_question, clan)
    questions = list_questions(law.n)
    settled = 0
    for _ in range(_SCRIPTS):
        script = rng.sample(questions, budget)
        settled += _settles(clan, [Question(0, 0), *script])
        if settled > _SCRIPTS_SETTLE:
            return False
    small = 0
    for _ in range(_SMALL_RUNS):
        run = ask_until_settled(law, first, answer, rng, most=budget, models=_SMALL_MODELS)
        small += run is not None
        if small > _SMALL_SETTLE:
            return False
    return True


def _settles(clan: Clan, script: Sequence[Question]) -> bool:
    rows = [clan.run([one.values] * len(clan.units), one.targets) for one in script]
    # Seldom are all patterns of the truth seen, and that is quick to say.
    if not shows_every_pattern(clan.members[0], rows, [one.targets for one in script]):
        return False
    return is_settled(UnitFits(law_of(clan), [answer_question(clan, one) for one in script]))
