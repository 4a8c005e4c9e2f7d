"""Holding a hypothesis against readings."""

from causarium.families.causalab.config import LEVELS
from causarium.families.causalab.generate import generate
from causarium.families.causalab.hypothesis import Resolved
from causarium.families.causalab.verify import Seen, check, public_readings, report

GOLDEN = generate(LEVELS["golden-4"], 0, 0)


def _resolved(instance, edges=None):
    secret = instance.secret
    into = {e.cause: e.linear for e in secret.edges if e.effect == "resonanceFreq"}
    kept = secret.edge_pairs if edges is None else frozenset(edges)
    return Resolved(kept, secret.base_frequency, into, {}, ())


def test_the_truth_explains_every_reading_and_nothing_moves_against_it():
    seen = public_readings(GOLDEN.public)
    result = check(_resolved(GOLDEN), seen, GOLDEN.public)
    assert result.explained == len(seen) == 2 + len(GOLDEN.public.chain)
    assert result.mean_error < 0.01
    assert result.contradictions == ()
    assert "Nothing moved against your graph" in report(result, seen)


def test_an_empty_graph_is_contradicted_by_whatever_moved():
    result = check(_resolved(GOLDEN, edges=()), public_readings(GOLDEN.public), GOLDEN.public)
    assert result.contradictions


def test_without_a_base_nothing_is_predicted_and_there_is_no_mean():
    silent = Resolved(frozenset(), None, {}, {}, ())
    result = check(silent, public_readings(GOLDEN.public), GOLDEN.public)
    assert result.mean_error is None
    assert "no prediction" in report(result, public_readings(GOLDEN.public))


def test_a_disturbance_makes_movement_no_evidence():
    drawn = generate(LEVELS["hidden-n1"], 0, 0)
    first = (*drawn.public.manipulator.values, drawn.public.manipulator.frequency)
    moved = Seen("moved", tuple(v + 5 for v in first), target=0, before=first)
    assert check(_resolved(drawn, edges=()), [moved], drawn.public).contradictions == ()
