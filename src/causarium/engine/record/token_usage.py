"""What an episode took in tokens, money and time, as Inspect counted it."""

from inspect_ai.log import EvalSample
from inspect_ai.model import ModelUsage

from causarium.contract.row import Tokens, Usage


def usage_of(sample: EvalSample) -> Usage | None:
    """Return what the models of one sample took; None if no model was asked.

    Inspect counts by model and, for helping models, by role as well; what is left when the
    roles are taken off belongs to the model under test.
    """
    if not sample.model_usage:
        return None
    helpers = {role: tokens_of(used) for role, used in sample.role_usage.items()}
    all_of_them = _sum([tokens_of(used) for used in sample.model_usage.values()])
    return Usage(
        agent=_subtract_tokens(all_of_them, _sum(list(helpers.values()))),
        helpers=helpers,
        seconds=sample.working_time,
    )


def tokens_of(used: ModelUsage) -> Tokens:
    """Return what a model took, as Inspect counted it."""
    cached = used.input_tokens_cache_read or 0
    return Tokens(
        input=used.input_tokens + cached + (used.input_tokens_cache_write or 0),
        cached=cached,
        output=used.output_tokens,
        reasoning=used.reasoning_tokens or 0,
        cost=used.total_cost,
    )


def _sum(many: list[Tokens]) -> Tokens:
    costs = [tokens.cost for tokens in many if tokens.cost is not None]
    return Tokens(
        input=sum(tokens.input for tokens in many),
        cached=sum(tokens.cached for tokens in many),
        output=sum(tokens.output for tokens in many),
        reasoning=sum(tokens.reasoning for tokens in many),
        cost=sum(costs) if costs else None,
    )


def _subtract_tokens(whole: Tokens, part: Tokens) -> Tokens:
    return Tokens(
        input=whole.input - part.input,
        cached=whole.cached - part.cached,
        output=whole.output - part.output,
        reasoning=whole.reasoning - part.reasoning,
        cost=None if whole.cost is None else whole.cost - (part.cost or 0.0),
    )
