"""The stored audits: whether theorems hold, and how far programs come.

    python -m docs.generate.audits [FAMILY ...]
    python -m docs.generate.audits --check [FAMILY ...]

The first plays them and writes `docs/audits/FAMILY.json`, which every page that quotes a number
reads, and the README's table. The second plays them, writes nothing, and prints where a stored
number is not what is played today; it exits with 1 if there is such a number.
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
from causarium.players.audit_family import AuditTask
from causarium.players.programs import Program
from causarium.report.data.number_format import show
from docs.generate.markdown import ROOT, place_svg, write_name, write_table

FOLDER = ROOT / "docs" / "audits"
README = ROOT / "README.md"
OPENING, CLOSING = "<!-- programs -->", "<!-- end of programs -->"
"""What the README's table of programs stands between."""
_STEP, _LEFT, _WIDE = 62, 330, 470
_MARKS: dict[str, tuple[str, str]] = {
    "guessing": ("cross", SOFT),
    "strongest program": ("square", series_colour(1)),
    "reference player, no secrets": ("circle", series_colour(0)),
}
_KINDS = {"theorem": "theorem", "exact": "exact for each instance"}


def list_stored() -> list[str]:
    """Return the families with a stored audit of the version that their card has now."""
    return [
        family
        for family in FAMILIES
        if (FOLDER / f"{family}.json").exists()
        and "programs" in (audit := read_audit(family))
        and audit["version"] == families.card(family).version
    ]


def read_audit(family: str) -> dict[str, Any]:
    """Return the stored audit of a family."""
    stored: dict[str, Any] = json.loads((FOLDER / f"{family}.json").read_text(encoding="utf-8"))
    return stored


def read_programs(family: str) -> list[Program]:
    """Return the stored table of programs of a family, the strongest first."""
    return [Program.model_validate(row) for row in read_audit(family)["programs"]]


def find_program(family: str, name: str) -> Program:
    """Return one line of the stored table of programs.

    Raises:
        LookupError: There is no such line.
    """
    for program in read_programs(family):
        if program.name == name:
            return program
    raise LookupError(f"docs/audits/{family}.json has no program {name}")


def find_strongest(family: str) -> Program:
    """Return the strongest program but the reference."""
    return next(program for program in read_programs(family) if not program.reference)


def quote_reach(family: str, name: str) -> str:
    """Return how far one program comes, with its interval, for a sentence."""
    return find_program(family, name).reach.in_words


def write_audit(family: str) -> str:
    """Return the whole audit of one family: theorems, then programs."""
    if family not in list_stored():
        return _say_not_stored(family)
    return f"{write_theorems(family)}\n\n{write_programs(family)}"


def write_theorems(family: str) -> str:
    """Return the theorems of one family with their bounds and the best of their members."""
    if family not in list_stored():
        return _say_not_stored(family)
    lines = [
        [
            write_name(row["name"]),
            row["says"],
            _KINDS[row["kind"]],
            write_number(row["bound"]),
            f"{write_interval(row)} `{row['best']}`",
        ]
        for row in read_audit(family)["theorems"]
    ]
    return write_table(["theorem", "who", "kind", "bound", "best member earned"], lines)


def write_programs(family: str) -> str:
    """Return everybody who is no model and does not see the truth, the strongest first."""
    if family not in list_stored():
        return _say_not_stored(family)
    programs = read_programs(family)
    measure = "reach" if any(one.reach.rungs for one in programs) else "mean"
    lines = [
        [
            write_name(one.name) + (" (reference)" if one.reference else ""),
            one.about,
            one.sees,
            str(one.lines),
            write_reach(one),
            one.level,
        ]
        for one in programs
    ]
    return write_table(["program", "what it does", "sees", "lines", measure, "top rung"], lines)


def _say_not_stored(family: str) -> str:
    return f"No audit of this version is stored yet: `causarium audit {family}` plays it."


def write_number(value: float) -> str:
    """Return a share as papers print it: .558, 1.000."""
    text = f"{value:.3f}".replace("-0.000", "0.000")
    return text.removeprefix("0")


def write_interval(row: dict[str, Any]) -> str:
    """Return a mean with its interval, where that says anything."""
    value, low, high = row["value"], row["low"], row["high"]
    if low == high:
        return write_number(value)
    ends = f"[{write_number(low)},\N{NO-BREAK SPACE}{write_number(high)}]"
    return f"{write_number(value)} {ends}"


def write_reach(program: Program) -> str:
    """Return how far a program comes, in one line."""
    return program.reach.in_words.replace(" ", "\N{NO-BREAK SPACE}")


def write_summary(pages: str = "") -> str:
    """Return one line a family: guessing, the strongest program, the reference.

    Args:
        pages: Where the folder of the families' pages is, seen from the text.
    """
    lines = []
    for family in list_stored():
        card, strongest = families.card(family), find_strongest(family)
        reference = find_program(family, card.reference)
        rungs = len(reference.reach.rungs)
        lines.append(
            [
                f"[{card.title}]({pages}families/{family}.md)",
                "0" if rungs else "",
                f"{write_reach(strongest)} `{strongest.name}`, {strongest.lines} lines",
                write_reach(reference),
                f"{rungs} rungs, {reference.n}" if rungs else str(reference.n),
            ]
        )
    header = ["family", "guessing", "strongest program", "reference", "instances"]
    return write_table(header, lines) if lines else ""


def fill_readme() -> bool:
    """Write the summary into the README; returns whether it stood there otherwise."""
    old = README.read_text(encoding="utf-8")
    before, _, rest = old.partition(OPENING)
    after = rest.partition(CLOSING)[2] if CLOSING in rest else rest
    summary = write_summary("docs/")
    between = f"\n{summary}\n\n{CLOSING}" if summary else ""
    new = f"{before}{OPENING}{between}{after}"
    README.write_text(new, encoding="utf-8")
    return new != old


def draw_summary() -> str:
    """Return a line a family: guessing, the strongest program and the reference on its ladder."""
    drawn = [_draw_family(family, _STEP * at + 34) for at, family in enumerate(list_stored())]
    bottom = _STEP * len(drawn) + 22
    for x, words, (shape, colour) in zip((6, 130, 330), _MARKS, _MARKS.values(), strict=True):
        drawn.append(draw_mark((x, bottom - 5), colour=colour, shape=shape, radius=6))
        drawn.append(text((x + 14, bottom), words, size=14, fill=SOFT))
    svg = make_svg(
        960,
        bottom + 12,
        "".join(drawn),
        title="How far programs come",
        about="Reach on the certified standard sets; the table below has the numbers.",
    )
    return place_svg(svg, "Certified standard sets, reach, 95 % intervals.")


def _draw_family(family: str, y: float) -> str:
    card, reference = families.card(family), find_program(family, families.card(family).reference)
    rungs = len(reference.reach.rungs)
    said = f"{rungs} rungs, n {reference.n}" if rungs else f"n {reference.n}"
    parts = [
        text((0, y - 2), card.title, size=17, weight="700"),
        text((0, y + 18), card.short, size=14, fill=SOFT),
        tag("rect", x=_LEFT, y=y - 7, width=_WIDE, height=14, fill="var(--z1, #eef0f2)"),
        text((_LEFT + _WIDE + 24, y + 5), said, size=14, fill=SOFT),
    ]
    guessing, *others = _MARKS.values()
    parts.append(draw_mark((_LEFT, y), colour=guessing[1], shape=guessing[0], radius=6))
    for program, (shape, colour) in zip((find_strongest(family), reference), others, strict=True):
        reach = program.reach
        low, at, high = (
            _LEFT + _WIDE * max(0.0, min(1.0, end / (rungs or 1)))
            for end in (reach.low, reach.value, reach.high)
        )
        parts.append(line((low, y), (high, y), stroke=colour, width=3))
        parts.append(draw_mark((at, y), colour=colour, shape=shape, radius=6))
        parts.append(text((at, y - 14), show(reach.value, 1), size=14, anchor="middle"))
    return "".join(parts)


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
        for name in ("theorems", "programs")
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
    tables = {name: audit.get(name, []) for name in ("theorems", "programs")}
    facts = {name: value for name, value in audit.items() if name not in tables}
    facts |= {f"{name} {row['name']}": row for name, rows in tables.items() for row in rows}
    return {name: json.dumps(value, sort_keys=True) for name, value in facts.items()}


def main(words: Sequence[str]) -> int:
    """Store the audits of the families named, or compare them; all of them if none is."""
    named = [word for word in words if word != "--check"] or list(FAMILIES)
    if "--check" not in words:
        for family in named:
            sys.stderr.write(f"{store_audit(family).relative_to(ROOT)}\n")
        fill_readme()
        return 0
    changes = []
    for family in named:
        changes += (differing := find_changes(family))
        sys.stderr.write("\n".join(differing or [f"{family}: as stored"]) + "\n")
    return 1 if changes else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
