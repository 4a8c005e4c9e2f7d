"""CausalGame: how long it takes to draw and certify a twin pair, and what players win of pairs.

Last, the bounds that are stored with the published games are proved anew.
"""

import time
from collections.abc import Iterator
from statistics import fmean

from bench.measure import Measurement
from causarium.contract.episode import play
from causarium.families.causalgame import FAMILY
from causarium.families.causalgame.model.published.paper_games import paper_game
from causarium.families.causalgame.proofs.published import certify, read_bounds
from causarium.families.causalgame.model.config import LEVELS
from causarium.families.causalgame.evidence.design_bound import bound_survival

SEED = 4242
PAIRS = 20
AUDITED = 40
TWINS = tuple(name for name, config in LEVELS.items() if config.edition == "certified")
PLAYED = (
    *("oracle", "causal", "stratify", "resemble", "screening", "bayesian", "halving", "grid"),
    *("regression", "random", "memoriser", "constant"),
)
"""Players whose pair wins are measured, on pairs that no set holds."""


def run() -> Iterator[Measurement]:
    """Draw and certify pairs of every level, then let players play some of each."""
    for level in TWINS:
        start = time.process_time()
        found = [certify(FAMILY.generate(FAMILY.level(level), SEED, n)) for n in range(PAIRS)]
        seconds = (time.process_time() - start) / PAIRS
        sure = sum(all(proof.holds for proof in one.proofs) for one in found)
        yield Measurement(
            work=f"draw and certify {level} ({sure} of {PAIRS} certified)",
            unit="s a pair",
            ours=seconds,
            target="all certified, < 0.1 s",
        )
    yield from _audit()
    yield from _prove_bounds()


def _audit() -> Iterator[Measurement]:
    rules = FAMILY.rules_for("certified")
    for level in TWINS:
        pairs = [FAMILY.generate(FAMILY.level(level), SEED, n) for n in range(AUDITED)]
        for player in PLAYED:
            won = fmean(
                play(FAMILY, pair, rules, player).score().numbers["pair_win"] for pair in pairs
            )
            target = {"oracle": "1", "causal": ">= 0.8"}.get(player, "<= 0.25")
            yield Measurement(
                work=f"{player} on {AUDITED} pairs of {level}",
                unit="pair wins",
                ours=won,
                target=target,
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
