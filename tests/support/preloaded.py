"""All that a run imports, imported before anything is forked, and what it looks up only once."""
# ruff: noqa: F401

import functools

import anyio._backends._asyncio
import fastapi.openapi.utils
import httpcore2
import inspect_ai._control.config_record
import inspect_ai._control.server
import inspect_ai._display.plain.display
import inspect_ai._eval.task.run
import inspect_ai.agent._acp.server
import inspect_ai.agent._acp.transport_live
import inspect_ai.hooks
import inspect_ai.log._recorders.buffer.filestore
import inspect_ai.model._providers.none
import inspect_ai.model._providers.openai_compatible
import markdown_it
import numpy.random
import openai.resources.chat
import uvicorn
from inspect_ai._util import package
from inspect_ai.model._model_info import _get_model_info_db

import causarium.api.evaluate
import causarium.api.read_run
import causarium.cli.commands
import causarium.engine.logbook.log_book
import causarium.engine.run.run_plan
import causarium.families.causallink.task
import causarium.report.data.report_data
import causarium.tasks

# A list of models in YAML, and a look into every installed package: a second each.
_get_model_info_db()
package.packages_distributions = functools.cache(package.packages_distributions)
package.packages_distributions()
