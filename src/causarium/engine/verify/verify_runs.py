"""Are the logs of runs true: every sample, and that none is missing, doubled or unfinished."""

import json
import math
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from causarium.contract.frozen import Frozen, canonical_json
from causarium.contract.rungs import RUNG, parse_rungs, read_rung
from causarium.contract.sets.instance_sets import (
    choose_numbers,
    find_set,
    instance_digests,
    line_digest,
)
from causarium.contract.shard import Shard
from causarium.engine.logbook.log_book import LogBook, LoggedSample, RowKey
from causarium.engine.logbook.log_files import LogHeader
from causarium.engine.logbook.reference_rows import Lookup
from causarium.engine.logbook.run_card import UNKNOWN, RunCard, list_changed_rules
from causarium.engine.record.episode_record import HUMAN, USAGE_LABEL
from causarium.engine.record.run_summary import RunSample, summarize_run
from causarium.engine.verify.rescore import KnownInstances, list_unread_texts, prove_sample
from causarium.errors import CausariumError, UsageError
from causarium.scoring.reach import find_spent_rung

_CHOSEN = "chosen by id"
INCOMPLETE = "incomplete"
"""How the problem of a run begins that did not come to its end."""

BY_PROGRAMS = "code"
"""The interface in which programs make the moves."""


class RunProof(Frozen):
    """What of one run is verified, and what is not."""

    family: str
    agent: str
    set: str
    logs: tuple[str, ...]
    expected: int
    """How many samples the run has."""
    samples: int
    """How many of them are in its logs."""
    verified: int
    reasons: dict[str, int]
    """Why samples are not verified, and how many for each reason."""
    problems: tuple[str, ...] = ()
    """What is wrong with the run as a whole."""
    notes: tuple[str, ...] = ()
    """What is as recorded and nobody can check."""
    part: str = ""
    """Which part of its set was played, where it is not the whole."""
    missing_shards: int = 0
    """How many of its shards are not here: what one of them holds may have been picked by hand."""
    seal: str = ""
    """Who sealed it, in words; empty where there is no seal."""

    @property
    def is_verified(self) -> bool:
        """Whether every sample of the run is there and verified."""
        return not self.problems and self.verified == self.samples == self.expected


@dataclass(frozen=True)
class BookProof:
    """What of some logs is verified."""

    book: LogBook
    """The logs, each row with its proof."""
    runs: tuple[RunProof, ...]
    flaws: Mapping[RowKey, str] = field(default_factory=dict)
    """Why each row is not verified; empty where it is."""


def verify_book(book: LogBook, lookup: Lookup, known: KnownInstances | None = None) -> BookProof:
    """Work out anew what logs say."""
    known = known or KnownInstances()
    flaws = {key: prove_sample(sample, lookup, known) for key, sample in book.newest.items()}
    false: dict[str, str] = {}
    for sample in book.samples:
        newest, path = book.newest[sample.key], sample.header.path
        # That one log is true says nothing of another of the same run, unless it is a copy.
        is_copy = replace(sample, header=newest.header) == newest
        if not (sample.failed or is_copy) and (flaw := prove_sample(sample, lookup, known)):
            false[str(path)] = f"in {path.name}, beside what counts: {flaw}"
    proof = prove_book(book, flaws, lookup)
    runs = []
    for run in proof.runs:
        problems = (*run.problems, *(false[log] for log in run.logs if log in false))
        runs.append(run.model_copy(update={"problems": problems}))
    return replace(proof, runs=tuple(runs))


def prove_book(book: LogBook, flaws: Mapping[RowKey, str], lookup: Lookup) -> BookProof:
    """Say what of some logs is verified, given why single rows are not."""
    runs: dict[str, list[LogHeader]] = {}
    for header in book.logs:
        runs.setdefault(header.run, []).append(header)
    proofs = {run: _prove_run(headers, book, flaws, lookup) for run, headers in runs.items()}
    chosen = {run: proof.part for run, proof in proofs.items() if proof.part.endswith(_CHOSEN)}
    return BookProof(book.with_proofs(flaws, chosen), tuple(proofs.values()), flaws)


def _prove_run(
    headers: Sequence[LogHeader], book: LogBook, flaws: Mapping[RowKey, str], lookup: Lookup
) -> RunProof:
    run, card = headers[-1].run, headers[-1].card
    mine = {key: flaw for key, flaw in flaws.items() if key.run == run}
    ids = {id_ for header in headers for id_ in header.order}
    epochs = max(header.card.epochs for header in headers)
    present = sum(key.id in ids and 1 <= key.epoch <= epochs for key in mine)
    stopped = {one for header in headers for one in header.stopped}
    stopped -= {(key.id, key.epoch) for key in mine}
    expected = max(len(ids) * epochs - len(stopped), len(mine))
    samples = [sample for sample in book.samples if sample.header.run == run]
    counted = [sample for key, sample in book.newest.items() if key.run == run]
    problems = [
        *_find_missing(expected, present),
        *_find_idle_stops(stopped, card, counted, lookup),
        *(_find_selection(headers[-1], lookup) if card.agent != HUMAN else ()),
        *_find_foreign(headers, samples, lookup),
        *_find_unsaid_rules(headers, lookup),
        *_find_doubles(samples),
        *_find_uneven(samples),
        *_find_end(headers),
    ]
    if not problems and not any(mine.values()):
        problems += _find_false_means(headers, samples, lookup)
    return RunProof(
        family=card.family,
        agent=card.agent,
        set=f"{card.edition}/{card.set}",
        logs=tuple(str(header.path) for header in headers),
        expected=expected,
        samples=len(mine),
        verified=sum(not flaw for flaw in mine.values()),
        reasons=dict(Counter(flaw for flaw in mine.values() if flaw)),
        problems=tuple(problems),
        part=_find_part(headers, counted, lookup),
        missing_shards=_count_missing_shards(headers),
        notes=(*_list_notes(samples, lookup), *_list_other_numbers(samples, lookup)),
    )


def _list_other_numbers(samples: Sequence[LoggedSample], lookup: Lookup) -> Iterator[str]:
    """Say which numbers a family scores and its log does not hold, and the other way round."""
    scored = [sample.row for sample in samples if sample.row.unscored is None]
    with suppress(UsageError):
        row = next(iter(scored), None)
        now = set(lookup(row.family).for_edition(row.edition).metrics) if row else set()
        logged = {name for row in scored for name in row.numbers}
        if added := sorted(now - logged):
            yield f"not in the log, so not checked: {', '.join(added)}"
        if gone := sorted(logged - now):
            yield f"in the log and no longer scored, so not checked: {', '.join(gone)}"


def _list_notes(samples: Sequence[LoggedSample], lookup: Lookup) -> Iterator[str]:
    """Say what of some samples cannot be worked out anew."""
    cards = {sample.header.path: sample.header.card for sample in samples}.values()
    records = [json.loads(sample.record_bytes) for sample in samples]
    own = {name for card in cards for name in card.own_words}
    with suppress(UsageError):
        own.update(*(list_unread_texts(card.rules, lookup(card.family)) for card in cards))
    if own:
        names = ", ".join(sorted(own))
        yield f"words other than the family's were sent, and are not checked: {names}"
    if any(len(sample.judgement_bytes) > len(b"[]") for sample in samples):
        yield "what judges replied is as recorded"
    if odd := sum(USAGE_LABEL in sample.row.labels for sample in samples):
        yield f"{odd} samples have no tokens or costs: what their provider counted cannot be"
    if any(record.get("player") is not None for record in records):
        yield "no model said anything: the turns were played again"
    if any(record.get("agent") is not None for record in records):
        yield "what the agent called is as it passed its wall"
    elif any(card.rules.get("interface") == BY_PROGRAMS for card in cards):
        yield "what programs did is as recorded"


def _find_part(
    headers: Sequence[LogHeader], samples: Sequence[LoggedSample], lookup: Lookup
) -> str:
    """Say which instances of a named set the samples that count are of; nothing if of all of it.

    What the log says was asked for can be changed afterwards. The instances cannot: each has its
    place in the set. Shards of one run are one part: together they hold what the whole run holds.
    """
    digests = _list_digests(headers[-1], lookup)
    places, chosen = _find_places(samples, digests), _list_chosen(headers[-1], lookup)
    if not places or len(places) == len(digests):
        return ""
    # The log's own numbers go by what was asked for; what lies above a climb's end counts as 0.
    numbers = {header.order[id_] for header in headers for id_, _ in header.stopped}
    above = {chosen[number] for number in numbers if number < len(chosen)}
    held = sorted({*places, *above})
    if len(held) == len(digests):
        return ""
    shards = {Shard.parse(one.shard) for one in headers}
    mine = sorted({place for shard in shards for place in shard.deal(chosen)})
    if held == chosen:
        how = "spread evenly" if headers[-1].spread.get("limit") else "some rungs"
    elif held == mine:
        missing = _count_missing_shards(headers)
        there = f"{len(shards)} of {len(shards) + missing} shards"
        how = f"{there}, others missing" if missing else "its shards"
    elif held == mine[: len(held)]:
        how = "the first of them"
    else:
        how = _CHOSEN
    return f"{len(places)} of {len(digests)}, {how}"


def _list_chosen(header: LogHeader, lookup: Lookup) -> list[int]:
    """Return the numbers of the instances that a log says were asked for, before any shard."""
    try:
        spec = find_set(lookup(header.card.family), header.card.edition, header.card.set)  # type: ignore[arg-type]
        limit = header.spread.get("limit")
        rungs = parse_rungs(header.spread.get("rungs"))
        return choose_numbers(spec.parts, limit=int(limit) if limit else None, rungs=rungs)
    except (CausariumError, ValueError):
        return []


def _count_missing_shards(headers: Sequence[LogHeader]) -> int:
    """Return the number of shards of a run that are not here; 0 if it is whole in any cut."""
    cuts: dict[int, set[int]] = {}
    for shard in (Shard.parse(header.shard) for header in headers):
        cuts.setdefault(shard.count, set()).add(shard.number)
    return min(count - len(numbers) for count, numbers in cuts.items())


def _list_digests(header: LogHeader, lookup: Lookup) -> Sequence[str]:
    """Return the digests of the named set that a log says it is of; none if there is none."""
    card = header.card
    try:
        # The edition was read from a log and may be anything; there is then no such set.
        return instance_digests(lookup(card.family), card.edition, card.set)  # type: ignore[arg-type]
    except CausariumError:
        return []


def _find_places(samples: Sequence[LoggedSample], digests: Sequence[str]) -> list[int]:
    """Return where in a set the instances of some samples stand, however they are spaced."""
    order = {digest: place for place, digest in enumerate(digests)}
    found = map(_digest_instance, {sample.instance_bytes for sample in samples})
    return sorted({order[digest] for digest in found if digest in order})


def _digest_instance(line: bytes) -> str:
    try:
        return line_digest(canonical_json(json.loads(line)))
    except ValueError:  # an edited log may hold what is no instance at all
        return line_digest(line)


def _find_missing(expected: int, present: int) -> Iterator[str]:
    if not expected:
        yield "there are no samples"
    if present < expected:
        yield f"{expected - present} of {expected} samples are missing"


def _find_idle_stops(
    stopped: Collection[tuple[str, int]],
    card: RunCard,
    samples: Sequence[LoggedSample],
    lookup: Lookup,
) -> Iterator[str]:
    """Tell whether samples were left out as above the end of a climb that had not ended."""
    if not stopped:
        return
    headline = lookup(card.family).card.headline.get("certified", "")
    scores: dict[int, list[float]] = {}
    for sample in samples:
        number = sample.row.numbers.get(headline, math.nan)
        if RUNG in sample.row.facets and not math.isnan(number):
            scores.setdefault(int(sample.row.facets[RUNG]), []).append(number)
    last = find_spent_rung(scores)
    rungs = [read_rung(id_) for id_, _ in stopped]
    if last is None or any(rung is None or rung <= last for rung in rungs):
        yield f"{len(stopped)} samples were not played, and the scores below do not end the climb"


def _find_selection(header: LogHeader, lookup: Lookup) -> Iterator[str]:
    """Hold the instances that a log names against the set and the part of it that was asked for."""
    if header.card.set_digest == UNKNOWN:
        yield "the log does not say what was asked for"
        return
    if header.set_file is not None or header.asked_for is None:
        return
    try:
        family = lookup(header.card.family)
        # The edition was read from a log and may be anything; there is then no such set.
        spec = find_set(family, header.card.edition, header.card.set)  # type: ignore[arg-type]
    except UsageError:
        return
    if header.card.version == family.card.version and header.card.set_digest != spec.digest:
        yield f"the digest is not that of the set {header.card.set}"
    first, last = header.asked_for
    mine = list(Shard.parse(header.shard).deal(_list_chosen(header, lookup)))
    size = len(mine[first:last])
    if len(header.order) != size:
        yield f"the log names {len(header.order)} instances where {size} were asked for"


def _find_foreign(
    headers: Sequence[LogHeader], samples: Sequence[LoggedSample], lookup: Lookup
) -> Iterator[str]:
    """Tell when instances of a file are passed off as a named set, by its name and digest."""
    if all(header.set_file is None for header in headers):
        return
    digests = _list_digests(headers[-1], lookup)
    if digests and len(_find_places(samples, digests)) < len({s.instance_bytes for s in samples}):
        yield f"the instances are of a file and not of the set {headers[-1].card.set}"


def _find_unsaid_rules(headers: Sequence[LogHeader], lookup: Lookup) -> Iterator[str]:
    """Tell when a card does not name all rules that were changed: by these, runs are told apart."""
    try:
        family = lookup(headers[-1].card.family)
    except CausariumError:
        return
    cards = [one.card for one in headers if one.card.version == family.card.version]
    unsaid = {
        name for card in cards for name in {*list_changed_rules(card, family)} - {*card.changed}
    }
    if unsaid:
        yield f"rules were changed that the run card does not name: {', '.join(sorted(unsaid))}"


def _find_doubles(samples: Sequence[LoggedSample]) -> Iterator[str]:
    times = Counter((sample.header.path, sample.key) for sample in samples)
    episodes = Counter((sample.header.path, sample.uuid) for sample in samples if sample.uuid)
    if doubles := sum(n > 1 for n in (*times.values(), *episodes.values())):
        yield f"{doubles} samples are in one log twice"


def _find_uneven(samples: Sequence[LoggedSample]) -> Iterator[str]:
    """Tell when samples of one log differ in which numbers they have: some were taken out."""
    names: dict[Path, set[frozenset[str]]] = {}
    for sample in samples:
        if sample.row.unscored is None:
            names.setdefault(sample.header.path, set()).add(frozenset(sample.row.numbers))
    if any(len(kinds) > 1 for kinds in names.values()):
        yield "its samples do not have the same numbers"


def _find_false_means(
    headers: Sequence[LogHeader], samples: Sequence[LoggedSample], lookup: Lookup
) -> Iterator[str]:
    """Hold the numbers in the own summary of a whole log against its samples."""
    for header in headers:
        mine = [sample.row for sample in samples if sample.header.path == header.path]
        if header.card.epochs > 1 or len(mine) != header.expected:
            continue
        headline = lookup(header.card.family).card.headline.get(header.card.edition, "")  # type: ignore[call-overload]
        scored = [row for row in mine if row.unscored is None]
        true = summarize_run(
            RunSample(row.id, row.numbers.get(headline), row.turns, sum(row.faults.values()))
            for row in scored
        )
        # A log tells which replies were cut, the scorer does not: by that, endings may differ.
        true.pop("malformed", None)
        if scored and (strange := sorted(header.means.keys() - true.keys() - {"malformed"})):
            yield f"its summary has what no sample has: {', '.join(strange)}"
        for name, value in true.items():
            said = header.means.get(name, value)
            if not math.isclose(said, value, rel_tol=1e-6, abs_tol=1e-6):
                yield f"its summary says that {name} is {said:.4g}, not {value:.4g}"
                break


def _find_end(headers: Sequence[LogHeader]) -> Iterator[str]:
    """Tell whether a run came to its end, by the newest log of each of its folders."""
    newest: dict[Path, LogHeader] = {header.path.parent: header for header in headers}
    for header in newest.values():
        if header.status != "success":
            yield f"{INCOMPLETE} ({header.status})"
