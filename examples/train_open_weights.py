"""Open weights learn from demonstrations, then from reward, and are tested on sets they never saw.

    causarium export causallink --level rung-3 --format sft --size 400 --out talks/rung-3.jsonl
    python examples/train_open_weights.py WEIGHTS --talks talks --train causallink --out runs/link
    python examples/train_open_weights.py --repeat FOLDER --out runs     # every run stored there
    python examples/train_open_weights.py --repeat FOLDER --part talks   # demonstrations only
    python examples/train_open_weights.py --repeat FOLDER --out runs --part train &
    python examples/train_open_weights.py --repeat FOLDER --out runs --part test

Three steps, each optional. Demonstrations: imitate the reference player on the train split, with
the loss on the replies alone. Reward: sample several attempts at each instance and push each up or
down by how it compares with its group (GRPO with one update a batch, so there is no ratio to clip,
and without a division by the spread or a penalty for moving away).
Test: play named sets; none of their instances is in the train split, under any names. Sets with
larger worlds, other themes or another interface (`beyond`) tell what was learned.
`settings.json` holds the settings of a run, `scores.json` its scores, and `replies/` the replies of
each test, before and after; those of whole sets play again by
`causarium run FAMILY --model recorded:FILE`.

It needs torch, Transformers and causarium-local, no Inspect, and causarium-data only to make
demonstrations that are not there. The default settings suit a model of 1.5 billion weights and five
minutes on one GPU.
"""

import argparse
import json
import re
import shutil
import sys
import time
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from functools import partial
from importlib.util import find_spec
from math import isnan
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

from pydantic import TypeAdapter, ValidationError

import causarium as cm
from causarium import families
from causarium.api.session import Session
from causarium.contract.family import AnyInstance
from causarium.contract.row import find_cluster
from causarium.contract.texts.replies import describe_validation_error
from causarium.errors import BadFile, UnknownName, UsageError
from causarium.scoring.intervals import summarize
from causarium.seeds import stream
from causarium_local.encode_talks import CUT, DRAWN, Talk, encode_attempts, encode_talks
from causarium_local.open_weights import OpenWeights, Prompt
from causarium_local.record_sets import MOST_TURNS, describe_machine, record_set
from causarium_local.recorded_replies import Circumstances

Stages = Iterator[tuple[str, Any]]
"""What a run has to tell so far, each with its key in `scores.json`."""
FEW = 5
"""In so many steps on end must few groups differ before reward gives up."""
MOST_KIN = 4
"""At most so many instances of a level are drawn of one system."""
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
    betas: tuple[float, float] = (0.9, 0.95)
    """Of AdamW: how long it remembers slopes and their squares."""
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
    give_up: bool = False
    """End the reward where it does harm: see `has_failed`."""
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

    def __init__(self, weights: OpenWeights, settings: Settings, rate: float) -> None:
        """Begin with the weights as they are, at one of the two rates of the settings."""
        import torch

        self.weights, self.rate, self.warm_up, self.steps = weights, rate, settings.warm_up, 0
        self.recompute = settings.recompute
        self._own = list(weights.model.parameters())
        self._wide = [one.detach().float().clone() for one in self._own]
        self._adam = torch.optim.AdamW(self._wide, rate, settings.betas, weight_decay=0.0)

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


def learn_demonstrations(weights: OpenWeights, settings: Settings) -> dict[str, Any]:
    """Imitate the reference player; returns the loss of each step, and the curve."""
    rows = [(*row, 1.0) for row in encode_talks(weights, read_talks(settings))]
    rows = [row for row in rows if len(row[0]) <= settings.longest]
    print(f"{len(rows)} demonstrations, {sum(len(row[0]) for row in rows):,} tokens", flush=True)
    trainer, spent = Trainer(weights, settings, settings.rate), 0.0
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

    At a temperature of 0 every reply is the likeliest.
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
    """Improve by reward; yields what all steps so far had to tell, and the curve so far."""
    trainer, spent = Trainer(weights, settings, settings.reward_rate), 0.0
    instances = Instances(settings)
    rewards: list[float] = []
    differ: list[int] = []
    curve: list[dict[str, Any]] = []
    for step in range(settings.reward_steps):
        if settings.curve_every and step % settings.curve_every == 0:
            curve.append({"step": step, **look_at_validation(weights, settings)})
            yield "reward curve", curve
        if settings.give_up and has_failed(curve, differ, settings.instances):
            print("gives up: the curve fell, or too few groups differ", flush=True)
            break
        begun = time.monotonic()
        sessions = list(instances.open_step())
        rewards.append(take_reward_step(trainer, settings, sessions))
        differ.append(count_groups_that_differ([one.reward for one in sessions], settings.attempts))
        print(
            f"step {step + 1}: mean reward {rewards[-1]:.3f}, {differ[-1]} groups differ",
            flush=True,
        )
        yield "reward", rewards
        yield "groups that differ", differ
        spent += time.monotonic() - begun
        if spent > settings.seconds:
            break
    if settings.curve_every and curve[-1]["step"] < len(rewards):
        curve.append({"step": len(rewards), **look_at_validation(weights, settings)})
        yield "reward curve", curve


def has_failed(curve: Sequence[Mapping[str, Any]], differ: Sequence[int], groups: int) -> bool:
    """Tell whether to go on does harm.

    The last interval of the curve lies below its first, or in each of the last five steps fewer
    than a quarter of the groups differed: AdamW makes a whole step of what those few tell.
    """
    ends = [(one["low"], one["high"]) for one in curve if one["low"] is not None]
    has_fallen = bool(ends) and ends[-1][1] < ends[0][0]
    return has_fallen or (len(differ) >= FEW and 4 * max(differ[-FEW:]) < groups)


def take_reward_step(trainer: Trainer, settings: Settings, sessions: Sequence[Session]) -> float:
    """Make one update towards the better of several attempts; returns their mean reward."""
    talks = play_in_step(trainer.weights, sessions, settings, temperature=settings.temperature)
    rewards = [session.reward for session in sessions]
    worth = compare_in_groups(rewards, settings.attempts)
    rows, too_long, count = [], 0, 0
    for (tokens, learn), weight in zip(encode_attempts(trainer.weights, talks), worth, strict=True):
        if weight and len(tokens) <= settings.longest:
            rows.append((tokens, learn, weight))
        too_long += len(tokens) > settings.longest
        # Attempts that tell nothing count too: an instance weighs as much in every step.
        count += sum(learn)
    if rows:
        trainer.take_step(rows, settings.micro_tokens, count, settings.temperature)
    if too_long:
        print(f"{too_long} attempts are too long to learn from", flush=True)
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


def count_groups_that_differ(rewards: Sequence[float], attempts: int) -> int:
    """Return in how many groups not all attempts earned the same: the others teach nothing."""
    starts = range(0, len(rewards), attempts)
    return sum(len(set(rewards[first : first + attempts])) > 1 for first in starts)


def choose_ladder(settings: Settings, which: int) -> Sequence[str]:
    """Return the levels of one of the families that a run learns."""
    named = () if which else settings.reward_levels
    return named or families.get(settings.train[which]).card.ladder


class Instances:
    """Draws the instances of one step after another, so that few of a step share a system.

    Units of one system, and twins, follow each other in a level and are drawn together. All but
    one wait for later steps: nothing is drawn in vain.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings, self._turns = settings, 0
        self._drawn = Counter[tuple[str, str]]()
        self._waiting = defaultdict[tuple[str, str], list[AnyInstance]](list)

    def open_step(self) -> Iterator[Session]:
        """Yield the sessions of the next step: every instance several times, one after another."""
        settings, seen = self._settings, Counter[Any]()
        for _ in range(settings.instances):
            turn, which = divmod(self._turns, len(settings.train))
            self._turns += 1
            family, ladder = settings.train[which], choose_ladder(settings, which)
            instance = self._draw(family, ladder[turn % len(ladder)], seen)
            for _ in range(settings.attempts):
                yield cm.open_session(family, instance=instance)

    def _draw(self, family: str, level: str, seen: Counter[Any]) -> AnyInstance:
        """Return an instance of a system that was seen as seldom as can be in this step."""
        place, waiting = (family, level), self._waiting[family, level]
        # The limit is for levels with fewer systems than a step has instances.
        while len(waiting) < MOST_KIN * self._settings.instances and all(
            seen[find_cluster(one)] for one in waiting
        ):
            index, seed = self._drawn[place], self._settings.seed + 1
            waiting.append(cm.open_session(family, level=level, seed=seed, index=index).instance)
            self._drawn[place] += 1
        chosen = min(range(len(waiting)), key=lambda one: seen[find_cluster(waiting[one])])
        seen[find_cluster(waiting[chosen])] += 1
        return waiting.pop(chosen)


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


def play_beyond(
    weights: OpenWeights, settings: Settings, out: Path, prefix: str = ""
) -> dict[str, Any]:
    """Play the sets that tell what was learned; returns the scores by what each was called."""
    scores = {}
    for words in settings.beyond:
        name, *rules = words.split()
        file = f"{prefix}beyond-{re.sub('[ =]', '-', words)}.jsonl"
        scores[words] = play_set(
            *(weights, settings, out / "replies" / file),
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
    for stage, result in run_stages(weights, settings, out, before=before, part=part):
        scores[stage] = result
        told.write_text(json.dumps(scores, indent=1) + "\n")  # machines are lost half-way
    if part == "train" or (keep and not part):
        half = out / "weights-half"
        weights.model.save_pretrained(half)
        weights.tokenizer.save_pretrained(half)
        half.replace(trained)  # whoever tests finds all of it or nothing
    return scores


def list_learned(settings: Settings) -> list[str]:
    """Return what a run learns from, in order."""
    given = {"demonstrations": settings.talks, "reward": settings.reward_steps}
    return [name for name, wanted in given.items() if wanted]


def run_stages(
    weights: OpenWeights, settings: Settings, out: Path, *, before: bool, part: str
) -> Stages:
    """Learn and be tested; yields what each stage has to tell."""
    learned = list_learned(settings)
    if part == "test" or not (part or learned):
        yield from run_tests(weights, settings, out, learned[-1] if learned else "before")
        return
    if before:
        yield from run_tests(weights, settings, out, "before")
    for name in learned:
        if name == "reward":
            yield from learn_reward(weights, settings)
        else:
            yield name, learn_demonstrations(weights, settings)
        if not part:
            yield from run_tests(weights, settings, out, name)


def run_tests(weights: OpenWeights, settings: Settings, out: Path, stage: str) -> Stages:
    """Play all sets after a stage, or before the first; the last stage's are `beyond` alone."""
    name = stage if stage == "before" else f"after {stage}"
    yield name, play_sets(weights, settings, out, stage)
    if settings.beyond:
        is_last = stage == (list_learned(settings) or ["before"])[-1]
        key, prefix = ("beyond", "") if is_last else (f"beyond {name}", f"{stage}-")
        yield key, play_beyond(weights, settings, out, prefix)


def main() -> None:
    """Read the settings from the command line, or from a file of an earlier run."""
    reader = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    reader.add_argument("weights", nargs="?")
    reader.add_argument("--train", nargs="+", default=["causallink"])
    reader.add_argument("--talks", default="", help="a folder with demonstrations")
    reader.add_argument("--settings", type=Path, help="settings.json, in place of the options")
    reader.add_argument("--change", nargs="*", default=[], type=read_change, metavar="NAME=JSON")
    reader.add_argument("--before", action="store_true", help="test before training too")
    reader.add_argument("--out", type=Path, default=Path("runs/one"))
    reader.add_argument("--repeat", type=Path, help="repeat every run stored in a folder")
    reader.add_argument("--runs", nargs="+", help="only these of them, in this order")
    reader.add_argument(
        "--part",
        choices=["talks", "train", "test"],
        default="",
        help="make the demonstrations that stored runs need and are not there, or train and leave\n"
        "the weights in the run's folder, or wait for them there and test",
    )
    given = reader.parse_args()
    changes = dict(given.change)
    if given.repeat:
        if given.weights:
            reader.error("--repeat takes the weights that each run names: leave WEIGHTS out")
        repeat_runs(given, changes)
        return
    told = read_stored(given.settings) if given.settings else {}
    told |= {"weights": given.weights or told.get("weights")}
    if not told["weights"]:
        reader.error("give WEIGHTS, a folder that save_pretrained wrote")
    told.setdefault("train", given.train)
    told.setdefault("talks", given.talks)
    run(read_settings(told | changes), given.out, before=given.before, part=given.part)


def repeat_runs(given: argparse.Namespace, changes: Mapping[str, Any]) -> None:
    """Repeat stored runs. One that goes on from another finds what that one left."""
    files = sorted(given.repeat.glob("*/settings.json"))
    if not files:
        raise BadFile(f"{given.repeat} holds no run: no folder with a settings.json")
    stored = {file.parent.name: read_stored(file) for file in files}
    if lacking := [name for name in given.runs or () if name not in stored]:
        raise BadFile(f"{given.repeat} holds no run {', '.join(lacking)}")
    starts = {name: Path(told["weights"]).parent.name for name, told in stored.items()}
    names = given.runs or sorted(stored, key=lambda name: starts[name] in stored)
    chosen = {name: read_settings({**stored[name], **changes}) for name in names}
    if given.part != "test":
        for settings in chosen.values():  # all before the first run: a GPU need not wait for them
            make_talks(given.repeat / "talks.toml", settings)
    for name in names if given.part != "talks" else ():
        left = given.out / starts[name] / "weights"
        weights = str(left) if starts[name] in stored else chosen[name].weights
        run(
            *(replace(chosen[name], weights=weights), given.out / name),
            before=given.before,
            part=given.part,
            keep=name in starts.values(),
        )


def make_talks(listed: Path, settings: Settings) -> None:
    """Write the demonstrations of a run that are listed and not there.

    Args:
        listed: Which folder holds how many of each family and level.
        settings: The run's.
    """
    told = tomllib.loads(listed.read_text(encoding="utf-8")) if listed.exists() else {}
    for family, levels in told.get(settings.talks, {}).items():
        for level, size in levels.items():
            file = Path(settings.talks) / f"{family}-{level}.jsonl"
            if file.exists() or not (settings.mixed or family in settings.train):
                continue
            if find_spec("causarium_data") is None:
                raise BadFile(f"there is no {file}; to make it, causarium-data must be installed")
            from causarium_data.export_data import export_data

            print(f"making {file}", flush=True)
            how = {"level": level, "size": size, "least_reward": told["least_reward"]}
            export_data(cm.load(family), file, form="sft", **how)


def read_change(word: str) -> tuple[str, Any]:
    """Return a setting's name and its new value; what is no JSON is a text."""
    name, is_told, value = word.partition("=")
    if not is_told:
        raise argparse.ArgumentTypeError(f"{word} has no value: write it as {word}=VALUE")
    try:
        return name, json.loads(value)
    except json.JSONDecodeError:
        return name, value


def read_stored(file: Path) -> dict[str, Any]:
    """Return settings as an earlier run wrote them.

    Raises:
        BadFile: There is no such file, or it holds something else.
    """
    try:
        return TypeAdapter(dict[str, Any]).validate_json(file.read_bytes())
    except OSError as wrong:
        raise BadFile(f"cannot read {file}: {wrong.strerror}") from None
    except ValidationError:
        raise BadFile(f"{file} is no settings.json of a run: it holds no JSON object") from None


def read_settings(told: Mapping[str, Any]) -> Settings:
    """Return the settings of a run as a file or the command line tells them.

    Raises:
        UsageError: There is no such setting, or it has no such value.
    """
    known = [one.name for one in fields(Settings)]
    for name in told:
        if name not in known:
            raise UnknownName("setting", name, known)
    try:
        return TypeAdapter(Settings).validate_python(told)
    except ValidationError as wrong:
        raise UsageError(describe_validation_error(wrong)) from None


if __name__ == "__main__":
    try:
        main()
    except UsageError as wrong:
        sys.exit(str(wrong))
