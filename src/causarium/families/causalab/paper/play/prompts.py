"""Filling in the words that open an episode. The texts themselves are in `prompts/`.

`system` and `task` frame every episode; `reply_<interface>` says how to act; the others are pieces;
an instance and its rules choose some. A folder of one's own (`rules.prompts`) must hold
`system.md`, `task.md` and the reply text of the interface. Pieces that it does not hold are ours.

In a reply text, a line that begins with `- intervene:` or `- verify:` is kept only where that
action is on offer.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from causarium.contract.family import Prompt
from causarium.contract.texts.prompt_texts import Texts
from ..levels import RELEASED, LabRules
from ..mechanics.shown_values import Listing, format_entered, format_reading
from ..model.instance import FREQUENCY, ChainStep, LabPublic, Reading
from ..model.lab_plan import PLAN
from .world import turn_limit

_GAP = "  "


def format_constant(value: float) -> str:
    """Print a stated constant in as few characters as it needs.

    Example:
        >>> format_constant(10000.0), format_constant(0.5)
        ('10,000', '0.5')
    """
    return f"{int(value):,}" if value == int(value) else repr(value)


def readings_table(
    public: LabPublic, rules: LabRules, rows: Sequence[tuple[str, Mapping[str, float]]]
) -> str:
    """Print labelled rows of values under the names of the nodes, aligned.

    A node without a value is printed as a question mark.
    """
    nodes = [public.nodes[i] for i in Listing(public, rules).order]
    head = ("", *nodes)
    body = [
        (label, *(format_reading(values[n], rules) if n in values else "?" for n in nodes))
        for label, values in rows
    ]
    wide = [max(map(len, column)) for column in zip(head, *body, strict=True)]
    return "\n".join(
        _GAP.join((line[0].ljust(wide[0]), *map(str.rjust, line[1:], wide[1:])))
        for line in (head, *body)
    )


def by_name(public: LabPublic, reading: Reading) -> dict[str, float]:
    """Return a reading's values by node name, frequency included."""
    return {**dict(zip(public.names, reading.values, strict=True)), FREQUENCY: reading.frequency}


def records_table(public: LabPublic, rules: LabRules) -> str:
    """Print the records."""
    rows = [(f"record {n}", by_name(public, r)) for n, r in enumerate(public.records, 1)]
    return readings_table(public, rules, rows)


def chain_table(public: LabPublic, rules: LabRules) -> str:
    """Print the chain of experiments that was handed over."""
    told = not rules.unstated_chain_start
    rows = [
        (_describe_entry(number, step, told=told), by_name(public, step.reading))
        for number, step in enumerate(public.chain)
    ]
    return readings_table(public, rules, rows)


def write_book(public: LabPublic, rules: LabRules) -> str:
    """Print all of it; nothing where nothing is known."""
    tables = [records_table(public, rules)] if public.records else []
    tables += [chain_table(public, rules)] if public.chain else []
    return "\n\n".join(tables)


def _describe_entry(number: int, step: ChainStep, *, told: bool) -> str:
    if step.property is None or step.value is None:
        return f"entry {number}: only read"
    made = f"{step.property} put to {format_entered(step.value)}"
    start = f"goes on from entry {step.continues}, " if told and step.continues is not None else ""
    return f"entry {number}: {start}{made}"


_FOLDER = Path(__file__).parent / "prompts"
_COMMON = frozenset(
    (
        *("properties", "frequency", "decimals", "budget", "limit"),
        *("low", "high", "tolerance", "submissions", "turns"),
    )
)
"""Slots that every text may use."""
_Piece = Callable[..., str]


def prompt(public: LabPublic, rules: LabRules) -> Prompt:
    """Return the words that open an episode."""
    texts = _TEXTS.load(rules.prompts, ("system", "task", _name_reply(rules)))
    facts = _facts(public, rules)

    def piece(name: str, **more: str) -> str:
        return texts[name].substitute({**facts, **more})

    user = piece("task", **_parts(public, rules, piece))
    return Prompt(system=piece("system"), user=re.sub(r"\n{3,}", "\n\n", user).strip())


def _name_reply(rules: LabRules) -> str:
    """Return the text on how to act; of the released world, only the release has its own words."""
    return f"reply_{'embodied' if rules.interface == RELEASED else rules.interface}"


def _facts(public: LabPublic, rules: LabRules) -> dict[str, str]:
    low, high = public.reactor_range
    return {
        "properties": "\n".join(f"- `{p.name}` ({p.display})" for p in public.properties),
        "frequency": FREQUENCY,
        "decimals": str(public.decimals),
        "budget": str(public.budget),
        "limit": format_constant(public.limit),
        "low": format_constant(low),
        "high": format_constant(high),
        "tolerance": format_constant(public.tolerance),
        "submissions": str(rules.submissions),
        "turns": str(turn_limit(public, rules)),
    }


def _parts(public: LabPublic, rules: LabRules, piece: _Piece) -> dict[str, str]:
    checks = rules.verification != "none"
    return {
        "form": _form(public, rules, piece),
        "frequency_role": piece(
            "frequency_parent" if public.frequency_may_cause else "frequency_sink"
        ),
        "hidden": _describe_disturbance(public, piece),
        "records": piece("records", table=records_table(public, rules))
        if public.records
        else piece("no_records"),
        "chain": piece(
            "chain_unstated" if rules.unstated_chain_start else "chain",
            table=chain_table(public, rules),
        )
        if public.chain
        else "",
        "crystals": _crystals(public, rules, piece),
        "budget": piece("budget" if public.budget else "no_budget"),
        "semantics": piece("semantics_set") if public.budget or public.chain else "",
        "verification": piece(f"verification_{rules.verification}") if checks else "",
        "submission": piece("submit_once" if rules.submissions == 1 else "submit_several"),
        "judged": "" if rules.interface == "plain" else piece("judged"),
        "turns": piece("turns"),
        "reply": _reply(public, rules, piece),
    }


def _form(public: LabPublic, rules: LabRules, piece: _Piece) -> str:
    form = f"{piece(f'form_{public.form}')} {piece('bases')}"
    if not _asks_hypothesis(rules):
        return form
    return f"{form} {piece('term', term=piece(f'term_{public.form}'))}"


def _asks_hypothesis(rules: LabRules) -> bool:
    return rules.interface != "plain" or rules.verification != "none"


def _describe_disturbance(public: LabPublic, piece: _Piece) -> str:
    if public.hidden is None:
        return ""
    targets = piece("hidden_frequency" if public.hidden.frequency else "hidden_properties")
    return piece("hidden", hidden_values=piece("hidden_unsaid"), hidden_targets=targets)


def _crystals(public: LabPublic, rules: LabRules, piece: _Piece) -> str:
    only_read = "" if public.budget else "_read"
    if rules.has_dialogs:
        return piece(f"crystals_dialog{only_read}")
    reactor = dict(zip(public.names, public.reactor, strict=True))
    rows = [("manipulator", by_name(public, public.manipulator)), ("reactor", reactor)]
    return piece(f"crystals{only_read}", table=readings_table(public, rules, rows))


def _reply(public: LabPublic, rules: LabRules, piece: _Piece) -> str:
    checks = rules.verification != "none"
    text = piece(
        _name_reply(rules),
        hypothesis=_hypothesis(public, rules, piece) if _asks_hypothesis(rules) else "",
        places=piece("places_desk" if checks else "places"),
        laboratory=piece(
            "laboratory",
            plan=PLAN,
            table_top=piece("record_book" if public.records or public.chain else "empty_table"),
            desk=piece("notebook") if checks else "",
        ),
    )
    offered = {"intervene": bool(public.budget), "verify": checks}
    withheld = tuple(f"- {kind}:" for kind, is_offered in offered.items() if not is_offered)
    return "\n".join(line for line in text.split("\n") if not line.startswith(withheld))


def _hypothesis(public: LabPublic, rules: LabRules, piece: _Piece) -> str:
    text = piece("hypothesis", term=piece(f"term_{public.form}"))
    checked = not rules.unchecked_hypothesis and rules.interface != "plain"
    return f"{text}\n\n{piece('hypothesis_checked')}" if checked else text


def _slots(name: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return what a text must have, all that our own has beyond the common slots, and may have."""
    own = frozenset(_TEXTS.ours[name].get_identifiers()) if name in _TEXTS.ours else frozenset()
    return own - _COMMON, own | _COMMON


_TEXTS = Texts(_FOLDER, _slots)
