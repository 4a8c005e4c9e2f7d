"""A reply in which nothing could be read: data, like any other move."""

from causarium.contract.frozen import AgentInput


class Unparsed(AgentInput):
    """A reply in which no action could be read."""

    mode: str
    """The named error mode, from the family's list."""
    detail: str
    """What was wrong, in a form that may be shown to the agent."""
