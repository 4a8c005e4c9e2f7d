"""The model on this machine is sent every limit of a schema; others what Inspect finds safe."""

import json
from typing import Any

import pytest
from inspect_ai.model import Model, ResponseSchema, get_model
from inspect_ai.util import JSONSchema

from causarium.engine.play.conversation import reply_config

SHORT = ResponseSchema(name="reply", json_schema=JSONSchema(type="string", maxLength=9))


def served(name: str) -> Model:
    return get_model(name, base_url="http://127.0.0.1:9/v1", api_key="local", memoize=False)


def sent(model: Model) -> dict[str, Any]:
    params = model.api.completion_params(reply_config(SHORT, model), tools=False)  # type: ignore[attr-defined]
    return {**params, **params.get("extra_body", {})}["response_format"]


def test_a_local_model_is_sent_the_limits_of_texts() -> None:
    pytest.importorskip("openai")
    model = served("openai-api/local/tiny")
    assert '"maxLength": 9' in json.dumps(sent(model))
    assert reply_config(None, model).extra_body is None


def test_another_server_is_sent_what_it_was_sent_before() -> None:
    pytest.importorskip("openai")
    found = sent(served("openai-api/elsewhere/tiny"))
    assert "maxLength" not in json.dumps(found)
    assert found["json_schema"]["schema"]["type"] == "string"
