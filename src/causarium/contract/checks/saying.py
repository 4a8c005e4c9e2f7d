"""Promises about saying: what was read can be said again, and saying it changes no verdict."""

import json
import math
from collections.abc import Iterator
from typing import Any

from causarium.contract.checks.checked_family import Check, Subject
from causarium.contract.checks.random_moves import MoveMaker, collect_values
from causarium.contract.episode import Episode
from causarium.contract.family import AnyFamily
from causarium.contract.rules import Rules
from causarium.contract.texts.replies import excerpt
from causarium.contract.texts.say_action import Unsayable, visible_fields
from causarium.contract.world import Action, Program
from causarium.seeds import stream

HOSTILE_WORDS = (
    *(
        "<think>",
        "</think>yes",
        '"',
        "\\",
        "\\u003c",
        "}",
        '{"answer": "yes"}',
        "```",
        "```python\n1",
    ),
    *("a\nb", "\t", "\u2028", "\x00", "☂", "→", "a->b", " padded ", "12 Hz", "0", "yes", "[", "'"),
)
"""Words that a careless writer would not bring back."""
_MOVES = 6


def what_was_read_can_be_said_again(subject: Subject) -> Iterator[str]:
    """For every action `a` that a reply was read as, `parse(says(a))` is `a`.

    What is said beside an action, or filled in by the reader alone, does not count.
    """
    family = subject.family
    for instance, rules in subject.seats():
        games = [subject.episode(instance, rules, player) for player in subject.players]
        rng = stream(0, "check", "saying", instance.id)
        maker = MoveMaker(rng, [*collect_values(games), *HOSTILE_WORDS])
        for allowed_actions, played in _phases(games):
            made = [maker.make(kind) for kind in allowed_actions for _ in range(_MOVES)]
            for action in (*played, *filter(None, made)):
                yield from _find_lost_fields(family, action, allowed_actions, rules)


def a_player_that_talks_gets_the_same_verdict(subject: Subject) -> Iterator[str]:
    """A player's game, said move by move and read again, has the numbers of the direct game."""
    for direct, verdict in subject.scored_games():
        talked = Episode(subject.family, direct.instance, direct.rules)
        try:
            for turn in direct.turns:
                move = turn.move(subject.family.actions)
                if isinstance(move, Action) and not isinstance(move, Program):
                    move = talked.parse_reply(subject.family.replies.write(move, direct.rules))
                talked.step(move)
        except Unsayable:
            continue
        numbers = talked.score().numbers
        for name, number in verdict.numbers.items():
            # What is nan without a text describes the text.
            if not math.isnan(number) and numbers[name] != number:
                yield (
                    f"{name} of {direct.instance.id} is {number} by moves and {numbers[name]} "
                    f"by what is said in the interface {direct.rules.interface}"
                )


def _phases(games: list[Episode]) -> Iterator[tuple[tuple[type[Action], ...], list[Action]]]:
    """Yield what the worlds of these games expect, each once, and the moves made there."""
    met: dict[tuple[type[Action], ...], list[Action]] = {}
    for game in games:
        world = game.family.open_world(game.instance, game.rules)
        for turn in game.turns:
            move = turn.move(game.family.actions)
            if isinstance(move, Action):
                met.setdefault(world.allowed_actions, []).append(move)
            world.act(move)
    for allowed_actions, moves in met.items():
        distinct = {json.dumps(move.record(), sort_keys=True): move for move in moves}
        yield allowed_actions, list(distinct.values())


def _find_lost_fields(
    family: AnyFamily, action: Action, allowed_actions: tuple[type[Action], ...], rules: Rules
) -> Iterator[str]:
    try:
        read = family.replies.parse(family.replies.write(action, rules), allowed_actions, rules)
        if not isinstance(read, Action):
            return
        reply = family.replies.write(read, rules)
    except Unsayable:
        return
    again = family.replies.parse(reply, allowed_actions, rules)
    if not isinstance(again, type(read)) or _pick_compared(again) != _pick_compared(read):
        yield f"{excerpt(reply)} was written for {read!r} and is read as {again!r}"


def _pick_compared(action: Action) -> dict[str, Any]:
    comments = action.comment_fields
    # By repr, because what is not a number equals nothing.
    return {k: repr(v) for k, v in visible_fields(action).items() if k not in comments}


CHECKS: tuple[Check, ...] = (
    what_was_read_can_be_said_again,
    a_player_that_talks_gets_the_same_verdict,
)
