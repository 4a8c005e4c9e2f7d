"""The words of a game: one rules text for all rungs, with what does not occur left out."""

from functools import lru_cache
from pathlib import Path

from causarium.contract.family import Prompt
from causarium.contract.texts.prompt_texts import Texts
from ..levels import ReplayRules
from ..mechanics.fits import MOST_HANDS
from ..model import LETTERS, OUTSIDE, TRAIT, PlanItem, ReplayPublic, ShownWorld, WhatIf

_WORDS = {1: "one", 2: "two", 3: "three", 4: "four"}
_FEW = 3
"""Systems of at most so many variables are told in sentences, larger ones in tables."""


@lru_cache(maxsize=1)  # files of this package, read once
def _texts() -> Texts:
    return Texts(Path(__file__).parent / "prompts", lambda _name: (frozenset(), frozenset()))


def prompt(public: ReplayPublic, rules: ReplayRules) -> Prompt:
    """Return the words that open a game."""
    texts = _texts().load(rules.prompts, ())
    parts = [
        texts["variables"].substitute(outside=_say_outside(public), causes=_say_causes(public))
    ]
    if public.trait_rules:
        parts.append(texts["trait"].substitute(trait=TRAIT, users=_count(public.trait_rules)))
    parts.append(texts["hands"].substitute())
    if any(world.hand is None for world in public.worlds):
        parts[-1] += " " + texts["unnamed"].substitute(most=_count(MOST_HANDS))
    if len(public.names) > _FEW:
        parts.append(texts["rows"].substitute())
    parts.append(_say_worlds(public))
    names = public.names
    if public.asking:
        values = (f"{name}={value}" for name, value in public.asking.outside.items())
        first, second = [name for name in names if name != public.asking.gauges[0]][
            :: len(names) - 2
        ]
        told = f" Its {TRAIT} is not known." if public.trait_rules else ""
        parts.append(
            texts["asking"].substitute(
                budget=public.asking.budget,
                values=_join(list(values)),
                trait_unknown=told,
                first=first,
                second=second,
                gauges=_join(list(public.asking.gauges), "or"),
                gauge=public.asking.gauges[0],
            )
        )
    parts.append(texts["items"].substitute(items=_say_items(public)))
    if public.causes > 1:
        parts.append(texts["formula"].substitute(first=names[0], second=names[1]))
    lines = "\n".join(f"{name} = ..." for name in public.items)
    parts.append(texts["reply"].substitute(lines=lines))
    return Prompt(system=texts["system"].substitute(), user="\n\n".join(parts))


def _count(number: int) -> str:
    return _WORDS.get(number, str(number))


def _join(words: list[str], last: str = "and") -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}"


def _say_outside(public: ReplayPublic) -> str:
    names = f"The variables are {_join(list(public.names))}."
    if public.outside is None:
        return f"{names} One of them comes from outside; you are not told which."
    verb = "comes" if len(public.outside) == 1 else "come"
    return f"{names} {_join(list(public.outside))} {verb} from outside."


def _say_causes(public: ReplayPublic) -> str:
    if public.rung == 1:
        return "at most one other variable, its cause"
    if public.causes == 1:
        return "exactly one other variable, its cause"
    return f"exactly {_count(public.causes)} others, its causes, and each of them matters"


def _say_worlds(public: ReplayPublic) -> str:
    if len(public.names) <= _FEW:
        return "\n".join(_say_row(public, world) for world in public.worlds)
    return "\n\n".join(_draw_table(public, world) for world in public.worlds)


def _say_row(public: ReplayPublic, world: ShownWorld) -> str:
    row = dict(zip(public.names, world.rows[0], strict=True))
    set_ = [f"{name} was set to {row.pop(name)} by hand" for name in world.hand or ()]
    seen = _join([f"{name} was {value}" for name, value in row.items()])
    return f"{_join(set_) if set_ else 'Nothing was set by hand'}: {seen}."


def _draw_table(public: ReplayPublic, world: ShownWorld) -> str:
    if world.hand is None:
        hand = "one variable set by hand, not told which"
    else:
        hand = f"{_join(list(world.hand))} set by hand" if world.hand else "nothing set by hand"
    rows = [" ".join(public.names)]
    rows += [
        " ".join(f"{bit:>{len(n)}}" for n, bit in zip(public.names, row, strict=True))
        for row in world.rows
    ]
    return "\n".join([f"World {world.id}: {hand}", *rows])


def _say_items(public: ReplayPublic) -> str:
    parts = []
    if public.rules_asked:
        asked = _join(list(public.rules_asked))
        if public.rung == 1:
            cause = next(iter(public.outside or public.names))
            parts.append(
                f"What is the rule of {asked}? Answer with one of these: "
                f"{cause}, not {cause}, 0 (always 0), 1 (always 1)."
            )
        elif public.causes == 1:
            first = public.names[0]
            parts.append(
                f"For each of {asked}: what is its rule? Answer with its cause, such as {first} "
                f"if it equals {first} and not {first} if it is the opposite of {first}, or with "
                f"{OUTSIDE} for the one that comes from outside."
            )
        else:
            parts.append(
                f"Find the {'rules' if len(public.rules_asked) > 1 else 'rule'} of {asked}."
            )
    parts += [
        f"{world}: which variable was set by hand in {world}?" for world in public.hands_asked
    ]
    parts += [say_whatif(public, one) for one in public.whatifs]
    parts += [say_plan(one) for one in public.plans]
    return "\n".join(parts)


def _say_setting(setting: dict[str, int], verb: str) -> str:
    return _join([f"{name} {verb} to {value}" for name, value in setting.items()])


def say_whatif(public: ReplayPublic, one: WhatIf) -> str:
    """Return the words of a what-if."""
    row = ", ".join(f"{name}={bit}" for name, bit in zip(public.names, one.row, strict=True))
    setting = _say_setting(one.set, "had been set")
    kept = f" and {TRAIT}" if public.trait_rules else ""
    return (
        f"{one.id}: A further unit was seen once, with nothing set by hand: {row}. Suppose that in "
        f"this very case, with the same values from outside{kept}, {setting} by hand. What would "
        f"{one.variable} have been? Answer 0, 1, or ? if what is known leaves both open."
    )


def say_plan(plan: PlanItem) -> str:
    """Return the words of an item on which question settles a rule."""
    options = "; ".join(
        f"{letter}: {_say_setting(one.set, 'set')}, {one.read} read"
        for letter, one in zip(LETTERS, plan.options, strict=True)
    )
    return (
        f"{plan.id}: By what is shown here, two rules are possible for {plan.variable}. Which of "
        "these worlds, made with the test unit, would settle which it is, whatever it showed? "
        f"{options}. Answer with the letter; only one of them would."
    )


def tell_shown(seen: dict[str, int], left: int) -> str:
    """Return the words of the answer to a question."""
    values = _join([f"{name}={value}" for name, value in seen.items()])
    return f"{values}. {tell_left(left)}"


def tell_left(left: int) -> str:
    """Return the sentence on the questions left."""
    if left:
        return f"You may ask for {left} more {'world' if left == 1 else 'worlds'}, or answer."
    return "You have no question left. Answer now."
