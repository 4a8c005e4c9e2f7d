"""Promises about worlds: the illegal is refused, budgets hold, and everything ends."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from causarium.contract.checks.checked_family import Check, Subject
from causarium.contract.checks.random_moves import ABSURD, MoveMaker, collect_values
from causarium.contract.family import AnyFamily, AnyInstance
from causarium.contract.rules import Rules
from causarium.contract.turn import Turn
from causarium.contract.world import Action, Move, Unparsed, World, gives_answer
from causarium.seeds import stream

MAX_MOVES = 10_000
"""Whatever is sent, a world is done after so many moves."""

_GARBAGE = Unparsed(mode="unreadable", detail="nothing in it")


def actions_out_of_turn_are_refused(subject: Subject) -> Iterator[str]:
    """An action of a kind that is not expected is answered, refused and not obeyed.

    An answer may lead to the question that it came too early for.
    """
    for seat in _seats(subject):
        for number, allowed_actions in seat.moments():
            for kind in seat.family.actions:
                move = seat.maker.make(kind)
                if kind not in allowed_actions and move is not None:
                    yield from _effect(seat, number, move, out_of_turn=True)


def impossible_actions_are_not_obeyed(subject: Subject) -> Iterator[str]:
    """A move with absurd names is answered; where it is refused at no cost, nothing changes.

    So is a reply that cannot be read, and at the opening it costs nothing. An answer may lead to
    the question that it came too early for.
    """
    for seat in _seats(subject):
        absurd = MoveMaker(stream(0, "check", "absurd", seat.instance.id), [ABSURD, -987654321])
        for number, allowed_actions in seat.moments():
            moves: list[Move | None] = [absurd.make(kind) for kind in allowed_actions]
            for move in (*moves, _GARBAGE):
                if move is not None:
                    yield from _effect(seat, number, move)


def after_the_end_every_move_is_refused(subject: Subject) -> Iterator[str]:
    """A world that is done expects nothing, answers every move and changes nothing."""
    for seat in _seats(subject):
        world = seat.open_world_after(len(seat.script))
        _play_until_done(world, _repeat(_GARBAGE))
        if not world.done:
            continue
        if world.allowed_actions:
            yield f"{seat.instance.id} is done and still expects something"
        spent = world.spent
        for kind in (*seat.family.actions, None):
            move = (kind and seat.maker.make(kind)) or _GARBAGE
            seen = world.act(move)
            if seen.legal or seen.cost or not seen.text:
                yield f"{seat.instance.id} is done and {_name_move(move)} is not simply refused"
        if world.spent != spent or not world.done:
            yield f"{seat.instance.id} went on after its end"


def budgets_hold_at_their_edge(subject: Subject) -> Iterator[str]:
    """However an agent acts, it never spends more than the budget, and each cost is accounted."""
    for seat in _seats(subject):
        world = seat.open_world_after(0)
        costs = 0
        for _ in range(MAX_MOVES):
            if world.done:
                break
            move = seat.expected_move(world)
            seen = world.act(move)
            costs += seen.cost
            if seen.cost < 0 or world.spent != costs:
                yield (
                    f"{seat.instance.id} says that {world.spent} is spent, but its observations "
                    f"cost {costs} together"
                )
                break
            if world.spent > world.budget:
                yield f"{seat.instance.id} let {world.spent} of {world.budget} be spent"
                break


def everything_ends(subject: Subject) -> Iterator[str]:
    """Endless actions of the expected kinds, of any kind, and endless garbage come to an end."""
    for seat in _seats(subject):
        endless: dict[str, Callable[[World], Move]] = {
            "unreadable replies": _repeat(_GARBAGE),
            "expected actions": seat.expected_move,
            "actions of any kind": seat.any_move,
        }
        for kind in seat.family.actions:
            if (made := seat.maker.make(kind)) is not None:
                endless[f"times {_name_move(made)}"] = _repeat(made)
        for what, next_move in endless.items():
            if not _play_until_done(seat.open_world_after(0), next_move).done:
                yield f"{seat.instance.id} is not done after {MAX_MOVES:,} {what}"


def an_answer_is_known_as_one(subject: Subject) -> Iterator[str]:
    """Of what the oracle does, something says that it gives the answer (`Action.is_final`)."""
    for instance, rules in subject.seats():
        game, answered = subject.episode(instance, rules, "oracle"), False
        world = game.family.open_world(instance, rules)
        for turn in game.turns:
            move = turn.move(game.family.actions)
            answered = answered or gives_answer(world, move)
            world.act(move)
        if not answered:
            yield f"nothing that the oracle does in {instance.id} has is_final = True"


@dataclass(frozen=True, slots=True)
class _Seat:
    """An instance at which moves are tried out, and a game to try them in."""

    family: AnyFamily
    instance: AnyInstance
    rules: Rules
    script: list[Turn]
    """The moves of the longest game a player played here."""
    maker: MoveMaker

    def open_world_after(self, number: int) -> World:
        """Return a fresh world in which the first moves of the script were made."""
        world = self.family.open_world(self.instance, self.rules)
        for turn in self.script[:number]:
            world.act(turn.move(self.family.actions))
        return world

    def moments(self) -> Iterator[tuple[int, tuple[type[Action], ...]]]:
        """Yield after how many moves something is tried out, and what is expected there.

        That is wherever what is expected changes, in the middle and at the end: in between, one
        move is like another, and each try needs fresh worlds.
        """
        world = self.family.open_world(self.instance, self.rules)
        last = len(self.script)
        before = None
        for number in range(last + 1):
            expected = world.allowed_actions
            if expected != before or number in (last // 2, last):
                yield number, expected
            before = expected
            if number < last:
                world.act(self.script[number].move(self.family.actions))

    def expected_move(self, world: World) -> Move:
        made = (self.maker.make(kind) for kind in self.maker.shuffle_kinds(world.allowed_actions))
        return next((move for move in made if move is not None), _GARBAGE)

    def any_move(self, _world: World) -> Move:
        kind, *_ = self.maker.shuffle_kinds(self.family.actions)
        return self.maker.make(kind) or _GARBAGE


def _seats(subject: Subject) -> Iterator[_Seat]:
    for instance, rules in subject.seats():
        games = [subject.episode(instance, rules, name) for name in subject.players]
        longest = max(games, key=lambda game: len(game.turns))
        # Late moves of a long game are like earlier ones, and each is tried in a fresh world.
        script = longest.turns[:12]
        rng = stream(0, "check", "moves", instance.id, rules.interface)
        maker = MoveMaker(rng, collect_values(games))
        yield _Seat(subject.family.for_instance(instance), instance, rules, script, maker)


def _effect(seat: _Seat, number: int, move: Move, *, out_of_turn: bool = False) -> Iterator[str]:
    where = f"after {number} moves of {seat.instance.id}, {_name_move(move)}"
    world, twin = seat.open_world_after(number), seat.open_world_after(number)
    seen = world.act(move)
    if out_of_turn and seen.legal:
        yield f"{where} is taken out of turn"
        return
    if isinstance(move, Unparsed) and (seen.legal or (seen.cost and not number)):
        yield f"{where} is not simply refused"
    if not seen.text.strip():
        yield f"{where} is answered with nothing"
    if seen.cost != world.spent - twin.spent:
        yield f"{where} costs {seen.cost}, but {world.spent - twin.spent} was charged"
    if seen.legal or seen.cost or world.done:
        return
    if world.allowed_actions != twin.allowed_actions:
        if _is_asked_again(move, world):
            return
        yield f"{where} is refused, and still changes what is expected"
    for turn in seat.script[number:]:
        following = turn.move(seat.family.actions)
        if world.act(following) != twin.act(following):
            yield f"{where} is refused, and still changes what follows"
            return


def _is_asked_again(move: Move, world: World) -> bool:
    """Whether a refused answer led to the question, so that its answer is not lost.

    A world may take an answer that comes too early for the wish to answer: it leaves the answer
    aside and asks. From then on nothing but an answer is expected.
    """
    is_answer = not isinstance(move, Unparsed) and move.is_final
    return is_answer and all(kind.is_final for kind in world.allowed_actions)


def _repeat(move: Move) -> Callable[[World], Move]:
    return lambda _world: move


def _play_until_done(world: World, next_move: Callable[[World], Move]) -> World:
    for _ in range(MAX_MOVES):
        if world.done:
            break
        world.act(next_move(world))
    return world


def _name_move(move: Move) -> str:
    return "an unreadable reply" if isinstance(move, Unparsed) else repr(move)


CHECKS: tuple[Check, ...] = (
    actions_out_of_turn_are_refused,
    impossible_actions_are_not_obeyed,
    after_the_end_every_move_is_refused,
    budgets_hold_at_their_edge,
    everything_ends,
    an_answer_is_known_as_one,
)
