"""The reproducibility card of a run: all that must agree for another run to be the same.

What a task knows when it is built stands in the log's own metadata, what the provider was told in
its header; a card is both. Two runs can be put together if nothing differs that could move a score.
"""

import platform
from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import Field, ValidationError

from causarium.contract.family import AnyFamily, AnyInstance
from causarium.contract.frozen import Frozen, canonical_json, digest, digest_lines
from causarium.contract.rules import Edition, Rules
from causarium.contract.texts.prompt_texts import folder_digest
from causarium.contract.world import offered_actions
from causarium.engine.record.episode_record import HUMAN, HUMAN_SEEN
from causarium.engine.record.secrets import is_hidden, show_address, show_arguments, show_settings

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog

CARD_KEY = "card"
"""In a task's metadata: what is known of a run before anybody is asked."""
SHARD_KEY, SET_SIZE_KEY = "shard", "set_size"
"""In the metadata of a task that plays a share of a set: which share, and how large the set is."""
CARD_FILE = "card.json"
"""In a run's folder: the card."""
UNKNOWN = "not recorded"

PROVIDER_PACE = frozenset(
    ("max_retries", "timeout", "attempt_timeout", "stream_idle_timeout", "max_connections")
) | {"adaptive_connections", "batch", "cache", "cache_prompt"}
"""Settings of a provider that change how fast it answers and not what; Inspect itself leaves them
out when it asks whether two runs are the same."""
_LIMITS = (
    *("message_limit", "token_limit", "turn_limit", "time_limit", "working_limit", "cost_limit"),
)

_OWN_WORDS = ("system_message", "extra_body", "chat_template")

_BOUNDARIES = {"none": "none: unguarded, in reach of the truth"}


class TaskFacts(Frozen):
    """What a task says of itself when it is built."""

    set_digest: str
    prompt_digest: str
    rules: dict[str, Any]
    changed: tuple[str, ...]
    roles: tuple[str, ...]
    """The roles that the family asks."""
    own_agent: str | None
    boundary: str | None = None
    release: str | None = None
    python: str
    causarium: str


_STATED = {"set_digest", "prompt_digest", "rules", "changed", "own_agent", "boundary", "release"}
"""What of it a run card says in the same words."""


class RunCard(Frozen):
    """What one run was. What a log does not tell, because it is older, is `UNKNOWN`."""

    family: str
    version: str
    edition: str
    set: str
    agent: str
    """Who played: `player/NAME`, the model, or `NAME (model)` of an agent of one's own."""
    label: str = ""
    """What sets this run apart from others of the same agent, where there are any."""
    run: str = ""
    """Which earlier run it is, where one is compared with."""
    set_digest: str = UNKNOWN
    """Of the whole set, whatever part of it was played."""
    prompt_digest: str = UNKNOWN
    """Of the words that open every instance, the tools on offer, and texts of a user's own."""
    rules: dict[str, Any] = Field(default_factory=dict)
    changed: tuple[str, ...] = ()
    """Rules that are not what the edition has by default."""
    own_agent: str | None = None
    """The digest of an agent of one's own."""
    boundary: str | None = None
    """Where such an agent ran: `sandbox`, `process`, or `none`, in reach of the truth."""
    release: str | None = None
    """The release that was played from, with its commit or what is unknown of its state."""
    settings: dict[str, Any] = Field(default_factory=dict)
    """What the provider was told: temperature, seed, reasoning effort and so on."""
    arguments: dict[str, Any] = Field(default_factory=dict)
    """What else the provider was told when it was opened."""
    base_url: str | None = None
    seed: int | None = None
    """The seed that the provider was given, if it was."""
    roles: dict[str, tuple[dict[str, Any], ...]] = Field(default_factory=dict)
    """The models bound to each role, with their settings."""
    limits: dict[str, int | float | str] = Field(default_factory=dict)
    """Where an episode is cut off."""
    instances: int = 0
    """How many of the set were chosen."""
    limit: str | None = None
    rungs: str | None = None
    """The rungs that were asked for, as in 5-9; None: all."""
    epochs: int = Field(default=1, ge=1, le=1_000_000)
    sandbox: str | None = None
    versions: dict[str, str] = Field(default_factory=dict)
    """Of causarium, Inspect and Python."""
    created: str = ""

    def list_compared(self) -> dict[str, str]:
        """Return, by name, everything that could move a score."""
        found = {
            "family": self.family,
            "version": self.version,
            "edition": self.edition,
            "set": self.set,
            "set digest": self.set_digest,
            "agent": self.agent,
            "agent digest": self.own_agent or "",
            "prompts": self.prompt_digest,
        }
        if self.boundary:
            found["agent boundary"] = self.boundary
        if self.release:
            found["release"] = self.release
        # The folder of a user's own texts may be anywhere; what is in it is in the digest.
        for name in self.changed:
            if name not in {"prompts", "release"}:
                found[f"rule {name}"] = canonical_json(self.rules.get(name))
        for name, value in self.settings.items():
            if name not in PROVIDER_PACE:
                found[name] = canonical_json(value)
        found |= {
            f"argument {name}": canonical_json(value) for name, value in self.arguments.items()
        }
        found |= {name.replace("_", " "): str(value) for name, value in self.limits.items()}
        for role, models in self.roles.items():
            found[role] = ", ".join(map(_in_short, models))
        return found

    @property
    def own_words(self) -> list[str]:
        """The settings by which a user may add words to the family's, or replace them."""
        return [name for name in _OWN_WORDS if name in {**self.settings, **self.arguments}]

    @property
    def name(self) -> str:
        """Who played, and what sets the run apart."""
        marks = ", ".join(filter(None, (self.label, self.run)))
        return f"{self.agent} ({marks})" if marks else self.agent

    def lines(self) -> list[tuple[str, str]]:
        """Return the card for people: a name and a value in each line."""
        given = {name: self.rules.get(name) for name in self.changed}
        found = {
            "family": f"{self.family} {self.version}, {self.edition} edition",
            "set": f"{self.set}, {self.set_digest}",
            "played": self._amount(),
            "agent": self.agent,
            "digest of the agent": self.own_agent or "",
            "boundary of the agent": _BOUNDARIES.get(self.boundary or "", self.boundary or ""),
            "digest of the prompts": self.prompt_digest,
            "release": self.release or "",
            "rules": in_words(given) or "the edition's own",
            "provider settings": in_words(self.settings) or "its defaults",
            "provider arguments": in_words(self.arguments),
            "provider address": self.base_url or "",
            **{f"role {role}": ", ".join(map(_in_short, us)) for role, us in self.roles.items()},
            "limits": in_words(self.limits),
            "sandbox": self.sandbox or "",
            "versions": in_words(self.versions),
            "started": self.created,
        }
        return [(name, value) for name, value in found.items() if value]

    def command(self) -> tuple[str, ...]:
        """Return the command that makes this run again, from a set of the family's card."""
        player = self.agent.removeprefix("player/")
        who = ("--model", self.agent) if player == self.agent else ("--player", player)
        words = ["causarium", "run", self.family, *who]
        words += ["--edition", self.edition, "--set", self.set]
        for name in self.changed:
            words += ["--rule", f"{name}={shorten_value(canonical_json(self.rules.get(name)))}"]
        if self.limit and self.limit.isdecimal():
            words += ["--limit", self.limit]
        words += ["--rungs", self.rungs] if self.rungs else []
        if self.epochs > 1:
            words += ["--epochs", str(self.epochs)]
        told = {k: v for k, v in self.settings.items() if k not in PROVIDER_PACE and _is_plain(v)}
        for name, value in {**told, **self.limits}.items():
            words += [f"--{name.replace('_', '-')}", str(value)]
        for name, value in self.arguments.items():
            words += [] if is_hidden(value) else ["-M", f"{name}={value}"]
        for role, models in self.roles.items():
            words += ["--model-role", f"{role}={','.join(one['model'] for one in models)}"]
        return tuple(words)

    def _amount(self) -> str:
        times = f", {self.epochs} epochs" if self.epochs > 1 else ""
        few = f" (limit {self.limit})" if self.limit else ""
        return f"{self.instances} instances{few}{times}"

    @property
    def key(self) -> str:
        """A few digits of everything that could move a score: equal for one and the same run."""
        return digest(canonical_json(dict(self.list_compared()))).partition(":")[2][:16]


def _is_plain(value: object) -> bool:
    plain = isinstance(value, str | int | float) and not isinstance(value, bool)
    return plain and not is_hidden(value)


def in_words(values: Mapping[str, Any]) -> str:
    """Write named values in one line.

    Example:
        >>> in_words({"temperature": 0.5, "effort": "high"})
        'temperature=0.5, effort=high'
    """
    return ", ".join(
        f"{name}={shorten_value(canonical_json(value))}" for name, value in values.items()
    )


def _in_short(model: Mapping[str, Any]) -> str:
    settings = {k: v for k, v in (model.get("settings") or {}).items() if k not in PROVIDER_PACE}
    return f"{model['model']}{canonical_json(settings) if settings else ''}"


class Difference(Frozen):
    """Something in which runs are not the same."""

    name: str
    values: tuple[str, ...]
    """What each of them has; empty where it has nothing of the kind."""

    def __str__(self) -> str:
        return f"{self.name} ({' / '.join(shorten_value(value) for value in self.values)})"


def shorten_value(value: str) -> str:
    """Return a value as it is shown to people: not the whole of a digest."""
    if value.startswith("sha256:"):
        return value.partition(":")[2][:8]
    return value.strip('"') or "default"


def differences(cards: Sequence[RunCard]) -> list[Difference]:
    """Return everything that could move a score and in which the cards do not agree."""
    flat = [card.list_compared() for card in cards]
    names = dict.fromkeys(name for one in flat for name in one)
    differing = [(name, tuple(dict.fromkeys(one.get(name, "") for one in flat))) for name in names]
    return [Difference(name=name, values=values) for name, values in differing if len(values) > 1]


def labels(cards: Sequence[RunCard]) -> dict[str, str]:
    """Name each of several runs, by its key, by what it has and others do not."""
    apart = [one.name for one in differences(cards)]
    label_of = {}
    for card in cards:
        mine = card.list_compared()
        parts = [f"{_strip_prefix(name)}={shorten_value(mine.get(name, ''))}" for name in apart]
        label_of[card.key] = ", ".join(parts)
    return label_of


def _strip_prefix(name: str) -> str:
    return name.removeprefix("rule ").removeprefix("argument ")


def state(
    family: AnyFamily,
    edition: Edition,
    rules: Rules,
    first: AnyInstance,
    *,
    set_digest: str,
    openings: Iterable[str],
    own_agent: tuple[str, str] | None = None,
) -> dict[str, Any]:
    """Return what a task's metadata holds for the card of its runs.

    Args:
        family: The family.
        edition: The edition that is played.
        rules: How it is played.
        first: Any instance of the set.
        set_digest: The digest of the whole set.
        openings: The words that open each instance of the whole set.
        own_agent: The digest of an agent of one's own, and where it runs.
    """
    usual = family.rules_for(edition)
    release = family.open_release(rules)
    stated = TaskFacts(
        set_digest=set_digest,
        prompt_digest=_wording(family, rules, first, openings),
        rules=rules.model_dump(mode="json"),
        changed=tuple(
            name
            for name in family.rules.model_fields
            if getattr(rules, name) != getattr(usual, name)
        ),
        roles=family.card.roles,
        own_agent=own_agent[0] if own_agent else None,
        boundary=own_agent[1] if own_agent else None,
        release=release.describe() if release else None,
        python=platform.python_version(),
        causarium=_read_own_version(),
    )
    return {CARD_KEY: stated.model_dump(mode="json")}


def list_changed_rules(card: RunCard, family: AnyFamily) -> dict[str, Any]:
    """Return the rules that are not the edition's own: by their values, not by what a card says."""
    # The edition was read from a log; one that is none has the rules of the certified one.
    usual = family.rules_for(card.edition).model_dump(mode="json")  # type: ignore[arg-type]
    return {name: value for name, value in card.rules.items() if usual.get(name) != value}


def _wording(family: AnyFamily, rules: Rules, first: AnyInstance, openings: Iterable[str]) -> str:
    texts: list[str] = []
    if rules.by_tools:
        offered = offered_actions(family.open_world(first, rules))
        texts += [f"{a.kind} {a.__doc__} {canonical_json(a.model_json_schema())}" for a in offered]
    if rules.prompts is not None:
        texts.append(folder_digest(Path(rules.prompts)))
    if (release := family.open_release(rules)) is not None:
        texts.append(release.digest)
    return digest_lines(chain(openings, texts))


def _read_own_version() -> str:
    try:
        return version("causarium")
    except PackageNotFoundError:
        return UNKNOWN


def who_played(player: str | None, agent: str | None, model: str) -> str:
    """Return who played: `player/NAME`, `human`, the model, or `NAME (model)` of an agent."""
    if player is not None:
        return player if player in {HUMAN, HUMAN_SEEN} else f"player/{player}"
    return f"{agent} ({model})" if agent else model


def card_of(header: "EvalLog") -> RunCard:
    """Return the card of the run that a log's header tells of."""
    spec, config = header.eval, header.eval.config
    metadata = spec.metadata or {}
    stated = _read_stated(metadata)
    used = stated.roles if stated else tuple(spec.model_roles or ())
    packages = {"python": stated.python, "causarium": stated.causarium} if stated else {}
    settings = show_settings(spec.model_generate_config) | show_settings(header.plan.config)
    chosen = spec.dataset.sample_ids or []
    return RunCard(
        family=str(metadata.get("family", spec.task)),
        version=str(spec.task_version),
        edition=str(metadata.get("edition", "")),
        set=str(metadata.get("set", "")),
        agent=who_played(metadata.get("player"), metadata.get("agent"), spec.model),
        **(stated.model_dump(include=_STATED) if stated else {}),
        settings=settings,
        seed=settings.get("seed"),
        arguments=show_arguments(spec.model_args),
        base_url=show_address(spec.model_base_url),
        roles={
            role: tuple(
                _describe_helper_model(one)
                for one in (bound if isinstance(bound, list) else [bound])
            )
            for role, bound in (spec.model_roles or {}).items()
            if role in used
        },
        limits={name: value for name in _LIMITS if (value := getattr(config, name)) is not None},
        instances=len(chosen),
        limit=_read_text(spec.task_args.get("limit") if config.limit is None else config.limit),
        rungs=_read_text(spec.task_args.get("rungs")),
        epochs=config.epochs or 1,
        sandbox=spec.sandbox.type if spec.sandbox else None,
        versions={**packages, "inspect_ai": spec.packages.get("inspect_ai", UNKNOWN)},
        created=str(spec.created),
    )


def _read_text(value: object) -> str | None:
    return None if value is None else str(value)


def _read_stated(metadata: Mapping[str, Any]) -> TaskFacts | None:
    try:
        return TaskFacts.model_validate(metadata[CARD_KEY])
    except (KeyError, ValidationError):
        # Another release wrote it; what it says otherwise can be read all the same.
        return None


def _describe_helper_model(model: Any) -> dict[str, Any]:  # noqa: ANN401
    found = {
        "model": model.model,
        "settings": show_settings(model.config),
        "arguments": show_arguments(model.args),
    }
    return {name: value for name, value in found.items() if value}
