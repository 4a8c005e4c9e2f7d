"""Holding a hypothesis against readings."""

from causarium.families.causalab.paper.evidence.consistency import (
    check,
    find_contradictions,
    report,
)
from causarium.families.causalab.paper.evidence.infer_mechanism import Notebook, Sight
from causarium.families.causalab.paper.generation import draw_paper_instance as generate
from causarium.families.causalab.paper.levels import LEVELS, LabRules
from causarium.families.causalab.paper.mechanics.resolve_hypothesis import ResolvedHypothesis
from causarium.families.causalab.paper.model.actions import Intervene
from causarium.families.causalab.paper.play.world import LabWorld

GOLDEN = generate(LEVELS["paper-golden-4"], 0, 0)


def _resolved(instance, edges=None):
    secret = instance.secret
    into = {e.cause: e.linear for e in secret.edges if e.effect == "resonanceFreq"}
    kept = secret.edge_pairs if edges is None else frozenset(edges)
    return ResolvedHypothesis(kept, secret.base_frequency, into, {}, ())


def test_the_truth_explains_every_reading_and_nothing_moves_against_it():
    seen = Notebook(GOLDEN.public).sights[:-1]
    result = check(_resolved(GOLDEN), seen, GOLDEN.public.names)
    assert result.explained == len(seen) == len(GOLDEN.public.calibrated)
    assert result.mean_error < 0.01
    assert "Nothing moved against your graph" in report(_resolved(GOLDEN), seen, GOLDEN.public)


def test_an_empty_graph_is_contradicted_by_whatever_moved():
    seen = Notebook(GOLDEN.public).sights[:-1]
    assert find_contradictions(_resolved(GOLDEN, edges=()), seen, GOLDEN.public)


def test_without_a_base_nothing_is_predicted_and_there_is_no_mean():
    silent = ResolvedHypothesis(frozenset(), None, {}, {}, ())
    seen = Notebook(GOLDEN.public).sights[:-1]
    assert check(silent, seen, GOLDEN.public.names).mean_error is None
    assert "no prediction" in report(silent, seen, GOLDEN.public)


def test_errors_beyond_every_scale_have_no_mean():
    absurd = ResolvedHypothesis(frozenset(), 1.7e308, {}, {}, ())
    seen = Notebook(GOLDEN.public).sights[:-1]
    assert check(absurd, seen, GOLDEN.public.names).mean_error is None
    assert "inf" not in report(absurd, seen, GOLDEN.public)


def test_a_disturbance_makes_movement_no_evidence():
    drawn = generate(LEVELS["paper-hidden-n1"], 0, 0)
    first = (*drawn.public.manipulator.values, drawn.public.manipulator.frequency)
    moved = Sight("moved", tuple(v + 5 for v in first), (), calm=False, target=0, before=first)
    assert find_contradictions(_resolved(drawn, edges=()), [moved], drawn.public) == []


def _after_interventions(instance):
    world = LabWorld(instance, LabRules())
    for number in range(instance.public.budget):
        name = instance.public.names[number % len(instance.public.names)]
        world.act(Intervene(property=name, value=float(number)))
    return Notebook.of(instance.public, world.lab.rows[1:]).sights


def test_no_width_is_given_away_that_was_not_announced():
    drawn = generate(LEVELS["paper-hidden-freq-n1"], 0, 0)
    assert drawn.public.hidden.values == ()
    seen = _after_interventions(drawn)
    told = report(_resolved(drawn), seen, drawn.public)
    assert "(within 0.1 Hz; after an intervention a disturbance" in told


def test_a_prediction_is_never_a_negative_zero():
    seen = [Sight("x", (*GOLDEN.public.reactor, -0.0), (), calm=True)]
    none = ResolvedHypothesis(frozenset(), -0.001, {}, {}, ())
    told = report(none, seen, GOLDEN.public)
    assert told.startswith("x: predicted 0.00, measured 0.00")
