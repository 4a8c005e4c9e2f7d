"""Replies that are hard to read: texts made at random, and shapes that once took long."""

import json
import random
from collections.abc import Sequence

from causarium.contract.checks.long_replies import SHAPES, make_shape
from causarium.contract.episode import Episode, play
from causarium.contract.family import AnyFamily
from causarium.contract.rules import EDITIONS, Rules
from causarium.contract.sets.instance_sets import generate_instances
from causarium.contract.world import Action

__all__ = ["SHAPES", "find_phases", "make_reply", "make_shape"]

_NOISE = ["{", "}", "[", "]", '"', "\\", ",", ":", " ", "a", "1", "'", "\n", '{"', '"}', '\\"']
_WORDS = ["so {x} holds", 'he said "no', "[0, 1)", "{", '"', "```json\n", "```", "<think>"]
_WORDS += ["</think>", "\\boxed{", "}", "e.g. ", '{"a": 1}', "\ud800", "\x00", "hence:", "a\\b"]
_TEXTS = ["", "a", "<think>", "</think>", '"', "{", "}]", "\\", "é", "\ud800", "x" * 200]


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


Phase = tuple[Rules, tuple[type[Action], ...], list[str]]
"""Rules, the actions that they allow at some moment, and replies that players gave then."""


def find_phases(family: AnyFamily) -> list[Phase]:
    """Return every set of rules and allowed actions that players of a family meet."""
    phases: dict[tuple[str, tuple[type[Action], ...]], Phase] = {}
    for edition in EDITIONS:
        spec = family.card.sets.get(edition, {}).get("smoke")
        if spec is None:
            continue
        instance = next(iter(generate_instances(family, spec.parts)))
        for interface in family.rules.interfaces:
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
                    episode.step(turn.move(family.actions))
    return list(phases.values())
