"""The criteria of the rubric that code decides in a twin pair; a judge is asked the others.

They rest on the answers, the committed designs and the figures of the report, never on how well it
is written.
"""

import re
from collections.abc import Iterator

from causarium.families.causalgame.generation.draw_questions import Question
from causarium.families.causalgame.generation.twin_pairs import law_of
from causarium.families.causalgame.interface.twin_wording import name_question
from causarium.families.causalgame.mechanics.archive_law import ArchiveLaw
from causarium.families.causalgame.mechanics.twin_law import TwinLaw
from causarium.families.causalgame.scoring.pair_marks import find_best
from causarium.families.causalgame.scoring.question_scores import (
    UNIFORM,
    read_chances,
    share_of_point,
)
from causarium.families.causalgame.scoring.replayed_pair import ReplayedPair
from causarium.families.causalgame.scoring.rubric import Grade

COMPUTED = ("D2.M1", "D2.M2", "D2.N1", "D4.M1", "D4.N1", "D4.1", "D4.2", "TASK.M1")
_CLOSE, _WRONG = 0.1, 0.5
"""Points of percent within which a figure is right, and beyond which it is wrong."""
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_MOST_TEXT = 20_000
_LEAST_NUMBERS = 3


def grade_by_code(pair: ReplayedPair) -> dict[str, Grade] | None:
    """Return the grades that code decides; None for an archive, which has no questions."""
    world = pair.world
    if not world.questions:
        return None
    trap_rights = list(_trap_rights(pair))
    per_trap = [min(rights) for rights in trap_rights]
    cruxes = [right for rights in trap_rights for right in rights]
    figures = list(_figures(pair))
    return {
        "D2.M1": _grade(sum(crux == 1 for crux in cruxes) / len(cruxes), partly=0.75),
        "D2.M2": _grade(sum(one == 1 for one in per_trap) / len(per_trap), partly=0.5),
        "D2.N1": _yes(_recommends_trap(pair)),
        "D4.M1": _grade(sum(off <= _CLOSE for off in figures) / 5, partly=0.6),
        "D4.N1": _yes(any(off > _WRONG for off in figures)),
        "D4.1": _yes(len(_true_numbers(pair)) >= _LEAST_NUMBERS),
        "D4.2": _yes(_has_contrast(pair)),
        "TASK.M1": _grade(sum(_is_right(pair, m) for m in (0, 1)) / 2, partly=0.5),
    }


def _grade(share: float, *, partly: float) -> Grade:
    if share >= 1:
        return "SATISFIED"
    return "PARTIALLY_SATISFIED" if share >= partly else "NOT_SATISFIED"


def _yes(holds: bool) -> Grade:  # noqa: FBT001
    return "SATISFIED" if holds else "NOT_SATISFIED"


def _grade_answer(pair: ReplayedPair, mission: int, place: int, question: Question) -> float:
    answers = pair.world.answers
    given = answers[mission] if mission < len(answers) else {}
    chances = read_chances(given.get(name_question(place))) or UNIFORM
    return share_of_point(chances, question.truth[pair.world.instance.secret.twins[mission]])


def _trap_rights(pair: ReplayedPair) -> Iterator[list[float]]:
    """Yield, for each mission and trap, how right its answers are."""
    asked = list(enumerate(pair.world.questions))
    for mission in (0, 1):
        levers = dict.fromkeys(q.lever for _, q in asked if q.about == "trap")
        for lever in levers:
            yield [
                _grade_answer(pair, mission, place, question)
                for place, question in asked
                if question.about == "trap" and question.lever == lever
            ]


def _laws(pair: ReplayedPair) -> Iterator[tuple[int, TwinLaw]]:
    for mission in (0, 1):
        law = law_of(pair.world.instance.secret, mission)
        if not isinstance(law, ArchiveLaw):
            yield mission, law


def _sides(pair: ReplayedPair, mission: int, law: TwinLaw) -> list[bool]:
    """Return for each trap whether the committed armour is on the right side."""
    committed = pair.world.missions[mission].committed
    if committed is None:
        return [False, False]
    best = find_best(pair.world.instance, mission)
    return [
        (committed.armour[trap.part] > trap.knee / 2) == (best.armour[trap.part] > trap.knee / 2)
        for trap in law.traps
    ]


def _is_right(pair: ReplayedPair, mission: int) -> bool:
    for number, law in _laws(pair):
        committed = pair.world.missions[number].committed
        if number == mission and committed is not None:
            options = all(
                choice == (value > 0)
                for choice, value in zip(committed.options, law.options, strict=True)
                if value
            )
            return options and all(_sides(pair, mission, law))
    return False


def _recommends_trap(pair: ReplayedPair) -> bool:
    """Return whether a trap was armoured, or bared, wrongly and its question answered wrongly."""
    target = pair.world.public.target
    for mission, law in _laws(pair):
        if pair.world.missions[mission].committed is None:
            continue
        for trap, right_side in zip(law.traps, _sides(pair, mission, law), strict=True):
            for place, question in enumerate(pair.world.questions):
                asked = question.about == "trap" and question.lever == trap.part
                at_target = asked and question.conditions == target
                if (
                    at_target
                    and not right_side
                    and not _grade_answer(pair, mission, place, question)
                ):
                    return True
    return False


def _figures(pair: ReplayedPair) -> Iterator[float]:
    """Yield how far each figure that the report gives is off, in points; at most five."""
    report, missions = pair.report, pair.world.missions
    if report is None:
        return
    for mission, won in zip(missions, report.won, strict=False):
        yield 0.0 if won == mission.won else 100.0
    for mission, percent in zip(missions, report.survival, strict=False):
        yield abs(percent - round(100 * (mission.survival or 0.0), 1))
    if report.threshold is not None:
        yield abs(report.threshold - round(100 * pair.world.public.threshold, 1))


def _true_numbers(pair: ReplayedPair) -> set[str]:
    """Return the numbers in the report's text that stand in the records."""
    if pair.report is None:
        return set()
    records = {f"{100 * pair.world.public.threshold:.1f}"}
    for mission in pair.world.missions:
        if mission.survival is not None:
            records.add(f"{100 * mission.survival:.1f}")
        for deployment in mission.deployments:
            rate = 100 * deployment.returned / deployment.ordered
            records |= {str(deployment.returned), f"{rate:.1f}", f"{rate:.0f}"}
    return set(_NUMBER.findall(pair.report.text[:_MOST_TEXT])) & records


def _has_contrast(pair: ReplayedPair) -> bool:
    """Return whether the report names two deployments that differ in a lever that matters."""
    public = pair.world.public
    levers = [*public.parts, *(slot.name for slot in public.slots)]
    laws = dict(_laws(pair))
    for contrast in pair.report.because if pair.report else ():
        law = laws.get(contrast.mission - 1)
        lever = contrast.lever.strip().lower()
        if law is None or lever not in levers or len(contrast.deployments) != 2:
            continue
        flown = {
            d.number: d.order.design for d in pair.world.missions[contrast.mission - 1].deployments
        }
        pairs = [flown.get(number) for number in contrast.deployments]
        if pairs[0] is None or pairs[1] is None:
            continue
        place = levers.index(lever)
        values = [(*design.armour, *design.options)[place] for design in pairs if design]
        matters = place in {trap.part for trap in law.traps} or (
            place >= len(public.parts) and law.options[place - len(public.parts)] != 0
        )
        if matters and values[0] != values[1]:
            return True
    return False
