"""Who plays CausalGame without a model.

Players that see what an agent sees look for a design by a policy (`strategies/`) and submit what it
recommends, in both editions. The trap and the oracle know the game.
"""

from collections.abc import Callable, Generator
from random import Random
from typing import TYPE_CHECKING

from causarium.contract.player import Moves, Player
from causarium.contract.rules import Rules
from causarium.contract.world import Action, Observation
from causarium.families.causalgame.actions import (
    AnswerQuestions,
    Commit,
    Explain,
    Fly,
    Tabulate,
)
from causarium.families.causalgame.instance import (
    RETURNED,
    AnyGame,
    AnyPublic,
    AnySecret,
    TwinPublic,
    as_session,
    is_twin,
)
from causarium.families.causalgame.interface.claims import MOST_CLAIMS
from causarium.families.causalgame.mechanics.game import Space
from causarium.families.causalgame.strategies.session_moves import (
    commit_at_once,
    name_design,
    offer_session,
    play_session,
)
from causarium.players.silent import SILENT

if TYPE_CHECKING:
    from causarium.families.causalgame.strategies.causal_player import Model
    from causarium.families.causalgame.strategies.offers import Choice, Offer, Outcome, Policy

GamePlayer = Player[AnyPublic, AnySecret]
Settled = Generator[Action, Observation, "Choice"]
"""Tests designs and returns the one to submit."""


def _searcher(about: str, module: str, function: str, name: str) -> GamePlayer:
    """Return the player who looks for designs by a policy of `strategies/`."""

    def make_moves(public: AnyPublic, rules: Rules, rng: Random) -> Moves:
        from importlib import import_module

        place = "causarium.families.causalgame.strategies"
        policy: Policy = getattr(import_module(f"{place}.{module}"), function)
        if isinstance(public, TwinPublic):
            return _play_pair(
                public, rules, rng, name, lambda offer: _explore(public, policy, offer, rng)
            )
        return play_session(public, policy, rng)

    return Player(about=about, moves=make_moves)


def _settler(
    about: str,
    choose: "Callable[[Offer, float, Random], Choice]",
    name: str,
    *,
    ignores_input: bool = True,
) -> GamePlayer:
    """Return the player who settles on a design without looking at flights."""

    def make_moves(public: AnyPublic, rules: Rules, rng: Random) -> Moves:
        def settle(offer: "Offer") -> Settled:
            design = choose(offer, public.threshold, rng)
            if isinstance(public, TwinPublic):
                yield _fly(public, design, 1)
            return design

        if isinstance(public, TwinPublic):
            return _play_pair(public, rules, rng, name, settle)
        return commit_at_once(name_design(public, choose(offer_session(public), 0.0, rng)))

    return Player(about=about, moves=make_moves, ignores_input=ignores_input)


def offer_pair(public: TwinPublic) -> "Offer":
    """Return what an agent of a twin pair may choose from in a mission."""
    from causarium.families.causalgame.strategies.offers import Offer

    budget = public.budget
    return Offer(
        default=public.standard.armour,
        low=0,
        high=public.highest,
        total=public.total,
        options=(2,) * len(public.slots),
        deployments=budget.deployments,
        drones=budget.drones,
        per_deployment=budget.per_deployment,
        target=public.target,
        signals=len(public.signals),
        counts_told=not public.hides_losses,
    )


def _play_pair(
    public: TwinPublic,
    rules: Rules,
    rng: Random,
    name: str,
    settle: "Callable[[Offer], Settled]",
) -> Moves:
    """Play two missions, answer what is asked, and report."""
    learned: list[Model] = []
    told = Observation("")
    for _ in range(2):
        if public.archived:
            design = yield from _read_archive(public, name, rng)
        elif name == "causal":
            from causarium.families.causalgame.strategies.causal_player import decide

            learned.append((yield from _study(public, rng)))
            design = decide(learned[-1])
        else:
            design = yield from settle(offer_pair(public))
        told = yield Commit.model_validate(_spell(public, design))
    for mission in range(2):
        if told.data.get("questions"):
            model = learned[mission] if learned else None
            told = yield AnswerQuestions.model_validate({"answers": _answer(public, told, model)})
    if getattr(rules, "report", True):
        yield Explain(text="Both fleets flew with what the test flights recommended.")


def _explore(public: TwinPublic, policy: "Policy", offer: "Offer", rng: Random) -> Settled:
    exploring = policy(offer, rng)
    try:
        trial = next(exploring)
        while True:
            seen = yield _fly(public, trial.design, trial.count)
            trial = exploring.send(_read_flights(public, seen, trial.count))
    except StopIteration as end:
        design: Choice = end.value
    return design


def _study(public: TwinPublic, rng: Random) -> "Generator[Action, Observation, Model]":
    from causarium.families.causalgame.strategies.causal_player import study

    studying = study(offer_pair(public), rng)
    try:
        trial = next(studying)
        while True:
            seen = yield _fly(public, trial.design, trial.count)
            trial = studying.send(_read_flights(public, seen, trial.count))
    except StopIteration as end:
        model: Model = end.value
    return model


def _read_flights(public: TwinPublic, seen: Observation, ordered: int) -> "Outcome":
    from causarium.families.causalgame.strategies.offers import Outcome

    words = [condition.values for condition in public.conditions]
    words += [("off", "on")] * len(public.signals) + [("lost", "returned")]
    flights = seen.data.get("flights")
    named = [tuple(row) for row in (flights if isinstance(flights, list) else [])]
    read = {
        row: tuple(values.index(word) for values, word in zip(words, row, strict=True))
        for row in set(named)
    }
    rows = tuple(read[row] for row in named)
    return Outcome(sum(row[-1] for row in rows) / ordered, rows)


def _read_archive(public: TwinPublic, name: str, rng: Random) -> Settled:
    from causarium.families.causalgame.strategies.archive_players import choose_reader
    from causarium.families.causalgame.strategies.offers import Choice

    if public.mode == "flights":
        return Choice((), ())
    read = choose_reader(name, public.mode)
    options = []
    for slot, column in zip(public.slots, public.conditions, strict=True):
        seen = yield Tabulate(columns=[slot.name, column.name, "returned"])
        words = (slot.values, column.values, ("no", "yes"))
        rows = seen.data.get("rows")
        counts = {
            (words[0].index(row[0]), words[1].index(row[1]), words[2].index(row[2])): row[3]
            for row in (rows if isinstance(rows, list) else [])
        }
        options.append(read(counts, rng))
    return Choice((), tuple(options))


def _answer(public: TwinPublic, told: Observation, model: "Model | None") -> dict[str, object]:
    """Answer from what was learned; without a model, every answer is as likely."""
    from causarium.families.causalgame.strategies.belief_answers import believe_change

    asked = told.data.get("questions")
    questions = asked if isinstance(asked, list) else []
    if model is None:
        return {
            question["id"]: dict.fromkeys(("up", "down", "none"), 1 / 3) for question in questions
        }
    values = {condition.name: condition.values for condition in public.conditions}
    slots = tuple((slot.name, slot.values) for slot in public.slots)
    answers: dict[str, object] = {}
    for question in questions:
        conditions = tuple(
            values[name].index(word) if word in values[name] else None
            for name, word in question["setting"].items()
        )
        answers[question["id"]] = believe_change(
            model, (public.parts, slots), question["change"], conditions
        )
    return answers


def _spell(public: TwinPublic, design: "Choice") -> dict[str, dict[str, object]]:
    return {
        "design": dict(zip(public.parts, design.armour, strict=True)),
        "equipment": {
            slot.name: slot.values[option]
            for slot, option in zip(public.slots, design.options, strict=True)
        },
    }


def _fly(public: TwinPublic, design: "Choice", count: int) -> Fly:
    return Fly.model_validate({**_spell(public, design), "count": count})


def _insider(about: str, *, right: bool) -> GamePlayer:
    """Return the player who knows the game: submits its best design, or what tempts one to."""

    def make_moves(instance: AnyGame, rules: Rules, _rng: Random) -> Moves:
        if is_twin(instance):
            from causarium.families.causalgame.scoring.pair_marks import insider_moves

            return insider_moves(instance, rules, right=right)
        from causarium.families.causalgame.scoring.claims.target_ideas import claims_of

        game = as_session(instance).secret.game
        asked = getattr(rules, "claims", False)
        held = claims_of(game, golden=right)[:MOST_CLAIMS] if asked else ()
        return commit_at_once(game.best if right else game.trap, held)

    return Player(about=about, moves_from_truth=make_moves)


def _regression(public: AnyPublic, rules: Rules, rng: Random) -> Moves:
    if isinstance(public, TwinPublic):
        from causarium.families.causalgame.strategies.row_searches import search_pooled

        return _play_pair(
            public,
            rules,
            rng,
            "regression",
            lambda offer: _explore(public, search_pooled, offer, rng),
        )
    from causarium.families.causalgame.evidence.regression import Record, recommend

    records = [
        Record(flight.design, flight.equipment, flight.status == RETURNED, flight.hit_count)
        for flight in public.history
    ]
    space = Space(low=public.lowest, high=public.highest, total=public.total)
    return commit_at_once(recommend(records, space))


def _choose_default(offer: "Offer", _threshold: float, _rng: Random) -> "Choice":
    from causarium.families.causalgame.strategies.offers import default_choice

    return default_choice(offer)


def _choose_guess(offer: "Offer", _threshold: float, rng: Random) -> "Choice":
    from causarium.families.causalgame.strategies.offers import guess

    return guess(offer, rng)


def _choose_remembered(offer: "Offer", threshold: float, rng: Random) -> "Choice":
    from causarium.families.causalgame.strategies.memory import recall_nearest
    from causarium.families.causalgame.strategies.offers import guess

    return recall_nearest(offer, threshold, rng) if offer.target else guess(offer, rng)


def _choose_constant(offer: "Offer", _threshold: float, _rng: Random) -> "Choice":
    from causarium.families.causalgame.strategies.memory import recall_constant
    from causarium.families.causalgame.strategies.offers import default_choice

    return recall_constant(offer) if offer.target else default_choice(offer)


PLAYERS: dict[str, GamePlayer] = {
    "oracle": _insider("Submits the best design.", right=True),
    "causal": _searcher(
        "Screens, finds which conditions turn which effects, and carries that to the target.",
        *("causal_player", "explore", "causal"),
    ),
    "interactions": _searcher(
        "Screens, lets every two conditions turn every part, and reads the effects at the target.",
        *("interactions", "read_at_target", "interactions"),
    ),
    "stratify": _searcher(
        "Screens, and counts only flights that met the whole target.",
        *("row_searches", "stratify", "stratify"),
    ),
    "resemble": _searcher(
        "Screens, and counts flights the more the more they are like the target.",
        *("row_searches", "resemble", "resemble"),
    ),
    "reweight": _searcher(
        "Screens, and regresses on flights that count by their likeness to the target.",
        *("row_searches", "reweight", "reweight"),
    ),
    "filter": _searcher(
        "Tries random designs, keeps the best one in flights that met the whole target.",
        *("row_searches", "match_best", "filter"),
    ),
    "screening": _searcher(
        "Screens, and follows the main effects on counts.", "searches", "screening", "screening"
    ),
    "bayesian": _searcher(
        "Bayesian optimisation over designs, by a Gaussian process.",
        *("searches", "bayesian", "bayesian"),
    ),
    "halving": _searcher(
        "Tries seven designs, and the better ones again with more drones.",
        *("searches", "halving", "halving"),
    ),
    "grid": _searcher("Crosses equipment with armour.", "searches", "grid", "grid"),
    "random": _searcher(
        "Tries random designs, keeps the best batch.", "searches", "random_search", "random"
    ),
    "regression": Player(
        about="Regresses survival on the design alone: on its test flights, or in a published game "
        "on the opening history.",
        moves=_regression,
    ),
    "memoriser": _settler(
        "Submits what won in the most similar of 60 other pairs.",
        _choose_remembered,
        "memoriser",
        ignores_input=False,
    ),
    "constant": _settler(
        "Submits the one design that wins most other pairs.", _choose_constant, "constant"
    ),
    "guess": _settler("Submits one random design.", _choose_guess, "guess"),
    "default": _settler("Submits the standard design.", _choose_default, "default"),
    "trap": _insider("Submits what tempts one to: the twin's best design.", right=False),
    "silent": SILENT,
}
