"""What is known of earlier crystals, as tables: in the opening words, and on the record book."""

from causarium.families.causalab.config import LabRules
from causarium.families.causalab.instance import ChainStep, LabPublic
from causarium.families.causalab.interface.reading_tables import by_name, readings_table
from causarium.families.causalab.mechanics.shown_values import format_entered


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
