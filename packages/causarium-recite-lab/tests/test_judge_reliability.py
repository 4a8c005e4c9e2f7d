"""How far judges agree, whether they favour their kin, and what a cutoff does."""

import math

import pytest
from causarium_recite_lab.analysis.judge_reliability import (
    Opinion,
    kendall,
    kin_bias,
    maker,
    opinions,
    pairwise_agreement,
    rank_agreement,
)
from causarium_recite_lab.analysis.row_tables import by_cutoff, side

from tests.families.recite.paper.papers import row


def test_two_judges_who_differ_by_a_constant_agree_perfectly() -> None:
    """And the constant is the mean difference."""
    rows = [row("m", n, 0.0, stern=0.1 * n, kind=0.1 * n + 0.2) for n in range(5)]
    (pair,) = pairwise_agreement(opinions(rows))
    assert (pair.first, pair.second, pair.n) == ("kind", "stern", 5)
    assert pair.pearson == pytest.approx(1)
    assert pair.spearman == pytest.approx(1)
    assert pair.difference == pytest.approx(0.2)
    assert pair.deviation == pytest.approx(0, abs=1e-12)


def test_judges_are_compared_on_what_both_judged() -> None:
    """Three judges make three pairs; one that saw nothing the others saw makes none."""
    given = [
        *(Opinion(judge, "m", "a", 0.5) for judge in ("x", "y", "z")),
        Opinion("x", "m", "b", 0.7),
        Opinion("w", "m", "c", 0.1),
    ]
    pairs = pairwise_agreement(given)
    assert [(one.first, one.second, one.n) for one in pairs] == [
        ("x", "y", 1),
        ("x", "z", 1),
        ("y", "z", 1),
    ]
    assert all(math.isnan(one.pearson) for one in pairs)


def test_generosity_alone_is_no_bias() -> None:
    """A judge that gives everybody more favours nobody."""
    rows = [
        row(agent, n, 0.0, deepseek_v3=0.3 + 0.02 * n + 0.1, gemini_flash=0.3 + 0.02 * n)
        for agent in ("deepseek/deepseek-r1", "openai/gpt-5")
        for n in range(6)
    ]
    biases = {one.judge: one for one in kin_bias(opinions(rows))}
    assert biases["deepseek-v3"].bias == pytest.approx(0, abs=1e-9)
    assert biases["deepseek-v3"].kin.value == pytest.approx(0.1)
    assert "gemini-flash" not in biases


def test_favouring_kin_is_found() -> None:
    """A tenth more for its own, and the interval leaves out nothing but zero."""
    rows = [
        row(agent, n, 0.0, deepseek_v3=0.3 + 0.02 * n + more, gemini_flash=0.3 + 0.02 * n)
        for agent, more in (("deepseek/deepseek-r1", 0.1), ("openai/gpt-5", 0.0))
        for n in range(6)
    ]
    (found,) = kin_bias(opinions(rows))
    assert found.bias == pytest.approx(0.1)
    assert found.low > 0


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("openai/o3-mini", "GPT 5.2"),
        ("QwQ 32B", "together/Qwen/Qwen2.5-32B-Instruct"),
        ("Llama 3.1 8B", "openrouter/meta-llama/llama-3.1-8b-instruct"),
        ("deepseek/deepseek-chat-v3.2", "DeepSeek R1"),
        ("google/gemini-3-flash", "gemma-3"),
        ("acme/rocket-1", "Rocket 2"),
    ],
)
def test_kin_are_models_of_one_maker(one, other) -> None:
    """Whatever their names look like, and whoever serves them."""
    assert maker(one) == maker(other)
    assert maker(one) != maker("anthropic/claude-opus-4-5")


def test_sides_of_a_cutoff() -> None:
    """The month itself is on neither side; a year alone only counts where it is another year."""
    assert [side(date, "2024-07") for date in ("2024-06-30", "2024-07-01", "2024-08-01")] == [
        "before",
        None,
        "after",
    ]
    assert [side(year, "2024-07") for year in ("2023", "2024", "2025")] == ["before", None, "after"]


def test_scores_are_compared_across_a_cutoff() -> None:
    """Dates go before years, and agents without a cutoff are left out."""
    rows = [
        row("m", 0, 0.2, "2023"),
        row("m", 1, 0.4, "2023"),
        row("m", 2, 0.6, "2024"),
        row("m", 3, 0.8, "2025"),
        row("m", 4, 0.9),
        row("other", 0, 1.0, "2023"),
    ]
    rows[2] = rows[2].model_copy(update={"facets": {"year": "2024", "month": "2024-12"}})
    (found,) = by_cutoff(rows, {"m": "2024-07"})
    assert found.before.value == pytest.approx(0.3)
    assert found.after.value == pytest.approx(0.7)
    assert found.difference == pytest.approx(0.4)
    assert found.undated == 1
    assert found.low <= 0.4 <= found.high


def test_orders_of_agents_are_compared() -> None:
    """By means over documents; ties are allowed for."""
    rows = [row(agent, n, f1, only=other) for n in (0, 1) for agent, f1, other in MEANS]
    found = rank_agreement(rows, "f1", "judge_1_f1")
    assert found.agents == 4
    assert found.spearman == pytest.approx(0.8)
    assert found.kendall == pytest.approx(4 / 6)
    assert math.isnan(kendall([1, 1, 1], [1, 2, 3]))
    assert kendall([1, 2, 2], [1, 2, 3]) == pytest.approx(2 / math.sqrt(6))


MEANS = (("a", 0.1, 0.2), ("b", 0.2, 0.1), ("c", 0.3, 0.3), ("d", 0.4, 0.9))
