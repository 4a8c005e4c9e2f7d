"""The words of the steps that ask a model, and what is read in its replies."""

from functools import cache
from pathlib import Path
from string import Template

from causarium.contract.texts.prompt_texts import read_text
from causarium.contract.texts.replies import find_json_objects
from causarium.contract.texts.role_questions import Ask
from causarium_recite_lab.building.ask_once import ROLE

_FOLDER = Path(__file__).parent / "prompts"


def ask(name: str, user: str, problem: str = "") -> Ask:
    """Return a question: the instructions of a step, its material, and what was wrong before."""
    again = f"\n\nYour last reply could not be used: {problem}. Reply again." if problem else ""
    return Ask(role=ROLE, system=instructions(name).substitute(), user=user + again)


@cache
def instructions(name: str) -> Template:
    """Return the instructions of a step."""
    return read_text(_FOLDER / f"{name}.md", needed=(), allowed=())


def wrap_in_tag(tag: str, text: str) -> str:
    """Put material between tags that it cannot close."""
    return f"<{tag}>\n{text.replace(f'</{tag}>', f'</ {tag}>')}\n</{tag}>"


def read_field(reply: str, key: str) -> object:
    """Return what the last JSON object with this key has under it, or None."""
    said = reply[reply.rfind("</think>") + len("</think>") :] if "</think>" in reply else reply
    found = [value for value in find_json_objects(said) if key in value]
    return found[-1][key] if found else None
