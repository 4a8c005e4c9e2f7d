"""Taking the whole samples out of a damaged log.

A log is a zip archive, whose list of contents stands at its end: of one that is cut off, every
member before the cut can still be found by its own header.
"""

import json
import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from inspect_ai.log import EvalSample

from causarium.engine.record.episode_record import METADATA_KEY, TURNS_KEY
from causarium.engine.record.transcript import read_replies

_HEADER = struct.Struct("<4sHHHHHLLLHH")
_MARK = b"PK\x03\x04"
_START = "_journal/start.json"
_SAMPLES = "samples/"
_LONG = 0xFFFFFFFF
"""In place of a size that stands behind the name, in eight bytes."""
_SIZE_COMES_LATER = 8


def salvage_samples(damaged: Path, path: Path) -> int:
    """Write a log with the whole samples of a damaged one; returns how many there are.

    Nothing is written if there are none, or if the log does not say any more what was run.
    """
    members = dict(_find_whole_members(damaged))
    start = members.get(_START) or _start_of(members.get("header.json"))
    samples = {name: read for name, read in members.items() if name.startswith(_SAMPLES)}
    if start is None or not samples:
        return 0
    summaries, whole = [], {}
    for text in samples.values():
        try:
            sample = EvalSample.model_validate_json(text)
        except ValueError:
            continue
        if not is_finished(json.loads(text)):
            continue
        summaries.append(sample.summary().model_dump(mode="json"))
        # The name in the damaged log may itself be damaged; what the sample says is whole.
        whole[f"{_SAMPLES}{sample.id}_epoch_{sample.epoch}.json"] = text
    unfinished = path.with_name(path.name + ".writing")
    with zipfile.ZipFile(unfinished, "w", zipfile.ZIP_DEFLATED) as log:
        log.writestr(_START, start)
        for name, text in whole.items():
            log.writestr(name, text)
        log.writestr("_journal/summaries/1.json", json.dumps(summaries))
    unfinished.replace(path)
    return len(whole)


def is_finished(sample: Mapping[str, Any]) -> bool:
    """Whether a sample, as its JSON has it, need not be played again: nothing of it is missing.

    One that an error ended is for Inspect to play again. A full disk may leave a score behind
    without the turns, or turns without what was said.
    """
    if sample.get("error") is not None:
        return True
    store, record = sample.get("store") or {}, (sample.get("metadata") or {}).get(METADATA_KEY)
    if not sample.get("scores") or TURNS_KEY not in store:
        return False
    by_itself = isinstance(record, dict) and (
        record.get("player") is None and record.get("agent") is None
    )
    said = any(turn.get("unparsed") is None for turn in store[TURNS_KEY])
    return not (by_itself and said) or bool(
        read_replies(sample.get("input"), sample.get("messages") or ())
    )


def _start_of(header: bytes | None) -> bytes | None:
    """Return what a log says as it begins, from what it says when it has ended."""
    if header is None:
        return None
    try:
        read = json.loads(header)
        return json.dumps({key: read[key] for key in ("version", "eval", "plan")}).encode()
    except (ValueError, KeyError, TypeError):
        return None


def _find_whole_members(damaged: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the members of an archive that can be read, found by their own headers."""
    data = damaged.read_bytes()
    place = data.find(_MARK)
    while place >= 0:
        end = place + 1
        if member := _member(data, place):
            name, text, end = member
            yield name, text
        place = data.find(_MARK, end)


def _member(data: bytes, place: int) -> tuple[str, bytes, int] | None:
    """Read the member whose header is at `place`: its name, what it holds, and where it ends."""
    if place + _HEADER.size > len(data):
        return None
    fields = _HEADER.unpack_from(data, place)
    flags, method, crc, packed, size, name_size, extra_size = fields[2:4] + fields[6:]
    name_end = place + _HEADER.size + name_size
    begin = name_end + extra_size
    if _LONG in (packed, size):
        size, packed = _long_sizes(data[name_end:begin]) or (0, len(data))
    if flags & _SIZE_COMES_LATER or begin + packed > len(data):
        return None
    text = _unpack(data[begin : begin + packed], method)
    if text is None or len(text) != size or zlib.crc32(text) != crc:
        return None
    name = data[place + _HEADER.size : name_end].decode(errors="replace")
    return name, text, begin + packed


def _long_sizes(extra: bytes) -> tuple[int, int] | None:
    while len(extra) >= 4:
        kind, size = struct.unpack_from("<HH", extra)
        if kind == 1 and size >= 16 and len(extra) >= 20:
            return struct.unpack_from("<QQ", extra, 4)
        extra = extra[4 + size :]
    return None


def _unpack(packed: bytes, method: int) -> bytes | None:
    if method == zipfile.ZIP_STORED:
        return packed
    try:
        # Inspect teaches this module its own way of packing, and no other part of it does this.
        reader = zipfile._get_decompressor(method)  # type: ignore[attr-defined]
        text: bytes = reader.decompress(packed)
        return text + (reader.flush() if hasattr(reader, "flush") else b"")
    except Exception:  # noqa: BLE001 - every decompressor has errors of its own
        return None
