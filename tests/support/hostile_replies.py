"""Replies that are hard to read: texts made at random, and shapes that once took long.

`play_hostile_replies` reads them, takes them, records, writes down and scores, all together.
"""

import json
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from causarium.contract.episode import Episode, play
from causarium.contract.family import AnyFamily, AnyInstance
from causarium.contract.rules import EDITIONS, Rules
from causarium.contract.sets.instance_sets import generate_instances
from causarium.contract.texts.replies import MAX_REPLY_CHARS, excerpt
from causarium.contract.texts.say_action import Unsayable
from causarium.contract.turn import Turn
from causarium.contract.world import Action
from causarium.engine.record.episode_record import score_turns

__all__ = ["SHAPES", "find_phases", "make_reply", "make_shape"]

SHAPES: dict[str, str | tuple[str, str]] = {
    "escaped quotes": ('{"', '\\"'),
    "prose brackets": ("{a", "[]"),
    "strings that never end": '{"',
    "three quotes": '{a """',
    "backslashes": ('{"', "\\"),
    "nested lists": ('{"a":', "[" * 31 + "]" * 31 + ","),
    "tags and braces": "{ <think></think>",
    "tags in strings": '{"a": "<think>", ',
    "lists in lists": "[" * 400 + "]" * 400,
    "single quotes": "{'source':'a','sink':'",
    "cut-off edges": ('{"relationships": [', '{"source": "a", "sink": "b"}, '),
    "indented fences": " \t```python\n x",
    "digits": ('{"a": ', "9"),
    "open braces": "{",
    "answers before the last": ('{"answer":1}\n' * 999 + '{"answer":[', "1,"),
    "prose braces": "{a ",
    "prose pairs": ("{a", "{}"),
    "strings that are braces": '{"}":',
    "values that never end": '{"a": "',
    "brace, bracket": "{[",
    "quote, brace": '"{',
    "prose and quotes": '{a "',
    "quote, backslash": '{a "\\',
    "open lists": ("{", "["),
    "broken objects": '{"a": x} ',
    "whole objects": '{"a": 1} ',
    "one long list": ('{"a": [', "1,"),
    "tags": "<think></think>",
    "open tags": "<think>",
    "tags in broken objects": '{"a": <think></think> ',
    "tags in closed objects": '{"a": <think></think>} ',
    "tags in nested objects": ('{"a":' * 30 + "<think></think>", "[]"),
    "open tags in objects": '{"a": "<think>"} ',
    "lists of strings": '["a", ',
    "lists of open strings": '["',
    "loose edges": '{"source": "a", "sink": "b" ',
    "loose names": ('{"source": "', '", "sink": "'),
    "escaped braces": ('{"source": "', '\\"}{'),
    "graphs begun": '{"relationships": [',
    "spaces": ("{", " "),
    "lines": ("```python\n", "\n"),
    "fences": "```python\n",
    "surrogates": '{"\ud800": "\udfff"} ',
}
"""What is written once, if anything, and what is written again and again."""


def make_shape(name: str, size: int) -> str:
    """Return the shape of a name in `size` characters."""
    shape = SHAPES[name]
    start, part = shape if isinstance(shape, tuple) else ("", shape)
    return (start + part * (size // len(part) + 1))[:size]


_NOISE = ["{", "}", "[", "]", '"', "\\", ",", ":", " ", "a", "1", "'", "\n", '{"', '"}', '\\"']
_WORDS = ["so {x} holds", 'he said "no', "[0, 1)", "{", '"', "```json\n", "```", "<think>"]
_WORDS += ["</think>", "\\boxed{", "}", "e.g. ", '{"a": 1}', "\ud800", "\x00", "hence:", "a\\b"]
_TEXTS = ["", "a", "<think>", "</think>", '"', "{", "}]", "\\", "é", "\ud800", "x" * 200]


_KEYS = ["1", "('q', 1)", "None", "True", "b'x'", "1.5", "frozenset()", "...", '"a"', "{}"]
_VALUES = ["{1: 1}", "{('q', 1): 'up'}", "[[[]]]", "1e999", "-0", "''", "[None]", "{'': {}}"]
_VALUES += ["9" * 400, "'\\ud800'", "[['a', 'b', 'c']]", "-1e-400", "true", "[1e999]", "'\\x00'"]
_VALUES += [
    "9" * 299,
    "[1e308, -1e308]",
    "'" + "9" * 299 + "'",
    "'" + "(" * 40 + "x'",
    "'１２'",
    "'²'",
]
_LONG_ONE_IN = 2_000
"""One reply in so many is long."""
LATE_S = 1.0
"""So long nothing that is made of a reply may take."""


def make_reply(draw: random.Random, examples: Sequence[str] = ()) -> str:
    """Return a reply made at random: noise, prose, JSON, or an example, whole or damaged.

    Args:
        draw: Where chance comes from.
        examples: Replies that can be read, which are damaged as well.
    """
    kind = draw.random()
    if kind < 0.15:
        return "".join(draw.choices(_NOISE, k=draw.randint(0, 80)))
    parts = [draw.choice(_WORDS) for _ in range(draw.randint(0, 4))]
    whole = draw.choice(examples) if examples and kind < 0.6 else json.dumps(_value(draw, 0))
    parts.insert(draw.randint(0, len(parts)), whole)
    reply = " ".join(parts) if draw.random() < 0.5 else "".join(parts)
    return _damage(draw, reply) if draw.random() < 0.6 else reply


def _value(draw: random.Random, depth: int) -> object:
    kind = draw.randint(0, 3 if depth > 3 else 6)
    if kind > 4:
        return {_text(draw): _value(draw, depth + 1) for _ in range(draw.randint(0, 3))}
    if kind == 4:
        return [_value(draw, depth + 1) for _ in range(draw.randint(0, 3))]
    return [None, draw.randint(-9, 9), draw.random(), _text(draw)][kind]


def _text(draw: random.Random) -> str:
    return "".join(draw.choices(_TEXTS, k=draw.randint(0, 3)))


def _damage(draw: random.Random, reply: str) -> str:
    for _ in range(draw.randint(1, 3)):
        place = draw.randint(0, len(reply))
        cut = draw.randint(0, 3)
        inserted = draw.choice(_NOISE + _WORDS)
        reply = draw.choice(
            [
                reply[:place],
                reply[place:],
                reply[:place] + reply[place + cut :],
                reply[:place] + inserted + reply[place:],
                reply + reply[place:],
            ]
        )
    return reply


def make_absurd(draw: random.Random, action: type[Action]) -> str:
    """Return a reply with the keys of an action and absurd things under them."""
    keys = [f"'{name}'" for name in ("action", *action.model_fields)]
    pairs = []
    for key in draw.sample(keys, k=draw.randint(1, len(keys))):
        value = repr(action.kind) if key == "'action'" else draw.choice(_VALUES)
        if draw.random() < 0.3:
            value = "{" + f"{draw.choice(_KEYS)}: {draw.choice(_VALUES)}" + "}"
        pairs.append(f"{key}: {value}")
    return "{" + ", ".join(pairs) + "}"


Seat = tuple[AnyInstance, Rules]


def find_seats(family: AnyFamily) -> list[Seat]:
    """Return an instance and rules for every edition and interface of a family."""
    seats: list[Seat] = []
    for edition in EDITIONS:
        spec = family.card.sets.get(edition, {}).get("smoke")
        if spec is None or family.edition not in {None, edition}:
            continue
        instance = next(iter(generate_instances(family, spec.parts)))
        own = family.for_edition(edition)
        every = [own.rules_for(edition, interface=name) for name in own.rules.interfaces]
        seats += [(instance, rules) for rules in every if rules.is_interface_installed()]
    return seats


@dataclass(slots=True)
class Hostility:
    """What hostile replies did."""

    played: int = 0
    raised: list[str] = field(default_factory=list)
    late: int = 0
    """How many took more than a second of a core."""
    slowest_s: float = 0.0


def play_hostile_replies(family: AnyFamily, count: int, *, seed: int) -> Iterator[Hostility]:
    """Play episodes of hostile replies, and of a few good ones that lead on to later phases.

    Yields what they have done so far after every episode.

    Args:
        family: Who reads them.
        count: How many replies.
        seed: Where chance comes from.
    """
    draw, found = random.Random(seed), Hostility()
    seats = [(*seat, _write_moves(family, *seat)) for seat in find_seats(family)]
    while found.played < count:
        instance, rules, said = draw.choice(seats)
        episode = Episode(family, instance, rules)
        lead = draw.choice(said)[: draw.choice([0, 0, 1, 2, 4, 8])]
        length = draw.randint(1, 40)
        reply, written = "", list[str]()
        try:
            while found.played < count and length and not episode.done:
                length -= not lead
                reply = lead.pop(0) if lead else _make_hostile(draw, family, draw.choice(said))
                start = time.process_time()
                # Not `parse_reply` and `take`, which catch what is looked for here.
                episode.step(family.replies.parse(reply, episode.world.allowed_actions, rules))
                written.append(episode.turns[-1].model_dump_json())
                _count(found, start)
                found.played += 1
            start = time.process_time()
            # Scored as a log is: from what was written down.
            recorded = [Turn.model_validate_json(line) for line in written]
            score_turns(family, instance, rules, recorded).model_dump_json()
            _count(found, start)
        except Exception as wrong:  # noqa: BLE001 - any exception is what is looked for
            found.played += 1
            found.raised.append(f"{type(wrong).__name__}: {wrong}; reply {excerpt(reply)!r}")
        yield found


def _count(found: Hostility, start: float) -> None:
    seconds = time.process_time() - start
    found.late += seconds > LATE_S
    found.slowest_s = max(found.slowest_s, seconds)


def _make_hostile(draw: random.Random, family: AnyFamily, examples: Sequence[str]) -> str:
    kind = draw.random()
    if kind < 1 / _LONG_ONE_IN:
        return make_shape(draw.choice([*SHAPES]), draw.choice([1_000, 30_000, MAX_REPLY_CHARS]))
    return (
        make_absurd(draw, draw.choice(family.actions)) if kind < 0.5 else make_reply(draw, examples)
    )


def _write_moves(family: AnyFamily, instance: AnyInstance, rules: Rules) -> list[list[str]]:
    """Return what players would say move by move, as far as it can be said.

    They are scored too: what a family loads at its first score is no reply's time.
    """
    games = []
    for player in ("oracle", "random"):
        said: list[str] = []
        episode = play(family, instance, rules, player)
        episode.score()
        for turn in episode.turns:
            move = turn.move(episode.family.actions)
            try:
                said.append(family.replies.write(move, rules) if isinstance(move, Action) else "")
            except Unsayable:
                break
        games.append(said)
    return games


Phase = tuple[Rules, tuple[type[Action], ...], list[str]]
"""Rules, the actions that they allow at some moment, and replies that players gave then."""


def find_phases(family: AnyFamily) -> list[Phase]:
    """Return every set of rules and allowed actions that players of a family meet."""
    phases: dict[tuple[str, tuple[type[Action], ...]], Phase] = {}
    for edition in EDITIONS:
        spec = family.card.sets.get(edition, {}).get("smoke")
        if spec is None or family.edition not in {None, edition}:
            continue
        instance = next(iter(generate_instances(family, spec.parts)))
        for interface in family.for_edition(edition).rules.interfaces:
            rules = family.rules_for(edition, interface=interface)
            if not rules.is_interface_installed():
                continue
            for player in ("oracle", "random", "silent"):
                episode = Episode(family, instance, rules)
                for turn in play(family, instance, rules, player).turns:
                    allowed_actions = episode.world.allowed_actions
                    key = (rules.model_dump_json(), allowed_actions)
                    phase = phases.setdefault(key, (rules, allowed_actions, []))
                    fields = {k: v for k, v in (turn.action or {}).items() if k != "kind"}
                    phase[2].append(
                        json.dumps({**fields, "action": (turn.action or {}).get("kind")})
                    )
                    phase[2].append(json.dumps(fields))
                    episode.step(turn.move(episode.family.actions))
    return list(phases.values())
