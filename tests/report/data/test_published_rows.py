"""Published numbers beside a run, and what they may be used for."""

from causarium.report.data.published_rows import by_facet, by_table, find_published
from causarium.report.data.summaries import RunKey

SIZES = {"size": ("4", "5", "6", "7"), "start": ("all", "some")}


def beside(edition, set_, facets=None, metrics=("accuracy",)):
    return find_published(RunKey("causallink", "1-A", edition, set_), metrics, facets or {})


def test_only_the_paper_edition_on_the_same_set_is_comparable():
    assert all(b.comparable for b in beside("paper", "core"))
    assert not any(b.comparable for b in beside("certified", "core"))
    assert not any(b.comparable for b in beside("paper", "smoke"))


def test_a_run_of_a_published_set_stands_beside_that_set_alone():
    assert {b.row.setting["set"] for b in beside("paper", "core")} == {"core"}
    assert {b.row.setting["set"] for b in beside("paper", "smoke")} == {"core", "advanced"}


def test_only_the_metrics_asked_for_are_there():
    assert {b.row.metric for b in beside("paper", "core", metrics=("accuracy_true",))} == {
        "accuracy_true"
    }


def test_a_family_without_a_paper_has_none():
    assert find_published(RunKey("toy", "1-A", "paper", "core"), ("accuracy",), {}) == ()


def test_values_by_size_go_with_the_size_facet_when_the_run_has_it():
    whole = beside("paper", "advanced")
    split = beside("paper", "advanced", facets=SIZES)
    assert {b.facet for b in whole} == {None}
    assert {b.facet for b in split} == {"size"}
    found = by_facet(split, "size", "accuracy")
    [four] = [values["4"] for where, values in found.items() if where.agent == "GPT-4o"]
    assert four == 0.604
    assert by_table(split, "accuracy") == []


def test_what_all_lines_share_is_said_once():
    [group] = by_table(beside("paper", "core"), "accuracy")
    assert group.common == "core, better of two strategies"
    assert {line.setting for line in group.lines} == {"basic", "step-limiting"}
    values = [line.values["accuracy"] for line in group.lines]
    assert values == sorted(values, reverse=True)


def test_caveats_travel_with_the_number():
    [odd] = [b for b in beside("paper", "core") if b.row.agent == "DS-Distill Qwen 14B"]
    assert any("46 false" in caveat for caveat in odd.caveats)
    assert any("optimistic" in caveat for caveat in odd.caveats)


def lab(edition, set_, facets=None):
    return find_published(RunKey("causalab", "1-A", edition, set_), ("edge_f1",), facets or {})


def test_each_set_of_the_paper_stands_beside_its_own_tables():
    assert {b.row.table for b in lab("paper", "paper")} == {"Table 7"}
    assert {b.row.table for b in lab("paper", "hidden")} == {"Table 4"}
    assert {b.row.table for b in lab("paper", "grid")} == {f"Table {n}" for n in (9, 10, 11, 12)}
    assert {b.row.table for b in lab("paper", "smoke")} == {"Table 7"}
    assert all(b.comparable for b in lab("paper", "paper"))
    assert not any(b.comparable for b in lab("paper", "smoke"))
    assert not any(b.comparable for b in lab("certified", "paper"))


def test_a_facet_whose_values_the_paper_names_otherwise_is_not_matched():
    assert {b.facet for b in lab("paper", "hidden", {"hidden": ("0", "1", "2")})} == {None}
    assert {b.facet for b in lab("paper", "grid", {"regime": ("3o0i", "3o6i")})} == {"regime", None}


def test_numbers_of_no_named_set_are_of_the_published_sizes():
    def game(set_):
        return find_published(RunKey("causalgame", "1-A", "paper", set_), ("survival",), {})

    assert all(b.comparable for b in game("paper"))
    assert not any(b.comparable for b in game("smoke"))
