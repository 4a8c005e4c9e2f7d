"""The other models that a run of CausalGame may name."""

from causarium.contract.companions import Helpers
from causarium.families.causalgame.config import GameRules
from causarium.families.causalgame.instance import AnyPublic, AnySecret
from causarium.families.causalgame.judge import JUDGE
from causarium.families.causalgame.prompts import interpreter

HELPERS: Helpers[AnyPublic, AnySecret, GameRules] = Helpers(
    judge=JUDGE,
    repair_move=interpreter,
    repair_roles=("interpreter",),
)
