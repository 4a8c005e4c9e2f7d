"""A family: one benchmark, as a value that names its functions.

It is a frozen dataclass and not a base class, so that a family's `__init__.py` is its table of
contents: each field is a name from one file of its folder.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Generic, TypeAlias, TypeVar

from pydantic import ValidationError

from causarium.contract.certificate import Findings
from causarium.contract.family_card import FamilyCard
from causarium.contract.frozen import Frozen, Numbers
from causarium.contract.instance import Instance, PublicT, SecretT, content_kin
from causarium.contract.metric import Metric
from causarium.contract.player import Player
from causarium.contract.probe import Probe
from causarium.contract.row import Row
from causarium.contract.rules import Edition, Rules
from causarium.contract.texts.replies import describe_validation_error
from causarium.contract.texts.reply_schemas import Schema
from causarium.contract.texts.role_questions import Consultation, Judge
from causarium.contract.texts.say_action import write_fields
from causarium.contract.turn import Turn
from causarium.contract.unparsed import Unparsed
from causarium.contract.verdict import Verdict
from causarium.contract.views.figure import Figure, FrameGuide
from causarium.contract.views.outcome import Outcome
from causarium.contract.views.play_page import PlayPage
from causarium.contract.views.scene import ReplayScene
from causarium.contract.world import Action, Move, World
from causarium.errors import UnknownName, UsageError


class Config(Frozen):
    """What may be varied when instances are drawn. A family subclasses it."""

    edition: Edition = "certified"


ConfigT = TypeVar("ConfigT", bound=Config)
RulesT = TypeVar("RulesT", bound=Rules)


class Prompt(Frozen):
    """The words that open an episode."""

    system: str
    user: str


@dataclass(frozen=True)
class Family(Generic[ConfigT, PublicT, SecretT, RulesT]):
    """One benchmark."""

    name: str
    folder: Path
    """Where the card, the README and the prompt texts are."""
    levels: Mapping[str, ConfigT]
    """Named configurations, of both editions."""
    instance: type[Instance[PublicT, SecretT]]
    rules: type[RulesT]
    actions: tuple[type[Action], ...]
    """Everything that can ever be done in this family's worlds."""
    generate: Callable[[ConfigT, int, int], Instance[PublicT, SecretT]]
    """(config, seed, index) to an instance, which depends on nothing else."""
    open_world: Callable[[Instance[PublicT, SecretT], RulesT], World]
    prompt: Callable[[PublicT, RulesT], Prompt]
    parse: Callable[[str, tuple[type[Action], ...], RulesT], Action | Unparsed]
    score: Callable[[Instance[PublicT, SecretT], RulesT, Sequence[Turn]], Verdict]
    certify: Callable[[Instance[PublicT, SecretT]], Findings]
    players: Mapping[str, Player[PublicT, SecretT]]
    metrics: Mapping[str, Metric]
    """Every number a verdict can hold."""
    says: Callable[[Action, RulesT], str] = write_fields
    """An action to the reply in which `parse` reads it again; by default its fields as JSON."""
    score_many: (
        Callable[[Instance[PublicT, SecretT], Iterable[str], RulesT], list[Verdict]] | None
    ) = None
    """Scores many text replies to one instance, each as if it were the only one; None: by playing
    each. `contract.score_many` scores with it or without."""
    kin: Callable[[Instance[PublicT, SecretT]], str] = content_kin
    """A digest that an instance shares with all that are the same under other names; by default
    with those alone that have the same content."""
    progress: Callable[[Instance[PublicT, SecretT], RulesT, Sequence[Turn]], float] | None = None
    """How far an episode has come, from 0 to 1, for whoever trains turn by turn. It may read the
    secret, so it goes to a trainer and never to an agent; None: only the end is rewarded."""
    revealed_fields: frozenset[str] | Callable[[PublicT], frozenset[str]] = field(
        default_factory=frozenset
    )
    """Names of secret fields whose values the rules let an agent see in the course of play, the
    same for all instances or told by an instance's public part."""
    turn_numbers: (
        Callable[[Instance[PublicT, SecretT], RulesT, Sequence[Turn]], list[Numbers]] | None
    ) = None
    """Named numbers after each turn; None if the family scores only how an episode ends."""
    draw_episode: Callable[[Instance[PublicT, SecretT], RulesT, Sequence[Turn]], Figure] | None = (
        None
    )
    """Draws one episode, turn by turn; None if the family has no picture of it."""
    scene: Callable[[Instance[PublicT, SecretT], RulesT, Sequence[Turn]], ReplayScene] | None = None
    """What a replay shows beside the words; None if words are all there is."""
    read_released: Callable[[Path], list[Instance[PublicT, SecretT]]] | None = None
    """Reads a file of the published release as instances of the paper edition."""
    write_released: Callable[[Path, Sequence[Instance[PublicT, SecretT]]], int] | None = None
    """Writes instances in the published release's own format; returns how many."""
    judge: Judge[PublicT, SecretT, RulesT] | None = None
    """How an episode is judged where the run names a model for the role; None: code decides."""
    repair_move: Callable[[PublicT, RulesT, Move], Consultation[Move] | None] | None = None
    """Between reading a move and making it, has another model interpret or repair it, where the
    run names one for the role asked; None, or a None returned: the move is made as it is."""
    repair_roles: tuple[str, ...] = ()
    """The roles that `assist` asks, so that a run can be told before it starts who is missing."""
    reply_schema: Callable[[PublicT, tuple[type[Action], ...], RulesT], Schema] | None = None
    """The JSON schema of a text reply, for providers that can hold a model to one; None: the
    fields of one of the expected actions."""
    probes: Mapping[str, Probe[PublicT, SecretT]] = field(default_factory=dict)
    """What the audit trains classifiers for; each must do no better than it says that it may."""
    play_page: PlayPage[PublicT, RulesT] | None = None
    """The board on which people play it in the browser; None: forms made of its actions."""
    draw_rows: Callable[[Sequence[Row]], tuple[Figure, ...]] | None = None
    """Draws what a table cannot show of many rows; None if the family has no such picture."""
    guide_frame: Callable[[], FrameGuide | None] | None = None
    """Shows the world as it looks at the start and says what each thing is; None, or a None
    returned: it has no looks, or none on this machine."""
    find_outcome: Callable[[Row], Outcome] | None = None
    """Says of a row how its episode ended, in one of five ways; None if scores are all there is."""
    count_pieces: Callable[[Row], Mapping[Outcome, int]] | None = None
    """Counts the pieces of a row's answer, such as arrows, by what became of each; None if an
    answer is one thing."""

    @cached_property
    def card(self) -> FamilyCard:
        """The family's card, read from its folder."""
        return FamilyCard.load(self.folder / "card.toml")

    @property
    def roles(self) -> tuple[str, ...]:
        """The roles beside the model under test for which a run may name models."""
        return (*(("judge",) if self.judge is not None else ()), *self.repair_roles)

    def revealed_in(self, public: PublicT) -> frozenset[str]:
        """Return the secret fields whose values the rules of one instance let an agent see."""
        told = self.revealed_fields
        return told(public) if callable(told) else told

    def level(self, name: str) -> ConfigT:
        """Return the configuration called `name`.

        Raises:
            UnknownName: There is none; the nearest one is suggested.
        """
        if name not in self.levels:
            raise UnknownName(f"{self.name} level", name, self.levels, plural="levels")
        return self.levels[name]

    def player(self, name: str) -> Player[PublicT, SecretT]:
        """Return the player called `name`.

        Raises:
            UnknownName: There is none; the nearest one is suggested.
        """
        if name not in self.players:
            raise UnknownName(f"{self.name} player", name, self.players, plural="players")
        return self.players[name]

    def rules_for(self, edition: Edition, **changes: Any) -> RulesT:  # noqa: ANN401
        """Return the rules of an edition, with `changes` on top; None means unchanged.

        Raises:
            UsageError: A change names no rule, or its value is not one that the rule can have.
        """
        given = {name: value for name, value in changes.items() if value is not None}
        for name in given:
            if name not in self.rules.model_fields:
                raise UnknownName(
                    f"{self.name} rule", name, self.rules.model_fields, plural="rules"
                )
        quirks = dict.fromkeys(self.rules.quirks, edition == "paper")
        try:
            rules = self.rules.model_validate({**quirks, **given})
        except ValidationError as wrong:
            raise UsageError(
                f"{self.name} cannot be played so: {describe_validation_error(wrong)}"
            ) from wrong
        if rules.interface not in self.rules.interfaces:
            raise UnknownName("interface", rules.interface, self.rules.interfaces)
        return rules


AnyFamily: TypeAlias = Family[Any, Any, Any, Any]
AnyInstance: TypeAlias = Instance[Any, Any]
