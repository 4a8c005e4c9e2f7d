"""One episode, played by hand: `reset`, `step`, `score`, in the manner of Gymnasium.

A session hands out what an agent may know and nothing else: the opening, what is allowed now, and
what the world answers. `reward`, `verdict` and `score` are for whoever trains. It computes no score
of its own: the family's function does, the one that scores logs. It is opened by address, or from a
snapshot of another.
"""

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, field, replace
from functools import cached_property
from textwrap import shorten
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field, SecretStr, StrictBool, ValidationError

from causarium import families
from causarium.api.moves import MoveLike, check_action, describe_tool, opening_text, read_move
from causarium.contract.episode import Episode, replay, reward_of
from causarium.contract.family import AnyFamily, AnyInstance, Prompt
from causarium.contract.family_card import Split
from causarium.contract.frozen import Frozen, digest, nan_to_null
from causarium.contract.rules import Edition, Rules, check_edition
from causarium.contract.sets.instance_sets import generate_one
from causarium.contract.sets.splits import check_split, draw_at, read_salt, split_part
from causarium.contract.texts.replies import describe_validation_error
from causarium.contract.texts.reply_schemas import Schema, actions_schema
from causarium.contract.turn import Turn
from causarium.contract.verdict import Verdict
from causarium.contract.world import Action, Move, Program, Unparsed, offered_actions
from causarium.errors import BadFile, ContractError, UsageError

if TYPE_CHECKING:
    from causarium.engine.play.programs import ProgramRunner


@dataclass(frozen=True, slots=True)
class Step:
    """What one move led to."""

    text: str
    """What the agent reads; empty after the end."""
    data: dict[str, Any] = field(default_factory=dict)
    """The same as data."""
    legal: bool = True
    """False when the move was refused, or came after the end."""
    cost: int = 0
    """How much of the budget the move used."""
    done: bool = False
    """Whether the episode is over."""
    unparsed: str | None = None
    """The error mode of a reply in which no action could be read; None if one was."""
    reward: float = 0.0
    """What the move earned: all of the episode's reward at its end, or a share of it each turn
    where the session is shaped. It is for a trainer, never for the agent."""
    info: dict[str, Any] = field(default_factory=dict)
    """What an adapter may hand out beside the text."""
    frame: str = ""
    """The world then as a picture, a PNG as a data address; empty where there is none."""

    def __repr__(self) -> str:
        state = "done" if self.done else "refused" if not self.legal else "goes on"
        return f"Step({shorten(self.text, 60)!r}, reward={self.reward:g}, {state})"


@dataclass(repr=False, eq=False)
class Session:
    """One instance being played.

    Example:
        >>> import causarium as cm
        >>> link = cm.load("causallink")
        >>> session = link.open(link.instance("smoke", 2), interface="tools")
        >>> opening = session.reset()
        >>> [tool["name"] for tool in session.tools()]
        ['trial', 'answer']
        >>> session.step("I cannot decide.").unparsed
        'invalid format'
        >>> session.step({"kind": "answer", "answer": "no"}).done
        True
    """

    family: AnyFamily
    """The family, as `Benchmark.family` has it."""
    instance: AnyInstance
    """The instance to play."""
    rules: Rules
    """How it is played."""
    _: KW_ONLY
    edition: Edition = "certified"
    """The edition that the instance is of."""
    address: "Address | None" = None
    """Where the instance comes from, so that a snapshot can say so."""
    shaped: bool = False
    """Whether each turn earns its share of progress. The shares of a finished episode add up to its
    reward where `gamma` is 1, so no policy changes rank; they help methods that learn a value for
    each turn, and add noise to those that do not."""
    gamma: float = 1.0
    """The discount of the trainer, for shaping."""
    sandbox: bool = False
    """Whether programs of the agent are run, in a sandbox; otherwise they are refused."""

    def __post_init__(self) -> None:
        self._begin()

    def _begin(self) -> None:
        self._episode = Episode(self.family, self.instance, self.rules)
        self.offered = self._keep_runnable(offered_actions(self._episode.world))
        """The kinds of action that are allowed at some time of this episode; it never changes."""
        self._at_start = self._measure() if self.shaped else 0.0
        self._potential = 0.0

    @cached_property
    def _prompt(self) -> Prompt:
        # Only when it is read: a trainer that plays by actions needs no words.
        prompt: Prompt = self.family.prompt(self.instance.public, self.rules)
        return prompt

    @cached_property
    def _runner(self) -> "ProgramRunner":
        from causarium.engine.play.programs import ProgramRunner

        return ProgramRunner()

    def reset(self) -> str:
        """Start over; returns the opening text: all that an agent reads before its first move."""
        self._begin()
        return self.opening

    @property
    def opening(self) -> str:
        """The system text and the user text, one after the other."""
        return opening_text(self._prompt)

    @property
    def messages(self) -> list[dict[str, str]]:
        """The opening as chat messages, as a run sends them to a model."""
        system, user = self._prompt.system, self._prompt.user
        if self.rules.join_system:
            return [{"role": "user", "content": f"{system}\n{user}"}]
        return [{"role": "system", "content": system}, {"role": "user", "content": user}]

    @property
    def observation(self) -> str:
        """What an agent read last: the opening, or what the world answered."""
        return self._episode.turns[-1].observation if self._episode.turns else self.opening

    @property
    def actions(self) -> tuple[type[Action], ...]:
        """The kinds of action that are allowed now; empty after the end."""
        return self._episode.world.allowed_actions

    @property
    def done(self) -> bool:
        """Whether the episode is over."""
        return self._episode.done

    @property
    def budget_left(self) -> int:
        """How much of the budget is left."""
        return self._episode.world.budget - self._episode.world.spent

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The turns so far, as a log keeps them."""
        return tuple(self._episode.turns)

    @property
    def episode(self) -> Episode:
        """The episode itself, secret and all: for players and trainers, never for an agent."""
        return self._episode

    @property
    def reward(self) -> float:
        """What the turns so far are worth, in [-1, 1]."""
        return reward_of(self.family, self.edition, self._episode.score())

    def info(self) -> dict[str, Any]:
        """Return what may be handed out beside the text, which tells no more than the text."""
        turns, latest = self._episode.turns, self._episode.latest
        unparsed = turns[-1].unparsed if turns else None
        return {
            "turn": len(turns),
            "spent": self._episode.world.spent,
            "budget": self._episode.world.budget,
            "legal": turns[-1].legal if turns else True,
            "cost": turns[-1].cost if turns else 0,
            "unread": unparsed.mode if unparsed else None,
            "expects": self._list_expected(),
            "seen": dict(latest.data) if latest else {},
        }

    def _list_expected(self) -> list[str]:
        if self.rules.by_tools:
            return list(self._find_tools())
        return [kind.kind for kind in self._keep_runnable(self.actions)]

    def says(self, action: Action) -> str:
        """Return an action as the reply in which it is read again.

        Raises:
            Unsayable: No reply of the interface can hold it.
            UsageError: It is no action of this family's.
        """
        return self.family.replies.write(check_action(self.family, action), self.rules)

    def tools(self) -> list[dict[str, Any]]:
        """Return what is offered as tools: name, description and JSON schema of parameters.

        The list is the same from the start to the end of an episode, so a client reads it once. A
        call that is not allowed yet, or no more, is refused and costs nothing.
        """
        return [describe_tool(action) for action in self.offered if action.in_tools]

    def _find_tools(self) -> dict[str, type[Action]]:
        """Return what can be called now, by name."""
        allowed = self._keep_runnable(self.actions)
        return {kind.kind: kind for kind in allowed if kind.in_tools}

    def _keep_runnable(self, kinds: tuple[type[Action], ...]) -> tuple[type[Action], ...]:
        return tuple(kind for kind in kinds if self.sandbox or not issubclass(kind, Program))

    def schema(self) -> Schema:
        """Return the JSON schema of the reply expected now; empty after the end."""
        if self.done:
            return {}
        if self.family.replies.schema is None:
            return actions_schema(self.actions)
        return self.family.replies.schema(self.instance.public, self.actions, self.rules)

    def step(self, move: MoveLike) -> Step:
        """Make one move.

        Args:
            move: A text is read as a model's reply would be. A mapping with `kind` is an action
                and its fields; one with `name` and `arguments` is a tool call. A text in which
                nothing can be read is a turn too, with `unparsed` set. A tool call that does not
                fit its tool, or is not allowed now, is refused and is no turn: it can end nothing.

        Raises:
            UsageError: An action is not one of this family's, its fields are wrong, or it is a
                program, which needs a sandbox.
        """
        if self.done:
            return Step(text="", legal=False, done=True, info=self.info())
        return self.make(self.parse_move(move), is_call=not isinstance(move, str))

    def make(self, read: Move, *, is_call: bool) -> Step:
        """Make a move that `parse_move` returned, as `step` does.

        Args:
            read: The move.
            is_call: Whether it was no text: one that cannot be read is then refused.
        """
        if not is_call or not isinstance(read, Unparsed):
            return self.take(read)
        text = f"That call was not taken: {read.detail}. Nothing has changed; call again."
        info = self.info() | {"legal": False, "cost": 0, "unread": read.mode}
        return Step(text=text, legal=False, unparsed=read.mode, info=info)

    def parse_move(self, move: MoveLike) -> Move:
        """Return the move that `step` would make of `move`.

        Raises:
            UsageError: As in `step`.
        """
        if isinstance(move, str):
            read = self._episode.parse_reply(move)
        else:
            read = read_move(self.family, move, self._find_tools())
        if isinstance(read, Program):
            self._check_sandbox(read)
        return read

    def take(self, move: Move) -> Step:
        """Make a move that was read already, as `step` does."""
        if isinstance(move, Program):
            move = self._run(move)
        if not self.done:
            self._episode.take(move)
        info = self.info()
        return Step(
            text=self.observation,
            data=info["seen"],
            legal=info["legal"],
            cost=info["cost"],
            done=self.done,
            unparsed=info["unread"],
            reward=self._pay(),
            info=info,
            frame=self._episode.latest.frame if self._episode.latest else "",
        )

    def _run(self, program: Program) -> Program:
        """Run a program; what it does to the world are turns before its own."""
        self._check_sandbox(program)
        return self._runner.run(self._episode, program, self._episode.take)

    def _check_sandbox(self, program: Program) -> None:
        if not self.sandbox:
            raise UsageError(
                f"{program.kind} runs a program, which needs a sandbox; open the session with "
                "sandbox=True, play it with causarium.evaluate, or play by rules without programs"
            )

    def _measure(self) -> float:
        progress = self.family.training.progress
        if progress is None:
            return 0.0
        return progress(self.instance, self.rules, self._episode.turns)

    def _pay(self) -> float:
        """Return what the latest turn earned."""
        before = self._potential
        if self.done:
            return self.reward - before
        if not self.shaped:
            return 0.0
        self._potential = self._measure() - self._at_start
        return self.gamma * self._potential - before

    def score(self) -> Verdict:
        """Return the verdict on the turns so far, by the function that scores logs."""
        return self._episode.score()

    def verdict(self) -> dict[str, float | None]:
        """Return the numbers of the verdict, once the episode is over; None where one is nan.

        Raises:
            UsageError: The episode is not over.
        """
        if not self.done:
            raise UsageError("the verdict is given at the end; `score` scores what was done so far")
        numbers: dict[str, float | None] = nan_to_null(self.score().numbers)
        return numbers

    def start_again(self) -> "Session":
        """Return a second session at the start of the same episode."""
        other = replace(self)
        # The words of the opening are the same, and take longer than the world.
        if "_prompt" in vars(self):
            vars(other)["_prompt"] = self._prompt
        return other

    def fork(self) -> "Session":
        """Return a second session at the same point, made by playing the turns again."""
        return replace(self)._go_on(self.turns)

    def snapshot(self) -> dict[str, Any]:
        """Return where the session stands as JSON data: an address, rules and turns, no secret.

        `causarium.restore` goes on from it.

        Raises:
            UsageError: The session was not opened by address; give it to pickle instead.
        """
        if self.address is None:
            raise UsageError(
                "a session of an instance given by hand has no address; open it with "
                "causarium.open_session(..., instance=...), or pickle it"
            )
        return {
            "address": self.address.model_dump(mode="json"),
            "rules": self.rules.model_dump(mode="json"),
            "turns": [turn.model_dump(mode="json") for turn in self.turns],
            **{name: getattr(self, name) for name in _SNAPPED},
        }

    def _go_on(self, turns: tuple[Turn, ...]) -> "Session":
        """Play recorded turns again from the start."""
        self._episode = replay(self.family, self.instance, self.rules, turns)
        if self.shaped:
            self._potential = self._measure() - self._at_start
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        options = {name: getattr(self, name) for name in ("edition", "address", *_SNAPPED)}
        return _rebuild, (self.family.name, self.instance, self.rules, options, self.turns)

    def __repr__(self) -> str:
        state = "done" if self.done else f"budget left {self.budget_left}"
        return f"Session({self.instance.id!r}, {len(self._episode.turns)} turns, {state})"


_SNAPPED = ("shaped", "gamma", "sandbox")
"""The options of a session that a snapshot names."""


def _rebuild(
    name: str,
    instance: AnyInstance,
    rules: Rules,
    options: dict[str, Any],
    turns: tuple[Turn, ...],
) -> Session:
    family = families.get(name, options["edition"]).with_release(rules, options["edition"])
    return Session(family, instance, rules, **options)._go_on(turns)


class Address(Frozen):
    """Where an instance comes from."""

    family: str
    version: str
    edition: Edition
    level: str | None = None
    split: Split | None = None
    seed: int = 0
    index: int = 0
    """The number of the instance in the split, or in the set."""
    set: str | None = None
    content: str | None = None
    """The digest of an instance that was given by hand."""
    salt_id: str | None = None
    """By what the salt of the private split can be told."""


class _Snapshot(Frozen):
    """What `Session.snapshot` returns."""

    address: Address
    rules: dict[str, Any]
    turns: tuple[Turn, ...]
    shaped: StrictBool
    gamma: Annotated[float, Field(strict=True)]
    sandbox: StrictBool


def open_session(  # noqa: PLR0913 - an address has many parts
    family: str,
    *,
    edition: str = "certified",
    level: str | None = None,
    split: str = "train",
    seed: int = 0,
    index: int = 0,
    set: str | None = None,
    instance: AnyInstance | None = None,
    salt: SecretStr | None = None,
    shaped: bool = False,
    gamma: float = 1.0,
    sandbox: bool = False,
    **rules: Any,  # noqa: ANN401
) -> Session:
    """Open an instance to be played step by step.

    Args:
        family: The family's name.
        edition: `certified`, or `paper` for the published mechanics.
        level: The level to draw from; by default the easiest one to train on, and of the paper
            edition its first, which may be held back.
        split: `train`, `validation` or `private`.
        seed: The seed within the split.
        index: The number of the instance, in the split or in the set.
        set: A named set, in place of a level.
        instance: An instance of your own, in place of both.
        salt: What the private split is drawn with; by default from the environment.
        shaped: Whether each turn earns its share of progress; see `Session`.
        gamma: The discount of the trainer, for shaping.
        sandbox: Whether programs of the agent are run, in a sandbox. Without one, the rules are
            those that need none.
        rules: Changes to the rules of the edition.

    Raises:
        UsageError: There is no such family, level, split, set, instance or rule, or the level is
            held back.

    Example:
        >>> session = open_session("causallink", level="rung-2", index=7, interface="tools")
        >>> restore(session.snapshot()).observation == session.observation
        True
    """
    checked = check_edition(edition)
    chosen = families.get(family, checked)
    place: dict[str, Any] = {"set": set, "index": index}
    if instance is not None:
        check_instance(chosen, checked, instance)
        place = {"content": digest(instance.line())}
    elif set is None:
        level = level or easiest_level(chosen, checked)
        place = {"level": level, "split": check_split(split), "index": index}
    try:
        address = Address(
            family=family, version=chosen.card.version, edition=checked, seed=seed, **place
        )
    except ValidationError as wrong:
        raise UsageError(f"no instance is there: {describe_validation_error(wrong)}") from wrong
    instance, salt_id = _find(chosen, address, instance, salt)
    needless = {} if sandbox else chosen.rules.without_programs
    return Session(
        chosen,
        instance,
        chosen.rules_for(checked, **{**needless, **rules}),
        edition=checked,
        address=address.model_copy(update={"salt_id": salt_id}),
        shaped=shaped,
        gamma=gamma,
        sandbox=sandbox,
    )


def check_instance(family: AnyFamily, edition: Edition, instance: AnyInstance) -> None:
    """Make sure that an instance is of a family and, as far as its id tells, of an edition.

    Raises:
        UsageError: It is not, so that a score of it would mean nothing.
    """
    if not isinstance(instance, family.instance):
        other: Edition = "paper" if edition == "certified" else "certified"
        if isinstance(instance, families.get(family.name, other).instance):
            raise UsageError(f"{instance.id} is of the {other} edition; give edition={other!r}")
        raise UsageError(f"{instance!r:.80} is no instance of {family.name}")
    level = family.find_level(instance.id)
    if level is not None and level.edition != edition:
        raise UsageError(
            f"{instance.id} is of the {level.edition} edition; give edition={level.edition!r}"
        )


def easiest_level(family: AnyFamily, edition: Edition) -> str:
    """Return the first level of the ladder, or else the first one of the edition."""
    if edition == "certified" and family.card.ladder:
        return family.card.ladder[0]
    return next(name for name, config in family.levels.items() if config.edition == edition)


def restore(
    snapshot: Mapping[str, Any],
    *,
    instance: AnyInstance | None = None,
    salt: SecretStr | None = None,
) -> Session:
    """Return the session that a snapshot was taken of.

    Args:
        snapshot: What `Session.snapshot` returned.
        instance: The instance, where it was given by hand.
        salt: What the private split was drawn with; by default from the environment.

    Raises:
        BadFile: It is no snapshot, or of another version of the family, or of another instance.
        ContractError: The world answers otherwise than recorded.
    """
    if not isinstance(snapshot, Mapping):
        raise BadFile(f"a snapshot is what `Session.snapshot` returned, not {snapshot!r:.80}")
    try:
        taken = _Snapshot.model_validate(dict(snapshot))
    except ValidationError as wrong:
        raise BadFile(f"this is not a snapshot: {describe_validation_error(wrong)}") from wrong
    address = taken.address
    family = families.get(address.family, address.edition)
    if address.version != family.card.version:
        raise BadFile(
            f"the snapshot is of version {address.version} of {address.family}, and this is "
            f"version {family.card.version}; install the release that has that version"
        )
    try:
        family.rules_for(address.edition, **taken.rules)
        check_split(address.split or "train")
        for turn in taken.turns:
            turn.move(family.actions)
    except (ContractError, UsageError) as wrong:
        raise BadFile(f"this is not a snapshot: {wrong}") from wrong
    instance, salt_id = _find(family, address, instance, salt)
    if salt_id != address.salt_id:
        raise BadFile(
            "the snapshot is of a private instance drawn with another salt; give that salt"
        )
    rules = family.rules.model_validate(taken.rules)
    options = {name: getattr(taken, name) for name in _SNAPPED}
    options |= {"edition": address.edition, "address": address}
    return _rebuild(address.family, instance, rules, options, taken.turns)


def _find(
    family: AnyFamily, address: Address, instance: AnyInstance | None, salt: SecretStr | None
) -> tuple[AnyInstance, str | None]:
    """Return the instance at an address, and by what the salt of a private one can be told."""
    if address.content is not None:
        if instance is None or digest(instance.line()) != address.content:
            raise BadFile(
                "the snapshot is of an instance given by hand; pass the same instance again"
            )
        return instance, None
    if address.set is not None:
        return generate_one(family, address.edition, address.set, address.index), None
    level, split = address.level or "", address.split or "train"
    # Where the editions are two values, the other one may have the level.
    known = family if level in family.levels else families.get(family.name)
    if (edition := known.level(level).edition) != address.edition:
        raise UsageError(
            f"the level {level} belongs to the {edition} edition; give edition={edition!r}"
        )
    salt = salt or (read_salt() if split == "private" else None)
    part = split_part(level, split, size=1, seed=address.seed, salt=salt)
    return draw_at(family, part, address.index).instance, part.salt_id
