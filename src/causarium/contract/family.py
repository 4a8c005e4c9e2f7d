"""A family: one benchmark, as a value that names its functions.

It is a frozen dataclass and not a base class, so that a family's `__init__.py` is its table of
contents: each field is a name from one file of its folder. What only proofs, players, trainers or
pages need stands beside it, in companions that are loaded when asked for.
"""

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Self, TypeAlias, TypeVar, cast

from pydantic import ValidationError

from causarium.contract.frozen import Frozen
from causarium.contract.instance import Instance, PublicT, SecretT
from causarium.contract.rules import Edition, RulesT
from causarium.contract.rungs import Rungs
from causarium.contract.texts.replies import describe_validation_error
from causarium.contract.texts.say_action import write_fields
from causarium.contract.turn import Turn
from causarium.contract.verdict import Metric, Verdict
from causarium.contract.world import Action, Unparsed, World
from causarium.errors import ContractError, UnknownName, UsageError

if TYPE_CHECKING:
    from causarium.contract.companions import Helpers, Proofs, Publication, Training, Views
    from causarium.contract.family_card import FamilyCard
    from causarium.contract.player import Player
    from causarium.contract.release import ReleaseCard, ReleaseFolder
    from causarium.contract.texts.reply_schemas import Schema


class Config(Frozen):
    """What may be varied when instances are drawn. A family subclasses it."""

    edition: Edition = "certified"


ConfigT = TypeVar("ConfigT", bound=Config)


class Prompt(Frozen):
    """The words that open an episode."""

    system: str
    user: str


@dataclass(frozen=True)
class Replies(Generic[PublicT, RulesT]):
    """How text replies are read, written and held to a form."""

    parse: Callable[[str, tuple[type[Action], ...], RulesT], Action | Unparsed]
    """Reads a reply as one of the actions expected now."""
    write: Callable[[Action, RulesT], str] = write_fields
    """An action to the reply in which `parse` reads it again; by default its fields as JSON."""
    schema: "Callable[[PublicT, tuple[type[Action], ...], RulesT], Schema] | None" = None
    """The JSON schema of a text reply, for providers that can hold a model to one; None: the
    fields of one of the expected actions."""


@dataclass(frozen=True, eq=False)
class Family(Generic[ConfigT, PublicT, SecretT, RulesT]):
    """One benchmark: what playing and scoring need, and the way to what stands beside it."""

    name: str
    package: str
    """Where it lives, as in `causarium.families.causallink`: its companions are found there."""
    levels: Mapping[str, ConfigT]
    """Named configurations."""
    instance: type[Instance[PublicT, SecretT]]
    rules: type[RulesT]
    actions: tuple[type[Action], ...]
    """Everything that can ever be done in this family's worlds."""
    generate: Callable[[ConfigT, int, int], Instance[PublicT, SecretT]]
    """(config, seed, index) to an instance, which depends on nothing else."""
    open_world: Callable[[Instance[PublicT, SecretT], RulesT], World]
    prompt: Callable[[PublicT, RulesT], Prompt]
    replies: Replies[PublicT, RulesT]
    score: Callable[[Instance[PublicT, SecretT], RulesT, Sequence[Turn]], Verdict]
    metrics: Mapping[str, Metric]
    """Every number a verdict can hold."""
    edition: Edition | None = None
    """The edition that this value is; None: it answers for both."""
    rungs: Rungs[ConfigT] | None = None
    """The ladder of the certified edition; None if it has none."""

    @cached_property
    def released(self) -> "ReleaseFolder | None":
        """The release that this family is played from; None: its words are ours."""
        return None  # `with_release` puts another value in its place.

    @cached_property
    def folder(self) -> Path:
        """Where the card, the README and the sets are: one folder for both editions."""
        package, _, wing = self.package.rpartition(".")
        package = package if wing == self.edition else self.package
        spec = find_spec(package)
        if spec is None or not spec.submodule_search_locations:
            raise ContractError(f"the family {self.name} names {package}, which is no package")
        return Path(spec.submodule_search_locations[0])

    @cached_property
    def card(self) -> "FamilyCard":
        """The family's card, read from its folder."""
        from causarium.contract.family_card import FamilyCard

        return FamilyCard.load(self.folder / "card.toml")

    @cached_property
    def proofs(self) -> "Proofs[PublicT, SecretT]":
        """What is proven about its instances."""
        return cast("Proofs[PublicT, SecretT]", self._load("proofs"))

    @cached_property
    def players(self) -> "dict[str, Player[PublicT, SecretT]]":
        """Who plays it without a model, by name."""
        return cast("dict[str, Player[PublicT, SecretT]]", self._load("players"))

    @cached_property
    def training(self) -> "Training[PublicT, SecretT, RulesT]":
        """What a trainer may ask of it."""
        return cast("Training[PublicT, SecretT, RulesT]", self._load("training"))

    @cached_property
    def helpers(self) -> "Helpers[PublicT, SecretT, RulesT]":
        """The other models that a run may name."""
        return cast("Helpers[PublicT, SecretT, RulesT]", self._load("helpers"))

    @cached_property
    def publication(self) -> "Publication[PublicT, SecretT]":
        """The published release's own format."""
        return cast("Publication[PublicT, SecretT]", self._load("publication"))

    @cached_property
    def release_card(self) -> "ReleaseCard":
        """What is known of its published release.

        Raises:
            UsageError: It has none.
        """
        from causarium.contract.release import ReleaseCard

        card = ReleaseCard.load(self.folder)
        if card is None:
            raise UsageError(f"{self.name} has no published release to play from")
        return card

    def open_release(self, rules: RulesT) -> "ReleaseFolder | None":
        """Return the release that rules name; None if they name none.

        Raises:
            UsageError: It is no release of this family, or in an unknown state.
        """
        if rules.release is None:
            return None
        from causarium.contract.release import open_release

        return open_release(self.release_card, rules.release, anyway=rules.release_anyway)

    def find_released_set(self, rules: RulesT, name: str) -> Path | None:
        """Return the file of one set in the release that rules name; None if it has no such set.

        Raises:
            UsageError: The release cannot be used, or it should hold the set and does not, or
                neither it nor the paper edition has such a set.
        """
        folder = self.open_release(rules)
        if folder is None:
            return None
        folder.check_set(name)
        if name not in folder.sets and name not in (ours := self.card.sets["paper"]):
            known, plural = folder.sets or ours, "sets of the release" if folder.sets else "sets"
            raise UnknownName(f"{self.name} set", name, known, plural=plural)
        return folder.sets.get(name)

    def with_release(self, rules: RulesT, edition: Edition) -> Self:
        """Return the family as rules have it: in the words of a release where they name one.

        Raises:
            UsageError: The release cannot be used, or the edition is not the published one.
        """
        folder = self.open_release(rules)
        if folder is None:
            return self
        if edition != "paper":
            raise UsageError(
                f"a release has the words of the paper edition, not of the {edition} one"
            )
        how = self.publication.release
        if how is None:
            raise ContractError(f"{self.name} has a release card and no way to play from it")
        family = self if how.play is None else cast("Self", how.play(self, folder))
        return family.with_companions(released=folder)

    @cached_property
    def views(self) -> "Views[PublicT, SecretT, RulesT]":
        """What people look at."""
        return cast("Views[PublicT, SecretT, RulesT]", self._load("views"))

    def _load(self, companion: str) -> object:
        # Here and not above: who only plays a family needs no companion of it.
        from causarium.contract.companions import load_companion

        return load_companion(self.package, companion)

    def with_companions(self, **values: Any) -> Self:  # noqa: ANN401 - each has its own type
        """Return the same family with other companions, as in `with_companions(players=mine)`."""
        family = copy(self)
        # As a cached property keeps what it has loaded; a frozen dataclass has no other way.
        vars(family).update(values)
        return family

    def for_edition(self, edition: Edition) -> "AnyFamily":  # noqa: ARG002
        """Return the value of one edition: this one, unless it joins two."""
        return self

    def for_instance(self, instance: Instance[Any, Any]) -> "AnyFamily":  # noqa: ARG002
        """Return the value of the edition that an instance is of: this one, unless it joins two."""
        return self

    def read_instance(self, value: Any) -> Instance[PublicT, SecretT]:  # noqa: ANN401
        """Read an instance from its fields.

        Raises:
            ValidationError: They are not those of an instance of this family.
        """
        return self.instance.model_validate(value)

    def find_level(self, id_: str) -> ConfigT | None:
        """Return the level that an instance's id names; None if it names none."""
        named = [level for level in self.levels if id_.startswith(f"{self.name}-{level}-")]
        return self.levels[max(named, key=len)] if named else None

    def level(self, name: str) -> ConfigT:
        """Return the configuration called `name`.

        Raises:
            UnknownName: There is none; the nearest one is suggested.
        """
        if name not in self.levels:
            raise UnknownName(f"{self.name} level", name, self.levels, plural="levels")
        return self.levels[name]

    def player(self, name: str) -> "Player[PublicT, SecretT]":
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
                f"{self.name} cannot be played by these rules: {describe_validation_error(wrong)}"
            ) from wrong
        if rules.interface not in self.rules.interfaces:
            raise UnknownName("interface", rules.interface, self.rules.interfaces)
        return rules


AnyFamily: TypeAlias = Family[Any, Any, Any, Any]
AnyInstance: TypeAlias = Instance[Any, Any]
