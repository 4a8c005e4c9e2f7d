"""Exporting demonstrations: what a player says, turn by turn, as data to train on.

`sft` is JSON lines, one conversation a line; `parquet` the same columns; `hf` a folder with the
Parquet file, a dataset card, the licence and Croissant metadata.
"""

import hashlib
import json
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from causarium.api.benchmark import Benchmark
from causarium.api.session import Session, easiest_level, open_session
from causarium.contract.episode import start_player
from causarium.contract.family import AnyFamily
from causarium.contract.places import write_atomically, write_parquet
from causarium.contract.player import Moves
from causarium.contract.sets.splits import CANARY, check_split
from causarium.contract.world import Observation
from causarium.errors import UnknownName, UsageError
from causarium_data.data_card import (
    describe_dataset,
    describe_field,
    describe_file,
    licence,
)

FORMATS = ("sft", "parquet", "hf")
MOST_TRIES = 20
"""At most so many instances are played for each demonstration, of those asked for and 100 more."""
COLUMNS = {
    "id": "The instance.",
    "messages": "The conversation: what an agent reads, and what the player said.",
    "reward": "What the episode earned: 1 for the truth, 0 for silence.",
    "family": "The benchmark.",
    "level": "The level that the instance was drawn from.",
    "split": "The split that it was drawn from.",
    "seed": "The seed within the split.",
    "index": "The number of the instance in the split.",
    "kin": "A digest that instances share which are the same under other names.",
    "canary": "The same in every row: who gathers texts can leave these out by it.",
}


def default_player(family: AnyFamily) -> str:
    """Return the player that wins by inference, without secrets; else the card's best one."""
    card, players = family.card, family.players
    if card.reference in players:
        return card.reference
    blind = [name for name in card.tour if name in players and not players[name].sees_truth]
    return blind[-1]


def demonstrate(session: Session, player: str) -> list[dict[str, str]]:
    """Play a session by what a player says; returns the conversation.

    Raises:
        UsageError: The player makes a move that the interface cannot say.
    """
    messages = list(session.messages)
    moves: Moves = start_player(session.episode, player)
    try:
        move = next(moves)
        while True:
            reply = session.says(move)
            step = session.step(reply)
            messages.append({"role": "assistant", "content": reply})
            if step.done:
                break
            messages.append({"role": "user", "content": step.text})
            seen = Observation(step.text, data=step.data, legal=step.legal, cost=step.cost)
            move = moves.send(seen)
    except StopIteration:
        pass
    return messages


def export_data(  # noqa: PLR0913 - what is exported, and how
    benchmark: Benchmark,
    out: Path,
    *,
    form: str,
    size: int,
    level: str | None = None,
    split: str = "train",
    seed: int = 0,
    player: str | None = None,
    sighted: bool = False,
    least_reward: float = 1.0,
) -> int:
    """Write demonstrations; returns how many.

    Raises:
        UsageError: Something of this cannot be done; says what would work.
    """
    if form not in FORMATS:
        raise UnknownName("format", form, FORMATS)
    if form == "hf" and out.suffix in (".jsonl", ".parquet"):
        raise UsageError(f"hf writes a folder; give one as --out, not {out}")
    if form != "hf" and out.is_dir():
        raise UsageError(f"{form} writes a file; give one as --out, not the folder {out}")
    if check_split(split) == "private":
        raise UsageError("private instances are held out and not exported; export train")
    level = level or easiest_level(benchmark.family, benchmark.edition)
    benchmark.check_level(level, size)
    player = player or default_player(benchmark.family)
    if benchmark.family.player(player).sees_truth and not sighted:
        raise UsageError(
            f"{player} sees the truth, so its moves rest on what no agent can know; choose "
            f"another one, such as {default_player(benchmark.family)}, or say --sighted"
        )
    rows: list[dict[str, Any]] = []
    most = MOST_TRIES * (size + 100)
    for index in range(most):
        address: dict[str, Any] = {"level": level, "split": split, "seed": seed, "index": index}
        session = open_session(benchmark.name, edition=benchmark.edition, **address)
        messages = demonstrate(session, player)
        if session.reward >= least_reward:
            rows.append(
                {
                    "id": session.instance.id,
                    "messages": messages,
                    "reward": session.reward,
                    "family": benchmark.name,
                    **address,
                    "kin": benchmark.family.proofs.canonical_key(session.instance),
                    "canary": CANARY,
                }
            )
        if len(rows) == size:
            break
    else:
        raise UsageError(
            f"{player} earned {least_reward:g} in {len(rows)} of {most} tries on {level}; ask for "
            "less with --min-reward, or for another player"
        )
    if form == "sft":
        lines = (json.dumps(row, ensure_ascii=False, allow_nan=False) for row in rows)
        write_atomically(out, "".join(f"{line}\n" for line in lines))
    elif form == "parquet":
        write_atomically(out, _parquet(rows))
    else:
        _write_folder(out, benchmark, rows, player)
    return len(rows)


def _parquet(rows: list[dict[str, Any]]) -> bytes:
    return write_parquet({name: [row[name] for row in rows] for name in rows[0]})


def _write_folder(out: Path, benchmark: Benchmark, rows: list[dict[str, Any]], player: str) -> None:
    content, level, split = _parquet(rows), rows[0]["level"], rows[0]["split"]
    file = f"data/{split}.parquet"
    described = describe_dataset(
        f"causarium-{benchmark.name}-{level}",
        benchmark.family.card,
        datetime.now(UTC).date().isoformat(),
        [describe_file(file, "application/x-parquet", hashlib.sha256(content).hexdigest())],
        [
            {
                "@type": "cr:RecordSet",
                "@id": "default",
                "name": "default",
                "field": [_field(file, name, about) for name, about in COLUMNS.items()],
            }
        ],
    )
    write_atomically(out / file, content)
    write_atomically(out / "README.md", _describe(benchmark, rows, player, file))
    write_atomically(out / "LICENSE", licence())
    write_atomically(out / "croissant.json", json.dumps(described, indent=2) + "\n")


def _describe(benchmark: Benchmark, rows: list[dict[str, Any]], player: str, file: str) -> str:
    """Return the README.md of a dataset, as dataset hubs read it."""
    card, first = benchmark.family.card, rows[0]
    columns = "\n".join(f"- `{name}`: {about}" for name, about in COLUMNS.items())
    about_player = benchmark.family.player(player).about
    return f"""---
license: mit
pretty_name: {card.title}, {first["level"]}
task_categories: [text-generation]
tags: [causal-reasoning, agents, synthetic]
configs:
- config_name: default
  data_files:
  - split: {first["split"]}
    path: {file}
---

# {card.title}, {first["level"]}: demonstrations

{card.about} {len(rows)} episodes of the {first["split"]} split (seed {first["seed"]}), played by
`{player}`: {about_player}

{columns}

Made by causarium {version("causarium")}, version {card.version} of {benchmark.name}, edition
{benchmark.edition}. No instance is in a named set of the benchmark, under any names.

Rebuilds: {card.paper.title} ({card.paper.venue} {card.paper.year}).

{CANARY}
"""


def _field(file: str, name: str, about: str) -> dict[str, Any]:
    field = describe_field("default", name, about, file)
    if name == "messages":
        parts = [
            {
                "@type": "cr:Field",
                "@id": f"default/messages/{part}",
                "name": part,
                "dataType": "sc:Text",
                "repeated": True,
                "source": {**field["source"], "transform": {"jsonPath": f"$[*].{part}"}},
            }
            for part in ("role", "content")
        ]
        kept = {key: field[key] for key in ("@type", "@id", "name", "description")}
        return {**kept, "repeated": True, "subField": parts}
    kinds = {"reward": "sc:Float", "seed": "sc:Integer", "index": "sc:Integer"}
    return {**field, "dataType": kinds.get(name, "sc:Text")}
