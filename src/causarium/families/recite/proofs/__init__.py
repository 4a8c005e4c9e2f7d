"""What is proven about an instance of ReCITE, computed twice, and how the proofs are tried.

`recheck` shares nothing with drawing and scoring: it finds names by scanning letters, does its sums
in fractions, and takes the twin's text apart paragraph by paragraph.
"""

import re
from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import permutations

from causarium.contract.certificate import Findings, Proof
from causarium.contract.companions import Proofs
from causarium.contract.frozen import canonical_json, digest
from ..model.instance import REVEALED, ReciteInstance, RecitePublic, ReciteSecret, SlotRecord, Twin
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
_LEAST, _LONGER = 8, Fraction(3, 100)
_ENDS = (". ", "! ", "? ", ".” ", '." ', "\n")
Ids = tuple[int, int]


def recheck(instance: ReciteInstance) -> Findings:
    """Check what a document with a twin claims of itself once more."""
    twin = instance.secret.twin
    found = dict(_find_plain(instance))
    bounds: dict[str, float] = {}
    if twin is not None:
        found |= dict(_find_twin(instance, twin))
        bounds[claims.LOCAL] = float(_count_near(twin))
    proofs = tuple(Proof(claim=claim, method=_AGAIN, holds=holds) for claim, holds in found.items())
    return Findings(optimum=0.0, proofs=proofs, bounds=bounds, reachable=1.0)


def _count_near(twin: Twin) -> Fraction:
    """Return the worth of the near passages alone, as the mean of both texts."""
    worth = Fraction(0)
    for mine, other in (("told", "twin_told"), ("twin_told", "told")):
        tells = [
            (slot.kind, len({*getattr(slot, mine)} - {*getattr(slot, other)}))
            for slot in twin.slots
            if not slot.withdrawn
        ]
        every = sum(count for _, count in tells)
        near = sum(count for kind, count in tells if kind == "near")
        worth += Fraction(near, 2 * every) if every else Fraction(1, 2)
    return worth


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


def _find_twin(instance: ReciteInstance, twin: Twin) -> Iterator[tuple[str, bool]]:
    secret, text = instance.secret, instance.public.text
    told, other = {(edge.source, edge.sink) for edge in secret.edges}, set(twin.edges)
    yield claims.ENDS, [_read(one, told, other) for one in (told, other, set[Ids]())] == [1, -1, 0]
    ids = {end for edge in told | other for end in edge}
    pairs = list(permutations(sorted(ids), 2))
    answers = [set(pairs[start::step]) for step in ids for start in range(step)]
    yield (
        claims.THEOREM_1,
        all(_read(one, told, other) + _read(one, other, told) == 0 for one in answers),
    )
    there = _other_text(text, twin.slots)
    forms = _list_forms(instance)
    length = abs(len(text) - len(there)) <= _LONGER * min(len(text), len(there))
    once = all(text.count(one) == 1 for slot in twin.slots for one in slot.passages)
    yield claims.THEOREM_2, length and once and _named(text, forms) == _named(there, forms)
    names = secret.names
    far = {
        frozenset((names[a - 1], names[b - 1]))
        for slot in twin.slots
        if slot.kind != "near"
        for a, b in {*slot.told} ^ {*slot.twin_told}
    }
    yield claims.THEOREM_3, _with_both(text, far, forms) == _with_both(there, far, forms)
    even = all(
        sum(len(slot.told) for slot in twin.slots if slot.kind == kind)
        == sum(len(slot.twin_told) for slot in twin.slots if slot.kind == kind)
        for kind in {slot.kind for slot in twin.slots}
    )
    gone = [({*one.told}, {*one.twin_told}) for one in twin.slots if one.withdrawn]
    own = len(told - other) + sum(len(here - there) for here, there in gone)
    others = len(other - told) + sum(len(there - here) for here, there in gone)
    yield claims.EVEN, even and own == others >= _LEAST


def _read(answer: set[Ids], told: set[Ids], other: set[Ids]) -> Fraction:
    own, others, common = told - other, other - told, told & other
    if not own or not others or not common:
        return Fraction(0)
    contrast = Fraction(len(answer & own), len(own)) - Fraction(len(answer & others), len(others))
    rest = answer - own - others
    return contrast * Fraction(2 * len(rest & common), len(rest) + len(common))


def _list_forms(instance: ReciteInstance) -> dict[str, str]:
    """Return every way to name a node, in small letters, with the node's name."""
    nodes = instance.secret.nodes
    return {form.lower(): node.name for node in nodes for form in (node.name, *node.aliases)}


def _other_text(text: str, slots: Iterable[SlotRecord]) -> str:
    """Cut the text at its passages, and put it together again with the other ones."""
    places = sorted(
        (text.find(here), len(here), there)
        for slot in slots
        for here, there in zip(slot.passages, slot.twin_passages, strict=True)
        if here in text
    )
    parts, at = [], 0
    for start, length, there in places:
        parts += [text[at:start], there]
        at = start + length
    return "".join([*parts, text[at:]])


def _places(form: str, text: str) -> list[int]:
    found, at = [], text.find(form)
    while at >= 0:
        end = at + len(form)
        if not text[at - 1 : at].isalnum() and not text[end : end + 1].isalnum():
            found.append(at)
        at = text.find(form, at + 1)
    return found


def _named(text: str, forms: dict[str, str]) -> list[list[str]]:
    """Return the words for names of each sentence that has any, longer ones before shorter."""
    lower = text.lower()
    taken: dict[int, str] = {}
    for form in forms:
        for at in _places(form, lower):
            taken[at] = max(taken.get(at, ""), form, key=len)
    sentences: list[list[str]] = [[]]
    end = 0
    for at in sorted(taken):
        if any(mark in text[end:at] for mark in _ENDS):
            sentences.append([])
        if at >= end:
            sentences[-1].append(taken[at])
            end = at + len(taken[at])
    return [one for one in sentences if one]


def _with_both(
    text: str, pairs: set[frozenset[str]], forms: dict[str, str]
) -> list[tuple[frozenset[str], str]]:
    found = []
    for line in text.splitlines():
        nodes = {forms[form] for sentence in _named(line, forms) for form in sentence}
        found += [(pair, line) for pair in pairs if pair <= nodes]
    return sorted(found, key=lambda one: (sorted(one[0]), one[1]))


def _change_slot(
    instance: ReciteInstance, slot: SlotRecord | None, **changes: object
) -> ReciteInstance | None:
    """Return the instance with that slot of its twin changed; None without a slot."""
    twin = instance.secret.twin
    if twin is None or slot is None:
        return None
    slots = tuple(one.model_copy(update=changes) if one == slot else one for one in twin.slots)
    secret = instance.secret.model_copy(update={"twin": twin.model_copy(update={"slots": slots})})
    return instance.model_copy(update={"secret": secret})


def _list_slots(instance: ReciteInstance, *, near: bool) -> list[SlotRecord]:
    """Return the slots that tell near pairs, or those that tell far ones."""
    twin = instance.secret.twin
    return [slot for slot in twin.slots if (slot.kind == "near") == near] if twin else []


def lose_names(instance: ReciteInstance) -> ReciteInstance | None:
    """Write a passage of the twin without the names that it has here."""
    # Some passages speak of what the one before has named, and have no name to lose.
    forms = _list_forms(instance)
    slots = _list_slots(instance, near=True)
    slot = next((one for one in slots if _named(" ".join(one.twin_passages), forms)), None)
    return _change_slot(instance, slot, twin_passages=("Nothing was said about it.",))


def betray_locally(instance: ReciteInstance) -> ReciteInstance | None:
    """Write what stands beside a far pair otherwise in the twin."""
    slot = next(iter(_list_slots(instance, near=False)), None)
    if slot is None:
        return None
    first, *others = slot.twin_passages
    told = (f"{first[:-1]}, and rightly so.", *others)
    return _change_slot(instance, slot, twin_passages=told)


def tip_the_balance(instance: ReciteInstance) -> ReciteInstance | None:
    """Let a passage of the twin tell nothing where it tells something, or the other way round."""
    slot = next(iter(_list_slots(instance, near=True)), None)
    told = () if slot and slot.twin_told else ((1, 2), (2, 1))
    return _change_slot(instance, slot, twin_told=told)


def drop_a_sentence(instance: ReciteInstance) -> ReciteInstance | None:
    """Leave a sentence that tells an edge out of the text."""
    said = next((edge.evidence[0] for edge in instance.secret.edges if edge.evidence), None)
    if said is None:
        return None
    text = instance.public.text.replace(said, "")
    return instance.model_copy(update={"public": instance.public.model_copy(update={"text": text})})


PROOFS: Proofs[RecitePublic, ReciteSecret] = Proofs(
    certify=certify,
    recheck=recheck,
    faults={
        "a passage without its names": lose_names,
        "another sentence beside a far pair": betray_locally,
        "one twin tells more": tip_the_balance,
        "a sentence is missing": drop_a_sentence,
    },
    canonical_key=canonical_key,
    revealed_fields=REVEALED,
)
