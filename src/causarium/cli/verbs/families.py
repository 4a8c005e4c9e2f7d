"""Verbs about families: `list`, `show`, `check`, `new-family`, `published`, `release`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from causarium.cli import options as given
from causarium.cli.shared import print_json, print_line, print_note
from causarium.errors import UnknownName, UsageError

if TYPE_CHECKING:
    from causarium.contract.family import AnyFamily


def list_families(
    family: Annotated[
        str | None,
        typer.Argument(
            metavar="[FAMILY]",
            help="One screen on this family: sets, rungs, baselines.",
        ),
    ] = None,
    *,
    levels: Annotated[bool, typer.Option("--levels", help="All levels of it.")] = False,
    baselines: Annotated[bool, typer.Option("--baselines", help="All its players.")] = False,
    metrics: Annotated[bool, typer.Option("--metrics", help="All its metrics.")] = False,
    rules: Annotated[bool, typer.Option("--rules", help="All its rules.")] = False,
    json: given.AsJson = False,
) -> None:
    """List the families, or the sets, rungs and baselines of one."""
    from causarium.api.family_facts import family_facts, list_facts
    from causarium.report.output.print_family import (
        PARTS,
        print_families,
        print_family,
        print_family_part,
    )

    if family is None:
        facts, problems = list_facts()
        if json:
            print_json({"families": facts, "problems": problems})
            return
        print_families(facts)
        for problem in problems:
            print_line(problem)
    else:
        offered = family_facts(family)
        wanted = zip(PARTS, (levels, baselines, metrics, rules), strict=True)
        chosen = [part for part, is_wanted in wanted if is_wanted]
        if json:
            print_json(offered)
        elif chosen:
            for part in chosen:
                print_family_part(offered, part)
        else:
            print_family(offered)


def show(
    family: given.FamilyName,
    instance: Annotated[
        str | None,
        typer.Argument(metavar="[INSTANCE]", help="Instance id or position (0 = first)."),
    ] = None,
    *,
    edition: given.PlayedEdition = None,
    set_name: Annotated[
        str, typer.Option("--set", help="Set that contains the instance.")
    ] = "standard",
    file: given.SetFile = None,
    rule: given.GivenRules = None,
    rules: Annotated[
        bool, typer.Option("--rules", help="Show every rule: type, defaults, description.")
    ] = False,
    secret: Annotated[bool, typer.Option("--secret", help="Also show the hidden answer.")] = False,
    release: given.ReleaseAt = None,
    release_anyway: given.ReleaseAnyway = False,
    protocol: given.ProtocolName = None,
    diff: Annotated[
        bool, typer.Option("--diff", help="Compare our texts with the release's, line by line.")
    ] = False,
    json: given.AsJson = False,
) -> None:
    """Show a family's card, its rules, or one instance as the agent sees it.

    With --rule, as it sees it under other rules: --rule interface=tools.
    """
    from causarium import families
    from causarium.api.benchmark import load, load_file
    from causarium.api.family_facts import family_facts
    from causarium.cli.options import read_rules
    from causarium.contract.rules import choose_edition
    from causarium.report.output import print_family as printing

    if diff and release is None:
        raise UsageError(
            "--diff compares our texts with a release's; name its folder with --release"
        )
    if instance is None and file is None and release is None and not (rule or protocol):
        facts = family_facts(family)
        if rules:
            print_json(facts["rules"]) if json else printing.print_rules(facts["rules"])
        elif json:
            card = load(family).family.card.model_dump(mode="json")
            print_json({"name": family, **card})
        else:
            printing.print_family(facts)
        return
    changes = read_rules(rule or ())
    if protocol is not None:
        edition = choose_edition(edition, published=True)
        changes = families.get(family).release_card.find_protocol(protocol).rules | changes
    benchmark = load(family, edition=edition, release=release, release_anyway=release_anyway)
    if release is None and file is not None:
        benchmark = load_file(family, file)
    item = benchmark.find_instance(file or set_name, instance or "0")
    prompt = benchmark.prompt(item, changes)
    if diff:
        printing.print_difference(load(family, edition="paper").prompt(item, changes), prompt)
        print_note("\n".join(benchmark.family.release_card.lacks))
        return
    if not json:
        printing.print_instance(item, prompt, secret=secret)
        return
    value = {"id": item.id, "public": item.public.model_dump(mode="json")}
    if secret:
        value |= {"secret": item.secret.model_dump(mode="json"), "facets": item.facets}
    print_json({**value, "prompt": prompt.model_dump()})


def check(
    family: Annotated[
        str | None, typer.Argument(metavar="[FAMILY]", help="Check only this family.")
    ] = None,
    *,
    full: Annotated[bool, typer.Option("--full", help="Check all sets, not just smoke.")] = False,
    strict: Annotated[
        bool, typer.Option("--strict", help="Count skipped checks as failed.")
    ] = False,
    write_digests: Annotated[
        bool,
        typer.Option("--write-digests", help="Write the digests of changed sets into the card."),
    ] = False,
    json: given.AsJson = False,
) -> None:
    """Check that families keep their promises. No model needed."""
    from causarium import families

    failed = 0
    for name in [family] if family else families.names():
        if write_digests:
            _write_digests(families.get(name))
        else:
            failed += _check_one(families.get(name), full=full, strict=strict, json=json)
    if failed:
        print_note(f"{failed} checks failed")
        raise typer.Exit(1)


def _check_one(family: "AnyFamily", *, full: bool, strict: bool, json: bool) -> int:
    from causarium.contract.checks.check_family import open_subject, run_checks

    subject = open_subject(family, quick=not full)
    print_note(f"checking {family.name} {family.card.version}")
    failed = 0
    for finding in run_checks(subject):
        failed += not finding.passed or (strict and bool(finding.skipped))
        if json:
            print_json({"family": family.name, **finding.model_dump(mode="json")})
            continue
        mark = "skipped" if finding.skipped else "ok     " if finding.passed else "FAILED "
        print(f"{mark} {family.name}: {finding.name}")
        if detail := finding.detail or (finding.skipped and f"needs causarium[{finding.skipped}]"):
            print(f"        {detail}")
    for extra in sorted(set(subject.skipped.values())):
        players = ", ".join(name for name, needs in subject.skipped.items() if needs == extra)
        print_note(f"skipped {players} of {family.name} (needs causarium[{extra}])")
        failed += strict
    return failed


def _write_digests(family: "AnyFamily") -> None:
    from causarium.contract.checks.write_digests import write_digests

    for name in write_digests(family):
        print_note(f"{family.name}: new digest of {name}; raise the version in its card")


def new_family(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Python name in lower case.")],
    *,
    root: Annotated[Path, typer.Option(help="Folder to write into.")] = Path(),
    package: Annotated[
        bool | None,
        typer.Option(
            "--package/--in-tree",
            help="Write an installable package, or into a checkout of causarium "
            "(default: depends on the folder).",
        ),
    ] = None,
) -> None:
    """Create a new family with tests to fill in."""
    from causarium.scaffold import write_family, write_package

    checkout = (root / "src/causarium/families/__init__.py").is_file()
    if package or (package is None and not checkout):
        paths, then = write_package(name, root), f"pip install -e {root / name}"
    else:
        paths, then = write_family(name, root), f"add {name!r} to FAMILIES in families/__init__.py"
    for path in paths:
        print(path)
    print_note(f"Next: {then}; docs/adding-a-family.md explains what to fill in, in which order.")


def release(
    family: given.FamilyName,
    folder: Annotated[
        Path | None, typer.Argument(metavar="[FOLDER]", help="A clone of the release to check.")
    ] = None,
    *,
    json: given.AsJson = False,
) -> None:
    """Describe a family's published release and what we use of it; check a folder."""
    from causarium import families
    from causarium.contract.release import inspect_release
    from causarium.report.output.print_family import print_release, print_release_folder

    card = families.get(family).release_card
    if folder is None:
        print_json(card.model_dump(mode="json")) if json else print_release(family, card)
        return
    found = inspect_release(card, folder)
    if json:
        print_json({"commit": found.commit, "files": found.states, "flaws": found.flaws})
    else:
        print_release_folder(found)
    if found.flaws:
        raise typer.Exit(1)


def published(
    family: Annotated[
        str | None, typer.Argument(metavar="[FAMILY]", help="Only this family.")
    ] = None,
    *,
    table: Annotated[
        str | None, typer.Option(help="Only this table: 7, or 'Table 7', or 'Figure 3'.")
    ] = None,
    json: given.AsJson = False,
) -> None:
    """Print the result tables of the papers, with caveats."""
    from causarium import published as papers
    from causarium.report.output.print_reproduction import print_grid

    names = [family] if family else papers.families()
    everything = [listed for name in names for listed in papers.tables(name)]
    tables = [listed for listed in everything if table is None or listed.is_called(table)]
    if not tables:
        known = dict.fromkeys(listed.name for listed in everything)
        raise UnknownName("table", str(table), known)
    if json:
        rows = [row for listed in tables for row in papers.rows(listed.family, listed.name)]
        print_json([row.model_dump(mode="json") for row in rows])
        return
    for listed in tables:
        print_grid(papers.grid(listed))
