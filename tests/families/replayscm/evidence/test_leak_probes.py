"""The probe for roots: what it counts, that it finds a leak, and that ours is small."""

from causarium.families.replayscm import FAMILY
from causarium.families.replayscm.evidence.leak_probes import PROBES, count_settings
from causarium.families.replayscm.instance import true_roots
from causarium.players.train_probe import measure_probe

PROBE = PROBES["roots"]
SEED = 2**60 + 31


def problems(count: int):
    return [FAMILY.generate(FAMILY.level("roots"), SEED, index) for index in range(count)]


def without_roots_set(problem):
    """Return a problem in which no world names a root among its targets."""
    roots = true_roots(problem)
    train = tuple(
        world.model_copy(update={"targets": tuple(t for t in world.targets if t not in roots)})
        for world in problem.public.train
    )
    public = problem.public.model_copy(update={"train": train})
    return problem.model_copy(update={"public": public})


def test_what_is_counted_adds_up() -> None:
    (problem,) = problems(1)
    for name in problem.public.variables:
        total, constant, assigned, *by_size = count_settings(problem.public, name)
        assert total == sum(name in world.targets for world in problem.public.train)
        assert total == constant + assigned == sum(by_size)


def test_either_answer_is_right_about_as_often() -> None:
    (problem,) = problems(1)
    truths = [truth for _, truth in PROBE.examples(problem)]
    roots = len(true_roots(problem))
    assert len(truths) == roots * (len(problem.public.variables) - roots)
    assert abs(2 * sum(truths) - len(truths)) <= 1


def test_roots_that_are_never_set_are_found() -> None:
    leaky = [without_roots_set(problem) for problem in problems(40)]
    assert measure_probe(PROBE, leaky[:20], leaky[20:]).value > 0.95
