"""The stored audits: what was earned without causal reasoning, and what with it.

    python -m docs.generate.audits [FAMILY ...]
    python -m docs.generate.audits --check [FAMILY ...]

The first plays them and writes `docs/audits/FAMILY.json`, which every page that quotes a number
reads. The second plays them, writes nothing, and prints where a stored number is not what is played
today; it exits with 1 if there is such a number.
"""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from causarium import families
from causarium.api.scale.audit_many import audit_set
from causarium.charts.axes import draw_mark
from causarium.charts.palette import SOFT, series_colour
from causarium.charts.svg import line, make_svg, tag, text
from causarium.families import FAMILIES
from causarium.players.audit_family import AuditRow, AuditTask, ClassRow
from causarium.report.data.number_format import format_metric, show
from docs.generate.markdown import ROOT, fold, place_svg, write_name, write_table

FOLDER = ROOT / "docs" / "audits"
ROLES = {
    "floor": "guesses",
    "shortcut": "shortcut",
    "causal": "infers causes",
    "oracle": "sees the truth",
}


def list_stored() -> list[str]:
    """Return the families with a stored audit of the version that their card has now."""
    return [
        family
        for family in FAMILIES
        if (FOLDER / f"{family}.json").exists()
        and read_audit(family)["version"] == families.card(family).version
    ]


def read_audit(family: str) -> dict[str, Any]:
    """Return the stored audit of a family."""
    stored: dict[str, Any] = json.loads((FOLDER / f"{family}.json").read_text(encoding="utf-8"))
    return stored


def read_rows(family: str) -> list[AuditRow]:
    """Return the rows of the stored audit of a family."""
    known = AuditRow.model_fields
    rows = ({name: row[name] for name in known} for row in read_audit(family)["rows"])
    return [AuditRow.model_validate(row) for row in rows]


def write_number(value: float) -> str:
    """Return a share as papers print it: .558, 1.000."""
    text = f"{value:.3f}".replace("-0.000", "0.000")
    return text.removeprefix("0")


def write_interval(row: AuditRow | dict[str, Any]) -> str:
    """Return a value with its interval, where that says anything."""
    facts = row if isinstance(row, dict) else row.model_dump()
    value, low, high = facts["value"], facts["low"], facts["high"]
    if low == high:
        return write_number(value)
    ends = f"[{write_number(low)},\N{NO-BREAK SPACE}{write_number(high)}]"
    return f"{write_number(value)} {ends}"


def find_row(family: str, player: str, metric: str) -> AuditRow:
    """Return what one player earned.

    Raises:
        LookupError: The stored audit has no such row.
    """
    for row in read_rows(family):
        if (row.player, row.metric) == (player, metric):
            return row
    raise LookupError(f"docs/audits/{family}.json has no {metric} of {player}")


def quote_number(family: str, player: str, metric: str) -> str:
    """Return what one player earned, with its interval, for a sentence."""
    return write_interval(find_row(family, player, metric))


def write_audit_table(family: str) -> str:
    """Return the whole audit of one family as a table."""
    if family not in list_stored():
        return _say_not_stored(family)
    rows = [
        [
            write_name(row.player),
            ROLES[row.role],
            write_name(row.metric),
            write_interval(row),
            str(row.n),
        ]
        for row in read_rows(family)
    ]
    return write_table(["player", "what it is", "metric", "earned", "n"], rows)


def fold_audit_table(family: str) -> str:
    """Return the whole audit of one family, folded."""
    if family not in list_stored():
        return ""
    title = families.card(family).title
    lines = f"{len(read_rows(family))} lines"
    return fold(f"The whole audit of {title}: every player, {lines}", write_audit_table(family))


def write_class_table(family: str) -> str:
    """Return the classes of one family with their bounds and the best of their members."""
    if family not in list_stored():
        return _say_not_stored(family)
    kinds = {"theorem": "theorem", "exact": "exact for each instance", "measured": "measured"}
    lines = [
        [
            row["says"],
            kinds[row["kind"]],
            write_number(row["bound"]),
            f"{write_interval(row)} `{row['best']}`",
        ]
        for row in read_audit(family)["classes"]
    ]
    return write_table(["who", "kind of bound", "bound", "best member earned"], lines)


def write_summary_table() -> str:
    """Return one line a family: headline, zero, the most of a bounded class, reference, oracle."""
    lines = []
    for family in list_stored():
        audit, card = read_audit(family), families.card(family)
        metric = audit["headline"]
        proved = [row for row in audit["classes"] if row["kind"] != "measured"]
        best = max(proved, key=lambda row: row["value"])
        reference = find_row(family, card.reference, metric)
        lines.append(
            [
                f"[{card.title}](families/{family}.md)<br>`{metric}`",
                write_number(audit["zero"] or 0.0),
                f"{write_interval(best)}<br>`{best['best']}`, bound {write_number(best['bound'])}",
                f"{write_interval(reference)}<br>`{reference.player}`",
                str(reference.n),
            ]
        )
    header = [
        "family",
        "best blind answer",
        "best member of a class with a proof",
        "reference",
        "n",
    ]
    return write_table(header, lines)


def draw_summary() -> str:
    """Return a line a family: what the blind, the best proved class and the reference earn."""
    parts, step, left, wide = [], 62, 330, 470
    for number, family in enumerate(list_stored()):
        audit, card = read_audit(family), families.card(family)
        proved = [row for row in audit["classes"] if row["kind"] != "measured"]
        best = max(proved, key=lambda row: row["value"])
        reference = find_row(family, card.reference, audit["headline"])
        y = step * number + 34
        parts += [
            text((0, y - 2), card.title, size=17, weight="700"),
            text((0, y + 18), card.short, size=14, fill=SOFT),
            tag("rect", x=left, y=y - 7, width=wide, height=14, fill="var(--z1, #eef0f2)"),
        ]
        start = left + wide * best["value"]
        room = max(wide * (reference.value - best["value"]), 0)
        parts.append(
            tag("rect", x=start, y=y - 7, width=room, height=14, fill="var(--z3, #c2d9ec)")
        )
        zero = audit["zero"] or 0.0
        for value, low, high, shape, colour in (
            (zero, zero, zero, "cross", SOFT),
            (best["value"], best["low"], best["high"], "square", series_colour(1)),
            (reference.value, reference.low, reference.high, "circle", series_colour(0)),
        ):
            ends = (left + wide * low, y), (left + wide * high, y)
            parts.append(line(*ends, stroke=colour, width=3))
            parts.append(draw_mark((left + wide * value, y), colour=colour, shape=shape, radius=6))
        named = f"{format_metric(audit['headline'])}, n {reference.n}"
        parts += [
            text((start, y - 14), show(best["value"], 2), size=14, anchor="middle"),
            text((left + wide * reference.value, y - 14), show(reference.value, 2), size=14),
            text((left + wide + 24, y + 5), named, size=14, fill=SOFT),
        ]
    bottom = step * len(list_stored()) + 22
    for x, shape, colour, words in (
        (6, "cross", SOFT, "best blind answer"),
        (180, "square", series_colour(1), "best player of a class with a proof"),
        (470, "circle", series_colour(0), "reference player, no secrets"),
    ):
        parts.append(draw_mark((x, bottom - 5), colour=colour, shape=shape, radius=6))
        parts.append(text((x + 14, bottom), words, size=14, fill=SOFT))
    svg = make_svg(
        960,
        bottom + 12,
        "".join(parts),
        title="What can be earned without causal reasoning",
        about="Headline scores on the certified standard sets; the table below has the numbers.",
    )
    return place_svg(svg, "Certified standard sets, raw headline scores, 95 % intervals.")


def _say_not_stored(family: str) -> str:
    return f"No audit of this version is stored yet: `causarium audit {family}` plays it."


def play_audit(family: str) -> dict[str, Any]:
    """Play the audit of a family; numbers have six decimals and no -0, so that machines agree."""
    audit = audit_set(AuditTask(family)).flat()
    played = {"command": f"causarium audit {family} --json", **audit}
    rounded: dict[str, Any] = json.loads(
        json.dumps(played), parse_float=lambda digits: round(float(digits), 6) + 0.0
    )
    return rounded


def store_audit(family: str) -> Path:
    """Play the audit of a family and store it, one row a line."""
    audit = play_audit(family)
    parts = [
        f',\n "{name}": [\n  ' + ",\n  ".join(json.dumps(row) for row in audit.pop(name)) + "\n ]"
        for name in ("classes", "rows")
    ]
    head = json.dumps(audit, indent=1)
    path = FOLDER / f"{family}.json"
    path.write_text(f"{head[:-2]}{''.join(parts)}\n}}\n", encoding="utf-8")
    return path


def find_changes(family: str) -> list[str]:
    """Play the audit of a family and return where the stored one says something else."""
    stored, played = _name_rows(read_audit(family)), _name_rows(play_audit(family))
    return [
        f"{family}, {name}: stored {stored.get(name)}, played {played.get(name)}"
        for name in {**stored, **played}
        if stored.get(name) != played.get(name)
    ]


def _name_rows(audit: dict[str, Any]) -> dict[str, Any]:
    """Return the facts of an audit under names, so that the order of rows says nothing.

    Each is written out, since not a number equals nothing, not even itself.
    """
    facts = {name: value for name, value in audit.items() if name not in ("rows", "classes")}
    facts |= {
        f"class {row['name']}": ClassRow.model_validate(row).model_dump(mode="json")
        for row in audit["classes"]
    }
    facts |= {f"{row['metric']} of {row['player']}": row for row in audit["rows"]}
    return {name: json.dumps(value, sort_keys=True) for name, value in facts.items()}


def main(words: Sequence[str]) -> int:
    """Store the audits of the families named, or compare them; all of them if none is."""
    named = [word for word in words if word != "--check"] or list(FAMILIES)
    if "--check" not in words:
        for family in named:
            sys.stderr.write(f"{store_audit(family).relative_to(ROOT)}\n")
        return 0
    changes = []
    for family in named:
        changes += (differing := find_changes(family))
        sys.stderr.write("\n".join(differing or [f"{family}: as stored"]) + "\n")
    return 1 if changes else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
