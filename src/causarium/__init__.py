"""Certified benchmarks of causal reasoning for language-model agents.

    import causarium as cm

    link = cm.load("causallink")                                # a benchmark
    cm.evaluate("causallink", model="openai/gpt-5")             # a model, through Inspect
    cm.read_rows("logs").to_pandas()                            # the results as a data frame
    cm.write_report("logs")                                     # one page about all of them
    cm.open_session("causallink", level="rung-3")             # an episode to train on

Example:
    >>> import causarium as cm  # every name is loaded on first use
    >>> cm.load("causallink").play("oracle", "smoke").mean("score").value
    1.0
"""

# Names of modules, not imports: nothing is loaded before it is used, and the front door stands
# above no layer. `__init__.pyi` says the same to type checkers; a test holds the two together.
_MODULES = {
    "batch": ("Batch", "BatchStep", "batch"),
    "benchmark": ("Benchmark", "check", "list_families", "load"),
    "evaluate": ("estimate", "evaluate"),
    "read_run": ("Run",),
    "reporting": ("Report", "write_report"),
    "rows": ("PublishedRows", "Rows", "published_rows", "read_rows", "rescore"),
    "session": ("Session", "Step", "open_session", "restore"),
    "verify": ("verify_logs",),
}
_HOMES = {name: f"causarium.api.{module}" for module, names in _MODULES.items() for name in names}
__all__ = ["Batch", "BatchStep", "Benchmark", "PublishedRows", "Report", "Rows", "Run", "Session"]
__all__ += ["Step", "__version__", "batch", "check", "estimate", "evaluate", "list_families"]
__all__ += ["load", "open_session", "published_rows", "read_rows", "rescore", "restore"]
__all__ += ["verify_logs", "write_report"]


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
