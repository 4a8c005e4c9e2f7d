"""Exporting demonstrations: what a player says, turn by turn, as data to train on.

`sft` is JSON lines, one conversation a line; `parquet` the same columns; `hf` a folder with the
Parquet file, a dataset card, the licence and Croissant metadata.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, get_args

from causarium.api.benchmark import Benchmark
from causarium.api.session import Session, easiest_level, open_session
from causarium.connect.dataset_card import CardFacts, croissant, dataset_card, licence
from causarium.contract.episode import start_player
from causarium.contract.family import AnyFamily
from causarium.contract.places import write_atomically
from causarium.contract.player import Moves
from causarium.contract.sets.splits import CANARY, check_split
from causarium.contract.world import Observation
from causarium.errors import MissingExtra, UnknownName, UsageError

Format = Literal["sft", "parquet", "hf"]
FORMATS: tuple[str, ...] = get_args(Format)
MOST_TRIES = 20
"""For each demonstration that is asked for, at most so many instances are played."""


def default_player(family: AnyFamily) -> str:
    """Return the player that wins by inference, without secrets; else the card's best one."""
    card = family.card
    if card.reference:
        return card.reference
    blind = [name for name in card.tour if not family.player(name).sees_truth]
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


def make_rows(
    benchmark: Benchmark,
    level: str | None,
    *,
    size: int,
    player: str,
    split: str = "train",
    seed: int = 0,
    least_reward: float = 1.0,
) -> Iterator[dict[str, Any]]:
    """Yield demonstrations of a level.

    Args:
        benchmark: The family in an edition.
        level: The level; by default the easiest one that can be trained on.
        size: How many.
        player: Who plays.
        split: `train` or `validation`.
        seed: The seed within the split.
        least_reward: Episodes with less are left out.

    Raises:
        UsageError: The level is held back, or too few episodes earn enough.
    """
    level = level or easiest_level(benchmark.family, benchmark.edition)
    written, most = 0, MOST_TRIES * (size + 100)
    for index in range(most):
        session = open_session(
            benchmark.name,
            edition=benchmark.edition,
            level=level,
            split=split,
            seed=seed,
            index=index,
        )
        messages = demonstrate(session, player)
        if session.reward >= least_reward:
            written += 1
            yield {
                "id": session.instance.id,
                "messages": messages,
                "reward": session.reward,
                "family": benchmark.name,
                "level": level,
                "split": split,
                "seed": seed,
                "index": index,
                "kin": benchmark.family.proofs.canonical_key(session.instance),
                "canary": CANARY,
            }
        if written == size:
            return
    raise UsageError(
        f"{player} earned {least_reward:g} in {written} of {most} tries on {level}; ask for less "
        "with --min-reward, or for another player"
    )


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

    Args:
        benchmark: The family in an edition.
        out: The file, or the folder for `hf`.
        form: `sft`, `parquet` or `hf`.
        size: How many.
        level: The level.
        split: `train` or `validation`; others are held out and not exported.
        seed: The seed within the split.
        player: Who plays; by default the causal player.
        sighted: Allow a player that sees the truth: its moves rest on what no agent can know.
        least_reward: Episodes with less are left out.

    Raises:
        UsageError: Something of this cannot be done; says what would work.
    """
    if form not in FORMATS:
        raise UnknownName("format", form, FORMATS)
    if check_split(split) == "private":
        raise UsageError("private instances are held out and not exported; export train")
    player = player or default_player(benchmark.family)
    if benchmark.family.player(player).sees_truth and not sighted:
        raise UsageError(
            f"{player} sees the truth, so its moves rest on what no agent can know; choose "
            f"another one, such as {default_player(benchmark.family)}, or say --sighted"
        )
    rows = list(
        make_rows(
            benchmark,
            level,
            size=size,
            player=player,
            split=split,
            seed=seed,
            least_reward=least_reward,
        )
    )
    if form == "sft":
        lines = (json.dumps(row, ensure_ascii=False, allow_nan=False) for row in rows)
        write_atomically(out, "".join(f"{line}\n" for line in lines))
    elif form == "parquet":
        write_atomically(out, _parquet(rows))
    else:
        _write_folder(out, benchmark, rows, player, seed)
    return len(rows)


def _parquet(rows: list[dict[str, Any]]) -> bytes:
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError as missing:
        raise MissingExtra("writing Parquet", "parquet") from missing
    sink = pa.BufferOutputStream()
    pq.write_table(pa.Table.from_pylist(rows), sink)
    content: bytes = sink.getvalue().to_pybytes()
    return content


def _write_folder(
    out: Path, benchmark: Benchmark, rows: list[dict[str, Any]], player: str, seed: int
) -> None:
    content = _parquet(rows)
    facts = CardFacts(
        benchmark=benchmark,
        level=rows[0]["level"],
        split=rows[0]["split"],
        seed=seed,
        size=len(rows),
        player=player,
    )
    write_atomically(out / facts.file, content)
    write_atomically(out / "README.md", dataset_card(facts))
    write_atomically(out / "LICENSE", licence())
    write_atomically(out / "croissant.json", json.dumps(croissant(facts, content), indent=2) + "\n")
