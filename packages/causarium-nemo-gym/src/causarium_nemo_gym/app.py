"""The resources server: a session for each rollout, an endpoint for each tool, then the reward."""

import json
from typing import Any

from fastapi import FastAPI, HTTPException, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import PlainTextResponse
from nemo_gym.base_resources_server import (
    BaseResourcesServerConfig,
    BaseSeedSessionRequest,
    BaseSeedSessionResponse,
    BaseVerifyRequest,
    BaseVerifyResponse,
    SimpleResourcesServer,
)
from nemo_gym.server_utils import SESSION_ID_KEY
from pydantic import ConfigDict, PrivateAttr

from causarium.api.session import Session, open_session

OVER = "The episode is over."


class SeedRequest(BaseSeedSessionRequest):
    """A row of the dataset: the address of its instance."""

    model_config = ConfigDict(extra="allow")

    address: dict[str, Any]


class VerifyRequest(BaseVerifyRequest):
    """A row of the dataset and what the model made of it."""

    model_config = ConfigDict(extra="allow")


class VerifyResponse(VerifyRequest, BaseVerifyResponse):
    """The same with the reward."""


class CausalServer(SimpleResourcesServer):
    """Plays sessions by tools."""

    config: BaseResourcesServerConfig
    _sessions: dict[str, Session] = PrivateAttr(default_factory=dict)

    def setup_webserver(self) -> FastAPI:
        """Add one endpoint for all tools to NeMo Gym's own."""
        app = super().setup_webserver()
        app.post("/{tool}")(self.call_tool)
        return app

    async def seed_session(self, request: Request, body: SeedRequest) -> BaseSeedSessionResponse:
        """Open the instance of a row."""

        def open_instance() -> Session:
            return open_session(interface="tools", **body.address)

        self._sessions[request.session[SESSION_ID_KEY]] = await run_in_threadpool(open_instance)
        return BaseSeedSessionResponse()

    async def call_tool(self, tool: str, request: Request) -> PlainTextResponse:
        """Make a move; a call that is refused is answered, and ends nothing."""
        session = self._sessions.get(request.session[SESSION_ID_KEY])
        if session is None:
            raise HTTPException(409, "no instance is open; call /seed_session first")
        if session.done:
            return PlainTextResponse(OVER)
        sent = (await request.body()).decode("utf-8", "replace")
        call = {"name": tool, "arguments": sent or "{}"}
        step = await run_in_threadpool(session.step, call)
        return PlainTextResponse(f"{step.text}\n\n{OVER}" if step.done else step.text)

    async def verify(self, request: Request, body: VerifyRequest) -> VerifyResponse:
        """Return the reward, and forget the session."""
        session = self._sessions.pop(request.session[SESSION_ID_KEY], None)
        reward = 0.0 if session is None else await run_in_threadpool(lambda: session.reward)
        return VerifyResponse(**body.model_dump(), reward=reward)


def make_row(address: dict[str, Any]) -> dict[str, Any]:
    """Return the row of a dataset for the instance at an address, without any of its secrets."""
    session = open_session(interface="tools", **address)
    tools = [{"type": "function", "strict": False, **tool} for tool in session.tools()]
    return {
        "responses_create_params": {"input": session.messages, "tools": tools},
        "address": address,
    }


def write_row(address: dict[str, Any]) -> str:
    """Return a row as a line of JSON."""
    return json.dumps(make_row(address), ensure_ascii=False)


if __name__ == "__main__":
    CausalServer.run_webserver()
