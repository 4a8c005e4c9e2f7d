"""One instance being played, turn by turn, by whoever: every score and reward goes this way."""

import math
import re
from collections import Counter
from collections.abc import Collection, Sequence

from causarium.contract.family import AnyFamily, AnyInstance
from causarium.contract.player import Moves
from causarium.contract.row import CUT, ILLEGAL
from causarium.contract.rules import Edition, Rules
from causarium.contract.turn import Turn
from causarium.contract.verdict import Verdict
from causarium.contract.world import Move, Observation, Unparsed, World
from causarium.errors import ContractError, RunError, UsageError
from causarium.seeds import stream

NOT_HANDLED = "not handled"
"""The fault of a reply that made our own code raise: it counts as a bad reply, out loud."""


def count_bad_replies(turns: Sequence[Turn], cut: Collection[int] = ()) -> dict[str, int]:
    """Count the replies that came to nothing, by kind: those unread by their mode.

    Args:
        turns: The turns of an episode.
        cut: The places of turns with a reply that ended at the token limit.
    """
    kinds = (
        CUT if at in cut else ILLEGAL if turn.unparsed is None else turn.unparsed.mode
        for at, turn in enumerate(turns)
        if turn.unparsed is not None or not turn.legal
    )
    return dict(Counter(kinds))


_OPENING = re.compile(r"(?:Refused|That [a-z ]{1,40}taken(?: either)?): |[A-Za-z]\w{0,11}: ")
_QUOTED = re.compile(r"""(?<!\w)(['"]).*?(?:\1(?!\w)|$)""")
_NUMBER = re.compile(r"\d[\d,]*")
_MOST_WORDS = 100


def name_refusal(turn: Turn) -> str:
    """Say why a reply was refused, alike for all that were refused for the same reason.

    Example:
        >>> from causarium.contract.world import Unparsed
        >>> why = Unparsed(mode="unreadable", detail="12 JSON objects in the reply; send one")
        >>> name_refusal(Turn(unparsed=why, observation="", legal=False, cost=0))
        'several JSON objects in the reply'
    """
    told = turn.observation if turn.unparsed is None else turn.unparsed.detail
    words = told.strip().partition("\n")[0][:300]
    for _ in range(2):
        words = words[found.end() :] if (found := _OPENING.match(words)) else words
    words = _QUOTED.sub("…", words)
    words = re.split(r"[:;(] ?|\. ", words)[0].strip(" .")
    words = _NUMBER.sub("N", re.sub(r"^[1-9]\d* (?=\w+s |JSON)", "several ", words))
    mode = ILLEGAL if turn.unparsed is None else turn.unparsed.mode
    return words[:_MOST_WORDS] or mode


def count_refusals(turns: Sequence[Turn]) -> dict[str, int]:
    """Count the replies that came to nothing by why, the commonest first."""
    refused = (turn for turn in turns if turn.unparsed is not None or not turn.legal)
    return dict(Counter(map(name_refusal, refused)).most_common())


def not_handled(verb: str) -> Unparsed:
    """Return what stands for a reply that made our own code raise."""
    return Unparsed(mode=NOT_HANDLED, detail=f"this reply could not be {verb}; send another")


class Episode:
    """A world and the turns taken in it so far."""

    def __init__(self, family: AnyFamily, instance: AnyInstance, rules: Rules) -> None:
        self.family = family.for_instance(instance)
        self.instance = instance
        self.rules = rules
        self.world: World = self.family.open_world(instance, rules)
        self.turns: list[Turn] = []
        self.latest: Observation | None = None
        """What the world answered last."""

    @property
    def done(self) -> bool:
        """Whether the world is done."""
        return self.world.done

    def parse_reply(self, reply: str) -> Move:
        """Read a text reply with the family's parser, as the world now expects it."""
        try:
            return self.family.replies.parse(reply, self.world.allowed_actions, self.rules)
        except RunError:
            raise
        except Exception:  # noqa: BLE001 - no reply may end a sample
            return not_handled("read")

    def step(self, move: Move) -> Observation:
        """Make one move and record the turn."""
        seen = self.world.act(move)
        turn = Turn(
            action=None if isinstance(move, Unparsed) else move.record(),
            unparsed=move if isinstance(move, Unparsed) else None,
            observation=seen.text,
            legal=seen.legal,
            cost=seen.cost,
        )
        self.latest = seen
        self.turns.append(turn)
        return seen

    def take(self, move: Move) -> Observation:
        """Make an agent's move as `step` does; where our own code raises, it is a bad reply.

        The world, which may have taken half of the move, is then built anew from the turns.

        Raises:
            RunError: The machine is broken, which is no reply's fault.
        """
        before = len(self.turns)
        try:
            seen = self.step(move)
            self._check_logged(self.turns[-1])
        except RunError:
            raise
        except Exception:  # noqa: BLE001 - no reply may end a sample
            del self.turns[before:]
            self.world = self.family.open_world(self.instance, self.rules)
            for turn in self.turns:
                self.world.act(turn.move(self.family.actions))
            return self.step(not_handled("taken"))
        return seen

    def _check_logged(self, turn: Turn) -> None:
        """Refuse what no log can hold: scores are taken of what was logged."""
        logged = Turn.model_validate_json(turn.model_dump_json())
        logged.move(self.family.actions)
        if logged.action != turn.action:
            raise ContractError(f"a log cannot hold {turn.action}")

    def follow(self, moves: Moves) -> None:
        """Make a player's moves until the world is done or the player falls silent."""
        try:
            action = next(moves)
            while not self.done:
                action = moves.send(self.step(action))
        except StopIteration:
            pass

    def score(self) -> Verdict:
        """Score the turns taken so far."""
        return self.family.score(self.instance, self.rules, self.turns)


def start_player(episode: Episode, player: str, *, seed: int = 0) -> Moves:
    """Start a player on a fresh episode; its draws depend on seed, name and instance alone."""
    return _start(episode.family, episode, player, seed)


def _start(family: AnyFamily, episode: Episode, player: str, seed: int) -> Moves:
    rng = stream(seed, "player", family.name, player, episode.instance.id)
    return family.player(player).start(episode.instance, episode.rules, rng)


def play(
    family: AnyFamily, instance: AnyInstance, rules: Rules, player: str, *, seed: int = 0
) -> Episode:
    """Let a player play one instance to its end, or until it falls silent."""
    episode = Episode(family, instance, rules)
    episode.follow(_start(family, episode, player, seed))
    return episode


def replay(
    family: AnyFamily, instance: AnyInstance, rules: Rules, turns: Sequence[Turn]
) -> Episode:
    """Play recorded turns again in a fresh world.

    Raises:
        ContractError: The world answered otherwise than recorded: the turns belong to another
            instance, other rules or another version of the family.
    """
    episode = Episode(family, instance, rules)
    for number, turn in enumerate(turns, 1):
        seen = episode.step(turn.move(episode.family.actions))
        if seen.text != turn.observation:
            raise ContractError(
                f"turn {number} of {instance.id} was answered {turn.observation!r} when it was "
                f"played and {seen.text!r} now; score it with the version that played it"
            )
    return episode


def reward_of(family: AnyFamily, edition: Edition, verdict: Verdict) -> float:
    """Return the reward that a verdict is worth.

    It is the headline metric, clipped to [-1, 1]; 0 where it does not apply. A metric that is fair
    only because wrong answers cost as much as right ones earn must be able to be negative.

    Raises:
        RunError: The verdict is unscored: a judge could not decide.
    """
    if verdict.unscored is not None:
        raise RunError(f"an episode without a score has no reward: {verdict.unscored}")
    earned = verdict.numbers.get(family.card.headline[edition], math.nan)
    return 0.0 if math.isnan(earned) else min(1.0, max(-1.0, earned))


def score_many(
    family: AnyFamily, instances: Sequence[AnyInstance], replies: Sequence[str], rules: Rules
) -> list[Verdict]:
    """Score one text reply to each of the instances, in order; one may be there several times.

    A family that can score faster than by playing says so in `Training.score_many`.

    Raises:
        UsageError: There are not as many replies as instances, or two instances share an id.
    """
    if len(instances) != len(replies):
        raise UsageError(f"{len(instances)} instances and {len(replies)} replies; give one each")
    family = family.for_instance(instances[0]) if instances else family
    if family.training.score_many is None:
        return [
            _play_reply(family, instance, reply, rules)
            for instance, reply in zip(instances, replies, strict=True)
        ]
    places: dict[str, list[int]] = {}
    for place, instance in enumerate(instances):
        mine = places.setdefault(instance.id, [])
        if mine and instances[mine[0]] != instance:
            raise UsageError(f"two different instances are called {instance.id}; score them apart")
        mine.append(place)
    verdicts: dict[int, Verdict] = {}
    for mine in places.values():
        verdicts_of_group = family.training.score_many(
            instances[mine[0]], [replies[place] for place in mine], rules
        )
        verdicts.update(zip(mine, verdicts_of_group, strict=True))
    return [verdicts[place] for place in range(len(instances))]


def _play_reply(family: AnyFamily, instance: AnyInstance, reply: str, rules: Rules) -> Verdict:
    episode = Episode(family, instance, rules)
    episode.take(episode.parse_reply(reply))
    return episode.score()
