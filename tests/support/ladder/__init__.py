"""Lamps as a ladder: a switch more on each rung, and a score that is 0 for whoever guesses."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from causarium.contract.family import Family
from causarium.contract.family_card import FamilyCard, Part, Theorem
from causarium.contract.player import Moves, Player
from causarium.contract.rules import Rules
from causarium.contract.rungs import RUNG, Rungs
from causarium.contract.sets.instance_sets import generate_instances, set_digest
from causarium.contract.turn import Turn
from causarium.contract.verdict import Metric, Verdict
from causarium.seeds import stream
from tests.support import lamps
from tests.support.lamps.model import (
    METALS,
    Answer,
    LampsConfig,
    LampsInstance,
    LampsPublic,
    LampsRules,
    LampsSecret,
)
from tests.support.lamps.players import PLAYERS
from tests.support.lamps.scoring import score as score_lamps
from tests.support.vary_family import vary

RUNGS: Rungs[LampsConfig] = Rungs(
    make=lambda rung: LampsConfig(level=f"rung-{rung}", switches=rung + 1), top=4
)


def generate(config: LampsConfig, seed: int, index: int) -> LampsInstance:
    """Draw the lamp number `index` of a rung."""
    rng = stream(seed, "ladder", config.level, index)
    switches = tuple(rng.sample(METALS, config.switches))
    return LampsInstance(
        id=f"ladder-{config.level}-{seed}-{index:04d}",
        public=LampsPublic(switches=switches),
        secret=LampsSecret(wired=rng.choice(switches), fuse_ohm=round(rng.uniform(10, 99), 6)),
        facets={RUNG: config.switches - 1},
    )


def score(instance: LampsInstance, rules: LampsRules, turns: Sequence[Turn]) -> Verdict:
    """Take from a right answer what guessing earns."""
    found = score_lamps(instance, rules, turns)
    chance = 1 / len(instance.public.switches)
    earned = (found.numbers["accuracy"] - chance) / (1 - chance) if found.answer else 0.0
    return found.model_copy(update={"numbers": {**found.numbers, "accuracy": earned}})


def _flip_two(public: LampsPublic, rules: Rules, rng: Random) -> Moves:
    """Flip two switches, and name the last where neither lights the lamp."""
    assert PLAYERS["optimal"].moves is not None
    few = public.model_copy(update={"switches": (*public.switches[:2], public.switches[-1])})
    yield from PLAYERS["optimal"].moves(few if len(public.switches) > 2 else public, rules, rng)


def _say_first(public: LampsPublic, _rules: Rules, _rng: Random) -> Moves:
    yield Answer(wired=public.switches[0])


_LEVELS = RUNGS.levels
_bare: Family[LampsConfig, LampsPublic, LampsSecret, LampsRules] = replace(
    lamps.FAMILY,
    name="ladder",
    levels=_LEVELS,
    rungs=RUNGS,
    generate=generate,
    score=score,
    metrics={**lamps.FAMILY.metrics, "accuracy": Metric("Above chance, at most 1.", "higher")},
)


def _make_card() -> FamilyCard:
    card = lamps.FAMILY.card
    theorem = Theorem(
        name="looks_away",
        says="Whoever does not look at the lamp.",
        kind="theorem",
        proof="T1",
        members=("random", "first"),
        bounds=dict.fromkeys(_LEVELS, 0.0),
    )
    sets = {}
    for name, size in {"smoke": 2, "standard": 6}.items():
        parts = tuple(Part(level=level, size=size) for level in _LEVELS)
        digest = set_digest(generate_instances(_bare, parts))
        spec = card.sets["certified"]["smoke"]
        sets[name] = spec.model_copy(update={"parts": parts, "digest": digest})
    changes = {
        "theorems": (theorem,),
        "sets": {"certified": sets},
        "levels": tuple(_LEVELS),
        "blind": ("random", "first"),
        "references": (),
    }
    return card.model_copy(update=changes)


FAMILY = vary(
    _bare,
    card=_make_card(),
    players={
        **PLAYERS,
        "first": Player("Says the first.", moves=_say_first, sees="prompt"),
        "two": Player("Flips two switches and takes the last for the rest.", moves=_flip_two),
    },
)
