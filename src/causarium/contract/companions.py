"""What stands beside a family and is loaded when somebody asks for it.

A family's package holds up to six companions, each a module or a room that is called as below and
assigns one value: `proofs` assigns `PROOFS`, and so on. A family without such a module has an empty
companion. Importing a family therefore loads what playing and scoring need, and nothing else.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic

from causarium.contract.certificate import Findings
from causarium.contract.frozen import Numbers
from causarium.contract.instance import Instance, PublicT, SecretT, content_key
from causarium.contract.rules import RulesT
from causarium.contract.turn import Turn
from causarium.contract.verdict import Verdict
from causarium.contract.world import Move
from causarium.errors import ContractError

if TYPE_CHECKING:
    from causarium.contract.release import ReleaseFolder
    from causarium.contract.row import Row
    from causarium.contract.texts.role_questions import Consultation, Judge
    from causarium.contract.views.figure import Figure
    from causarium.contract.views.outcome import OutcomeKind, Piece
    from causarium.contract.views.play_page import PlayPage
    from causarium.contract.views.scene import ReplayScene


def claim_nothing(_instance: Instance[Any, Any]) -> Findings:
    """Return what is proven where a family proves nothing."""
    return Findings(optimum=None, proofs=())


@dataclass(frozen=True)
class Proofs(Generic[PublicT, SecretT]):
    """What is proven about instances, and how the proofs themselves are tried."""

    certify: Callable[[Instance[PublicT, SecretT]], Findings] = claim_nothing
    recheck: Callable[[Instance[PublicT, SecretT]], Findings] | None = None
    """The same claims, bounds and optimum by another path, which shares nothing with drawing."""
    faults: Mapping[
        str, Callable[[Instance[PublicT, SecretT]], Instance[PublicT, SecretT] | None]
    ] = field(default_factory=dict)
    """Each spoils a good instance in one way that a proof must find; None: no room for it there."""
    canonical_key: Callable[[Instance[PublicT, SecretT]], str] = content_key
    """A digest that an instance shares with all that are the same under other names; by default
    with those alone that have the same content."""
    revealed_fields: frozenset[str] | Callable[[PublicT], frozenset[str]] = field(
        default_factory=frozenset
    )
    """Names of secret fields that the rules let an agent see in the course of play, the
    same for all instances or read from an instance's public part."""

    def revealed_in(self, public: PublicT) -> frozenset[str]:
        """Return the secret fields that the rules of one instance let an agent see."""
        fields = self.revealed_fields
        return fields(public) if callable(fields) else fields


@dataclass(frozen=True)
class Training(Generic[PublicT, SecretT, RulesT]):
    """What a trainer may ask of a family beyond the verdict of one episode."""

    progress: Callable[[Instance[PublicT, SecretT], RulesT, Sequence[Turn]], float] | None = None
    """How far an episode has come, from 0 to 1, for whoever trains turn by turn. It may read the
    secret, so it goes to a trainer and never to an agent; None: only the end is rewarded."""
    score_many: (
        Callable[[Instance[PublicT, SecretT], Iterable[str], RulesT], list[Verdict]] | None
    ) = None
    """Scores many text replies to one instance, each as if it were the only one; None: by playing
    each. `contract.episode.score_many` scores with it or without."""
    turn_numbers: (
        Callable[[Instance[PublicT, SecretT], RulesT, Sequence[Turn]], list[Numbers]] | None
    ) = None
    """Named numbers after each turn; None if the family scores only how an episode ends."""


@dataclass(frozen=True)
class Helpers(Generic[PublicT, SecretT, RulesT]):
    """Other models that a run may name beside the one under test. The card lists their roles."""

    judge: "Judge[PublicT, SecretT, RulesT] | None" = None
    """How an episode is judged where the run names a model for the role; None: code decides."""
    repair_move: "Callable[[PublicT, RulesT, Move], Consultation[Move] | None] | None" = None
    """Between reading a move and making it, has another model interpret or repair it, where the
    run names one for the role asked; None, or a None returned: the move is made as it is."""
    repair_roles: tuple[str, ...] = ()
    """The roles that `repair_move` asks."""

    @property
    def roles(self) -> tuple[str, ...]:
        """Every role for which a run may name a model."""
        return (*(("judge",) if self.judge is not None else ()), *self.repair_roles)


@dataclass(frozen=True)
class Release:
    """How a family is played from its release; the family's `release.toml` says what that is."""

    play: "Callable[[Any, ReleaseFolder], Any] | None" = None
    """Returns a family with the release's words in the place of ours: `replace(family, prompt=...,
    open_world=...)`, and `with_companions(helpers=...)` where a judge is asked. What is done in a
    world and what it scores must be the same with and without; only words differ, so that logs can
    be scored where the release is not at hand. None: the release holds instances and no words."""


@dataclass(frozen=True)
class Publication(Generic[PublicT, SecretT]):
    """The published release's own file format, and how it is played from."""

    read_released: Callable[[Path], list[Instance[PublicT, SecretT]]] | None = None
    """Reads a file of the published release as instances of the paper edition."""
    write_released: Callable[[Path, Sequence[Instance[PublicT, SecretT]]], int] | None = None
    """Writes instances in the published release's own format; returns how many."""
    measure_instance: Callable[[Instance[PublicT, SecretT]], Mapping[str, float]] | None = None
    """Measures an instance as the paper's tables about instances do; None if it has no such."""
    follow_turns: (
        Callable[[Instance[PublicT, SecretT], Any, Sequence[Turn]], Mapping[str, Sequence[float]]]
        | None
    ) = None
    """Measures an episode after each turn, given its rules, as the paper's figures over turns do;
    None if it has no such."""
    release: Release | None = None
    """How the family is played from its release; None: it cannot be."""


@dataclass(frozen=True)
class Views(Generic[PublicT, SecretT, RulesT]):
    """What people look at: boards, replays, pictures and how episodes ended."""

    draw_episode: (
        "Callable[[Instance[PublicT, SecretT], RulesT, Sequence[Turn]], Figure] | None"
    ) = None  # fmt: skip
    """Draws one episode, turn by turn; None if the family has no picture of it."""
    scene: "Callable[[Instance[PublicT, SecretT], RulesT, Sequence[Turn]], ReplayScene] | None" = (
        None
    )
    """What a replay shows beside the words; None if words are all there is."""
    play_page: "PlayPage[PublicT, RulesT] | None" = None
    """The board on which people play it in the browser; None: forms made of its actions."""
    draw_rows: "Callable[[Sequence[Row]], tuple[Figure, ...]] | None" = None
    """Draws what a table cannot show of many rows; None if the family has no such picture."""
    explain_outcome: "Callable[[Row, OutcomeKind], str] | None" = None
    """Says of a scored row why its episode ended so, in the family's own words; None, or nothing
    returned: as `tell_outcome` has it."""
    count_pieces: "Callable[[Row], Mapping[Piece, int]] | None" = None
    """Counts the pieces of a row's answer, such as arrows, by what became of each; None if an
    answer is one thing."""


KINDS: Mapping[str, type] = {
    "proofs": Proofs,
    "players": dict,
    "training": Training,
    "helpers": Helpers,
    "publication": Publication,
    "views": Views,
}
"""What the value of each companion is."""


def load_companion(package: str, name: str) -> object:
    """Return the companion called `name` of the family in `package`; an empty one if it has none.

    Raises:
        ContractError: There is such a module, and its value is missing or of another kind.
    """
    module, kind = f"{package}.{name}", KINDS[name]
    if find_spec(module) is None:
        return kind()
    value = getattr(import_module(module), name.upper(), None)
    if not isinstance(value, kind):
        raise ContractError(
            f"{module} must assign {name.upper()}, a {kind.__name__}; "
            f"it is {'missing' if value is None else f'a {type(value).__name__}'}"
        )
    return value
