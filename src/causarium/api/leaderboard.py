"""Submissions and the leaderboard made of them.

A submission is a folder with `submission.json` and the logs of whole sets. `check_submission`
verifies logs and `submit` makes the folder; `write_leaderboard` verifies every folder again and
writes the page, so that nothing on it rests on what a submitter says. What cannot count is left out
in words.
"""

import math
import os
import re
import shutil
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from pydantic import Field, ValidationError

from causarium import families
from causarium.api.rows import Places, as_paths, check_folder
from causarium.api.verify import SUBMISSION
from causarium.contract.frozen import Frozen, replace_unprintable
from causarium.contract.places import find_below, is_folder, write_atomically
from causarium.contract.row import Row
from causarium.contract.sets.instance_sets import find_set
from causarium.contract.texts.replies import describe_error
from causarium.engine.logbook.log_book import LogBook
from causarium.engine.logbook.log_files import LogHeader
from causarium.engine.logbook.reference_rows import reference_rows
from causarium.engine.logbook.run_card import (
    UNKNOWN,
    RunCard,
    in_words,
    labels,
    list_changed_rules,
)
from causarium.engine.record.episode_record import USAGE_LABEL
from causarium.engine.verify.seal import SEAL_FILE, SIGNATURE_FILE, check_run_seal
from causarium.engine.verify.verify_runs import BY_PROGRAMS, RunProof, verify_book
from causarium.errors import CausariumError, UnknownName, UsageError
from causarium.report.data.leaderboard import (
    Entry,
    Facts,
    Leaderboard,
    build_leaderboard,
)
from causarium.report.data.summaries import role_of
from causarium.report.output.write_leaderboard import render_leaderboard

_DOUBLED = "{}: several runs; keep one"
_NOT_ITS_KIND = "an agent of one's own played, and the submission calls it {!r}; its kind is agent"
SIGNED = "sealed and signed by "
"""How the words of a seal begin that somebody signed."""
FREE_RULES = frozenset(
    {"interface", "join_system", "prefill", "continuations", "constrained", "context"}
)
"""How replies are asked for; an entry may choose, and the page shows it. So may one that runs no
programs. Every other rule changes what is asked."""
_LONGEST_NAME = 120
_LONGEST_FILE = 10_000
_LONGEST_REASON = 1_000


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
    own_agent: bool = False
    """Whether an agent of one's own played."""


def check_submission(logs: Places, *, set_name: str = "standard") -> SubmissionCheck:
    """Say whether logs are one agent's, verified, of whole certified sets, with full cards.

    Raises:
        UsageError: There are no logs, or no such set.
    """
    _check_set(set_name)
    judged = _judge_runs(as_paths(logs), set_name)
    faults = [fault for one in judged for fault in one.faults]
    agents = sorted({one.card.agent for one in judged})
    if len(agents) > 1:
        faults.append(
            f"the logs are of several agents: {', '.join(agents)}; submit one at a time, by the "
            "names of its folders, as in logs/mine/*/*gpt-5*"
        )
    runs = tuple(one.run for one in judged)
    faults += [_DOUBLED.format(family) for family in _find_doubled(judged)]
    played = {run.family for run in runs}
    missing = tuple(name for name in families.names() if name not in played)
    own = any(one.card.own_agent for one in judged)
    return SubmissionCheck(agents[0] if agents else "", runs, tuple(faults), missing, own)


class _JudgedRun(NamedTuple):
    """One run, and why it does not count."""

    run: RunProof
    book: LogBook
    """Its logs alone, each row with its proof."""
    card: RunCard
    faults: list[str]

    @property
    def signers(self) -> frozenset[str]:
        """Who signed it, in words; nobody where one of its folders is not signed."""
        said = self.run.seal.split(", ")
        return frozenset(said) if all(one.startswith(SIGNED) for one in said) else frozenset()

    @property
    def episodes(self) -> frozenset[str]:
        """Which episodes count: a copy may have other bytes, and a true run the same words."""
        return frozenset(sample.uuid for sample in self.book.samples)

    @property
    def is_replay(self) -> bool:
        """Whether recorded replies were played again: that takes no model, only a log of one."""
        return any(header.model.startswith("recorded/") for header in self.book.logs)

    @property
    def words(self) -> frozenset[tuple[str, int, bytes]]:
        """What was said in each episode."""
        return frozenset((s.row.id, s.row.epoch, s.said_bytes) for s in self.book.samples)

    def is_reproduced_by(self, other: "_JudgedRun") -> bool:
        """Whether another run is the same, vouched for by somebody else, and no copy of it."""
        return (
            self.card.key == other.card.key
            and not (self.is_replay or other.is_replay)
            and bool(self.signers and other.signers)
            and not self.signers & other.signers
            and not self.episodes & other.episodes
            and "" not in self.episodes | other.episodes
        )


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
        # Only what counts was proved; nothing of a sample beside it is used.
        mine = LogBook(
            [header for header in book.logs if header.run == newest.run],
            [sample for key, sample in proof.book.newest.items() if key.run == newest.run],
        )
        # No log speaks for another: each must be one that counts.
        gaps = dict.fromkeys(gap for one in mine.logs for gap in _find_gaps(one, set_name))
        faults = [*_find_faults(run, set_name), *gaps, *_find_bad_samples(run.family, mine)]
        judged.append(_JudgedRun(run, mine, newest.card, faults))
    return judged


def _find_faults(run: RunProof, set_name: str) -> list[str]:
    faults = [f"{run.family}: {problem}" for problem in run.problems]
    faults += [
        f"{run.family}: {n} samples are not verified: {why}" for why, n in run.reasons.items()
    ]
    if run.set != f"certified/{set_name}" or run.part:
        played = f"{run.set}{f' ({run.part})' if run.part else ''}"
        faults.append(f"{run.family}: only the whole set {set_name} counts, not {played}")
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
    if card.rules.get("interface") == BY_PROGRAMS:
        gaps.append(f"{card.family}: programs moved, and what they did cannot be worked out anew")
    if own := ", ".join(card.own_words):
        gaps.append(f"{card.family}: words of one's own change what is asked: {own}")
    if card.own_agent and card.epochs > 1:
        gaps.append(f"{card.family}: an agent may remember the first of its {card.epochs} epochs")
    if header.set_file is not None:
        gaps.append(f"{card.family}: a file was played, and the set {set_name} by its name counts")
    if card.roles:
        gaps.append(f"{card.family}: other models helped, and none may: {', '.join(card.roles)}")
    family = families.get(card.family, "certified")
    changed = list_changed_rules(card, family).keys() - FREE_RULES
    without = family.rules.without_programs
    changed -= {name for name in without if str(card.rules.get(name)).lower() == without[name]}
    if changed:
        gaps.append(f"{card.family}: other rules than the edition's: {', '.join(sorted(changed))}")
    return gaps


def _find_bad_samples(family: str, mine: LogBook) -> list[str]:
    """Say what of a run's samples cannot count."""
    if family not in families.names():
        return []
    headline, count = families.card(family).headline["certified"], len(mine.rows)
    scored = [row.numbers.get(headline, math.nan) for row in mine.rows if row.unscored is None]
    lost = count - sum(not math.isnan(score) for score in scored)
    faults = [f"{family}: {lost} of {count} samples have no score"] if lost else []
    # What is not scored was not proved either, and may be too large for a mean.
    said = {name for row in mine.rows for name, one in row.numbers.items() if not math.isnan(one)}
    if odd := said - {*families.get(family, "certified").metrics}:
        faults.append(f"{family}: numbers that it does not score: {', '.join(sorted(odd))}")
    if cut := sum(bool(sample.transcript.limit) for sample in mine.samples):
        faults.append(f"{family}: {cut} of {count} samples ended at a limit, not by their rules")
    if any(sample.record.agent is not None for sample in mine.samples):
        if not all(one.card.own_agent and one.card.boundary for one in mine.logs):
            faults.append(f"{family}: an agent played, and the card does not say which, or where")
        uncounted = sum(USAGE_LABEL in row.labels for row in mine.rows)
        if uncounted:
            faults.append(f"{family}: the tokens of {uncounted} of {count} samples cannot be")
        if silent := sum(row.usage is None for row in mine.rows) - uncounted:
            faults.append(f"{family}: in {silent} of {count} samples an agent asked no model")
    return faults


def _find_doubled(judged: Sequence[_JudgedRun]) -> list[str]:
    """Return the families that have several runs."""
    times = Counter(one.card.family for one in judged)
    return sorted(family for family, n in times.items() if n > 1)


def _check_set(name: str) -> None:
    cards = map(families.card, families.names())
    known = {one for card in cards for one in card.sets.get("certified", {})}
    if name not in known:
        raise UnknownName("set", name, known)


def _check_name(name: str) -> None:
    """Refuse a name that an entry cannot have.

    Raises:
        UsageError: It is kept for others, or it could look like another on the page.
    """
    if role_of(name.strip().lower()) != "model":
        raise UsageError(f"the name {name!r} is kept for players and people; choose another")
    plain = " ".join(unicodedata.normalize("NFKC", name).split())
    if name != plain or not name.isprintable() or len(name) > _LONGEST_NAME:
        told = f"{_LONGEST_NAME} printed letters at most, single spaces"
        raise UsageError(f"the name {name!r} is not plain: {told}")


def submit(
    check: SubmissionCheck, facts: Facts, out: str | Path, *, set_name: str = "standard"
) -> Path:
    """Make the folder of a submission; returns it.

    Raises:
        UsageError: The logs cannot be submitted as they are, or the folder is there already.
    """
    if check.faults:
        raise UsageError("these logs cannot be submitted yet:\n  " + "\n  ".join(check.faults))
    _check_name(facts.name)
    if check.own_agent and facts.kind != "agent":
        raise UsageError(_NOT_ITS_KIND.format(facts.kind))
    folder = Path(out) / _as_folder(facts.name)
    if folder.exists():
        raise UsageError(f"{folder} already exists; give another --name, or remove it")
    digests = {}
    for run in check.runs:
        homes = list(dict.fromkeys(Path(log).parent for log in run.logs))
        for log in map(Path, run.logs):
            # Shards have a folder and a seal each.
            shard = f"shard-{homes.index(log.parent) + 1}" if len(homes) > 1 else ""
            place = folder / run.family / shard
            place.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(log, place / log.name)
            for beside in (SEAL_FILE, SIGNATURE_FILE):
                if run.seal and (log.parent / beside).is_file():
                    shutil.copyfile(log.parent / beside, place / beside)
        digests[run.family] = find_set(
            families.get(run.family, "certified"), "certified", set_name
        ).digest
    played = dict(sorted(digests.items()))
    told = Submission(facts=facts, agent=check.agent, set=set_name, logs=played)
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
    results: str | Path,
    *,
    out: str | Path,
    set_name: str = "standard",
    say: Callable[[str], None] = lambda _: None,
) -> Leaderboard:
    """Verify every submission in a folder and write the page of those that count.

    A folder without any submission and any log has a page without entries.

    Args:
        results: A folder of submissions, or of logs.
        out: The folder for `index.html` and `leaderboard.json`.
        set_name: The set that counts.
        say: Gets a line before each submission is verified.

    Raises:
        UsageError: Nothing of what is there counts, or there is no such set.
    """
    _check_set(set_name)
    folder = check_folder(out)
    (place_of_all,) = as_paths(results)
    found, left_out = _list_submissions(place_of_all, set_name)
    chosen: dict[str, tuple[Submission, str, list[_JudgedRun]]] = {}
    players: dict[tuple[str, str, str], Row] = {}
    for number, (place, told, logs) in enumerate(found, 1):
        say(f"[{number}/{len(found)}] verifying {place}")
        name = told.facts.name
        try:
            _check_name(name)
            runs, faults = _choose_runs(told, _judge_runs(logs, set_name))
            rows = [row for one in runs for row in reference_rows(one.book, families.get)]
        except CausariumError as wrong:
            left_out.append(f"{place}: {wrong}")
            continue
        except Exception as wrong:  # noqa: BLE001 - one submission must not take the page from all
            left_out.append(f"{place}: it cannot be read ({type(wrong).__name__})")
            continue
        left_out += [f"{place}: {fault}" for fault in faults]
        if runs:
            home = place if logs[0].name == place else ""
            chosen[name] = told, home, runs
        for row in rows:
            players.setdefault((row.family, row.agent, row.id), row)
    if not chosen and (left_out or not _holds_no_log(place_of_all)):
        reasons = "; ".join(left_out) or "it holds no submission and no model's logs"
        raise UsageError(f"{results} has nothing for a leaderboard of {set_name}: {reasons}")
    everyone = [(name, one) for name, (*_, runs) in chosen.items() for one in runs]
    entries = [
        (_make_entry(told, home, runs, everyone), [row for one in runs for row in one.book.rows])
        for told, home, runs in chosen.values()
    ]
    said = [replace_unprintable(one[:_LONGEST_REASON]) for one in left_out]
    board = build_leaderboard(entries, list(players.values()), set_name=set_name, left_out=said)
    page, data = render_leaderboard(board, "leaderboard.json"), board.model_dump_json(indent=1)
    write_atomically(folder / "index.html", page)
    write_atomically(folder / "leaderboard.json", data + "\n")
    return board


def _holds_no_log(place: Path) -> bool:
    return is_folder(place) and not any(True for _ in find_below(place, ".eval"))


def _list_submissions(
    results: Path, set_name: str
) -> tuple[list[tuple[str, Submission, list[Path]]], list[str]]:
    """Return the submissions in a folder, and what does not count; bare logs are taken by agent.

    Runs of one agent that differ are entries of their own, called by what sets them apart.
    """
    found, left_out = [], []
    listed = [folder / SUBMISSION for folder in sorted(results.glob("*"))]
    files = [file for file in listed if os.path.lexists(file)]
    for file in files:
        try:
            told = _read_submission(file)
            home = _as_folder(told.facts.name)
        except (OSError, ValidationError, UsageError) as wrong:
            why = describe_error(wrong)
            left_out.append(f"{file.parent.name}: no {SUBMISSION} of ours ({why})")
            continue
        # A name has one folder, so nobody takes another's.
        if told.set != set_name:
            left_out.append(f"{file.parent.name}: a submission of the set {told.set}")
        elif file.parent.name != home:
            left_out.append(f"{file.parent.name}: the folder of {told.facts.name!r} is {home}")
        else:
            found.append((file.parent.name, told, [file.parent]))
    logs = find_below(results, ".eval") if files else ()
    others = {log.relative_to(results).parts[0] for log in logs} - {f.parent.name for f in files}
    left_out += [f"{name}: logs without a {SUBMISSION}" for name in sorted(others)]
    bare: dict[tuple[str, str], list[LogHeader]] = {}
    unread = bool(files) or _holds_no_log(results)
    book = LogBook([], []) if unread else LogBook.read(as_paths(results))
    left_out += book.problems
    for header in book.logs:
        card = header.card
        if (card.edition, card.set) == ("certified", set_name) and role_of(card.agent) == "model":
            bare.setdefault((card.agent, card.family), []).append(header)
    named: dict[str, list[LogHeader]] = {}
    for headers in bare.values():
        label = labels(list({header.run: header.card for header in headers}.values()))
        for header in headers:
            card = header.card.model_copy(update={"label": label[header.run], "run": ""})
            named.setdefault(card.name, []).append(header)
    for name, headers in named.items():
        digests = {header.card.family: header.card.set_digest for header in headers}
        own, agent = any(header.card.own_agent for header in headers), headers[0].card.agent
        facts = Facts(name=name, kind="agent" if own else "open")
        told = Submission(facts=facts, agent=agent, set=set_name, logs=digests)
        found.append((name, told, [header.path for header in headers]))
    return found, left_out


def _read_submission(file: Path) -> Submission:
    """Read what `submission.json` says; whoever wrote it may have written anything.

    Raises:
        OSError: It cannot be read.
        UsageError: It is a link, a pipe or the like, or too long for one.
        ValidationError: It says something else.
    """
    if file.is_symlink() or not file.is_file() or file.stat().st_size > _LONGEST_FILE:
        raise UsageError(f"{file} is no small file")
    return Submission.model_validate_json(file.read_bytes())


def _choose_runs(
    told: Submission, judged: Sequence[_JudgedRun]
) -> tuple[list[_JudgedRun], list[str]]:
    """Return the runs that count, and why others do not."""
    faults = [fault for one in judged for fault in one.faults]
    gone = sorted(told.logs.keys() - {one.card.family for one in judged})
    faults += [f"{family}: {SUBMISSION} names it, and there is no log of it" for family in gone]
    good = [one for one in judged if not one.faults]
    mine = [
        one
        for one in good
        if (one.card.agent, one.card.set_digest) == (told.agent, told.logs.get(one.card.family))
    ]
    other = (one.card.family for one in good if one not in mine)
    faults += [f"{family}: {SUBMISSION} names another agent or set" for family in other]
    if told.facts.kind != "agent" and any(one.card.own_agent for one in mine):
        return [], [*faults, _NOT_ITS_KIND.format(told.facts.kind)]
    doubled = _find_doubled(mine)
    faults += [_DOUBLED.format(family) for family in doubled]
    return [one for one in mine if one.card.family not in doubled], faults


def _make_entry(
    told: Submission,
    home: str,
    runs: Sequence[_JudgedRun],
    everyone: Sequence[tuple[str, _JudgedRun]],
) -> Entry:
    signers = [signer for one in runs for signer in sorted(one.signers) or [""]]
    changed: dict[str, list[str]] = {}
    for one in runs:
        if one.card.own_agent:
            changed.setdefault(f"agent {one.card.agent}", []).append(one.card.family)
        for name, value in list_changed_rules(
            one.card, families.get(one.card.family, "certified")
        ).items():
            changed.setdefault(in_words({name: value}), []).append(one.card.family)
        for name, other in everyone:
            if name == told.facts.name:
                continue
            if (one.episodes & other.episodes) - {""}:
                changed.setdefault(f"shares episodes with {name}", []).append(one.card.family)
            elif one.words == other.words:
                changed.setdefault(f"same words as {name}", []).append(one.card.family)
    return Entry(
        facts=told.facts,
        agent=told.agent,
        folder=home,
        date=_find_date(runs),
        rules=tuple(
            f"{rule} in {'all' if len(where) == len(runs) > 1 else ', '.join(where)}"
            for rule, where in changed.items()
        ),
        signed=", ".join(dict.fromkeys(signers)) if all(signers) else "",
        reproduced=all(any(one.is_reproduced_by(other) for _, other in everyone) for one in runs),
    )


def _find_date(runs: Sequence[_JudgedRun]) -> str:
    """Return the day of the newest run; a log may say anything, or nothing."""
    said = (one.card.created[:10] for one in runs)
    return max((day for day in said if re.fullmatch(r"\d{4}-\d{2}-\d{2}", day)), default="")
