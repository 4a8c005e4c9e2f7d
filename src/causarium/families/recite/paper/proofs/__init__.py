"""What is proven about an instance of ReCITE, computed twice, and how the proofs are tried.

`recheck` shares nothing with drawing and scoring: it finds names by scanning letters.
"""

import re
from collections.abc import Iterator

from causarium.contract.certificate import Findings, Proof
from causarium.contract.companions import Proofs
from causarium.contract.frozen import canonical_json, digest
from ..model.instance import REVEALED, ReciteInstance, RecitePublic, ReciteSecret
from . import certify as claims
from .certify import certify


def canonical_key(instance: ReciteInstance) -> str:
    """Return a digest that a document shares with all that tell the same under other names.

    What is asked of the document does not count.
    """
    text, edges = number_names(instance)
    return digest(text, canonical_json(edges))


def number_names(instance: ReciteInstance) -> tuple[str, list[list[int]]]:
    """Return text and edges with names numbered as the text mentions them first; -1 if never."""
    text = " ".join(instance.public.text.lower().split())
    names = {name.lower() for node in instance.secret.nodes for name in (node.name, *node.aliases)}
    pattern = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    number: dict[str, int] = {}

    def name_by_number(match: re.Match[str]) -> str:
        return f"#{number.setdefault(match.group(), len(number))}"

    form = re.sub(rf"\b(?:{pattern})\b", name_by_number, text) if names else text
    edges = sorted(
        [number.get(cause.lower(), -1), number.get(effect.lower(), -1)]
        for cause, effect in instance.secret.pairs
    )
    return form, edges


_AGAIN = "by another path"


def recheck(instance: ReciteInstance) -> Findings:
    """Check what a document claims of itself once more."""
    found = dict(_find_plain(instance))
    proofs = tuple(Proof(claim=claim, method=_AGAIN, holds=holds) for claim, holds in found.items())
    return Findings(optimum=0.0, proofs=proofs, reachable=1.0)


def _find_plain(instance: ReciteInstance) -> Iterator[tuple[str, bool]]:
    secret, text = instance.secret, instance.public.text
    told = [(edge.source, edge.sink) for edge in secret.edges]
    yield claims.OWN, len(set(told)) == len(told)
    yield claims.EMPTY, bool(told)
    on_edges = {end for edge in told for end in edge}
    yield (
        claims.ON_EDGES,
        all((place in on_edges) != node.unlinked for place, node in enumerate(secret.nodes, 1)),
    )
    lower = text.lower()
    linked = [node for node in secret.nodes if not node.unlinked]
    named = [any(_places(f.lower(), lower) for f in (n.name, *n.aliases)) for n in linked]
    yield claims.LABELS, named == [node.explicitness == 1 for node in linked]
    said = [one for edge in secret.edges for one in edge.evidence]
    said += [decoy.sentence for decoy in secret.decoys]
    if said:
        yield claims.STATED, all(one in text for one in said)


def _places(form: str, text: str) -> list[int]:
    found, at = [], text.find(form)
    while at >= 0:
        end = at + len(form)
        if not text[at - 1 : at].isalnum() and not text[end : end + 1].isalnum():
            found.append(at)
        at = text.find(form, at + 1)
    return found


PROOFS: Proofs[RecitePublic, ReciteSecret] = Proofs(
    certify=certify,
    recheck=recheck,
    canonical_key=canonical_key,
    revealed_fields=REVEALED,
)
