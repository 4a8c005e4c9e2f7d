"""Instances, mechanisms and episodes of the bench that several tests use."""

from functools import cache
from random import Random

from hypothesis import strategies as st

from causarium.contract.player import Moves
from causarium.contract.turn import Turn
from causarium.contract.world import Move, Unparsed
from causarium.families.causalab.generation.bench import draw_bench_instance, draw_mechanism
from causarium.families.causalab.model.bench import BenchInstance, WholeMechanism
from causarium.families.causalab.model.config import BENCH_LEVELS, BenchConfig, LabRules
from causarium.families.causalab.play.bench_world import BenchWorld

EXAMPLE = WholeMechanism(((), ((2, 2), (3, -1)), ((0, -1),), ((2, 2),), ((1, -2), (3, -1))))
"""C <- -A, D <- 2C, B <- 2C - D, F <- -2B - D, with A, B, C, D, F as 0 to 4."""

QUICK = ("bench-3", "practice-4", "bench-4", "bench-6", "part-8", "part-12", "top-12")


@cache
def draw(level: str, index: int = 0, seed: int = 5) -> BenchInstance:
    """Draw an instance of a level."""
    return draw_bench_instance(BENCH_LEVELS[level], seed, index)


@st.composite
def mechanisms(draw: st.DrawFn, most: int = 6) -> WholeMechanism:
    """Draw a mechanism by the law of the bench."""
    config = BenchConfig(properties=draw(st.integers(3, most)), largest=draw(st.integers(1, 3)))
    return draw_mechanism(config, Random(draw(st.integers(0, 10**6))))


def follow(instance: BenchInstance, moves: Moves) -> BenchWorld:
    """Play a player's moves to the end."""
    world = BenchWorld(instance, LabRules())
    try:
        move = next(moves)
        while not world.done:
            move = moves.send(world.act(move))
    except StopIteration:
        pass
    return world


def record(instance: BenchInstance, *moves: Move) -> tuple[BenchWorld, list[Turn]]:
    """Make moves and record them as turns."""
    world, turns = BenchWorld(instance, LabRules()), []
    for move in moves:
        seen = world.act(move)
        unparsed = move if isinstance(move, Unparsed) else None
        turns.append(
            Turn(
                action=None if isinstance(move, Unparsed) else move.record(),
                unparsed=unparsed,
                observation=seen.text,
                legal=seen.legal,
                cost=seen.cost,
            )
        )
    return world, turns
