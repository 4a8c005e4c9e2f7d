"""Draws a session: `generate(config, seed, index)` depends on nothing else."""

from random import Random

from causarium.contract.instance import Instance
from causarium.contract.rungs import name_rung
from causarium.errors import ContractError
from causarium.seeds import stream
from ..levels import GameConfig
from ..mechanics.legs import read_told
from ..model import FAMILY_NAME, GameInstance, GamePublic, GameSecret, HiddenLeg, Kind, Leg
from .catalogue import Entry, list_entries
from .draw_leg import Draft, draft_lot, draft_open, draft_randomised, draft_twins, finish_leg

ATTEMPTS = 400


def generate(config: GameConfig, seed: int, index: int) -> GameInstance:
    """Return one session of a rung."""
    rng = stream(seed, FAMILY_NAME, "certified", config.rung, index)
    wanted = ["blind"] * config.blind + ["clerks"] * config.clerks + ["front"] * config.fronts
    wanted += ["plain"] * (config.legs - len(wanted))
    rng.shuffle(wanted)
    legs = [_draw_leg(slot, config, rng) for slot in wanted]
    return Instance[GamePublic, GameSecret](
        id=f"{FAMILY_NAME}-{name_rung(config.rung)}-{f's{seed}-' if seed else ''}{index:04d}",
        public=GamePublic(legs=tuple(leg for leg, _ in legs), trials=config.trials),
        secret=GameSecret(legs=tuple(hidden for _, hidden in legs)),
        facets={
            "rung": config.rung,
            "columns": config.columns,
            "kinds": " ".join(sorted(hidden.kind for _, hidden in legs)),
            "held": sum(leg.held is not None for leg, _ in legs),
            "confounded": sum(read_told(leg).is_confounded for leg, _ in legs),
        },
    )


def _draw_leg(slot: str, config: GameConfig, rng: Random) -> tuple[Leg, HiddenLeg]:
    for _ in range(ATTEMPTS):
        draft = _draft(slot, config, rng)
        if draft is not None:
            checked = config.blind > 0 and rng.random() < 0.25
            return finish_leg(draft, rng, stake=rng.randint(1, config.stakes), checked=checked)
    raise ContractError(f"no {slot} leg of rung {config.rung} in {ATTEMPTS} attempts")


def _draft(slot: str, config: GameConfig, rng: Random) -> Draft | None:
    if config.rung == 1 and rng.random() < 0.5:
        return draft_randomised(rng)
    if slot == "blind":
        entries = list_entries(config.columns, "open")
        kind: Kind = rng.choice(("hidden", "rows"))
        return draft_open(_choose(entries, config, rng), kind, rng)
    if slot == "front" and rng.random() < 0.5:
        return draft_lot(rng.choice(list_entries(config.columns, "lot")), rng)
    entries = list_entries(config.columns, "plain")
    if slot == "front":
        entries = tuple(entry for entry in entries if entry.is_front)
    elif rng.random() < config.hard:
        entries = tuple(entry for entry in entries if entry.hard)
    return draft_twins(_choose(entries, config, rng), rng, clerks=slot == "clerks")


def _choose(entries: tuple[Entry, ...], config: GameConfig, rng: Random) -> Entry:
    is_held = rng.random() < config.held
    fitting = [entry for entry in entries if (entry.held is not None) == is_held]
    return rng.choice(fitting or entries)
