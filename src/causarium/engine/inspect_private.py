"""The names of Inspect's that are not public, all of them, each with the reason why we need it.

Inspect may change or drop any of these without notice. `tests/engine/test_inspect_private.py` says
which one is gone and what breaks without it; `./run check --newest` asks the newest Inspect.
"""

from inspect_ai._util.error import PrerequisiteError
from inspect_ai._util.registry import registry_find
from inspect_ai.hooks._startup import init_hooks
from inspect_ai.log._recorders.buffer.buffer import cleanup_sample_buffers_for_log
from inspect_ai.model._model_info import _get_model_info_direct as get_model_info_without_key

REASONS = {
    "PrerequisiteError": "what Inspect raises for bad input and prints without a traceback",
    "registry_find": "the providers that there are, to suggest one, and whether a hook is there",
    "init_hooks": "starts Inspect's hooks before ours is there, so that ours is not announced",
    "cleanup_sample_buffers_for_log": "removes the database that a killed run left beside its log",
    "get_model_info_without_key": "the price of a model, for which the public way wants its key",
}
"""Why each name is here."""

__all__ = [
    "REASONS",
    "PrerequisiteError",
    "cleanup_sample_buffers_for_log",
    "get_model_info_without_key",
    "init_hooks",
    "registry_find",
]
