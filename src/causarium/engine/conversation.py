"""What is said between a model and a world: asked, mended, continued and kept in the log."""

from collections.abc import Sequence

from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageUser,
    GenerateConfig,
    ModelOutput,
    ResponseSchema,
    get_model,
)
from inspect_ai.solver import TaskState
from inspect_ai.tool import ToolDef

from causarium.contract.episode import Episode
from causarium.contract.frozen import writable
from causarium.contract.world import Move
from causarium.engine.constrained import ReplySchemas

GO_ON = "Your reply was cut off. Go on exactly where it stopped; repeat nothing."
"""Said to a model whose reply stopped at the token limit, where the rules let it go on."""
CONTINUED_KEY = "causarium:continued"
"""In a sample's store: how often a reply was continued."""


class Conversation:
    """The messages of one sample, and the model that they are sent to."""

    def __init__(self, state: TaskState, episode: Episode) -> None:
        self.state = state
        self.rules = episode.rules
        self.model = get_model()
        self._episode = episode
        self._schemas = ReplySchemas(episode)

    def tell(self, message: ChatMessage | str) -> None:
        """Add what the model is to read next; a text is said by the user."""
        said = ChatMessageUser(content=message) if isinstance(message, str) else message
        self.state.messages.append(said)

    async def move(self) -> Move:
        """Return the move that the model makes in text."""
        return self._episode.read(await self.reply())

    async def reply(self) -> str:
        """Return the model's reply in text, continued where it stopped at the token limit."""
        schema = self._schemas.now()
        output = await self._ask(self.state.messages, schema=schema)
        whole = output.completion
        for _ in range(self.rules.continuations):
            if output.stop_reason != "max_tokens":
                break
            so_far = ChatMessageAssistant(content=whole)
            # What is left of a reply fits no schema of its own.
            output = await self._ask([*self.state.messages, so_far, ChatMessageUser(content=GO_ON)])
            whole += output.completion
            self._count(CONTINUED_KEY)
        output.completion = whole
        self._keep(output)
        return whole

    async def call(self, tools: Sequence[ToolDef]) -> ChatMessageAssistant:
        """Return the model's reply, in which it may call `tools`."""
        output = await self._ask(self.state.messages, tools)
        self._keep(output)
        return output.message

    async def _ask(
        self,
        messages: Sequence[ChatMessage],
        tools: Sequence[ToolDef] = (),
        schema: ResponseSchema | None = None,
    ) -> ModelOutput:
        config = GenerateConfig(response_schema=schema)
        return _mended(await self.model.generate(list(messages), tools=list(tools), config=config))

    def _keep(self, output: ModelOutput) -> None:
        self.state.output = output
        self.state.messages.append(output.message)

    def _count(self, key: str) -> None:
        self.state.store.set(key, self.state.store.get(key, 0) + 1)


def _mended(output: ModelOutput) -> ModelOutput:
    """Return a reply without text that no log could hold: one half character would end the run."""
    return ModelOutput.model_validate(writable(output.model_dump()))
