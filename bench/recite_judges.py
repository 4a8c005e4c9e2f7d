"""How far the judge without a key can be trusted, and how fast stored labels are scored.

`python -m bench recite_judges` holds out every alias of recite-mini and of some made documents and
prints how many shared words give back to their nodes. Then it times a published number of stored
judgements scored again. With an encoder, agreement is measured by `causarium recite trust --encoder
DIR`.
"""

import time
from collections.abc import Iterator, Sequence

from causarium_recite_lab.analysis.match_agreement import match_agreement

from bench.measure import Measurement
from causarium.contract.episode import play
from causarium.contract.texts.role_questions import Judgement
from causarium.families.recite import FAMILY
from causarium.families.recite.generation.generate import document
from causarium.families.recite.generation.written_documents import mini_document, mini_keys
from causarium.families.recite.helpers.judge import score_judged
from causarium.families.recite.helpers.judge_questions import JudgeReply, PassReply
from causarium.families.recite.model.graphs import (
    find_last_submission,
    graph_of,
    true_graph,
)
from causarium.families.recite.model.instance import Document
from causarium.families.recite.scoring.label_scores import Evaluations
from causarium.families.recite.scoring.match_nodes import match_nodes
from causarium.families.recite.scoring.rule_judge import judge_by_rule

MADE = 10
DOCUMENTS = 292


def run() -> Iterator[Measurement]:
    """Yield how far the rule agrees with documents, and a time."""
    corpora = {
        "recite-mini": [mini_document(key) for key in mini_keys()],
        "recite-synth": [document(FAMILY.level("paper-synth-verb"), 0, at) for at in range(MADE)],
    }
    for name, documents in corpora.items():
        yield from _agreement(f"{name}, words", documents)
    yield _again()


def _agreement(name: str, documents: Sequence[Document]) -> Iterator[Measurement]:
    found = match_agreement(documents)
    yield Measurement(f"{name}: held-out aliases found", f"of {found.words}", float(found.found))
    yield Measurement(f"{name}: taken for another node", f"of {found.words}", float(found.mistaken))
    yield Measurement(f"{name}: foreign words taken", f"of {found.foreign}", float(found.invented))
    yield Measurement(f"{name}: kappa", "of decisions", found.kappa)


def _again() -> Measurement:
    """Time a published number of stored judgements scored again."""
    rules = FAMILY.rules_for("certified")
    stored = []
    for at in range(DOCUMENTS):
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
    return Measurement(
        f"{DOCUMENTS} stored judgements scored again", "s", took, target="under 10 s"
    )


def _found(labels: Evaluations) -> dict[str, object]:
    passes = {name: PassReply(items=[dict(i) for i in items]) for name, items in labels.items()}
    return JudgeReply(passes=passes).model_dump(mode="json")
