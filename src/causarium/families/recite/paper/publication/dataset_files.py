"""Paper edition: read and write files of the published schema, and download the dataset.

A parquet file needs pyarrow (the extra `parquet`), the hub a network and `datasets` or
`huggingface_hub`. Without any of them the family works on the sets it brings along.
"""

import csv
import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from io import StringIO
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from causarium.contract.family import AnyFamily
from causarium.contract.frozen import canonical_json
from causarium.contract.places import import_extra, write_atomically, write_parquet
from causarium.contract.rules import Edition
from causarium.contract.sets.instance_sets import SetHeader, set_digest
from causarium.contract.texts.replies import describe_validation_error
from causarium.errors import BadFile, UsageError
from ..generation.generate import instance_of
from ..model.instance import ReciteInstance, Task
from .dataset_row import Sample, make_released_id, sample_of

DATASET = "RyanSaklad/ReCast"
"""The published dataset on the Hugging Face hub: one split `test`, 292 rows, CC BY 4.0."""

HOW_TO_GET = (
    f"the published documents are the dataset {DATASET} on the Hugging Face hub (292 rows). "
    "With a network, `pip install datasets` and ask again; or download its parquet file by hand "
    "and play it with `--file`. Without it, the sets of this package work as they are"
)

_LONGEST_FIELD = 10_000_000
RecordT = TypeVar("RecordT", bound=BaseModel)

_COMPANIONS = ("responses", "evaluations")


def read_samples(path: Path) -> list[Sample]:
    """Read documents of the published schema from parquet, JSONL, JSON or CSV.

    Raises:
        BadFile: The file or a row of it cannot be used; the row and the field are named.
    """
    return _number_ids(path, read_rows(path))


def _number_ids(path: Path, rows: Sequence[object]) -> list[Sample]:
    """Return rows as documents, each with an id of its own."""
    schema = "a document of the published schema"
    samples = [as_record(Sample, path, n, row, schema) for n, row in enumerate(rows, 1)]
    first: dict[int, int] = {}
    for number, sample in enumerate(samples, 1):
        if first.setdefault(sample.id, number) != number:
            raise BadFile(
                f"rows {first[sample.id]} and {number} of {path} both have the id {sample.id}"
            )
    return samples


def as_record(kind: type[RecordT], path: Path, number: int, row: object, what: str) -> RecordT:
    """Return a row of a file as a record.

    Raises:
        BadFile: It is not one; the row and the field are named.
    """
    try:
        return kind.model_validate(row)
    except ValidationError as wrong:
        raise BadFile(
            f"row {number} of {path} is not {what}: {describe_validation_error(wrong)}"
        ) from wrong


def read_rows(path: Path) -> list[Any]:
    """Read the rows of a parquet, JSONL, JSON or CSV file as they are.

    Raises:
        BadFile: It is missing, of another kind, or damaged.
    """
    readers = {
        ".parquet": _parquet_rows,
        ".jsonl": _json_lines,
        ".ndjson": _json_lines,
        ".json": _json_rows,
        ".csv": _csv_rows,
    }
    reader = readers.get(path.suffix.lower())
    if reader is None:
        raise BadFile(f"{path} is none of {', '.join(readers)}, which can be read as documents")
    try:
        rows = reader(path)
    except (OSError, ValueError, csv.Error, RecursionError) as wrong:
        raise BadFile(f"cannot read {path}: {wrong}") from wrong
    if not rows:
        raise BadFile(f"{path} has no rows")
    return rows


def _parquet_rows(path: Path) -> list[Any]:
    parquet = import_extra("pyarrow.parquet", extra="parquet")
    rows: list[Any] = parquet.read_table(path).to_pylist()
    return rows


def _json_lines(path: Path) -> list[Any]:
    text = path.read_text(encoding="utf-8-sig")
    return [json.loads(line) for line in text.split("\n") if line.strip()]


def _json_rows(path: Path) -> list[Any]:
    found = json.loads(path.read_text(encoding="utf-8-sig"))
    return found if isinstance(found, list) else [found]


def _csv_rows(path: Path) -> list[Any]:
    with _long_fields():
        return list(csv.DictReader(StringIO(path.read_text(encoding="utf-8-sig"), newline="")))


@contextmanager
def _long_fields() -> Iterator[None]:
    before = csv.field_size_limit(_LONGEST_FIELD)
    try:
        yield
    finally:
        csv.field_size_limit(before)


def write_samples(path: Path, samples: Sequence[Sample]) -> int:
    """Write documents in the published schema; the name's ending says in which format.

    Raises:
        UsageError: The ending is none of .parquet, .jsonl and .csv.
    """
    records = [sample.record() for sample in samples]
    if any(sample.made_by for sample in samples):
        for record in records:
            record.setdefault("made_by", "{}")
    return write_records(path, records)


def write_records(path: Path, rows: Sequence[dict[str, Any]]) -> int:
    """Write rows as parquet, JSONL or CSV; the name's ending says which. Returns how many.

    Raises:
        UsageError: The ending is another.
    """
    match path.suffix.lower():
        case ".jsonl":
            lines = (json.dumps(row, ensure_ascii=False) for row in rows)
            write_atomically(path, "".join(f"{line}\n" for line in lines))
        case ".csv":
            out = StringIO(newline="")
            writer = csv.DictWriter(out, fieldnames=list(rows[0]) if rows else [])
            writer.writeheader()
            writer.writerows(rows)
            write_atomically(path, out.getvalue())
        case ".parquet":
            columns = {name: [row[name] for row in rows] for name in rows[0]} if rows else {}
            write_atomically(path, write_parquet(columns))
        case other:
            raise UsageError(
                f"cannot write {other or 'a file without an ending'}; use .parquet, .jsonl or .csv"
            )
    return len(rows)


def as_instances(samples: Iterable[Sample], task: Task = "given_count") -> list[ReciteInstance]:
    """Return published documents as instances of a task."""
    return [
        instance_of(sample.document(), task, make_released_id(sample.id, task))
        for sample in samples
    ]


def read_released(path: Path) -> list[ReciteInstance]:
    """Read a file of published documents as instances, with the number of nodes given.

    Raises:
        BadFile: The file or a row of it cannot be used.
    """
    return as_instances(read_samples(path))


def write_set_of(family: AnyFamily, samples: Sequence[Sample], out: Path, task: Task) -> int:
    """Write published documents as a set file of any task, to be played with `--file`."""
    return write_instances(family, as_instances(samples, task), out, "paper")


def write_instances(
    family: AnyFamily, instances: Sequence[ReciteInstance], out: Path, edition: Edition
) -> int:
    """Write instances as a set file, whole or not at all; returns how many.

    Args:
        family: This family.
        instances: What the file is to hold, in order.
        out: The file.
        edition: The edition that they are of.
    """
    header = SetHeader(
        family=family.name,
        version=family.card.version,
        edition=edition,
        parts=(),
        digest=set_digest(instances),
    )
    lines = (
        canonical_json(header.model_dump(mode="json")),
        *(instance.line() for instance in instances),
    )
    write_atomically(out, "".join(f"{line}\n" for line in lines))
    return len(instances)


def write_released(path: Path, instances: Sequence[ReciteInstance]) -> int:
    """Write instances in the published schema, numbered from 1; returns how many."""
    return write_samples(path, [sample_of(one, place) for place, one in enumerate(instances, 1)])


def fetch_samples() -> list[Sample]:
    """Get the published dataset from the hub.

    Raises:
        UsageError: There is no network or no package to do it with; says how to get the data.
    """
    return _number_ids(Path(DATASET), fetch_rows())


def fetch_rows(companion: str = "") -> list[Any]:
    """Get the rows of the published dataset, or of its companion `responses` or `evaluations`.

    Raises:
        UsageError: There is no network or no package to do it with; says how to get the data.
    """
    datasets, hub = _import_or_none("datasets"), _import_or_none("huggingface_hub")
    if hub is None and (datasets is None or companion):
        raise UsageError(HOW_TO_GET)
    try:
        if datasets is not None and not companion:
            return [dict(row) for row in datasets.load_dataset(DATASET, split="test")]
        folder = Path(
            hub.snapshot_download(DATASET, repo_type="dataset", allow_patterns=["*.parquet"])
        )
    except Exception as wrong:
        # Whatever the network does, what a user needs is the way to the data.
        raise UsageError(f"the hub cannot be reached ({type(wrong).__name__}): {HOW_TO_GET}") from (
            wrong
        )
    return [row for path in _files(folder, companion) for row in read_rows(path)]


def _files(folder: Path, companion: str) -> list[Path]:
    files = sorted(folder.rglob("*.parquet"))
    if companion:
        return [path for path in files if companion in path.stem]
    return [path for path in files if not any(name in path.stem for name in _COMPANIONS)]


def _import_or_none(name: str) -> Any:  # noqa: ANN401 — an optional package has no types here
    try:
        return import_module(name)
    except ImportError:
        return None
