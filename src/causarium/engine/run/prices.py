"""What tokens cost: as a user says, or as Inspect knows it."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from inspect_ai.model import ModelCost, ModelInfo, set_model_info
from pydantic import Field

from causarium.contract.frozen import Frozen
from causarium.engine.inspect_private import get_model_info_without_key
from causarium.engine.run.options import read_mapping
from causarium.errors import UsageError

AGENT = "agent"
"""In the place of a role: the model under test."""


class Price(Frozen):
    """US dollars for a million tokens."""

    input: float = Field(ge=0)
    output: float = Field(ge=0)
    cached: float | None = Field(default=None, ge=0)
    """For those read from a provider's cache; None: as for any others."""


def read_prices(given: Sequence[str]) -> dict[str, Price]:
    """Read prices as they are typed, `IN,OUT` or `IN,OUT,CACHED`, one of a role after its name.

    Raises:
        UsageError: One cannot be read.

    Example:
        >>> read_prices(["2,8", "judge=0.5,2"])["judge"].output
        2.0
    """
    prices = {}
    for text in given:
        role, sign, numbers = text.rpartition("=")
        try:
            parts = [float(part) for part in numbers.split(",")]
            names = ("input", "output", "cached")[: len(parts)]
            prices[role if sign else AGENT] = Price(**dict(zip(names, parts, strict=True)))
        except ValueError as wrong:
            raise UsageError(
                f"--price must be IN,OUT or IN,OUT,CACHED in US dollars per million tokens, "
                f"such as 2,8 or judge=0.5,2, not {text!r}"
            ) from wrong
    return prices


def find_prices(models: Mapping[str, Sequence[str]], costs: str | None) -> dict[str, Price]:
    """Return the prices that Inspect knows, by role; that of a role's first model counts.

    Args:
        models: The models of each role, by role.
        costs: A file for Inspect's --model-cost-config.

    Raises:
        UsageError: The file cannot be read.
    """
    listed = {role: find_price(names[0], costs) for role, names in models.items() if names}
    return {role: price for role, price in listed.items() if price is not None}


def find_price(model: str, costs: str | None) -> Price | None:
    """Return what Inspect would count for a model, given a file for its --model-cost-config.

    Raises:
        UsageError: The file cannot be read.
    """
    cost = _read_costs(costs).get(model) if costs else None
    if cost is None:
        # The public way would open the provider, for which a key or weights are needed.
        info = get_model_info_without_key(model)
        cost = info.cost if info else None
    if cost is None:
        return None
    return Price(input=cost.input, output=cost.output, cached=cost.input_cache_read)


def _read_costs(costs: str) -> dict[str, ModelCost]:
    try:
        if not Path(costs).is_file():
            raise UsageError(f"there is no file {costs}, given as --model-cost-config")
        return {name: ModelCost(**cost) for name, cost in read_mapping(costs).items()}
    except (TypeError, ValueError) as wrong:
        raise UsageError(f"{costs} cannot be read as prices of models: {wrong}") from wrong


def register_prices(prices: Mapping[str, Price], models: Mapping[str, Sequence[str]]) -> None:
    """Tell Inspect prices, so that it counts the cost of each call and keeps limits on it.

    Args:
        prices: By role; that of the model under test is `AGENT`.
        models: The models of each role, by role.
    """
    for role, price in prices.items():
        cached = price.input if price.cached is None else price.cached
        cost = ModelCost(
            input=price.input,
            output=price.output,
            input_cache_write=price.input,
            input_cache_read=cached,
        )
        for model in models.get(role, ()):
            info = get_model_info_without_key(model) or ModelInfo()
            set_model_info(model, info.model_copy(update={"cost": cost}))
