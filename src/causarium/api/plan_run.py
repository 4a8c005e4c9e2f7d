"""From what a user asks for to a run that can be started: all that can be checked beforehand is.

A model behind an address is asked one question first, so that a wrong address, name or key is one
sentence and not a run that fails instance by instance.
"""

import json
import os
import socket
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from causarium import families
from causarium.contract.places import Place
from causarium.contract.rules import check_edition, choose_edition
from causarium.contract.rungs import parse_rungs
from causarium.contract.sets.instance_sets import choose_numbers, find_set, open_set
from causarium.contract.shard import Shard
from causarium.contract.texts.prompt_texts import folder_digest
from causarium.engine.gate import BREAKER, find_prices, read_prices
from causarium.engine.run.models import NO_MODEL, check_model_names, find_served_model
from causarium.engine.run.options import read_options
from causarium.engine.run.run_plan import RunPlan
from causarium.engine.task.custom_agent import custom_agent_rules, find_agent, resolve_agent_path
from causarium.errors import UnknownName, UsageError

SERVICE = "endpoint"
_KEY_VAR, _ADDRESS_VAR = f"{SERVICE.upper()}_API_KEY", f"{SERVICE.upper()}_BASE_URL"
_CONNECT_S, _REPLY_S, _LIST_S = 10, 600, 5
"""How long to wait: to be let in, for a first reply (weights may have to be loaded), for a list."""
_QUESTION: dict[str, Any] = {
    "messages": [{"role": "user", "content": "Reply with the word yes."}],
    "max_tokens": 16,
}


def reach_endpoint(
    endpoint: str, model: str | None, key_env: str | None, say: Callable[[str], None]
) -> str:
    """Ask the model behind an address one question; returns the name by which a run calls it.

    The address and the key go to the environment of this process, where Inspect looks for them.

    Args:
        endpoint: The address, such as http://127.0.0.1:8000/v1.
        model: The model's name there.
        key_env: The variable that holds the key; None: the server wants none.
        say: Gets a line when the call is made.

    Raises:
        UsageError: The address, the name or the key does not work; says what the server answered.
    """
    base = endpoint.rstrip("/")
    place = urlsplit(base)
    if place.scheme not in ("http", "https") or not place.hostname:
        raise UsageError(f"--endpoint is an address such as http://host:8000/v1, not {endpoint!r}")
    if not model:
        raise UsageError("--endpoint needs --model, the name by which the server knows the model")
    key = os.environ.get(key_env, "") if key_env else "none"
    if not key:
        raise UsageError(f"--key-env names {key_env}, but that environment variable is not set")
    say(f"asking {model} at {base} one question")
    port = place.port or (443 if place.scheme == "https" else 80)
    try:
        socket.create_connection((place.hostname, port), timeout=_CONNECT_S).close()
    except OSError as wrong:
        raise UsageError(f"nothing answers at {place.hostname}:{port} ({wrong})") from wrong
    _ask(base, model, key)
    os.environ[_ADDRESS_VAR], os.environ[_KEY_VAR] = base, key
    return f"openai-api/{SERVICE}/{model}"


def _ask(base: str, model: str, key: str) -> None:
    where = f"{base}/chat/completions"
    try:
        reply = _send(where, key, _REPLY_S, {"model": model, **_QUESTION})
        reply["choices"][0]["message"]["role"]
    except HTTPError as wrong:
        answered = " ".join(wrong.read(400).decode("utf-8", "replace").split())
        said = wrong.reason if answered[:1] in ("", "<") else answered
        raise UsageError(f"{where} answered {wrong.code}: {said}. {_advise(base, key)}") from wrong
    except (URLError, OSError, HTTPException) as wrong:
        raise UsageError(
            f"{where} did not finish its answer ({wrong!r}). {_advise(base, key)}"
        ) from wrong
    except (ValueError, LookupError, TypeError, AttributeError) as wrong:
        raise UsageError(
            f"{where} did not answer as chat completions do. {_advise(base, key)}"
        ) from wrong


def _advise(base: str, key: str) -> str:
    """Say what would work: the models that the server lists, or another address."""
    for address in (base, f"{base}/v1"):
        try:
            listed = [str(one["id"]) for one in _send(f"{address}/models", key, _LIST_S)["data"]]
        except (OSError, HTTPException, ValueError, LookupError, TypeError, AttributeError):
            continue
        if address != base:
            return f"Try --endpoint {address}"
        return f"Its models: {', '.join(listed[:8])}"
    return "The address is the one below which /chat/completions lies, and mostly ends in /v1"


def _send(where: str, key: str, timeout_s: float, body: dict[str, Any] | None = None) -> Any:  # noqa: ANN401
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {key}"}
    data = None if body is None else json.dumps(body).encode()
    with urlopen(Request(where, data, headers), timeout=timeout_s) as reply:  # noqa: S310
        return json.load(reply)


@dataclass(frozen=True)
class RunRequest:
    """What a user asks for; nothing of it is checked yet."""

    family: str
    model: str | None = None
    player: str | None = None
    agent: str | None = None
    """An agent of the user's own: FILE.py@NAME or PACKAGE.MODULE:NAME."""
    edition: str | None = None
    """None: `certified`, and `paper` with a release or the published protocol."""
    set: str = "standard"
    file: str | Path | None = None
    """A set of one's own in place of a named set."""
    rules: Mapping[str, Any] = field(default_factory=dict)
    limit: int | None = None
    """So many instances, spread evenly over rungs or levels; None: all."""
    rungs: str | None = None
    """Only some rungs of a ladder, as in 3 or 5-9; None: all."""
    prices: Sequence[str] = ()
    """US dollars per million tokens, IN,OUT or ROLE=IN,OUT."""
    budget: float | None = None
    """US dollars that all runs together may spend."""
    breaker: int | None = None
    """So many failures of the provider in a row end the runs; None: as many as is usual."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """Options for Inspect, by the names of its parameters."""
    agent_boundary: str | None = None
    """Where an agent of the user's own runs; None: behind the best wall that there is."""
    shard: str | Shard | None = None
    """Which share of the instances to play: K/N; None: all."""
    log_dir: str | Path = "logs"
    beside: tuple[str, ...] = ()
    """The other families that the same command runs."""
    release: str | Path | None = None
    """A clone of the published release, to be played from."""
    release_anyway: bool = False
    """Whether an unknown state of it will do."""
    protocol: str | None = None
    """`published`: rules and settings as the published runs had them, where none are given."""


def fill_in_release(request: RunRequest) -> RunRequest:
    """Return a request with all that a release and the published protocol stand for.

    What the user asks for stays: the protocol fills in rules and settings that are not given.

    Raises:
        UsageError: The release cannot be used, there is no such protocol, or another edition was
            asked for.
    """
    if request.release is None and request.protocol is None:
        return request
    edition = choose_edition(request.edition, published=True)
    family = families.get(request.family, edition)
    rules, options, file = dict(request.rules), dict(request.options), request.file
    if request.protocol is not None:
        protocol = family.release_card.find_protocol(request.protocol)
        rules = {**protocol.rules_for(request.model), **rules}
        options = {**(protocol.settings if request.model else {}), **options}
    if request.release is not None:
        rules["release"] = str(request.release)
        rules["release_anyway"] = request.release_anyway or rules.get("release_anyway", False)
        if file is None:
            file = family.find_released_set(family.rules_for(edition, **rules), request.set)
    return replace(
        request,
        edition=edition,
        rules=rules,
        options=options,
        file=file,
        release=None,
        protocol=None,
    )


def plan_run(request: RunRequest) -> RunPlan:
    """Find all that a run needs, and check it.

    Raises:
        UsageError: Not exactly one of model and player is given, or an option, edition, set, file,
            player, agent, model, role, price or rule does not exist.
        MissingExtra: The interface needs an optional package that is not installed.
    """
    request = fill_in_release(request)
    edition = choose_edition(request.edition, published=False)
    family = families.get(request.family, edition)
    options = read_options(request.options)
    rules = {name: value for name, value in request.rules.items() if value is not None}
    model = request.model
    local = find_served_model(model, rules, options.given)
    if local is not None:
        model, options = local.model, replace(options, given=local.options(options.given))
        rules = local.rules(rules, family)
    helpers = [name for names in options.roles.values() for name in names]
    check_model_names([*([model] if model else []), *helpers])
    file = None if request.file is None else Place.parse(request.file).resolved
    if file is None:
        digest = find_set(family, edition, request.set).digest
    else:
        digest = open_set(file, families.get(request.family)).header.digest
    boundary, agent = None, request.agent
    if agent is not None and request.player is None:
        agent = resolve_agent_path(agent)
        own = find_agent(agent, request.agent_boundary)
        digest, boundary, rules = digest + own.digest, own.boundary, custom_agent_rules(rules)
    complete = family.rules_for(edition, **rules)
    complete.check_interface_installed()
    if complete.prompts is not None:
        digest += folder_digest(Path(complete.prompts))
        rules["prompts"] = str(Path(complete.prompts).resolve())
    if (release := family.open_release(complete)) is not None:
        digest += release.digest
        rules["release"] = str(release.path)
    given = read_prices(request.prices)
    plan = RunPlan(
        family=family.name,
        task=f"causarium/{family.name}",
        version=family.card.version,
        edition=edition,
        digest=digest,
        set=request.set,
        file=file,
        rules=rules,
        player=request.player,
        agent=agent,
        agent_boundary=boundary,
        model=model or NO_MODEL,
        local=local,
        options=options,
        limit=request.limit,
        rungs=request.rungs,
        own_prices=frozenset(given),
        budget=request.budget,
        breaker=BREAKER if request.breaker is None else request.breaker,
        log_dir=str(request.log_dir),
        beside=request.beside,
    )
    costs = options.given.get("model_cost_config", {})
    plan = replace(plan, prices=find_prices(plan.models, costs) | given)
    plan = share_plan(plan, Shard.parse(request.shard))
    for check in CHECKS:
        check(plan)
    return plan


def share_plan(plan: RunPlan, shard: Shard) -> RunPlan:
    """Return the run of a share of the instances.

    Raises:
        UsageError: There are more shards than instances.
    """
    if plan.limit and shard.number > plan.limit:
        raise UsageError(f"there are more shards than instances: {shard} has none to play")
    return replace(plan, shard=shard)


def check_who_plays(plan: RunPlan) -> None:
    """Make sure that either a model or a player plays, and that there is such a player."""
    if (plan.player is None) == (plan.model == NO_MODEL):
        raise UsageError("Give either --model PROVIDER/MODEL or --player NAME.")
    if plan.player is not None and plan.agent is not None:
        raise UsageError(
            f"--player {plan.player} plays without an agent; give --agent with --model"
        )
    if plan.player is not None:
        families.get(plan.family, check_edition(plan.edition)).player(plan.player)


def check_limit(plan: RunPlan) -> None:
    """Make sure that there is something to play."""
    if plan.limit is not None and plan.limit < 1:
        raise UsageError(f"limit is the number of instances to run, 1 or more, not {plan.limit}")
    rungs = parse_rungs(plan.rungs)
    if rungs is not None and plan.file is None:
        edition = check_edition(plan.edition)
        spec = find_set(families.get(plan.family, edition), edition, plan.set)
        choose_numbers(spec.parts, rungs=rungs)


def check_roles(plan: RunPlan) -> None:
    """Make sure that a family asks each role."""
    names = dict.fromkeys((plan.family, *plan.beside))
    asked = {role for name in names for role in families.card(name).roles}
    for role in plan.options.roles:
        if role not in asked:
            who = " or ".join(names) if len(names) <= 2 else "these families"
            raise UnknownName(f"role of {who}", role, asked, plural="roles")


def check_prices(plan: RunPlan) -> None:
    """Make sure that prices are of roles of this run, and that those are known that are needed."""
    for role in plan.own_prices:
        if role not in plan.models:
            raise UnknownName("role in --price", role, plan.models, plural="roles of this run")
    limited = "--cost-limit" if "cost_limit" in plan.options.given else ""
    option = "--budget" if plan.budget is not None else limited
    missing = " and ".join(sorted(plan.models.keys() - plan.prices.keys()))
    if option and missing:
        raise UsageError(
            f"{option} needs the price of {missing}: give --price IN,OUT in US dollars per million "
            "tokens (ROLE=IN,OUT for a role), or --model-cost-config FILE"
        )


def check_budget(plan: RunPlan) -> None:
    """Make sure that a budget is an amount, and a breaker a number."""
    if plan.breaker < 0:
        raise UsageError(f"--breaker is a number of failures, or 0 for none, not {plan.breaker}")
    if plan.budget is not None and not plan.budget > 0:
        raise UsageError(f"a budget must be an amount in US dollars above 0, not {plan.budget:g}")


def check_prompts(plan: RunPlan) -> None:
    """Write one prompt, so that what is wrong with texts that are not ours is said at once."""
    if {"prompts", "release"} & plan.rules.keys():
        edition = check_edition(plan.edition)
        family = families.get(plan.family, edition)
        level = next(one for one in family.levels.values() if one.edition == edition)
        rules = family.rules_for(edition, **plan.rules)
        family = family.with_release(rules, edition)
        family.prompt(family.generate(level, 0, 0).public, rules)


CHECKS: tuple[Callable[[RunPlan], None], ...] = (
    check_who_plays,
    check_limit,
    check_roles,
    check_prices,
    check_budget,
    check_prompts,
)
"""What every plan passes, in this order; each raises `UsageError`."""
