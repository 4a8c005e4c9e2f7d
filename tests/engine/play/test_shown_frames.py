"""What a model is shown: words, and a picture where there is one."""

from inspect_ai.model import ChatMessageUser, ContentImage, ContentText

from causarium.contract.world import Observation
from causarium.engine.play.conversation import Context, show_observation

FRAME = "data:image/png;base64,AAAA"


def test_an_observation_without_a_frame_is_its_words():
    assert show_observation(Observation("seen")) == "seen"


def test_a_frame_comes_after_the_words():
    text, image = show_observation(Observation("seen", frame=FRAME))
    assert isinstance(text, ContentText)
    assert text.text == "seen"
    assert isinstance(image, ContentImage)
    assert image.image == FRAME


def test_a_frame_counts_in_what_is_sent():
    def tokens(seen):
        context = Context(None, lambda: None)
        context.fit([ChatMessageUser(content=show_observation(seen))])
        return context.tokens

    assert tokens(Observation("seen", frame=FRAME)) > tokens(Observation("seen")) + 500
