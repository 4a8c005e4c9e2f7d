"""The ends of pipes as streams: what a command is given to read, and what it writes."""

import contextlib
import os

import anyio
from anyio.abc import ByteReceiveStream, ByteSendStream

_MOST_BYTES = 65_536


class PipeReader(ByteReceiveStream):
    """The end of a pipe that is read; the descriptor belongs to it."""

    def __init__(self, handle: int) -> None:
        os.set_blocking(handle, False)
        self._handle: int | None = handle

    async def receive(self, max_bytes: int = _MOST_BYTES) -> bytes:
        """Return what there is, once there is something."""
        while True:
            if self._handle is None:
                raise anyio.ClosedResourceError
            try:
                data = os.read(self._handle, max_bytes)
            except BlockingIOError:
                await anyio.wait_readable(self._handle)
                continue
            if not data:
                raise anyio.EndOfStream
            return data

    def close(self) -> None:
        """Give the descriptor back."""
        handle, self._handle = self._handle, None
        _close(handle)

    async def aclose(self) -> None:
        """Give the descriptor back."""
        self.close()


class PipeWriter(ByteSendStream):
    """The end of a pipe that is written to; the descriptor belongs to it."""

    def __init__(self, handle: int) -> None:
        os.set_blocking(handle, False)
        self._handle: int | None = handle

    async def send(self, item: bytes) -> None:
        """Write everything, as fast as it is read at the other end."""
        left = memoryview(item)
        while left:
            if self._handle is None:
                raise anyio.ClosedResourceError
            try:
                left = left[os.write(self._handle, left) :]
            except BlockingIOError:
                await anyio.wait_writable(self._handle)
            except BrokenPipeError as wrong:
                raise anyio.BrokenResourceError from wrong

    def close(self) -> None:
        """Give the descriptor back, so that the other end sees the end."""
        handle, self._handle = self._handle, None
        _close(handle)

    async def aclose(self) -> None:
        """Give the descriptor back, so that the other end sees the end."""
        self.close()


def _close(handle: int | None) -> None:
    if handle is not None:
        with contextlib.suppress(RuntimeError):
            anyio.notify_closing(handle)
        os.close(handle)
