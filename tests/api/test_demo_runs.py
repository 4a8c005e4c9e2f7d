"""What the demo plays when a model plays along."""

import pytest

from causarium import families
from causarium.api.demo import SLICES, plan_model_runs
from causarium.contract.sets.instance_sets import find_set
from tests.support.extras import needs_local


def test_every_family_of_ours_has_a_slice_that_is_there() -> None:
    for name, part in SLICES.items():
        assert 1 <= part.limit <= find_set(families.get(name), "certified", part.set).size


@needs_local
def test_a_local_model_has_few_turns_and_a_providers_model_has_them_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    local = plan_model_runs("local", "logs")
    assert sum("max_turns" in plan.rules for plan in local) == 2
    provided = plan_model_runs("mockllm/model", "logs")
    assert not any("max_turns" in plan.rules for plan in provided)
    assert not any("max_tokens" in plan.options.given for plan in provided)
