"""Write the replies of one batch, a token for every row at a time.

Transformers' own loop is made for one conversation: each token costs hundreds of kernel launches,
and with a mask for padding every key and value is copied once for each head that shares it. Here
keys and values stay where they are, in a cache of fixed size, so that a GPU can replay one recorded
graph for each token. On a CPU the same loop runs without a graph.
"""

import copy
import json
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from causarium.errors import UsageError

GROUPED = "causarium_grouped"
"""The name under which Transformers knows `attend_in_groups`."""
_EAGER_STEPS = 3
"""Steps before a graph is recorded, so that libraries have made their choices."""
_CACHE_STEP = 64
"""A cache is a multiple of this: kernels want a mask with aligned rows."""


def use_grouped_attention(model: Any) -> None:
    """Make a model of Transformers attend by `attend_in_groups` from now on."""
    from transformers import AttentionInterface
    from transformers.masking_utils import AttentionMaskInterface, sdpa_mask

    AttentionInterface.register(GROUPED, attend_in_groups)
    AttentionMaskInterface.register(GROUPED, sdpa_mask)
    model.set_attn_implementation(GROUPED)


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
    """
    import torch
    from transformers.integrations.sdpa_attention import sdpa_attention_forward

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
    pad: int,
    temperature: float = 0.0,
    hold: Callable[[list[int] | None, Any], Any] | None = None,
) -> list[list[int]]:
    """Return the new tokens of each row, up to its end and without it.

    Args:
        model: A causal language model that `use_grouped_attention` has seen.
        prompts: The rows' tokens; shorter ones are padded on the left.
        room: New tokens at most.
        ends: Tokens that end a row.
        pad: The token for padding.
        temperature: 0 takes the likeliest token each time.
        hold: Given each row's latest token (None before the first) and the scores of the next,
            returns the scores that count.
    """
    import torch

    width, device = max(map(len, prompts)), model.device
    ids = torch.full((len(prompts), width), pad)
    told = torch.zeros((len(prompts), width), dtype=torch.bool)
    for row, line in enumerate(prompts):
        ids[row, width - len(line) :] = torch.tensor(line)
        told[row, width - len(line) :] = True
    with torch.inference_mode():
        steps = _Steps(model, ids.to(device), told.to(device), width + room)
        stops = torch.tensor(list(ends), device=device)
        over = torch.zeros(len(prompts), dtype=torch.bool, device=device)
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
            if len(written) == room or bool(over.all()):
                break
            latest = token.tolist() if hold is not None else None
            scores = steps.take(token)
        rows = torch.stack(written, dim=1).tolist()
    return [_cut(row, set(ends)) for row in rows]


def _choose(scores: Any, temperature: float) -> Any:
    import torch

    if temperature <= 0:
        return scores.argmax(dim=-1)
    return torch.multinomial(torch.softmax(scores / temperature, dim=-1), 1).squeeze(1)


def _cut(row: list[int], ends: set[int]) -> list[int]:
    return row[: next((place for place, token in enumerate(row) if token in ends), len(row))]


class _Steps:
    """Prompts that were read, and what the model says after each token more."""

    def __init__(self, model: Any, ids: Any, told: Any, most: int) -> None:
        import torch
        from transformers import StaticCache

        length = -(-most // _CACHE_STEP) * _CACHE_STEP
        rows, self._width = ids.shape
        self._model = model
        # Layers that look back a little way keep everything too: what they see is in their mask.
        kept = copy.deepcopy(model.config.get_text_config())
        kinds = getattr(kept, "layer_types", None) or ["full_attention"]
        self._window = kept.sliding_window if "sliding_attention" in kinds else None
        if self._window is not None:
            kept.layer_types, kept.sliding_window = ["full_attention"] * len(kinds), None
        self._cache = StaticCache(config=kept, max_cache_len=length)
        place = (told.cumsum(dim=1) - 1).clamp(min=0)
        out = model(
            input_ids=ids,
            attention_mask=told,
            position_ids=place,
            past_key_values=self._cache,
            use_cache=True,
            logits_to_keep=1,
        )
        self.first = out.logits[:, -1]
        self._token = torch.zeros((rows, 1), dtype=torch.long, device=ids.device)
        self._place = place[:, -1:] + 1
        self._seen = torch.zeros((rows, 1, 1, length), dtype=torch.bool, device=ids.device)
        self._seen[:, 0, 0, : self._width] = told
        self._near = self._seen.clone()
        self._count, self._scores = 0, self.first
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
        elif self._count < _EAGER_STEPS or token.device.type != "cuda":
            self._scores = self._forward()
        else:
            self._graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(self._graph):
                self._scores = self._forward()
            self._graph.replay()
        self._place += 1
        self._count += 1
        return self._scores

    def _forward(self) -> Any:
        masks = {"full_attention": self._seen, "sliding_attention": self._near}
        out = self._model(
            input_ids=self._token,
            attention_mask=self._seen if self._window is None else masks,
            position_ids=self._place,
            past_key_values=self._cache,
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

    def __call__(self, latest: list[int] | None, scores: Any) -> Any:
        """Return the scores of the next tokens, minus infinity where the schema allows none."""
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
