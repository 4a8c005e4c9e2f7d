"""ReplaySCM's tables, held against their counts, against each other and against the release."""

import json
from collections import defaultdict
from pathlib import Path

import pytest

from causarium import published
from causarium.published import PublishedRow

AGGREGATES = (
    Path(__file__).resolve().parents[2].parent
    / "shared/data/replayscm/paper_model_results_expected.json"
)
AGENTS = {
    "Opus 4.6": "Claude Opus 4.6",
    "DeepSeek4Pro": "DeepSeek 4 Pro",
    "Gemini3.1": "Gemini 3.1",
    "KimiK2t": "Kimi K2 Thinking",
    "DSReasoner": "DeepSeek Reasoner",
}


def pool(row: PublishedRow) -> str:
    """Return the paper's name of the set that a number is of."""
    name = row.setting.get("set", "")
    if name == "matched":
        return "Ord-Match" if row.setting["setting"] == "ordered" else "Hid-Match"
    return "-".join(
        {"ord": "Ord", "hid": "Hid", "alt": "Alt", "cex": "CEx"}.get(part, part.capitalize())
        for part in name.split("-")
    )


def cells(table: str) -> dict[tuple[str, str], dict[str, float]]:
    found = defaultdict(dict)
    for row in published.rows("replayscm", table):
        found[pool(row), row.agent][row.metric] = row.value
    return found


def test_what_stands_in_several_tables_is_the_same_except_where_noted():
    same = defaultdict(list)
    for row in published.rows("replayscm"):
        more = {k: v for k, v in row.setting.items() if k in {"given", "source", "solved"}}
        more |= {k: v for k, v in row.setting.items() if k in {"cohort", "depth", "shortcut kill"}}
        if pool(row):
            same[pool(row), tuple(more.items()), row.agent, row.metric].append(row)
    several = [rows for rows in same.values() if len(rows) > 1]
    assert len(several) > 800
    for rows in several:
        if len({row.value for row in rows}) > 1:
            assert all(" in Table " in row.note for row in rows), rows
    assert sum(" in Table " in row.note for rows in several for row in rows) < 45


@pytest.mark.parametrize(
    ("table", "rows"),
    [
        ("Table C.1", 720), ("Table C.2", 406), ("Table C.4", 318), ("Table E.1", 206),
        ("Table F.10", 135), ("Table F.12", 258), ("Table G.2", 300), ("Table H.2", 32),
    ],
)  # fmt: skip
def test_no_row_of_a_long_table_was_lost(table, rows):
    assert len(published.rows("replayscm", table)) == rows


def test_a_stage_is_only_reached_through_the_one_before():
    stages = ("extracted", "schema", "keys", "parse", "legal", "acyclic", "valid")
    found = cells("Table C.1")
    assert len(found) == 90
    for values in found.values():
        reached = [values[stage] for stage in stages]
        assert reached == sorted(reached, reverse=True)
        assert values["strict_json"] <= values["extracted"]


def test_disclosure_deltas_are_differences_of_the_matched_rates():
    train = {key: values["train_exact"] for key, values in cells("Table D.2").items()}
    checked = 0
    for row in published.rows("replayscm", "Table D.1"):
        if row.metric == "train_exact_drop":
            first, second = row.setting["first"], row.setting["second"]
            assert row.value == pytest.approx(train[first, row.agent] - train[second, row.agent])
            checked += 1
    assert checked == 36


def test_with_the_counterexample_audit_held_out_follows_from_training_replay():
    for (name, _), values in cells("Table E.1").items():
        if name.endswith("CEx"):
            assert values["heldout_exact"] == values["train_exact"]


def test_alternative_rates_are_quotients_of_their_counts():
    checked = 0
    for values in cells("Table F.12").values():
        if "alternative_rate_given_train_exact" in values:
            quotient = values["alternatives"] / values["train_exact_count"]
            assert values["alternative_rate_given_train_exact"] == pytest.approx(
                quotient, abs=0.0006
            )
            checked += 1
    assert checked == 54


def test_cohort_gaps_are_training_minus_held_out_replay():
    for values in cells("Table F.3").values():
        gap = values["train_world"] - values["heldout_world"]
        assert values["train_minus_heldout"] == pytest.approx(gap, abs=0.0011)


def test_every_interval_holds_its_value():
    found = [row for row in published.rows("replayscm") if row.low is not None]
    assert {row.table for row in found} == {"Table F.1", "Table F.4", "Table F.10"}
    assert len(found) == 153
    assert all(row.low <= row.value <= row.high for row in found)


def test_the_released_aggregates_agree_except_where_noted():
    if not AGGREGATES.exists():
        pytest.skip("the released aggregates are not at hand")
    released = json.loads(AGGREGATES.read_text())["tables"]["identifiability_audit_performance"]
    ours = {
        (pool(row), row.agent, row.metric): row for row in published.rows("replayscm", "Table E.1")
    }
    checked = 0
    for record in released:
        agent = AGENTS.get(record["model"], record["model"])
        for metric, text in record.items():
            row = ours.get((record["setting"], agent, metric))
            if row is not None:
                agrees = float(text) == row.value
                assert agrees or f"{text} in the released aggregates" in row.note
                checked += 1
    assert checked == 206


def test_shares_are_whole_numbers_of_problems():
    seen = 0
    rows = [row for name in range(1, 4) for row in published.rows("replayscm", f"Table {name}")]
    for row in rows:
        if row.metric in {"valid", "train_exact", "heldout_exact", "root_exact"}:
            seen += 1
            assert row.value == pytest.approx(round(row.value * row.n) / row.n, abs=1e-9)
    assert seen == 33 * 3 + 11 * 3


def test_conditional_rates_are_quotients():
    found = cells("Table 1")
    assert len(found) == 33
    checked = 0
    for values in found.values():
        if (rate := values.get("heldout_exact_given_train_exact")) is not None:
            checked += 1
            quotient = values["heldout_exact"] / values["train_exact"]
            assert rate == pytest.approx(quotient, abs=0.0006)
    assert checked >= 26


def test_held_out_replay_needs_training_replay():
    for table in ("Table 1", "Table 3", "Table E.1", "Table H.2"):
        found = defaultdict(dict)
        for row in published.rows("replayscm", table):
            found[row.agent, tuple(row.setting.values())][row.metric] = row.value
        for values in found.values():
            if "heldout_exact" in values:
                assert values["heldout_exact"] <= min(
                    values["train_exact"], values["heldout_world"]
                )
