"""How far an episode has come: how many graphs its experiments leave."""

from collections.abc import Sequence
from math import log

from causarium.contract.turn import Turn
from causarium.families.causalab.config import LabRules
from causarium.families.causalab.instance import LabInstance
from causarium.families.causalab.scoring.ambiguity import equivalent
from causarium.families.causalab.scoring.episode_history import recall


def progress(instance: LabInstance, rules: LabRules, turns: Sequence[Turn]) -> float:
    """Return the share of the equivalence class, in logarithms, that experiments have ruled out."""
    at_start = equivalent(instance, ())
    if at_start <= 1:
        return 1.0
    rows = recall(instance, rules, turns).lab.rows[1:]
    return 1.0 - log(equivalent(instance, rows)) / log(at_start)
