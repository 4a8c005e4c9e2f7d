"""Open weights in a folder, and many replies at once: batched generation with Transformers.

Prompts are sorted by length and answered in batches that fit a number of tokens. A reply is free,
or held to a JSON schema by masks over the next token. What was read of a conversation is kept for
its next turn. Nothing here knows Inspect, so that it also runs where only torch, Transformers and
causarium's sessions are.
"""

import hashlib
import importlib.util
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import chain
from pathlib import Path
from typing import Any, Literal, Protocol

from causarium.errors import BadFile, UsageError
from causarium_local.decoding import ReadPrefix, SchemaMasks, decode_batch, use_grouped_attention

Stop = Literal["stop", "max_tokens", "model_length"]
"""Why a reply ended: by itself, at the limit, or before it began because the prompt is too long."""

MOST_ROWS = 256
GPU_TOKENS = 400_000
"""Prompt and reply tokens of one batch on a GPU: 40 GB with 1.5 billion weights."""
CPU_TOKENS = 16_000
SMALLEST_BATCH = 1_000
"""Where even so many tokens do not fit, smaller batches would not help."""
REMEMBERED = 2
"""So many batches' worth of tokens are kept for the next turns."""
END_MARKS = ("<|im_end|>", "<|endoftext|>", "<|eot_id|>", "<end_of_turn>")
"""Where instruction-tuned models end their turn; a converted tokenizer may not say so itself."""
_NEEDED = ("torch", "transformers")
_BLOCK = 1 << 24
_SENTENCE = "The second lever moves whenever the first one is pulled."
_MANY_PIECES = 10_000


@dataclass(frozen=True)
class Prompt:
    """One conversation that waits for a reply."""

    messages: tuple[tuple[str, str], ...]
    """Role and text, in order."""
    max_tokens: int = 1024
    schema: Mapping[str, Any] | None = None
    """The JSON schema that holds the reply; None leaves it free."""
    temperature: float = 0.0
    """0 takes the likeliest token each time."""

    @cached_property
    def key(self) -> str:
        """What a recorded reply is found by: a digest of the conversation."""
        return _digest_messages(self.messages)

    @cached_property
    def earlier_key(self) -> str:
        """The key of this conversation one turn ago: before the latest reply and what followed."""
        roles = [role for role, _ in self.messages]
        replies = [place for place, role in enumerate(roles) if role == "assistant"]
        return _digest_messages(self.messages[: replies[-1]]) if replies else ""

    @cached_property
    def opening_key(self) -> str:
        """A digest of what was said before the first reply."""
        roles = [role for role, _ in self.messages]
        end = roles.index("assistant") if "assistant" in roles else len(roles)
        return _digest_messages(self.messages[:end])


def _digest_messages(messages: Sequence[tuple[str, str]]) -> str:
    text = json.dumps([list(message) for message in messages], ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:32]


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model wrote."""

    text: str
    stop: Stop
    input_tokens: int
    output_tokens: int
    tokens: tuple[int, ...] = ()
    """The tokens that were drawn, without the one that ends them; none where that is not known."""


class Writer(Protocol):
    """Whatever writes replies to many prompts at once."""

    def write_replies(self, prompts: Sequence[Prompt]) -> list[Reply]:
        """Return one reply a prompt, in order."""


def check_folder(folder: Path) -> Path:
    """Return `folder` if it holds weights that Transformers can load, and the extra is installed.

    Raises:
        BadFile: There is no such folder, or it has no configuration or no weights.
        UsageError: torch or Transformers is not installed.
    """
    if not folder.is_dir():
        raise BadFile(f"there is no folder {folder}; local-hf:FOLDER names one with open weights")
    if not (folder / "config.json").is_file() or not list(folder.glob("*.safetensors")):
        raise BadFile(
            f"{folder} holds no config.json with *.safetensors beside it; `save_pretrained` of "
            "Transformers writes such a folder"
        )
    missing = [name for name in _NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        raise UsageError(
            f"local-hf needs {' and '.join(missing)}, which an extra installs: "
            "pip install 'causarium[gpu]'"
        )
    return folder


def check_tokenizer(tokenizer: Any, folder: Path) -> None:
    """Refuse a tokenizer of many pieces that spells words letter by letter all the same.

    One that was converted without its merges does, and the model reads what it never learned to.

    Raises:
        UsageError: It spells.
    """
    count = len(tokenizer(_SENTENCE, add_special_tokens=False)["input_ids"])
    if len(tokenizer) >= _MANY_PIECES and count > len(_SENTENCE) / 2:
        raise UsageError(
            f"the tokenizer in {folder} has {len(tokenizer)} pieces and takes {count} tokens for "
            f"{_SENTENCE!r}: its merges were lost; take the model's own tokenizer.json"
        )


def digest_parameters(model: Any) -> str:
    """Return the SHA-256 over a model's parameters as they are in memory, in the order of names."""
    import torch

    whole = hashlib.sha256()
    for _, one in sorted(model.named_parameters()):
        whole.update(one.detach().cpu().contiguous().view(torch.uint8).numpy())
    return whole.hexdigest()


def digest_weights(folder: Path) -> str:
    """Return the SHA-256 over all weight files of a folder, in the order of their names."""
    whole = hashlib.sha256()
    for file in sorted(folder.glob("*.safetensors")):
        with file.open("rb") as opened:
            while block := opened.read(_BLOCK):
                whole.update(block)
    return whole.hexdigest()


class OpenWeights:
    """A causal language model in memory, with its tokenizer."""

    def __init__(self, model: Any, tokenizer: Any, *, batch_tokens: int | None = None) -> None:
        """Take a model and a tokenizer of Transformers as they are.

        Args:
            model: What `AutoModelForCausalLM` loads.
            tokenizer: Its tokenizer, with a chat template.
            batch_tokens: Tokens of one batch, prompts and replies; None: what suits the device.
        """
        self.model, self.tokenizer = model, tokenizer
        use_grouped_attention(model)
        on_gpu = model.device.type == "cuda"
        self.batch_tokens = batch_tokens or (GPU_TOKENS if on_gpu else CPU_TOKENS)
        facts = model.config.get_text_config()
        self.longest = int(getattr(facts, "max_position_embeddings", 0) or 1 << 30)
        self.ends = find_end_tokens(model, tokenizer)
        self.pad = tokenizer.pad_token_id if tokenizer.pad_token_id is not None else self.ends[0]
        self._mark = find_cut(tokenizer, self.ends)
        self._pieces: dict[str, list[int]] = {}
        """The tokens of what was said in the latest conversations, by its text."""
        self._grammars: Any = None
        self._digest = ""
        self._read: dict[str, ReadPrefix] = {}
        self._idle: list[str] = []
        """Keys of what was read and not asked to go on, the oldest first."""

    def forget(self) -> None:
        """Drop what was read, and the digest: other weights would have others."""
        self._read.clear()
        self._digest = ""

    @property
    def digest(self) -> str:
        """The SHA-256 over the parameters; seconds for billions of them, so it is kept."""
        self._digest = self._digest or digest_parameters(self.model)
        return self._digest

    @classmethod
    def load(cls, folder: Path, *, batch_tokens: int | None = None) -> "OpenWeights":
        """Load a folder: in bfloat16 on a GPU where there is one, else in float32 here.

        Args:
            folder: What `save_pretrained` wrote.
            batch_tokens: Tokens of one batch; None: what suits the device.

        Raises:
            BadFile: The folder holds no weights.
            UsageError: torch or Transformers is not installed, there is no chat template, or the
                tokenizer spells words letter by letter.
        """
        check_folder(folder)
        import torch
        from transformers import AutoModelForCausalLM, AutoTokenizer

        device, kind = (
            ("cuda", torch.bfloat16) if torch.cuda.is_available() else ("cpu", torch.float32)
        )
        tokenizer = AutoTokenizer.from_pretrained(str(folder), local_files_only=True)
        if not tokenizer.chat_template:
            raise UsageError(
                f"the tokenizer in {folder} has no chat template; this model is no "
                "instruction-tuned one, or the template was lost when it was saved"
            )
        check_tokenizer(tokenizer, folder)
        model = AutoModelForCausalLM.from_pretrained(str(folder), dtype=kind, local_files_only=True)
        return cls(model.to(device).eval(), tokenizer, batch_tokens=batch_tokens)

    def encode(self, talks: Sequence[Sequence[tuple[str, str]]]) -> list[list[int]]:
        """Return conversations as tokens, up to where the reply begins; many cores share them."""
        template = partial(
            self.tokenizer.apply_chat_template, tokenize=False, add_generation_prompt=True
        )
        chats = [[{"role": role, "content": text} for role, text in talk] for talk in talks]
        # A long conversation differs from its turn before by its last two messages alone.
        cuts = [_cut_after(self._mark, template(chat)) for chat in chats]
        known = self._pieces
        new = [piece for piece in dict.fromkeys(chain(*cuts)) if piece not in known]
        if new:
            found = self.tokenizer(new, add_special_tokens=False)["input_ids"]
            known = known | dict(zip(new, found, strict=True))
        self._pieces = {piece: known[piece] for piece in chain(*cuts)}
        return [list(chain.from_iterable(known[piece] for piece in cut)) for cut in cuts]

    def write_replies(self, prompts: Sequence[Prompt]) -> list[Reply]:
        """Return one reply a prompt, in order; a prompt that does not fit the model gets none.

        Where memory runs out, what was read is dropped, and batches are half as large from now on.
        """
        import torch

        replies: dict[int, Reply] = {}
        while missing := [row for row in range(len(prompts)) if row not in replies]:
            try:
                for number, reply in self._write_batches([prompts[row] for row in missing]):
                    replies[missing[number]] = reply
            except RuntimeError as wrong:
                if self.batch_tokens < SMALLEST_BATCH or not is_short_of_memory(wrong):
                    raise
                self.batch_tokens //= 2
                self.forget()
            else:
                break
            # Here, where what was raised no longer holds the batch: others may need the room too.
            torch.cuda.empty_cache()
        return [replies[row] for row in range(len(prompts))]

    def _write_batches(self, prompts: Sequence[Prompt]) -> Iterator[tuple[int, Reply]]:
        """Yield replies with the numbers of their prompts, as batches are done."""
        tokens = self.encode([prompt.messages for prompt in prompts])
        known = [self._read.get(prompt.earlier_key) for prompt in prompts]
        for prompt in prompts:
            self._read.pop(prompt.earlier_key, None)
        self._idle = list(self._read)
        for batch in plan_batches(
            tokens, prompts, self.batch_tokens, longest=self.longest, known=known
        ):
            fits = [row for row in batch if len(tokens[row]) < self.longest]
            for row in set(batch) - set(fits):
                yield row, Reply("", "model_length", len(tokens[row]), 0)
            if fits:
                chosen = [prompts[row] for row in fits]
                before = [known[row] for row in fits]
                for row in fits:
                    known[row] = None  # it takes as much room as what is read now
                written = self._write_batch([tokens[row] for row in fits], chosen, before)
                yield from zip(fits, written, strict=True)

    def _write_batch(
        self, tokens: list[list[int]], prompts: list[Prompt], known: list[ReadPrefix | None]
    ) -> list[Reply]:
        room = min(prompts[0].max_tokens, self.longest - max(map(len, tokens)))
        held = any(prompt.schema is not None for prompt in prompts)
        rows, reads = decode_batch(
            *(self.model, tokens),
            room=room,
            ends=self.ends,
            temperature=prompts[0].temperature,
            hold=self._hold_to_schemas(prompts) if held else None,
            known=known,
        )
        self._remember(prompts, reads)
        return [
            Reply(
                self.tokenizer.decode(row, skip_special_tokens=True),
                "stop" if len(row) < room else "max_tokens",
                *(len(line), len(row)),
                tuple(row),
            )
            for row, line in zip(rows, tokens, strict=True)
        ]

    def _remember(self, prompts: Sequence[Prompt], reads: Sequence[ReadPrefix]) -> None:
        kept = sum(len(read.tokens) for read in self._read.values())
        for prompt, read in zip(prompts, reads, strict=True):
            if prompt.key in self._read:
                continue
            kept += len(read.tokens)
            while self._idle and kept > REMEMBERED * self.batch_tokens:
                kept -= len(self._read.pop(self._idle.pop(0)).tokens)
            # Those of this call stay: where not all fit, dropping the first would leave none.
            if kept > REMEMBERED * self.batch_tokens:
                return
            self._read[prompt.key] = read

    def _hold_to_schemas(self, prompts: Sequence[Prompt]) -> SchemaMasks:
        if self._grammars is None:
            if importlib.util.find_spec("llguidance") is None:
                raise UsageError(
                    "replies of local-hf are held to a schema by llguidance, which is not here: "
                    "pip install 'causarium[gpu]', or give --rule constrained=false"
                )
            import llguidance.hf

            size = self.model.get_output_embeddings().weight.shape[0]
            self._grammars = llguidance.hf.from_tokenizer(
                self.tokenizer, n_vocab=size, eos_token=self.ends[0]
            )
        return SchemaMasks(self._grammars, [prompt.schema for prompt in prompts], self.ends[0])


def is_short_of_memory(wrong: BaseException | None) -> bool:
    """Return whether memory ran out, by whatever a library raises then.

    Recording or starting a graph fails with an error of CUDA's own, and the end of a recording that
    was broken off may raise another over it.
    """
    import torch

    return wrong is not None and (
        isinstance(wrong, torch.OutOfMemoryError)
        or any(sign in str(wrong) for sign in ("out of memory", "ALLOC_FAILED"))
        or is_short_of_memory(wrong.__context__)
    )


def find_cut(tokenizer: Any, ends: Sequence[int]) -> str:
    """Return the mark after which a conversation may be cut and become the same tokens.

    Empty: nowhere. Some tokenizers take the space after a mark for part of it, or put one before
    what comes first.
    """
    chat = tokenizer.apply_chat_template([{"role": "user", "content": "the"}], tokenize=False)
    mark = next((mark for mark in map(tokenizer.decode, ends) if mark in chat), "")

    def encode(text: str) -> list[int]:
        return list(tokenizer(text, add_special_tokens=False)["input_ids"])

    parts = [f"the {mark}", f"\nthe {mark}", f" {mark}", "the"]
    is_same = encode("".join(parts)) == list(chain.from_iterable(map(encode, parts)))
    return mark if is_same else ""


def _cut_after(mark: str, text: str) -> list[str]:
    *whole, last = text.split(mark) if mark else [text]
    return [*(piece + mark for piece in whole), last]


def find_end_tokens(model: Any, tokenizer: Any) -> list[int]:
    """Return the tokens that end a reply: the tokenizer's, the model's, and known marks."""
    own = getattr(model.generation_config, "eos_token_id", None)
    known = tokenizer.get_vocab()
    found = [tokenizer.eos_token_id, *(own if isinstance(own, list) else [own])]
    found += [known.get(mark) for mark in END_MARKS]
    ends = [int(token) for token in dict.fromkeys(found) if token is not None]
    if not ends:
        raise UsageError("neither the tokenizer nor the model says which token ends a reply")
    return ends


def plan_batches(
    tokens: Sequence[Sequence[int]],
    prompts: Sequence[Prompt],
    batch_tokens: int,
    *,
    longest: int = 1 << 30,
    known: Sequence[ReadPrefix | None] = (),
) -> Iterator[list[int]]:
    """Yield rows that are generated together: alike in settings and close in length.

    Args:
        tokens: The prompts as tokens.
        prompts: The prompts.
        batch_tokens: Tokens of one batch, prompts and replies; a longer prompt goes alone.
        longest: What the model reads and writes at most; a row near it would cut the others short.
        known: What was read of each before; beside a new one all would be read from the start.
    """
    alike: dict[tuple[int, float, bool, bool], list[int]] = {}
    for row, prompt in enumerate(prompts):
        room = min(prompt.max_tokens, longest - len(tokens[row]))
        is_known = bool(known) and known[row] is not None
        kind = (room, prompt.temperature, prompt.schema is not None, is_known)
        alike.setdefault(kind, []).append(row)
    for (room, *_), rows in alike.items():
        batch: list[int] = []
        for row in sorted(rows, key=lambda row: len(tokens[row])):
            size = (len(batch) + 1) * (len(tokens[row]) + room)
            if batch and (size > batch_tokens or len(batch) >= MOST_ROWS):
                yield batch
                batch = []
            batch.append(row)
        if batch:
            yield batch
