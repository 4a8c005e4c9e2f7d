"""From what a user asks for to what Inspect is to run: all that can be checked beforehand is."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from causarium import families
from causarium.contract.family import AnyFamily
from causarium.contract.places import Place
from causarium.contract.rules import Rules, check_edition
from causarium.contract.sets.instance_sets import find_set, open_set
from causarium.contract.shard import Shard
from causarium.contract.texts.prompt_texts import folder_digest
from causarium.errors import UnknownName, UsageError

if TYPE_CHECKING:
    from causarium.engine.gate import Gate
    from causarium.engine.local.local_model import LocalModel
    from causarium.engine.run.inspect_options import Options
    from causarium.engine.run.prices import Price
    from causarium.engine.run.start_run import RunSpec


@dataclass(frozen=True)
class RunRequest:
    """What a user asks for; nothing of it is checked yet."""

    families: tuple[str, ...]
    model: str | None = None
    player: str | None = None
    agent: str | None = None
    """An agent of the user's own: FILE.py@NAME or PACKAGE.MODULE:NAME."""
    edition: str = "certified"
    set: str = "standard"
    file: str | Path | None = None
    """A set of one's own in place of a named set."""
    rules: Mapping[str, str] = field(default_factory=dict)
    limit: int | None = None
    prices: Sequence[str] = ()
    """US dollars per million tokens, IN,OUT or ROLE=IN,OUT."""
    budget: float | None = None
    """US dollars that all runs together may spend."""
    breaker: int | None = None
    """So many failures of the provider in a row end the runs; None: as many as is usual."""
    options: Sequence[str] = ()
    """Options for Inspect, as they would be typed."""
    own_options: Sequence[str] = ()
    """Options of the caller's, to suggest where one is misspelt."""
    agent_boundary: str | None = None
    """Where an agent of the user's own runs; None: behind the best wall that there is."""
    shard: str | Shard | None = None
    """Which share of the instances to play: K/N; None: all."""


@dataclass(frozen=True)
class PreparedRuns:
    """Runs that can be started: one for each family."""

    families: tuple[AnyFamily, ...]
    specs: "tuple[RunSpec, ...]"
    options: "Options"
    prices: "Mapping[str, Price]"
    model: "ModelChoice"
    limit: int | None
    budget: float | None = None
    breaker: int | None = None

    def gate(self, log_dir: str | Path) -> "AbstractContextManager[Gate]":
        """Return the block within which the budget and the breaker are kept."""
        from causarium.engine.gate import BREAKER, open_gate
        from causarium.engine.logbook.fetch_logs import fetch_logs, local_copy

        folders = []
        for spec in self.specs:
            place = Place.parse(log_dir) / spec.folder
            folders.append(place.path or local_copy(place))
            # Only what was spent before needs the logs.
            if self.budget is not None and place.exists():
                folders[-1] = fetch_logs(place)
        return open_gate(self.budget, BREAKER if self.breaker is None else self.breaker, folders)


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """A model as Inspect knows it, with what suits it."""

    model: str | None
    rules: dict[str, str]
    """The rules to play by, with what suits a model on this machine."""
    options: tuple[str, ...]
    """Options for Inspect, beside those that were given."""
    local: "LocalModel | None" = None

    def open_connection(self, say: Callable[[str], None]) -> AbstractContextManager[None]:
        """Return the block within which it can be called; a local one is served for it."""
        return nullcontext() if self.local is None else self.local.serve_to_inspect(say)


def choose_model(
    model: str | None,
    rules: Mapping[str, str],
    given: Mapping[str, Any],
    played: Sequence[AnyFamily] = (),
) -> ModelChoice:
    """Read a model's name; nothing is downloaded or started yet.

    Args:
        model: PROVIDER/MODEL, `local` or `local:FILE.gguf`.
        rules: The rules that were given.
        given: The options for Inspect that were given, by its own names.
        played: The families that it is to play; none: it is to play by the default interface.
    """
    from causarium.engine.local.local_model import is_local, local_model

    if model is None or not is_local(model):
        return ModelChoice(model, dict(rules), ())
    local = local_model(model, rules, given)
    unconstrained = {name for family in played for name in family.rules.unconstrained}
    suited = local.rules(rules, unconstrained)
    return ModelChoice(local.settings.model, suited, local.options(given), local)


def parse_families(
    family: str, words: Sequence[str], own: Sequence[str]
) -> tuple[tuple[str, ...], list[str]]:
    """Return the families to run and the options for Inspect, in whatever order they came.

    Args:
        family: What stands where the family is expected: a family, `all`, or an option.
        words: The other words.
        own: Options of the caller's, to suggest where one is misspelt.

    Raises:
        UsageError: There is no family, or more than one.
    """
    if family.startswith("-"):
        from causarium.engine.run.inspect_options import split_family

        family, words = split_family([family, *words], own)
    return families.names() if family == "all" else (family,), list(words)


def parse_rules(texts: Sequence[str]) -> dict[str, str]:
    """Read rules that were typed as NAME=VALUE.

    Raises:
        UsageError: One has no `=`.
    """
    for text in texts:
        if "=" not in text:
            raise UsageError(f"a rule must be NAME=VALUE; {text!r} has no '='")
    return {name: value for name, _, value in (text.partition("=") for text in texts)}


def prepare_runs(request: RunRequest, *, register: bool = True) -> PreparedRuns:
    """Check everything that can be checked before a run.

    Args:
        request: What is asked for.
        register: Whether Inspect is to count costs with the prices given; not for an estimate.

    Raises:
        UsageError: Not exactly one of model and player is given, or an option, edition, set, file,
            player, agent, model, role, price or rule does not exist.
    """
    if (request.player is None) == (request.model is None):
        raise UsageError("Give either --model PROVIDER/MODEL or --player NAME.")
    if request.limit is not None and request.limit < 1:
        raise UsageError(f"limit is how many instances to run, and {request.limit} is too few")
    share = Shard.parse(request.shard)
    chosen = tuple(families.get(name) for name in request.families)
    options = check_options(request.options, chosen, own=request.own_options)
    model = choose_model(request.model, request.rules, options.given, chosen)
    prices = find_prices(request.prices, model.model, options, register=register)
    limit = ("--limit", str(request.limit)) if request.limit is not None else ()
    specs = tuple(
        make_spec(
            family,
            player=request.player,
            model=model.model,
            arguments={"edition": request.edition, **_instances(request), **_agent(request)},
            rules=model.rules,
            options=(*options.words, *model.options, *limit),
        )
        for family in chosen
    )
    _check_budget(request, prices, options)
    if not share.is_whole:
        specs = tuple(share_spec(spec, share, request.limit) for spec in specs)
    return PreparedRuns(
        chosen, specs, options, prices, model, request.limit, request.budget, request.breaker
    )


def _check_budget(request: RunRequest, prices: "Mapping[str, Price]", options: "Options") -> None:
    """Make sure that what a budget is for can be counted.

    Raises:
        UsageError: It is no amount, or the price of a model is not known.
    """
    from causarium.engine.run.prices import AGENT

    if request.breaker is not None and request.breaker < 0:
        raise UsageError(f"a breaker is a number of failures, or 0 for none, not {request.breaker}")
    if request.budget is None:
        return
    if not request.budget > 0:
        raise UsageError(
            f"a budget must be an amount in US dollars above 0, not {request.budget:g}"
        )
    paid = {*({AGENT} if request.model else ()), *options.roles}
    if missing := sorted(paid - prices.keys()):
        raise UsageError(
            f"--budget needs the price of {' and '.join(missing)}: give --price IN,OUT in US "
            "dollars per million tokens (ROLE=IN,OUT for a role), or --model-cost-config FILE"
        )


def share_spec(spec: "RunSpec", shard: Shard, limit: int | None) -> "RunSpec":
    """Return the run of a share of the instances.

    Args:
        spec: The run of all of them.
        shard: Which share.
        limit: How many of the first instances are shared out; None: all.

    Raises:
        UsageError: There are more shards than instances.
    """
    options = spec.options
    if limit is not None:
        mine = sum(1 for _ in shard.deal(range(limit)))
        if not mine:
            raise UsageError(f"there are more shards than instances: {shard} has none to play")
        options = (*options[:-1], str(mine))
    return replace(spec, arguments={**spec.arguments, "shard": str(shard)}, options=options)


def _instances(request: RunRequest) -> dict[str, str]:
    if request.file is None:
        return {"set": request.set}
    return {"file": Place.parse(request.file).resolved}


def _agent(request: RunRequest) -> dict[str, str]:
    if request.agent is None:
        return {}
    if request.player is not None:
        raise UsageError(
            f"--player {request.player} plays without an agent; give --agent and --model"
        )
    from causarium.engine.task.custom_agent import resolve_agent_path

    boundary = {"agent_boundary": request.agent_boundary} if request.agent_boundary else {}
    return {"agent": resolve_agent_path(request.agent), **boundary}


def check_options(
    words: Sequence[str], chosen: Sequence[AnyFamily], *, own: Sequence[str] = ()
) -> "Options":
    """Check the options that go to Inspect, and the models that they name for roles.

    Args:
        words: The options as they would be typed.
        chosen: The families that are run.
        own: Options of the caller's, to suggest where one is misspelt.

    Raises:
        UsageError: Inspect has no such option, or nobody asks the role, or there is no such model.
    """
    from causarium.engine.run.inspect_options import check_roles, read_options
    from causarium.engine.run.start_run import check_model_name

    options = read_options(words, own)
    check_roles(options.roles, {family.name: family.card.roles for family in chosen})
    for models in options.roles.values():
        for model in models:
            check_model_name(model)
    return options


def find_prices(
    given: Sequence[str], model: str | None, options: "Options", *, register: bool
) -> "dict[str, Price]":
    """Return the prices that are known, by role.

    Args:
        given: Prices as they would be typed.
        model: The model under test.
        options: The options for Inspect.
        register: Whether Inspect is to count with those given.

    Raises:
        UsageError: A price cannot be read, is of a role that is not bound, or is needed.
    """
    from causarium.engine.run.prices import AGENT, find_price, read_prices, register_prices

    models = {**({AGENT: (model,)} if model else {}), **options.roles}
    prices = read_prices(given)
    for role in prices:
        if role not in models:
            raise UnknownName("role in --price", role, models, plural="roles of this run")
    if register:
        register_prices(prices, models)
    costs = options.given.get("model_cost_config")
    for role, names in models.items():
        listed = [find_price(name, costs) for name in names]
        if role not in prices and listed and listed[0] is not None:
            prices[role] = listed[0]
    if "cost_limit" in options.given and (missing := models.keys() - prices.keys()):
        raise UsageError(
            f"--cost-limit needs the price of {' and '.join(sorted(missing))}: give --price "
            "IN,OUT in US dollars per million tokens, or --model-cost-config FILE"
        )
    return prices


def make_spec(
    family: AnyFamily,
    *,
    player: str | None,
    model: str | None,
    arguments: dict[str, str],
    rules: dict[str, str],
    options: tuple[str, ...] = (),
) -> "RunSpec":
    """Check one run, and return what Inspect is to run.

    Args:
        family: The family.
        player: The reference player that plays, or None.
        model: The model that plays, as Inspect knows it, or None.
        arguments: The task's arguments: edition, set or file, agent.
        rules: Changes to the rules of the edition.
        options: Options for Inspect, as they would be typed.

    Raises:
        UsageError: An edition, set, file, player, agent, model or rule does not exist.
    """
    from causarium.engine.run.start_run import NO_MODEL, RunSpec, check_model_name
    from causarium.engine.task.custom_agent import custom_agent_rules, find_agent

    edition = check_edition(arguments["edition"])
    if "file" in arguments:
        digest = open_set(arguments["file"], family).header.digest
    else:
        digest = find_set(family, edition, arguments["set"]).digest
    if "agent" in arguments:
        own = find_agent(arguments["agent"], arguments.get("agent_boundary"))
        digest += own.digest
        arguments = {**arguments, "agent_boundary": own.boundary}
        rules = custom_agent_rules(rules)
    complete = family.rules_for(edition, **rules)
    if complete.prompts is not None:
        _try_prompts(family, complete)
        digest += folder_digest(Path(complete.prompts))
        rules = {**rules, "prompts": str(Path(complete.prompts).resolve())}
    if player is not None:
        family.player(player)
        arguments = {**arguments, "player": player}
    package = family.generate.__module__.partition(".")[0]
    return RunSpec(
        task=f"{package}/{family.name}",
        version=family.card.version,
        digest=digest,
        arguments={**arguments, **rules},
        model=NO_MODEL if model is None else check_model_name(model),
        options=options,
    )


def _try_prompts(family: AnyFamily, rules: Rules) -> None:
    """Write one prompt, so that what is wrong with a user's texts is said at once."""
    level = next(iter(family.levels.values()))
    family.prompt(family.generate(level, 0, 0).public, rules)
