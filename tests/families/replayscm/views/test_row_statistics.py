"""Statistics over rows: pairs of latent models, rates that are kept back, controls."""

from math import isnan, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from causarium.contract.row import Row
from causarium.families.replayscm.model.config import LEVELS
from causarium.families.replayscm.views.row_charts import (
    SUPPORTS,
    Cell,
    Rate,
    any_alternative,
    cell_of,
    compute_paired_deltas,
    compute_solved_intersection,
    conditional_rate,
    discovery,
    draw_rows,
    ladder,
    leave_source_out,
)

ORDERED, HIDDEN = Cell("ordered", "original"), Cell("hidden_order", "original")
MORE = Cell("ordered", "extra")


def row(latent, cell=ORDERED, agent="model", labels=None, **numbers):
    train = numbers.get("train_exact", 0.0)
    other = numbers.get("alternative_found", 0.0)
    given_ = {"alternative_given_train_exact": other if train else nan}
    return Row(
        family="replayscm",
        version="1-A",
        edition="paper",
        set="made",
        agent=agent,
        interface="json",
        id=f"replayscm-{cell.setting}-{cell.support}-{latent}",
        facets={"mechanism": latent, "setting": cell.setting, "support": cell.support},
        numbers={"train_exact": train, "alternative_found": other, **given_, **numbers},
        labels=labels or {},
        turns=1,
    )


@pytest.mark.parametrize(
    ("hits", "n", "text"),
    [(0, 0, "–"), (1, 1, "*"), (5, 5, "*"), (0, 3, "*"), (3, 6, "0.500"), (0, 6, "0.000")],
)
def test_rates_on_few_rows_are_kept_back(hits, n, text):
    assert str(Rate(hits, n)) == text
    assert isnan(Rate(hits, n).value) == (n == 0)


def test_a_conditional_rate_rests_on_the_rows_whose_condition_holds():
    rows = [row(str(i), heldout_world_given_train_exact=nan) for i in range(4)]
    rows += [row(str(i), heldout_world_given_train_exact=i % 2) for i in range(8)]
    assert conditional_rate(rows, "heldout_world_given_train_exact") == Rate(4, 8)
    assert conditional_rate(rows, "no such metric") == Rate(0, 0)


def test_differences_are_taken_on_the_same_latent_models_alone():
    rows = [row(str(i), ORDERED, train_exact=1.0) for i in range(10)]
    rows += [row(str(i), HIDDEN, train_exact=0.0) for i in range(5, 15)]
    ((step, loss),) = compute_paired_deltas(rows, "train_exact")["model"].items()
    assert step == (ORDERED, HIDDEN)
    assert (loss.value, loss.n, loss.left_out) == (1, 5, 0)


def test_pairing_removes_what_is_hard_in_a_latent_model_itself():
    rows = [row(str(i), ORDERED, heldout_world=i / 20) for i in range(20)]
    rows += [row(str(i), HIDDEN, heldout_world=i / 20 - 0.1) for i in range(20)]
    (loss,) = compute_paired_deltas(rows, "heldout_world")["model"].values()
    assert loss.low == pytest.approx(0.1) == loss.high
    spread = ladder(rows, "heldout_world")["model"][ORDERED]
    assert spread.high - spread.low > 0.15


@given(st.lists(st.booleans(), min_size=2, max_size=20))
def test_several_epochs_of_a_problem_count_as_one(solved):
    rows = [row(str(i), train_exact=float(s)) for i, s in enumerate(solved)]
    once, twice = ladder(rows, "train_exact"), ladder(rows * 2, "train_exact")
    assert once == twice


def test_every_kind_of_evidence_stands_apart():
    levels = ("paper-ordered", "paper-ordered-extra", "paper-ordered-audited")
    found = [cell_of(row("a", Cell("ordered", LEVELS[level].support))) for level in levels]
    assert [cell.support for cell in found] == list(SUPPORTS[:3])
    assert {level.support for level in LEVELS.values()} == set(SUPPORTS)


def test_other_models_are_counted_per_answer_per_fit_and_per_problem():
    rows = [
        row(str(i), train_exact=float(i < 8), alternative_found=float(i < 2)) for i in range(10)
    ]
    rows += [
        row(str(i), agent="other", train_exact=1.0, alternative_found=float(i == 9))
        for i in range(10)
    ]
    assert discovery(rows[:10]) == Rate(2, 10)
    assert conditional_rate(rows[:10], "alternative_given_train_exact") == Rate(2, 8)
    assert any_alternative(rows)[ORDERED] == Rate(3, 10)


def test_the_control_looks_only_at_what_was_solved_both_times():
    # Twenty solved before, half of them by another model; ten of these solved again, all truly.
    rows = [row(str(i), train_exact=1.0, alternative_found=float(i % 2)) for i in range(20)]
    rows += [row(str(i), MORE, train_exact=float(i < 10)) for i in range(20)]
    (control,) = compute_solved_intersection(rows, ORDERED, MORE)
    assert (control.before, control.after) == (Rate(5, 10), Rate(0, 10))


def test_tasks_made_with_an_agents_own_find_can_be_left_out():
    second = Cell("alternative_ordered", "original")
    rows = [
        row(
            str(i),
            second,
            agent="player/simplest",
            labels={"found_by": "simplest, sweep" if i < 6 else "sweep"},
            alternative_joint=float(i < 6),
        )
        for i in range(12)
    ]
    every, others = leave_source_out(rows)["player/simplest"]
    assert (every, others) == (Rate(6, 12), Rate(0, 6))


def test_pictures_are_drawn_of_what_is_there():
    assert draw_rows([]) == ()
    rows = [
        row(str(i), cell, agent=agent, train_exact=float(i % 3 > 0), heldout_world=i / 8,
            models_log2=float(i), worlds=8.0 + i)
        for i in range(8)
        for cell in (ORDERED, HIDDEN, MORE)
        for agent in ("model <b>", "player/random")
    ]  # fmt: skip
    second = Cell("alternative_hidden", "original")
    rows += [row("a", second, labels={"found_by": "sweep"}, alternative_joint=1.0)]
    pictures = draw_rows(rows)
    titles = " ".join(picture.title for picture in pictures)
    for part in ("ladder", "costs", "leave open", "replayed", "both were solved", "second model"):
        assert part in titles
    for picture in pictures:
        assert picture.svg.startswith("<svg")
        assert "<b>" not in picture.svg
        assert "<script" not in picture.svg
        assert "nan" not in picture.svg.lower().replace("nant", "")
