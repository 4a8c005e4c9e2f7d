"""What the demo runs: reference players on every family, and a part of each for a model."""

from typing import Any, NamedTuple

from causarium import families
from causarium.api.plan_run import RunRequest, plan_run
from causarium.engine.local.local_model import is_local
from causarium.engine.run.run_plan import RunPlan


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
    "causalab": Slice("smoke", 2, local_rules={"max_turns": 4}),
    # Without programs, which need a sandbox: a tour must not.
    "causalgame": Slice(
        "smoke",
        2,
        rules={"analysis": False},
        local_rules={"max_turns": 2, "calls_per_turn": 1, "claims": False},
        # What makes no sense costs no turn there, and the same is tried again and again.
        local_options={"message_limit": 14},
    ),
    "replayscm": Slice("smoke", 2),
    "recite": Slice("smoke", 2),
}
"""What a model plays of each family: as much as a small one does in ten minutes on two cores."""
OTHER_SLICE = Slice("smoke", 2)
LOCAL_OPTIONS = {"max_tokens": 250, "seed": 1}
"""Short replies: a local model that has begun to repeat itself goes on to the limit."""


def plan_player_runs(log_dir: str, *, sliced: bool) -> list[RunPlan]:
    """Plan the players' runs: the standard set of each family, or what a model plays of it.

    Args:
        log_dir: The folder of logs.
        sliced: Whether they play what a model plays.
    """
    plans = []
    for name in families.read_cards().cards:
        part = SLICES.get(name, OTHER_SLICE)
        played = {"set": part.set, "limit": part.limit} if sliced else {"set": "standard"}
        plans += [
            plan_run(RunRequest(name, player=player, log_dir=log_dir, **played))
            for player in families.card(name).tour
        ]
    return plans


def plan_model_runs(model: str, log_dir: str) -> list[RunPlan]:
    """Plan the model's runs: a part of each family.

    Args:
        model: PROVIDER/MODEL, `local` or `local:FILE.gguf`.
        log_dir: The folder of logs.
    """
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
