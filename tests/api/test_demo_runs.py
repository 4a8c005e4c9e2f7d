"""What the demo plays when a model plays along."""

from causarium import families
from causarium.api.demo.demo_runs import SLICES, list_model_runs, list_player_runs
from causarium.api.prepare_run import choose_model
from causarium.contract.sets.instance_sets import find_set


def test_players_and_model_play_the_very_same_instances() -> None:
    models = list_model_runs(choose_model("local", {}, {"max_tokens": 300}))
    players = list_player_runs(sliced=True)
    assert [spec.task.rpartition("/")[2] for spec in models] == list(families.names())
    for spec in models:
        limit = spec.options[spec.options.index("--limit") + 1]
        beside = [one for one in players if one.task == spec.task]
        assert len(beside) >= 3
        assert {one.arguments["set"] for one in beside} == {spec.arguments["set"]}
        assert {one.options for one in beside} == {("--limit", limit)}


def test_every_family_of_ours_has_a_slice_that_is_there() -> None:
    for name, part in SLICES.items():
        first, _, last = part.limit.rpartition("-")
        size = find_set(families.get(name), "certified", part.set).size
        assert 1 <= int(first or 1) <= int(last) <= size


def test_a_local_model_has_few_turns_and_a_providers_model_has_them_all() -> None:
    local = list_model_runs(choose_model("local", {}, {}))
    assert sum("max_turns" in spec.arguments for spec in local) == 2
    provided = list_model_runs(choose_model("mockllm/model", {}, {}))
    assert not any("max_turns" in spec.arguments for spec in provided)
    assert not any("--max-tokens" in spec.options for spec in provided)


def test_without_a_model_the_players_play_the_standard_sets() -> None:
    assert not list_model_runs(choose_model(None, {}, {}))
    assert {spec.arguments["set"] for spec in list_player_runs(sliced=False)} == {"standard"}
