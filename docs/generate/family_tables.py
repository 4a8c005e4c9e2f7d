"""Tables about a family, from its card, its code and the published numbers."""

from causarium import families
from causarium.api.family_facts import family_facts
from causarium.contract.sets.instance_sets import generate_one
from causarium.players.direct_runner import certify_instance
from causarium.published import Grid, grid, play_settings, tables
from docs.generate.markdown import fold, write_name, write_table

MOST_OPEN = 16
"""A table with more lines than this is folded."""
BETTER = {"higher": "higher", "lower": "lower", "neither": "–"}


def write_facts(family: str) -> str:
    """Return what stands at the head of a family's page."""
    facts, card = family_facts(family), families.card(family)
    interfaces = families.get(family).rules.interfaces
    paper = facts["paper"]
    sizes = {label: spec["size"] for label, spec in facts["sets"]["certified"].items()}
    rows = [
        ["paper", f"*{paper['title']}*, {paper['venue']} {paper['year']}"],
        ["metrics in tables", ", ".join(map(write_name, card.shown("certified")))],
        ["interfaces", ", ".join(map(write_name, interfaces))],
        ["instances in `smoke` and `standard`", f"{sizes['smoke']} and {sizes['standard']}"],
        ["version", write_name(facts["version"])],
    ]
    return write_table(["", facts["title"]], rows)


def write_metrics(family: str) -> str:
    """Return every number of a verdict."""
    facts, card = family_facts(family), families.card(family)
    rows = [
        [
            f"`{name}`" + (" (headline)" if name in card.headline.values() else ""),
            metric["about"],
            BETTER[metric["better"]],
        ]
        for name, metric in facts["metrics"].items()
    ]
    rows.sort(key=lambda row: "(headline)" not in row[0])
    return _fold_if_long("every metric", ["metric", "what it says", "better"], rows)


def write_sets(family: str) -> str:
    """Return the frozen sets of both editions, with the beginnings of their digests."""
    rows = [
        [
            write_name(label),
            edition,
            str(spec["size"]),
            spec["about"],
            f"`{spec['digest'].removeprefix('sha256:')[:12]}`",
        ]
        for edition, sets in family_facts(family)["sets"].items()
        for label, spec in sets.items()
    ]
    header = ["set", "edition", "instances", "what is in it", "sha256 begins"]
    return _fold_if_long("sets", header, rows)


def write_levels(family: str) -> str:
    """Return every level with what sets it apart, and a link to its picture."""
    facts, card = family_facts(family), families.card(family)
    rows = [
        [
            f"[`{label}`](../gallery/{family}.md#{label})",
            level["edition"],
            "yes" if label in card.ladder else "",
            f"`{level['about']}`" if level["about"] else "",
        ]
        for label, level in facts["levels"].items()
    ]
    header = ["level", "edition", "rung to train on", "settings that are not the default"]
    return _fold_if_long("levels", header, rows)


def write_rules(family: str) -> str:
    """Return the rules that a run may change with `--rule NAME=VALUE`."""
    rows = [
        [write_name(name), f"`{rule['type']}`", _write_defaults(rule["default"]), rule["about"]]
        for name, rule in family_facts(family)["rules"].items()
    ]
    header = ["rule", "values", "default", "what it does"]
    return _fold_if_long("rules", header, rows)


def _write_defaults(defaults: dict[str, object]) -> str:
    """Return the default; by edition where the editions differ or one lacks the rule."""
    written = {edition: _write_value(value) for edition, value in defaults.items()}
    if len(written) > 1 and len(set(written.values())) == 1:
        return written["certified"]
    told = {"certified": "", "paper": "paper edition "}
    return "; ".join(f"{told[edition]}{value}" for edition, value in written.items())


def _write_value(value: object) -> str:
    return f"`{str(value).lower() if isinstance(value, bool) else value}`" if value != "" else "–"


def write_players(family: str) -> str:
    """Return everybody that plays without a model."""
    rows = [
        [write_name(name), player["about"], "yes" if player["sees_truth"] else ""]
        for name, player in family_facts(family)["players"].items()
    ]
    return _fold_if_long("players", ["player", "what it does", "sees the truth"], rows)


def write_certificate(family_name: str, set_name: str, number: str) -> str:
    """Return what is proved about one instance, and how."""
    family = families.get(family_name)
    instance = generate_one(family, "certified", set_name, int(number))
    proved = certify_instance(family, instance, "certified")
    rows = [[proof.claim, proof.method, "yes" if proof.holds else "NO"] for proof in proved.proofs]
    table = write_table([f"claim about `{instance.id}`", "how it was checked", "holds"], rows)
    ends = f"Floor (silent): {proved.floor:g}. Ceiling (oracle): {proved.ceiling:.4g}."
    best = "" if proved.optimum is None else f" Optimum: {proved.optimum:.4g}."
    return f"{table}\n\n{ends}{best}"


def write_published(family: str) -> str:
    """Return the paper's tables in their own shape, each folded, with its caveats."""
    parts = []
    for table in tables(family):
        shape = grid(table)
        title = f"{table.name}: {table.about}".replace('"', "'")
        parts.append(fold(title, _write_grid(shape)))
    return "\n".join(parts)


def write_reproduce(family: str) -> str:
    """Return the commands that play the paper's tables again, and how many runs each takes."""
    rows = [
        [f"`causarium reproduce {family} '{table.name}'`", str(len(runs)), table.about]
        for table in tables(family)
        if (runs := play_settings(table))
    ]
    return write_table(["command", "runs", "what the table holds"], rows)


def _write_grid(shape: Grid) -> str:
    rows = []
    for side, cells in shape.lines:
        numbers = []
        for column in shape.columns:
            cell = cells.get(column)
            marks = "".join(f"<sup>{mark}</sup>" for mark in cell.notes) if cell else ""
            numbers.append(f"{cell}{marks}" if cell else "")
        rows.append([*side, *numbers])
    common = ", ".join(f"{key} {value}" for key, value in shape.common.items())
    pieces = [f"In all lines: {common}." if common else "", shape.table.note]
    pieces.append(write_table([*shape.sides, *shape.columns], rows))
    pieces += [f"<sup>{number}</sup> {note}" for number, note in enumerate(shape.notes, 1)]
    return "\n\n".join(piece for piece in pieces if piece)


def _fold_if_long(title: str, header: list[str], rows: list[list[str]]) -> str:
    table = write_table(header, rows)
    if len(rows) <= MOST_OPEN:
        return table
    return fold(f"{title[0].upper()}{title[1:]} ({len(rows)})", table)
