"""Both editions of a family as one value, for callers that have no edition at hand.

A family whose editions are two values, its wings, is joined here. Only this module goes from an
instance, a level, a row or an action to an edition: by the type of the public part, by what a level
or a row says of itself, and by who has the action. It goes when every caller names its edition.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import UnionType, new_class
from typing import Any, Self, cast, get_args

from pydantic import ValidationError

from causarium.contract.companions import Helpers, Proofs, Publication, Training, Views
from causarium.contract.family import AnyFamily, AnyInstance, Config, Family, Replies
from causarium.contract.instance import Instance, Public
from causarium.contract.player import SIGHTS, Moves, Player
from causarium.contract.row import Row
from causarium.contract.rules import EDITIONS, Edition, Rules
from causarium.contract.texts.role_questions import Judge
from causarium.contract.views.figure import Figure
from causarium.contract.world import Action, Unparsed
from causarium.errors import ContractError

Wings = Mapping[Edition, AnyFamily]


@dataclass(frozen=True)
class _Finder:
    """Tells which edition something belongs to."""

    publics: Mapping[Edition, tuple[type[Public], ...]]
    """The types of each edition's public parts."""

    def __call__(self, known: object) -> Edition:
        """Return the edition of a level, a row, an instance or a public part.

        Raises:
            ContractError: It is of neither.
        """
        if isinstance(known, Config | Row):
            return known.edition
        public = known.public if isinstance(known, Instance) else known
        for edition, types in self.publics.items():
            if isinstance(public, types):
                return edition
        raise ContractError(f"a {type(public).__name__} belongs to no edition of this family")


@dataclass(frozen=True)
class _ByEdition:
    """One function for both editions, which goes by its first argument; it can be pickled."""

    parts: Mapping[Edition, Callable[..., Any]]
    find: _Finder

    def __call__(self, first: object, *rest: Any, **more: Any) -> Any:  # noqa: ANN401
        return self.parts[self.find(first)](first, *rest, **more)


def join_editions(wings: Wings) -> "JoinedFamily":
    """Return both editions of a family as one value.

    Raises:
        ContractError: The two have the same type of public part.
    """
    certified, paper = (wings[edition] for edition in EDITIONS)
    finder = _Finder({edition: _list_publics(wings[edition]) for edition in EDITIONS})
    if set(finder.publics["certified"]) & set(finder.publics["paper"]):
        raise ContractError(f"the editions of {certified.name} share a type of public part")

    def by_edition(find: Callable[[AnyFamily], Callable[..., Any]]) -> _ByEdition:
        return _ByEdition({edition: find(wings[edition]) for edition in EDITIONS}, finder)

    return JoinedFamily(
        name=certified.name,
        package=certified.package.removesuffix(".certified"),
        levels={**certified.levels, **paper.levels},
        instance=Instance,
        rules=_join_rules(certified.rules, paper.rules),
        actions=tuple(dict.fromkeys((*certified.actions, *paper.actions))),
        generate=by_edition(lambda wing: wing.generate),
        open_world=by_edition(lambda wing: wing.open_world),
        prompt=by_edition(lambda wing: wing.prompt),
        replies=_join_replies(wings, finder),
        score=by_edition(lambda wing: wing.score),
        metrics={**certified.metrics, **paper.metrics, **certified.metrics},
        rungs=certified.rungs,
        wings=wings,
        find=finder,
    )


@dataclass(frozen=True, eq=False)
class JoinedFamily(Family[Any, Any, Any, Any]):
    """A family that answers for both of its editions, call by call."""

    wings: Wings = field(kw_only=True)
    find: _Finder = field(kw_only=True)

    @cached_property
    def folder(self) -> Path:
        """The folder that both editions share."""
        return self.wings["certified"].folder

    @cached_property
    def _given(self) -> dict[str, Any]:
        """The companions that were put in the place of the wings' own."""
        return {}  # `with_companions` puts another value in its place.

    def with_companions(self, **values: Any) -> Self:  # noqa: ANN401 - each has its own type
        """Return the same family with other companions, in both editions."""
        return super().with_companions(**values, _given={**self._given, **values})

    def for_edition(self, edition: Edition) -> AnyFamily:
        """Return one edition."""
        wing = self.wings[edition]
        return wing.with_companions(**self._given) if self._given else wing

    def for_instance(self, instance: AnyInstance) -> AnyFamily:
        """Return the edition that an instance is of."""
        return self.for_edition(self.find(instance))

    def read_instance(self, value: Any) -> AnyInstance:  # noqa: ANN401 - from outside
        """Read an instance of either edition: of the one whose level its id names, if it does."""
        id_ = value.get("id") if isinstance(value, Mapping) else None
        level = self.find_level(str(id_))
        if level is not None:
            return self.wings[level.edition].read_instance(value)
        try:
            return self.wings["certified"].read_instance(value)
        except ValidationError:
            return self.wings["paper"].read_instance(value)

    def rules_for(self, edition: Edition, **changes: Any) -> Rules:  # noqa: ANN401
        """Return the rules of an edition, with `changes` on top."""
        return cast("Rules", self.wings[edition].rules_for(edition, **changes))

    def with_release(self, rules: Rules, edition: Edition) -> "JoinedFamily":
        """Return the family with one edition in the words of a release, where rules name one."""
        played = self.wings[edition].with_release(rules, edition)
        if played is self.wings[edition]:
            return self
        return join_editions({**self.wings, edition: played}).with_companions(
            **self._given, released=played.released
        )

    def _join(self, find: Callable[[AnyFamily], Any], *, otherwise: Any) -> Any:  # noqa: ANN401
        """Join one optional function of both wings; None if neither has it.

        Args:
            find: Returns the function of a wing, or None.
            otherwise: What an edition without the function returns.
        """
        found = {edition: find(self.wings[edition]) for edition in EDITIONS}
        if not any(found.values()):
            return None
        return _ByEdition(
            {edition: one or (lambda *_: otherwise) for edition, one in found.items()}, self.find
        )

    @cached_property
    def players(self) -> dict[str, Player[Any, Any]]:
        """The players of both editions, in the card's order; in the other one they are silent."""
        certified, paper = (self.wings[edition].players for edition in EDITIONS)
        names = dict.fromkeys((*self.card.players, *certified, *paper))
        return {
            name: self._join_player(certified.get(name), paper.get(name))
            for name in names
            if name in certified or name in paper
        }

    def _join_player(
        self, certified: Player[Any, Any] | None, paper: Player[Any, Any] | None
    ) -> Player[Any, Any]:
        both = [one for one in (certified, paper) if one is not None]
        if all(one is both[0] for one in both) and len(both) == 2:
            return both[0]
        parts = {
            edition: _fall_silent if one is None else one.moves or one.moves_from_truth
            for edition, one in zip(EDITIONS, (certified, paper), strict=True)
        }
        moves = _ByEdition({e: part or _fall_silent for e, part in parts.items()}, self.find)
        sees_truth = any(one.sees_truth for one in both)
        return Player(
            about=" In the paper edition: ".join(dict.fromkeys(one.about for one in both)),
            moves=None if sees_truth else moves,
            moves_from_truth=moves if sees_truth else None,
            ignores_input=all(one.ignores_input for one in both),
            slow=any(one.slow for one in both),
            sees=max((one.sees for one in both), key=SIGHTS.index),
        )

    @cached_property
    def proofs(self) -> Proofs[Any, Any]:
        """The proofs of both editions."""
        both = [self.wings[edition].proofs for edition in EDITIONS]
        faults = dict.fromkeys(name for one in both for name in one.faults)
        return Proofs(
            certify=self._join(lambda wing: wing.proofs.certify, otherwise=None),
            recheck=self._join(
                lambda wing: wing.proofs.recheck or wing.proofs.certify, otherwise=None
            )
            if any(one.recheck for one in both)
            else None,
            faults={name: self._join(_fault_finder(name), otherwise=None) for name in faults},
            canonical_key=self._join(lambda wing: wing.proofs.canonical_key, otherwise=None),
            revealed_fields=self._join(lambda wing: wing.proofs.revealed_in, otherwise=None),
        )

    @cached_property
    def training(self) -> Training[Any, Any, Any]:
        """The training signals of both editions."""
        return Training(
            progress=self._join(lambda wing: wing.training.progress, otherwise=0.0),
            turn_numbers=self._join(lambda wing: wing.training.turn_numbers, otherwise=[]),
        )

    @cached_property
    def helpers(self) -> Helpers[Any, Any, Any]:
        """The helper models of both editions."""
        judges = [self.wings[edition].helpers.judge for edition in EDITIONS]
        ask = self._join(_find_asking, otherwise=None)
        return Helpers(
            judge=Judge(ask=ask, score=self._join(_find_judged_score, otherwise=None))
            if any(judges)
            else None,
            repair_move=self._join(lambda wing: wing.helpers.repair_move, otherwise=None),
            repair_roles=tuple(
                dict.fromkeys(role for e in EDITIONS for role in self.wings[e].helpers.repair_roles)
            ),
        )

    @cached_property
    def publication(self) -> Publication[Any, Any]:
        """The published format; only the paper edition has one."""
        paper = self.wings["paper"].publication
        return Publication(
            read_released=paper.read_released,
            write_released=paper.write_released,
            measure_instance=self._join(
                lambda wing: wing.publication.measure_instance, otherwise={}
            ),
            follow_turns=self._join(lambda wing: wing.publication.follow_turns, otherwise={}),
            release=paper.release,
        )

    @cached_property
    def views(self) -> Views[Any, Any, Any]:
        """The views of both editions; of the boards, the certified one."""
        both = [self.wings[edition].views for edition in EDITIONS]

        def draw_rows(rows: Sequence[Row]) -> tuple[Figure, ...]:
            return tuple(self._draw_rows(rows))

        return Views(
            draw_episode=self._join(lambda wing: wing.views.draw_episode, otherwise=None),
            scene=self._join(lambda wing: wing.views.scene, otherwise=None),
            play_page=both[0].play_page or both[1].play_page,
            draw_rows=draw_rows if any(one.draw_rows for one in both) else None,
            explain_outcome=self._join(lambda wing: wing.views.explain_outcome, otherwise=""),
            count_pieces=self._join(lambda wing: wing.views.count_pieces, otherwise={}),
        )

    def _draw_rows(self, rows: Sequence[Row]) -> Iterator[Figure]:
        for edition in EDITIONS:
            draw = self.wings[edition].views.draw_rows
            mine = [row for row in rows if row.edition == edition]
            if draw is not None and mine:
                yield from draw(mine)


def _list_publics(family: AnyFamily) -> tuple[type[Public], ...]:
    """Return the types of a family's public parts."""
    annotation = family.instance.model_fields["public"].annotation
    types = get_args(annotation) if isinstance(annotation, UnionType) else (annotation,)
    return cast("tuple[type[Public], ...]", types)


def _join_rules(certified: type[Rules], paper: type[Rules]) -> type[Rules]:
    """Return rules that are those of both editions, so that either can be played by them."""
    if certified is paper:
        return certified
    both = (certified, paper)
    names = "interfaces", "quirks", "unconstrained", "tool_interfaces"
    lists = {
        name: tuple(dict.fromkeys(value for one in both for value in getattr(one, name)))
        for name in names
    }
    maps = {
        name: {**getattr(paper, name), **getattr(certified, name)}
        for name in ("extras", "without_programs")
    }
    body = {"__module__": certified.__module__, **lists, **maps}
    return cast("type[Rules]", new_class("JoinedRules", both, exec_body=lambda n: n.update(body)))


def _join_replies(wings: Wings, finder: _Finder) -> Replies[Any, Any]:
    def find_wing(actions: Sequence[type[Action]]) -> AnyFamily:
        able = [wing for wing in wings.values() if set(actions) <= set(wing.actions)]
        if not able:
            kinds = ", ".join(action.kind for action in actions)
            raise ContractError(f"no edition of this family has the actions {kinds}")
        return able[0]

    def parse(
        reply: str, allowed_actions: tuple[type[Action], ...], rules: Rules
    ) -> Action | Unparsed:
        return find_wing(allowed_actions).replies.parse(reply, allowed_actions, rules)

    def write(action: Action, rules: Rules) -> str:
        return find_wing((type(action),)).replies.write(action, rules)

    schemas = {edition: wing.replies.schema for edition, wing in wings.items()}
    found = {edition: schema for edition, schema in schemas.items() if schema is not None}
    return Replies(
        parse=parse,
        write=write,
        schema=_ByEdition(found, finder) if len(found) == len(wings) else None,
    )


def _fall_silent(*_: object) -> Moves:
    """Do nothing: how a player of one edition plays the other."""
    yield from ()


def _fault_finder(name: str) -> Callable[[AnyFamily], Any]:
    return lambda wing: wing.proofs.faults.get(name)


def _find_asking(wing: AnyFamily) -> Callable[..., Any]:
    return _ask_nobody if wing.helpers.judge is None else wing.helpers.judge.ask


def _ask_nobody(*_: object) -> Any:  # noqa: ANN401 - a consultation that ends at once
    yield from ()
    return {}


def _find_judged_score(wing: AnyFamily) -> Callable[..., Any]:
    if wing.helpers.judge is not None:
        return wing.helpers.judge.score
    return lambda instance, rules, turns, _: wing.score(instance, rules, turns)
