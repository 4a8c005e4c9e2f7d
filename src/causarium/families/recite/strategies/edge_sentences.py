"""The sentence behind an edge: the one that was annotated, or one that names both its ends.

Our own documents come with the sentences that state each edge, and where they have none the text
does not state it. Published documents come without any, so there a sentence is looked for; that it
names a cause and its effect does not mean that it states the one to act on the other.
"""

from typing import NamedTuple

from causarium.families.recite.instance import ReciteInstance
from causarium.families.recite.strategies.mentions import connectives, finder
from causarium.scoring.graph_scores import Edge


class Evidence(NamedTuple):
    """A sentence of a document, as it stands there."""

    sentence: str
    annotated: bool
    """Whether whoever wrote the graph down gave it; otherwise it was found by its words."""


def evidence_of(instance: ReciteInstance) -> dict[Edge, Evidence]:
    """Return a sentence for each true edge that has one, by cause and effect."""
    secret = instance.secret
    stated = {
        pair: Evidence(edge.evidence[0], annotated=True)
        for pair, edge in zip(secret.pairs, secret.edges, strict=True)
        if edge.evidence
    }
    return stated or _find_sentences(instance)


def _find_sentences(instance: ReciteInstance) -> dict[Edge, Evidence]:
    """Look for sentences that name both ends of an edge; those with a causal word come first."""
    found = finder(instance.public.text, instance.secret.names, 0)
    named = [(one, {m.name for m in found.mentions(one)}) for one in found.sentences]
    named.sort(key=lambda pair: not connectives(pair[0]))
    sentences: dict[Edge, Evidence] = {}
    for edge in instance.secret.pairs:
        said = next((one for one, names in named if {*edge} <= names), None)
        if said is not None:
            sentences[edge] = Evidence(said, annotated=False)
    return sentences
