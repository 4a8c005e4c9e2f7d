"""The rungs: what is drawn on each, by rule."""

from causarium.contract.family import Config
from causarium.contract.rungs import Rungs

TOP = 10
"""The highest rung: tables end at 64 rows, which is five columns."""

DIALS = {
    "legs": "Decisions in a session, each with a story of its own.",
    "columns": "Recorded columns on a leg: more paths to open and to close.",
    "hard": "The share of plain legs whose twins include one that no adjustment set settles.",
    "held": "The share of legs on which the fleet holds a column by hand: setting is not seeing.",
    "fronts": "Legs whose module and return share an unrecorded cause and that need no trial.",
    "blind": "Legs that the book cannot tell, among which the trials are to be spent.",
    "clerks": "Legs on which two clerks differ, so that a trial has to tell which diagram holds.",
}


class GameConfig(Config):
    """What is drawn on a rung."""

    rung: int
    legs: int
    columns: int
    hard: float
    held: float
    fronts: int
    blind: int
    clerks: int
    stakes: int
    """The most that a leg can count."""

    @property
    def trials(self) -> int:
        """The trials that can be flown: one for each leg that needs one."""
        return self.blind + self.clerks


def make_config(rung: int) -> GameConfig:
    """Return the configuration of a rung."""
    blind = 0 if rung < 4 else 1 if rung < 8 else 2
    return GameConfig(
        rung=rung,
        legs=1 + rung // 2 if rung < 7 else rung - 3,
        columns=min(5, (rung + 1) // 2),
        hard=max(0.0, min(1.0, (rung - 4) / 3)),
        held=max(0.0, min(0.6, (rung - 2) / 5)),
        fronts=blind,
        blind=blind,
        clerks=0 if rung < 5 else 1 if rung < 9 else 2,
        stakes=1 if rung < 6 else 3,
    )


RUNGS = Rungs(make=make_config, top=TOP, dials=DIALS)
