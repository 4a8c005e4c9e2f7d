"""Leaderboards made by hand, on ladders of eight rungs with twelve instances each."""

import math
from collections.abc import Mapping, Sequence
from random import Random

from causarium import families
from causarium.contract.row import CUT, Row, Tokens, Usage
from causarium.report.data.family_facts import facts_of
from causarium.report.data.leaderboard import (
    Column,
    Entry,
    Facts,
    Leaderboard,
    build_leaderboard,
)

RUNGS = tuple(range(1, 9))
EACH = 12
FIVE = families.FAMILIES
CARDS = {name: families.card(name) for name in FIVE}
COLUMNS = tuple(
    Column(
        family=name, title=card.title, metric=card.headline["certified"], instances=96, rungs=RUNGS
    )
    for name, card in CARDS.items()
)


def climb(
    agent: str,
    strength: float,
    *,
    played: Sequence[str] = FIVE,
    rungs: Sequence[int] = RUNGS,
    tokens: int = 0,
    cut: int = 0,
) -> list[Row]:
    """Rows of one agent that falls to half at the rung `strength` of each family."""
    made = []
    for column in COLUMNS:
        for rung in rungs if column.family in played else ():
            chance = 1 / (1 + math.exp(2.5 * (rung - strength)))
            for at in range(EACH):
                rng = Random(f"{agent} {column.family} {rung} {at}")
                score = float(rng.random() < chance)
                made.append(make_row(agent, column, rung, at, score, tokens=tokens * rung, cut=cut))
    return made


def make_row(
    agent: str, column: Column, rung: int, at: int, score: float, *, tokens: int = 0, cut: int = 0
) -> Row:
    usage = Usage(agent=Tokens(input=900, output=tokens, cost=tokens * 1e-6)) if tokens else None
    return Row(
        family=column.family,
        version=CARDS[column.family].version,
        edition="certified",
        set="standard",
        agent=agent,
        interface="json",
        id=f"{column.family}-rung-{rung}-s0-{at:04d}",
        facets={"rung": rung, "mechanism": f"{rung} {at // 2}"},
        numbers={column.metric: score},
        turns=4,
        faults={CUT: cut} if cut else {},
        usage=usage,
    )


def play_programs() -> list[Row]:
    """Rows of the reference of each family and of one more program."""
    made = []
    for name in FIVE:
        facts = facts_of(families.get(name))
        others = facts.players - facts.sees_truth - facts.blind - {facts.reference, "oracle"}
        made += climb(f"player/{facts.reference}", 20, played=[name])
        made += climb(f"player/{min(others)}", 3.2, played=[name])
    return made


_QWEN = {"maker": "Alibaba", "licence": "Apache-2.0"}
MODELS: Mapping[str, tuple[float, int, dict[str, object]]] = {
    "Qwen3-32B": (5.6, 2_900, {**_QWEN, "size": 32.8, "decoding": "free", "trained": False}),
    "Large-1, in words": (9.5, 5_200, {"maker": "A maker", "kind": "closed", "decoding": "free"}),
    "Qwen2.5-Coder-1.5B-Instruct, trained": (
        3.1,
        640,
        {**_QWEN, "size": 1.54, "decoding": "free", "trained": True},
    ),
    "Gemma-3-270M": (
        1.2,
        893,
        {"maker": "Google", "size": 0.27, "licence": "Gemma terms", "decoding": "JSON schema"},
    ),
    "Qwen2.5-Coder-0.5B-Instruct": (
        0.3,
        639,
        {**_QWEN, "size": 0.49, "decoding": "JSON schema", "trained": False},
    ),
    "Qwen2.5-Coder-1.5B-Instruct": (
        0.5,
        371,
        {**_QWEN, "size": 1.54, "decoding": "JSON schema", "trained": False},
    ),
    "SmolLM2-135M-Instruct": (
        -3,
        805,
        {"maker": "Hugging Face", "size": 0.13, "licence": "Apache-2.0", "decoding": "free"},
    ),
    "SmolLM2-360M-Instruct": (
        -3,
        1_604,
        {"maker": "Hugging Face", "size": 0.36, "licence": "Apache-2.0", "decoding": "free"},
    ),
    "Gemma-3-270M, free": (-3, 3_139, {"maker": "Google", "size": 0.27, "decoding": "free"}),
}


def make_board(names: Mapping[str, str] | None = None) -> Leaderboard:
    """Eleven entries, two of which lack a family; `names` renames some of them."""
    given = []
    for name, (strength, tokens, known) in MODELS.items():
        rows = climb(f"provider/{name}", strength, tokens=tokens, cut=name.startswith("Gemma"))
        given.append((make_entry(name, names, known), rows))
    for name in ("TinyLlama-1.1B-Chat", "TinyLlama-1.1B-Chat, free"):
        known = {"maker": "TinyLlama", "size": 1.1, "licence": "Apache-2.0", "decoding": "free"}
        rows = climb(f"provider/{name}", -3, played=FIVE[:4], tokens=262)
        given.append((make_entry(name, names, known), rows))
    return build_leaderboard(given, play_programs(), columns=COLUMNS)


def make_entry(name: str, names: Mapping[str, str] | None, known: Mapping[str, object]) -> Entry:
    facts = Facts.model_validate({"name": (names or {}).get(name, name), **known})
    return Entry(facts=facts, agent=f"provider/{name}", date="2026-11-19", folder="one")
