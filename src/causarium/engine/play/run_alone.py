"""Runs an agent's programs where there is no Inspect run: a bubblewrap sandbox for each episode.

The same guest, limits and client as in a run; only who starts it differs.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from weakref import finalize

import anyio

from causarium.contract.episode import Episode
from causarium.contract.world import Move, Observation, Program
from causarium.engine.play.programs import run_program
from causarium.engine.sandbox.bubblewrap import Bubblewrap
from causarium.engine.sandbox.choose_sandbox import NoSandbox, no_bubblewrap


class ProgramRunner:
    """The sandbox of one episode; it is removed when nobody holds the runner any more.

    Raises:
        NoSandbox: Bubblewrap does not work on this machine; says why.
    """

    def __init__(self) -> None:
        if (why := no_bubblewrap()) is not None:
            raise NoSandbox(
                f"programs of an agent run in bubblewrap here, and it cannot be used: {why}; "
                "install bubblewrap 0.8 or newer, or play by rules without programs"
            )
        self._place = Bubblewrap()
        finalize(self, self._place.close)

    def run(
        self, episode: Episode, program: Program, take: Callable[[Move], Observation]
    ) -> Program:
        """Run a program and return it with what became of it.

        Args:
            episode: What it is played in.
            program: The program.
            take: Makes the moves that the program asks for.

        Raises:
            RunError: The sandbox does not work.
        """

        async def take_later(move: Move) -> Observation:
            return take(move)

        # A thread of its own: whoever calls may be inside an event loop already.
        with ThreadPoolExecutor(1) as thread:
            return thread.submit(
                anyio.run, run_program, episode, program, take_later, self._place
            ).result()
