"""What can be reached in each mission of a twin pair, and what those do who know it."""

from dataclasses import dataclass

from causarium.contract.player import Moves
from causarium.contract.rules import Rules
from causarium.families.causalgame.actions import AnswerQuestions, Commit, Explain, Fly
from causarium.families.causalgame.generation.draw_questions import draw_questions
from causarium.families.causalgame.generation.twin_pairs import law_of
from causarium.families.causalgame.instance import TwinInstance
from causarium.families.causalgame.interface.missions import MISSIONS, fleet_survival
from causarium.families.causalgame.interface.twin_tables import name_armour, name_options
from causarium.families.causalgame.interface.twin_wording import name_question
from causarium.families.causalgame.mechanics.archive_law import (
    ArchiveLaw,
    find_best_options,
    rename_archive,
)
from causarium.families.causalgame.mechanics.twin_law import TwinDesign, rename


@dataclass(frozen=True, slots=True)
class PairMarks:
    """The landmarks of one mission."""

    standard: float
    """What the standard design survives; in an archive, what all its flights do."""
    best: float
    """What the best design survives: an optimum, not a search's."""
    design: TwinDesign
    """A best design."""

    def gain(self, survival: float) -> float:
        """Return survival on the scale on which the standard is 0 and the optimum 1."""
        return min(1.0, (survival - self.standard) / (self.best - self.standard))


def mark_mission(instance: TwinInstance, mission: int) -> PairMarks:
    """Return the landmarks of a mission."""
    design = find_best(instance, mission)
    best = fleet_survival(instance, mission, design)
    if instance.public.archived:
        return PairMarks(0.5, best, design)
    standard = fleet_survival(instance, mission, instance.public.standard)
    return PairMarks(standard, best, design)


def find_best(instance: TwinInstance, mission: int, *, in_twin: bool = False) -> TwinDesign:
    """Return a best design of a mission, or of the twin of its game."""
    law = law_of(instance.secret, mission)
    if isinstance(law, ArchiveLaw):
        return TwinDesign(
            armour=(), options=find_best_options(rename_archive(law) if in_twin else law)
        )
    from causarium.families.causalgame.evidence.exact_optimum import find_best_design

    return find_best_design(rename(law) if in_twin else law, instance.public.target)[0]


def insider_moves(instance: TwinInstance, rules: Rules, *, right: bool) -> Moves:
    """Play with the truth: the best designs and answers, or those of the other twin."""
    public = instance.public
    told = None
    for mission in range(MISSIONS):
        design = find_best(instance, mission, in_twin=not right)
        spelled = {
            "design": name_armour(public, design),
            "equipment": name_options(public, design),
        }
        if not public.archived:
            yield Fly.model_validate({**spelled, "count": 1})
        told = yield Commit.model_validate(spelled)
    for twin in instance.secret.twins:
        if told is not None and told.data.get("questions"):
            questions = draw_questions(public, instance.secret)
            truth = {
                name_question(place): question.truth[twin if right else not twin]
                for place, question in enumerate(questions)
            }
            told = yield AnswerQuestions.model_validate({"answers": truth})
    if getattr(rules, "report", True):
        designs = [find_best(instance, m, in_twin=not right) for m in range(MISSIONS)]
        text = "Armour on a trap helps only where the two conditions that turn it say so."
        yield Explain.model_validate({"text": text, **_facts(instance, designs)})


def _facts(instance: TwinInstance, designs: list[TwinDesign]) -> dict[str, object]:
    rates = [fleet_survival(instance, mission, design) for mission, design in enumerate(designs)]
    return {
        "won": [rate >= instance.public.threshold for rate in rates],
        "survival": [round(100 * rate, 1) for rate in rates],
        "threshold": round(100 * instance.public.threshold, 1),
    }
