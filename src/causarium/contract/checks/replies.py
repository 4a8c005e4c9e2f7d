"""Promises about replies: whatever is written is read as a value, and what was read can be said."""

import json
import math
from collections.abc import Iterator
from itertools import chain
from typing import Any

from causarium.contract.checks.checked_family import Check, Subject
from causarium.contract.checks.random_moves import MoveMaker, collect_values
from causarium.contract.episode import Episode
from causarium.contract.family import AnyFamily
from causarium.contract.rules import Rules
from causarium.contract.texts.replies import MAX_DEPTH, MAX_REPLY_CHARS, excerpt
from causarium.contract.texts.say_action import Unsayable, visible_fields
from causarium.contract.world import Action, Move, Program, Unparsed
from causarium.seeds import stream

HOSTILE = {
    "empty": "",
    "blank": " \n\t ",
    "prose": "I would rather not say.",
    "half an object": '{"switch": "br',
    "no JSON": "{yes, perhaps}",
    "an array": "[1, 2, 3]",
    "a bare word": '"perhaps"',
    "an empty object": "{}",
    "null": "null",
    "unknown keys": '{"no such key": 1}',
    "the same object twice": '{"no such key": 1} {"no such key": 1}',
    "two different objects": '{"no such key": 1} {"another": 2}',
    "a thousand objects": '{"no such key": 1} {"another": 2}' * 1_000,
    "not a number": '{"value": NaN}',
    "infinity": '{"value": 1e999, "other": -Infinity}',
    "enormous prose": "a" * (MAX_REPLY_CHARS + 1),
    "an enormous object": '{"a": "' + "b" * MAX_REPLY_CHARS + '"}',
    "an enormous number": '{"a": ' + "9" * 5_000 + "}",
    "deep arrays": "[" * 100_000 + "]" * 100_000,
    "deep objects": '{"a": ' * (MAX_DEPTH + 1) + "1" + "}" * (MAX_DEPTH + 1),
    "deep objects behind closing braces": "}" * 900 + '{"hypothesis": ' * 900 + "1" + "}" * 900,
    "open braces": "{" * 50_000,
    "brackets in strings": '{"shape":' + '["]",' * 5_000 + "}",
    "braces in strings": '{"}":' * 39_000,
    "an action within a list": '{"plan": [{"answer": "yes", "action": "measure"}]}',
    "an action within a cut-off object": '{"plan": {"verdict": "yes", "action": "measure"}, "a',
    "control characters": "\x00\x1b[31m\u202e{}",
    "lone surrogates": '{"a": "\ud800"}',
    "a lone surrogate as a key": '{"\\ud800": 1}',
    "a lone surrogate in prose": "so \udcff then",
    "text that looks like code": "__import__('os').system('true')",
}
"""Replies in which no family can find an action, by what is wrong with them."""

ABSURD_VALUES = (
    *("null", "true", "0", "-1", "1e999", "12345678901234567890123", '""', "[]", "{}"),
    *('"\\ud800"', '"\\u0000"', '"no-such-thing ☂"', "[[[[]]]]", '{"a": {"b": null}}'),
    '"' + "long " * 2_000 + '"',
    "[" + "1, " * 2_000 + "1]",
)
"""JSON values that no action wants, as they stand in a reply."""


def hostile_replies_come_back_as_unparsed(subject: Subject) -> Iterator[str]:
    """Malformed, empty, doubled, enormous and deeply nested replies are `Unparsed` at the opening.

    Later phases may take free text, so there a reply only has to come back as some value.
    """
    for rules, allowed_actions, opening in find_phases(subject):
        kinds = " or ".join(action.kind for action in allowed_actions) or "nothing"
        for what, reply in HOSTILE.items():
            wrong = _find_misreading(subject, rules, allowed_actions, reply, must_fail=opening)
            if wrong:
                yield f"{what}, where {kinds} is expected, {wrong}"


def right_keys_with_wrong_values_raise_nothing(subject: Subject) -> Iterator[str]:
    """A reply with the right keys and absurd values is read, answered and written to a record."""
    for instance, rules in subject.seats():
        family = subject.family.for_instance(instance)
        for action in family.open_world(instance, rules).allowed_actions:
            for value in ABSURD_VALUES:
                reply = "{" + ", ".join(f'"{key}": {value}' for key in action.model_fields) + "}"
                try:
                    episode = Episode(family, instance, rules)
                    episode.step(family.replies.parse(reply, episode.world.allowed_actions, rules))
                    episode.turns[0].model_dump_json()
                    episode.score().model_dump_json()
                except Exception as wrong:  # noqa: BLE001 — any exception is what is looked for
                    yield f"{excerpt(reply)} raised {type(wrong).__name__}: {excerpt(str(wrong))}"


def of_two_actions_in_one_reply_the_first_counts(subject: Subject) -> Iterator[str]:
    """Of two different actions the certified edition takes the first, marked, or neither.

    The paper edition may have a quirk that takes the other; it must answer with a value too.
    """
    for instance, rules in subject.seats():
        family = subject.family.for_instance(instance)
        certified = family.rules_for("certified", interface=rules.interface) == rules
        for first, second in _contradictions(subject, Episode(family, instance, rules)):
            allowed_actions = family.open_world(instance, rules).allowed_actions
            got = family.replies.parse(f"{first}\n{second}", allowed_actions, rules)
            alone = family.replies.parse(first, allowed_actions, rules)
            refused = isinstance(got, Unparsed)
            if certified and not refused and not _is_forgiven(got, alone):
                yield f"{first} and {second} in one reply were read as {got!r}"


def _is_forgiven(got: Move, alone: Move) -> bool:
    """Whether a move is the same as another but for its mark, or but for its counted slips."""
    if not (isinstance(got, Action) and isinstance(alone, Action)) or got == alone:
        return False
    return type(got) is type(alone) and _pick_compared(got) == _pick_compared(alone)


def find_phases(subject: Subject) -> Iterator[tuple[Rules, tuple[type[Action], ...], bool]]:
    """Yield every set of expected actions that players meet, and whether it is the opening one."""
    met = set()
    for instance, rules in subject.seats():
        for player in subject.players:
            phases = [allowed for allowed, _ in _walk(subject.episode(instance, rules, player))]
            for allowed_actions in phases:
                key = (rules.model_dump_json(), allowed_actions)
                if key not in met:
                    met.add(key)
                    yield rules, allowed_actions, allowed_actions == phases[0]


def _walk(game: Episode) -> Iterator[tuple[tuple[type[Action], ...], Move | None]]:
    """Yield what a game's world expects before each move, with the move, and then at the end."""
    world = game.family.open_world(game.instance, game.rules)
    for turn in game.turns:
        move = turn.move(game.family.actions)
        yield world.allowed_actions, move
        world.act(move)
    yield world.allowed_actions, None


def _find_misreading(
    subject: Subject,
    rules: Rules,
    allowed_actions: tuple[type[Action], ...],
    reply: str,
    *,
    must_fail: bool,
) -> str | None:
    try:
        got = subject.family.replies.parse(reply, allowed_actions, rules)
    except Exception as wrong:  # noqa: BLE001 — any exception at all is what is looked for
        return f"raised {type(wrong).__name__}: {wrong}"
    if not isinstance(got, Unparsed):
        return f"was read as {excerpt(repr(got))}" if must_fail else None
    return None if got.mode and got.detail else "is Unparsed without a mode or a detail"


def _contradictions(subject: Subject, opening: Episode) -> Iterator[tuple[str, str]]:
    """Yield pairs of replies that are read as different actions, where actions are plain JSON."""
    replies: dict[str, Action] = {}
    for player in subject.players:
        for turn in subject.episode(opening.instance, opening.rules, player).turns[:1]:
            fields = {k: v for k, v in (turn.action or {}).items() if k != "kind"}
            got = opening.parse_reply(json.dumps(fields))
            if isinstance(got, Action):
                replies[json.dumps(fields)] = got
    first, *rest = [*replies] or [""]
    for other in rest:
        if replies[other] != replies[first]:
            yield first, other
            yield other, first


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
    for instance, rules in subject.seats():
        family = subject.family.for_instance(instance)
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
                move = turn.move(direct.family.actions)
                if isinstance(move, Action) and not isinstance(move, Program):
                    move = talked.parse_reply(direct.family.replies.write(move, direct.rules))
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
    for allowed_actions, move in chain.from_iterable(map(_walk, games)):
        if isinstance(move, Action):
            met.setdefault(allowed_actions, []).append(move)
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
    hostile_replies_come_back_as_unparsed,
    right_keys_with_wrong_values_raise_nothing,
    of_two_actions_in_one_reply_the_first_counts,
    what_was_read_can_be_said_again,
    a_player_that_talks_gets_the_same_verdict,
)
