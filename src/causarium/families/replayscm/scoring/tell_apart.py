"""What tells two models apart: one variable is set, and the roots take all values there are.

All experiments stand side by side in one stretch of rows: for each variable and each value that it
may be set to, a row for every combination of root values. A model is run once in all of them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from causarium.families.replayscm.play.compile_answer import Executable
from causarium.scm.boolean.formula import run_words
from causarium.scm.boolean.truth_table import all_rows, column


@dataclass(frozen=True, slots=True)
class Claim:
    """One value that is said to differ: of which variable, and what the two models say."""

    variable: str
    given: int | None
    other: int | None


@dataclass(frozen=True, slots=True)
class Separation:
    """How well an experiment tells two models apart."""

    experiment_valid: bool
    """Whether it sets exactly one variable, to 0 or to 1."""
    share: float
    """In which share of the combinations of root values the models differ under it."""
    best: float
    """The same for the best experiment there is on these two models."""
    witness: bool
    """Whether the models differ at the given values of the roots."""


class Experiments:
    """Every experiment on one variable, and what a given model does in them."""

    def __init__(self, given: Executable, variables: Sequence[str]) -> None:
        self.roots = given.roots
        self.contexts = 1 << len(self.roots)
        self.places = [(name, bit) for name in variables for bit in (0, 1)]
        width, every = self.contexts, all_rows(len(self.roots))
        self.ones = (1 << width * len(self.places)) - 1
        self.fixed = dict.fromkeys(variables, 0)
        self.held = dict.fromkeys(variables, 0)
        """For each variable, the rows in which it is set, and those in which it is set to 1."""
        for number, (name, bit) in enumerate(self.places):
            self.fixed[name] |= every << number * width
            self.held[name] |= (every if bit else 0) << number * width
        self.start = {
            root: self._repeat_context(column(j, len(self.roots))) & ~self.fixed[root]
            | self.held[root]
            for j, root in enumerate(self.roots)
        }
        self.given = self.run(given)

    def _repeat_context(self, context: int) -> int:
        found = 0
        for number in range(len(self.places)):
            found |= context << number * self.contexts
        return found

    def run(self, model: Executable) -> dict[str, int]:
        """Return every variable's values in all experiments."""
        columns = dict(self.start)
        for name, written in model.written.items():
            said = run_words(written.words, columns, self.ones) or 0
            columns[name] = said & ~self.fixed[name] | self.held[name]
        return columns

    def differing(self, columns: Mapping[str, int]) -> list[int]:
        """Return, for each experiment, the contexts in which a model differs from the given one."""
        anywhere = 0
        for name, seen in self.given.items():
            anywhere |= seen ^ columns[name]
        every = all_rows(len(self.roots))
        return [anywhere >> number * self.contexts & every for number in range(len(self.places))]

    def separation(
        self,
        model: Executable,
        experiment: Mapping[str, int] | None,
        witness: Mapping[str, int] | None,
        claims: Sequence[Claim] | None = None,
    ) -> Separation:
        """Say how well an experiment tells a model from the given one.

        Args:
            model: A model with the same roots.
            experiment: What is set, to which value.
            witness: A value for each root.
            claims: What is said to differ there; where given, one of these has to be right.
        """
        columns = self.run(model)
        masks = self.differing(columns)
        best = max(mask.bit_count() for mask in masks) / self.contexts
        place = _get_only_setting(experiment)
        if place not in self.places:
            return Separation(experiment_valid=False, share=0.0, best=best, witness=False)
        number = self.places.index(place)
        context = self._context(witness)
        shown = context is not None and bool(masks[number] >> context & 1)
        if shown and claims is not None and context is not None:
            row = number * self.contexts + context
            shown = any(self._holds(claim, columns, place[0], row) for claim in claims)
        return Separation(
            experiment_valid=True,
            share=masks[number].bit_count() / self.contexts,
            best=best,
            witness=shown,
        )

    def _context(self, witness: Mapping[str, int] | None) -> int | None:
        """Return the context that the witness names; None unless it names every root."""
        if witness is None or witness.keys() != set(self.roots):
            return None
        if any(bit not in (0, 1) for bit in witness.values()):
            return None
        return sum(witness[root] << j for j, root in enumerate(self.roots))

    def _holds(self, claim: Claim, columns: Mapping[str, int], target: str, row: int) -> bool:
        """Say whether a claim names what is no root and not set, and the two models' values."""
        name = claim.variable
        if name not in self.given or name in self.roots or name == target:
            return False
        values = (self.given[name] >> row & 1, columns[name] >> row & 1)
        return values[0] != values[1] and values == (claim.given, claim.other)

    def best_experiment(self, model: Executable) -> tuple[dict[str, int], dict[str, int]]:
        """Return the experiment that differs in most contexts, and one of these as a witness."""
        masks = self.differing(self.run(model))
        number = max(range(len(masks)), key=lambda place: masks[place].bit_count())
        name, bit = self.places[number]
        mask = masks[number]
        context = (mask & -mask).bit_length() - 1 if mask else 0
        return {name: bit}, {root: context >> j & 1 for j, root in enumerate(self.roots)}


def _get_only_setting(experiment: Mapping[str, int] | None) -> tuple[str, int]:
    if experiment is None or len(experiment) != 1:
        return "", 0
    ((name, bit),) = experiment.items()
    return name, bit
