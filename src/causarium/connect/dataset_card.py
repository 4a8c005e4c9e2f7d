"""What an exported dataset says of itself: its card, its licence and its Croissant metadata."""

import hashlib
from dataclasses import dataclass
from importlib.metadata import distribution, version
from typing import Any

from causarium.api.benchmark import Benchmark
from causarium.contract.sets.splits import CANARY

COLUMNS = {
    "messages": "The conversation: what an agent reads, and what the player said.",
    "reward": "What the episode earned, from 0 to 1.",
    "family": "The benchmark.",
    "level": "The level that the instance was drawn from.",
    "split": "The split that it was drawn from.",
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
    types = {"messages": "sc:Text", "reward": "sc:Float"}
    fields = [
        {
            "@type": "cr:Field",
            "@id": f"default/{name}",
            "name": name,
            "description": about,
            "dataType": types.get(name, "sc:Text"),
            "repeated": name == "messages",
            "source": {"fileObject": {"@id": facts.file}, "extract": {"column": name}},
        }
        for name, about in COLUMNS.items()
    ]
    return {
        "@context": {
            "@language": "en",
            "@vocab": "https://schema.org/",
            "sc": "https://schema.org/",
            "cr": "http://mlcommons.org/croissant/",
            "conformsTo": "http://purl.org/dc/terms/conformsTo",
        },
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": facts.name,
        "description": f"{facts.benchmark.family.card.about} {CANARY}",
        "license": "https://spdx.org/licenses/MIT.html",
        "version": facts.benchmark.family.card.version,
        "distribution": [
            {
                "@type": "cr:FileObject",
                "@id": facts.file,
                "name": facts.file,
                "contentUrl": facts.file,
                "encodingFormat": "application/vnd.apache.parquet",
                "sha256": hashlib.sha256(content).hexdigest(),
            }
        ],
        "recordSet": [
            {"@type": "cr:RecordSet", "@id": "default", "name": "default", "field": fields}
        ],
    }
