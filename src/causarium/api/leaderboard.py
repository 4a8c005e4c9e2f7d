"""Submissions and the leaderboard made of them.

A submission is a folder with `submission.json` and the logs of whole sets. `check_submission`
verifies logs and `submit` makes the folder; `write_leaderboard` verifies every folder again and
writes the page, so that nothing on it rests on what a submitter says. What cannot count is left out
in words.
"""

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import Field, ValidationError

from causarium import families
from causarium.api.rows import Places, as_paths, check_folder
from causarium.contract.frozen import Frozen
from causarium.contract.places import write_atomically
from causarium.contract.row import Row
from causarium.contract.sets.instance_sets import find_set
from causarium.engine.logbook.log_book import LogBook
from causarium.engine.logbook.reference_rows import reference_rows
from causarium.engine.logbook.run_card import UNKNOWN, RunCard
from causarium.engine.verify.seal import SEAL_FILE, SIGNATURE_FILE, check_run_seal
from causarium.engine.verify.verify_runs import BookProof, RunProof, verify_book
from causarium.errors import BadFile, UsageError
from causarium.report.data.leaderboard import (
    Entry,
    Facts,
    Leaderboard,
    build_leaderboard,
)
from causarium.report.output.write_html import render_leaderboard

SUBMISSION = "submission.json"


class Submission(Frozen):
    """What `submission.json` says."""

    facts: Facts
    agent: str
    """The agent's name in its logs."""
    set: str = "standard"
    logs: dict[str, str] = Field(default_factory=dict)
    """By family: the digest of the set that was played."""


@dataclass(frozen=True)
class SubmissionCheck:
    """Whether logs can be submitted."""

    agent: str
    runs: tuple[RunProof, ...]
    faults: tuple[str, ...]
    """What must be mended first."""
    missing: tuple[str, ...]
    """Families that were not played; the page shows gaps there."""


def check_submission(logs: Places, *, set_name: str = "standard") -> SubmissionCheck:
    """Say whether logs are one agent's, verified, of whole certified sets, with full cards.

    Args:
        logs: Logs, or folders of them.
        set_name: The set that counts.

    Raises:
        UsageError: There are no logs.
    """
    book = LogBook.read(as_paths(logs))
    book.require_whole()
    proof = verify_book(book, families.get)
    faults = [fault for run in proof.runs for fault in _find_faults(run, set_name)]
    agents = sorted({card.agent for card in book.run_cards})
    if len(agents) > 1:
        faults.append(f"the logs are of several agents: {', '.join(agents)}; submit one at a time")
    for card in book.run_cards:
        faults += _find_gaps(card, set_name)
    played = {run.family for run in proof.runs}
    doubled = {
        run.family for run in proof.runs if sum(r.family == run.family for r in proof.runs) > 1
    }
    faults += [f"{family}: several runs; keep one" for family in sorted(doubled)]
    missing = tuple(name for name in families.names() if name not in played)
    return SubmissionCheck(agents[0] if agents else "", proof.runs, tuple(faults), missing)


def _find_faults(run: RunProof, set_name: str) -> list[str]:
    faults = [f"{run.family}: {problem}" for problem in run.problems]
    faults += [
        f"{run.family}: {n} samples are not verified: {why}" for why, n in run.reasons.items()
    ]
    if run.set != f"certified/{set_name}" or run.part:
        played = f"{run.set}{f', {run.part}' if run.part else ''}"
        faults.append(f"{run.family}: {played} was played, and the whole set {set_name} counts")
    return faults


def _find_gaps(card: RunCard, set_name: str) -> list[str]:
    unknown = [name for name in ("set_digest", "prompt_digest") if getattr(card, name) == UNKNOWN]
    gaps = [f"{card.family}: the run card does not say its {name}" for name in unknown]
    if card.edition != "certified":
        return [*gaps, f"{card.family}: the edition {card.edition} has no leaderboard"]
    named = families.card(card.family).sets["certified"].get(set_name)
    if named is None or card.set_digest != named.digest:
        gaps.append(f"{card.family}: its set has another digest than the card's {set_name}")
    return gaps


def submit(
    check: SubmissionCheck, facts: Facts, out: str | Path, *, set_name: str = "standard"
) -> Path:
    """Make the folder of a submission; returns it.

    Args:
        check: What `check_submission` found of its logs.
        facts: What the page says of the agent.
        out: The folder of all submissions.
        set_name: The set that counts.

    Raises:
        UsageError: The logs cannot be submitted as they are, or the folder is there already.
    """
    if check.faults:
        raise UsageError("these logs cannot be submitted yet:\n  " + "\n  ".join(check.faults))
    folder = Path(out) / _as_folder(facts.name)
    if folder.exists():
        raise UsageError(f"{folder} already exists; give another --name, or remove it")
    digests = {}
    for run in check.runs:
        place = folder / run.family
        place.mkdir(parents=True)
        for log in map(Path, run.logs):
            shutil.copyfile(log, place / log.name)
            for beside in (SEAL_FILE, SIGNATURE_FILE):
                if (log.parent / beside).is_file():
                    shutil.copyfile(log.parent / beside, place / beside)
        digests[run.family] = find_set(families.get(run.family), "certified", set_name).digest
    told = Submission(facts=facts, agent=check.agent, set=set_name, logs=digests)
    write_atomically(folder / SUBMISSION, told.model_dump_json(indent=1) + "\n")
    return folder


def _as_folder(name: str) -> str:
    kept = "".join(letter if letter.isalnum() or letter in "._-" else "-" for letter in name)
    if not kept.strip("-."):
        raise UsageError(f"{name!r} gives no name for a folder; use letters and digits")
    return kept.strip("-.").lower()


def write_leaderboard(
    results: str | Path, *, out: str | Path, set_name: str = "standard"
) -> Leaderboard:
    """Verify every submission in a folder and write the page of those that count.

    Args:
        results: A folder of submissions, or of logs.
        out: The folder for `index.html` and `leaderboard.json`.
        set_name: The set that counts.

    Raises:
        UsageError: There is no submission and no log.
    """
    folder = check_folder(out)
    entries: dict[str, tuple[Entry, Sequence[Row]]] = {}
    left_out: list[str] = []
    players: dict[tuple[str, str, str], Row] = {}
    signers: dict[str, set[str]] = {}
    for name, facts, places in _list_submissions(Path(results), set_name):
        try:
            book = LogBook.read(places)
            book.require_whole()
        except UsageError as wrong:
            left_out.append(f"{name}: {wrong}")
            continue
        proof = verify_book(book, families.get)
        rows, faults = _choose_rows(proof, set_name)
        left_out += [f"{name}: {fault}" for fault in faults]
        if not rows:
            continue
        seals = [check_run_seal(run, proof.book, None).seal for run in proof.runs]
        signed = ", ".join(dict.fromkeys(seals)) if all(seals) else ""
        signers.setdefault(rows[0].agent, set()).update(seals)
        entry = Entry(facts=facts, verified=True, signed=signed)
        entries[facts.name] = entry, rows
        for row in reference_rows(proof.book, families.get):
            players.setdefault((row.family, row.agent, row.id), row)
    if not entries:
        reasons = "; ".join(left_out) or "it holds no submission"
        raise UsageError(f"{results} has nothing for a leaderboard of {set_name}: {reasons}")
    entries = {
        name: (
            entry.model_copy(update={"reproduced": len(signers[rows[0].agent] - {""}) > 1}),
            rows,
        )
        for name, (entry, rows) in entries.items()
    }
    board = build_leaderboard(entries, list(players.values()), set_name=set_name, left_out=left_out)
    write_atomically(folder / "index.html", render_leaderboard(board, "leaderboard.json"))
    write_atomically(folder / "leaderboard.json", board.model_dump_json(indent=1) + "\n")
    return board


def _list_submissions(results: Path, set_name: str) -> list[tuple[str, Facts, list[Path]]]:
    """Return the submissions in a folder; one of bare logs has an entry for each agent."""
    files = sorted(results.glob(f"*/{SUBMISSION}"))
    found = []
    for file in files:
        try:
            told = Submission.model_validate_json(file.read_bytes())
        except ValidationError as wrong:
            raise BadFile(f"{file} is not a submission: {wrong.errors()[0]['msg']}") from wrong
        if told.set == set_name:
            found.append((file.parent.name, told.facts, [file.parent]))
    if files:
        return found
    book = LogBook.read(as_paths(results))
    by_agent: dict[str, list[Path]] = {}
    for header in book.logs:
        if not header.card.agent.startswith("player/"):
            by_agent.setdefault(header.card.agent, []).append(header.path)
    return [(agent, Facts(name=agent), paths) for agent, paths in by_agent.items()]


def _choose_rows(proof: BookProof, set_name: str) -> tuple[list[Row], list[str]]:
    """Return the rows of runs that count, and why others do not."""
    faults: list[str] = []
    good: set[str] = set()
    digests = {card.family: card for card in proof.book.run_cards}
    for run in proof.runs:
        wrong = _find_faults(run, set_name) + _find_gaps(digests[run.family], set_name)
        faults += wrong
        if not wrong:
            good.add(run.family)
    rows = [row for row in proof.book.rows if row.family in good and row.set == set_name]
    return rows, faults
