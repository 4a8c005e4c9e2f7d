"""Filling in the words that open a problem, and those that show a world; texts are in `prompts/`.

In the paper edition `system` and `task` frame every problem; the others are pieces; a
setting and its rules choose some. The certified edition has `units_system`, and `units_task` or
`whatif_task`. A folder of one's own (`rules.prompts`) must hold the two that frame a problem; what
it does not hold besides is ours.
"""

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from causarium.contract.family import Prompt
from causarium.contract.texts.prompt_texts import Texts
from ..model.config import ReplayRules
from ..model.instance import ReplayPublic, UnitTask, WorldRows

_FOLDER = Path(__file__).parent / "prompts"
_FACTS = frozenset(
    [
        *("variables", "roots", "n_roots", "order", "blocks", "endogenous", "reference"),
        *("max_parents", "max_nodes", "max_depth", "shape", "arguments"),
    ]
)
"""Slots that every text may use."""
_PARTS = frozenset(["structure", "parent_limit", "worlds", "goal", "judged", "reply", "read_again"])
_NEEDED = {
    "task": frozenset({"structure", "worlds", "goal", "reply"}),
    "units_task": frozenset({"worlds", "reply", "trait", "hands", "asking", "arrows"}),
    "whatif_task": frozenset({"worlds", "reply", "mechanisms", "setting"}),
}
"""The slots that a text must have, where it must have any."""
_COUNTS = {1: "one", 2: "two", 3: "three"}
_UNIT_FACTS = frozenset(
    [
        *("trait", "kept", "counted", "hands", "settled", "asking", "worlds", "reply", "arrows"),
        *("mechanisms", "traits", "setting"),
    ]
)
"""Slots of the texts of the certified edition, beside those that every text may use."""
_TOLD_AS = {
    "alternative_ordered": "ordered",
    "alternative_hidden": "hidden_order",
}
"""Settings that tell as much of the structure as another."""


def prompt(public: ReplayPublic, rules: ReplayRules) -> Prompt:
    """Return the words that open a problem."""
    if public.task is not None:
        return _unit_prompt(public, public.task, rules)
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


def _unit_prompt(public: ReplayPublic, task: UnitTask, rules: ReplayRules) -> Prompt:
    body = "whatif_task" if task.setting else "units_task"
    texts = _TEXTS.load(rules.prompts, ("units_system", body))
    roots = public.roots or ()
    endogenous = [name for name in public.variables if name not in roots]
    facts = {
        "variables": ", ".join(public.variables),
        "roots": " and ".join(roots) if len(roots) == 2 else ", ".join(roots),
        "endogenous": ", ".join(endogenous),
        "max_parents": str(public.limits.max_parents),
        "arrows": str(task.arrows),
        "worlds": worlds_text(public.train, public.variables),
        "reply": _unit_reply(public, task, endogenous, rules),
        "mechanisms": "\n".join(f"- {v}: {f}" for v, f in (task.mechanisms or {}).items()),
        "traits": " and ".join(task.traits),
        "setting": ", ".join(f"{v} = {bit}" for v, bit in (task.setting or {}).items()),
        **_tell_hidden(public, task),
    }
    return Prompt(
        system=texts["units_system"].substitute(facts).strip(),
        user=texts[body].substitute(facts).strip(),
    )


def _tell_hidden(public: ReplayPublic, task: UnitTask) -> dict[str, str]:
    """Return the sentences on what is not recorded, and on what may be asked for."""
    trait = hands = asking = ""
    if task.traits:
        trait = (
            " Each unit also has a trait H, 0 or 1, that is never recorded and never changes; "
            "mechanisms may use it."
        )
    if task.touched:
        hands = (
            f" In each world but the first, {_COUNTS[task.touched]} variables were set by hand, "
            "and it is not told which. Each of them differs from the first world in some unit."
        )
    if public.budget:
        asking = (
            f" You may ask for up to {public.budget} further worlds, one at a time, and see each "
            "before you ask for the next. In each you set one or two variables, each to one value "
            "in all units. When none is left, you give your answer; it counts only if the worlds "
            "that you saw leave no other model."
        )
    return {
        "trait": trait,
        "hands": hands,
        "asking": asking,
        "kept": " and their trait" if task.traits else "",
        "counted": ", arrows from H included" if task.traits else "",
        "settled": " once the right worlds were seen" if public.budget else " all tables",
    }


def _unit_reply(
    public: ReplayPublic, task: UnitTask, endogenous: list[str], rules: ReplayRules
) -> str:
    if task.setting:
        if rules.interface == "tools":
            return "Call the tool `predict` once, with a value for every variable."
        return f"Reply with one JSON object: {json.dumps(dict.fromkeys(public.variables, 0))}"
    shape: dict[str, Any] = {"mechanisms": dict.fromkeys(endogenous, "...")}
    said = "`mechanisms`"
    if task.traits:
        shape["hidden"] = ("01" * len(public.train[0].units))[: len(public.train[0].units)]
        said += ", `hidden` (the trait of each unit, a digit for each)"
    if task.touched:
        shape["touched"] = {world.id: list(public.variables[:2]) for world in public.train[1:]}
        said += ", `touched` (what was set in each world)"
    if rules.interface == "tools":
        ask = "Call the tool `ask` for a world. " if public.budget else ""
        return f"{ask}Call the tool `explain` once, with {said}."
    question = json.dumps({"set": {public.variables[0]: 1, public.variables[1]: 0}})
    ask = (
        f"To ask for a world, reply with {question}. For your answer, reply"
        if public.budget
        else "Reply"
    )
    return (
        f"{ask} with one JSON object of this shape, in which only `mechanisms` counts:\n\n"
        f"    {json.dumps(shape)}"
    )


def worlds_text(worlds: Iterable[WorldRows], variables: tuple[str, ...]) -> str:
    """Return the tables of several worlds, one after the other."""
    return "\n\n".join(world_text(world, variables) for world in worlds)


def world_text(world: WorldRows, variables: tuple[str, ...]) -> str:
    """Return what was done in one world, and its rows as a table."""
    if world.mode == "by_hand":
        lines = [f"World {world.id}: set by hand, not told where"]
    else:
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
    may = _FACTS | (_PARTS if name == "task" else frozenset())
    if name in {"units_system", "units_task", "whatif_task"}:
        may = may | _UNIT_FACTS
    return _NEEDED.get(name, frozenset()), may


_TEXTS = Texts(_FOLDER, _slots)
