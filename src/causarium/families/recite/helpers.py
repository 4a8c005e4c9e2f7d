"""The other models that a run of ReCITE may name."""

from causarium.contract.companions import Helpers
from causarium.families.recite.config import ReciteRules
from causarium.families.recite.instance import RecitePublic, ReciteSecret
from causarium.families.recite.judge import JUDGE
from causarium.families.recite.repair import repair

HELPERS: Helpers[RecitePublic, ReciteSecret, ReciteRules] = Helpers(
    judge=JUDGE,
    repair_move=repair,
    repair_roles=("repair",),
)
