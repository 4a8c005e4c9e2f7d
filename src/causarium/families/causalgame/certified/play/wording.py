"""The words of a session: briefings, books and what is asked."""

from pathlib import Path

from causarium.contract.family import Prompt
from causarium.contract.texts.prompt_texts import Texts
from ..model import FLIGHTS, TRIAL_DRONES, Counts, GamePublic, GameRules, Leg, Told

_OWN: dict[str, frozenset[str]] = {
    "rules": frozenset({"flights"}),
    "leg": frozenset({"number", "module", "stake", "lines", "notes", "book"}),
}
_TEXTS = Texts(
    Path(__file__).parents[1] / "prompts", lambda name: (_OWN.get(name, frozenset()), frozenset())
)
_COLUMN = (
    "Moved by $causes, and by chance.",
    "It comes from $causes, and from chance.",
    "Chance and $causes make it what it is.",
)
_ROOT = (
    "Chance alone makes it what it is.",
    "It comes from chance alone.",
    "Moved by chance alone.",
)
_MODULE = (
    "The crew chief went by $causes, and otherwise by whim.",
    "The chief looked at $causes, and otherwise at nothing that matters here.",
    "Whether it was fitted hangs on $causes, and on whim.",
)
_LOT = (
    "Drawn by lot, drone by drone.",
    "A lot decided for each drone.",
    "By lot, each drone apart.",
)
_RETURN = (
    "Decided by $causes, and by luck.",
    "It hangs on $causes, and on luck.",
    "Luck and $causes decide it.",
)


def write_prompt(public: GamePublic, rules: GameRules) -> Prompt:
    """Return the words that open a session."""
    texts = _TEXTS.load(rules.prompts, ("briefing",))
    parts = [
        texts["rules"].substitute(flights=f"{FLIGHTS:,}"),
        *(_write_leg(public, place, rules) for place in range(len(public.legs))),
        _write_moves(public, rules),
    ]
    return Prompt(system=texts["system"].substitute(), user="\n\n".join(parts))


def _write_moves(public: GamePublic, rules: GameRules) -> str:
    texts = _TEXTS.load(rules.prompts, ("briefing",))
    ask = _ask(public, rules)
    stakes = ", times what the leg counts" if len({leg.stake for leg in public.legs}) > 1 else ""
    if public.trials:
        column = next(leg.columns[0] for leg in public.legs if leg.columns)
        fly = texts["fly_tools" if rules.by_tools else "fly"]
        moves = texts["moves"].substitute(
            trials=_count(public.trials, "trial"),
            drones=f"{TRIAL_DRONES:,}",
            fly=fly.substitute(column=column.name, value=column.values[1]),
            ask=ask,
        )
    else:
        moves = texts["moves_none"].substitute(ask=ask)
    return f"{moves}\n{texts['marks'].substitute(stakes=stakes)}"


def _ask(public: GamePublic, rules: GameRules) -> str:
    texts, count = _TEXTS.load(rules.prompts, ("briefing",)), len(public.legs)
    if rules.by_tools:
        return texts["ask_tools"].substitute()
    if rules.constrained:
        return texts["ask_json"].substitute()
    if count == 1:
        return texts["ask"].substitute(words="one word", example="fit or bare")
    example = " ".join(("fit", "bare")[place % 2] for place in range(count))
    return texts["ask"].substitute(
        words="one word for each leg, in order", example=f"{example} (or any other)"
    )


def write_again(public: GamePublic, rules: GameRules, problem: str) -> str:
    """Return the words that ask for another reply."""
    texts = _TEXTS.load(rules.prompts, ("briefing",))
    return texts["again"].substitute(problem=problem, ask=_ask(public, rules))


def _write_leg(public: GamePublic, place: int, rules: GameRules) -> str:
    texts = _TEXTS.load(rules.prompts, ("briefing",))
    leg = public.legs[place]
    stakes = {one.stake for one in public.legs}
    return texts["leg"].substitute(
        number=place + 1,
        module=leg.module,
        stake=f" (counts {leg.stake})" if len(stakes) > 1 else "",
        lines="\n".join(f"- {line}" for line in write_lines(leg)),
        notes="\n".join(write_notes(leg, rules)),
        book=write_table(leg, leg.book),
    )


def write_lines(leg: Leg) -> list[str]:
    """Return the lines of a briefing, one for each column, the module and the return."""
    return [_write_node(leg, node) for node in range(len(leg.columns) + 2)]


def write_notes(leg: Leg, rules: GameRules) -> list[str]:
    """Return what a briefing says of a leg as a whole."""
    texts = _TEXTS.load(rules.prompts, ("briefing",))
    names = {"module": leg.module}
    causes = dict.fromkeys(one.name for told in leg.told for one in told.hidden)
    notes = [f"Nobody recorded {list_words(list(causes))}."] if causes else []
    if len(leg.told) > 1:
        notes += [texts["clerks"].substitute(names), texts["no_module"].substitute(names)]
    if leg.uniform:
        notes.append(texts["uniform"].substitute(names))
    if leg.check is not None:
        name = "check_matters" if leg.check.by_module else "check_idle"
        notes.append(texts[name].substitute(names, cause=leg.check.cause))
    if leg.held is None:
        return [*notes, texts["free"].substitute()]
    column = leg.columns[leg.held[0]]
    value = column.values[leg.held[1]]
    return [*notes, texts["held"].substitute(column=column.name, value=value)]


def _write_node(leg: Leg, node: int) -> str:
    head = _name_node(leg, node)
    said = [_write_causes(leg, told, node) for told in leg.told]
    if len(set(said)) == 1:
        return f"{head}: {said[0]}"
    return f'{head}: Clerk A writes "{said[0]}" Clerk B writes "{said[1]}"'


def _name_node(leg: Leg, node: int) -> str:
    if node < len(leg.columns):
        column = leg.columns[node]
        return f"{column.name} ({column.values[0]} or {column.values[1]})"
    return f"{leg.module} (bare or fitted)" if node == len(leg.columns) else "return (lost or back)"


def _write_causes(leg: Leg, told: Told, node: int) -> str:
    names = [*(column.name for column in leg.columns), f"the {leg.module}"]
    causes = [names[cause] for cause, effect in told.arrows if effect == node]
    causes += [one.name for one in told.hidden if node in one.moves]
    voice = (leg.voice + node) % 3
    module = len(leg.columns)
    if not causes:
        return (_LOT if node == module else _ROOT)[voice]
    forms = _MODULE if node == module else _COLUMN if node < module else _RETURN
    return forms[voice].replace("$causes", list_words(causes))


def write_table(leg: Leg, counts: Counts) -> str:
    """Return flights as a table with one row for each state of the columns and the module."""
    return "\n".join(f"| {' | '.join(row)} |" for row in list_rows(leg, counts))


def list_rows(leg: Leg, counts: Counts) -> list[list[str]]:
    """Return the same table as rows of cells, the names of the columns first."""
    head = [*(column.name for column in leg.columns), leg.module, "flights", "back", "share back"]
    rows = [head]
    for place, (lost, back) in enumerate(counts):
        fitted = ("bare", "fitted")[place & 1]
        values = [
            column.values[place >> (len(leg.columns) - node) & 1]
            for node, column in enumerate(leg.columns)
        ]
        flown = lost + back
        share = f"{100 * back / flown:.1f}%" if flown else "-"
        rows.append([*values, fitted, f"{flown:,}", f"{back:,}", share])
    return rows


def list_words(words: list[str]) -> str:
    """Return words with commas and a last `and`.

    Example:
        >>> list_words(["rain", "wind", "hail"])
        'rain, wind and hail'
    """
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
