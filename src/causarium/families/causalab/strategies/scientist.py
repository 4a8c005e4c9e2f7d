"""The player that experiments: puts every property to values in turn, and infers the mechanism.

The scientist makes one intervention on each property of a linear mechanism, which determines all of
it. Squares need more levels of each property. A hidden disturbance is drawn anew each time, so the
scientist then uses the whole budget: large moves dwarf the disturbance, and many average it out.
It keeps its hypothesis in every turn and asserts only what its readings determine.
"""

from collections.abc import Generator
from random import Random

from causarium.contract.player import Moves
from causarium.contract.rules import Rules
from causarium.contract.world import Action, Observation
from causarium.families.causalab.actions import Intervene, Reset
from causarium.families.causalab.evidence.experiment_plans import follow, value_for
from causarium.families.causalab.evidence.infer_mechanism import Model, infer
from causarium.families.causalab.evidence.notebook import Notebook
from causarium.families.causalab.instance import LabPublic
from causarium.families.causalab.strategies.final_answers import commit, hypothesis_of

QUADRATIC_ROUNDS = 4
"""How many levels of each property a quadratic mechanism is tried at, budget permitting."""


def experiment_and_infer(public: LabPublic, rules: Rules, _rng: Random) -> Moves:
    """Experiment, infer, submit."""
    notebook = Notebook(public)
    model = infer(notebook)
    steps = list(follow(public, rounds_of(public)))[: public.budget]
    for number, node in steps:
        if (yield from intervene(notebook, node, number, model)):
            model = infer(notebook)
    yield from commit(model, public, rules)


def rounds_of(public: LabPublic) -> int:
    """Return how often the scientist intervenes on each property, budget permitting."""
    if public.hidden is not None:
        return max(1, public.budget // len(public.properties))
    return QUADRATIC_ROUNDS if public.form == "quadratic" else 1


def intervene(
    notebook: Notebook, node: int, number: int, model: Model | None = None
) -> Generator[Action, Observation, bool]:
    """Put a property to the value of the plan's round, and note it; False if it was refused.

    Args:
        notebook: Where the reading goes.
        node: The property.
        number: The round.
        model: What is then believed.
    """
    public = notebook.public
    if public.resets:
        yield Reset()
        notebook.back()
    value = value_for(public, notebook.values[node], number)
    seen = yield Intervene(
        property=public.names[node],
        value=value,
        hypothesis=hypothesis_of(model) if model else None,
    )
    return notebook.note(node, value, seen)
