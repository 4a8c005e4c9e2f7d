"""Askers: what they ask settles the problem, and the budget is what its askers need."""

from functools import partial
from itertools import count
from random import Random

from causarium.families.replayscm.evidence.ask_by_gain import (
    Question,
    ask_until_settled,
    fill_model,
    is_settled,
    list_questions,
)
from causarium.families.replayscm.generation.unit_problems import (
    answer_question,
    draw_asking,
    draw_clan,
    law_of,
)
from causarium.scm.boolean.unit_fits import UnitFits


def test_every_question_sets_one_or_two_variables() -> None:
    questions = list_questions(6)
    assert len(set(questions)) == len(questions) == 72
    assert {q.targets.bit_count() for q in questions} == {1, 2}
    assert all(not q.values & ~q.targets for q in questions)


def test_an_asker_settles_a_problem_and_its_models_fit_what_it_saw() -> None:
    clan = draw_clan(6, 2, Random(3), trait=True)
    law, answer = law_of(clan), partial(answer_question, clan)
    first = answer(Question(0, 0))
    asked = ask_until_settled(law, first, answer, Random(1), most=9)
    assert asked is not None
    worlds = [first, *map(answer, asked)]
    assert is_settled(UnitFits(law, worlds))
    assert not is_settled(UnitFits(law, worlds[:-1]))
    (fit,) = UnitFits(law, worlds).find()
    found = fill_model(law, fit, worlds, None)
    flipped = fit.traits & 1 != clan.units[0] >> clan.n & 1
    for question in list_questions(6)[:20]:
        rows = answer(question).rows
        for u, row in enumerate(rows):
            trait = (fit.traits >> u & 1) << clan.n
            start = first.rows[u] & ~question.targets | question.values | trait
            assert found.run(start, question.targets) & (1 << clan.n) - 1 == row
    assert flipped in {True, False}


def test_a_kept_problem_has_a_plan_within_its_budget() -> None:
    drawn = (draw_asking(6, 2, Random(attempt)) for attempt in count())
    clan, budget, plan = next(filter(None, drawn))
    assert len(plan) <= budget <= len(plan) + 1
    answer = partial(answer_question, clan)
    first = answer(Question(0, 0))
    assert is_settled(UnitFits(law_of(clan), [first, *map(answer, plan)]))
