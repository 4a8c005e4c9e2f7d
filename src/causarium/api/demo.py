"""The demo: a recorded run of a model, or a model of one's own on a part of every family.

Programs play the same instances, as in every report; they play alone where no run is recorded.
"""

import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

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


class Slice(NamedTuple):
    """A few instances of a set, as a model plays them."""

    set: str
    limit: int
    rules: dict[str, Any] = {}  # noqa: RUF012 - nobody changes it
    local_rules: dict[str, Any] = {}  # noqa: RUF012
    """What a local model plays by, beside these, where it would take dozens of turns."""
    local_options: dict[str, Any] = {}  # noqa: RUF012


SLICES = {
    "causallink": Slice("smoke", 4),
    "causalab": Slice("smoke", 2),
    "causalgame": Slice("smoke", 2),
    "replayscm": Slice("smoke", 2),
    "recite": Slice("smoke", 2),
}
"""What a model plays of each family: as much as a small one does in ten minutes on two cores."""
OTHER_SLICE = Slice("smoke", 2)
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

    plans, local = [], is_local(model)
    for name in families.read_cards().cards:
        part = SLICES.get(name, OTHER_SLICE)
        plans.append(
            plan_run(
                RunRequest(
                    name,
                    model=model,
                    set=part.set,
                    rules={**part.rules, **(part.local_rules if local else {})},
                    options={**LOCAL_OPTIONS, **part.local_options} if local else {},
                    limit=part.limit,
                    log_dir=log_dir,
                )
            )
        )
    return plans
