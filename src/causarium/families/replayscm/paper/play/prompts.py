"""Fill in the words that open a problem, and those that show a world; texts are in `prompts/`.

`system` and `task` frame every problem; the others are pieces; a setting and its rules choose some.
A folder of one's own (`rules.prompts`) must hold the two that frame a problem; what it does not
hold besides is ours.
"""

import json
import re
from collections.abc import Iterable
from pathlib import Path

from causarium.contract.family import Prompt
from causarium.contract.texts.prompt_texts import Texts
from ..levels import ReplayRules
from ..model.instance import ReplayPublic, WorldRows

_FOLDER = Path(__file__).parent / "prompts"
_FACTS = frozenset(
    [
        *("variables", "roots", "n_roots", "order", "blocks", "endogenous", "reference"),
        *("max_parents", "max_nodes", "max_depth", "shape", "arguments"),
    ]
)
"""Slots that every text may use."""
_PARTS = frozenset(["structure", "parent_limit", "worlds", "goal", "judged", "reply", "read_again"])
_NEEDED = frozenset({"structure", "worlds", "goal", "reply"})
"""The slots that the text `task` must have."""
_TOLD_AS = {
    "alternative_ordered": "ordered",
    "alternative_hidden": "hidden_order",
}
"""Settings that tell as much of the structure as another."""


def prompt(public: ReplayPublic, rules: ReplayRules) -> Prompt:
    """Return the words that open a problem."""
    texts = _TEXTS.load(rules.prompts, ("system", "task"))
    facts = _facts(public)
    told = _TOLD_AS.get(public.setting, public.setting)
    chosen = {
        "structure": f"structure_{told}",
        "parent_limit": "" if rules.parent_limit_unsaid else "parent_limit",
        "goal": _goal(public),
        "judged": "judged_alternative" if public.alternative else "judged",
        "reply": f"reply_{rules.interface}",
        "read_again": "" if rules.strict_form else "read_again",
    }
    parts = {slot: texts[name].substitute(facts) if name else "" for slot, name in chosen.items()}
    parts["worlds"] = worlds_text(public.train, public.variables)
    user = texts["task"].substitute({**facts, **parts})
    return Prompt(
        system=texts["system"].substitute(facts), user=re.sub(r"\n{3,}", "\n\n", user).strip()
    )


def worlds_text(worlds: Iterable[WorldRows], variables: tuple[str, ...]) -> str:
    """Return the tables of several worlds, one after the other."""
    return "\n\n".join(world_text(world, variables) for world in worlds)


def world_text(world: WorldRows, variables: tuple[str, ...]) -> str:
    """Return what was done in one world, and its rows as a table."""
    lines = [f"World {world.id}: mode {world.mode}, {_describe_targets(world)}"]
    lines.append(f"unit {' '.join(variables)}")
    for u, unit in enumerate(world.units):
        cells = (f"{world.columns[name][u]:>{len(name)}}" for name in variables)
        lines.append(f"{unit:<4} {' '.join(cells)}")
    return "\n".join(lines)


def _describe_targets(world: WorldRows) -> str:
    if not world.targets:
        return "nothing is set"
    if world.mode == "hard_constant":
        return "targets " + ", ".join(f"{name}={world.columns[name][0]}" for name in world.targets)
    return "targets " + ", ".join(world.targets)


def _goal(public: ReplayPublic) -> str:
    if public.alternative:
        return "goal_alternative"
    return "goal" if public.roots is not None else "goal_roots"


def _facts(public: ReplayPublic) -> dict[str, str]:
    roots = public.roots or ()
    endogenous = [name for name in public.variables if name not in roots]
    reference = (public.reference or {}).items()
    return {
        "variables": ", ".join(public.variables),
        "roots": ", ".join(roots),
        "n_roots": str(public.n_roots),
        "order": ", ".join(public.order or ()),
        "blocks": "\n".join(f"- {', '.join(block)}" for block in public.blocks or ()),
        "endogenous": ", ".join(endogenous),
        "reference": "\n".join(f"- {name}: {formula}" for name, formula in reference),
        "max_parents": str(public.limits.max_parents),
        "max_nodes": str(public.limits.max_nodes),
        "max_depth": str(public.limits.max_depth),
        "shape": _shape(public, endogenous),
        "arguments": _arguments(public),
    }


def _shape(public: ReplayPublic, endogenous: list[str]) -> str:
    if public.roots is None:
        return '{"roots": [...], "mechanisms": {VARIABLE: "formula", ...}}'
    slots = {"mechanisms": dict.fromkeys(endogenous, "...")}
    if not public.alternative:
        return json.dumps(slots)
    witness = ", ".join(f'"{name}": 0 or 1' for name in public.roots)
    return (
        f'{json.dumps(slots)[:-1]}, "experiment": {{VARIABLE: 0 or 1}}, "witness": {{{witness}}}}}'
    )


def _arguments(public: ReplayPublic) -> str:
    if public.alternative:
        return "`mechanisms`, `experiment` and `witness`"
    return "`mechanisms`" if public.roots is not None else "`roots` and `mechanisms`"


def _slots(name: str) -> tuple[frozenset[str], frozenset[str]]:
    return (_NEEDED, _FACTS | _PARTS) if name == "task" else (frozenset(), _FACTS)


_TEXTS = Texts(_FOLDER, _slots)
