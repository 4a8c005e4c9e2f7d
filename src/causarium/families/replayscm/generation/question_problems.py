"""Problems in which worlds are asked for: the start, the budget, and two yardsticks.

`par` is how many worlds the reference asker needs, which sees what an agent sees and nothing else.
`plan` are questions found in the same way with the true model in hand, those that turn out not to
be needed dropped: a number of worlds that suffices for whoever knows the answer, not the smallest.
"""

from causarium.errors import ContractError
from causarium.families.replayscm.evidence.boolean_view import admissible, evidence
from causarium.families.replayscm.evidence.next_question import Question, choose_next_question
from causarium.families.replayscm.instance import (
    AskedWorld,
    ReplayInstance,
    ReplayPublic,
    WorldRows,
)
from causarium.families.replayscm.mechanics.asked_worlds import make_asked_world
from causarium.scm.boolean.model import BooleanScm
from causarium.scm.boolean.open_parents import Known
from causarium.scm.boolean.select_worlds import Goal

MAX_TARGETS = 4
"""How many variables a question may set: enough to bring about any pattern of four parents."""
WORLDS_PER_VARIABLE, WORLDS_BESIDES = 2, 4
"""How many worlds may be asked for, for each variable and besides."""


def make_interactive(instance: ReplayInstance, scm: BooleanScm) -> ReplayInstance:
    """Return the problem as one that shows one world and lets others be asked for.

    Raises:
        ContractError: The reference asker does not settle it within the budget.
    """
    budget = WORLDS_PER_VARIABLE * scm.n + WORLDS_BESIDES
    public = instance.public.model_copy(
        update={
            "train": instance.public.train[:1],
            "budget": budget,
            "max_targets": MAX_TARGETS,
        }
    )
    par = len(ask_through(public, scm))
    if not 0 < par <= budget:
        raise ContractError(f"the asker needs {par} of {budget} worlds for {instance.id}")
    plan = tuple(AskedWorld(set=question) for question in plan_questions(public, scm))
    secret = instance.secret.model_copy(update={"plan": plan, "par": par})
    return instance.model_copy(update={"public": public, "secret": secret})


def ask_through(
    public: ReplayPublic, scm: BooleanScm, *, knowing: bool = False
) -> list[tuple[Question, WorldRows]]:
    """Return all questions that are asked until one model is left, and what they show.

    Args:
        public: The problem.
        scm: The true model, which answers.
        knowing: Whether the asker knows it too.
    """
    asked: list[tuple[Question, WorldRows]] = []
    while True:
        worlds = [world for _, world in asked]
        question = choose_next_question(public, worlds, scm.canonical() if knowing else None)
        if question is None or len(asked) > 2 * public.budget:
            return asked
        asked.append((question, make_asked_world(public, scm, question, len(asked) + 1)))


def plan_questions(public: ReplayPublic, scm: BooleanScm) -> list[Question]:
    """Return questions that leave one model, each of them needed."""
    needed = ask_through(public, scm, knowing=True)
    for pair in list(needed):
        rest = [other for other in needed if other is not pair]
        if is_settled(public, scm, [world for _, world in rest]):
            needed = rest
    return [question for question, _ in needed]


def is_settled(public: ReplayPublic, scm: BooleanScm, asked: list[WorldRows]) -> bool:
    """Say whether one model is left after some worlds."""
    limits = admissible(public, asked)
    known = Known.of(evidence((*public.train, *asked), public.variables), limits)
    return Goal.for_whole_model(scm, limits).is_reached(known.seen)
