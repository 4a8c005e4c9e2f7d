"""Write the replies of one batch, a token for every row at a time.

Transformers' own loop is made for one conversation: each token costs hundreds of kernel launches,
and with a mask for padding every key and value is copied once for each head that shares it. Here
keys and values stay where they are, in a cache of fixed size, so that a GPU can replay one recorded
graph for each token. On a CPU the same loop runs without a graph. What was read of a conversation
can be kept, so that its next turn reads only what is new.
"""

import copy
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from causarium.errors import UsageError

GROUPED = "causarium_grouped"
"""The name under which Transformers knows `attend_in_groups`."""
_NOT_MADE = ("softcap", "s_aux")
"""What some models (Gemma 2, gpt-oss) ask of attention, and would be wrong without."""
_EAGER_STEPS = 3
"""Steps before a graph is recorded, so that libraries have made their choices."""
_FEW = 4
"""Rows that ended leave a batch once no more than one in so many goes on."""
_LONG = 128
"""They stay if fewer tokens than this can follow: another graph has to be recorded then."""
_CACHE_STEP = 64
"""A cache is a multiple of this: kernels want a mask with aligned rows."""


@dataclass(frozen=True, slots=True)
class ReadPrefix:
    """What a model has read of one conversation."""

    tokens: Sequence[int]
    layers: Any
    """Layers x 2 (keys, values) x shared heads x tokens x width."""

    def count_shared(self, tokens: Sequence[int]) -> int:
        """Return how many of the first tokens of a conversation are these."""
        least = min(len(self.tokens), len(tokens))
        if self.tokens[:least] == tokens[:least]:  # as a rule, and much faster to see
            return least
        pairs = enumerate(zip(self.tokens, tokens, strict=False))
        return next((place for place, (known, token) in pairs if known != token), least)


def use_grouped_attention(model: Any) -> None:
    """Make a model of Transformers attend by `attend_in_groups` from now on."""
    import torch
    from transformers import AttentionInterface
    from transformers.masking_utils import AttentionMaskInterface, sdpa_mask

    AttentionInterface.register(GROUPED, attend_in_groups)
    AttentionMaskInterface.register(GROUPED, sdpa_mask)
    model.set_attn_implementation(GROUPED)
    # cuDNN, which torch prefers on some GPUs, plans each shape anew, and every batch has its own.
    torch.backends.cuda.enable_cudnn_sdp(enabled=False)


def attend_in_groups(
    module: Any, query: Any, key: Any, value: Any, attention_mask: Any, **how: Any
) -> tuple[Any, Any]:
    """Attend from one new token without a copy of the keys for each head that shares them.

    Args:
        module: The attention layer.
        query: Rows x heads x new tokens x width.
        key: Rows x shared heads x all tokens x width.
        value: As the keys.
        attention_mask: Which tokens each row sees; None: all.
        how: What else Transformers passes on, `scaling` among it.

    Raises:
        UsageError: The model attends in a way that is not made here.
    """
    import torch
    from transformers.integrations.sdpa_attention import sdpa_attention_forward

    if beyond := [name for name in _NOT_MADE if how.get(name) is not None]:
        raise UsageError(f"local-hf cannot run this model: its attention needs {beyond[0]}")
    rows, heads, new, width = query.shape
    shared = key.shape[1]
    if new > 1 or heads == shared or attention_mask is None:
        whole: tuple[Any, Any] = sdpa_attention_forward(
            module, query, key, value, attention_mask, **how
        )
        return whole
    # The heads of a group stand where the new tokens would: one product serves them all.
    seen = torch.nn.functional.scaled_dot_product_attention(
        query.view(rows, shared, heads // shared, width),
        *(key, value),
        attn_mask=attention_mask.expand(rows, 1, heads // shared, attention_mask.shape[-1]),
        scale=how.get("scaling"),
    )
    return seen.reshape(rows, 1, heads, width), None


def decode_batch(
    model: Any,
    prompts: Sequence[Sequence[int]],
    *,
    room: int,
    ends: Sequence[int],
    temperature: float = 0.0,
    hold: "SchemaMasks | None" = None,
    known: Sequence[ReadPrefix | None] = (),
) -> tuple[list[list[int]], list[ReadPrefix]]:
    """Return the new tokens of each row, up to its end and without it, and what was read.

    Args:
        model: A causal language model that `use_grouped_attention` has seen.
        prompts: The rows' tokens; shorter ones are padded on the left.
        room: New tokens at most.
        ends: Tokens that end a row.
        temperature: 0 takes the likeliest token each time.
        hold: What the rows are held to.
        known: What was read of each row before, if anything was.
    """
    import torch

    width, device = max(map(len, prompts)), model.device
    ids = torch.full((len(prompts), width), ends[0])  # nobody sees what stands for padding
    told = torch.zeros((len(prompts), width), dtype=torch.bool)
    for row, line in enumerate(prompts):
        ids[row, width - len(line) :] = torch.tensor(line)
        told[row, width - len(line) :] = True
    with torch.inference_mode():
        memory = _Memory(model, len(prompts), width + room)
        begin = memory.recall(prompts, known) if any(known) else 0
        steps = _Steps(model, ids.to(device), told.to(device), memory, begin)
        stops = torch.tensor(list(ends), device=device)
        over = torch.zeros(len(prompts), dtype=torch.bool, device=device)
        rows: dict[int, list[int]] = {}
        reads: dict[int, ReadPrefix] = {}
        batch = list(range(len(prompts)))  # which prompt each row is of
        written: list[Any] = []
        latest: list[int] | None = None
        scores = steps.first
        while True:
            scores = scores.float()
            if hold is not None:
                scores = hold(latest, scores)
            token = _choose(scores, temperature).masked_fill(over, ends[0])
            over |= torch.isin(token, stops)
            written.append(token)
            ended = over.tolist()
            is_last = len(written) == room or all(ended)
            going = [row for row, has_ended in enumerate(ended) if not has_ended]
            is_narrow = len(going) * _FEW <= len(batch) and room - len(written) >= _LONG
            if is_last or is_narrow:
                lines = torch.stack(written, dim=1).tolist()
                for row, number in enumerate(batch):
                    if is_last or ended[row]:
                        rows[number] = _cut(lines[row], set(ends))
                        # The last token of a row was chosen and not read.
                        read = [*prompts[number], *rows[number][: len(written) - 1]]
                        first = width - len(prompts[number])
                        reads[number] = memory.keep_row(row, read, first)
            if is_last:
                break
            if is_narrow:
                kept = torch.tensor(going, device=device)
                token, over = token[kept], over[kept]
                written = list(torch.stack(written)[:, kept])
                batch = [batch[row] for row in going]
                steps.narrow(kept)
                if hold is not None:
                    hold.narrow(going)
            latest = token.tolist() if hold is not None else None
            scores = steps.take(token)
        return [rows[number] for number in sorted(rows)], [reads[n] for n in sorted(reads)]


def _choose(scores: Any, temperature: float) -> Any:
    import torch

    if temperature <= 0:
        return scores.argmax(dim=-1)
    return torch.multinomial(torch.softmax(scores / temperature, dim=-1), 1).squeeze(1)


def _cut(row: list[int], ends: set[int]) -> list[int]:
    return row[: next((place for place, token in enumerate(row) if token in ends), len(row))]


def _find_window(config: Any) -> int | None:
    """Return how far back the layers look that do not see everything; None: all see it."""
    kinds = getattr(config, "layer_types", None) or ()
    return config.sliding_window if "sliding_attention" in kinds else None


class _Memory:
    """What was read of a batch: a cache of Transformers, laid into one tensor for all layers.

    So what is known of a row is copied at once, not layer by layer.
    """

    def __init__(self, model: Any, rows: int, most: int) -> None:
        import torch
        from transformers import StaticCache

        # Layers that look back a little way keep everything too: what they see is in their mask.
        facts = copy.deepcopy(model.config.get_text_config())
        if _find_window(facts) is not None:
            facts.layer_types = ["full_attention"] * len(facts.layer_types)
            facts.sliding_window = None
        length = -(-most // _CACHE_STEP) * _CACHE_STEP
        self.cache = StaticCache(config=facts, max_cache_len=length)
        heads = getattr(facts, "num_key_value_heads", None) or facts.num_attention_heads
        width = getattr(facts, "head_dim", None) or facts.hidden_size // facts.num_attention_heads
        self._states = torch.zeros(
            (len(self.cache.layers), 2, rows, heads, length, width),
            dtype=model.dtype,
            device=model.device,
        )
        for layer, (keys, values) in zip(self.cache.layers, self._states, strict=True):
            layer.lazy_initialization(keys, values)
            layer.keys, layer.values = keys, values  # at once: its own would take as much room

    def recall(self, prompts: Sequence[Sequence[int]], known: Sequence[ReadPrefix | None]) -> int:
        """Take in what is known of each row; returns the column to read on from."""
        width = max(map(len, prompts))
        # The last token is read in any case: what follows it is asked for.
        shared = [
            min(read.count_shared(line), len(line) - 1) if read else 0
            for read, line in zip(known, prompts, strict=True)
        ]
        begin = width - max(len(line) - n for n, line in zip(shared, prompts, strict=True))
        if begin <= 0:
            return 0
        for row, (read, line) in enumerate(zip(known, prompts, strict=True)):
            first = width - len(line)
            if read is not None and first < begin:
                self._states[:, :, row, :, first:begin] = read.layers[..., : begin - first, :]
        for layer in self.cache.layers:
            layer.cumulative_length.fill_(begin)
        return begin

    def keep_row(self, row: int, read: list[int], first: int) -> ReadPrefix:
        """Return what was read of a row, from its first column on."""
        return ReadPrefix(read, self._states[:, :, row, :, first : first + len(read)].clone())

    def narrow(self, rows: Any) -> None:
        """Go on with these rows alone."""
        self._states = self._states[:, :, rows]
        for layer, (keys, values) in zip(self.cache.layers, self._states, strict=True):
            layer.keys, layer.values = keys, values


class _Steps:
    """Prompts that were read, and what the model says after each token more."""

    def __init__(self, model: Any, ids: Any, told: Any, memory: _Memory, begin: int) -> None:
        import torch

        rows, self._width = ids.shape
        self._model, self._memory = model, memory
        self._window = _find_window(model.config.get_text_config())
        place = (told.cumsum(dim=1) - 1).clamp(min=0)
        out = model(
            input_ids=ids[:, begin:],
            attention_mask=told,
            position_ids=place[:, begin:],
            past_key_values=memory.cache,
            use_cache=True,
            logits_to_keep=1,
        )
        self.first = out.logits[:, -1]
        self._token = torch.zeros((rows, 1), dtype=torch.long, device=ids.device)
        self._place = place[:, -1:] + 1
        length = memory.cache.layers[0].keys.shape[2]
        self._seen = torch.zeros((rows, 1, 1, length), dtype=torch.bool, device=ids.device)
        self._seen[:, 0, 0, : self._width] = told
        self._near = self._seen.clone()
        self._count = 0
        self._eager = _EAGER_STEPS
        self._scores: Any = None
        self._graph: Any = None

    def take(self, token: Any) -> Any:
        """Return the scores after one token more in each row."""
        import torch

        self._token.copy_(token.unsqueeze(1))
        now = self._width + self._count
        self._seen[..., now] = True
        if self._window is not None:
            self._near.copy_(self._seen)
            self._near[..., : max(0, now + 1 - self._window)] = False
        if self._graph is not None:
            self._graph.replay()
        elif self._eager or token.device.type != "cuda":
            self._scores = self._forward()
            self._eager = max(0, self._eager - 1)
        else:
            self._graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(self._graph):
                self._scores = self._forward()
            self._graph.replay()
        self._place += 1
        self._count += 1
        return self._scores

    def narrow(self, rows: Any) -> None:
        """Go on with these rows alone."""
        self._graph = self._scores = None  # before the cache is copied: they hold memory
        self._eager = _EAGER_STEPS
        self._memory.narrow(rows)
        self._token, self._place = self._token[rows], self._place[rows]
        self._seen, self._near = self._seen[rows], self._near[rows]

    def _forward(self) -> Any:
        masks = {"full_attention": self._seen, "sliding_attention": self._near}
        out = self._model(
            input_ids=self._token,
            attention_mask=self._seen if self._window is None else masks,
            position_ids=self._place,
            past_key_values=self._memory.cache,
            use_cache=True,
        )
        return out.logits[:, -1]


class SchemaMasks:
    """Lets each row of a batch go on only with tokens that its schema allows."""

    def __init__(
        self, grammars: Any, schemas: Sequence[Mapping[str, Any] | None], end: int
    ) -> None:
        """Begin before the first new token.

        Args:
            grammars: The tokenizer as llguidance knows it.
            schemas: One a row; None leaves a row free.
            end: The token that must follow what is complete.
        """
        import llguidance
        import llguidance.torch

        self._masks, self._end = llguidance.torch, end
        self._threads = llguidance.LLExecutor()
        self._matchers: list[Any] = []
        for schema in schemas:
            if schema is None:
                self._matchers.append(None)
                continue
            text = llguidance.LLMatcher.grammar_from_json_schema(json.dumps(schema))
            matcher = llguidance.LLMatcher(grammars, text)
            if matcher.is_error():
                raise UsageError(f"llguidance cannot hold a reply to it: {matcher.get_error()}")
            self._matchers.append(matcher)
        self._bits = self._masks.allocate_token_bitmask(len(schemas), grammars.vocab_size)

    def narrow(self, rows: Sequence[int]) -> None:
        """Go on with these rows alone."""
        self._matchers = [self._matchers[row] for row in rows]
        self._bits = self._bits[: len(rows)]

    def __call__(self, latest: list[int] | None, scores: Any) -> Any:
        """Return the scores of the next tokens, minus infinity where the schema allows none.

        Args:
            latest: Each row's latest token; None before the first.
            scores: Of the next tokens, by row.
        """
        self._bits.fill_(-1)
        going = [
            (row, one) for row, one in enumerate(self._matchers) if one and not one.is_stopped()
        ]
        if latest is not None:
            for row, matcher in going:
                matcher.consume_token(latest[row])
        asked = [(matcher, row) for row, matcher in going if not matcher.is_stopped()]
        if asked:
            self._masks.fill_next_token_bitmask_par(self._threads, asked, self._bits)
        self._masks.apply_token_bitmask_inplace(scores, self._bits.to(scores.device))
        complete = [row for row, one in enumerate(self._matchers) if one and one.is_stopped()]
        scores[complete] = -math.inf
        scores[complete, self._end] = 0.0
        return scores
