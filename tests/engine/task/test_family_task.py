"""Building a task: what cannot be played is refused in words that reach the user whole."""

import inspect
from pathlib import Path

import inspect_ai
import pytest
from rich.text import Text

from causarium import families, tasks
from causarium.engine.task.family_task import refuse
from causarium.errors import MissingExtra

SOURCE = Path(__file__).parents[3] / "src"


def test_what_is_refused_keeps_its_brackets() -> None:
    refused = refuse(MissingExtra("the interface embodied", "discoveryworld"))
    shown = Text.from_markup(refused.message).plain
    assert shown.endswith("pip install 'causarium[discoveryworld]'")


def test_inspect_lists_the_task_of_every_family_with_its_group_and_paper() -> None:
    listed = {task.name: task for task in inspect_ai.list_tasks(root_dir=SOURCE)}
    assert set(listed) == set(families.FAMILIES)
    for name, task in listed.items():
        arxiv = families.card(name).paper.arxiv
        paper = {"arxiv": f"https://arxiv.org/abs/{arxiv}"} if arxiv else {}
        assert task.attribs == {"group": "causal reasoning", **paper}


@pytest.mark.parametrize("name", families.FAMILIES)
def test_every_rule_is_an_argument_of_the_task_and_it_holds_its_set(name: str) -> None:
    family, task = families.get(name), getattr(tasks, name)
    arguments = set(inspect.signature(task).parameters)
    assert arguments >= {"edition", "set", "file", "player", *family.rules.model_fields}
    made = task(set="smoke", player="oracle")
    assert len(made.dataset) == family.card.sets["certified"]["smoke"].size


def test_a_run_bears_the_tags_that_its_viewer_shows() -> None:
    made = tasks.causallink(set="smoke")
    assert made.tags == ["causal reasoning", "causarium", "certified", "smoke"]
