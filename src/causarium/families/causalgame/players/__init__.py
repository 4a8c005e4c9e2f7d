"""Who plays CausalGame without a model: some play published games, some expeditions, some both."""

from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

from causarium.contract.player import Moves, Player
from causarium.contract.rules import Rules
from causarium.families.causalgame.model.expeditions import LegKind
from causarium.families.causalgame.model.instance import (
    AnyPublic,
    AnySecret,
    by_edition,
)
from causarium.families.causalgame.players.expeditions.exact import (
    EXACT,
    take_as_insider,
    take_legs,
)
from causarium.families.causalgame.players.expeditions.shortcuts import (
    SHORTCUTS,
    plan_learned,
    toss,
)
from causarium.families.causalgame.players.published import (
    POLICIES,
    play_insider,
    play_policy,
)
from causarium.players.silent import SILENT

GamePlayer = Player[AnyPublic, AnySecret]
SeeingMoves = Callable[[Any, Rules, Random], Moves]


def _fall_silent(public: object, rules: Rules, rng: Random) -> Moves:
    """Do nothing: how a player of one edition plays the other."""
    del public, rules, rng
    yield from ()


def _make_player(
    about: str,
    *,
    published: SeeingMoves = _fall_silent,
    expeditions: SeeingMoves = _fall_silent,
    ignores_input: bool = False,
    slow: bool = False,
) -> GamePlayer:
    moves = by_edition(published, expeditions)
    return Player(about=about, moves=moves, ignores_input=ignores_input, slow=slow)


def _make_insider(about: str, *, right: bool) -> GamePlayer:
    moves = by_edition(play_insider, take_as_insider)
    return Player(about=about, moves_from_truth=partial(moves, right=right))


_KINDS: tuple[LegKind, ...] = ("dial", "line", "roster", "depot")
_TOSS = take_legs(dict.fromkeys(_KINDS, toss))

PLAYERS: dict[str, GamePlayer] = {
    "oracle": _make_insider("Submits the best design.", right=True),
    "exact": _make_player(
        "Weighs every hidden state by the told chances, and takes the step that tells them apart.",
        expeditions=take_legs(EXACT),
    ),
    **{
        name: _make_player(about, expeditions=take_legs(planners), slow=name == "boosted")
        for name, (about, planners) in SHORTCUTS.items()
    },
    "learned": _make_player(
        "Learns lines from 400 others by boosted trees on a fixed script; right steps elsewhere.",
        expeditions=take_legs({**EXACT, "line": plan_learned}),
        slow=True,
    ),
    **{
        name: _make_player(
            about,
            published=play_policy(name),
            expeditions=_TOSS if name == "random" else _fall_silent,
            ignores_input=blind,
        )
        for name, (about, blind) in POLICIES.items()
    },
    "trap": _make_insider("Submits what tempts one to.", right=False),
    "silent": SILENT,
}
