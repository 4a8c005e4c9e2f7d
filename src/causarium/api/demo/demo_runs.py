"""What the demo runs: reference players on every family, and a part of each for a model."""

from typing import TYPE_CHECKING, NamedTuple

from causarium import families
from causarium.api.prepare_run import ModelChoice, make_spec

if TYPE_CHECKING:
    from causarium.engine.run.start_run import RunSpec


class Slice(NamedTuple):
    """A few instances of a set, as a model plays them."""

    set: str
    limit: str
    """How many, or from which to which, as Inspect reads it."""
    rules: tuple[tuple[str, str], ...] = ()
    local_rules: tuple[tuple[str, str], ...] = ()
    """What a local model plays by, beside these, where it would take dozens of turns."""
    local_options: tuple[str, ...] = ()


SLICES = {
    "causallink": Slice("smoke", "4"),
    "causalab": Slice("smoke", "2", local_rules=(("max_turns", "4"),)),
    # Without programs, which need a sandbox: a tour must not.
    "causalgame": Slice(
        "smoke",
        "2",
        rules=(("analysis", "false"),),
        local_rules=(("max_turns", "2"), ("calls_per_turn", "1"), ("claims", "false")),
        # What makes no sense costs no turn there, and the same is tried again and again.
        local_options=("--message-limit", "14"),
    ),
    "replayscm": Slice("smoke", "2"),
    "recite": Slice("smoke", "2"),
}
"""What a model plays of each family: as much as a small one does in ten minutes on two cores."""
OTHER_SLICE = Slice("smoke", "2")
LOCAL_TOKENS = 250
"""The longest reply of a local model: one that has begun to repeat itself goes on to the limit."""
LOCAL_OPTIONS = ("--max-tokens", str(LOCAL_TOKENS), "--seed", "1")


def list_player_runs(*, sliced: bool) -> "list[RunSpec]":
    """Return the players' runs: the standard set of each family, or what a model plays of it."""
    specs = []
    for name in families.read_cards().cards:
        part = SLICES.get(name, OTHER_SLICE) if sliced else None
        family = families.get(name)
        specs += [
            make_spec(
                family,
                player=player,
                model=None,
                arguments={"edition": "certified", "set": part.set if part else "standard"},
                rules={},
                options=("--limit", part.limit) if part else (),
            )
            for player in family.card.tour
        ]
    return specs


def list_model_runs(choice: ModelChoice) -> "list[RunSpec]":
    """Return the model's runs: a part of each family; none without a model."""
    if choice.model is None:
        return []
    specs = []
    for name in families.read_cards().cards:
        part = SLICES.get(name, OTHER_SLICE)
        rules = dict(part.rules + (part.local_rules if choice.local else ()))
        local = (*LOCAL_OPTIONS, *part.local_options) if choice.local else ()
        specs.append(
            make_spec(
                families.get(name),
                player=None,
                model=choice.model,
                arguments={"edition": "certified", "set": part.set},
                rules={**choice.rules, **rules},
                options=(*choice.options, *local, "--limit", part.limit),
            )
        )
    return specs
