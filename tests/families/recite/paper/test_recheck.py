"""Proofs of documents: each check, on both paths, sees what breaks it."""

from itertools import pairwise
from types import SimpleNamespace

import pytest

from causarium.families.recite.paper import FAMILY, proofs

claims = proofs.claims


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("xion ion ionx ion.", [5, 14]),
        ("ion", [0]),
        ("ion ion", [0, 4]),
        ("(ion)", [1]),
        ("2ion ion2", []),
        ("", []),
    ],
)
def test_a_name_stands_where_no_letter_touches_it(text, places):
    assert proofs._places("ion", text) == places


def test_names_are_numbered_as_the_text_has_them():
    def number(text, *names):
        nodes = [SimpleNamespace(name=name, aliases=()) for name in names]
        secret = SimpleNamespace(nodes=nodes, pairs=list(pairwise(names)))
        return proofs.number_names(
            SimpleNamespace(public=SimpleNamespace(text=text), secret=secret)
        )

    assert number("Ice  melts by heat.", "Heat", "Ice", "Cap") == (
        "#0 melts by #1.",
        [[0, -1], [1, 0]],
    )
    assert number("Ice melts.") == ("ice melts.", [])


WORDS = ("aa", "bb", "cc", "dd", "ee", "ff", "gg", "hh", "ii", "jj")


def make(told, *, text=None, evidence=(), decoys=(), **nodes):
    """Return a document over ten words; `nodes` changes some of them by name."""
    plain = {"aliases": (), "unlinked": False, "explicitness": 1}
    made = tuple(SimpleNamespace(name=name, **{**plain, **nodes.get(name, {})}) for name in WORDS)
    edges = tuple(SimpleNamespace(source=a, sink=b, evidence=evidence) for a, b in told)
    seeming = tuple(SimpleNamespace(sentence=one) for one in decoys)
    secret = SimpleNamespace(nodes=made, names=WORDS, edges=edges, decoys=seeming)
    whole = " ".join(WORDS) if text is None else text
    return SimpleNamespace(secret=secret, public=SimpleNamespace(text=whole))


ROUND = tuple((place, place % 10 + 1) for place in range(1, 11))
"""A circle through all ten."""


@pytest.mark.parametrize(
    ("changes", "broken"),
    [
        ({}, set()),
        ({"told": (*ROUND, ROUND[0])}, {claims.OWN}),
        ({"told": ()}, {claims.EMPTY, claims.ON_EDGES}),
        ({"told": ROUND[1:-1]}, {claims.ON_EDGES}),
        ({"aa": {"unlinked": True}}, {claims.ON_EDGES}),
        ({"aa": {"explicitness": 2}}, {claims.LABELS}),
        ({"text": " ".join(WORDS[1:])}, {claims.LABELS}),
        ({"text": " ".join(WORDS[1:]), "aa": {"explicitness": 2}}, set()),
        ({"text": "AZ " + " ".join(WORDS[1:]), "aa": {"aliases": ("Az",)}}, set()),
        ({"evidence": ("aa bb",)}, set()),
        ({"evidence": ("ii jj",)}, set()),
        ({"evidence": ("aa cc",)}, {claims.STATED}),
        ({"decoys": ("aa cc",)}, {claims.STATED}),
    ],
)
def test_what_a_plain_document_claims_is_looked_at(changes, broken):
    found = dict(proofs._find_plain(make(**{"told": ROUND, **changes})))
    assert {claim for claim, holds in found.items() if not holds} == broken


@pytest.mark.parametrize("level", ["paper-mini", "paper-synth-verb-names"])
def test_a_missing_sentence_is_seen_by_both_paths(level):
    document = FAMILY.generate(FAMILY.level(level), 0, 0)
    said = next(edge.evidence[0] for edge in document.secret.edges if edge.evidence)
    text = document.public.text.replace(said, "")
    spoilt = document.model_copy(
        update={"public": document.public.model_copy(update={"text": text})}
    )
    for prove in (FAMILY.proofs.certify, FAMILY.proofs.recheck):
        assert all(proof.holds for proof in prove(document).proofs)
        assert claims.STATED in {one.claim for one in prove(spoilt).proofs if not one.holds}


def test_both_paths_find_the_same_of_rows_that_lack_something():
    document = FAMILY.generate(FAMILY.level("paper-mini"), 0, 0)
    bare = tuple(edge.model_copy(update={"evidence": ()}) for edge in document.secret.edges)
    for changes in ({"edges": ()}, {"decoys": (), "edges": bare}):
        odd = document.model_copy(update={"secret": document.secret.model_copy(update=changes)})
        found, again = FAMILY.proofs.certify(odd), FAMILY.proofs.recheck(odd)
        plain = [{one.claim: one.holds for one in each.proofs} for each in (found, again)]
        assert plain[0] == plain[1]
