"""The other models that a run of ReCITE may name."""

from causarium.contract.companions import Helpers
from causarium.families.recite.helpers.judge import JUDGE
from causarium.families.recite.helpers.repair import repair
from causarium.families.recite.model.config import ReciteRules
from causarium.families.recite.model.instance import RecitePublic, ReciteSecret

HELPERS: Helpers[RecitePublic, ReciteSecret, ReciteRules] = Helpers(
    judge=JUDGE,
    repair_move=repair,
    repair_roles=("repair",),
)
