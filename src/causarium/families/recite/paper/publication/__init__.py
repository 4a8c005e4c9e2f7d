"""Paper edition: the release's file format, and its words for a document and for judges.

The release fills its texts by putting values in the place of marks, and puts a judge's messages
together in its program; both are read, and nothing of it is run. A judge is asked once for each
pass, as published: an item that it leaves out makes its judgement incomplete.
"""

import json
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from causarium.contract.companions import Publication, Release
from causarium.contract.family import AnyFamily, Prompt
from causarium.contract.release import ReleaseFolder, check_words
from causarium.contract.texts.role_questions import Judge
from causarium.errors import BadFile, UsageError
from ..helpers.judge import ask, score_judged
from ..helpers.judge_questions import JudgeWords, Question
from ..levels import ReciteRules
from ..model.graphs import CausalGraph
from ..model.instance import RecitePublic, ReciteSecret
from .dataset_files import read_released, write_released

_TEXTS = {
    "given_count": ("prompts/causal_graph_generation.md", "NUM_NODES"),
    "names": ("prompts/causal_graph_generation_with_node_names.md", "NODE_JSON"),
}
"""The text of each published task, and the mark in the place of what it tells of the graph."""
_RUBRIC = "prompts/fine_grained_llm_judge.md"
_PROGRAM, _FUNCTION, _MESSAGE = "src/recast/evaluator.py", "run_single_evaluation", "user_message"
_SLOTS = {"eval_type_display", "input_text", "formatted_gt", "formatted_response"}
"""What the released program fills into a judge's message."""


def _play_release(family: AnyFamily, release: ReleaseFolder) -> AnyFamily:
    systems = {task: _read_system(release, *named) for task, named in _TEXTS.items()}

    def write_prompt(public: RecitePublic, rules: ReciteRules) -> Prompt:
        check_words(rules.interface, ["json"])
        if public.task not in systems:
            raise UsageError(
                f"the release has no words for the task {public.task}; it plays {list(systems)}"
            )
        mark = _TEXTS[public.task][1]
        told = str(public.n_nodes) if public.names is None else write_nodes(public.names)
        return Prompt(system=systems[public.task].replace(mark, told), user=public.text)

    judge = Judge(ask=partial(ask, words=read_judge_words(release)), score=score_judged)
    helpers = replace(family.helpers, judge=judge)
    return replace(family, prompt=write_prompt).with_companions(helpers=helpers)


def write_nodes(names: Sequence[str]) -> str:
    """Return nodes with their ids as the released program writes them."""
    return json.dumps({"nodes": [{"name": name, "id": n} for n, name in enumerate(names, 1)]})


def read_judge_words(release: ReleaseFolder) -> JudgeWords:
    """Return what a release says to a judge.

    Raises:
        BadFile: The release holds no rubric, or puts other things into its message.
    """
    rubric = release.read(_RUBRIC).strip()
    message = release.read_message(_PROGRAM, _FUNCTION, _MESSAGE)
    if set(message.get_identifiers()) != _SLOTS:
        raise BadFile(
            f"the judge's message in {_PROGRAM} of the release in {release.path} holds other "
            f"things than {', '.join(sorted(_SLOTS))}"
        )

    def write_question(question: Question, _: Sequence[int]) -> str:
        return message.substitute(
            eval_type_display=question.asked.replace("_", " ").title(),
            input_text=question.text,
            formatted_gt=list_graph(question.reference),
            formatted_response=list_graph(question.submitted),
        )

    return JudgeWords(system=lambda _: rubric, user=write_question)


def list_graph(graph: CausalGraph) -> str:
    """Return a graph as the released program shows it to a judge."""
    nodes = (f"{n}. {name}" for n, name in enumerate(graph.nodes, 1))
    edges = (f"{n}. {a} -> {b}" for n, (a, b) in enumerate(graph.edges, 1))
    return "\n".join(["Nodes:", *nodes, "", "Edges:", *edges])


def _read_system(release: ReleaseFolder, path: str, mark: str) -> str:
    text = release.read(path)
    if mark not in text:
        raise BadFile(f"{path} of the release in {release.path} has no place {mark}")
    return text


PUBLICATION: Publication[RecitePublic, ReciteSecret] = Publication(
    read_released=read_released, write_released=write_released, release=Release(play=_play_release)
)
