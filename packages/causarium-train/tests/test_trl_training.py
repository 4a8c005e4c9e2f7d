"""TRL's own trainer plays an episode of every family to its end and takes a step.

`pip install trl datasets torch`, beside causarium. The model is made here, with a handful of
weights. It is a real one, and the trainer computes its loss and gradient; only what it samples is
laid down: one attempt of a group says what the oracle would call, the other says nothing.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from causarium_train.trl_environment import environment, name_tool

from causarium.contract.texts.say_action import visible_fields
from tests.support.talking_players import every_family, play_directly

pytestmark = [pytest.mark.long, pytest.mark.filterwarnings("default")]
trl = pytest.importorskip("trl", reason="needs trl")

import torch
from datasets import Dataset
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast, Qwen3Config, Qwen3ForCausalLM

EXAMPLE = Path(__file__).resolve().parents[3] / "examples/train_with_trl.py"
TEMPLATE = Path(trl.__file__).parent / "chat_templates/qwen3.jinja"
MARKS = ["<|endoftext|>", "<|im_start|>", "<|im_end|>", "<tool_call>", "</tool_call>"]
MARKS += ["<tool_response>", "</tool_response>", "<think>", "</think>"]


def make_tokenizer() -> PreTrainedTokenizerFast:
    """Return a tokenizer with a token a byte."""
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    inner = Tokenizer(models.BPE(vocab={sign: n for n, sign in enumerate(alphabet)}, merges=[]))
    inner.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    inner.decoder = decoders.ByteLevel()
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=inner, eos_token="<|im_end|>", pad_token="<|endoftext|>"
    )
    tokenizer.add_tokens(MARKS, special_tokens=False)
    tokenizer.chat_template = TEMPLATE.read_text()
    return tokenizer


def make_config(tokenizer: PreTrainedTokenizerFast) -> Qwen3Config:
    return Qwen3Config(
        vocab_size=len(tokenizer),
        hidden_size=16,
        intermediate_size=16,
        num_hidden_layers=1,
        num_attention_heads=1,
        num_key_value_heads=1,
        head_dim=16,
        max_position_embeddings=65536,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
    )


class Scripted(Qwen3ForCausalLM):
    """Says the next call of a list on every other attempt, and nothing on the rest."""

    tokenizer: Any
    calls: list[str]

    def generate(self, input_ids: torch.Tensor, **_: Any) -> torch.Tensor:
        texts = self.tokenizer.batch_decode(input_ids)
        # Once tools have answered, the attempts that said nothing are no longer in the batch.
        said = [self._say(text, row) for row, text in enumerate(texts)]
        ends = [self.tokenizer(f"{text}<|im_end|>")["input_ids"] for text in said]
        longest = max(map(len, ends))
        filled = [end + [self.tokenizer.pad_token_id] * (longest - len(end)) for end in ends]
        return torch.cat([input_ids, torch.tensor(filled)], dim=1)

    def _say(self, text: str, row: int) -> str:
        turn = text.count("<tool_response>")
        return "Nothing." if row % 2 or turn == len(self.calls) else self.calls[turn]


@every_family
def test_an_episode_is_played_to_its_end_and_learned_from(name: str, tmp_path: Path) -> None:
    played = environment(name)
    first = played()
    first.reset(index=0)
    _, actions = play_directly(first._session, "oracle")
    calls = [
        json.dumps({"name": name_tool(type(action)), "arguments": visible_fields(action)})
        for action in actions
    ]
    torch.manual_seed(0)
    tokenizer = make_tokenizer()
    model = Scripted(make_config(tokenizer))
    model.tokenizer = tokenizer
    model.calls = [f"<tool_call>\n{call}\n</tool_call>" for call in calls]
    before = [weights.clone() for weights in model.parameters()]
    trainer = trl.GRPOTrainer(
        model=model,
        processing_class=tokenizer,
        train_dataset=Dataset.from_list(
            [{"prompt": [{"role": "user", "content": "Play.\n\n"}], "index": 0}]
        ),
        environment_factory=played,
        args=trl.GRPOConfig(
            output_dir=str(tmp_path),
            max_steps=1,
            num_generations=2,
            per_device_train_batch_size=2,
            max_completion_length=60_000,
            max_tool_calling_iterations=len(calls) + 1,
            use_cpu=True,
            logging_steps=1,
            report_to=[],
        ),
    )
    trainer.train()
    won, silent = trainer.environments
    assert (won.is_done, won.get_reward()) == (True, 1.0)
    assert (silent.is_done, silent.get_reward()) == (False, 0.0)
    logged = next(entry for entry in trainer.state.log_history if "reward" in entry)
    assert logged[f"rewards/{played.__name__}/mean"] == 0.5
    assert logged["tools/call_frequency"] == len(calls) / 2
    assert logged["tools/failure_frequency"] == 0
    assert logged["grad_norm"] > 0
    after = list(model.parameters())
    assert any(not torch.equal(old, new) for old, new in zip(before, after, strict=True))


def test_the_script_trains_and_saves(tmp_path: Path) -> None:
    tokenizer = make_tokenizer()
    torch.manual_seed(0)
    Qwen3ForCausalLM(make_config(tokenizer)).save_pretrained(tmp_path / "tiny")
    tokenizer.save_pretrained(tmp_path / "tiny")
    command = [sys.executable, str(EXAMPLE), "--model", str(tmp_path / "tiny"), "--steps", "1"]
    command += ["--instances", "8", "--cpu", "--tokens", "64", "--out", str(tmp_path / "trained")]
    quiet = {**os.environ, "HF_HUB_OFFLINE": "1"}
    done = subprocess.run(command, env=quiet, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "trained/model.safetensors").is_file()
    assert "reward" in done.stdout
