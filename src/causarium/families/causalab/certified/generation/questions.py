"""Drawing questions that have given answers, and a crystal that they are about.

Forms are kept only if they can have every combination of answers; which one is wanted plays no
part in that. So forms and answers are drawn apart from each other, and the words of all questions
together say nothing about any answer.
"""

from collections.abc import Sequence
from itertools import product
from random import Random

from causarium.errors import ContractError
from ..model.instance import LadderPublic, Question, QuestionKind
from ..model.skeleton import Skeleton
from .forms import UNHELD, draw_form, list_labels, rename
from .ways import Crystal, Ways, keep_least, list_plain_crystals, list_ways

_REDRAWN = 200


def draw_questions(
    public: LadderPublic, holds: int, answers: Sequence[str], rng: Random, *, deep: bool
) -> tuple[Crystal, tuple[Question, ...]]:
    """Draw a crystal and questions that have these answers, with properties of their own.

    Raises:
        ContractError: None were found.
    """
    skeleton = public.skeleton
    wanted: set[_Answers] = {*product(*map(public.list_answers, public.asked))}
    for _ in range(_REDRAWN):
        forms = [_draw_open(public, kind, holds, rng, deep=deep) for kind in public.asked]
        tables = [list_ways(skeleton, public.holds, form, deep=deep) for form in forms]
        found = [_list_combinations(skeleton, ways) for ways in zip(*tables, strict=True)]
        if wanted <= set().union(*found):
            place = rng.choice([n for n, one in enumerate(found) if tuple(answers) in one])
            crystal = list_plain_crystals(skeleton)[place]
            return _fill(public, forms, answers, (crystal, [one[place] for one in tables]), rng)
    raise ContractError(f"no questions have the answers {', '.join(answers)}")


def _draw_open(
    public: LadderPublic, kind: QuestionKind, holds: int, rng: Random, *, deep: bool
) -> Question:
    """Draw a form that can have each of its answers.

    Raises:
        ContractError: None was found.
    """
    for _ in range(_REDRAWN):
        form = draw_form(kind, holds, rng, fixed=public.skeleton.fixed)
        tables = list_ways(public.skeleton, public.holds, form, deep=deep)
        if {*public.list_answers(kind)} <= {word for one in tables for word in one.by_answer}:
            return form
    raise ContractError(f"no {kind} question can have each of its answers")


_Answers = tuple[str, ...]


def _list_combinations(skeleton: Skeleton, ways: Sequence[Ways]) -> set[_Answers]:
    """Return the answers that the questions can have on one crystal, no property named twice."""
    # Labels beyond the idle properties must stand for such as act.
    spare = skeleton.holdable - ways[0].acting
    least = sum(one.rows.shape[1] for one in ways) - spare
    reached: dict[_Answers, set[int]] = {(): {0}}
    for one in ways:
        masks = {
            word: keep_least(masks) if least <= 0 else masks for word, masks in one.masks.items()
        }
        further: dict[_Answers, set[int]] = {}
        for before, taken in reached.items():
            for word, own in masks.items():
                joined = {first | mask for first in taken for mask in own if not first & mask}
                if joined:
                    further[(*before, word)] = joined
        reached = further
    return {
        found
        for found, masks in reached.items()
        if any(mask.bit_count() >= least for mask in masks)
    }


def _fill(
    public: LadderPublic,
    forms: Sequence[Question],
    answers: Sequence[str],
    fitting: tuple[Crystal, list[Ways]],
    rng: Random,
) -> tuple[Crystal, tuple[Question, ...]]:
    """Put properties in the place of labels so that all answers are right."""
    crystal, ways = fitting
    chosen = _choose(public, ways, answers, rng)
    count, size = len(public.holdable), len(public.names)
    mixed = [*rng.sample(range(count), count), *rng.sample(range(count, size), size - count)]
    questions = []
    idle = iter(range(ways[0].acting, count))
    for form, way in zip(forms, chosen, strict=True):
        # Idle properties are taken one after another over all questions.
        places = {one: one if one < ways[0].acting else next(idle) for one in sorted(way)}
        names = [public.order[mixed[places[one]]] for one in way]
        named = dict(zip([*list_labels(form), *UNHELD], [*names, *public.fixed], strict=False))
        questions.append(rename(form, named))
    return tuple(mixed[one] for one in crystal), tuple(questions)


def _choose(
    public: LadderPublic, ways: Sequence[Ways], answers: Sequence[str], rng: Random
) -> list[list[int]]:
    """Choose a way for each form so that no property that acts stands in two."""
    spare = len(public.holdable) - ways[0].acting
    least = sum(one.rows.shape[1] for one in ways) - spare

    def choose(number: int, taken: int) -> list[int] | None:
        if number == len(ways):
            return [] if taken.bit_count() >= least else None
        masks = ways[number].masks[answers[number]]
        for mask in rng.sample(masks, len(masks)):
            if not mask & taken and (rest := choose(number + 1, taken | mask)) is not None:
                return [mask, *rest]
        return None

    chosen = choose(0, 0)
    if chosen is None:
        raise ContractError(f"the answers {', '.join(answers)} cannot be had on this crystal")
    found = []
    for one, word, mask in zip(ways, answers, chosen, strict=True):
        places = one.by_answer[word]
        fits = places[one.needed[places] == mask].tolist()
        found.append(one.rows[rng.choice(fits)].tolist())
    return found
