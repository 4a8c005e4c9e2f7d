"""Who plays CausalLink without a model: exact inference, the oracle, and attacks.

Every player has a way with logs and a way with graphs. On a log it has a rule that returns a
background: which others move. The suspect asked about is moved, the other one held, and the answer
is yes if the target moves. So a rule differs from another in the background alone, and earns in
expectation the share of the fitting worlds in which it is decisive. Attacks on logs try a graph
once, which earns nothing there. What a docstring says of a rule is what people read of its player.
"""

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, compress
from random import Random
from typing import cast

import numpy as np

from causarium.contract.player import SILENT, Moves, Player
from causarium.contract.rules import Rules
from causarium.contract.world import Action, Observation
from causarium.scm.dag import bits
from causarium.seeds import stream
from .generation.draw_log import draw_logs
from .mechanics import LogCase, Machine, Row, World
from .model.instance import (
    CONTINUE,
    STOP,
    Answer,
    Choose,
    Intervene,
    LinkInstance,
    LinkPublic,
    LinkSecret,
    Run,
    is_published,
)
from .shared.theme import theme

Inquirer = Callable[[LinkPublic, Random], Moves]
"""Tries out a case, as tools do: interventions or a run, then an answer."""
Rule = Callable[[LogCase, Random], int]


def inquire_optimally(public: LinkPublic, rng: Random) -> Moves:
    """Ask with the fewest interventions that suffice in the worst case.

    While the effect is active, everything but the cause and the effect is stopped, once each. What
    is left is kept going by the cause or the effect alone, and the last one or two interventions
    decide. With both at rest, starting the cause decides at once.
    """
    state = frozenset(public.moving)
    cause, effect = public.cause, public.effect
    cause_was_active = cause in state
    others = [name for name in public.shapes if name not in {cause, effect}]
    rng.shuffle(others)
    for name in others:
        if effect in state and name in state:
            state = yield from _try(public, name, starts=False)
    if effect in state and cause in state:
        state = yield from _try(public, cause, starts=False)
        yes = cause not in state and effect not in state
    elif cause in state or (effect in state and cause_was_active):
        # An effect that goes on when the cause has been stopped with others never had it as a
        # cause: stopping gives nothing a way to go on alone.
        yes = False
    else:
        if effect in state:
            yield from _try(public, effect, starts=False)
        yes = effect in (yield from _try(public, cause, starts=True))
    yield from _say(yes=yes)


def _probe_once(public: LinkPublic, _rng: Random) -> Moves:
    """Stop the cause if it is active, else start it; yes if the effect's state changed."""
    was_active = public.effect in public.moving
    state = yield from _try(public, public.cause, starts=public.cause not in public.moving)
    yield from _say(yes=(public.effect in state) != was_active)


def _act_at_random(public: LinkPublic, rng: Random) -> Moves:
    """Acts at random and tosses a coin."""
    if public.machine is not None:
        yield Run(move=tuple(name for name in public.parts if rng.random() < 0.5))
    else:
        for _ in range(rng.randrange(1, public.cap + 1)):
            starts = rng.choice((True, False))
            yield from _try(public, rng.choice(public.shapes), starts=starts)
    yield from _say(yes=rng.random() < 0.5)


def _say(*, yes: bool) -> Moves:
    yield Answer(answer="yes" if yes else "no")


def _try(
    public: LinkPublic, name: str, *, starts: bool
) -> Generator[Action, Observation, frozenset[str]]:
    """Start one variable or try to stop it, and return who is active after it."""
    words = theme(public.theme)
    seen = yield Intervene(shape=name, action=words.start if starts else words.stop)
    return _read_moving(seen)


def _read_moving(seen: Observation) -> frozenset[str]:
    return frozenset(cast("list[str]", seen.data.get("moving", [])))


def _play_rule(public: LinkPublic, rule: Rule, rng: Random, *, why: bool = False) -> Moves:
    """Make the run that a rule chooses, and answer by what the target does."""
    case = LogCase.of(public)
    background = rule(case, rng)
    named = {public.cause, *case.list_names(background)}
    move = tuple(name for name in public.shapes if name in named)
    reasoning = _explain_run(public, case, background) if why else None
    seen = yield Run(move=move, reasoning=reasoning)
    yield from _say(yes=public.effect in _read_moving(seen))


def _explain_run(public: LinkPublic, case: LogCase, background: int) -> str:
    """Work out who may guard, rival and help, and say what moves beside the suspect.

    Where the target moves, the guards allow it. Where they allow it and it rests, the rivals do
    not drive it; where it moves without the suspects, they do. The rest is up to the helpers.
    """
    runs = range(len(case.log))
    moved = [run for run in runs if case.log[run].target]
    allowed = [all(w.allows(case.log[run].moved) for run in moved) for w in case.machine.worlds]
    worlds = list(compress(case.machine.worlds, allowed))
    guards = _sort_pairs(world.guards for world in worlds)
    said = [
        f"By run: {_write_columns(case, runs)}, suspects "
        f"{''.join(str(int(row.suspects)) for row in case.log)}.",
        f"{public.effect} moves in {_list_runs(moved)}: {_write_columns(case, moved)}.",
        f"Guards may be {_list_pairs(case, guards)}.",
    ]
    for pair in guards:
        said += _follow_guards(case, [world for world in worlds if world.guards == pair])
    named = ", ".join(case.list_names(background)) or "nobody"
    said.append(f"So {named} beside {public.cause}: guards and helpers do their part, rivals not.")
    return " ".join(said)


def _follow_guards(case: LogCase, worlds: Sequence[World]) -> Iterator[str]:
    """Say whom these worlds, which have their guards in common, leave as rivals and helpers."""
    allowed = [run for run, row in enumerate(case.log) if worlds[0].allows(row.moved)]
    rests = [run for run in allowed if not case.log[run].target]
    alone = [run for run in allowed if case.log[run].target and not case.log[run].suspects]
    rivals = _sort_pairs(
        world.rivals
        for world in worlds
        if all(world.is_driven(case.log[run].moved) for run in alone)
        and not any(world.is_driven(case.log[run].moved) for run in rests)
    )
    yield (
        f"{_list_pairs(case, [worlds[0].guards])} allow {_list_runs(allowed)}; "
        f"rivals drive in {_list_runs(alone)} and not in {_list_runs(rests)}: "
        f"{_list_pairs(case, rivals)}."
    )
    for pair in rivals:
        left = [
            world.helpers
            for world in worlds
            if world.rivals == pair
            and all(world.moves(row.moved, live=row.suspects) == row.target for row in case.log)
        ]
        yield f"With rivals {_list_pairs(case, [pair])} helpers may be {_list_pairs(case, left)}."


def _sort_pairs(pairs: Iterable[int]) -> list[int]:
    return sorted(set(pairs), key=lambda pair: tuple(bits(pair)))


def _write_columns(case: LogCase, runs: Iterable[int]) -> str:
    rows = [case.log[run].moved for run in runs]
    return ", ".join(
        f"{name} {''.join(str(moved >> x & 1) for moved in rows)}"
        for x, name in enumerate(case.others)
    )


def _list_runs(runs: Iterable[int]) -> str:
    return " ".join(str(run + 1) for run in runs) or "none"


def _list_pairs(case: LogCase, pairs: Iterable[int]) -> str:
    return ", ".join(" ".join(case.list_names(pair)) for pair in pairs) or "nobody"


def _choose_exactly(case: LogCase, _rng: Random) -> int:
    """Choose the run that is decisive in most of the worlds that fit."""
    return case.machine.find_best(case.left)


def _hold_all(_case: LogCase, _rng: Random) -> int:
    """Moves or stops the cause alone; yes if the effect follows."""
    return 0


def _move_some(case: LogCase, rng: Random) -> int:
    """Moves half of the others, chosen without the log."""
    # The best that one can do so.
    chosen = rng.sample(range(len(case.others)), len(case.others) // 2)
    return sum(1 << x for x in chosen)


def _strike_off(case: LogCase, _rng: Random) -> int:
    """Strikes off by the law who cannot guard and who cannot rival, and makes the best new run."""
    left = case.machine.fit_without_helpers(case.log)
    return int(case.machine.weigh_new_runs(case.log, left).argmax())


def _forget_guards(case: LogCase, _rng: Random) -> int:
    """Knows the law but for guards, who may have held the target whenever it rests."""
    helped, rivalled, _ = case.machine.find_met(np.array([row.moved for row in case.log]))
    suspects, _, target = np.array(case.log).T[:, :, None] > 0
    left = (~target | rivalled | suspects & helped).all(axis=0)
    return int(case.machine.weigh_new_runs(case.log, left).argmax())


def _repeat_leanest(case: LogCase, _rng: Random) -> int:
    """Repeats the leanest run that worked, with one suspect held."""
    worked = [row for row in case.log if row.suspects and row.target]
    return min((row.moved for row in worked), key=int.bit_count, default=0)


def _follow_least_squares(case: LogCase, _rng: Random) -> int:
    """Fits the target by parts and by parts with suspects."""
    suspects, moved, target = np.array(case.log, dtype=int).T
    cells = moved[:, None] >> np.arange(len(case.others)) & 1
    design = np.column_stack([np.ones_like(suspects), suspects, cells, suspects[:, None] * cells])
    weights = np.linalg.lstsq(design, target, rcond=None)[0]
    # A run tells most where the target moves with the suspects and not without them. A weight of
    # 0 comes out a little above or below it, as processors round.
    return sum(1 << x for x, one in enumerate(weights[2 + len(case.others) :]) if one > 1e-9)


# The trained rule knows the law. Of every pair that could help, rival or guard it sees in how
# many rows the pair does what is needed, by suspects and target, and all products of two such
# counts. By regularised least squares it learns from fresh logs which pairs do play that part. No
# bound is claimed against such learners: this one stands beside exact inference as a mark.
_STUDIED_LOGS = 100
_STUDY_SEED = 710_031
"""No named set is drawn from this seed."""


def _follow_training(case: LogCase, rng: Random) -> int:
    """Takes the pairs that a rule told the law, and trained on 100 logs, likes best."""
    numbers = _describe_sets(case.machine, case.log)
    liking = np.einsum("pwf,pf->w", numbers, _train())
    world = case.machine.worlds[int(liking.argmax())]
    return rng.choice([c for c in case.machine.backgrounds if world.decides(c)])


@lru_cache(maxsize=1)  # seconds, and every case asks
def _train() -> np.ndarray:
    """Learn from fresh logs; it takes seconds, and a set plays hundreds of cases with it."""
    rng = stream(_STUDY_SEED, "causallink", "trained")
    drawn = list(chain.from_iterable(draw_logs(rng) for _ in range(_STUDIED_LOGS)))
    tables = np.concatenate([_describe_sets(one.machine, one.log) for one in drawn], axis=1)
    right = [one.machine.parts == np.array(one.truth[:3])[:, None] for one in drawn]
    across = tables.transpose(0, 2, 1)
    gram = across @ tables + np.eye(tables.shape[2])
    learnt: np.ndarray = np.linalg.solve(gram, across @ np.concatenate(right, axis=1)[..., None])
    return learnt[..., 0]


def _describe_sets(machine: Machine, log: Sequence[Row]) -> np.ndarray:
    """Return numbers for helpers, rivals and guards of each world: counts and their products."""
    suspects, moved, target = np.array(log).T
    kinds = (2 * suspects + target == np.arange(4)[:, None]).astype(float)
    met = machine.find_met(moved).transpose(0, 2, 1)
    counts = np.concatenate([met @ kinds.T, ~met @ kinds.T, np.ones_like(met[..., :1])], axis=2)
    first, second = np.triu_indices(counts.shape[2])
    products: np.ndarray = counts[..., first] * counts[..., second]
    return products


def _take_turns(moves: Moves, public: LinkPublic, rules: Rules) -> Moves:
    """Make the turns of the interface out of moves, which are those of tools.

    On graphs the text protocol adds the choices between, and the one intervention that has to come
    first.
    """
    if rules.interface != "json" or public.machine is not None:
        yield from moves
        return
    acted, move = False, next(moves)
    while isinstance(move, Intervene):
        if acted:
            yield Choose(next=CONTINUE)
        acted, move = True, moves.send((yield move))
    if not acted:
        yield Intervene(shape=public.cause, action=theme(public.theme).stop)
    yield Choose(next=STOP)
    yield move


def _player(
    inquirer: Inquirer, about: str = "", *, ignores_input: bool = False, slow: bool = False
) -> Player[LinkPublic, LinkSecret]:
    def play(public: LinkPublic, rules: Rules, rng: Random) -> Moves:
        return _take_turns(inquirer(public, rng), public, rules)

    about = about or inquirer.__doc__ or ""
    return Player(about=about, moves=play, ignores_input=ignores_input, slow=slow)


def _follow(rule: Rule, *, slow: bool = False) -> Player[LinkPublic, LinkSecret]:
    """Return a player with a rule for logs."""

    def inquire(public: LinkPublic, rng: Random) -> Moves:
        if public.machine is None:
            return _probe_once(public, rng)
        return _play_rule(public, rule, rng)

    return _player(inquire, rule.__doc__ or "", slow=slow)


def _infer(public: LinkPublic, rng: Random) -> Moves:
    """Weighs all worlds that fit the log; tries out graphs with the fewest interventions."""
    if public.machine is None:
        return inquire_optimally(public, rng)
    return _play_rule(public, _choose_exactly, rng, why=True)


def _follow_words(public: LinkPublic, _rng: Random) -> Moves:
    """Says what the words suggest, without looking."""
    return _say(yes=bool(theme(public.theme).suggests(public.cause, public.effect)))


def _play_from_truth(instance: LinkInstance, rules: Rules, rng: Random) -> Moves:
    # Certified cases always have runs that show the truth, so nobody need be told it.
    public, secret = instance.public, instance.secret
    if secret.machine is not None:
        return _play_rule(public, _choose_exactly, rng)
    moves = _say(yes=secret.truth) if is_published(instance) else inquire_optimally(public, rng)
    return _take_turns(moves, public, rules)


PLAYERS: dict[str, Player[LinkPublic, LinkSecret]] = {
    "oracle": Player(
        about="Knows the truth, and does what shows it.", moves_from_truth=_play_from_truth
    ),
    "exact": _player(_infer),
    # The same moves under the name that cards, logs and pages of the practice levels use.
    "optimal": _player(
        _infer,
        "Tries out graphs with the fewest interventions that always suffice; logs as `exact` does.",
    ),
    "trained": _follow(_follow_training, slow=True),
    "strike_off": _follow(_strike_off),
    "no_guards": _follow(_forget_guards),
    "repeat": _follow(_repeat_leanest),
    "least_squares": _follow(_follow_least_squares),
    "no_log": _follow(_move_some),
    "one_shot": _follow(_hold_all),
    "words": _player(_follow_words, ignores_input=True),
    "always_yes": _player(
        lambda _public, _rng: _say(yes=True), "Says yes without looking.", ignores_input=True
    ),
    "always_no": _player(
        lambda _public, _rng: _say(yes=False), "Says no without looking.", ignores_input=True
    ),
    "random": _player(_act_at_random, ignores_input=True),
    "silent": SILENT,
}
"""All players, by name."""
