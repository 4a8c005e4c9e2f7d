"""Choosing papers from a list of records, as the published dataset was chosen, without a network.

A record that does not speak of a causal loop diagram is no candidate. Candidates are left out
if their abstract speaks of a workshop or of building models in groups, or if a person has given a
reason. Each of the others becomes a folder to which an annotation can be added. What
was left out is listed in `excluded.csv` with its reason.
"""

import csv
import io
import json
import re
import shutil
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from causarium.contract.frozen import digest
from causarium.contract.places import write_atomically
from causarium.contract.texts.replies import describe_validation_error
from causarium.errors import BadFile
from causarium.families.recite.paper.publication.dataset_files import read_rows
from causarium.families.recite.paper.publication.dataset_row import Text

PUBLISHED_CANDIDATES, PUBLISHED_KEPT = 646, 292
KEYWORD = re.compile(r"causal[- ]loop[- ]diagrams?", re.IGNORECASE)
BY_ABSTRACT = {"workshop": "workshop", "group model build": "group model building"}
"""What an abstract must not speak of, and the reason that is then given."""
BY_HAND = ("no graph", "several graphs", "not causal", "illegible", "ambiguous")
"""The reasons that a person may give in the column `excluded`."""
NO_KEYWORD, NO_FILE, TWICE = "no causal loop diagram", "the file is missing", "listed before"
_ENDINGS = (".pdf", ".txt", ".md")


class PaperRecord(BaseModel):
    """One record of a list."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    title: Text
    abstract: Text = ""
    url: Text = ""
    source: Text = ""
    date: Text = ""
    keywords: Text = ""
    file: Text = ""
    """The paper itself, beside the list; without it the folder waits for a source.pdf."""
    excluded: Text = ""
    """Why a person left it out."""


@dataclass(frozen=True, slots=True)
class Collection:
    """What came of going through a list."""

    candidates: int
    """Records that speak of a causal loop diagram."""
    kept: tuple[str, ...]
    """The folders that were written."""
    excluded: tuple[tuple[str, str, str], ...]
    """Title, address and reason of every other record."""

    @property
    def reasons(self) -> dict[str, int]:
        """How many were left out for each reason."""
        return dict(Counter(reason for _, _, reason in self.excluded).most_common())


def read_paper_list(path: Path) -> list[PaperRecord]:
    """Read a list of records.

    Raises:
        BadFile: It cannot be read, or a record lacks its title or has an unknown reason.
    """
    records = []
    for number, row in enumerate(read_rows(path), 1):
        try:
            record = PaperRecord.model_validate(row)
        except ValidationError as wrong:
            raise BadFile(f"{path}, record {number}: {describe_validation_error(wrong)}") from wrong
        if record.excluded and record.excluded not in BY_HAND:
            raise BadFile(
                f"{path}, record {number}: {record.excluded!r} is no reason; reasons are "
                f"{', '.join(BY_HAND)}"
            )
        records.append(record)
    return records


def exclusion(record: PaperRecord) -> str:
    """Return why a record is left out, or nothing.

    Example:
        >>> exclusion(PaperRecord(title="A causal loop diagram", abstract="From three workshops."))
        'workshop'
    """
    if not KEYWORD.search(f"{record.title}\n{record.abstract}\n{record.keywords}"):
        return NO_KEYWORD
    for words, reason in BY_ABSTRACT.items():
        if words in record.abstract.casefold():
            return reason
    return record.excluded


def collect_papers(path: Path, out: Path) -> Collection:
    """Write a folder for each paper of a list that is kept, and a list of the others.

    Args:
        path: The list: .jsonl, .json, .csv or .parquet.
        out: Where the folders go; one that is there already is left as it is.

    Raises:
        BadFile: The list cannot be used.
    """
    kept: list[str] = []
    excluded: list[tuple[str, str, str]] = []
    seen: set[str] = set()
    for record in read_paper_list(path):
        reason = exclusion(record)
        key = _key(record)
        source = path.parent / record.file if record.file else None
        if not reason and key in seen:
            reason = TWICE
        if not reason and source is not None and not _is_paper(source, path.parent):
            reason = NO_FILE
        if reason:
            excluded.append((record.title, record.url, reason))
            continue
        seen.add(key)
        kept.append(key)
        _write_folder(out / key, record, source)
    out.mkdir(parents=True, exist_ok=True)
    write_atomically(out / "excluded.csv", _as_csv(excluded))
    candidates = len(kept) + sum(reason != NO_KEYWORD for _, _, reason in excluded)
    return Collection(candidates, tuple(kept), tuple(excluded))


def _is_paper(source: Path, root: Path) -> bool:
    inside = source.resolve().is_relative_to(root.resolve())
    return inside and source.is_file() and source.suffix.casefold() in _ENDINGS


def _key(record: PaperRecord) -> str:
    key = "-".join(re.findall(r"[^\W_]+", record.title.casefold()))[:80].strip("-")
    if key.isascii() and key:
        return key
    # Other letters take up to four bytes, and the name of a folder has at most 255.
    mark = digest(record.title, record.url)[7:15]
    return f"{key[:60].strip('-') or 'untitled'}-{mark}"


def _write_folder(folder: Path, record: PaperRecord, source: Path | None) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    about = folder / "paper.toml"
    if not about.exists():
        fields = ("title", "url", "abstract", "source", "date")
        lines = [
            f"{name} = {json.dumps(getattr(record, name), ensure_ascii=False)}" for name in fields
        ]
        write_atomically(about, "\n".join(lines) + "\n")
    if source is not None:
        target = folder / f"source{source.suffix.casefold()}"
        if not target.exists():
            shutil.copyfile(source, target)


def _as_csv(rows: Sequence[tuple[str, str, str]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerows([("title", "url", "reason"), *rows])
    return text.getvalue()
