"""Open weights on this machine's processor: a tiny model with weights drawn at random."""

import copy
import gc
import json
import runpy
import sys
import weakref
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import jsonschema
import pytest
from causarium_data.export_data import export_data

import causarium as cm
from causarium.errors import UsageError
from causarium_local import decoding, record_sets
from causarium_local.decoding import attend_in_groups, decode_batch, use_grouped_attention
from causarium_local.encode_talks import encode_attempts, encode_talks
from causarium_local.open_weights import OpenWeights, Prompt, digest_parameters, digest_weights
from causarium_local.recorded_replies import Circumstances

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
TEMPLATE = (
    "{% for message in messages %}<|im_start|>{{ message.role }}\n{{ message.content }}<|im_end|>\n"
    "{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a model that is never sensible, in the form that real ones have."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

    words = Tokenizer(models.BPE())
    words.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    words.decoder = decoders.ByteLevel()
    marks = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    words.train_from_iterator(
        ["hold the triangle, move the cross"],
        trainers.BpeTrainer(special_tokens=marks, initial_alphabet=alphabet, vocab_size=300),
    )
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_object=words, eos_token="<|im_end|>", pad_token="<|endoftext|>"
    )
    tokenizer.chat_template = TEMPLATE
    torch.set_num_threads(1)  # threads that wait for each other are slow on a busy machine
    torch.manual_seed(7)
    config = transformers.LlamaConfig(
        vocab_size=320,  # wider than the tokenizer, as those of real models are
        hidden_size=16,
        intermediate_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        num_key_value_heads=1,
        max_position_embeddings=4096,
        eos_token_id=tokenizer.eos_token_id,
    )
    place = tmp_path_factory.mktemp("weights") / "Tiny Random"
    transformers.LlamaForCausalLM(config).save_pretrained(place)
    tokenizer.save_pretrained(place)
    return place


@pytest.fixture(scope="module")
def weights(folder: Path) -> OpenWeights:
    return OpenWeights.load(folder)


def test_a_reply_is_the_same_alone_and_in_a_batch(weights: OpenWeights) -> None:
    prompts = [Prompt((("user", "hold " * n),), max_tokens=12) for n in (1, 30, 7, 2)]
    together = weights.write_replies(prompts)
    alone = [weights.write_replies([prompt])[0] for prompt in prompts]
    assert together == alone
    assert all(0 < reply.output_tokens <= 12 for reply in together)


@pytest.fixture(scope="module")
def near_sighted(weights: OpenWeights) -> OpenWeights:
    """A model in which every other layer looks back a few tokens alone, as Gemma's do."""
    torch.manual_seed(8)
    config = transformers.Gemma3TextConfig(
        vocab_size=320,
        hidden_size=16,
        intermediate_size=32,
        num_hidden_layers=2,
        layer_types=["sliding_attention", "full_attention"],
        sliding_window=8,
        num_attention_heads=2,
        num_key_value_heads=1,
        head_dim=8,
        max_position_embeddings=4096,
        eos_token_id=weights.tokenizer.eos_token_id,
    )
    return OpenWeights(transformers.Gemma3ForCausalLM(config).eval(), weights.tokenizer)


@pytest.mark.parametrize("which", ["weights", "near_sighted"])
def test_replies_are_those_of_the_library_itself(
    which: str, request: pytest.FixtureRequest
) -> None:
    weights: OpenWeights = request.getfixturevalue(which)
    model = weights.model
    prompts = [Prompt((("user", "move " * n),), max_tokens=24) for n in (1, 9)]
    model.set_attn_implementation("eager")
    said = []
    for prompt in prompts:
        ids = torch.tensor(weights.encode([prompt.messages]))
        out = model.generate(input_ids=ids, max_new_tokens=24, do_sample=False)
        row = out[0, ids.shape[1] :].tolist()
        said.append(weights.tokenizer.decode(row, skip_special_tokens=True))
    use_grouped_attention(model)
    assert [reply.text for reply in weights.write_replies(prompts)] == said


@pytest.mark.parametrize("which", ["weights", "near_sighted"])
def test_rows_that_ended_leave_the_batch_and_nothing_else_changes(
    which: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    weights: OpenWeights = request.getfixturevalue(which)
    prompts = weights.encode([[("user", f"move {n} " * n)] for n in range(1, 13)])
    never = partial(decode_batch, weights.model, room=140, ends=[weights.model.config.vocab_size])
    said = [never([prompt])[0][0] for prompt in prompts]
    # The token to which replies come at the most different times.
    ends = [
        max(set().union(*said), key=lambda token: len({(*row, token).index(token) for row in said}))
    ]
    batches: list[int] = []
    decoder = weights.model.get_decoder()
    forward = decoder.forward

    def count(**named: Any) -> Any:
        batches.append(named["input_ids"].shape[0])
        return forward(**named)

    monkeypatch.setattr(decoder, "forward", count)
    monkeypatch.setattr("causarium_local.decoding._LONG", 1)
    monkeypatch.setattr("causarium_local.decoding._FEW", 1.3)
    rows, reads = decode_batch(weights.model, prompts, room=140, ends=ends)
    assert batches[0] == len(prompts)
    assert len(set(batches)) > 2
    for prompt, whole, row, read in zip(prompts, said, rows, reads, strict=True):
        end = next((n for n, token in enumerate(whole) if token in ends), len(whole))
        assert row == whole[:end]
        (alone,) = decode_batch(weights.model, [prompt], room=140, ends=ends)[1]
        assert read.tokens == alone.tokens
        torch.testing.assert_close(read.layers, alone.layers, rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize("which", ["weights", "near_sighted"])
def test_a_conversation_that_goes_on_gets_the_reply_of_one_read_anew(
    which: str, request: pytest.FixtureRequest
) -> None:
    weights: OpenWeights = request.getfixturevalue(which)
    talks = [[("user", "hold " * n)] for n in (1, 30, 7, 2)]
    for turn in range(4):
        # A newcomer joins, one leaves, and one reply is told otherwise than it was written.
        talks = [*talks[1:], [("user", f"move {turn}")]]
        prompts = [Prompt(tuple(talk), max_tokens=12) for talk in talks]
        replies = weights.write_replies(prompts)
        fresh = OpenWeights(weights.model, weights.tokenizer)
        assert replies == [fresh.write_replies([prompt])[0] for prompt in prompts]
        for talk, reply in zip(talks, replies, strict=True):
            text = reply.text if len(talk) % 5 else "cross"
            talk += [("assistant", text), ("user", "the triangle " * (turn + 1))]


@pytest.mark.parametrize("joins", [False, True])
def test_conversations_become_the_tokens_of_their_whole_text(
    weights: OpenWeights, *, joins: bool
) -> None:
    tokenizer = copy.deepcopy(weights.tokenizer)
    if joins:  # as Phi's marks do, which take the spaces after them
        mark = transformers.AddedToken("<|im_end|>", rstrip=True, special=True)
        tokenizer.add_tokens([mark], special_tokens=True)
    fresh = OpenWeights(weights.model, tokenizer)
    assert fresh._mark == ("" if joins else "<|im_end|>")
    talks = [[("user", said)] for said in ("hold", "", " \n", "a<|im_end|> \nb", "\u00e9 cross")]
    for turn in range(3):
        talks = [*talks[1:], [("system", "move"), ("user", f"{turn}")]]
        chats = [[{"role": role, "content": said} for role, said in talk] for talk in talks]
        texts = tokenizer.apply_chat_template(chats, tokenize=False, add_generation_prompt=True)
        whole = tokenizer(texts, add_special_tokens=False)["input_ids"]
        assert fresh.encode(talks) == list(map(list, whole))
        for talk in talks:
            talk += [("assistant", " move\n" * turn), ("user", "\nthe triangle ")]


@pytest.mark.parametrize("name", ["softcap", "s_aux"])
def test_attention_that_is_not_made_here_is_refused(name: str) -> None:
    state = torch.zeros((1, 2, 1, 4))
    with pytest.raises(UsageError, match=f"needs {name}"):
        attend_in_groups(None, state, state, state, None, **{name: 30.0})


def test_what_was_read_is_read_once(weights: OpenWeights, monkeypatch: pytest.MonkeyPatch) -> None:
    widths: list[int] = []
    decoder = weights.model.get_decoder()
    forward = decoder.forward

    def count(**named: Any) -> Any:
        widths.append(named["input_ids"].shape[1])
        return forward(**named)

    monkeypatch.setattr(decoder, "forward", count)
    opening = (("user", "hold the triangle " * 40),)
    reply = weights.write_replies([Prompt(opening, max_tokens=2)])[0]
    first = widths[0]
    widths.clear()
    later = Prompt((*opening, ("assistant", reply.text), ("user", "move")), max_tokens=2)
    weights.write_replies([later])
    assert widths[0] < first / 4
    weights.forget()
    widths.clear()
    weights.write_replies([later])
    assert widths[0] > first


def test_where_not_all_conversations_fit_some_are_kept(weights: OpenWeights) -> None:
    small = OpenWeights(weights.model, weights.tokenizer, batch_tokens=120)
    talks = [[("user", f"hold {n} " * 8)] for n in range(9)]
    kept = []
    for _ in range(3):
        prompts = [Prompt(tuple(talk), max_tokens=4) for talk in talks]
        kept.append({n for n, one in enumerate(prompts) if one.earlier_key in small._read})
        for talk, reply in zip(talks, small.write_replies(prompts), strict=True):
            talk += [("assistant", reply.text), ("user", "move")]
    assert not kept[0]
    assert 0 < len(kept[1]) < 9
    assert kept[2]


def test_batches_get_smaller_where_memory_runs_out(
    weights: OpenWeights, monkeypatch: pytest.MonkeyPatch
) -> None:
    prompts = [Prompt((("user", "hold " * n),), max_tokens=8) for n in (9, 200, 5, 180, 40, 3)]
    expected = weights.write_replies(prompts)
    scarce = OpenWeights(weights.model, weights.tokenizer, batch_tokens=40_000)

    def decode_scarcely(model: Any, rows: list[list[int]], **how: Any) -> Any:
        if len(rows) * max(map(len, rows)) > 500:
            raise torch.OutOfMemoryError
        return decode_batch(model, rows, **how)

    monkeypatch.setattr("causarium_local.open_weights.decode_batch", decode_scarcely)
    assert scarce.write_replies(prompts) == expected
    assert scarce.batch_tokens == 625
    with pytest.raises(torch.OutOfMemoryError):
        scarce.write_replies([Prompt((("user", "hold " * 600),), max_tokens=8)])


@pytest.mark.parametrize("message", ["CUDA error: out of memory", "CUBLAS_STATUS_ALLOC_FAILED"])
def test_a_batch_that_did_not_fit_is_gone_before_the_next_is_tried(
    weights: OpenWeights, monkeypatch: pytest.MonkeyPatch, message: str
) -> None:
    prompts = [Prompt((("user", "hold " * n),), max_tokens=8) for n in (9, 5)]
    expected = weights.write_replies(prompts)
    fresh = OpenWeights(weights.model, weights.tokenizer)
    decoder = weights.model.get_decoder()
    forward, caches = decoder.forward, list[weakref.ref[Any]]()

    def run_out(**named: Any) -> Any:
        caches.append(weakref.ref(named["past_key_values"]))
        if len(caches) == 3:
            try:
                raise RuntimeError(message)
            finally:
                raise RuntimeError("the recording was broken off")
        assert len(caches) != 4 or caches[0]() is None
        return forward(**named)

    monkeypatch.setattr(decoder, "forward", run_out)
    gc.disable()  # nobody waits for it on a GPU
    try:
        assert fresh.write_replies(prompts) == expected
    finally:
        gc.enable()
    assert fresh.batch_tokens == weights.batch_tokens // 2

    def fail(**_: Any) -> Any:
        raise RuntimeError("illegal memory access")

    monkeypatch.setattr(decoder, "forward", fail)
    with pytest.raises(RuntimeError, match="illegal"):
        fresh.write_replies(prompts)


def test_a_prompt_that_is_too_long_gets_no_reply(weights: OpenWeights) -> None:
    long, short = Prompt((("user", "a b " * 5000),), 8), Prompt((("user", "a"),), 8)
    first, second = weights.write_replies([long, short])
    assert (first.stop, first.text, second.stop) == ("model_length", "", "max_tokens")


@pytest.mark.parametrize("family", cm.list_families())
def test_a_schema_holds_the_replies_of_every_family(
    weights: OpenWeights, family: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("causarium_local.decoding._LONG", 1)
    monkeypatch.setattr("causarium_local.decoding._FEW", 1.1)
    pytest.importorskip("llguidance")
    sessions = [cm.open_session(family, set="smoke", index=n, constrained=True) for n in range(2)]
    prompts = [Prompt((("user", "go"),), 300, session.schema()) for session in sessions]
    for session, reply in zip(sessions, weights.write_replies(prompts), strict=True):
        if reply.stop == "stop":
            jsonschema.validate(json.loads(reply.text), session.schema())


def test_what_was_recorded_is_an_ordinary_run(
    folder: Path, weights: OpenWeights, tmp_path: Path
) -> None:
    told = Circumstances(
        model="tiny-random",
        weights=digest_weights(folder),
        family="causallink",
        set="smoke",
        max_tokens=20,
    )
    out = tmp_path / "replies.jsonl"
    assert all(one.done for one in record_sets.record_set(weights, told, out))
    for model in (f"recorded:{out}", f"local-hf:{folder}"):
        run = cm.evaluate(
            *("causallink",),
            model=model,
            set="smoke",
            log_dir=tmp_path,
            max_tokens=20,
            progress=False,
        )
        assert run.complete
        (proof,) = cm.verify_logs(run.folder)
        assert proof.is_verified


def test_weights_learn_from_demonstrations_and_reward(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for family in ("causallink", "replayscm"):
        talks = tmp_path / "talks" / f"{family}.jsonl"
        talks.parent.mkdir(exist_ok=True)
        export_data(cm.load(family), talks, form="sft", size=4, least_reward=0.0)
    quick = {"demonstrations": 6, "mixed": 0.34, "passes": 2, "rate": 0.01, "seconds": 600}
    quick |= {"talks": str(talks.parent), "curve_every": 4, "curve_size": 1}
    quick |= {"reward_steps": 1, "instances": 1, "attempts": 2, "max_tokens": 12}
    quick |= {"test": "smoke", "test_limit": 1, "test_families": ["causallink"]}
    quick |= {"warm_up": 1, "step_tokens": 4000, "beyond": ["smoke constrained=true"]}
    changes = [f"{name}={json.dumps(value)}" for name, value in quick.items()]
    example = Path(__file__).parents[3] / "examples" / "train_open_weights.py"
    words = ["train", str(folder), "--before", "--out", str(tmp_path / "one")]
    words += ["--change", *changes]
    monkeypatch.setattr(sys, "argv", words)
    runpy.run_path(str(example), run_name="__main__")
    scores = json.loads((tmp_path / "one" / "scores.json").read_text())
    losses = scores["demonstrations"]["losses"]
    assert losses[-1] < losses[0]
    assert [one["step"] for one in scores["demonstrations"]["curve"]] == [4, len(losses)]
    assert len(scores["reward"]) == len(scores["groups that differ"]) == 1
    assert [one["step"] for one in scores["reward curve"]] == [0, 1]
    assert set(scores["after reward"]) == {"causallink"}
    for key in ("beyond before", "beyond after demonstrations", "beyond"):
        assert scores[key]["smoke constrained=true"]["over"] == 24
    kept = {file.name for file in (tmp_path / "one" / "replies").iterdir()}
    for prefix in ("before-", "demonstrations-", ""):
        assert f"{prefix}beyond-smoke-constrained-true.jsonl" in kept
    stored = json.loads((tmp_path / "one" / "settings.json").read_text())
    assert stored["demonstrations"] == 6
    (tmp_path / "two").mkdir()
    goes_on = stored | {"weights": "runs/one/weights", "talks": ""}
    (tmp_path / "two" / "settings.json").write_text(json.dumps(goes_on))
    again = ["train", "--repeat", str(tmp_path), "--out", str(tmp_path / "again")]
    shorter = ["reward_steps=0", "beyond=[]", "passes=1", "curve_every=0", "test_seconds=0"]
    monkeypatch.setattr(sys, "argv", [*again, "--change", *shorter])
    runpy.run_path(str(example), run_name="__main__")
    repeated = json.loads((tmp_path / "again" / "one" / "scores.json").read_text())
    assert repeated["demonstrations"]["losses"][0] == pytest.approx(losses[0], rel=1e-4)
    begun = json.loads((tmp_path / "again" / "two" / "settings.json").read_text())["weights"]
    assert begun == str(tmp_path / "again" / "one" / "weights")
    assert not (tmp_path / "again" / "two" / "weights").exists()
    apart = ["train", "--repeat", str(tmp_path), "--out", str(tmp_path / "apart"), "--runs", "one"]
    for part in ("train", "test"):
        monkeypatch.setattr(sys, "argv", [*apart, "--part", part, "--change", *shorter])
        runpy.run_path(str(example), run_name="__main__")
    in_parts = json.loads((tmp_path / "apart" / "one" / "scores.json").read_text())
    assert list(in_parts) == list(repeated)
    assert in_parts["after demonstrations"] == repeated["after demonstrations"]


def test_a_reply_that_was_cut_off_does_not_learn_to_end(weights: OpenWeights) -> None:
    talk = [{"role": "user", "content": "move"}, {"role": "assistant", "content": "hold the"}]
    end = weights.tokenizer.eos_token_id

    def list_learned(reply: dict[str, str]) -> list[int]:
        ((tokens, learn),) = encode_talks(weights, [[talk[0], reply]])
        return [token for token, is_learned in zip(tokens, learn, strict=True) if is_learned]

    whole = list_learned(talk[1])
    assert whole[-1] == end
    assert list_learned({**talk[1], "cut": "yes"}) == whole[:-1]


def test_the_replies_alone_are_learned_of_every_conversation(weights: OpenWeights) -> None:
    trims = copy.deepcopy(weights.tokenizer)
    trims.chat_template = TEMPLATE.replace("message.content", "message.content | trim")
    said = ["hold", "", "user", " the cross\n", "!", "hold", "\u00e9"]
    talks = [
        [
            {"role": role, "content": text}
            for reply in said[:count]
            for role, text in (("user", "hold the triangle"), ("assistant", reply))
        ]
        for count in range(1, len(said) + 1)
    ]
    for tokenizer in (weights.tokenizer, trims):
        encoded = encode_talks(OpenWeights(weights.model, tokenizer), talks)
        for talk, (tokens, learn) in zip(talks, encoded, strict=True):
            assert tokens == tokenizer.apply_chat_template(talk, tokenize=True)["input_ids"]
            learned = tokenizer.decode(
                [token for token, is_learned in zip(tokens, learn, strict=True) if is_learned]
            )
            replies = [turn["content"] for turn in talk if turn["role"] == "assistant"]
            kept = replies if tokenizer is weights.tokenizer else map(str.strip, replies)
            assert learned == "".join(reply + "<|im_end|>" for reply in kept)


def test_log_chances_are_those_of_the_library_and_wait_for_no_value(weights: OpenWeights) -> None:
    example = runpy.run_path(str(Path(__file__).parents[3] / "examples" / "train_open_weights.py"))
    draw = torch.Generator().manual_seed(3)
    rows = []
    for length, worth in ((5, 1.0), (40, -0.25), (17, 0.5), (1, 2.0)):
        tokens = torch.randint(3, 300, (length,), generator=draw).tolist()
        rows.append((tokens, (torch.rand(length, generator=draw) < 0.4).tolist(), worth))
    part = example["lay_out"](weights, rows)
    example["sum_log_chances"].__globals__["SCORED"] = 7  # so that there are several slices
    expected = torch.zeros(())
    for tokens, learn, worth in rows:
        chances = weights.model(input_ids=torch.tensor([tokens])).logits[0].log_softmax(dim=-1)
        for place in range(1, len(tokens)):
            if learn[place]:
                expected = expected + worth * chances[place - 1, tokens[place]]
    found = example["sum_log_chances"](weights.model, part)
    torch.testing.assert_close(found, expected, rtol=1e-5, atol=1e-5)
    model = weights.model
    slopes = [torch.autograd.grad(one, model.lm_head.weight)[0] for one in (found, expected)]
    torch.testing.assert_close(*slopes, rtol=1e-4, atol=1e-5)
    # Tensors without values refuse whatever would have to wait for one.
    nowhere = copy.deepcopy(model).to("meta")
    example["sum_log_chances"](nowhere, type(part)(*(one.to("meta") for one in part))).backward()


@pytest.mark.parametrize("temperature", [1.0, 0.5])
def test_the_trainer_sees_the_log_chances_that_the_sampler_had(
    weights: OpenWeights, monkeypatch: pytest.MonkeyPatch, temperature: float
) -> None:
    example = runpy.run_path(str(Path(__file__).parents[3] / "examples" / "train_open_weights.py"))
    choose, had = decoding._choose, []

    def note(scores: Any, heat: float) -> Any:
        token = choose(scores, heat)
        chances = (scores / heat).log_softmax(dim=-1)
        had.append(float(chances[0, token[0]]))
        return token

    monkeypatch.setattr(decoding, "_choose", note)
    torch.manual_seed(5)
    split_anew = 0
    for number in range(6):
        had.clear()
        session = Wish()
        session.messages = [{"role": "user", "content": f"hold {number}"}]
        settings = example["Settings"]("", ("wish",), max_tokens=20)
        talks = example["play_in_step"](weights, [session], settings, temperature=temperature)
        ((tokens, learn),) = encode_attempts(weights, talks)
        part = example["lay_out"](weights, [(tokens, learn, 1.0)])
        found = float(example["sum_log_chances"](weights.model, part, temperature))
        assert found == pytest.approx(sum(had), abs=1e-3)
        split_anew += encode_talks(weights, talks)[0][0] != tokens
    assert split_anew  # of random tokens the text is cut into others


def test_the_digest_is_that_of_the_weights_after_each_step(folder: Path) -> None:
    example = runpy.run_path(str(Path(__file__).parents[3] / "examples" / "train_open_weights.py"))
    weights = OpenWeights.load(folder)
    settings = example["Settings"]("", ("wish",), warm_up=1, recompute=False)
    trainer = example["Trainer"](weights, settings, 0.01)
    found = []
    for _ in range(3):
        found.append(weights.digest)
        assert weights.digest == digest_parameters(weights.model)
        trainer.take_step([([5, 6, 7], [False, True, True], 1.0)], 100)
    assert len(set(found)) == 3


def test_only_groups_that_differ_tell() -> None:
    example = runpy.run_path(str(Path(__file__).parents[3] / "examples" / "train_open_weights.py"))
    compare = example["compare_in_groups"]
    assert compare([0.1] * 6 + [0.0] * 6, 6) == [0.0] * 12
    assert compare([1.0, 0.0, 0.5, 0.5], 2) == [0.5, -0.5, 0.0, 0.0]
    assert example["count_groups_that_differ"]([1.0, 0.0, 0.5, 0.5, 0.1], 2) == 1


def test_reward_gives_up_where_the_curve_fell_or_few_groups_differ() -> None:
    example = runpy.run_path(str(Path(__file__).parents[3] / "examples" / "train_open_weights.py"))
    has_failed = example["has_failed"]
    start, held, fallen = ({"low": low, "high": low + 0.2} for low in (0.6, 0.45, 0.3))
    assert not has_failed([], [], 24)
    assert not has_failed([start, held], [3] * 4 + [6], 24)
    assert has_failed([start, held, fallen], [], 24)
    assert has_failed([], [20, *[5] * 5], 24)


class Wish:
    """A session of one turn, in which the letter "t" is what earns a reward."""

    def __init__(self) -> None:
        self.messages = [{"role": "user", "content": "hold"}]
        self.family = SimpleNamespace(name="wish")
        self.done, self.reward = False, 0.0

    def step(self, text: str) -> SimpleNamespace:
        """Take the reply, and end."""
        self.done, self.reward = True, min(1.0, text.count("t") / 4)
        return SimpleNamespace(done=True, text="")


def test_what_earns_a_reward_gets_likelier_step_by_step(folder: Path) -> None:
    example = runpy.run_path(str(Path(__file__).parents[3] / "examples" / "train_open_weights.py"))
    take_reward_step = example["take_reward_step"]
    settings = example["Settings"](
        str(folder), ("wish",), attempts=16, max_tokens=8, reward_rate=0.1, warm_up=1
    )
    torch.manual_seed(0)
    trainer = example["Trainer"](OpenWeights.load(folder), settings, settings.reward_rate)
    rewards = [take_reward_step(trainer, settings, [Wish() for _ in range(64)]) for _ in range(15)]
    assert rewards[0] < 0.1
    assert min(rewards[-3:]) > 0.9


@pytest.mark.parametrize("begins", [False, True])
def test_a_tokenizer_of_scored_pieces_joins_the_likeliest_first(
    tmp_path: Path, *, begins: bool
) -> None:
    gguf = pytest.importorskip("gguf")
    file, space = tmp_path / "tiny.gguf", "\u2581"
    marks = {"<unk>": 2, "<s>": 3, "</s>": 3, "<note>": 4}
    # "ab" and "bc" both fit "abc": the better score wins, whatever stands first.
    scored = {space: -9, "a": -9, "b": -9, "c": -9, "bc": -2, "ab": -1, space + "ab": -3}
    writer = gguf.GGUFWriter(file, "llama")
    writer.add_tokenizer_model("llama")
    writer.add_token_list([*marks, *scored])
    writer.add_token_scores([0.0] * len(marks) + [float(score) for score in scored.values()])
    writer.add_token_types([*marks.values(), *([1] * len(scored))])
    writer.add_add_space_prefix(begins)
    for add, place in (("bos", 1), ("eos", 2), ("unk", 0)):
        getattr(writer, f"add_{add}_token_id")(place)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.close()
    example = Path(__file__).parents[3] / "examples" / "convert_gguf.py"
    tokenizer = runpy.run_path(str(example))["read_tokenizer"](file)
    first = space + "ab" if begins else "ab"
    assert tokenizer.tokenize("abc ab<note>") == [first, "c", space + "ab", "<note>"]
    ids = tokenizer("abc ab")["input_ids"]
    assert tokenizer.decode(ids, skip_special_tokens=True) == "abc ab"
    assert (tokenizer.bos_token, tokenizer.eos_token) == ("<s>", "</s>")
