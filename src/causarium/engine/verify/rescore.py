"""Scoring logged samples again, from their records and turns alone, and checking each of them.

Turns must follow from what the model said. Each interface has the rule by which it was played: a
text is a move, a message with calls is a move for each call, an agent of one's own made the calls
that passed its wall. What no message can show is as recorded: what a program did while it ran, and
what helpers replied. The first check that fails is the reason that a row carries.
"""

import contextlib
import math
import stat
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from jsonschema import Draft7Validator  # type: ignore[import-untyped]

from causarium.contract.episode import Episode
from causarium.contract.family import AnyFamily, AnyInstance
from causarium.contract.frozen import canonical_json
from causarium.contract.places import Place
from causarium.contract.row import EXCEEDED, NOT_PLAYED, Row
from causarium.contract.rules import Edition, Rules
from causarium.contract.sets.instance_sets import (
    generate_one,
    instance_digests,
    line_digest,
    read_set,
)
from causarium.contract.sets.part_files import MANIFEST
from causarium.contract.texts.reply_schemas import INVALID_CALL
from causarium.contract.texts.role_questions import Ask, Judgement, answer_questions
from causarium.contract.turn import Turn
from causarium.contract.world import Action, Move, Program, Unparsed, gives_answer, offered_actions
from causarium.engine.logbook.log_book import LoggedSample
from causarium.engine.logbook.log_members import name_damaged_log
from causarium.engine.logbook.reference_rows import Lookup
from causarium.engine.play.inspect_episode import JUDGE, OVER, begin_repair, recheck_text
from causarium.engine.play.programs import NO_CALL, read_arguments, tool_schema
from causarium.engine.record.episode_record import (
    EpisodeRecord,
    SaidCall,
    Transcript,
    digest_shown,
    score_turns,
)
from causarium.errors import BadFile, CausariumError, ContractError, UsageError

MOST_BYTES = 2_000_000_000
"""A set file that a log names is not read beyond this size."""
_STORES = ("abfs", "az", "file", "gcs", "gs", "local", "memory", "s3")


class KnownInstances:
    """Recognizes instances; what it looked up once it does not look up again."""

    def __init__(self, *, draw: bool = False) -> None:
        """Recognize by digests that families ship, or, a hundred times slower, by drawing anew."""
        self._draw = draw
        self._sets: dict[tuple[str, Edition, str], dict[str, int]] = {}
        self._files: dict[tuple[str, str], frozenset[str]] = {}

    def is_known(self, sample: LoggedSample, family: AnyFamily, line: str | bytes) -> bool:
        """Whether a line is an instance of the set that a sample says it is of."""
        digest, file = line_digest(line), sample.header.set_file
        if file is not None:
            return digest in self._read_file(family, file)
        edition, name = sample.row.edition, sample.row.set
        place = self._read_set(family, edition, name).get(digest)
        if place is None or not self._draw:
            return place is not None
        return line_digest(generate_one(family, edition, name, place).line()) == digest

    def _read_set(self, family: AnyFamily, edition: Edition, name: str) -> dict[str, int]:
        key = family.name, edition, name
        if key not in self._sets:
            self._sets[key] = {}
            # A set that nobody knows holds nothing.
            with contextlib.suppress(CausariumError):
                digests = instance_digests(family, edition, name)
                self._sets[key] = {digest: place for place, digest in enumerate(digests)}
        return self._sets[key]

    def _read_file(self, family: AnyFamily, file: str) -> frozenset[str]:
        key = family.name, file
        if key not in self._files:
            self._files[key] = frozenset()
            with contextlib.suppress(CausariumError):
                if _can_be_read(file):
                    instances = read_set(file, family)[1]
                    self._files[key] = frozenset(line_digest(i.line()) for i in instances)
        return self._files[key]


def _can_be_read(file: str) -> bool:
    """Whether what a log names may be a set, as a file or in parts, of a size to be read.

    Elsewhere only object stores are asked, which open to the user's own keys: a log must not have
    us call any address that it names, and with some schemes to parse is to call.
    """
    scheme, sign, _ = file.partition("://")
    if sign and scheme not in _STORES:
        return False
    if (path := Place.parse(file).path) is None:
        return True
    try:
        whole = (path / MANIFEST).is_file()
        files = list(path.glob("part-*.parquet")) if whole else [path]
        found = [file.stat() for file in files]
    except (OSError, ValueError):
        return False
    # What the kernel writes while it is read, without an end perhaps, says that it is empty.
    is_small = sum(status.st_size for status in found) <= MOST_BYTES and all(
        status.st_size for status in found
    )
    return bool(found) and is_small and all(stat.S_ISREG(status.st_mode) for status in found)


class _SaidMove(NamedTuple):
    """A move as it was said, before anybody read it otherwise or held it back."""

    move: Move
    reply: int
    """The number of the reply that it is from."""
    is_bare: bool = False
    """Whether it is taken as it is: a reply that calls no tool, or a call that does not fit."""


class _Mismatch(Exception):
    """The turns are not those that follow; never leaves this module."""


class _Follower:
    """Plays what was said, and compares each turn with the recorded one."""

    def __init__(
        self,
        episode: Episode,
        turns: list[Turn],
        transcript: Transcript,
        roles: Collection[str],
        *,
        compare_texts: bool,
    ) -> None:
        self._episode, self._turns, self._said = episode, turns, transcript
        self._roles, self._compare_texts = roles, compare_texts
        self._repairs = list(transcript.repairs)
        self._validators: dict[str, Draft7Validator] = {}
        self._held: int | None = None
        """The reply that held the answer that was held back."""
        self._reply = -1
        self.led_to: dict[int, list[range]] = {}
        """To which turns each move of each reply led: to none, where it was held back."""

    def find_flaw(self, record: EpisodeRecord) -> str:
        """Say which recorded turn does not follow from what was said; empty if all do."""
        try:
            if record.player is None:
                self._follow(own_agent=bool(record.agent))
            else:
                self._follow_turns()
        except _Mismatch as wrong:
            return str(wrong)
        return ""

    def _follow_turns(self) -> None:
        """Make the moves of a reference player or a person again: these say nothing."""
        family = self._episode.family
        for number, turn in enumerate(self._turns, 1):
            try:
                move = turn.move(family.actions)
            except (ContractError, ValueError) as wrong:
                raise _Mismatch(f"turn {number} is no move of {family.name}") from wrong
            self._take(move)

    def _follow(self, *, own_agent: bool) -> None:
        tools = {action.kind: action for action in offered_actions(self._episode.world)}
        last = len(self._said.replies) - 1
        for said in self._list_calls(tools) if own_agent else self._list_moves(tools):
            if own_agent and self._episode.done:
                continue
            begin, self._reply = self._count, said.reply
            if self._is_all_recorded() and self._said.limit and (own_agent or said.reply == last):
                # What is held back leaves no turn, and may have been the last to come through.
                if own_agent or said.is_bare or not self._is_held(self._mend(said.move), last):
                    break
            else:
                self._make(said)
            self._note(begin)
        for turn in self._turns[self._count :]:
            if turn.unparsed is None or turn.unparsed.mode != EXCEEDED:
                raise _Mismatch(f"turn {self._count + 1} is none that the model said")
            self._take(turn.unparsed)
            self._note(self._count - 1)

    def _note(self, begin: int) -> None:
        self.led_to.setdefault(self._reply, []).append(range(begin, self._count))

    @property
    def _count(self) -> int:
        return len(self._episode.turns)

    def _is_all_recorded(self) -> bool:
        return self._count >= len(self._turns)

    def _list_moves(self, tools: dict[str, type[Action]]) -> Iterator[_SaidMove]:
        """Yield the moves of a model that plays by itself."""
        rules = self._episode.rules
        by_tools = rules.interface in type(rules).tool_interfaces
        for number, reply in enumerate(self._said.replies):
            if not by_tools:
                yield _SaidMove(self._episode.parse_reply(reply.text), number)
            elif not reply.calls:
                no_call = Unparsed(mode=NO_CALL, detail="the reply calls no tool")
                yield _SaidMove(no_call, number, is_bare=True)
            for call in reply.calls if by_tools else ():
                yield self._read_call(call, number, tools)

    def _read_call(self, call: SaidCall, number: int, tools: dict[str, type[Action]]) -> _SaidMove:
        """Read a call as Inspect does: one that does not fit its tool never reaches us."""
        action = tools.get(call.name)
        fits = action is not None and action.in_tools and call.problem is None
        if fits and action is not None:
            if call.name not in self._validators:
                self._validators[call.name] = Draft7Validator(tool_schema(action))
            fits = self._validators[call.name].is_valid(call.arguments)
        if not fits or action is None:
            return _SaidMove(Unparsed(mode=INVALID_CALL, detail=""), number, is_bare=True)
        return _SaidMove(read_arguments(action, call.arguments), number)

    def _list_calls(self, tools: dict[str, type[Action]]) -> Iterator[_SaidMove]:
        """Yield the moves of an agent of one's own."""
        for call in self._said.calls:
            action = tools.get(call.name)
            if action is None:
                raise _Mismatch(f"there is no tool {call.name!r}")
            yield _SaidMove(read_arguments(action, call.arguments), call.reply)

    def _make(self, said: _SaidMove) -> None:
        """Make a move as it was made: mended by a helper, held back, or run as a program."""
        if said.is_bare:
            self._take(said.move)
            return
        move = self._mend(said.move)
        if self._is_held(move, said.reply):
            return
        if isinstance(move, Program):
            self._run(move)
        else:
            self._take(move)

    def _mend(self, move: Move) -> Move:
        """Ask the helper again, with what it replied then."""
        begun = begin_repair(self._episode, move)
        if not isinstance(begun, tuple):
            return begun
        consultation, ask = begun
        is_mended = bool(self._repairs) and self._repairs[0].turn == self._count
        if not is_mended or ask.role not in self._roles:
            consultation.close()
            return move
        try:
            for reply in self._repairs.pop(0).replies:
                consultation.send(reply)
        except StopIteration as end:
            mended: Move = end.value
            return mended
        raise _Mismatch(f"turn {self._count + 1}: a helper's replies are missing")

    def _is_held(self, move: Move, reply: int) -> bool:
        if not self._episode.rules.recheck or not gives_answer(self._episode.world, move):
            return False
        if self._held is None:
            self._held = reply
        return self._held == reply

    def _run(self, program: Program) -> None:
        """Take what a program did as recorded, up to the turn of the program itself."""
        begin, checked = self._count, self._said.checked
        while not self._is_all_recorded():
            turn = self._turns[self._count]
            recorded = turn.action or {}
            if recorded.get("kind") == program.kind and recorded.get("code") == program.code:
                mine = turn.move(self._episode.family.actions)
                ran = mine.ran if isinstance(mine, Program) else None
                self._take(program.model_copy(update={"ran": ran}))
                if self._held is None and checked is not None and begin <= checked < self._count:
                    self._held = self._reply  # by the program, which leaves no trace of it
                return
            verbs = {verb.kind for verb in program.verbs}
            if recorded.get("kind") not in verbs and not (turn.unparsed and verbs):
                break
            self._take(turn.move(self._episode.family.actions))
            if self._episode.done:
                return
        raise _Mismatch(f"turn {self._count + 1} is not the program that was said")

    def _take(self, move: Move) -> None:
        """Take a move and compare the turn with the recorded one."""
        number = self._count + 1
        if self._is_all_recorded():
            raise _Mismatch(f"turn {number} was said and is not recorded")
        recorded = self._turns[number - 1]
        refused = isinstance(move, Unparsed) and move.mode == INVALID_CALL and not move.detail
        if refused and recorded.unparsed is not None:
            # The words of a refusal are the library's that refused.
            if recorded.unparsed.mode != INVALID_CALL:
                raise _Mismatch(f"turn {number} is not what the model said")
            move = recorded.unparsed
        self._episode.take(move)
        made = self._episode.turns[-1]
        if made == recorded:
            return
        mine, theirs = made.model_dump(mode="json"), recorded.model_dump(mode="json")
        if (mine["action"], mine["unparsed"]) != (theirs["action"], theirs["unparsed"]):
            raise _Mismatch(f"turn {number} is not what the model said")
        if self._compare_texts and mine["observation"] != recorded.observation:
            raise _Mismatch(f"turn {number} was not answered so")
        if made.legal != recorded.legal:
            raise _Mismatch(f"turn {number} was {'allowed' if made.legal else 'refused'}")
        if made.cost != recorded.cost:
            raise _Mismatch(f"turn {number} cost {made.cost}, not {recorded.cost}")


UNKNOWN_INSTANCE = "instance: not of a named set"
UNKNOWN_FILE = "instance: not of the set file, or the file is not here"
_TOLERANCE = 1e-9
"""How far a number may be off: other machines add in another order."""


@dataclass(frozen=True, slots=True)
class OpenSample:
    """A sample, ready to be played and scored again."""

    sample: LoggedSample
    family: AnyFamily
    record: EpisodeRecord
    instance: AnyInstance
    rules: Rules
    turns: list[Turn]
    judgements: list[Judgement]

    def score(self) -> Row:
        """Return its row as its turns are scored now."""
        verdict = score_turns(self.family, self.instance, self.rules, self.turns, self.judgements)
        labels = {**verdict.labels, **self.sample.run_labels}
        found = {"numbers": verdict.numbers, "labels": labels, "unscored": verdict.unscored}
        return self.sample.row.model_copy(update=found | {"answered": verdict.is_answered})

    def find_other_verdict(self, after: Row) -> str:
        """Say in what a row that was scored now differs from the logged one; empty if in nothing.

        A number that only one of them has was added to its family since, or taken out, and is no
        flaw; `verify_runs` says so. The headline is always there.
        """
        before = self.sample.row
        if before.unscored != after.unscored:
            return "verdict: scoring again does not agree on whether there is a score"
        if before.answered != after.answered:
            return "verdict: scoring again does not agree on whether there is an answer"
        shared = before.numbers.keys() & after.numbers.keys()
        headline = {self.family.card.headline[before.edition]} if before.unscored is None else set()
        for name in sorted(shared | headline):
            if not _is_same(before.numbers.get(name), after.numbers.get(name)):
                return f"verdict: {name} is {_show(after.numbers.get(name))}"
        return "" if before.labels == after.labels else "verdict: the labels are others"


def open_sample(sample: LoggedSample, family: AnyFamily) -> OpenSample:
    """Rebuild what a sample's log holds.

    Raises:
        BadFile: It is of another version of the family, or damaged.
    """
    record = sample.record
    instance, rules = record.rebuild(family)
    if family.released is not None:
        rules = rules.model_copy(update={"release": str(family.released.path)})
    return OpenSample(sample, family, record, instance, rules, sample.turns, sample.judgements)


def find_flaw(opened: OpenSample, known: KnownInstances) -> str:
    """Say why a sample is not verified, whatever it scores; empty if it is."""
    return (
        _find_false_record(opened)
        or _find_other_release(opened)
        or _find_false_instance(opened, known)
        or _find_false_turn(opened)
        or _find_false_judgement(opened)
    )


def _find_false_record(opened: OpenSample) -> str:
    """Hold what a sample says of its run against what the log's header says."""
    row, card, record = opened.sample.row, opened.sample.header.card, opened.record
    pairs: dict[str, tuple[object, object]] = {
        "family": (row.family, card.family),
        "version": (row.version, card.version),
        "edition": (row.edition, card.edition),
        "set": (row.set, card.set),
        "agent": (row.agent, card.agent),
        "rules": (record.rules, card.rules),
    }
    other = [name for name, (mine, theirs) in pairs.items() if mine != theirs]
    return f"record: it has another {' and '.join(other)} than its run" if other else ""


def _find_other_release(opened: OpenSample) -> str:
    """Hold the release that a sample is played from again against the one that it was played in."""
    played, given = opened.sample.header.card.release, opened.family.released
    if given is None or played == given.describe():
        return ""
    return f"release: it was played {f'from {played}' if played else 'in our words'}, not from this"


def _find_false_instance(opened: OpenSample, known: KnownInstances) -> str:
    sample = opened.sample
    if opened.instance.id != sample.row.id:
        return "instance: it goes by another id"
    # Most logs hold the line itself, which then need not be written anew.
    if known.is_known(sample, opened.family, sample.instance_bytes) or known.is_known(
        sample, opened.family, opened.instance.line()
    ):
        return ""
    return UNKNOWN_INSTANCE if sample.header.set_file is None else UNKNOWN_FILE


def is_of_its_set(sample: LoggedSample, lookup: Lookup, known: KnownInstances) -> bool:
    """Whether a sample's instance is of its set: any other may be more than a player can bear."""
    try:
        family = lookup(sample.row.family).for_edition(sample.row.edition)
        return not _find_false_instance(open_sample(sample, family), known)
    except Exception:  # noqa: BLE001 - a log may hold anything
        return False


def _find_false_turn(opened: OpenSample) -> str:
    if opened.record.edition == "certified" and opened.record.rules.get("release") is not None:
        return "turns: a release belongs to the paper edition"
    compare_texts = not list_unread_texts(opened.record.rules, opened.family)
    try:
        opened.rules.check_interface_installed()
    except UsageError as wrong:
        return f"turns: {wrong}"
    card, said = opened.sample.header.card, opened.sample.transcript
    if said.limit and not opened.record.agent and f"{said.limit}_limit" not in card.limits:
        return f"turns: a limit ended it that its run does not have ({said.limit})"
    episode = Episode(opened.family, opened.instance, opened.rules)
    follower = _Follower(episode, opened.turns, said, card.roles, compare_texts=compare_texts)
    flaw = follower.find_flaw(opened.record)
    if not flaw and compare_texts and opened.record.player is None and not opened.record.agent:
        flaw = _find_other_words(opened, said, follower)
    return f"turns: {flaw}" if flaw else ""


def list_unread_texts(rules: Mapping[str, object], family: AnyFamily) -> list[str]:
    """Return the rules that put a user's own texts, or those of a release, in place of ours.

    They may be gone by now, so what a model was shown is not held against them.
    """
    names = ["prompts"] if family.released is not None else ["prompts", "release"]
    return [name for name in names if rules.get(name) is not None]


def _find_other_words(opened: OpenSample, said: Transcript, follower: _Follower) -> str:
    """Say what the model was shown other than the family's words in their places; empty: none."""
    prompt, rules = opened.family.prompt(opened.instance.public, opened.rules), opened.rules
    both = {"system": prompt.system, "user": prompt.user}
    opening = {"user": "\n".join(both.values())} if rules.join_system else both
    first, later = said.shown[: len(opening)], said.shown[len(opening) :]
    if [(one.after, one.role) for one in first] != [(0, role) for role in opening] or any(
        one.text != digest_shown(text) and one.words != digest_shown(text, ordered=False)
        for one, text in zip(first, opening.values(), strict=True)
    ):
        return "the model was shown another opening than the family's"
    # Number 0 is what stands before the first reply.
    for number in range(len(said.replies) + 1):
        shown = [one for one in later if one.after == number]
        answers = [_list_answers(turns, opened) for turns in follower.led_to.get(number - 1, ())]
        pairs = zip(shown, answers, strict=False)
        if len(shown) > len(answers) or any((s.role, s.text) not in told for s, told in pairs):
            return "the model was shown words that are not the family's"
        if len(shown) < len(answers) and number < len(said.replies):
            return f"the model was not shown what its reply {number} led to"
    return ""


def _list_answers(turns: range, opened: OpenSample) -> list[tuple[str, str]]:
    """Return what may be shown of a move that led to some turns: roles, and digests of texts."""
    rules = opened.rules
    role = "tool" if rules.interface in type(rules).tool_interfaces else "user"
    if not turns:
        return [(role, digest_shown(recheck_text(rules)))]
    turn = opened.turns[turns[-1]]
    texts, mode = [turn.observation], turn.unparsed.mode if turn.unparsed else ""
    if turn.unparsed and mode == INVALID_CALL:
        texts.append(turn.unparsed.detail)  # a library refuses in words of its own
    if opened.record.rules.get("frames"):
        texts.append(f"{turn.observation}image")
    if len(turns) > 1:
        texts.append(OVER)
    role = "user" if mode in (NO_CALL, EXCEEDED) else role
    return [(role, digest_shown(text)) for text in texts]


def _find_false_judgement(opened: OpenSample) -> str:
    """Read the replies of judges again; that they said them is as recorded."""
    judge = opened.family.helpers.judge
    if judge is None or JUDGE not in opened.sample.header.card.roles:
        return "judge: its run has none" if opened.judgements else ""
    for judgement in opened.judgements:
        try:
            consultation = judge.ask(opened.instance, opened.rules, opened.turns)
            result = answer_questions(consultation, _say_again(judgement))
        except Exception:  # noqa: BLE001 - replies that cannot be read are not what was read
            return "judge: its replies cannot be read so"
        if _to_text(result) != _to_text(judgement.found):
            return "judge: its replies say otherwise"
    return ""


def _say_again(judgement: Judgement) -> Callable[[Ask], str]:
    replies = iter(judgement.replies)
    return lambda _: next(replies)


def _to_text(found: Mapping[str, object]) -> str:
    return canonical_json(Judgement(model="", found=dict(found)).model_dump(mode="json"))


def _is_same(logged: float | None, now: float | None) -> bool:
    if logged is None or now is None or math.isnan(logged) or math.isnan(now):
        return _show(logged) == _show(now)
    return math.isclose(logged, now, rel_tol=_TOLERANCE, abs_tol=_TOLERANCE)


def _show(value: float | None) -> str:
    return "not there" if value is None else f"{value:.4g}"


@dataclass(frozen=True, slots=True)
class ScoreChange:
    """One episode, scored when it was played and scored again now."""

    before: Row
    after: Row
    """As it is scored now; its proof says whether the log is verified."""
    same: bool
    """Whether the two verdicts agree in every label, and in every number that both have."""


def rescore(
    samples: Iterable[LoggedSample], lookup: Lookup, known: KnownInstances | None = None
) -> Iterator[ScoreChange]:
    """Score samples again and check them; one that an error ended keeps what its log says.

    Raises:
        BadFile: A sample was recorded by another version of its family, or is damaged.
    """
    known = known or KnownInstances()
    for sample in samples:
        after, difference = sample.row.model_copy(update={"proof": NOT_PLAYED}), ""
        if not sample.failed:
            path = sample.header.path
            with name_damaged_log(path, sample.row.id):
                try:
                    family = lookup(sample.row.family).for_edition(sample.row.edition)
                    opened = open_sample(sample, family)
                    proof = find_flaw(opened, known)
                    after = sample.row
                    # Scored last: nothing may be scored on a false instance.
                    if not proof.startswith("instance:"):
                        after = opened.score()
                        difference = opened.find_other_verdict(after)
                except BadFile as wrong:
                    raise BadFile(f"{path}: {wrong}") from wrong
            after = after.model_copy(update={"proof": proof or difference})
        yield ScoreChange(sample.row, after, same=not difference)


def prove_sample(sample: LoggedSample, lookup: Lookup, known: KnownInstances) -> str:
    """Say why a sample is not verified; empty if it is. Nothing in a log makes this raise."""
    if sample.failed:
        return NOT_PLAYED
    try:
        family = lookup(sample.row.family).for_edition(sample.row.edition)
    except UsageError:
        return f"version: there is no family {sample.row.family!r} here"
    if sample.row.version != family.card.version:
        return f"version: score it with version {sample.row.version}"
    try:
        opened = open_sample(sample, family)
        # Scored last: nothing may be scored on a false instance.
        return find_flaw(opened, known) or opened.find_other_verdict(opened.score())
    except Exception as wrong:  # noqa: BLE001 - a log may hold anything
        return f"damaged: it cannot be scored again ({type(wrong).__name__})"
