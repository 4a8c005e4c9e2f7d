"""Batches, recorded replies and the ordinary run that plays them, with no weights at all."""

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import causarium as cm
from causarium import families
from causarium.errors import BadFile, UsageError
from causarium_local import batched_models, open_weights, record_sets
from causarium_local.decoding import ReadPrefix
from causarium_local.open_weights import Prompt, Reply, check_tokenizer
from causarium_local.recorded_replies import Circumstances, RecordedReplies

LINK = Circumstances(
    model="tiny", weights="0" * 64, family="causallink", set="smoke", max_tokens=40
)


class Parrot:
    """Answers any conversation with the same words, and counts how it was asked."""

    def __init__(self, text: str = '{"answer": "no"}') -> None:
        self.text = text
        self.batches: list[int] = []

    def write_replies(self, prompts: Sequence[Prompt]) -> list[Reply]:
        self.batches.append(len(prompts))
        return [Reply(self.text, "stop", 7, 3) for _ in prompts]


def test_what_is_asked_at_once_is_written_in_one_batch() -> None:
    parrot = Parrot()

    async def ask_all() -> list[Reply]:
        collector = batched_models.Collector(parrot, collect_s=0.05)
        return await asyncio.gather(*(collector.ask(_prompt(str(n))) for n in range(9)))

    assert [reply.text for reply in asyncio.run(ask_all())] == [parrot.text] * 9
    assert parrot.batches == [9]


@given(*[st.lists(st.integers(0, 2), max_size=8)] * 3)
def test_what_two_conversations_share_is_where_they_begin_alike(
    both: list[int], one: list[int], other: list[int]
) -> None:
    said, heard = [*both, *one], [*both, *other]
    shared = ReadPrefix(said, None).count_shared(heard)
    assert said[:shared] == heard[:shared]
    assert said[: shared + 1] != heard[: shared + 1] or said == heard
    assert shared == ReadPrefix(tuple(said), None).count_shared(heard)


def test_a_writer_that_fails_fails_those_who_asked() -> None:
    class Broken:
        def write_replies(self, prompts: Sequence[Prompt]) -> list[Reply]:
            raise ValueError("out of memory")

    collector = batched_models.Collector(Broken(), collect_s=0.01)
    with pytest.raises(Exception, match="out of memory"):
        asyncio.run(collector.ask(_prompt("hello")))


@given(
    st.lists(st.tuples(st.integers(1, 90), st.sampled_from([5, 50])), max_size=40),
    st.integers(1, 400),
    st.integers(91, 200),
)
def test_batches_hold_every_row_once_and_fit(
    rows: list[tuple[int, int]], batch_tokens: int, longest: int
) -> None:
    tokens = [[0] * length for length, _ in rows]
    prompts = [_prompt("x", room) for _, room in rows]
    batches = list(open_weights.plan_batches(tokens, prompts, batch_tokens, longest=longest))
    assert sorted(row for batch in batches for row in batch) == list(range(len(rows)))
    for batch in batches:
        # Nobody's reply is cut short because a neighbour is near the end of the model.
        rooms = {min(prompts[row].max_tokens, longest - len(tokens[row])) for row in batch}
        assert len(rooms) == 1
        widest = max(len(tokens[row]) for row in batch)
        assert len(batch) == 1 or len(batch) * (widest + rooms.pop()) <= batch_tokens


def test_a_recorded_set_is_an_ordinary_run_that_verifies(tmp_path: Path) -> None:
    out = tmp_path / "tiny.jsonl"
    assert all(one.done for one in record_sets.record_set(Parrot(), LINK, out))
    run = cm.evaluate(
        "causallink", model=f"recorded:{out}", set="smoke", log_dir=tmp_path, progress=False
    )
    assert run.complete
    assert {row.agent for row in run.rows} == {"recorded/tiny"}
    (proof,) = cm.verify_logs(run.folder)
    assert proof.is_verified
    (log,) = Path(run.folder).glob("*.eval")
    replies = RecordedReplies.read(log)
    assert replies.as_dict() == RecordedReplies.read(out).as_dict()
    assert replies.circumstances == LINK


def test_a_second_file_of_the_same_model_is_played_from_that_file(tmp_path: Path) -> None:
    scores = []
    for text in ("no", "yes"):
        (tmp_path / text).mkdir()
        out = tmp_path / text / "tiny.jsonl"
        record_sets.record_set(Parrot(json.dumps({"answer": text})), LINK, out)
        run = cm.evaluate(
            *("causallink",),
            model=f"recorded:{out}",
            set="smoke",
            log_dir=tmp_path / text,
            progress=False,
        )
        scores.append([row.numbers["score"] for row in run.rows])
    assert scores[0] != scores[1]


def test_settings_under_which_nothing_was_recorded_are_refused(tmp_path: Path) -> None:
    out = tmp_path / "tiny.jsonl"
    record_sets.record_set(Parrot(), LINK, out, limit=1)
    model = batched_models.find_batched_model(f"recorded:{out}", {})
    assert model.options({"max_tokens": 40, "temperature": 0})["max_tokens"] == 40
    said: list[str] = []
    with model.serve_to_inspect(said.append):
        assert said == [f"{model.model}: replies are read from {out}"]
    link, lab = families.get("causallink"), families.get("causalab")
    assert model.rules({"constrained": "false"}, link) == {"constrained": "false"}
    for other in ({"max_tokens": 41}, {"temperature": 0.7}):
        with pytest.raises(UsageError, match="has greedy replies of 40 tokens"):
            model.options(other)
    with pytest.raises(UsageError, match="constrained=true was not recorded"):
        model.rules({"constrained": "true"}, link)
    with pytest.raises(UsageError, match="holds replies to causallink, not causalab"):
        model.rules({}, lab)


@pytest.mark.parametrize("limit", [1, 5, 7, 24])
def test_instances_are_spread_over_the_whole_set(tmp_path: Path, limit: int) -> None:
    standard = LINK.model_copy(update={"set": "standard"})
    out = tmp_path / "tiny.jsonl"
    sessions = record_sets.record_set(Parrot(), standard, out, limit=limit, deadline=0.0)
    ids = [session.instance.id for session in sessions]
    assert len(set(ids)) == limit
    counts = [sum(id_.startswith(f"causallink-rung-{n}-") for id_ in ids) for n in range(1, 9)]
    assert max(counts) - min(counts) <= 1
    assert sum(counts) == limit


def test_an_episode_that_no_longer_fits_the_model_is_scored(tmp_path: Path) -> None:
    class Short(Parrot):
        def write_replies(self, prompts: Sequence[Prompt]) -> list[Reply]:
            wrote = super().write_replies(prompts)
            full = Reply("", "model_length", 9000, 0)
            return [full if len(p.messages) > 2 else r for p, r in zip(prompts, wrote, strict=True)]

    out = tmp_path / "tiny.jsonl"
    sessions = record_sets.record_set(Short("What?"), LINK, out, limit=2)
    assert not any(one.done for one in sessions)
    run = cm.evaluate(
        *("causallink",),
        model=f"recorded:{out}",
        set="smoke",
        limit=2,
        log_dir=tmp_path,
        progress=False,
    )
    assert run.complete
    assert cm.verify_logs(run.folder)[0].is_verified
    (log,) = Path(run.folder).glob("*.eval")
    again = cm.evaluate(
        *("causallink",),
        model=f"recorded:{log}",
        set="smoke",
        limit=2,
        log_dir=tmp_path / "again",
        progress=False,
    )
    assert again.complete


def test_recording_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    out, first, second = tmp_path / "tiny.jsonl", Parrot(), Parrot()
    record_sets.record_set(first, LINK, out, limit=3)
    with out.open("a") as file:
        file.write('{"key": "half a li')
    assert all(one.done for one in record_sets.record_set(second, LINK, out, limit=3))
    assert second.batches == [0] * len(second.batches)
    assert len(RecordedReplies.read(out)) == sum(first.batches)
    with pytest.raises(BadFile, match="other circumstances"):
        record_sets.record_set(second, LINK.model_copy(update={"set": "standard"}), out)


def test_what_cannot_be_played_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="names no place"):
        batched_models.find_batched_model("local-hf:", {})
    with pytest.raises(BadFile, match="there is no folder"):
        batched_models.find_batched_model(f"local-hf:{tmp_path}/none", {})
    with pytest.raises(BadFile, match=r"config\.json"):
        batched_models.find_batched_model(f"local-hf:{tmp_path}", {})
    wrong = tmp_path / "wrong.jsonl"
    wrong.write_text(json.dumps({"model": "x"}) + "\n")
    with pytest.raises(BadFile, match="no file of recorded replies"):
        batched_models.find_batched_model(f"recorded:{wrong}", {})
    told = {"weights": "", "family": "causallink", "set": "smoke", "max_tokens": 1}
    wrong.write_text(json.dumps({"model": "x" * 300, **told}) + "\n")
    with pytest.raises(BadFile, match="no file of recorded replies"):
        batched_models.find_batched_model(f"recorded:{wrong}", {})
    wrong.write_text(json.dumps({"model": "x", **told}) + "\n" + "[" * 100_000)
    with pytest.raises(BadFile, match="holds no reply"):
        batched_models.find_batched_model(f"recorded:{wrong}", {})
    log = wrong.rename(tmp_path / "wrong.eval")
    with pytest.raises(BadFile, match="no log of a local-hf: or recorded: model"):
        batched_models.find_batched_model(f"recorded:{log}", {})


def _prompt(text: str, room: int = 8) -> Prompt:
    return Prompt((("user", text),), max_tokens=room)


class Pieces:
    """A tokenizer that cuts a text into parts of one length."""

    def __init__(self, pieces: int, length: int) -> None:
        self.pieces, self.length = pieces, length

    def __len__(self) -> int:
        return self.pieces

    def __call__(self, text: str, *, add_special_tokens: bool) -> dict[str, list[int]]:
        assert not add_special_tokens
        return {"input_ids": list(range(0, len(text), self.length))}


def test_a_tokenizer_that_lost_its_merges_is_refused() -> None:
    """One of few pieces spells by nature, and one of many must not."""
    check_tokenizer(Pieces(262_144, 4), Path("gemma"))
    check_tokenizer(Pieces(300, 1), Path("tiny"))
    with pytest.raises(UsageError, match="gemma has 262144 pieces and takes 56 tokens"):
        check_tokenizer(Pieces(262_144, 1), Path("gemma"))
