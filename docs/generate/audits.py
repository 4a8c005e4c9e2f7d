"""The stored audits: what was earned without causal reasoning, and what with it.

    python -m docs.generate.audits [FAMILY ...]

plays them again and writes `docs/audits/FAMILY.json`, which every page that quotes a number reads.
"""

import json
import sys
from pathlib import Path
from typing import Any

from causarium import families
from causarium.contract.family_card import Separation
from causarium.families import FAMILIES
from causarium.players.audit_family import AuditRow, audit_family
from docs.generate.markdown import ROOT, write_name, write_table

FOLDER = ROOT / "docs" / "audits"
ROLES = {
    "floor": "guesses",
    "passive": "sees everything, never acts",
    "shortcut": "shortcut",
    "causal": "infers causes",
    "oracle": "is told the truth",
}


def read_audit(family: str) -> dict[str, Any]:
    """Return the stored audit of a family."""
    stored: dict[str, Any] = json.loads((FOLDER / f"{family}.json").read_text(encoding="utf-8"))
    return stored


def read_rows(family: str) -> list[AuditRow]:
    """Return the rows of the stored audit of a family."""
    return [AuditRow.model_validate(row) for row in read_audit(family)["rows"]]


def write_number(value: float) -> str:
    """Return a share as papers print it: .558, 1.000."""
    return f"{value:.3f}".removeprefix("0") if value >= 0 else f"{value:.3f}"


def write_interval(row: AuditRow) -> str:
    """Return a value with its interval, where that says anything."""
    if row.low == row.high:
        return write_number(row.value)
    ends = f"[{write_number(row.low)},\N{NO-BREAK SPACE}{write_number(row.high)}]"
    return f"{write_number(row.value)} {ends}"


def find_row(family: str, player: str, metric: str) -> AuditRow:
    """Return what one player earned.

    Raises:
        LookupError: The stored audit has no such row.
    """
    for row in read_rows(family):
        if (row.player, row.metric) == (player, metric):
            return row
    raise LookupError(f"docs/audits/{family}.json has no {metric} of {player}")


def find_separation(family: str) -> Separation:
    """Return who shows that a family's score measures causal reasoning.

    Raises:
        LookupError: Its card does not say.
    """
    separation = families.card(family).separation
    if separation is None:
        raise LookupError(f"the card of {family} has no [separation]")
    return separation


def find_best_shortcut(family: str) -> AuditRow:
    """Return the shortcut that earns most on the scale of the family."""
    metric = find_separation(family).metric
    rows = [row for row in read_rows(family) if row.role == "shortcut" and row.metric == metric]
    players = families.get(family).probes
    return max((row for row in rows if row.player not in players), key=lambda row: row.value)


def quote_number(family: str, player: str, metric: str) -> str:
    """Return what one player earned, with its interval, for a sentence."""
    return write_interval(find_row(family, player, metric))


def write_audit_table(family: str) -> str:
    """Return the whole audit of one family as a table."""
    probes = families.get(family).probes
    rows = []
    for row in read_rows(family):
        role = "trained classifier" if row.player in probes else ROLES[row.role]
        bound = "–" if row.bound is None else " to ".join(write_number(end) for end in row.bound)
        rows.append(
            [write_name(row.player), role, write_name(row.metric), write_interval(row), bound]
        )
        rows[-1].append(str(row.n))
    return write_table(["player", "what it is", "metric", "earned", "allowed", "n"], rows)


def write_summary_table() -> str:
    """Return one line a family: blind, passive, best shortcut, causal player, oracle."""
    lines = []
    for family in FAMILIES:
        separation = find_separation(family)
        metric = separation.metric
        named = (separation.blind, separation.passive, "", separation.causal, "oracle")
        rows = [
            find_row(family, player, metric) if player else find_best_shortcut(family)
            for player in named
        ]
        title = f"[{families.card(family).title}](families/{family}.md)"
        cells = [f"{write_interval(row)}<br>`{row.player}`" for row in rows]
        lines.append([f"{title}<br>`{metric}`<br>n\N{NO-BREAK SPACE}= {rows[0].n}", *cells])
    header = ["family", "blind guess", "passive", "best shortcut", "causal player", "oracle"]
    return write_table(header, lines)


def store_audit(family: str) -> Path:
    """Play the audit of a family and store it, one row a line."""
    audit = audit_family(families.get(family)).flat()
    rows = [json.dumps(_shorten(row)) for row in audit.pop("rows")]
    head = json.dumps({"command": f"causarium audit {family} --json", **audit}, indent=1)
    body = ",\n  ".join(rows)
    path = FOLDER / f"{family}.json"
    path.write_text(f'{head[:-2]},\n "rows": [\n  {body}\n ]\n}}\n', encoding="utf-8")
    return path


def _shorten(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row with six decimals, so that machines that add in another order agree."""
    shorter: dict[str, Any] = json.loads(json.dumps(row), parse_float=lambda x: round(float(x), 6))
    return shorter


if __name__ == "__main__":
    for name in sys.argv[1:] or FAMILIES:
        sys.stderr.write(f"{store_audit(name).relative_to(ROOT)}\n")
