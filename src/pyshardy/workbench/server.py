"""Serves the workbench to browsers on this machine: on loopback only, under an address with a token, to its own pages.

A question is a POST of JSON from the workbench's own page. Requests without the token, with another ``Host`` or
``Origin``, or that are too long are refused. Nothing in a request is executed, or put into a page as markup.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from secrets import token_urlsafe
from threading import Lock

from pyshardy.ir.diagnostics import PyshardyError
from pyshardy.report.loopback_server import LoopbackHandler, LoopbackServer
from pyshardy.report.page.document import environment, filled
from pyshardy.workbench.answers import Answers
from pyshardy.workbench.scheduling import SCHEDULER
from pyshardy.workbench.setting import WrongRequest

_MOST_BYTES = 1 << 20
_OWN = "frame-ancestors 'self'"
_LIGHT, _LONG = ("version", "sheet", "place", "stop", "export"), ("whole", "search", "report")
"""Questions that leave no garbage, and those that leave whole programs."""


class WorkbenchServer(LoopbackServer):
    """Serves ``answers`` on ``port`` (0 is any free one). When ``version()`` changes, ``renewed`` returns new answers;
    while it cannot, it raises ``WrongRequest`` with the reason.

    Raises:
        OSError: nothing can be served there.
    """

    def __init__(
        self, answers: Answers, renewed: Callable[[], Answers], version: Callable[[], str], port: int = 0
    ) -> None:
        super().__init__(_Handler, port)
        self._answers, self._renewed, self._version = answers, renewed, version
        self._seen = version()
        self._problem = ""
        self._made = 0
        self._renewing = Lock()
        self.token = token_urlsafe(18)
        self.page = filled(
            environment(),
            "workbench.html",
            ("page.css", "workbench.css"),
            ("make.js", "workbench_state.js", "workbench.js"),
        ).encode()

    @property
    def url(self) -> str:
        """The address for a browser."""
        return f"{super().url}{self.token}/"

    def current(self) -> tuple[Answers, str, int]:
        """The current answers, why there are no newer ones, and how often the file was read."""
        with self._renewing:
            now = self._version()
            if now != self._seen:
                try:
                    with SCHEDULER.quick():
                        renewed = self._renewed()
                        renewed.take_results_of(self._answers)
                    self._answers, self._problem = renewed, ""
                    self._made += 1
                except WrongRequest as problem:
                    self._problem = str(problem)
                self._seen = now
            return self._answers, self._problem, self._made


class _Handler(LoopbackHandler):
    server: WorkbenchServer
    timeout = 600

    def _path(self) -> str | None:
        """The path after the token; None if the request is refused."""
        if not self.server.knows(self.headers.get("Host"), self.headers.get("Origin")):
            self.refuse_host()
            return None
        begin = f"/{self.server.token}/"
        path = self.path.partition("?")[0]
        if not path.startswith(begin):
            self.answer(404, "text/plain", b"the address of the workbench has a token: see where it was started\n")
            return None
        return path.removeprefix(begin)

    def do_GET(self) -> None:
        path = self._path()
        if path is None:
            return
        name = path.removeprefix("report/")
        report = self.server.current()[0].report(name) if path != name else None
        if not path:
            self.answer(200, "text/html", self.server.page, "frame-ancestors 'none'")
        elif report is not None:
            self.answer(200, "text/html", report.encode("utf-8", "replace"), _OWN)
        else:
            self.answer(404, "text/plain", b"there is nothing here\n")

    do_HEAD = do_GET

    def do_POST(self) -> None:
        path = self._path()
        if path is None:
            return
        size = self.headers.get("Content-Length", "")
        kind = self.headers.get("Content-Type", "").partition(";")[0]
        if not size.isdecimal() or int(size) > _MOST_BYTES or kind != "application/json":
            self.answer(400, "text/plain", b"a question is JSON, of at most 1 MiB\n")
            return
        try:
            given = json.loads(self.rfile.read(int(size)))
            answers, problem, made = self.server.current()
            found = answers.answer(path, given) if path != "version" else {}
            self._json(200, found | {"made": made, "file_problem": problem})
            if path not in _LIGHT:
                SCHEDULER.collect_garbage(everything=path in _LONG)
        except (WrongRequest, json.JSONDecodeError, RecursionError) as wrong:
            self._json(400, {"problem": str(wrong)})
        except (PyshardyError, ValueError) as refused:
            self._json(200, {"problem": str(refused).partition("\n")[0]})

    def _json(self, status: int, found: object) -> None:
        self.answer(status, "application/json", json.dumps(found).encode())
