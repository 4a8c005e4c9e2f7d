"""CausalGame: how long it takes to draw and certify an expedition, and what players win.

Last, the bounds that are stored with the published games are proved anew.
"""

import time
from collections.abc import Iterator
from statistics import fmean

from bench.measure import Measurement
from causarium.contract.episode import play
from causarium.families.causalgame import FAMILY
from causarium.families.causalgame.evidence import bound_survival
from causarium.families.causalgame.model.published.paper_games import paper_game
from causarium.families.causalgame.proofs import read_bounds

SEED = 611_953
"""Nobody looked at it before the figures on the family's page were taken."""
DRAWN = 40
PLAYED = 400
"""On so many expeditions of a tier, that no set holds, each player plays."""
TIERS = ("expedition-1", "expedition-2", "expedition-3")
TARGETS: dict[str, tuple[str, str, str]] = {
    "oracle": ("1", "1", "1"),
    "exact": (">= .97", ">= .93", ">= .88"),
    "hand": (">= .92", "<= 3/4 + 3 s.e.", "<= .523 + 3 s.e."),
    **dict.fromkeys(("random", "first", "corr"), ("<= 1/16 + 3 s.e.",) * 3),
    **dict.fromkeys(("corr_log", "held", "pooled", "additive"), ("<= 1/8 + 3 s.e.",) * 3),
    **dict.fromkeys(("flags", "boosted"), ("<= 1/4 + 3 s.e.",) * 3),
    "all_on": ("said", "<= .10", "<= .10"),
    **dict.fromkeys(
        ("miner", "exception", "against", "follower", "hand_all", "take_off", "learned"),
        ("said", "said", "<= .523 + 3 s.e."),
    ),
    "hangar": ("<= 1/2 + 3 s.e.", "<= 3/4 + 3 s.e.", "<= 3/4 + 3 s.e."),
}


def run() -> Iterator[Measurement]:
    """Draw and certify expeditions of every tier, let players play, prove bounds."""
    for level in TIERS:
        yield from _draw(level)
    for player, targets in TARGETS.items():
        for level, target in zip(TIERS, targets, strict=True):
            won, legs = play_many(player, level, PLAYED)
            yield Measurement(
                work=f"{player} on {PLAYED} of {level}, {legs:.3f} of legs right",
                unit="wins",
                ours=won,
                target=target,
            )
    yield from _prove_bounds()


def _draw(level: str) -> Iterator[Measurement]:
    config = FAMILY.level(level)
    start = time.process_time()
    drawn = [FAMILY.generate(config, SEED, number) for number in range(DRAWN)]
    middle = time.process_time()
    held = [all(p.holds for p in FAMILY.proofs.certify(one).proofs) for one in drawn]
    end = time.process_time()
    for what, seconds, target in (
        ("draw", middle - start, "< 2 ms"),
        (f"certify ({sum(held)} of {DRAWN} hold)", end - middle, "< 20 ms"),
    ):
        yield Measurement(
            work=f"{what} {level}", unit="ms of CPU", ours=1e3 * seconds / DRAWN, target=target
        )


def play_many(player: str, level: str, count: int) -> tuple[float, float]:
    """Return the share of expeditions that a player wins, and of legs that it gets right.

    Args:
        player: The player's name.
        level: The level.
        count: How many expeditions it plays.
    """
    rules, config = FAMILY.rules_for("certified"), FAMILY.level(level)
    verdicts = [
        play(FAMILY, FAMILY.generate(config, SEED, number), rules, player).score()
        for number in range(count)
    ]
    return fmean(one.numbers["win"] for one in verdicts), fmean(
        one.numbers["legs"] for one in verdicts
    )


def _prove_bounds() -> Iterator[Measurement]:
    for name, stored in read_bounds().items():
        proved = bound_survival(paper_game(name))
        closed = "closed" if proved.closed else "NOT closed"
        yield Measurement(
            work=f"bound on {name}, {closed} after {proved.boxes} boxes; stored",
            unit="survival",
            ours=round(proved.bound, 4),
            baseline=stored["bound"],
            target="1.0x",
        )
