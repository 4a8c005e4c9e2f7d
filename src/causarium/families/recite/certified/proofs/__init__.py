"""What is proven about one text: its key, its twin, and the theorems that hold for its slots."""

from fractions import Fraction

from causarium.contract.certificate import Findings
from causarium.contract.companions import Proofs
from causarium.contract.frozen import canonical_json, digest
from causarium.errors import ContractError
from ..generation.documents import Document, find_document
from ..generation.read_back import read_edges
from ..generation.slots import Slot
from ..model import ReciteInstance, RecitePublic, ReciteSecret, SlotRecord
from ..scoring import find_common_f1, find_contrast
from .claims import Claim, list_proofs
from .recheck import recheck


def certify(instance: ReciteInstance) -> Findings:
    """Return the proofs of a text."""
    try:
        document = find_document(str(instance.facets["form"]), instance.secret.document)
    except ContractError:
        return Findings(optimum=None, proofs=list_proofs("look-up", dict.fromkeys(Claim, False)))
    secret = instance.secret
    slots = {slot.name: slot for slot in document.slots if slot.counted}
    records = [(slots.get(record.name), record) for record in secret.slots]
    proofs = {
        Claim.KEY: read_edges(document, instance.public.text) == frozenset(secret.edges),
        Claim.TWIN: len(records) == len(slots)
        and all(slot is not None and is_twinned(slot, record) for slot, record in records)
        and _join_slots(document, secret) == (secret.edges, secret.twin_edges),
        Claim.SIGNED: _is_signed(instance),
        Claim.NAMES: all(_keeps_names(document, slot) for slot in document.slots),
        Claim.PASSAGES: all(find_best_without(slot) == 0 for slot in slots.values()),
    }
    return Findings(optimum=0.0, proofs=list_proofs("least squares and enumeration", proofs))


def is_twinned(slot: Slot, record: SlotRecord) -> bool:
    """Tell whether a slot and its twin differ in one passage and have the derived keys."""
    flips = sum(a != b for a, b in zip(record.versions, record.twin_versions, strict=True))
    keys = (slot.key.get(record.versions), slot.key.get(record.twin_versions))
    return flips == int(not slot.held) and keys == (
        frozenset(record.tells),
        frozenset(record.twin_tells),
    )


def _join_slots(document: Document, secret: ReciteSecret) -> tuple[object, object]:
    both = [set(document.shared_edges), set(document.shared_edges)]
    for record in secret.slots:
        both[0] |= {*record.tells}
        both[1] |= {*record.twin_tells}
    return tuple(sorted(both[0])), tuple(sorted(both[1]))


def _is_signed(instance: ReciteInstance) -> bool:
    """Whether contrast on the twin is that on the text with the other sign, for some answers."""
    told, twin = frozenset(instance.secret.edges), frozenset(instance.secret.twin_edges)
    names = instance.public.names
    answers = [told, twin, told | twin, told & twin, {(a, b) for a in names for b in names}]
    return told != twin and all(
        find_contrast(one, told, twin) == -find_contrast(one, twin, told)
        and find_common_f1(one, told, twin) == find_common_f1(one, twin, told)
        for one in answers
    )


def _keeps_names(document: Document, slot: Slot) -> bool:
    return all(
        len({str(document.finder.outline(one.render())) for one in versions}) <= 1
        for place in slot.places
        for versions in (place.versions, place.turned)
    )


def find_best_without(slot: Slot) -> Fraction:
    """Return the best expected contrast of whoever misses one passage of a slot, by enumeration.

    The others may all be known; the best answer is then the likelier of the two keys.
    """
    best = Fraction(0)
    for missed in () if slot.held else range(len(slot.free)):
        lead = Fraction(0)
        for versions, told in slot.key.items():
            other = (*versions[:missed], 1 - versions[missed], *versions[missed + 1 :])
            lead += int(slot.key[other] == told)
        best = max(best, lead / len(slot.key))
    return best


def _spoil_key(instance: ReciteInstance) -> ReciteInstance:
    """Exchange the keys of the text and its twin."""
    secret = instance.secret
    edges = {"edges": secret.twin_edges, "twin_edges": secret.edges}
    return instance.model_copy(update={"secret": secret.model_copy(update=edges)})


def _spoil_text(instance: ReciteInstance) -> ReciteInstance:
    """Take every second sentence away."""
    text = ".".join(instance.public.text.split(".")[::2])
    public = instance.public.model_copy(update={"text": text})
    return instance.model_copy(update={"public": public})


def _spoil_twin(instance: ReciteInstance) -> ReciteInstance:
    """Give a slot the same versions in both twins."""
    slots = list(instance.secret.slots)
    place = next(n for n, slot in enumerate(slots) if slot.versions != slot.twin_versions)
    same = {"twin_versions": slots[place].versions, "twin_tells": slots[place].tells}
    slots[place] = slots[place].model_copy(update=same)
    secret = instance.secret.model_copy(update={"slots": tuple(slots)})
    return instance.model_copy(update={"secret": secret})


def canonical_key(instance: ReciteInstance) -> str:
    """Return a digest that a text shares with the same text under another order of names."""
    text = " ".join(instance.public.text.casefold().split())
    return digest(canonical_json([text, [list(edge) for edge in instance.secret.edges]]))


REVEALED = frozenset({"edges", "twin_edges", "tells", "twin_tells", "uncounted"})
"""Secret fields of names that the text rightly has; the questions of the first rung write out the
edges of both twins."""

PROOFS: Proofs[RecitePublic, ReciteSecret] = Proofs(
    certify=certify,
    recheck=recheck,
    faults={"key": _spoil_key, "text": _spoil_text, "twin": _spoil_twin},
    canonical_key=canonical_key,
    revealed_fields=REVEALED,
)
