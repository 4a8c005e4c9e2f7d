"""The report of all logs in the folder, made when it is asked for."""

import re
import threading
from pathlib import Path
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from causarium.engine.logbook.log_book import LogBook
from causarium.engine.logbook.log_files import find_logs
from causarium.report.output.report_logs import report_logs
from causarium.report.output.write_html import render
from causarium.web.page_templates import draw_slowly

_POLICY = re.compile(r'http-equiv="Content-Security-Policy" content="([^"<>\n]{1,500})"')
_CLOSED = "form-action 'none'; base-uri 'none'; frame-ancestors 'none'"


class ReportPage:
    """The report of a folder."""

    def __init__(self, logs: Path) -> None:
        self._logs = logs
        self._lock = threading.Lock()
        self._made: tuple[tuple[tuple[str, int], ...], str] = ((), "")
        """What the logs were when a report was last made, and that report."""

    async def show(self, request: Request) -> Response:  # noqa: ARG002
        """Show the report; its own policy for scripts and styles stands in its head."""
        return await draw_slowly(self._show)

    def _show(self) -> Response:
        paths = find_logs([self._logs])
        stamp = tuple((str(path), path.stat().st_mtime_ns) for path in paths)
        with self._lock:
            if self._made[0] != stamp:
                self._made = (stamp, self._make())
            text = self._made[1]
        policy = _POLICY.search(text[:4_000])
        headers = {"Content-Security-Policy": f"{policy[1]}; {_CLOSED}"} if policy else {}
        return HTMLResponse(text, headers=headers)

    def _make(self) -> str:
        report, _ = report_logs(LogBook.read([self._logs]))
        paths = {str(path): path for path in find_logs([self._logs])}
        replays = {
            name: "/replay?" + urlencode({"log": path.relative_to(self._logs)})
            for name, path in paths.items()
        }
        return render(report, replays=replays)
