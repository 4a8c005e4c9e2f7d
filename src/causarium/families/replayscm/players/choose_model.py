"""Ways to choose a model that fits what was seen.

What is chosen depends on the problem, the rows and a seed alone and is remembered for a while: the
same problem is often played through several interfaces.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from random import Random

from causarium.families.replayscm.evidence.boolean_view import admissible, evidence
from causarium.families.replayscm.model.actions import Submit
from causarium.families.replayscm.model.instance import ReplayPublic, WorldRows
from causarium.families.replayscm.players import bnlearn_r
from causarium.families.replayscm.players.budgeted_search import search_stages
from causarium.families.replayscm.players.structure_search import search_structure
from causarium.families.replayscm.players.submission import choose_second_answer, write_answer
from causarium.scm.boolean.count_models import Count
from causarium.scm.boolean.model import BooleanScm
from causarium.scm.boolean.open_parents import Known
from causarium.scm.boolean.row_evidence import Evidence
from causarium.scm.boolean.simplest_model import find_simplest_known

Choice = Callable[[Evidence, Known, Random], BooleanScm | None]
"""From what was seen, and what it leaves open, to a model; None if none was found."""


def choose_simplest(_: Evidence, known: Known, rng: Random) -> BooleanScm | None:  # noqa: ARG001
    """Take the model with the fewest parents, then the shortest formulas."""
    found = find_simplest_known(known)
    return found.scm if found else None


def search_in_stages(_: Evidence, known: Known, rng: Random) -> BooleanScm | None:  # noqa: ARG001
    """Take the first model that the staged search finds."""
    return search_stages(known)


def bnlearn_structure(evidence: Evidence, known: Known, rng: Random) -> BooleanScm | None:
    """Let bnlearn propose parents, and fit rules to them."""
    return search_structure(evidence, known, rng, bnlearn_r.propose)


def draw_uniformly(_: Evidence, known: Known, rng: Random) -> BooleanScm | None:
    """Draw one of all models that fit, each with the same probability."""
    count = Count(known)
    return count.draw(rng) if count.total else None


CHOICES: dict[str, Choice] = {
    "simplest": choose_simplest,
    "symbolic": search_in_stages,
    "structure": search_structure,
    "bnlearn": bnlearn_structure,
    "uniform": draw_uniformly,
}
"""By the name of the player that chooses so."""


def answer(name: str, public: ReplayPublic, asked: Sequence[WorldRows], seed: int) -> Submit:
    """Return what a player hands in.

    Args:
        name: The player's name.
        public: The problem.
        asked: The worlds that were asked for and shown.
        seed: Where chance comes from.
    """
    shown = public.model_copy(update={"train": (*public.train, *asked)})
    return _answer(name, shown.model_dump_json(), len(asked), seed)


@lru_cache(maxsize=256)
def _answer(name: str, told: str, asked: int, seed: int) -> Submit:
    public = ReplayPublic.model_validate_json(told)
    rows = evidence(public.train, public.variables)
    known = Known.of(rows, admissible(public, public.train[len(public.train) - asked :]))
    model = CHOICES[name](rows, known, Random(seed))
    if public.reference is None:
        return write_answer(public, model)
    return choose_second_answer(public, rows, known.admissible, model)
