"""Certificates: what they claim is checked from the other side."""

import pytest

from causarium.families.causalab.certify import certify
from causarium.families.causalab.config import LEVELS, LabRules
from causarium.families.causalab.evidence.experiment_plans import (
    Step,
    determines,
    fewest,
    follow,
    value_for,
)
from causarium.families.causalab.evidence.precision import precision
from causarium.families.causalab.generate import generate
from causarium.families.causalab.instance import LabEdge
from causarium.families.causalab.mechanics.lab import Lab

CERTIFIED = sorted(name for name, c in LEVELS.items() if c.edition == "certified")


@pytest.mark.parametrize("level", CERTIFIED)
def test_every_certified_instance_is_certified(level):
    for index in range(6):
        found = certify(generate(LEVELS[level], 0, index))
        assert all(proof.holds for proof in found.proofs), found


@pytest.mark.parametrize("size", range(3, 9))
def test_linear_instances_need_just_one_intervention_a_property(size):
    for index in range(12):
        assert fewest(generate(LEVELS[f"linear-{size}"], 0, index)).exact == size - 1


@pytest.mark.parametrize("level", ["quadratic-4", "hard-quadratic-5"])
def test_squares_need_just_two(level):
    for index in range(6):
        drawn = generate(LEVELS[level], 0, index)
        assert fewest(drawn).exact == 2 * len(drawn.public.properties)


@pytest.mark.parametrize("level", ["linear-4", "linear-6", "quadratic-4", "do-4", "shift-4"])
def test_no_plan_shorter_than_the_fewest_was_ever_seen_to_do(level):
    for index in range(6):
        drawn = generate(LEVELS[level], 0, index)
        least = fewest(drawn)
        for leave_out in range(least.at_most):
            shorter = [step for i, step in enumerate(least.plan) if i != leave_out]
            assert not determines(drawn, shorter)


def test_an_untouched_property_leaves_another_mechanism_that_fits_every_reading():
    # Built by hand after the argument in plan.py: what was not moved can act on anything that
    # is not among its causes, its own base taking up the difference.
    for index in range(30):
        drawn = generate(LEVELS["linear-4"], 0, index)
        names = drawn.public.names
        dag = drawn.secret.mechanism(drawn.public).dag
        free = [
            (j, i)
            for j in range(3)
            for i in range(3)
            if i != j and not dag.parents[j] and not dag.ancestors[j] >> i & 1
        ]
        for untouched, other in free:
            if (names[untouched], names[other]) in drawn.secret.edge_pairs:
                continue
            added = LabEdge(cause=names[untouched], effect=names[other], linear=7.0)
            bases = list(drawn.secret.manipulator_bases)
            bases[other] -= 7.0 * drawn.public.manipulator.values[untouched]
            secret = drawn.secret.model_copy(
                update={"edges": (*drawn.secret.edges, added), "manipulator_bases": tuple(bases)}
            )
            changed = drawn.model_copy(update={"secret": secret})
            labs = [Lab(which, LabRules()) for which in (drawn, changed)]
            for node in range(3):
                if node != untouched:
                    one, two = (lab.intervene(names[node], 300.0 + node) for lab in labs)
                    assert one == two


def test_a_plan_that_moves_nothing_determines_nothing():
    drawn = generate(LEVELS["linear-4"], 0, 0)
    still = [Step(i, v) for i, v in enumerate(drawn.public.manipulator.values)]
    assert not determines(drawn, still)


def test_observation_alone_determines_the_frequency_and_not_the_graph():
    found = certify(generate(LEVELS["grid-4-12o0i"], 0, 0))
    assert found.extra["determined"] == "the frequency's equation, all that is graded"
    assert found.optimum == 0.0


def test_a_target_out_of_range_is_not_certified():
    verdicts = [
        all(p.holds for p in certify(generate(LEVELS["paper-linear-8"], 0, i)).proofs)
        for i in range(40)
    ]
    assert any(verdicts)
    assert not all(verdicts)


def test_a_frequency_that_acts_is_known_up_to_a_class():
    found = [certify(generate(LEVELS["freqparent-4"], 0, i)) for i in range(12)]
    assert any(f.extra["class_size"] > 1 for f in found)
    for f in found:
        up_to = f.extra["determined"] == "mechanism up to its class"
        assert up_to == (f.extra["class_size"] > 1)


def test_a_larger_disturbance_blurs_the_coefficients_more():
    errors = [
        certify(generate(LEVELS[level], 0, 0)).extra["coefficient_error"]
        for level in ("linear-4", "hidden-pm0.5", "hidden-n1", "hidden-pm50")
    ]
    assert errors == sorted(errors)
    assert errors[0] < errors[-1]


@pytest.mark.parametrize("level", ["hidden-freq-n3", "hidden-pm50", "quadratic-4"])
def test_a_fit_of_the_played_plan_stays_within_the_stated_error(level):
    np = pytest.importorskip("numpy")
    squares = LEVELS[level].form != "linear"
    for index in range(8):
        drawn = generate(LEVELS[level], 0, index)
        public = drawn.public
        stated = precision(drawn, 3)
        lab = Lab(drawn, LabRules())
        rows = [tuple(lab.measure())]
        for number, node in follow(public, 3):
            value = value_for(public, lab.measure()[node], number)
            rows.append(tuple(lab.intervene(public.names[node], value)))
        rows += [(*r.values, r.frequency) for r in public.calibrated]
        design = [[1.0, *r[:-1], *((v * v for v in r[:-1]) if squares else ())] for r in rows]
        hidden = public.hidden
        noise = max(hidden.values) if hidden and hidden.frequency else 0.0
        weights = np.array([1 / (0.005 + (noise if i else 0)) for i in range(len(rows))])
        fit, *_ = np.linalg.lstsq(
            np.array(design) * weights[:, None],
            np.array([r[-1] for r in rows]) * weights,
            rcond=None,
        )
        aim = [1.0, *public.reactor, *((v * v for v in public.reactor) if squares else ())]
        assert abs(float(np.dot(fit, aim)) - drawn.secret.target) <= stated.prediction_error + 1e-6
