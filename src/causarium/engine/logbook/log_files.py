"""Log files: where they are, and what each says of itself before its samples.

Logs of an object store are brought to this machine: a log is read whole, so it is fetched whole.
Copies lie in the user's cache folder, each fetched again when the store's own has changed.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from inspect_ai.log import EvalConfig, EvalLog, read_eval_log
from pydantic import ValidationError

from causarium.contract.frozen import canonical_json, digest
from causarium.contract.places import Place, cache_folder
from causarium.contract.shard import Shard
from causarium.contract.texts.replies import describe_validation_error
from causarium.engine.logbook.run_card import (
    CARD_FILE,
    SET_SIZE_KEY,
    SHARD_KEY,
    RunCard,
    card_of,
)
from causarium.errors import BadFile, UsageError

_NO_CARD = RunCard(family="", version="", edition="", set="", agent="")


@dataclass(frozen=True, slots=True)
class LogHeader:
    """What a log says of its run, and whether the run came to its end."""

    path: Path
    status: str
    model: str
    card: RunCard = _NO_CARD
    """The run card; one without a word where the log is damaged."""
    run: str = ""
    """The key of the card."""
    asked_for: tuple[int, int | None] | None = (0, None)
    """The first instance of the set that was asked for and the one after the last, which is None
    where all were; None where some were picked by their ids."""
    set_file: str | None = None
    """The set file that was played; None if it was a named set."""
    shard: str | None = None
    """Which share of the set was played; None: the whole."""
    set_size: int | None = None
    """How large the whole set is, where a share was played."""
    order: Mapping[str, int] = field(default_factory=dict)
    """The instances that the run has, and where in the set each stands."""
    means: Mapping[str, float] = field(default_factory=dict)
    """What its own summary says of all its verdicts, which Inspect's viewer shows."""
    problem: str = ""
    """Why it cannot be read; its other fields then say nothing."""

    @property
    def expected(self) -> int:
        """How many samples the run has, epochs included."""
        return len(self.order) * self.card.epochs

    @property
    def about(self) -> str:
        """The run in words: family, edition, set, and who plays."""
        card = self.card
        return ", ".join(filter(None, (card.family, card.edition, card.set, card.agent)))


def find_logs(places: Sequence[Path]) -> list[Path]:
    """Return the log files in `places`, files or folders, oldest first.

    Raises:
        UsageError: A place does not exist, or there is no log in any of them.
    """
    paths: list[Path] = []
    for place in places:
        if place.is_dir():
            paths += place.rglob("*.eval")
        elif place.exists():
            paths.append(place)
        else:
            raise UsageError(f"there is no file or folder {place}")
    if not paths:
        given = ", ".join(map(str, places))
        raise UsageError(f"no .eval log in {given}; `causarium run` writes one")
    return sorted(set(paths), key=_start_order)


def _start_order(path: Path) -> tuple[str, int, str]:
    """Order logs by when they were started: a name tells the second, the file what came after."""
    return path.name.partition("_")[0], path.stat().st_mtime_ns, path.name


def read_header(path: Path) -> LogHeader:
    """Read what a log says of its run.

    Raises:
        BadFile: The log is damaged or not a log.
    """
    header = _read_eval_log(path)
    with name_damaged_log(path):
        card, metadata = card_of(header), header.eval.metadata or {}
        shard = Shard.parse(metadata.get(SHARD_KEY))
        ids = header.eval.dataset.sample_ids or []
        scores = header.results.scores if header.results else []
        set_file = header.eval.task_args.get("file")
        return LogHeader(
            path=path,
            status=header.status,
            model=header.eval.model,
            card=card,
            run=card.key,
            asked_for=_read_planned_size(header.eval.config),
            set_file=None if set_file is None else str(set_file),
            shard=metadata.get(SHARD_KEY),
            set_size=metadata.get(SET_SIZE_KEY),
            order={str(id_): n * shard.count + shard.number - 1 for n, id_ in enumerate(ids)},
            means={name: float(m.value) for one in scores for name, m in one.metrics.items()},
        )


def _read_planned_size(config: EvalConfig) -> tuple[int, int | None] | None:
    if config.sample_id is not None:
        return None
    return config.limit if isinstance(config.limit, tuple) else (0, config.limit)


def _read_eval_log(path: Path) -> EvalLog:
    if path.suffix != ".eval":
        raise BadFile(f"{path} is not a log: logs are .eval files, and `causarium run` writes them")
    try:
        return read_eval_log(str(path), header_only=True)
    except Exception as wrong:
        raise BadFile(
            f"{path} cannot be read as a log ({wrong or type(wrong).__name__}); if its run was "
            "interrupted, run it again to resume from its samples"
        ) from wrong


def write_run_card(folder: Path | Place) -> None:
    """Write the card of a run beside its logs; nothing if there is no log to tell it from."""
    with suppress(UsageError):
        card = read_header(find_logs([fetch_logs(folder)])[-1]).card
        (Place.parse(folder) / CARD_FILE).write_bytes(
            f"{card.model_dump_json(indent=2)}\n".encode()
        )


@contextmanager
def name_damaged_log(path: Path, sample: str | int | None = None) -> Iterator[None]:
    """Turn whatever a damaged log makes us stumble over into a message that names the log."""
    try:
        yield
    except (UsageError, GeneratorExit):
        raise
    except Exception as wrong:
        where = "" if sample is None else f" in sample {sample}"
        detail = (
            describe_validation_error(wrong) if isinstance(wrong, ValidationError) else str(wrong)
        )
        raise BadFile(
            f"{path} is cut off or damaged{where} ({detail or type(wrong).__name__}); run it again "
            "to resume from the samples that are whole"
        ) from wrong


_MARKS = ".fetched.json"


def fetch_logs(place: str | Path | Place) -> Path:
    """Return a log, or a folder of logs, on this machine; it is fetched if it lies elsewhere.

    Raises:
        UsageError: The scheme is unknown, or there is nothing at this place.
    """
    source = Place.parse(place)
    if source.path is not None:
        return source.path
    folder = local_copy(source)
    if source.suffix == ".eval":
        source.copy_to(folder / source.name)
        return folder / source.name
    files = {name: file for name, file in source.find_files(".eval").items() if _is_below(name)}
    if not files:
        raise UsageError(f"no .eval log in {source}; `causarium run` writes one")
    marks = _read_marks(folder)
    for name, (file, mark) in files.items():
        if marks.get(name) != mark or not (folder / name).exists():
            file.copy_to(folder / name)
            marks[name] = mark
    for left in folder.rglob("*.eval"):
        if left.relative_to(folder).as_posix() not in files:
            left.unlink(missing_ok=True)
    kept = {name: marks[name] for name in files}
    Place.parse(folder / _MARKS).write_bytes(canonical_json(kept).encode())
    return folder


def local_copy(source: Place) -> Path:
    """Return the folder in which copies of a place lie; it may not be there yet."""
    key = digest(source.url).partition(":")[2][:16]
    return cache_folder() / "fetched-logs" / key / (source.name or "logs")


def _is_below(name: str) -> bool:
    """Whether a name leads into the folder and not out of it: names of a store may be anything."""
    path = PurePosixPath(name)
    return not path.is_absolute() and ".." not in path.parts and "\\" not in name


def _read_marks(folder: Path) -> dict[str, str]:
    with suppress(OSError, ValueError):
        marks = json.loads((folder / _MARKS).read_text(encoding="utf-8"))
        return marks if isinstance(marks, dict) else {}
    return {}
