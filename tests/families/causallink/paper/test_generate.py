"""Drawing: the core enumeration, and the released generator."""

from collections import Counter
from random import Random

import networkx as nx
import pytest

from causarium.families.causallink.paper.generation import core_cases, draw_released
from causarium.families.causallink.paper.model.reach import Reach
from tests.families.causallink.paper.worlds import FAMILY, draw_set

GOLDEN = """
4 0 | 0>1 0>2 1>3 | hexagon,rectangle,triangle,ellipse | 01 13 03 12 23 02 | YYYNNY
4 1 | 0>1 1>2 1>3 2>3 | octagon,ellipse,square,circle | 13 01 12 02 23 03 | YYYYYY
4 2 | 0>1 0>2 1>3 2>3 | hexagon,triangle,ellipse,square | 23 13 03 12 02 01 | YYYNYY
5 0 | 0>1 0>2 1>2 1>4 3>4 | rectangle,hexagon,square,triangle,pentagon | 02 13 23 12 01 03 | YNNYYN
5 1 | 0>1 0>4 1>2 1>3 2>4 3>4 | octagon,rectangle,hexagon,circle,ellipse | 01 34 24 04 13 02 | YYYYYY
5 2 | 0>1 0>2 1>2 1>3 1>4 2>4 3>4 | triangle,rectangle,pentagon,octagon,ellipse | 23 13 14 04 12 02 | NYYYYY
7 0 | 0>1 0>2 0>5 1>2 1>5 1>6 2>3 2>5 2>6 3>5 3>6 4>5 4>6 | square,octagon,pentagon,triangle,rectangle,hexagon,circle | 02 36 01 03 24 45 | YYYYNY
7 1 | 0>2 0>3 1>2 1>3 1>6 2>4 3>4 3>6 4>5 | circle,rectangle,pentagon,square,octagon,triangle,ellipse | 26 15 01 25 04 06 | NYNYYY
7 2 | 0>1 0>2 0>5 0>6 1>2 1>4 1>5 1>6 2>6 3>4 3>5 3>6 | circle,triangle,rectangle,octagon,pentagon,square,ellipse | 05 35 46 23 45 06 | YYNNNY
""".strip().splitlines()  # noqa: E501


@pytest.mark.parametrize("line", GOLDEN)
def test_the_released_generator_draws_what_it_drew(line):
    head, edges, shapes, pairs, truths = (part.strip() for part in line.split("|"))
    n, seed = map(int, head.split())
    drawn = draw_released(Random(seed), n)
    assert " ".join(f"{a}>{b}" for a, b in drawn[0].edges) == edges
    assert ",".join(drawn[0].names) == shapes
    assert " ".join(f"{case.cause}{case.effect}" for case in drawn) == pairs
    assert "".join("Y" if case.truth else "N" for case in drawn) == truths


def test_the_core_set_has_the_published_make_up():
    cases = draw_set("core")
    counts = Counter((case.facets["structure"], case.secret.truth) for case in cases)
    assert counts == {
        ("direct", True): 3,
        ("direct", False): 3,
        ("mediation", True): 12,
        ("mediation", False): 12,
        ("confounder", True): 10,
        ("confounder", False): 20,
        ("confounder_with_edge", True): 12,
        ("confounder_with_edge", False): 12,
    }
    assert sum(case.facets["repeat"] for case in cases) == 24
    assert not any(case.facets["repeat"] for case in draw_set("core60"))


def test_the_repeats_are_the_mediation_cases_under_other_names():
    def renamed(structure: str, new: dict[int, int]) -> set:
        return {
            (
                tuple(sorted((new[a], new[b]) for a, b in closure(case))),
                frozenset(new[x] for x in range(3) if case.start >> x & 1),
                new[case.cause],
                new[case.effect],
            )
            for case in core_cases(distinct=False)
            if case.structure == structure
        }

    def closure(case) -> list[tuple[int, int]]:
        reach = Reach.of_edges(case.size, case.edges)
        return [(a, b) for a in range(3) for b in range(3) if reach.causes(a, b)]

    same = renamed("mediation", {0: 0, 1: 1, 2: 2})
    assert renamed("confounder_with_edge", {0: 1, 1: 0, 2: 2}) == same
    assert len(same) == 24


def test_the_core_enumeration_goes_round_with_new_names():
    level = FAMILY.level("paper-core60")
    lap = Counter(FAMILY.generate(level, 0, 60 + i).secret.truth for i in range(60))
    assert lap == {False: 35, True: 25}


def listed_in_causal_order(instance) -> bool:
    shapes = instance.public.shapes
    pairs = (edge.split(">") for edge in instance.secret.edges)
    return all(shapes.index(a) < shapes.index(b) for a, b in pairs)


def test_the_paper_edition_lists_causes_first_and_asks_forward_only():
    for instance in draw_set("advanced"):
        public = instance.public
        assert listed_in_causal_order(instance)
        assert public.shapes.index(public.cause) < public.shapes.index(public.effect)
        assert public.moving == public.shapes


def test_the_truth_is_a_path_in_the_stored_edges():
    for name in ("smoke", "core"):
        for instance in draw_set(name):
            graph = nx.DiGraph([edge.split(">") for edge in instance.secret.edges])
            graph.add_nodes_from(instance.public.shapes)
            assert nx.is_directed_acyclic_graph(graph)
            path = nx.has_path(graph, instance.public.cause, instance.public.effect)
            assert path == instance.secret.truth


def test_questions_of_each_size_are_as_often_true_as_the_released_generator_makes_them():
    exact = {4: 0.7370, 5: 0.7254, 6: 0.7293, 7: 0.7392}
    for n, share in exact.items():
        rng = Random(n)
        yes = sum(case.truth for _ in range(3000) for case in draw_released(rng, n))
        # The questions of one graph go together, so the graph is the unit: sd below 0.3 each.
        assert abs(yes / 18000 - share) < 4 * 0.3 / 3000**0.5
