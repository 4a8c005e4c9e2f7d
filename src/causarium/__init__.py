"""Certified benchmarks of causal reasoning for language-model agents.

    import causarium as cm

    link = cm.load("causallink")                                # a benchmark
    cm.evaluate("causallink", model="openai/gpt-5")             # a model, through Inspect
    cm.read_rows("logs").to_pandas()                            # the results as a data frame
    cm.write_report("logs")                                     # one page about all of them
    cm.open_session("causallink", level="starts-5")             # an episode to train on

Example:
    >>> import causarium as cm  # every name is loaded on first use
    >>> cm.load("causallink").play("oracle", "smoke").mean("accuracy").value
    1.0
"""

TYPE_CHECKING = False  # as in typing, whose import would take longer than all of this
if TYPE_CHECKING:
    from causarium.api.benchmark import Benchmark
    from causarium.api.evaluate import estimate, evaluate
    from causarium.api.find_benchmark import check, list_families, load
    from causarium.api.open_session import open_session, restore
    from causarium.api.published import PublishedRows, published_rows
    from causarium.api.read_run import Run
    from causarium.api.reporting import Report, write_report
    from causarium.api.rows import Rows, read_rows, rescore
    from causarium.api.session import Session, Step
    from causarium.api.verify_logs import verify_logs

    __version__: str

_MODULES = {
    "benchmark": ("Benchmark",),
    "evaluate": ("estimate", "evaluate"),
    "find_benchmark": ("check", "list_families", "load"),
    "open_session": ("open_session", "restore"),
    "published": ("PublishedRows", "published_rows"),
    "read_run": ("Run",),
    "reporting": ("Report", "write_report"),
    "rows": ("Rows", "read_rows", "rescore"),
    "session": ("Session", "Step"),
    "verify_logs": ("verify_logs",),
}
_HOMES = {name: f"causarium.api.{module}" for module, names in _MODULES.items() for name in names}
__all__ = ["Benchmark", "PublishedRows", "Report", "Rows", "Run", "Session", "Step", "__version__"]
__all__ += ["check", "estimate", "evaluate", "list_families", "load", "open_session", "restore"]
__all__ += ["published_rows", "read_rows", "rescore", "verify_logs", "write_report"]


def __getattr__(name: str) -> object:
    if name == "__version__":
        from importlib.metadata import version

        return version("causarium")
    if name not in _HOMES:
        raise AttributeError(f"module 'causarium' has no attribute {name!r}")
    from importlib import import_module

    value = globals()[name] = getattr(import_module(_HOMES[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
