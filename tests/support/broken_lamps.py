"""Lamps with one promise broken each, to see that the contract checker can fail.

They stand in a module, and not in the tests, because a fresh process has to import some of them.
"""

import itertools
import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from pydantic import field_validator

from causarium.contract.certificate import Findings, Proof
from causarium.contract.companions import claim_nothing
from causarium.contract.family import AnyFamily, AnyInstance, Prompt
from causarium.contract.family_card import FamilyCard
from causarium.contract.frozen import digest
from causarium.contract.instance import Instance
from causarium.contract.rules import Rules
from causarium.contract.texts.say_action import visible_fields, write_reply
from causarium.contract.texts.scan_reply import find_json_objects
from causarium.contract.turn import Turn
from causarium.contract.verdict import Verdict
from causarium.contract.world import Action, Move, Observation, Unparsed
from tests.support.ladder import FAMILY as LADDER
from tests.support.lamps import FAMILY as LAMPS
from tests.support.lamps.model import Answer, Flip, LampsConfig, LampsPublic, LampsSecret, generate
from tests.support.lamps.play import LampsWorld
from tests.support.lamps.players import PLAYERS
from tests.support.vary_family import vary

_calls = itertools.count()
_last = [-1]


def with_secret(instance: AnyInstance, **changes: Any) -> AnyInstance:
    return instance.model_copy(update={"secret": instance.secret.model_copy(update=changes)})


def with_switches(instance: AnyInstance, *switches: str) -> AnyInstance:
    return instance.model_copy(update={"public": LampsPublic(switches=switches)})


def draw_by_counting(config: LampsConfig, seed: int, index: int) -> AnyInstance:
    return with_secret(generate(config, seed, index), fuse_ohm=float(next(_calls)))


def draw_by_hash(config: LampsConfig, seed: int, index: int) -> AnyInstance:
    return with_secret(generate(config, seed, index), fuse_ohm=float(hash(f"lamp {index}")))


def draw_in_turn(config: LampsConfig, seed: int, index: int) -> AnyInstance:
    in_turn, _last[0] = index in (0, _last[0] + 1), index
    instance = generate(config, seed, index)
    return instance if in_turn else with_secret(instance, fuse_ohm=1.0)


def draw_otherwise(config: LampsConfig, seed: int, index: int) -> AnyInstance:
    return with_secret(generate(config, seed, index), fuse_ohm=1.5)


def draw_one_id(config: LampsConfig, seed: int, index: int) -> AnyInstance:
    return generate(config, seed, index).model_copy(update={"id": "lamps-one"})


def draw_foreign_id(config: LampsConfig, seed: int, index: int) -> AnyInstance:
    return generate(config, seed, index).model_copy(update={"id": f"candles-{index}"})


def draw_fuse_in_id(config: LampsConfig, seed: int, index: int) -> AnyInstance:
    instance = generate(config, seed, index)
    return instance.model_copy(update={"id": f"lamps-{instance.secret.fuse_ohm}"})


def draw_wired_in_id(config: LampsConfig, seed: int, index: int) -> AnyInstance:
    instance = generate(config, seed, index)
    return instance.model_copy(update={"id": f"lamps-{index}-{instance.secret.wired}"})


def draw_fuse_in_public(config: LampsConfig, seed: int, index: int) -> AnyInstance:
    instance = generate(config, seed, index)
    return with_switches(instance, *instance.public.switches, str(instance.secret.fuse_ohm))


def draw_wired_first(config: LampsConfig, seed: int, index: int) -> AnyInstance:
    instance = generate(config, seed, index)
    wired = instance.secret.wired
    return with_switches(instance, wired, *(s for s in instance.public.switches if s != wired))


def draw_wired_by_number(config: LampsConfig, seed: int, index: int) -> AnyInstance:
    instance = generate(config, seed, index)
    return with_secret(instance, wired=instance.public.switches[index % 2])


def draw_wired_last(config: LampsConfig, seed: int, index: int) -> AnyInstance:
    first, *others = draw_wired_first(config, seed, index).public.switches
    return with_switches(generate(config, seed, index), *others, first)


def draw_facet_in_public(config: LampsConfig, seed: int, index: int) -> AnyInstance:
    instance = generate(config, seed, index)
    return instance.model_copy(update={"facets": {"first": instance.public.switches[0]}})


class DriftingSecret(LampsSecret):
    @field_validator("fuse_ohm", mode="before")
    @classmethod
    def _drift(cls, value: float) -> float:
        return value + 1


def draw_drifting(config: LampsConfig, seed: int, index: int) -> AnyInstance:
    instance = generate(config, seed, index)
    secret = DriftingSecret(**instance.secret.model_dump())
    return Instance[LampsPublic, DriftingSecret](
        **{**dict(instance), "secret": secret, "facets": instance.facets}
    )


class WiredSecret(LampsSecret):
    edges: tuple[tuple[str, str], ...]


def draw_edges(config: LampsConfig, seed: int, index: int) -> AnyInstance:
    instance = generate(config, seed, index)
    secret = WiredSecret(**instance.secret.model_dump(), edges=((instance.secret.wired, "lamp"),))
    return Instance[LampsPublic, WiredSecret](**{**dict(instance), "secret": secret})


class ToldFuse(LampsWorld):
    def __init__(self, instance: AnyInstance, rules: Any) -> None:
        super().__init__(instance, rules)
        self.secret = instance.secret

    def act(self, move: Move) -> Observation:
        seen = super().act(move)
        return seen._replace(text=f"{seen.text} The fuse has {self.secret.fuse_ohm} ohm.")


class ToldAsData(ToldFuse):
    def act(self, move: Move) -> Observation:
        seen = LampsWorld.act(self, move)
        return seen._replace(data={**seen.data, "fuse": self.secret.fuse_ohm})


class ToldWired(ToldFuse):
    def act(self, move: Move) -> Observation:
        seen = LampsWorld.act(self, move)
        return seen._replace(text=f"{seen.text} Think of {self.secret.wired}!")


class ToldEdges(ToldFuse):
    def act(self, move: Move) -> Observation:
        seen = LampsWorld.act(self, move)
        return seen._replace(text=f"{seen.text} Copper -> bulb, {self.secret.wired} -> lamp.")


class Forgetful(LampsWorld):
    def act(self, move: Move) -> Observation:
        return super().act(move)._replace(text=f"Call {next(_calls)}.")


class Unbounded(LampsWorld):
    def _refuse(self, why: str) -> Observation:
        return Observation(why, legal=False)


class Secretive(LampsWorld):
    """Takes answers and does not say which moves they are."""

    def is_final(self, move: Action) -> bool:
        return False


class Generous(LampsWorld):
    @property
    def allowed_actions(self) -> tuple[type[Action], ...]:
        return () if self.done else (Flip, Answer)

    def act(self, move: Move) -> Observation:
        return self._flip(move.switch) if isinstance(move, Flip) else super().act(move)


class OutOfTurn(LampsWorld):
    def act(self, move: Move) -> Observation:
        if isinstance(move, Flip) and not self.done and self.spent == self.budget:
            return Observation("One more, then.")
        return super().act(move)


class Obedient(LampsWorld):
    def _refuse(self, why: str) -> Observation:
        self._lit = not self._lit
        return super()._refuse(why)


class AskingAtOnce(LampsWorld):
    """Takes an answer that it refuses for the wish to answer: nothing can be flipped any more."""

    def act(self, move: Move) -> Observation:
        seen = super().act(move)
        if not seen.legal and isinstance(move, Answer):
            self.budget = self.spent
        return seen


class Impatient(LampsWorld):
    def _refuse(self, why: str) -> Observation:
        self.budget = self.spent
        return super()._refuse(why)


class Miscounting(LampsWorld):
    def _flip(self, name: str) -> Observation:
        return super()._flip(name)._replace(cost=0)


class Immortal(LampsWorld):
    def act(self, move: Move) -> Observation:
        return Observation("Still here.") if self.done else super().act(move)


class Welcoming(LampsWorld):
    def act(self, move: Move) -> Observation:
        if isinstance(move, Unparsed):
            self.done = True
            return Observation("Never mind.")
        return super().act(move)


class Mute(LampsWorld):
    def _refuse(self, why: str) -> Observation:
        return super()._refuse(why)._replace(text="")


class Charging(LampsWorld):
    def _refuse(self, why: str) -> Observation:
        return super()._refuse(why)._replace(cost=1)


def read_carelessly(reply: str, allowed_actions: Any, rules: Any) -> Action | Unparsed:
    return Flip(switch=json.loads(reply)["switch"])


def read_anything(reply: str, allowed_actions: Any, rules: Any) -> Action | Unparsed:
    return Answer(wired=reply[:20].encode("ascii", "replace").decode())


def read_last(reply: str, allowed_actions: Any, rules: Any) -> Action | Unparsed:
    last = find_json_objects(reply)[-1:]
    return LAMPS.replies.parse(json.dumps(last[0]) if last else reply, allowed_actions, rules)


def read_by_key(reply: str, allowed_actions: Any, rules: Any) -> Action | Unparsed:
    found = find_json_objects(reply)
    if found and "switch" in found[0]:
        return Flip(switch=found[0]["switch"].strip())
    return LAMPS.replies.parse(reply, allowed_actions, rules)


def read_without_mode(reply: str, allowed_actions: Any, rules: Any) -> Action | Unparsed:
    got = LAMPS.replies.parse(reply, allowed_actions, rules)
    return Unparsed(mode="", detail="") if isinstance(got, Unparsed) else got


def scored(**changes: float | None) -> Any:
    """Return a scorer that adds to the numbers of a verdict, or takes one out."""

    def score(instance: AnyInstance, rules: Any, turns: Sequence[Turn]) -> Verdict:
        verdict = LAMPS.score(instance, rules, turns)
        numbers = {**verdict.numbers, **changes}
        return verdict.model_copy(
            update={"numbers": {k: v for k, v in numbers.items() if v is not None}}
        )

    return score


def score_by_counting(instance: AnyInstance, rules: Any, turns: Sequence[Turn]) -> Verdict:
    return scored(flips=float(next(_calls)))(instance, rules, turns)


def score_by_hash(instance: AnyInstance, rules: Any, turns: Sequence[Turn]) -> Verdict:
    return scored(flips=float(hash(instance.id) % 1000))(instance, rules, turns)


def score_and_scribble(instance: AnyInstance, rules: Any, turns: Sequence[Turn]) -> Verdict:
    instance.facets["scored"] = next(_calls)
    return LAMPS.score(instance, rules, turns)


def score_and_cut(instance: AnyInstance, rules: Any, turns: Any) -> Verdict:
    verdict = LAMPS.score(instance, rules, turns)
    turns.append(turns[0]) if turns else None
    return verdict


def score_guesses_better(instance: AnyInstance, rules: Any, turns: Sequence[Turn]) -> Verdict:
    return scored(regret=float(len(turns) == 0) - float(len(turns) > 1))(instance, rules, turns)


def say_nothing(public: Any, rules: Any) -> Prompt:
    return Prompt(system="", user=" ")


def say_something_else(public: Any, rules: Any) -> Prompt:
    return Prompt(system="", user=f"Greeting number {next(_calls)}.")


class Undocumented(Action):
    kind = "undocumented"

    field: int


def say_more(action: Action, rules: Rules) -> str:
    return write_reply({name: f"{value}x" for name, value in visible_fields(action).items()})


def kin_by_counting(instance: AnyInstance) -> str:
    return digest(str(next(_calls)))


def prove_falsely(instance: AnyInstance) -> Findings:
    return Findings(optimum=2.0, proofs=(Proof(claim="all is well", method="hope", holds=False),))


def prove_nothing_much(instance: AnyInstance) -> Findings:
    return Findings(optimum=2.0, proofs=(Proof(claim="all is well", method="hope", holds=True),))


def broken() -> Iterator[tuple[str, str, AnyFamily]]:
    """Yield the promise that is broken, how, and the family that breaks it."""
    some = {name: player for name, player in PLAYERS.items() if name != "random"}
    nameless = {**PLAYERS, "random": replace(PLAYERS["random"], about="")}
    paper = {**LAMPS.levels, "small": LAMPS.levels["paper"]}
    edged = {"generate": draw_edges, "instance": Instance[LampsPublic, WiredSecret]}
    drifting = {"generate": draw_drifting, "instance": Instance[LampsPublic, DriftingSecret]}

    def unimportable(config: LampsConfig, seed: int, index: int) -> AnyInstance:
        return generate(config, seed, index)

    plants: dict[str, dict[str, dict[str, Any]]] = {
        "the_card_names_every_level_and_player": {
            "a level less": {"levels": {"small": LAMPS.levels["small"]}},
            "a player less": {"players": some},
        },
        "a_fresh_process_draws_the_same_bytes": {
            "counting": {"generate": draw_by_counting},
            "in turn": {"generate": draw_in_turn},
            "hashing": {"generate": draw_by_hash},
            "unimportable": {"generate": unimportable},
        },
        "a_fresh_process_gives_the_same_verdicts": {"hashing": {"score": score_by_hash}},
        "digests_match_the_card": {"otherwise": {"generate": draw_otherwise}},
        "sets_hold_levels_of_their_own_edition": {"paper level": {"levels": paper}},
        "ids_are_unique": {
            "one id": {"generate": draw_one_id},
            "foreign": {"generate": draw_foreign_id},
        },
        "instances_survive_a_trip_through_json": {"drifting": drifting},
        "nothing_secret_is_said_in_so_many_words": {
            "in the id": {"generate": draw_fuse_in_id},
            "in the public part": {"generate": draw_fuse_in_public},
            "in observations": {"open_world": ToldFuse},
            "as data": {"open_world": ToldAsData},
        },
        "no_public_field_always_equals_a_secret_one": {
            "first": {"generate": draw_wired_first},
            "last": {"generate": draw_wired_last},
            "facet": {"generate": draw_facet_in_public},
        },
        "the_names_that_are_mentioned_do_not_betray_the_secret_one": {
            "in observations": {"open_world": ToldWired},
            "in the id": {"generate": draw_wired_in_id},
        },
        "pairs_of_the_secret_are_not_written_out": {
            "in observations": {**edged, "open_world": ToldEdges}
        },
        "the_reference_players_exist": {"no random": {"players": some}},
        "the_oracle_gets_full_marks": {"nobody can": {"score": scored(accuracy=0.9)}},
        "progress_lies_between_nothing_and_all": {"more": {"progress": lambda *_: 2.0}},
        "what_was_read_can_be_said_again": {"stutter": {"write": say_more}},
        "a_player_that_talks_gets_the_same_verdict": {"stutter": {"write": say_more}},
        "no_split_can_draw_what_is_in_a_set": {"moody": {"canonical_key": kin_by_counting}},
        "silence_scores_zero": {"consolation": {"score": scored(accuracy=0.1)}},
        "reference_players_stay_within_the_cards_bounds": {
            "too good": {"score": scored(accuracy=1.0)},
            "not a number": {"score": scored(accuracy=float("nan"))},
        },
        "every_certificate_holds": {
            "false": {"certify": prove_falsely},
            "nothing": {"certify": claim_nothing},
        },
        "claims_come_out_alike_on_another_path": {
            "other claims": {"recheck": claim_nothing},
            "none": {"recheck": None},
        },
        "planted_faults_are_found": {
            "vacuous": {"certify": prove_nothing_much},
            "none": {"faults": {}},
            "no room": {"faults": {"nowhere": lambda _: None}},
        },
        "no_member_earns_more_than_its_bound": {"too good": {"score": scored(accuracy=1.0)}},
        "nothing_follows_from_ids_order_and_sizes": {
            "the first switch": {"generate": draw_wired_first},
            "the switch of the number": {"generate": draw_wired_by_number},
        },
        "the_reference_earns_what_is_reachable": {"worse": {"score": scored(accuracy=0.0)}},
        "verdicts_hold_the_numbers_they_name": {
            "unnamed": {"score": scored(charm=1.0)},
            "no headline": {"score": scored(accuracy=None)},
            "infinite": {"score": scored(flips=float("inf"))},
            "undescribed": {"metrics": {"flips": "How many."}},
        },
        "scoring_twice_is_the_same_and_changes_nothing": {
            "counting": {"score": score_by_counting},
            "scribbling": {"score": score_and_scribble},
            "adding turns": {"score": score_and_cut},
        },
        "replaying_a_record_gives_the_same_game": {
            "forgetful": {"open_world": Forgetful},
            "counting": {"score": score_by_counting},
        },
        "hostile_replies_come_back_as_unparsed": {
            "careless": {"parse": read_carelessly},
            "anything": {"parse": read_anything},
            "no mode": {"parse": read_without_mode},
        },
        "right_keys_with_wrong_values_raise_nothing": {"by key": {"parse": read_by_key}},
        "of_two_actions_in_one_reply_the_first_counts": {"last": {"parse": read_last}},
        "actions_out_of_turn_are_refused": {"one more": {"open_world": OutOfTurn}},
        "impossible_actions_are_not_obeyed": {
            "obedient": {"open_world": Obedient},
            "impatient": {"open_world": Impatient},
            "welcoming": {"open_world": Welcoming},
            "mute": {"open_world": Mute},
            "charging": {"open_world": Charging},
        },
        "after_the_end_every_move_is_refused": {"immortal": {"open_world": Immortal}},
        "budgets_hold_at_their_edge": {
            "generous": {"open_world": Generous},
            "miscounting": {"open_world": Miscounting},
        },
        "everything_ends": {
            "unbounded": {"open_world": Unbounded},
            "generous": {"open_world": Generous},
        },
        "an_answer_is_known_as_one": {"secretive": {"open_world": Secretive}},
        "the_readme_shows_commands_that_parse": {"none": {"folder": LAMPS.folder / "nothing"}},
        "every_prompt_says_something": {
            "nothing": {"prompt": say_nothing},
            "something else": {"prompt": say_something_else},
        },
        "declarations_are_described": {
            "metric": {"metrics": {**LAMPS.metrics, "flips": ""}},
            "player": {"players": nameless},
            "action": {"actions": (*LAMPS.actions, Undocumented)},
        },
        "the_card_names_the_helpers": {
            "nobody asks": {"card": LAMPS.card.model_copy(update={"roles": ("judge",)})},
        },
    }
    (theorem,) = LADDER.card.theorems
    few, foreign = ({**theorem.bounds} for _ in range(2))
    del few["rung-2"]
    foreign["rung-99"] = 0.0
    ladder: dict[str, dict[str, dict[str, Any]]] = {
        "the_card_names_its_theorems": {
            "no random": {"players": {n: p for n, p in LADDER.players.items() if n != "random"}},
            "a rung without": {"card": bounded(few)},
            "a level that is none": {"card": bounded(foreign)},
            "no reference": {"card": LADDER.card.model_copy(update={"reference": ""})},
            "sighted": {"card": LADDER.card.model_copy(update={"blind": ("oracle",)})},
        },
        "the_best_blind_answer_earns_nothing": {
            "more": {"score": LAMPS.score},
            "less": {"score": scored(accuracy=-0.5)},
            "nobody": {"card": LADDER.card.model_copy(update={"blind": ("silent",)})},
        },
        "the_reference_solves_every_rung": {"worse": {"score": scored(accuracy=0.5)}},
    }
    for base, tables in ((LAMPS, plants), (LADDER, ladder)):
        for promise, ways in tables.items():
            for how, changes in ways.items():
                yield promise, how, vary(base, **changes)


def bounded(bounds: dict[str, float]) -> FamilyCard:
    (theorem,) = LADDER.card.theorems
    theorems = (theorem.model_copy(update={"bounds": bounds}),)
    return LADDER.card.model_copy(update={"theorems": theorems})
