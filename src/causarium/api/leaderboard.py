"""Submissions and the leaderboard made of them.

A submission is a folder with `submission.json` and the logs of whole sets. `check_submission`
verifies logs and `submit` makes the folder; `write_leaderboard` verifies every folder again and
writes the page, so that nothing on it rests on what a submitter says. What cannot count is left out
in words.
"""

import math
import shutil
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from pydantic import Field, ValidationError

from causarium import families
from causarium.api.rows import Places, as_paths, check_folder
from causarium.api.verify import SUBMISSION
from causarium.contract.frozen import Frozen
from causarium.contract.places import write_atomically
from causarium.contract.row import Row
from causarium.contract.sets.instance_sets import find_set
from causarium.engine.logbook.log_book import LogBook
from causarium.engine.logbook.log_files import LogHeader
from causarium.engine.logbook.reference_rows import reference_rows
from causarium.engine.logbook.run_card import UNKNOWN, RunCard, in_words, list_changed_rules
from causarium.engine.verify.seal import SEAL_FILE, SIGNATURE_FILE, check_run_seal
from causarium.engine.verify.verify_runs import RunProof, verify_book
from causarium.errors import CausariumError, UsageError
from causarium.report.data.leaderboard import (
    Entry,
    Facts,
    Leaderboard,
    build_leaderboard,
)
from causarium.report.data.summaries import role_of
from causarium.report.output.write_html import render_leaderboard

_DOUBLED = "{}: several runs; keep one"
SIGNED = "sealed and signed by "
"""How the words of a seal begin that somebody signed."""
FREE_RULES = frozenset(
    {"interface", "join_system", "prefill", "continuations", "constrained", "context"}
)
"""How replies are asked for; an entry may choose, and the page shows it. So may one that runs no
programs. Every other rule changes what is asked."""


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
    judged = _judge_runs(as_paths(logs), set_name)
    faults = [fault for one in judged for fault in one.faults]
    agents = sorted({one.card.agent for one in judged})
    if len(agents) > 1:
        faults.append(f"the logs are of several agents: {', '.join(agents)}; submit one at a time")
    runs = tuple(one.run for one in judged)
    faults += [_DOUBLED.format(family) for family in _find_doubled(judged)]
    played = {run.family for run in runs}
    missing = tuple(name for name in families.names() if name not in played)
    return SubmissionCheck(agents[0] if agents else "", runs, tuple(faults), missing)


class _JudgedRun(NamedTuple):
    """One run, and why it does not count."""

    run: RunProof
    book: LogBook
    """Its logs alone, each row with its proof."""
    card: RunCard
    faults: list[str]

    @property
    def signer(self) -> str:
        """Who signed it, in words; empty where nobody did."""
        return self.run.seal if self.run.seal.startswith(SIGNED) else ""

    def is_reproduced_by(self, other: "_JudgedRun") -> bool:
        """Whether another run is the same, vouched for by somebody else, and no copy of it."""
        if self.card.key != other.card.key or len({self.signer, other.signer, ""}) < 3:
            return False
        # By episodes: a copy may have other bytes, and a true run may have the same words.
        mine, theirs = ({each.uuid for each in one.book.samples} for one in (self, other))
        return not mine & theirs and "" not in mine | theirs


def _judge_runs(places: Sequence[Path], set_name: str) -> list[_JudgedRun]:
    """Verify logs run by run, their seals too.

    Raises:
        UsageError: There are no logs, or one cannot be read.
    """
    book = LogBook.read(places)
    book.require_whole()
    proof = verify_book(book, families.get)
    headers = {str(header.path): header for header in book.logs}
    judged = []
    for run in (check_run_seal(one, proof.book) for one in proof.runs):
        newest = headers[run.logs[-1]]
        mine = LogBook(
            [header for header in book.logs if header.run == newest.run],
            [sample for sample in proof.book.samples if sample.header.run == newest.run],
        )
        # No log speaks for another: each must be one that counts.
        gaps = dict.fromkeys(gap for one in mine.logs for gap in _find_gaps(one, set_name))
        faults = [*_find_faults(run, set_name), *gaps, *_find_uncounted(run.family, mine.rows)]
        judged.append(_JudgedRun(run, mine, newest.card, faults))
    return judged


def _find_faults(run: RunProof, set_name: str) -> list[str]:
    faults = [f"{run.family}: {problem}" for problem in run.problems]
    faults += [
        f"{run.family}: {n} samples are not verified: {why}" for why, n in run.reasons.items()
    ]
    if run.set != f"certified/{set_name}" or run.part:
        played = f"{run.set}{f', {run.part}' if run.part else ''}"
        faults.append(f"{run.family}: {played} was played, and the whole set {set_name} counts")
    if role_of(run.agent) != "model":
        faults.append(f"{run.family}: {run.agent} played, which is no model and no agent of one")
    return faults


def _find_gaps(header: LogHeader, set_name: str) -> list[str]:
    card = header.card
    if card.family not in families.names():
        return [f"{card.family}: there is no such family here"]
    unknown = [name for name in ("set_digest", "prompt_digest") if getattr(card, name) == UNKNOWN]
    gaps = [f"{card.family}: the run card does not say its {name}" for name in unknown]
    if card.edition != "certified":
        return [*gaps, f"{card.family}: the edition {card.edition} has no leaderboard"]
    named = families.card(card.family).sets["certified"].get(set_name)
    if named is None or card.set_digest != named.digest:
        gaps.append(f"{card.family}: its set has another digest than the card's {set_name}")
    if card.boundary == "none":
        gaps.append(f"{card.family}: its agent ran unguarded, in reach of the truth")
    if header.set_file is not None:
        gaps.append(f"{card.family}: a file was played, and the set {set_name} by its name counts")
    if card.roles:
        gaps.append(f"{card.family}: other models helped, and none may: {', '.join(card.roles)}")
    family = families.get(card.family)
    changed = list_changed_rules(card, family).keys() - FREE_RULES
    without = family.rules.without_programs
    changed -= {name for name in without if str(card.rules.get(name)).lower() == without[name]}
    if changed:
        gaps.append(f"{card.family}: other rules than the edition's: {', '.join(sorted(changed))}")
    return gaps


def _find_uncounted(family: str, rows: Sequence[Row]) -> list[str]:
    """Say how many rows would be left out of the mean of a whole set."""
    if family not in families.names():
        return []
    headline = families.card(family).headline["certified"]
    scored = [row.numbers.get(headline, math.nan) for row in rows if row.unscored is None]
    lost = len(rows) - sum(not math.isnan(score) for score in scored)
    return [f"{family}: {lost} of {len(rows)} samples have no score"] if lost else []


def _find_doubled(judged: Sequence[_JudgedRun]) -> list[str]:
    """Return the families that have several runs."""
    times = Counter(one.card.family for one in judged)
    return sorted(family for family, n in times.items() if n > 1)


def _tell_reserved(name: str) -> str:
    """Say why an entry cannot have a name; empty if it can."""
    taken = role_of(name.strip().lower()) != "model"
    return f"the name {name!r} is kept for players and people; choose another" if taken else ""


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
    if reserved := _tell_reserved(facts.name):
        raise UsageError(reserved)
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
    # A letter may take four bytes, and a file system takes 255 in a name.
    folder = kept.strip("-.").lower()[:60].rstrip("-.")
    if not folder:
        raise UsageError(f"{name!r} gives no name for a folder; use letters and digits")
    return folder


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
    found, left_out = _list_submissions(Path(results), set_name)
    chosen: dict[str, tuple[Facts, list[_JudgedRun]]] = {}
    players: dict[tuple[str, str, str], Row] = {}
    for place, told, logs in found:
        name = told.facts.name
        try:
            if reserved := _tell_reserved(name):
                raise UsageError(reserved)
            runs, faults = _choose_runs(told, _judge_runs(logs, set_name))
            rows = [row for one in runs for row in reference_rows(one.book, families.get)]
        except CausariumError as wrong:
            left_out.append(f"{place}: {wrong}")
            continue
        left_out += [f"{place}: {fault}" for fault in faults]
        if runs:
            chosen[name] = told.facts, runs
        for row in rows:
            players.setdefault((row.family, row.agent, row.id), row)
    if not chosen:
        reasons = "; ".join(left_out) or "it holds no submission"
        raise UsageError(f"{results} has nothing for a leaderboard of {set_name}: {reasons}")
    everyone = [one for _, runs in chosen.values() for one in runs]
    entries = [
        (_make_entry(facts, runs, everyone), [row for one in runs for row in one.book.rows])
        for facts, runs in chosen.values()
    ]
    board = build_leaderboard(entries, list(players.values()), set_name=set_name, left_out=left_out)
    write_atomically(folder / "index.html", render_leaderboard(board, "leaderboard.json"))
    write_atomically(folder / "leaderboard.json", board.model_dump_json(indent=1) + "\n")
    return board


def _list_submissions(
    results: Path, set_name: str
) -> tuple[list[tuple[str, Submission, list[Path]]], list[str]]:
    """Return the submissions in a folder, and what cannot be read; of bare logs one an agent."""
    found, left_out = [], []
    files = sorted(results.glob(f"*/{SUBMISSION}"))
    for file in files:
        try:
            told = Submission.model_validate_json(file.read_bytes())
            home = _as_folder(told.facts.name)
        except (OSError, ValidationError, UsageError) as wrong:
            left_out.append(f"{file.parent.name}: no {SUBMISSION} of ours ({type(wrong).__name__})")
            continue
        # A name has one folder, so nobody takes another's.
        if told.set == set_name and file.parent.name != home:
            left_out.append(f"{file.parent.name}: the folder of {told.facts.name!r} is {home}")
        elif told.set == set_name:
            found.append((file.parent.name, told, [file.parent]))
    bare: dict[str, list[LogHeader]] = {}
    for header in [] if files else LogBook.read(as_paths(results)).logs:
        card = header.card
        if (card.edition, card.set) == ("certified", set_name) and role_of(card.agent) == "model":
            bare.setdefault(card.agent, []).append(header)
    for agent, headers in bare.items():
        digests = {header.card.family: header.card.set_digest for header in headers}
        told = Submission(facts=Facts(name=agent), agent=agent, set=set_name, logs=digests)
        found.append((agent, told, [header.path for header in headers]))
    return found, left_out


def _choose_runs(
    told: Submission, judged: Sequence[_JudgedRun]
) -> tuple[list[_JudgedRun], list[str]]:
    """Return the runs that count, and why others do not."""
    faults = [fault for one in judged for fault in one.faults]
    good = [one for one in judged if not one.faults]
    mine = [
        one
        for one in good
        if (one.card.agent, one.card.set_digest) == (told.agent, told.logs.get(one.card.family))
    ]
    other = (one.card.family for one in good if one not in mine)
    faults += [f"{family}: {SUBMISSION} names another agent or set" for family in other]
    doubled = _find_doubled(mine)
    faults += [_DOUBLED.format(family) for family in doubled]
    return [one for one in mine if one.card.family not in doubled], faults


def _make_entry(facts: Facts, runs: Sequence[_JudgedRun], everyone: Sequence[_JudgedRun]) -> Entry:
    signers = [one.signer for one in runs]
    changed: dict[str, list[str]] = {}
    for one in runs:
        for name, value in list_changed_rules(one.card, families.get(one.card.family)).items():
            changed.setdefault(in_words({name: value}), []).append(one.card.family)
    return Entry(
        facts=facts,
        rules=tuple(f"{rule} in {', '.join(where)}" for rule, where in changed.items()),
        signed=", ".join(dict.fromkeys(signers)) if all(signers) else "",
        reproduced=all(any(one.is_reproduced_by(other) for other in everyone) for one in runs),
    )
