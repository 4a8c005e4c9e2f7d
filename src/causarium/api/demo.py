"""The demo: a recorded run of a model, or a model of one's own on a part of every family.

Programs play the same instances, as in every report; they play alone where no run is recorded.
"""

import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

from causarium import families
from causarium.api.rows import Rows
from causarium.contract.row import Row

if TYPE_CHECKING:
    from causarium.engine.run.run_plan import RunPlan

RECORDED = Path(__file__).parent / "recorded"
"""The logs of a model on the smoke sets, and `about.toml`: which model, how and when."""


def list_recorded_logs() -> list[Path]:
    """Return the logs of the recorded run; none if none is stored."""
    if not (RECORDED / "about.toml").is_file():
        return []
    return [RECORDED / f"{name}.eval" for name in families.FAMILIES]


def play_programs() -> Rows:
    """Let programs and the reference solver play the smoke set of every family."""
    from causarium.contract.sets.instance_sets import generate_set
    from causarium.engine.logbook.reference_rows import list_reference_players
    from causarium.players.direct_runner import play_all

    found: list[Row] = []
    for name in families.FAMILIES:
        family = families.get(name, "certified")
        instances = generate_set(family, "certified", "smoke")
        for player in list_reference_players(family):
            found += play_all(family, instances, player, edition="certified", set_name="smoke")
    return Rows(found)


def tell_recording() -> str:
    """Say which model played, how and when."""
    about = tomllib.loads((RECORDED / "about.toml").read_text(encoding="utf-8"))
    return f"Recorded replies of {about['model']} ({about['licence']}); no model is called."


INSTANCES = 3
"""One instance of each rung of a smoke set: as much as a small model plays in ten minutes."""
LOCAL_OPTIONS = {"max_tokens": 250, "seed": 1}
"""Short replies: a local model that has begun to repeat itself goes on to the limit."""


def plan_model_runs(model: str, log_dir: str) -> "list[RunPlan]":
    """Plan the model's runs: a part of each family.

    Args:
        model: PROVIDER/MODEL, `local` or `local:FILE.gguf`.
        log_dir: The folder of logs.
    """
    from causarium.api.plan_run import RunRequest, plan_run
    from causarium.engine.run.models import is_local

    options = LOCAL_OPTIONS if is_local(model) else {}
    return [
        plan_run(
            RunRequest(
                name, model=model, set="smoke", options=options, limit=INSTANCES, log_dir=log_dir
            )
        )
        for name in families.read_cards().cards
    ]
