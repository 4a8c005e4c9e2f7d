"""Drawing problems; what draws them is loaded when the first one is asked for.

Problems of the named certified sets, and those that are drawn for the family's first session, are
kept beside this file, so that a set and a session open at once. What is kept is what drawing gives,
byte for byte; a slow test draws it anew.
"""

import gzip
import json
from functools import cache
from pathlib import Path

from causarium.contract.instance import Instance
from ..model.config import LEVELS, ReplayConfig
from ..model.instance import ReplayInstance, ReplayPublic, ReplaySecret

_KEPT = Path(__file__).with_name("drawn.jsonl.gz")


def generate(config: ReplayConfig, seed: int, index: int) -> ReplayInstance:
    """Draw problem `index` of a level."""
    if config.pool == "units":
        kept = _read_kept().get(config.name_problem(seed, index))
        # A level of one's own may have the name of one of ours.
        if kept is not None and config == LEVELS.get(config.level):
            return Instance[ReplayPublic, ReplaySecret].model_validate_json(kept)
        from .unit_problems import generate_unit_problem

        return generate_unit_problem(config, seed, index)
    from .problems import generate_paper_problem

    return generate_paper_problem(config, seed, index)


@cache  # 9 ms, and every instance asks
def _read_kept() -> dict[str, str]:
    """Return the problems that are kept, by id."""
    with gzip.open(_KEPT, "rt", encoding="utf-8") as file:
        return {json.loads(line)["id"]: line for line in file}
