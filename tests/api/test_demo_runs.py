"""What the demo plays when a model plays along."""

import pytest

from causarium import families
from causarium.api.demo import INSTANCES, plan_model_runs
from causarium.contract.sets.instance_sets import choose_numbers, find_set
from tests.support.extras import needs_local


def test_a_model_plays_one_instance_of_each_rung() -> None:
    for name in families.FAMILIES:
        parts = find_set(families.get(name, "certified"), "certified", "smoke").parts
        numbers = choose_numbers(parts, limit=INSTANCES)
        assert len(numbers) == len({part.level for part in parts}) == INSTANCES


@needs_local
def test_a_local_model_writes_short_replies_and_a_providers_model_has_its_own_limit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    local = plan_model_runs("local", "logs")
    assert all("max_tokens" in plan.options.given for plan in local)
    provided = plan_model_runs("mockllm/model", "logs")
    assert not any("max_tokens" in plan.options.given for plan in provided)
