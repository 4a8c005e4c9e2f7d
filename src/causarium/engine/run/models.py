"""Models by name: those of Inspect's providers, and one that this machine serves for a run."""

from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, Protocol

from inspect_ai.util import registry_info

from causarium.contract.family import AnyFamily
from causarium.engine.inspect_private import registry_find
from causarium.engine.play.providers import ECHO, PROVIDER, SILENT, read_script
from causarium.errors import UnknownName, UsageError

NO_MODEL = "none/none"
LOCAL = "local"
"""The entry point of the package that serves models on this machine."""
SERVED_HERE = (LOCAL, "local-hf", "recorded")
"""How the names of its models begin: a GGUF file, a folder of open weights, recorded replies."""
MODELS_GROUP = "causarium.models"
"""The entry-point group under which a package brings models that this machine serves."""


class ServedModel(Protocol):
    """A model that this machine serves for as long as a run needs it."""

    @property
    def model(self) -> str:
        """Its name as Inspect knows it."""

    def rules(self, given: Mapping[str, Any], family: AnyFamily) -> dict[str, Any]:
        """Return the rules to play by: those given, and what suits it.

        Raises:
            UsageError: It cannot play this family, or not by these rules.
        """

    def options(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return the options for Inspect: those given, and what suits it."""

    def serve_to_inspect(self, say: Callable[[str], None]) -> AbstractContextManager[None]:
        """Serve it to Inspect in this process, for as long as the block lasts."""


def is_local(model: str | None) -> bool:
    """Say whether `model` is to be served here.

    Example:
        >>> is_local("local:weights/tiny.gguf"), is_local("openai-api/local/tiny")
        (True, False)
    """
    return model is not None and model.partition(":")[0] in SERVED_HERE


def find_served_model(
    model: str | None, rules: Mapping[str, Any], given: Mapping[str, Any]
) -> ServedModel | None:
    """Read `local`, `local:FILE`, `local-hf:FOLDER` or `recorded:FILE`; None: another model.

    Raises:
        UsageError: The package that serves it is not installed, or it cannot be served so.
    """
    if not is_local(model):
        return None
    for point in entry_points(group=MODELS_GROUP, name=LOCAL):
        served: ServedModel = point.load()(model, rules, given)
        return served
    raise UsageError(f"--model {model} needs a package of its own: pip install causarium-local")


def check_model_names(models: Iterable[str]) -> None:
    """Make sure that Inspect has the provider of each model, and a scripted one its file.

    Raises:
        UsageError: A name has no provider, or one that Inspect does not have.
        BadFile: A script cannot be read.
    """
    apis = registry_find(lambda info: info.type == "modelapi")
    names = {registry_info(api).name.rpartition("/")[2] for api in apis}
    providers = sorted(names - {PROVIDER})
    for model in models:
        provider, _, name = model.partition("/")
        if model == NO_MODEL or provider == PROVIDER:
            raise UsageError("Name a model, or use --player.")
        if not name:
            raise UsageError(
                f"a model is named provider/model, such as openai/gpt-5; {model!r} has no provider"
            )
        if provider not in providers:
            raise UnknownName("model provider", provider, providers)
        if provider == "script" and name not in (SILENT, ECHO):
            read_script(Path(name))
