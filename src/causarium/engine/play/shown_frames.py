"""What a model is shown of an observation: its words and, where it has one, its picture."""

from inspect_ai.model import Content, ContentImage, ContentText

from causarium.contract.world import Observation

FRAME_CHARS = 3_000
"""What a picture is taken to be worth in characters, where tokens are counted roughly."""


def show_observation(seen: Observation) -> str | list[Content]:
    """Return an observation as the content of a message."""
    if not seen.frame:
        return seen.text
    return [ContentText(text=seen.text), ContentImage(image=seen.frame)]
