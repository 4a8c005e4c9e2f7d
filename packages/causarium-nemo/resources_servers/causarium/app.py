"""Causarium's worlds as a resources server: replies in, what an agent reads out.

A row holds where an instance comes from and nothing of the instance itself; `write_rows.py` writes
them.
"""

import asyncio
from typing import Any

from nemo_gym.openai_utils import NeMoGymResponse
from resources_servers.gymnasium import GymnasiumServer, extract_text

from causarium.api.session import open_session


class CausalServer(GymnasiumServer):
    """One session for each rollout; drawing and stepping take their time beside the loop."""

    async def reset(
        self, metadata: dict[str, Any], session_id: str | None = None
    ) -> tuple[None, dict[str, Any]]:
        """Open the instance that a row names; the row has its opening as messages.

        Args:
            metadata: The fields of the row; `address` is what `causarium.open_session` takes.
            session_id: The rollout.
        """
        session = await asyncio.to_thread(open_session, **metadata["address"])
        self.session_state[session_id] = session
        return None, session.info()

    async def step(
        self, action: NeMoGymResponse, metadata: dict[str, Any], session_id: str | None = None
    ) -> tuple[str | None, float, bool, bool, dict[str, Any]]:
        """Make one move; a world is bounded, so nothing is ever truncated."""
        session = self.session_state[session_id]
        step = await asyncio.to_thread(session.step, extract_text(action))
        info = {**step.info, "verdict": session.verdict()} if step.done else step.info
        return (None if step.done else step.text), step.reward, step.done, False, info


if __name__ == "__main__":
    CausalServer.run_webserver()
