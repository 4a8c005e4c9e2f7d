"""The released program's own prompts and judge messages, and ours from its release: the same."""

import asyncio
import json
import re
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest

import causarium as cm
from causarium.contract.episode import Episode
from causarium.contract.texts.role_questions import answer_questions
from causarium.families.recite.paper.model.graphs import true_graph
from causarium.families.recite.paper.play.replies import read_as_published
from tests.support.clones import find_clone, take_functions

pytestmark = pytest.mark.long

HELPERS, BENCHMARK = "src/recast/helpers.py", "src/recast/benchmark.py"


@pytest.fixture
def clone():
    return find_clone("recite")


def take_prompts(clone):
    helpers = take_functions(clone, HELPERS, ("nodes_to_node_dict", "load_prompt"), Path=Path)
    names = ("prepare_causal_graph_prompt", "process_answer", "validate_graph_response")
    return take_functions(clone, BENCHMARK, names, **helpers, json=json)


def test_documents_open_alike(clone):
    released = take_prompts(clone)["prepare_causal_graph_prompt"]
    recite = cm.load("recite", release=clone.path)
    documents = [one for one in recite.instances("standard") if one.public.task != "no_count"]
    assert {one.public.task for one in documents} == {"given_count", "names"}
    for one in documents:
        nodes = set(true_graph(one.secret).nodes)
        told = one.public.names is not None
        assert recite.prompt(one).system == released(nodes, provide_node_names=told)
        assert recite.prompt(one).user == one.public.text


@asynccontextmanager
async def no_database(_path):
    async def do_nothing(*_):
        pass

    yield SimpleNamespace(execute=do_nothing, commit=do_nothing)


def test_a_judge_is_asked_alike(clone):
    asked = []

    async def call(messages, **_):
        asked.append([one["content"] for one in messages])
        return SimpleNamespace(answer="nothing", reasoning=None)

    load_prompt = take_functions(clone, HELPERS, ("load_prompt",), Path=Path)["load_prompt"]
    released = take_functions(
        clone,
        "src/recast/evaluator.py",
        ("run_fine_grained_evaluation", "_format_graph_for_prompt", "parse_fine_grained_yaml"),
        load_prompt=load_prompt,
        call_openrouter=call,
        create_db=lambda _: None,
        aiosqlite=SimpleNamespace(connect=no_database),
        yaml=pytest.importorskip("yaml"),
        asyncio=asyncio,
        json=json,
        re=re,
        datetime=__import__("datetime").datetime,
        DEFAULT_DB_PATH="",
    )["run_fine_grained_evaluation"]
    recite = cm.load("recite", release=clone.path)
    item = next(one for one in recite.instances("smoke") if one.public.task == "given_count")
    reply = json.dumps({"relationships": [{"source": "wet <b>", "sink": "a"}] * 1})
    true = [{"source": a, "sink": b} for a, b in true_graph(item.secret).edges]
    asyncio.run(released(1, reply, json.dumps(true), item.public.text))
    episode = Episode(recite.family, item, recite.rules())
    episode.step(episode.parse_reply(reply))
    ours = []

    def judge(question):
        ours.append([question.system, question.user])
        return "nothing"

    answer_questions(recite.family.helpers.judge.ask(item, episode.rules, episode.turns), judge)
    assert ours == asked


@pytest.mark.parametrize(
    "reply",
    [
        '{"relationships": []}',
        '```json\n{"relationships": [{"source": "a", "sink": "b"}]}\n```',
        '\\boxed{{"relationships": [{"source": "a", "sink": "b"}]}}',
        'Here: {"relationships": []}',
        '{"relationships": [{"source": "a"}]}',
        '{"relationships": {}}',
        "[]",
        "",
    ],
)
def test_replies_are_valid_alike(clone, reply):
    released = take_prompts(clone)["validate_graph_response"]
    assert released(reply) == (not isinstance(read_as_published(reply), str))
