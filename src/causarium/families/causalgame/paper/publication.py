"""Paper edition: play in the words of the release, and compute the paper's numbers over turns.

The released program has two modes: with tools (`agent`), our interface `tools`, and by programs
(`prompting`), our interface `code`. A game's text is in the game's folder, or in that of its kind;
the reminder before a call, the questions after a deployment and those after the end are in its
source, and no line of it is run. The tools, the turn counter and how a report is sent stay ours.
"""

import ast
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from string import Template

from causarium.contract.companions import Publication, Release
from causarium.contract.family import AnyFamily, Prompt
from causarium.contract.release import ReleaseFolder, check_words
from causarium.contract.turn import Turn
from causarium.contract.world import World
from causarium.errors import BadFile, UsageError
from .generation import describe_game
from .model.instance import GameInstance, GamePublic, GameSecret
from .model.paper_games import NAMES, paper_game
from .model.rules import GameRules
from .play.game_session import SUFFIX, Session
from .play.wording import Wording, open_session, space_text
from .play.world import GameWorld
from .scoring.claims import beliefs
from .scoring.score import distances

_GAMES, _LOOP, _REPORT = "experiments", "agent/orchestrator.py", "agent/reporting.py"
_TEXTS = {"tools": ("no_tool_def_prompt.md", "prompt.md"), "code": ("prompt.md",)}
"""The files that may hold a game's text, by interface, the first that is there."""
_KINDS = ("deployment_zone_trap_categorical", "deployment_zone_trap", "antenna_trap")
"""The kinds of games with a text of their own, the longest name first."""
_CHOICE = re.compile(r"\{\{#(if|unless)\s+(\w+)\}\}(.*?)\{\{/\1\}\}", re.DOTALL)
_SLOT = re.compile(r"\{\{(\w+)\}\}")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)


def _play_release(family: AnyFamily, release: ReleaseFolder) -> AnyFamily:
    reminder = _read_text(release, "react_instruction")
    questions = _read_text(release, "result_str")
    report = release.read_message(_REPORT, "request_final_reflection", "reflection_prompt")

    def write_prompt(public: GamePublic, rules: GameRules) -> Prompt:
        template = read_game(release, find_game(public), rules)
        system = fill_game(template, _list_facts(public, rules))
        return open_session(public, rules, system=system)

    def open_game(instance: GameInstance, rules: GameRules) -> World:
        words = ReleasedWording(instance.public, rules, (reminder, questions, report))
        return GameWorld(instance, rules, words)

    return replace(family, prompt=write_prompt, open_world=open_game)


class ReleasedWording(Wording):
    """The words of one session, those of the release where it has any."""

    def __init__(
        self, public: GamePublic, rules: GameRules, texts: tuple[str, str, Template]
    ) -> None:
        super().__init__(public, rules)
        self._reminder, questions, reflection = texts
        # The fleet's result stands above the words that ask for the report.
        threshold = f"{100 * public.threshold:.0f}"
        asked = reflection.safe_substitute(final_report="", threshold_pct=threshold)
        self._released = {"questions": questions, "report": asked.strip()}

    def fill_text(self, name: str, **more: str) -> str:
        """Return one text, filled in."""
        return self._released[name] if name in self._released else super().fill_text(name, **more)

    def turn(self, session: Session, number: int) -> str:
        """Return the words that open a turn."""
        ours = super().turn(session, number)
        return f"{ours}\n\n{self._reminder}" if self._rules.interface == "tools" else ours


def find_game(public: GamePublic) -> str:
    """Return which of the fourteen games an agent is in, by what it may know.

    Raises:
        UsageError: It is none of them.
    """
    bare = public.model_copy(update={"history": ()})
    flown = {tuple(sorted(flight.design.items())) for flight in public.history}
    for name in NAMES:
        game = paper_game(name)
        if describe_game(game, ()) != bare or bool(public.history) != (game.past.rows > 0):
            continue
        designs = ({**game.default, **recipe.design.armour} for recipe in game.past.recipes)
        if flown <= {tuple(sorted(design.items())) for design in designs}:
            return name
    raise UsageError(
        "the release has words for the fourteen published games, and this is not one of them"
    )


def read_game(release: ReleaseFolder, game: str, rules: GameRules) -> str:
    """Return the text of a game in the mode of the interface.

    Raises:
        UsageError: The release has no such mode.
        BadFile: There is no such text.
    """
    check_words(rules.interface, _TEXTS)
    kinds = [kind for kind in _KINDS if game.startswith(kind)][:1]
    for file in _TEXTS[rules.interface]:
        for folder in dict.fromkeys((game, *kinds)):
            path = f"{_GAMES}/{folder}/{file}"
            if (release.path / path).is_file():
                return release.read(path)
    raise BadFile(f"the release in {release.path} has no text of the game {game}")


def fill_game(template: str, facts: Mapping[str, str]) -> str:
    """Return a text of the release with its slots filled and its choices made.

    Example:
        >>> fill_game("{{#if a}}{{a}} of {{b}}{{/if}}{{#unless a}}none{{/unless}}", {"a": "1"})
        '1 of '
    """

    def choose(found: re.Match[str]) -> str:
        wanted = bool(facts.get(found[2])) == (found[1] == "if")
        return found[3] if wanted else ""

    chosen = _CHOICE.sub(choose, template)
    filled = _COMMENT.sub("", _SLOT.sub(lambda found: facts.get(found[1], ""), chosen))
    return re.sub(r"\n{3,}", "\n\n", filled).strip("\n")


def _list_facts(public: GamePublic, rules: GameRules) -> dict[str, str]:
    budget, names = public.budget, [f"{name}{SUFFIX}" for name in public.names]
    fitted = ", ".join(f"'{slot.name}': '{slot.options[0].name}'" for slot in public.slots)
    return {
        "total_drones": str(budget.drones),
        "stage2_fleet_size": str(budget.fleet),
        "victory_threshold": f"{100 * public.threshold:.0f}",
        "deployment_budget": str(budget.deployments),
        "max_tool_iterations": str(rules.calls_per_turn),
        "component_list": "\n".join(
            f"  - {c.name}{SUFFIX}: {c.default}" for c in public.components
        ),
        "design_schema": "{" + ", ".join(f"'{name}': int" for name in names) + "}",
        "has_equipment": "yes" if public.slots else "",
        "action_space": space_text(public),
        "equipment_schema": f"equipment={{{fitted}}}" if fitted else "",
    }


def _read_text(release: ReleaseFolder, name: str) -> str:
    """Return the text that the released loop assigns, or adds, to a variable."""
    for value in release.find_assigned(_LOOP, name):
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            return value.value.strip()
    raise BadFile(f"{_LOOP} of the release in {release.path} has no text {name}")


def _follow_distance(
    instance: GameInstance, rules: GameRules, turns: Sequence[Turn]
) -> dict[str, Sequence[float]]:
    """Return how far the claims held are from the right ones, after each turn."""
    if not rules.claims:
        return {}
    return {"claim_distance": distances(instance.secret.game, list(beliefs(turns)))}


PUBLICATION: Publication[GamePublic, GameSecret] = Publication(
    follow_turns=_follow_distance, release=Release(play=_play_release)
)
