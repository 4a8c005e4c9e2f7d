"""What a run would take, worked out without asking anybody.

The real prompts are worded and reference players play the real worlds, so that the number of turns
and the growth of the conversation are those of a game. Two games bound a run: the shortest that a
reference player wins or loses, with bare moves for replies; and one that goes on until the world
ends it, with words around every move. Between them lies what is likely: the reference player's game
with words around every move. Tokens are counted as characters divided by four, which is rough: a
tokenizer would have to be downloaded.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import cycle, takewhile
from math import ceil
from typing import Any, Self

from pydantic import ValidationError

from causarium.contract.episode import Episode, play
from causarium.contract.family import AnyFamily, AnyInstance
from causarium.contract.frozen import Frozen
from causarium.contract.rules import Rules
from causarium.contract.texts.role_questions import Ask, Consultation
from causarium.contract.world import Move, Unparsed, gives_answer, offered_actions
from causarium.engine.gate import AGENT, Price
from causarium.engine.play.inspect_episode import JUDGE, recheck_text
from causarium.engine.run.options import Options
from causarium.errors import UsageError


class _Amounts(Frozen):
    """Named amounts that add up name by name."""

    def __add__(self, other: Self) -> Self:
        return type(self)(**{name: mine + getattr(other, name) for name, mine in self})

    def __mul__(self, factor: float) -> Self:
        return type(self)(**{name: mine * factor for name, mine in self})


class Load(_Amounts):
    """Calls to a model, and what it reads and writes in them, in tokens."""

    calls: int | float = 0
    input: int | float = 0
    """Read, all of it."""
    cached: int | float = 0
    """The part of it that begins as an earlier call did, so that a provider's cache may have it."""
    output: int | float = 0

    def cost(self, price: Price, *, hits: bool) -> float:
        """Return US dollars; `hits` says whether caches have what they may have."""
        cached = self.cached if hits and price.cached is not None else 0.0
        fresh = (self.input - cached) * price.input + self.output * price.output
        return (fresh + cached * (price.cached or 0.0)) / 1e6


class Range(_Amounts):
    """The least, the most, and what is likely."""

    low: Load
    high: Load
    likely: Load = Load()

    def round_counts(self) -> "Range":
        """Return this in whole calls and tokens."""
        loads = (self.low, self.high, self.likely)
        low, high, likely = ({k: round(v) for k, v in load} for load in loads)
        return Range(low=Load(**low), high=Load(**high), likely=Load(**likely))


NOTHING = Range(low=Load(), high=Load())


CHARS_A_TOKEN = 4
WORDS_AROUND = 300
"""Tokens of thought and explanation that are added to every reply of the long game."""
HELPER_REPLY = 500
"""Tokens that a judge, an interpreter or a repairer is taken to write."""
TOKENS_A_SECOND = 50
"""So fast a model is taken to write; a provider may be much slower or faster."""
AT_ONCE = 10
"""So many calls are taken to be made at once, where nobody says otherwise."""
MOST_PLAYED = 8
"""So many instances of a set are played; the rest is taken to be like them."""
MOST_TURNS = 400
_SILENT = "silent"


class Estimate(Frozen):
    """What one run would take."""

    family: str
    edition: str
    set: str
    agent: str
    interface: str
    instances: int
    epochs: int
    at_once: int = AT_ONCE
    """How many calls are made at once."""
    played: int
    """How many of the instances were played to find out."""
    taken: dict[str, Range]
    """By role; that of the model under test is `agent`."""
    cost: tuple[float, float] | None
    """US dollars, least and most; None where a price is not known."""
    likely_cost: float | None = None
    """US dollars of a game like the causal player's; None where a price is not known."""
    unpriced: tuple[str, ...] = ()
    """The roles without a known price."""

    @property
    def samples(self) -> int:
        """How many episodes there are."""
        return self.instances * self.epochs

    @property
    def seconds(self) -> tuple[float, float]:
        """About how long it takes, least and most: a second a call, and the time to write."""
        calls = min(self.at_once, self.samples)
        loads = [(one.low, one.high) for one in self.taken.values()]
        low, high = (
            sum(load.calls + load.output / TOKENS_A_SECOND for load in side) / calls
            for side in (zip(*loads, strict=True) if loads else ((), ()))
        )
        return low, high


def tokens(text: str) -> int:
    """Return about how many tokens a text has."""
    return ceil(len(text) / CHARS_A_TOKEN)


def shorten_count(number: float) -> str:
    """Write a large number short.

    Example:
        >>> shorten_count(12), shorten_count(1_250_000)
        ('12', '1.25M')
    """
    for size, unit in ((1e6, "M"), (1e3, "k")):
        if number >= size:
            return f"{number / size:.3g}{unit}"
    return f"{number:.0f}"


def spread_evenly(size: int) -> list[int]:
    """Return at most `MOST_PLAYED` of the numbers below `size`, evenly apart.

    Example:
        >>> spread_evenly(12)
        [0, 1, 3, 4, 6, 7, 9, 10]
    """
    count = min(size, MOST_PLAYED)
    return [place * size // count for place in range(count)]


def estimate_one(
    family: AnyFamily, instance: AnyInstance, rules: Rules, options: Options
) -> dict[str, Range]:
    """Return what one episode of an instance would take, by role."""
    tour = [name for name in family.card.tour if name != _SILENT and name in family.players]
    names = tour or list(family.players)
    games = [play(family, instance, rules, name) for name in names]
    games = [game for game in games if game.turns] or [_unreadable_game(family, instance, rules)]
    likely = _likely_game(family, instance, rules, games)
    short = min((*games, likely), key=_count_turns_and_tokens)
    long = play_until_end(max((*games, likely), key=_count_turns_and_tokens))
    most, around = options.given.get("max_tokens"), options.given.get("reasoning_tokens")
    around = WORDS_AROUND if around is None else around
    ranges = {
        AGENT: Range(
            low=_load(short, around=0, most=most),
            high=_load(long, around=around, most=most),
            likely=_load(likely, around=around, most=most),
        )
    }
    for role, models in options.roles.items():
        if role in family.card.roles:
            taken = (
                _judge_range((likely, *reversed(games)))
                if role == JUDGE
                else _repair_range(role, short, long, likely)
            )
            ranges[role] = taken * len(models)
    return ranges


def _likely_game(
    family: AnyFamily, instance: AnyInstance, rules: Rules, games: Sequence[Episode]
) -> Episode:
    """Return a game as long as one by inference: the reference player's, or the middle one."""
    name = family.card.reference
    if name in family.players and not family.players[name].slow:
        with suppress(UsageError):
            game = play(family, instance, rules, name)
            if game.turns:
                return game
    return sorted(games, key=lambda game: len(game.turns))[len(games) // 2]


def _count_turns_and_tokens(game: Episode) -> tuple[int, int]:
    return len(game.turns), sum(reply for reply, _ in _exchanges(game))


def _unreadable_game(family: AnyFamily, instance: AnyInstance, rules: Rules) -> Episode:
    episode = Episode(family, instance, rules)
    episode.step(_make_empty_reply())
    return episode


def _make_empty_reply() -> Unparsed:
    return Unparsed(mode="no answer", detail="nothing was said")


def play_until_end(game: Episode) -> Episode:
    """Return a game with the moves of `game` over and over, until the world ends it."""
    again = Episode(game.family, game.instance, game.rules)
    moves = [turn.move(game.family.actions) for turn in game.turns]
    put_off = 0
    for move in cycle(moves):
        if again.done or len(again.turns) >= MOST_TURNS:
            break
        put_off = put_off + 1 if gives_answer(again.world, move) else 0
        if not put_off:
            again.step(move)
        elif put_off > len(moves):
            again.step(_make_empty_reply())
    return max(game, again, key=lambda played: len(played.turns))


def _load(game: Episode, *, around: int, most: int | None) -> Load:
    """Return what a model reads and writes in a game."""
    prompt = game.family.prompt(game.instance.public, game.rules)
    shared = tokens(prompt.system) + _tool_tokens(game)
    opening = shared + tokens(prompt.user)
    total, exchanged, before = Load(), 0, shared
    for reply, seen in _exchanges(game):
        written = reply + around if most is None else min(reply + around, most)
        whole = opening + exchanged
        sent = whole if game.rules.context is None else min(whole, game.rules.context)
        # What is left out breaks the common beginning.
        cached = before if sent == whole else min(opening, sent)
        total += Load(calls=1, input=sent, cached=cached, output=written)
        before, exchanged = whole, exchanged + written + seen
    return total


def _exchanges(game: Episode) -> Iterator[tuple[int, int]]:
    """Yield the tokens of each bare reply of a game, and of what is answered to it."""
    world = game.family.open_world(game.instance, game.rules)
    unchecked = game.rules.recheck
    for turn in game.turns:
        move = turn.move(game.family.actions)
        reply = tokens(_reply_text(move))
        if unchecked and gives_answer(world, move):
            unchecked = False
            yield reply, tokens(recheck_text(game.rules))
        yield reply, tokens(turn.observation)
        world.act(move)


def _reply_text(move: Move) -> str:
    if isinstance(move, Unparsed):
        return move.detail
    return json.dumps(move.model_dump(mode="json", exclude={"forgiven"}), ensure_ascii=False)


def _tool_tokens(game: Episode) -> int:
    """Return how many tokens the tools take that a tool-calling agent is offered."""
    if not game.rules.by_tools:
        return 0
    fresh = game.family.open_world(game.instance, game.rules)
    tools = [action for action in offered_actions(fresh) if action.in_tools]
    texts = [f"{tool.kind}{tool.__doc__}{json.dumps(tool.model_json_schema())}" for tool in tools]
    return sum(tokens(text) for text in texts)


def _repair_range(role: str, short: Episode, long: Episode, likely: Episode) -> Range:
    # At worst every reply is one that needs help: out of form, or a question in plain words.
    worst = max((_repair_questions(long, move)[1] for move in _moves_that_need_help(long)), key=len)
    high = Load()
    for turn in long.turns:
        asks = _repair_questions(long, turn.move(long.family.actions))[1]
        high += _questions(role, max(asks, worst, key=len))
    return Range(low=_sum_repairs(role, short), high=high, likely=_sum_repairs(role, likely))


def _sum_repairs(role: str, game: Episode) -> Load:
    total = Load()
    for turn in game.turns:
        total += _questions(role, _repair_questions(game, turn.move(game.family.actions))[0])
    return total


def _judge_range(games: Sequence[Episode]) -> Range:
    """Return what a judge takes in the first game that leaves it anything to judge."""
    for game in games:
        judge = game.family.helpers.judge
        if judge is not None:
            begin = partial(judge.ask, game.instance, game.rules, game.turns)
            fresh, every = collect_questions(begin)
            if fresh:
                asked = _questions(JUDGE, fresh)
                return Range(low=asked, high=_questions(JUDGE, every), likely=asked)
    return NOTHING


def _moves_that_need_help(game: Episode) -> list[Move]:
    """Return moves that an assistant may have to do with: an unreadable one, and words alone."""
    words = "It may well be so, all things considered."
    allowed_actions = game.family.open_world(game.instance, game.rules).allowed_actions
    moves: list[Move] = [game.family.replies.parse(words, allowed_actions, game.rules)]
    for action in allowed_actions:
        with suppress(ValidationError):
            needed = [name for name, field in action.model_fields.items() if field.is_required()]
            moves.append(action.model_validate(dict.fromkeys(needed, words)))
    return moves


def _repair_questions(game: Episode, move: Move) -> tuple[list[Ask], list[Ask]]:
    assist = game.family.helpers.repair_move
    if assist is None:
        return [], []
    public, rules = game.instance.public, game.rules
    return collect_questions(lambda: assist(public, rules, move) or _no_questions(move))


def _no_questions(move: Move) -> Consultation[Move]:
    yield from ()
    return move


def collect_questions(begin: Callable[[], Consultation[Any]]) -> tuple[list[Ask], list[Ask]]:
    """Put unusable replies into a consultation.

    Returns:
        The questions that it has in any case, and all that it asks until it gives up. One is asked
        again if its words depend on what was replied.
    """
    every, others = (_ask_through(begin(), reply) for reply in ("", "{}"))
    same = [ask for ask, other in zip(every, others, strict=False) if ask == other]
    return same, every


def _ask_through(consultation: Consultation[Any], reply: str) -> list[Ask]:
    asks: list[Ask] = []
    try:
        ask = next(consultation)
        while len(asks) < MOST_TURNS:
            asks.append(ask)
            ask = consultation.send(reply)
    except StopIteration:
        pass
    return asks


def _questions(role: str, asks: Sequence[Ask]) -> Load:
    """Return what a helper reads and writes; what two questions begin with may be in a cache."""
    total, before = Load(), ""
    for ask in asks:
        if ask.role == role:
            text = f"{ask.system}\n{ask.user}"
            common = _count_common_tokens(text, before) if before else tokens(ask.system)
            total += Load(calls=1, input=tokens(text), cached=common, output=HELPER_REPLY)
            before = text
    return total


def _count_common_tokens(text: str, other: str) -> int:
    """Return about how many tokens two texts have in common at their beginning."""
    same = takewhile(lambda pair: pair[0] == pair[1], zip(text, other, strict=False))
    return sum(1 for _ in same) // CHARS_A_TOKEN


def estimate_run(
    family: AnyFamily,
    instances: Sequence[AnyInstance],
    rules: Rules,
    options: Options,
    *,
    count: int,
) -> dict[str, Range]:
    """Return what a run would take, by role.

    Args:
        family: The family.
        instances: Those that are played to find out.
        rules: How it is played.
        options: The options of the planned run.
        count: How many instances the run has.
    """
    total: dict[str, Range] = {}
    for instance in instances:
        for role, taken in estimate_one(family, instance, rules, options).items():
            total[role] = total.get(role, NOTHING) + taken
    factor = count * options.epochs / max(1, len(instances))
    return {role: (taken * factor).round_counts() for role, taken in total.items()}


def in_dollars(
    taken: Mapping[str, Range], prices: Mapping[str, Price]
) -> tuple[float, float, float] | None:
    """Return the least, the most and the likely cost; None where a price is not known."""
    if any(role not in prices for role in taken):
        return None
    ranges = [(used, prices[role]) for role, used in taken.items()]
    return (
        sum(used.low.cost(price, hits=True) for used, price in ranges),
        sum(used.high.cost(price, hits=False) for used, price in ranges),
        sum(used.likely.cost(price, hits=True) for used, price in ranges),
    )
