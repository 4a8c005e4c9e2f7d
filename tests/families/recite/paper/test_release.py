"""ReCITE in the words of a release: ours, in the released format, and what a judge is asked."""

from dataclasses import replace

import pytest

import causarium as cm
from causarium.api.plan_run import RunRequest
from causarium.api.reproduce import reproduce
from causarium.contract.episode import Episode
from causarium.contract.texts.role_questions import answer_questions
from causarium.errors import BadFile, UsageError
from causarium.families.recite.paper.publication.dataset_files import write_released
from causarium.families.recite.paper.scoring.label_scores import PASSES

PROGRAM = """
async def run_aggregate_evaluation(text):
    user_message = f"Grade {text}"

async def run_fine_grained_evaluation(text):
    async def run_single_evaluation(kind):
        user_message = (
            f"Pass: {eval_type_display}, $1\\n{input_text}\\n"
            f"True:\\n{formatted_gt}\\nHanded in:\\n{formatted_response}"
        )
"""
FILES = {
    "prompts/causal_graph_generation.md": "Draw NUM_NODES nodes, $5 each.\n",
    "prompts/causal_graph_generation_with_node_names.md": "Link these: NODE_JSON",
    "prompts/fine_grained_llm_judge.md": "\n Label with care. \n",
    "src/recast/evaluator.py": PROGRAM,
}


@pytest.fixture
def folder(tmp_path):
    """A release of our own, in the released format; its state is no known one."""
    for path, text in FILES.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    return tmp_path


def load(folder):
    return cm.load("recite", release=folder, release_anyway=True)


def find(benchmark, task):
    return next(one for one in benchmark.instances("smoke") if one.public.task == task)


def test_a_document_opens_in_the_words_of_the_release(folder):
    recite = load(folder)
    counted, named = find(recite, "given_count"), find(recite, "names")
    assert recite.prompt(counted).system == f"Draw {counted.public.n_nodes} nodes, $5 each.\n"
    assert recite.prompt(counted).user == counted.public.text
    first, second, *_ = named.public.names
    opening = f'Link these: {{"nodes": [{{"name": "{first}", "id": 1}}, {{"name": "{second}", '
    assert recite.prompt(named).system.startswith(opening)


def test_what_the_release_has_no_words_for_is_refused(folder):
    recite = load(folder)
    with pytest.raises(UsageError, match="no words for the task no_count"):
        recite.prompt(find(recite, "no_count"))
    with pytest.raises(UsageError, match="no words for the interface tools"):
        recite.prompt(find(recite, "given_count"), {"interface": "tools"})


def test_a_judge_is_asked_once_a_pass_in_the_words_of_the_release(folder):
    recite = load(folder)
    item = find(recite, "given_count")
    episode = Episode(recite.family, item, recite.rules())
    reply = '{"relationships": [{"source": "rain <b>", "sink": "mud"}]}'
    episode.step(episode.parse_reply(reply))
    asked = []

    def judge(question):
        asked.append(question)
        return "nothing to say"

    found = answer_questions(
        recite.family.helpers.judge.ask(item, episode.rules, episode.turns), judge
    )
    assert [question.system for question in asked] == ["Label with care."] * len(PASSES)
    for question, name in zip(asked, PASSES, strict=True):
        title = name.replace("_", " ").title()
        assert question.user.startswith(
            f"Pass: {title}, $1\n{item.public.text}\nTrue:\nNodes:\n1. "
        )
        assert question.user.endswith(
            "\nHanded in:\nNodes:\n1. mud\n2. rain <b>\n\nEdges:\n1. rain <b> -> mud"
        )
    assert all(one["missing"] and one["asked"] == 1 for one in found["passes"].values())


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        ("prompts/causal_graph_generation.md", "Draw.", "has no place NUM_NODES"),
        ("src/recast/evaluator.py", "pass", "builds no message user_message"),
        (
            "src/recast/evaluator.py",
            "def run_single_evaluation():\n    user_message = f'{input_text}'",
            "holds other things than",
        ),
        (
            "src/recast/evaluator.py",
            "def run_single_evaluation():\n    user_message = f'{len(input_text)}'",
            "builds no message",
        ),
    ],
)
def test_a_release_without_its_texts_is_refused(folder, file, text, message):
    (folder / file).write_text(text)
    with pytest.raises(BadFile, match=message):
        load(folder)


def test_a_missing_file_is_named(folder):
    (folder / "prompts/fine_grained_llm_judge.md").unlink()
    with pytest.raises(UsageError, match=r"fine_grained_llm_judge\.md is missing"):
        cm.load("recite", release=folder)
    with pytest.raises(BadFile, match=r"cannot read prompts/fine_grained_llm_judge\.md"):
        load(folder)


def test_the_published_documents_are_played_from_the_release_once_they_are_there(folder, tmp_path):
    recite = load(folder)
    with pytest.raises(BadFile, match=r"lacks documents\.parquet, its set documents"):
        recite.instances("documents")
    ours = [one for one in recite.instances("smoke") if one.public.task == "given_count"]
    count = write_released(folder / "documents.parquet", ours)
    with pytest.raises(UsageError, match=r"documents\.parquet is unknown"):
        cm.load("recite", release=folder)
    played = load(folder).instances("documents")
    assert [one.public.text for one in played] == [one.public.text for one in ours]
    assert len(played) == count
    asked = RunRequest("", player="silent", limit=1, release=folder, release_anyway=True)
    (run,) = reproduce("recite", "3").play(replace(asked, log_dir=tmp_path / "logs"))
    assert [row.id for row in run.rows] == [played[0].id]
