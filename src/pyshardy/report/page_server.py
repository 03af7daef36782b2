"""Serves a page on loopback and has the browser show it anew when it changes.

The page itself stays as it is, with its strict Content-Security-Policy: a frame around it, with a policy of its own,
asks the server now and then which version there is. Only this machine is listened to, and only under its own names: a
page from elsewhere that gives itself an address of loopback is refused. ``cli.view`` says what the page is.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock

_LOOPBACK = "127.0.0.1"
_STYLE = """
html, body, iframe { margin: 0; border: 0; width: 100%; height: 100%; display: block }
#problem { position: fixed; top: 0; left: 0; right: 0; max-height: 40vh; overflow: auto; margin: 0; padding: 8px 16px;
  background: #8c1d18; color: #fff; font: 13px ui-monospace, monospace; white-space: pre-wrap; z-index: 1 }
#problem[hidden] { display: none }
"""
_SCRIPT = """
"use strict";
const frame = document.querySelector("iframe"), strip = document.getElementById("problem");
frame.src = "/report" + location.hash;
let known = null;
addEventListener("hashchange", () => { frame.contentWindow.location.hash = location.hash; });
async function asked(path) {
  return (await fetch(path, { cache: "no-store" })).text();
}
async function look() {
  try {
    const version = await asked("/version");
    if (version !== known) {
      const problem = await asked("/problem");
      strip.textContent = problem;
      strip.hidden = !problem;
      // The last good plan stays below the reason why there is no new one.
      if (known !== null && !problem) frame.contentWindow.location.reload();
      known = version;
    }
    const { pathname, hash } = frame.contentWindow.location;
    if (pathname === "/report" && hash !== location.hash) history.replaceState(null, "", hash || "/");
    document.title = frame.contentDocument.title || document.title;
  } catch (gone) {
    // The server has ended: what is shown stays.
  }
  setTimeout(look, 1000);
}
look();
"""


class NoPage(Exception):
    """There is no new page now; the message says why."""


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


_FRAME = f"""<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>pyshardy</title>
<style>{_STYLE}</style>
<body><p id="problem" role="alert" hidden></p><iframe title="the report"></iframe>
<script>{_SCRIPT}</script>
"""
_POLICIES = {
    "/": "default-src 'none'; connect-src 'self'; frame-src 'self'; frame-ancestors 'none'; base-uri 'none'; "
    f"form-action 'none'; script-src {_hash(_SCRIPT)}; style-src {_hash(_STYLE)}",
    "/report": "frame-ancestors 'self'",
    "/version": "default-src 'none'; frame-ancestors 'none'",
    "/problem": "default-src 'none'; frame-ancestors 'none'",
}
"""What each address lets its content do; the report adds its own, stricter policy."""


class PageServer(ThreadingHTTPServer):
    """Serves ``page()``, made again whenever ``version()`` says something else, on ``port`` (0 is any free one). While
    ``page`` raises ``NoPage`` the last one that was made stays, and the reason stands above it.

    Raises:
        OSError: nothing can be served there.
    """

    daemon_threads = True

    def __init__(self, page: Callable[[], str], version: Callable[[], str], port: int = 0) -> None:
        super().__init__((_LOOPBACK, port), _Handler)
        self._make = page
        self.version = version
        self._seen: str | None = None
        self._made = b""
        self.problem = ""
        self._making = Lock()
        self._hosts = {f"{name}:{self.server_port}" for name in (_LOOPBACK, "localhost")}
        if self.server_port == 80:
            self._hosts |= {_LOOPBACK, "localhost"}

    @property
    def url(self) -> str:
        """Where a browser finds it."""
        return f"http://{_LOOPBACK}:{self.server_port}/"

    def page(self) -> bytes:
        """The page as it is now, or the last one that could be made; ``problem`` says why there is no newer one."""
        with self._making:
            now = self.version()
            if self._seen != now:
                try:
                    self._made, self.problem = self._make().encode("utf-8", "replace"), ""
                except NoPage as problem:
                    self.problem = str(problem)
                self._seen = now
            return self._made

    def knows(self, host: str | None) -> bool:
        """Whether ``host`` is a name of this server."""
        return host is not None and host.lower() in self._hosts

    def handle_error(self, request: object, client_address: object) -> None:
        """A browser that goes away in the middle of an answer is nothing to speak of; anything else is."""
        import sys

        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


class _Handler(BaseHTTPRequestHandler):
    server: PageServer
    timeout = 60

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        if not self.server.knows(self.headers.get("Host")):
            self._answer(403, "text/plain", b"this server answers under its own address only\n")
        elif path == "/":
            self._answer(200, "text/html", _FRAME.encode(), _POLICIES[path])
        elif path == "/report":
            self._answer(200, "text/html", self.server.page(), _POLICIES[path])
        elif path == "/problem":
            self.server.page()
            self._answer(200, "text/plain", self.server.problem.encode("utf-8", "replace"), _POLICIES[path])
        elif path == "/version":
            self._answer(200, "text/plain", self.server.version().encode(), _POLICIES[path])
        else:
            self._answer(404, "text/plain", b"there is / and /report\n")

    do_HEAD = do_GET

    def _answer(self, status: int, kind: str, data: bytes, policy: str = "default-src 'none'") -> None:
        self.send_response(status)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(data)))
        self.send_header("Cache-Control", "no-store")
        self.send_header("Content-Security-Policy", policy)
        self.send_header("Cross-Origin-Resource-Policy", "same-origin")
        self.send_header("Referrer-Policy", "no-referrer")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def version_string(self) -> str:
        return "pyshardy"

    def log_message(self, format: str, *arguments: object) -> None:
        """Nothing is logged."""
