"""The words that open a game; the texts are in `prompts/`."""

from pathlib import Path
from string import Template

from causarium.contract.family import Prompt
from tests.support.lamps.config import LampsRules
from tests.support.lamps.instance import LampsPublic

PROMPTS = Path(__file__).parent / "prompts"


def prompt(public: LampsPublic, rules: LampsRules) -> Prompt:
    """Return the opening words of one game."""
    user = Template(_text("user", rules)).substitute(
        switches=", ".join(public.switches), flips=len(public.switches) - 1
    )
    return Prompt(system=_text(f"system_{rules.interface}", rules), user=user)


def _text(name: str, rules: LampsRules) -> str:
    folder = Path(rules.prompts) if rules.prompts else PROMPTS
    return (folder / f"{name}.md").read_text(encoding="utf-8").strip()
