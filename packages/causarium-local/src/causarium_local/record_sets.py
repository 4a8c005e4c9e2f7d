"""Play whole sets with open weights, by sessions alone, and record every reply.

    python -m causarium_local.record_sets WEIGHTS --family causallink --set standard --out FOLDER

needs torch, Transformers, pydantic and causarium's source, and no Inspect. All episodes of a set
go in step: each turn is one batched generation for those that are still playing. The same command
goes on where it was stopped, because a conversation that is in the file is not asked again.
"""

import argparse
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TextIO

from causarium.api.session import Session, open_session
from causarium.contract.sets.instance_sets import choose_numbers, find_set
from causarium.errors import BadFile
from causarium.families import get as find_family
from causarium_local.open_weights import OpenWeights, Prompt, Reply, Writer, digest_weights
from causarium_local.recorded_replies import Circumstances, RecordedReplies, RecordedReply

MOST_TURNS = 400
"""No episode of a standard set is longer; one that is has a world that never ends."""


def record_set(
    writer: Writer,
    circumstances: Circumstances,
    out: Path,
    *,
    limit: int | None = None,
    deadline: float | None = None,
    say: Callable[[str], None] = lambda _: None,
) -> list[Session]:
    """Play a set and write each reply down; returns the sessions as far as they came.

    Args:
        writer: Who writes replies.
        circumstances: What is played, and how; the file's first line.
        out: The file; replies that it holds already are used again.
        limit: Play only so many instances, those that a run with this limit plays; None: all.
        deadline: When to begin no more turns, by `time.monotonic`; None: never.
        say: Told after each turn how far it is.

    Raises:
        BadFile: The file is of other circumstances.
    """
    known = _read_known(out, circumstances)
    sessions = _open_sessions(circumstances, limit)
    talks = [[(m["role"], m["content"]) for m in session.messages] for session in sessions]
    live = [row for row, session in enumerate(sessions) if not session.done]
    with out.open("a", encoding="utf-8") as file:
        for turn in range(MOST_TURNS):
            if not live or (deadline is not None and time.monotonic() > deadline):
                break
            prompts = [_make_prompt(sessions[row], talks[row], circumstances) for row in live]
            _write_missing(writer, prompts, known, file)
            for row, prompt in zip(live, prompts, strict=True):
                _take_turn(sessions[row], talks[row], known[prompt.key])
            live = [
                row
                for row, prompt in zip(live, prompts, strict=True)
                if not sessions[row].done and known[prompt.key].stop != "model_length"
            ]
            say(f"{circumstances.family}: turn {turn + 1}, {len(live)} of {len(sessions)} play on")
    earned = sum(session.reward for session in sessions) / max(1, len(sessions))
    over, stopped = sum(session.done for session in sessions), len(live)
    too_long = len(sessions) - over - stopped
    say(
        f"{circumstances.family}: {over} of {len(sessions)} over, {stopped} stopped by the clock, "
        f"{too_long} too long for the model, mean reward {earned:.3f}"
    )
    return sessions


def _read_known(out: Path, circumstances: Circumstances) -> dict[str, Reply]:
    if not out.exists():
        out.write_text(circumstances.model_dump_json() + "\n", encoding="utf-8")
        return {}
    recorded = RecordedReplies.read(out)
    if recorded.circumstances != circumstances:
        raise BadFile(
            f"{out} was recorded under other circumstances ({recorded.circumstances}); name "
            "another folder"
        )
    known = recorded.as_dict()
    # Half a line of a killed process would run into the next.
    kept = (circumstances, *(recorded.lines[key] for key in known))
    lines = [one.model_dump_json() for one in kept]
    whole = out.with_suffix(".new")
    whole.write_text("\n".join(lines) + "\n", encoding="utf-8")
    whole.replace(out)
    return known


def _open_sessions(circumstances: Circumstances, limit: int | None) -> list[Session]:
    family = find_family(circumstances.family, "certified")
    spec = find_set(family, "certified", circumstances.set)
    return [
        open_session(
            circumstances.family, set=circumstances.set, index=index, **circumstances.rules
        )
        for index in choose_numbers(spec.parts, limit=limit)
    ]


def _make_prompt(
    session: Session, talk: Sequence[tuple[str, str]], circumstances: Circumstances
) -> Prompt:
    schema = session.schema() if session.rules.constrained else None
    return Prompt(tuple(talk), circumstances.max_tokens, schema)


def _write_missing(
    writer: Writer, prompts: Sequence[Prompt], known: dict[str, Reply], file: TextIO
) -> None:
    # Two instances may open alike; one conversation has one reply.
    missing = {prompt.key: prompt for prompt in prompts if prompt.key not in known}
    for key, reply in zip(missing, writer.write_replies(list(missing.values())), strict=True):
        known[key] = reply
        line = RecordedReply(
            key=key,
            text=reply.text,
            stop=reply.stop,
            input_tokens=reply.input_tokens,
            output_tokens=reply.output_tokens,
            opening=missing[key].opening_key if reply.stop == "model_length" else "",
        )
        file.write(f"{line.model_dump_json()}\n")
    file.flush()


def _take_turn(session: Session, talk: list[tuple[str, str]], reply: Reply) -> None:
    if reply.stop == "model_length":
        return
    step = session.step(reply.text)
    talk += [("assistant", reply.text), ("user", step.text)]


def describe_machine() -> tuple[str, dict[str, str]]:
    """Return what the model runs on, and by which libraries."""
    import torch
    import transformers

    device = torch.cuda.get_device_name() if torch.cuda.is_available() else "CPU"
    return device, {"torch": torch.__version__, "transformers": transformers.__version__}


def _read_rules(words: Sequence[str]) -> Mapping[str, Any]:
    return dict(word.split("=", 1) for word in words)


def main(words: Sequence[str] | None = None) -> None:
    """Play, and say on stderr how it goes."""
    reader = argparse.ArgumentParser(prog="record_sets", description=__doc__.splitlines()[0])
    reader.add_argument("weights", type=Path, help="A folder that save_pretrained wrote.")
    reader.add_argument("--name", help="The model's name (default: the folder's).")
    reader.add_argument("--family", action="append", required=True, help="Give several by several.")
    reader.add_argument("--set", default="standard")
    reader.add_argument("--rule", action="append", default=[], metavar="NAME=VALUE")
    reader.add_argument("--max-tokens", type=int, default=700)
    reader.add_argument("--limit", type=int)
    reader.add_argument(
        "--seconds", type=float, default=1e9, help="Begin no turn of a family after so many."
    )
    reader.add_argument("--out", type=Path, required=True, help="The folder for the files.")
    given = reader.parse_args(words)
    begun = time.monotonic()

    def say(text: str) -> None:
        sys.stderr.write(f"{time.monotonic() - begun:6.0f} s  {text}\n")
        sys.stderr.flush()

    writer, digest = OpenWeights.load(given.weights), digest_weights(given.weights)
    device, libraries = describe_machine()
    say(f"loaded {given.weights} on {device}")
    given.out.mkdir(parents=True, exist_ok=True)
    for family in given.family:
        name = (given.name or given.weights.name).lower()
        rules = {**find_family(family).rules.without_programs, **_read_rules(given.rule)}
        circumstances = Circumstances(
            model=name,
            weights=digest,
            family=family,
            set=given.set,
            rules=rules,
            max_tokens=given.max_tokens,
            device=device,
            libraries=libraries,
        )
        held = "constrained" if str(rules.get("constrained")).lower() == "true" else "free"
        out = given.out / f"{name}-{held}-{family}-{given.set}.jsonl"
        record_set(
            *(writer, circumstances, out),
            limit=given.limit,
            deadline=time.monotonic() + given.seconds,
            say=say,
        )


if __name__ == "__main__":
    main()
