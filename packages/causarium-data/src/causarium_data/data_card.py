"""The data card of a family: which sets there are, what is in them, how they are made.

A set is drawn anew from its seeds wherever it is wanted, byte by byte the same: the digest on the
family's card is that of the file of its instances, so a card can be written without drawing any.
"""

import json
from collections.abc import Iterator, Sequence
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

from causarium.contract.family import AnyFamily
from causarium.contract.family_card import FamilyCard, SetSpec
from causarium.contract.places import write_atomically
from causarium.contract.rules import check_edition
from causarium.contract.sets.instance_sets import generate_set
from causarium.contract.sets.splits import CANARY
from causarium.errors import UsageError

LICENCE = "https://spdx.org/licenses/MIT.html"
_WORDS = (
    *("citeAs", "column", "equivalentProperty", "extract", "field", "fileProperty", "fileObject"),
    *("fileSet", "format", "includes", "isLiveDataset", "jsonPath", "key", "md5", "parentField"),
    *("path", "recordSet", "references", "regex", "repeated", "replace", "samplingRate"),
    *("separator", "source", "subField", "transform"),
)
_CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "sc": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "dct": "http://purl.org/dc/terms/",
    "conformsTo": "dct:conformsTo",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "examples": {"@id": "cr:examples", "@type": "@json"},
    **{word: f"cr:{word}" for word in _WORDS},
}
"""What the words of Croissant 1.0 stand for. Without it a reader takes them for other ones."""
ADDRESS = "https://github.com/causarium/causarium"
"""Where the repository will be: that of pyproject.toml."""
FIELDS = {
    "id": "The instance: family, level and number.",
    "public": "What an agent may be told, as JSON; prompts are worded from it.",
    "secret": "What scoring needs, the truth above all, as JSON. Never show it to an agent.",
    "facets": "By what results can be broken down, as JSON.",
}
PUBLISHED = "2026-11-16"
"""The day on which the present sets were published; it changes with a version of the sets."""
READ = (("certified", "standard"), ("paper", "standard"))
"""The sets that Croissant describes field by field; the others are alike."""
APART = {
    "recite": "The published documents (292 texts, CC BY 4.0 by their authors) are not part of it; "
    "`causarium recite fetch` gets them.",
}
"""What of a family's data is under another licence, and where it is."""


def file_of(edition: str, name: str) -> str:
    """Return the place of a set's file within the folder of a data card."""
    return f"data/{edition}-{name}.jsonl"


def describe_data(name: str, card: FamilyCard) -> str:
    """Return the data card of a family in Markdown, as dataset hubs read it."""
    sets = "\n".join(
        f"| `{edition}-{called}` | {spec.size:,} | {spec.about} | `{_sha(spec)}` |"
        for edition, called, spec in _sets(card)
    )
    fields = "\n".join(f"- `{field}`: {about}" for field, about in FIELDS.items())
    address = f", {card.paper.url}" if card.paper.url else ""
    return f"""---
license: mit
pretty_name: {card.title} (Causarium)
language: [en]
task_categories: [text-generation]
tags: [causal-reasoning, agents, benchmark, synthetic]
---

# {card.title}: data card

{card.about} Instances of the family `{name}`, version {card.version}. {card.short}

## Sets

| file | instances | about | SHA-256 |
|---|---|---|---|
{sets}

Every file is JSON lines, one instance a line:

{fields}

## How it is made

Instances are drawn by code from seeds, or written for this package; no person's data is in them and
no text of a paper. Certified sets are sound: `causarium certify {name}` proves each instance. Paper
sets follow the published recipe, its quirks included. The files are not stored, because they are
drawn anew byte by byte: `causarium data-card {name} --out FOLDER --data certified-standard` writes
one, with the SHA-256 above. Training data (`causarium export {name}`) is disjoint from all of them
up to renaming.

## What it is for, and what it is not

To measure causal reasoning of agents that act under the family's rules. What can be earned without
it is bounded by `causarium audit {name}`. Do not train on these sets: they hold their answers.

## Licence and citation

MIT, as the code. {APART.get(name, "")}

Rebuilds “{card.paper.title}”, {card.paper.venue} {card.paper.year}{address}.
Cite the paper, and Causarium by its CITATION.cff.

{CANARY}
""".replace("MIT, as the code. \n", "MIT, as the code.\n")


def croissant_of(name: str, card: FamilyCard) -> dict[str, Any]:
    """Return the Croissant 1.0 description of a family's sets."""
    known = {(edition, called) for edition, called, _ in _sets(card)}
    files = [
        {
            **describe_file(file_of(edition, called), "application/jsonlines", _sha(spec)),
            "description": spec.about,
        }
        for edition, called, spec in _sets(card)
    ]
    records = [_record_set(*key) for key in READ if key in known]
    return describe_dataset(f"causarium-{name}", card, PUBLISHED, files, records)


def describe_file(file: str, encoding: str, sha256: str) -> dict[str, str]:
    """Return a file of a dataset as Croissant has it.

    Args:
        file: Its place within the folder.
        encoding: Its media type.
        sha256: The digest of its bytes.
    """
    about = {"name": file, "contentUrl": file, "encodingFormat": encoding, "sha256": sha256}
    return {"@type": "cr:FileObject", "@id": file, **about}


def describe_dataset(
    name: str,
    card: FamilyCard,
    published: str,
    files: list[dict[str, str]],
    records: list[dict[str, Any]],
) -> dict[str, Any]:
    """Return the Croissant 1.0 description of a dataset, with the day of publication."""
    paper = card.paper
    return {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": name,
        "description": f"{card.about} {CANARY}",
        "license": LICENCE,
        "url": ADDRESS,
        "version": _to_semver(card.version),
        "datePublished": published,
        "citeAs": f"{paper.title}. {paper.venue} {paper.year}. {paper.url}".strip(),
        "distribution": files,
        "recordSet": records,
    }


def _to_semver(version: str) -> str:
    """Return a family's version in three numbers, as Croissant wants them.

    Example:
        >>> _to_semver("2-A")
        '2.0.0'
    """
    number, _, letter = version.partition("-")
    return f"{number}.{ord(letter or 'A') - ord('A')}.0"


def licence() -> str:
    """Return the text of the licence that causarium and what it makes are under."""
    files = distribution("causarium").files or []
    for file in files:
        if file.name == "LICENSE":
            return file.read_text()
    return "MIT License, as that of causarium.\n"


def describe_field(key: str, name: str, about: str, file: str) -> dict[str, Any]:
    """Return a column of a dataset, a text, as Croissant has it.

    Args:
        key: The record set.
        name: The column.
        about: What it holds.
        file: The file that has it.
    """
    return {
        "@type": "cr:Field",
        "@id": f"{key}/{name}",
        "name": name,
        "description": about,
        "dataType": "sc:Text",
        "source": {"fileObject": {"@id": file}, "extract": {"column": name}},
    }


def _record_set(edition: str, name: str) -> dict[str, Any]:
    key = f"{edition}-{name}"
    objects = " ".join(f"{field}: {about}" for field, about in FIELDS.items() if field != "id")
    return {
        "@type": "cr:RecordSet",
        "@id": key,
        "name": key,
        # Croissant 1.0 has no type for an object with fields that differ from line to line.
        "description": f"Beside `id`, each line has three objects. {objects}",
        "field": [describe_field(key, "id", FIELDS["id"], file_of(edition, name))],
    }


def _sets(card: FamilyCard) -> Iterator[tuple[str, str, SetSpec]]:
    for edition, sets in card.sets.items():
        for name, spec in sets.items():
            yield edition, name, spec


def _sha(spec: SetSpec) -> str:
    return spec.digest.removeprefix("sha256:")


def write_data_card(family: AnyFamily, out: Path, data: Sequence[str] = ()) -> None:
    """Write the data card of a family, and the files of sets that are asked for, as EDITION-SET.

    Raises:
        UsageError: There is no such set.
        BadFile: A file cannot be written.
        ContractError: What is drawn has not the digest that the card states.
    """
    for key in data:
        edition, dash, name = key.partition("-")
        if not dash:
            raise UsageError(
                f"a set is given as EDITION-SET, such as certified-standard, not {key!r}"
            )
        instances = generate_set(family, check_edition(edition), name)
        lines = (f"{instance.line()}\n" for instance in instances)
        write_atomically(out / file_of(edition, name), "".join(lines))
    write_atomically(out / "README.md", describe_data(family.name, family.card))
    described = croissant_of(family.name, family.card)
    write_atomically(out / "croissant.json", f"{json.dumps(described, indent=2)}\n")
    if data:
        write_atomically(out / "LICENSE", licence())
