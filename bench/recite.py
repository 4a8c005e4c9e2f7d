"""ReCITE: replies read and scored, a dataset of the published size loaded, documents made.

Graphs have the largest published size, 140 nodes and 205 edges; the dataset has 292 rows of 40,541
characters, the published mean, and so 12 MB; as many stored judgements are scored again. How far
the keyless judge agrees is measured by `causarium recite trust`. There is no baseline: the released
scorer needs torch to be imported at all.
"""

import json
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from importlib.util import find_spec
from pathlib import Path

from causarium_recite_lab.building.to_markdown import compare_copy

from bench.measure import Measurement
from causarium.contract.episode import Episode, play
from causarium.contract.texts.role_questions import Judgement
from causarium.families.recite.paper import FAMILY
from causarium.families.recite.paper.generation.generate import document, instance_of
from causarium.families.recite.paper.helpers.judge import score_judged
from causarium.families.recite.paper.helpers.judge_questions import JudgeReply, PassReply
from causarium.families.recite.paper.model.graphs import find_last_submission, graph_of, true_graph
from causarium.families.recite.paper.model.instance import (
    Document,
    NamedEdge,
    ReciteInstance,
    ReciteNode,
    Task,
)
from causarium.families.recite.paper.play.replies import read_graph
from causarium.families.recite.paper.publication.dataset_files import read_released, write_samples
from causarium.families.recite.paper.publication.dataset_row import Sample, SampleEdge
from causarium.families.recite.paper.scoring.label_scores import Evaluations
from causarium.families.recite.paper.scoring.match_nodes import match_nodes
from causarium.families.recite.paper.scoring.rule_judge import judge_by_rule
from causarium.seeds import stream

NODES, EDGES = 140, 205
ROWS, CHARACTERS = 292, 40_541
ROUNDS = 10


def run() -> Iterator[Measurement]:
    """Read and score, then load, then make."""
    tasks: tuple[Task, ...] = ("names", "no_count")
    for task in tasks:
        instance = _largest(task)
        reply = "<think>" + "Is this a cause? " * 3_000 + "</think>\n" + _reply(instance)
        yield Measurement(
            work=f"{NODES} nodes, {EDGES} edges read and scored, task {task}",
            unit="ms",
            ours=_best(partial(_scored, instance, reply)),
            target="under 20 ms",
        )
        yield Measurement(
            work=f"a reply of {len(reply.encode()):,} bytes read, task {task}",
            unit="µs a byte",
            ours=1000 * _best(partial(read_graph, reply)) / len(reply.encode()),
            target="at most 1",
        )
    instance = _largest("no_count")
    yield Measurement(
        work="the same edges in names that share words with the true ones, read and scored",
        unit="ms",
        ours=_best(partial(_scored, instance, _reply(instance, "other "))),
        target="under 20 ms",
    )
    yield from _loaded()
    yield _score_again()
    yield Measurement(
        work="a made document of 40,541 characters, written and read",
        unit="ms",
        ours=_best(lambda: document(FAMILY.level("paper-synth-verb"), 7, 3)),
    )
    text = document(FAMILY.level("paper-synth-verb"), 7, 4).text[:10_000]
    yield Measurement(
        work="a part of 10,000 characters held against its source, word by word",
        unit="ms",
        ours=_best(lambda: compare_copy(text, text.replace("because", "since"))),
    )


def _best(work: Callable[[], object]) -> float:
    """Return the least processor time of several rounds, in milliseconds."""
    spent = []
    for _ in range(ROUNDS):
        start = time.process_time()
        work()
        spent.append(time.process_time() - start)
    return 1000 * min(spent)


def _largest(task: Task) -> ReciteInstance:
    rng = stream(0, "recite", "bench")
    names = [f"{rng.choice(_THINGS)} of {rng.choice(_PLACES)} {n}" for n in range(NODES)]
    pairs: dict[tuple[str, str], None] = {}
    while len(pairs) < EDGES:
        source, sink = rng.sample(names, 2)
        pairs[source, sink] = None
    found = Document(
        key="bench",
        title="Bench",
        text=". ".join(names),
        nodes=tuple(ReciteNode(name=name, explicitness=1) for name in names),
        edges=tuple(NamedEdge(source=a, sink=b) for a, b in pairs),
        source="bench",
    )
    return instance_of(found, task, f"recite-bench-{task}")


_THINGS = ("price", "trust", "number", "quality", "use", "supply", "health", "cost")
_PLACES = ("water", "schools", "the harbour", "soil", "nurses", "roads", "timber", "the forest")


def _reply(instance: ReciteInstance, before: str = "") -> str:
    """Write the true graph, in ids where they are given and otherwise in names."""
    ids = instance.public.names is not None
    edges = [
        {"source": edge.source, "sink": edge.sink}
        if ids
        else {"source": f"{before}{pair[0]}", "sink": f"{before}{pair[1]}"}
        for edge, pair in zip(instance.secret.edges, instance.secret.pairs, strict=True)
    ]
    return f"```json\n{json.dumps({'relationships': edges})}\n```"


def _scored(instance: ReciteInstance, reply: str) -> None:
    episode = Episode(FAMILY, instance, FAMILY.rules_for("certified"))
    episode.step(episode.parse_reply(reply))
    if episode.score().numbers["edges_proposed"] != EDGES:
        raise AssertionError("the graph was not read whole")


def _loaded() -> Iterator[Measurement]:
    instance = _largest("no_count")
    rng = stream(0, "recite", "bench", "texts")
    words = ("rain", "brings", "floods", "to", "the", "valley", "where", "traders", "keep", "boats")
    samples = [
        Sample(
            id=number,
            title=f"Paper {number}",
            nodes=instance.secret.names[:25],
            edges=tuple(
                SampleEdge(source=a, target=b)
                for a, b in zip(
                    instance.secret.names[:24], instance.secret.names[1:25], strict=True
                )
            ),
            node_explicitness=dict.fromkeys(instance.secret.names[:25], 1),
            input_text=" ".join(rng.choices(words, k=CHARACTERS // 4))[:CHARACTERS],
        )
        for number in range(1, ROWS + 1)
    ]
    with tempfile.TemporaryDirectory() as folder:
        kinds = ("jsonl", "csv", "parquet") if find_spec("pyarrow") else ("jsonl", "csv")
        for kind in kinds:
            path = Path(folder) / f"rows.{kind}"
            write_samples(path, samples)
            start = time.process_time()
            found = read_released(path)
            spent = time.process_time() - start
            yield Measurement(
                work=f"{len(found)} rows, {path.stat().st_size / 1e6:.1f} MB of {kind}, loaded",
                unit="s",
                ours=spent,
                target="under 3 s",
            )


def _score_again() -> Measurement:
    """Time a published number of stored judgements scored again."""
    rules = FAMILY.rules_for("certified")
    stored = []
    for at in range(ROWS):
        instance = FAMILY.generate(FAMILY.level("paper-synth-verb"), 0, at)
        turns = play(FAMILY, instance, rules, "random").turns
        handed = find_last_submission(instance, turns)
        ours, true = handed.graph if handed else graph_of([]), true_graph(instance.secret)
        labels = judge_by_rule(ours, true, match_nodes(ours.nodes, true.nodes, {}))
        stored.append((instance, turns, Judgement(model="stored", found=_found(labels))))
    start = time.process_time()
    for instance, turns, judgement in stored:
        score_judged(instance, rules, turns, [judgement])
    took = time.process_time() - start
    return Measurement(f"{ROWS} stored judgements scored again", "s", took, target="under 10 s")


def _found(labels: Evaluations) -> dict[str, object]:
    passes = {name: PassReply(items=[dict(i) for i in items]) for name, items in labels.items()}
    return JudgeReply(passes=passes).model_dump(mode="json")
