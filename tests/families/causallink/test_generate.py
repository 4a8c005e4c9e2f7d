"""Drawing: the core enumeration, the released generator, and what the certified edition repairs."""

from collections import Counter
from itertools import permutations
from random import Random

import networkx as nx
import pytest

from causarium.families.causallink.generation.generate import core_cases, draw_released
from causarium.families.causallink.model.config import LinkConfig
from causarium.families.causallink.shared.reach import Reach
from causarium.families.causallink.shared.theme import theme
from tests.families.causallink.worlds import FAMILY, draw_set

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


@pytest.mark.parametrize("edition", ["certified", "paper"])
def test_the_core_set_has_the_published_make_up(edition):
    cases = draw_set(edition, "core")
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
    assert not any(case.facets["repeat"] for case in draw_set(edition, "core60"))


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
    level = FAMILY.level("core60")
    lap = Counter(FAMILY.generate(level, 0, 60 + i).secret.truth for i in range(60))
    assert lap == {False: 35, True: 25}


def listed_in_causal_order(instance) -> bool:
    shapes = instance.public.shapes
    pairs = (edge.split(">") for edge in instance.secret.edges)
    return all(shapes.index(a) < shapes.index(b) for a, b in pairs)


def test_the_paper_edition_lists_causes_first_and_asks_forward_only():
    for instance in draw_set("paper", "advanced"):
        public = instance.public
        assert listed_in_causal_order(instance)
        assert public.shapes.index(public.cause) < public.shapes.index(public.effect)
        assert public.moving == public.shapes


TWIN_SETS = ("smoke", "standard", "practice", "themes")


def shape_of(instance) -> tuple:
    """A case without its names, up to the places of those that are neither cause nor effect."""
    public = instance.public
    others = [name for name in public.shapes if name not in {public.cause, public.effect}]
    edges = {tuple(edge.split(">")) for edge in instance.secret.edges}
    edges -= {(public.cause, public.effect)}
    return min(
        tuple(sorted((order.index(a), order.index(b)) for a, b in edges))
        for order in ([public.cause, public.effect, *rest] for rest in permutations(others))
    )


@pytest.mark.parametrize("level", ["practice-4", "practice-6"])
def test_a_pair_differs_in_the_one_arrow_and_in_nothing_that_is_shown(level):
    for number in range(20):
        pair = [FAMILY.generate(FAMILY.level(level), 3, 2 * number + i) for i in (0, 1)]
        assert {i.secret.truth for i in pair} == {True, False}
        assert len({shape_of(i) for i in pair}) == 1
        assert len({i.facets["mechanism"] for i in pair}) == 1
        publics = [i.public for i in pair]
        assert len({len(p.moving) for p in publics}) == 1
        assert len({(p.cause in p.moving, p.effect in p.moving) for p in publics}) == 1
        assert len({p.shapes.index(p.cause) < p.shapes.index(p.effect) for p in publics}) == 1
        for i in pair:
            edge = f"{i.public.cause}>{i.public.effect}"
            assert (edge in i.secret.edges) == i.secret.truth


@pytest.mark.parametrize("name", TWIN_SETS)
def test_sets_of_twins_hold_whole_pairs(name):
    instances = draw_set("certified", name)
    assert all(part.size % 2 == 0 for part in FAMILY.card.sets["certified"][name].parts)
    for first, second in zip(instances[::2], instances[1::2], strict=True):
        assert first.secret.truth != second.secret.truth
        # Under several laws each log is shown once, so that there is nothing to be remembered.
        shared = first.facets["structure"] != "laws"
        assert (first.facets["mechanism"] == second.facets["mechanism"]) == shared
    mechanisms = Counter((i.public.theme, i.facets["mechanism"]) for i in instances)
    assert set(mechanisms.values()) <= {1, 2}


@pytest.mark.parametrize("name", ["smoke", "standard"])
def test_no_set_shows_a_log_twice(name):
    cases = draw_set("certified", name)
    laws = [case for case in cases if case.facets["structure"] == "laws"]
    assert len({FAMILY.proofs.canonical_key(case) for case in laws}) == len(laws)


def test_which_of_a_pair_comes_first_is_a_coin():
    level = FAMILY.level("practice-4")
    first = sum(FAMILY.generate(level, 11, 2 * number).secret.truth for number in range(400))
    assert abs(first - 200) < 4 * 10


def test_core_cases_and_the_paper_edition_have_no_twins():
    for edition, name in (("certified", "core"), ("paper", "standard")):
        for instance in draw_set(edition, name):
            assert not {"depth", "mechanism"} & instance.facets.keys()


def test_the_truth_is_a_path_in_the_stored_edges():
    for name in ("practice", "core"):
        for instance in draw_set("certified", name):
            graph = nx.DiGraph([edge.split(">") for edge in instance.secret.edges])
            graph.add_nodes_from(instance.public.shapes)
            assert nx.is_directed_acyclic_graph(graph)
            path = nx.has_path(graph, instance.public.cause, instance.public.effect)
            assert path == instance.secret.truth


def test_the_smallest_twins_have_one_shape():
    level = LinkConfig(level="three", kind="practice", draw="three", size=3)
    instances = [FAMILY.generate(level, 0, index) for index in range(12)]
    assert len({shape_of(i) for i in instances}) == 1
    assert {(i.facets["optimum"], i.facets["depth"]) for i in instances} == {(2, 2)}


def test_questions_of_each_size_are_as_often_true_as_the_released_generator_makes_them():
    exact = {4: 0.7370, 5: 0.7254, 6: 0.7293, 7: 0.7392}
    for n, share in exact.items():
        rng = Random(n)
        yes = sum(case.truth for _ in range(3000) for case in draw_released(rng, n))
        # The questions of one graph go together, so the graph is the unit: sd below 0.3 each.
        assert abs(yes / 18000 - share) < 4 * 0.3 / 3000**0.5


@pytest.mark.parametrize("name", ["core", "core60", "practice"])
def test_naming_the_first_listed_as_the_cause_tells_nothing(name: str) -> None:
    """Agents who say yes when the cause is listed first do as well as a coin."""
    cases = draw_set("certified", name)
    first = [case.public.shapes.index(case.public.cause) for case in cases]
    second = [case.public.shapes.index(case.public.effect) for case in cases]
    right = sum(
        (a < b) == case.secret.truth for a, b, case in zip(first, second, cases, strict=True)
    )
    assert abs(right / len(cases) - 0.5) < 0.03


@pytest.mark.parametrize("level", ["laws", "laws-words"])
def test_cases_with_a_log_that_follow_each_other_differ_in_answer_and_log_alone(level):
    for number in range(4):
        pair = [FAMILY.generate(FAMILY.level(level), 3, 2 * number + i) for i in (0, 1)]
        assert {i.secret.truth for i in pair} == {True, False}
        assert len({FAMILY.proofs.canonical_key(i) for i in pair}) == 2
        assert len({i.public.machine.form for i in pair}) == 1
        suggested = {theme(i.public.theme).suggests(i.public.cause, i.public.effect) for i in pair}
        assert len(suggested) == 1


def test_no_row_of_a_log_names_the_target_or_one_suspect_alone():
    for index in range(12):
        public = FAMILY.generate(FAMILY.level("laws"), 1, index).public
        suspects = {public.cause, public.machine.companion}
        for row in public.machine.log:
            assert public.effect not in row.moved
            assert len(suspects & set(row.moved)) != 1


def test_both_forms_of_the_question_and_both_answers_are_as_frequent():
    instances = [FAMILY.generate(FAMILY.level("laws"), 2, index) for index in range(80)]
    forms = Counter(instance.public.machine.form for instance in instances)
    assert abs(forms["cause"] - forms["direct"]) < 36
    assert sum(instance.secret.truth for instance in instances) == 40


def test_a_case_without_a_machine_is_stored_as_before():
    line = FAMILY.generate(FAMILY.level("core"), 0, 0).line()
    assert "machine" not in line
