"""Open weights learn from demonstrations, then from reward, and are tested on sets they never saw.

    causarium export causallink --level laws --format sft --size 400 --out talks/laws.jsonl
    python examples/train_open_weights.py WEIGHTS --talks talks --train causallink --out runs/link
    python examples/train_open_weights.py --repeat docs/learning --out runs    # every stored run
    python examples/train_open_weights.py --repeat docs/learning --out runs --part train &
    python examples/train_open_weights.py --repeat docs/learning --out runs --part test
    python examples/train_open_weights.py --table runs        # rows: trained on; columns: tested on

Three steps, each optional. Demonstrations: imitate the reference player on the train split, with
the loss on the replies alone. Reward: sample several attempts at each instance and push each up or
down by how it compares with its group (GRPO with one update a batch, so there is no ratio to clip,
and without a division by the spread or a penalty for moving away).
Test: play named sets; none of their instances is in the train split, under any names. Sets with
larger worlds, other themes or another interface (`beyond`) tell what was learned.
`settings.json` holds the settings of a run, `scores.json` its scores, and `replies/` the replies of
the test; those of whole sets play again by `causarium run FAMILY --model recorded:FILE`.

It needs torch, Transformers and causarium-local, and no Inspect. The default settings suit a model
of 1.5 billion weights and five minutes on one GPU.
"""

import argparse
import json
import re
import shutil
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from math import isnan
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

import causarium as cm
from causarium import families
from causarium.api.session import Session
from causarium.contract.row import find_cluster
from causarium.errors import BadFile
from causarium.scoring.intervals import summarize
from causarium.seeds import stream
from causarium_local.open_weights import OpenWeights, Prompt
from causarium_local.record_sets import MOST_TURNS, describe_machine, record_set
from causarium_local.recorded_replies import Circumstances

Talk = list[dict[str, Any]]
Stages = Iterator[tuple[str, Any]]
"""What a run has to tell so far, each with its key in `scores.json`."""
CUT = "cut"
"""The key of a message that was cut off at its length."""
DRAWN = "drawn"
"""The key of the tokens of a message that the model itself wrote."""
SCORED = 2048
"""The scores of so many tokens are in memory at once: each has one for every word there is."""


@dataclass(frozen=True)
class Settings:
    """All that decides a run."""

    weights: str
    train: tuple[str, ...]
    """The families to learn."""
    talks: str = ""
    """A folder with demonstrations, as `causarium export --format sft` writes them; empty: none."""
    demonstrations: int = 1600
    mixed: float = 0.0
    """The share of demonstrations of the other families: without any, their formats are lost."""
    longest: int = 9000
    """Tokens of a conversation; longer ones are left out."""
    passes: int = 3
    rate: float = 1e-5
    warm_up: int = 8
    step_tokens: int = 60_000
    micro_tokens: int = 24_000
    recompute: bool = True
    """Compute what lies between layers twice rather than keep it: slower, in less memory."""
    seconds: float = 150.0
    """For the demonstrations; as long again for the reward, if `reward_steps` is not 0."""
    reward_steps: int = 0
    reward_levels: tuple[str, ...] = ()
    """Of the first family, for attempts and the curve; none: its ladder."""
    instances: int = 16
    attempts: int = 8
    temperature: float = 1.0
    reward_rate: float = 2e-6
    max_tokens: int = 500
    """Of a reply."""
    tokens: Mapping[str, int] = field(default_factory=dict)
    """Of a reply, for families that need fewer, or in the test more."""
    attempt_tokens: Mapping[str, int] = field(default_factory=dict)
    """Of a reply in an attempt, for families that get fewer there than in the test."""
    batch_tokens: int | None = None
    """Of prompts and replies that are on the device at once; None: what suits it."""
    curve_every: int = 0
    """Steps between two looks at how it does on the validation split; 0: none.

    None before the first demonstration: a model that has not learned the form may play on for many
    minutes."""
    curve_size: int = 24
    test: str = "standard"
    test_families: tuple[str, ...] = ()
    """None: all."""
    test_limit: int | None = None
    """So many instances of each family that it did not learn, spread evenly; None: all of them."""
    test_seconds: float = 60.0
    """For each set."""
    beyond: tuple[str, ...] = ()
    """Other sets of the first family it learned, with rules: "practice constrained=true"."""
    seed: int = 0


def read_talks(settings: Settings) -> list[Talk]:
    """Return the demonstrations of a run, in an order that depends on the seed alone.

    Raises:
        BadFile: The folder holds none of a family that is to be learned.
    """
    found: dict[str, list[Talk]] = {}
    for file in sorted(Path(settings.talks).glob("*.jsonl")):
        for line in file.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            found.setdefault(row["family"], []).append(row["messages"])
    lacking = [name for name in settings.train if name not in found]
    if lacking:
        raise BadFile(f"{settings.talks} holds no demonstrations of {', '.join(lacking)}")
    draw = stream(settings.seed, "demonstrations")
    for talks in found.values():
        draw.shuffle(talks)
    others = [name for name in found if name not in settings.train]
    mixed = round(settings.mixed * settings.demonstrations) if others else 0
    talks = _deal(found, settings.train, settings.demonstrations - mixed)
    talks += _deal(found, others, mixed)
    draw.shuffle(talks)
    return talks


def _deal(found: dict[str, list[Talk]], names: Sequence[str], count: int) -> list[Talk]:
    return [talk for name in names for talk in found[name][: count // len(names)]]


def encode_talks(weights: OpenWeights, talks: Sequence[Talk]) -> list[tuple[list[int], list[bool]]]:
    """Return conversations as tokens, and which of them the model is to learn to write."""
    texts, replies, _ = _find_replies(weights, talks)
    found = weights.tokenizer(texts, add_special_tokens=False, return_offsets_mapping=True)
    encoded = []
    for text, places, tokens, spans in zip(
        *(texts, replies, found["input_ids"], found["offset_mapping"]), strict=True
    ):
        mark = bytearray(len(text) + 1)
        for begin, end in places:
            mark[begin:end] = b"\1" * (end - begin)
        learn = [all(mark[first : max(last, first + 1)]) for first, last in spans]
        encoded.append((list(tokens), learn))
    return encoded


def encode_attempts(
    weights: OpenWeights, talks: Sequence[Talk]
) -> list[tuple[list[int], list[bool]]]:
    """Return conversations as the tokens that were read and drawn, and which were drawn.

    The text of a reply may be cut into other tokens than those that were drawn, and how likely
    those are is not what earned the reward.
    """

    def encode(texts: Sequence[str]) -> list[list[int]]:
        return list(weights.tokenizer(list(texts), add_special_tokens=False)["input_ids"])

    texts, replies, after = _find_replies(weights, talks)
    (end,) = encode([after])
    encoded = []
    for text, places, talk in zip(texts, replies, talks, strict=True):
        starts = [0, *(last for _, last in places)]
        read = encode([text[at:begin] for at, (begin, _) in zip(starts, places, strict=False)])
        tokens: list[int] = []
        learn: list[bool] = []
        written = [message for message in talk if message["role"] == "assistant"]
        for piece, message in zip(read, written, strict=True):
            drawn = [*message[DRAWN], *([] if CUT in message else end)]
            tokens += [*piece, *drawn]
            learn += [False] * len(piece) + [True] * len(drawn)
        encoded.append((tokens, learn))
    return encoded


def _find_replies(
    weights: OpenWeights, talks: Sequence[Talk]
) -> tuple[list[str], list[list[tuple[int, int]]], str]:
    """Return conversations as text, where in each the replies are, and what ends a reply."""
    template = partial(weights.tokenizer.apply_chat_template, tokenize=False)
    # What stands around a reply is seen in a short talk: to write a long one for each is slow.
    asked = [{"role": "user", "content": "?"}]
    before = template(asked, add_generation_prompt=True).removeprefix(template(asked))
    answered = template([*asked, {"role": "assistant", "content": "!"}])
    after = answered.rpartition("!")[2].rstrip("\n")
    texts = [template(talk) for talk in talks]
    found = [_place_replies(*pair, before, after) for pair in zip(texts, talks, strict=True)]
    return texts, found, after


def _place_replies(text: str, talk: Talk, before: str, after: str) -> list[tuple[int, int]]:
    """Return from where to where the model is to learn to write."""
    places, at = [], 0
    for message in talk:
        if message["role"] == "assistant":
            said = message["content"]
            if text.find(before + said, at) < 0:
                said = said.strip()  # some templates leave out the spaces around it
            begin = text.index(before + said, at) + len(before)
            # A reply that was cut off did not say that it is over.
            at = begin + len(said) + (0 if CUT in message else len(after))
            places.append((begin, at))
    return places


def split_by_tokens(rows: Sequence[Any], most: int) -> Iterator[list[Any]]:
    """Yield rows that begin with their tokens, in parts that fit once they are padded."""
    part: list[Any] = []
    for row in sorted(rows, key=lambda row: len(row[0])):
        if part and (len(part) + 1) * len(row[0]) > most:
            yield part
            part = []
        part.append(row)
    if part:
        yield part


class Part(NamedTuple):
    """Rows that are on the device at once."""

    ids: Any
    """Rows x tokens, padded on the right: no token sees what follows, so no mask is needed."""
    places: Any
    """Before which of them, counted over all rows, stand the tokens to learn."""
    tokens: Any
    """These tokens."""
    worth: Any
    """The weight of each."""


def lay_out(weights: OpenWeights, rows: Sequence[tuple[list[int], list[bool], float]]) -> Part:
    """Put tokens, which of them to learn, and the weights of rows on the model's device."""
    import torch

    width = max(len(ids) for ids, _, _ in rows)
    ids = torch.full((len(rows), width), weights.pad)
    learn = torch.zeros((len(rows), width), dtype=torch.bool)
    for row, (tokens, mask, _) in enumerate(rows):
        ids[row, : len(tokens)] = torch.tensor(tokens)
        learn[row, : len(tokens)] = torch.tensor(mask)
    learn[:, 0] = False  # nothing stands before the first
    chosen = learn.flatten().nonzero().squeeze(1)
    worth = torch.tensor([weight for _, _, weight in rows])[chosen // width]
    found = (ids, chosen - 1, ids.flatten()[chosen], worth)
    return Part(*(one.to(weights.model.device) for one in found))


def sum_log_chances(model: Any, part: Part, temperature: float = 1.0) -> Any:
    """Return the log chances of all tokens to learn, each times its row's weight, added up."""
    from torch.utils.checkpoint import checkpoint

    hidden = model.get_decoder()(input_ids=part.ids).last_hidden_state
    asked = hidden.flatten(0, 1).index_select(0, part.places)
    add_up = partial(_add_up_chances, model.get_output_embeddings(), temperature)
    slices = zip(*(one.split(SCORED) for one in (asked, part.tokens, part.worth)), strict=True)
    # Computed twice rather than kept: the scores would need more room than all layers.
    return sum(checkpoint(add_up, *one, use_reentrant=False) for one in slices)


def _add_up_chances(head: Any, temperature: float, hidden: Any, tokens: Any, worth: Any) -> Any:
    import torch

    chances = torch.log_softmax(head(hidden).float() / temperature, dim=-1)
    return (chances.gather(1, tokens.unsqueeze(1)).squeeze(1) * worth).sum()


class Trainer:
    """AdamW in float32 over a copy of all weights; the model's own stay as narrow as they are."""

    def __init__(self, weights: OpenWeights, rate: float, warm_up: int, *, recompute: bool) -> None:
        import torch

        self.weights, self.rate, self.warm_up, self.steps = weights, rate, warm_up, 0
        self.recompute = recompute
        self._own = list(weights.model.parameters())
        self._wide = [one.detach().float().clone() for one in self._own]
        self._adam = torch.optim.AdamW(self._wide, lr=rate, betas=(0.9, 0.95), weight_decay=0.0)

    def take_step(
        self, rows: Sequence[Any], micro_tokens: int, count: int = 0, temperature: float = 1.0
    ) -> float:
        """Make one update, so that tokens with a positive weight get likelier; returns the loss.

        Args:
            rows: Tokens, which of them to learn, and the weight of each.
            micro_tokens: So many are on the device at once.
            count: Over how many tokens the loss is a mean; 0: those to learn.
            temperature: At which the tokens were drawn, if they were.
        """
        import torch

        self.weights.forget()  # what was read is of no use after this step, and takes room
        count = count or sum(sum(learn) for _, learn, _ in rows) or 1
        # All before the first is read: whoever copies to a GPU or asks it waits until it is done.
        parts = [lay_out(self.weights, part) for part in split_by_tokens(rows, micro_tokens)]
        model, losses = self.weights.model, []
        model.train()
        if self.recompute:
            model.gradient_checkpointing_enable()
        for part in parts:
            loss = -sum_log_chances(model, part, temperature) / count
            loss.backward()
            self._add_gradients()
            losses.append(loss.detach())
        self.steps += 1
        for group in self._adam.param_groups:
            group["lr"] = self.rate * min(1.0, self.steps / self.warm_up)
        torch.nn.utils.clip_grad_norm_(self._wide, 1.0)
        self._adam.step()
        self._adam.zero_grad(set_to_none=True)
        with torch.no_grad():
            for own, wide in zip(self._own, self._wide, strict=True):
                own.copy_(wide)
        model.gradient_checkpointing_disable()
        model.eval()
        return float(sum(losses))

    def _add_gradients(self) -> None:
        # Many small parts added up in bfloat16 would lose the smallest.
        for own, wide in zip(self._own, self._wide, strict=True):
            if own.grad is not None:
                found = own.grad.float()
                wide.grad = found if wide.grad is None else wide.grad.add_(found)
                own.grad = None


def make_trainer(weights: OpenWeights, settings: Settings, rate: float) -> Trainer:
    """Return a trainer as a run's settings have it, at one of their two rates."""
    return Trainer(weights, rate, settings.warm_up, recompute=settings.recompute)


def learn_demonstrations(weights: OpenWeights, settings: Settings) -> dict[str, Any]:
    """Imitate the reference player; returns the loss of each step, and the curve."""
    rows = [(*row, 1.0) for row in encode_talks(weights, read_talks(settings))]
    rows = [row for row in rows if len(row[0]) <= settings.longest]
    print(f"{len(rows)} demonstrations, {sum(len(row[0]) for row in rows):,} tokens", flush=True)
    trainer, spent = make_trainer(weights, settings, settings.rate), 0.0
    losses: list[float] = []
    curve: list[dict[str, Any]] = []
    for batch in _make_batches(rows, settings):
        if settings.curve_every and losses and len(losses) % settings.curve_every == 0:
            curve.append({"step": len(losses), **look_at_validation(weights, settings)})
        begun = time.monotonic()
        losses.append(trainer.take_step(batch, settings.micro_tokens))
        spent += time.monotonic() - begun
        if spent > settings.seconds:
            break
    if settings.curve_every:
        curve.append({"step": len(losses), **look_at_validation(weights, settings)})
    return {"losses": losses, "curve": curve, "seconds": spent}


def _make_batches(rows: list[Any], settings: Settings) -> Iterator[list[Any]]:
    for number in range(settings.passes):
        stream(settings.seed, "pass", str(number)).shuffle(rows)
        batch: list[Any] = []
        for row in rows:
            batch.append(row)
            if sum(len(one[0]) for one in batch) >= settings.step_tokens or row is rows[-1]:
                yield batch
                batch = []


def look_at_validation(weights: OpenWeights, settings: Settings) -> dict[str, Any]:
    """Return the mean reward of the likeliest replies on the validation split, with interval."""
    sessions = [
        cm.open_session(
            name, level=ladder[place % len(ladder)], split="validation", index=place // len(ladder)
        )
        for which, name in enumerate(settings.train)
        for ladder in [choose_ladder(settings, which)]
        for place in range(settings.curve_size)
    ]
    play_in_step(weights, sessions, settings, temperature=0.0)
    return describe_rewards(sessions)


def describe_rewards(sessions: Sequence[Session]) -> dict[str, Any]:
    """Return the mean reward, its interval and the number; one session has no interval.

    Those that share a mechanism are drawn together: they are no independent cases.
    """
    found = summarize(
        [session.reward for session in sessions],
        clusters=[find_cluster(session.instance) for session in sessions],
    )
    low, high = (None if isnan(end) else end for end in (found.low, found.high))
    return {"reward": found.value, "low": low, "high": high, "n": found.n}


def count_reply_tokens(settings: Settings, family: str) -> int:
    """Return how long a reply of an attempt may be."""
    limits = (settings.tokens, settings.attempt_tokens)
    return min([settings.max_tokens, *(limit[family] for limit in limits if family in limit)])


def play_in_step(
    weights: OpenWeights, sessions: Sequence[Session], settings: Settings, *, temperature: float
) -> list[Talk]:
    """Play sessions, all of them a turn at a time; returns the conversations.

    Args:
        weights: Who plays.
        sessions: What is played.
        settings: The run's.
        temperature: Of the replies; 0 takes the likeliest.
    """
    talks = [list(session.messages) for session in sessions]
    over: set[int] = set()
    for _ in range(MOST_TURNS):
        live = [row for row, session in enumerate(sessions) if not session.done and row not in over]
        if not live:
            break
        prompts = [
            Prompt(
                tuple((m["role"], m["content"]) for m in talks[row]),
                count_reply_tokens(settings, sessions[row].family.name),
                temperature=temperature,
            )
            for row in live
        ]
        replies = weights.write_replies(prompts)
        for row, reply in zip(live, replies, strict=True):
            if reply.stop == "model_length":
                over.add(row)
                continue
            said: dict[str, Any] = {"role": "assistant", "content": reply.text, DRAWN: reply.tokens}
            talks[row].append(said | ({CUT: "yes"} if reply.stop == "max_tokens" else {}))
            step = sessions[row].step(reply.text)
            if not step.done:
                talks[row].append({"role": "user", "content": step.text})
    return talks


def learn_reward(weights: OpenWeights, settings: Settings) -> Stages:
    """Improve by reward; yields the mean rewards of all steps so far, and the curve so far."""
    trainer, spent = make_trainer(weights, settings, settings.reward_rate), 0.0
    rewards: list[float] = []
    curve: list[dict[str, Any]] = []
    for step in range(settings.reward_steps):
        if settings.curve_every and step % settings.curve_every == 0:
            curve.append({"step": step, **look_at_validation(weights, settings)})
            yield "reward curve", curve
        begun = time.monotonic()
        rewards.append(take_reward_step(trainer, settings, step))
        yield "reward", rewards
        spent += time.monotonic() - begun
        if spent > settings.seconds:
            break
    if settings.curve_every:
        curve.append({"step": len(rewards), **look_at_validation(weights, settings)})
        yield "reward curve", curve


def take_reward_step(trainer: Trainer, settings: Settings, step: int) -> float:
    """Make one update towards the better of several attempts; returns their mean reward."""
    sessions = list(open_group(settings, step))
    talks = play_in_step(trainer.weights, sessions, settings, temperature=settings.temperature)
    rewards = [session.reward for session in sessions]
    worth = compare_in_groups(rewards, settings.attempts)
    rows, too_long, count = [], 0, 0
    for (tokens, learn), weight in zip(encode_attempts(trainer.weights, talks), worth, strict=True):
        if weight and len(tokens) <= settings.longest:
            rows.append((tokens, learn, weight))
        too_long += len(tokens) > settings.longest
        # Of those that tell nothing too, so that instances of one step that differ count alike in
        # all steps. AdamW makes steps of a like length all the same.
        count += sum(learn)
    if rows:
        trainer.take_step(rows, settings.micro_tokens, count, settings.temperature)
    told = f"{len(rows)} tell, {too_long} too long"
    print(f"step {step + 1}: mean reward {fmean(rewards):.3f}, {told}", flush=True)
    return fmean(rewards)


def compare_in_groups(rewards: Sequence[float], attempts: int) -> list[float]:
    """Return how much each reward is above the mean of its group, exactly 0 where all are alike."""
    worth = []
    for first in range(0, len(rewards), attempts):
        group = rewards[first : first + attempts]
        # The mean of six times 0.1 is not 0.1.
        mean = group[0] if len(set(group)) == 1 else fmean(group)
        worth += [reward - mean for reward in group]
    return worth


def choose_ladder(settings: Settings, which: int) -> Sequence[str]:
    """Return the levels of one of the families that a run learns."""
    named = () if which else settings.reward_levels
    return named or families.get(settings.train[which]).card.ladder


def open_group(settings: Settings, step: int) -> Iterator[Session]:
    """Yield the sessions of one step: every instance several times, one after another."""
    for number in range(settings.instances):
        place = step * settings.instances + number
        turn, which = divmod(place, len(settings.train))
        ladder = choose_ladder(settings, which)
        first = cm.open_session(
            settings.train[which],
            level=ladder[turn % len(ladder)],
            index=turn,
            seed=settings.seed + 1,
        )
        yield first
        for _ in range(settings.attempts - 1):  # to draw it for each attempt takes as long as they
            yield cm.open_session(settings.train[which], instance=first.instance)


def play_sets(weights: OpenWeights, settings: Settings, out: Path, name: str) -> dict[str, Any]:
    """Play named sets by the likeliest replies; returns the mean reward of each, with interval.

    Args:
        weights: Who plays.
        settings: The run's.
        out: The run's folder.
        name: What the files of replies begin with.
    """
    return {
        family: play_set(
            *(weights, settings, out / "replies" / f"{name}-{family}.jsonl"),
            family=family,
            limit=None if family in settings.train else settings.test_limit,
        )
        for family in settings.test_families or tuple(cm.list_families())
    }


def play_beyond(weights: OpenWeights, settings: Settings, out: Path) -> dict[str, Any]:
    """Play the sets that tell what was learned; returns the scores by what each was called."""
    scores = {}
    for words in settings.beyond:
        name, *rules = words.split()
        scores[words] = play_set(
            *(weights, settings, out / "replies" / f"beyond-{re.sub('[ =]', '-', words)}.jsonl"),
            family=settings.train[0],
            name=name,
            rules=dict(rule.split("=", 1) for rule in rules),
        )
    return scores


def play_set(
    weights: OpenWeights,
    settings: Settings,
    file: Path,
    *,
    family: str,
    name: str = "",
    rules: Mapping[str, str] | None = None,
    limit: int | None = None,
) -> dict[str, Any]:
    """Play one set; returns the mean reward with its interval, of all and of each level.

    Args:
        weights: Who plays.
        settings: The run's.
        file: Where the replies go.
        family: What is played.
        name: The set; empty: the run's.
        rules: Other than those of the family.
        limit: So many instances, spread evenly; None: all.
    """
    device, libraries = describe_machine()
    model = f"{Path(settings.weights).name}--{file.parents[1].name}".lower()
    told = Circumstances(
        model=re.sub(r"[^a-z0-9._-]", "-", model),
        weights=weights.digest,
        family=family,
        set=name or settings.test,
        rules={**families.get(family).rules.without_programs, **(rules or {})},
        max_tokens=settings.tokens.get(family, settings.max_tokens),
        device=device,
        libraries=libraries,
    )
    file.parent.mkdir(parents=True, exist_ok=True)
    sessions = record_set(
        *(weights, told, file),
        limit=limit,
        spread=True,
        deadline=time.monotonic() + settings.test_seconds,
    )
    scores = describe_sessions(sessions)
    print(f"{file.stem}: { ({key: scores[key] for key in ('reward', 'n', 'over')}) }", flush=True)
    return scores


def describe_sessions(sessions: Sequence[Session]) -> dict[str, Any]:
    """Return the rewards of a set, of all and of each level, and how many sessions are over."""
    by_level: dict[str, list[Session]] = {}
    for session in sessions:
        level = session.instance.id.split("-", 1)[1].rsplit("-", 1)[0]
        by_level.setdefault(level, []).append(session)
    return {
        **describe_rewards(sessions),
        "over": sum(session.done for session in sessions),
        "levels": {level: describe_rewards(found) for level, found in by_level.items()},
    }


def run(
    settings: Settings, out: Path, *, before: bool = False, part: str = "", keep: bool = False
) -> dict[str, Any]:
    """Train and test as the settings say, and write both down.

    Args:
        settings: The run's.
        out: Its folder.
        before: Whether to test the weights before they learn too.
        part: Only "train", which leaves the weights in the folder, or only "test", which waits for
            them: two processes may share a device. Empty: both.
        keep: Whether to leave the weights there after both too.
    """
    import torch

    torch.manual_seed(settings.seed)
    out.mkdir(parents=True, exist_ok=True)
    trained, told = out / "weights", out / "scores.json"
    while part == "test" and not trained.exists():
        time.sleep(1)
    source = trained if part == "test" else Path(settings.weights)
    weights = OpenWeights.load(source, batch_tokens=settings.batch_tokens)  # or nothing is lost
    if part != "test":
        shutil.rmtree(trained, ignore_errors=True)  # of an earlier run
        (out / "settings.json").write_text(json.dumps(asdict(settings), indent=1) + "\n")
        told.write_text(json.dumps({"trained on": settings.train}) + "\n")
    scores: dict[str, Any] = json.loads(told.read_text())
    stages = {"train": _train, "test": _test}.get(part, _train_and_test)
    if before:
        scores["before"] = play_sets(weights, settings, out, "before")
    for stage, result in stages(weights, settings, out):
        scores[stage] = result
        told.write_text(json.dumps(scores, indent=1) + "\n")  # machines are lost half-way
    if part == "train" or (keep and not part):
        half = out / "weights-half"
        weights.model.save_pretrained(half)
        weights.tokenizer.save_pretrained(half)
        half.replace(trained)  # whoever tests finds all of it or nothing
    return scores


def _train_and_test(weights: OpenWeights, settings: Settings, out: Path) -> Stages:
    if settings.talks:
        yield "demonstrations", learn_demonstrations(weights, settings)
        yield "after demonstrations", play_sets(weights, settings, out, "demonstrations")
    if settings.reward_steps:
        yield from learn_reward(weights, settings)
        yield "after reward", play_sets(weights, settings, out, "reward")
    if settings.beyond:
        yield "beyond", play_beyond(weights, settings, out)


def _train(weights: OpenWeights, settings: Settings, out: Path) -> Stages:
    if settings.talks:
        yield "demonstrations", learn_demonstrations(weights, settings)
    if settings.reward_steps:
        yield from learn_reward(weights, settings)


def _test(weights: OpenWeights, settings: Settings, out: Path) -> Stages:
    learned = "reward" if settings.reward_steps else "demonstrations" if settings.talks else ""
    stage = f"after {learned}" if learned else "before"
    yield stage, play_sets(weights, settings, out, learned or stage)
    if settings.beyond:
        yield "beyond", play_beyond(weights, settings, out)


def _say_score(score: Mapping[str, Any]) -> str:
    if score.get("over", score["n"]) < score["n"]:
        return f"{score['over']} of {score['n']} ended"
    reward, low, high = (
        None if score[key] is None else f"{score[key]:z.2f}" for key in ("reward", "low", "high")
    )
    return f"{reward}" + ("" if low is None else f" [{low}, {high}]")


def print_table(runs: Path) -> None:
    """Print the transfer matrix of the runs in a folder: trained on a row, tested on a column."""
    names = cm.list_families()
    print("| run | trained on | " + " | ".join(names) + " |\n|---|---|" + "---|" * len(names))
    for file in sorted(runs.glob("*/scores.json")):
        scores = json.loads(file.read_text())
        last: dict[str, Any] = next(
            (scores[key] for key in ("after reward", "after demonstrations") if key in scores), {}
        )
        if not last:
            continue
        cells = [_say_score(last[name]) if name in last else "" for name in names]
        print(f"| {file.parent.name} | {', '.join(scores['trained on'])} | {' | '.join(cells)} |")


def main() -> None:
    """Read the settings from the command line, or from a file of an earlier run."""
    reader = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    reader.add_argument("weights", nargs="?")
    reader.add_argument("--train", nargs="+", default=["causallink"])
    reader.add_argument("--talks", default="", help="a folder with demonstrations")
    reader.add_argument("--settings", type=Path, help="settings.json, in place of the options")
    reader.add_argument("--change", nargs="*", default=[], metavar="NAME=JSON")
    reader.add_argument("--before", action="store_true", help="test before training too")
    reader.add_argument("--out", type=Path, default=Path("runs/one"))
    reader.add_argument("--repeat", type=Path, help="repeat every run stored in a folder")
    reader.add_argument("--runs", nargs="+", help="only these of them, in this order")
    reader.add_argument(
        "--part",
        choices=["train", "test"],
        default="",
        help="train and leave the weights in the run's folder, or wait for them there and test",
    )
    reader.add_argument("--table", type=Path, help="print the matrix of the runs in a folder")
    given = reader.parse_args()
    if given.table:
        print_table(given.table)
        return
    changes = {name: json.loads(value) for name, value in (w.split("=", 1) for w in given.change)}
    if given.repeat:
        if given.weights:
            reader.error("--repeat takes the weights that each run names: leave WEIGHTS out")
        repeat_runs(given, changes)
        return
    told = json.loads(given.settings.read_text()) if given.settings else {}
    told |= {"weights": given.weights or told.get("weights")}
    if not told["weights"]:
        reader.error("give WEIGHTS, a folder that save_pretrained wrote")
    told.setdefault("train", given.train)
    told.setdefault("talks", given.talks)
    run(read_settings(told | changes), given.out, before=given.before, part=given.part)


def repeat_runs(given: argparse.Namespace, changes: Mapping[str, Any]) -> None:
    """Repeat stored runs. One that goes on from another finds what that one left."""
    files = sorted(given.repeat.glob("*/settings.json"))
    stored = {file.parent.name: json.loads(file.read_text()) for file in files}
    if lacking := [name for name in given.runs or () if name not in stored]:
        raise BadFile(f"{given.repeat} holds no run {', '.join(lacking)}")
    starts = {name: Path(told["weights"]).parent.name for name, told in stored.items()}
    for name in given.runs or sorted(stored, key=lambda name: starts[name] in stored):
        told = stored[name] | changes
        if starts[name] in stored:
            told["weights"] = str(given.out / starts[name] / "weights")
        run(
            *(read_settings(told), given.out / name),
            before=given.before,
            part=given.part,
            keep=name in starts.values(),
        )


def read_settings(told: Mapping[str, Any]) -> Settings:
    """Return the settings of a run as a file or the command line tells them."""
    given: dict[str, Any] = {n: tuple(v) if isinstance(v, list) else v for n, v in told.items()}
    return Settings(**given)


if __name__ == "__main__":
    main()
