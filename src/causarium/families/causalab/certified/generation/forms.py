"""The form of a question: its words and levels, with labels in place of properties."""

from collections.abc import Mapping
from random import Random

from ..model.instance import LETTERS, Experiment, Holds, Level, Question, QuestionKind

_MOVED: tuple[Level, ...] = ("down", "up")


UNHELD = ("fixed 0", "fixed 1")
"""The labels of the properties that cannot be held in the manipulator."""


def draw_form(kind: QuestionKind, holds: int, rng: Random, *, fixed: bool) -> Question:
    """Draw the form of a question."""
    if kind == "happens":
        return _draw_happens(holds, rng, fixed=fixed)
    return _draw_had(holds, rng) if kind == "had" else _draw_tells(rng)


def list_labels(form: Question) -> list[str]:
    """Return the labels of a form in order, without those of `UNHELD`."""
    return sorted(form.names.difference(UNHELD))


def _draw_happens(holds: int, rng: Random, *, fixed: bool) -> Question:
    """Hold one of the properties that cannot be held elsewhere, if there are any, and others."""
    labels = [f"{number}" for number in range(holds - fixed)]
    unheld = [rng.choice(UNHELD)] if fixed else []
    levels = dict(zip([*unheld, *labels], _draw_levels(holds, rng), strict=True))
    return Question(kind="happens", hold=_mix(levels, rng))


def _draw_had(holds: int, rng: Random) -> Question:
    """Change one hold of a run in which the head of the stem may have been pushed."""
    labels = [f"{number}" for number in range(holds)]
    hold = _mix(dict(zip(labels, _draw_levels(holds, rng), strict=True)), rng)
    changed = rng.choice(labels)
    level = rng.choice([one for one in ("down", "rest", "up", "") if one != hold[changed]])
    other = {name: level if name == changed else at for name, at in hold.items()}
    return Question(
        kind="had",
        before=Experiment(hold=hold, reading=rng.choice(("down", "same", "up"))),
        hold={name: at for name, at in other.items() if at},
    )


def _draw_tells(rng: Random) -> Question:
    """Ask for the smallest of three nested experiments that sees two properties change parts."""
    size = len(LETTERS) + 1
    one, other, *more = (f"{number}" for number in range(size + 1))
    held = rng.sample([one, *rng.sample([other, *more], size - 1)], size)
    items = list(zip(held, _draw_levels(size, rng), strict=True))
    options = tuple(dict(items[: number + 2]) for number in range(len(LETTERS)))
    return Question(kind="tells", pair=tuple(rng.sample((one, other), 2)), options=options)


def _mix(hold: Holds, rng: Random) -> Holds:
    return dict(rng.sample([*hold.items()], len(hold)))


def _draw_levels(number: int, rng: Random) -> list[Level]:
    """Draw levels, the first of them not at rest and at most one other at rest."""
    levels = [rng.choice(_MOVED) for _ in range(number)]
    if number > 1 and rng.random() < 0.5:
        levels[rng.randrange(1, number)] = "rest"
    return levels


def rename(form: Question, names: Mapping[str, str]) -> Question:
    """Return a form with properties in the place of its labels."""

    def change(hold: Holds) -> Holds:
        return {names.get(name, name): level for name, level in hold.items()}

    before, pair = form.before, form.pair
    return form.model_copy(
        update={
            "hold": change(form.hold),
            "before": before and before.model_copy(update={"hold": change(before.hold)}),
            "pair": pair and (names[pair[0]], names[pair[1]]),
            "options": tuple(change(hold) for hold in form.options),
        }
    )
