"""Proofs of documents: each check, on both paths, sees what breaks it."""

from fractions import Fraction
from itertools import pairwise
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from causarium.contract.frozen import digest
from causarium.families import recite
from causarium.families.recite import proofs
from causarium.families.recite.paper.scoring.twin_score import score_twin

FAMILY, claims = recite.FAMILY, proofs.claims
FORMS = {"heat": "Heat", "ice": "Ice", "ice cap": "Ice", "cap": "Cap"}


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


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("Heat warms ice. Ice melts; heat stays.", [["heat", "ice"], ["ice", "heat"]]),
        ("The ice cap melts.", [["ice cap"]]),
        ("Ice cap, cap and heat!\nHeat", [["ice cap", "cap", "heat"], ["heat"]]),
        ("Nothing. Heat is here.", [["heat"]]),
        ("Heat is here. Nothing.", [["heat"]]),
        ("Heat? Ice! Cap.” Heat", [["heat"], ["ice"], ["cap"], ["heat"]]),
        ("None at all.", []),
    ],
)
def test_names_are_listed_by_sentence_the_longest_first(text, named):
    assert proofs._named(text, FORMS) == named


def test_lines_that_name_both_of_a_pair_are_kept():
    text = "Heat meets ice.\nHeat alone.\nThe cap and heat. Ice too."
    pair, other = frozenset(("Heat", "Ice")), frozenset(("Cap", "Ice"))
    last = text.splitlines()[-1]
    assert proofs._with_both(text, {pair, other}, FORMS) == [
        (other, last),
        (pair, "Heat meets ice."),
        (pair, last),
    ]


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


def slot(kind="near", key="s1", told=(), twin_told=(), passages=(), twin_passages=()):
    return SimpleNamespace(
        kind=kind,
        key=key,
        told=told,
        twin_told=twin_told,
        passages=passages,
        twin_passages=twin_passages,
        withdrawn=False,
    )


def test_the_other_text_has_the_other_passages():
    slots = [
        slot(passages=("bb", "dd"), twin_passages=("B", "DDDD")),
        slot(passages=("a",), twin_passages=("",)),
        slot(passages=("never",), twin_passages=("there",)),
    ]
    assert proofs._other_text("xa bb cc dd e", slots) == "x B cc DDDD e"


pairs = st.sets(st.tuples(st.integers(1, 4), st.integers(1, 4)), max_size=8)


@given(pairs, pairs, pairs)
def test_the_reading_is_that_of_the_score(answer, told, other):
    found = proofs._read(answer, told, other)
    if told - other and other - told and told & other:
        assert float(found) == pytest.approx(score_twin(answer, told, other).reading)
    else:
        assert found == 0


def test_a_reading_by_hand():
    told, other = {(1, 2), (2, 3), (5, 6)}, {(2, 1), (5, 6)}
    assert proofs._read({(1, 2), (5, 6)}, told, other) == Fraction(1, 2)
    assert proofs._read({(1, 2), (5, 6), (3, 1)}, told, other) == Fraction(1, 3)
    assert proofs._read({(2, 1), (5, 6)}, told, other) == -1
    assert proofs._read(told, told, told) == proofs._read({(5, 6)}, told, {(5, 6)}) == 0


WORDS = ("aa", "bb", "cc", "dd", "ee", "ff", "gg", "hh", "ii", "jj")


def make(told, other=(), *, slots=(), text=None, evidence=(), decoys=(), **nodes):
    """Return a document over ten words; `nodes` changes some of them by name."""
    plain = {"aliases": (), "unlinked": False, "explicitness": 1}
    made = tuple(SimpleNamespace(name=name, **{**plain, **nodes.get(name, {})}) for name in WORDS)
    edges = tuple(SimpleNamespace(source=a, sink=b, evidence=evidence) for a, b in told)
    twin = SimpleNamespace(edges=tuple(other), slots=tuple(slots))
    seeming = tuple(SimpleNamespace(sentence=one) for one in decoys)
    secret = SimpleNamespace(nodes=made, names=WORDS, edges=edges, twin=twin, decoys=seeming)
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


COMMON = ((9, 10),)
OWN = ((1, 2), (2, 3), (3, 4), (4, 5), (5, 6), (6, 7), (7, 8), (8, 9))
TURNED = tuple((b, a) for a, b in OWN)


def find_broken(told=OWN, other=TURNED, *, text="There was nothing. ", **more):
    """Return the claims that fail of two twins; the slots hold one passage without a name."""
    slots = more.pop("slots", None) or (
        slot(
            told=tuple(told), twin_told=tuple(other), passages=("nothing",), twin_passages=("no",)
        ),
    )
    document = make((*told, *COMMON), (*other, *COMMON), slots=slots, text=text)
    found = dict(proofs._find_twin(document, document.secret.twin))
    return {claim for claim, holds in found.items() if not holds}


def test_twins_tell_as_many_edges_eight_or_more():
    assert find_broken(text="nothing" + "." * 193) == set()
    seven = {"told": OWN[1:], "other": TURNED[1:]}
    assert find_broken(**seven, text="nothing" + "." * 193) == {claims.EVEN}
    fewer = {"told": OWN, "other": TURNED[1:]}
    assert find_broken(**fewer, text="nothing" + "." * 193) == {claims.EVEN}


def test_every_kind_of_slot_tells_as_many():
    slots = (
        slot("near", "s1", OWN[:3], TURNED[:4]),
        slot("far", "s2", OWN[3:], TURNED[4:]),
    )
    assert find_broken(slots=slots) == {claims.EVEN}
    slots = (slot("near", "s1", OWN[:3], TURNED[:3]), slot("far", "s2", OWN[3:], TURNED[3:]))
    assert find_broken(slots=slots) == set()


@pytest.mark.parametrize(("longer", "alike"), [(3, True), (4, False), (-2, True), (-3, False)])
def test_twins_are_of_one_length_within_three_parts_in_a_hundred(longer, alike):
    """The text has a hundred letters, ten of them in the passage."""
    change = slot(
        told=OWN, twin_told=TURNED, passages=("x" * 10,), twin_passages=("y" * (10 + longer),)
    )
    broken = find_broken(slots=(change,), text="x" * 10 + "." * 90)
    assert broken == (set() if alike else {claims.THEOREM_2})


def test_a_passage_stands_once_and_names_stay_in_place():
    def tell(text, here, there):
        change = slot(told=OWN, twin_told=TURNED, passages=(here,), twin_passages=(there,))
        return find_broken(slots=(change,), text=text + "." * 200)

    assert tell("Now aa moves bb", "moves", "leads") == set()
    assert tell("Now aa moves bb and moves", "moves", "leads") == {claims.THEOREM_2}
    assert tell("Now aa moves bb", "aa moves bb", "bb moves aa") == {claims.THEOREM_2}
    assert tell("Now aa moves bb", "moves bb", "moves me") == {claims.THEOREM_2}


def test_lines_beside_a_far_pair_are_the_same():
    far = slot("far", told=OWN, twin_told=TURNED, passages=("moves",), twin_passages=("leads",))
    near = slot("near", told=OWN, twin_told=TURNED, passages=("moves",), twin_passages=("leads",))
    text = "Now aa moves bb" + "." * 200
    assert find_broken(slots=(far,), text=text) == {claims.THEOREM_3}
    assert find_broken(slots=(near,), text=text) == set()
    assert find_broken(slots=(far,), text="Now aa moves dd" + "." * 200) == set()


def test_readings_that_do_not_cancel_are_seen(monkeypatch):
    monkeypatch.setattr(proofs, "_read", lambda *_: Fraction(1, 10**9))
    assert find_broken() >= {claims.ENDS, claims.THEOREM_1}


def test_who_decides_beside_the_pair_is_right_where_slots_are_near():
    slots = (slot("near", "s1", OWN[:2], TURNED[:1]), slot("far", "s2", OWN[2:], TURNED[1:]))
    found = proofs.recheck(make((*OWN, *COMMON), (*TURNED, *COMMON), slots=slots))
    assert found.bounds == {claims.LOCAL: 3 / 16}
    assert (found.optimum, found.reachable) == (0, 1)
    assert claims.far_share(SimpleNamespace(slots=slots)) == 13 / 16


@pytest.fixture(scope="module")
def twin():
    return FAMILY.generate(FAMILY.level("far"), 0, 0)


def break_claims(prove, instance):
    return {proof.claim for proof in prove(instance).proofs if not proof.holds}


FAULTS = {
    "a passage without its names": {claims.THEOREM_2},
    "another sentence beside a far pair": {claims.THEOREM_3},
    "one twin tells more": {claims.EVEN},
    "a sentence is missing": {claims.STATED},
}


@pytest.mark.parametrize("fault", FAMILY.proofs.faults)
def test_a_fault_breaks_what_it_is_meant_to(twin, fault):
    spoilt = FAMILY.proofs.faults[fault](twin)
    for prove in (FAMILY.proofs.certify, FAMILY.proofs.recheck):
        assert break_claims(prove, spoilt) >= FAULTS[fault]


def test_names_are_lost_where_a_passage_has_some():
    # In this one the first passage speaks of the names before it as "it" and "the wall".
    page = FAMILY.generate(FAMILY.level("page"), 0, 13)
    spoilt = FAMILY.proofs.faults["a passage without its names"](page)
    for prove in (FAMILY.proofs.certify, FAMILY.proofs.recheck):
        assert break_claims(prove, spoilt) >= {claims.THEOREM_2}


def test_both_paths_find_the_same_of_a_drawn_text(twin):
    found, again = FAMILY.proofs.certify(twin), FAMILY.proofs.recheck(twin)
    assert not break_claims(FAMILY.proofs.certify, twin)
    assert not break_claims(FAMILY.proofs.recheck, twin)
    assert {proof.claim for proof in found.proofs} == {proof.claim for proof in again.proofs}
    assert found.bounds == pytest.approx(again.bounds)
    assert (found.optimum, found.reachable) == (again.optimum, again.reachable) == (0, 1)
    secret = twin.secret
    linked = {end for edge in secret.edges for end in (edge.source, edge.sink)}
    labels = [node.explicitness for node in secret.nodes if not node.unlinked]
    counts = {
        "nodes": len(linked),
        "names_on_no_edge": len(secret.nodes) - len(linked),
        "edges": len(secret.edges),
        "edges_with_evidence": sum(len(edge.evidence) > 0 for edge in secret.edges),
        "explicitness_strict": sum(one == 1 for one in labels) / len(labels),
        "differing": len(set(secret.twin.edges) - {(e.source, e.sink) for e in secret.edges}),
    }
    assert {name: found.extra[name] for name in counts} == counts
    (method,) = (one.method for one in found.proofs if one.claim == claims.THEOREM_1)
    assert method == "50 random answers"


def test_both_paths_find_the_same_of_rows_that_lack_something(twin):
    without = (
        {"edges": (), "twin": None},
        {"twin": None, "decoys": (), "edges": without_evidence(twin)},
    )
    for changes in (*without, {"twin": twin.secret.twin.model_copy(update={"slots": ()})}):
        secret = twin.secret.model_copy(update=changes)
        odd = twin.model_copy(update={"secret": secret})
        found, again = FAMILY.proofs.certify(odd), FAMILY.proofs.recheck(odd)
        plain = [{one.claim: one.holds for one in each.proofs} for each in (found, again)]
        assert plain[0] == plain[1]
        assert found.bounds == again.bounds == ({claims.LOCAL: 1.0} if secret.twin else {})


def without_evidence(instance):
    return tuple(edge.model_copy(update={"evidence": ()}) for edge in instance.secret.edges)


def test_readings_that_do_not_cancel_break_the_certificate(monkeypatch, twin):
    uneven = SimpleNamespace(reading=1e-9)
    monkeypatch.setattr(claims, "score_twin", lambda *_: uneven)
    assert claims.THEOREM_1 in break_claims(FAMILY.proofs.certify, twin)


def test_random_answers_stay_what_they_were():
    document = SimpleNamespace(id="x", secret=SimpleNamespace(names=WORDS))
    answers = list(claims._random_answers(document))
    assert 2 * len(WORDS) < max(map(len, answers)) < 3 * len(WORDS)
    assert digest(repr(answers))[7:19] == "0351578d1f3e"
