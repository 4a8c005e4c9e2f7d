"""Names for nodes by somebody who had not seen the judge: the rules take hardly any of them.

`outside_names.json` has six each for 40 nodes of eight documents, written by a language model that
saw titles, abstracts and names alone, on 17 November 2026. Beside those of a document as many of
the others' are put to it, which mean none of its nodes.
"""

import json
from collections import Counter
from pathlib import Path
from random import Random

from causarium.families.recite.generation.written_documents import mini_document
from causarium.families.recite.scoring.match_nodes import match_nodes

NAMES = json.loads(Path(__file__).with_name("outside_names.json").read_text(encoding="utf-8"))


def test_rules_alone_take_few_names_of_strangers_and_no_foreign_one() -> None:
    decided: Counter[str] = Counter()
    for key, nodes in NAMES.items():
        forms = {node.name: node.aliases for node in mini_document(key).nodes}
        meant = {word: node for node, words in nodes.items() for word in words}
        others = [w for k, o in NAMES.items() if k != key for ws in o.values() for w in ws]
        foreign = Random(key).sample(others, len(meant))
        found = match_nodes([*meant, *foreign], forms, forms)
        decided.update(
            "none" if word not in found else "own" if found[word].true == node else "another"
            for word, node in meant.items()
        )
        decided["foreign"] += sum(word in found for word in foreign if word not in meant)
    assert decided == {"own": 15, "another": 1, "none": 224, "foreign": 0}
