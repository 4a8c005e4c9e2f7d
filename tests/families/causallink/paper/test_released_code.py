"""Dialogues with the released program and with ours, turn by turn: every word and every outcome."""

import itertools
import json
import random
import re
from types import SimpleNamespace

import networkx as nx
import pytest

import causarium as cm
from causarium.contract.episode import Episode
from causarium.contract.release import ReleaseFolder
from causarium.families.causallink.paper.model.instance import LinkInstance
from tests.families.causallink.paper.worlds import FAMILY, GO_ON, READY, act
from tests.support.clones import find_clone, take_functions

pytestmark = pytest.mark.long

REPLIES = (GO_ON, READY, '{"answer": "yes"}', '{"answer": "no"}', '{"answer": "Yes"}')
ODD = ("no object", "{}", '{"next": "answer"}', '{"act": {"shape": "A"}}', '{"shape": "A"}')
DIALOGUES = 500


def find_world(clone: ReleaseFolder) -> type:
    templates = clone.read_constant("prompt_templates.py", "TEMPLATES")
    found = take_functions(
        clone,
        "dancing_shape.py",
        ("CausalWorld", "ShapeWorld"),
        nx=nx,
        itertools=itertools,
        random=random,
        json=json,
        re=re,
        TEMPLATES=templates,
        print=lambda *_: None,
    )
    return found["ShapeWorld"]


class Script:
    """Sends replies, and keeps what it was told before each."""

    def __init__(self, replies: list[str]) -> None:
        self.replies = iter(replies)
        self.told: list[str] = []

    def collect_response(self, chat):
        self.told += [one["content"] for one in chat if one["role"] != "assistant"][-1:]
        reply = next(self.replies, "nothing more")
        return reply, [*chat, {"role": "assistant", "content": reply}]


def draw_case(rng: random.Random) -> LinkInstance:
    """Return a case that may also start where no world leads to."""
    names = tuple(rng.sample(("circle", "square", "hexagon", "ellipse"), rng.randint(2, 4)))
    pairs = [(a, b) for place, a in enumerate(names) for b in names[place + 1 :]]
    edges = tuple(f"{a}>{b}" for a, b in pairs if rng.random() < 0.6)
    cause, effect = rng.sample(names, 2)
    moving = tuple(name for name in names if rng.random() < 0.5)
    public = {"theme": "shapes", "shapes": names, "moving": moving, "cap": 2 * len(names)}
    truth = nx.DiGraph([edge.split(">") for edge in edges])
    truth.add_nodes_from(names)
    return FAMILY.instance.model_validate(
        {
            "id": "causallink-paper-drawn-0000",
            "public": {**public, "cause": cause, "effect": effect},
            "secret": {"edges": edges, "truth": nx.has_path(truth, cause, effect)},
        }
    )


def draw_replies(rng: random.Random, names: tuple[str, ...]) -> list[str]:
    acts = [act(name, verb) for name in names for verb in ("move", "hold")]
    odd = [*ODD, act("Z", "hold"), act(names[0], "Hold")]
    replies = [rng.choice(acts)]
    for _ in range(rng.randint(1, 12)):
        kind = rng.random()
        pool = acts if kind < 0.45 else REPLIES if kind < 0.95 else odd
        replies.append(rng.choice(pool))
    return replies


def play_released(kind, case: LinkInstance, strategy: str, replies: list[str]) -> SimpleNamespace:
    script = Script(replies)
    size = len(case.public.shapes)
    world = kind("random", True, strategy, "model", script, num_var=size)
    world.shapes = list(case.public.shapes)
    world.causal_graph = nx.DiGraph()
    world.causal_graph.add_nodes_from(range(size))
    world.causal_graph.add_edges_from(case.secret.pairs(case.public.shapes))
    start = [case.public.shapes.index(name) for name in case.public.moving]
    outcome = world.interaction_loop(start, case.public.cause, case.public.effect)
    return SimpleNamespace(outcome=outcome, told=script.told, system=world.chat[0]["content"])


@pytest.mark.parametrize("strategy", ["basic", "basic_limit_step", "cot_basic_limit_step"])
def test_dialogues_are_the_same_word_for_word(strategy):
    clone = find_clone("causallink")
    link = cm.load("causallink", release=clone.path)
    rules = link.rules(strategy=strategy)
    kind = find_world(clone)
    rng = random.Random(0)
    impossible = 0
    for _ in range(DIALOGUES):
        case = draw_case(rng)
        replies = draw_replies(rng, case.public.shapes)
        released = play_released(kind, case, strategy, replies)
        prompt = link.prompt(case, rules)
        episode = Episode(link.family, case, rules)
        told = [prompt.user]
        for reply in [*replies, *["nothing more"] * 2]:
            if episode.done:
                break
            seen = episode.step(episode.parse_reply(reply))
            told += [] if episode.done else [seen.text]
        verdict = episode.score()
        result = None if verdict.answer is None else bool(verdict.numbers["accuracy"])
        error = verdict.labels["error"]
        ours = (None if error == "none" else error, result, int(verdict.numbers["steps"]))
        assert (prompt.system, told) == (released.system, released.told), (case, replies)
        assert ours == released.outcome, (case, replies)
        impossible += not case.secret.reach(case.public.shapes).is_closed(case.public.start)
    assert impossible > DIALOGUES // 10
