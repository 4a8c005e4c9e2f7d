"""The task report of a game: how it works, its traps and its best strategy, from the game alone.

A judge reads it as the truth. Every number in it is simulated, and the key conditions of the best
strategy are those of its parts without which fewer drones survive.
"""

from causarium.contract.frozen import Frozen
from causarium.families.causalgame.mechanics.published.simulation_cache import Memo
from causarium.families.causalgame.model.published.game import Design, Game
from causarium.families.causalgame.model.published.laws import (
    AntennaLaw,
    CalmLaw,
    Law,
    WeatherLaw,
    ZoneLaw,
)
from causarium.families.causalgame.model.published.paper_games import QUIRKS
from causarium.families.causalgame.scoring.published.claims.target_ideas import select_sound_ideas
from causarium.families.causalgame.scoring.published.design_values import (
    compute_survival,
    landmarks,
)
from causarium.families.causalgame.scoring.published.score import describe_design

KEY_LOSS = 0.02
"""A part of the best strategy is a key condition if going without it costs this much survival."""
_MADE: Memo["TaskReport"] = Memo(200)


class Condition(Frozen):
    """One part of the best strategy, and what going without it costs."""

    says: str
    costs: float
    """Survival lost when this part alone is as in the standard design."""


class TaskReport(Frozen):
    """What is true of a game, for a judge and for a report."""

    game: str
    mechanism: tuple[str, ...]
    chain: tuple[str, ...]
    """Variables from the decisive cause to survival, each a direct cause of the next."""
    truths: tuple[str, ...]
    traps: tuple[str, ...]
    best: str
    survival: dict[str, float]
    """Of the standard, the trap and the best design."""
    conditions: tuple[Condition, ...]

    def text(self) -> str:
        """Write the report out."""
        marks = self.survival
        parts = [
            "How the game works:",
            *_items(self.mechanism),
            f"True causal chain: {' -> '.join(self.chain)}" if self.chain else "",
            "What a good report would say:",
            *_items(self.truths),
            "Traps and false correlations:",
            *_items(self.traps),
            f"Best strategy known: {self.best}. It lets {marks['best']:.1%} survive; the standard "
            f"design {marks['default']:.1%}, the trap {marks['trap']:.1%}.",
            "Key conditions of the best strategy:",
            *_items(
                [
                    f"{condition.says} (without it {condition.costs:.1%} less)"
                    for condition in self.conditions
                ]
            ),
        ]
        return "\n".join(part for part in parts if part)


def _items(lines: tuple[str, ...] | list[str]) -> list[str]:
    return [f"- {line}" for line in lines] or ["- none"]


def task_report(game: Game) -> TaskReport:
    """Return the task report of a game."""
    return _MADE.get_or_find(game, "report", lambda: _task_report(game))


def _task_report(game: Game) -> TaskReport:
    law = working_law(game)
    marks = landmarks(game)
    ideas = select_sound_ideas(game)
    trap = f"{describe_design(game, game.trap)} looks tempting and lets {marks.trap:.1%} survive"
    return TaskReport(
        game=game.name,
        mechanism=(*_mechanism(law), *_circumstances(game)),
        chain=chain(game),
        truths=tuple(idea.says for idea in ideas if idea.golden),
        traps=(trap, *(f"false: {idea.says}" for idea in ideas if not idea.golden)),
        best=describe_design(game, game.best),
        survival={"default": marks.default, "trap": marks.trap, "best": marks.best},
        conditions=conditions(game),
    )


def working_law(game: Game) -> Law:
    """Return the law that is in force."""
    return CalmLaw() if game.has("law_missing") else game.law


def chain(game: Game) -> tuple[str, ...]:
    """Return the variables on the way from the decisive cause to survival."""
    law = working_law(game)
    keys: tuple[str, ...]
    fight = ("detection", "detected", "engaged", "hit_count", "survived")
    if isinstance(law, AntennaLaw):
        keys = (f"{law.emitter.part}_def", f"{law.emitter.part}_working", *fight)
    elif isinstance(law, ZoneLaw):
        keys = ("mission_zone", "emi_level", "effective_emi", "comm_failure", *fight)
    elif isinstance(law, WeatherLaw):
        keys = (f"{law.lift}_def", "live_chance", "airworthy", f"{law.engine}_hp", "survived")
    else:
        keys = fight
    names = {variable.key: variable.name for variable in game.variables}
    return tuple(names[key] for key in keys)


def conditions(game: Game) -> tuple[Condition, ...]:
    """Return the key conditions of the best strategy, the costliest to miss first."""
    best, whole = game.best, compute_survival(game, game.best)
    found = []
    for name, points in best.armour.items():
        if points != game.default[name]:
            without = {**best.armour, name: game.default[name]}
            reverted = Design(armour=without, equipment=best.equipment)
            says = f"{name} armour {points} instead of {game.default[name]}"
            found.append(Condition(says=says, costs=whole - compute_survival(game, reverted)))
    for slot in game.slots:
        chosen = best.equipment.get(slot.name, slot.default)
        if chosen != slot.default:
            kept = {**best.equipment, slot.name: slot.default}
            reverted = Design(armour=best.armour, equipment=kept)
            says = f"{slot.name} {chosen} instead of {slot.default}"
            found.append(Condition(says=says, costs=whole - compute_survival(game, reverted)))
    needed = [one for one in found if one.costs >= KEY_LOSS]
    return tuple(sorted(needed, key=lambda one: -one.costs))


def _mechanism(law: Law) -> tuple[str, ...]:
    if isinstance(law, AntennaLaw):
        emitter, eyes, gun = law.emitter.part, law.camera.part, law.gun.part
        return (
            f"The {emitter} is heard by the enemy while it works: armour that keeps it alive "
            "through storms makes drones easier to detect, and detected drones fight long and die.",
            f"Once storms have silenced the {emitter}, fights are rare and short.",
            f"A working {eyes} helps to hide and to dodge; a dead one makes the enemy aim well.",
            f"A working {gun} makes hits lighter; a dead one makes them much heavier.",
            f"Storms wear down {emitter}, {eyes} and {gun}, and strike thinly armoured "
            f"{', '.join(dict.fromkeys((*law.gust.parts, *law.surge.parts)))} hardest.",
        )
    if isinstance(law, ZoneLaw):
        return (
            "A zone brings an altitude and a level of electromagnetic interference together.",
            "Interference that gets through makes communication fail, and that makes drones easier "
            "to detect and fights longer.",
            f"Armour on the {law.shield} and equipment against interference keep it out.",
            "Altitude goes together with losses because of the zones; its own effect is small.",
        )
    if isinstance(law, WeatherLaw):
        return (
            f"{law.lift} armour helps drones to stay in the air in storms and drags them down in "
            "clear weather.",
            f"{law.engine} armour helps in any weather.",
        )
    return ("There is no trap: what decides survival is whether a drone is detected, by chance.",)


def _circumstances(game: Game) -> list[str]:
    found = []
    if game.past.hide_failed:
        found.append("Flights that were lost are left out of the records: they show survivors.")
    forced = sorted({name for recipe in game.past.recipes for name in recipe.force})
    if forced and game.past.rows and len(game.past.recipes) > 1:
        found.append(
            f"In the opening records designs were chosen together with {', '.join(forced)}, so "
            "that comparing designs there compares circumstances."
        )
    law = working_law(game)
    if isinstance(law, ZoneLaw) and any(zone.share[0] != zone.share[1] for zone in law.zones):
        found.append("The fleet meets other zones than the test flights did.")
    if isinstance(law, AntennaLaw | WeatherLaw) and law.storm_share[0] != law.storm_share[1]:
        tests, fleet = law.storm_share
        found.append(f"Storms: {tests:.0%} of the test flights, {fleet:.0%} of the fleet's.")
    if any(game.sensor.spread) or any(game.sensor.flip):
        found.append(f"Readings are noisy ({', '.join(game.sensor.channels)}).")
    found += [f"Published oddity: {QUIRKS[quirk]}" for quirk in game.quirks if quirk in QUIRKS]
    return found
