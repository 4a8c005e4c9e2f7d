"""What an exported dataset says of itself: its card, its licence and its Croissant metadata."""

import hashlib
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import distribution, version
from typing import Any

from causarium.api.benchmark import Benchmark
from causarium.contract.family_card import Paper
from causarium.contract.sets.splits import CANARY

LICENCE = "https://spdx.org/licenses/MIT.html"
_WORDS = (
    *("citeAs", "column", "equivalentProperty", "extract", "field", "fileProperty", "fileObject"),
    *("fileSet", "format", "includes", "isLiveDataset", "jsonPath", "key", "md5", "parentField"),
    *("path", "recordSet", "references", "regex", "repeated", "replace", "samplingRate"),
    *("separator", "source", "subField", "transform"),
)
CONTEXT: dict[str, Any] = {
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


@dataclass(frozen=True, slots=True)
class CardFacts:
    """What is said of a dataset."""

    benchmark: Benchmark
    level: str
    split: str
    seed: int
    size: int
    player: str

    @property
    def name(self) -> str:
        """The dataset's name."""
        return f"causarium-{self.benchmark.name}-{self.level}"

    @property
    def file(self) -> str:
        """The place of the data within the folder."""
        return f"data/{self.split}.parquet"


def to_semver(version: str) -> str:
    """Return a family's version in three numbers, as Croissant wants them.

    Example:
        >>> to_semver("2-A")
        '2.0.0'
    """
    number, _, letter = version.partition("-")
    return f"{number}.{ord(letter or 'A') - ord('A')}.0"


def cite(paper: Paper) -> str:
    """Return in words which paper to cite."""
    return f"{paper.title}. {paper.venue} {paper.year}. {paper.url}".strip()


def licence() -> str:
    """Return the text of the licence that causarium and what it makes are under."""
    files = distribution("causarium").files or []
    for file in files:
        if file.name == "LICENSE":
            return file.read_text()
    return "MIT License, as that of causarium.\n"


def dataset_card(facts: CardFacts) -> str:
    """Return the README.md of a dataset, as dataset hubs read it."""
    card = facts.benchmark.family.card
    columns = "\n".join(f"- `{name}`: {about}" for name, about in COLUMNS.items())
    about_player = facts.benchmark.family.player(facts.player).about
    return f"""---
license: mit
pretty_name: {card.title}, {facts.level}
task_categories: [text-generation]
tags: [causal-reasoning, agents, synthetic]
configs:
- config_name: default
  data_files:
  - split: {facts.split}
    path: {facts.file}
---

# {card.title}, {facts.level}: demonstrations

{card.about} {facts.size} episodes of the {facts.split} split (seed {facts.seed}), played by
`{facts.player}`: {about_player}

{columns}

Made by causarium {version("causarium")}, version {card.version} of {facts.benchmark.name}, edition
{facts.benchmark.edition}. No instance is in a named set of the benchmark, under any names.

Rebuilds: {card.paper.title} ({card.paper.venue} {card.paper.year}).

{CANARY}
"""


def croissant(facts: CardFacts, content: bytes) -> dict[str, Any]:
    """Return the Croissant 1.0 description of a dataset.

    Args:
        facts: What is said of it.
        content: The bytes of its file.
    """
    card = facts.benchmark.family.card
    fields = [_field(facts.file, name, about) for name, about in COLUMNS.items()]
    return {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": facts.name,
        "description": f"{card.about} {CANARY}",
        "license": LICENCE,
        "version": to_semver(card.version),
        "datePublished": datetime.now(UTC).date().isoformat(),
        "citeAs": cite(card.paper),
        "distribution": [
            {
                "@type": "cr:FileObject",
                "@id": facts.file,
                "name": facts.file,
                "contentUrl": facts.file,
                "encodingFormat": "application/x-parquet",
                "sha256": hashlib.sha256(content).hexdigest(),
            }
        ],
        "recordSet": [
            {"@type": "cr:RecordSet", "@id": "default", "name": "default", "field": fields}
        ],
    }


def _field(file: str, name: str, about: str) -> dict[str, Any]:
    field = {"@type": "cr:Field", "@id": f"default/{name}", "name": name, "description": about}
    source = {"fileObject": {"@id": file}, "extract": {"column": name}}
    if name == "messages":
        parts = [
            {
                "@type": "cr:Field",
                "@id": f"default/messages/{part}",
                "name": part,
                "dataType": "sc:Text",
                "repeated": True,
                "source": {**source, "transform": {"jsonPath": f"$[*].{part}"}},
            }
            for part in ("role", "content")
        ]
        return {**field, "repeated": True, "subField": parts}
    kinds = {"reward": "sc:Float", "seed": "sc:Integer", "index": "sc:Integer"}
    return {**field, "dataType": kinds.get(name, "sc:Text"), "source": source}
